"""The store keeps its promises when many processes write at once."""

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from psycopg import errors
from sqlalchemy import text
from sqlalchemy.exc import DataError

from app.store import accepting, history, judgings, rejudging, revisions, summaries
from app.store.accepting import Kept, KeptBefore, TooManyPending
from app.store.jobs import Jobs, jobless, load
from app.store.store import Store
from problems.shipped import shipped_bank
from problems.snapshot import take_snapshot
from tests.kept import SLUG, new_submission

OUTCOME = judgings.Outcome(
    "accepted", None, 1, 1, None, '{"cases": []}', 2000, (judgings.CaseRow("secret/01-a", "accepted", None, 0.1),)
)


@pytest.fixture(scope="module")
def snapshot():
    return take_snapshot(shipped_bank() / SLUG)


@pytest.fixture
def store(database, tmp_path, snapshot):
    with Store(tmp_path, database.url) as store:
        store.write(lambda connection: revisions.publish_first(connection, [snapshot], 0))
        yield store


@pytest.fixture
def new(snapshot):
    return functools.partial(new_submission, snapshot.problem.revision)


@pytest.fixture
def accept(store, new):
    jobs = Jobs()

    def accept(number=1, **changed):
        return store.write(lambda connection: accepting.accept(connection, new(number, **changed), jobs.defer))

    return accept


def at_once(function, many):
    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(function, range(1, many + 1)))


def test_of_many_that_come_at_once_a_client_gets_as_many_in_as_it_may(accept):
    answers = at_once(lambda number: accept(number, max_pending=3), 8)
    assert sorted(answer.priority for answer in answers if isinstance(answer, Kept)) == [-2, -1, 0]
    assert [answer.pending for answer in answers if isinstance(answer, TooManyPending)] == [3] * 5


def test_of_many_retries_that_come_at_once_one_is_kept(accept, database):
    answers = at_once(lambda number: accept(number, key="k", came_alone=True, owner=f"cookie {number}"), 8)
    assert sum(isinstance(answer, Kept) for answer in answers) == 1
    assert len({answer.id for answer in answers if isinstance(answer, KeptBefore)}) == 1
    assert database.query("SELECT count(*) FROM submissions") == [(1,)]


def test_a_submission_has_its_job_with_its_priority(accept, database, new):
    for number in (1, 2):
        accept(number)
    rows = database.query("SELECT args->>'judging', args->>'submission', priority, queue_name FROM procrastinate_jobs")
    assert rows == [(new(n).judging, new(n).id, priority, "judging") for n, priority in [(1, 0), (2, -1)]]


def test_what_is_rolled_back_leaves_neither_a_submission_nor_a_job(store, new, database):
    def fail(connection):
        accepting.accept(connection, new(), Jobs().defer)
        connection.execute(text("SELECT 1 / 0"))

    with pytest.raises(Exception, match="division by zero"):
        store.write(fail)
    assert database.query("SELECT id FROM submissions UNION SELECT id FROM judgings") == []
    assert database.query("SELECT id FROM procrastinate_jobs") == []


def test_of_two_attempts_only_the_later_one_stores(accept, store, new):
    accept()
    first, second = (store.write(lambda c: judgings.claim(c, new().judging)) for _ in range(2))
    assert (first.attempt, second.attempt, second.source) == (1, 2, b"pass\x00")
    stored = [
        store.write(lambda c, a=a: judgings.store(c, new().judging, a.attempt, OUTCOME))
        for a in (first, second, second)
    ]
    assert stored == [False, True, False]
    assert store.read(lambda c: history.reports(c, [new().id, "nobody"])) == {new().id: OUTCOME.report}


def test_the_load_counts_what_waits_and_since_when(accept, store, new):
    for number in (1, 2, 3):
        accept(number)
    store.write(lambda c: judgings.claim(c, new(2).judging))
    found = store.read(load)
    assert (found.queued, found.rejudgings, found.oldest_ms, found.workers) == (2, 0, 1001, 0)


def test_what_a_sick_worker_tries_again_does_not_make_everybody_else_wait(accept, store, new, database):
    accept()
    database.query("UPDATE procrastinate_jobs SET status = 'doing'")
    claim = store.write(lambda c: judgings.claim(c, new().judging))
    store.write(lambda c: judgings.put_back(c, new().judging, claim.attempt))
    found = store.read(load)
    assert (found.queued, found.oldest_ms) == (1, None)


def test_an_error_of_the_database_repeats_nothing_that_a_student_sent(accept):
    with pytest.raises(DataError) as error:
        accept(owner="cookie" * 60, source=b"my source", user_name="somebody", key="my key")
    assert not any(secret in str(error.value) for secret in ("cookie", "my source", "somebody", "my key"))


def test_a_judging_without_a_job_is_found_and_gets_one_once(accept, store, new, database):
    for number in (1, 2):
        accept(number)
    database.query("DELETE FROM procrastinate_jobs WHERE queueing_lock = %s", (new(1).judging,))
    (lost,) = store.read(lambda c: jobless(c, 5000))
    assert lost.judging == new(1).judging
    assert [store.write(lambda c: Jobs().defer_again(c, lost)) for _ in range(2)] == [True, False]
    assert store.read(lambda c: jobless(c, 5000)) == []


def test_a_rejudging_has_its_jobs_behind_everybody_and_can_be_applied(accept, store, new, snapshot, database):
    for number in (1, 2):
        accept(number)
        claim = store.write(lambda c, n=number: judgings.claim(c, new(n).judging))
        store.write(lambda c, n=number, a=claim.attempt: judgings.store(c, new(n).judging, a, OUTCOME))
    database.query("DELETE FROM procrastinate_jobs")
    begun = store.write(
        lambda c: rejudging.begin(c, "batch", SLUG, snapshot.problem.revision, 3000, None, Jobs().defer)
    )
    jobs = database.query("SELECT queueing_lock, priority, args->>'rejudging' FROM procrastinate_jobs")
    assert (begun, {(priority, flag) for _, priority, flag in jobs}) == (2, {(rejudging.PRIORITY, "true")})
    worse = replace(OUTCOME, verdict="wrong_answer", passed=0)
    for judging, _, _ in jobs:
        attempt = store.write(lambda c, j=judging: judgings.claim(c, j)).attempt
        store.write(lambda c, j=judging, a=attempt: judgings.store(c, j, a, worse))
    assert len(store.read(lambda c: rejudging.differences(c, "batch"))) == 2
    assert store.write(lambda c: rejudging.apply(c, "batch")) == 2
    assert store.read(lambda c: summaries.statistics(c, SLUG)).verdicts[0].name == "wrong_answer"


def test_a_revision_that_is_judged_on_cannot_be_deleted(accept, database):
    accept()
    with pytest.raises(errors.ForeignKeyViolation):
        database.query("DELETE FROM problem_revisions")
