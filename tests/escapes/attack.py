"""The whole suite: the attacks that ship with `tensorgrade selftest`, and those that only a test may try.

`judge.tryout` says how an attack is written. A `make_<name>.py` prints a source that is no text.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from judge.tryout import OUTSIDE, Attack, agrees, attack_of, said, shipped_attacks

__all__ = ["OUTSIDE", "Attack", "agrees", "load", "said", "suite"]

FOLDER = Path(__file__).parent / "submissions"
_MAKER = "make_"


def load(path: Path) -> Attack:
    """Read one file of the suite; ValueError for a header that is not one."""
    text = path.read_text()
    return attack_of(path.stem, text, _made(path) if path.stem.startswith(_MAKER) else text.encode())


def suite() -> list[Attack]:
    """Every attack, by name."""
    ours = [load(path) for path in FOLDER.glob("*.py")]
    return sorted((*ours, *shipped_attacks()), key=lambda attack: attack.name)


def _made(path: Path) -> bytes:
    spec = importlib.util.spec_from_file_location(f"escapes_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.source()
