"""Outputs that compute nothing, and the cases that would accept one. Trusted side.

A case whose answer really is such an output may say so, with the reason; any other that accepts one is worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.margins import error_in_tolerances
from problems.package import Float32Array, Float64Array, Tolerance


def vacuous_outputs(inputs: Mapping[str, Float32Array], answer: Float64Array) -> Iterator[tuple[str, NDArray[Any]]]:
    """Zeros, ones, the best constant, each input, and the mean of each input over each of its dimensions.

    Those that fit the shape of the answer, repeated where a dimension is 1 or missing.
    """
    yield "zeros", np.zeros_like(answer)
    yield "ones", np.ones_like(answer)
    if answer.size > 1:  # one number is a constant in any case, and nobody guesses it
        yield "a constant", np.full_like(answer, (answer.max() + answer.min()) / 2)
    for name, array in inputs.items():
        if (echoed := _as_shape(array, answer)) is not None:
            yield name, echoed
        for axis in range(array.ndim):
            mean = array.astype(np.float64).mean(axis=axis, keepdims=True)
            if (repeated := _as_shape(mean, answer)) is not None:
                yield f"the mean of {name} over dimension {axis - array.ndim}", repeated


def accepted_for_nothing(inputs: Mapping[str, Float32Array], answer: Float64Array, tolerance: Tolerance) -> list[str]:
    """What would pass a case with this answer though it computes nothing; empty for a case that is worth something."""
    return [
        name
        for name, output in vacuous_outputs(inputs, answer)
        if error_in_tolerances(output, answer, tolerance) <= 1.0
    ]


def _as_shape(array: NDArray[Any], answer: Float64Array) -> NDArray[Any] | None:
    try:
        return np.broadcast_to(array, answer.shape)
    except ValueError:
        return None
