"""Modules of the page that compute something, called on their own in the browser."""

import pytest


@pytest.fixture
def module(page, student):
    """`module("literal.js", "m => m.readTensor('[1]')")`: the value of an expression over a module."""
    base = page.locator("#main").get_attribute("src").rsplit("/", 1)[0]
    return lambda name, code: page.evaluate(f"import('{base}/{name}').then(async (m) => ({code})(m))")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("3", []),
        ("[1, 2, 3,]", [3]),
        ("[[1, 0], [.5, 1e-3]]", [2, 2]),
        ("((1, 2), (3, 4))", [2, 2]),
        ("torch.tensor([[1., -2.]], dtype=torch.float32)", [1, 2]),
        ("Q = tensor([[[1]]])", [1, 1, 1]),
    ],
)
def test_what_is_typed_as_a_tensor_is_read(module, text, shape):
    assert module("literal.js", f"m => m.readTensor({text!r}).shape") == shape


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Type nested lists of numbers, such as [[1, 0], [0, 1]]."),
        ("[1, 2", "A bracket is not closed."),
        ("[1 2]", "A comma is missing."),
        ("[1, [2]]", "The lists at one depth have different lengths."),
        ("[[], []]", "A list is empty; every size is at least 1."),
        ("[nan]", "“nan]” is not a number."),
        ("[1e99]", "A number is too large for float32."),
        ("[1] [2]", "There is something after the end of the list."),
    ],
)
def test_what_is_no_tensor_is_told_in_a_sentence(module, text, message):
    assert (
        module("literal.js", f"m => {{ try {{ m.readTensor({text!r}) }} catch (error) {{ return error.message }} }}")
        == message
    )


def test_a_difference_of_texts_names_what_came_and_what_went(module):
    lines = module("diff.js", "m => m.difference('a\\nb\\nc', 'a\\nx\\nc\\nd').map(({ sign, line }) => sign + line)")
    assert lines == [" a", "-b", "+x", " c", "+d"]


def test_numbers_show_as_many_decimals_as_the_difference_needs(module):
    assert module("tensor.js", "m => m.formatFor([1.23456789], 3e-6)(1.23456789)") == "1.2345679"
    assert module("tensor.js", "m => m.formatFor([1.5, 2])(NaN)") == "NaN"
    assert module("tensor.js", "m => m.formatFor([1.5, 2])(-Infinity)") == "\u2212∞"
    assert module("tensor.js", "m => m.formatFor([1, 2])(2)") == "2"


def test_a_large_difference_is_pooled_to_its_worst_elements(module):
    cells = module(
        "heatmap.js",
        """m => {
          const expected = new Array(100 * 70).fill(1);
          const got = expected.slice();
          got[55 * 70 + 33] = 2;
          const box = m.heatmap({ got, expected, rows: 100, columns: 70, allowed: () => 1e-5 });
          const rects = (selector) => box.querySelectorAll(selector).length;
          return [rects(".heat rect"), rects(".heat .heat-4"), box.textContent];
        }""",
    )
    assert cells[0] <= 32 * 32
    assert cells[1] == 1
    assert "1 of 7000 outside, max 1.00e+0 at [55, 33]" in cells[2]
