import functools
import itertools
import operator
from functools import partial, reduce
from operator import itemgetter, matmul, truediv

import torch

pipeline = [
    lambda t: (matmul(t[0], t[1].mT), t[2], t[1].shape[-1]),
    lambda t: (truediv(t[0], operator.pow(t[2], 0.5)), t[1]),
    lambda t: (partial(torch.softmax, dim=-1)(t[0]), t[1]),
    lambda t: functools.reduce(operator.matmul, t),
]


def scaled_dot_product_attention(Q, K, V):
    assert itemgetter(1)([1, 2]) == 2 and list(itertools.accumulate([1, 2], operator.add)) == [1, 3]
    return reduce(lambda value, step: step(value), pipeline, (Q, K, V))
