"""Runs a command under what Docker puts around a process by default: its system-call profile and its capabilities.

    python docker_like.py COMMAND ARGUMENT...

Emulated are the calls that Docker's default profile refuses without further capabilities, and the 14 capabilities that
root keeps in a container. Left out are its mounts, namespaces and cgroups: they give a container a machine of its own
and take nothing away that the jail asks for. Unlike Docker's, this filter comes with no_new_privs.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

from judge.jail import lockdown, seccomp
from judge.jail.seccomp import _instruction

KEPT = {
    "CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "FSETID": 4, "KILL": 5, "SETGID": 6, "SETUID": 7, "SETPCAP": 8,
    "NET_BIND_SERVICE": 10, "NET_RAW": 13, "SYS_CHROOT": 18, "MKNOD": 27, "AUDIT_WRITE": 29, "SETFCAP": 31,
}  # fmt: skip
REFUSED = """
acct add_key bpf clock_settime create_module delete_module fanotify_init finit_module fsconfig fsmount fsopen fspick
get_kernel_syms get_mempolicy init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp
kexec_file_load kexec_load keyctl lookup_dcookie mbind mount mount_setattr move_mount move_pages nfsservctl
open_by_handle_at open_tree perf_event_open pidfd_getfd pivot_root process_madvise query_module quotactl reboot
request_key set_mempolicy setdomainname sethostname setns settimeofday stime swapoff swapon _sysctl sysfs syslog umount
umount2 unshare uselib userfaultfd ustat vhangup vm86 vm86old
"""
NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_AF_VSOCK = 40
_PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
_LOAD_WORD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EPERM = _instruction(_RETURN, _ERRNO | errno.EPERM)
_NUMBER = _instruction(_LOAD_WORD, 0)
_FIRST_ARGUMENT = _instruction(_LOAD_WORD, 16)
_PR_CAPBSET_DROP = 24
_LAST_CAPABILITY = 63
_libc = ctypes.CDLL(None, use_errno=True)


def number_of(name: str) -> int | None:
    """A call's number here, by libseccomp's table; None where there is no such call."""
    number = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name(name.encode())
    return number if number >= 0 else None


def profile() -> bytes:
    """The filter as classic BPF."""
    parts = [_NUMBER]
    for name in REFUSED.split():
        number = number_of(name)
        if number is not None:
            parts += [_instruction(_EQUAL, number, 0, 1), _EPERM]
    # glibc tries clone3 first, whose flags lie in memory that no filter can read, and falls back to clone.
    parts += [_instruction(_EQUAL, number_of("clone3"), 0, 1), _instruction(_RETURN, _ERRNO | errno.ENOSYS)]
    parts += _when("clone", _instruction(_ANY_BIT, NAMESPACES, 0, 1) + _EPERM)
    parts += _when("socket", _instruction(_EQUAL, _AF_VSOCK, 0, 1) + _EPERM)
    allowed = len(_PERSONALITIES)
    tests = [_instruction(_EQUAL, each, allowed - place, 0) for place, each in enumerate(_PERSONALITIES)]
    parts += _when("personality", b"".join(tests) + _EPERM)
    return b"".join([*parts, _instruction(_RETURN, _ALLOW)])


def _when(name: str, tests: bytes) -> list[bytes]:
    """Tests on the first argument of one call; where they let it pass, the next rule has the number again."""
    body = _FIRST_ARGUMENT + tests + _NUMBER
    return [_instruction(_EQUAL, number_of(name), 0, len(body) // 8), body]


def keep_default_capabilities() -> None:
    """As root: the 14 that a container keeps. Anybody else has none to keep."""
    if os.geteuid():
        return
    for capability in set(range(_LAST_CAPABILITY + 1)) - set(KEPT.values()):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    mask = sum(1 << capability for capability in KEPT.values())
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)(mask, mask, 0, 0, 0, 0)
    if _libc.syscall(lockdown._CAPSET[platform.machine()], header, data):
        raise OSError(ctypes.get_errno(), "capset was refused")


if __name__ == "__main__":
    keep_default_capabilities()
    seccomp.load_filter(profile())
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - what this script is for
