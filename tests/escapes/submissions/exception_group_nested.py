# verdict: run_time_error/exception | run_time_error/crashed
# why: A group of groups, a thousand deep.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    group = ValueError("x")
    for _ in range(1000):
        group = ExceptionGroup("g", [group])
    raise group
