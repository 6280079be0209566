"""The only place where a Report becomes JSON for a student. Trusted side; sees everything, lets out little.

    for_student(report, shown_inputs, ...)     the report
    case_for_student(result, shown_inputs)     one case of it, as it is streamed

A secret case never carries inputs, answers, outputs, printed text, exception text, shapes or `message`: its one
sentence is `brief`, which the judge builds from fixed words. What may leave is listed here field by field, so a field
that is added to CaseResult stays inside until somebody lists it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app.own import Own
from app.store.clock import from_ms
from app.tensors import number_json, tensor_json
from judge.report import CaseResult, CompileProblem, Diagnosis, Report, Verdict
from problems.package import Case, Problem

if TYPE_CHECKING:  # commands write reports too, and need no SQL for it
    from app.store.history import Line


@dataclass(frozen=True, slots=True)
class Revealed:
    """The cases of one submission that a student may see, by name; all others are secret whatever a result says."""

    cases: Mapping[str, Case]
    own: Mapping[str, Own]
    """Inputs of the student's own, by the name of their case ("own/1")."""
    result_dtype: str

    @classmethod
    def of(cls, problem: Problem, own: Mapping[str, Own] | None = None) -> Revealed:
        """The samples and `full_feedback` cases of this problem, and these own inputs."""
        return cls(
            cases={case.name: case for case in problem.cases if case.is_shown},
            own=dict(own or {}),
            result_dtype=problem.entry_point.result_dtype,
        )

    def given_in(self, result: CaseResult) -> Own | None:
        """The inputs of a shown case, and their layout; None for a secret one."""
        if not result.shown:
            return None
        if result.group == "own":
            return self.own.get(result.case)
        case = self.cases.get(result.case)
        return Own(case.inputs, case.layout) if case is not None else None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the service knows about a submission that the judge does not."""

    id: str
    submitted_at: datetime
    judged_at: datetime | None
    """None while it is not judged."""


def for_student(report: Report, revealed: Revealed, stamp: Stamp) -> dict[str, Any]:
    """The report as a student may see it, ready for `json.dumps(..., allow_nan=False)`."""
    return {
        "id": stamp.id,
        "problem": report.problem,
        "revision": report.revision,
        "mode": report.mode,
        "state": "done",
        "verdict": report.verdict,
        "reason": report.reason,
        "passed": report.passed,
        "total": report.total,
        "cases": [case_for_student(result, revealed) for result in report.cases],
        "errors": [_error(error) for error in report.errors],
        "diagnosis": report.diagnosis and _diagnosis(report.diagnosis),
        "notes": list(report.notes),
        "remarks": [_clean(remark) for remark in report.remarks],
        "layers": list(report.layers),
        "submitted_at": time_json(stamp.submitted_at),
        "judged_at": stamp.judged_at and time_json(stamp.judged_at),
    }


def waiting_for_student(waiting: Stamp, problem: str, revision: str, mode: str, state: str) -> dict[str, Any]:
    """What there is of a report before there is one, in the same form."""
    return {
        "id": waiting.id,
        "problem": problem,
        "revision": revision,
        "mode": mode,
        "state": state,
        "verdict": None,
        "reason": None,
        "passed": 0,
        "total": 0,
        "cases": [],
        "errors": [],
        "diagnosis": None,
        "notes": [],
        "remarks": [],
        "layers": [],
        "submitted_at": time_json(waiting.submitted_at),
        "judged_at": None,
    }


def line_for_student(line: Line, *, begun: bool) -> dict[str, Any]:
    """One line of a history; `begun` for one that is being judged."""
    return {
        "id": line.id,
        "problem": line.problem,
        "revision": line.revision,
        "state": "judging" if begun and line.state == "queued" else line.state,
        "verdict": line.verdict,
        "passed": line.passed or 0,
        "total": line.total or 0,
        "submitted_at": time_json(from_ms(line.submitted_at_ms)),
    }


def case_for_student(result: CaseResult, revealed: Revealed) -> dict[str, Any]:
    """One case. Only a shown one gets more than its name, verdict, reason, place and time."""
    given = revealed.given_in(result)
    body: dict[str, Any] = {
        "case": result.case,
        "group": result.group,
        "title": result.title,
        "verdict": result.verdict,
        "reason": result.reason,
        "message": _clean(result.brief),
        "line": result.line,
        "error_type": result.error_type and _clean(result.error_type),
        "time_ms": round(result.time_ms, 3),
    }
    return body if given is None else {**body, **_details(result, given, revealed)}


def _details(result: CaseResult, given: Own, revealed: Revealed) -> dict[str, Any]:
    case = revealed.cases.get(result.case)
    failed = result.verdict not in {None, Verdict.ACCEPTED}
    return {
        "message": _clean(result.message or result.brief),
        "inputs": {name: tensor_json(array) for name, array in given.inputs.items()},
        "layout": dict(given.layout),
        # In the dtype that the code must return: the answer itself is kept in float64.
        "expected": None if result.expected is None else tensor_json(result.expected.astype(revealed.result_dtype)),
        "got": None if result.output is None else tensor_json(result.output, result.output_dtype),
        "got_from_sequence": result.output_from_sequence,
        "max_abs_error": None if result.max_abs_error is None else number_json(result.max_abs_error),
        "worst": [
            {"index": list(worst.index), "expected": number_json(worst.expected), "got": number_json(worst.got)}
            for worst in result.worst
        ],
        "tolerance": case and {"rtol": case.tolerance.rtol, "atol": case.tolerance.atol},
        "hint": case.hint if case is not None and failed else None,
        "traceback": _clean(result.traceback),
        "stdout": _clean(result.stdout),
        "stdout_cut": result.stdout_cut,
    }


def _error(error: CompileProblem) -> dict[str, Any]:
    return {"line": error.line, "column": error.column, "code": error.code, "message": _clean(error.message)}


def _diagnosis(diagnosis: Diagnosis) -> dict[str, Any]:
    return {
        "mistake": diagnosis.mistake,
        "title": diagnosis.title,
        "message": diagnosis.message,
        "pitfall": diagnosis.pitfall,
    }


def _clean(text: str) -> str:
    """Text of a submission may hold lone surrogates, which no UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def time_json(moment: datetime) -> str:
    """RFC 3339, UTC, milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
