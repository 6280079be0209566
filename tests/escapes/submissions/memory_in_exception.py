# verdict: run_time_error/exception
# why: The text of an exception is cut.
# layers: outside, rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    raise ValueError("x" * 50_000_000)
