"""`tensorgrade problem checkout` and `problem publish`: the bank of many machines as files, and back. Trusted side.

For what has no command of its own: statements, hints, programs, limits. The revision that the files were made of lies
beside them, so that nobody's changes are overwritten unseen.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated

import typer

from app.checkout import current, lay_out_problem, open_store, publish_directory, publish_first
from app.commands.common import WrongUse, console, say
from app.settings import Settings, read_settings

BASE = ".revision"
"""The file in a checked out package that names its revision; readers of packages leave hidden files alone."""


def checkout(
    slug: Annotated[str, typer.Argument(help="Slug of the problem.", metavar="PROBLEM")],
    *,
    to: Annotated[Path, typer.Option(help="The directory in which the package is made.")] = Path(),
) -> None:
    """Write a problem of the database as files, to change them and publish them again."""
    settings = _with_database()
    directory = (to / slug).absolute()
    if directory.exists():
        raise WrongUse(f"{directory} is there already; name another place with --to, or remove it first.")
    with open_store(settings) as store:
        publish_first(settings, store)
        slugs = current(store)
        if slug not in slugs:
            near = difflib.get_close_matches(slug, slugs, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(slugs)) or 'none'}."
            raise WrongUse(f'No problem "{slug}" is in the database; {hint}')
        try:
            revision = lay_out_problem(store, slug, directory)
            (directory / BASE).write_text(f"{revision}\n", encoding="ascii")
        except OSError as error:
            raise WrongUse(f"{directory} cannot be written: {error.strerror}.") from error
    say(console(), f"{directory} is revision {revision[:12]}. Then: tensorgrade problem publish {directory}", "green")


def publish(
    directory: Annotated[Path, typer.Argument(help="The directory of the package; its name is the slug.")],
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Whatever the database has is replaced.")] = False,
) -> None:
    """Publish files as a problem of the database: a new problem, or one that was checked out and changed."""
    settings = _with_database()
    directory = directory.absolute()
    slug = directory.name
    with open_store(settings) as store:
        publish_first(settings, store)
        present = current(store).get(slug)
    base = present if replace else _base_of(directory)
    if base is None and present is not None:
        raise WrongUse(
            f"{slug} is in the database already, and {directory} was not checked out of it: "
            f"tensorgrade problem checkout {slug}, or publish with --replace."
        )
    revision = publish_directory(settings, directory, base)
    if base is not None:
        (directory / BASE).write_text(f"{revision}\n", encoding="ascii")
    say(console(), f"Published; {slug} is now at revision {revision[:12]}.", "green")


def _with_database() -> Settings:
    settings = read_settings()
    if settings.database_url is None:
        raise WrongUse(
            "The bank is a directory of files: change them there. With TENSORGRADE_DATABASE_URL it lies in a database, "
            "and this command is for that."
        )
    return settings


def _base_of(directory: Path) -> str | None:
    try:
        return (directory / BASE).read_text(encoding="ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
