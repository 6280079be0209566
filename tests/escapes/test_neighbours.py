"""Two submissions at once cannot see, signal or message each other.

Left out are channels through what any two processes of one machine share: how busy it is, its caches, its memory bus.
A submission that measures time can learn from them that somebody else is computing, at a few bits a second.
"""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Verdict
from problems.package import Limits

NEIGHBOUR = b"""import _posixshmem
import array
import ctypes
import errno
import fcntl
import mmap
import os
import signal
import socket
import sys
import time

import torch

X86 = "x86_64" in sys.implementation._multiarch
libc = ctypes.CDLL(None, use_errno=True)


def call(x86, arm, *arguments):
    result = libc.syscall(x86 if X86 else arm, *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def neighbours():
    return [pid for pid in range(os.getpid() - 40, os.getpid() + 40) if pid > 1 and pid != os.getpid()]


def signal_somebody():
    for pid in neighbours():
        try:
            os.kill(pid, 0)
        except OSError as error:
            if error.errno == errno.ESRCH:
                continue
            raise
        return
    raise LookupError


def open_somebody():
    for pid in neighbours():
        try:
            os.close(os.pidfd_open(pid))
        except OSError as error:
            if error.errno == errno.ESRCH:
                continue
            raise
        return
    raise LookupError


def abstract_socket():
    end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    end.bind("\\0tensorgrade-escape-%d" % os.getpid())


def lock(which):
    fcntl.flock(which, fcntl.LOCK_EX | fcntl.LOCK_NB)


def inherited_shared_memory():
    path = "/proc/self/maps"
    if [line for line in open(path) if "rw-s" in line and "region" not in line and "/dev/zero" not in line]:
        return
    raise LookupError


CHANNELS = {
    "a file": lambda: open("/tmp/tensorgrade-escape", "a"),
    "a file in shared memory": lambda: open("/dev/shm/tensorgrade-escape", "a"),
    "a listing of processes": lambda: os.listdir("/proc"),
    "another process's memory": lambda: [open("/proc/%d/mem" % pid, "rb") for pid in neighbours()],
    "another process's command line": lambda: [open("/proc/%d/cmdline" % pid).read() for pid in neighbours()],
    "a signal": signal_somebody,
    "a pidfd": open_somebody,
    "a signal to a thread": lambda: [call(234, 131, pid, pid, 0) for pid in neighbours()],
    "a change of another process's limits": lambda: [call(302, 261, pid, 7, None, bytes(16)) for pid in neighbours()],
    "an abstract socket": abstract_socket,
    "a datagram on the loopback": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).bind(("127.0.0.1", 0)),
    "a lock on descriptor 0": lambda: lock(0),
    "a lock on descriptor 3": lambda: lock(3),
    "a file lock by fcntl": lambda: fcntl.lockf(1, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "an owner of signals": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid()),
    "shared memory by name": lambda: _posixshmem.shm_open("/tensorgrade-escape", os.O_CREAT | os.O_RDWR, mode=0o666),
    "System V shared memory": lambda: call(29, 194, 0x7E57, 4096, 0o1666),
    "a System V semaphore": lambda: call(64, 190, 0x7E57, 1, 0o1666),
    "a System V queue": lambda: call(68, 186, 0x7E57, 0o1666),
    "a POSIX queue": lambda: call(240, 180, b"tensorgrade-escape", 0o102, 0o666, None),
    "a key": lambda: call(248, 217, b"user", b"tensorgrade-escape", b"hello", 5, -4),
    "a search for a key": lambda: call(250, 219, 10, -4, b"user", b"tensorgrade-escape", 0),
    "a descriptor sent along": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=os.dup(3)),
    "a name for the process": lambda: call(157, 167, 15, b"hello"),
    "memory that was shared before the fork": inherited_shared_memory,
    "a network interface": lambda: socket.if_nameindex(),
    "a priority": lambda: os.setpriority(os.PRIO_PROCESS, neighbours()[0], 19),
    "a processor": lambda: os.sched_setaffinity(neighbours()[0], {0}),
}


def scaled_dot_product_attention(Q, K, V):
    until = time.monotonic() + 0.3
    works = set()
    while time.monotonic() < until:
        for name, channel in CHANNELS.items():
            try:
                channel()
            except (OSError, LookupError, ValueError, ImportError):
                continue
            works.add(name)
    if works:
        raise PermissionError(", ".join(sorted(works)))
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""


def at_once(judge, problem, sources):
    """Reports of sources judged at the same time."""
    reports = [None] * len(sources)

    def grade(place, source):
        reports[place] = judge.grade(problem, source)

    threads = [threading.Thread(target=grade, args=each) for each in enumerate(sources)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return reports


@pytest.mark.parametrize("waived", [{"policy"}, {"policy", "bubblewrap"}, {"policy", "landlock"}], ids=" and ".join)
def test_two_submissions_at_once_find_no_channel_between_them(attention, waived):
    problem = replace(attention, revision="one", cases=attention.cases[:1], limits=Limits(time_s=20.0))
    with Judge(JudgeOptions(zygotes=1, waive=frozenset(waived))) as judge:
        reports = at_once(judge, problem, [NEIGHBOUR, NEIGHBOUR])
    for report in reports:
        assert report.verdict is Verdict.ACCEPTED, [case.message for case in report.cases]
