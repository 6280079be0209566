# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: A chain of causes that bites its tail.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    raise first
