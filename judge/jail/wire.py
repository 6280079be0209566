"""What crosses the wall, byte by byte. Imported by both sides; standard library only.

Three channels join the supervisor (trusted) to one child (hostile from its first line on):

    socket, supervisor → child   one message a batch of cases: REQUEST header, inputs, table, source
    socket, child → supervisor   TICK messages: armed, so many cases finished, batch done
    region, child → supervisor   a sealed memfd: one LOAD record, one RECORD a case, then tensors and texts

The supervisor never maps the region and never parses anything but these fixed structs out of it: it copies bytes by
offset and length, both checked against its own bounds. Messages towards the child use `marshal`, because the child may
trust its supervisor; nothing comes back that way.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

# ---------------------------------------------------------------- control socket: supervisor ↔ zygote
ARM = struct.Struct("<cIQI?")
"""kind b"A", child id, RLIMIT_AS in bytes, RLIMIT_CPU in seconds, whether to rehearse; carries two descriptors: socket
and region."""
FORKED = struct.Struct("<cI")
"""kind b"F", child id; carries the child's pidfd."""
EXITED = struct.Struct("<cIIddQ")
"""kind b"X", child id, wait status, user s, system s, ru_maxrss in KiB."""
READY = b"R"
"""Followed by JSON: what the zygote found and which layers it raised. Read before any child exists."""
CONTROL_BYTES = 8192
CONTROL_FD = 3
"""Where a zygote finds its control socket, and a child its own."""

# ---------------------------------------------------------------- supervisor → child
REQUEST = struct.Struct("<IIQI")
"""table bytes, source bytes, input bytes, 1 when the inputs are inline (0: a memfd comes with the message)."""
REQUEST_HEAD = 64
"""The header is padded so that inline inputs start aligned for every dtype."""
INLINE_BYTES = 256 * 1024
"""Inputs up to here ride in the message; more come as a memfd (25 MB: 25 ms over a socket, 6 ms mapped)."""
MESSAGE_BYTES = REQUEST_HEAD + INLINE_BYTES + 160 * 1024
"""The longest request: inputs, a 64 KiB source and the table."""

# ---------------------------------------------------------------- child → supervisor
TICK = struct.Struct("<cI")
"""kind, cases finished in this batch; with ARMED the child's ru_maxrss in KiB, which is honest so early."""
ARMED, PROGRESS, DONE = b"R", b"P", b"D"
NOT_ARMED = b"N"
"""Followed by words: what went wrong before anything hostile ran."""
PROGRESS_S = 0.001
"""An honest child says PROGRESS when a case ends and its last word is older than this: the supervisor's clock then
sees every case that took longer."""

# ---------------------------------------------------------------- the region
REGION_BYTES = 64 * 1024 * 1024
MAX_CASES = 120
MAX_DIMENSIONS = 8
LOAD = struct.Struct("<IIId")
"""status, text offset, text bytes, seconds. Lies at offset 0."""
RECORD = struct.Struct("<4IQd5I8Q")
"""status, dtype, dimensions, flags, tensor offset, seconds, line, text offset, text bytes, stdout offset, stdout bytes,
eight sizes."""
RECORD_STRIDE = 128
RECORDS_AT = 64
DATA_AT = RECORDS_AT + RECORD_STRIDE * MAX_CASES
ALIGN = 64
MIN_ROOM = 1024 * 1024
"""A result of an unexpected shape may take max(this, 4 times the expected bytes): diagnosis wants to see it."""
MAX_TEXT = 16 * 1024
MAX_SECONDS = 1e6
"""No honest clock says more."""
_MAX_DIGITS = 7


class LoadStatus(IntEnum):
    """How loading the source went."""

    UNFINISHED = 0
    LOADED = 1
    REFUSED = 2
    """By the compiler or the policy: the text is a list of refusals."""
    NO_FUNCTION = 3
    RAISED = 4
    EXITED = 5
    OUT_OF_MEMORY = 6
    TOO_MUCH_OUTPUT = 7
    BAD_POLICY = 8
    """The problem forbids or imports something that does not exist."""


class Status(IntEnum):
    """How one call went."""

    UNFINISHED = 0
    TENSOR = 1
    NONE = 2
    OTHER_TYPE = 3
    """Neither a tensor nor None; a leading tensor of a tuple or list is carried along."""
    UNREADABLE = 4
    """A tensor whose values cannot be carried: not strided, not on the CPU, too many dimensions, unknown dtype."""
    TOO_BIG = 5
    RAISED = 6
    REFUSED = 7
    OUT_OF_MEMORY = 8
    EXITED = 9
    TOO_MUCH_OUTPUT = 10


FROM_SEQUENCE, MUTATED, STDOUT_CUT, HAS_TENSOR = 1, 2, 4, 8
"""Bits of a record's flags."""

DTYPES = (
    "",
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int64",
    "bool",
    "int32",
    "uint8",
    "int8",
    "int16",
    "complex64",
    "complex128",
)
"""Index = dtype code on the wire; 0 is none of these."""
ITEM_BYTES = (0, 4, 8, 2, 2, 8, 1, 4, 1, 1, 2, 8, 16)
FLOAT32, FLOAT64 = 1, 2


class MalformedError(ValueError):
    """Bytes from the child that no honest child writes."""


@dataclass(frozen=True, slots=True)
class Record:
    """One RECORD, taken apart and bounds-checked against the region."""

    status: Status
    dtype: int
    shape: tuple[int, ...]
    flags: int
    tensor_at: int
    seconds: float
    line: int
    text: tuple[int, int]
    stdout: tuple[int, int]


class Refusal(NamedTuple):
    """One refusal in a text list."""

    line: int
    column: int
    code: str
    message: str


def read_record(buffer: bytes | bytearray | memoryview, index: int) -> Record:
    """The record of a case out of a private copy of the region's head; MalformedError when it cannot be honest."""
    values = RECORD.unpack_from(buffer, RECORDS_AT + RECORD_STRIDE * index)
    status, dtype, dimensions, flags, tensor_at, seconds, line, text_at, text_n, stdout_at, stdout_n = values[:11]
    if status >= len(Status) or dtype >= len(DTYPES) or dimensions > MAX_DIMENSIONS:
        raise MalformedError("a record names a status, dtype or rank that does not exist")
    if text_n > MAX_TEXT or text_at + text_n > REGION_BYTES or stdout_at + stdout_n > REGION_BYTES:
        raise MalformedError("a record points outside the region")
    if not 0.0 <= seconds < MAX_SECONDS:  # also refuses NaN
        raise MalformedError("a record carries an impossible time")
    return Record(
        Status(status),
        dtype,
        values[11 : 11 + dimensions],
        flags,
        tensor_at,
        seconds,
        line,
        (text_at, text_n),
        (stdout_at, stdout_n),
    )


def pack_texts(texts: tuple[str, ...]) -> bytes:
    """Texts as length-prefixed UTF-8, at most MAX_TEXT bytes in all: later ones are cut."""
    out = bytearray()
    for text in texts:
        raw = text.encode("utf-8", "replace")[: max(0, MAX_TEXT - len(out) - 4)]
        out += struct.pack("<I", len(raw)) + raw
        if len(out) + 4 > MAX_TEXT:
            break
    return bytes(out)


def unpack_texts(raw: bytes) -> list[str]:
    """The inverse of `pack_texts`; a damaged list gives the texts up to the damage, each as `clean_text` leaves it."""
    texts = []
    at = 0
    while at + 4 <= len(raw):
        (size,) = struct.unpack_from("<I", raw, at)
        at += 4
        if size > len(raw) - at:
            break
        texts.append(clean_text(raw[at : at + size]))
        at += size
    return texts


_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and newline
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # invisible, line-breaking and direction-changing ones
    "\ud800-\udfff\ufff0-\uffff\U000e0000-\U000e0fff]"
)


def clean_text(raw: bytes) -> str:
    """Text from the jail made fit to print: valid Unicode; what would hide or move other text becomes U+FFFD."""
    return _UNFIT.sub("\ufffd", raw.decode("utf-8", "replace"))


def pack_refusals(refusals: list[Refusal]) -> bytes:
    """Refusals as a text list of four texts each."""
    flat: list[str] = []
    for refusal in refusals[:50]:
        flat += [str(refusal.line), str(refusal.column), refusal.code, refusal.message[:1000]]
    return pack_texts(tuple(flat))


def unpack_refusals(raw: bytes) -> list[Refusal]:
    """The inverse of `pack_refusals`; entries that cannot be honest are left out."""
    texts = unpack_texts(raw)
    out = []
    for line, column, code, message in zip(texts[0::4], texts[1::4], texts[2::4], texts[3::4], strict=False):
        if max(len(line), len(column)) <= _MAX_DIGITS and line.isdecimal() and column.isdecimal():
            out.append(Refusal(int(line), int(column), code, message))
    return out


def aligned(offset: int) -> int:
    """The next multiple of ALIGN."""
    return -(-offset // ALIGN) * ALIGN


def room_for(expected_bytes: int) -> int:
    """How many bytes a result may take."""
    return max(MIN_ROOM, 4 * expected_bytes)
