"""A zygote and its children, as the supervisor holds them: sockets, regions, pidfds. Trusted side."""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import signal
import socket
import threading
from dataclasses import dataclass, field

from judge import spawn
from judge.jail import wire

_REGION_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
_SO_SNDBUFFORCE = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """What a child is armed for."""

    memory_mib: int
    cpu_s: int


@dataclass(frozen=True, slots=True)
class Death:
    """How a child ended, as its zygote saw it."""

    status: int
    """As from wait()."""
    cpu_s: float
    max_rss: int
    """Bytes."""


@dataclass(eq=False, slots=True)
class Child:
    """One armed child. Serves one submission and is never used again."""

    id: int
    zygote: Zygote
    budget: Budget
    socket: socket.socket
    region: int
    """Descriptor of the region."""
    pidfd: int | None = None
    armed_rss: int = 0
    """Bytes that it had resident when it was armed; what came later is the submission's."""
    armed: bool = False
    death: Death | None = None
    dead: threading.Event = field(default_factory=threading.Event)
    _pidfd_lock: threading.Lock = field(default_factory=threading.Lock)

    def kill(self) -> None:
        """Kill it now, from any thread. Does nothing when it is dead already."""
        with self._pidfd_lock:  # a closed descriptor's number may belong to another child
            if self.pidfd is not None:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def close(self) -> None:
        """Close what the supervisor holds of it."""
        self.socket.close()
        if self.region >= 0:
            os.close(self.region)
            self.region = -1

    def forget_pidfd(self) -> None:
        """Close the pidfd of a dead child."""
        with self._pidfd_lock:
            if self.pidfd is not None:
                os.close(self.pidfd)
                self.pidfd = None


@dataclass(eq=False, slots=True)
class Zygote:
    """One zygote and its children by id."""

    spawned: spawn.Spawned
    children: dict[int, Child] = field(default_factory=dict)

    @property
    def control(self) -> socket.socket:
        return self.spawned.control


def fork_child(zygote: Zygote, child_id: int, budget: Budget, *, rehearse: bool) -> Child:
    """Have a child forked. Its socket and region are made here, so that the zygote never sees what crosses them.

    Without a rehearsal it is armed sooner, and the submission pays for what is done for the first time.

    OSError when the zygote does not take the order or no descriptor is left, JailUnavailable when its size cannot be
    read.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = Child(child_id, zygote, budget, ours, -1)
    try:
        region = child.region = os.memfd_create("region", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(region, wire.REGION_BYTES)
        fcntl.fcntl(region, fcntl.F_ADD_SEALS, _REGION_SEALS)
        _widen(ours)
        limit = spawn.mapped_bytes(zygote.spawned.pid) + wire.REGION_BYTES + budget.memory_mib * 1024 * 1024
        carried = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs.fileno(), region]))]
        zygote.control.sendmsg([wire.ARM.pack(b"A", child_id, limit, budget.cpu_s, rehearse)], carried)
    except BaseException:
        child.close()
        raise
    finally:
        theirs.close()
    return child


def _widen(end: socket.socket) -> None:
    """Room for one whole request in the socket: by force where we may, else as far as the machine lets us."""
    try:
        end.setsockopt(socket.SOL_SOCKET, _SO_SNDBUFFORCE, 2 * wire.MESSAGE_BYTES)
    except PermissionError:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * wire.MESSAGE_BYTES)
