from typing import NamedTuple

import torch


class AttentionOutput(NamedTuple):
    """What attend returns."""

    output: torch.Tensor
    weights: torch.Tensor
    note: str = "ok"

    def shape(self):
        return self.output.shape


def attend(q, k, v) -> AttentionOutput:
    w = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    return AttentionOutput(w @ v, w)


def scaled_dot_product_attention(Q, K, V):
    result = attend(Q, K, V)
    out, weights, note = result
    assert result.note == note == "ok" and result._replace(note="x").note == "x"
    assert result.shape() == out.shape and result._fields == ("output", "weights", "note")
    return result.output
