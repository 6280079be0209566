"""The words of the first package: the starter, the pitfalls, and every figure of the theory computed anew."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from problems.package import Problem
from problems.reading import load_problem

PACKAGE = Path(__file__).parents[2] / "problems" / "bank" / "scaled-dot-product-attention"

STARTER = '''import torch

def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    pass
'''


@pytest.fixture(scope="module")
def problem() -> Problem:
    return load_problem(PACKAGE)


def test_the_starter_is_the_given_one(problem):
    assert problem.starter == STARTER


def test_every_mistake_points_at_a_pitfall_of_the_theory_and_every_pitfall_has_a_mistake(problem):
    anchors = re.findall(r"^### .+ \{#pitfall-([a-z0-9-]+)\}$", problem.theory, flags=re.MULTILINE)
    assert len(set(anchors)) == len(anchors)
    assert {mistake.pitfall for mistake in problem.mistakes} == set(anchors)


def test_the_statement_leaves_the_judges_numbers_to_the_page(problem):
    assert re.findall(r"\d\.\d|\de-\d|\d MiB|\d s\b", problem.statement) == []


def test_hints_go_from_the_scores_over_the_scale_to_the_values(problem):
    assert ["`K`" in problem.hints[0], "`K.shape[-1]`" in problem.hints[1], "`V`" in problem.hints[2]] == [True] * 3


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def plain(value: float) -> str:
    """Four decimals at most, no trailing zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def matrix(array: np.ndarray) -> str:
    rows = r" \\ ".join(" & ".join(plain(value) for value in row) for row in array)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_every_figure_of_the_worked_example_is_computed_from_the_first_sample(problem):
    text = section(problem.theory, "A worked example")
    inputs = {name: array.astype(float) for name, array in problem.case("sample/01-worked-example").inputs.items()}
    scores = inputs["Q"] @ inputs["K"].T
    scaled = scores / math.sqrt(inputs["K"].shape[-1])
    weights = softmax(scaled)
    output = weights @ inputs["V"]
    sharp = softmax(scores) @ inputs["V"]
    matrices = (*inputs.values(), scores, scaled, weights, output)
    printed = re.findall(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", text)
    assert printed == [matrix(array) for array in matrices]
    powers = np.exp(scaled[0])
    numbers = [math.sqrt(2.0), powers.sum(), *powers, *sharp[0], *np.concatenate([array.ravel() for array in matrices])]
    assert set(re.findall(r"\d+\.\d+", text)) == {plain(value) for value in numbers if "." in plain(value)}
    assert f"({plain(sharp[0, 0])}, {plain(sharp[0, 1])})" in text
    assert np.allclose(output, problem.case("sample/01-worked-example").answer, rtol=1e-12)


def test_the_theory_says_what_softmax_does_to_scores_with_and_without_the_scale(problem):
    text = section(problem.theory, "Why divide by the square root of $d_k$")
    sharp, soft = softmax(np.array([20.0, 1.0, 1.0, 1.0])), softmax(np.array([20.0, 1.0, 1.0, 1.0]) / math.sqrt(64))
    lost, others = f"{1.0 - sharp[0]:.1e}", f"{sharp[1]:.1e}"
    assert (lost, others) == ("1.7e-08", "5.6e-09")
    assert r"(1 - 1.7 \cdot 10^{-8}," + r"\ 5.6 \cdot 10^{-9}," * 2 + r"\ 5.6 \cdot 10^{-9})" in text
    assert r"(" + r",\ ".join(plain(value) for value in soft) + ")" in text
    assert plain(soft[0] * (1.0 - soft[0])) == "0.1706"
    assert "$0.1706$" in text
    ratio = soft[0] * (1.0 - soft[0]) / (sharp[0] * (1.0 - sharp[0]))
    assert ratio == pytest.approx(1e7, rel=0.05)


def test_the_theory_says_where_exp_overflows_and_underflows(problem):
    text = section(problem.theory, "Softmax and its numerical stability")
    assert f"{math.log(float(np.finfo(np.float32).max)):.4f}" == "88.7228"
    assert f"{math.log(float(np.finfo(np.float16).max)):.2f}" == "11.09"
    assert "for } z > 88.7228" in text
    assert "for } z > 11.09" in text
    assert torch.isinf(torch.exp(torch.tensor(88.7229)))
    assert torch.isfinite(torch.exp(torch.tensor(88.7228)))
    assert "below about $z = -104$" in text
    assert torch.exp(torch.tensor([-104.0, -103.0])).tolist()[0] == 0.0 < torch.exp(torch.tensor(-103.0))


def test_the_theory_counts_the_cost_of_one_head_right(problem):
    text = section(problem.theory, "Step by step, with costs")
    weights, features = 1024 * 1024, 64
    assert f"${weights:,}$".replace(",", "{,}") in text
    assert f"${weights * features * 2:,}$".replace(",", "{,}") in text
    assert weights * 4 == 4 << 20
    assert r"\sqrt{512} \approx 22.6" in problem.theory
    assert f"{math.sqrt(512):.1f}" == "22.6"
