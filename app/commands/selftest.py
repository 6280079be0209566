"""`tensorgrade selftest`: attack this machine's own jail and say which layer stopped what. Trusted side."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from app.commands.common import Exit, Format, FormatOption, console, one_judge, print_json, progress, safe_text, say
from app.settings import read_settings
from judge.report import LayerState, Verdict
from judge.tryout import SLUG, Arena, Attempt, shipped_attacks
from problems.reading import load_problem
from problems.shipped import shipped_bank

_STYLES = {"holds": "green", "waived": "yellow", "missing": "yellow"}


@dataclass(frozen=True, slots=True)
class _Found:
    """What an attacked judge came to."""

    layers: tuple[LayerState, ...]
    attempts: list[Attempt]
    honest: list[str]
    """Verdicts of the honest submissions between the attacks."""
    took_s: float

    @property
    def through(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if not attempt.held]

    @property
    def accepted(self) -> int:
        return self.honest.count(Verdict.ACCEPTED.value)

    @property
    def held(self) -> bool:
        return not self.through and self.accepted == len(self.honest)


def selftest(output: FormatOption = Format.TEXT) -> None:
    """Attack the jail of this machine with harmless attacks, and say which layer stopped what.

    Exit status 0 only when every attack got the verdict that it must get.
    """
    settings = read_settings()
    problem = load_problem(shipped_bank() / SLUG)  # the shipped one: the attacks do not depend on the bank
    began = time.monotonic()
    with one_judge(settings) as judge, progress("selftest") as watch:
        arena = Arena(judge, problem)
        attempts = list(arena.try_all(shipped_attacks(), lambda done, of: watch("attacks", done, of)))
        found = _Found(judge.layers(), attempts, arena.honest_verdicts, time.monotonic() - began)
    if output is Format.JSON:
        print_json(_json(found))
    else:
        _print(found)
    raise typer.Exit(Exit.GOOD if found.held else Exit.NOT_MET)


def _json(found: _Found) -> dict[str, Any]:
    return {
        "held": found.held,
        "layers": [{"name": each.name, "state": each.state, "detail": each.detail} for each in found.layers],
        "attempts": [
            {
                "attack": each.attack.name,
                "why": each.attack.why,
                "policy": each.policy,
                "verdict": each.verdict,
                "held": each.held,
                "stopped_by": each.stopped_by or None,
                "also": list(each.also),
            }
            for each in found.attempts
        ],
        "honest": {"accepted": found.accepted, "of": len(found.honest)},
        "seconds": round(found.took_s, 1),
    }


def _print(found: _Found) -> None:
    out = console()
    layers = Table("Layer", "State", "What was found")
    for layer in found.layers:
        layers.add_row(safe_text(layer.name), safe_text(layer.state, _STYLES[layer.state]), safe_text(layer.detail))
    out.print(layers)
    attacks = Table("Attack", "Stopped by", "Policy off", "Alone also", "What it tries")
    for first, last in _pairs(found.attempts):
        attacks.add_row(
            safe_text(first.attack.name),
            _cell(first),
            _cell(last),
            safe_text(", ".join(last.also)),
            safe_text(last.attack.why),
        )
    out.print(attacks)
    counts = Counter(attempt.stopped_by for attempt in found.attempts if attempt.held)
    say(out, "Stopped: " + ", ".join(f"{count} by {_words(name)}" for name, count in counts.most_common()) + ".")
    say(out, f"Honest submissions in between: {found.accepted} of {len(found.honest)} accepted.")
    for attempt in found.through:
        where = "" if attempt.policy else " with the policy off"
        say(out, f"{attempt.attack.name}{where} got {attempt.verdict}: {attempt.attack.why}", "bold red")
    words, style = ("Everything held", "green") if found.held else ("Not everything held", "bold red")
    say(out, f"{words}: {len(found.attempts)} attacks in {found.took_s:.0f} s.", style)


def _pairs(attempts: list[Attempt]) -> list[tuple[Attempt, Attempt]]:
    """For each attack its first attempt and its last, the one with the policy off if there were two."""
    first: dict[str, Attempt] = {}
    last: dict[str, Attempt] = {}
    for attempt in attempts:
        first.setdefault(attempt.attack.name, attempt)
        last[attempt.attack.name] = attempt
    return [(first[name], last[name]) for name in first]


def _cell(attempt: Attempt) -> Text:
    return safe_text(attempt.stopped_by) if attempt.held else safe_text("got through", "bold red")


def _words(layer: str) -> str:
    """How the summary calls a layer."""
    return "comparing outside" if layer == "outside" else layer
