"""The submission's own frames in a traceback. Runs inside the jail."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FrameType, TracebackType

from judge.jail.policy.errors import FILENAME

_SHOWN_AT_EACH_END = 8
_MAX_LINE = 200


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """One call of the submission's code, at the instruction where it stood."""

    frame: FrameType
    line: int
    instruction: int

    def columns(self, source: str) -> tuple[int, int] | None:
        """Where in its line the failing expression is, in characters from 0; None unless it lies within the line."""
        positions = next(itertools.islice(self.frame.f_code.co_positions(), self.instruction // 2, None), None)
        if positions is None:
            return None
        line, end_line, start, end = positions
        if line != self.line or end_line != self.line or start is None or end is None:
            return None
        data = source.encode("utf-8", "replace")
        return len(data[:start].decode("utf-8", "replace")), len(data[:end].decode("utf-8", "replace"))


def own_frames(traceback: TracebackType | None) -> list[OwnFrame]:
    """Outermost first."""
    return [
        OwnFrame(step.tb_frame, step.tb_lineno, step.tb_lasti)
        for step in _steps(traceback)
        if step.tb_frame.f_code.co_filename == FILENAME
    ]


def _steps(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def source_line(lines: Sequence[str], line: int) -> str:
    """A line of the source by its number, "" where there is none."""
    return lines[line - 1] if 1 <= line <= len(lines) else ""


def shown(frames: Sequence[OwnFrame], lines: Sequence[str]) -> str:
    """The frames as text: each line's number, function and source, and a mark under the expression that failed."""
    parts = [_one(frame, lines) for frame in frames[:_SHOWN_AT_EACH_END]]
    rest = frames[_SHOWN_AT_EACH_END:]
    if len(rest) > _SHOWN_AT_EACH_END:
        parts.append(f"  ... {len(rest) - _SHOWN_AT_EACH_END} more calls ...")
    parts += [_one(frame, lines) for frame in rest[-_SHOWN_AT_EACH_END:]]
    return "\n".join(parts)


def _one(frame: OwnFrame, lines: Sequence[str]) -> str:
    name = frame.frame.f_code.co_name
    head = f"  Line {frame.line}" + ("" if name == "<module>" else f", in {name[:_MAX_LINE]}")
    source = source_line(lines, frame.line)
    text = source.strip()
    if not text:
        return head
    if len(text) > _MAX_LINE:
        return f"{head}\n    {text[:_MAX_LINE]}..."
    marked = _mark(frame, source)
    return f"{head}\n    {text}" + (f"\n    {marked}" if marked else "")


def _mark(frame: OwnFrame, source: str) -> str:
    columns = frame.columns(source)
    if columns is None:
        return ""
    indent = len(source) - len(source.lstrip())
    start, end = columns[0] - indent, columns[1] - indent
    whole = len(source.strip())
    return "" if start < 0 or end - start >= whole else " " * start + "^" * max(end - start, 1)
