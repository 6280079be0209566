"""Tensors as JSON and back: what leaves to a student and what a student types. Trusted side.

Out: `{"shape", "dtype", "values"}`; "NaN", "Infinity" and "-Infinity" as strings, since JSON has no such numbers.
In: nested lists of numbers that become float32.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError
from problems.package import Float32Array
from problems.shapes import MAX_RANK

MAX_ELEMENTS = 4096
"""Above this a tensor is described but its values are left out; own inputs may not be larger."""


def tensor_json(array: NDArray[Any], dtype: str | None = None) -> dict[str, Any]:
    """The JSON of one tensor. `dtype` overrides the array's own (numpy has no bfloat16)."""
    fits = array.size <= MAX_ELEMENTS
    body: dict[str, Any] = {
        "shape": list(array.shape),
        "dtype": dtype or str(array.dtype),
        "values": _values(array) if fits else None,
    }
    return body if fits else {**body, "truncated": True}


def number_json(value: float) -> float | str:
    """One number; the three that JSON cannot hold become strings."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _values(array: NDArray[Any]) -> Any:  # noqa: ANN401 -- nested lists of any depth
    if array.dtype.kind in "biu":
        return array.tolist()
    if array.dtype.kind == "c":
        return _mapped(array.tolist(), str)
    # The shortest text that reads back as the same float32: 0.1, not 0.10000000149011612.
    shortest = array.astype(np.str_).astype(np.float64) if array.dtype.itemsize < np.dtype(float).itemsize else array
    if np.isfinite(shortest).all():
        return shortest.tolist()
    return _mapped(shortest.tolist(), number_json)


def _mapped(values: Any, change: Any) -> Any:  # noqa: ANN401 -- nested lists of any depth
    return [_mapped(value, change) for value in values] if isinstance(values, list) else change(values)


def read_tensor(name: str, value: object, budget: int = MAX_ELEMENTS) -> Float32Array:
    """A float32 array from nested lists of numbers; InputError says what is wrong and never repeats a value.

    Values are checked after rounding to float32: 1e39 is finite as typed but not as the tensor that the code would get.
    """
    shape = _shape_of(name, value)
    if math.prod(shape) > budget:
        raise InputError(f"{name} has {math.prod(shape)} elements; at most {budget} are allowed.")
    flat: list[float] = []
    _flatten(name, value, shape, flat)
    with np.errstate(over="ignore"):
        array = np.array(flat, dtype=np.float64).astype(np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise InputError(f"{name} has an element that is not finite in float32; the largest is about 3.4e38.")
    array.flags.writeable = False
    return array


def _shape_of(name: str, value: object) -> tuple[int, ...]:
    """The shape that the first elements promise; `_flatten` holds the rest to it."""
    shape: list[int] = []
    while isinstance(value, list):
        shape.append(len(value))
        if len(shape) > MAX_RANK:
            raise InputError(f"{name} is nested deeper than {MAX_RANK} lists.")
        if not value:
            raise InputError(f"{name} has an empty list; every size must be at least 1.")
        value = value[0]
    return tuple(shape)


def _flatten(name: str, value: object, shape: tuple[int, ...], flat: list[float]) -> None:
    if not shape:
        flat.append(_number(name, value))
        return
    if not isinstance(value, list) or len(value) != shape[0]:
        raise InputError(f"{name} is ragged: lists at the same depth must have the same length.")
    for element in value:
        _flatten(name, element, shape[1:], flat)


def _number(name: str, value: object) -> float:
    if isinstance(value, list):
        raise InputError(f"{name} is ragged: lists at the same depth must have the same length.")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must hold numbers only, in nested lists such as [[1, 0], [0, 1]].")
    try:
        return float(value)
    except OverflowError:
        return math.inf
