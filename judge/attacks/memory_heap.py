# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: memory_limit_exceeded
# why: The address space is limited.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
