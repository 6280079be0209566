import torch
import torch.nn as nn

torch.set_grad_enabled(False)


@torch.inference_mode
def weights(s):
    return s.softmax(-1)


def scaled_dot_product_attention(Q, K, V):
    with torch.inference_mode(), torch.autocast("cpu", enabled=False), torch.set_grad_enabled(False):
        w = weights(Q @ K.mT / K.shape[-1] ** 0.5)
        return (w @ V).clone()
