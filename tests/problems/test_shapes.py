"""Symbolic shapes: what they read, what they accept and the sentence they give."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems.errors import InputError, PackageError
from problems.shapes import Sizes, SymbolicShape, parse_type, sample_sizes, shapes_for, sizes_of

ATTENTION = {
    "Q": SymbolicShape.parse("..., n, d_k"),
    "K": SymbolicShape.parse("..., m, d_k"),
    "V": SymbolicShape.parse("..., m, d_v"),
}
FITTING = {"Q": (2, 3, 4), "K": (2, 5, 4), "V": (2, 5, 6)}

letters = st.from_regex(r"[a-z][a-z0-9_]{0,3}", fullmatch=True)
symbolic_shapes = st.builds(
    SymbolicShape,
    dims=st.lists(letters | st.integers(1, 9), max_size=4).map(tuple),
    leading=st.booleans(),
)
entry_points = st.dictionaries(letters.map(str.upper), symbolic_shapes, min_size=1, max_size=4)


@given(symbolic_shapes)
def test_a_shape_reads_back_from_its_text(shape):
    assert SymbolicShape.parse(str(shape)) == shape


@given(st.text(max_size=40))
def test_any_text_is_a_shape_or_a_sentence(text):
    with contextlib.suppress(PackageError):
        assert SymbolicShape.parse(str(SymbolicShape.parse(text))) == SymbolicShape.parse(text)


@given(entry_points, st.integers(0, 2**32), st.integers(0, 3))
def test_sampled_shapes_pass_the_check_and_give_their_sizes_back(symbols, seed, leading):
    sizes = sample_sizes(symbols, np.random.default_rng(seed), most=5, leading=leading)
    assert sizes_of(symbols, shapes_for(symbols, sizes)) == sizes


@given(entry_points, st.integers(0, 2**32), st.data())
def test_a_size_changed_in_one_place_is_accepted_only_where_the_letters_still_agree(symbols, seed, data):
    shapes = shapes_for(symbols, sample_sizes(symbols, np.random.default_rng(seed), leading=1))
    name = data.draw(st.sampled_from([name for name in shapes if shapes[name]] or [None]))
    if name is None:
        return
    place = data.draw(st.integers(0, len(shapes[name]) - 1))
    changed = shapes | {name: tuple(size + (axis == place) for axis, size in enumerate(shapes[name]))}
    with contextlib.suppress(InputError):
        assert shapes_for(symbols, sizes_of(symbols, changed)) == changed


def test_fitting_shapes_say_what_the_letters_stand_for():
    assert sizes_of(ATTENTION, FITTING) == Sizes(letters={"n": 3, "d_k": 4, "m": 5, "d_v": 6}, leading=(2,))


@pytest.mark.parametrize(
    ("shapes", "sentence"),
    [
        ({"K": (2, 5, 5)}, "K has 5 columns (d_k), Q has 4: d_k must be the same in both places."),
        ({"V": (2, 1, 6)}, "V has 1 row (m), K has 5: m must be the same in both places."),
        ({"K": (5, 4)}, "K has leading dimensions (), Q has (2,): they must be the same in all tensors."),
        ({"Q": (4,)}, "Q has shape (4,), 1 dimension; it needs at least 2: (..., n, d_k)."),
        ({"V": (2, 0, 6)}, "V has shape (2, 0, 6); every size must be at least 1."),
        ({"Q": (1,) * 9}, "Q has 9 dimensions; at most 8 are allowed."),
    ],
)
def test_shapes_that_disagree_get_one_sentence_with_the_tensor_and_the_letter(shapes, sentence):
    with pytest.raises(InputError) as caught:
        sizes_of(ATTENTION, FITTING | shapes)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "shape", "sentence"),
    [
        ("n, n", (3, 4), "A has 4 columns (n), but 3 rows: n must be the same in both places."),
        ("b, n, 3", (2, 2, 4), "A has 4 columns; it must have 3: (b, n, 3)."),
        ("n", (2, 2), "A has shape (2, 2), 2 dimensions; it needs 1: (n)."),
    ],
)
def test_a_tensor_that_does_not_fit_alone_gets_one_sentence(text, shape, sentence):
    with pytest.raises(InputError) as caught:
        sizes_of({"A": SymbolicShape.parse(text)}, {"A": shape})
    assert str(caught.value) == sentence


def test_a_letter_in_different_places_is_named_with_both():
    with pytest.raises(InputError) as caught:
        sizes_of({"A": SymbolicShape.parse("n, m"), "B": SymbolicShape.parse("m, p")}, {"A": (2, 3), "B": (4, 5)})
    assert str(caught.value) == "B has 4 rows (m), A has 3 columns: m must be the same in both places."


def test_missing_and_unknown_tensors_are_named():
    with pytest.raises(InputError, match=r"^V is missing; give Q, K, V\.$"):
        sizes_of(ATTENTION, {"Q": (3, 4), "K": (5, 4)})
    with pytest.raises(InputError, match=r'^"M" is not a parameter; give Q, K, V\.$'):
        sizes_of(ATTENTION, FITTING | {"M": (1,)})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n, ..., m", 'has "..." after other dimensions; it may only come first'),
        ("n,, m", "has an empty dimension"),
        ("n, 0", '"0" is neither a letter such as n or d_k nor a size from 1'),
        ("n m", '"n m" is neither'),
        ("-1", '"-1" is neither'),
        ("a, b, c, d, e, f, g, h, i", "has 9 dimensions; at most 8"),
    ],
)
def test_a_shape_that_cannot_be_read_says_which_part(text, words):
    with pytest.raises(PackageError) as caught:
        SymbolicShape.parse(text)
    assert words in str(caught.value)


def test_a_type_is_a_dtype_and_a_shape():
    assert parse_type("float32[..., n, 3]") == ("float32", SymbolicShape(dims=("n", 3), leading=True))
    assert parse_type("float32[]") == ("float32", SymbolicShape(dims=()))
    with pytest.raises(PackageError, match="float64"):
        parse_type("float64[n]")
    with pytest.raises(PackageError, match="is not a type"):
        parse_type("n, m")


def test_sizes_typed_in_a_shell_become_shapes():
    sizes = Sizes.parse("...=2x3, n=3,m=2000,d_k=7,d_v=5")
    assert shapes_for(ATTENTION, sizes) == {"Q": (2, 3, 3, 7), "K": (2, 3, 2000, 7), "V": (2, 3, 2000, 5)}
    assert Sizes.parse("n=3") == Sizes(letters={"n": 3})


@pytest.mark.parametrize("text", ["n", "n=", "n=0", "n=-1", "n=2x3", "...=2y3", "...=", "n=3.0", "=3", "n=3,n=4"])
def test_sizes_that_cannot_be_read_are_named(text):
    with pytest.raises(InputError):
        shapes_for({"A": SymbolicShape.parse("..., n")}, Sizes.parse(text))


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"n": 3, "m": 4, "d_k": 5}, "d_v has no size; give n, d_k, m, d_v."),
        ({"n": 3, "m": 4, "d_k": 5, "d_v": 1, "p": 2}, '"p" is not a letter of the shapes; give n, d_k, m, d_v.'),
        ({"n": 0, "m": 4, "d_k": 5, "d_v": 1}, "Q has shape (0, 5); every size must be at least 1."),
    ],
)
def test_sizes_that_do_not_make_shapes_are_named(sizes, sentence):
    with pytest.raises(InputError) as caught:
        shapes_for(ATTENTION, Sizes.of(sizes))
    assert str(caught.value) == sentence


def test_leading_sizes_without_a_place_for_them_are_refused():
    with pytest.raises(InputError, match="There are no leading dimensions"):
        shapes_for({"A": SymbolicShape.parse("n")}, Sizes.of({"...": (2,), "n": 1}))
    with pytest.raises(InputError, match="takes a tuple"):
        Sizes.of({"...": 2})
