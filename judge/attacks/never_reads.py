# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A child that says DONE and then stops reading is late with the next case.
# layers: deadline
import sys
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    sys._getframe(2).f_locals["channel"].receive = lambda: time.sleep(1000)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
