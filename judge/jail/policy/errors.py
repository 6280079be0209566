"""What the policy says no with. Runs inside the jail.

Refused         compile(): every problem of the source, sorted by line
NotAllowed      while the submission runs: explain() makes a Refusal with a line out of it
  ├── AttributeNotAllowed   also an AttributeError, so that hasattr() and try/except behave as in Python
  └── ImportNotAllowed      also an ImportError, so that `try: import einops` behaves as in Python
OutputLimit     too much printed; not an Exception, so that `except Exception` does not swallow it
"""

from __future__ import annotations

from dataclasses import dataclass

SYNTAX = "syntax_error"
CONSTRUCT = "forbidden_construct"
NAME = "forbidden_name"
IMPORT = "forbidden_import"
TOO_LARGE = "too_large"

FILENAME = "<submission>"
"""The file name that the submission's code carries."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that the policy refuses, and where. Lines and columns count from 1; columns count characters."""

    line: int
    column: int
    code: str
    """syntax_error, forbidden_construct, forbidden_name, forbidden_import or too_large."""
    message: str
    """A sentence that does not repeat the line."""


class Refused(Exception):
    """The source cannot be accepted. Raised by compile() and by nothing else."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__("\n".join(f"Line {refusal.line}: {refusal.message}" for refusal in refusals))
        self.refusals = refusals


class NotAllowed(Exception):
    """Raised while loading or calling a submission that reaches for something closed."""

    def __init__(self, message: str, code: str = NAME) -> None:
        super().__init__(message)
        self.code = code


class AttributeNotAllowed(NotAllowed, AttributeError):
    """A closed attribute was read or set."""


class ImportNotAllowed(NotAllowed, ImportError):
    """A closed module was imported."""

    def __init__(self, message: str) -> None:
        super().__init__(message, IMPORT)


class OutputLimit(BaseException):
    """More was printed in one case than the judge takes."""
