"""The filter's numbers and decisions, against libseccomp's tables and the real kernel."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judge.jail.seccomp import SYSCALLS, build_filter

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NO_SUCH_CALL = -1


@pytest.fixture(scope="module")
def libseccomp():
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.fail("libseccomp is missing: apt-get install libseccomp2")
    library.seccomp_syscall_resolve_name_arch.argtypes = (ctypes.c_uint32, ctypes.c_char_p)
    return library


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_every_number_is_the_one_that_libseccomp_knows(libseccomp, machine, column):
    for name, numbers in SYSCALLS.items():
        known = libseccomp.seccomp_syscall_resolve_name_arch(ARCHITECTURES[machine], name.encode())
        expected = known if known >= 0 else None  # negative: a pseudo number, the call does not exist there
        assert numbers[column] == expected, name


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_filter_can_be_built_for_each_architecture(machine):
    program = build_filter(7, machine)
    assert len(program) % 8 == 0
    assert len(program) // 8 < 4096  # BPF_MAXINSNS


def test_an_unknown_architecture_is_an_error():
    with pytest.raises(KeyError):
        build_filter(7, "riscv64")


def under_filter(attempt: str) -> subprocess.CompletedProcess[str]:
    """Run a statement under the filter, in a process of its own; prints what came of it."""
    script = f"""
import ctypes, errno, os, socket, sys, time
from judge.jail.seccomp import build_filter, load_filter
libc = ctypes.CDLL(None, use_errno=True)
load_filter(build_filter(os.getpid()))
try:
    result = {attempt}
except OSError as error:
    os.write(1, errno.errorcode[error.errno].encode())
else:
    os.write(1, b"done")
os._exit(0)
"""
    root = Path(__file__).resolve().parents[3]
    return subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize(
    ("attempt", "expected"),
    [
        ("os.open('/proc/cpuinfo', os.O_RDONLY)", "EACCES"),
        ("os.stat('/')", "EACCES"),
        ("os.listdir('/')", "EACCES"),
        ("os.fork()", "EAGAIN"),
        ("os.execv('/bin/true', ['true'])", "EPERM"),
        ("socket.socket()", "EPERM"),
        ("socket.socketpair()", "EPERM"),
        ("os.kill(os.getppid(), 0)", "EPERM"),
        ("os.pipe()", "EPERM"),
        ("os.memfd_create('x')", "EPERM"),
        ("os.mkdir('/tmp/never')", "EPERM"),
        ("os.setsid()", "EPERM"),
        ("os.dup(1)", "EPERM"),
        ("os.isatty(1) and None", "done"),  # ioctl gives ENOTTY, which isatty answers with False
        ("time.sleep(0.001)", "done"),
        ("os.getpid()", "done"),
        ("os.urandom(4)", "done"),
        ("os.sched_getaffinity(0)", "done"),
        ("os.sched_getaffinity(os.getpid())", "done"),
        ("os.sched_getaffinity(1)", "EPERM"),
        ("time.thread_time()", "done"),
        ("time.clock_getres(time.CLOCK_MONOTONIC)", "done"),
        ("time.clock_gettime((~1 << 3) | 2)", "EPERM"),
        ("time.clock_getres((~1 << 3) | 2)", "EPERM"),
    ],
)
def test_a_call_gets_the_answer_that_libraries_get_over(attempt, expected):
    assert under_filter(attempt).stdout == expected


def test_abort_still_ends_the_process_by_its_signal():
    assert under_filter("os.abort()").returncode == -signal.SIGABRT


def test_a_signal_to_another_thread_group_is_refused():
    attempt = f"libc.syscall({SYSCALLS['tgkill'][0 if os.uname().machine == 'x86_64' else 1]}, 1, 1, 0) and 1 / 0"
    done = under_filter(attempt)
    assert "ZeroDivisionError" in done.stderr  # -1: refused


def test_a_call_by_the_x32_numbers_kills_where_they_exist():
    x32_exists = os.uname().machine == "x86_64"
    assert under_filter("libc.syscall(0x40000000 + 39)").returncode == (-signal.SIGSYS if x32_exists else 0)
