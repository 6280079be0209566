"""Who may import whom, as Python itself sees it (import-linter does not see parent packages)."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SCRIPT = "import importlib, json, sys; importlib.import_module(sys.argv[1]); print(json.dumps(sorted(sys.modules)))"


def loaded_by(module: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, module], capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", ["judge.jail.zygote", "judge.jail.child"])
def test_the_jail_loads_nothing_of_ours_but_the_jail(module):
    ours = {name for name in loaded_by(module) if name.split(".")[0] in {"app", "judge", "problems", "static"}}
    assert {name for name in ours if name != "judge" and not name.startswith("judge.jail")} == set()


@pytest.mark.parametrize("module", ["problems.reading", "problems.writing", "problems.watching", "problems.render"])
def test_problems_loads_neither_torch_nor_the_service(module):
    assert loaded_by(module) & {"torch", "fastapi", "judge", "app"} == set()


def test_the_trusted_judge_never_loads_what_runs_submissions():
    loaded = loaded_by("judge.grade")
    assert {name for name in loaded if name.startswith("judge.jail.")} == {"judge.jail.wire"}


def test_the_judge_knows_neither_http_nor_a_database_nor_a_command_line():
    assert loaded_by("judge.grade") & {"app", "fastapi", "sqlalchemy", "typer"} == set()


def test_the_zygote_is_started_without_torch_in_the_way():
    """It sets the number of threads before the first operation: nothing may import torch before it does."""
    assert "torch" not in loaded_by("judge.jail.zygote")


COMMANDS = ["case", "case_edit", "grade", "verify", "doctor", "calibrate", "problem", "problem_new", "selftest"]
SERVER_LIBRARIES = {"alembic", "fastapi", "prometheus_client", "sqlalchemy", "starlette", "torch", "uvicorn"}


@pytest.mark.parametrize("module", ["app.cli", *(f"app.commands.{name}" for name in COMMANDS)])
def test_commands_do_not_wait_for_the_servers_libraries(module):
    """They take a second to import, and torch two more: whoever adds a case needs neither HTTP nor SQL."""
    assert loaded_by(module) & SERVER_LIBRARIES == set()


def test_one_machine_loads_no_library_of_many():
    """They need not even be installed."""
    loaded = loaded_by("app.main") | loaded_by("app.commands.serve") | loaded_by("app.commands.rejudge")
    assert {name.split(".")[0] for name in loaded} & {"psycopg", "psycopg_pool", "procrastinate"} == set()


def test_the_help_of_every_command_is_there_though_its_module_comes_late():
    done = subprocess.run(
        [sys.executable, "-c", "from app.cli import main; main()", "case", "add", "--help"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "--dry-run" in done.stdout
