"""Cases notice small changes to right programs, and verify says which they do not."""

import ast

import pytest

from judge.mutants import sampled_inputs, try_mutants
from judge.mutate import mutants_of

SOURCE = b'''import torch

SCALE = 2.0


def f(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """A text that is left alone."""
    z = torch.sum(x - y, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    z += 1
    return torch.softmax(z, dim=-1) @ y.mT if x.dim() > 2 else z
'''


def test_every_mutant_parses_differs_and_occurs_once():
    mutants = list(mutants_of("accepted/f", SOURCE))
    texts = [mutant.source for mutant in mutants]
    assert len(set(texts)) == len(texts) > 40
    assert ast.unparse(ast.parse(SOURCE)).encode() not in texts
    for mutant in mutants:
        ast.parse(mutant.source)
        assert b"A text that is left alone." in mutant.source
        assert b"x: torch.Tensor" in mutant.source
        assert b"SCALE = 2.0" in mutant.source
        assert mutant.before != mutant.after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x - y", "x + y"),  # operators
        ("-1", "-2"),  # axes
        ("0.5", "1.0"),  # constants
        ("x - y", "x"),  # dropped terms
        ("x - y", "y - x"),  # swapped arguments
        ("y.mT", "y"),
        ("z += 1", "pass"),
        ("torch.sum", "torch.mean"),
        ("torch.sum(x - y, dim=-1, keepdim=True)", "torch.sum(x - y, dim=-1)"),
        ("torch.softmax(z, dim=-1)", "z"),
        ("x.dim() > 2", "x.dim() >= 2"),
        ("True", "False"),
        ("x", "y"),
    ],
)
def test_hands_slip_in_these_ways(before, after):
    assert (before, after) in {(mutant.before, mutant.after) for mutant in mutants_of("accepted/f", SOURCE)}


def test_the_program_is_as_it_was_after_all_its_mutants():
    assert list(mutants_of("f", SOURCE)) == list(mutants_of("f", SOURCE))


def test_sampled_inputs_have_all_ranks_and_are_the_same_each_time(attention):
    inputs = sampled_inputs(attention)
    assert len(inputs) == 200
    assert {each["Q"].ndim for each in inputs} == {2, 3, 4, 5}
    assert all((one["V"] == other["V"]).all() for one, other in zip(inputs, sampled_inputs(attention), strict=True))


def test_cases_that_notice_everything_leave_no_survivor(judge, rows):
    rows.add("secret/03-other", 3, 5, 2, 7)
    found = try_mutants(judge, rows.load())
    assert (found.survivors, found.share, found.holds) == ((), 1.0, True)
    assert found.killed > 3


def test_a_change_that_no_case_notices_is_a_finding_with_its_line(judge, rows):
    rows.write(
        "submissions/accepted/careful.py",
        "def mix(W, X):\n    if W.shape[0] > 50:\n        return X.mT @ W.mT\n    return W @ X\n".replace(
            "X.mT @ W.mT", "(X.mT @ W.mT).mT"
        ),
    )
    found = try_mutants(judge, rows.load())
    assert not found.survivors  # nothing sampled is that large either, so these changes are equivalent
    assert {mutant.line for mutant in found.equivalent} >= {3}
    rows.write(
        "submissions/accepted/careful.py",
        "def mix(W, X):\n    if W.shape[0] == 6:\n        return (X.mT @ W.mT).mT\n    return W @ X\n",
    )
    found = try_mutants(judge, rows.load())
    assert {(mutant.program, mutant.line) for mutant in found.survivors} == {("accepted/careful", 3)}
    assert not found.holds


def test_a_program_that_does_not_stay_in_float64_is_left_out_by_name(judge, rows):
    rows.write("submissions/accepted/narrow.py", "def mix(W, X):\n    return (W.float() @ X.float()).float()\n")
    assert try_mutants(judge, rows.load()).not_changed == ("accepted/narrow",)


def test_a_mutant_that_loops_is_stopped(judge, rows):
    rows.write(
        "submissions/accepted/counting.py",
        "def mix(W, X):\n    i = 0\n    while i < 1:\n        i += 1\n    return W @ X\n",
    )
    found = try_mutants(judge, rows.load())
    assert all("i += 1" not in mutant.before for mutant in found.survivors)


@pytest.mark.long
def test_the_cases_of_the_first_package_notice_nearly_every_change(judge, attention):
    found = try_mutants(judge, attention)
    assert found.killed > 1000
    assert found.share >= 0.98
