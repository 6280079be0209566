# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: Descriptor 1 is /dev/null: a flood goes nowhere and costs only time.
# layers: deadline
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        os.write(1, b"x" * 100_000)
