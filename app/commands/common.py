"""What the commands share: exit statuses, finding a problem, a judge that ends with the command. Trusted side.

WrongUse        what was typed cannot be done: exit status 2, like a setting or a package that is wrong
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from app.bank import bank_directory, open_bank
from app.judge_settings import judge_options
from app.settings import Settings
from judge.acceptance import Acceptance
from judge.grade import Judge
from judge.verify import Watch
from problems.package import Case, Problem
from problems.reading import load_problem
from problems.watching import WHOLE_BANK

WIDE = 200
"""Columns of a table that goes to a file or a pipe: nothing there is cut to a terminal's width."""
MS_IN_A_SECOND = 1000


class Exit(IntEnum):
    """Exit statuses, the same for every command."""

    GOOD = 0
    NOT_MET = 1  # a verdict other than accepted, or a promise that does not hold
    WRONG_USE = 2  # what was typed, set or written in a package cannot be used; nothing was changed
    JUDGE_FAILED = 3


class WrongUse(Exception):
    """What was typed cannot be done. The message is one sentence with the way out."""


class Format(StrEnum):
    """How data is printed."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print: for people or for programs.")]


def print_json(body: object) -> None:
    """JSON to standard output. Values come from `app.views` or from us, so NaN cannot occur."""
    typer.echo(json.dumps(body, indent=2, allow_nan=False, ensure_ascii=False))


def console() -> Console:
    """Standard output with tables; colour only on a terminal."""
    plain = Console(highlight=False, markup=False, emoji=False)
    return plain if plain.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDE)


def safe_text(text: object, style: str = "") -> Text:
    """Text from a submission or a package for a terminal: escape sequences in it are shown, not obeyed."""
    shown = "".join(mark if mark.isprintable() or mark in "\n\t" else f"\\x{ord(mark):02x}" for mark in str(text))
    return Text(shown, style=style)


def say(out: Console, text: object, style: str = "") -> None:
    """One line, however long: a terminal wraps it, a file keeps it whole."""
    out.print(safe_text(text, style), soft_wrap=True)


def problem_directory(settings: Settings, slug: str) -> Path:
    """The directory of a package in the bank; WrongUse with the nearest name when there is none."""
    open_bank(settings)  # fills an empty one
    bank = bank_directory(settings)
    slugs = sorted(entry.name for entry in bank.iterdir() if (entry / "problem.yaml").is_file())
    if slug in slugs:
        return bank / slug
    near = difflib.get_close_matches(slug, slugs, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(slugs) or 'none'}."
    raise WrongUse(f'No problem "{slug}" is in {bank}; {hint}')


def the_problem(settings: Settings, slug: str | None) -> Problem:
    """The problem of that slug, or the only one there is."""
    if slug is not None:
        return load_problem(problem_directory(settings, slug))
    bank = open_bank(settings)
    problems = bank.problems()
    if len(problems) == 1 and not bank.trouble():
        return next(iter(problems.values()))
    for package, sentence in bank.trouble().items():
        raise WrongUse(sentence if package == WHOLE_BANK else f"{package}: {sentence}")
    raise WrongUse(f"Name the problem with --problem; the bank holds {', '.join(sorted(problems)) or 'none'}.")


def the_case(problem: Problem, name: str) -> Case:
    """The case of that name; WrongUse with the nearest name when there is none."""
    names = [case.name for case in problem.cases]
    if name in names:
        return problem.case(name)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"tensorgrade case list {problem.slug} lists them."
    raise WrongUse(f'No case "{name}" is in {problem.slug}; {hint}')


def one_judge(settings: Settings) -> Judge:
    """A judge for one command, to be entered with `with`: one zygote starts sooner than several."""
    return Judge(replace(judge_options(settings), zygotes=1))


@contextmanager
def progress(slug: str) -> Iterator[Watch]:
    """A bar on standard error, on a terminal only."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bars:
        tasks: dict[str, Any] = {}

        def watch(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(f"{slug}: {what}", total=of)
            bars.update(tasks[what], completed=done, total=of)

        yield watch


def remember(judge: Judge, package: Problem, found: Acceptance) -> None:
    """What every mistake does on the package with the new case was found out: it need not run again."""
    if found.known is not None:
        judge.mistakes.put(package, found.known)


def seconds(time_ms: float) -> str:
    """A time for people: "0.04 ms", "3.1 ms", "2.00 s"."""
    if time_ms >= MS_IN_A_SECOND:
        return f"{time_ms / MS_IN_A_SECOND:.2f} s"
    return f"{time_ms:.2f} ms" if time_ms < 1 else f"{time_ms:.1f} ms"


def brief_revision(problem: Problem | dict[str, Any]) -> str:
    """The first 12 digits of a revision, as git shows hashes."""
    revision = problem.revision if isinstance(problem, Problem) else problem["revision"]
    return str(revision)[:12]
