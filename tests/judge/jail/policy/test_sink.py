"""Printing is kept up to a limit, the cut is stated, and a flood is stopped."""

import pytest

from judge.jail.policy import OutputLimit, Sink


def test_what_is_printed_inside_functions_is_kept_in_order(load):
    submission = load("def f(n):\n    print('in', n)\n    return n\nprint('before')\nf(1)\n[f(n) for n in (2, 3)]\n")
    assert submission.printed == "before\nin 1\nin 2\nin 3\n"


def test_print_understands_its_options(load):
    submission = load("print(1, 'a', None, sep='-', end='!', flush=True)\nprint()\nprint(*[1, 2])\n")
    assert submission.printed == "1-a-None!\n1 2\n"


def test_tensors_print_as_they_do_in_python(load):
    submission = load("import torch\nprint(torch.tensor([1.0, 2.5]), torch.ones(2).shape, torch.float32)\n")
    assert submission.printed == "tensor([1.0000, 2.5000]) torch.Size([2]) torch.float32\n"


def test_more_than_is_kept_is_cut_and_said_so():
    sink = Sink(keep=10)
    sink.write("12345")
    assert sink.take() == ("12345", False)
    sink.write("1234567")
    sink.write("8901234")
    assert sink.take() == ("1234567890", True)
    assert sink.take() == ("", False)


def test_the_cut_never_splits_a_character():
    sink = Sink(keep=4)
    sink.write("aé€b")
    assert sink.take() == ("aé", True)


def test_nothing_kept_is_still_counted():
    sink = Sink(keep=0, limit=100)
    sink.write("secret")
    assert sink.take() == ("", True)


def test_a_flood_is_stopped_and_remembered_even_if_it_is_caught(load):
    sink = Sink(keep=10, limit=100)
    for _ in range(20):
        sink.write("12345")
    with pytest.raises(OutputLimit):
        sink.write("12345")
    with pytest.raises(OutputLimit):
        sink.write("x")
    assert sink.over
    assert sink.take() == ("1234512345", True)
    assert not sink.over


def test_except_exception_does_not_swallow_the_limit(load):
    with pytest.raises(OutputLimit):
        load("for _ in range(10):\n    try:\n        print('x' * 200_000)\n    except Exception:\n        pass\n")


def test_one_huge_text_costs_no_second_copy():
    sink = Sink(keep=10, limit=1 << 20)
    with pytest.raises(OutputLimit):
        sink.write("x" * (1 << 26))


def test_lone_surrogates_are_printed_as_escapes(load):
    assert load("print('\\ud800 ok')").printed == "\\ud800 ok\n"
