"""Who is frozen or cut off in the middle of a transaction does not hold up the others for longer than seconds."""

import time

import pytest
from sqlalchemy import text

from app.store.postgres import open_engine, read_url


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
