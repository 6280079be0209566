"""A package at one revision as plain bytes: what a store keeps, and how a problem is made of them again. Trusted side.

    take_snapshot(directory) ──► Snapshot ──► bytes by digest, somewhere else
    problem_at(slug, manifest, contents) ──► the same Problem, at the same revision

The manifest lists the digest of every file that the reader uses; its own digest is the problem's revision. So a
revision names its contents, and contents that were tampered with no longer add up to it.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from problems.errors import PackageError
from problems.files import PackageFiles
from problems.package import Problem
from problems.reading import problem_from, slug_of


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A package as it was read."""

    problem: Problem
    manifest: bytes
    contents: Mapping[str, bytes]
    """By SHA-256 (hex)."""


def take_snapshot(directory: Path) -> Snapshot:
    """Reads a package and keeps what was read. PackageError when anything is wrong with it."""
    files = PackageFiles(directory, keep=True)
    problem = problem_from(files, slug_of(directory))
    contents = {files.digest(name): data for name, data in files.kept().items()}
    return Snapshot(problem, files.manifest(), contents)


def digests_in(manifest: bytes) -> dict[str, str]:
    """The digest of each file by its name."""
    lines = (line.partition("  ") for line in manifest.decode().splitlines())
    return {name: digest for digest, _, name in lines}


def problem_at(slug: str, manifest: bytes, contents: Mapping[str, bytes]) -> Problem:
    """The problem of a snapshot. PackageError when the contents are not those that the manifest lists."""
    with tempfile.TemporaryDirectory(prefix="tensorgrade-") as place:
        directory = Path(place) / slug
        lay_out(directory, manifest, contents)
        problem = problem_from(PackageFiles(directory), slug)
    if problem.revision != hashlib.sha256(manifest).hexdigest():
        raise PackageError(f"{slug}: the stored package does not add up to its revision.")
    return problem


def lay_out(directory: Path, manifest: bytes, contents: Mapping[str, bytes]) -> None:
    """Writes the files of a snapshot. PackageError when the contents are not those that the manifest lists."""
    slug = directory.name
    for name, digest in digests_in(manifest).items():
        data = contents.get(digest)
        if data is None or hashlib.sha256(data).hexdigest() != digest:
            raise PackageError(f"{slug}: the stored {name} is missing or damaged.")
        file = directory / name
        if not file.resolve().is_relative_to(directory.resolve()):
            raise PackageError(f"{slug}: the stored {name} lies outside the package.")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
