"""What can go wrong that is not the submission's doing. Trusted side.

JudgeError              the grader failed, not the student: shown as judge_error
  ├── JailUnavailable   a layer of the jail cannot be raised: the judge does not start
  ├── BadPolicy         a problem's policy names nothing that there is: its author acts
  └── QueueFull         no child became free in time: try again later
"""


class JudgeError(Exception):
    """The judge itself failed."""


class JailUnavailable(JudgeError):
    """A mandatory layer is missing. The message names the layer and the command that fixes it."""


class BadPolicy(JudgeError):
    """The policy of a problem cannot be applied: it forbids or allows a name that does not exist."""


class QueueFull(JudgeError):
    """Every child is busy and stayed so for the time that the caller was ready to wait."""
