"""The sentences of a case result: what, where, by how much, and what to look at. Trusted side.

Each result has two. `message` may name shapes, values and exception text and is for shown cases; `brief` is made of
fixed words, a line number and a type name from a fixed list, and is all that a secret case may say.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from judge.compare import Difference
from judge.jail import wire
from judge.jail.wire import Status
from judge.outcome import Outcome
from judge.report import Reason
from problems.package import Case, EntryPoint, Limits

OWN_TYPE = "a type of your own"
_TORCH_TYPES = frozenset(
    {"Tensor", "Parameter", "Size", "dtype", "device", "Linear", "Module", "OutOfMemoryError", "AcceleratorError"}
)
KNOWN_TYPES = frozenset(
    {name for name, value in vars(builtins).items() if isinstance(value, type)}
    | {"function", "generator", "builtin_function_or_method", "method", "NoneType"}
    | _TORCH_TYPES
)
"""Type names that may be said of a secret case: a submission could choose any other name, and say numbers with it."""


def known_type(name: str) -> str:
    """The name if it is on the fixed list, else words that say nothing."""
    return name if name in KNOWN_TYPES else OWN_TYPE


def shape_text(shape: Sequence[int]) -> str:
    """(2, 3), as Python writes it."""
    return str(tuple(shape))


def seconds_text(seconds: float) -> str:
    """2 s, 0.3 s."""
    return f"{seconds:g} s"


def wrong_answer(
    outcome: Outcome, case: Case, reason: Reason, difference: Difference | None, entry: EntryPoint
) -> tuple[str, str]:
    """(message, brief) of a wrong answer."""
    match reason:
        case Reason.RETURNED_NONE:
            words = f"{entry.function} returned None: end it with a return statement."
            return words, words
        case Reason.WRONG_TYPE:
            return _wrong_type(outcome, entry)
        case Reason.WRONG_DTYPE:
            got = wire.DTYPES[outcome.dtype]
            return (
                f"The output is {got}, expected {entry.result_dtype}: convert it before you return it.",
                f"The output has the wrong dtype: expected {entry.result_dtype}.",
            )
        case Reason.WRONG_SHAPE:
            return _wrong_shape(outcome, case), "The output has the wrong shape."
        case Reason.NON_FINITE:
            return _not_finite(difference), "The output has NaN or infinity where the answer is finite."
        case _:
            return _values_differ(case, difference), "Values differ from the answer beyond the tolerance."


def _wrong_type(outcome: Outcome, entry: EntryPoint) -> tuple[str, str]:
    if outcome.status is Status.UNREADABLE:
        words = "The output is not an ordinary dense CPU tensor."
        return words, words
    name = outcome.texts[0] if outcome.texts else OWN_TYPE
    hint = " Return only the tensor." if outcome.from_sequence else ""
    message = f"{entry.function} returned a value of type {name}, expected a torch.Tensor.{hint}"
    return message, f"The function returned a value of type {known_type(name)}, expected a torch.Tensor.{hint}"


def _not_finite(difference: Difference | None) -> str:
    first = difference.first_not_finite if difference else None
    where = f" The first is at {shape_text(first)}." if first else ""
    advice = "Look for an exponential that overflows or a division by zero."
    return f"The output has NaN or infinity where the answer is finite.{where} {advice}"


def _wrong_shape(outcome: Outcome, case: Case) -> str:
    got, expected = outcome.shape, case.answer.shape
    words = f"Output has shape {shape_text(got)}, expected {shape_text(expected)}"
    if len(got) != len(expected):
        return f"{words}: it has {len(got)} dimensions, the answer has {len(expected)}."
    axis = next(axis for axis, (a, b) in enumerate(zip(got, expected, strict=True)) if a != b)
    source = _dimension_source(case, axis)
    return f"{words}: dimension {axis} is {got[axis]}, not {expected[axis]}{source}."


def _dimension_source(case: Case, axis: int) -> str:
    """Which input has that size, in words: " (as V's last dimension)"."""
    from_end = axis - case.answer.ndim
    for name, array in reversed(list(case.inputs.items())):
        if array.ndim >= -from_end and array.shape[from_end] == case.answer.shape[axis]:
            which = {-1: "last", -2: "second to last"}.get(from_end)
            if which:
                return f" ({which} dimension of {name})"
    return ""


def _values_differ(case: Case, difference: Difference | None) -> str:
    if difference is None:
        return "Values differ from the answer beyond the tolerance."
    worst = difference.worst[0]
    return (
        f"{difference.out_of_tolerance} of {difference.total} elements differ beyond the tolerance"
        f" (rtol {case.tolerance.rtol:g}, atol {case.tolerance.atol:.3g})."
        f" The furthest is at {shape_text(worst.index)}: expected {worst.expected:.6g}, got {worst.got:.6g}."
    )


def raised(outcome: Outcome) -> tuple[str, str, str]:
    """(message, brief, type from the fixed list) of an exception."""
    name, _, message, _ = (*outcome.texts, "", "", "", "")[:4]
    kind = known_type(name)
    line = f" on line {outcome.line}" if outcome.line else ""
    full = f"{name}{line}: {message}" if message else f"{name}{line}."
    article = "An exception of " if kind == OWN_TYPE else ""
    return full, f"{article}{kind}{line}.", kind


def time_limit(limits: Limits, *, total: bool, loading: bool = False) -> str:
    """Over a time limit."""
    if total:
        return f"All cases together took longer than {seconds_text(limits.total_time_s)}."
    where = "Loading your code" if loading else "The case"
    return f"{where} took longer than {seconds_text(limits.time_s)}."


def memory_limit(limits: Limits) -> str:
    """Over the memory limit."""
    return f"More than {limits.memory_mib} MiB of memory were needed."


def refused(code: str) -> str:
    """What the policy refused while a secret case ran: never the name that the submission used."""
    what = {
        Reason.FORBIDDEN_NAME: "a name or an attribute",
        Reason.FORBIDDEN_IMPORT: "a module",
    }.get(Reason(code) if code in set(Reason) else Reason.FORBIDDEN_CONSTRUCT, "something")
    return f"This line uses {what} that is not available here."


OUTPUT_LIMIT = "More than 1 MiB was printed in one case."
EXITED = "The code ended the process instead of returning a value."
CRASHED = (
    "The process crashed: a native operation was given arguments that it does not survive, or recursion went too deep."
)
NOT_RUN_TIME = "Not run: three cases hit the time limit."
NOT_RUN_TOTAL = "Not run: the time for all cases was used up."
NOT_LOADED = "Not run: the code could not be loaded."
JUDGE_FAILED = "The grader failed, not you. Please submit again."
