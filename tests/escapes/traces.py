"""What an attack may have left behind: processes, files, shared memory, descriptors, memory of the supervisor."""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "tensorgrade-escape"
"""Every attack that leaves something with a name leaves it under this one."""
MARK_KEY = 0x7E57
"""Or, in System V's tables, under this key."""
_PR_SET_CHILD_SUBREAPER = 36
_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", ".")  # noqa: S108 - where attacks would leave files
_TABLES = ("/proc/net/unix", "/proc/keys")
_SYSTEM_V = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Be the parent of every process whose own parent dies, so that `descendants` finds it."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def descendants(pid: int) -> dict[int, str]:
    """State by pid of every process below this one."""
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        for child in _children(waiting.pop()):
            state = _state(child)
            if state is not None:
                found[child] = state
                waiting.append(child)
    return found


def kin(zygotes: list[int]) -> dict[int, str]:
    """Our own children, adopted ones among them, and everything below these zygotes' processes.

    Not what is below our other children: servers and judges of other tests live their own lives.
    """
    found = {pid: state for pid in _children(os.getpid()) if (state := _state(pid)) is not None}
    for zygote in zygotes:
        found.update(descendants(zygote))
    return found


def bury_adopted() -> None:
    """Reap what was adopted and has died: another judge's processes that ended before this one began."""
    for pid, state in descendants(os.getpid()).items():
        if state == "Z":
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names are all we want
    except (FileNotFoundError, ProcessLookupError):
        return []
    children = []
    for thread in threads:
        try:
            children += Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
    return [int(child) for child in children]


def _state(pid: int) -> str | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - iterdir would keep one open


def marks() -> list[str]:
    """Everything on this machine that carries the attacks' mark."""
    found = []
    for place in _PLACES:
        if os.path.isdir(place):  # noqa: PTH112 - a word of a list
            found += [f"{place}/{name}" for name in os.listdir(place) if MARK in name or name.startswith("torch_")]  # noqa: PTH208
    for table in _TABLES:
        if os.access(table, os.R_OK):
            found += [line for line in Path(table).read_text().splitlines() if MARK in line]
    for table in _SYSTEM_V:
        if os.access(table, os.R_OK):
            lines = Path(table).read_text().splitlines()[1:]
            found += [f"{table}: {line}" for line in lines if int(line.split()[0]) & 0xFFFFFFFF == MARK_KEY]
    return found


def resident_mib() -> float:
    """Memory of this process, after the collector has run."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def eventually(holds: Callable[[], bool], within_s: float = 10.0) -> bool:
    """Whether something comes true in time. The judge ends and arms children in a thread of its own."""
    deadline = time.monotonic() + within_s
    pause = threading.Event()
    while not holds():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.002)
    return True
