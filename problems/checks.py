"""What can be found wrong with a package without running any of its programs. Trusted side.

Reading a package refuses what would make it unusable; these are promises to students and authors on top of that, one
sentence for each that is not kept.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Iterator

from problems.package import Problem, Program
from problems.reading import PROBLEM_FILE, STARTER_FILE, STATEMENT_FILE, SUBMISSIONS_FILE, THEORY_FILE
from problems.render import render, texts_of

PITFALL = "pitfall-"
"""What the anchor of a pitfall begins with in the theory."""

Anchors = tuple[str, ...]

_LINK = re.compile(r"\]\(#([^)\s]*)\)")


def faults_of(problem: Problem) -> list[str]:
    """Every fault as a full sentence; an empty list when there is none."""
    rendered = {where: render(text, where=where) for where, text in texts_of(problem)}
    statement, theory = (
        rendered[where].anchors if where in rendered else () for where in (STATEMENT_FILE, THEORY_FILE)
    )
    return [
        *(fault for document in rendered.values() for fault in document.faults),
        *_text_faults(problem),
        *_anchor_faults(problem, statement, theory),
        *_mistake_faults(problem, theory),
        *_case_faults(problem),
        *_program_faults(problem),
    ]


def _text_faults(problem: Problem) -> Iterator[str]:
    if not problem.statement.strip():
        yield f"{STATEMENT_FILE}: the statement is empty; say what the function must do."
    if problem.theory is not None and not problem.theory.strip():
        yield f"{THEORY_FILE}: the theory is empty; write it or remove the file."
    for what, words in (("hint", problem.hints), ("keyword", problem.keywords)):
        for word in sorted({word for word in words if words.count(word) > 1}):
            yield f'{PROBLEM_FILE}: the {what} "{word[:40]}" occurs twice; remove one.'


def _anchor_faults(problem: Problem, statement: Anchors, theory: Anchors) -> Iterator[str]:
    for where, text in texts_of(problem):
        for target in _LINK.findall(text):
            if target not in (*statement, *theory):
                yield f"{where}: there is a link to #{target}, and no heading ends in {{#{target}}}."
    for anchor in sorted(set(statement) & set(theory)):
        yield f"{THEORY_FILE}: the anchor {{#{anchor}}} is in the statement too; both are on one page."


def _mistake_faults(problem: Problem, theory: Anchors) -> Iterator[str]:
    for mistake in problem.mistakes:
        anchor = PITFALL + mistake.pitfall
        if anchor not in theory:
            yield (
                f"{SUBMISSIONS_FILE}: {mistake.name} points at the pitfall {mistake.pitfall}, "
                f"and no heading of the theory ends in {{#{anchor}}}."
            )
        if mistake.message[-1] not in ".!?":
            yield f"{SUBMISSIONS_FILE}: the message of {mistake.name} is no full sentence; end it with a full stop."

    where = f"{SUBMISSIONS_FILE}: the"
    yield from _twice(f"{where} title", ((mistake.name, mistake.title.casefold()) for mistake in problem.mistakes))
    yield from _twice(f"{where} message", ((mistake.name, mistake.message) for mistake in problem.mistakes))


def _case_faults(problem: Problem) -> Iterator[str]:
    if not problem.samples:
        yield "data/sample: there is no sample; a student needs one to run against."
    if len(problem.samples) == len(problem.cases):
        yield "data/secret: there is no secret case; the samples can be learnt by heart."

    yield from _twice("data: the title", ((case.name, case.title.casefold()) for case in problem.cases))
    yield from _twice("data: the inputs", ((case.name, (case.digest, *sorted(case.layout))) for case in problem.cases))


def _program_faults(problem: Problem) -> Iterator[str]:
    programs: tuple[Program, ...] = (*problem.accepted, *problem.mistakes)
    yield from _twice("submissions: the source", ((program.name, program.source) for program in programs))
    wanted = [parameter.name for parameter in problem.entry_point.parameters]
    if _arguments_of(problem.starter, problem.entry_point.function) != wanted:
        yield f"{STARTER_FILE}: it must define {problem.entry_point.function}({', '.join(wanted)})."


def _arguments_of(source: str, function: str) -> list[str] | None:
    """The names of a top-level function's arguments; None when the source does not parse or has no such function."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: what deep nesting raises
        return None
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return None


def _twice(what: str, named: Iterable[tuple[str, Hashable]]) -> Iterator[str]:
    """A sentence for each name whose value another has had before."""
    first: dict[Hashable, str] = {}
    for name, value in named:
        if (other := first.setdefault(value, name)) != name:
            yield f"{what} of {other} is used again by {name}; make them differ or remove one."
