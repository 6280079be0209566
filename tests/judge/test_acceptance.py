"""A case is accepted when it is worth having, and its author is told what it does."""

from dataclasses import replace

import numpy as np
import pytest

from judge.acceptance import accept, surviving_without
from judge.calibrate import calibrate
from problems.package import Tolerance
from problems.writing import check_case


@pytest.fixture
def tried(judge, rows, new_case):
    """Tries a case that is not in the package."""

    def tried(seed, *sizes, fixed_tolerance=False, **more):
        problem = rows.load()
        case = check_case(problem.entry_point, new_case("secret/09-new", seed, *sizes, **more))
        return accept(judge, problem, case, fixed_tolerance=fixed_tolerance)

    return tried


def test_a_good_case_says_what_it_kills(tried):
    found = tried(5, 3, 4, 5)
    assert (found.refusal, found.against, found.vacuous) == (None, (), ())
    assert set(found.kills) == {"wrong_answer/returns-nothing", "wrong_answer/returns-zeros"}
    assert (found.kills_newly, found.passes) == ((), ())
    assert (found.nearest.program, found.raised_from) == ("wrong_answer/returns-zeros", None)


def test_what_no_secret_case_killed_is_killed_newly(rows, tried):
    rows.add_mistake("wrong_answer/seven-rows", "    return W @ X * (2 if W.shape[0] == 7 else 1)\n")
    rows.add_mistake("wrong_answer/nine-rows", "    return W @ X * (2 if W.shape[0] == 9 else 1)\n")
    found = tried(5, 7, 4, 5)
    assert found.kills_newly == ("wrong_answer/seven-rows",)
    assert found.passes == ("wrong_answer/nine-rows",)


def test_a_case_that_right_programs_do_not_agree_on_is_refused_by_name(rows, tried):
    rows.write("submissions/accepted/doubled.py", "def mix(W, X):\n    return W @ X * 2\n")
    found = tried(5, 3, 4, 5)
    assert found.refusal.startswith("secret/09-new: accepted/doubled does not agree with the answer: ")
    assert found.kills == ()


def test_a_case_that_passes_for_nothing_is_refused_unless_it_says_why(tried):
    zero = {"W": np.zeros((3, 4), np.float32), "X": np.ones((4, 2), np.float32)}
    more = {"inputs": zero, "answer": np.zeros((3, 2)), "tolerance": Tolerance(1e-5, 1e-5)}
    words = "secret/09-new: zeros and a constant"
    assert tried(5, 3, 4, 2, **more).refusal.startswith(words)
    assert tried(5, 3, 4, 2, **more, vacuous="W is zero.").refusal is None


def test_a_tolerance_too_near_to_rounding_is_raised_unless_it_is_fixed(tried, new_case):
    narrow = Tolerance(0.0, 8e-6)
    found = tried(5, 30, 40, 50, tolerance=narrow)
    assert found.raised_from == narrow
    assert 0.2 < found.noise.error <= 0.25
    found = tried(5, 30, 40, 50, tolerance=found.case.tolerance, fixed_tolerance=True)
    assert found.raised_from is None


def test_a_mistake_that_loops_counts_by_its_verdict_and_is_not_run(rows, tried):
    rows.add_mistake(
        "wrong_answer/loops", "    while True:\n        pass\n", reason="wall", more="verdict: time_limit_exceeded"
    )
    rows.edit("problem.yaml", "time_s: 2.0\n  total", "time_s: 20.0\n  total")
    found = tried(5, 3, 4, 5)
    assert "wrong_answer/loops" in found.kills
    assert found.known is None  # so nothing incomplete is remembered


def test_a_result_remembered_by_shape_is_killed_by_a_second_case_of_the_shape(rows, tried):
    rows.add_mistake(
        "wrong_answer/cached",
        "    if W.shape not in kept:\n        kept[W.shape] = W @ X\n    return kept[W.shape]\n\n\nkept = {}\n",
    )
    assert tried(5, 4, 5, 3).kills_newly == ("wrong_answer/cached",)
    assert tried(5, 3, 7, 3).kills_newly == ()


def test_removing_a_case_says_which_mistakes_would_survive(judge, rows):
    rows.add("secret/03-seven", 3, 7, 2, 5)
    rows.add_mistake("wrong_answer/seven-rows", "    return W @ X * (2 if W.shape[0] == 7 else 1)\n")
    problem = rows.load()
    known = judge.mistakes.learn(problem)
    assert surviving_without(known, problem.mistakes, "secret/03-seven") == ["wrong_answer/seven-rows"]
    assert surviving_without(known, problem.mistakes, "secret/02-more") == []


def test_calibration_keeps_a_good_tolerance_and_proposes_another_for_a_bad_one(judge, rows):
    rows.add_mistake("wrong_answer/rounded", "    return torch.round(W @ X, decimals=3)\n")
    rows.add("secret/03-tight", 3, 20, 30, 40, tolerance=Tolerance(0.0, 2e-7))
    rows.add("secret/04-loose", 4, 3, 4, 5, tolerance=Tolerance(1e-5, 4e-4))
    first, second, tight, loose = calibrate(judge, rows.load(), seeds=3)
    for kept in (first, second):
        assert kept.proposed == kept.case.tolerance
        assert kept.separates
    assert tight.noise.error > 0.25
    assert tight.proposed.atol > 2e-7
    assert loose.nearest.program == "wrong_answer/rounded"
    assert loose.proposed.atol < 4e-4


def test_copies_of_a_case_are_measured_with_answers_of_their_own(judge, attention):
    few = replace(attention, accepted=attention.accepted[:2], revision=f"{attention.revision}-few")
    found = calibrate(judge, few, seeds=2)
    assert [each.case.name for each in found] == [case.name for case in attention.cases]
    assert max(each.noise.error for each in found) < 0.3
