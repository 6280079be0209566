# verdict: time_limit_exceeded/wall
# why: Comparisons that never end.
# layers: deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    class Slow:
        def __lt__(self, other):
            while True:
                pass

    sorted([Slow(), Slow()])
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
