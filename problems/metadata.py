"""The YAML files of a package as pydantic models: problem.yaml, a case's .yaml, submissions.yaml. Trusted side.

Unknown keys are errors and floats are strict, so that a slip of the pen never changes a verdict silently. Every error
is a PackageError with one sentence that names the file, the key and the way out. Nothing here looks at other files.
"""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from problems.documents import parse_yaml
from problems.errors import PackageError
from problems.shapes import parse_type


def _real_number(value: object) -> object:
    """PyYAML reads 1e-5 as text: say so instead of "should be a number"."""
    if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]+[eE][-+]?[0-9]+", value):
        mantissa, _, exponent = value.lower().partition("e")
        raise ValueError(
            f"YAML reads {value} as text; write {mantissa}.0e{exponent if exponent[0] in '+-' else '+' + exponent}"
        )
    return value


def _identifier(value: str) -> str:
    if not value.isidentifier() or keyword.iskeyword(value) or value.startswith("_"):
        raise ValueError(f'"{value}" is not a Python name that a submission may use')
    return value


def _type(value: str) -> str:
    try:
        parse_type(value)
    except PackageError as error:
        raise ValueError(str(error).rstrip(".")) from error
    return value


def _plain_text(value: str) -> str:
    r"""In double quotes YAML turns the formula "\frac" into a form feed and "rac", which renders without complaint."""
    if match := re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", value):
        raise ValueError(f"there is a {match[0]!r} in it; write text with a backslash in single quotes or after >-")
    return value


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_plain_text)]
Line = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True,
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$",
    ),
]
Number = Annotated[float, BeforeValidator(_real_number), Field(allow_inf_nan=False)]
Identifier = Annotated[str, AfterValidator(_identifier)]
TensorType = Annotated[str, AfterValidator(_type)]
ProgramPath = Annotated[str, StringConstraints(pattern=r"^[a-z_]+/[A-Za-z0-9_-]+\.py$")]
WebAddress = Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SourceYaml(_Strict):
    """Where the problem comes from."""

    title: Line
    url: WebAddress | None = None


class ParameterYaml(_Strict):
    """One argument: its name and its type such as "float32[..., n, d_k]"."""

    name: Identifier
    type: TensorType


class EntryPointYaml(_Strict):
    """The function that a submission must define."""

    function: Identifier
    parameters: Annotated[list[ParameterYaml], Field(min_length=1, max_length=16)]
    result: TensorType

    @model_validator(mode="after")
    def _result_follows_from_parameters(self) -> EntryPointYaml:
        names = [parameter.name for parameter in self.parameters]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"the parameter {repeated[0]} is listed twice")
        shapes = [parse_type(parameter.type)[1] for parameter in self.parameters]
        known = {letter for shape in shapes for letter in shape.letters}
        result = parse_type(self.result)[1]
        if unknown := [letter for letter in result.letters if letter not in known]:
            raise ValueError(f'the result uses the letter "{unknown[0]}", which no parameter has')
        if result.leading and not any(shape.leading for shape in shapes):
            raise ValueError('the result has leading dimensions "...", which no parameter has')
        return self


class LimitsYaml(_Strict):
    """What one submission may use. The defaults are the format's."""

    time_s: Annotated[Number, Field(gt=0, le=600)] = 2.0
    total_time_s: Annotated[Number, Field(gt=0, le=3600)] = 20.0
    memory_mib: Annotated[int, Field(ge=16, le=1 << 20)] = 512
    stdout_kib: Annotated[int, Field(ge=1, le=1024)] = 64
    source_kib: Annotated[int, Field(ge=1, le=1024)] = 64

    @model_validator(mode="after")
    def _total_holds_one_case(self) -> LimitsYaml:
        if self.total_time_s < self.time_s:
            raise ValueError("total_time_s is less than time_s; a single case must fit into the total")
        return self


class ToleranceYaml(_Strict):
    """How a case's tolerance follows from its answer."""

    rtol: Annotated[Number, Field(ge=0, lt=1)] = 1e-5
    atol_per_max: Annotated[Number, Field(ge=0, lt=1)] = 1e-5


class ForbiddenYaml(_Strict):
    """A dotted name or a "@group", and what to write instead."""

    name: Annotated[
        str, StringConstraints(pattern=r"^(@[a-z][a-z0-9_-]*|[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*)$")
    ]
    message: Text


class PolicyYaml(_Strict):
    """How the problem changes the language policy."""

    forbid: list[ForbiddenYaml] = []
    imports: list[
        Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$")]
    ] = []


class ProblemYaml(_Strict):
    """problem.yaml."""

    problem_format_version: Literal["2025-09"] = "2025-09"
    name: Line
    uuid: str
    source: SourceYaml
    difficulty: Literal["easy", "medium", "hard"]
    license: Line
    keywords: list[Line] = []
    hints: list[Text] = []
    entry_point: EntryPointYaml
    limits: LimitsYaml = LimitsYaml()
    tolerance: ToleranceYaml = ToleranceYaml()
    policy: PolicyYaml = PolicyYaml()

    @field_validator("uuid")
    @classmethod
    def _is_a_uuid(cls, value: str) -> str:
        try:
            return str(UUID(value))
        except ValueError:
            raise ValueError(f'"{value}" is not a UUID; make one with python -m uuid') from None


class CaseYaml(_Strict):
    """data/<group>/<case>.yaml."""

    title: Line
    description: str = ""
    rtol: Annotated[Number, Field(ge=0, lt=1)]
    atol: Annotated[Number, Field(ge=0)]
    seed: Annotated[int, Field(ge=0, lt=1 << 64)] | None = None
    layout: dict[str, Literal["transposed"]] = {}
    hint: Text | None = None
    full_feedback: bool = False
    vacuous: Text | None = None


class SubmissionYaml(_Strict):
    """One wrong program: what it must get and what a teacher says to who wrote it.

    Without `verdict` the folder's name is the verdict. `same_as` is the path of another entry.
    """

    title: Line
    message: Text
    pitfall: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    verdict: (
        Literal[
            "wrong_answer",
            "run_time_error",
            "time_limit_exceeded",
            "memory_limit_exceeded",
            "output_limit_exceeded",
            "compile_error",
        ]
        | None
    ) = None
    reason: (
        Literal[
            "values_differ",
            "wrong_shape",
            "wrong_dtype",
            "wrong_type",
            "non_finite",
            "returned_none",
            "exception",
            "crashed",
            "exited",
            "syntax_error",
            "forbidden_construct",
            "forbidden_name",
            "forbidden_import",
            "missing_function",
            "too_large",
            "wall",
            "while_loading",
            "total",
        ]
        | None
    ) = None
    same_as: ProgramPath | None = None


class SubmissionsYaml(_Strict):
    """submissions/submissions.yaml: the program that computes answers, and every wrong program by its path."""

    reference: Annotated[str, StringConstraints(pattern=r"^accepted/[A-Za-z0-9_-]+\.py$")]
    submissions: dict[ProgramPath, SubmissionYaml] = {}

    @model_validator(mode="after")
    def _same_as_points_at_an_entry(self) -> SubmissionsYaml:
        for path, entry in self.submissions.items():
            if path.startswith("accepted/"):
                raise ValueError(f"{path} lies in accepted/, and accepted programs need no entry; remove it")
            if entry.same_as is not None and (entry.same_as == path or entry.same_as not in self.submissions):
                raise ValueError(f"same_as of {path} is {entry.same_as}, which is no other entry here")
        return self


Model = TypeVar("Model", bound=_Strict)


def read_metadata(model: type[Model], text: str, *, where: str) -> Model:
    """Parses and checks one file. `where` is its path inside the package, as it is named in a PackageError."""
    document = parse_yaml(text, where=where)
    if not isinstance(document, Mapping):
        raise PackageError(f"{where}: the file must hold keys and values, such as title: Many keys.")
    try:
        return model.model_validate(dict(document))
    except ValidationError as error:
        faults = error.errors(include_url=False)
        more = f" ({len(faults) - 1} more in this file.)" if len(faults) > 1 else ""
        raise PackageError(f"{where}: {_sentence(faults[0], model)}.{more}") from error


def _sentence(fault: ErrorDetails, model: type[BaseModel]) -> str:
    place = [part for part in fault["loc"] if part != "[key]"]
    key = ".".join(str(part) for part in place)
    match fault["type"]:
        case "extra_forbidden":
            return f'unknown key "{key}"{_suggestion(model, place)}'
        case "missing":
            return f'the key "{key}" is missing'
        case "value_error":
            words = fault["msg"].removeprefix("Value error, ")
            return f"{key}: {words}" if key else words
        case _:
            words = fault["msg"][:1].lower() + fault["msg"][1:]
            return f"{key}: {words}, and it is {_shown(fault['input'])}"


def _suggestion(model: type[BaseModel], place: list[Any]) -> str:
    """The nearest known key, or all of them."""
    for part in place[:-1]:
        model = _model_below(model, part)
    known = list(model.model_fields)
    near = difflib.get_close_matches(str(place[-1]), known, n=1)
    return f'; did you mean "{near[0]}"' if near else f"; known keys are {', '.join(known)}"


def _model_below(model: type[BaseModel], part: object) -> type[BaseModel]:
    """The model of a nested key; a list's index or a mapping's key stays where it is."""
    below: dict[str, type[BaseModel]] = {
        "source": SourceYaml,
        "entry_point": EntryPointYaml,
        "parameters": ParameterYaml,
        "limits": LimitsYaml,
        "tolerance": ToleranceYaml,
        "policy": PolicyYaml,
        "forbid": ForbiddenYaml,
        "submissions": SubmissionYaml,
    }
    return below.get(part, model) if isinstance(part, str) else model


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 -- a sentence's worth
