import threading
from queue import SimpleQueue

import pytest

from app.dispatch import Dispatch, Work


def work(name, priority=0):
    return Work(name, f"submission {name}", priority=priority)


@pytest.fixture
def gate():
    """A dispatch of one thread that is busy until `gate.go_on` is set, and says what it ran."""

    class Gate:
        def __init__(self):
            self.ran = SimpleQueue()
            self.busy, self.go_on = threading.Event(), threading.Event()
            self.pauses = {}

        def run(self, each):
            if each.judging == "hold":
                self.busy.set()
                self.go_on.wait(10)
                return None
            self.ran.put(each.judging)
            return self.pauses.pop(each.judging, None)

    gate = Gate()
    with Dispatch(gate.run, 1) as dispatch:
        gate.dispatch = dispatch
        dispatch.put(work("hold"))
        gate.busy.wait(10)
        yield gate
        gate.go_on.set()


def test_a_higher_priority_comes_first_and_equals_in_order(gate):
    for name, priority in [("c", -2), ("a", 0), ("b", -1), ("d", -2)]:
        gate.dispatch.put(work(name, priority))
    gate.go_on.set()
    assert [gate.ran.get(timeout=10) for _ in range(4)] == ["a", "b", "c", "d"]


def test_a_thread_is_reserved_only_when_it_is_idle(gate):
    assert gate.dispatch.reserve("a") is False
    assert gate.dispatch.knows("a")
    gate.go_on.set()
    gate.dispatch.put(work("b"))
    gate.ran.get(timeout=10)
    while not gate.dispatch.reserve("c"):
        pass
    assert gate.dispatch.reserve("d") is False
    gate.dispatch.start(Work("c", "c"))
    assert gate.ran.get(timeout=10) == "c"


def test_what_cannot_be_judged_now_comes_again_after_its_pause(gate):
    gate.pauses["a"] = 0.01
    gate.dispatch.put(work("a"))
    gate.go_on.set()
    assert [gate.ran.get(timeout=10) for _ in range(2)] == ["a", "a"]


def test_a_run_that_raises_is_tried_again_and_the_thread_lives(gate):
    def fail(_):
        gate.dispatch._run = gate.run
        raise ValueError("a bug")

    gate.dispatch._run = fail
    gate.dispatch.put(work("a"))
    gate.go_on.set()
    assert gate.ran.get(timeout=10) == "a"


def test_draining_begins_nothing_more(gate):
    gate.dispatch.put(work("a"))
    gate.dispatch.drain()
    gate.go_on.set()
    gate.dispatch.__exit__(None, None, None)
    assert gate.ran.empty()
    assert gate.dispatch.queued() == 1


def test_the_expected_wait_grows_with_the_queue(gate):
    for number in range(100):
        gate.dispatch.put(work(str(number)))
    assert gate.dispatch.expected_wait_s() == pytest.approx(100 * gate.dispatch._mean_s)
    gate.dispatch.drain()
