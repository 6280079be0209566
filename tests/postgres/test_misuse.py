"""What others put into the database, or ask for, stops no server."""

import asyncio
import shutil
from dataclasses import replace
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from app.hub import Finished, Hub, Postponed
from app.store import revisions
from app.store.postgres import READERS
from app.stored_bank import StoredBank
from app.world import World
from tests.postgres.waiting import wait_for

SLUG = "scaled-dot-product-attention"
WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
NOTICES = [
    "nonsense",
    "[" * 7000,
    '{"kind": []}',
    '{"kind": "Ended", "submissions": 5}',
    '{"kind": "Ended", "submissions": [["a"]]}',
    '{"kind": "Ended"}',
    '{"kind": "CaseEnded", "submission": ["a"], "number": "b", "case": 1, "json": {}}',
    r'{"kind": "CaseEnded", "submission": "a", "number": 1, "case": "b", "json": "\ud800"}',
]


@pytest.fixture
def server(replica):
    return replica().start()


def hears(server, database):
    """Whether it still looks into the database."""
    before = httpx.get(f"{server.url}health").json()["workers"]
    database.query("INSERT INTO procrastinate_workers DEFAULT VALUES")
    return wait_for(lambda: httpx.get(f"{server.url}health").json()["workers"] == before + 1, 20)


def test_a_server_hears_on_after_any_notice(server, database):
    for payload in NOTICES:
        database.query("SELECT pg_notify('tensorgrade', %s)", (payload,))
    assert hears(server, database)


@pytest.mark.parametrize("report", ["nonsense", "[" * 100_000, "{}", "[]", '{"cases": 1}'], ids=range(5))
def test_a_server_hears_on_after_a_report_that_is_none(server, database, report):
    body = {"problem": SLUG, "source": "pass"}
    kept = httpx.post(f"{server.url}submit", json=body, headers={"Prefer": "wait=0"})
    database.query("UPDATE judgings SET state = 'done', report = %s", (report,))
    wait_for(lambda: "tensorgrade_waited_for 0.0" in httpx.get(f"{server.url}metrics").text, 20)
    assert httpx.get(f"{server.url[:-1]}{kept.headers['location']}").text == report
    assert hears(server, database)


def test_a_history_of_a_name_that_no_problem_can_have_is_refused(server):
    answer = httpx.get(f"{server.url}submissions?problem=a%00b", cookies={"tensorgrade": "a" * 22})
    assert (answer.status_code, answer.json()["detail"]) == (422, "Not valid: problem.")


def test_a_server_says_that_it_is_well_while_many_wait_for_a_database_that_does_not_answer(server, database):
    async def ask():
        limits = httpx.Limits(max_connections=None)
        cookies = {"tensorgrade": "a" * 22}
        async with httpx.AsyncClient(base_url=server.url, cookies=cookies, timeout=60, limits=limits) as client:
            histories = [asyncio.create_task(client.get("submissions")) for _ in range(80)]
            await asyncio.to_thread(wait_for, lambda: len(database.query(WAITING)) >= READERS)
            health = await client.get("health")
            waiting = sum(not each.done() for each in histories)
            other.rollback()
            return health, waiting, {each.status_code for each in await asyncio.gather(*histories)}

    with psycopg.connect(database.url.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE submissions IN ACCESS EXCLUSIVE MODE")
        health, waiting, statuses = asyncio.run(ask())
    assert (health.status_code, waiting) == (200, 80)
    assert statuses <= {200, 503}


# ---------------------------------------------------------------------- in this process
@pytest.fixture
def settings(settings, home):
    shutil.copytree(home / "bank" / SLUG, home / "bank" / "another")
    return settings


@pytest.mark.parametrize("report", [None, '{"cases": [1, 2]}'], ids=["unknown", "done"])
def test_who_asks_for_a_submission_while_somebody_else_finds_out_that_it_is_over_does_not_wait(store, report):
    async def ask_twice():
        hub = Hub()
        world = replace(World(store, None, hub, None, None, None), store=SimpleNamespace(read=lambda _: found))
        _, second = await asyncio.gather(world.topic("a"), world.topic("a"), return_exceptions=True)
        end = await second.wait(10)
        return end, len(hub)

    found = None if report is None else SimpleNamespace(report=report)
    assert asyncio.run(ask_twice()) == (Postponed() if report is None else Finished(report, 2), 0)


def test_a_problem_that_cannot_be_read_does_not_have_the_others_read_again_and_again(store, database):
    bank = StoredBank(store)
    bank.refresh()
    revision = store.read(revisions.current_revisions)["another"]
    database.query("UPDATE problems SET revision = %s WHERE slug = 'another'", ("0" * 64,))
    bank._revisions.clear()  # as with more problems than are kept there
    bank.refresh()
    bank.refresh()
    assert list(bank._revisions) == []
    assert (bank.get("another").revision, list(bank.trouble())) == (revision, ["another"])
