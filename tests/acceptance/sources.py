"""Submissions of many kinds, with the verdict that each must get."""

ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
UNSCALED = ACCEPTED.replace(" / K.shape[-1] ** 0.5", "")
SLOW = "def scaled_dot_product_attention(Q, K, V):\n    while True:\n        pass\n"

SOURCES = {
    "accepted": (ACCEPTED, "accepted"),
    "accepted in words": (ACCEPTED.replace("return", "weights = Q  # a comment\n    return"), "accepted"),
    "unscaled": (UNSCALED, "wrong_answer"),
    "wrong shape": (ACCEPTED.replace("dim=-1) @ V", "dim=-1)"), "wrong_answer"),
    "raises": ("def scaled_dot_product_attention(Q, K, V):\n    raise ValueError('no')\n", "run_time_error"),
    "no python": ("def scaled_dot_product_attention(Q, K, V:\n", "compile_error"),
    "no function": ("x = 1\n", "compile_error"),
}
"""Quick ones: a submission that takes longer than the time between two kills would never be judged."""
