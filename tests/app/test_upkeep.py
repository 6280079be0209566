import ast
import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import app
from app.dispatch import Dispatch
from app.hub import Hub
from app.published import Published
from app.store import accepting, history, judgings, revisions
from app.store.accepting import NewSubmission
from app.store.clock import in_ms
from app.store.store import Store
from app.upkeep import Upkeep
from problems.shipped import fill_bank
from problems.snapshot import take_snapshot
from problems.watching import Bank

SLUG = "scaled-dot-product-attention"


@pytest.fixture
def bank(tmp_path):
    fill_bank(tmp_path / "bank")
    return Bank(tmp_path / "bank", clock=iter(range(0, 10**6, 10)).__next__)  # every question looks at the files


@pytest.fixture
def store(tmp_path, bank):
    snapshot = take_snapshot(bank.path / SLUG)
    with Store(tmp_path / "data") as store:
        store.write(lambda connection: revisions.publish(connection, snapshot, 0))
        yield store


def keep(store, name, *, days, mode="submit", done=True):
    submitted_at = datetime.now(UTC) - timedelta(days=days)
    revision = store.read(revisions.current_revisions)[SLUG]
    new = NewSubmission(
        id=name.ljust(22, "-"), judging=f"judging-{name}", problem=SLUG, revision=revision, mode=mode, source=b"",
        own=None, owner="me", user_name=None, came_alone=False, key=None, body_sha256=b"",
        submitted_at_ms=in_ms(submitted_at), client="me", max_pending=99, share=1,
    )  # fmt: skip
    store.write(lambda connection: accepting.accept(connection, new))
    if done:
        outcome = judgings.Outcome("accepted", None, 1, 1, None, "{}", 0, ())
        store.write(lambda connection: judgings.store(connection, new.judging, 0, outcome))
    return new.id


def forget(store, retention_days):
    async def upkeep():
        return Upkeep(store, Dispatch(lambda _: None, 1), Hub(), retention_days).forget()

    return asyncio.run(upkeep())


def is_kept(store, submission):
    return store.read(lambda connection: history.found(connection, submission)) is not None


def test_runs_are_kept_for_a_day_and_submissions_for_ever(store):
    runs = [keep(store, f"run-{days}", days=days, mode="run") for days in (0.9, 1.1)]
    old = keep(store, "old", days=3000)
    assert forget(store, None) == 1
    assert [is_kept(store, each) for each in (*runs, old)] == [True, False, True]


def test_submissions_are_kept_as_long_as_the_operator_says(store):
    old, young = keep(store, "old", days=31), keep(store, "young", days=29)
    waiting = keep(store, "waiting", days=31, done=False)
    assert forget(store, 30) == 1
    assert [is_kept(store, each) for each in (old, young, waiting)] == [False, True, True]


def test_what_somebody_else_queued_is_taken_once(store):
    async def sweep():
        dispatch, hub = Dispatch(lambda _: None, 1), Hub()
        upkeep = Upkeep(store, dispatch, hub, None)
        submission = keep(store, "waiting", days=0, done=False)
        upkeep.recover()
        upkeep.recover()
        return dispatch.queued(), hub.get(submission) is not None

    assert asyncio.run(sweep()) == (1, True)


def test_a_package_that_changes_is_published_before_it_is_judged_on(store, bank):
    published = Published(bank, store)
    before = published.problems()[SLUG].revision
    file = bank.path / SLUG / "statement" / "problem.en.md"
    file.write_text(file.read_text() + "\nOne more sentence.\n")
    after = asyncio.run(published.current())[SLUG].revision
    assert after != before
    assert store.read(revisions.current_revisions)[SLUG] == after
    assert published.at(SLUG, before).revision == before


def test_a_package_that_breaks_is_judged_on_as_it_was(store, bank):
    published = Published(bank, store)
    before = published.problems()[SLUG].revision
    (bank.path / SLUG / "problem.yaml").write_text("titel: mistyped\n")
    assert published.problems()[SLUG].revision == before


def test_all_sql_lives_in_the_store():
    root = Path(app.__file__).parent
    importing = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(name.split(".")[0] in {"sqlalchemy", "sqlite3", "alembic"} for name in names_in(node))
    }
    assert importing == {"store"}


def names_in(node):
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
