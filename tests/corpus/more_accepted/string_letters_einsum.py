import string

import torch


def scaled_dot_product_attention(Q, K, V):
    batch = string.ascii_lowercase[: Q.dim() - 2]
    spec = f"{batch}nd,{batch}md->{batch}nm"
    w = torch.einsum(spec, Q, K).div(K.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum(spec.replace("nd", "nm").replace("->" + batch + "nm", "->" + batch + "nd").replace(",%smd" % batch, f",{batch}md"), w, V)
