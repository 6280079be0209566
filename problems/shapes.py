"""Symbolic shapes such as "..., n, d_k": parse, check and sample. Trusted side; knows nothing of tensors' values.

A letter stands for one size, the same wherever it occurs in an entry point; a number for exactly that size; "..." (only
in front) for any number of leading dimensions, the same for every tensor that has it.

    SymbolicShape ── Sizes          what the letters and "..." stand for in one case
    sizes_of(symbols, shapes)       check: many tensors together, InputError with one sentence
    shapes_for(symbols, sizes)      the shapes that these sizes give
    sample_sizes(symbols, rng)      random sizes that fit
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from problems.errors import InputError, PackageError

ELLIPSIS = "..."
MAX_RANK = 8
"""What a result may have when it comes back from the jail; inputs keep to the same."""

MAX_SIZE = 1 << 31
_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_TYPE = re.compile(r"([A-Za-z0-9]+)\[(.*)\]")

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SymbolicShape:
    """A shape whose sizes may be letters. `str()` gives back what `parse` reads."""

    dims: tuple[str | int, ...]
    """Letters and fixed sizes, without the leading dimensions."""
    leading: bool = False
    """Whether any number of leading dimensions comes first."""

    @classmethod
    def parse(cls, text: str) -> SymbolicShape:
        """Reads "..., n, d_k". An empty text is the shape of a scalar. PackageError says which part is wrong."""
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        leading = parts[:1] == [ELLIPSIS]
        dims = tuple(_parse_dim(part, text) for part in parts[leading:])
        if len(dims) > MAX_RANK:
            raise PackageError(
                f'the shape "{_brief(text)}" has {len(dims)} dimensions; at most {MAX_RANK} are allowed.'
            )
        return cls(dims=dims, leading=leading)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters in order, each once."""
        return tuple(dict.fromkeys(dim for dim in self.dims if isinstance(dim, str)))

    def __str__(self) -> str:
        return ", ".join([ELLIPSIS] * self.leading + [str(dim) for dim in self.dims])

    def with_sizes(self, sizes: Sizes) -> Shape:
        """The concrete shape; KeyError for a letter that `sizes` does not hold."""
        own = tuple(sizes.letters[dim] if isinstance(dim, str) else dim for dim in self.dims)
        return sizes.leading + own if self.leading else own


def _parse_dim(part: str, text: str) -> str | int:
    if _NUMBER.fullmatch(part) and int(part) < MAX_SIZE:
        return int(part)
    if _LETTER.fullmatch(part):
        return part
    shape = f'the shape "{_brief(text)}"'
    if not part:
        raise PackageError(f"{shape} has an empty dimension; write letters or sizes with commas between.")
    if part == ELLIPSIS:
        raise PackageError(f'{shape} has "..." after other dimensions; it may only come first.')
    raise PackageError(f'{shape}: "{_brief(part)}" is neither a letter such as n or d_k nor a size from 1.')


def parse_type(text: str) -> tuple[str, SymbolicShape]:
    """Reads "float32[..., n, d_k]" into the dtype and the shape; PackageError says what is wrong."""
    match = _TYPE.fullmatch(text.strip())
    if match is None:
        raise PackageError(f'"{_brief(text)}" is not a type; write a dtype and a shape such as "float32[..., n, d_k]".')
    dtype, shape = match.groups()
    if dtype != "float32":
        raise PackageError(f'the dtype "{_brief(dtype)}" is not known; tensors are float32 in this version.')
    return dtype, SymbolicShape.parse(shape)


def _brief(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 -- a sentence's worth


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the letters and the leading dimensions of an entry point stand for."""

    letters: Mapping[str, int] = field(default_factory=dict)
    leading: Shape = ()

    @classmethod
    def of(cls, given: Mapping[str, int | Shape]) -> Sizes:
        """From an explicit mapping such as {"...": (2, 3), "n": 3}; InputError for a value of the wrong kind."""
        leading: Shape = ()
        letters: dict[str, int] = {}
        for name, value in given.items():
            if name == ELLIPSIS and isinstance(value, tuple):
                leading = value
            elif name != ELLIPSIS and isinstance(value, int):
                letters[name] = value
            else:
                raise InputError(f'{name} is {value!r}; "..." takes a tuple of sizes, a letter takes one size.')
        return cls(letters=letters, leading=leading)

    @classmethod
    def parse(cls, text: str) -> Sizes:
        """Reads "...=2x3,n=3,m=2000", as typed in a shell. InputError names the part that cannot be read."""
        given: dict[str, int | Shape] = {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            name, _, value = (piece.strip() for piece in part.partition("="))
            sizes = tuple(int(size) for size in value.split("x") if _NUMBER.fullmatch(size))
            if len(sizes) != value.count("x") + 1 or (name != ELLIPSIS and len(sizes) != 1):
                raise InputError(f'"{_brief(part)}" is not a size; write n=3 or, for leading dimensions, ...=2x3.')
            if name in given:
                raise InputError(f"{name} is given twice; give each size once.")
            given[name] = sizes if name == ELLIPSIS else sizes[0]
        return cls.of(given)


def sizes_of(symbols: Mapping[str, SymbolicShape], shapes: Mapping[str, Shape]) -> Sizes:
    """Checks all tensors of an entry point together: names, rank, sizes >= 1, numbers, letters, leading dimensions.

    InputError holds one sentence that names the tensor and what it disagrees with.
    """
    _check_names(symbols, shapes)
    for name, symbolic in symbols.items():
        _check_alone(name, symbolic, shapes[name])
    return Sizes(letters=_letters_of(symbols, shapes), leading=_leading_of(symbols, shapes))


def _check_names(symbols: Mapping[str, SymbolicShape], given: Mapping[str, object]) -> None:
    if missing := [name for name in symbols if name not in given]:
        raise InputError(f"{' and '.join(missing)} is missing; give {', '.join(symbols)}.")
    if unknown := [name for name in given if name not in symbols]:
        raise InputError(f'"{_brief(unknown[0])}" is not a parameter; give {", ".join(symbols)}.')


def _check_alone(name: str, symbolic: SymbolicShape, shape: Shape) -> None:
    """What can be said of one tensor without the others."""
    rank, least = len(shape), len(symbolic.dims)
    if rank < least or (rank > least and not symbolic.leading):
        wanted = f"at least {least}" if symbolic.leading else f"{least}"
        raise InputError(f"{name} has shape {shape}, {_count(rank)}; it needs {wanted}: ({symbolic}).")
    if rank > MAX_RANK:
        raise InputError(f"{name} has {rank} dimensions; at most {MAX_RANK} are allowed.")
    if 0 in shape:
        raise InputError(f"{name} has shape {shape}; every size must be at least 1.")
    for place, (dim, size) in enumerate(zip(symbolic.dims, shape[rank - least :], strict=True)):
        if isinstance(dim, int) and dim != size:
            raise InputError(f"{name} has {_measure(size, place, symbolic)}; it must have {dim}: ({symbolic}).")


def _letters_of(symbols: Mapping[str, SymbolicShape], shapes: Mapping[str, Shape]) -> dict[str, int]:
    first: dict[str, tuple[int, str, int]] = {}
    for name, place, letter, size in _letters(symbols, shapes):
        known, other, other_place = first.setdefault(letter, (size, name, place))
        if known == size:
            continue
        here = f"{name} has {_measure(size, place, symbols[name])}"
        if other == name:
            there = f"but {_measure(known, other_place, symbols[name])}"
        elif _axis(other_place, symbols[other]) == _axis(place, symbols[name]):
            there = f"{other} has {known}"
        else:
            there = f"{other} has {_measure(known, other_place, symbols[other])}"
        raise InputError(f"{here} ({letter}), {there}: {letter} must be the same in both places.")
    return {letter: size for letter, (size, _, _) in first.items()}


def _letters(symbols: Mapping[str, SymbolicShape], shapes: Mapping[str, Shape]) -> Iterator[tuple[str, int, str, int]]:
    for name, symbolic in symbols.items():
        own = shapes[name][len(shapes[name]) - len(symbolic.dims) :]
        for place, (dim, size) in enumerate(zip(symbolic.dims, own, strict=True)):
            if isinstance(dim, str):
                yield name, place, dim, size


def _leading_of(symbols: Mapping[str, SymbolicShape], shapes: Mapping[str, Shape]) -> Shape:
    leading = {
        name: shapes[name][: len(shapes[name]) - len(symbolic.dims)]
        for name, symbolic in symbols.items()
        if symbolic.leading
    }
    if not leading:
        return ()
    first, expected = next(iter(leading.items()))
    for name, own in leading.items():
        if own != expected:
            raise InputError(
                f"{name} has leading dimensions {own}, {first} has {expected}: they must be the same in all tensors."
            )
    return expected


def _count(rank: int) -> str:
    return "1 dimension" if rank == 1 else f"{rank} dimensions"


def _axis(place: int, symbolic: SymbolicShape) -> str:
    """What one step along it is: "column" for the last dimension, "row" for the one before, else its place."""
    from_end = len(symbolic.dims) - place
    if len(symbolic.dims) == 1 and not symbolic.leading:
        return "element"
    return {1: "column", 2: "row"}.get(from_end, f"size in dimension -{from_end}")


def _measure(size: int, place: int, symbolic: SymbolicShape) -> str:
    axis = _axis(place, symbolic)
    if axis.startswith("size"):
        return axis.replace("size", f"size {size}")
    return f"{size} {axis}" + "s" * (size != 1)


def shapes_for(symbols: Mapping[str, SymbolicShape], sizes: Sizes) -> dict[str, Shape]:
    """The shapes that these sizes give; InputError for a letter without a size, an unknown one or a size below 1."""
    letters = dict.fromkeys(letter for symbolic in symbols.values() for letter in symbolic.letters)
    if missing := [letter for letter in letters if letter not in sizes.letters]:
        raise InputError(f"{missing[0]} has no size; give {', '.join(letters)}.")
    if unknown := [letter for letter in sizes.letters if letter not in letters]:
        raise InputError(f'"{_brief(unknown[0])}" is not a letter of the shapes; give {", ".join(letters)}.')
    if sizes.leading and not any(symbolic.leading for symbolic in symbols.values()):
        raise InputError('There are no leading dimensions in these shapes; leave "..." out.')
    shapes = {name: symbolic.with_sizes(sizes) for name, symbolic in symbols.items()}
    sizes_of(symbols, shapes)
    return shapes


def sample_sizes(
    symbols: Mapping[str, SymbolicShape],
    rng: np.random.Generator,
    *,
    least: int = 1,
    most: int = 8,
    leading: int | None = None,
) -> Sizes:
    """Random sizes, each in least..most, every letter drawn on its own.

    `leading` is the number of leading dimensions; None draws 0, 1 or 2 where the shapes allow any.
    """
    letters = dict.fromkeys(letter for symbolic in symbols.values() for letter in symbolic.letters)
    allowed = any(symbolic.leading for symbolic in symbols.values())
    count = (int(rng.integers(0, 3)) if leading is None else leading) if allowed else 0
    return Sizes(
        letters={letter: int(rng.integers(least, most + 1)) for letter in letters},
        leading=tuple(int(rng.integers(least, most + 1)) for _ in range(count)),
    )
