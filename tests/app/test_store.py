import functools
import os
import threading
from concurrent.futures import Future
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, event, func, select, text

from app.store import accepting, history, judgings, revisions
from app.store.accepting import Kept, KeptBefore, OtherBody, TooManyPending
from app.store.database import _MIGRATIONS, FILE, HEAD, open_engine
from app.store.errors import DirectoryInUse, StoreError, StoreUnavailable
from app.store.lock import DirectoryLock
from app.store.schema import blobs, metadata, problem_revisions, submissions
from app.store.schema import judgings as judgings_table
from app.store.store import Store
from problems.errors import PackageError
from problems.shipped import shipped_bank
from problems.snapshot import take_snapshot
from tests.kept import SLUG, new_submission

OUTCOME = judgings.Outcome(
    "accepted", None, 1, 1, None, "{}", 2000, (judgings.CaseRow("secret/01-a", "accepted", None, 0.1),)
)


@pytest.fixture(scope="module")
def snapshot():
    return take_snapshot(shipped_bank() / SLUG)


@pytest.fixture
def store(tmp_path, snapshot):
    with Store(tmp_path) as store:
        store.write(lambda connection: revisions.publish(connection, snapshot, 0))
        yield store


@pytest.fixture
def new(snapshot):
    return functools.partial(new_submission, snapshot.problem.revision)


@pytest.fixture
def accept(store, new):
    def accept(number=1, **changed):
        return store.write(lambda connection: accepting.accept(connection, new(number, **changed)))

    return accept


@pytest.fixture
def claim(store):
    return lambda judging: store.write(lambda connection: judgings.claim(connection, judging))


@pytest.fixture
def finish(store):
    def finish(judging, attempt, outcome=OUTCOME):
        return store.write(lambda connection: judgings.store(connection, judging, attempt, outcome))

    return finish


# ---------------------------------------------------------------------- tables
def test_the_migrations_make_exactly_the_tables_of_the_schema(store):
    assert store.read(lambda c: compare_metadata(MigrationContext.configure(c), metadata)) == []


def test_the_newest_migration_is_the_one_that_the_program_looks_for():
    assert ScriptDirectory(str(_MIGRATIONS)).get_current_head() == HEAD


def test_a_commit_survives_a_power_cut_as_sqlite_promises(store):
    for pragma, wanted in [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]:
        found = store.write(lambda c, pragma=pragma: c.exec_driver_sql(f"PRAGMA {pragma}").scalar())
        assert found == wanted


def test_a_database_of_a_newer_release_is_refused_in_words(store, tmp_path):
    store.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(StoreError, match="written by a newer release"), Store(tmp_path):
        pass


@pytest.mark.parametrize("contents", [b"not a database at all" * 100])
def test_a_file_that_is_no_database_is_refused_in_words(tmp_path, contents):
    (tmp_path / FILE).write_bytes(contents)
    with pytest.raises(StoreError, match="cannot be used: file is not a database"), Store(tmp_path):
        pass


def test_a_data_directory_that_is_a_file_is_refused_in_words(tmp_path):
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match="TENSORGRADE_DATA_DIR"), Store(tmp_path / "data"):
        pass


# ---------------------------------------------------------------------- the lock
def test_one_process_holds_the_directory_and_the_next_is_told_which(tmp_path):
    with DirectoryLock(tmp_path), pytest.raises(DirectoryInUse, match=f"in use by process {os.getpid()}"):
        DirectoryLock(tmp_path).__enter__()
    with DirectoryLock(tmp_path):
        pass


# ---------------------------------------------------------------------- the writer
def test_operations_that_wait_share_one_commit(store):
    entered, go_on = threading.Event(), threading.Event()

    def hold(_):
        entered.set()
        go_on.wait(10)

    first = store.begin(hold)
    entered.wait(10)
    before = store.writer.commits
    rest = [store.begin(lambda _, number=number: number) for number in range(50)]
    go_on.set()
    assert [each.result(10) for each in rest] == list(range(50))
    assert first.done()
    assert store.writer.commits - before <= 2


def test_an_operation_that_fails_takes_nobody_with_it(store, new):
    entered, go_on = threading.Event(), threading.Event()
    store.begin(lambda _: (entered.set(), go_on.wait(10)))
    entered.wait(10)
    good = store.begin(lambda c: accepting.accept(c, new(1)))
    bad = store.begin(lambda _: 1 // 0)
    twice = store.begin(lambda c: accepting.accept(c, new(1)))
    also_good = store.begin(lambda c: accepting.accept(c, new(2)))
    go_on.set()
    assert (good.result(10), also_good.result(10)) == (Kept(0), Kept(-1))
    assert isinstance(bad.exception(10), ZeroDivisionError)
    assert twice.exception(10) is not None
    assert store.read(lambda c: c.execute(select(func.count()).select_from(submissions)).scalar()) == 2


def test_who_no_longer_waits_is_not_written(store, new):
    entered, go_on = threading.Event(), threading.Event()
    store.begin(lambda _: (entered.set(), go_on.wait(10)))
    entered.wait(10)
    left: Future = store.begin(lambda c: accepting.accept(c, new(1)))
    assert left.cancel()
    go_on.set()
    store.write(lambda _: None)
    assert store.read(lambda c: history.found(c, new(1).id)) is None


def test_a_full_disk_is_told_and_nothing_is_half_written(store, accept, new):
    pages = store.write(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())
    store.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}"))
    with pytest.raises(StoreUnavailable, match="full"):
        accept(1, source=b"x" * 65536)
    assert store.read(lambda c: history.found(c, new(1).id)) is None
    store.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count = 1000000"))
    assert accept(1, source=b"x" * 65536) == Kept(0)
    assert store.write(lambda c: c.exec_driver_sql("PRAGMA integrity_check").scalar()) == "ok"


def test_a_database_that_somebody_else_locks_is_told(store, accept, tmp_path, monkeypatch):
    store.write(lambda c: c.exec_driver_sql("PRAGMA busy_timeout = 50"))
    other = open_engine(tmp_path, write=True)
    with other.begin(), pytest.raises(StoreUnavailable, match="locked"):
        accept(1)
    other.dispose()
    assert accept(1) == Kept(0)


# ---------------------------------------------------------------------- accepting
def test_the_more_a_client_has_pending_the_later_its_next_is_judged(accept):
    assert [accept(number) for number in (1, 2, 3)] == [Kept(0), Kept(-1), Kept(-2)]
    assert accept(4, client="somebody else") == Kept(0)


def test_an_address_may_have_as_many_pending_as_those_for_whom_it_stands(accept):
    answers = [accept(number, max_pending=2, share=3) for number in range(1, 8)]
    assert answers == [Kept(0)] * 3 + [Kept(-1)] * 3 + [TooManyPending(6)]


def test_a_client_with_too_many_pending_is_refused_until_one_is_done(accept, claim, finish, new):
    assert [accept(number, max_pending=2) for number in (1, 2, 3)] == [Kept(0), Kept(-1), TooManyPending(2)]
    assert finish(new(1).judging, claim(new(1).judging).attempt)
    assert accept(3, max_pending=2) == Kept(-1)


def test_the_same_key_and_body_is_the_same_submission(accept, new):
    assert accept(1, key="k") == Kept(0)
    assert accept(2, key="k") == KeptBefore(new(1).id)
    assert accept(3, key="k", body_sha256=b"another") == OtherBody()
    assert accept(4, key="k", owner="somebody else") == Kept(-1)


def test_a_key_that_came_alone_is_found_without_a_cookie_and_moves_to_the_new_one(accept, store, new):
    assert accept(1, key="k", owner="first cookie", came_alone=True) == Kept(0)
    assert accept(2, key="k", owner="first cookie") == KeptBefore(new(1).id)
    assert accept(3, key="k", owner="second cookie", came_alone=True) == KeptBefore(new(1).id)
    assert store.read(lambda c: history.found(c, new(1).id)).owner == "second cookie"


def test_pending_ones_are_counted_through_an_index(store, accept):
    accept(1)
    plans = []

    def explain(connection):
        @event.listens_for(connection, "before_cursor_execute", retval=True)
        def _(_connection, _cursor, statement, parameters, _context, _many):
            return f"EXPLAIN QUERY PLAN {statement}", parameters

        plans.extend(connection.execute(accepting._PENDING_OF, {"client": "me"}).all())
        event.remove(connection, "before_cursor_execute", _)

    store.read(explain)
    assert "judgings_pending" in str(plans)


# ---------------------------------------------------------------------- claim, store, recover
def test_a_claimed_judging_is_stored_once(accept, claim, finish, store, new):
    accept(1)
    claimed = claim(new(1).judging)
    assert (claimed.attempt, claimed.submission, claimed.source) == (1, new(1).id, new(1).source)
    assert finish(new(1).judging, 1) is True
    assert finish(new(1).judging, 1) is False
    assert claim(new(1).judging) is None
    assert store.read(lambda c: history.found(c, new(1).id)).state == "done"


def test_of_two_attempts_only_the_later_one_stores(accept, claim, finish, store, new):
    accept(1)
    first, second = claim(new(1).judging), claim(new(1).judging)
    assert (first.attempt, second.attempt) == (1, 2)
    assert finish(new(1).judging, first.attempt, replace(OUTCOME, report='"late"')) is False
    assert finish(new(1).judging, second.attempt, replace(OUTCOME, report='"right"')) is True
    assert store.read(lambda c: history.found(c, new(1).id)).report == '"right"'


def test_what_was_being_judged_at_a_crash_waits_again(accept, claim, store, new):
    accept(1)
    accept(2)
    claim(new(1).judging)
    assert store.write(judgings.recover) == 1
    assert {each.judging for each in store.read(judgings.waiting)} == {new(1).judging, new(2).judging}
    assert claim(new(1).judging).attempt == 2


def test_waiting_ones_come_by_priority_and_then_by_time(accept, store, new):
    accept(1, client="flood")
    accept(2, client="flood")
    accept(3, client="other")
    assert [each.submission for each in store.read(judgings.waiting)] == [new(n).id for n in (1, 3, 2)]


def test_what_was_given_back_can_be_claimed_again(accept, claim, store, new):
    accept(1)
    attempt = claim(new(1).judging).attempt
    assert store.write(lambda c: judgings.put_back(c, new(1).judging, attempt)) is True
    assert [each.judging for each in store.read(judgings.waiting)] == [new(1).judging]
    assert claim(new(1).judging).attempt == attempt


# ---------------------------------------------------------------------- history, forgetting
def test_a_history_is_ones_own_newest_first_in_pages(accept, store, new):
    for number in range(1, 46):
        accept(number, max_pending=100)
    accept(46, owner="somebody else")
    accept(47, mode="run", max_pending=100)
    seen, before = [], None
    for _ in range(3):
        page = store.read(lambda c, before=before: history.page(c, "me", SLUG, before))
        seen += [line.id for line in page.lines]
        before = page.next
    assert before is None
    assert seen == [new(number).id for number in range(45, 0, -1)]


@given(times=st.lists(st.integers(0, 3), min_size=1, max_size=60))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_lose_and_repeat_nothing_whatever_the_clock_said(store, new, times):
    store.write(lambda c: c.execute(delete(submissions)))
    for number, time_ms in enumerate(times):
        one = new(number, submitted_at_ms=time_ms, max_pending=100)
        store.write(lambda c, one=one: accepting.accept(c, one))
    seen, before, going_on = [], None, True
    while going_on:
        page = store.read(lambda c, before=before: history.page(c, "me", None, before))
        seen += [line.id for line in page.lines]
        before = page.next
        going_on = before is not None
    assert sorted(seen) == sorted(new(number).id for number in range(len(times)))


def test_only_what_is_old_and_done_is_forgotten(accept, claim, finish, store, new):
    for number in (1, 2, 3):
        accept(number)
    finish(new(1).judging, claim(new(1).judging).attempt)
    finish(new(3).judging, claim(new(3).judging).attempt)
    assert store.write(lambda c: judgings.forget(c, 1003, None, 10)) == 1
    assert store.read(lambda c: [history.found(c, new(n).id) is None for n in (1, 2, 3)]) == [True, False, False]
    assert store.read(lambda c: c.execute(text("SELECT count(*) FROM case_results")).scalar()) == 1
    assert store.read(lambda c: c.execute(select(func.count()).select_from(judgings_table)).scalar()) == 2


# ---------------------------------------------------------------------- revisions
def test_a_published_problem_comes_back_as_it_was(store, snapshot):
    problem = store.read(lambda c: revisions.load(c, SLUG, snapshot.problem.revision))
    assert problem.revision == snapshot.problem.revision
    assert len(problem.cases) == len(snapshot.problem.cases)


def test_publishing_again_changes_nothing(store, snapshot):
    def counts(connection):
        return [
            connection.execute(select(func.count()).select_from(table)).scalar() for table in (blobs, problem_revisions)
        ]

    before = store.read(counts)
    store.write(lambda connection: revisions.publish(connection, snapshot, 5))
    assert store.read(counts) == before
    assert store.read(revisions.current_revisions) == {SLUG: snapshot.problem.revision}


def test_a_blob_that_was_tampered_with_is_noticed(store, snapshot):
    store.write(
        lambda c: c.execute(text("UPDATE blobs SET data = x'00' WHERE sha256 <> :r"), {"r": snapshot.problem.revision})
    )
    with pytest.raises(PackageError, match="missing or damaged"):
        store.read(lambda c: revisions.load(c, SLUG, snapshot.problem.revision))


def test_a_revision_that_is_judged_on_cannot_be_deleted(store, accept):
    accept(1)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        store.write(lambda c: c.execute(delete(problem_revisions)))
