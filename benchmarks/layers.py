"""What each layer of the jail costs: a judge for each with that layer waived, all running at once and asked by turns.

A figure below zero, or within the noise that the first row's spread shows, means that the layer costs nothing that can
be measured. The deadline is not among them: it is the supervisor's clock, which runs anyway.
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import ExitStack

import torch
from measuring import accepted, by_turns, cpu_ms, machine, p95, shipped, table

from judge.grade import Judge
from judge.options import LAYERS, JudgeOptions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    torch.set_num_threads(1)
    problem, source = shipped()
    names = ["none", *(layer for layer in LAYERS if layer != "deadline")]
    print(machine())
    with ExitStack() as judges:
        running, starts = [], []
        for name in names:
            began = time.perf_counter()
            waived = frozenset({name} & set(LAYERS))
            running.append(judges.enter_context(Judge(JudgeOptions(zygotes=1, armed=1, waive=waived))))
            starts.append(time.perf_counter() - began)
        ways = [lambda judge=judge: accepted(judge, problem, source) for judge in running]
        taken = by_turns(ways, options.rounds, 0.02)
        cpu = [processor_ms(judge, way, options.count) for judge, way in zip(running, ways, strict=True)]
    rows = []
    for name, start, own, spent in zip(names, starts, taken, cpu, strict=True):
        against = [one - other for one, other in zip(taken[0], own, strict=True)]
        rows.append(
            (
                name,
                f"{statistics.median(own):.2f}",
                f"{p95(own):.2f}",
                f"{statistics.median(against):+.2f}" if name != "none" else "",
                f"{spent:.1f}",
                f"{cpu[0] - spent:+.1f}" if name != "none" else "",
                f"{start:.1f}",
            )
        )
    table(("waived", "median ms", "p95 ms", "costs ms", "CPU ms", "costs CPU ms", "start s"), rows)


def processor_ms(judge: Judge, way: object, count: int) -> float:
    """Processor time of one submission, arming the next child included."""
    before = cpu_ms(judge)
    for _ in range(count):
        way()
    time.sleep(0.1)
    return (cpu_ms(judge) - before) / count


if __name__ == "__main__":
    main()
