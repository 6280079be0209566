"""What can be called, set or typed is documented, and what is documented exists."""

import re
from pathlib import Path

import pytest
import typer
from fastapi.routing import APIRoute

from app.cli import command_line
from app.main import create_app
from app.settings import Settings, variable_of
from judge.options import LAYERS
from judge.report import Reason, Verdict

DOCS = Path(__file__).resolve().parents[2] / "docs"
API, CLI, SETTINGS = ((DOCS / f"{name}.md").read_text() for name in ("api", "cli", "settings"))


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app(Settings(bank=tmp_path_factory.mktemp("bank")))


def routes(app):
    own = [
        f"{method} {route.path}".replace(":path}", "}")
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    ]
    return {*own, "GET /openapi.json"}


def commands(command=None, words="tensorgrade"):
    command = command or typer.main.get_command(command_line())
    if children := getattr(command, "commands", None):
        for name, child in children.items():
            yield from commands(child, f"{words} {name}")
    else:
        yield words, [option for parameter in command.params for option in parameter.opts if option.startswith("--")]


def test_every_route_is_in_the_table_and_every_row_is_a_route(app):
    assert set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", API, re.MULTILINE)) == routes(app)


def test_every_setting_is_in_the_table_and_every_row_is_a_setting():
    written = set(re.findall(r"^\| `(TENSORGRADE_\w+)` \|", SETTINGS, re.MULTILINE))
    assert written == {variable_of(field) for field in Settings.model_fields}


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_that_can_be_waived_is_named(layer):
    assert f"`{layer}`" in SETTINGS


def test_every_command_has_its_section_and_every_section_is_a_command():
    written = {
        " ".join(word for word in heading.split() if not word.isupper())
        for heading in re.findall(r"^## `(tensorgrade [^`]*)`$", CLI, re.MULTILINE)
    }
    assert written == {words for words, _ in commands()}


@pytest.mark.parametrize(("words", "options"), list(commands()))
def test_every_option_is_in_its_command_s_section(words, options):
    section = re.search(rf"^## `{words}[ A-Z]*`$(.*?)(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL).group(1)
    assert [option for option in options if f"`{option}`" not in section] == []


@pytest.mark.parametrize("word", [*Verdict, *Reason])
def test_every_verdict_and_reason_is_named(word):
    assert f"`{word}`" in API


def test_the_openapi_description_knows_every_route_of_the_api(app):
    documented = {f"{method.upper()} {path}" for path, item in app.openapi()["paths"].items() for method in item}
    assert documented == {
        "POST /submit",
        "GET /submissions",
        "GET /submissions/{id}",
        "GET /submissions/{id}/events",
        "GET /api/problems",
        "GET /api/problems/{slug}",
        "GET /health",
        "GET /metrics",
    }
