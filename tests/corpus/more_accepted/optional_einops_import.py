import torch

try:
    from einops import rearrange

    HAVE_EINOPS = True
except ImportError:
    rearrange = None
    HAVE_EINOPS = False


def scaled_dot_product_attention(Q, K, V):
    if HAVE_EINOPS:
        K_t = rearrange(K, "... m d -> ... d m")
    else:
        K_t = K.transpose(-2, -1)
    return torch.softmax(Q @ K_t / Q.shape[-1] ** 0.5, dim=-1) @ V
