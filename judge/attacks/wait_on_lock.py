# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: A lock that nobody releases.
# layers: deadline
import threading
import torch


def scaled_dot_product_attention(Q, K, V):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
