"""Commands of an author whose bank lies in a database."""

import json
import shutil

import pytest

from problems.shipped import shipped_bank

SLUG = "scaled-dot-product-attention"
CUBE = "def cube(X):\n    return X * X * X\n"


@pytest.fixture
def author(run, database):
    """Runs a command; checks its status and gives what it said."""

    def author(*command, status=0):
        done = run(*map(str, command), url=database.url)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    return author


def revision(author, slug=SLUG):
    return json.loads(author("problem", "show", slug, "--format", "json"))["revision"]


def test_a_problem_is_checked_out_changed_and_published_again_and_again(author, tmp_path):
    before = revision(author)
    author("problem", "checkout", SLUG, "--to", tmp_path)
    statement = tmp_path / SLUG / "statement" / "problem.en.md"
    for words in ("First.", "Second."):
        statement.write_text(f"{statement.read_text()}\n{words}\n")
        author("problem", "publish", tmp_path / SLUG)
        assert revision(author) != before
        before = revision(author)


def test_a_problem_that_somebody_else_published_meanwhile_is_not_overwritten(author, tmp_path):
    for name in ("mine", "theirs"):
        author("problem", "checkout", SLUG, "--to", tmp_path / name)
        statement = tmp_path / name / SLUG / "statement" / "problem.en.md"
        statement.write_text(f"{statement.read_text()}\n{name}\n")
    author("problem", "publish", tmp_path / "theirs" / SLUG)
    assert "somebody else published" in author("problem", "publish", tmp_path / "mine" / SLUG, status=2)
    author("problem", "publish", tmp_path / "mine" / SLUG, "--replace")


def test_files_that_were_not_checked_out_replace_nothing_unasked(author, tmp_path):
    shutil.copytree(shipped_bank() / SLUG, tmp_path / SLUG)
    assert "was not checked out of it" in author("problem", "publish", tmp_path / SLUG, status=2)


def test_a_problem_is_never_checked_out_over_files(author, tmp_path):
    author("problem", "checkout", SLUG, "--to", tmp_path)
    assert "is there already" in author("problem", "checkout", SLUG, "--to", tmp_path, status=2)
    assert "did you mean" in author("problem", "checkout", SLUG + "s", "--to", tmp_path, status=2)


def test_a_new_problem_is_published_with_its_first_cases(author, tmp_path):
    (tmp_path / "cube.py").write_text(CUBE)
    parameters = ("--parameter", "X: float32[..., n]", "--result", "float32[..., n]")
    assert "--from" in author("problem", "new", "cube", *parameters, status=2)
    author("problem", "new", "cube", *parameters, "--from", tmp_path / "cube.py")
    slugs = [row["slug"] for row in json.loads(author("problem", "list", "--format", "json"))["items"]]
    assert slugs == sorted([SLUG, "cube"])


@pytest.mark.parametrize("command", [("problem", "checkout", SLUG), ("problem", "publish", SLUG)])
def test_with_a_bank_of_files_there_is_nothing_to_publish(run, command):
    done = run(*command, url="")
    assert done.returncode == 2
    assert "The bank is a directory of files" in done.stderr
