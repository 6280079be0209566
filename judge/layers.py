"""Which layers of the jail hold on this machine: looks before the start, asks afterwards, refuses to go on without.

Trusted side. Fail closed: a mandatory layer that does not hold, or neither bubblewrap nor Landlock, stops the judge
with the layer's name and the way out. An operator may waive a layer by name, and then everything says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge import spawn
from judge.errors import JailUnavailable, JudgeError
from judge.options import LAYERS, JudgeOptions
from judge.report import LayerState

if TYPE_CHECKING:
    from judge.pool import Pool

_DETAIL = {
    "policy": "submissions are compiled by the language policy",
    "seccomp": "system calls are on an allow-list",
    "identity": "submitted code is not root and has no capabilities",
    "rlimits": "memory, CPU time, processes and files are limited",
    "deadline": "the supervisor kills by its own clock",
    "descriptors": "submitted code holds descriptors 0-3 only",
}


def check_waivers(options: JudgeOptions) -> None:
    """JailUnavailable for a name that is not a layer."""
    unknown = sorted(options.waive - set(LAYERS))
    if unknown:
        raise JailUnavailable(f'"{unknown[0]}" is not a layer: waive one of {", ".join(LAYERS)}.')


def wants_bubblewrap(options: JudgeOptions) -> str | None:
    """None when bubblewrap shall be used and works; else why it is not used."""
    check_waivers(options)
    if "bubblewrap" in options.waive:
        return "waived"
    return spawn.bubblewrap_trouble()


def starter(options: JudgeOptions, *, bubblewrap: str | None) -> Callable[[], spawn.Starting]:
    """What the pool calls to start a zygote."""
    hide = tuple(path.resolve() for path in options.hide if Path(path).is_dir())
    return partial(spawn.begin, bubblewrap=bubblewrap is None, waived=options.waive, hide=hide)


def survey(pool: Pool, options: JudgeOptions, bubblewrap: str | None) -> tuple[LayerState, ...]:
    """Wait for the first zygote and say what holds. JailUnavailable when too little does."""
    try:
        pool.wait_started()
    except JudgeError as error:
        raise JailUnavailable(f"no zygote could be started: {error}") from error
    found = pool.found
    states = [_state(name, options, found, bubblewrap) for name in LAYERS]
    missing = {state.name: state for state in states if state.state == "missing"}
    for name in LAYERS:
        if name in missing and name not in ("bubblewrap", "landlock"):
            raise JailUnavailable(f"{name}: {missing[name].detail}")
    if {"bubblewrap", "landlock"} <= {state.name for state in states if state.state != "holds"} and not (
        {"bubblewrap", "landlock"} <= options.waive
    ):
        raise JailUnavailable(
            f"bubblewrap, landlock: neither holds. bubblewrap: {bubblewrap}. landlock: the kernel has none. Install"
            " bubblewrap (apt-get install bubblewrap) or use a kernel with Landlock."
        )
    return tuple(states)


def _state(name: str, options: JudgeOptions, found: dict[str, Any], bubblewrap: str | None) -> LayerState:
    if name in options.waive:
        return LayerState(name, "waived", "waived by the operator")
    match name:
        case "bubblewrap":
            if bubblewrap is None:
                return LayerState(name, "holds", "own namespaces and a read-only view of the interpreter")
            return LayerState(name, "missing", bubblewrap)
        case "landlock":
            if found.get("landlock"):
                return LayerState(name, "holds", f"no file and no network (ABI {found['landlock']})")
            return LayerState(name, "missing", "the kernel has no Landlock: use Linux 5.13 or newer with lsm=landlock")
        case "identity":
            if found.get("uid") == 0:
                return LayerState(name, "missing", "submitted code would run as root")
    return LayerState(name, "holds", _DETAIL[name])
