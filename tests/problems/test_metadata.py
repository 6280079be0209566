"""The YAML files: strict, and one sentence with the file, the key and the way out."""

import contextlib
import typing

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from judge.report import Reason, Verdict
from problems.documents import parse_yaml
from problems.errors import PackageError
from problems.metadata import CaseYaml, ProblemYaml, SubmissionsYaml, SubmissionYaml, read_metadata

CASE = "title: Many keys\nrtol: 1.0e-5\natol: 1.0e-6\n"
PROBLEM = """
name: Weighted rows
uuid: 0c3b3f6e-6a0f-4c58-9c1b-2a6b6a0f9f11
source: {title: A book}
difficulty: easy
license: MIT
entry_point:
  function: mix
  parameters: [{name: W, type: "float32[..., n, m]"}, {name: X, type: "float32[..., m, d]"}]
  result: "float32[..., n, d]"
"""
SUBMISSIONS = """
reference: accepted/reference.py
submissions:
  wrong_answer/a.py: {title: A, message: Say., pitfall: order}
"""


def fault(model, text):
    with pytest.raises(PackageError) as caught:
        read_metadata(model, text, where="f.yaml")
    return str(caught.value)


def test_the_defaults_are_those_of_the_format():
    limits = read_metadata(ProblemYaml, PROBLEM, where="f.yaml").limits
    assert limits.model_dump() == {
        "time_s": 2.0,
        "total_time_s": 20.0,
        "memory_mib": 512,
        "stdout_kib": 64,
        "source_kib": 64,
    }


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("1.0e-5", "1e-5", "f.yaml: rtol: YAML reads 1e-5 as text; write 1.0e-5."),
        ("1.0e-5", "1E5", "f.yaml: rtol: YAML reads 1E5 as text; write 1.0e+5."),
        ("1.0e-5", "true", "f.yaml: rtol: input should be a valid number, and it is True."),
        ("1.0e-5", ".nan", "f.yaml: rtol: input should be a finite number, and it is nan."),
        ("1.0e-5", "-1.0", "f.yaml: rtol: input should be greater than or equal to 0, and it is -1.0."),
        ("title", "titel", 'f.yaml: the key "title" is missing. (1 more in this file.)'),
        ("Many keys", '""', "f.yaml: title: string should have at least 1 character, and it is ''."),
        ("Many keys", "12", "f.yaml: title: input should be a valid string, and it is 12."),
        ("atol", "layuot: {}\natol", 'f.yaml: unknown key "layuot"; did you mean "layout".'),
        ("atol", "seed: -1\natol", "f.yaml: seed: input should be greater than or equal to 0, and it is -1."),
        ("atol", "seed: 1.0\natol", "f.yaml: seed: input should be a valid integer, and it is 1.0."),
        (
            "atol",
            "full_feedback: 'yes'\natol",
            "f.yaml: full_feedback: input should be a valid boolean, and it is 'yes'.",
        ),
        ("atol", "layout: {K: flat}\natol", "f.yaml: layout.K: input should be 'transposed', and it is 'flat'."),
    ],
)
def test_a_slip_in_a_case_gets_one_sentence(old, new, sentence):
    assert fault(CaseYaml, CASE.replace(old, new, 1)) == sentence


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: W,", "name: class,", '"class" is not a Python name'),
        ("name: W,", "name: X,", "the parameter X is listed twice"),
        ("m, d]", "m, d", "entry_point.parameters.1.type"),
        ('result: "float32[..., n, d]"', 'result: "float32[..., n, p]"', 'the letter "p", which no parameter has'),
        ("difficulty: easy", "difficulty: Easy", "'easy', 'medium' or 'hard'"),
        ("0c3b3f6e-", "", "is not a UUID"),
        ("license: MIT", "license: MIT\nlimits: {tim_s: 2}", 'unknown key "limits.tim_s"; did you mean "time_s"'),
        ("license: MIT", "license: MIT\nlimits: {time_s: 30}", "total_time_s is less than time_s"),
        (
            "license: MIT",
            "license: MIT\nlimits: {memory_mib: 512.0}",
            "limits.memory_mib: input should be a valid integer",
        ),
        ("license: MIT", "license: MIT\npolicy: {forbid: [{name: 'a b', message: x}]}", "policy.forbid.0.name"),
        ("license: MIT", "license: MIT\npolicy: {forbid: [{nam: x}]}", "policy.forbid.0.name"),
        ("{title: A book}", "{title: A book, url: 'javascript:x'}", "source.url"),
        ("license: MIT", "license: MIT\nproblem_format_version: legacy", "'2025-09'"),
    ],
)
def test_a_slip_in_a_problem_names_the_key(old, new, words):
    assert words in fault(ProblemYaml, PROBLEM.replace(old, new, 1))


def test_a_formula_that_yaml_has_eaten_is_refused():
    text = PROBLEM + 'hints: ["Scale by $\\frac{1}{2}$."]\n'
    assert fault(ProblemYaml, text) == (
        "f.yaml: hints.0: there is a '\\x0c' in it; write text with a backslash in single quotes or after >-."
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("accepted/", "wrong_answer/", "reference"),
        ("wrong_answer/a.py", "../a.py", "submissions.../a.py"),
        ("wrong_answer/a.py", "accepted/a.py", "accepted programs need no entry"),
        ("pitfall: order", "pitfall: Order of things", "pitfall"),
        ("pitfall: order", "pitfall: order, same_as: wrong_answer/a.py", "which is no other entry"),
        ("pitfall: order", "pitfall: order, same_as: wrong_answer/b.py", "which is no other entry"),
        ("pitfall: order", "pitfall: order, verdict: accepted", "verdict"),
        ("pitfall: order", "pitfall: order, reason: unlucky", "reason"),
        ("pitfall: order", "pitfal: order", 'pitfall" is missing'),
    ],
)
def test_a_slip_in_the_submissions_names_the_entry(old, new, words):
    assert words in fault(SubmissionsYaml, SUBMISSIONS.replace(old, new, 1))


def test_verdicts_and_reasons_are_those_of_the_judge():
    def names(field):
        literal, _ = typing.get_args(SubmissionYaml.model_fields[field].annotation)
        return set(typing.get_args(literal))

    assert names("reason") == set(Reason)
    assert names("verdict") == set(Verdict) - {Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\na: 2", 'f.yaml, line 2: the key "a" is given twice'),
        ("a: {b: 1, b: 2}", 'line 1: the key "b" is given twice'),
        ("a: &x [1]\nb: *x", "line 1: anchors (&), aliases (*) and tags (!) are not used here"),
        ("a: !!python/object/apply:os.system [id]", "tags (!) are not used here"),
        ("a: [" * 20, "nested more than 16 deep"),
        ("[" * 100_000, "exceeded maximum nesting depth"),
        ("a: {", "not valid YAML: line"),
        ("a: \x07", "not valid YAML"),
        ("a: 2001-99-99", "write it in quotes"),
        ("a: " + "9" * 5_000, "write it in quotes"),
        ("? [a]\n: 1", "not valid YAML"),
    ],
)
def test_unusual_yaml_is_refused_with_its_place(text, words):
    with pytest.raises(PackageError) as caught:
        parse_yaml(text, where="f.yaml")
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a", "just text", "12"])
def test_a_file_without_keys_is_refused(text):
    assert "must hold keys and values" in fault(CaseYaml, text)


@given(st.text(max_size=80))
def test_any_text_is_a_document_or_a_sentence(text):
    with contextlib.suppress(PackageError):
        parse_yaml(text, where="f.yaml")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([CaseYaml, ProblemYaml, SubmissionsYaml]), st.data())
def test_any_document_is_metadata_or_one_line(model, data):
    keys = st.sampled_from(sorted(model.model_fields)) | st.text(max_size=8)
    text = yaml.safe_dump(data.draw(st.dictionaries(keys, plain, max_size=6)))
    sentence = "f.yaml"
    try:
        read_metadata(model, text, where="f.yaml")
    except PackageError as error:
        sentence = str(error)
    assert sentence.startswith("f.yaml")
    assert "\n" not in sentence
