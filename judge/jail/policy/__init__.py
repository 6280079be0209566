"""The language policy: what a submission may say, and how it is told what it may not. Runs inside the jail.

Manners, not the wall: it gives honest code its freedom, casual cheating a sentence with a line, and is never what keeps
a submission away from the machine.
"""

from judge.jail.policy.errors import NotAllowed, OutputLimit, Refusal, Refused
from judge.jail.policy.explain import Explained, explain
from judge.jail.policy.language import Compiled, Language
from judge.jail.policy.sink import Sink

__all__ = [
    "Compiled",
    "Explained",
    "Language",
    "NotAllowed",
    "OutputLimit",
    "Refusal",
    "Refused",
    "Sink",
    "explain",
]
