"""What a zygote and each child run before any submission, so that nothing is done for the first time on the clock.

Runs inside the jail, before anything hostile. Warm operations make torch initialise its kernels, its lazy imports and
its CPU detection while files can still be opened; the rehearsed requests go through the real serving code, so that a
child has touched the memory that an ordinary submission touches.
"""

from __future__ import annotations

import ctypes
import marshal
import traceback
import warnings
from typing import Any

import torch
from torch.nn import functional

from judge.jail import wire
from judge.jail.serving import Request, parse_request

SOURCE = '''import torch
import math
import torch.nn.functional as F


def scale(d: int) -> float:
    """doc"""
    return 1 / math.sqrt(d)


def rehearsed(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    d = Q.size(-1)
    s = torch.matmul(Q, K.transpose(-2, -1)) * scale(d)
    w = F.softmax(s, dim=-1)
    return w @ V
'''

_SHAPES = (
    ((3, 2), (3, 2), (3, 2)),
    ((4, 5), (6, 5), (6, 3)),
    ((2, 3, 5, 6), (2, 3, 4, 6), (2, 3, 4, 7)),
    ((5, 7), (1024, 7), (1024, 5)),
    ((10, 256), (12, 256), (12, 7)),
    ((64, 64), (64, 64), (64, 64)),
)


def warm_up() -> None:
    """Run one of everything that submissions commonly run."""
    x = torch.randn(8, 8, requires_grad=True)
    torch.softmax(x @ x, -1).sum().backward()  # type: ignore[no-untyped-call]
    y = torch.randn(2, 4, 8)
    torch.einsum("bij,bkj->bik", y, y)
    torch.bmm(y, y.transpose(1, 2))
    torch.matmul(y, y.mT)
    functional.softmax(y, -1)
    functional.gelu(y)
    y.masked_fill(y > 0, float("-inf")).exp().sum(-1, keepdim=True)
    y.max(-1)
    y.std(-1)
    torch.logsumexp(y, -1)
    torch.tril(y[0])
    torch.where(y > 0, y, y)
    torch.tensor([[1.0, 2.0]])
    torch.vmap(lambda row: row * 2)(y)
    repr(y)
    f"{y} {y.shape}"
    square = torch.randn(160, 160)
    square @ square
    torch.nn.Linear(8, 8)(y)
    torch.nn.Sequential(torch.nn.LayerNorm(8), torch.nn.Dropout(0.1))(y)
    torch.nn.LSTM(8, 8)(y)
    torch.linalg.norm(y)
    torch.linalg.inv(torch.eye(3))
    torch.allclose(y, y)
    y.double() @ y.double().mT
    y.bfloat16() @ y.bfloat16().mT
    y.half() @ y.half().mT
    _warm_up_failures()


def _warm_up_failures() -> None:
    """Tracebacks load modules of their own."""
    for source in ('raise ValueError("x")', "import torch\ntorch.randn(3) @ torch.randn(4)", "x = ("):
        try:
            exec(compile(source, "<rehearsal>", "exec"), {})  # noqa: S102 - our own text
        except Exception:  # noqa: BLE001 - any of them
            traceback.format_exc()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("rehearsed", stacklevel=1)


def rehearsed_message() -> bytes:
    """A request as the supervisor would send it, with cases of many shapes."""
    generator = torch.Generator().manual_seed(1)
    body = bytearray()
    cases = []
    slot_at = wire.DATA_AT
    for shapes in _SHAPES:
        inputs = []
        for shape in shapes:
            values = torch.randn(*shape, generator=generator)
            inputs.append((shape, tuple(values.stride()), len(body) // 4))
            body += bytes(values.numpy().tobytes())
            body += bytes(-len(body) % wire.ALIGN)
        expected = 4 * torch.Size((*shapes[0][:-1], shapes[2][-1])).numel()
        cases.append((tuple(inputs), slot_at, expected, 7))
        slot_at = wire.aligned(slot_at + expected)
    start = ("rehearsed", (), (), True)
    table = marshal.dumps((start, tuple(cases), wire.FLOAT32, slot_at, 1024, False))
    source = SOURCE.encode()
    head = wire.REQUEST.pack(len(table), len(source), len(body), 1).ljust(wire.REQUEST_HEAD, b"\0")
    return head + bytes(body) + table + source


class Rehearsal:
    """A channel that delivers one message and listens to nobody."""

    def __init__(self, message: bytes, buffer: Any = None) -> None:  # noqa: ANN401 - any writable buffer
        self._message: bytes | None = message
        self._buffer = bytearray(len(message)) if buffer is None else buffer
        self._finished = -1

    def receive(self) -> Request | None:
        """The message once, then the end."""
        if self._message is None:
            return None
        self._buffer[: len(self._message)] = self._message
        self._message = None
        return parse_request(self._buffer, None)

    def tick(self, kind: bytes, finished: int) -> None:
        """Remember how far it came."""
        if kind == wire.DONE:
            self._finished = finished

    def require_finished(self) -> None:
        """RuntimeError when the rehearsed submission was not served to its end."""
        if self._finished < 1:
            raise RuntimeError("the rehearsed submission did not run")


_BIG, _SMALL, _STEPS = 65536, 24, 100_000


def use_up_free_heap() -> None:
    """Allocate, for good, the free chunks that lie scattered over this process's heap.

    A child then allocates from the heap's end, where its pages lie together, instead of from chunks on hundreds of
    pages that it shares with the zygote and would have to copy first: arming costs a seventh less.
    """
    malloc = ctypes.CDLL(None).malloc
    malloc.restype = ctypes.c_void_p
    malloc.argtypes = (ctypes.c_size_t,)
    end = max(malloc(_BIG) for _ in range(16))  # below the threshold from which malloc maps instead
    size = _BIG
    while size >= _SMALL:
        for _ in range(_STEPS):
            if malloc(size) >= end:
                break
        size -= max(16, size // 64)
