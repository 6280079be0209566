# verdict: run_time_error/exited
# why: A __str__ that ends the process is an exit like any other.
# layers: outside
import torch


class Exit:
    def __str__(self):
        raise SystemExit(0)


def scaled_dot_product_attention(Q, K, V):
    print(Exit())
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
