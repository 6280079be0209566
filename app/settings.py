"""What an operator can set: one frozen model, read once from TENSORGRADE_* variables. Trusted side.

A variable that nobody reads is an error, not a silent nothing: a typing mistake in TENSORGRADE_WAIVE must not look like
a stricter judge.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from judge.options import LAYERS, cores

PREFIX = "TENSORGRADE_"
# Kubernetes and Docker links set these for a service called "tensorgrade"; they are not ours.
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_RATE = re.compile(r"([1-9][0-9]{0,5})\s*/\s*(second|minute|hour)")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")
_POSTGRESQL = re.compile(r"postgresql\+psycopg://[^/?#]*/[^/?#]+(\?.*)?")
_PLATFORM = re.compile(r"TENSORGRADE_(PORT(_.*)?|(.*_)?SERVICE_.*)")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in so long: "30/minute"."""

    count: int
    per_s: int

    @classmethod
    def parse(cls, text: str) -> Rate | None:
        """Reads "30/minute"; None for "off". ValueError says how it is written."""
        if text.strip().lower() == "off":
            return None
        match = _RATE.fullmatch(text.strip().lower())
        if match is None:
            raise ValueError('write a rate such as "30/minute" (second, minute or hour), or "off"')
        return cls(int(match[1]), _SECONDS[match[2]])

    def __str__(self) -> str:
        return f"{self.count} a {next(name for name, seconds in _SECONDS.items() if seconds == self.per_s)}"


class SettingsError(Exception):
    """A TENSORGRADE_* variable is unknown or its value cannot be used. The message names it and the way out."""


def _default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "tensorgrade"


class Settings(BaseSettings):
    """All settings. Read with `read_settings()`, which also refuses unknown variables."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, env_ignore_empty=True, extra="forbid")

    data_dir: Path = Field(default_factory=_default_data_dir)
    """Where the server keeps what it owns."""
    bank: Path | None = None
    """The directory of packages that is served and written; None means the default of `app.bank`."""
    database_url: str | None = Field(default=None, repr=False)
    """The PostgreSQL of many machines, in which the bank lies, too; None: one machine, with a database of its own."""
    waive: Annotated[frozenset[str], NoDecode] = frozenset()
    """Layers of the jail that the operator does without: names with commas between."""
    zygotes: int = Field(default_factory=cores, ge=1, le=256)
    """How many submissions are judged at once."""
    rate_limit: Annotated[Rate | None, NoDecode] = Rate(30, 60)
    """How often one browser may submit; None: as often as it likes."""
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    """From whom X-Forwarded-For, X-Forwarded-Proto and the user header are believed."""
    user_header: str | None = None
    """The header in which an authenticating proxy names the user."""
    retention_days: Annotated[int | None, Field(ge=1, le=36500)] = None
    """After how many days submissions are deleted; None: never."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @field_validator("data_dir", "bank")
    @classmethod
    def _absolute(cls, path: Path | None) -> Path | None:
        return path and path.expanduser().absolute()

    @field_validator("database_url")
    @classmethod
    def _postgresql(cls, url: str | None) -> str | None:
        if url is not None and not _POSTGRESQL.fullmatch(url):
            raise ValueError("write postgresql+psycopg://user:password@host/database")
        return url

    @field_validator("waive", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return frozenset(name for name in (part.strip().lower() for part in value.split(",")) if name)

    @field_validator("waive")
    @classmethod
    def _known_layers(cls, names: frozenset[str]) -> frozenset[str]:
        for name in sorted(names - set(LAYERS)):
            raise ValueError(f'"{name}" is not a layer; the layers are {", ".join(LAYERS)}')
        return names

    @field_validator("rate_limit", mode="before")
    @classmethod
    def _rate(cls, value: object) -> object:
        return Rate.parse(value) if isinstance(value, str) else value

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = [name for name in (part.strip() for part in value.split(",")) if name]
        try:
            return tuple(ip_network(name) for name in names)
        except ValueError:
            raise ValueError("name addresses or networks with commas between: 127.0.0.1,10.0.0.0/8") from None

    @field_validator("user_header")
    @classmethod
    def _header(cls, name: str | None) -> str | None:
        if name is not None and not _HEADER.fullmatch(name):
            raise ValueError("this is no name of a header; write one such as X-Remote-User")
        return name

    @model_validator(mode="after")
    def _somebody_sets_the_header(self) -> Self:
        if self.user_header is not None and not self.trusted_proxies:
            raise ValueError(
                "anybody could set this header: name the proxy that sets it in TENSORGRADE_TRUSTED_PROXIES"
            )
        return self

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value


def variable_of(field: str) -> str:
    """The environment variable of a field: "data_dir" -> "TENSORGRADE_DATA_DIR"."""
    return PREFIX + field.upper()


def read_settings() -> Settings:
    """The settings of this process's environment; SettingsError says in a sentence what is wrong with it."""
    _refuse_unknown(os.environ)
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None


def _refuse_unknown(names: Iterable[str]) -> None:
    known = [variable_of(field) for field in Settings.model_fields]
    for name in sorted(names):
        upper = name.upper()
        if not upper.startswith(PREFIX) or upper in known or _PLATFORM.fullmatch(upper):
            continue
        # Without the prefix, which makes every two names look alike.
        near = difflib.get_close_matches(upper.removeprefix(PREFIX).lower(), Settings.model_fields, n=1)
        hint = f"did you mean {variable_of(near[0])}?" if near else f"the settings are {', '.join(known)}."
        raise SettingsError(f"{name} is not a setting; {hint}")


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:  # the one rule that joins two settings
        return f"{variable_of('user_header')}: {message}."
    variable = variable_of(str(first["loc"][0]))
    # A URL holds a password, and errors end up in logs.
    value = "..." if variable == variable_of("database_url") else first["input"]
    return f"{variable}={value}: {message[0].lower()}{message[1:]}."
