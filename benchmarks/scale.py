"""What many machines cost and bring: latency next to one machine's, by turns, and throughput with one and two workers.

    one machine     client ─► serve (judges, SQLite)
    many machines   client ─► serve ─► PostgreSQL ─► worker ─► PostgreSQL ─► serve

Everything runs on this machine: what a network between them adds is not in the figures, and a second worker has no
processors of its own. Every answer is durable in both.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable, Mapping
from contextlib import ExitStack

import httpx
from measuring import by_turns, machine, p95, shipped, table, tree_cpu_ms
from postgres import postgres
from serve import Server, serving, working
from serving import submit, together

WAYS = ("one machine", "many machines")


def latency(stack: ExitStack, one: Server, many: Server, rounds: int, rest_s: float) -> None:
    """Print what one client waits for, with nobody else there."""
    body = {"source": shipped()[1].decode()}

    def way(server: Server) -> Callable[[], float]:
        client = stack.enter_context(httpx.Client(base_url=server.address, timeout=60))
        return lambda: submit(client, body)

    taken = by_turns([way(one), way(many)], rounds, rest_s, warm=10)
    added = [after - before for before, after in zip(*taken, strict=True)]
    table(
        ["POST /submit, ms", "p50", "p95"],
        [
            *([name, f"{statistics.median(ms):.1f}", f"{p95(ms):.1f}"] for name, ms in zip(WAYS, taken, strict=True)),
            ["added", f"{statistics.median(added):.1f}", f"{p95(added):.1f}"],
        ],
    )


def throughput(name: str, server: Server, parts: Mapping[str, int], options: argparse.Namespace) -> None:
    """Print what several clients get who submit again as soon as they are answered, and which part works how much."""
    print(f"\n{name} (load {os.getloadavg()[0]:.2f})")
    before = {part: tree_cpu_ms(pid) for part, pid in parts.items()}
    together(server, options.clients, options.count)
    each = {part: (tree_cpu_ms(pid) - before[part]) / options.count for part, pid in parts.items()}
    print(f"processor time each: {', '.join(f'{part} {ms:.1f} ms' for part, ms in each.items())}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--rest-ms", type=float, default=40.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--count", type=int, default=600)
    options = parser.parse_args()
    print(machine())
    zygote = {"TENSORGRADE_ZYGOTES": "1"}
    with ExitStack() as stack:
        address, postmaster = stack.enter_context(postgres())
        database = {"TENSORGRADE_DATABASE_URL": address}
        many = stack.enter_context(serving(**database))
        parts = {"server": many.pid, "PostgreSQL": postmaster}
        parts["worker"] = stack.enter_context(working(**database, **zygote))
        with serving(**zygote) as one:
            latency(stack, one, many, options.rounds, options.rest_ms / 1000)
            throughput("One machine, one zygote", one, {"server and judge": one.pid}, options)
        throughput("One worker of one zygote", many, parts, options)
        parts["other worker"] = stack.enter_context(working(**database, **zygote))
        throughput("Two workers of one zygote", many, parts, options)
    print(f"\nload afterwards {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
