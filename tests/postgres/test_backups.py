"""A copy of the database, made while the service runs, is the whole service: what waited in it is judged elsewhere."""

import os
import sqlite3
import subprocess
from contextlib import closing

import httpx
import pytest

from tests.postgres.conftest import PROGRAMS, Process, environment, free_port
from tests.postgres.crowd import RIGHT, SLUG

BODY = {"problem": SLUG, "source": RIGHT}


def report_of(server, submission):
    return httpx.get(f"{server.url}submissions/{submission}", headers={"Prefer": "wait=60"}, timeout=90).json()


def postgres_program(name, cluster, *arguments):
    own = {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(cluster.port), "PGUSER": "postgres"}
    subprocess.run([PROGRAMS[-1] / name, *arguments], env=own, check=True, timeout=60)


@pytest.fixture
def other_database(cluster, empty_database):
    """Where a copy is restored."""
    return empty_database


def test_a_dump_of_postgresql_has_everything_and_goes_on_judging(
    database, other_database, cluster, replica, worker, tmp_path
):
    server = replica().start()
    kept = httpx.post(f"{server.url}submit", json=BODY, headers={"Prefer": "wait=0"}, timeout=60).json()["id"]
    postgres_program("pg_dump", cluster, "--format", "custom", "--file", tmp_path / "copy", database.name)
    server.stop()
    postgres_program("pg_restore", cluster, "--exit-on-error", "--dbname", other_database.name, tmp_path / "copy")
    restored = replica(TENSORGRADE_DATABASE_URL=other_database.url).start()
    worker(TENSORGRADE_DATABASE_URL=other_database.url).start()
    assert report_of(restored, kept)["verdict"] == "accepted"
    assert httpx.post(f"{restored.url}submit", json=BODY, timeout=60).json()["verdict"] == "accepted"


def test_a_backup_of_sqlite_is_taken_beside_the_running_server(home, processes, tmp_path):
    def serve(data):
        settings = environment(home, TENSORGRADE_DATA_DIR=str(data))
        processes.append(Process(("serve", "--port", str(free_port())), settings, "serving"))
        return processes[-1].start()

    server = serve(tmp_path / "data")
    kept = httpx.post(f"{server.url}submit", json=BODY, timeout=60).json()["id"]
    (tmp_path / "other").mkdir()
    with closing(sqlite3.connect(tmp_path / "data" / "tensorgrade.sqlite3")) as connection:
        connection.execute("VACUUM INTO ?", [str(tmp_path / "other" / "tensorgrade.sqlite3")])
    restored = serve(tmp_path / "other")
    assert report_of(restored, kept)["verdict"] == "accepted"
