"""Make the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Run this step."""
    op.create_table(
        "blobs",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256"),
    )
    op.create_table(
        "problems",
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("slug"),
    )
    op.create_table(
        "problem_revisions",
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.String(length=64), nullable=False),
        sa.Column("published_at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["revision"], ["blobs.sha256"]),
        sa.PrimaryKeyConstraint("problem", "revision"),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=10), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("own", sa.Text(), nullable=True),
        sa.Column("owner", sa.String(length=300), nullable=False),
        sa.Column("user_name", sa.String(length=200), nullable=True),
        sa.Column("came_alone", sa.Boolean(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=128), nullable=True),
        sa.Column("body_sha256", sa.LargeBinary(), nullable=True),
        sa.Column("submitted_at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["problem", "revision"], ["problem_revisions.problem", "problem_revisions.revision"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "submissions_by_key",
        "submissions",
        ["idempotency_key", "owner"],
        unique=True,
        sqlite_where=sa.text("idempotency_key IS NOT NULL"),
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.create_index(
        "submissions_by_key_alone",
        "submissions",
        ["idempotency_key"],
        unique=True,
        sqlite_where=sa.text("came_alone AND idempotency_key IS NOT NULL"),
        postgresql_where=sa.text("came_alone AND idempotency_key IS NOT NULL"),
    )
    op.create_index("submissions_by_owner", "submissions", ["owner", "problem", "submitted_at_ms"])
    op.create_index("submissions_by_time", "submissions", ["mode", "submitted_at_ms"])

    op.create_table(
        "judgings",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("submission", sa.String(length=22), nullable=False),
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("rejudging", sa.String(length=22), nullable=True),
        sa.Column("client", sa.String(length=300), nullable=True),
        sa.Column("verdict", sa.String(length=30), nullable=True),
        sa.Column("reason", sa.String(length=30), nullable=True),
        sa.Column("passed", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("mistake", sa.String(length=200), nullable=True),
        sa.Column("report", sa.Text(), nullable=True),
        sa.Column("queued_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("judged_at_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["problem", "revision"], ["problem_revisions.problem", "problem_revisions.revision"]),
        sa.ForeignKeyConstraint(["submission"], ["submissions.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "judgings_by_rejudging",
        "judgings",
        ["rejudging"],
        sqlite_where=sa.text("rejudging IS NOT NULL"),
        postgresql_where=sa.text("rejudging IS NOT NULL"),
    )
    op.create_index("judgings_by_submission", "judgings", ["submission"])
    op.create_index(
        "judgings_current",
        "judgings",
        ["submission"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_index(
        "judgings_pending",
        "judgings",
        ["client"],
        sqlite_where=sa.text("state <> 'done'"),
        postgresql_where=sa.text("state <> 'done'"),
    )

    op.create_table(
        "case_results",
        sa.Column("judging", sa.String(length=22), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(length=80), nullable=False),
        sa.Column("verdict", sa.String(length=30), nullable=True),
        sa.Column("reason", sa.String(length=30), nullable=True),
        sa.Column("time_ms", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["judging"], ["judgings.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("judging", "position"),
        sqlite_with_rowid=False,
    )
