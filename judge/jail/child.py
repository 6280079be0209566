"""A child: locks itself down, rehearses, says that it is armed, serves one submission, and is killed.

Runs inside the jail. From the first received source on, this process belongs to the submission.
"""

from __future__ import annotations

import array
import mmap
import os
import resource
import signal
import socket
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from judge.jail import lockdown, seccomp, wire
from judge.jail.region import Region, map_inputs
from judge.jail.rehearsal import Rehearsal
from judge.jail.serving import Request, parse_request, serve

if TYPE_CHECKING:
    from judge.jail.policy import Language

_DESCRIPTOR_BYTES = socket.CMSG_SPACE(array.array("i").itemsize)


@dataclass(frozen=True, slots=True)
class Arming:
    """What the zygote hands to a child that it has just forked."""

    zygote_pid: int
    address_space: int
    cpu_s: int
    seccomp: bool
    """This and the next two are False only where the operator waives the layer."""
    rlimits: bool
    landlock: bool
    descriptors: bool
    language: Language
    rehearsal: bytes
    rehearse: bool
    """False while somebody waits for this child: the rehearsal would only make the wait longer."""


def fresh_buffer() -> mmap.mmap:
    """Memory for one message; pages that it does not fill cost nothing."""
    return mmap.mmap(-1, wire.MESSAGE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


class SocketChannel:
    """Descriptor 3: one message a request, one small message a tick."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def receive(self) -> Request | None:
        """The next request; None when the supervisor has hung up."""
        buffer = fresh_buffer()  # tensors of earlier cases may still be held
        view = memoryview(buffer)
        size, ancillary, _, _ = self._end.recvmsg_into([view], _DESCRIPTOR_BYTES)
        if size == 0:
            return None
        if not ancillary:
            return parse_request(view, None)
        (descriptor,) = array.array("i", ancillary[0][2])
        try:
            inputs = map_inputs(descriptor, wire.REQUEST.unpack_from(view, 0)[2])
        finally:
            os.close(descriptor)
        return parse_request(view, inputs)

    def tick(self, kind: bytes, finished: int) -> None:
        """Tell the supervisor how far this batch has come."""
        self._end.send(wire.TICK.pack(kind, finished))


def live(arming: Arming, end_fd: int, region_fd: int) -> None:
    """The whole life of a child. Never returns: normal interpreter teardown would cost 0.2 s and more."""
    try:
        torch.get_num_threads()  # what torch itself does after a fork, for OpenMP's sake
        end, region = _arm(arming, end_fd, region_fd)
        channel = SocketChannel(end)
        channel.tick(wire.ARMED, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        serve(channel, region, arming.language)
        os._exit(0)
    finally:
        os._exit(97)


def _arm(arming: Arming, end_fd: int, region_fd: int) -> tuple[socket.socket, Region]:
    """Lock down and rehearse. What goes wrong is told to the supervisor: nothing here is hostile yet."""
    memory = mmap.mmap(region_fd, os.fstat(region_fd).st_size)
    os.dup2(end_fd, 3)
    end = socket.socket(fileno=3)  # asks getsockopt: before the filter
    try:
        _lock_down(arming)
        region = Region(memory)
        if arming.rehearse:
            rehearsal = Rehearsal(arming.rehearsal, fresh_buffer())
            serve(rehearsal, region, arming.language)
            rehearsal.require_finished()
            region.clear()
    except BaseException:
        end.send(wire.NOT_ARMED + traceback.format_exc()[-wire.CONTROL_BYTES // 4 :].encode("utf-8", "replace"))
        raise
    return end, region


def _lock_down(arming: Arming) -> None:
    """Raise every layer, in the order in which each is still possible."""
    if arming.descriptors:
        lockdown.close_from(4)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    lockdown.die_with(arming.zygote_pid)
    if arming.landlock:
        lockdown.deny_with_landlock()  # a domain of its own: siblings cannot signal it
    if arming.rlimits:
        lockdown.limit_resources(address_space=arming.address_space, cpu_s=arming.cpu_s)
    lockdown.hide_memory()
    if arming.seccomp:
        seccomp.load_filter(seccomp.build_filter(os.getpid()))
    sys.setswitchinterval(1000)
