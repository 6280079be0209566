import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.tensors import MAX_ELEMENTS, number_json, read_tensor, tensor_json
from problems.errors import InputError

shapes = hnp.array_shapes(min_dims=0, max_dims=4, max_side=4)
values = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(hnp.arrays(np.float32, shapes, elements=values))
def test_what_is_read_is_what_was_written(array):
    written = json.loads(json.dumps(tensor_json(array), allow_nan=False))
    read = read_tensor("Q", written["values"])
    assert written["shape"] == list(read.shape)
    np.testing.assert_array_equal(read, array)


@given(
    hnp.arrays(
        st.sampled_from([np.float16, np.float32, np.float64, np.int64, np.uint8, np.bool_, np.complex64]), shapes
    )
)
def test_every_array_becomes_json(array):
    with np.errstate(all="ignore"):
        json.dumps(tensor_json(array), allow_nan=False)


def test_float32_is_written_as_short_as_it_can_be_read_back():
    assert tensor_json(np.array([0.1, 1 / 3], dtype=np.float32))["values"] == [0.1, 0.33333334]


def test_what_json_has_no_numbers_for_is_text():
    array = np.array([math.nan, math.inf, -math.inf, 0.5], dtype=np.float32)
    assert tensor_json(array)["values"] == ["NaN", "Infinity", "-Infinity", 0.5]
    assert [number_json(value) for value in (math.nan, -math.inf, 2.0)] == ["NaN", "-Infinity", 2.0]


def test_the_values_of_a_large_tensor_are_left_out():
    assert tensor_json(np.zeros(MAX_ELEMENTS, np.float32))["values"] is not None
    assert tensor_json(np.zeros((2, MAX_ELEMENTS), np.float32)) == {
        "shape": [2, MAX_ELEMENTS],
        "dtype": "float32",
        "values": None,
        "truncated": True,
    }


def test_a_dtype_that_numpy_lacks_is_named_by_the_caller():
    assert tensor_json(np.zeros(1, np.float32), "bfloat16")["dtype"] == "bfloat16"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[1, 2], [3]], "ragged"),
        ([[1], 2], "ragged"),
        ([1, [2]], "ragged"),
        ([], "empty list"),
        ([[], []], "empty list"),
        (["1"], "numbers only"),
        ([None], "numbers only"),
        ([True], "numbers only"),
        ([{}], "numbers only"),
        ([1e39], "not finite in float32"),
        ([10**400], "not finite in float32"),
        ([math.inf], "not finite in float32"),
        ([[[[[[[[[1]]]]]]]]], "nested deeper"),
        ([0] * (MAX_ELEMENTS + 1), "at most 4096"),
        ([[0] * 100] * 41, "at most 4096"),
    ],
)
def test_what_is_no_tensor_is_refused_in_words(value, words):
    with pytest.raises(InputError, match=f"^Q .*{words}"):
        read_tensor("Q", value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=30,
)


@given(json_values)
def test_any_json_is_a_finite_tensor_or_a_sentence(value):
    try:
        array = read_tensor("Q", value)
    except InputError:
        with pytest.raises(InputError, match=r"^Q "):
            read_tensor("Q", value)
    else:
        assert array.dtype == np.float32
        assert np.isfinite(array).all()
