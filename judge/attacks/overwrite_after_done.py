# with policy: compile_error/forbidden_import
# without policy: accepted | run_time_error/crashed | run_time_error/exception | wrong_answer/values_differ | wrong_answer/non_finite | wrong_answer/wrong_shape
# why: Results are copied once, at DONE: what is written later is written for nobody.
# layers: outside
import sys
import time
import torch


def scaled_dot_product_attention(Q, K, V):
    channel = sys._getframe(2).f_locals["channel"]
    memory = sys._getframe(2).f_locals["region"]._memory

    def tick(kind, finished, send=type(channel).tick):
        send(channel, kind, finished)
        until = time.perf_counter() + 0.05
        while time.perf_counter() < until:
            memory[: 1 << 16] = b"\xff" * (1 << 16)

    channel.tick = tick
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
