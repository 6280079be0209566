"""Five ways to run one submission, side by side in one run: what isolation costs, and what it need not cost.

in process          the same compile, calls and comparison in one process without a jail: nothing can do less
armed child         this judge
fork on request     this judge for a problem whose memory limit is not the usual one: no child is armed ahead for it
cold process        `python` that imports torch for each submission, no jail at all
bubblewrap          the same, each in namespaces of its own
"""

from __future__ import annotations

import argparse
import io
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from measuring import accepted, by_turns, cpu_ms, machine, p95, ratio, shipped, table
from road import InProcess, children_of, private_mib

from judge.compare import within
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.plan import plan_for_cases
from problems.package import Problem

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
    before = cpu_ms(judge)
    found = rate(way, count, 2 * judge.options.zygotes)
    time.sleep(0.1)  # the last children are killed, reaped and replaced
    cpu = (cpu_ms(judge) - before) / count
    each = [private_mib(child) for pid in judge.pool.pids() for child in children_of(pid)]
    return Measured(name, latency, found, cpu, f"{statistics.median(each):.1f} a child")


def of_process(name: str, cold: Cold, latency: list[float], count: int, callers: int) -> Measured:
    """The same of ways that start processes."""
    found = rate(cold.grade, count, callers)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return Measured(name, latency, found, statistics.mean(cold.cpu_s) * 1e3, f"{memory:.0f} a process")


def of_this(name: str, way: Callable[[], object], latency: list[float], count: int) -> Measured:
    """The same of the bare loop, which has one process."""
    before = time.process_time()
    found = rate(way, count, 1)
    return Measured(name, latency, found, (time.process_time() - before) * 1e3 / count, "-")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--cold-rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(1)
    problem, source = shipped()
    bare = InProcess(problem, plan_for_cases(problem, problem.cases))
    odd = replace(problem, revision="odd", limits=replace(problem.limits, memory_mib=problem.limits.memory_mib + 1))
    print(f"{machine()}; {len(problem.cases)} cases")
    with Judge(JudgeOptions()) as judge, tempfile.TemporaryDirectory() as name:
        place = Path(name)
        inside = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev"]
        cold = Cold(problem, source, place, [])
        jailed = Cold(problem, source, place, [*inside, "--proc", "/proc"])
        quick = [
            lambda: bare.grade(source),
            lambda: accepted(judge, problem, source),
            lambda: accepted(judge, odd, source),
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


if __name__ == "__main__":
    main()
