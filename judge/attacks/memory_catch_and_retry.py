# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: memory_limit_exceeded
# why: Catching MemoryError for ever looks like time, but the memory is full.
# layers: rlimits, deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            pass
