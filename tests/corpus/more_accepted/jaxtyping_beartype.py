import torch
from beartype import beartype as typechecker
from jaxtyping import Float, jaxtyped
from torch import Tensor


@jaxtyped(typechecker=typechecker)
def attend(q: Float[Tensor, "... n d"], k: Float[Tensor, "... m d"], v: Float[Tensor, "... m e"]) -> Float[Tensor, "... n e"]:
    scores: Float[Tensor, "... n m"] = q @ k.mT / k.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v


@typechecker
def scaled_dot_product_attention(Q: Float[Tensor, "..."], K: Float[Tensor, "..."], V: Float[Tensor, "..."]):
    return attend(Q, K, V)
