"""What many tests share: the first problem, and one judge with every layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.grade import Judge
from judge.options import JudgeOptions
from problems.package import Problem
from problems.reading import load_problem
from problems.shipped import shipped_bank

REPOSITORY = Path(__file__).resolve().parent.parent
SLUG = "scaled-dot-product-attention"


@pytest.fixture(scope="session")
def attention() -> Problem:
    """The first problem, as shipped."""
    return load_problem(shipped_bank() / SLUG)


@pytest.fixture(scope="session")
def judge():
    """A judge with every layer that this machine has."""
    with Judge(JudgeOptions(zygotes=2)) as running:
        yield running
