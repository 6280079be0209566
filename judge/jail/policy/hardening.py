"""Closes the doors that no guard on the submission's own code can close. Runs inside the jail.

torch.nn.Module has methods that set and read attributes whose names are the caller's strings. By
`add_module("__torch_function__", m)`, or a ModuleDict with such a key, an object gets a special method that a
submission may not write; `get_buffer("__class__")` on a made-up module gives `type`. The methods that all such calls go
through are replaced, for the whole process, by ones that refuse special names.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch

from judge.jail.policy.errors import AttributeNotAllowed

_METHODS = (
    *("add_module", "register_buffer", "register_module", "register_parameter"),
    *("get_buffer", "get_parameter", "get_submodule"),
)


def refuse_special_member_names() -> None:
    """Harden torch.nn.Module. Doing it twice changes nothing."""
    for method in _METHODS:
        original = getattr(torch.nn.Module, method)
        if not hasattr(original, "refuses_special_names"):
            setattr(torch.nn.Module, method, _refusing(original))


def _refusing(original: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(original)
    def refusing(self: torch.nn.Module, *args: object, **options: object) -> object:
        for name in (*args[:1], *(options[key] for key in ("name", "target") if key in options)):
            # By exact type: a subclass of str could change its mind between the check and the use.
            if type(name) is not str or any(part.startswith("__") for part in name.split(".")):
                raise AttributeNotAllowed(f"{name!r} cannot be the name of a member here")
        return original(self, *args, **options)

    refusing.refuses_special_names = True  # type: ignore[attr-defined]
    return refusing
