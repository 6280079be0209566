"""Searches the memory of another process for answers, from outside."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from problems.package import Problem

_RUN = 3
"""So many consecutive elements are a find: one or two may be there by chance."""
_HEAD = 12
_TABLE = 1 << 20
_CHUNK = 1 << 24
_LINE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)\s*(.*)")


def answer_patterns(problem: Problem) -> set[bytes]:
    """Every run of three elements of every answer as float32 and as float64.

    Left out are runs that say nothing: with a repeated value or zeros in their bytes, or found in some input too, where
    a child holds them rightly.
    """
    given = b"".join(array.tobytes() for case in problem.cases for array in case.inputs.values())
    patterns = set()
    for case in problem.cases:
        for dtype in (np.float32, np.float64):
            flat = case.answer.astype(dtype).reshape(-1)
            for start in range(flat.size - _RUN + 1):
                run = flat[start : start + _RUN]
                telling = len(set(run.tolist())) == _RUN and np.frombuffer(run.tobytes(), "<u4").all()
                if telling and run.astype(np.float32).tobytes() not in given:
                    patterns.add(run.tobytes())
    return patterns


def input_patterns(problem: Problem) -> set[bytes]:
    """The first three elements of each input: what a scan of a child must find, or it would find nothing at all."""
    plain = [array for case in problem.cases for name, array in case.inputs.items() if name not in case.layout]
    return {array.reshape(-1)[:_RUN].tobytes() for array in plain}


def found(pid: int, patterns: set[bytes]) -> set[bytes]:
    """Which of these patterns (12 bytes and longer) lie in the memory of a process, at any alignment."""
    by_head: dict[bytes, list[bytes]] = {}
    for pattern in patterns:
        by_head.setdefault(pattern[:_HEAD], []).append(pattern)
    seen = np.zeros((_HEAD // 4, _TABLE), dtype=bool)
    for head in by_head:
        for place, word in enumerate(_hashed(np.frombuffer(head, dtype="<u4"))):
            seen[place, word] = True
    hits: set[bytes] = set()
    for chunk in _memory_of(pid):
        for shift in range(4):
            for at in _candidates(chunk, shift, seen):
                hits |= {each for each in by_head.get(chunk[at : at + _HEAD], ()) if chunk.startswith(each, at)}
    return hits


def _hashed(words: np.ndarray) -> np.ndarray:
    return (words * np.uint32(2654435761)) >> np.uint32(12)


def _candidates(chunk: bytes, shift: int, seen: np.ndarray) -> list[int]:
    """Offsets where three words look like the beginning of a pattern."""
    words = _hashed(np.frombuffer(chunk, dtype="<u4", count=(len(chunk) - shift) // 4, offset=shift))
    places = np.flatnonzero(seen[0][words[:-2]])
    for place in (1, 2):
        places = places[seen[place][words[places + place]]]
    return [int(place) * 4 + shift for place in places]


def _memory_of(pid: int) -> Iterable[bytes]:
    """All memory that a process can write or that has no file behind it, in overlapping chunks."""
    descriptor = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    try:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            start, end, rights, inode, name = _LINE.match(line).groups()
            if "r" not in rights or ("w" not in rights and inode != "0") or name.startswith(("[vvar", "[vsyscall")):
                continue
            yield from _chunks(descriptor, int(start, 16), int(end, 16))
    finally:
        os.close(descriptor)


def _chunks(descriptor: int, start: int, end: int) -> Iterable[bytes]:
    while start < end:
        try:
            chunk = os.pread(descriptor, min(_CHUNK, end - start), start)
        except OSError:  # a page that cannot be read even by its owner
            return
        if len(chunk) > 24 and chunk.strip(b"\0"):
            yield chunk
        if len(chunk) < _CHUNK:
            start += max(len(chunk), 4096)
        else:
            start += len(chunk) - 64  # a pattern may lie across two chunks


def shared_mappings(pid: int) -> set[str]:
    """Identity (device and inode) of each mapping that can be written and whose changes others can see."""
    shared = set()
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        fields = line.split(maxsplit=5)
        if "w" in fields[1] and fields[1].endswith("s"):
            shared.add(f"{fields[3]}:{fields[4]}")
    return shared
