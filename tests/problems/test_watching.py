"""The bank of a running server: new revisions are noticed, broken ones do not stop it."""

import shutil
import threading
from pathlib import Path

import pytest

from problems import reading, watching
from problems.errors import PackageError
from problems.watching import Bank
from problems.writing import add_case, remove_case


class Clock:
    """Stands still until it is told."""

    def __init__(self):
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bank(package: Path, clock: Clock) -> Bank:
    return Bank(package.parent, clock=clock)


def test_a_bank_serves_its_packages_by_slug(bank):
    assert list(bank.problems()) == ["weighted-rows"]
    assert bank.get("weighted-rows").name == "Weighted rows"
    assert bank.trouble() == {}
    with pytest.raises(KeyError):
        bank.get("nothing")


def test_a_new_case_is_served_after_a_second_and_the_old_revision_stays_whole(bank, package, clock, new_case):
    old = bank.get("weighted-rows")
    add_case(package, new_case("secret/03-third"))
    clock.now_s += 0.9
    assert bank.get("weighted-rows") is old
    clock.now_s += 0.1
    new = bank.get("weighted-rows")
    assert new.revision != old.revision
    assert [len(problem.cases) for problem in (old, new)] == [2, 3]


def test_a_removed_case_is_gone_after_a_second(bank, package, clock):
    remove_case(package, "secret/02-more")
    clock.now_s += 1
    assert [case.name for case in bank.get("weighted-rows").cases] == ["sample/01-first"]


def test_a_package_that_did_not_change_is_not_read_again(bank, clock):
    before = bank.get("weighted-rows")
    clock.now_s += 10
    assert bank.get("weighted-rows") is before


def test_a_broken_package_keeps_its_last_good_revision_and_is_named(bank, package, clock, edit):
    good = bank.get("weighted-rows")
    edit(package / "problem.yaml", "difficulty", "dificulty")
    clock.now_s += 1
    assert bank.get("weighted-rows") is good
    assert bank.trouble() == {
        "weighted-rows": 'problem.yaml: the key "difficulty" is missing. (1 more in this file.)',
    }
    edit(package / "problem.yaml", "dificulty", "difficulty")
    clock.now_s += 1
    assert bank.trouble() == {}
    assert bank.get("weighted-rows").revision == good.revision


def test_a_package_that_never_loaded_is_trouble_and_no_problem(package, clock):
    shutil.copytree(package, package.parent / "other")
    (package.parent / "other/problem.yaml").unlink()
    bank = Bank(package.parent, clock=clock)
    assert list(bank.problems()) == ["weighted-rows"]
    assert bank.trouble() == {"other": "problem.yaml: the file is missing."}


def test_a_package_without_cases_is_not_served(bare_package, clock):
    bank = Bank(bare_package.parent, clock=clock)
    assert bank.problems() == {}
    assert "there are no cases yet" in bank.trouble()["weighted-rows"]


def test_a_text_that_does_not_render_keeps_the_last_good_revision(bank, package, clock, edit):
    edit(package / "problem.yaml", "$W$", "$W^{$")
    clock.now_s += 1
    assert bank.get("weighted-rows").hints == ("Multiply $W$ by $X$.",)
    assert bank.trouble()["weighted-rows"].startswith("hint 1 of problem.yaml, line 1: the formula $W^{$")


def test_a_package_that_could_not_be_read_for_a_moment_is_read_again(bank, clock, monkeypatch):
    def fail(directory):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(watching, "stamp_of", fail)
        clock.now_s += 1
        assert bank.trouble() == {"weighted-rows": "weighted-rows: the package cannot be read: Permission denied."}
    clock.now_s += 1
    assert bank.trouble() == {}
    assert list(bank.problems()) == ["weighted-rows"]


def test_packages_come_and_go(bank, package, clock):
    shutil.copytree(package, package.parent / "other")
    clock.now_s += 1
    assert sorted(bank.problems()) == ["other", "weighted-rows"]
    shutil.rmtree(package.parent / "other")
    clock.now_s += 1
    assert sorted(bank.problems()) == ["weighted-rows"]


def test_files_and_hidden_directories_in_a_bank_are_passed_over(package, clock):
    (package.parent / "README.md").write_text("x")
    (package.parent / ".incoming-x").mkdir()
    (package.parent / "__pycache__").mkdir()
    assert Bank(package.parent, clock=clock).trouble() == {}


def test_a_badly_named_directory_is_named(package, clock):
    shutil.copytree(package, package.parent / "Two Words")
    assert '"Two Words"' in Bank(package.parent, clock=clock).trouble()["Two Words"]


def test_a_bank_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PackageError, match="the bank cannot be read: No such file or directory"):
        Bank(tmp_path / "nothing")


def test_a_bank_that_vanishes_keeps_serving(bank, package, clock):
    package.parent.rename(package.parent.with_name("moved"))
    clock.now_s += 1
    assert list(bank.problems()) == ["weighted-rows"]
    assert "cannot be read" in bank.trouble()["."]
    package.parent.with_name("moved").rename(package.parent)
    clock.now_s += 1
    assert bank.trouble() == {}


def test_readers_do_not_wait_for_the_one_that_reloads(bank, package, clock, monkeypatch, new_case):
    entered, leave = threading.Event(), threading.Event()

    def slow_load(directory):
        entered.set()
        assert leave.wait(30)
        raise PackageError("slow.")

    add_case(package, new_case("secret/03-third"))
    monkeypatch.setattr("problems.watching.load_problem", slow_load)
    clock.now_s += 1
    reloading = threading.Thread(target=bank.problems)
    reloading.start()
    assert entered.wait(30)
    assert len(bank.get("weighted-rows").cases) == 2
    leave.set()
    reloading.join()


def test_a_package_that_changes_while_it_is_read_is_read_again(bank, package, clock, monkeypatch, new_case):
    def load_and_change(directory):
        monkeypatch.setattr(watching, "load_problem", reading.load_problem)
        problem = reading.load_problem(directory)
        add_case(directory, new_case("secret/04-fourth"))
        return problem

    add_case(package, new_case("secret/03-third"))
    monkeypatch.setattr(watching, "load_problem", load_and_change)
    clock.now_s += 1
    assert len(bank.get("weighted-rows").cases) == 4


def test_a_server_that_reads_while_authors_write_never_meets_half_a_case(package, clock, new_case):
    bank = Bank(package.parent, clock=clock)
    done = threading.Event()

    def write() -> None:
        for _ in range(15):
            add_case(package, new_case("secret/03-third"))
            remove_case(package, "secret/03-third")
        done.set()

    author = threading.Thread(target=write)
    author.start()
    while not done.is_set():
        clock.now_s += 1
        assert len(bank.get("weighted-rows").cases) in (2, 3)
    author.join()
    clock.now_s += 1
    assert bank.trouble() == {}
    assert len(bank.get("weighted-rows").cases) == 2
