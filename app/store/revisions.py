"""Problems as the store keeps them: immutable revisions, their files as blobs by digest. Trusted side."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

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
    try:
        manifest = _contents(connection, [revision])[revision]
    except KeyError:
        raise PackageError(f"{slug}: revision {revision[:12]} is not in the store.") from None
    return problem_at(slug, manifest, _contents(connection, list(digests_in(manifest).values())))


def _contents(connection: Connection, digests: list[str]) -> dict[str, bytes]:
    rows = connection.execute(select(blobs).where(blobs.c.sha256.in_(digests)))
    return {row.sha256: row.data for row in rows}
