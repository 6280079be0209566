# with policy: compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: Control characters in a name are replaced.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    raise type("\0\x1b[31m\ud800", (Exception,), {})
