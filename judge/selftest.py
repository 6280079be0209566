"""Tries the jail at start, through the same road as every submission. Trusted side.

A tiny problem of its own is graded twice. A right program must be accepted by the policy and run under the exact
limits; then, *with the policy switched off*, so that the wall is tried and not the manners, a program tries to open a
file, open a socket, fork, signal its parent and exec, and must get nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.errors import JailUnavailable
from judge.report import Report, Verdict
from problems.package import (
    Case,
    EntryPoint,
    Limits,
    Parameter,
    Policy,
    Problem,
    Program,
    Source,
    Tolerance,
    ToleranceRule,
)
from problems.shapes import SymbolicShape

if TYPE_CHECKING:
    from judge.grade import Judge

RIGHT = b"""import torch


def double(X: torch.Tensor) -> torch.Tensor:
    return torch.matmul(X, 2 * torch.eye(X.shape[-1]))
"""

HOSTILE = b"""import os
import signal
import socket


def fork():
    if os.fork() == 0:
        os._exit(0)


ATTEMPTS = {
    "open a file": lambda: os.open("/proc/cpuinfo", os.O_RDONLY),
    "list a directory": lambda: os.listdir("/"),
    "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "fork": fork,
    "signal its parent": lambda: os.kill(os.getppid(), signal.SIGCONT),
    "run a program": lambda: os.execv("/bin/true", ["true"]),
}


def double(X):
    got = []
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
        except OSError:
            continue
        got.append(name)
    if got:
        raise PermissionError("submitted code could " + ", ".join(got))
    return X * 2
"""


def tiny_problem() -> Problem:
    """Double a vector: the problem that the self-test grades."""
    values = np.arange(1, 5, dtype=np.float32)
    shape = SymbolicShape.parse("n")
    case = Case(
        name="sample/01-double",
        title="double",
        inputs={"X": values},
        answer=values.astype(np.float64) * 2,
        tolerance=Tolerance(rtol=1e-5, atol=1e-5),
        digest="",
    )
    return Problem(
        slug="self-test",
        revision="",
        name="Self-test",
        uuid="",
        difficulty="",
        source=Source(title=""),
        license="",
        keywords=(),
        statement="",
        theory=None,
        hints=(),
        starter="",
        entry_point=EntryPoint("double", (Parameter("X", "float32", shape),), "float32", shape),
        limits=Limits(time_s=10.0),
        tolerance=ToleranceRule(rtol=1e-5, atol_per_max=1e-5),
        policy=Policy(),
        cases=(case,),
        reference=Program("accepted/double", RIGHT),
        accepted=(),
        mistakes=(),
    )


def run(judge: Judge) -> None:
    """JailUnavailable when a right program is not accepted or a hostile one got anywhere."""
    problem = tiny_problem()
    report = judge.grade(problem, RIGHT)
    if report.verdict is not Verdict.ACCEPTED:
        raise JailUnavailable(f"self-test: a right program was not accepted: {_what_happened(report)}")
    if "seccomp" in judge.options.waive:
        return  # the layer that stops each of these alone; the others are not asked to
    report = judge.grade_without_policy(problem, HOSTILE)
    if report.verdict is not Verdict.ACCEPTED:
        raise JailUnavailable(f"self-test: the jail does not hold: {_what_happened(report)}")


def _what_happened(report: Report) -> str:
    words = [f"line {error.line}: {error.message}" for error in report.errors]
    words += [case.message for case in report.cases if case.message]
    return f"{report.verdict} {' '.join(words)}"
