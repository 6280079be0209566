"""A server that is killed while it accepts leaves no judging without a job: one transaction keeps both."""

import pytest

from tests.postgres.crowd import Crowd
from tests.postgres.waiting import wait_for

WITHOUT_JOB = """
    SELECT judgings.id FROM judgings
    WHERE state <> 'done' AND NOT EXISTS (
        SELECT FROM procrastinate_jobs jobs WHERE jobs.queueing_lock = judgings.id AND jobs.status IN ('todo', 'doing')
    )
"""
WITHOUT_JUDGING = "SELECT id FROM submissions WHERE NOT EXISTS (SELECT FROM judgings WHERE submission = submissions.id)"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kills", [5, pytest.param(40, marks=pytest.mark.long)])
def test_a_server_killed_while_it_accepts_leaves_no_submission_without_a_job(replica, database, capsys, kills):
    server, kept = replica().start(), set()
    with Crowd([server], submissions=100_000) as crowd:
        for kill in range(kills):
            enough = len(crowd.acknowledged) + 1 + 7 * kill % 20
            wait_for(lambda enough=enough: len(crowd.acknowledged) >= enough)
            server.kill()
            assert database.query(WITHOUT_JOB) == database.query(WITHOUT_JUDGING) == []
            kept |= {submission for (submission,) in database.query("SELECT id FROM submissions")}
            assert set(crowd.acknowledged.values()) <= kept
            # Nobody judges here, and a server takes nothing more when the queue is a minute long.
            database.query("DELETE FROM submissions; DELETE FROM procrastinate_jobs")
            server.start()
        crowd.over.set()
    with capsys.disabled():
        print(  # noqa: T201 -- the figures of the test
            f"\n{kills} kills: {len(kept)} submissions kept, {len(crowd.acknowledged)} acknowledged, "
            f"{crowd.unanswered} requests unanswered, 0 submissions without a job"
        )
    assert {status for status, _, _ in crowd.refused} <= {429, 503}, crowd.refused[:3]
