"""Inputs of a student's own for one run: typed, or drawn to be like a secret case; and as text for the store.

Trusted side. What is drawn has the rank and the layout of a secret case, and nothing else of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from app.tensors import MAX_ELEMENTS
from problems.package import Case, EntryPoint, Float32Array, Problem
from problems.shapes import Shape, Sizes, SymbolicShape, shapes_for, sizes_of

LEAST, MOST = 2, 4
"""Sizes of a case that is drawn: small enough to read, large enough that rows and columns differ."""

Inputs = Mapping[str, Float32Array]


@dataclass(frozen=True, slots=True)
class Own:
    """One set of inputs, and the layout in which the code gets them."""

    inputs: Inputs
    layout: Mapping[str, str] = field(default_factory=dict)


def like(problem: Problem, case: Case, rng: np.random.Generator) -> Own:
    """Normal values in the rank and layout of a case. Sizes that are equal there are equal here; others differ."""
    symbols = _symbols(problem.entry_point)
    sizes = sizes_of(symbols, {name: array.shape for name, array in case.inputs.items()})
    shapes = shapes_for(symbols, _small(sizes, rng, MOST))
    if sum(int(np.prod(shape)) for shape in shapes.values()) > MAX_ELEMENTS:
        shapes = shapes_for(symbols, _small(sizes, rng, LEAST))
    inputs = {name: _normal(shape, rng) for name, shape in shapes.items()}
    return Own(inputs, dict(case.layout))


def _symbols(entry_point: EntryPoint) -> dict[str, SymbolicShape]:
    return {parameter.name: parameter.shape for parameter in entry_point.parameters}


def _small(sizes: Sizes, rng: np.random.Generator, most: int) -> Sizes:
    """Other sizes for the same letters. Three values for many letters: once they are used up they come again."""
    choices = rng.permutation(np.arange(LEAST, most + 1))
    place = count()
    new = {size: int(choices[next(place) % len(choices)]) for size in dict.fromkeys(sizes.letters.values())}
    return Sizes(
        letters={letter: new[size] for letter, size in sizes.letters.items()},
        leading=tuple(int(rng.integers(LEAST, most + 1)) for _ in sizes.leading),
    )


def _normal(shape: Shape, rng: np.random.Generator) -> Float32Array:
    array = rng.standard_normal(shape).astype(np.float32)
    array.flags.writeable = False
    return array


def to_text(own: Sequence[Own]) -> str | None:
    """As the store keeps them: JSON that reads back as the same float32; None for none."""
    if not own:
        return None
    return json.dumps(
        [
            {"inputs": {name: array.tolist() for name, array in each.inputs.items()}, "layout": dict(each.layout)}
            for each in own
        ]
    )


def from_text(text: str | None) -> tuple[Own, ...]:
    """What the store kept."""
    return tuple(
        Own({name: _array(values) for name, values in each["inputs"].items()}, each["layout"])
        for each in json.loads(text or "[]")
    )


def _array(values: object) -> Float32Array:
    array = np.asarray(values, dtype=np.float32)
    array.flags.writeable = False
    return array
