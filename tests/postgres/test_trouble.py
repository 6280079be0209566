"""What cannot work is said in one sentence, with status 2."""

import pytest

from app.store import extra
from app.store.errors import StoreError

NOBODY_THERE = "postgresql+psycopg://me:secret@127.0.0.1:1/d"


COMMANDS = [("serve", "--port", "0"), ("worker",), ("export",), ("case", "list", "scaled-dot-product-attention")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_database_that_does_not_answer(run, command):
    done = run(*command, url=NOBODY_THERE)
    assert (done.returncode, "secret" in done.stderr) == (2, False)
    assert "The database d on 127.0.0.1:1 cannot be used: connection failed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("url", ["mysql://me:secret@host/d", "postgresql://me:secret@host/d", "postgresql+psycopg://x"])
def test_an_address_of_another_kind(run, url):
    done = run("serve", url=url)
    assert (done.returncode, "secret" in done.stderr) == (2, False)
    assert "write postgresql+psycopg://user:password@host/database" in done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_tables_of_a_newer_release(run, database, command):
    database.query("UPDATE alembic_version SET version_num = '9999'")
    done = run(*command, url=database.url)
    assert done.returncode == 2
    assert "was written by a newer release" in done.stderr


def test_a_worker_of_a_database_without_tables(run, empty_database):
    done = run("worker", url=empty_database.url)
    assert done.returncode == 2
    assert "start tensorgrade serve" in done.stderr


def test_a_worker_without_a_database(run):
    done = run("worker", url="")
    assert done.returncode == 2
    assert "set TENSORGRADE_DATABASE_URL" in done.stderr


def test_libraries_that_are_not_installed(monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)
    with pytest.raises(StoreError, match=r"psycopg.*pip install 'tensorgrade\[postgres\]'"):
        extra.need_the_extra()


def test_more_at_once_than_there_are_children_to_judge_in(run):
    done = run("worker", "--concurrency", "500", url=NOBODY_THERE)
    assert done.returncode == 2
    assert "raise TENSORGRADE_ZYGOTES" in done.stderr
