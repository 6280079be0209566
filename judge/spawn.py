"""Starts zygotes: the command line, the clean environment, bubblewrap's view of the machine. Trusted side."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import judge
from judge.errors import JailUnavailable, JudgeError
from judge.jail import wire

START_S = 60.0
"""How long a zygote may take to import torch and warm up: 2-4 s on a quiet machine, far more on a busy one."""

_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    # One thread: forking after a multi-threaded operation hangs every operation in the child.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Huge pages halve the cost of fork and exit and speed large tensors by 40 %; through malloc Python has them too.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "PYTHONMALLOC": "malloc",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}

_ASKED_FOR = (
    "/etc/ld.so.cache",
    "/proc/cpuinfo",  # without this and the next torch silently takes kernels that are 2-3 times slower
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
)
_CAPABILITIES_TO_DROP_ROOT = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


@dataclass(frozen=True, slots=True)
class Spawned:
    """A zygote that said it is ready."""

    process: int
    """pid of the process that we started: bubblewrap's, or the interpreter's."""
    pid: int
    """pid of the interpreter as seen from here."""
    control: socket.socket
    found: dict[str, Any]
    """What the zygote found: torch, python, cpu, landlock (ABI or 0), uid."""


def package_root() -> Path:
    """The directory that holds `judge`, `problems`, `app` and `static`: a checkout or site-packages."""
    return Path(judge.__file__).resolve().parent.parent


def bubblewrap_trouble() -> str | None:
    """Why bubblewrap cannot be used here, with the way out; None when it works."""
    path = shutil.which("bwrap")
    if path is None:
        return "bubblewrap is not installed: apt-get install bubblewrap"
    command = [path, *_namespaces(), "--ro-bind", "/", "/", "/bin/true"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    if tried.returncode:
        reason = tried.stderr.strip().splitlines()[-1:] or ["no reason given"]
        return (
            f"bubblewrap cannot make namespaces here ({reason[0]}): allow unprivileged user namespaces, or, inside a"
            " container, let Landlock hold alone"
        )
    return None


def _namespaces() -> list[str]:
    """Started by root there is no user namespace: inside one, submitted code would still be kernel uid 0."""
    user = [] if os.geteuid() == 0 else ["--unshare-user"]
    return [*user, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]


def jail_command(*, bubblewrap: bool, waived: frozenset[str], hide: tuple[Path, ...]) -> list[str]:
    """The command line of a zygote."""
    python = [sys.executable, "-s", "-P", "-m", "judge.jail.zygote", *sorted(waived)]
    if not bubblewrap:
        return python
    environment = [word for name, value in _environment().items() for word in ("--setenv", name, value)]
    capabilities = ["--cap-drop", "ALL"]
    if os.geteuid() == 0:
        for name in _CAPABILITIES_TO_DROP_ROOT:
            capabilities += ["--cap-add", name]
    return [
        shutil.which("bwrap") or "bwrap",
        *_namespaces(),
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        *environment,
        *capabilities,
        *_mounts(hide),
        "--hostname",
        "jail",
        "--chdir",
        "/",
        *python,
    ]


def _mounts(hide: tuple[Path, ...]) -> list[str]:
    """What the jail sees: an interpreter, its packages, our jail modules, what torch asks about the processor."""
    shown = _interpreter_trees()
    words: list[str] = []
    for tree in shown:
        words += ["--ro-bind", str(tree), str(tree)]
    for link, target in (("/lib", "usr/lib"), ("/lib64", "usr/lib64"), ("/bin", "usr/bin")):
        if Path(link).is_symlink():
            words += ["--symlink", target, link]
        elif Path(link).is_dir():
            words += ["--ro-bind", link, link]
    for asked in (
        "/etc/ld.so.cache",
        "/proc/cpuinfo",
        "/sys/devices/system/cpu",
        "/sys/kernel/mm/transparent_hugepage",
    ):
        words += ["--ro-bind-try", asked, asked]
    for device in ("/dev/null", "/dev/urandom"):  # torch opens the latter while it is imported
        words += ["--dev-bind", device, device]
    root = package_root()
    for path in (*(root / name for name in ("app", "problems", "static", "tests", "judge")), *hide):
        if path.is_dir() and any(path.resolve().is_relative_to(tree) for tree in shown):
            words += ["--tmpfs", str(path.resolve())]
    for part in ("__init__.py", "jail"):
        ours = str(root / "judge" / part)
        words += ["--ro-bind", ours, ours]
    return [*words, "--remount-ro", "/"]


def _interpreter_trees() -> list[Path]:
    """Directories that Python needs: /usr, the base installation and the virtual environment; none inside another."""
    wanted = [Path("/usr"), Path(sys.base_prefix), Path(sys.prefix), Path(sysconfig.get_paths()["platlib"])]
    trees: list[Path] = []
    for path in sorted({each.resolve() for each in wanted}):
        if not any(path.is_relative_to(tree) for tree in trees):
            trees.append(path)
    return trees


def _environment() -> dict[str, str]:
    return {**_ENVIRONMENT, "PYTHONPATH": str(package_root())}


@dataclass(frozen=True, slots=True)
class Starting:
    """A zygote that has been started and not yet said that it is ready."""

    process: int
    control: socket.socket
    log: int
    """Descriptor of what it writes on its standard error."""
    deadline: float


def begin(*, bubblewrap: bool, waived: frozenset[str], hide: tuple[Path, ...]) -> Starting:
    """Start one zygote; `finish` it when its control socket has something to read.

    Call it from a thread that lives as long as the zygote shall: `--die-with-parent` follows the thread. JudgeError
    when it cannot be started, OSError when no descriptor is left.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    log = os.memfd_create("zygote-log")
    command = jail_command(bubblewrap=bubblewrap, waived=waived, hide=hide)
    try:
        process = os.posix_spawn(
            command[0],
            command,
            _environment(),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                (os.POSIX_SPAWN_DUP2, theirs.fileno(), wire.CONTROL_FD),
            ],
            setsigdef=[signal.SIGINT, signal.SIGPIPE],
            setpgroup=0,  # a group of its own: `end` kills all of it, and kill(0) in the jail cannot mean the server
        )
    except OSError as error:
        ours.close()
        os.close(log)
        raise JudgeError(f"the zygote cannot be started: {error}") from error
    finally:
        theirs.close()
    return Starting(process, ours, log, time.monotonic() + START_S)


def finish(starting: Starting) -> Spawned:
    """Read what a started zygote says first. JudgeError with its own words when that is not that it is ready."""
    control = starting.control
    try:
        message, ancillary, _, _ = control.recvmsg(wire.CONTROL_BYTES, socket.CMSG_SPACE(12), socket.MSG_DONTWAIT)
    except OSError:
        message, ancillary = b"", []
    if not message.startswith(wire.READY):
        size = os.fstat(starting.log).st_size
        words = os.pread(starting.log, 4000, max(0, size - 4000)).decode("utf-8", "replace").strip()
        control.close()
        os.close(starting.log)
        end(starting.process)
        late = time.monotonic() >= starting.deadline
        trouble = f"the zygote was not ready after {START_S:.0f} s." if late else "the zygote ended while it started:"
        raise JudgeError(f"{trouble} {words}".strip())
    os.close(starting.log)
    pid = starting.process
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            pid = struct.unpack("3i", data)[0]
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    return Spawned(starting.process, pid, control, json.loads(message[1:]))


def end(process: int) -> None:
    """Kill a zygote's process with everything below it, and reap it.

    It is stopped first, and then its children are killed by name: a bubblewrap that has just begun has one in a session
    of its own, which would live on if the first died before the second had asked to die with it.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGSTOP)
    try:
        _, status = os.waitpid(process, os.WUNTRACED)
        stopped = os.WIFSTOPPED(status)
    except ChildProcessError:
        stopped = False
    children = _children_of(process) if stopped else []  # while it is stopped no pid of theirs is given away again
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if stopped:
        os.waitpid(process, 0)


def _children_of(process: int) -> list[int]:
    """Pids of the children of a process of one thread; none where the kernel does not tell."""
    try:
        return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def mapped_bytes(pid: int) -> int:
    """Virtual size of a process in bytes, from outside. JailUnavailable when /proc cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError as error:
        raise JailUnavailable(f"rlimits: the size of the zygote cannot be read ({error}): mount /proc.") from error
    return int(fields[0]) * os.sysconf("SC_PAGE_SIZE")
