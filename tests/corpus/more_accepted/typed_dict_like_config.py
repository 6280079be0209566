from types import SimpleNamespace
from typing import TypedDict

import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V
