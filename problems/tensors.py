"""Tensors on disk: safetensors without torch. Trusted side; the bytes may come from anybody.

The whole header is checked (length, JSON, dtypes, shapes, sizes, offsets that neither overlap nor leave a gap, nothing
behind the last tensor) against the size of the file before a byte of data is read. Nothing executes, and no number in
the header makes us allocate more than the file holds.

    8 bytes, little-endian: length of the header │ header (JSON, may end in spaces) │ data, row by row, little-endian
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from problems.errors import PackageError
from problems.shapes import MAX_RANK, Shape

MAX_FILE_BYTES = 64 << 20
"""Of one file of tensors: what the memory that is shared with the jail is laid out for."""
MAX_HEADER_BYTES = 64 << 10
"""A header of a case has about 300."""
MAX_TENSORS = 64

_LENGTH_BYTES = 8
_METADATA = "__metadata__"
_DTYPES: Mapping[str, np.dtype[Any]] = MappingProxyType({"F32": np.dtype("<f4"), "F64": np.dtype("<f8")})


@dataclass(frozen=True, slots=True)
class Tensors:
    """What a safetensors file holds. The arrays are read-only, C-contiguous and do not share memory with the file."""

    arrays: Mapping[str, NDArray[Any]]
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    dtype: np.dtype[Any]
    shape: Shape
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Header:
    entries: tuple[_Entry, ...]
    metadata: Mapping[str, str]


def read_checked(file: IO[bytes], size: int, where: str) -> bytes:
    """All bytes of a file of `size` bytes, read only after its header was found to describe exactly that file."""
    if size > MAX_FILE_BYTES:
        raise PackageError(f"{where}: the file has {size} bytes; at most {MAX_FILE_BYTES} are read.")
    start = file.read(_LENGTH_BYTES)
    length = _header_length(start, size, where)
    header = file.read(length)
    _parse_header(header, size - _LENGTH_BYTES - length, where)
    data = start + header + file.read(size)
    if len(data) != size:
        raise PackageError(f"{where}: the file changed while it was read; try again.")
    return data


def decode(data: bytes, *, where: str) -> Tensors:
    """The tensors of a whole safetensors file in memory; PackageError names `where` and what is wrong."""
    length = _header_length(data[:_LENGTH_BYTES], len(data), where)
    body = _LENGTH_BYTES + length
    header = _parse_header(data[_LENGTH_BYTES:body], len(data) - body, where)
    arrays = {entry.name: _array(data, body, entry) for entry in header.entries}
    return Tensors(arrays=MappingProxyType(arrays), metadata=header.metadata)


def encode(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str] | None = None) -> bytes:
    """The same bytes for the same arrays, names and metadata on every machine. Arrays are float32 or float64."""
    plain = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    return save(plain, metadata=dict(metadata) if metadata else None)


def _array(data: bytes, body: int, entry: _Entry) -> NDArray[Any]:
    flat = np.frombuffer(data, dtype=entry.dtype, count=math.prod(entry.shape), offset=body + entry.start)
    array = flat.reshape(entry.shape).astype(entry.dtype.newbyteorder("="))  # a copy: aligned, and free of the file
    array.flags.writeable = False
    return array


def _header_length(start: bytes, size: int, where: str) -> int:
    if len(start) < _LENGTH_BYTES:
        raise PackageError(f"{where}: the file is too short to be safetensors; write it again.")
    length = int.from_bytes(start, "little")
    if length > MAX_HEADER_BYTES:
        raise PackageError(f"{where}: the header claims {length} bytes; at most {MAX_HEADER_BYTES} are read.")
    if length > size - _LENGTH_BYTES:
        raise PackageError(f"{where}: the header claims {length} bytes, and the file ends before; write it again.")
    return length


def _parse_header(text: bytes, data_bytes: int, where: str) -> _Header:
    """Checks the header against the number of data bytes in the file."""
    try:
        document = json.loads(text.decode("utf-8"), object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise PackageError(f"{where}: the header is not valid JSON; write the file again.") from error
    if not isinstance(document, dict):
        raise PackageError(f"{where}: the header is not a JSON object; write the file again.")
    metadata = _metadata(document.pop(_METADATA, {}), where)
    if not 1 <= len(document) <= MAX_TENSORS:
        raise PackageError(f"{where}: the file has {len(document)} tensors; it needs 1 to {MAX_TENSORS}.")
    entries = sorted((_entry(name, value, where) for name, value in document.items()), key=lambda entry: entry.start)
    _check_offsets(entries, data_bytes, where)
    return _Header(entries=tuple(entries), metadata=metadata)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuses a name that is given twice: readers differ on which one counts."""
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a name is given twice")
    return document


def _metadata(value: object, where: str) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise PackageError(f"{where}: the header's metadata is not text; write the file again.")
    return MappingProxyType(value)


def _entry(name: str, value: object, where: str) -> _Entry:
    what = f"{where}: tensor {_shown(name)}"
    if not isinstance(value, dict) or value.keys() != {"dtype", "shape", "data_offsets"}:
        raise PackageError(f"{what} is not described by dtype, shape and data_offsets.")
    dtype = _DTYPES.get(value["dtype"]) if isinstance(value["dtype"], str) else None
    if dtype is None:
        raise PackageError(f"{what} is {_shown(value['dtype'])}; inputs are F32 and answers F64.")
    shape, offsets = value["shape"], value["data_offsets"]
    if not _are_sizes(shape) or len(shape) > MAX_RANK:
        raise PackageError(f"{what} has the shape {_shown(shape)}; up to {MAX_RANK} sizes are allowed.")
    if 0 in shape:
        raise PackageError(f"{what} has shape {tuple(shape)}; every size must be at least 1.")
    if not _are_sizes(offsets) or len(offsets) != 2:  # noqa: PLR2004 -- begin and end
        raise PackageError(f"{what} has the offsets {_shown(offsets)}; they are two numbers.")
    if offsets[1] - offsets[0] != math.prod(shape) * dtype.itemsize:
        raise PackageError(f"{what} of shape {tuple(shape)} does not fill its {offsets[1] - offsets[0]} bytes.")
    return _Entry(name=name, dtype=dtype, shape=tuple(shape), start=offsets[0], end=offsets[1])


def _are_sizes(value: object) -> bool:
    """Whether this is a list of plain numbers that a file of ours could hold; `True` is no number."""
    return isinstance(value, list) and all(type(size) is int and 0 <= size <= MAX_FILE_BYTES for size in value)


def _check_offsets(entries: list[_Entry], data_bytes: int, where: str) -> None:
    end = 0
    for entry in entries:
        if entry.start != end:
            kind = "overlaps the one before" if entry.start < end else "leaves a gap before it"
            raise PackageError(f"{where}: tensor {_shown(entry.name)} {kind}; write the file again.")
        end = entry.end
    if end != data_bytes:
        raise PackageError(f"{where}: the tensors fill {end} bytes, and the file has {data_bytes}; write it again.")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 -- a sentence's worth
