"""Reads a package from disk into a Problem. Trusted side; executes nothing and believes nothing.

Everything that the reader uses goes through PackageFiles, which keeps the package's walls and sums up the revision.
What is wrong is a PackageError with one sentence that names the file or the case.

A case exists exactly when its `.in.safetensors` does: it is written last and removed first, so an `.ans` or `.yaml`
without one is what an author who was cut short left behind, and is passed over.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from problems.errors import PackageError
from problems.files import PackageFiles
from problems.inputs import check_answer, check_inputs, check_layout
from problems.metadata import CaseYaml, EntryPointYaml, ProblemYaml, SubmissionsYaml, SubmissionYaml, read_metadata
from problems.package import (
    Case,
    EntryPoint,
    Float32Array,
    Forbidden,
    Limits,
    Mistake,
    Parameter,
    Policy,
    Problem,
    Program,
    Source,
    Tolerance,
    ToleranceRule,
)
from problems.shapes import parse_type
from problems.tensors import decode

GROUPS = ("sample", "secret")
IN, ANS, YAML = ".in.safetensors", ".ans.safetensors", ".yaml"
ANSWER = "answer"
"""The one tensor of an `.ans` file."""
INPUTS_DIGEST = "inputs_sha256"
"""Metadata of an `.ans` file: the SHA-256 of the `.in` file that it answers."""

PROBLEM_FILE = "problem.yaml"
STATEMENT_FILE = "statement/problem.en.md"
THEORY_FILE = "statement/theory.en.md"
STARTER_FILE = "attachments/starter.py"
SUBMISSIONS_FILE = "submissions/submissions.yaml"
FOLDERS = ("accepted", "wrong_answer", "run_time_error", "time_limit_exceeded")

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CASE_NAME = re.compile(r"(sample|secret)/[a-z0-9]+(-[a-z0-9]+)*")
_PROGRAM_FILE = re.compile(r"[A-Za-z0-9_-]{1,100}\.py")
_MAX_NAME = 80


def load_problem(directory: Path) -> Problem:
    """Reads and checks a whole package. PackageError with one sentence when anything is wrong.

    A package without cases loads: an author must be able to add the first one. Nothing should be judged by it.
    """
    return problem_from(PackageFiles(directory), slug_of(directory))


def problem_from(files: PackageFiles, slug: str) -> Problem:
    """As `load_problem`, from files that were not read yet."""
    meta = read_metadata(ProblemYaml, files.text(PROBLEM_FILE), where=PROBLEM_FILE)
    entry_point = entry_point_of(meta.entry_point)
    reference, accepted, mistakes = _programs(files)
    statement, starter = files.text(STATEMENT_FILE), files.text(STARTER_FILE)
    theory = files.text(THEORY_FILE) if files.has(THEORY_FILE) else None
    cases = tuple(_case(files, name, entry_point) for name in _case_names(files))
    return Problem(
        slug=slug,
        revision=files.revision(),
        name=meta.name,
        uuid=meta.uuid,
        difficulty=meta.difficulty,
        source=Source(title=meta.source.title, url=meta.source.url),
        license=meta.license,
        keywords=tuple(meta.keywords),
        statement=statement,
        theory=theory,
        hints=tuple(meta.hints),
        starter=starter,
        entry_point=entry_point,
        limits=Limits(**meta.limits.model_dump()),
        tolerance=ToleranceRule(**meta.tolerance.model_dump()),
        policy=Policy(
            forbid=tuple(Forbidden(name=entry.name, message=entry.message) for entry in meta.policy.forbid),
            imports=tuple(meta.policy.imports),
        ),
        cases=cases,
        reference=reference,
        accepted=accepted,
        mistakes=mistakes,
    )


def slug_of(directory: Path) -> str:
    """The directory's name, which is the problem's name in addresses; PackageError when it is not fit for that."""
    slug = directory.resolve().name
    if len(slug) > _MAX_NAME or not _SLUG.fullmatch(slug):
        raise PackageError(f'"{slug}": a package\'s directory is named in a-z, 0-9 and single hyphens.')
    return slug


def check_case_name(name: str) -> None:
    """PackageError unless the name is a group and a stem such as secret/04-batched-heads."""
    if len(name) > _MAX_NAME or not _CASE_NAME.fullmatch(name):
        shown = name if len(name) <= _MAX_NAME else f"{name[:_MAX_NAME]}..."
        raise PackageError(
            f'"{shown}" is no name for a case; write sample/ or secret/ and then a-z, 0-9 and single hyphens, '
            "such as secret/04-batched-heads."
        )


def entry_point_of(meta: EntryPointYaml) -> EntryPoint:
    """The entry point as values."""
    typed = {parameter.name: parse_type(parameter.type) for parameter in meta.parameters}
    result_dtype, result_shape = parse_type(meta.result)
    return EntryPoint(
        function=meta.function,
        parameters=tuple(Parameter(name=name, dtype=dtype, shape=shape) for name, (dtype, shape) in typed.items()),
        result_dtype=result_dtype,
        result_shape=result_shape,
    )


def read_entry_point(directory: Path) -> EntryPoint:
    """Only the entry point of a package, whatever else is in it."""
    text = PackageFiles(directory).text(PROBLEM_FILE)
    return entry_point_of(read_metadata(ProblemYaml, text, where=PROBLEM_FILE).entry_point)


def _programs(files: PackageFiles) -> tuple[Program, tuple[Program, ...], tuple[Mistake, ...]]:
    """The reference, the accepted programs and the mistakes, each in the order of their names."""
    meta = read_metadata(SubmissionsYaml, files.text(SUBMISSIONS_FILE), where=SUBMISSIONS_FILE)
    paths = _program_paths(files)
    if meta.reference not in paths:
        raise PackageError(f"{SUBMISSIONS_FILE}: reference is {meta.reference}, and there is no such file.")
    if orphans := [path for path in meta.submissions if path not in paths]:
        raise PackageError(f"{SUBMISSIONS_FILE}: {orphans[0]} has an entry and no file; write it or remove the entry.")
    sources = {path: files.text(f"submissions/{path}").encode() for path in paths}
    accepted, mistakes = [], []
    for path, source in sources.items():
        if path.startswith("accepted/"):
            accepted.append(Program(name=_stem(path), source=source))
        elif path in meta.submissions:
            mistakes.append(_mistake(path, source, meta.submissions[path]))
        else:
            raise PackageError(f"{SUBMISSIONS_FILE}: {path} has no entry; give it a title, a message and a pitfall.")
    reference = next(program for program in accepted if program.name == _stem(meta.reference))
    return reference, tuple(accepted), tuple(mistakes)


def _program_paths(files: PackageFiles) -> list[str]:
    paths: list[str] = []
    for folder in files.names("submissions"):
        if folder in ("__pycache__", "submissions.yaml"):
            continue
        if folder not in FOLDERS:
            raise PackageError(f"submissions/{folder}: programs lie in {', '.join(FOLDERS)}.")
        for name in files.names(f"submissions/{folder}"):
            if name == "__pycache__":
                continue
            if not _PROGRAM_FILE.fullmatch(name):
                raise PackageError(
                    f"submissions/{folder}/{name}: only programs such as no-scaling.py lie here, named with 1 to 100 "
                    "letters, digits, hyphens and underscores."
                )
            paths.append(f"{folder}/{name}")
    return sorted(paths)


def _mistake(path: str, source: bytes, meta: SubmissionYaml) -> Mistake:
    return Mistake(
        name=_stem(path),
        source=source,
        title=meta.title,
        message=meta.message,
        pitfall=meta.pitfall,
        verdict=meta.verdict or path.partition("/")[0],
        reason=meta.reason,
        same_as=_stem(meta.same_as) if meta.same_as else None,
    )


def _stem(path: str) -> str:
    return path.removesuffix(".py")


def _case_names(files: PackageFiles) -> list[str]:
    """Every case with an `.in` file, samples first; PackageError for a file that belongs to no case."""
    if strangers := [name for name in files.names("data") if name not in GROUPS]:
        raise PackageError(f"data/{strangers[0]}: cases lie in data/sample or data/secret.")
    names: list[str] = []
    for group in GROUPS:
        for file in files.names(f"data/{group}"):
            suffix = next((suffix for suffix in (IN, ANS, YAML) if file.endswith(suffix)), None)
            if suffix is None:
                raise PackageError(f"data/{group}/{file}: only <case>{IN}, <case>{ANS} and <case>{YAML} lie here.")
            check_case_name(f"{group}/{file.removesuffix(suffix)}")
            if suffix == IN:
                names.append(f"{group}/{file.removesuffix(IN)}")
    return sorted(names)


def _case(files: PackageFiles, name: str, entry_point: EntryPoint) -> Case:
    path = f"data/{name}"
    contents = files.tensors(path + IN)
    if not files.has(path + ANS):
        raise PackageError(f"{path}{IN} has no answer {Path(name).name}{ANS} beside it; add the case again.")
    if not files.has(path + YAML):
        raise PackageError(f"{path}{IN} has no {Path(name).name}{YAML} beside it; add the case again.")
    return decode_case(
        name, entry_point, inputs=contents, answer=files.tensors(path + ANS), meta=files.text(path + YAML)
    )


def decode_case(name: str, entry_point: EntryPoint, *, inputs: bytes, answer: bytes, meta: str) -> Case:
    """A case from the contents of its three files, checked; what is about to be written goes through here too."""
    path = f"data/{name}"
    described = read_metadata(CaseYaml, meta, where=path + YAML)
    given = decode(inputs, where=path + IN).arrays
    answered = decode(answer, where=path + ANS)
    digest = hashlib.sha256(inputs).hexdigest()
    if answered.metadata.get(INPUTS_DIGEST) != digest:
        raise PackageError(f"{path}{ANS} does not answer {Path(name).name}{IN}: {INPUTS_DIGEST} differs; add it again.")
    if list(answered.arrays) != [ANSWER]:
        raise PackageError(f'{path}{ANS} holds {", ".join(answered.arrays)}; it must hold one tensor, "{ANSWER}".')
    try:
        sizes = check_inputs(entry_point, given)
        check_answer(entry_point, sizes, answered.arrays[ANSWER])
        check_layout(given, described.layout)
    except PackageError as error:
        raise PackageError(f"{name}: {error}") from error
    return Case(
        name=name,
        title=described.title,
        inputs=_ordered(entry_point, given),
        answer=answered.arrays[ANSWER],
        tolerance=Tolerance(rtol=described.rtol, atol=described.atol),
        digest=digest,
        layout=MappingProxyType(dict(described.layout)),
        seed=described.seed,
        description=described.description,
        hint=described.hint,
        full_feedback=described.full_feedback,
        vacuous=described.vacuous,
    )


def _ordered(entry_point: EntryPoint, given: Mapping[str, Float32Array]) -> Mapping[str, Float32Array]:
    return MappingProxyType({parameter.name: given[parameter.name] for parameter in entry_point.parameters})
