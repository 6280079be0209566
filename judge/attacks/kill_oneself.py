# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed
# why: SIGKILL that the judge did not send is a crash.
# layers: outside
import signal
import torch


def scaled_dot_product_attention(Q, K, V):
    signal.raise_signal(signal.SIGKILL)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
