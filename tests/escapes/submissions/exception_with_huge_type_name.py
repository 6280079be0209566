# with policy: compile_error/forbidden_construct | compile_error/forbidden_name
# without policy: run_time_error/exception
# why: The name of a type is cut.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    raise type("X" * 1_000_000, (Exception,), {})
