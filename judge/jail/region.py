"""Writes records, tensors and texts into the region that the supervisor reads.

Runs inside the jail: assume every later line of this process is hostile. Nothing here is a check that anybody relies
on; the supervisor trusts none of it.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import struct
from typing import TYPE_CHECKING, Any

import torch

from judge.jail import wire

if TYPE_CHECKING:
    from collections.abc import Callable

DTYPE_CODES: dict[torch.dtype, int] = {getattr(torch, name): code for code, name in enumerate(wire.DTYPES) if name}
_SMALL = 1 << 16
_LARGE = 1 << 20
_POPULATE_WRITE = 23
"""MADV_POPULATE_WRITE, since Linux 5.14."""
_STATUS = struct.Struct("<I")


class Region:
    """The output region of one child.

    A batch's canonical slots come first; texts and results of an unexpected size go behind them.
    """

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._free = wire.DATA_AT
        self._copy_out: Callable[[int, int], bytes] = ctypes.string_at

    def begin(self, cases: int, free_at: int) -> None:
        """Forget the records of the last batch (the supervisor has copied them) and start allocating at `free_at`."""
        end = wire.RECORDS_AT + wire.RECORD_STRIDE * cases
        self._memory[wire.RECORDS_AT : end] = bytes(end - wire.RECORDS_AT)
        self._free = free_at

    def clear(self) -> None:
        """Forget everything, the load record too."""
        self._memory[: wire.DATA_AT] = bytes(wire.DATA_AT)

    def put_bytes(self, raw: bytes) -> tuple[int, int]:
        """Append bytes; (offset, length), or (0, 0) when there is no room left."""
        at = self._free
        if not raw or at + len(raw) > len(self._memory):
            return 0, 0
        self._memory[at : at + len(raw)] = raw
        self._free = wire.aligned(at + len(raw))
        return at, len(raw)

    def put_load(self, status: wire.LoadStatus, seconds: float, raw: bytes = b"") -> None:
        """Say how loading went; `raw` is a text list or a list of refusals."""
        at, size = self.put_bytes(raw)
        wire.LOAD.pack_into(self._memory, 0, status, at, size, seconds)

    def put_record(  # noqa: PLR0913 - the fields of one record
        self,
        index: int,
        status: wire.Status,
        *,
        seconds: float = 0.0,
        flags: int = 0,
        dtype: int = 0,
        shape: tuple[int, ...] = (),
        tensor_at: int = 0,
        line: int = 0,
        text: bytes = b"",
        stdout: bytes = b"",
    ) -> None:
        """Write one record; the status last, so that a kill in between leaves an unfinished case."""
        at = wire.RECORDS_AT + wire.RECORD_STRIDE * index
        sizes = (*shape, 0, 0, 0, 0, 0, 0, 0, 0)[: wire.MAX_DIMENSIONS]
        texts = (*self.put_bytes(text), *self.put_bytes(stdout)) if text or stdout else (0, 0, 0, 0)
        rank = min(len(shape), wire.MAX_DIMENSIONS)
        wire.RECORD.pack_into(self._memory, at, 0, dtype, rank, flags, tensor_at, seconds, line, *texts, *sizes)
        _STATUS.pack_into(self._memory, at, status)

    def add_to_record(self, index: int, flags: int, stdout: bytes) -> None:
        """Put printed text or further flags beside a finished record."""
        base = wire.RECORDS_AT + wire.RECORD_STRIDE * index
        values = list(wire.RECORD.unpack_from(self._memory, base))
        values[3] |= flags
        values[9:11] = self.put_bytes(stdout)
        wire.RECORD.pack_into(self._memory, base, *values)

    def put_tensor(self, tensor: torch.Tensor, slot_at: int, expected_bytes: int) -> tuple[wire.Status, int, int]:
        """Copy a tensor's values. Returns (status, dtype code, offset).

        The expected number of bytes goes to its slot, anything else behind the slots, up to `wire.room_for`.
        """
        code = DTYPE_CODES.get(tensor.dtype, 0)
        if not code or tensor.layout is not torch.strided or tensor.dim() > wire.MAX_DIMENSIONS or not tensor.is_cpu:
            return wire.Status.UNREADABLE, code, 0
        size = tensor.numel() * wire.ITEM_BYTES[code]
        if size > wire.room_for(expected_bytes):  # zeros(1).expand(10**6, 10**6) is 4 bytes that would become 4 TB
            return wire.Status.TOO_BIG, code, 0
        at = slot_at
        if size > expected_bytes:
            at = self._free
            if at + size > len(self._memory):
                return wire.Status.TOO_BIG, code, 0
            self._free = wire.aligned(at + size)
        if size:
            self._copy(tensor, at, size)
        return wire.Status.TENSOR, code, at

    def _copy(self, tensor: torch.Tensor, at: int, size: int) -> None:
        if size <= _SMALL and tensor.is_contiguous() and not tensor.is_neg() and not tensor.is_conj():
            self._memory[at : at + size] = self._copy_out(tensor.data_ptr(), size)
            return
        if size >= _LARGE:
            first = at - at % mmap.PAGESIZE
            with contextlib.suppress(OSError):  # an older kernel: the pages then come one by one
                self._memory.madvise(_POPULATE_WRITE, first, at + size - first)
        with torch.no_grad():
            target = torch.frombuffer(self._memory, dtype=tensor.dtype, count=tensor.numel(), offset=at)
            target.view(tensor.shape).copy_(tensor)


_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
_libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_FAILED = ctypes.c_void_p(-1).value


def map_inputs(descriptor: int, size: int) -> Any:  # noqa: ANN401 - a ctypes array type made for this size
    """Map a sealed memfd privately and return it as a writable buffer that unmaps itself.

    Not `mmap.mmap`: that duplicates and stats the descriptor, which the filter refuses. MemoryError without room.
    """
    address = _libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE, descriptor, 0)
    if address in (None, _FAILED):
        raise MemoryError("no room for the inputs")

    def unmap(_: object) -> None:
        _libc.munmap(address, size)

    kind: Any = type("MappedInputs", (ctypes.c_char * size,), {"__del__": unmap})
    return kind.from_address(address)
