"""The packages that ship with the program, in a checkout and in an installed wheel alike. Trusted side."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from problems.errors import PackageError


def shipped_bank() -> Path:
    """The directory of the shipped packages. Read-only when installed: never write here without asking."""
    return Path(__file__).resolve().parent / "bank"


def fill_bank(target: Path) -> list[str]:
    """Copies the shipped packages that `target` lacks, each as a whole or not at all, and names them.

    Never overwrites: what is there belongs to the operator. PackageError when `target` cannot be written.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
        return [
            package.name
            for package in sorted(shipped_bank().iterdir())
            if package.is_dir() and not package.name.startswith((".", "__")) and _copied(package, target)
        ]
    except OSError as error:
        raise PackageError(f"{target}: the bank cannot be written: {error.strerror}.") from error


def _copied(package: Path, target: Path) -> bool:
    """Whether the package was missing, and now is there."""
    if (target / package.name).exists():
        return False
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=target) as incoming:
        copy = Path(incoming) / package.name
        _copy(package, copy)
        try:
            copy.rename(target / package.name)
        except FileExistsError:  # another process was faster
            return False
        except OSError:
            if (target / package.name).exists():  # the same, as Linux says it: the directory is not empty
                return False
            raise
    return True


def _copy(source: Path, target: Path) -> None:
    """Contents only: modes of a read-only installation would make the copy unwritable."""
    target.mkdir()
    for entry in source.iterdir():
        if entry.name.startswith((".", "__pycache__")):
            continue
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            shutil.copyfile(entry, target / entry.name)
