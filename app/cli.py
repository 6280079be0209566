"""The console command `tensorgrade`: its commands, and what becomes of what they raise. Trusted side.

SettingsError, StoreError, PackageError, WrongUse   one sentence, exit status 2: the caller acts
JudgeError                                         one sentence, exit status 3: the machine or we are to blame
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Annotated

import typer

from app.commands.common import Exit, WrongUse
from app.late import Place, late_group
from app.settings import SettingsError
from app.store.errors import StoreError
from judge.errors import JudgeError
from problems.errors import PackageError

# Names of inputs are options too, and only the package knows them.
_ANY_OPTION = {"allow_extra_args": True, "ignore_unknown_options": True}

_COMMANDS = {
    "serve": Place("serve", "serve"),
    "worker": Place("worker", "worker"),
    "grade": Place("grade", "grade"),
    "verify": Place("verify", "verify_packages"),
    "calibrate": Place("calibrate", "calibrate_package"),
    "doctor": Place("doctor", "doctor"),
    "selftest": Place("selftest", "selftest"),
    "rejudge": Place("rejudge", "rejudge"),
    "export": Place("export", "export"),
    "stats": Place("stats", "stats"),
}
_PROBLEM_COMMANDS = {
    "list": Place("problem", "list_problems"),
    "show": Place("problem", "show"),
    "new": Place("problem_new", "new"),
    "fill": Place("problem_new", "fill"),
    "checkout": Place("problem_files", "checkout"),
    "publish": Place("problem_files", "publish"),
}
_CASE_COMMANDS = {
    "add": Place("case", "add", _ANY_OPTION),
    "list": Place("case", "list_cases"),
    "show": Place("case_edit", "show"),
    "edit": Place("case_edit", "edit"),
    "remove": Place("case_edit", "remove"),
}


def command_line() -> typer.Typer:
    """All commands. Each is documented in docs/cli.md, which a test compares with this list."""
    cli = _group("A grader for PyTorch coding exercises.", _COMMANDS)
    cli.callback()(_common)
    cli.add_typer(_group("Problems of the bank.", _PROBLEM_COMMANDS), name="problem")
    cli.add_typer(_group("Cases of a problem.", _CASE_COMMANDS), name="case")
    return cli


def _group(words: str, places: Mapping[str, Place]) -> typer.Typer:
    # Plain errors and tracebacks: they are read in logs, too. No shell completion: it would write to dot files.
    return typer.Typer(
        cls=late_group(places),
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
