"""Five ways to run one submission, side by side in one run: what isolation costs, and what it need not cost.

in process          the same compile, calls and comparison in one process without a jail: nothing can do less
armed child         this judge
fork on request     this judge under limits that nobody used lately: no child is armed ahead for them
cold process        `python` that imports torch for each submission, no jail at all
bubblewrap          the same, each in namespaces of its own
"""

from __future__ import annotations

import argparse
import io
import itertools
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from measuring import accepted, by_turns, cpu_parts_ms, machine, p95, ratio, shipped, table
from road import InProcess, children_of, private_mib

from judge.compare import within
from judge.execute import budget_for
from judge.grade import Judge
from judge.options import JudgeOptions, cores
from judge.plan import plan_for_cases
from judge.pool import KEPT_BUDGETS
from problems.package import Limits, Problem

COLD = """
import io, sys, time
import numpy as np, torch
torch.set_num_threads(1)
given = np.load(sys.argv[1])
names, count = sys.argv[3].split(","), int(sys.argv[4])
space = {}
exec(compile(open(sys.argv[2]).read(), "submission", "exec"), space)
function = space[sys.argv[5]]
out = [function(*(torch.from_numpy(given[f"{index}.{name}"]) for name in names)).numpy() for index in range(count)]
np.savez(buffer := io.BytesIO(), *out)
sys.stdout.buffer.write(buffer.getvalue())
print(time.process_time(), file=sys.stderr)
"""


@dataclass(frozen=True)
class Measured:
    """One way's figures."""

    name: str
    latency: list[float]
    rate: float
    cpu: float
    memory: str
    parts: tuple[float, ...] = ()
    """Processor time of supervisor, zygotes and children."""


class Cold:
    """A fresh interpreter for each submission; results are compared out here, as in the judge."""

    def __init__(self, problem: Problem, source: bytes, place: Path, prefix: list[str]) -> None:
        self._cases = problem.cases
        self.cpu_s: list[float] = []
        """What each process says it took until its last line: bubblewrap reaps it, so we cannot ask."""
        inputs = {
            f"{index}.{name}": array for index, case in enumerate(problem.cases) for name, array in case.inputs.items()
        }
        np.savez(place / "inputs.npz", **inputs)
        (place / "submission.py").write_bytes(source)
        names = ",".join(problem.cases[0].inputs)
        words = [place / "inputs.npz", place / "submission.py", names, len(problem.cases), problem.entry_point.function]
        self._command = [*prefix, sys.executable, "-c", COLD, *map(str, words)]

    def grade(self) -> None:
        """Start, import, run, compare."""
        done = subprocess.run(self._command, capture_output=True, check=True)  # noqa: S603 - our own command
        self.cpu_s.append(float(done.stderr.split()[-1]))
        results = np.load(io.BytesIO(done.stdout))
        right = [within(results[f"arr_{index}"], case.answer, case.tolerance) for index, case in enumerate(self._cases)]
        if not all(right):
            raise SystemExit("the cold process was not accepted")


def rate(way: Callable[[], object], count: int, callers: int) -> float:
    """Submissions a second from so many callers at once."""
    with ThreadPoolExecutor(callers) as pool:
        began = time.perf_counter()
        list(pool.map(lambda _: way(), range(count)))
        return count / (time.perf_counter() - began)


def of_judge(judge: Judge, name: str, way: Callable[[], object], latency: list[float], count: int) -> Measured:
    """Throughput, processor time and memory of the judge."""
    rate(way, 8, 4)
    before = cpu_parts_ms(judge)
    found = rate(way, count, 2 * judge.options.zygotes)
    time.sleep(0.1)  # the last children are killed, reaped and replaced
    parts = [(now - then) / count for now, then in zip(cpu_parts_ms(judge), before, strict=True)]
    each = [private_mib(child) for pid in judge.pool.pids() for child in children_of(pid)]
    return Measured(name, latency, found, sum(parts), f"{statistics.median(each):.1f} a child", tuple(parts))


def unused_child_ms(judge: Judge, count: int, *, rehearsed: bool) -> float:
    """Processor time of a child that is armed and killed without a submission, its zygote's part included.

    It rehearses when nobody waits for it.
    """
    budget = budget_for(Limits())
    everything = judge.options.at_once
    before = cpu_parts_ms(judge)
    for _ in range(count):
        while rehearsed and judge.pool.idle() < everything:
            time.sleep(0.001)
        judge.pool.release(judge.pool.take(budget, 10.0))
    time.sleep(0.1)
    after = cpu_parts_ms(judge)
    return (sum(after[1:]) - sum(before[1:])) / count


def of_process(name: str, cold: Cold, latency: list[float], count: int, callers: int) -> Measured:
    """The same of ways that start processes."""
    found = rate(cold.grade, count, callers)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return Measured(name, latency, found, statistics.mean(cold.cpu_s) * 1e3, f"{memory:.0f} a process")


def of_this(name: str, way: Callable[[], object], latency: list[float], count: int) -> Measured:
    """The same of the bare loop, once in each of as many processes as there are cores."""
    before = time.process_time()
    for _ in range(count):
        way()
    cpu = (time.process_time() - before) * 1e3 / count
    command = [sys.executable, __file__, "--bare", str(count)]
    loops = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this script
        for _ in range(cores())
    ]
    for loop in loops:
        loop.stdout.readline()  # ready
    for loop in loops:
        loop.stdin.write("go\n")
        loop.stdin.flush()
    found = sum(count / float(loop.communicate()[0]) for loop in loops)
    return Measured(name, latency, found, cpu, "-")


def odd_limits(problem: Problem) -> Iterator[Problem]:
    """The problem under limits that no child is armed ahead for: always others."""
    return itertools.cycle(
        replace(problem, revision=f"odd {more}", limits=replace(problem.limits, memory_mib=512 + more))
        for more in range(1, 4 * KEPT_BUDGETS)
    )


def be_bare(grade: Callable[[], object], count: int) -> None:
    """One of the processes of `of_this`: warm up, wait for the word, print the seconds that it takes."""
    for _ in range(20):
        grade()
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    for _ in range(count):
        grade()
    print(time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--cold-rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--bare", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    problem, source = shipped()
    bare = InProcess(problem, plan_for_cases(problem, problem.cases))
    if options.bare:
        be_bare(lambda: bare.grade(source), options.bare)
        return
    odd = odd_limits(problem)
    print(f"{machine()}; {len(problem.cases)} cases")
    with Judge(JudgeOptions()) as judge, tempfile.TemporaryDirectory() as name:
        place = Path(name)
        inside = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev"]
        cold = Cold(problem, source, place, [])
        jailed = Cold(problem, source, place, [*inside, "--proc", "/proc"])
        quick = [
            lambda: bare.grade(source),
            lambda: accepted(judge, problem, source),
            lambda: accepted(judge, next(odd), source),
        ]
        base, armed, forked = by_turns(quick, options.rounds, 0.03)
        slow = by_turns([cold.grade, jailed.grade], options.cold_rounds, 0.0, warm=1)
        callers = judge.options.zygotes
        measured = [
            of_this("in process", quick[0], base, options.count),
            of_judge(judge, "armed child", quick[1], armed, options.count),
            of_judge(judge, "fork on request", quick[2], forked, options.count // 2),
            of_process("cold process", cold, slow[0], 2 * callers, callers),
            of_process("bubblewrap", jailed, slow[1], 2 * callers, callers),
        ]
        unused = unused_child_ms(judge, options.count, rehearsed=False)
        rehearsed = unused_child_ms(judge, options.count // 2, rehearsed=True)
    rows = []
    for each in measured:
        against = base if len(each.latency) == len(base) else [statistics.median(base)] * len(each.latency)
        last = f"{p95(each.latency):.2f}" if len(each.latency) > 20 else f"{max(each.latency):.2f}"
        times = f"{ratio(each.latency, against):.2f}"
        rows.append(
            (
                each.name,
                f"{statistics.median(each.latency):.2f}",
                last,
                times,
                f"{each.rate:.1f}",
                f"{each.cpu:.1f}",
                each.memory,
            )
        )
    table(("way", "median ms", "p95 ms", "x bare", "a second", "CPU ms", "MiB"), rows)
    parts = zip(("supervisor", "zygote", "child"), measured[1].parts, strict=True)
    words = ", ".join(f"{name} {ms:.1f} ms" for name, ms in parts)
    print(f"processor time of a submission to an armed child: {words}")
    print(f"of which arming and ending a child that is not used: {unused:.1f} ms")
    print(f"and {rehearsed:.1f} ms when it rehearses, because nobody waits")
    print(f"throughput of the armed child against the bare loops: {measured[1].rate / measured[0].rate:.2f}")


if __name__ == "__main__":
    main()
