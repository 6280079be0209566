import threading
from queue import SimpleQueue

import pytest

from app.dispatch import Dispatch
from app.turns import Turns, Work


def work(name, priority=0):
    return Work(name, f"submission {name}", client=f"student {name}", priority=priority)


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
    assert gate.dispatch.reserve("a", "student a") is False
    assert gate.dispatch.knows("a")
    gate.go_on.set()
    gate.dispatch.put(work("b"))
    gate.ran.get(timeout=10)
    while not gate.dispatch.reserve("c", "student c"):
        gate.dispatch.forget("c")
    assert gate.dispatch.reserve("d", "student d") is False
    gate.dispatch.start(work("c"))
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


# ---------------------------------------------------------------------- turns
def take(turns, count=10):
    taken = []
    while len(taken) < count and (each := turns.next(0.0, draining=False)) is not None:
        taken.append(each)
    return [each.judging for each in taken]


def test_a_flood_gets_half_of_the_threads_and_everybody_else_the_rest():
    turns = Turns(4)
    for number in range(6):
        turns.add(Work(f"flood {number}", "s", client="flood", priority=-number))
    assert take(turns) == ["flood 0", "flood 1"]
    turns.add(Work("other", "s", client="other"))
    assert take(turns) == ["other"]
    turns.done(Work("flood 1", "s", client="flood", priority=-1))
    assert take(turns) == ["flood 2"]


def test_many_floods_together_leave_half_of_the_threads_to_first_submissions():
    turns = Turns(4)
    for client in "abc":
        for number in (1, 2):
            turns.add(Work(f"{client}{number}", "s", client=client, priority=-number))
    assert take(turns) == ["a1", "b1"]
    turns.add(Work("other", "s", client="other"))
    assert take(turns) == ["other"]


def test_a_hall_behind_one_address_may_use_every_thread():
    turns = Turns(4)
    for number in range(6):
        turns.add(Work(str(number), "s", client="address", share=20))
    assert take(turns) == ["0", "1", "2", "3", "4", "5"]


def test_rejudgings_wait_until_nobody_else_does():
    turns = Turns(2)
    turns.add(Work("again", "s"))
    turns.add(Work("late", "s", client="a", priority=-5))
    assert take(turns) == ["late"]  # and no more than half of the threads
    turns.done(Work("late", "s", client="a", priority=-5))
    assert take(turns, 1) == ["again"]
    assert (turns.queued(), turns.rejudgings()) == (0, 1)


def test_rejudgings_are_not_counted_against_students():
    turns = Turns(2)
    for number in range(1000):
        turns.add(Work(str(number), "s"))
    assert (turns.pending(), turns.queued(), turns.rejudgings()) == (0, 0, 1000)


def test_what_was_promised_comes_before_everything_even_when_draining():
    turns = Turns(2)
    turns.add(Work("a", "s", client="a"))
    turns.add(Work("promised", "s", client="b", promised=True))
    assert turns.next(0.0, draining=True).judging == "promised"
    assert turns.next(0.0, draining=True) is None


def test_a_client_is_forgotten_with_its_last_judging():
    turns = Turns(2)
    turns.announce("1", "me")
    turns.announce("2", "me")
    assert turns.pending_of("me") == 2
    turns.forget("1")
    turns.forget("1")
    assert turns.pending_of("me") == 1
    turns.forget("2")
    assert turns._by_client == {}
