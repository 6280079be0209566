# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A callback of the garbage collector runs whenever memory moves.
# layers: deadline
import gc
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    gc.callbacks.append(lambda *_: time.sleep(1000))
    gc.collect()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
