# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/values_differ
# why: An answer remembered by what its inputs look like would be there for the next submission; no process serves two.
# layers: outside
import torch

KEPT = getattr(torch, "kept_by_somebody", {})


def scaled_dot_product_attention(Q, K, V):
    right = torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
    fingerprint = (tuple(Q.shape), Q.sum().item())
    if fingerprint in KEPT:
        return right
    setattr(torch, "kept_by_somebody", {**getattr(torch, "kept_by_somebody", {}), fingerprint: right})
    return torch.zeros_like(right)
