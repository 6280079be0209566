import contextlib
import time
from contextlib import contextmanager, nullcontext, suppress

import torch


@contextmanager
def timed(label):
    start = time.perf_counter()
    try:
        yield label
    finally:
        print(f"{label}: {time.perf_counter() - start:.6f} s")


class Recorder:
    def __init__(self):
        self.events = []

    def __enter__(self):
        self.events.append("in")
        return self

    def __exit__(self, kind, value, traceback):
        self.events.append(kind.__name__ if kind else "out")
        return kind is not None


def scaled_dot_product_attention(Q, K, V):
    recorder = Recorder()
    with recorder as r, nullcontext(2) as two:
        raise ValueError("swallowed")
    with suppress(ZeroDivisionError):
        two / 0
    with contextlib.suppress(KeyError), timed("softmax") as label:
        w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
        assert label == "softmax"
    assert r.events == ["in", "ValueError"]
    return w @ V
