"""The layers of the jail that a process raises on itself, one function each.

Runs inside the jail, before the first line of a submission. Each function either raises its layer or raises an
exception: none of them returns quietly with less. `seccomp` has a module of its own.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct

NOBODY = 65534
"""uid and gid of submitted code when the judge is started by root."""

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
_CAPABILITY_VERSION_3 = 0x20080522
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT, _CLOSE_RANGE, _CAPSET = 444, 446, 436, {"x86_64": 126, "aarch64": 91}
_LAST_CAPABILITY = 63


def _prctl(option: int, *arguments: int) -> None:
    padded = [*arguments, 0, 0, 0, 0][:4]
    if _libc.prctl(option, *padded):
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}): {os.strerror(code)}")


def drop_identity() -> None:
    """Stop being root and give up every capability, for good.

    Tried: a bubblewrap user namespace started by root still runs as kernel uid 0, so RLIMIT_NPROC and file modes would
    not hold. Hence a real change of uid, after torch is imported (its files may be readable by root only).
    """
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # EINVAL past the kernel's last one, EPERM without SETPCAP
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    _clear_capabilities()
    if 0 in (*os.getresuid(), *os.getresgid()):
        raise PermissionError("the jail is still root")


def _clear_capabilities() -> None:
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    number = _CAPSET[os.uname().machine]
    if _libc.syscall(number, ctypes.c_char_p(header), ctypes.c_char_p(bytes(24))):
        code = ctypes.get_errno()
        raise OSError(code, f"capset: {os.strerror(code)}")


def hide_memory() -> None:
    """Make this process unreadable to others of the same uid: no ptrace, no /proc/<pid>/mem, no core."""
    _prctl(_PR_SET_DUMPABLE, 0)


def die_with(parent: int) -> None:
    """Be killed when the parent (its pid as seen here) dies; OSError when it already has."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError("the zygote died before its child was armed")


def close_from(first: int) -> None:
    """Close every descriptor from `first` on."""
    if _libc.syscall(_CLOSE_RANGE, first, 0x7FFFFFFF, 0):
        code = ctypes.get_errno()
        raise OSError(code, f"close_range: {os.strerror(code)}")


def limit_resources(*, address_space: int, cpu_s: int) -> None:
    """Set the rlimits. `address_space` in bytes counts what the zygote has mapped already."""
    for which, value in (
        (resource.RLIMIT_CORE, 0),  # no memory images on disk
        (resource.RLIMIT_FSIZE, 0),  # no file grows
        (resource.RLIMIT_NOFILE, 8),  # 0-3 and the memfd of large inputs
        (resource.RLIMIT_NPROC, 0),  # no processes, no threads
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_CPU, cpu_s),  # soft = hard: SIGKILL even where SIGXCPU is ignored
        (resource.RLIMIT_AS, address_space),  # RLIMIT_DATA would miss shared mappings
    ):
        resource.setrlimit(which, (value, value))


def landlock_version() -> int:
    """The kernel's Landlock ABI; 0 without."""
    return max(0, int(_libc.syscall(_LANDLOCK_CREATE, None, 0, 1)))


# Number of file-system rights by ABI version: all of them are handled, none is granted.
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_FS_RIGHTS_LATEST = 16
_NET_SINCE, _SCOPE_SINCE = 4, 6


def deny_with_landlock() -> int:
    """Handle every right that this kernel's Landlock knows and allow nothing. Returns the ABI version.

    Files and directories cannot be opened, TCP cannot be bound or connected; from ABI 6 on, signals and abstract
    sockets outside this process's own domain are out of reach too.
    """
    version = landlock_version()
    if not version:
        raise OSError("the kernel has no Landlock")
    rights = (1 << _FS_RIGHTS.get(version, _FS_RIGHTS_LATEST)) - 1
    attributes = struct.pack("<Q", rights)
    if version >= _NET_SINCE:
        attributes += struct.pack("<Q", 0b11)
    if version >= _SCOPE_SINCE:
        attributes += struct.pack("<Q", 0b11)
    descriptor = _libc.syscall(_LANDLOCK_CREATE, ctypes.c_char_p(attributes), len(attributes), 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset was refused")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    failed = _libc.syscall(_LANDLOCK_RESTRICT, descriptor, 0)
    os.close(descriptor)
    if failed:
        raise OSError(ctypes.get_errno(), "landlock_restrict_self was refused")
    return version
