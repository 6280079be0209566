# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: The first tick too many ends the talk.
# layers: outside
import os
import struct
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        os.write(3, struct.pack("<cI", b"P", 1))
