"""One submission as it came through the door: checked, complete, immutable. Trusted side.

    body bytes ── read_submission ──► Submission        or a Refusal (413, 422, 404) whose sentence repeats nothing

JSON is parsed by pydantic's own parser: it refuses lone surrogates, bytes that are not UTF-8, NaN and nesting beyond
200 levels, each of which the standard library would let in.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from app.own import Inputs, Own, like
from app.problem_json import Refusal
from app.store.ids import new_id
from app.tensors import MAX_ELEMENTS, read_tensor
from problems.errors import InputError
from problems.package import Float32Array, Problem
from problems.shapes import sizes_of

MAX_OWN_INPUTS = 4


class SubmitBody(BaseModel):
    """The body of POST /submit."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title="Submit")

    problem: str | None = Field(None, description="Slug of the problem; may be left out when the bank holds one.")
    source: str = Field(description="The Python source to judge.")
    mode: Literal["submit", "run"] = Field(
        "submit", description='"submit" judges every case; "run" the samples and your own inputs.'
    )
    inputs: list[dict[str, Any]] = Field(
        default_factory=list,
        description=f'Only with "run": at most {MAX_OWN_INPUTS} sets of own inputs, each parameter as nested lists of '
        f"numbers, {MAX_ELEMENTS} elements in all.",
        max_length=MAX_OWN_INPUTS,
    )
    like: str | None = Field(
        None,
        description='Only with "run", instead of inputs: the name of a case. Fresh normal values of its rank and '
        "layout are drawn, with sizes from 2 to 4.",
        max_length=100,
    )


@dataclass(frozen=True, slots=True)
class Submission:
    """What is judged, and for whom the answer is."""

    id: str
    """22 base64url characters from 128 random bits."""
    problem: Problem
    """At the revision that was current when it came."""
    mode: Literal["submit", "run"]
    source: bytes
    own: tuple[Own, ...]
    submitted_at: datetime

    @property
    def own_by_case(self) -> dict[str, Own]:
        """Own inputs by the name of the case that the judge makes of them."""
        return {f"own/{number}": own for number, own in enumerate(self.own, 1)}


def read_submission(body: bytes, problems: Mapping[str, Problem]) -> Submission:
    """The submission in this body for one of these problems; raises Refusal."""
    wanted = _parse(body)
    problem = _problem(wanted.problem, problems)
    source = wanted.source.encode()
    limit = problem.limits.source_kib
    if len(source) > limit * 1024:
        raise Refusal(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"The source has {len(source)} bytes; this problem takes at most {limit} KiB.",
        )
    if (wanted.inputs or wanted.like is not None) and wanted.mode != "run":
        raise _unprocessable('Own inputs go with "mode": "run"; a submission is judged on the problem\'s cases.')
    return Submission(
        id=new_id(),
        problem=problem,
        mode=wanted.mode,
        source=source,
        own=_own(problem, wanted),
        submitted_at=datetime.now(UTC),
    )


def _unprocessable(sentence: str) -> Refusal:
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)


def _parse(body: bytes) -> SubmitBody:
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise _unprocessable(_why_not_json(body, error)) from None
    if not isinstance(value, dict):
        raise _unprocessable('The body must be a JSON object such as {"source": "..."}.')
    try:
        return SubmitBody.model_validate(value)
    except ValidationError as error:
        raise _unprocessable(_why_not_valid(error)) from None


def _why_not_json(body: bytes, error: ValueError) -> str:
    try:
        from_json(body, allow_inf_nan=True)
    except ValueError:
        return f"The body is not JSON: {error}."
    return f"The body is not JSON: NaN and Infinity are not numbers there ({error})."


def _why_not_valid(error: ValidationError) -> str:
    """A sentence from the first error. Never what was sent: only names that we know ourselves."""
    known = list(SubmitBody.model_fields)
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    # A mistyped name is both unknown and missing; that it is unknown is the better news.
    first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    place = str(first["loc"][0]) if first["loc"] else "The body"
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place, known, n=1)
        return f"A field is not known; the fields are {', '.join(known)}." + (f" Is it {near[0]}?" if near else "")
    if first["type"] == "missing":
        return f"{place} is missing."
    if first["type"] == "too_long":
        return f"At most {MAX_OWN_INPUTS} own inputs are allowed."
    return f"{place}: {first['msg'][0].lower()}{first['msg'][1:]}."


def _problem(slug: str | None, problems: Mapping[str, Problem]) -> Problem:
    if slug is None:
        if len(problems) != 1:
            raise _unprocessable(f"Name the problem; the bank holds {len(problems)}: GET /api/problems lists them.")
        return next(iter(problems.values()))
    return known_problem(slug, problems)


def known_problem(slug: str, problems: Mapping[str, Problem]) -> Problem:
    """The problem of that name; Refusal 404 with the nearest name that there is."""
    if slug in problems:
        return problems[slug]
    near = difflib.get_close_matches(slug[:100], problems, n=1)
    hint = f"did you mean {near[0]}?" if near else "GET /api/problems lists the problems."
    raise Refusal(HTTPStatus.NOT_FOUND, f"There is no such problem; {hint}")


def _own(problem: Problem, wanted: SubmitBody) -> tuple[Own, ...]:
    if wanted.like is None:
        return tuple(Own(inputs) for inputs in _own_inputs(problem, wanted.inputs))
    if wanted.inputs:
        raise _unprocessable("Give inputs or like, not both.")
    try:
        case = problem.case(wanted.like)
    except KeyError:
        near = difflib.get_close_matches(wanted.like, [case.name for case in problem.cases], n=1)
        hint = f"did you mean {near[0]}?" if near else "a case is named as in its report."
        raise _unprocessable(f"like: there is no such case; {hint}") from None
    return (like(problem, case, np.random.default_rng()),)


def _own_inputs(problem: Problem, sets: Sequence[Mapping[str, object]]) -> tuple[Inputs, ...]:
    """Own inputs in the order of the parameters; the elements of all sets share one budget."""
    left = MAX_ELEMENTS
    read: list[Inputs] = []
    for number, given in enumerate(sets, 1):
        try:
            tensors = read_inputs(problem, given, left)
        except InputError as error:
            raise _unprocessable(f"inputs[{number}]: {error}") from None
        left -= sum(array.size for array in tensors.values())
        read.append(tensors)
    return tuple(read)


def read_inputs(problem: Problem, given: Mapping[str, object], budget: int = MAX_ELEMENTS) -> Inputs:
    """One set of inputs from nested lists, checked against the symbolic shapes; InputError holds the sentence."""
    symbols = {parameter.name: parameter.shape for parameter in problem.entry_point.parameters}
    tensors: dict[str, Float32Array] = {}
    for name in symbols:
        if name in given:
            tensors[name] = read_tensor(name, given[name], budget)
            budget -= tensors[name].size
    if len(given) > len(tensors):
        raise InputError(f"An input is not a parameter; give {', '.join(symbols)}.")
    sizes_of(symbols, {name: array.shape for name, array in tensors.items()})
    return tensors
