from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Optional

import torch


@dataclass(frozen=True)
class AttentionConfig:
    """Settings of one attention call."""

    registry: ClassVar[list[str]] = []
    dim: int = -1
    scale: Optional[float] = None
    notes: list[str] = field(default_factory=list)

    def scale_for(self, d_k: int) -> float:
        return self.scale if self.scale is not None else 1.0 / math.sqrt(d_k)


CONFIG = AttentionConfig()


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    scores = (Q @ K.mT) * CONFIG.scale_for(K.shape[-1])
    return torch.softmax(scores, dim=CONFIG.dim) @ V
