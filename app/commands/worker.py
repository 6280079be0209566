"""`tensorgrade worker`: judges what servers elsewhere accept. Trusted side."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Annotated

import typer

from app.commands.common import WrongUse
from app.commands.serve import SWITCH_S
from app.judge_settings import judge_options
from app.logs import configure_logs
from app.settings import read_settings
from app.store.extra import need_the_extra

GRANTS = "worker_grants.sql"


def worker(
    *,
    concurrency: Annotated[
        int | None, typer.Option(help="How many are judged at once; two for each zygote if not given.", min=1, max=512)
    ] = None,
    grants: Annotated[bool, typer.Option("--grants", help="Print the SQL of a worker's role, and end.")] = False,
) -> None:
    """Judge what servers with the same TENSORGRADE_DATABASE_URL accept, until it is told to stop."""
    if grants:
        typer.echo(files("app.store").joinpath(GRANTS).read_text(encoding="utf-8"), nl=False)
        return
    settings = read_settings()
    if settings.database_url is None:
        raise WrongUse(
            "A worker takes judgings from PostgreSQL: set TENSORGRADE_DATABASE_URL. Without it tensorgrade serve "
            "judges by itself."
        )
    most = judge_options(settings).at_once
    if concurrency is not None and concurrency > most:
        raise WrongUse(
            f"With {settings.zygotes} zygotes this machine judges {most} at once; lower --concurrency or raise "
            "TENSORGRADE_ZYGOTES."
        )
    need_the_extra()
    # Here, not above: the libraries may be missing.
    from app.worker import work  # noqa: PLC0415

    configure_logs(settings.log_level)
    sys.setswitchinterval(SWITCH_S)
    work(settings, concurrency)
