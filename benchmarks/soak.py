"""Twenty thousand submissions of many kinds at a real server: memory, descriptors and latency must stay flat.

Prints a line every so many submissions, and at the end the slope of each figure for every thousand submissions, fitted
over the second half: what is made once is made in the first.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
from measuring import machine, shipped
from serve import Server, serving

CLIENTS = 4
LINES = 40
BAD = {
    "raises": "def scaled_dot_product_attention(Q, K, V):\n    raise ValueError('no')\n",
    "no python": "def scaled_dot_product_attention(Q, K, V:\n",
    "prints": "def scaled_dot_product_attention(Q, K, V):\n    print('x' * 10_000)\n    return Q\n",
    "returns none": "def scaled_dot_product_attention(Q, K, V):\n    return None\n",
    "large": "import torch\ndef scaled_dot_product_attention(Q, K, V):\n    return torch.zeros(1000, 1000)\n",
}


def bodies() -> list[dict[str, object]]:
    """Submissions and runs of every kind."""
    problem, accepted = shipped()
    own = [{"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[10], [20]]}]
    kinds: list[dict[str, object]] = [{"source": accepted.decode()} for _ in range(6)]
    kinds += [{"source": source} for source in BAD.values()]
    kinds += [{"source": each.source.decode()} for each in problem.mistakes if each.verdict == "wrong_answer"][:10]
    kinds += [{"source": accepted.decode(), "mode": "run", "inputs": own}]
    kinds += [{"source": accepted.decode(), "mode": "run", "like": "secret/04-batched"}]
    return kinds


def some(server: Server, count: int, kinds: list[dict[str, object]]) -> list[float]:
    """Milliseconds of so many submissions from a few clients."""

    def one(share: int) -> list[float]:
        took = []
        with httpx.Client(base_url=server.address, timeout=120) as client:
            for body in itertools.islice(itertools.cycle(kinds), share, share + count // CLIENTS):
                start = time.perf_counter()
                client.post("/submit", json=body).raise_for_status()
                took.append((time.perf_counter() - start) * 1e3)
        return took

    with ThreadPoolExecutor(CLIENTS) as pool:
        return [ms for took in pool.map(one, range(CLIENTS)) for ms in took]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    options = parser.parse_args()
    print(machine())
    rows = []
    kinds = bodies()
    with serving() as server:
        some(server, 200, kinds)
        for number in range(1, LINES + 1):
            took = some(server, options.count // LINES, kinds)
            rows.append(
                (
                    number * options.count / LINES,
                    server.resident_mib(),
                    server.descriptors(),
                    statistics.median(took),
                )
            )
            sent, memory, descriptors, latency = rows[-1]
            print(
                f"{sent:7.0f} submissions   {memory:7.1f} MiB   {descriptors:4d} descriptors   p50 {latency:6.1f} ms"
                f"   load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    half = np.array(rows[len(rows) // 2 :])
    for name, column in (("MiB", 1), ("descriptors", 2), ("ms", 3)):
        slope = np.polyfit(half[:, 0] / 1000, half[:, column], 1)[0]
        print(f"slope over the second half   {slope:+.3f} {name} for every thousand submissions")


if __name__ == "__main__":
    main()
