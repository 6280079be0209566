"""A class at a real server: 500 students within a minute, 500 within a second, and one who floods.

Each student is a connection and, after the first answer, a cookie of its own. Who is turned away comes again after
Retry-After, as the page does. Every answer is durable.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import httpx
from measuring import machine, p95, shipped
from serve import Server, serving

BUSY = {429, 503}
FLOOD = 60
OTHERS = 10


@dataclass
class Tally:
    """What happened to a crowd."""

    took_s: list[float] = field(default_factory=list)
    """From the first attempt to the report."""
    refused: Counter[int] = field(default_factory=Counter)
    without_retry_after: int = 0
    failed: Counter[str] = field(default_factory=Counter)


async def student(server: Server, tally: Tally, source: str) -> None:
    """Submits once and waits for the report."""
    start = time.perf_counter()
    # A transport of its own, or every student would read the certificates of the world for a connection without TLS.
    transport = httpx.AsyncHTTPTransport(verify=False)
    async with httpx.AsyncClient(base_url=server.address, timeout=120, transport=transport) as client:
        while True:
            try:
                answer = await client.post("/submit", json={"source": source})
                if answer.status_code == 202:
                    answer = await client.get(answer.headers["location"], headers={"Prefer": "wait=60"})
            except httpx.HTTPError as error:
                tally.failed[type(error).__name__] += 1
                return
            if answer.status_code in BUSY:
                tally.refused[answer.status_code] += 1
                tally.without_retry_after += "retry-after" not in answer.headers
                await asyncio.sleep(int(answer.headers.get("retry-after", "1")) * random.uniform(1, 1.5))  # noqa: S311
                continue
            if answer.status_code != 200 or answer.json()["verdict"] != "accepted":
                tally.failed[f"{answer.status_code} {answer.json().get('verdict')}"] += 1
                return
            tally.took_s.append(time.perf_counter() - start)
            return


async def crowd(server: Server, students: int, within_s: float) -> Tally:
    """So many students at even distances."""
    tally, source = Tally(), shipped()[1].decode()

    async def late(number: int) -> None:
        await asyncio.sleep(within_s * number / students)
        await student(server, tally, source)

    await asyncio.gather(*(late(number) for number in range(students)))
    return tally


def say(name: str, students: int, tally: Tally) -> None:
    """Print a tally."""
    took = sorted(tally.took_s)
    print(
        f"{name}: {len(took)} of {students} judged   p50 {statistics.median(took):.2f} s   p95 {p95(took):.2f} s   "
        f"slowest {took[-1]:.2f} s   refused {dict(tally.refused)} ({tally.without_retry_after} without Retry-After)   "
        f"failed {dict(tally.failed)}"
    )


async def quiet(server: Server, rounds: int) -> list[float]:
    """Seconds of students who come one after another."""
    tally, source = Tally(), shipped()[1].decode()
    for _ in range(rounds):
        await student(server, tally, source)
    return tally.took_s


async def flood(address: str) -> None:
    """Sends 60 at once, again and again, until a line comes in; says what came back."""
    source, refused = shipped()[1].decode(), Counter[int]()
    end = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=httpx.Limits(max_connections=FLOOD)) as client:
        await client.post("/submit", json={"source": source})  # a cookie that the server knows
        while not end.done():
            sent = [client.post("/submit", json={"source": source}) for _ in range(FLOOD)]
            refused.update(answer.status_code for answer in await asyncio.gather(*sent))
            print("flooding", flush=True)
    print(dict(refused))


async def flooded(server: Server) -> None:
    """Ten students who come one after another while one other floods from a process of its own."""
    alone = await quiet(server, 2 * OTHERS)
    command = [sys.executable, __file__, "--flood", server.address]
    flooding = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert flooding.stdout is not None  # noqa: S101 -- for the type checker
    await flooding.stdout.readline()  # the first sixty have come back
    during = await quiet(server, OTHERS)
    came_back, _ = await flooding.communicate(b"\n")
    print(
        f"one floods {FLOOD} at a time: others' median {statistics.median(alone) * 1e3:.0f} ms -> "
        f"{statistics.median(during) * 1e3:.0f} ms, {statistics.median(during) / statistics.median(alone):.1f} times "
        f"(slowest {max(during) * 1e3:.0f} ms); the flood got {came_back.decode().splitlines()[-1]}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--only-flood", action="store_true")
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.flood:
        asyncio.run(flood(options.flood))
        return
    print(machine())
    students = options.students
    with serving() as server:
        time.sleep(3)  # the known mistakes run first
        asyncio.run(quiet(server, 20))
        if not options.only_flood:
            before = server.resident_mib(), server.descriptors()
            say(f"{students} within 60 s", students, asyncio.run(crowd(server, students, 60)))
            say(f"{students} within 1 s", students, asyncio.run(crowd(server, students, 1)))
            time.sleep(2)
            after = server.resident_mib(), server.descriptors()
            print(f"server's own memory {before[0]:.0f} -> {after[0]:.0f} MiB, descriptors {before[1]} -> {after[1]}")
        asyncio.run(flooded(server))
    print(f"load afterwards {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
