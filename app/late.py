"""Commands whose modules are imported when they are asked for. Trusted side.

The server's libraries take a second to import, and whoever adds a case should not wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

import typer
from typer.core import TyperGroup


class Command(Protocol):
    """What Typer makes of a function."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command's function is: `module` is one of app.commands."""

    module: str
    function: str
    context_settings: Mapping[str, Any] = field(default_factory=dict)


def late_group(places: Mapping[str, Place]) -> type[TyperGroup]:
    """The class of a group that has these commands beside those that it is given."""

    class LateGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:  # noqa: ANN401 -- whatever TyperGroup takes
            super().__init__(**settings)
            self.commands = cast("Any", _Commands(places, self.commands))

    return LateGroup


class _Commands(MutableMapping[str, Any]):
    """Commands by name, in the order of the places and then of what was there. Names alone import nothing."""

    def __init__(self, places: Mapping[str, Place], there: Mapping[str, Any]) -> None:
        self._places = places
        self._made = dict(there)
        self._names = [*places, *there]

    def __getitem__(self, name: str) -> Command:
        if name not in self._made:
            self._made[name] = _command(name, self._places[name])
        return cast("Command", self._made[name])

    def __setitem__(self, name: str, command: Command) -> None:
        if name not in self._names:
            self._names.append(name)
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        self._names.remove(name)
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _command(name: str, place: Place) -> Command:
    function = getattr(import_module(f"app.commands.{place.module}"), place.function)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, context_settings=dict(place.context_settings) or None)(function)
    return cast("Command", typer.main.get_command(alone))
