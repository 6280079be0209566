"""Reading a package: what it gives, what it refuses, and what its revision depends on."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from problems.errors import PackageError
from problems.package import Tolerance
from problems.reading import load_problem
from problems.shipped import shipped_bank
from problems.tensors import encode
from problems.writing import add_case

FIRST = "data/sample/01-first"
MORE = "data/secret/02-more"


def fault(package: Path) -> str:
    with pytest.raises(PackageError) as caught:
        load_problem(package)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_package_becomes_a_problem(package, new_case):
    problem = load_problem(package)
    assert (problem.slug, problem.name, problem.difficulty) == ("weighted-rows", "Weighted rows", "easy")
    assert [case.name for case in problem.cases] == ["sample/01-first", "secret/02-more"]
    assert [program.name for program in problem.accepted] == ["accepted/matmul", "accepted/reference"]
    assert problem.reference.source == b"def mix(W, X):\n    return W @ X\n"
    assert problem.policy.forbid[0].name == "torch.einsum"
    case, expected = problem.case("secret/02-more"), new_case("secret/02-more", seed=2)
    assert case.tolerance == Tolerance(rtol=1e-5, atol=1e-6)
    assert {name: array.tolist() for name, array in case.inputs.items()} == {
        name: array.tolist() for name, array in expected.inputs.items()
    }
    assert case.answer.tolist() == expected.answer.tolist()
    assert case.answer.dtype == np.float64


def test_mistakes_carry_their_verdict_and_what_a_teacher_says(package):
    mistakes = {mistake.name: mistake for mistake in load_problem(package).mistakes}
    transposed, loops = mistakes["wrong_answer/transposed"], mistakes["wrong_answer/loops"]
    assert (transposed.verdict, transposed.reason, transposed.pitfall) == ("wrong_answer", "wrong_shape", "order")
    assert (loops.verdict, loops.reason, loops.same_as) == ("time_limit_exceeded", None, "wrong_answer/transposed")


def test_inputs_come_in_the_order_of_the_parameters(package, edit):
    edit(package / "problem.yaml", '{name: W, type: "float32[..., n, m]"}', '{name: X, type: "float32[..., m, d]"}')
    text = (package / "problem.yaml").read_text()
    at = text.rindex('{name: X, type: "float32[..., m, d]"}')
    swapped = text[:at] + text[at:].replace(
        'name: X, type: "float32[..., m, d]"', 'name: W, type: "float32[..., n, m]"'
    )
    (package / "problem.yaml").write_text(swapped)
    assert list(load_problem(package).cases[0].inputs) == ["X", "W"]


def test_a_package_without_cases_loads(bare_package):
    assert load_problem(bare_package).cases == ()


def test_the_theory_may_be_left_out(package):
    (package / "statement/theory.en.md").unlink()
    assert load_problem(package).theory is None


def test_every_shipped_package_loads():
    packages = [path for path in shipped_bank().iterdir() if path.is_dir()]
    assert [load_problem(path).slug for path in packages] == [path.name for path in packages]


def test_nothing_in_a_package_is_executed(package, tmp_path):
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n"
    for path in package.rglob("*.py"):
        path.write_text(trap)
    before = set(sys.modules)
    load_problem(package)
    assert not (tmp_path / "sprung").exists()
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    "name",
    [
        "problem.yaml",
        "statement/problem.en.md",
        "attachments/starter.py",
        "submissions/submissions.yaml",
        f"{MORE}.ans.safetensors",
        f"{MORE}.yaml",
    ],
)
def test_a_missing_file_is_named(package, name):
    (package / name).unlink()
    assert Path(name).name in fault(package)


def test_an_answer_or_a_description_without_its_inputs_is_no_case(package):
    (package / f"{MORE}.in.safetensors").unlink()
    (package / "data/secret/.half-written-07.in.safetensors").write_bytes(b"half")
    assert [case.name for case in load_problem(package).cases] == ["sample/01-first"]


@pytest.mark.parametrize("suffix", [".in.safetensors", ".ans.safetensors"])
@pytest.mark.parametrize("kept", [0, 7, 100, -1])
def test_a_case_cut_short_is_refused_with_its_name(package, suffix, kept):
    path = package / f"{MORE}{suffix}"
    path.write_bytes(path.read_bytes()[:kept])
    assert fault(package).startswith(f"{MORE}{suffix}: ")


def test_an_answer_to_other_inputs_is_refused(package, new_case):
    other = new_case(seed=3).inputs
    (package / f"{MORE}.in.safetensors").write_bytes(encode(other))
    assert fault(package) == (
        f"{MORE}.ans.safetensors does not answer 02-more.in.safetensors: inputs_sha256 differs; add it again."
    )


def rewrite(package: Path, inputs, answer, name: str = MORE) -> None:
    """Writes tensors past every check, with the right digest."""
    data = encode(inputs)
    (package / f"{name}.in.safetensors").write_bytes(data)
    answers = {"answer": answer} if isinstance(answer, np.ndarray) else answer
    digest = hashlib.sha256(data).hexdigest()
    (package / f"{name}.ans.safetensors").write_bytes(encode(answers, {"inputs_sha256": digest}))


W, X, Y = np.ones((3, 4), np.float32), np.ones((4, 2), np.float32), np.full((3, 2), 4.0)


@pytest.mark.parametrize(
    ("inputs", "answer", "sentence"),
    [
        ({"W": W, "X": X.astype(np.float64)}, Y, "secret/02-more: X is float64; cases are float32."),
        ({"W": W}, Y, "secret/02-more: X is missing; give W, X."),
        ({"W": W, "X": X, "Z": X}, Y, 'secret/02-more: "Z" is not a parameter; give W, X.'),
        (
            {"W": W, "X": X[:3]},
            Y,
            "secret/02-more: X has 3 rows (m), W has 4 columns: m must be the same in both places.",
        ),
        (
            {"W": np.where(np.eye(3, 4), np.float32("nan"), W), "X": X},
            Y,
            "secret/02-more: W has nan at [0, 0]; every value must be finite.",
        ),
        ({"W": W, "X": X}, Y.astype(np.float32), "secret/02-more: the answer is float32; answers are float64."),
        (
            {"W": W, "X": X},
            Y[:2],
            "secret/02-more: the answer has shape (2, 2); these inputs give (3, 2): (..., n, d).",
        ),
        ({"W": W, "X": X}, Y * np.inf, "secret/02-more: the answer has inf at [0, 0]; every value must be finite."),
        (
            {"W": W, "X": X},
            {"answer": Y, "other": Y},
            f'{MORE}.ans.safetensors holds answer, other; it must hold one tensor, "answer".',
        ),
    ],
)
def test_a_case_that_does_not_fit_the_entry_point_is_refused(package, inputs, answer, sentence):
    rewrite(package, inputs, answer)
    assert fault(package) == sentence


@pytest.mark.parametrize(
    ("layout", "words"),
    [("{Z: transposed}", 'the layout names "Z", which is no input; give W, X.'), ("{W: flat}", "layout.W")],
)
def test_a_layout_that_names_nothing_is_refused(package, layout, words):
    with (package / f"{MORE}.yaml").open("a") as file:
        file.write(f"layout: {layout}\n")
    assert words in fault(package)


def test_a_layout_needs_two_dimensions(tmp_path, bare_package, edit, new_case):
    edit(bare_package / "problem.yaml", "..., m, d]", "m]")
    edit(bare_package / "problem.yaml", "..., n, d]", "..., n]")
    inputs = {"W": W, "X": X[:, 0]}
    case = new_case(inputs=inputs, answer=Y[:, 0], layout={"X": "transposed"})
    with pytest.raises(PackageError, match="swaps its last two dimensions, and it has 1"):
        add_case(bare_package, case)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("data/secret/notes.txt", "data/secret/notes.txt: only <case>.in.safetensors"),
        ("data/secret/Upper.yaml", '"secret/Upper" is no name for a case'),
        ("data/secret/a_b.yaml", '"secret/a_b" is no name for a case'),
        ("data/other/x", "data/other: cases lie in data/sample or data/secret"),
        ("submissions/judge_error/a.py", "submissions/judge_error: programs lie in accepted"),
        ("submissions/wrong_answer/a.txt", "only programs such as no-scaling.py lie here"),
        (f"submissions/wrong_answer/{'a' * 101}.py", "named with 1 to 100 letters"),
        ("submissions/wrong_answer/a.py", "wrong_answer/a.py has no entry"),
    ],
)
def test_a_file_that_belongs_nowhere_is_named(package, name, words):
    (package / name).parent.mkdir(exist_ok=True)
    (package / name).write_text("x")
    assert words in fault(package)


def test_caches_and_hidden_files_are_passed_over(package):
    before = load_problem(package).revision
    for name in ("submissions/accepted/__pycache__/a.pyc", "submissions/.hidden", "data/.hidden", "data/secret/.x"):
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text("x")
    assert load_problem(package).revision == before


def test_an_entry_without_a_program_is_named(package):
    (package / "submissions/wrong_answer/loops.py").unlink()
    assert "wrong_answer/loops.py has an entry and no file" in fault(package)


def test_a_reference_without_a_program_is_named(package):
    (package / "submissions/accepted/reference.py").unlink()
    assert "reference is accepted/reference.py, and there is no such file" in fault(package)


def test_a_link_that_leaves_the_package_is_refused(package, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("secret")
    (package / "statement/problem.en.md").unlink()
    (package / "statement/problem.en.md").symlink_to(outside)
    assert fault(package).startswith("statement/problem.en.md: the link leaves the package")


def test_a_folder_that_is_a_link_out_of_the_package_is_refused(package, tmp_path):
    shutil.move(package / "data/secret", tmp_path / "secret")
    (package / "data/secret").symlink_to(tmp_path / "secret")
    assert fault(package).startswith("data/secret: the link leaves the package")


def test_a_link_inside_the_package_is_followed(package):
    (package / "statement/real.md").write_text("Inside.\n")
    (package / "statement/problem.en.md").unlink()
    (package / "statement/problem.en.md").symlink_to("real.md")
    assert load_problem(package).statement == "Inside.\n"


def test_a_link_to_itself_is_refused(package):
    (package / "statement/problem.en.md").unlink()
    (package / "statement/problem.en.md").symlink_to("problem.en.md")
    assert "statement/problem.en.md" in fault(package)


def test_a_pipe_in_place_of_a_file_is_refused_without_waiting(package):
    (package / "statement/problem.en.md").unlink()
    os.mkfifo(package / "statement/problem.en.md")
    assert fault(package) == "statement/problem.en.md: this must be an ordinary file."


def test_a_folder_in_place_of_a_file_is_refused(package):
    (package / "statement/problem.en.md").unlink()
    (package / "statement/problem.en.md").mkdir()
    assert fault(package).startswith("statement/problem.en.md: ")


def test_a_text_that_is_too_long_or_no_text_is_refused(package):
    (package / "statement/problem.en.md").write_bytes(b"x" * (2 << 20))
    assert "at most 1048576 are read" in fault(package)
    (package / "statement/problem.en.md").write_bytes(b"ab\xff")
    assert "not UTF-8 text (byte 2)" in fault(package)


def test_a_directory_that_is_no_package_is_refused(tmp_path):
    assert "there is no such package" in fault(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    assert "a package is a directory" in fault(tmp_path / "file")
    (tmp_path / "Bad_Name").mkdir()
    assert '"Bad_Name"' in fault(tmp_path / "Bad_Name")


def test_the_revision_is_the_same_in_another_place_at_another_time(package, tmp_path):
    copy = tmp_path / "elsewhere" / "weighted-rows"
    shutil.copytree(package, copy)
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert load_problem(copy).revision == load_problem(package).revision


def test_the_revision_does_not_depend_on_a_checkouts_line_ends(package):
    before = load_problem(package)
    for path in package.rglob("*"):
        if path.suffix in (".md", ".yaml", ".py"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_problem(package).revision == before.revision
    assert load_problem(package).reference == before.reference


def test_the_revision_ignores_files_that_the_reader_does_not_use(package):
    before = load_problem(package).revision
    (package / "generators").mkdir()
    (package / "generators/make.py").write_text("x")
    (package / "README.md").write_text("x")
    assert load_problem(package).revision == before


def test_every_file_that_the_reader_uses_changes_the_revision(package):
    revisions = {load_problem(package).revision}
    texts = [path for path in sorted(package.rglob("*")) if path.suffix in (".md", ".py", ".yaml")]
    for path in texts:
        with path.open("a") as file:
            file.write("\n" if path.suffix != ".yaml" else "# a remark\n")
        revisions.add(load_problem(package).revision)
    assert len(revisions) == len(texts) + 1
    assert len(texts) == 11


def test_the_revision_depends_on_which_file_has_which_content(package):
    before = load_problem(package).revision
    one, other = package / "submissions/accepted/matmul.py", package / "submissions/wrong_answer/loops.py"
    first, second = one.read_text(), other.read_text()
    one.write_text(second)
    other.write_text(first)
    assert load_problem(package).revision != before
