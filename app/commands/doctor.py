"""`tensorgrade doctor`: whether this machine can judge, what is slow here, and the command that fixes it. Trusted side.

layers        from a judge that is really started, so what holds is what was seen to hold
machine       the interpreter, the processor's kernels, huge pages, the build of torch, versions
bank          packages that cannot be read, and shipped ones that differ from what is served
"""

from __future__ import annotations

import json
import os
import platform
import pwd
import subprocess
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import typer
from rich.table import Table

from app.bank import bank_directory, open_bank
from app.checkout import check_out, open_store
from app.commands.common import Exit, Format, FormatOption, console, one_judge, print_json, safe_text
from app.settings import Settings, read_settings
from app.store.errors import StoreError
from judge.errors import JudgeError
from judge.options import LAYERS
from judge.spawn import package_root
from problems.errors import PackageError
from problems.reading import load_problem
from problems.shipped import shipped_bank

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
PACKAGES = ("tensorgrade", "torch", "numpy", "RestrictedPython", "safetensors", "fastapi", "uvicorn")
PROBE_TIMEOUT_S = 120
# Runs in an interpreter of its own, started as a zygote is, so that torch is never imported here.
_PROBE = """
import json, torch, judge.jail
print(json.dumps({"capability": torch.backends.cpu.get_cpu_capability(), "cuda": torch.version.cuda}))
"""


class State(StrEnum):
    """What a check found."""

    OK = "ok"
    MISSING = "missing"  # nothing can be judged
    WAIVED = "waived"  # the operator does without
    WARNING = "warning"  # it works, and could be better


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's answer."""

    name: str
    state: State
    detail: str
    """What was found, and the command that fixes it where something is to be fixed."""


_STYLES = {State.OK: "green", State.MISSING: "bold red", State.WAIVED: "yellow", State.WARNING: "yellow"}


def doctor(output: FormatOption = Format.TEXT) -> None:
    """Check this machine: layers of the jail, interpreter, processor, huge pages, versions, the bank.

    Exit status 3 when nothing can be judged here.
    """
    settings = read_settings()
    layers = check_layers(settings)
    machine = check_machine()
    findings = [*layers, *machine, *check_database(settings), *check_bank(settings)]
    versions = _versions()
    if output is Format.JSON:
        print_json({"findings": [asdict(finding) for finding in findings], "versions": versions})
    else:
        _print(findings, versions)
    sick = any(finding.state is State.MISSING for finding in findings)
    raise typer.Exit(Exit.JUDGE_FAILED if sick else Exit.GOOD)


def check_layers(settings: Settings) -> list[Finding]:
    """Starts a judge and asks it; when it does not start, the one finding is why."""
    try:
        with one_judge(settings) as judge:
            states = judge.layers()
    except JudgeError as error:
        # The sentence begins with the layer's name where a layer is to blame.
        name = next((layer for layer in LAYERS if str(error).startswith(layer)), "judge")
        return [Finding(name, State.MISSING, str(error))]
    known = {"holds": State.OK, "waived": State.WAIVED}
    # A best-effort layer may be missing while the judge runs: the other one holds.
    return [Finding(layer.name, known.get(layer.state, State.WARNING), layer.detail) for layer in states]


def check_machine() -> list[Finding]:
    """What is the same for every package."""
    probed = _probe()
    if isinstance(probed, str):
        return [Finding("interpreter", State.MISSING, probed), _huge_pages()]
    user = pwd.getpwuid(os.geteuid()).pw_name
    findings = [Finding("interpreter", State.OK, f"{sys.executable} imports torch as {user}")]
    return [*findings, _processor(probed["capability"]), _build(probed["cuda"]), _huge_pages()]


def _probe() -> dict[str, Any] | str:
    """What torch says in an interpreter started like a zygote's, as the user we run as; or why it does not start."""
    command = [sys.executable, "-s", "-P", "-c", _PROBE]
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONPATH": str(package_root())}
    advice = "use a virtual environment that this user can read, such as one below /opt"
    try:
        tried = subprocess.run(  # noqa: S603 -- fixed words and our own interpreter
            command, env=environment, cwd="/", capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{sys.executable} does not run with a clean environment: {error}; {advice}."
    if tried.returncode:
        reason = (tried.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"{sys.executable} cannot import torch with a clean environment: {reason}; {advice}."
    found: dict[str, Any] = json.loads(tried.stdout)
    return found


def _processor(capability: str) -> Finding:
    slow = capability == "DEFAULT" and platform.machine() in {"x86_64", "AMD64"}
    detail = f"torch uses its {capability} kernels"
    if slow:
        detail += ", 2-3 times slower than AVX2: unset ATEN_CPU_CAPABILITY, or use a processor or VM type with AVX2"
    return Finding("cpu", State.WARNING if slow else State.OK, detail)


def _build(cuda: str | None) -> Finding:
    if cuda is None:
        return Finding("torch", State.OK, "built for CPUs only")
    detail = (
        f"built for CUDA {cuda}: about 3 ms more processor time a submission; "
        "make install with TORCH_INDEX set to PyTorch's CPU index installs the other build"
    )
    return Finding("torch", State.WARNING, detail)


def _huge_pages() -> Finding:
    try:
        text = HUGE_PAGES.read_text(encoding="ascii")
    except OSError:
        return Finding("huge-pages", State.WARNING, "this kernel has none: forks take about twice as long")
    setting = text.partition("[")[2].partition("]")[0]
    if setting in {"always", "madvise"}:
        return Finding("huge-pages", State.OK, f"{HUGE_PAGES} is {setting}")
    return Finding("huge-pages", State.WARNING, f"forks take about twice as long: echo madvise | sudo tee {HUGE_PAGES}")


def check_database(settings: Settings) -> list[Finding]:
    """Whether the PostgreSQL of many machines can be used, and whether anybody judges; nothing on one machine."""
    if settings.database_url is None:
        return []
    try:
        with open_store(settings) as store:
            from app.store.jobs import load  # noqa: PLC0415 -- one machine may not have the libraries

            found = store.read(load)
    except StoreError as error:
        return [Finding("database", State.MISSING, str(error))]
    findings = [Finding("database", State.OK, f"answers; {found.queued} submissions wait")]
    if found.workers:
        return [*findings, Finding("workers", State.OK, f"{found.workers} alive")]
    return [*findings, Finding("workers", State.WARNING, "none is alive, nothing is judged: tensorgrade worker")]


def check_bank(settings: Settings) -> list[Finding]:
    """Packages in trouble, and shipped ones that the served bank has otherwise."""
    try:
        checkout = check_out(settings)
    except StoreError:
        return []  # check_database says why
    where = bank_directory(settings) if settings.database_url is None else "the database"
    settings = checkout.settings
    bank = open_bank(settings)
    problems, trouble = bank.problems(), bank.trouble()
    found = Finding("bank", State.OK, f"{where} holds {', '.join(sorted(problems)) or 'no problem'}")
    findings = [found, *(Finding(slug, State.WARNING, sentence) for slug, sentence in sorted(trouble.items()))]
    for directory in sorted(shipped_bank().iterdir()) if bank_directory(settings) != shipped_bank() else []:
        try:
            shipped = load_problem(directory)
        except PackageError:
            continue
        if shipped.slug in problems and problems[shipped.slug].revision != shipped.revision:
            detail = f"differs from the one that this version ships, {directory}; the served one is left as it is"
            findings.append(Finding(shipped.slug, State.WARNING, detail))
    return findings


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version(), "kernel": platform.release(), "machine": platform.machine()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def _print(findings: list[Finding], versions: dict[str, str]) -> None:
    out = console()
    table = Table("Check", "State", "What was found")
    for finding in findings:
        table.add_row(
            safe_text(finding.name), safe_text(finding.state, _STYLES[finding.state]), safe_text(finding.detail)
        )
    out.print(table)
    out.print(safe_text(", ".join(f"{name} {found}" for name, found in versions.items())))
