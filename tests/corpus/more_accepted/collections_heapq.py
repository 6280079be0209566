import bisect
import copy
import heapq
from collections import Counter, OrderedDict, defaultdict, deque
from numbers import Number

import torch
from torch import nn


def scaled_dot_product_attention(Q, K, V):
    queue = deque([Q, K, V], maxlen=3)
    q, k, v = queue.popleft(), queue.popleft(), queue.pop()
    sizes = Counter(Q.shape)
    groups = defaultdict(list)
    for size, count in sizes.most_common():
        groups[count].append(size)
    heap = list(sizes)
    heapq.heapify(heap)
    assert heapq.heappop(heap) == min(sizes) and bisect.bisect([1, 3], 2) == 1 and isinstance(1.5, Number)
    net = nn.Sequential(OrderedDict([("softmax", nn.Softmax(dim=-1))]))
    twin = copy.deepcopy(net)
    options = copy.copy({"a": [1]})
    return twin(q @ k.mT / k.shape[-1] ** 0.5) @ v + 0 * len(options)
