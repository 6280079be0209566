"""Inputs of a new case from what an author typed: shapes and a seed, one file, or a file for each input. Trusted side.

--shape ...=2x3,n=3 --dist normal --scale V=1000 --seed 7     drawn; the same bits on every machine
--inputs FILE.safetensors | FILE.json | -                     read (- is JSON from standard input)
--Q q.npy --K k.npy --V v.npy                                 read, one file an input
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.commands.common import WrongUse
from app.tensors import read_tensor
from problems.errors import InputError
from problems.inputs import check_inputs
from problems.package import EntryPoint, Float32Array
from problems.shapes import Shape, Sizes, SymbolicShape, shapes_for
from problems.tensors import MAX_FILE_BYTES, decode

Inputs = Mapping[str, Float32Array]
MAX_VALUES = MAX_FILE_BYTES // 2 // np.dtype(np.float32).itemsize
"""Elements of all inputs of one case together; checked before anything is drawn or parsed."""


class Dist(StrEnum):
    """What values are drawn from, before the scale."""

    NORMAL = "normal"  # mean 0, standard deviation 1
    UNIFORM = "uniform"  # -1 to 1


@dataclass(frozen=True, slots=True)
class Draw:
    """How inputs are drawn."""

    shape: str
    seed: int
    dist: Dist = Dist.NORMAL
    scale: Sequence[str] = field(default_factory=tuple)


def drawn_inputs(entry_point: EntryPoint, draw: Draw) -> Inputs:
    """In the order of the parameters from one generator, scaled, then rounded to float32."""
    shapes = shapes_for(_symbols(entry_point), Sizes.parse(draw.shape))
    if sum(math.prod(shape) for shape in shapes.values()) > MAX_VALUES:
        raise WrongUse(f"These shapes have too many elements; at most {MAX_VALUES} are allowed in one case.")
    scales = _scales(entry_point, draw.scale)
    generator = np.random.default_rng(draw.seed)
    sample: Callable[[Shape], NDArray[np.float64]] = (
        generator.standard_normal if draw.dist is Dist.NORMAL else lambda shape: generator.uniform(-1.0, 1.0, shape)
    )
    with np.errstate(over="ignore"):  # what overflows becomes infinite, and the check says so
        inputs = {name: (scales[name] * sample(shape)).astype(np.float32) for name, shape in shapes.items()}
    check_inputs(entry_point, inputs)
    return inputs


def _symbols(entry_point: EntryPoint) -> dict[str, SymbolicShape]:
    return {parameter.name: parameter.shape for parameter in entry_point.parameters}


def _scales(entry_point: EntryPoint, given: Sequence[str]) -> dict[str, float]:
    """Reads "2.5" (for all) and "V=1000" (for one, which wins)."""
    names = [parameter.name for parameter in entry_point.parameters]
    common, special = 1.0, {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or (name and name not in names):
            raise WrongUse(f'"{text}" is not a scale; write a number, or {names[-1]}=1000 for one input.')
        if name:
            special[name] = value
        else:
            common = value
    return {name: special.get(name, common) for name in names}


def file_inputs(entry_point: EntryPoint, path: str) -> Inputs:
    """From one file with all inputs: safetensors by its ending, else JSON such as {"Q": [[1, 0]], ...}."""
    data = _bytes_of(path)
    if path.endswith(".safetensors"):
        inputs = dict(decode(data, where=path).arrays)
    elif path == "-" or path.endswith(".json"):
        inputs = _from_json(data, "standard input" if path == "-" else path)
    else:
        raise WrongUse(f"{path}: inputs are read from .safetensors and .json files, or from - as JSON.")
    return _checked(entry_point, inputs, path)


def npy_inputs(entry_point: EntryPoint, paths: Mapping[str, str]) -> Inputs:
    """From one .npy file an input; never unpickles."""
    return _checked(entry_point, {name: _from_npy(name, path) for name, path in paths.items()}, "")


def _checked(entry_point: EntryPoint, inputs: Mapping[str, Float32Array], where: str) -> Inputs:
    try:
        check_inputs(entry_point, inputs)
    except InputError as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from None
    return {parameter.name: inputs[parameter.name] for parameter in entry_point.parameters}


def _bytes_of(path: str) -> bytes:
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise WrongUse(f"{path} has more than {MAX_FILE_BYTES >> 20} MiB; no case is that large.")
    return data


def _from_json(data: bytes, where: str) -> dict[str, Float32Array]:
    try:
        document = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"{where} is not JSON: {error}.") from None
    if not isinstance(document, dict):
        raise WrongUse(f'{where}: write an object such as {{"Q": [[1, 0]]}}, one key an input.')
    try:
        return {name: read_tensor(name, value, MAX_VALUES) for name, value in document.items()}
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number there, and every value must be finite")


def _from_npy(name: str, path: str) -> Float32Array:
    try:
        array = np.load(path, allow_pickle=False, mmap_mode=None)
    except (OSError, ValueError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a .npy file of numbers"
        raise WrongUse(f"{name}: {path} cannot be read: {reason}.") from None
    if not isinstance(array, np.ndarray):
        raise WrongUse(f"{name}: {path} holds several arrays; save one array with numpy.save.")
    return np.ascontiguousarray(array)
