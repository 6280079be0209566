# verdict: time_limit_exceeded/wall
# why: Keys that all collide take quadratic time.
# layers: deadline
import torch


class Key:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return False


def scaled_dot_product_attention(Q, K, V):
    {Key(): 1 for _ in range(100_000)}
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
