"""What a call came to, before anybody compares it. Trusted side."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from numpy.typing import NDArray

from judge.jail.wire import LoadStatus, Refusal, Status


class End(Enum):
    """How a call ended that has no record of its own."""

    WALL = "over the time limit of a case"
    TOTAL = "over the time limit of all cases"
    MEMORY = "killed with its memory full"
    CRASHED = "killed by a signal, or wrote what no honest child writes"
    EXITED = "ended its process"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call came to."""

    status: Status
    end: End | None = None
    """Set where the child was gone before it wrote a record; the status is then UNFINISHED."""
    shape: tuple[int, ...] = ()
    dtype: int = 0
    """Code of wire.DTYPES; of the carried tensor."""
    values: NDArray[Any] | None = None
    """A private copy; bfloat16 as float32."""
    from_sequence: bool = False
    mutated: bool = False
    canonical: bool = False
    """The values lie in their slot: a float32 tensor of the expected size."""
    time_ms: float = 0.0
    line: int = 0
    texts: tuple[str, ...] = ()
    """Of an exception: type, line, message, traceback. Of another type: its name."""
    refusals: tuple[Refusal, ...] = ()
    stdout: str = ""
    stdout_cut: bool = False


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """Why no call could be made."""

    status: LoadStatus
    end: End | None = None
    """Set where the child was gone while loading; the status is then UNFINISHED."""
    texts: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    time_ms: float = 0.0
