"""The guard behind every attribute write and delete of a submission. Runs inside the jail."""

from __future__ import annotations

import types

import torch

from judge.jail.policy.errors import AttributeNotAllowed
from judge.jail.policy.rules import Reader, Rules, is_special
from judge.jail.policy.views import View


def make_hook(rules: Rules) -> Reader:
    """The function that compiled code calls for `a.b = v`, as `write(a, "b").b = v`.

    Gives back the object itself where the name may be set. What may not be read may not be set: `a.b += v` reads it.
    """
    own = rules.own

    def write(value: object, name: str) -> object:
        closed = own.get(type(value))
        if closed is not None and name not in closed and name[:2] != "__":
            return value
        return _slowly(rules, value, name)

    return write


def _slowly(rules: Rules, value: object, name: str) -> object:
    if isinstance(value, View):
        if value.forgets_writes:
            return types.SimpleNamespace()
        raise AttributeNotAllowed(f"{value.dotted_path} is read-only here: {name} cannot be set")
    kind = type(value)
    if kind in rules.own:
        allowed = name not in rules.own[kind] and not is_special(name)
    elif isinstance(value, type):
        allowed = name not in rules.own.get(value, (name,)) and not is_special(name)
    elif issubclass(kind, torch.Tensor):
        allowed = name in rules.names.tensor_writable
    elif name.startswith("_"):
        allowed = name in rules.names.function_writable and rules.is_own_function(value)
    elif issubclass(kind, torch.nn.Module):
        allowed = name not in rules.names.module_left_out
    else:
        allowed = rules.is_own_function(value)
    if not allowed:
        raise _refusal(value, name)
    return value


def _refusal(value: object, name: str) -> AttributeNotAllowed:
    if isinstance(value, torch.Tensor):
        instead = ": write into the tensor with .copy_() or x[...] = ..." if name == "data" else ""
        return AttributeNotAllowed(f"Tensor.{name} cannot be set here{instead}")
    what = f"the class {value.__name__}" if isinstance(value, type) else f"{type(value).__name__} objects"
    return AttributeNotAllowed(f"the attribute {name} of {what} cannot be set here")
