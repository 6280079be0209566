"""How a judge is set up. Trusted side."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

LAYERS = ("policy", "seccomp", "identity", "rlimits", "deadline", "descriptors", "bubblewrap", "landlock")
"""The layers of the jail by name, as /health, doctor, reports and TENSORGRADE_WAIVE say them. That answers stay outside
the jail is not among them: it cannot be waived."""


def cores() -> int:
    """Processors that this process may run on."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Frozen settings of one judge."""

    zygotes: int = field(default_factory=cores)
    armed: int = 2
    """Children kept ready by each zygote."""
    waive: frozenset[str] = frozenset()
    """Layers that the operator does without, by name (see LAYERS)."""
    hide: tuple[Path, ...] = ()
    """Directories that the jail must not see even if the interpreter lies beside them: banks, data."""
    wait_s: float = 60.0
    """How long `grade` waits for a free child before it raises QueueFull."""
    cache_dir: Path | None = None
    """Where to keep what known mistakes return, so that the next judge need not run them; None keeps nothing."""

    @property
    def at_once(self) -> int:
        """How many submissions can run side by side: as many as there are children."""
        return self.zygotes * self.armed
