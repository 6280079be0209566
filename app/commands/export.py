"""`tensorgrade export`: every submission as a row, for grade books and spreadsheets. Trusted side.

Reads beside a running server.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from app.commands.common import WrongUse, print_json
from app.settings import Settings, read_settings
from app.store import database, summaries
from app.store.clock import from_ms
from app.store.store import Store
from app.store.summaries import Exported
from app.views import time_json

ANONYMOUS = "anonymous"
COLUMNS = (
    "user",
    "browser",
    "submission",
    "problem",
    "revision",
    "submitted_at",
    "judged_at",
    "state",
    "verdict",
    "passed",
    "total",
    "mistake",
)
_BROWSER_DIGITS = 12


class ExportFormat(StrEnum):
    """How rows are written."""

    CSV = "csv"
    JSON = "json"


def export(
    problem: Annotated[str | None, typer.Option(help="Only submissions of this problem, by its slug.")] = None,
    output: Annotated[ExportFormat, typer.Option("--format", help="How to write them.")] = ExportFormat.CSV,
) -> None:
    """Write every submission as a row, oldest first; runs are left out."""
    with existing_store(read_settings()) as store:
        rows = store.read(lambda connection: [row_of(each) for each in summaries.exported(connection, problem)])
    if output is ExportFormat.JSON:
        print_json({"items": rows})
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(safe_cells(row.values()) for row in rows)


def existing_store(settings: Settings) -> Store:
    """The store of a server that has run; WrongUse when there is none."""
    file = settings.data_dir / database.FILE
    if settings.database_url is None and not file.is_file():
        raise WrongUse(f"Nothing was submitted yet: there is no {file}. TENSORGRADE_DATA_DIR names its directory.")
    return Store(settings.data_dir, settings.database_url)


def row_of(each: Exported) -> dict[str, Any]:
    """One row, in the order of COLUMNS."""
    anonymous = each.user_name is None
    cells = (
        ANONYMOUS if anonymous else each.user_name,
        each.owner[:_BROWSER_DIGITS] if anonymous else "",
        each.id,
        each.problem,
        each.revision,
        time_json(from_ms(each.submitted_at_ms)),
        None if each.judged_at_ms is None else time_json(from_ms(each.judged_at_ms)),
        each.state,
        each.verdict,
        each.passed,
        each.total,
        each.mistake,
    )
    return dict(zip(COLUMNS, cells, strict=True))


def safe_cells(values: Iterable[object]) -> Iterator[object]:
    """Spreadsheets run cells that begin like formulas: those get an apostrophe, which they show as text."""
    for value in values:
        text = "" if value is None else str(value)
        yield f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
