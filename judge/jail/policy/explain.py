"""A run-time failure as a student needs it: own lines only, Python's words, and a hint. Runs inside the jail.

The exception may be an object of the submission: nothing here calls its methods, and every text is cut.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import torch

from judge.jail.policy.errors import NotAllowed, OutputLimit, Refusal
from judge.jail.policy.frames import own_frames, shown, source_line
from judge.jail.policy.hints import Failure, hint_for, syntax_refusal

OWN_TYPE = "a type of your own"
_MAX_TEXT = 2000
_MAX_INT_BITS = 1000
_MAX_ARGUMENTS = 8


@dataclass(frozen=True, slots=True)
class Explained:
    """What went wrong and where."""

    refusal: Refusal | None
    """Set when it is the policy that said no, or the compiler: a compile error, whenever it is found."""
    type_name: str
    """A builtin or torch exception type, else "a type of your own": safe to show for secret cases."""
    line: int
    """The submission's innermost line; 0 when none of its frames took part."""
    message: str
    """Python's text and our hint. It may hold values: for shown cases only."""
    traceback: str
    """The submission's own frames with their source. For shown cases only."""


def explain(error: BaseException, text: str) -> Explained:
    """Explain an exception that left the submission. `text` is Compiled.text. Never raises."""
    frames = own_frames(error.__traceback__)
    if isinstance(error, SyntaxError) and not frames:  # of the compiler; a submission's own `raise` leaves a frame
        at_compile_time = syntax_refusal(error, text)
        return Explained(at_compile_time, type_name_of(error), at_compile_time.line, at_compile_time.message, "")
    lines = text.split("\n")
    last = frames[-1] if frames else None
    line = last.line if last else 0
    type_name, words = type_name_of(error), _words_of(error)
    refusal: Refusal | None = None
    if isinstance(error, NotAllowed):
        words = words if words.endswith((".", "?", "!")) else f"{words}."
        columns = last.columns(source_line(lines, line)) if last else None
        refusal = Refusal(max(line, 1), columns[0] + 1 if columns else 1, error.code, words)
    else:
        hint = hint_for(Failure(error, type_name, words, last.frame if last else None, line, lines))
        words = _joined(words, hint)
    head = "Traceback (innermost call last):\n" + shown(frames, lines) + "\n" if frames else ""
    return Explained(refusal, type_name, line, words, f"{head}{type_name}: {words}" if words else head + type_name)


def type_name_of(error: BaseException) -> str:
    """The name of a builtin or torch exception type, else fixed words."""
    if isinstance(error, NotAllowed):
        return "NotAllowed"
    return _KNOWN_TYPES.get(id(type(error)), OWN_TYPE)


def _known_types() -> dict[int, str]:
    # By identity: asking a type for its hash may run code of its metaclass.
    kinds: dict[int, str] = {
        id(kind): name
        for name, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    kinds[id(OutputLimit)] = "OutputLimit"
    kinds[id(torch.OutOfMemoryError)] = "torch.OutOfMemoryError"
    kinds[id(vars(torch.linalg)["LinAlgError"])] = "torch.linalg.LinAlgError"
    return kinds


_KNOWN_TYPES = _known_types()


def _words_of(error: BaseException) -> str:
    """str(error) without calling anything that the submission wrote."""
    arguments: tuple[Any, ...] = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    plain = all(_is_plain(argument) for argument in arguments)
    if (
        plain and isinstance(error, OSError) and len(arguments) > 1
    ):  # its str() would show the file name, a value of any type
        return _clean(f"[Errno {arguments[0]}] {arguments[1]}")
    if plain and (id(type(error)) in _KNOWN_TYPES or isinstance(error, NotAllowed)):
        return _clean(str(error))
    if len(arguments) == 1:
        return _clean(_told(arguments[0]))
    return _clean(", ".join(_told(argument) for argument in arguments[:_MAX_ARGUMENTS]))


def _is_plain(value: object) -> bool:
    """Whether turning it into text is quick and ours. By exact type: a subclass may have methods of its own."""
    if type(value) is str:
        return len(value) <= 10 * _MAX_TEXT
    if type(value) is int:
        return value.bit_length() <= _MAX_INT_BITS
    return type(value) in (float, bool, type(None))


def _told(value: object) -> str:
    if type(value) is str:
        return value[:_MAX_TEXT]
    if _is_plain(value):
        return str(value)
    if type(value) is torch.Tensor:
        return f"a tensor of shape {tuple(value.shape)}"
    if type(value) is tuple or type(value) is list or type(value) is torch.Size:
        shown = value[:_MAX_ARGUMENTS]
        return str(tuple(shown)) if all(map(_is_plain, shown)) else "(values that are not shown)"
    return "(a value that is not shown)"


def _clean(text: str) -> str:
    """Cut, and without the lone surrogates that no encoding takes."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}..."


def _joined(words: str, hint: str) -> str:
    if not (words and hint):
        return words or hint
    return f"{words} {hint}" if words.rstrip().endswith((".", "?", "!")) else f"{words}. {hint}"
