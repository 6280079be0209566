"""`tensorgrade rejudge PROBLEM`: judge what was submitted once more, show what changes, apply all or nothing.

Trusted side. A running server judges it, behind everybody who waits for an answer; without one this command takes the
directory's lock and judges by itself.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.table import Table

from app.bank import open_bank
from app.checkout import check_out, current, open_store
from app.commands.common import (
    Exit,
    Format,
    FormatOption,
    WrongUse,
    console,
    print_json,
    problem_directory,
    progress,
    safe_text,
    say,
)
from app.logs import configure_logs
from app.main import begin_world
from app.metrics import Metrics
from app.published import Published
from app.settings import Settings, read_settings
from app.store import rejudging
from app.store.accepting import Enqueue, rows_are_the_queue
from app.store.clock import from_ms, in_ms
from app.store.errors import DirectoryInUse
from app.store.ids import new_id
from app.store.lock import DirectoryLock
from app.store.rejudging import Difference, Side
from app.store.store import Store
from app.stored_bank import StoredBank
from app.upkeep import Upkeep
from app.views import time_json
from problems.package import Problem

LOOK_EVERY_S = 0.5


def rejudge(
    problem: Annotated[str, typer.Argument(help="Slug of the problem.")],
    *,
    submission: Annotated[list[str] | None, typer.Option(help="Only this submission, by its id.")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Apply it without asking.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Show what would change, and drop it.")] = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Judge a problem's submissions again on its present package, and show what changes before it counts."""
    if apply and drop:
        raise WrongUse("Give --apply or --drop, not both.")
    if output is Format.JSON and not (apply or drop):
        raise WrongUse("With --format json say --apply or --drop: nobody can be asked.")
    checkout = check_out(read_settings())
    settings = checkout.settings
    configure_logs("warning")
    problem_directory(settings, problem)
    with open_store(settings) as store:
        package = _present(settings, store, problem)
        batch, total = _queue(settings, store, package, submission)
        applied = False
        try:
            if total:
                _judge(settings, store, batch, total, problem)
            changes = store.read(lambda connection: rejudging.differences(connection, batch))
            if output is Format.TEXT:
                _tell(package, total, changes)
            if changes and not drop:
                applied = apply or typer.confirm("Apply it?", err=True)
            if applied:
                store.write(lambda connection: rejudging.apply(connection, batch))
        finally:
            if not applied:
                store.write(lambda connection: rejudging.drop(connection, batch))
    if output is Format.JSON:
        print_json(_as_json(package, total, changes) | {"applied": applied})
    else:
        typer.echo(_last_words(changes, applied=applied), err=True)
    raise typer.Exit(Exit.GOOD if applied or drop or not changes else Exit.NOT_MET)


def _present(settings: Settings, store: Store, slug: str) -> Problem:
    """The problem as it is now, kept in the store."""
    if settings.database_url is not None:
        return StoredBank(store).at(slug, current(store)[slug])
    bank = open_bank(settings)
    if slug in bank.trouble():
        raise WrongUse(f"{slug}: {bank.trouble()[slug]}")
    return Published(bank, store).problems()[slug]


def _queue(settings: Settings, store: Store, package: Problem, only: Sequence[str] | None) -> tuple[str, int]:
    batch, now_ms, enqueue = new_id(), in_ms(datetime.now(UTC)), _enqueue(settings)
    total = store.write(
        lambda connection: rejudging.begin(connection, batch, package.slug, package.revision, now_ms, only, enqueue)
    )
    if only is not None and total < len(set(only)):
        store.write(lambda connection: rejudging.drop(connection, batch))
        raise WrongUse(f"{len(set(only)) - total} of these ids are no judged submissions of {package.slug}.")
    return batch, total


def _enqueue(settings: Settings) -> Enqueue:
    if settings.database_url is None:
        return rows_are_the_queue
    # Here, not above: one machine has no use for the library, and it may not even be installed.
    from app.store.jobs import Jobs  # noqa: PLC0415

    return Jobs().defer


def _judge(settings: Settings, store: Store, batch: str, total: int, slug: str) -> None:
    """Waits until the server or workers have judged it; on one machine without a server judges it here."""
    if settings.database_url is not None:
        _say_when_nobody_judges(store)
        asyncio.run(_wait(store, batch, total, slug))
        return
    try:
        with DirectoryLock(settings.data_dir):
            pass
    except DirectoryInUse:
        asyncio.run(_wait(store, batch, total, slug))
        return
    asyncio.run(_judge_here(settings, store, batch, total, slug))


def _say_when_nobody_judges(store: Store) -> None:
    from app.store.jobs import load  # noqa: PLC0415 -- the same

    if store.read(load).workers == 0:
        typer.echo("No worker is alive; waiting for one: tensorgrade worker", err=True)


async def _judge_here(settings: Settings, store: Store, batch: str, total: int, slug: str) -> None:
    with ExitStack() as stack:
        world = begin_world(settings, open_bank(settings), stack, Metrics())
        upkeep = Upkeep(world.store, world.dispatch, world.hub, None)
        upkeep.recover()
        try:
            await _wait(store, batch, total, slug)
        finally:
            await asyncio.to_thread(stack.close)


async def _wait(store: Store, batch: str, total: int, slug: str) -> None:
    with progress(slug) as watch:
        done = 0
        while done < total:
            found = store.read(lambda connection: rejudging.progress(connection, batch))
            if found.total == 0:
                raise WrongUse("Somebody else began to rejudge this problem; this one was dropped.")
            done, total = found.done, found.total
            watch("rejudging", done, total)
            if done < total:
                await asyncio.sleep(LOOK_EVERY_S)


def _tell(package: Problem, total: int, changes: Sequence[Difference]) -> None:
    out = console()
    if changes:
        table = Table("Submission", "User", "Submitted", "Before", "After")
        for change in changes:
            cells = (
                change.submission,
                change.user_name or "anonymous",
                time_json(from_ms(change.submitted_at_ms)),
                _words(change.before),
                _words(change.after),
            )
            table.add_row(*(safe_text(cell) for cell in cells))
        out.print(table)
    say(out, f"{total} judged on revision {package.revision[:12]}, {len(changes)} of them differ.", "bold")
    turns = Counter((change.before.verdict, change.after.verdict) for change in changes)
    for (before, after), count in turns.most_common():
        say(out, f"{count}: {before} -> {after}")


def _words(side: Side) -> str:
    return f"{side.verdict} ({side.passed} of {side.total})"


def _last_words(changes: Sequence[Difference], *, applied: bool) -> str:
    if not changes:
        return "Nothing changes; nothing was applied."
    return "Applied." if applied else "Dropped: everything is as it was."


def _as_json(package: Problem, total: int, changes: Sequence[Difference]) -> dict[str, Any]:
    return {
        "problem": package.slug,
        "revision": package.revision,
        "judged": total,
        "changes": [
            {
                "submission": change.submission,
                "user": change.user_name,
                "submitted_at": time_json(from_ms(change.submitted_at_ms)),
                "before": _side(change.before),
                "after": _side(change.after),
            }
            for change in changes
        ],
    }


def _side(side: Side) -> dict[str, Any]:
    return {"verdict": side.verdict, "passed": side.passed, "total": side.total, "revision": side.revision}
