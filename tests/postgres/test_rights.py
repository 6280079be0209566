"""The role of a worker judges and can do nothing else."""

import subprocess

import httpx
import psycopg
import pytest

SLUG = "scaled-dot-product-attention"
ROLE = "tensorgrade_worker"
ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


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
