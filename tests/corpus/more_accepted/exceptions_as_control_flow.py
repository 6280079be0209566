import torch


class Rows:
    def __init__(self, x):
        self.x, self.i = x, -1

    def __iter__(self):
        return self

    def __next__(self):
        self.i += 1
        try:
            return self.x.select(-2, self.i)
        except IndexError:
            raise StopIteration from None


def pick(options):
    for name in options:
        try:
            return getattr(torch, name)
        except AttributeError as error:
            last = error
    raise last


def scaled_dot_product_attention(Q, K, V):
    softmax = pick(["stable_softmax", "softmax"])
    out = [softmax((K @ q.unsqueeze(-1)).squeeze(-1) / K.shape[-1] ** 0.5, dim=-1).unsqueeze(-2) @ V for q in Rows(Q)]
    for attempt in range(3):
        if attempt == 1:
            continue
        if attempt > 1:
            break
    else:
        raise AssertionError("unreachable")
    return torch.cat(out, dim=-2)
