"""A server that does not run for a while (a paused machine, a stopped process) takes nobody's time away."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVER = """
import sys, threading, time
from dataclasses import replace
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.selftest import tiny_problem
from problems.package import Limits

problem = replace(tiny_problem(), limits=Limits(time_s=1.0))
source = b'''import time


def double(X):
    end = time.process_time() + {cpu_s}
    while time.process_time() < end:
        pass
    return X * 2
'''
with Judge(JudgeOptions(zygotes=1, armed=1, waive=frozenset(["policy"]))) as judge:
    while not judge.pool.idle() or judge.pool._later:
        time.sleep(0.01)
    (child,) = [child for zygote in judge.pool._zygotes for child in zygote.children.values()]
    (pid,) = [line.split()[1] for line in open(f"/proc/self/fdinfo/{{child.pidfd}}") if line.startswith("Pid:")]
    print(pid, flush=True)
    sys.stdin.readline()
    print(judge.grade(problem, source).verdict, flush=True)
"""
FROZEN_S = 2.0


@contextmanager
def judging(cpu_s: float):
    """A process that grades a program which needs so much processor time, of one second; its pid and the child's."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER.format(cpu_s=cpu_s)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process, int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def freeze(pids: list[int]) -> None:
    """Stop them for longer than the program may take."""
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(FROZEN_S)
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def verdict_after_a_freeze(cpu_s: float, *, child_too: bool) -> str:
    with judging(cpu_s) as (server, child):
        before = processor_s(child)
        server.stdin.write("go\n")
        server.stdin.flush()
        deadline = time.monotonic() + 30
        while processor_s(child) < before + 0.05:  # it runs
            assert time.monotonic() < deadline
        freeze([server.pid, child] if child_too else [server.pid])
        assert select.select([server.stdout], [], [], 30)[0]
        return server.stdout.readline().strip()


@pytest.mark.parametrize("child_too", [False, True], ids=["the server alone", "the program too"])
def test_a_freeze_makes_no_program_late(child_too):
    assert verdict_after_a_freeze(0.5, child_too=child_too) == "accepted"


@pytest.mark.parametrize("child_too", [False, True], ids=["the server alone", "the program too"])
def test_what_is_late_stays_late_after_a_freeze(child_too):
    assert verdict_after_a_freeze(1000.0, child_too=child_too) == "time_limit_exceeded"
