"""Adds and removes cases, so that half a case cannot exist: not after kill -9, a full disk or two authors at once.

Trusted side. Theory of operation: a case is there exactly when its `.in.safetensors` is. Adding writes three hidden
files and flushes them to the disk, renames the `.ans` and the `.yaml`, flushes the folder, and renames the `.in` last.
Removing deletes the `.in` first. Wherever the process dies, a reader finds the whole case or none; what is left behind
is passed over by readers and swept by the next author. A lock on the package's directory keeps authors apart; the
kernel drops it with the process, so there is no stale lock. Editing changes the `.yaml` alone, by one rename.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from problems.errors import CaseExists, InputError, PackageError
from problems.inputs import check_answer, check_inputs
from problems.package import Case, EntryPoint, Float32Array, Float64Array, Tolerance
from problems.reading import ANS, ANSWER, IN, INPUTS_DIGEST, YAML, check_case_name, decode_case, read_entry_point
from problems.tensors import encode

_HALF_WRITTEN = ".half-written-"


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case that is not on disk yet."""

    name: str
    """Group and file stem: "secret/20-long-keys"."""
    title: str
    inputs: Mapping[str, Float32Array]
    answer: Float64Array
    tolerance: Tolerance
    description: str = ""
    seed: int | None = None
    layout: Mapping[str, str] = field(default_factory=dict)
    hint: str | None = None
    full_feedback: bool = False
    vacuous: str | None = None


@dataclass(frozen=True, slots=True)
class _Contents:
    """The three files of a case."""

    inputs: bytes
    answer: bytes
    meta: str


def check_case(entry_point: EntryPoint, case: NewCase) -> Case:
    """The case as a reader would find it; PackageError with one sentence when a reader would refuse it."""
    return _read_back(entry_point, case, _contents(entry_point, case))


def add_case(directory: Path, case: NewCase) -> None:
    """Writes a case into a package: all of it, or nothing that anybody sees.

    CaseExists when there is one of that name; PackageError when the case does not fit the entry point, when another
    author is writing, or when the disk refuses.
    """
    entry_point = read_entry_point(directory)
    contents = _contents(entry_point, case)
    _read_back(entry_point, case, contents)
    refusal = f"{case.name} cannot be added to {directory}; nothing was changed"
    with _sole_author(directory), _sentence_for_the_disk(refusal):
        stem = directory / "data" / case.name
        if _beside(stem, IN).exists():
            raise CaseExists(f"{case.name} is there already; choose another name or remove it first.")
        _make_folders(directory, stem.parent)
        _sweep(stem.parent)
        _write(stem, contents)


def remove_case(directory: Path, name: str) -> None:
    """Removes a case. PackageError when there is none of that name, another author is writing or the disk refuses."""
    check_case_name(name)
    refusal = f"{name} cannot be removed from {directory}"
    with _sole_author(directory), _sentence_for_the_disk(refusal):
        stem = directory / "data" / name
        if not _beside(stem, IN).exists():
            raise PackageError(f"{name}: there is no such case in {directory.name}.")
        _beside(stem, IN).unlink()
        _flush(stem.parent)
        _beside(stem, ANS).unlink(missing_ok=True)
        _beside(stem, YAML).unlink(missing_ok=True)


def edit_case(directory: Path, case: NewCase) -> None:
    """Changes what a case says of itself: everything but its name, inputs and answer, which must be those it has.

    One file changes, in one step. PackageError when there is no such case, when a reader would refuse it, when another
    author is writing or when the disk refuses.
    """
    entry_point = read_entry_point(directory)
    check_case_name(case.name)
    stem = directory / "data" / case.name
    meta = _meta(case)
    with _sole_author(directory), _sentence_for_the_disk(f"{case.name} cannot be changed in {directory}"):
        if not _beside(stem, IN).exists():
            raise PackageError(f"{case.name}: there is no such case in {directory.name}.")
        stored = _beside(stem, IN).read_bytes(), _beside(stem, ANS).read_bytes()
        decode_case(case.name, entry_point, inputs=stored[0], answer=stored[1], meta=meta)
        _sweep(stem.parent)
        hidden = stem.with_name(f"{_HALF_WRITTEN}{stem.name}{YAML}")
        _write_through(hidden, meta.encode())
        hidden.replace(_beside(stem, YAML))
        _flush(stem.parent)


def changed(case: Case, **changes: Any) -> NewCase:  # noqa: ANN401 - the fields of NewCase
    """A case of a package with some of what it says changed."""
    return replace(
        NewCase(
            name=case.name,
            title=case.title,
            inputs=case.inputs,
            answer=case.answer,
            tolerance=case.tolerance,
            description=case.description,
            seed=case.seed,
            layout=case.layout,
            hint=case.hint,
            full_feedback=case.full_feedback,
            vacuous=case.vacuous,
        ),
        **changes,
    )


def _contents(entry_point: EntryPoint, case: NewCase) -> _Contents:
    """What the three files will hold; PackageError when the tensors do not fit."""
    check_case_name(case.name)
    try:
        sizes = check_inputs(entry_point, case.inputs)
        check_answer(entry_point, sizes, case.answer)
    except InputError as error:
        raise InputError(f"{case.name}: {error}") from error
    inputs = encode(case.inputs)
    digest = hashlib.sha256(inputs).hexdigest()
    answer = encode({ANSWER: case.answer}, {INPUTS_DIGEST: digest})
    return _Contents(inputs=inputs, answer=answer, meta=_meta(case))


def _meta(case: NewCase) -> str:
    """The case's .yaml; keys at their defaults are left out."""
    document: dict[str, object] = {"title": case.title}
    if case.description:
        document["description"] = case.description
    document |= {"rtol": float(case.tolerance.rtol), "atol": float(case.tolerance.atol)}
    if case.seed is not None:
        document["seed"] = int(case.seed)
    if case.layout:
        document["layout"] = dict(case.layout)
    if case.hint is not None:
        document["hint"] = case.hint
    if case.full_feedback:
        document["full_feedback"] = True
    if case.vacuous is not None:
        document["vacuous"] = case.vacuous
    try:
        "".join((case.title, case.description, case.hint or "", case.vacuous or "", *case.layout)).encode()
    except UnicodeEncodeError as error:  # half a surrogate pair, as a shell passes on bytes that are no text
        raise PackageError(
            f"{case.name}: {error.object[error.start]!r} is no character; write the text anew."
        ) from error
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110))


def _read_back(entry_point: EntryPoint, case: NewCase, contents: _Contents) -> Case:
    """Reads what is about to be written the way every reader will."""
    return decode_case(case.name, entry_point, inputs=contents.inputs, answer=contents.answer, meta=contents.meta)


@contextlib.contextmanager
def _sole_author(directory: Path) -> Iterator[None]:
    """Holds the package's lock; PackageError at once when another process or thread holds it."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise PackageError(f"{directory}: there is no such package ({error.strerror}).") from error
    try:
        _lock(descriptor, directory)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, directory: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise PackageError(f"{directory.name}: another author is writing to it; try again in a moment.") from error
    except OSError as error:  # some network file systems have no locks
        raise PackageError(
            f"{directory}: the directory cannot be locked: {error.strerror}; use a local disk."
        ) from error


@contextlib.contextmanager
def _sentence_for_the_disk(refusal: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PackageError(f"{refusal}: {error.strerror}.") from error


def _beside(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _make_folders(directory: Path, group: Path) -> None:
    for folder in (directory / "data", group):
        if not folder.is_dir():
            folder.mkdir()
            _flush(folder.parent)
    if not group.resolve().is_relative_to(directory.resolve()):
        raise PackageError(f"data/{group.name}: the link leaves the package; put a folder in its place.")


def _sweep(group: Path) -> None:
    """Removes the hidden files of an author who was cut short. We hold the lock, so they are nobody's."""
    for entry in group.iterdir():
        if entry.name.startswith(_HALF_WRITTEN):
            entry.unlink()


def _write(stem: Path, contents: _Contents) -> None:
    """The `.in` comes last: until then nobody sees a case. On an error everything of ours is taken back."""
    parts = {ANS: contents.answer, YAML: contents.meta.encode(), IN: contents.inputs}
    hidden = {suffix: stem.with_name(f"{_HALF_WRITTEN}{stem.name}{suffix}") for suffix in parts}
    try:
        for suffix, data in parts.items():
            _write_through(hidden[suffix], data)
        hidden[ANS].replace(_beside(stem, ANS))
        hidden[YAML].replace(_beside(stem, YAML))
        _flush(stem.parent)
        hidden[IN].replace(_beside(stem, IN))
        _flush(stem.parent)
    except OSError:
        for path in (_beside(stem, IN), _beside(stem, ANS), _beside(stem, YAML), *hidden.values()):
            with contextlib.suppress(OSError):  # the disk has failed already: the error that says so goes on
                path.unlink()
        raise


def _write_through(path: Path, data: bytes) -> None:
    """Returns when the disk has the bytes."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _flush(folder: Path) -> None:
    """Makes names in a folder last: renaming alone may be forgotten in a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
