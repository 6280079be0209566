import shutil

import pytest

from problems.errors import PackageError
from problems.reading import load_problem
from problems.shipped import shipped_bank
from problems.snapshot import digests_in, problem_at, take_snapshot

SLUG = "scaled-dot-product-attention"


@pytest.fixture(scope="module")
def snapshot():
    return take_snapshot(shipped_bank() / SLUG)


def test_a_snapshot_gives_back_the_same_problem_at_the_same_revision(snapshot):
    read = load_problem(shipped_bank() / SLUG)
    again = problem_at(SLUG, snapshot.manifest, snapshot.contents)
    assert again.revision == snapshot.problem.revision == read.revision
    assert [case.digest for case in again.cases] == [case.digest for case in read.cases]
    assert again.statement == read.statement


def test_line_ends_of_a_checkout_do_not_change_what_is_kept(tmp_path, snapshot):
    shutil.copytree(shipped_bank() / SLUG, tmp_path / SLUG)
    file = tmp_path / SLUG / "statement" / "problem.en.md"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert take_snapshot(tmp_path / SLUG).contents == snapshot.contents


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_contents_that_are_not_those_of_the_manifest_are_refused(snapshot, damage):
    digest = digests_in(snapshot.manifest)["problem.yaml"]
    contents = dict(snapshot.contents)
    data = contents.pop(digest)
    if damage == "changed":
        contents[digest] = data + b"\n# more\n"
    with pytest.raises(PackageError, match=r"problem\.yaml is missing or damaged"):
        problem_at(SLUG, snapshot.manifest, contents)


def test_a_manifest_cannot_write_outside(snapshot):
    digest = digests_in(snapshot.manifest)["problem.yaml"]
    manifest = snapshot.manifest + f"{digest}  ../../outside\n".encode()
    with pytest.raises(PackageError, match="outside the package"):
        problem_at(SLUG, manifest, snapshot.contents)
