"""The role of a worker judges and can do nothing else."""

import subprocess

import httpx
import psycopg
import pytest
from structlog.testing import capture_logs

from app.hub import Finished
from app.store.notices import Ended, listen
from app.store.store import Store
from app.telling import Telling
from tests.acceptance.sources import ACCEPTED
from tests.postgres.waiting import wait_for

SLUG = "scaled-dot-product-attention"
ROLE = "tensorgrade_worker"


@pytest.fixture(scope="module")
def grants(program):
    """What `tensorgrade worker --grants` prints."""
    return subprocess.run([program, "worker", "--grants"], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def granted(grants, make_database):
    """A database whose owner ran that, and again, as after an upgrade."""
    with make_database() as database:
        database.query(grants)
        database.query(grants)
        yield database


def test_a_worker_judges_with_the_rights_of_its_role_alone(database, grants, replica, worker):
    database.query(grants)
    server = replica().start()
    judge = worker(TENSORGRADE_DATABASE_URL=database.url_for(ROLE)).start()
    answers = [
        httpx.post(f"{server.url}submit", json={"problem": SLUG, "source": ACCEPTED, "mode": mode}, timeout=60)
        for mode in ("submit", "run")
    ]
    assert [answer.json()["state"] for answer in answers] == ["done", "done"]
    assert len(judge.events("judged")) == 2
    assert judge.stop() == 0
    assert [line for line in judge.lines if line.get("level") in {"error", "warning"}] == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT owner FROM submissions",
        "SELECT user_name FROM submissions",
        "SELECT idempotency_key FROM submissions",
        "SELECT body_sha256 FROM submissions",
        "SELECT client FROM judgings",
        "SELECT report FROM judgings",
        "SELECT * FROM case_results",
        "UPDATE submissions SET source = ''",
        "UPDATE judgings SET submission = ''",
        "UPDATE judgings SET current = false",
        "UPDATE problems SET revision = ''",
        "INSERT INTO problem_revisions VALUES ('a', 'b', 0)",
        "INSERT INTO blobs VALUES ('a', '')",
        "INSERT INTO judgings (id) VALUES ('a')",
        "DELETE FROM judgings",
        "DELETE FROM submissions",
        "TRUNCATE case_results",
        "CREATE TABLE mine (a int)",
    ],
)
def test_a_worker_cannot(granted, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        granted.query(statement, user=ROLE)


def test_a_worker_that_may_not_send_hints_for_a_while_sends_the_next(database, grants, tmp_path):
    database.query(grants)
    database.query("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
    with (
        Store(tmp_path, database.url_for(ROLE), owner=False) as store,
        Telling(store) as telling,
        listen(database.url) as ear,
        capture_logs() as logs,
    ):
        telling.finish("first", Finished("{}", 0))
        wait_for(lambda: any(line["event"] == "not told" for line in logs))
        database.query("GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC")
        heard = []
        while Ended(("second",)) not in heard:
            telling.finish("second", Finished("{}", 0))
            heard += ear.hear(1.0)
