# with policy: compile_error/forbidden_import
# without policy: wrong_answer/wrong_shape
# why: Exit handlers never run.
# layers: outside
import atexit
import os
import torch


def scaled_dot_product_attention(Q, K, V):
    atexit.register(os._exit, 0)
    return V.sum()
