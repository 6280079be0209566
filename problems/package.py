"""A problem package as values: what every other module reads. Trusted side; holds the answers.

    Problem ── EntryPoint ── Parameter ── SymbolicShape
       ├── Case (inputs, answer, Tolerance)
       ├── Limits, ToleranceRule, Policy
       └── Program (accepted)   Mistake (a known wrong program)

All values are frozen and complete at birth. Arrays are read-only, C-contiguous numpy arrays: inputs float32,
answers float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from problems.shapes import SymbolicShape

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]

TRANSPOSED = "transposed"
"""The one layout there is: same values and shape, strides of the last two dimensions swapped by the child."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far an output may be from the answer: |output - answer| <= atol + rtol * |answer|, element by element."""

    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class ToleranceRule:
    """How a problem derives a case's tolerance: atol = atol_per_max * max|answer|."""

    rtol: float
    atol_per_max: float

    def for_answer(self, answer: Float64Array) -> Tolerance:
        """The tolerance of a case with this answer (at least one element, finite)."""
        return Tolerance(rtol=self.rtol, atol=self.atol_per_max * float(np.max(np.abs(answer))))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may use. The defaults are the format's."""

    time_s: float = 2.0
    """Wall time of one case."""
    total_time_s: float = 20.0
    """Wall time of all cases together."""
    memory_mib: int = 512
    """Memory over what the zygote already holds."""
    stdout_kib: int = 64
    """Printed text kept per case; more is cut and said so."""
    source_kib: int = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of the entry point."""

    name: str
    dtype: str
    """Always "float32" in this version."""
    shape: SymbolicShape


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """The function that a submission must define."""

    function: str
    parameters: tuple[Parameter, ...]
    result_dtype: str
    result_shape: SymbolicShape


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A dotted name ("torch.nn.functional.softmax") or a group ("@attention") and what to write instead."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Policy:
    """How a problem changes the language policy."""

    forbid: tuple[Forbidden, ...] = ()
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One case. `inputs` is ordered as the entry point's parameters."""

    name: str
    """Group and file stem: "secret/04-batched-heads"."""
    title: str
    inputs: Mapping[str, Float32Array]
    answer: Float64Array
    tolerance: Tolerance
    digest: str
    """SHA-256 (hex) of the `.in.safetensors` file."""
    layout: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    description: str = ""
    """For authors only."""
    hint: str | None = None
    full_feedback: bool = False
    vacuous: str | None = None
    """Why it is right that zeros, ones, a constant, an input or mean(V) pass this case; None where none does."""

    @property
    def group(self) -> str:
        """The first part of the name: "sample" or "secret"."""
        return self.name.partition("/")[0]

    @property
    def is_sample(self) -> bool:
        return self.group == "sample"

    @property
    def is_shown(self) -> bool:
        """Whether a student may see its inputs, answer, output and what was printed."""
        return self.is_sample or self.full_feedback


@dataclass(frozen=True, slots=True)
class Program:
    """A submission that ships with the package."""

    name: str
    """Folder and file stem: "accepted/einsum"."""
    source: bytes


@dataclass(frozen=True, slots=True)
class Mistake(Program):
    """A known wrong program, and what a teacher says to who made it."""

    title: str
    message: str
    pitfall: str
    """Anchor in the theory: `#pitfall-<pitfall>`."""
    verdict: str
    """The verdict it must get, by its JSON name."""
    reason: str | None
    """The reason it must get, where the entry names one."""
    same_as: str | None = None
    """Another mistake whose outputs it may share: both are named together."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the problem comes from."""

    title: str
    url: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One package at one revision. Two are the same when their revisions are."""

    slug: str
    revision: str
    """SHA-256 (hex) over the files that the reader used."""
    name: str
    uuid: str
    difficulty: str
    source: Source
    license: str
    keywords: tuple[str, ...]
    statement: str
    theory: str | None
    hints: tuple[str, ...]
    starter: str
    entry_point: EntryPoint
    limits: Limits
    tolerance: ToleranceRule
    policy: Policy
    cases: tuple[Case, ...]
    """Sorted by name: samples first."""
    reference: Program
    """The program that computes answers (float64 in, float64 out)."""
    accepted: tuple[Program, ...]
    """Every right program, the reference among them."""
    mistakes: tuple[Mistake, ...]

    @property
    def samples(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.is_sample)

    def case(self, name: str) -> Case:
        """The case of that name; KeyError when there is none."""
        for case in self.cases:
            if case.name == name:
                return case
        raise KeyError(name)
