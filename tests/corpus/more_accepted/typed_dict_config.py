from types import SimpleNamespace
from typing import TypedDict

import torch


class Config(TypedDict, total=False):
    scale: float


CONFIG: Config = {"scale": -0.5}


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT * K.shape[-1] ** CONFIG["scale"], dim=-1) @ V
