"""docs/sandbox.md says of the jail what the code does."""

from __future__ import annotations

import errno
import re
import resource
from pathlib import Path

import pytest

from judge.jail import lockdown, seccomp
from judge.options import LAYERS
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs/sandbox.md").read_text()
SECURITY = (REPOSITORY / "SECURITY.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """Cells of every table row below a heading."""
    text = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL).group(1)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def words(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def test_the_layers_of_the_page_are_the_layers_of_the_judge():
    named = [match.group(1).lower() for row in rows("Layers") if (match := re.fullmatch(r"\*\*(\w+)\*\*", row[0]))]
    assert sorted(named) == sorted(LAYERS)


def test_the_allowed_calls_of_the_page_are_those_of_the_filter():
    table = {row[0]: words(row[1]) for row in rows("System calls") if len(row) == 3}
    by_argument = {"tgkill", "sched_getaffinity", *seccomp._BY_CLOCK}
    assert set(table["decided by the first argument"]) == by_argument
    always = [name for group, names in table.items() if not group.startswith(("decided", "`")) for name in names]
    assert sorted(always) == sorted(seccomp._ALLOWED)


def test_the_calls_that_are_refused_in_their_own_way_are_those_of_the_filter():
    table = {name: row[1] for row in rows("System calls") for name in words(row[0])}
    assert {name: getattr(errno, code) for name, code in table.items()} == seccomp._REFUSED


def test_the_limits_of_the_page_are_those_that_are_set(monkeypatch):
    set_limits = {}
    monkeypatch.setattr(lockdown.resource, "setrlimit", lambda which, value: set_limits.update({which: value}))
    lockdown.limit_resources(address_space=1 << 30, cpu_s=22)
    table = {name: row[1] for row in rows("Limits") for name in words(row[0])}
    assert {getattr(resource, name) for name in table} == set(set_limits)
    numbers = {name: int(value) for name, value in table.items() if value.isdecimal()}
    assert len(numbers) == 6
    for name, value in numbers.items():
        assert set_limits[getattr(resource, name)] == (value, value)


@pytest.mark.parametrize("path", re.findall(r"`((?:judge|tests|docs)/[\w/.]+)`", PAGE + SECURITY))
def test_every_path_that_is_named_exists(path):
    assert Path(REPOSITORY / path).exists()
