# verdict: wrong_answer/wrong_type
# why: An object that quacks like a tensor is none.
# layers: outside
import torch


class Duck:
    dtype = torch.float32
    shape = (3, 2)

    def __eq__(self, other):
        return True

    def numpy(self):
        return self


def scaled_dot_product_attention(Q, K, V):
    return Duck()
