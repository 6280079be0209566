"""The console command `tensorgrade`: its commands, and what becomes of what they raise. Trusted side.

SettingsError, StoreError, PackageError, WrongUse   one sentence, exit status 2: the caller acts
JudgeError                                         one sentence, exit status 3: the machine or we are to blame
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated

import typer

from app.commands import (
    calibrate,
    case,
    case_edit,
    doctor,
    export,
    grade,
    problem,
    problem_new,
    rejudge,
    selftest,
    serve,
    stats,
    verify,
)
from app.commands.common import Exit, WrongUse
from app.settings import SettingsError
from app.store.errors import StoreError
from judge.errors import JudgeError
from problems.errors import PackageError


def command_line() -> typer.Typer:
    """All commands. Each is documented in docs/cli.md, which a test compares with this list."""
    cli = _group("A grader for PyTorch coding exercises.")
    cli.callback()(_common)
    cli.command()(serve.serve)
    cli.command()(grade.grade)
    cli.command("verify")(verify.verify_packages)
    cli.command("calibrate")(calibrate.calibrate_package)
    cli.command()(doctor.doctor)
    cli.command()(selftest.selftest)
    cli.command()(rejudge.rejudge)
    cli.command()(export.export)
    cli.command()(stats.stats)
    problems = _group("Problems of the bank.")
    problems.command("list")(problem.list_problems)
    problems.command("show")(problem.show)
    problems.command("new")(problem_new.new)
    problems.command("fill")(problem_new.fill)
    cli.add_typer(problems, name="problem")
    cases = _group("Cases of a problem.")
    # Names of inputs are options too, and only the package knows them.
    cases.command("add", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(case.add)
    cases.command("list")(case.list_cases)
    cases.command("show")(case_edit.show)
    cases.command("edit")(case_edit.edit)
    cases.command("remove")(case_edit.remove)
    cli.add_typer(cases, name="case")
    return cli


def _group(words: str) -> typer.Typer:
    # Plain errors and tracebacks: they are read in logs, too. No shell completion: it would write to dot files.
    return typer.Typer(
        help=words,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


def _print_version(asked: bool) -> None:  # noqa: FBT001 -- typer hands a callback its option's value by position
    if asked:
        typer.echo(f"tensorgrade {version('tensorgrade')}")
        raise typer.Exit


def _common(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A grader for PyTorch coding exercises."""


def main() -> None:
    """Run the command in sys.argv; ends the process with its exit status."""
    try:
        command_line()()
    except (SettingsError, StoreError, PackageError, WrongUse) as error:
        _end(error, Exit.WRONG_USE)
    except JudgeError as error:
        _end(error, Exit.JUDGE_FAILED)


def _end(error: Exception, status: Exit) -> None:
    typer.echo(f"tensorgrade: {error}", err=True)
    sys.exit(status)
