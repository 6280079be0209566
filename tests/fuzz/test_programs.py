"""Random programs from a grammar, through the whole road: no judge error, nothing accepted that is not right.

The programs are attention with something changed, so that some are right, most are wrong, and many fail in their own
way. Each that is accepted is run again in this process, and its outputs must be the answers.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import NONDETERMINISTIC, Verdict
from problems.package import TRANSPOSED, Limits

FEW, MANY = 200, 10_000
SCORES = (
    "Q @ K.transpose(-2, -1)", "Q @ K.mT", "torch.matmul(Q, K.transpose(-1, -2))",
    "torch.einsum('...nd,...md->...nm', Q, K)", "(Q.unsqueeze(-2) * K.unsqueeze(-3)).sum(-1)", "K @ Q.mT", "Q @ K",
)  # fmt: skip
SCALES = (
    "s / d ** 0.5", "s / math.sqrt(d)", "s * d ** -0.5", "s / torch.tensor(d).sqrt()", "s", "s / d", "s * 2",
    "s / V.shape[-1] ** 0.5", "s - s", "s / 0",
)  # fmt: skip
WEIGHTS = (
    "torch.softmax(s, dim=-1)", "s.softmax(-1)", "torch.exp(s - torch.logsumexp(s, -1, keepdim=True))",
    "torch.exp(s - s.amax(-1, keepdim=True)) / torch.exp(s - s.amax(-1, keepdim=True)).sum(-1, keepdim=True)",
    "torch.softmax(s, dim=-2)", "torch.sigmoid(s)", "s", "torch.exp(s) / torch.exp(s).sum()", "torch.relu(s)",
    "(s == s.amax(-1, keepdim=True)).float()", "torch.softmax(s, dim=0)", "s.argmax(-1)",
)  # fmt: skip
RESULTS = (
    "w @ V", "torch.matmul(w, V)", "torch.einsum('...nm,...md->...nd', w, V)", "V", "w", "w @ V + 1e-3",
    "(w @ V).double()", "(w @ V).half().float()", "(w @ V).sum(-1)", "(w @ V).tolist()",
    "(w @ V, w)", "None", "w.mT @ V", "(w @ V) * 1j",
    "(w @ V).expand(2, *Q.shape)", "(w @ V).to_sparse()", "(w @ V)[..., ::-1]", "torch.empty_like(w @ V)", "[w @ V]",
)  # fmt: skip
STEPS = (
    "Q = Q + 0", "Q *= 1", "V.zero_()", "K = K.contiguous()", "print(Q.shape)", "print('x' * 100000)", "pass",
    "assert Q.ndim >= 2", "Q = Q.clone(); Q[..., 0] = 0", "d = Q.shape[-1] + 0", "raise ValueError(d)", "del V",
    "for i in range(3):\n        d = d", "if Q.shape[-2] > 3:\n        return Q", "CALLS.append(d)",
    "if len(CALLS) == 1:\n        return torch.zeros(2, 2)", "if len(CALLS) > 1:\n        Q = Q * 1j",
    "while len(CALLS) == 2:\n        pass", "with torch.no_grad():\n        Q = Q * 1", "torch.manual_seed(d)",
    "Q = Q + torch.rand_like(Q) * 0", "Q = Q + torch.rand_like(Q)", "x = [Q] * 1000", "lost = nothing",
    "x = torch.zeros(1).expand(10**6, 10**6)", "x = torch.zeros(10**9, 10)", "Q.requires_grad_()", "Q = Q.T",
)  # fmt: skip
TOPS = (
    "",
    "import os",
    "CALLS = 1",
    "x = torch.ones(3)",
    "raise KeyError",
    "def helper(x):\n    return x",
    "class A:\n    pass",
)
ENDS = ("", "result = result.contiguous()", "result = result.mT.contiguous().mT", "result[..., 0] = result[..., 0]",
        "result = result.requires_grad_()", "result = result.as_strided(result.shape, result.stride())")  # fmt: skip


def program(chance: random.Random) -> str:
    """Every choice is the right one half of the time, so that one in a few programs is right."""

    def pick(choices: tuple[str, ...], right: int) -> str:
        return chance.choice(choices[:right]) if chance.random() < 0.75 else chance.choice(choices)

    steps = [chance.choice(STEPS) for _ in range(chance.choice((0, 0, 1, 2)))]
    lines = [
        "d = Q.shape[-1]",
        "CALLS.append(0)",
        *steps,
        f"s = {pick(SCORES, 5)}",
        f"s = {pick(SCALES, 4)}",
        f"w = {pick(WEIGHTS, 4)}",
        f"result = {pick(RESULTS, 3)}",
        pick(ENDS, 1),
        "return result",
    ]
    if chance.random() < 0.05:
        chance.shuffle(lines)
    body = "\n".join(f"    {line}" for line in lines if line)
    head = f"import math\nimport torch\n\nCALLS = []\n{pick(TOPS, 1)}\n\n"
    return f"{head}def scaled_dot_product_attention(Q, K, V):\n{body}\n"


def tensor_of(array: np.ndarray, layout: str | None) -> torch.Tensor:
    if layout == TRANSPOSED:
        return torch.from_numpy(np.ascontiguousarray(array.swapaxes(-1, -2))).transpose(-1, -2)
    return torch.from_numpy(array.copy())


def is_right(source: str, problem, earlier_calls: tuple[int, ...]) -> bool:
    """Whether the program's outputs in this process, with the plain language, are the answers.

    `earlier_calls` are those that the program has seen before each case.
    """
    namespace: dict = {}
    exec(source, namespace)  # noqa: S102 - made above, and accepted by the policy
    for earlier, case in zip(earlier_calls, problem.cases, strict=True):
        inputs = [tensor_of(array, case.layout.get(name)) for name, array in case.inputs.items()]
        namespace["CALLS"][:] = [0] * earlier
        output = namespace["scaled_dot_product_attention"](*inputs)
        if output.dtype != torch.float32 or output.shape != case.answer.shape:
            return False
        allowed = case.tolerance.atol + case.tolerance.rtol * np.abs(case.answer)
        # Half as much again: another process may round otherwise.
        if (abs(output.detach().numpy().astype(np.float64) - case.answer) > 1.5 * allowed).any():
            return False
    return True


def calls_before(report) -> tuple[int, ...]:
    """The sample is called twice; where the second call hung, the secret case went to a fresh process."""
    return (0, 0) if NONDETERMINISTIC in report.notes else (0, 2)


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_random_programs_get_a_verdict_that_they_deserve(attention, count):
    chance = random.Random(count)  # noqa: S311 - the same programs in every run
    cases = tuple(attention.case(name) for name in ("sample/02-small-random", "secret/04-batched"))
    problem = replace(attention, revision="fuzz", cases=cases, limits=Limits(time_s=0.5))
    seen: dict[Verdict | None, int] = {}
    with Judge(JudgeOptions(zygotes=1)) as judge:
        zygotes = judge.pool.pids()
        for _ in range(count):
            source = program(chance)
            report = judge.grade(problem, source.encode())
            seen[report.verdict] = seen.get(report.verdict, 0) + 1
            assert report.verdict is not Verdict.JUDGE_ERROR, source
            if report.verdict is Verdict.ACCEPTED:
                assert is_right(source, problem, calls_before(report)), source
        assert judge.pool.pids() == zygotes
    assert {Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.RUN_TIME_ERROR, Verdict.COMPILE_ERROR} <= set(seen), seen


def test_a_result_that_is_complex_on_the_second_call_only_is_wrong_and_a_matter_of_chance(judge, attention):
    """Comparing the two calls of the first sample once failed on elements that are no pairs."""
    source = b"""import torch

CALLS = []


def scaled_dot_product_attention(Q, K, V):
    CALLS.append(0)
    out = torch.zeros(*Q.shape[:-1], V.shape[-1])
    return out * 1j if len(CALLS) == 2 else out
"""
    report = judge.grade(attention, source)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert report.notes == ("nondeterministic",)
