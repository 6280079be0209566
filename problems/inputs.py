"""Whether tensors fit an entry point: one check for cases on disk, cases being added and inputs that somebody typed.

Trusted side. Each fault is an InputError with one sentence that names the tensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError
from problems.package import TRANSPOSED, EntryPoint
from problems.shapes import Sizes, sizes_of
from problems.tensors import MAX_FILE_BYTES

MAX_BYTES = MAX_FILE_BYTES // 2
"""Of all inputs of a case, and of its answer."""


def check_inputs(entry_point: EntryPoint, inputs: Mapping[str, NDArray[Any]], *, max_bytes: int = MAX_BYTES) -> Sizes:
    """Names, dtype, shapes (all together), bytes, and that every value is finite. Gives what the letters stand for."""
    for name, array in inputs.items():
        if array.dtype != np.float32:
            raise InputError(f"{name} is {array.dtype}; cases are float32.")
    sizes = sizes_of(
        {parameter.name: parameter.shape for parameter in entry_point.parameters},
        {name: array.shape for name, array in inputs.items()},
    )
    total = sum(array.nbytes for array in inputs.values())
    if total > max_bytes:
        raise InputError(f"All inputs together have {total} bytes; at most {max_bytes} are allowed.")
    for name, array in inputs.items():
        _check_finite(name, array)
    return sizes


def check_answer(entry_point: EntryPoint, sizes: Sizes, answer: NDArray[Any]) -> None:
    """Dtype float64, the shape that the inputs' sizes give, and that every value is finite."""
    if answer.dtype != np.float64:
        raise InputError(f"the answer is {answer.dtype}; answers are float64.")
    expected = entry_point.result_shape.with_sizes(sizes)
    if answer.shape != expected:
        raise InputError(
            f"the answer has shape {answer.shape}; these inputs give {expected}: ({entry_point.result_shape})."
        )
    if answer.nbytes > MAX_BYTES:
        raise InputError(f"the answer has {answer.nbytes} bytes; at most {MAX_BYTES} are allowed.")
    _check_finite("the answer", answer)


def check_layout(inputs: Mapping[str, NDArray[Any]], layout: Mapping[str, str]) -> None:
    """Every name is an input of rank 2 or more, and the layout is the one there is."""
    for name, kind in layout.items():
        if name not in inputs:
            raise InputError(f'the layout names "{name}", which is no input; give {", ".join(inputs)}.')
        if kind != TRANSPOSED:
            raise InputError(f'the layout of {name} is "{kind}"; the only one there is is "{TRANSPOSED}".')
        if inputs[name].ndim < 2:  # noqa: PLR2004 -- the last two dimensions are swapped
            raise InputError(f"the layout of {name} swaps its last two dimensions, and it has {inputs[name].ndim}.")


def _check_finite(name: str, array: NDArray[Any]) -> None:
    finite = np.isfinite(array)
    if not finite.all():
        index = tuple(int(place) for place in np.argwhere(~finite)[0])
        raise InputError(f"{name} has {array[index]} at {list(index)}; every value must be finite.")
