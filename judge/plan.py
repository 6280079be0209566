"""Which calls a judging makes, in which order and in which messages; built once per revision. Trusted side."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge.compare import Expectation
from judge.jail import wire
from judge.request import Batch, Call, arguments_of, call_for, second_call, split
from problems.inputs import check_inputs
from problems.package import Case, Float64Array, Problem

OWN = "own"
"""Group of cases that a student typed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one call of a batch is for."""

    case: int
    """Index into the plan's cases."""
    second: bool = False
    """The second call of a sample: it only tells whether results are a matter of chance."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All calls of a judging. Batches whose results are shown come first."""

    cases: tuple[Case, ...]
    batches: tuple[Batch, ...]
    entries: tuple[tuple[Entry, ...], ...]
    """For each batch, what its calls are for."""
    expectations: tuple[Expectation, ...]


def plan_for_cases(problem: Problem, cases: Sequence[Case]) -> Plan:
    """Shown cases first, the first sample twice in a row, then secret ones."""
    place = {case.name: index for index, case in enumerate(cases)}
    shown = [case for case in cases if case.is_shown or case.group == OWN]
    secret = [case for case in cases if not (case.is_shown or case.group == OWN)]
    batches: list[Batch] = []
    entries: list[tuple[Entry, ...]] = []
    expectations: list[Expectation] = []
    stdout_bytes = problem.limits.stdout_kib * 1024
    for run, hidden in [(run, False) for run in split(shown)] + [(run, True) for run in split(secret)]:
        calls: list[Call] = []
        own: list[Entry] = []
        for case in run:
            calls.append(call_for(case))
            own.append(Entry(place[case.name]))
            if case.is_sample and not entries and len(own) == 1:
                calls.append(second_call(case))
                own.append(Entry(place[case.name], second=True))
        batch = Batch(calls, stdout_bytes=0 if hidden else stdout_bytes, secret=hidden)
        batches.append(batch)
        entries.append(tuple(own))
        expectations.append(Expectation(batch, [cases[entry.case] for entry in own]))
    return Plan(tuple(cases), tuple(batches), tuple(entries), tuple(expectations))


def plan_for_inputs(
    problem: Problem,
    inputs: Sequence[Mapping[str, NDArray[np.float32]]],
    layouts: Sequence[Mapping[str, str]],
    answers: Sequence[Float64Array],
) -> Plan:
    """The samples, then inputs of a student's own with what the reference makes of them."""
    own = []
    for number, (given, layout, answer) in enumerate(zip(inputs, layouts, answers, strict=True), start=1):
        ordered = {parameter.name: given[parameter.name] for parameter in problem.entry_point.parameters}
        digest = hashlib.sha256(b"".join(array.tobytes() for array in ordered.values())).hexdigest()
        tolerance = problem.tolerance.for_answer(answer)
        own.append(
            Case(f"{OWN}/{number}", f"Your input {number}", ordered, answer, tolerance, digest, layout=dict(layout))
        )
    return plan_for_cases(problem, (*problem.samples, *own))


def plan_in_float64(
    problem: Problem, inputs: Sequence[Mapping[str, NDArray[np.float32]]], layouts: Sequence[Mapping[str, str]]
) -> Plan:
    """Calls on float64 copies, a message each; nothing is expected but a size."""
    calls = []
    for given, layout in zip(inputs, layouts, strict=True):
        sizes = check_inputs(problem.entry_point, given)
        shape = problem.entry_point.result_shape.with_sizes(sizes)
        arguments = tuple(array.astype(np.float64) for array in arguments_of(problem, given))
        kinds = tuple(layout.get(parameter.name) for parameter in problem.entry_point.parameters)
        calls.append(Call(arguments, kinds, shape))
    batches = tuple(Batch([call], wire.FLOAT64, stdout_bytes=0) for call in calls)
    entries = tuple((Entry(index),) for index in range(len(calls)))
    return Plan((), batches, entries, ())
