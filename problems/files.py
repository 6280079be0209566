"""The files of one package: read with a size limit, never outside the package, and remembered for the revision.

Trusted side. A bank may come from anybody, so a link that leaves the package, a pipe that would block the server and a
file without end are refused with a sentence before a byte of them is used.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from problems.errors import PackageError
from problems.tensors import read_checked

MAX_TEXT_BYTES = 1 << 20
"""Of any one text file. The longest of the shipped ones has 40 KiB."""


class PackageFiles:
    """Reads the files of one package. Not thread-safe: one for each reading."""

    def __init__(self, directory: Path, *, keep: bool = False) -> None:
        """`keep` also keeps what was read, for a snapshot of the package."""
        try:
            self._root = directory.resolve(strict=True)
        except OSError as error:
            raise PackageError(f"{directory}: there is no such package ({error.strerror}).") from error
        if not self._root.is_dir():
            raise PackageError(f"{directory}: a package is a directory.")
        self._digests: dict[str, str] = {}
        self._kept: dict[str, bytes] | None = {} if keep else None

    def names(self, folder: str) -> list[str]:
        """The sorted names in a folder of the package, hidden ones left out; empty when there is no such folder."""
        try:
            self._refuse_strangers(folder)
            return sorted(entry.name for entry in os.scandir(self._root / folder) if not entry.name.startswith("."))
        except FileNotFoundError:
            return []
        except NotADirectoryError as error:
            raise PackageError(f"{folder}: this must be a folder.") from error
        except OSError as error:
            raise PackageError(f"{folder}: cannot be read: {error.strerror}.") from error

    def has(self, name: str) -> bool:
        """Whether the package has something of that name."""
        return os.path.lexists(self._root / name)

    def text(self, name: str) -> str:
        """A UTF-8 file; its line ends are made those of Unix, so that a checkout's line ends change nothing."""
        data = self._content(name, _whole_text).replace(b"\r\n", b"\n")
        self._remember(name, data)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise PackageError(f"{name}: the file is not UTF-8 text (byte {error.start}).") from error

    def tensors(self, name: str) -> bytes:
        """A safetensors file whose header was found right before its data was read."""
        data = self._content(name, read_checked)
        self._remember(name, data)
        return data

    def digest(self, name: str) -> str:
        """SHA-256 (hex) of a file that was read."""
        return self._digests[name]

    def kept(self) -> dict[str, bytes]:
        """What was read so far by name; empty unless it was to be kept."""
        return dict(self._kept or {})

    def manifest(self) -> bytes:
        """A line "digest  name" for everything read so far, in the order of the names."""
        lines = (f"{digest}  {name}\n" for name, digest in sorted(self._digests.items()))
        return "".join(lines).encode()

    def revision(self) -> str:
        """SHA-256 (hex) of the manifest.

        Times, owners, the package's place and files that nobody reads do not change it.
        """
        return hashlib.sha256(self.manifest()).hexdigest()

    def _remember(self, name: str, data: bytes) -> None:
        self._digests[name] = hashlib.sha256(data).hexdigest()
        if self._kept is not None:
            self._kept[name] = data

    def _content(self, name: str, reader: Callable[[IO[bytes], int, str], bytes]) -> bytes:
        try:
            with self._open(name) as file:
                return reader(file, os.fstat(file.fileno()).st_size, name)
        except FileNotFoundError as error:
            raise PackageError(f"{name}: the file is missing.") from error
        except OSError as error:
            raise PackageError(f"{name}: cannot be read: {error.strerror}.") from error

    def _open(self, name: str) -> IO[bytes]:
        real = self._refuse_strangers(name)
        # O_NONBLOCK: opening a pipe must not wait for its writer. O_NOFOLLOW: the path is resolved already.
        descriptor = os.open(real, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise PackageError(f"{name}: this must be an ordinary file.")
        return os.fdopen(descriptor, "rb")

    def _refuse_strangers(self, name: str) -> Path:
        """The real path; PackageError when it lies outside the package."""
        try:
            real = (self._root / name).resolve(strict=True)
        except RuntimeError as error:  # what pathlib raises for a loop of links
            raise PackageError(f"{name}: the link leads to itself.") from error
        if not real.is_relative_to(self._root):
            raise PackageError(f"{name}: the link leaves the package; put a copy of the file in its place.")
        return real


def _whole_text(file: IO[bytes], size: int, name: str) -> bytes:
    if size > MAX_TEXT_BYTES:
        raise PackageError(f"{name}: the file has {size} bytes; at most {MAX_TEXT_BYTES} are read.")
    return file.read(MAX_TEXT_BYTES)


def stamp_of(directory: Path) -> tuple[tuple[str, int, int, int], ...]:
    """Name, size, inode and mtime_ns of every file that is not hidden: changes whenever an author changes the package.

    Cheap (about 2 µs a file), so that a server can ask before every request. OSError when the directory is gone.
    """
    return tuple(sorted(_stamps(directory, "")))


def _stamps(directory: Path, prefix: str) -> Iterator[tuple[str, int, int, int]]:
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith((".", "__pycache__")):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(Path(entry.path), f"{prefix}{entry.name}/")
                continue
            try:
                status = entry.stat()
            except OSError:  # a link to nowhere, or removed meanwhile: both are changes worth a look
                yield f"{prefix}{entry.name}", -1, 0, 0
                continue
            yield f"{prefix}{entry.name}", status.st_size, status.st_ino, status.st_mtime_ns
