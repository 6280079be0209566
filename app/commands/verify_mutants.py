"""How `tensorgrade verify --mutants` tells what the cases did not notice. Trusted side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from app.commands.common import safe_text, say
from judge.mutants import LEAST_KILLED, Mutation
from judge.mutate import Mutant


def mutants_json(tried: Mutation) -> dict[str, Any]:
    """All that is known of the mutants, for programs."""
    return {
        "killed": tried.killed,
        "share": round(tried.share, 4),
        "survivors": [_json(mutant) for mutant in tried.survivors],
        "equivalent": [_json(mutant) for mutant in tried.equivalent],
        "not_changed": list(tried.not_changed),
        "holds": tried.holds,
    }


def _json(mutant: Mutant) -> dict[str, Any]:
    return {"program": mutant.program, "line": mutant.line, "before": mutant.before, "after": mutant.after}


def print_mutants(out: Console, tried: Mutation) -> None:
    """Survivors and equivalent ones in tables, and the share that is killed."""
    _print_table(out, "Changes that make no difference (not counted)", tried.equivalent)
    _print_table(out, "Changes that no case notices", tried.survivors)
    different = tried.killed + len(tried.survivors)
    words = (
        f"mutants: {tried.killed} of {different} are killed ({tried.share:.1%}, at least {LEAST_KILLED:.0%} must be)"
    )
    words += f"; {len(tried.equivalent)} more are equivalent and do not count."
    say(out, words, "green" if tried.holds else "red")
    for program in tried.not_changed:
        say(out, f"{program} is not changed: it does not stay in float64.")


def _print_table(out: Console, title: str, mutants: Sequence[Mutant]) -> None:
    if not mutants:
        return
    table = Table("Program", "Line", "Was", "Became", title=title)
    for mutant in mutants:
        cells = (mutant.program, mutant.line, mutant.before, mutant.after)
        table.add_row(*(safe_text(cell) for cell in cells))
    out.print(table)
