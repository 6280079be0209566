import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from app.commands.common import safe_text
from app.commands.doctor import check_bank
from app.settings import Settings
from problems.reading import load_problem

SLUG = "scaled-dot-product-attention"
ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
UNSCALED = ACCEPTED.replace(" / K.shape[-1] ** 0.5", "")
SHAPE = "...=2x3,n=3,m=9,d_k=7,d_v=5"


def refused(done, words, status=2):
    """One sentence on standard error, nothing on standard output, no traceback."""
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def package(own_home):
    return own_home / "bank" / SLUG


def files_of(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_grade_says_accepted_with_status_0(run, tmp_path):
    (tmp_path / "mine.py").write_text(ACCEPTED)
    done = run("grade", tmp_path / "mine.py")
    assert done.returncode == 0
    assert "Accepted: 19 of 19 cases pass." in done.stdout


def test_grade_of_something_wrong_ends_with_status_1_and_the_first_failure(run):
    done = run("grade", "-", "--problem", SLUG, stdin=UNSCALED)
    assert done.returncode == 1
    assert "First failure: sample/01-worked-example, Worked example (values differ)." in done.stdout


def test_grade_as_json_is_the_report_of_the_api(run):
    done = run("grade", "-", "--format", "json", stdin="def f(:\n")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["verdict"], report["reason"], report["cases"]) == ("compile_error", "syntax_error", [])
    assert report["errors"][0]["line"] == 1


def test_grade_of_a_source_over_the_limit_is_a_compile_error(run):
    report = json.loads(run("grade", "-", "--format", "json", stdin="#" * 100_000).stdout)
    assert (report["verdict"], report["reason"]) == ("compile_error", "too_large")


def test_escape_sequences_of_a_submission_are_shown_and_not_obeyed(run):
    source = 'def scaled_dot_product_attention(Q, K, V):\n    raise ValueError("\\x1b]0;owned\\x07")\n'
    done = run("grade", "-", stdin=source)
    assert done.returncode == 1
    assert "]0;owned" in done.stdout
    assert "\x1b" not in done.stdout
    assert safe_text("\x1b[2J a\tb\n").plain == "\\x1b[2J a\tb\n"


def test_grade_shows_what_the_first_failing_sample_printed(run):
    source = UNSCALED.replace("    return", "    for row in range(30):\n        print('row', row)\n    return")
    done = run("grade", "-", stdin=source)
    assert "Printed in sample/01-worked-example:\n  row 0\n  row 1\n" in done.stdout
    assert "  row 19\n  ... 10 more lines\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "/does/not/exist.py"], "/does/not/exist.py cannot be read: No such file or directory."),
        (["grade", "."], ". cannot be read: Is a directory."),
        (["grade", "-", "--problem", "scaled-dot-product-atention"], f"did you mean {SLUG}?"),
        (["grade"], "Missing argument"),
        (["grade", "-", "--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["marmalade"], "No such command 'marmalade'"),
        (["serve", "--host", "192.0.2.1"], "192.0.2.1 can be reached by other machines, and there is no login"),
        (["serve", "--host", "example.com"], "Add --expose"),
        (["serve", "--port", "70000"], "less than or equal to 65535"),
        (["case", "list", "nope"], 'No problem "nope" is in'),
        (["case", "add", SLUG, "secret/20-x"], "Give the inputs in one way"),
    ],
)
def test_wrong_use_is_one_sentence_with_status_2(typed, arguments, words):
    refused(typed(*arguments), words)


def test_an_unknown_setting_stops_every_command(typed):
    refused(typed("problem", "list", TENSORGRADE_ZYGOTE="2"), "did you mean TENSORGRADE_ZYGOTES?")


def test_a_taken_port_is_told_in_words(typed, served):
    refused(typed("serve", "--port", str(served.port)), f"Cannot listen on 127.0.0.1 port {served.port}")


def test_a_judge_that_cannot_start_ends_serve_and_grade_with_status_3(run):
    settings = {"TENSORGRADE_WAIVE": "landlock", "PATH": "/nowhere"}
    refused(run("grade", "-", stdin="", **settings), "bubblewrap is not installed", status=3)
    done = run("serve", "--port", "0", **settings)
    assert done.returncode == 3
    assert "tensorgrade: bubblewrap, landlock: neither holds." in done.stderr
    assert "Traceback" not in done.stderr


def test_problem_list(typed):
    assert SLUG in typed("problem", "list").stdout
    (item,) = json.loads(typed("problem", "list", "--format", "json").stdout)["items"]
    assert (item["slug"], item["cases"]) == (SLUG, 19)


def test_a_broken_package_is_listed_as_trouble_with_status_1(typed, package):
    (package / "problem.yaml").write_text("nonsense: true\n")
    done = typed("problem", "list")
    assert done.returncode == 1
    assert f"{SLUG}: problem.yaml" in done.stdout


def test_case_list_has_shapes_and_tolerances_and_no_values(typed):
    done = typed("case", "list", SLUG, "--format", "json")
    items = json.loads(done.stdout)["items"]
    assert len(items) == 19
    assert items[3]["shapes"] == {"Q": [3, 4, 8], "K": [3, 7, 8], "V": [3, 7, 5]}
    assert "secret/04" in typed("case", "list", SLUG).stdout


def test_a_case_from_shapes_and_a_seed_is_written_with_its_answer(run, package):
    done = run(
        "case", "add", SLUG, "secret/20-many-heads", "--shape", SHAPE, "--seed", 7, "--scale", "V=1000",
        "--title", "many heads", "--layout", "K=transposed", "--hint", "Look at K.", "--full-feedback",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    problem = load_problem(package)
    case = problem.case("secret/20-many-heads")
    generator = np.random.default_rng(7)
    for name, shape, scale in [("Q", (2, 3, 3, 7), 1.0), ("K", (2, 3, 9, 7), 1.0), ("V", (2, 3, 9, 5), 1000.0)]:
        expected = (scale * generator.standard_normal(shape)).astype(np.float32)
        np.testing.assert_array_equal(case.inputs[name], expected)
    assert case.answer.shape == (2, 3, 3, 5)
    assert (case.title, case.seed, case.hint, case.full_feedback) == ("many heads", 7, "Look at K.", True)
    assert case.layout == {"K": "transposed"}
    assert case.tolerance == problem.tolerance.for_answer(case.answer)
    assert problem.revision[:12] in done.stdout


def test_without_a_seed_one_is_chosen_and_recorded(run, package):
    done = run(
        "case", "add", SLUG, "secret/20-x", "--shape", "n=3,m=4,d_k=5,d_v=2", "--dist", "uniform", "--format", "json"
    )
    seed = json.loads(done.stdout)["case"]["seed"]
    case = load_problem(package).case("secret/20-x")
    assert case.seed == seed
    expected = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, 5)).astype(np.float32)
    np.testing.assert_array_equal(case.inputs["Q"], expected)


def test_a_dry_run_says_everything_and_writes_nothing(run, package):
    before = files_of(package)
    done = run("case", "add", SLUG, "secret/20-x", "--shape", SHAPE, "--seed", 1, "--dry-run", "--format", "json")
    body = json.loads(done.stdout)
    assert done.returncode == 0
    assert (body["written"], body["against"], body["case"]["answer_shape"]) == (False, [], [2, 3, 3, 5])
    assert files_of(package) == before


Q, K, V = [[1.0, 0.5], [-1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [[10.0, 1.0, 3.0], [20.0, 5.0, -7.0]]


@pytest.mark.parametrize("way", ["safetensors", "json", "stdin", "npy"])
def test_inputs_are_taken_from_files_as_they_are(run, package, tmp_path, way):
    arrays = {name: np.array(value, np.float32) for name, value in (("Q", Q), ("K", K), ("V", V))}
    document = json.dumps({"Q": Q, "K": K, "V": V})
    stdin = None
    match way:
        case "safetensors":
            save_file(arrays, tmp_path / "inputs.safetensors")
            arguments = ["--inputs", tmp_path / "inputs.safetensors"]
        case "json":
            (tmp_path / "inputs.json").write_text(document)
            arguments = ["--inputs", tmp_path / "inputs.json"]
        case "stdin":
            arguments, stdin = ["--inputs", "-"], document
        case _:
            for name, array in arrays.items():
                np.save(tmp_path / f"{name}.npy", array)
            arguments = ["--Q", tmp_path / "Q.npy", "--K", tmp_path / "K.npy", f"--V={tmp_path / 'V.npy'}"]
    done = run("case", "add", SLUG, "sample/03-from-a-file", *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    case = load_problem(package).case("sample/03-from-a-file")
    np.testing.assert_array_equal(case.inputs["Q"], arrays["Q"])
    first = 1 / (1 + np.exp([[(0.5 - 1.0) / np.sqrt(2)], [(2.0 + 1.0) / np.sqrt(2)]]))
    np.testing.assert_allclose(case.answer, np.hstack([first, 1 - first]) @ np.array(V), rtol=1e-12)
    assert (case.title, case.seed) == ("from a file", None)


def test_a_case_that_an_accepted_program_fails_is_refused_with_status_1(run, package):
    """The program is right, the case is not: float32 cannot hold what it asks for."""
    (package / "submissions" / "accepted" / "einsum.py").write_text(ACCEPTED.replace("0.5", "0.25"))
    before = files_of(package)
    done = run("case", "add", SLUG, "secret/20-x", "--shape", SHAPE, "--seed", 1)
    assert done.returncode == 1
    assert "accepted/einsum does not agree" in done.stdout
    assert "Nothing was written." in done.stdout
    assert files_of(package) == before


WRONG_WAYS = {
    "no letter": (["--shape", "n=3,m=4,d_k=5"], "d_v has no size; give n, d_k, m, d_v."),
    "an unknown letter": (["--shape", "n=3,m=4,d_k=5,d_v=2,z=1"], '"z" is not a letter'),
    "a size of zero": (["--shape", "n=0,m=4,d_k=5,d_v=2"], '"n=0" is not a size'),
    "a shape of words": (["--shape", "large"], '"large" is not a size'),
    "sizes beyond memory": (["--shape", "n=1000000,m=1000000,d_k=1000,d_v=1"], "too many elements"),
    "a scale of words": (["--shape", SHAPE, "--scale", "big"], '"big" is not a scale'),
    "a scale for nobody": (["--shape", SHAPE, "--scale", "W=2"], '"W=2" is not a scale'),
    "a scale without end": (["--shape", SHAPE, "--scale", "1e60"], "every value must be finite"),
    "another distribution": (["--shape", SHAPE, "--dist", "cauchy"], "'cauchy' is not one of"),
    "a negative seed": (["--shape", SHAPE, "--seed", "-1"], "greater than or equal to 0"),
    "two ways at once": (["--shape", SHAPE, "--inputs", "-"], "Give the inputs in one way"),
    "a seed for a file": (["--inputs", "-", "--seed", "3"], "go with --shape"),
    "a missing file": (["--inputs", "gone.json"], "gone.json cannot be read: No such file"),
    "another kind of file": (["--inputs", "cli.py"], "cli.py cannot be read"),
    "an option without a file": (["--Q"], "--Q needs a .npy file."),
    "an option that nobody has": (["--W", "w.npy"], "--W is not an option of case add"),
    "one word too many": (["--shape", SHAPE, "extra"], "extra is not an option of case add"),
    "a file twice": (["--Q", "a.npy", "--Q", "b.npy"], "--Q is given twice."),
    "a missing .npy": (["--Q", "a.npy", "--K", "a.npy", "--V", "a.npy"], "Q: a.npy cannot be read: No such file"),
    "a layout of words": (["--shape", SHAPE, "--layout", "K"], '"K" is not a layout'),
}


@pytest.mark.parametrize("name", WRONG_WAYS)
def test_what_an_author_types_wrong_is_one_sentence_and_the_package_is_untouched(typed, package, name):
    arguments, words = WRONG_WAYS[name]
    before = files_of(package)
    refused(typed("case", "add", SLUG, "secret/20-x", *arguments, stdin="{}"), words)
    assert files_of(package) == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sample/01-worked-example", "sample/01-worked-example is there already"),
        ("20-x", "20-x"),
        ("hidden/20-x", "hidden/20-x"),
        ("secret/../../x", "secret/../../x"),
        ("secret/Größe", "secret/Größe"),
    ],
)
def test_a_name_that_cannot_be_is_refused(typed, package, name, words):
    before = files_of(package)
    refused(typed("case", "add", SLUG, name, "--shape", SHAPE), words)
    assert files_of(package) == before


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("", "standard input is not JSON"),
        ("[]", "write an object"),
        ('{"Q": NaN}', "NaN is no number there"),
        ('{"Q": [[1, 2]], "K": [[1, 2]]}', "V is missing; give Q, K, V."),
        ('{"Q": [[1, 2]], "K": [[1]], "V": [[1]]}', "K has 1 column (d_k), Q has 2"),
        ('{"Q": [[1, 2], [3]], "K": [[1, 2]], "V": [[1]]}', "Q is ragged"),
        ('{"Q": [[1e39, 2]], "K": [[1, 2]], "V": [[1]]}', "not finite in float32"),
        ('{"Q": ' + "[" * 10_000, "standard input is not JSON"),
    ],
)
def test_json_that_does_not_fit_is_refused(typed, document, words):
    refused(typed("case", "add", SLUG, "secret/20-x", "--inputs", "-", stdin=document), words)


def test_arrays_of_another_dtype_are_refused_by_name(typed, tmp_path):
    for name, value in (("Q", Q), ("K", K), ("V", V)):
        np.save(tmp_path / f"{name}.npy", np.array(value, np.float64 if name == "K" else np.float32))
    files = [word for name in "QKV" for word in (f"--{name}", tmp_path / f"{name}.npy")]
    refused(typed("case", "add", SLUG, "secret/20-x", *files), "K is float64; cases are float32.")


def test_a_pickle_is_never_opened(typed, tmp_path):
    np.save(tmp_path / "q.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    files = [word for name in "QKV" for word in (f"--{name}", tmp_path / "q.npy")]
    refused(typed("case", "add", SLUG, "secret/20-x", *files), "it is not a .npy file of numbers")


def test_doctor_says_what_holds_and_which_versions_run(run):
    done = run("doctor", "--format", "json")
    body = json.loads(done.stdout)
    states = {finding["name"]: finding["state"] for finding in body["findings"]}
    assert done.returncode == 0
    assert states["seccomp"] == states["rlimits"] == states["interpreter"] == states["bank"] == "ok"
    assert {"cpu", "huge-pages", "torch"} <= set(states)
    assert body["versions"]["torch"].startswith("2.13.0")


def test_doctor_without_a_jail_names_the_layer_and_the_fix_with_status_3(run):
    done = run("doctor", "--format", "json", TENSORGRADE_WAIVE="landlock", PATH="/nowhere")
    missing = [finding for finding in json.loads(done.stdout)["findings"] if finding["state"] == "missing"]
    assert done.returncode == 3
    assert [finding["name"] for finding in missing] == ["bubblewrap"]
    assert "apt-get install bubblewrap" in missing[0]["detail"]


def test_doctor_says_a_waived_layer_is_waived(run):
    done = run("doctor", TENSORGRADE_WAIVE="bubblewrap")
    cells = [[cell.strip() for cell in line.split("│")] for line in done.stdout.splitlines() if "│" in line]
    states = {cell[1]: cell[2] for cell in cells}
    assert (done.returncode, states["bubblewrap"], states["landlock"]) == (0, "waived", "ok")


def test_doctor_says_when_the_shipped_package_differs(package):
    text = (package / "problem.yaml").read_text()
    (package / "problem.yaml").write_text(text.replace("difficulty: medium", "difficulty: hard"))
    findings = check_bank(Settings(bank=package.parent))
    assert any(finding.name == SLUG and "differs from the one" in finding.detail for finding in findings)


def test_version(typed):
    assert typed("--version").stdout.startswith("tensorgrade ")
