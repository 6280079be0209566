"""What verify finds: promises, findings, and what every program did. Trusted side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from judge.report import Reason, Verdict


class Promise(StrEnum):
    """What a package promises. The value is the JSON name."""

    VERDICTS = "verdicts"  # every program gets its verdict; the reference reproduces the answers
    KILLS = "kills"  # every wrong program fails on a secret case
    VACUITY = "vacuity"  # what computes nothing passes no case
    MARGINS = "margins"  # right programs stay well within tolerance and time
    DIAGNOSIS = "diagnosis"  # no two mistakes look alike
    STATEMENT = "statement"  # what students read renders, and what it points at is there


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"  # a promise does not hold
    WARNING = "warning"  # it holds, and an author should look


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an author should act on."""

    promise: Promise
    level: Level
    sentence: str
    """It names the file, program or case, and the way out."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What one program of the package did."""

    program: str
    expected: Verdict
    expected_reason: Reason | None
    verdict: Verdict | None
    reason: Reason | None
    passed: int
    total: int
    slowest_ms: float
    error: float
    """Of an accepted program: its largest error in tolerances; else 0."""
    worst_case: str
    """Where it has that error."""
    by_case: Mapping[str, Verdict]

    @property
    def is_right(self) -> bool:
        return self.expected is Verdict.ACCEPTED

    @property
    def is_as_expected(self) -> bool:
        return self.verdict is self.expected and self.expected_reason in (None, self.reason)

    def fails(self, case: str) -> bool:
        """Whether this case kills it."""
        return self.by_case.get(case, Verdict.SKIPPED) not in (Verdict.ACCEPTED, Verdict.SKIPPED)


@dataclass(frozen=True, slots=True)
class Verification:
    """A package against its promises."""

    problem: str
    revision: str
    cases: tuple[str, ...]
    programs: tuple[Judged, ...]
    """Right ones first."""
    vacuous: Mapping[str, tuple[str, ...]]
    """By case, what passes it though it computes nothing."""
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether every promise does."""
        return all(finding.level is not Level.ERROR for finding in self.findings)
