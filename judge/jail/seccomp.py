"""The system-call filter of a child: an allow-list, written as classic BPF.

Runs inside the jail. The program is assembled here rather than by libseccomp so that it can be read next to the
reasons, loads in tens of microseconds, and needs no library on the machine that serves. The numbers in SYSCALLS are
compared with libseccomp's own tables by the tests.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_NEGATIVE = 0x80000000

# name: (x86_64, aarch64); None where the architecture has no such call.
SYSCALLS: dict[str, tuple[int | None, int | None]] = {
    # memory
    "brk": (12, 214),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "mprotect": (10, 226),  # PROT_EXEC stays allowed: oneDNN compiles its kernels at run time
    # fd 3, whose only peer is the supervisor, and /dev/null
    "read": (0, 63),
    "write": (1, 64),
    "recvfrom": (45, 207),
    "recvmsg": (47, 212),  # inputs over 256 KiB come as a memfd; sendmsg stays refused: nothing may be sent out
    "sendto": (44, 206),
    "close": (3, 57),
    "lseek": (8, 62),
    "poll": (7, None),
    "ppoll": (271, 73),
    # the interpreter's own life
    "futex": (202, 98),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getrandom": (318, 278),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    # clocks and scheduling
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "times": (100, 153),
    "getrusage": (98, 165),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    # handled one by one below
    "tgkill": (234, 131),
    "open": (2, None),
    "openat": (257, 56),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "ioctl": (16, 29),
    "clone": (56, 220),
    "clone3": (435, 435),
}

_BY_CLOCK = ("clock_gettime", "clock_getres", "clock_nanosleep")
"""Allowed for the clocks of everybody and one's own: a negative id names another process, and tells its CPU time."""
_ALLOWED = [
    name for name in list(SYSCALLS)[: list(SYSCALLS).index("tgkill")] if name not in (*_BY_CLOCK, "sched_getaffinity")
]

# Refused with the error that libraries expect and get over; everything else that is not allowed gives EPERM.
_REFUSED = {
    **dict.fromkeys(
        (
            "open",
            "openat",
            "stat",
            "lstat",
            "newfstatat",
            "statx",
            "access",
            "faccessat",
            "faccessat2",
            "readlink",
            "readlinkat",
            "getcwd",
        ),
        errno.EACCES,
    ),
    "ioctl": errno.ENOTTY,  # isatty() probes
    "clone": errno.EAGAIN,  # "no more threads" is an error that thread pools report
    "clone3": errno.ENOSYS,  # glibc falls back to clone
}

_LOAD_WORD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCH_AT, _ARGUMENT_0_AT = 0, 4, 16
_SECCOMP_NUMBER = {"x86_64": 317, "aarch64": 277}
_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER = 1


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _on(number: int, action: int) -> bytes:
    """Return `action` when the accumulator holds this call number."""
    return _instruction(_JUMP_EQUAL, number, 0, 1) + _instruction(_RETURN, action)


def _on_argument(number: int, *conditions: bytes) -> list[bytes]:
    """Refuse this call number unless a condition on its first argument skips the refusal."""
    return [
        _instruction(_JUMP_EQUAL, number, 0, len(conditions) + 3),
        _instruction(_LOAD_WORD, _ARGUMENT_0_AT),
        *conditions,
        _instruction(_RETURN, _ERRNO | errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]


def build_filter(pid: int, machine: str | None = None) -> bytes:
    """The filter for a process with this pid (as it sees itself), as an array of BPF instructions.

    `tgkill` is allowed towards the process itself only: abort() uses it. A foreign architecture and x32 calls kill,
    since their numbers would mean other calls. Of siblings it tells neither whether they are there nor their CPU time.
    Raises KeyError for an architecture that is not in the table.
    """
    machine = machine or platform.machine()
    column = {"x86_64": 0, "aarch64": 1}[machine]
    columns = {name: numbers[column] for name, numbers in SYSCALLS.items()}
    number = {name: value for name, value in columns.items() if value is not None}
    program = [
        _instruction(_LOAD_WORD, _ARCH_AT),
        _instruction(_JUMP_EQUAL, _AUDIT_ARCH[machine], 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD_WORD, _NUMBER_AT),
    ]
    if machine == "x86_64":
        program += [_instruction(_JUMP_AT_LEAST, _X32_BIT, 0, 1), _instruction(_RETURN, _KILL)]
    program += [_on(number[name], _ALLOW) for name in _ALLOWED if name in number]
    program += [_on(number[name], _ERRNO | code) for name, code in _REFUSED.items() if name in number]
    itself, nobody = _instruction(_JUMP_EQUAL, pid, 1, 0), _instruction(_JUMP_EQUAL, 0, 2, 0)
    program += _on_argument(number["tgkill"], itself)
    program += _on_argument(number["sched_getaffinity"], nobody, itself)  # 0 is oneself there
    for name in _BY_CLOCK:
        program += _on_argument(number[name], _instruction(_JUMP_AT_LEAST, _NEGATIVE, 0, 1))
    program.append(_instruction(_RETURN, _ERRNO | errno.EPERM))
    return b"".join(program)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


_libc = ctypes.CDLL(None, use_errno=True)


def load_filter(program: bytes) -> None:
    """Put this thread under the filter, for good. OSError when the kernel refuses."""
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    buffer = ctypes.create_string_buffer(program, len(program))
    argument = _Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if _libc.syscall(_SECCOMP_NUMBER[platform.machine()], _SET_MODE_FILTER, 0, ctypes.byref(argument)):
        code = ctypes.get_errno()
        raise OSError(code, f"seccomp was refused: {os.strerror(code)}")
