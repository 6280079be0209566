"""The promises of a package that need no execution."""

import pytest

from problems.checks import faults_of
from problems.reading import load_problem
from problems.shipped import shipped_bank
from problems.writing import add_case, remove_case


def faults(package) -> list[str]:
    return faults_of(load_problem(package))


def test_every_shipped_package_is_without_fault():
    packages = [path for path in shipped_bank().iterdir() if path.is_dir()]
    assert packages
    assert {path.name: faults(path) for path in packages} == {path.name: [] for path in packages}


def test_a_sound_package_has_no_faults(package):
    assert faults(package) == []


STATEMENT, THEORY, YAML = "statement/problem.en.md", "statement/theory.en.md", "submissions/submissions.yaml"
TWICE = "make them differ or remove one."
SLIPS = [
    (STATEMENT, "$WX$", r"$\foo$", 'line 1: the formula $\\foo$ does not render: Unknown command "\\foo".'),
    (STATEMENT, "Return $WX$.", "", "the statement is empty; say what the function must do."),
    (STATEMENT, "Return", "See [there](#there).", "there is a link to #there, and no heading ends in {#there}."),
    (THEORY, "First", "$$\n$$\n\nFirst", "line 5: the formula $$ is empty."),
    ("problem.yaml", "$W$", "$W^{$", "hint 1 of problem.yaml, line 1: the formula $W^{$ does not render"),
    ("problem.yaml", "[rows]", "[rows, rows]", 'the keyword "rows" occurs twice; remove one.'),
    (
        YAML,
        "never ends.",
        "never ends",
        "the message of wrong_answer/loops is no full sentence; end it with a full stop.",
    ),
    (YAML, "An endless loop", "Transposed Weights", f"loops is used again by wrong_answer/transposed; {TWICE}"),
    (YAML, "loop never ends.", "weights are transposed.", f"loops is used again by wrong_answer/transposed; {TWICE}"),
    ("submissions/accepted/matmul.py", "W.matmul(X)", "W @ X", f"matmul is used again by accepted/reference; {TWICE}"),
    ("attachments/starter.py", "mix(W, X)", "mix(X, W)", "attachments/starter.py: it must define mix(W, X)."),
    ("attachments/starter.py", "def mix(W, X):", "def (", "attachments/starter.py: it must define mix(W, X)."),
    (
        "data/secret/02-more.yaml",
        "secret/02-more",
        "sample/01-first",
        f"data: the title of sample/01-first is used again by secret/02-more; {TWICE}",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), SLIPS)
def test_a_promise_that_is_not_kept_is_one_sentence(package, edit, file, old, new, words):
    edit(package / file, old, new)
    found = faults(package)
    assert len(found) == 1
    assert words in found[0]


def test_a_pitfall_without_its_heading_is_named_for_each_mistake(package, edit):
    edit(package / "statement/theory.en.md", "{#pitfall-order}", "")
    assert faults(package) == [
        f"submissions/submissions.yaml: {name} points at the pitfall order, "
        "and no heading of the theory ends in {#pitfall-order}."
        for name in ("wrong_answer/loops", "wrong_answer/transposed")
    ]


def test_missing_samples_and_secret_cases_are_faults(package):
    remove_case(package, "sample/01-first")
    assert faults(package) == ["data/sample: there is no sample; a student needs one to run against."]


def test_samples_alone_are_a_fault(package):
    remove_case(package, "secret/02-more")
    assert faults(package) == ["data/secret: there is no secret case; the samples can be learnt by heart."]


def test_the_same_inputs_twice_are_a_fault_unless_they_lie_differently(package, new_case):
    add_case(package, new_case("secret/03-again", seed=2))
    assert faults(package) == [
        "data: the inputs of secret/02-more is used again by secret/03-again; make them differ or remove one."
    ]
    remove_case(package, "secret/03-again")
    add_case(package, new_case("secret/03-again", seed=2, layout={"X": "transposed"}))
    assert faults(package) == []
