"""docs/operations.md names what exists."""

import re
from pathlib import Path

import httpx
import pytest
import typer

from app.cli import command_line
from app.settings import Settings, variable_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/operations.md").read_text()
METRICS = re.findall(r"^\| `(tensorgrade_\w+)` \| (one|many|both) \|(.*)", PAGE, re.MULTILINE)
MODES = {"one": ["one machine"], "many": ["many machines"], "both": ["one machine", "many machines"]}


@pytest.mark.parametrize("mode", ["one machine", "many machines"])
def test_every_metric_is_one_of_a_server_of_that_kind(modes, home, mode):
    named = {
        name
        for first, where, words in METRICS
        if mode in MODES[where]
        for name in [first, *re.findall(r"`(tensorgrade_\w+)`", words)]
    }
    with modes[mode](home) as server:
        text = httpx.get(f"{server.url}metrics", timeout=60).text
    served = set(re.findall(r"^# TYPE (tensorgrade_\w+)", text, re.MULTILINE))
    assert named
    assert {name for name in named if name not in served} == set()


def test_every_setting_exists():
    assert set(re.findall(r"TENSORGRADE_\w+", PAGE)) <= {variable_of(field) for field in Settings.model_fields}


@pytest.mark.parametrize("words", sorted(set(re.findall(r"`tensorgrade ([a-z][^`|]*)", PAGE))))
def test_every_command_exists(words):
    command, rest = typer.main.get_command(command_line()), words.split()
    while rest and (child := getattr(command, "commands", {}).get(rest[0])):
        command, rest = child, rest[1:]
    assert not hasattr(command, "commands"), words
    assert {word for word in rest if word.startswith("--")} <= {each for one in command.params for each in one.opts}


@pytest.mark.parametrize(
    "event", re.findall(r"^\| `([a-z ]+)` \|", PAGE.partition("line of a worker")[2], re.MULTILINE)
)
def test_every_line_of_a_worker_is_one_that_is_logged(event):
    assert [path for path in (ROOT / "app").rglob("*.py") if f'"{event}"' in path.read_text()] != []
