"""A small real package on disk, and cases for it."""

from collections.abc import Callable
from pathlib import Path

import hypothesis
import numpy as np
import pytest

from problems.package import Tolerance
from problems.writing import NewCase, add_case

# How long one example takes says something about the machine's other work, not about ours.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")

PROBLEM = """
name: Weighted rows
uuid: 0c3b3f6e-6a0f-4c58-9c1b-2a6b6a0f9f11
source: {title: A book, url: "https://example.org/book"}
difficulty: easy
license: MIT
keywords: [rows]
hints: ["Multiply $W$ by $X$."]
entry_point:
  function: mix
  parameters:
    - {name: W, type: "float32[..., n, m]"}
    - {name: X, type: "float32[..., m, d]"}
  result: "float32[..., n, d]"
policy:
  forbid: [{name: torch.einsum, message: Write matmul.}]
"""

SUBMISSIONS = """
reference: accepted/reference.py
submissions:
  wrong_answer/transposed.py:
    title: Transposed weights
    message: Your weights are transposed.
    pitfall: order
    reason: wrong_shape
  wrong_answer/loops.py:
    title: An endless loop
    message: Your loop never ends.
    pitfall: order
    verdict: time_limit_exceeded
    same_as: wrong_answer/transposed.py
"""

FILES = {
    "problem.yaml": PROBLEM,
    "statement/problem.en.md": "Return $WX$.\n",
    "statement/theory.en.md": "## Theory\n\n### The order {#pitfall-order}\n\nFirst $W$.\n",
    "attachments/starter.py": "import torch\n\n\ndef mix(W, X):\n    pass\n",
    "submissions/submissions.yaml": SUBMISSIONS,
    "submissions/accepted/reference.py": "def mix(W, X):\n    return W @ X\n",
    "submissions/accepted/matmul.py": "def mix(W, X):\n    return W.matmul(X)\n",
    "submissions/wrong_answer/transposed.py": "def mix(W, X):\n    return W.mT @ X\n",
    "submissions/wrong_answer/loops.py": "def mix(W, X):\n    while True:\n        pass\n",
}


def write_package(directory: Path) -> Path:
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


def a_new_case(name: str = "secret/02-more", *, seed: int = 2, n: int = 3, leading: tuple[int, ...] = (), **changes):
    rng = np.random.default_rng(seed)
    inputs = {
        "W": rng.standard_normal((*leading, n, 4)).astype(np.float32),
        "X": rng.standard_normal((*leading, 4, 2)).astype(np.float32),
    }
    values = {
        "name": name,
        "title": f"Case {name}",
        "inputs": inputs,
        "answer": inputs["W"].astype(np.float64) @ inputs["X"].astype(np.float64),
        "tolerance": Tolerance(rtol=1e-5, atol=1e-6),
        "seed": seed,
    }
    return NewCase(**(values | changes))


@pytest.fixture
def bare_package(tmp_path: Path) -> Path:
    """A package without cases."""
    return write_package(tmp_path / "packages" / "weighted-rows")


@pytest.fixture
def package(bare_package: Path) -> Path:
    """A package with one sample and one secret case."""
    add_case(bare_package, a_new_case("sample/01-first", seed=1))
    add_case(bare_package, a_new_case("secret/02-more", seed=2))
    return bare_package


@pytest.fixture
def new_case() -> Callable[..., NewCase]:
    """Makes a case that fits the package; keyword arguments change parts of it."""
    return a_new_case


@pytest.fixture
def edit() -> Callable[..., None]:
    """Replaces a piece of text that must be in a file."""

    def replace(path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return replace
