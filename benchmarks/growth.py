"""How the judge's cost grows with the number of cases and with the size of tensors, against the same work in process.

For sizes the problem is a softmax over rows of 1,024, with an input and an output of the size in the first column. The
bare loop calls it and compares with torch.allclose in 1 MiB chunks of float64, with the allocator that Python has by
itself. For 64 MB the memory limit is raised.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import replace

import numpy as np
import torch
from measuring import accepted, by_turns, machine, p95, ratio, shipped, table
from road import InProcess

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.plan import plan_for_cases
from judge.selftest import tiny_problem
from problems.package import Case, EntryPoint, Limits, Parameter, Problem, Tolerance
from problems.shapes import SymbolicShape

CASES = (1, 10, 100)
KIB = (1, 32, 1024, 8 * 1024, 64 * 1000)
"""The last is 64 MB: the largest round size that fits the output region of 64 MiB with its records."""
ROW = 1024
SOFTMAX = b"import torch\n\n\ndef rows(X):\n    return torch.softmax(X, dim=-1)\n"


def with_cases(problem: Problem, count: int) -> Problem:
    """The problem with so many cases, its own over and over."""
    cases = [replace(problem.cases[index % len(problem.cases)], name=f"secret/{index:03d}") for index in range(count)]
    return replace(problem, revision=f"{count} cases", cases=tuple(cases))


def of_size(kib: int) -> Problem:
    """One case: softmax over the rows of a tensor of so many KiB."""
    values = np.random.default_rng(kib).standard_normal((max(1, kib // 4), min(ROW, kib * 256)), dtype=np.float32)
    wide = np.exp(values.astype(np.float64))
    answer = wide / wide.sum(axis=-1, keepdims=True)
    shape = SymbolicShape.parse("n, m")
    case = Case("secret/01", "rows", {"X": values}, answer, Tolerance(1e-4, 1e-7), "")
    entry = EntryPoint("rows", (Parameter("X", "float32", shape),), "float32", shape)
    limits = Limits(time_s=10.0, memory_mib=1024 if kib == KIB[-1] else 512)
    return replace(tiny_problem(), slug="rows", revision=f"{kib}", entry_point=entry, cases=(case,), limits=limits)


def close_in_chunks(output: torch.Tensor, answer: torch.Tensor, tolerance: Tolerance) -> bool:
    """torch.allclose in float64, 1 MiB at a time: of one piece it would take four times as long."""
    pairs = zip(output.reshape(-1).split(1 << 17), answer.reshape(-1).split(1 << 17), strict=True)
    return all(torch.allclose(got.double(), want, rtol=tolerance.rtol, atol=tolerance.atol) for got, want in pairs)


def row(name: str, base: list[float], ours: list[float]) -> tuple[str, ...]:
    """One line of a table."""
    middle, judged = statistics.median(base), statistics.median(ours)
    return name, f"{middle:.2f}", f"{judged:.2f}", f"{p95(ours):.2f}", f"{ratio(ours, base):.2f}"


def grow_cases(judge: Judge, rounds: int) -> None:
    """Print the table by number of cases."""
    shipped_problem, source = shipped()
    rows = []
    for count in CASES:
        problem = with_cases(shipped_problem, count)
        bare = InProcess(problem, plan_for_cases(problem, problem.cases))
        ways = [lambda bare=bare: bare.grade(source), lambda problem=problem: accepted(judge, problem, source)]
        rows.append(row(str(count), *by_turns(ways, rounds, 0.03)))
    table(("cases", "bare ms", "judged ms", "p95 ms", "ratio"), rows)


def grow_size(judge: Judge, rounds: int) -> None:
    """Print the table by size of tensors."""
    rows = []
    for kib in KIB:
        problem = of_size(kib)
        (case,) = problem.cases
        given = torch.from_numpy(case.inputs["X"].copy())

        def bare(given: torch.Tensor = given, case: Case = case) -> None:
            if not close_in_chunks(torch.softmax(given, dim=-1), torch.from_numpy(case.answer), case.tolerance):
                raise SystemExit("the bare loop is wrong")

        ways = [bare, lambda problem=problem: accepted(judge, problem, SOFTMAX)]
        few = rounds if kib <= 1024 else max(5, rounds // 4)
        name = f"{kib} KiB" if kib < 1024 else f"{kib / 1024:.0f} MiB" if kib < KIB[-1] else "64 MB"
        rows.append(row(name, *by_turns(ways, few, 0.03)))
    table(("tensor", "bare ms", "judged ms", "p95 ms", "ratio"), rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(machine())
    with Judge(JudgeOptions(zygotes=1)) as judge:
        grow_cases(judge, options.rounds)
        print()
        grow_size(judge, options.rounds)


if __name__ == "__main__":
    main()
