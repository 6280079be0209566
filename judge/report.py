"""What the judge says about one submission: verdicts, reasons, case results. Trusted side.

A report holds everything, secret outputs included. Only `app.views.for_student` may turn one into JSON for a student.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Verdict(StrEnum):
    """The ICPC words. The value is the JSON name."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUN_TIME_ERROR = "run_time_error"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    COMPILE_ERROR = "compile_error"
    SKIPPED = "skipped"
    JUDGE_ERROR = "judge_error"

    @property
    def code(self) -> str:
        """The short name: AC, WA, ..."""
        return _CODES[self]


_CODES = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.RUN_TIME_ERROR: "RTE",
    Verdict.TIME_LIMIT_EXCEEDED: "TLE",
    Verdict.MEMORY_LIMIT_EXCEEDED: "MLE",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "OLE",
    Verdict.COMPILE_ERROR: "CE",
    Verdict.SKIPPED: "SK",
    Verdict.JUDGE_ERROR: "JE",
}


class Reason(StrEnum):
    """Typed detail under a verdict."""

    VALUES_DIFFER = "values_differ"  # wrong_answer
    WRONG_SHAPE = "wrong_shape"
    WRONG_DTYPE = "wrong_dtype"
    WRONG_TYPE = "wrong_type"
    NON_FINITE = "non_finite"
    RETURNED_NONE = "returned_none"
    EXCEPTION = "exception"  # run_time_error
    CRASHED = "crashed"
    EXITED = "exited"
    SYNTAX_ERROR = "syntax_error"  # compile_error
    FORBIDDEN_CONSTRUCT = "forbidden_construct"
    FORBIDDEN_NAME = "forbidden_name"
    FORBIDDEN_IMPORT = "forbidden_import"
    MISSING_FUNCTION = "missing_function"
    TOO_LARGE = "too_large"
    WALL = "wall"  # time_limit_exceeded
    WHILE_LOADING = "while_loading"
    TOTAL = "total"


MUTATED_INPUT = "mutated_input"
NONDETERMINISTIC = "nondeterministic"


@dataclass(frozen=True, slots=True)
class CompileProblem:
    """One thing that the compiler or the policy refuses. Columns count characters from 1."""

    line: int
    column: int
    code: str
    """A Reason of compile_error, by its JSON name."""
    message: str
    """A sentence; it does not repeat the line."""


@dataclass(frozen=True, slots=True)
class WorstElement:
    """One of the elements that are furthest out of tolerance."""

    index: tuple[int, ...]
    expected: float
    got: float


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What happened on one case."""

    case: str
    group: str
    """ "sample", "secret" or "own"."""
    title: str
    shown: bool
    """Whether the student may see inputs, values, printed text and exception text."""
    verdict: Verdict | None
    """None only for an own case on which the code ran: nobody knows whether it is right."""
    reason: Reason | None = None
    message: str = ""
    """A sentence with shapes, values and names in it: for shown cases only."""
    brief: str = ""
    """A sentence of fixed words, a line and a type name from a fixed list: safe for secret cases."""
    line: int | None = None
    """Line of the submission where it failed."""
    error_type: str | None = None
    """Exception type from a fixed list of builtin and torch types, else "a type of your own"."""
    returned_type: str | None = None
    """From the same list: type of what was returned in place of a tensor."""
    traceback: str = ""
    """The submission's own frames: for shown cases only."""
    time_ms: float = 0.0
    """Wall time by the supervisor's clock."""
    output: NDArray[Any] | None = None
    """What was returned, right shape or not; bfloat16 comes as float32 with `output_dtype` telling the truth."""
    output_dtype: str | None = None
    output_from_sequence: bool = False
    """The output is the first tensor of a returned tuple or list."""
    expected: NDArray[np.float64] | None = None
    """The answer."""
    max_abs_error: float | None = None
    worst: tuple[WorstElement, ...] = ()
    stdout: str = ""
    stdout_cut: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A known mistake recognised in the outputs, or what their structure shows."""

    mistake: str
    """Its program: "wrong_answer/no-scaling"; several with commas between; "structure/..." without a program."""
    title: str
    message: str
    """A teacher's sentence. Made of fixed words as far as secret cases are concerned."""
    pitfall: str | None
    """Where the theory explains it: the anchor is `#pitfall-<pitfall>`."""


@dataclass(frozen=True, slots=True)
class Report:
    """All about one submission, judged once."""

    problem: str
    revision: str
    mode: str
    """ "submit" or "run"."""
    verdict: Verdict | None
    """None only for a run in which nothing failed: a run is never called accepted."""
    reason: Reason | None
    cases: tuple[CaseResult, ...]
    """In case order. Empty for a compile error."""
    errors: tuple[CompileProblem, ...] = ()
    """Sorted by line. Not empty exactly for a compile error."""
    notes: tuple[str, ...] = ()
    """Beside the verdict: "mutated_input", "nondeterministic"."""
    remarks: tuple[str, ...] = ()
    """Sentences about the source: "Line 1: the unused import of matplotlib was left out."."""
    diagnosis: Diagnosis | None = None
    layers: tuple[str, ...] = ()
    """Layers of the jail that held."""

    @property
    def passed(self) -> int:
        return sum(case.verdict is Verdict.ACCEPTED for case in self.cases)

    @property
    def total(self) -> int:
        return len(self.cases)


@dataclass(frozen=True, slots=True)
class LayerState:
    """One layer of the jail as found at start."""

    name: str
    """A name of judge.options.LAYERS."""
    state: str
    """ "holds", "waived" or "missing"."""
    detail: str
    """What holds, or what is missing and the command that fixes it."""
