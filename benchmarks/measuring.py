"""What the scripts beside it share: the shipped problem, the machine in a line, medians, processor time of a judge."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import torch

from judge.grade import Judge
from problems.package import Problem
from problems.reading import load_problem
from problems.shipped import shipped_bank

SLUG = "scaled-dot-product-attention"
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def shipped() -> tuple[Problem, bytes]:
    """The first problem and an accepted program of it."""
    problem = load_problem(shipped_bank() / SLUG)
    return problem, next(each.source for each in problem.accepted if each.name.endswith("/torch-functions"))


def machine() -> str:
    """Processor, kernel, versions and how busy the machine is, in a line."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "CPU part")))
    return (
        f"{next(names, platform.machine())}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()};"
        f" tensorgrade {version('tensorgrade')}, Python {platform.python_version()}, torch {torch.__version__};"
        f" load {os.getloadavg()[0]:.2f}"
    )


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that it takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def by_turns(ways: Sequence[Callable[[], object]], rounds: int, rest_s: float, warm: int = 3) -> list[list[float]]:
    """Milliseconds of each way in each round: all ways once a round, so that the machine's moods hit all of them.

    The rest after each lets children be armed again: what is measured is latency, not a queue.
    """
    taken: list[list[float]] = [[] for _ in ways]
    for number in range(rounds + warm):
        for way, own in zip(ways, taken, strict=True):
            ms = timed(way)
            if number >= warm:
                own.append(ms)
            time.sleep(rest_s)
    return taken


def ratio(ours: Sequence[float], base: Sequence[float]) -> float:
    """Median of the pairwise ratios."""
    return statistics.median(one / other for one, other in zip(ours, base, strict=True))


def p95(taken: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(taken, n=20)[18]


def cpu_parts_ms(judge: Judge) -> tuple[float, float, float]:
    """Processor time so far: of this process, of a judge's zygotes, and of all children that they have reaped."""
    zygotes = children = 0.0
    for pid in judge.pool.pids():
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        own_user, own_system, user, system = (int(field) * _TICK_S * 1e3 for field in fields[11:15])
        zygotes += own_user + own_system
        children += user + system
    return time.process_time() * 1e3, zygotes, children


def tree_cpu_ms(root: int) -> float:
    """Processor time so far of a process, of those that it started, and of all children that these have reaped."""
    spent: dict[int, float] = {}
    parent: dict[int, int] = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            fields = (each / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parent[int(each.name)] = int(fields[1])
        spent[int(each.name)] = sum(map(int, fields[11:15])) * _TICK_S * 1e3

    def is_below(process: int) -> bool:
        while process not in {root, 0}:
            process = parent.get(process, 0)
        return process == root

    return sum(ms for process, ms in spent.items() if is_below(process))


def cpu_ms(judge: Judge) -> float:
    """All of it."""
    return sum(cpu_parts_ms(judge))


def accepted(judge: Judge, problem: Problem, source: bytes) -> None:
    """Grade, and stop the benchmark when the program is not accepted: then nothing was measured."""
    report = judge.grade(problem, source)
    if report.passed != report.total:
        raise SystemExit(
            f"not accepted: {report.verdict} {[case.message for case in report.cases if case.message][:1]}"
        )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print in columns: the first to the left, the others to the right."""
    cells = [list(map(str, head)), *(list(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        first, *rest = row
        print("  ".join([first.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(rest, widths[1:], strict=True))]))
