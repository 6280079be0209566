"""What a program returns for float64 copies of inputs; answers come from the reference. Trusted side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from judge.jail import wire
from judge.outcome import Outcome
from judge.plan import Plan, plan_in_float64
from problems.errors import PackageError
from problems.package import Float32Array, Float64Array, Problem

if TYPE_CHECKING:
    from judge.execute import Execution
    from judge.grade import Judge

Inputs = Mapping[str, Float32Array]
Layout = Mapping[str, str]


def answers(
    judge: Judge, problem: Problem, inputs: Sequence[Inputs], layouts: Sequence[Layout] | None = None
) -> list[Float64Array]:
    """What the reference returns for each set of inputs; PackageError when it fails or does not return float64."""
    plan = plan_in_float64(problem, inputs, layouts or [{}] * len(inputs))
    execution, outcomes = judge.call(problem, problem.reference.source, plan)
    _require_loaded(problem, execution)
    return [_answer_of(problem, outcome) for outcome in outcomes]


def values_in_float64(judge: Judge, problem: Problem, source: bytes, plan: Plan) -> list[Float64Array | None]:
    """What a program returns for each call of a plan in float64; None where that is no float64 tensor."""
    _, outcomes = judge.call(problem, source, plan)
    return [_float64(outcome) for outcome in outcomes]


def _float64(outcome: Outcome | None) -> Float64Array | None:
    if outcome is None or outcome.values is None or outcome.from_sequence or outcome.dtype != wire.FLOAT64:
        return None
    return np.array(outcome.values, dtype=np.float64)


def _require_loaded(problem: Problem, execution: Execution) -> None:
    failure = execution.load_failure
    refusals = failure.refusals if failure else execution.refusals
    if failure or refusals:
        words = (failure.texts[2:3] if failure else ()) or tuple(f"line {r.line}: {r.message}" for r in refusals)
        raise PackageError(f"{problem.slug}: the reference {problem.reference.name} does not load: {' '.join(words)}")


def _answer_of(problem: Problem, outcome: Outcome | None) -> Float64Array:
    name = f"{problem.slug}: the reference {problem.reference.name}"
    if outcome is None or outcome.values is None:
        words = outcome.texts[2] if outcome and len(outcome.texts) > 2 else ""  # noqa: PLR2004 - type, line, message
        raise PackageError(f"{name} gives no answer for these inputs. {words}".strip())
    if outcome.dtype != wire.FLOAT64:
        raise PackageError(f"{name} returns {wire.DTYPES[outcome.dtype]} for float64 inputs: keep it in float64.")
    answer = np.array(outcome.values, dtype=np.float64)
    if not np.isfinite(answer).all():
        raise PackageError(f"{name} returns NaN or infinity for these inputs.")
    answer.flags.writeable = False
    return answer
