"""Closes the one door that no guard on the submission's own code can close. Runs inside the jail.

torch.nn.Module keeps parameters, buffers and children under names that the caller chooses: with
`add_module("__torch_function__", m)`, or a ModuleDict with such a key, an object gets a special method that a
submission may not write. The methods that all of these go through are replaced, for the whole process, by ones that
refuse.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch

from judge.jail.policy.errors import AttributeNotAllowed

_METHODS = ("add_module", "register_buffer", "register_module", "register_parameter")


def refuse_special_member_names() -> None:
    """Harden torch.nn.Module. Doing it twice changes nothing."""
    for method in _METHODS:
        original = getattr(torch.nn.Module, method)
        if not hasattr(original, "refuses_special_names"):
            setattr(torch.nn.Module, method, _refusing(original))


def _refusing(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def refusing(self: torch.nn.Module, name: str, *args: object, **options: object) -> None:
        if isinstance(name, str) and name.startswith("__"):
            raise AttributeNotAllowed(f"the name {name} cannot be used here: it is special")
        return original(self, name, *args, **options)

    refusing.refuses_special_names = True  # type: ignore[attr-defined]
    return refusing
