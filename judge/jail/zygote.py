"""A zygote: imports torch once, locks itself in, then forks a child whenever it is told to arm one.

Runs inside the jail, but runs no submission and sees no source, inputs or answers: each child gets its own socket and
region straight from the supervisor, as descriptors. Started as `python -m judge.jail.zygote` with descriptor 3 as the
control socket; it ends when that socket does.

    exec ─► import torch ─► warm up ─► rehearse ─► drop identity ─► Landlock ─► not dumpable ─► ready ─► fork, fork, ...
"""

from __future__ import annotations

import array
import gc
import json
import mmap
import os
import select
import signal
import socket
import sys
import warnings

from judge.jail import lockdown, wire


def _import_everything() -> None:
    """Import torch and what submissions or torch itself import lazily, and let none of it act after each fork.

    What modules do after a fork (new locks, new seeds, a new list of threads) touches 280 pages of every child, a sixth
    of what arming costs. A zygote has one thread, holds no lock, and its children seed before each call.
    """
    register = os.register_at_fork
    os.register_at_fork = lambda **_: None
    try:
        _import_torch()
    finally:
        os.register_at_fork = register


def _import_torch() -> None:
    """Single-threaded from the first operation on: a fork after a multi-threaded one hangs what a child computes."""
    import torch  # noqa: PLC0415 - the order is the point

    torch.set_num_threads(1)
    import abc  # noqa: F401, PLC0415
    import collections.abc  # noqa: F401, PLC0415
    import contextlib  # noqa: F401, PLC0415
    import copy  # noqa: F401, PLC0415
    import dataclasses  # noqa: F401, PLC0415
    import enum  # noqa: F401, PLC0415
    import functools  # noqa: F401, PLC0415
    import inspect  # noqa: F401, PLC0415
    import itertools  # noqa: F401, PLC0415
    import random  # noqa: F401, PLC0415
    import typing  # noqa: F401, PLC0415
    import unicodedata  # noqa: F401, PLC0415 - the parser asks it about every name with a Greek letter in it

    import numpy.random  # noqa: F401, PLC0415
    import torch.fft  # noqa: PLC0415
    import torch.linalg  # noqa: PLC0415
    import torch.nn.functional  # noqa: PLC0415
    import torch.special  # noqa: PLC0415


class Zygote:
    """The control loop."""

    def __init__(self, waived: frozenset[str]) -> None:
        self._waived = waived
        self._control = socket.socket(fileno=wire.CONTROL_FD)
        self._poll = select.epoll()
        self._children: dict[int, tuple[int, int]] = {}
        """pidfd → pid, child id."""

    def prepare(self) -> dict[str, object]:
        """Do once what every child would have to do, lock down, and say what was found."""
        _import_everything()
        import torch  # noqa: PLC0415

        from judge.jail import child, rehearsal  # noqa: F401, PLC0415 - no file can be read later on
        from judge.jail.policy import Language  # noqa: PLC0415

        rehearsal.warm_up()
        rehearsal.warm_up()
        self._language = Language.prepare()
        self._message = rehearsal.rehearsed_message()
        self._rehearse()
        found: dict[str, object] = {
            "torch": torch.__version__,
            "python": sys.version.split()[0],
            "cpu": torch.backends.cpu.get_cpu_capability(),
        }
        found["landlock"] = self._lock_down()
        gc.collect()
        gc.freeze()
        rehearsal.use_up_free_heap()
        found["uid"] = os.getuid()
        return found

    def _rehearse(self) -> None:
        from judge.jail.region import Region  # noqa: PLC0415
        from judge.jail.rehearsal import Rehearsal  # noqa: PLC0415
        from judge.jail.serving import serve  # noqa: PLC0415

        streams = sys.stdout, sys.stderr
        for _ in range(3):
            region = Region(mmap.mmap(-1, 4 << 20))
            channel = Rehearsal(self._message)
            serve(channel, region, self._language)
            channel.require_finished()
        sys.stdout, sys.stderr = streams

    def _lock_down(self) -> int:
        if "identity" not in self._waived:
            lockdown.drop_identity()
        landlock = 0
        if lockdown.landlock_version() and "landlock" not in self._waived:
            landlock = lockdown.deny_with_landlock()
        lockdown.hide_memory()
        return landlock

    def run(self) -> None:
        """Serve the control socket until it ends."""
        found = self.prepare()
        self._landlock = bool(found["landlock"])
        self._poll.register(wire.CONTROL_FD, select.EPOLLIN)
        self._control.send(wire.READY + json.dumps(found).encode())
        os.dup2(0, 2)  # until here it was the log of this start; from here on /dev/null, for the children too
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor != wire.CONTROL_FD:
                    self._reap(descriptor)
                elif not self._arm():
                    return

    def _arm(self) -> bool:
        """Fork one child; False when the supervisor has gone."""
        space = socket.CMSG_SPACE(2 * array.array("i").itemsize)
        message, ancillary, _, _ = self._control.recvmsg(wire.CONTROL_BYTES, space)
        if not message:
            return False
        _, child_id, address_space, cpu_s, rehearse = wire.ARM.unpack(message)
        end_fd, region_fd = array.array("i", ancillary[0][2])
        zygote_pid = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._be_child(zygote_pid, address_space, cpu_s, rehearse=rehearse, ends=(end_fd, region_fd))
        os.close(end_fd)
        os.close(region_fd)
        pidfd = os.pidfd_open(pid)
        self._children[pidfd] = pid, child_id
        self._poll.register(pidfd, select.EPOLLIN)
        carried = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pidfd]))]
        self._control.sendmsg([wire.FORKED.pack(b"F", child_id)], carried)
        return True

    def _be_child(
        self, zygote_pid: int, address_space: int, cpu_s: int, *, rehearse: bool, ends: tuple[int, int]
    ) -> None:
        from judge.jail.child import Arming, live  # noqa: PLC0415

        arming = Arming(
            zygote_pid=zygote_pid,
            address_space=address_space,
            cpu_s=cpu_s,
            seccomp="seccomp" not in self._waived,
            rlimits="rlimits" not in self._waived,
            landlock=self._landlock,
            descriptors="descriptors" not in self._waived,
            language=self._language,
            rehearsal=self._message,
            rehearse=rehearse,
        )
        live(arming, *ends)

    def _reap(self, pidfd: int) -> None:
        pid, child_id = self._children.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        self._control.send(wire.EXITED.pack(b"X", child_id, status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss))


def main() -> None:
    """Be a zygote. Waived layers come as arguments."""
    lockdown.close_from(wire.CONTROL_FD + 1)  # whatever the server's own parent left open to it
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the server's terminal is the server's business
    Zygote(frozenset(sys.argv[1:])).run()


if __name__ == "__main__":
    main()
