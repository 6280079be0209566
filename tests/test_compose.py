"""What deploy/docker-compose.yml names exists, and it gives nothing away."""

import re
import shlex
from pathlib import Path

import pytest
import typer
import yaml

from app.cli import command_line
from app.commands.serve import GRACE_S
from app.settings import Settings, variable_of
from app.store import taking

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
TEXT = (DEPLOY / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
README = (DEPLOY / "README.md").read_text()
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(?:(:[-?])([^}]*))?\}")
KEYS = {
    "build", "command", "depends_on", "environment", "healthcheck", "image", "networks", "ports", "restart",
    "security_opt", "stop_grace_period", "volumes",
}  # fmt: skip
"""Of a service, in the Compose specification."""

each_service = pytest.mark.parametrize("name", list(SERVICES))


def commands(words):
    """The command of the console program that these words call, with its options."""
    assert words[0] == "tensorgrade"
    command, rest = typer.main.get_command(command_line()), words[1:]
    while rest and (child := getattr(command, "commands", {}).get(rest[0])):
        command, rest = child, rest[1:]
    return command, rest


def check_command(words):
    command, rest = commands(words)
    assert not hasattr(command, "commands"), f"{shlex.join(words)} is no command"
    known = {option for parameter in command.params for option in parameter.opts}
    own = command.context_settings.get("ignore_unknown_options", False)
    assert own or {word for word in rest if word.startswith("--")} <= known, words


def test_it_names_the_image_that_this_project_builds_and_postgres_and_no_other():
    assert {service["image"] for service in SERVICES.values()} == {"tensorgrade", "postgres:15"}
    built = [service["build"] for service in SERVICES.values() if "build" in service]
    assert [(DEPLOY / each["context"] / "Dockerfile").is_file() for each in built] == [True]
    assert set(re.findall(r"docker build -t (\S+)", (DEPLOY.parent / "Dockerfile").read_text())) == {"tensorgrade"}


@each_service
def test_every_key_is_one_of_a_service(name):
    assert set(SERVICES[name]) <= KEYS


@pytest.mark.parametrize("text", [TEXT, README])
def test_every_setting_exists(text):
    assert set(re.findall(r"TENSORGRADE_\w+", text)) <= {variable_of(field) for field in Settings.model_fields}


@each_service
def test_every_command_of_ours_is_one_with_options_that_it_has(name):
    if SERVICES[name]["image"] == "tensorgrade":
        check_command(SERVICES[name]["command"])


@pytest.mark.parametrize("line", re.findall(r"exec server (tensorgrade .*)", README))
def test_every_command_of_the_page_exists(line):
    check_command(shlex.split(line))


@each_service
def test_ports_are_loopback_s_alone(name):
    ports = SERVICES[name].get("ports", [])
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []
    assert bool(ports) == (name == "server")


def test_no_password_is_in_it_and_one_that_is_missing_is_named_with_the_page_that_helps():
    variables = VARIABLE.findall(TEXT)
    passwords = {match for match in variables if "PASSWORD" in match[0]}
    assert {name for name, _, _ in passwords} == {"OWNER_PASSWORD", "WORKER_PASSWORD"}
    assert {(how, words) for _, how, words in passwords} == {(":?", "set it in deploy/.env, as deploy/README.md shows")}
    assert re.findall(r"(?:PASSWORD: |:)(?!\$|password)\w+@", TEXT) == []
    assert {name for name, _, _ in variables} == set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE))
    assert "deploy/.env" in (DEPLOY.parent / ".gitignore").read_text().split()


def test_workers_have_a_role_of_their_own_and_reach_nothing_but_the_database():
    url = "TENSORGRADE_DATABASE_URL"
    owner, worker = (VARIABLE.sub("x", SERVICES[name]["environment"][url]) for name in ("server", "worker"))
    assert owner == "postgresql+psycopg://tensorgrade:x@postgres/tensorgrade"
    assert worker == "postgresql+psycopg://tensorgrade_worker:x@postgres/tensorgrade"
    assert SERVICES["worker"]["networks"] == ["database"]
    assert COMPOSE["networks"]["database"] == {"internal": True}
    assert Settings(database_url=owner).database_url == owner


@each_service
def test_what_a_service_needs_is_there(name):
    service = SERVICES[name]
    for other, how in service.get("depends_on", {}).items():
        healthy = how["condition"] == "service_healthy"
        assert how["condition"] in {"service_healthy", "service_completed_successfully"}
        assert "test" in SERVICES[other].get("healthcheck", {}) or not healthy
        assert SERVICES[other]["restart"] == "no" or healthy
    assert set(service["networks"]) <= set(COMPOSE["networks"])
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source in COMPOSE["volumes"] or (DEPLOY / source).is_file()


@each_service
def test_what_runs_has_time_to_end(name):
    grace = SERVICES[name].get("stop_grace_period")
    if SERVICES[name]["image"] == "tensorgrade":
        assert int(grace.removesuffix("s")) > max(GRACE_S, taking.GRACE_S)
