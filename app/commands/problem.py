"""`tensorgrade problem list`. Trusted side."""

from __future__ import annotations

import typer
from rich.table import Table

from app.bank import open_bank
from app.catalogue import summary_json
from app.commands.common import Exit, Format, FormatOption, brief_revision, console, print_json, safe_text
from app.settings import read_settings


def list_problems(output: FormatOption = Format.TEXT) -> None:
    """List the problems of the bank. Exit status 1 when a package cannot be read."""
    bank = open_bank(read_settings())
    rows = [summary_json(problem) for _, problem in sorted(bank.problems().items())]
    trouble = bank.trouble()
    if output is Format.JSON:
        print_json({"items": rows, "trouble": trouble})
    else:
        table = Table("Problem", "Title", "Difficulty", "Cases", "Revision")
        for row in rows:
            cells = (row["slug"], row["title"], row["difficulty"], row["cases"], brief_revision(row))
            table.add_row(*(safe_text(cell) for cell in cells))
        console().print(table)
        for slug, sentence in trouble.items():
            console().print(safe_text(f"{slug}: {sentence}", "red"))
    raise typer.Exit(Exit.NOT_MET if trouble else Exit.GOOD)
