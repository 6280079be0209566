"""From an armed child to the verdict, against the same work in process; throughput; memory. `make bench`.

The baseline does what no grader can do less of: the same policy compile of the same source, the same calls on the same
inputs, the same comparison, in one process without any jail. Both run by turns, so that the machine's moods hit both;
the ratio is the median of the pairwise ratios.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

from judge.grade import Judge
from judge.jail import wire
from judge.jail.policy import Language, Sink
from judge.options import JudgeOptions
from judge.plan import Plan, plan_for_cases
from problems.package import TRANSPOSED, Problem
from problems.reading import load_problem
from problems.shipped import shipped_bank


class InProcess:
    """The same work without a jail."""

    def __init__(self, problem: Problem, plan: Plan) -> None:
        self._problem = problem
        self._plan = plan
        self._language = Language.prepare()
        forbid = [(each.name, each.message) for each in problem.policy.forbid]
        self._language.restrict(forbid, problem.policy.imports)
        self._tensors = [
            [
                [_tensor(array, layout) for array, layout in zip(call.arguments, call.layouts, strict=True)]
                for call in batch.calls
            ]
            for batch in plan.batches
        ]
        self._slots = [bytearray(batch.free_at - wire.DATA_AT) for batch in plan.batches]

    def grade(self, source: bytes) -> bool:
        """Compile, call, compare."""
        code = self._language.compile(source).code
        namespace = self._language.namespace(Sink(keep=65536))
        exec(code, namespace)  # noqa: S102 - a program of the shipped package
        function = namespace[self._problem.entry_point.function]
        right = True
        for number, batch in enumerate(self._plan.batches):
            slots = self._slots[number]
            for arguments, slot in zip(self._tensors[number], batch.slots, strict=True):
                torch.manual_seed(1)
                out = function(*arguments)
                at = slot - wire.DATA_AT
                slots[at : at + out.numel() * 4] = out.detach().contiguous().numpy().tobytes()
            right &= bool(self._plan.expectations[number].right(memoryview(slots)).all())
        return right


def _tensor(array: np.ndarray, layout: str | None) -> torch.Tensor:
    if layout == TRANSPOSED:
        return torch.from_numpy(np.ascontiguousarray(array.swapaxes(-1, -2))).transpose(-1, -2)
    return torch.from_numpy(np.array(array))


def private_mib(pid: int) -> float:
    """Memory that only this process holds."""
    kib = 0
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith(("Private_Clean:", "Private_Dirty:")):
            kib += int(line.split()[1])
    return kib / 1024


def children_of(pid: int) -> list[int]:
    """Direct children."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def latency(judge: Judge, problem: Problem, source: bytes, rounds: int, rest_s: float) -> None:
    """Print paired medians."""
    plan = plan_for_cases(problem, problem.cases)
    bare = InProcess(problem, plan)
    ours, base, ratios = [], [], []
    for number in range(rounds + 20):
        start = time.perf_counter()
        bare.grade(source)
        middle = time.perf_counter()
        judge.grade(problem, source)
        end = time.perf_counter()
        time.sleep(rest_s)  # so that armed children are ready again: the figure is the latency, not the queue
        if number >= 20:
            base.append(middle - start)
            ours.append(end - middle)
            ratios.append((end - middle) / (middle - start))
    quantile = statistics.quantiles(ours, n=20)[18]
    print(f"in process, no jail          median {statistics.median(base) * 1e3:6.2f} ms")
    print(f"armed child to the verdict   median {statistics.median(ours) * 1e3:6.2f} ms   p95 {quantile * 1e3:6.2f} ms")
    print(f"ratio                        median {statistics.median(ratios):6.2f}")


def throughput(judge: Judge, problem: Problem, source: bytes, count: int, callers: int) -> None:
    """Print submissions per second through Judge.grade."""
    with ThreadPoolExecutor(callers) as pool:
        list(pool.map(lambda _: judge.grade(problem, source), range(callers * 4)))
        start = time.perf_counter()
        list(pool.map(lambda _: judge.grade(problem, source), range(count)))
        rate = count / (time.perf_counter() - start)
    print(f"throughput, {callers} callers        {rate:6.0f} submissions/s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--rest-ms", type=float, default=30.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    problem = load_problem(shipped_bank() / "scaled-dot-product-attention")
    source = next(each.source for each in problem.accepted if each.name.endswith("/torch-functions"))
    start = time.perf_counter()
    with Judge(JudgeOptions()) as judge:
        print(
            f"tensorgrade on {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}; "
            f"Python {platform.python_version()}, torch {torch.__version__}, {len(problem.cases)} cases"
        )
        print(f"start to ready               {time.perf_counter() - start:6.2f} s")
        time.sleep(1)
        each = [private_mib(child) for pid in judge.pool.pids() for child in children_of(pid)]
        print(f"private memory, armed child  {statistics.median(each):6.2f} MiB (of {len(each)})")
        latency(judge, problem, source, options.rounds, options.rest_ms / 1000)
        throughput(judge, problem, source, 600, 2 * judge.options.zygotes)
        print(f"load afterwards              {os.getloadavg()[0]:6.2f}")


if __name__ == "__main__":
    main()
