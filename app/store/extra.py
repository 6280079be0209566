"""The libraries of the extra `postgres`: there when many machines are asked for, or a sentence. Trusted side."""

from __future__ import annotations

from importlib.util import find_spec

from app.store.errors import StoreError


def need_the_extra() -> None:
    """StoreError, which names the command, when PostgreSQL's libraries are not installed."""
    missing = [name for name in ("psycopg", "psycopg_pool", "procrastinate") if find_spec(name) is None]
    if missing:
        raise StoreError(
            f"TENSORGRADE_DATABASE_URL needs {', '.join(missing)}, which are not installed: "
            "pip install 'tensorgrade[postgres]'."
        )
