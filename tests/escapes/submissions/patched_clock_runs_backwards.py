# with policy: compile_error/forbidden_import
# without policy: accepted | run_time_error/crashed
# why: A negative or enormous time in a record is not believed.
# layers: outside
import sys
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    import judge.jail.serving
    times = iter([1e300, -1e300, float("nan"), 5.0] * 1000)
    judge.jail.serving.time.perf_counter = lambda: next(times)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
