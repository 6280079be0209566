"""What the language policy costs: loop-heavy programs against plain Python, and compiling ordinary submissions.

Run it as `.venv/bin/python benchmarks/policy.py`. Ratios are of the best of many interleaved runs, so that a busy
machine shifts both sides alike. Exit status 1 when a promise of docs/policy.md is not kept.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from judge.jail.policy import Language, Sink

ACCEPTED = Path(__file__).parents[1] / "tests" / "corpus" / "accepted"
MOST_RATIO = 1.5
MOST_COMPILE_MS = 3.0
ROUNDS = 25

LOOPS = {
    "elements of a matrix": """
import math, torch
Q, K = torch.ones(24, 8), torch.ones(24, 8)
def run():
    S = torch.zeros(24, 24)
    for i in range(24):
        for j in range(24):
            S[i, j] = torch.sum(Q[i] * K[j]) / math.sqrt(Q.shape[1])
    return S
""",
    "rows with softmax": """
import torch
import torch.nn.functional as F
Q = K = V = torch.ones(200, 8)
def run():
    out = []
    for i in range(Q.shape[0]):
        scores = Q[i] @ K.transpose(-2, -1) / K.size(-1) ** 0.5
        out.append(F.softmax(scores, dim=-1) @ V)
    return torch.stack(out)
""",
    "online softmax": """
import torch
Q = K = V = torch.ones(200, 8)
def run():
    m, l, acc = torch.full((200, 1), float("-inf")), torch.zeros(200, 1), torch.zeros(200, 8)
    for k, v in zip(K.split(2), V.split(2)):
        s = Q @ k.mT * Q.shape[-1] ** -0.5
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        p, alpha = torch.exp(s - m_new), torch.exp(m - m_new)
        l, acc, m = alpha * l + p.sum(-1, keepdim=True), alpha * acc + p @ v, m_new
    return acc / l
""",
    "an own class that adds up": """
import torch
class Total:
    def __init__(self):
        self.total = 0
        self.count = 0
    def add(self, x):
        self.total += x
        self.count += 1
w, V = torch.ones(50, 400), torch.ones(400, 8)
def run():
    total = Total()
    for j in range(V.shape[-2]):
        total.add(w[..., j, None] * V[..., None, j, :])
    return total.total
""",
    "an nn.Module called often": """
import torch
from torch import nn
class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.soft = nn.Softmax(dim=-1)
        self.scale = 8 ** -0.5
    def forward(self, q, k):
        return self.soft(q @ k.mT * self.scale)
net, Q = Scores(), torch.ones(16, 8)
def run():
    for _ in range(300):
        out = net(Q, Q)
    return out
""",
    "numbers in lists": """
import math
q = k = [[float(i + j) for j in range(8)] for i in range(40)]
def run():
    out = []
    for row in q:
        scores = []
        for other in k:
            total = 0.0
            for a, b in zip(row, other):
                total += a * b
            scores.append(total / math.sqrt(len(row)))
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        out.append([e / sum(exps) for e in exps])
    return out
""",
}


def milliseconds(function: Callable[[], object]) -> float:
    """Processor time of one call: what else the machine does is not ours."""
    began = time.thread_time()
    function()
    return (time.thread_time() - began) * 1000


def restricted(source: str) -> Callable[[], object]:
    """`run` of the source under the policy."""
    language = Language.prepare()
    namespace = language.namespace(Sink(1000))
    exec(language.compile(source.encode()).code, namespace)  # noqa: S102 - what is measured
    return namespace["run"]  # type: ignore[no-any-return]


def plain(source: str) -> Callable[[], object]:
    """`run` of the source in plain Python."""
    namespace: dict[str, object] = {"__name__": "submission"}
    exec(compile(source, "<submission>", "exec"), namespace)  # noqa: S102 - what is compared with
    return namespace["run"]  # type: ignore[return-value]


def ratio_of(source: str) -> tuple[float, float]:
    """Milliseconds in plain Python, and how many times as long it takes under the policy."""
    with_policy, without = restricted(source), plain(source)
    pairs = [(milliseconds(with_policy), milliseconds(without)) for _ in range(ROUNDS)]
    best = min(pair[1] for pair in pairs)
    return best, min(pair[0] for pair in pairs) / best


def compile_times() -> list[float]:
    """Milliseconds for each accepted program of the corpus: the best of a few."""
    language = Language.prepare()
    sources = [path.read_bytes() for path in sorted(ACCEPTED.glob("*.py"))]
    return [min(milliseconds(lambda: language.compile(source)) for _ in range(ROUNDS)) for source in sources]  # noqa: B023 - called at once


def main() -> int:
    """Print the tables; 1 if a promise is broken."""
    torch.set_num_threads(1)
    print("| loop-heavy program | plain Python | under the policy |\n|---|---|---|")
    ratios = {}
    for name, source in LOOPS.items():
        best, ratios[name] = ratio_of(source)
        print(f"| {name} | {best:.1f} ms | {ratios[name]:.2f}x |")
    times = compile_times()
    prepare = milliseconds(Language.prepare)
    print(f"\nCompiling: median {statistics.median(times):.2f} ms, worst {max(times):.2f} ms ({len(times)} programs).")
    print(f"Preparing, once in the zygote: {prepare:.0f} ms.")
    return int(max(ratios.values()) > MOST_RATIO or max(times) > MOST_COMPILE_MS)


if __name__ == "__main__":
    sys.exit(main())
