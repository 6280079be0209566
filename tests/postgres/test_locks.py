"""Who is frozen or cut off in the middle of a transaction does not hold up the others for longer than seconds."""

import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlalchemy import text

from app.store import postgres
from app.store.errors import StoreUnavailable
from app.store.postgres import open_engine, read_url
from app.store.store import Store


@pytest.fixture
def engines(database):
    made = [open_engine(read_url(database.url), write=True) for _ in range(2)]
    yield made
    for each in made:
        each.dispose()


@pytest.mark.long
def test_a_process_that_stops_in_a_transaction_does_not_keep_its_locks(database, engines):
    database.query("INSERT INTO blobs VALUES ('a', '1')")
    update = text("UPDATE blobs SET data = :data")
    stopped, other = (engine.connect() for engine in engines)
    stopped.execute(update, {"data": b"2"})
    # It does nothing more, as a process does that was sent SIGSTOP, or whose cable was pulled.
    began = time.monotonic()
    other.execute(update, {"data": b"3"})
    other.commit()
    assert time.monotonic() - began < 30
    assert database.query("SELECT data FROM blobs") == [(b"3",)]
    stopped.invalidate()
    other.close()


@pytest.mark.parametrize("write", [True, False])
def test_the_database_notices_within_seconds_that_the_other_side_is_gone(database, write):
    engine = open_engine(read_url(database.url), write=write)
    with engine.connect() as connection:
        found = {
            name: connection.execute(text(f"SHOW {name}")).scalar_one()
            for name in ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count")
        }
    engine.dispose()
    assert found == {"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3"}


@pytest.mark.parametrize("way", ["read", "write"])
def test_nobody_waits_for_ever_for_what_somebody_else_has_locked(database, tmp_path, monkeypatch, way):
    monkeypatch.setattr(postgres, "LOCK_WAIT_S", 0.2)
    with Store(tmp_path, database.url) as store, psycopg.connect(database.url.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE submissions IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreUnavailable, match="lock timeout"):
            getattr(store, way)(lambda connection: connection.execute(text("SELECT count(*) FROM submissions")))


def test_a_server_waits_as_long_as_it_takes_for_another_that_makes_the_tables(database, tmp_path, monkeypatch):
    monkeypatch.setattr(postgres, "LOCK_WAIT_S", 0.05)
    with psycopg.connect(database.url.replace("+psycopg", "")) as other, ThreadPoolExecutor(1) as server:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (postgres._MIGRATING,))
        opened = server.submit(lambda: Store(tmp_path, database.url).__enter__())
        with pytest.raises(TimeoutError):
            opened.result(1)
        other.commit()
        opened.result(20).__exit__(None, None, None)
