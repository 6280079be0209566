# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: memory_limit_exceeded | wrong_answer/wrong_shape | run_time_error/crashed | run_time_error/exited | run_time_error/exception
# why: Eating all memory and then returning something wrong must not upset the record.
# layers: rlimits, outside
import torch


KEPT = []


def scaled_dot_product_attention(Q, K, V):
    try:
        while True:
            KEPT.append(bytearray(1 << 16))
    except MemoryError:
        pass
    return V
