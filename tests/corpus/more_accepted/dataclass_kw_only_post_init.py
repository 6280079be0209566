import dataclasses
from dataclasses import KW_ONLY, InitVar, dataclass

import torch


@dataclass(order=True)
class Scale:
    power: float
    _: KW_ONLY
    base: InitVar[int] = 2
    factor: float = 1.0

    def __post_init__(self, base):
        self.factor = self.factor * base / 2


def scaled_dot_product_attention(Q, K, V):
    s = dataclasses.replace(Scale(-0.5), base=2)
    assert dataclasses.asdict(s)["power"] == -0.5 and dataclasses.is_dataclass(s)
    assert [f.name for f in dataclasses.fields(s)] == ["power", "factor"]
    return torch.softmax(Q @ K.transpose(-1, -2) * K.size(-1) ** s.power * s.factor, dim=-1) @ V
