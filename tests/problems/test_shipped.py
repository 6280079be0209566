"""The packages that ship with the program."""

import shutil

import pytest

from problems import shipped
from problems.errors import PackageError
from problems.reading import load_problem
from problems.shipped import fill_bank, shipped_bank
from problems.watching import Bank


@pytest.fixture
def ours(package, monkeypatch):
    """A shipped bank of one small package, as an installer leaves it: read-only, with caches."""
    (package / "submissions/accepted/__pycache__").mkdir()
    (package / "submissions/accepted/__pycache__/a.pyc").write_bytes(b"x")
    (package.parent / "__init__.py").write_text("")
    for path in [package, *package.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr(shipped, "shipped_bank", lambda: package.parent)
    yield package
    for path in [package, *package.rglob("*")]:
        path.chmod(0o755)


def test_the_shipped_bank_is_found_and_sound():
    assert Bank(shipped_bank()).trouble() == {}


def test_an_empty_bank_is_filled_with_what_ships(ours, tmp_path):
    target = tmp_path / "data" / "bank"
    assert fill_bank(target) == ["weighted-rows"]
    assert load_problem(target / "weighted-rows").revision == load_problem(ours).revision
    assert [path.name for path in target.iterdir()] == ["weighted-rows"]
    assert not list(target.rglob("__pycache__"))


def test_a_copy_can_be_written_though_the_installation_cannot(ours, tmp_path):
    fill_bank(tmp_path / "bank")
    paths = list((tmp_path / "bank").rglob("*"))
    assert [path for path in paths if not path.stat().st_mode & 0o200] == []


def test_what_is_there_is_never_overwritten(ours, tmp_path):
    target = tmp_path / "bank"
    (target / "weighted-rows").mkdir(parents=True)
    assert fill_bank(target) == []
    assert list((target / "weighted-rows").iterdir()) == []


def test_two_servers_that_start_at_once_fill_a_bank_once(ours, tmp_path, monkeypatch):
    target = tmp_path / "bank"
    copy = shipped._copy

    def copy_and_be_late(source, destination):
        copy(source, destination)
        if source == ours:
            shutil.copytree(ours, target / "weighted-rows")

    monkeypatch.setattr(shipped, "_copy", copy_and_be_late)
    assert fill_bank(target) == []
    assert [path.name for path in target.iterdir()] == ["weighted-rows"]


def test_a_bank_that_cannot_be_written_is_refused_with_a_sentence(ours, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PackageError, match=r"file/bank: the bank cannot be written: Not a directory\.$"):
        fill_bank(tmp_path / "file" / "bank")
