"""Problems as the store keeps them: immutable revisions, their files as blobs by digest. Trusted side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sqlalchemy import Connection, insert, select, text, update

from app.store.schema import blobs, problem_revisions, problems
from problems.errors import PackageError
from problems.package import Problem
from problems.snapshot import Snapshot, digests_in, problem_at


def publish(connection: Connection, snapshot: Snapshot, now_ms: int) -> None:
    """Keeps a problem at its revision and makes that the current one. What is there stays as it is."""
    slug, revision = snapshot.problem.slug, snapshot.problem.revision
    _keep(connection, {**snapshot.contents, revision: snapshot.manifest})
    known = select(problem_revisions).where(
        problem_revisions.c.problem == slug, problem_revisions.c.revision == revision
    )
    if connection.execute(known).first() is None:
        connection.execute(
            insert(problem_revisions), {"problem": slug, "revision": revision, "published_at_ms": now_ms}
        )
    changed = connection.execute(update(problems).where(problems.c.slug == slug).values(revision=revision))
    if changed.rowcount == 0:
        connection.execute(insert(problems), {"slug": slug, "revision": revision})


def publish_on(connection: Connection, snapshot: Snapshot, now_ms: int, base: str | None) -> bool:
    """Publishes what was made of revision `base` (None: of nothing). False, and nothing kept, if that is not current.

    For PostgreSQL, where many publish.
    """
    connection.execute(_ONE_PUBLISHES)
    if current_revisions(connection).get(snapshot.problem.slug) != base:
        return False
    publish(connection, snapshot, now_ms)
    return True


def publish_first(connection: Connection, snapshots: Sequence[Snapshot], now_ms: int) -> bool:
    """Publishes a whole bank, if nothing was ever published: whether that was so. For PostgreSQL."""
    connection.execute(_ONE_PUBLISHES)
    if current_revisions(connection):
        return False
    for snapshot in snapshots:
        publish(connection, snapshot, now_ms)
    return True


_ONE_PUBLISHES = text("SELECT pg_advisory_xact_lock(3, 0)")


def _keep(connection: Connection, contents: dict[str, bytes]) -> None:
    there = set(connection.execute(select(blobs.c.sha256).where(blobs.c.sha256.in_(contents))).scalars())
    new = [{"sha256": digest, "data": data} for digest, data in contents.items() if digest not in there]
    if new:
        connection.execute(insert(blobs), new)


def published(connection: Connection) -> set[tuple[str, str]]:
    """Every problem and revision that is kept."""
    rows = connection.execute(select(problem_revisions.c.problem, problem_revisions.c.revision))
    return {(row.problem, row.revision) for row in rows}


def current_revisions(connection: Connection) -> dict[str, str]:
    """The current revision of each problem."""
    return {row.slug: row.revision for row in connection.execute(select(problems))}


def load(connection: Connection, slug: str, revision: str) -> Problem:
    """A problem as it was at a revision; PackageError when it is not kept or damaged."""
    return problem_at(slug, *package_at(connection, slug, revision))


def package_at(
    connection: Connection, slug: str, revision: str, known: Mapping[str, bytes] = MappingProxyType({})
) -> tuple[bytes, dict[str, bytes]]:
    """The manifest of a revision, and the contents by their digests; what is `known` already is not read again.

    PackageError when the revision is not kept. Whether contents are what their digests say is for the reader to check.
    """
    try:
        manifest = _contents(connection, [revision])[revision]
    except KeyError:
        raise PackageError(f"{slug}: revision {revision[:12]} is not in the store.") from None
    digests = set(digests_in(manifest).values())
    there = {digest: known[digest] for digest in digests & known.keys()}
    return manifest, there | _contents(connection, sorted(digests - known.keys()))


def _contents(connection: Connection, digests: Sequence[str]) -> dict[str, bytes]:
    if not digests:
        return {}
    rows = connection.execute(select(blobs).where(blobs.c.sha256.in_(digests)))
    return {row.sha256: row.data for row in rows}
