"""One attack of the suite: a submission whose first lines say what it must get, why, and what alone must stop it.

    # verdict: run_time_error/exception           or two lines, where the policy makes the difference:
    # with policy: compile_error/forbidden_import
    # without policy: run_time_error/exception
    # why: one sentence
    # layers: seccomp, landlock

Several verdicts may be permitted, separated by ` | `; one without a reason permits every reason. `layers` are those
that must stop it alone, with every other layer that can be waived waived; `outside` stands for what cannot be: answers
and their comparison are not in the jail. A `make_<name>.py` prints a source that is no text.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from judge.options import LAYERS
from judge.report import Reason, Report, Verdict

FOLDER = Path(__file__).parent / "submissions"
OUTSIDE = "outside"
_MAKER = "make_"
_HEADER_LINES = 4


@dataclass(frozen=True, slots=True)
class Attack:
    """A source and what it must get."""

    name: str
    source: bytes
    why: str
    layers: frozenset[str]
    with_policy: tuple[str, ...]
    without_policy: tuple[str, ...]

    def permitted(self, *, policy: bool) -> tuple[str, ...]:
        """The verdicts it may get."""
        return self.with_policy if policy else self.without_policy

    def permits(self, verdict: Verdict) -> bool:
        """Whether some configuration permits this verdict."""
        return any(word.split("/")[0] == verdict.value for word in (*self.with_policy, *self.without_policy))


def said(report: Report) -> str:
    """A report's verdict as the headers write it."""
    return f"{report.verdict}/{report.reason}" if report.reason else str(report.verdict)


def agrees(report: Report, permitted: tuple[str, ...]) -> bool:
    """Whether a report says one of these."""
    return said(report) in permitted or str(report.verdict) in permitted


def load(path: Path) -> Attack:
    """Read one file of the suite; ValueError for a header that is not one."""
    text = path.read_text()
    header = dict(
        line[2:].split(": ", 1) for line in text.splitlines()[:_HEADER_LINES] if line.startswith("# ") and ": " in line
    )
    same = header.get("verdict")
    attack = Attack(
        name=path.stem,
        source=_made(path) if path.stem.startswith(_MAKER) else text.encode(),
        why=header["why"],
        layers=frozenset(header["layers"].split(", ")),
        with_policy=_verdicts(same or header["with policy"]),
        without_policy=_verdicts(same or header["without policy"]),
    )
    if not attack.layers or not attack.layers <= {*LAYERS, OUTSIDE}:
        raise ValueError(f"{path.name}: {header['layers']} are not layers")
    return attack


def suite() -> list[Attack]:
    """Every attack, by name."""
    return [load(path) for path in sorted(FOLDER.glob("*.py"))]


def _verdicts(text: str) -> tuple[str, ...]:
    words = tuple(text.split(" | "))
    for word in words:
        verdict, _, reason = word.partition("/")
        Verdict(verdict)
        if reason:
            Reason(reason)
    return words


def _made(path: Path) -> bytes:
    spec = importlib.util.spec_from_file_location(f"escapes_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.source()
