"""Attacks a running judge and says which layer stopped what: what `tensorgrade selftest` shows. Trusted side.

An attack is a submission to the problem of scaled dot-product attention whose first lines say what it must get, why,
and what alone must stop it:

    # verdict: run_time_error/exception           or two lines, where the policy makes the difference:
    # with policy: compile_error/forbidden_import
    # without policy: run_time_error/exception
    # why: one sentence
    # layers: seccomp, landlock

Several verdicts may be permitted, separated by ` | `; one without a reason permits every reason. `layers` are those
that must stop it alone, with every other layer that can be waived waived; `outside` stands for what cannot be: answers
and their comparison are not in the jail. Those in `judge/attacks` harm nothing even where they succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from judge.grade import Judge
from judge.options import LAYERS
from judge.report import Reason, Report, Verdict
from problems.package import Limits, Problem

FOLDER = Path(__file__).parent / "attacks"
OUTSIDE = "outside"
SLUG = "scaled-dot-product-attention"
"""The problem that the attacks are submissions to."""
_HEADER_LINES = 4
_ORDER = ("seccomp", "landlock", "bubblewrap", "identity", "descriptors", "rlimits", "deadline", OUTSIDE)
"""Which layer meets an attack first once it runs: the filter sees a system call before any other part of the kernel."""
_SHORT_S, _PATIENT_S = 0.5, 4.0
"""Time limits for attacks that may run into it, and for all others: a busy machine must not stop an attack for us."""
_SMALL_MIB = 96
"""For attacks on memory: filled within any time limit."""
_AROUND = 8
"""An honest submission follows so many attacks, and the last."""

RIGHT = b"""import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


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


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one attack came to in the running configuration."""

    attack: Attack
    policy: bool
    """Whether the language policy was asked first; without it the attack meets nothing but the wall."""
    verdict: str
    """As the headers write it: "run_time_error/exception"."""
    held: bool
    stopped_by: str
    """The layer that the attack met first, "outside", or "" where it got through."""
    also: tuple[str, ...]
    """Layers that hold here and would have stopped it alone."""


def said(report: Report) -> str:
    """A report's verdict as the headers write it."""
    return f"{report.verdict}/{report.reason}" if report.reason else str(report.verdict)


def agrees(report: Report, permitted: tuple[str, ...]) -> bool:
    """Whether a report says one of these."""
    return said(report) in permitted or str(report.verdict) in permitted


def attack_of(name: str, text: str, source: bytes) -> Attack:
    """Read the header of an attack; ValueError for one that is none."""
    lines = text.splitlines()[:_HEADER_LINES]
    header = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    layers = frozenset(header.get("layers", "").split(", "))
    if not layers <= {*LAYERS, OUTSIDE}:
        raise ValueError(f"{name}: {header.get('layers')} are not layers")
    same = header.get("verdict")
    return Attack(
        name,
        source,
        header["why"],
        layers,
        _verdicts(same or header["with policy"]),
        _verdicts(same or header["without policy"]),
    )


def _verdicts(text: str) -> tuple[str, ...]:
    words = tuple(text.split(" | "))
    for word in words:
        verdict, _, reason = word.partition("/")
        Verdict(verdict)
        if reason:
            Reason(reason)
    return words


def shipped_attacks() -> list[Attack]:
    """Every attack that ships with the judge, by name."""
    paths = sorted(FOLDER.glob("*.py"))
    return [attack_of(path.stem, path.read_text(encoding="utf-8"), path.read_bytes()) for path in paths]


class Arena:
    """A running judge under attack. `problem` is that of SLUG, as shipped."""

    def __init__(self, judge: Judge, problem: Problem) -> None:
        self._judge = judge
        sample = next(case for case in problem.cases if case.is_sample)
        secret = next(case for case in problem.cases if not case.is_shown)
        self._problem = replace(
            problem, revision="tryout", cases=(sample, secret), limits=Limits(time_s=_PATIENT_S, total_time_s=60.0)
        )
        self._holding = frozenset(judge.holding())
        self.honest_verdicts: list[str] = []
        """What the honest submissions between the attacks got."""

    def try_all(self, attacks: list[Attack], watch: Callable[[int, int], None]) -> Iterator[Attempt]:
        """Each attack as students submit it, and once more with the policy off where that is another test."""
        policy = "policy" in self._holding
        for number, attack in enumerate(attacks):
            watch(number, len(attacks))
            if policy:
                yield self._try(attack, policy=True)
            if not policy or attack.with_policy != attack.without_policy:
                yield self._try(attack, policy=False)
            if number % _AROUND == 0 or number == len(attacks) - 1:
                self.honest_verdicts.append(said(self._judge.grade(self._problem, RIGHT)))
        watch(len(attacks), len(attacks))

    def _try(self, attack: Attack, *, policy: bool) -> Attempt:
        problem = replace(self._problem, limits=_limits_for(attack))
        grade = self._judge.grade if policy else self._judge.grade_without_policy
        report = grade(problem, attack.source)
        held = agrees(report, attack.permitted(policy=policy))
        first = self._stopped_by(attack, report) if held else ""
        also = tuple(name for name in _ORDER if name in attack.layers & self._holding and name != first)
        return Attempt(attack, policy, said(report), held, first, also)

    def _stopped_by(self, attack: Attack, report: Report) -> str:
        """The layer behind a verdict: the verdict says it, or it is the first that the attack meets."""
        match report.verdict:
            case Verdict.COMPILE_ERROR:
                return "policy"
            case Verdict.TIME_LIMIT_EXCEEDED:
                return "deadline"
            case Verdict.MEMORY_LIMIT_EXCEEDED:
                return "rlimits"
        there = attack.layers & {*self._holding, OUTSIDE}
        return next((name for name in _ORDER if name in there), OUTSIDE)


def _limits_for(attack: Attack) -> Limits:
    late = "deadline" in attack.layers or attack.permits(Verdict.TIME_LIMIT_EXCEEDED)
    memory_mib = _SMALL_MIB if attack.permits(Verdict.MEMORY_LIMIT_EXCEEDED) else Limits().memory_mib
    return Limits(time_s=_SHORT_S if late else _PATIENT_S, total_time_s=60.0, memory_mib=memory_mib)
