# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed | run_time_error/exception
# why: Every fresh child crashes again; the rest of the cases still get their verdicts.
# layers: outside
import os
import signal
import torch


def scaled_dot_product_attention(Q, K, V):
    os.kill(os.getpid(), signal.SIGSEGV)
    signal.raise_signal(signal.SIGSEGV)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
