"""docs/problem-packages.md: its examples are read by the reader, and no key is left out."""

import re
from pathlib import Path

import pytest

from problems.metadata import CaseYaml, ProblemYaml, SubmissionsYaml, SubmissionYaml, read_metadata

TEXT = (Path(__file__).parents[2] / "docs" / "problem-packages.md").read_text(encoding="utf-8")
PROBLEM, CASE, SUBMISSIONS = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
DOUBLE = "  wrong_answer/double.py: {title: Double, message: Say., pitfall: precision}\n"


def test_the_example_of_a_problem_shows_the_defaults():
    problem = read_metadata(ProblemYaml, PROBLEM, where="problem.yaml")
    for part in ("limits", "tolerance"):
        assert getattr(problem, part) == type(getattr(problem, part))()


def test_the_examples_are_read():
    assert read_metadata(CaseYaml, CASE, where="case.yaml").layout == {"K": "transposed"}
    assert len(read_metadata(SubmissionsYaml, SUBMISSIONS + DOUBLE, where="submissions.yaml").submissions) == 4


@pytest.mark.parametrize(
    ("model", "example"),
    [(ProblemYaml, PROBLEM), (CaseYaml, CASE), (SubmissionsYaml, SUBMISSIONS), (SubmissionYaml, SUBMISSIONS)],
)
def test_every_key_is_shown(model, example):
    assert [key for key in model.model_fields if not re.search(rf"^\s*{key}:", example, re.MULTILINE)] == []
