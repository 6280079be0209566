"""Adding and removing cases: all or nothing, whatever happens in the middle."""

import dataclasses
import fcntl
import os
import resource
import signal
import stat
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems.errors import CaseExists, InputError, PackageError
from problems.package import Tolerance
from problems.reading import load_problem, read_entry_point
from problems.writing import NewCase, add_case, check_case, remove_case

DISK_CALLS = ("open", "fsync", "replace", "unlink", "mkdir")
NOBODY = 65534


def files_of(package: Path) -> dict[str, bytes]:
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*") if path.is_file()}


def case_names(package: Path) -> list[str]:
    return [case.name for case in load_problem(package).cases]


WRITE = os.write  # the child replaces it


def in_a_child(act: Callable[[], None]) -> tuple[int, str]:
    """Runs `act` in a process of its own. Gives the signal that ended it (0: none) and what a PackageError said."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status, words = 0, ""
        try:
            act()
        except PackageError as error:
            words = str(error)
        except BaseException:  # noqa: BLE001 -- the child must never return into pytest
            words, status = traceback.format_exc(), 1
        WRITE(writer, words.encode())
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        words = pipe.read()
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, words
    return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), words


def die_at(number: int, *, after: bool) -> None:
    """From now on the process kills itself before or after its disk call of that number."""
    count = 0

    def counting(call):
        def counted(*args, **kwargs):
            nonlocal count
            count += 1
            if count == number and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = call(*args, **kwargs)
            if count == number and after:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return counted

    for name in DISK_CALLS:
        setattr(os, name, counting(getattr(os, name)))


def deaths(act: Callable[[], None], *, after: bool) -> Iterator[int]:
    """Kills a process that does `act` at its first disk call, a new one at the second, ... until one gets through."""
    for number in range(1, 60):

        def doomed(number: int = number) -> None:
            die_at(number, after=after)
            act()

        ended_by, words = in_a_child(doomed)
        if ended_by == 0:
            assert words == ""
            return
        assert ended_by == signal.SIGKILL
        yield number
    pytest.fail("the work never ended")


def test_an_added_case_reads_back_as_it_was_given(package, new_case):
    case = new_case(
        "secret/20-many-keys",
        leading=(2,),
        title="Many keys: d_v ≠ d_k",
        description="Two\nlines",
        layout={"X": "transposed"},
        hint="Look at $m$.",
        full_feedback=True,
        vacuous="The answer is one of the inputs.",
        seed=0,
    )
    add_case(package, case)
    read = load_problem(package).case("secret/20-many-keys")
    for name in ("title", "description", "layout", "hint", "full_feedback", "vacuous", "seed", "tolerance"):
        assert getattr(read, name) == getattr(case, name), name
    assert read.answer.tolist() == case.answer.tolist()
    assert {name: array.tolist() for name, array in read.inputs.items()} == {
        name: array.tolist() for name, array in case.inputs.items()
    }


@settings(max_examples=50)
@given(st.text(max_size=20), st.text(max_size=30), st.floats(0, 0.5), st.floats(0, 1e300), st.integers(0, 2**64 - 1))
def test_any_words_and_numbers_read_back_or_are_refused_before_writing(title, description, rtol, atol, seed):
    with tempfile.TemporaryDirectory() as directory:
        package = Path(directory) / "p"
        package.mkdir()
        (package / "problem.yaml").write_text(ONE_TENSOR)
        inputs = {"A": np.ones((1,), np.float32)}
        case = NewCase(
            "secret/a",
            title,
            inputs,
            np.ones((1,)),
            Tolerance(rtol=rtol, atol=atol),
            description=description,
            seed=seed,
        )
        try:
            expected = check_case(read_entry_point(package), case)
        except PackageError:
            with pytest.raises(PackageError):
                add_case(package, case)
            assert list(files_of(package)) == ["problem.yaml"]
        else:
            add_case(package, case)
            assert expected.title in title
            assert expected.description == description
            assert (expected.tolerance, expected.seed) == (Tolerance(rtol=rtol, atol=atol), seed)


ONE_TENSOR = """
name: One
uuid: 0c3b3f6e-6a0f-4c58-9c1b-2a6b6a0f9f11
source: {title: A book}
difficulty: easy
license: MIT
entry_point: {function: f, parameters: [{name: A, type: "float32[n]"}], result: "float32[n]"}
"""


def test_the_first_case_makes_its_folders(bare_package, new_case):
    add_case(bare_package, new_case("sample/01-first"))
    assert case_names(bare_package) == ["sample/01-first"]


def test_nothing_but_the_three_files_of_a_case_is_left(package, new_case):
    before = files_of(package)
    add_case(package, new_case("secret/03-third"))
    added = set(files_of(package)) - set(before)
    assert added == {f"data/secret/03-third{suffix}" for suffix in (".in.safetensors", ".ans.safetensors", ".yaml")}


def test_removing_takes_back_all_that_adding_made(package, new_case):
    before, revision = files_of(package), load_problem(package).revision
    add_case(package, new_case("secret/03-third"))
    assert load_problem(package).revision != revision
    remove_case(package, "secret/03-third")
    assert files_of(package) == before
    assert load_problem(package).revision == revision


def test_a_name_that_is_taken_is_refused(package, new_case):
    before = files_of(package)
    with pytest.raises(CaseExists, match="secret/02-more is there already; choose another name or remove it first"):
        add_case(package, new_case("secret/02-more", seed=9))
    assert files_of(package) == before


def test_removing_what_is_not_there_is_refused(package):
    with pytest.raises(PackageError, match="secret/99: there is no such case in weighted-rows"):
        remove_case(package, "secret/99")


NO_NAMES = ["", "20-keys", "secret/", "/etc/passwd", "secret/../sample/a", "secret/a/b", "secret/A", "other/a"]
NO_NAMES += ["secret/a b", "secret/é", "secret/" + "a" * 200, "secret/a\n", "secret/-a", "secret/.a"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_is_none_is_refused(package, new_case, name):
    before = files_of(package)
    with pytest.raises(PackageError, match="is no name for a case"):
        add_case(package, new_case(name))
    with pytest.raises(PackageError, match="is no name for a case"):
        remove_case(package, name)
    assert files_of(package) == before


FLOATS = np.ones((3, 4), np.float32)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"inputs": {"W": FLOATS}}, "X is missing; give W, X"),
        ({"inputs": {"W": FLOATS, "X": np.ones((4, 2))}}, "X is float64; cases are float32"),
        ({"inputs": {"W": FLOATS, "X": np.ones((4, 2), np.int64)}}, "X is int64; cases are float32"),
        ({"inputs": {"W": FLOATS, "X": np.array([["a"] * 2] * 4, object)}}, "X is object; cases are float32"),
        ({"inputs": {"W": FLOATS, "X": np.ones((4, 2), ">f4")}}, "X is >f4; cases are float32"),
        (
            {"inputs": {"W": FLOATS, "X": np.ones((4,), np.float32)}},
            "X has shape (4,), 1 dimension; it needs at least 2",
        ),
        ({"inputs": {"W": FLOATS, "X": np.ones((5, 2), np.float32)}}, "X has 5 rows (m), W has 4 columns"),
        ({"inputs": {"W": FLOATS, "X": np.ones((4, 0), np.float32)}}, "every size must be at least 1"),
        ({"inputs": {"W": FLOATS * np.float32("inf"), "X": np.ones((4, 2), np.float32)}}, "W has inf at [0, 0]"),
        (
            {"inputs": {"W": FLOATS, "X": np.broadcast_to(np.float32(1), (4, 1 << 23))}},
            "All inputs together have 134217776 bytes; at most 33554432 are allowed",
        ),
        ({"answer": np.ones((3, 3))}, "the answer has shape (3, 3); these inputs give (3, 2)"),
        ({"answer": np.ones((3, 2), np.float32)}, "the answer is float32; answers are float64"),
        ({"answer": np.full((3, 2), np.nan)}, "the answer has nan at [0, 0]"),
        ({"layout": {"Q": "transposed"}}, 'the layout names "Q", which is no input'),
        ({"layout": {"W": "reversed"}}, "layout.W: input should be 'transposed'"),
        ({"title": " "}, "title: string should have at least 1 character"),
        ({"title": "a\ud800"}, "'\\ud800' is no character"),
        ({"tolerance": Tolerance(rtol=-1.0, atol=0.0)}, "rtol: input should be greater than or equal to 0"),
        ({"tolerance": Tolerance(rtol=0.0, atol=float("nan"))}, "atol: input should be a finite number"),
        ({"seed": -1}, "seed: input should be greater than or equal to 0"),
    ],
)
def test_a_case_that_is_wrong_is_refused_with_its_name_and_nothing_is_written(package, new_case, changes, words):
    before = files_of(package)
    with pytest.raises(PackageError) as caught:
        add_case(package, dataclasses.replace(new_case("secret/03-third"), **changes))
    assert words in str(caught.value)
    assert "secret/03-third" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files_of(package) == before


def test_inputs_that_do_not_fit_are_told_from_other_errors(package, new_case):
    with pytest.raises(InputError):
        add_case(package, new_case("secret/03-third", inputs={}))


@pytest.mark.parametrize("after", [False, True])
def test_an_author_killed_at_any_write_leaves_the_whole_case_or_none(package, new_case, after):
    case = new_case("secret/03-third", seed=3)
    before = case_names(package)
    points = 0
    for number in deaths(lambda: add_case(package, case), after=after):
        points = number
        names = case_names(package)
        assert names in (before, [*before, "secret/03-third"])
        if names != before:
            assert load_problem(package).case("secret/03-third").answer.tolist() == case.answer.tolist()
            remove_case(package, "secret/03-third")
    assert points >= 15
    assert case_names(package) == [*before, "secret/03-third"]
    assert not [name for name in files_of(package) if "half-written" in name]


@pytest.mark.parametrize("after", [False, True])
def test_an_author_killed_while_removing_leaves_the_whole_case_or_none(package, new_case, after):
    case = new_case("secret/03-third", seed=3)
    add_case(package, case)
    points = 0
    for number in deaths(lambda: remove_case(package, "secret/03-third"), after=after):
        points = number
        if "secret/03-third" in case_names(package):
            remove_case(package, "secret/03-third")
        add_case(package, case)
    assert points >= 4
    assert case_names(package) == ["sample/01-first", "secret/02-more"]


def test_what_a_killed_author_left_behind_does_not_stop_the_next(package, new_case):
    other = new_case("secret/03-third", seed=4)
    for number in deaths(lambda: add_case(package, new_case("secret/03-third", seed=3)), after=False):
        if "secret/03-third" in case_names(package):
            remove_case(package, "secret/03-third")
        add_case(package, other)
        assert load_problem(package).case("secret/03-third").answer.tolist() == other.answer.tolist(), number
        remove_case(package, "secret/03-third")


def test_two_authors_at_once_get_a_clear_error_and_not_a_mix(package, new_case):
    lock = os.open(package, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    before = files_of(package)
    for act in (lambda: add_case(package, new_case("secret/03-third")), lambda: remove_case(package, "secret/02-more")):
        with pytest.raises(PackageError, match="weighted-rows: another author is writing to it; try again in a moment"):
            act()
    assert files_of(package) == before
    os.close(lock)
    add_case(package, new_case("secret/03-third"))


def test_many_authors_at_once_write_one_whole_case(package, new_case):
    children = []
    for seed in range(8):
        child = os.fork()
        if child == 0:
            status = 2
            try:
                add_case(package, new_case("secret/03-third", seed=seed))
                status = 0
            except PackageError:
                status = 1
            finally:
                os._exit(status)
        children.append(child)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert statuses.count(0) == 1
    assert set(statuses) == {0, 1}
    case = load_problem(package).case("secret/03-third")
    assert case.answer.tolist() == new_case("secret/03-third", seed=case.seed).answer.tolist()


def test_a_full_disk_leaves_nothing_that_anybody_sees(package, new_case):
    before = files_of(package)

    def with_a_small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        add_case(package, new_case("secret/03-third", n=50))

    ended_by, words = in_a_child(with_a_small_disk)
    assert ended_by == 0
    assert words == f"secret/03-third cannot be added to {package}; nothing was changed: File too large."
    assert files_of(package) == before


@pytest.mark.parametrize("number", range(1, 14))
def test_a_disk_that_fails_at_any_call_leaves_nothing_that_anybody_sees(package, new_case, number):
    before = files_of(package)

    def with_a_failing_disk() -> None:
        fail_at(number)
        add_case(package, new_case("secret/03-third"))

    _, words = in_a_child(with_a_failing_disk)
    assert words.endswith("No space left on device.")
    assert files_of(package) == before


def fail_at(number: int) -> None:
    """From the disk call of that number on that is not a removal, every one says that the disk is full."""
    count = 0

    def counting(call):
        def counted(*args, **kwargs):
            nonlocal count
            count += 1
            if count >= number + READING_CALLS:
                raise OSError(28, "No space left on device")
            return call(*args, **kwargs)

        return counted

    for name in ("open", "fsync", "replace", "mkdir"):
        setattr(os, name, counting(getattr(os, name)))


READING_CALLS = 2
"""problem.yaml and the lock are opened before the first write."""


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Unlike tmp_path a directory that other users can reach."""
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)


def test_a_read_only_bank_is_refused_with_a_sentence(open_place):
    package = open_place / "one"
    (package / "data/secret").mkdir(parents=True)
    (package / "problem.yaml").write_text(ONE_TENSOR)
    for path in (open_place, package, package / "data", package / "data/secret"):
        path.chmod(stat.S_IRUSR | stat.S_IXUSR | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    case = NewCase("secret/a", "A", {"A": np.ones(1, np.float32)}, np.ones(1), Tolerance(rtol=1e-5, atol=1e-5))

    def as_somebody_else() -> None:
        if os.getuid() == 0:  # whom no mode stops
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        add_case(package, case)

    _, words = in_a_child(as_somebody_else)
    assert words == f"secret/a cannot be added to {package}; nothing was changed: Permission denied."
    assert list(files_of(package)) == ["problem.yaml"]


def test_a_data_folder_that_leads_elsewhere_is_not_written_to(bare_package, tmp_path, new_case):
    (tmp_path / "elsewhere/secret").mkdir(parents=True)
    (bare_package / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PackageError, match="leaves the package"):
        add_case(bare_package, new_case("secret/03-third"))
    assert list((tmp_path / "elsewhere/secret").iterdir()) == []


def test_a_directory_that_is_no_package_is_not_written_to(tmp_path, new_case):
    with pytest.raises(PackageError, match="there is no such package"):
        add_case(tmp_path / "nothing", new_case())
    with pytest.raises(PackageError, match="there is no such package"):
        remove_case(tmp_path / "nothing", "secret/a")
