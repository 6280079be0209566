"""The mistake is named, by its own name or by none."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from judge.diagnose import diagnosis_of, matching
from judge.footprint import Footprint, Kind, alike, footprints_of
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import NONDETERMINISTIC, Verdict
from problems.package import Tolerance

VARIANTS = sorted((Path(__file__).parent / "variants").glob("*.py"))
SCORES = "Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5"
RIGHT = f"torch.softmax({SCORES}, dim=-1) @ V"


@pytest.fixture(scope="module")
def known(judge, attention):
    return judge.mistakes.learn(attention)


def function(body: str, before: str = "") -> bytes:
    lines = "\n".join("    " + line for line in body.splitlines())
    return f"import torch\n{before}\n\ndef scaled_dot_product_attention(Q, K, V):\n{lines}\n".encode()


def names(problem, mistake):
    """The mistake and those that may share its outputs."""
    linked = {each.name for each in problem.mistakes if each.same_as == mistake.name}
    return {mistake.name} | linked | ({mistake.same_as} if mistake.same_as else set())


# ---------------------------------------------------------------- known mistakes


def test_every_mistake_of_the_package_is_diagnosed_by_its_own_name_or_merged(judge, attention, known):
    for mistake in attention.mistakes:
        diagnosis = judge.grade(attention, mistake.source).diagnosis
        assert diagnosis is not None, mistake.name
        assert set(diagnosis.mistake.split(", ")) == names(attention, mistake)
        assert mistake.message in diagnosis.message
        assert mistake.title in diagnosis.title


def test_a_diagnosis_points_at_the_pitfall_in_the_theory(judge, attention, known):
    diagnosis = judge.grade(attention, function(f"return {RIGHT.replace('dim=-1', 'dim=-2')}")).diagnosis
    assert diagnosis.mistake == "wrong_answer/softmax-over-queries"
    assert f"#pitfall-{diagnosis.pitfall}" in re.findall(r"#pitfall-[a-z-]+", attention.theory)


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_mistake_spelled_differently_is_diagnosed_by_its_name(judge, attention, known, path):
    source = path.read_text()
    expected = source.partition("\n")[0].removeprefix("# ").split(", ")
    diagnosis = judge.grade(attention, source.encode()).diagnosis
    assert diagnosis is not None
    assert sorted(diagnosis.mistake.split(", ")) == sorted(expected)


def test_there_are_enough_variants_and_none_is_a_copy(attention):
    own = {mistake.source.split(b"\n\n", 1)[-1] for mistake in attention.mistakes}
    assert len(VARIANTS) >= 30
    assert not any(path.read_bytes().split(b"\n\n", 1)[-1] in own for path in VARIANTS)


@pytest.mark.parametrize(
    "body",
    [
        f"return torch.softmax({SCORES} * 1.1, dim=-1) @ V",
        "return torch.softmax(Q @ K.transpose(-2, -1) / 7.3, dim=-1) @ V",
        f"return ({RIGHT}) + 0.01",
        "return Q.sum(-1, keepdim=True) * V.mean(dim=-2, keepdim=True)",
        "raise RuntimeError('always')",
        "return torch.zeros(1)",
        "return 3",
        "return 1.0, 2.0",
        f"return {RIGHT} if Q.dim() < 4 else torch.full((1,), float('nan'))",
    ],
)
def test_a_wrong_program_that_is_no_known_mistake_is_never_called_one(judge, attention, known, body):
    report = judge.grade(attention, function(body))
    assert report.verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR)
    assert report.diagnosis is None or report.diagnosis.mistake.startswith("structure/")


def test_nothing_is_named_on_a_partial_match(judge, attention, known):
    """Unscaled for matrices, right for the rest: most cases are those of a known mistake, and not all."""
    source = function(f"if Q.dim() == 2:\n    return torch.softmax(Q @ K.T, dim=-1) @ V\nreturn {RIGHT}")
    report = judge.grade(attention, source)
    assert (report.verdict, report.diagnosis) == (Verdict.WRONG_ANSWER, None)


def test_right_programs_and_programs_that_do_not_compile_have_no_diagnosis(judge, attention, known):
    for source in (*(program.source for program in attention.accepted[:3]), b"def f(:\n", function("return eval('Q')")):
        assert judge.grade(attention, source).diagnosis is None


def test_a_run_names_what_the_samples_show(judge, attention, known):
    diagnosis = judge.run(attention, function("return torch.softmax(Q @ K.mT, dim=-1) @ V")).diagnosis
    assert diagnosis.mistake == "wrong_answer/no-scaling"


def test_a_run_that_fails_on_an_own_input_only_is_not_diagnosed(judge, attention, known):
    inputs = {name: np.ones((7, 7), dtype=np.float32) for name in "QKV"}
    report = judge.run(attention, function(f"assert Q.shape[0] != 7\nreturn {RIGHT}"), [inputs])
    assert (report.verdict, report.diagnosis) == (Verdict.RUN_TIME_ERROR, None)


def test_skipped_cases_do_not_stand_in_the_way_of_a_match(judge, attention, known):
    mistake = next(each for each in attention.mistakes if each.name == "wrong_answer/no-scaling")
    report = judge.grade(attention, mistake.source)
    cut = [replace(case, verdict=Verdict.SKIPPED, reason=None) for case in report.cases[12:]]
    report = replace(report, cases=(*report.cases[:12], *cut), diagnosis=None)
    assert diagnosis_of(attention, report, known).mistake == mistake.name


def test_a_type_of_exception_tells_two_mistakes_apart(attention):
    case = attention.cases[0]
    error = {case.name: Footprint(Kind(Verdict.RUN_TIME_ERROR, type_name="IndexError"))}
    other = {case.name: Footprint(Kind(Verdict.RUN_TIME_ERROR, type_name="ValueError"))}
    assert matching(error, {"a": error, "b": other, "c": {}}, {case.name: case}) == ["a"]


# ---------------------------------------------------------------- what outputs show by themselves


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("by-chance", f"return {RIGHT} + torch.rand(1)"),
        ("by-chance", "return torch.nn.functional.dropout(torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1), 0.5) @ V"),
        ("first-of-sequence", f"return [{RIGHT}, Q]"),
        ("other-dtype", f"return ({RIGHT}).to(torch.complex64).real.double() if False else ({RIGHT}).double() + 0"),
        ("transposed", f"return ({RIGHT}).mT"),
        ("squeezed", f"return ({RIGHT}).unsqueeze(0)"),
        ("reshaped", f"return ({RIGHT}).reshape(-1, V.shape[-1]).flatten()"),
        ("remembered", f"key = Q.shape\nif key not in kept:\n    kept[key] = {RIGHT}\nreturn kept[key]"),
        ("multiple-rows", f"return ({RIGHT}) * 0.5"),
        ("multiple-rows", f"return torch.softmax({SCORES}, dim=-1) * Q.sum(-1, keepdim=True).cos() @ V"),
        ("not-finite", f"return ({RIGHT}).where({RIGHT} > 0.2, torch.tensor(float('inf')))"),
    ],
)
def test_structure_is_told_when_no_mistake_matches(judge, attention, known, name, body):
    diagnosis = judge.grade(attention, function(body, before="kept = {}")).diagnosis
    assert diagnosis is not None
    known_names = {"first-of-sequence": "returns-tuple", "other-dtype": "returns-float64"}
    allowed = {f"structure/{name}", f"wrong_answer/{known_names.get(name)}", "wrong_answer/cached-by-shape"}
    assert diagnosis.mistake in allowed


def test_numbers_in_a_diagnosis_come_from_shown_cases_only(judge, attention, known):
    shown = judge.grade(attention, function(f"return ({RIGHT}).mT")).diagnosis
    assert "In sample/01-worked-example your output has shape (2, 3), expected (3, 2)." in shown.message
    secret = judge.grade(attention, function(f"out = {RIGHT}\nreturn out if Q.dim() == 2 else out.mT")).diagnosis
    assert secret.mistake == "structure/transposed"
    assert not re.search(r"[0-9]", secret.message)


def test_an_output_that_changes_on_a_second_call_is_noted_though_it_is_wrong(judge, attention):
    report = judge.grade(attention, function("return torch.rand(*Q.shape[:-1], V.shape[-1])"))
    assert (report.verdict, report.notes) == (Verdict.WRONG_ANSWER, (NONDETERMINISTIC,))
    report = judge.grade(attention, function("return torch.rand(1) * 0"))
    assert report.notes == ()


# ---------------------------------------------------------------- where what is known comes from


def test_a_student_never_waits_for_the_mistakes_to_run(attention, monkeypatch):
    with Judge(JudgeOptions(zygotes=1)) as judge:
        source = function("return torch.softmax(Q @ K.mT, dim=-1) @ V")
        assert judge.grade(attention, source).diagnosis is None
        judge.mistakes.learn(attention)
        assert judge.grade(attention, source).diagnosis.mistake == "wrong_answer/no-scaling"


def test_what_is_known_is_kept_outside_the_package_for_the_next_judge(attention, known, tmp_path, monkeypatch):
    directory = tmp_path / "mistakes"
    problem = replace(attention, mistakes=attention.mistakes[:6])
    with Judge(JudgeOptions(zygotes=1, cache_dir=directory)) as judge:
        learned = judge.mistakes.learn(problem)
    (file,) = directory.iterdir()
    assert file.suffix == ".npz"
    assert directory.stat().st_mode & 0o077 == 0
    with Judge(JudgeOptions(zygotes=1, cache_dir=directory)) as judge:
        monkeypatch.setattr(judge.mistakes, "_judge", None)  # running anything would fail
        again = judge.mistakes.learn(problem)
    assert [*again] == [*learned] == [mistake.name for mistake in problem.mistakes]
    for name, footprints in learned.items():
        for case, footprint in footprints.items():
            assert again[name][case].kind == footprint.kind
            np.testing.assert_array_equal(again[name][case].values, footprint.values)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"\x80\x04."])
def test_a_damaged_file_is_made_anew(attention, tmp_path, content):
    problem = replace(attention, mistakes=attention.mistakes[:1])
    options = JudgeOptions(zygotes=1, cache_dir=tmp_path)
    with Judge(options) as judge:
        judge.mistakes.learn(problem)
        (file,) = tmp_path.iterdir()
        file.write_bytes(content)
    with Judge(options) as judge:
        assert judge.mistakes.learn(problem).keys() == {problem.mistakes[0].name}
    assert file.stat().st_size > 1000


def test_a_directory_that_cannot_be_written_costs_only_time(attention, tmp_path):
    (tmp_path / "file").touch()
    problem = replace(attention, mistakes=attention.mistakes[:1])
    with Judge(JudgeOptions(zygotes=1, cache_dir=tmp_path / "file" / "below")) as judge:
        assert judge.mistakes.learn(problem).keys() == {problem.mistakes[0].name}


def test_closing_does_not_wait_for_all_mistakes(attention):
    with Judge(JudgeOptions(zygotes=1)) as judge:
        assert judge.mistakes.ready(attention) is None
    assert judge.mistakes.ready(attention) is None


# ---------------------------------------------------------------- equal outputs


def vector(*values):
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (vector(1.0, np.nan), vector(1.0, np.nan), True),
        (vector(np.nan), vector(1.0), False),
        (vector(np.inf), vector(np.inf), True),
        (vector(np.inf), vector(-np.inf), False),
        (vector(np.inf), vector(1.0), False),
        (vector(1.0), vector(np.inf), False),
        (vector(1.0), vector(1.0 + 1e-6), True),
        (vector(1.0), vector(1.001), False),
        (vector(1e4, 0.0), vector(1e4, 1e-3), True),
    ],
)
def test_outputs_are_equal_within_a_tolerance_that_grows_with_them(one, other, equal):
    assert alike(one, other, Tolerance(1e-5, 1e-5), largest=1.0) is equal


def test_a_footprint_of_a_long_output_is_thinned_and_still_tells_outputs_apart(judge, attention):
    report = judge.grade(attention, function("return torch.arange(100_000).float()"))
    footprints = footprints_of(report.cases)
    assert {footprint.values.size for footprint in footprints.values()} == {1 << 14}
    assert {footprint.kind.shape for footprint in footprints.values()} == {(100_000,)}
