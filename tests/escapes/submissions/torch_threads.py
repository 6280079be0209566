# verdict: run_time_error/exited | run_time_error/exception | run_time_error/crashed | time_limit_exceeded/wall
# why: More threads than one would hang or end the process: libgomp exits when it gets none.
# layers: policy, seccomp, rlimits
import torch


def attack():
    torch.set_num_threads(8)
    torch.randn(2000, 2000) @ torch.randn(2000, 2000)
    if torch.get_num_threads() != 8:
        raise PermissionError("no threads")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
