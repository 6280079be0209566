import torch

CALLS = 0
HISTORY = {}
_cache: dict = {}


def count():
    global CALLS
    CALLS += 1
    HISTORY.setdefault("calls", []).append(CALLS)
    count.total = getattr(count, "total", 0) + 1
    return CALLS


def scaled_dot_product_attention(Q, K, V):
    count()
    assert count.total == CALLS
    key = K.shape[-1]
    if key not in _cache:
        _cache[key] = key**-0.5
    return torch.softmax(Q @ K.mT * _cache[key], dim=-1) @ V
