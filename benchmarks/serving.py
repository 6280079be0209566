"""What a real server does: one submission after another against the bare loop, and several clients at once.

Every answer is durable: SQLite in WAL mode with synchronous=FULL. The bare loop (the same policy compile, calls and
comparison in one process, no jail, no HTTP, no store) runs once before each submission, so that the machine's moods hit
both.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import torch
from measuring import machine, p95, ratio, shipped
from road import InProcess
from serve import Server, serving

from judge.plan import plan_for_cases

WARM = 10


def submit(client: httpx.Client, body: dict[str, str]) -> float:
    """Milliseconds for one submission that is accepted."""
    start = time.perf_counter()
    answer = client.post("/submit", json=body)
    took = time.perf_counter() - start
    if answer.json().get("verdict") != "accepted":
        raise SystemExit(f"not accepted: {answer.status_code} {answer.text[:300]}")
    return took * 1e3


def alone(server: Server, rounds: int, rest_s: float) -> None:
    """Print paired medians of one client."""
    problem, source = shipped()
    bare = InProcess(problem, plan_for_cases(problem, problem.cases))
    ours: list[float] = []
    base: list[float] = []
    with httpx.Client(base_url=server.address, timeout=60) as client:
        for number in range(rounds + WARM):
            if number == WARM:
                cpu_s = server.cpu_s()
            start = time.perf_counter()
            bare.grade(source)
            bare_ms = (time.perf_counter() - start) * 1e3
            took = submit(client, {"source": source.decode()})
            time.sleep(rest_s)  # so that children are armed again: what is measured is latency, not a queue
            if number >= WARM:
                base.append(bare_ms)
                ours.append(took)
    cpu_ms = (server.cpu_s() - cpu_s) / rounds * 1e3
    print(f"bare loop                  median {statistics.median(base):6.2f} ms")
    print(f"POST /submit, one client   median {statistics.median(ours):6.2f} ms   p95 {p95(ours):6.2f} ms")
    print(f"ratio                      median {ratio(ours, base):6.2f}      server CPU {cpu_ms:.1f} ms each")


def together(server: Server, clients: int, count: int) -> None:
    """Print throughput and latency of several clients, each with a connection and a cookie of its own."""
    body = json.dumps({"source": shipped()[1].decode()})
    ready = threading.Barrier(clients + 1)

    def one(number: int) -> list[float]:
        # http.client, not httpx: what the clients need of the same processors is not the server's.
        place = urlsplit(server.address)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        headers = {"Content-Type": "application/json"}

        def ms() -> float:
            start = time.perf_counter()
            connection.request("POST", "/submit", body, headers)
            answer = connection.getresponse()
            text = answer.read()
            took = time.perf_counter() - start
            if cookie := answer.getheader("Set-Cookie"):
                headers["Cookie"] = cookie.partition(";")[0]
            if b'"verdict":"accepted"' not in text:
                raise SystemExit(f"not accepted: {answer.status} {text[:300]!r}")
            return took * 1e3

        ms()
        ready.wait()
        return [ms() for _ in range(count // clients + (number < count % clients))]

    with ThreadPoolExecutor(clients) as pool:
        running = [pool.submit(one, number) for number in range(clients)]
        ready.wait()
        start, cpu_s, commits = time.perf_counter(), server.cpu_s(), server.figure("store_commits")
        took = [ms for each in running for ms in each.result()]
        lasted = time.perf_counter() - start
    cpu_ms, commits = (server.cpu_s() - cpu_s) / len(took) * 1e3, server.figure("store_commits") - commits
    print(
        f"{clients} clients                  {len(took) / lasted:6.0f} submissions/s"
        f"   p50 {statistics.median(took):4.0f} ms   p95 {p95(took):4.0f} ms"
        f"   server CPU {cpu_ms:.1f} ms and {commits / len(took):.1f} commits each"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--rest-ms", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--data", type=Path, help="Where the database lies; a temporary directory if not given.")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(machine())
    with serving(options.data) as server:
        time.sleep(3)  # the known mistakes run first
        alone(server, options.rounds, options.rest_ms / 1000)
        together(server, options.clients, options.count)
    print(f"load afterwards {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
