"""A package keeps its promises, and one that does not is told which and why."""

import numpy as np
import pytest

from judge.report import Verdict
from judge.vacuity import accepted_for_nothing
from judge.verification import Level, Promise
from judge.verify import verify
from problems.package import Tolerance
from problems.reading import load_problem
from problems.shipped import shipped_bank

SHIPPED = sorted(path.name for path in shipped_bank().iterdir() if (path / "problem.yaml").is_file())


def broken(found):
    """The promise and sentence of every error."""
    return [(finding.promise, finding.sentence) for finding in found.findings if finding.level is Level.ERROR]


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_shipped_package_keeps_its_promises(judge, slug):
    problem = load_problem(shipped_bank() / slug)
    seen = []
    found = verify(judge, problem, lambda what, done, of: seen.append((what, done, of)))
    assert broken(found) == []
    assert found.holds
    assert [judged.program for judged in found.programs] == [
        program.name for program in (*problem.accepted, *problem.mistakes)
    ]
    total = len(found.programs)
    assert seen == [("programs", done, total) for done in range(1, total + 1)]


def test_a_small_package_keeps_its_promises(judge, rows):
    found = verify(judge, rows.load())
    assert (found.holds, broken(found)) == (True, [])
    mistake = next(judged for judged in found.programs if judged.program == "wrong_answer/returns-zeros")
    assert mistake.by_case == dict.fromkeys(found.cases, Verdict.WRONG_ANSWER)
    assert mistake.fails("secret/02-more")


def test_what_verify_ran_need_not_run_again(judge, rows):
    problem = rows.load()
    verify(judge, problem)
    assert judge.mistakes.ready(problem).keys() == {mistake.name for mistake in problem.mistakes}


def test_a_program_with_another_verdict_is_named_with_both(judge, rows):
    rows.write("submissions/accepted/doubled.py", "def mix(W, X):\n    return 2 * (W @ X)\n")
    rows.edit("submissions/submissions.yaml", "reason: returned_none", "reason: wrong_shape")
    (first, second) = broken(verify(judge, rows.load()))
    assert first[0] is second[0] is Promise.VERDICTS
    assert first[1].startswith(
        "accepted/doubled must be accepted and is wrong answer (values differ) on sample/01-first"
    )
    assert "returns-nothing must be wrong answer (wrong shape) and is wrong answer (returned none)" in second[1]


def test_a_stored_answer_that_the_reference_does_not_give_is_named(judge, rows):
    rows.edit("submissions/accepted/reference.py", "W @ X", "W @ X + 1e-7")
    promise, sentence = broken(verify(judge, rows.load()))[0]
    assert promise is Promise.VERDICTS
    assert sentence.startswith("sample/01-first: the reference accepted/reference gives another answer")


def test_a_mistake_that_no_secret_case_kills_survives_by_name(judge, rows):
    rows.add_mistake("wrong_answer/few-columns", "    return W @ X * (1 if X.shape[1] == 3 else 2)\n")
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.KILLS
    assert sentence.startswith("wrong_answer/few-columns survives: it fails on no secret case;")


def test_a_mistake_that_does_not_compile_is_killed_by_the_compiler(judge, rows):
    rows.add_mistake("wrong_answer/eval", "    return eval('W @ X')\n", reason=None, more="verdict: compile_error")
    assert broken(verify(judge, rows.load())) == []


def test_a_case_that_passes_for_nothing_needs_a_reason(judge, rows, new_case):
    case = new_case("secret/03-one", 4, 2, 1, 1)
    inputs = {"W": np.ones((2, 1), np.float32), "X": case.inputs["X"]}
    answer = inputs["W"].astype(np.float64) @ inputs["X"].astype(np.float64)
    rows.add("secret/03-one", 4, 2, 1, 1, inputs=inputs, answer=answer)
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.VACUITY
    assert sentence.startswith("secret/03-one: a constant and X and the mean of X over dimension -2")
    rows.edit("data/secret/03-one.yaml", "rtol", "vacuous: With W of ones X is the answer.\nrtol")
    assert broken(verify(judge, rows.load())) == []


def test_a_mark_for_nothing_is_a_warning(judge, rows):
    rows.edit("data/secret/02-more.yaml", "rtol", "vacuous: No reason.\nrtol")
    found = verify(judge, rows.load())
    assert found.holds
    assert [finding.sentence for finding in found.findings] == [
        "secret/02-more: it is marked vacuous, and nothing that computes nothing passes it; remove the mark."
    ]


def test_a_right_program_that_is_near_the_tolerance_is_named(judge, rows):
    rows.write("submissions/accepted/rough.py", "def mix(W, X):\n    Y = W @ X\n    return Y + Y.abs().max() * 6e-6\n")
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.MARGINS
    assert sentence.startswith("accepted/rough has a margin of 1.")


def test_two_mistakes_that_look_alike_are_named_unless_marked_as_one(judge, rows):
    rows.add_mistake("wrong_answer/no-product", "    return torch.zeros(W.shape[0], X.shape[1])\n")
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.DIAGNOSIS
    assert sentence.startswith("wrong_answer/no-product and wrong_answer/returns-zeros give the same outputs")
    rows.edit(
        "submissions/submissions.yaml",
        "This is wrong_answer/no-product.\n",
        "This is wrong_answer/no-product.\n    same_as: wrong_answer/returns-zeros.py\n",
    )
    assert broken(verify(judge, rows.load())) == []


def test_mistakes_that_are_marked_as_one_and_are_not_are_a_warning(judge, rows):
    rows.edit("submissions/submissions.yaml", "reason: returned_none", "same_as: wrong_answer/returns-zeros.py")
    (finding,) = verify(judge, rows.load()).findings
    assert (finding.level, finding.promise) == (Level.WARNING, Promise.DIAGNOSIS)
    assert "their outputs differ" in finding.sentence


def test_a_formula_that_does_not_render_breaks_the_statement(judge, rows):
    rows.edit("statement/problem.en.md", "$y = f(x)$", "$\\frac{$")
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.STATEMENT
    assert sentence.startswith("statement/problem.en.md, line 1: the formula")


def test_a_policy_that_forbids_what_there_is_not_is_named(judge, rows):
    rows.edit("problem.yaml", "forbid: []", 'forbid: [{name: "@nothing", message: "Do not."}]')
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.VERDICTS
    assert "@nothing" in sentence


def test_a_reference_that_does_not_run_is_the_one_finding(judge, rows):
    rows.edit("submissions/accepted/reference.py", "W @ X", "W @ Y")
    ((promise, sentence),) = broken(verify(judge, rows.load()))
    assert promise is Promise.VERDICTS
    assert "accepted/reference" in sentence


def test_a_package_without_cases_is_told_how_to_get_some(judge, rows):
    for path in (rows.directory / "data").rglob("*.*"):
        path.unlink()
    found = verify(judge, rows.load())
    assert (Promise.KILLS, "data: there are no cases; tensorgrade problem fill rows makes the first ones.") in broken(
        found
    )


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        (np.zeros((2, 2)), ["zeros", "a constant"]),
        (np.ones((2, 2)), ["ones", "a constant"]),
        (np.full((2, 2), 3.0), ["a constant"]),
        (np.array([[1.0, 2.0], [1.0, 2.0]]), ["V", "the mean of V over dimension -2"]),
        (np.array([[5.0, 2.0], [1.0, 2.0]]), []),
        (np.array([[7.0]]), []),
    ],
)
def test_what_computes_nothing_is_known(answer, passes):
    inputs = {"V": np.array([[1.0, 2.0]], np.float32), "Q": np.array([[9.0, 8.0, 7.0]], np.float32)}
    assert accepted_for_nothing(inputs, answer, Tolerance(1e-5, 1e-5)) == passes
