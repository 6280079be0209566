import torch

DEVICE = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
dtype = torch.get_default_dtype()


def scaled_dot_product_attention(Q, K, V):
    device = Q.device
    assert device.type == DEVICE == "cpu" and torch.cuda.device_count() == 0
    Q, K, V = [x.to(device=device, dtype=dtype, non_blocking=True).contiguous() for x in (Q, K, V)]
    ones = torch.ones(1, device=device, dtype=Q.dtype)
    torch.cuda.empty_cache()
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V * ones
