"""The tables in PostgreSQL, and what happens when it cannot be used."""

import hashlib
import importlib.metadata
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict

from app.store.database import HEAD
from app.store.errors import StoreError
from app.store.migrations.versions import v0002_make_the_queue as queue
from app.store.postgres import conninfo, read_url
from app.store.schema import metadata
from app.store.store import Store


def ours(difference):
    """Whether a difference is about a table of ours: procrastinate's are not in our schema."""
    return "procrastinate" not in str(difference)


def test_the_migrations_make_exactly_the_tables_of_the_schema(database, tmp_path):
    with Store(tmp_path, database.url) as store:
        found = store.read(lambda c: compare_metadata(MigrationContext.configure(c), metadata))
    assert [difference for difference in found if ours(difference)] == []


def test_the_migration_makes_the_queue_of_the_pinned_procrastinate():
    assert importlib.metadata.version("procrastinate").startswith(f"{queue.PROCRASTINATE}.")
    assert hashlib.sha256(SchemaManager.get_schema().encode()).hexdigest() == queue.SCHEMA_SHA256


def test_a_database_of_a_newer_release_is_refused_in_words(database, tmp_path):
    database.query("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="was written by a newer release"), Store(tmp_path, database.url):
        pass


def test_servers_that_start_at_once_make_the_tables_once(empty_database, tmp_path):
    def start(_):
        with Store(tmp_path, empty_database.url):
            return empty_database.query("SELECT version_num FROM alembic_version")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(start, range(4))) == [[(HEAD,)]] * 4


def test_a_worker_does_not_make_the_tables(empty_database, tmp_path):
    with (
        pytest.raises(StoreError, match="start tensorgrade serve"),
        Store(tmp_path, empty_database.url, owner=False),
    ):
        pass


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path):
    with (
        pytest.raises(StoreError, match=r"The database d on 127\.0\.0\.1:1 cannot be used") as caught,
        Store(tmp_path, "postgresql+psycopg://me:secret@127.0.0.1:1/d"),
    ):
        pass
    assert "secret" not in str(caught.value)


def test_an_address_reaches_the_driver_as_it_was_meant():
    url = read_url("postgresql+psycopg://me:a%2Bb%20%2Fc+d@host:5433/d?options=-c%20work_mem%3D8MB&sslmode=require")
    found = conninfo_to_dict(conninfo(url))
    assert {name: found[name] for name in ("user", "password", "host", "port", "dbname", "options", "sslmode")} == {
        "user": "me",
        "password": "a+b /c+d",
        "host": "host",
        "port": "5433",
        "dbname": "d",
        "options": "-c work_mem=8MB",
        "sslmode": "require",
    }
