"""Files to work on, for commands: the bank itself, or a copy of what the database has. Trusted side.

    current revisions in the database ─► files ─► command changes them ─► publish, if nobody else did meanwhile

On one machine the files are the bank, and what is written there is served. On many the database is the bank, and a
command works on a copy that nobody else sees.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.bank import open_bank
from app.settings import Settings
from problems.errors import PackageError
from problems.snapshot import lay_out, take_snapshot
from problems.watching import servable

if TYPE_CHECKING:  # most commands of one machine need no SQL
    from app.store.store import Store


class Overtaken(PackageError):
    """Somebody else published the problem meanwhile; nothing was changed."""


@dataclass(frozen=True, eq=False)
class Checkout:
    """The bank as files. A copy is removed when nobody holds this any more."""

    settings: Settings
    """The same, with the files as its bank."""
    bases: dict[str, str]
    """Of a copy: the revision that each problem was made of."""

    def publish(self, slug: str) -> None:
        """Makes what the files are now the current revision. Overtaken when that is no longer the one they came from.

        PackageError, too, when a student could not be shown or judged by it. On one machine there is nothing to do.
        """
        if self.settings.database_url is None:
            return
        assert self.settings.bank is not None  # noqa: S101 -- for the type checker
        publish_directory(self.settings, self.settings.bank / slug, self.bases.get(slug))


def check_out(settings: Settings) -> Checkout:
    """The bank as files. StoreError when the database cannot be used."""
    if settings.database_url is None:
        return Checkout(settings, {})
    place = Path(tempfile.mkdtemp(prefix="tensorgrade-bank-"))
    checkout = Checkout(settings.model_copy(update={"bank": place}), {})
    weakref.finalize(checkout, shutil.rmtree, place, ignore_errors=True)
    with open_store(settings) as store:
        publish_first(settings, store)
        for slug in current(store):
            checkout.bases[slug] = lay_out_problem(store, slug, place / slug)
    return checkout


def open_store(settings: Settings) -> Store:
    """The store that these settings mean."""
    from app.store.store import Store  # noqa: PLC0415 -- most commands of one machine need no SQL

    return Store(settings.data_dir, settings.database_url)


def current(store: Store) -> dict[str, str]:
    """The current revision of each problem in the database."""
    from app.store import revisions  # noqa: PLC0415 -- the same

    return store.read(revisions.current_revisions)


def publish_first(settings: Settings, store: Store) -> list[str]:
    """Into a database without problems goes the bank that this machine has as files, into no other; what went."""
    from app.store import revisions  # noqa: PLC0415 -- the same
    from app.store.clock import in_ms  # noqa: PLC0415

    if current(store):
        return []
    bank = open_bank(settings)
    snapshots = [take_snapshot(bank.path / slug) for slug in sorted(bank.problems())]
    now_ms = in_ms(datetime.now(UTC))
    published = store.write(lambda connection: revisions.publish_first(connection, snapshots, now_ms))
    return [snapshot.problem.slug for snapshot in snapshots] if published else []


def lay_out_problem(store: Store, slug: str, directory: Path) -> str:
    """Writes a problem of the database into a directory of its name, as it is now; the revision that it is."""
    from app.store import revisions  # noqa: PLC0415 -- the same

    revision = current(store)[slug]
    lay_out(directory, *store.read(lambda connection: revisions.package_at(connection, slug, revision)))
    return revision


def publish_directory(settings: Settings, directory: Path, base: str | None) -> str:
    """Publishes a package to the database, made of its revision `base`; the revision that it is now."""
    from app.store import revisions  # noqa: PLC0415 -- the same
    from app.store.clock import in_ms  # noqa: PLC0415
    from app.store.notices import BankChanged, send  # noqa: PLC0415

    servable(directory)
    snapshot = take_snapshot(directory)
    problem, now_ms = snapshot.problem, in_ms(datetime.now(UTC))
    with open_store(settings) as store:
        published = store.write(lambda connection: revisions.publish_on(connection, snapshot, now_ms, base))
        if published:
            store.write(lambda connection: send(connection, BankChanged()))
    if not published:
        raise Overtaken(
            f"{problem.slug}: somebody else published another revision meanwhile; nothing was changed. "
            "Run the command again."
        )
    return problem.revision
