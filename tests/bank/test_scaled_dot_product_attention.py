"""The first package keeps its promises, without the jail: programs run in this process on the package's own cases."""

import functools
import itertools
import math
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

from problems.package import Case, Problem, Program
from problems.reading import load_problem

PACKAGE = Path(__file__).parents[2] / "problems" / "bank" / "scaled-dot-product-attention"
GENERATOR = Path("generators") / "make_cases.py"

LEAST_MARGIN = 4.0
"""How far an accepted program stays under the tolerance."""
LEAST_KILL = 2.0
"""How far a mistake is over the tolerance on at least one secret case."""

SIGNATURE = "def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:"


@pytest.fixture(scope="module")
def problem() -> Problem:
    return load_problem(PACKAGE)


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


# Running programs here


@dataclass(frozen=True)
class Outcome:
    """What one program did on one case. `error` is the largest error in units of the tolerance."""

    verdict: str
    reason: str | None = None
    error: float | None = None
    output: torch.Tensor | None = None
    exception: type[Exception] | None = None


def function_of(problem: Problem, program: Program) -> Callable:
    namespace: dict = {"__name__": "submission"}
    code = compile(program.source, program.name, "exec", dont_inherit=True)
    exec(code, namespace)  # noqa: S102 - our own programs, which the package ships
    return namespace[problem.entry_point.function]


def tensors_of(case: Case, dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    tensors = []
    for name, array in case.inputs.items():
        tensor = torch.from_numpy(array.copy()).to(dtype)
        if case.layout.get(name) == "transposed":
            tensor = tensor.transpose(-2, -1).contiguous().transpose(-2, -1)
        tensors.append(tensor)
    return tensors


def outcome_of(function: Callable, case: Case) -> Outcome:
    """One call and the comparison, in the order that the judge has."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two mistakes use what PyTorch warns of
        try:
            returned = function(*tensors_of(case))
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            return Outcome("run_time_error", "exception", exception=type(error))
    if returned is None:
        return Outcome("wrong_answer", "returned_none")
    if type(returned) is not torch.Tensor:
        first = returned[0] if isinstance(returned[0], torch.Tensor) else None
        return Outcome("wrong_answer", "wrong_type", output=first)
    return compared(returned.detach(), case)


def compared(output: torch.Tensor, case: Case) -> Outcome:
    if output.dtype != torch.float32:
        return Outcome("wrong_answer", "wrong_dtype", output=output)
    if tuple(output.shape) != case.answer.shape:
        return Outcome("wrong_answer", "wrong_shape", output=output)
    if not torch.isfinite(output).all():
        return Outcome("wrong_answer", "non_finite", output=output)
    error = error_of(output.double().numpy(), case)
    if error <= 1.0:
        return Outcome("accepted", error=error, output=output)
    return Outcome("wrong_answer", "values_differ", error=error, output=output)


def error_of(output: np.ndarray, case: Case) -> float:
    """The largest error in units of the tolerance."""
    allowed = case.tolerance.atol + case.tolerance.rtol * np.abs(case.answer)
    return float(np.max(np.abs(output - case.answer) / allowed))


@functools.cache
def outcomes(package: Path) -> dict[str, tuple[Outcome, ...]]:
    """Every program of the package on every case."""
    problem = load_problem(package)
    found = {}
    for program in (*problem.accepted, *problem.mistakes):
        function = function_of(problem, program)
        found[program.name] = tuple(outcome_of(function, case) for case in problem.cases)
    return found


# Cases


def run_generator(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(package / GENERATOR), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_generator_reproduces_every_case_bit_for_bit():
    result = run_generator(PACKAGE, "--check")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_the_generator_names_a_case_whose_inputs_changed(tmp_path):
    package = tmp_path / PACKAGE.name
    shutil.copytree(PACKAGE, package)
    path = package / "data" / "secret" / "05-batched-heads.in.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    result = run_generator(package, "--check")
    assert result.returncode == 1
    assert result.stdout == "secret/05-batched-heads: the inputs are not the bytes that seed 105 gives.\n"


def test_the_generator_writes_the_files_that_are_in_the_package(tmp_path):
    package = tmp_path / PACKAGE.name
    (package / "generators").mkdir(parents=True)
    shutil.copy(PACKAGE / GENERATOR, package / GENERATOR)
    assert run_generator(package).returncode == 0
    made = {path.relative_to(package): path for path in (package / "data").rglob("*") if path.is_file()}
    stored = {path.relative_to(PACKAGE): path for path in (PACKAGE / "data").rglob("*") if path.is_file()}
    assert made.keys() == stored.keys()
    inputs = [name for name in stored if name.name.endswith(".in.safetensors")]
    assert all(made[name].read_bytes() == stored[name].read_bytes() for name in inputs)


def test_there_are_two_samples_and_seventeen_secret_cases(problem):
    assert [case.group for case in problem.cases] == ["sample"] * 2 + ["secret"] * 17
    assert [case.name.partition("/")[2][:2] for case in problem.cases] == [f"{number:02}" for number in range(1, 20)]


def test_titles_are_all_different(problem):
    titles = [case.title for case in problem.cases]
    assert len(set(titles)) == len(titles)
    assert all(case.description for case in problem.cases)


def test_every_tolerance_follows_from_the_rule(problem):
    for case in problem.cases:
        rule = problem.tolerance.for_answer(case.answer)
        assert case.tolerance.rtol == rule.rtol == 1.0e-5, case.name
        assert case.tolerance.atol == pytest.approx(rule.atol, rel=1e-9), case.name
        assert rule.atol == 1.0e-5 * np.max(np.abs(case.answer)), case.name


def test_ranks_from_two_to_four_and_both_kinds_of_memory_occur(problem):
    assert {case.answer.ndim for case in problem.cases} == {2, 3, 4}
    layouts = {case.name: dict(case.layout) for case in problem.cases if case.layout}
    assert layouts == {"secret/14-non-contiguous": dict.fromkeys("QKV", "transposed")}


def test_large_scores_have_rows_above_120_below_minus_120_near_zero_and_one_wider_than_exp_reaches(problem):
    inputs = problem.case("secret/11-large-scores").inputs
    scores = inputs["Q"].astype(float) @ inputs["K"].astype(float).T / math.sqrt(inputs["K"].shape[-1])
    assert scores[0].min() > 120.0
    assert scores[1].max() < -120.0
    assert np.abs(scores[2]).max() < 10.0
    assert all(1.0 < row.std() < 2.0 for row in scores[:4])
    assert scores[4].min() < -math.log(torch.finfo(torch.float32).max)
    assert scores[4].max() > math.log(torch.finfo(torch.float32).max)


def test_the_last_case_has_the_shapes_of_an_earlier_one_and_other_values(problem):
    earlier, last = problem.case("secret/04-batched"), problem.case("secret/19-same-shapes-again")
    for name, array in last.inputs.items():
        assert array.shape == earlier.inputs[name].shape
        assert not np.array_equal(array, earlier.inputs[name])


def test_only_the_last_case_repeats_shapes(problem):
    shapes = [tuple(array.shape for array in case.inputs.values()) for case in problem.cases]
    repeated = [case.name for place, case in enumerate(problem.cases) if shapes[place] in shapes[:place]]
    assert repeated == ["secret/19-same-shapes-again"]


def vacuous_outputs(case: Case) -> dict[str, np.ndarray]:
    """What code returns that computes nothing."""
    shape = case.answer.shape
    values = case.inputs["V"].astype(float)
    outputs = {name: array.astype(float) for name, array in case.inputs.items()}
    outputs |= {"zeros": np.zeros(shape), "ones": np.ones(shape), "a constant": np.full(shape, values.mean())}
    outputs["mean of V"] = np.broadcast_to(values.mean(axis=-2, keepdims=True), shape)
    return {name: output for name, output in outputs.items() if output.shape == shape}


def test_outputs_that_compute_nothing_fail_except_where_the_case_says_so(problem):
    right = {
        (case.name, name)
        for case in problem.cases
        for name, output in vacuous_outputs(case).items()
        if error_of(output, case) <= LEAST_KILL
    }
    assert right == {
        ("secret/09-one-key", "mean of V"),
        ("secret/12-identical-keys", "mean of V"),
        ("secret/13-one-hot-queries", "V"),
    }


# Programs


def test_there_are_at_least_twenty_spellings_and_forty_mistakes(problem):
    assert len({program.source for program in problem.accepted}) == len(problem.accepted) >= 24
    assert len({mistake.source for mistake in problem.mistakes}) == len(problem.mistakes) >= 48


def test_every_accepted_program_keeps_its_margin_on_every_case(problem):
    for program in problem.accepted:
        for case, outcome in zip(problem.cases, outcomes(PACKAGE)[program.name], strict=True):
            assert outcome.verdict == "accepted", (program.name, case.name, outcome.reason)
            assert outcome.error * LEAST_MARGIN <= 1.0, (program.name, case.name, outcome.error)


def test_no_program_names_the_built_in_attention(problem):
    built_in = re.compile(rb"F\.scaled_dot|functional\.scaled_dot|_scaled_dot|MultiheadAttention|multi_head_attention")
    assert [program.name for program in (*problem.accepted, *problem.mistakes) if built_in.search(program.source)] == []
    assert [rule.name for rule in problem.policy.forbid] == ["@attention"]


def test_the_reference_answers_float64_with_float64(problem):
    function = function_of(problem, problem.reference)
    for case in problem.cases:
        output = function(*tensors_of(case, torch.float64))
        assert output.dtype == torch.float64
        assert np.max(np.abs(output.numpy() - case.answer)) <= 1e-12 * np.max(np.abs(case.answer)), case.name


def test_every_mistake_gets_its_verdict_and_reason(problem):
    for mistake in problem.mistakes:
        first = next(outcome for outcome in outcomes(PACKAGE)[mistake.name] if outcome.verdict != "accepted")
        assert (first.verdict, first.reason) == (mistake.verdict, mistake.reason), mistake.name


def test_every_mistake_clearly_fails_a_secret_case(problem):
    for mistake in problem.mistakes:
        secret = [
            outcome
            for case, outcome in zip(problem.cases, outcomes(PACKAGE)[mistake.name], strict=True)
            if not case.is_sample and outcome.verdict != "accepted"
        ]
        assert any(outcome.error is None or outcome.error >= LEAST_KILL for outcome in secret), mistake.name


def alike(one: Outcome, other: Outcome, case: Case) -> bool:
    if (one.verdict, one.reason, one.exception) != (other.verdict, other.reason, other.exception):
        return False
    if one.output is None or other.output is None:
        return one.output is other.output
    if one.output.shape != other.output.shape:
        return False
    return torch.allclose(
        one.output.double(), other.output.double(), rtol=1e-5, atol=case.tolerance.atol, equal_nan=True
    )


def test_no_two_mistakes_give_the_same_outputs_unless_they_say_so(problem):
    secret = [place for place, case in enumerate(problem.cases) if not case.is_sample]
    same = {
        frozenset((one.name, other.name))
        for one, other in itertools.combinations(problem.mistakes, 2)
        if all(
            alike(outcomes(PACKAGE)[one.name][place], outcomes(PACKAGE)[other.name][place], problem.cases[place])
            for place in secret
        )
    }
    said = {frozenset((mistake.name, mistake.same_as)) for mistake in problem.mistakes if mistake.same_as}
    assert same == said


def test_every_mistake_starts_from_the_starter(problem):
    docstring = "    Returns the scaled dot-product attention output."
    for mistake in problem.mistakes:
        lines = mistake.source.decode().splitlines()
        assert SIGNATURE in lines, mistake.name
        assert docstring in lines, mistake.name
