"""A small package whose promises a test can break."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from problems.package import Problem, Tolerance
from problems.reading import load_problem
from problems.scaffold import Draft, create_package
from problems.writing import NewCase, add_case

ROWS = "import torch\n\n\ndef mix(W, X):\n    return W @ X\n"


def case_of(name: str, seed: int, *sizes: int, **more) -> NewCase:
    """W (n, m) and X (m, d), drawn; the answer is right to the last bit."""
    n, m, d = sizes
    rng = np.random.default_rng(seed)
    inputs = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in (("W", (n, m)), ("X", (m, d)))}
    answer = inputs["W"].astype(np.float64) @ inputs["X"].astype(np.float64)
    largest = float(np.max(np.abs(answer)))
    values = {
        "inputs": inputs,
        "answer": answer,
        "tolerance": Tolerance(1e-5, 1e-5 * largest),
        "title": f"Case {seed}",
        "seed": seed,
    }
    return NewCase(name=name, **(values | more))


class Rows:
    """A package on disk: multiply two matrices."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def load(self) -> Problem:
        return load_problem(self.directory)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.directory / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def write(self, name: str, text: str) -> None:
        (self.directory / name).parent.mkdir(exist_ok=True)
        (self.directory / name).write_text(text)

    def add_mistake(self, name: str, body: str, *, reason: str | None = "values_differ", more: str = "") -> None:
        """A wrong program with its entry; `more` are further lines of the entry."""
        self.write(f"submissions/{name}.py", f"import torch\n\n\ndef mix(W, X):\n{body}")
        lines = [f"  {name}.py:", f"    title: {name}", f"    message: This is {name}.", "    pitfall: return-value"]
        lines += [f"    reason: {reason}"] * bool(reason) + [f"    {line}" for line in more.splitlines()]
        path = self.directory / "submissions/submissions.yaml"
        path.write_text(path.read_text() + "\n".join(lines) + "\n")

    def add(self, name: str, seed: int, *sizes: int, **more) -> None:
        add_case(self.directory, case_of(name, seed, *sizes, **more))


@pytest.fixture
def rows(tmp_path) -> Rows:
    parameters = {"W": "float32[..., n, m]", "X": "float32[..., m, d]"}
    draft = Draft("rows", "Rows", "mix", parameters, "float32[..., n, d]", reference=ROWS)
    rows = Rows(create_package(tmp_path, draft))
    rows.add("sample/01-first", 1, 2, 3, 4)
    rows.add("secret/02-more", 2, 4, 5, 3)
    return rows


@pytest.fixture
def new_case():
    """Makes a case that fits the package `rows`."""
    return case_of
