"""What a case says of itself can be changed: in one step, or not at all."""

import contextlib
import os

import pytest

from problems.errors import PackageError
from problems.package import Tolerance
from problems.reading import load_problem
from problems.writing import changed, edit_case


@pytest.fixture
def case(package):
    return load_problem(package).case("secret/02-more")


def files_of(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_every_word_of_a_case_can_be_changed_and_its_tensors_stay(package, case):
    edit_case(
        package, changed(case, title="Other", description="For us.", hint="Look.", tolerance=Tolerance(1e-4, 1e-3))
    )
    after = load_problem(package).case(case.name)
    assert (after.title, after.description, after.hint) == ("Other", "For us.", "Look.")
    assert after.tolerance == Tolerance(1e-4, 1e-3)
    assert (after.digest, after.seed) == (case.digest, case.seed)
    assert (after.answer == case.answer).all()


def test_an_edit_that_a_reader_would_refuse_is_refused_with_its_name(package, case):
    before = files_of(package)
    with pytest.raises(PackageError, match="title"):
        edit_case(package, changed(case, title=""))
    with pytest.raises(PackageError, match='secret/02-more: the layout names "Q"'):
        edit_case(package, changed(case, layout={"Q": "transposed"}))
    assert files_of(package) == before


def test_what_is_not_there_cannot_be_edited(package, case):
    with pytest.raises(PackageError, match=r"secret/09-gone: there is no such case in weighted-rows\."):
        edit_case(package, changed(case, name="secret/09-gone"))
    with pytest.raises(PackageError, match="is no name for a case"):
        edit_case(package, changed(case, name="../x"))


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("number", [1, 2])
def test_a_disk_that_fails_leaves_the_old_words_or_the_new(package, case, monkeypatch, call, number):
    real, count = getattr(os, call), 0

    def failing(*arguments, **more):
        nonlocal count
        count += 1
        if count >= number:
            raise OSError(28, "No space left on device")
        return real(*arguments, **more)

    monkeypatch.setattr(os, call, failing)
    with contextlib.suppress(PackageError):
        edit_case(package, changed(case, title="Other"))
    monkeypatch.undo()
    assert load_problem(package).case(case.name).title in ("Other", case.title)


def test_what_a_failed_edit_left_behind_does_not_stop_the_next(package, case):
    (package / "data/secret/.half-written-02-more.yaml").write_text("title: cut sho")
    edit_case(package, changed(case, title="Other"))
    assert load_problem(package).case(case.name).title == "Other"
    assert not list((package / "data/secret").glob(".*"))


def test_a_disk_that_refuses_is_one_sentence(package, case, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PackageError, match=r"^secret/02-more cannot be changed in .*: No space left on device\.$"):
        edit_case(package, changed(case, title="Other"))
