import torch


class Solver:
    def __init__(self):
        self.scale = None

    def solve(self, Q, K, V):
        self.scale = K.shape[-1] ** -0.5
        return torch.softmax(Q @ K.mT * self.scale, dim=-1) @ V


scaled_dot_product_attention = Solver().solve
