"""Which bank is served and written. Trusted side.

The bank that an installation ships is read-only in an image or a virtual environment, so a server that was told
nothing works on a copy in its data directory; a checkout is its own bank.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from app.settings import Settings, SettingsError
from problems.package import Problem
from problems.shipped import fill_bank, shipped_bank
from problems.watching import Bank


class Problems(Protocol):
    """The problems that are served, wherever they lie. Thread-safe."""

    def problems(self) -> dict[str, Problem]:
        """Every problem by its slug."""

    def get(self, slug: str) -> Problem:
        """The problem of that slug; KeyError when there is none."""

    def trouble(self) -> dict[str, str]:
        """What is wrong with each problem that cannot be read as it is now."""


def bank_directory(settings: Settings) -> Path:
    """The directory of the bank; it need not exist yet."""
    if settings.bank is not None:
        return settings.bank
    shipped = shipped_bank()
    return shipped if _is_checkout(shipped) else settings.data_dir / "bank"


def open_bank(settings: Settings) -> Bank:
    """The bank, filled with the shipped packages when it is empty or missing. Never overwrites a package."""
    directory = bank_directory(settings)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if directory != shipped_bank() and not any(directory.iterdir()):
            fill_bank(directory)
    except OSError as error:
        raise SettingsError(
            f"The bank {directory} cannot be used: {error.strerror}; set TENSORGRADE_BANK to a directory of yours."
        ) from error
    return Bank(directory)


def _is_checkout(shipped: Path) -> bool:
    return (shipped.parent.parent / "pyproject.toml").is_file()
