"""What becomes of zygotes and their children when one of them, the server, or the thread that owns them ends."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from judge import spawn
from judge.children import Budget
from judge.grade import Judge
from judge.options import JudgeOptions
from judge.report import Verdict

RIGHT = b"""
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
BUSY = RIGHT.replace(b"    return", b"    for _ in range(20000):\n        Q + 1\n    return")


# --die-with-parent follows the thread that spawned bubblewrap; without bubblewrap the control socket's end must do.
@pytest.mark.parametrize("waived", [[], ["bubblewrap"]], ids=["bubblewrap", "no bubblewrap"])
def test_when_the_server_is_killed_nothing_of_the_judge_lives_on(waived):
    server = f"""
import sys, threading, time
from judge.grade import Judge
from judge.options import JudgeOptions
judge = Judge(JudgeOptions(zygotes=1, waive=frozenset({waived!r})))
thread = threading.Thread(target=judge.__enter__)  # a thread that ends: the zygotes must not end with it
thread.start()
thread.join()
while judge.pool.idle() < judge.options.armed or judge.pool._later:
    time.sleep(0.01)
children = [child.pidfd for zygote in judge.pool._zygotes for child in zygote.children.values()]
pids = [line.split()[1] for fd in children for line in open(f"/proc/self/fdinfo/{{fd}}") if line.startswith("Pid:")]
print(*judge.pool.pids(), *pids, flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen([sys.executable, "-c", server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        pids = [int(word) for word in process.stdout.readline().split()]
        assert len(pids) >= 2
        ends = [os.pidfd_open(pid) for pid in pids]
    finally:
        process.kill()
        process.communicate()
    for end in ends:
        assert has_ended(end, within_s=10), "a process of the judge outlived its server"
        os.close(end)


def has_ended(pidfd: int, within_s: float) -> bool:
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    return bool(poller.poll(within_s * 1000))


# A zygote that dies takes its children along; whoever waits gets the next one's.
def test_submissions_under_way_survive_the_loss_of_a_zygote(attention):
    with Judge(JudgeOptions(zygotes=1)) as judge:
        reports = []
        threads = [threading.Thread(target=lambda: reports.append(judge.grade(attention, BUSY))) for _ in range(2)]
        for thread in threads:
            thread.start()
        os.kill(judge.pool.pids()[0], signal.SIGKILL)
        for thread in threads:
            thread.join()
        assert [report.verdict for report in reports] == [Verdict.ACCEPTED] * 2


# A server whose clients hold all descriptors must judge again once they are gone: one thread owns every zygote.
def test_a_judge_without_descriptors_recovers_when_there_are_some_again():
    server = """
import os, resource, threading, time
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
from judge.errors import JudgeError
from judge.grade import Judge
from judge.options import JudgeOptions
from problems.reading import load_problem
from problems.shipped import shipped_bank
problem = load_problem(shipped_bank() / "scaled-dot-product-attention")
held, over = [], threading.Event()
def grab():
    while not over.is_set():
        try:
            held.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            time.sleep(0.0002)
with Judge(JudgeOptions(zygotes=1, wait_s=1.0)) as judge:
    thread = threading.Thread(target=grab)
    thread.start()
    while len(held) < 50:
        time.sleep(0.01)
    for _ in range(4):
        try:
            judge.grade(problem, problem.reference.source)
        except JudgeError:
            pass
    over.set()
    thread.join()
    for each in held:
        os.close(each)
    verdict = None
    end = time.monotonic() + 60
    while verdict != "accepted" and time.monotonic() < end:
        try:
            verdict = judge.grade(problem, problem.reference.source).verdict
        except JudgeError:
            time.sleep(0.1)
print(verdict)
"""
    done = subprocess.run([sys.executable, "-c", server], capture_output=True, text=True, timeout=180, check=False)
    assert done.stdout.splitlines() == ["accepted"], done.stderr


def test_a_zygote_holds_no_descriptor_that_the_server_inherited():
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)  # as a shell would leave it
    try:
        with Judge(JudgeOptions(zygotes=1)) as judge:
            held = [str(Path(f"/proc/{judge.pool.pids()[0]}/fd/{name}").readlink()) for name in range(3)]
            count = len(list(Path(f"/proc/{judge.pool.pids()[0]}/fd").iterdir()))
            children = judge.options.armed
    finally:
        os.close(inherited)
    assert held == ["/dev/null"] * 3
    assert count <= 3 + 1 + 1 + children  # the control socket, the poll and a pidfd for each child


# bubblewrap begins as two processes. Killed between the two, the second waited for the first for ever; or, already in a
# session of its own but without its wish to die with the first, it became a zygote that nobody owned.
def test_a_zygote_that_is_ended_while_it_begins_leaves_no_process():
    trouble = spawn.bubblewrap_trouble()
    assert trouble is None, trouble
    left = []
    for attempt in range(150):
        starting = spawn.begin(bubblewrap=True, waived=frozenset(), hide=())
        deadline = time.monotonic() + 0.0001 * attempt
        while time.monotonic() < deadline:
            pass
        spawn.end(starting.process)
        starting.control.settimeout(20.0)
        # the other end is open for as long as any process of this zygote lives
        if starting.control.recv(1) != b"":
            left.append(attempt)
        starting.control.close()
        os.close(starting.log)
    assert left == []


# Found when a zygote died while it was arming: the end of both sockets was in one answer of select(), and the second
# handler met a socket that the first had closed. The only thread that owns zygotes ended, and with it the judge.
def test_a_zygote_and_the_child_that_it_arms_may_end_in_the_same_moment(attention):
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge:
        pool = judge.pool
        ended = threading.Event()

        def end_both_before_anybody_looks():
            (zygote,) = pool._zygotes
            pool._arm(zygote, Budget(64, 5))
            (child,) = [each for each in pool._unarmed if each.budget == Budget(64, 5)]
            pool._await_pidfd(child)
            os.killpg(zygote.spawned.process, signal.SIGKILL)
            for end in (zygote.control, child.socket):
                poller = select.poll()
                poller.register(end, select.POLLHUP)
                assert poller.poll(20_000)
            key = pool._selector.unregister(child.socket)
            pool._selector.register(child.socket, key.events, key.data)  # the zygote's end is told first
            ended.set()

        pool._order(end_both_before_anybody_looks)
        assert ended.wait(60)
        assert judge.grade(attention, RIGHT).verdict is Verdict.ACCEPTED


def test_what_ends_the_judges_own_thread_is_said_at_once_and_hangs_nobody(attention, monkeypatch):
    ended = []
    monkeypatch.setattr(threading, "excepthook", lambda what: ended.append(what.exc_type))
    with Judge(JudgeOptions(zygotes=1, armed=1)) as judge:
        judge.pool._order(lambda: 1 / 0)
        judge.pool._thread.join(60)
        assert ended == [ZeroDivisionError]
        assert judge.zygotes() == (0, 1)
        assert judge.grade(attention, RIGHT).verdict is Verdict.JUDGE_ERROR
