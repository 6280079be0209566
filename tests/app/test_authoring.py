"""What an author does with cases and problems, typed as in a shell. The judge is real and shared by these tests."""

import errno
import fcntl
import json
import os
from contextlib import nullcontext

import numpy as np
import pytest

from app.commands import calibrate, case, case_edit, problem_new, verify
from problems.reading import load_problem

SLUG = "scaled-dot-product-attention"
HEADS = "secret/05-batched-heads"
SHAPE = "...=2x3,n=3,m=9,d_k=7,d_v=5"
ROWS = ["--parameter", "W: float32[..., n, m]", "--parameter", "X: float32[..., m, d]"]
RESULT = ["--result", "float32[..., n, d]"]
RIGHT = "def rows(W, X):\n    return W @ X\n"


@pytest.fixture
def author(typed, judge, monkeypatch):
    """A command that may judge."""
    for module in (case, case_edit, problem_new):
        monkeypatch.setattr(module, "one_judge", lambda _: nullcontext(judge))
    for module in (verify, calibrate):
        monkeypatch.setattr(module, "Judge", lambda _: nullcontext(judge))
    return typed


@pytest.fixture
def package(own_home):
    return own_home / "bank" / SLUG


@pytest.fixture
def rows(author, own_home, tmp_path):
    """A small package that an author has just made."""
    (tmp_path / "right.py").write_text(RIGHT)
    done = author("problem", "new", "rows", *ROWS, *RESULT, "--from", tmp_path / "right.py")
    assert done.returncode == 0, done.stderr
    return own_home / "bank" / "rows"


def files_of(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def refused(done, words, status=2):
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- adding


def test_an_added_case_says_what_it_kills_and_how_far_everything_is_from_its_tolerance(author, package):
    done = author("case", "add", SLUG, "secret/20-many-heads", "--shape", SHAPE, "--seed", 7, "--format", "json")
    body = json.loads(done.stdout)
    assert (done.returncode, body["written"], body["against"], body["vacuous"]) == (0, True, [], [])
    assert body["revision"] == load_problem(package).revision
    assert "wrong_answer/scaled-by-root-d-model" in body["kills"]
    assert len(body["kills"]) + len(body["passes"]) == 70
    assert (body["kills_newly"], body["raised_from_atol"]) == ([], None)
    assert 0 < body["noise"]["error"] < 0.25
    assert body["nearest_mistake"]["error"] > 1


def test_a_case_that_kills_something_newly_says_so_in_words(author, package):
    done = author("case", "remove", SLUG, HEADS, "--yes")
    assert f"Without {HEADS} this mistake survives: wrong_answer/scaled-by-root-d-model." in done.stdout
    done = author("case", "add", SLUG, "secret/20-many-heads", "--shape", SHAPE, "--seed", 7)
    assert done.returncode == 0
    assert "kills newly: wrong_answer/scaled-by-root-d-model\n" in done.stdout
    assert "32 of 32 accepted programs agree." in done.stdout
    assert "times the largest rounding error" in done.stdout
    assert "Written; the package is now at revision" in done.stdout


def test_a_case_that_passes_for_nothing_is_refused_in_one_sentence(author, package):
    before = files_of(package)
    arguments = ["case", "add", SLUG, "secret/20-one-key", "--shape", "n=3,m=1,d_k=4,d_v=2", "--seed", 1]
    done = author(*arguments)
    assert done.returncode == 1
    assert "secret/20-one-key: V and the mean of V over dimension -2 would be accepted;" in done.stdout
    assert files_of(package) == before
    assert author(*arguments, "--vacuous", "With one key V is the answer.").returncode == 0
    assert load_problem(package).case("secret/20-one-key").vacuous == "With one key V is the answer."


WRONG_INPUTS = {
    "rank": ('{"Q": [1.0], "K": [[1.0]], "V": [[1.0]]}', "Q has shape (1,), 1 dimension; it needs at least 2"),
    "letters": ('{"Q": [[1.0, 2.0]], "K": [[1.0]], "V": [[1.0]]}', "d_k must be the same in both places"),
    "leading": ('{"Q": [[[1.0]]], "K": [[1.0]], "V": [[1.0]]}', "leading dimensions"),
    "size 0": ('{"Q": [[]], "K": [[1.0]], "V": [[1.0]]}', "Q"),
    "nan": ('{"Q": [[NaN]], "K": [[1.0]], "V": [[1.0]]}', "NaN"),
    "huge": ('{"Q": [[1e60]], "K": [[1.0]], "V": [[1.0]]}', "Q"),
    "missing": ('{"Q": [[1.0]], "K": [[1.0]]}', "V is missing; give Q, K, V."),
    "unknown": ('{"Q": [[1.0]], "K": [[1.0]], "V": [[1.0]], "W": [[1.0]]}', '"W" is not a parameter'),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_inputs_that_do_not_fit_are_one_sentence_with_the_name_of_the_thing(typed, package, name):
    document, words = WRONG_INPUTS[name]
    before = files_of(package)
    refused(typed("case", "add", SLUG, "secret/20-x", "--inputs", "-", stdin=document), words)
    assert files_of(package) == before


def test_an_array_of_another_dtype_is_refused_by_name(typed, package, tmp_path):
    np.save(tmp_path / "a.npy", np.ones((2, 2)))
    arrays = [f"--{name}={tmp_path / 'a.npy'}" for name in "QKV"]
    refused(typed("case", "add", SLUG, "secret/20-x", *arrays), "Q is float64; cases are float32.")


@pytest.mark.parametrize("name", ["sample/01-worked-example", "secret/../../x", "../x", "secret/X"])
def test_a_name_that_is_taken_or_leads_elsewhere_is_refused(typed, package, name):
    before = files_of(package)
    refused(typed("case", "add", SLUG, name, "--shape", SHAPE), name)
    assert files_of(package) == before


def test_a_full_disk_is_one_sentence_and_nothing_is_left(author, package, monkeypatch):
    before = files_of(package)

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = author("case", "add", SLUG, "secret/20-x", "--shape", SHAPE, "--seed", 1)
    refused(done, "nothing was changed: No space left on device.")
    assert files_of(package) == before


def test_two_authors_at_once_get_a_clear_error(author, package):
    before = files_of(package)
    descriptor = os.open(package, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    done = author("case", "add", SLUG, "secret/20-x", "--shape", SHAPE, "--seed", 1)
    os.close(descriptor)
    refused(done, f"{SLUG}: another author is writing to it; try again in a moment.")
    assert files_of(package) == before


# ---------------------------------------------------------------- showing, editing, removing


def test_a_case_is_shown_without_values_unless_they_are_asked_for(typed):
    body = json.loads(typed("case", "show", SLUG, HEADS, "--format", "json").stdout)
    assert body["shapes"]["V"] == [2, 3, 4, 7]
    assert body["description"]
    assert "values" not in body
    assert body["ranges"]["Q"][0] < 0 < body["ranges"]["Q"][1]
    body = json.loads(typed("case", "show", SLUG, HEADS, "--values", "--format", "json").stdout)
    assert body["values"].keys() == {"Q", "K", "V", "answer"}
    text = typed("case", "show", SLUG, HEADS).stdout
    assert "V: float32, from " in text
    assert "[[" not in text


def test_words_are_edited_without_a_judge_and_nothing_else_changes(typed, package):
    before = files_of(package)
    done = typed("case", "edit", SLUG, HEADS, "--title", "Heads", "--hint", "Look at heads.", "--full-feedback")
    assert done.returncode == 0, done.stderr
    changed = load_problem(package).case(HEADS)
    assert (changed.title, changed.hint, changed.full_feedback) == ("Heads", "Look at heads.", True)
    after = files_of(package)
    assert [str(path) for path in after if after[path] != before.get(path)] == [f"data/{HEADS}.yaml"]
    assert after.keys() == before.keys()
    typed("case", "edit", SLUG, HEADS, "--hint", "", "--no-full-feedback")
    changed = load_problem(package).case(HEADS)
    assert (changed.hint, changed.full_feedback) == (None, False)


def test_another_tolerance_is_tried_on_every_program_first(author, package):
    before = files_of(package)
    done = author("case", "edit", SLUG, HEADS, "--rtol", "0", "--atol", "1e-9")
    assert done.returncode == 1
    assert "does not agree" in done.stdout
    assert files_of(package) == before
    done = author("case", "edit", SLUG, HEADS, "--atol", "2.0e-05", "--layout", "K=transposed")
    assert done.returncode == 0
    changed = load_problem(package).case(HEADS)
    assert (changed.tolerance.atol, changed.layout) == (2.0e-05, {"K": "transposed"})
    assert author("case", "edit", SLUG, HEADS, "--layout", "K=contiguous").returncode == 0
    assert load_problem(package).case(HEADS).layout == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["edit", SLUG, "secret/05-heads", "--title", "x"], f"did you mean {HEADS}?"),
        (["edit", SLUG, HEADS], "Say what to change"),
        (["edit", SLUG, HEADS, "--title", ""], "The title cannot be empty"),
        (["edit", SLUG, HEADS, "--atol", "nan"], "atol"),
        (["edit", SLUG, HEADS, "--atol", "-1"], "--atol"),
        (["edit", SLUG, HEADS, "--layout", "W=transposed"], 'the layout names "W"'),
        (["edit", SLUG, HEADS, "--layout", "K=upside-down"], "upside-down"),
        (["edit", SLUG, "secret/09-one-key", "--vacuous", ""], "would be accepted; say with --vacuous why"),
        (["show", SLUG, "x"], f"tensorgrade case list {SLUG} lists them."),
        (["remove", SLUG, "secret/04-batch"], "did you mean secret/04-batched?"),
        (["remove", "attention", HEADS], 'No problem "attention"'),
    ],
)
def test_an_edit_that_cannot_be_made_is_one_sentence(typed, package, arguments, words):
    before = files_of(package)
    refused(typed("case", *arguments), words)
    assert files_of(package) == before


def test_removing_asks_and_does_nothing_unless_the_answer_is_yes(author, package):
    before = files_of(package)
    done = author("case", "remove", SLUG, HEADS, stdin="n\n")
    assert done.returncode == 1
    assert "Nothing was removed." in done.stderr
    assert files_of(package) == before
    assert author("case", "remove", SLUG, HEADS, stdin="y\n").returncode == 0
    assert HEADS not in {each.name for each in load_problem(package).cases}


def test_removing_as_json_names_what_survives(author, package):
    done = author("case", "remove", SLUG, HEADS, "--yes", "--format", "json")
    body = json.loads(done.stdout)
    assert (body["removed"], body["surviving"]) == (HEADS, ["wrong_answer/scaled-by-root-d-model"])
    assert body["revision"] == load_problem(package).revision


# ---------------------------------------------------------------- verify, calibrate


def test_verify_ends_with_status_0_when_every_promise_holds(author, rows):
    done = author("verify", "rows")
    assert done.returncode == 0
    for promise in ("verdicts", "kills", "vacuity", "margins", "diagnosis", "statement"):
        assert f"{promise}: holds\n" in done.stdout
    assert "Kill matrix" in done.stdout


def test_verify_ends_with_status_1_and_says_in_words_what_survives(author, rows):
    wrong = rows / "submissions/wrong_answer/returns-zeros.py"
    wrong.write_text("import torch\n\n\ndef rows(W, X):\n    return W @ X\n")
    done = author("verify", "rows", "--format", "json")
    body = json.loads(done.stdout)
    assert (done.returncode, body["holds"]) == (1, False)
    (item,) = body["items"]
    assert item["promises"] == {
        "verdicts": False, "kills": False, "vacuity": True, "margins": True, "diagnosis": True, "statement": True
    }  # fmt: skip
    assert item["kills"]["wrong_answer/returns-zeros"] == []
    assert "wrong_answer/returns-zeros survives" in " ".join(finding["message"] for finding in item["findings"])


def test_verify_without_a_slug_takes_every_problem(author, rows, package):
    body = json.loads(author("verify", "--format", "json").stdout)
    assert [item["problem"] for item in body["items"]] == ["rows", SLUG]
    assert body["holds"]


def test_verify_mutants_says_how_many_are_killed(author, rows):
    done = author("verify", "rows", "--mutants", "--format", "json")
    (item,) = json.loads(done.stdout)["items"]
    assert done.returncode == 0
    assert item["mutants"]["share"] == 1.0
    assert "are killed (100.0%" in author("verify", "rows", "--mutants").stdout


def test_verify_of_what_is_not_there_is_wrong_use(typed):
    refused(typed("verify", "attention"), 'No problem "attention"')


def test_calibrate_proposes_numbers_and_changes_nothing(author, rows):
    before = files_of(rows)
    done = author("calibrate", "rows", "--seeds", "2", "--format", "json")
    items = json.loads(done.stdout)["items"]
    assert done.returncode == 0
    assert [item["case"] for item in items] == [each.name for each in load_problem(rows).cases]
    assert all(item["margin"] is None or item["margin"] > 4 for item in items)
    assert "Nearest mistake" in author("calibrate", "rows", "--seeds", "2").stdout
    assert files_of(rows) == before


# ---------------------------------------------------------------- problems


def test_a_new_problem_passes_verify_once_its_function_is_written(author, own_home):
    done = author("problem", "new", "rows", *ROWS, *RESULT)
    assert done.returncode == 0, done.stderr
    directory = own_home / "bank" / "rows"
    reference = directory / "submissions/accepted/reference.py"
    assert str(reference) in done.stdout
    refused(author("problem", "fill", "rows"), "write the right program here")
    reference.write_text(
        reference.read_text().replace('raise NotImplementedError("write the right program here")', "return W @ X")
    )
    done = author("problem", "fill", "rows")
    assert done.returncode == 0, done.stderr
    assert author("verify", "rows").returncode == 0
    refused(author("problem", "fill", "rows"), "cases already")


@pytest.mark.parametrize(
    ("types", "result", "body"),
    [
        (["X: float32[..., n]"], "float32[..., n]", "return X * 2"),
        (["X: float32[n, m]"], "float32[m, n]", "return X.mT"),
        (["X: float32[n]", "Y: float32[n]"], "float32[]", "return X @ Y"),
        (["X: float32[3, 4]"], "float32[4]", "return X.sum(0)"),
        (["X: float32[...]"], "float32[...]", "return torch.sigmoid(X)"),
        (
            ["A: float32[..., a, b, c]", "B: float32[b]"],
            "float32[..., a, 2]",
            "return torch.stack((A.sum((-1, -2)), A[..., 0] @ B), -1)",
        ),
    ],
)
def test_a_problem_of_any_shape_can_be_started(author, own_home, tmp_path, types, result, body):
    names = ", ".join(each.partition(":")[0] for each in types)
    (tmp_path / "right.py").write_text(f"import torch\n\n\ndef any_shape({names}):\n    {body}\n")
    parameters = [word for each in types for word in ("--parameter", each)]
    done = author("problem", "new", "any-shape", *parameters, "--result", result, "--from", tmp_path / "right.py")
    assert done.returncode == 0, done.stderr
    done = author("verify", "any-shape")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Rows"], "a package's directory is named in a-z, 0-9 and single hyphens"),
        (["../rows"], "../rows"),
        ([SLUG], "is there already"),
        (["rows", "--parameter", "X"], '"X" is not a parameter'),
        (["rows", "--parameter", "X: float32[n]"], "Say what the function returns"),
        (["rows", "--parameter", "X: float64[n]", "--result", "float32[n]"], "tensors are float32 in this version"),
        (["rows", "--parameter", "X: float32[n]", "--result", "float32[k]"], 'the result uses the letter "k"'),
        (["rows", "--parameter", "X: float32[n]", "--parameter", "X: float32[n]", *RESULT], "X is given twice"),
        (["rows", "--parameter", "class: float32[n]", "--result", "float32[n]"], '"class" is not a Python name'),
        (["rows", "--function", "f-g"], '"f-g" is not a Python name'),
        (["rows", "--difficulty", "trivial"], "difficulty"),
        (["rows", "--from", "gone.py"], "gone.py cannot be read"),
    ],
)
def test_a_problem_that_cannot_be_started_is_one_sentence(typed, own_home, arguments, words):
    before = files_of(own_home / "bank")
    refused(typed("problem", "new", *arguments), words)
    assert files_of(own_home / "bank") == before
    assert [path.name for path in (own_home / "bank").iterdir()] == [SLUG]


def test_a_right_program_that_is_not_right_leaves_no_package(author, own_home, tmp_path):
    (tmp_path / "right.py").write_text("def rows(W, X):\n    return undefined\n")
    done = author("problem", "new", "rows", *ROWS, *RESULT, "--from", tmp_path / "right.py")
    refused(done, "the reference accepted/reference gives no answer")
    assert not (own_home / "bank" / "rows").exists()


def test_a_problem_is_shown_with_its_function_and_what_it_holds(typed):
    text = typed("problem", "show", SLUG).stdout
    assert "scaled_dot_product_attention(Q: float32[..., n, d_k], " in text
    assert "2 samples, 17 secret cases, 32 accepted programs, 70 known mistakes" in text
    body = json.loads(typed("problem", "show", SLUG, "--format", "json").stdout)
    assert (body["samples"], body["secret_cases"], body["forbidden"]) == (2, 17, ["@attention"])
