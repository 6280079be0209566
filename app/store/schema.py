"""The tables. Trusted side.

    blobs ◄── problem_revisions ◄── problems (which revision is current)
                    ▲
                submissions ◄── judgings ◄── case_results

Times are milliseconds since 1970, UTC: the same number in every database. A report is JSON text in which no character
is NUL. Rows of problem_revisions and blobs never change.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

ID_CHARACTERS = 22
DIGEST_CHARACTERS = 64
SLUG_CHARACTERS = 80

metadata = MetaData()

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", String(DIGEST_CHARACTERS), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

problems = Table(
    "problems",
    metadata,
    Column("slug", String(SLUG_CHARACTERS), primary_key=True),
    Column("revision", String(DIGEST_CHARACTERS), nullable=False),
)

problem_revisions = Table(
    "problem_revisions",
    metadata,
    Column("problem", String(SLUG_CHARACTERS), primary_key=True),
    # The digest of the manifest, which is a blob.
    Column("revision", String(DIGEST_CHARACTERS), ForeignKey("blobs.sha256"), primary_key=True),
    Column("published_at_ms", BigInteger, nullable=False),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", String(ID_CHARACTERS), primary_key=True),
    Column("problem", String(SLUG_CHARACTERS), nullable=False),
    # On which it came. A rejudging may judge it on another.
    Column("revision", String(DIGEST_CHARACTERS), nullable=False),
    Column("mode", String(10), nullable=False),
    Column("source", LargeBinary, nullable=False),
    # JSON of the own inputs of a run.
    Column("own", Text),
    # Whose history it is in: digest of a cookie, or "user:" and a name.
    Column("owner", String(300), nullable=False),
    # The name that an authenticating proxy gave.
    Column("user_name", String(200)),
    # Whether it came without a cookie: then its key stands alone.
    Column("came_alone", Boolean, nullable=False),
    Column("idempotency_key", String(128)),
    # SHA-256 of the body, for the same key with another body.
    Column("body_sha256", LargeBinary),
    Column("submitted_at_ms", BigInteger, nullable=False),
    ForeignKeyConstraint(["problem", "revision"], ["problem_revisions.problem", "problem_revisions.revision"]),
    Index("submissions_by_owner", "owner", "problem", "submitted_at_ms"),
    Index("submissions_by_time", "mode", "submitted_at_ms"),
    Index(
        "submissions_by_key",
        "idempotency_key",
        "owner",
        unique=True,
        sqlite_where=text("idempotency_key IS NOT NULL"),
        postgresql_where=text("idempotency_key IS NOT NULL"),
    ),
    Index(
        "submissions_by_key_alone",
        "idempotency_key",
        unique=True,
        sqlite_where=text("came_alone AND idempotency_key IS NOT NULL"),
        postgresql_where=text("came_alone AND idempotency_key IS NOT NULL"),
    ),
)

judgings = Table(
    "judgings",
    metadata,
    Column("id", String(ID_CHARACTERS), primary_key=True),
    Column("submission", String(ID_CHARACTERS), ForeignKey("submissions.id", ondelete="CASCADE"), nullable=False),
    Column("problem", String(SLUG_CHARACTERS), nullable=False),
    Column("revision", String(DIGEST_CHARACTERS), nullable=False),
    # queued, judging, done
    Column("state", String(10), nullable=False),
    # The fence: who stores must still hold this number.
    Column("attempt", Integer, nullable=False),
    Column("priority", Integer, nullable=False),
    # The one that counts. Others belong to a rejudging that was not applied yet, or are what came before one.
    Column("current", Boolean, nullable=False),
    # The rejudging that made it.
    Column("rejudging", String(ID_CHARACTERS)),
    # On whom it counts as pending; null once it is done.
    Column("client", String(300)),
    Column("verdict", String(30)),
    Column("reason", String(30)),
    Column("passed", Integer),
    Column("total", Integer),
    Column("mistake", String(200)),
    Column("report", Text),
    Column("queued_at_ms", BigInteger, nullable=False),
    Column("judged_at_ms", BigInteger),
    ForeignKeyConstraint(["problem", "revision"], ["problem_revisions.problem", "problem_revisions.revision"]),
    Index(
        "judgings_current",
        "submission",
        unique=True,
        sqlite_where=text("current"),
        postgresql_where=text("current"),
    ),
    Index("judgings_by_submission", "submission"),
    Index(
        "judgings_pending",
        "client",
        sqlite_where=text("state <> 'done'"),
        postgresql_where=text("state <> 'done'"),
    ),
    Index(
        "judgings_by_rejudging",
        "rejudging",
        sqlite_where=text("rejudging IS NOT NULL"),
        postgresql_where=text("rejudging IS NOT NULL"),
    ),
)

case_results = Table(
    "case_results",
    metadata,
    Column("judging", String(ID_CHARACTERS), ForeignKey("judgings.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("case", String(SLUG_CHARACTERS), nullable=False),
    Column("verdict", String(30)),
    Column("reason", String(30)),
    Column("time_ms", Float, nullable=False),
    sqlite_with_rowid=False,
)
