"""What known mistakes return, on disk: one file a revision, outside the package. Trusted side.

The file is ours, yet nothing in it executes: an .npz read without pickle, one array of numbers and one of JSON. What
cannot be read is computed anew. Secret outputs are in it: only its owner may read the directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judge.footprint import Footprint, Footprints, Kind
from judge.report import Reason, Verdict
from problems.package import Problem

log = logging.getLogger("tensorgrade.judge")
_FORMAT = 1
_KEPT = 64
"""Files; the oldest go first. One of the first package has 400 KiB."""


class MistakeCache:
    """A directory of files, each named after all that decides what is in it."""

    def __init__(self, directory: Path, conditions: str) -> None:
        """`conditions`: what else changes what a program does, such as the version of torch."""
        self._directory = directory
        self._conditions = f"{_FORMAT} {sys.version_info[:3]} {conditions}"

    def read(self, problem: Problem) -> dict[str, Footprints] | None:
        """What was written for this revision; None when there is nothing or it cannot be read."""
        path = self._path(problem)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                return _unpack(json.loads(archive["outcomes"].tobytes()), archive["numbers"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            log.warning("%s cannot be read and is made anew: %s", path, error)
            return None

    def write(self, problem: Problem, known: Mapping[str, Footprints]) -> None:
        """Keep it for the next judge. A disk that refuses costs only time, so that is a warning."""
        outcomes, numbers = _pack(known)
        text = json.dumps(outcomes, allow_nan=False).encode()
        try:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=self._directory, suffix=".part", delete=False) as file:
                try:
                    np.savez(file, outcomes=np.frombuffer(text, dtype=np.uint8), numbers=numbers)
                    file.close()
                    Path(file.name).replace(self._path(problem))
                except BaseException:
                    with contextlib.suppress(OSError):
                        Path(file.name).unlink()
                    raise
            self._prune()
        except OSError as error:
            log.warning("%s cannot be written: %s; known mistakes run anew each time", self._directory, error)

    def _path(self, problem: Problem) -> Path:
        key = hashlib.sha256(f"{problem.revision} {self._conditions}".encode()).hexdigest()
        return self._directory / f"{key}.npz"

    def _prune(self) -> None:
        files = sorted(self._directory.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in files[_KEPT:]:
            path.unlink(missing_ok=True)


def _pack(known: Mapping[str, Footprints]) -> tuple[dict[str, Any], np.ndarray[Any, np.dtype[np.float64]]]:
    """Everything but numbers as JSON, and all numbers as one vector."""
    parts = []
    at = 0
    outcomes: dict[str, Any] = {}
    for name, footprints in known.items():
        outcomes[name] = {}
        for case, footprint in footprints.items():
            kind, size = footprint.kind, None
            if footprint.values is not None:
                parts.append(footprint.values)
                size = footprint.values.size
            outcomes[name][case] = [
                kind.verdict,
                kind.reason,
                kind.type_name,
                kind.dtype,
                kind.shape,
                kind.from_sequence,
                at,
                size,
            ]
            at += size or 0
    return outcomes, np.concatenate(parts) if parts else np.zeros(0)


def _unpack(outcomes: Any, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, Footprints]:  # noqa: ANN401 - JSON
    """The inverse; ValueError, KeyError or TypeError when it is not what `_pack` makes."""
    return {
        name: {case: _footprint(row, numbers) for case, row in footprints.items()}
        for name, footprints in dict(outcomes).items()
    }


def _footprint(row: list[Any], numbers: np.ndarray[Any, np.dtype[np.float64]]) -> Footprint:
    verdict, reason, type_name, dtype, shape, from_sequence, at, size = row
    kind = Kind(
        Verdict(verdict),
        None if reason is None else Reason(reason),
        type_name,
        dtype,
        None if shape is None else tuple(shape),
        bool(from_sequence),
    )
    if size is None:
        return Footprint(kind)
    values = numbers[at : at + size]
    if numbers.dtype != np.float64 or values.shape != (size,):
        raise ValueError("the numbers are not those that belong to it")
    return Footprint(kind, values)
