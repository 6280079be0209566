"""Make the queue of many machines: procrastinate's own tables, in PostgreSQL only.

What is run is what procrastinate 3.10 ships for an empty database; a test compares its digest. Another minor version
of procrastinate needs a migration of its own, made of the files in its `sql/migrations`.
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

PROCRASTINATE = "3.10"
SCHEMA_SHA256 = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"


def upgrade() -> None:
    """Run this step."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    # Here, not above: who has one machine has no procrastinate.
    from procrastinate.schema import SchemaManager  # noqa: PLC0415

    # The driver's own cursor: SQL with colons and percent signs that mean nothing.
    connection.connection.cursor().execute(SchemaManager.get_schema())
