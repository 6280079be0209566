# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed | run_time_error/exception | wrong_answer/values_differ | wrong_answer/wrong_shape | time_limit_exceeded/wall
# why: A region that changes while it is copied gives one copy, and one verdict.
# layers: outside
import os
import struct
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    memory = sys._getframe(1).f_locals["region"]._memory
    os.write(3, struct.pack("<cI", b"D", 2))
    while True:
        for status in (1, 6, 255, 0):
            struct.pack_into("<4IQd5I8Q", memory, 64, status, 1, 2, 0, 15424, 0.0, 0, 0, 16000, 0, 0, *[3, 2, 0, 0, 0, 0, 0, 0])
