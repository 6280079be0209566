"""The builtins of a submission and the globals that its code runs in. Runs inside the jail."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from judge.jail.policy import reading, writing
from judge.jail.policy.checker import MAKE_CLASS, READ, WRITE
from judge.jail.policy.classes import ClassMaker
from judge.jail.policy.errors import CONSTRUCT, AttributeNotAllowed, ImportNotAllowed, NotAllowed
from judge.jail.policy.names import Names
from judge.jail.policy.rules import CONTAINERS, Reader, Rules
from judge.jail.policy.sink import Sink
from judge.jail.policy.standins import UNTYPED
from judge.jail.policy.views import View

MODULE_NAME = "submission"


def make_namespace(
    rules: Rules, maker: ClassMaker, views: Mapping[str, View], forbidden: Mapping[str, str], sink: Sink
) -> dict[str, Any]:
    """Globals to execute compiled code in. The hooks' names are no identifiers: no source can name them."""
    read, write = reading.Guard(rules).read, writing.make_hook(rules)
    allowed = {name: getattr(builtins, name) for name in rules.names.builtins if hasattr(builtins, name)}
    allowed |= {
        "getattr": make_getattr(read),
        "hasattr": make_hasattr(read),
        "setattr": make_setattr(write),
        "type": make_type(rules),
        "print": make_print(sink),
        "__import__": make_import(views, forbidden, rules.names),
    }
    hooks = {READ: reading.make_hook(rules), WRITE: write, MAKE_CLASS: maker}
    return {"__builtins__": allowed, "__name__": MODULE_NAME, "__doc__": None, **hooks}


def make_getattr(read: Reader) -> Callable[..., Any]:
    """The builtin getattr() of a submission."""

    def getattr_(value: object, name: str, *default: object) -> object:
        _check_plain(name)
        if len(default) > 1:
            raise TypeError("getattr expected at most 3 arguments")
        try:
            return read(value, name)
        except AttributeError:
            if default:
                return default[0]
            raise

    return _named(getattr_, "getattr")


def make_hasattr(read: Reader) -> Callable[..., Any]:
    """The builtin hasattr() of a submission."""

    def hasattr_(value: object, name: str) -> bool:
        _check_plain(name)
        try:
            read(value, name)
        except AttributeError:
            return False
        return True

    return _named(hasattr_, "hasattr")


def make_setattr(write: Reader) -> Callable[..., None]:
    """The builtin setattr() of a submission."""

    def setattr_(value: object, name: str, new: object) -> None:
        _check_plain(name)
        if name.startswith("__"):
            raise AttributeNotAllowed(f"the attribute {name} cannot be set here")
        setattr(write(value, name), name, new)

    return _named(setattr_, "setattr")


def make_type(rules: Rules) -> Callable[..., Any]:
    """The builtin type(), for data only: type(SomeClass) would be `type`, which makes classes with any method."""
    told = {*CONTAINERS, str, torch.dtype, torch.device}

    def type_(value: object, *more: object) -> object:
        if more:
            raise NotAllowed("type() makes no classes here: write a class statement", CONSTRUCT)
        kind = type(value)
        if kind in rules.type_standins:
            return rules.type_standins[kind]
        if kind in rules.own or kind in told or issubclass(kind, (torch.Tensor, torch.nn.Module)):
            return kind
        if issubclass(kind, BaseException):
            return next(base for base in kind.__mro__ if base.__module__ == "builtins")
        if issubclass(kind, type) or kind in UNTYPED:
            raise NotAllowed("type() can only be used on data: tensors, numbers, lists, objects of your own")
        raise NotAllowed(f"type() of {kind.__name__} objects is not available here")

    return _named(type_, "type")


def make_print(sink: Sink) -> Callable[..., None]:
    """The builtin print(), into the sink."""

    def print_(
        *values: object, sep: str | None = " ", end: str | None = "\n", file: object = None, flush: bool = False
    ) -> None:
        if file is not None:
            raise NotAllowed("print(file=...) is not available here: print() without file= is shown")
        print(*values, sep=sep, end=end, file=sink, flush=flush)

    return _named(print_, "print")


def make_import(views: Mapping[str, View], forbidden: Mapping[str, str], names: Names) -> Callable[..., Any]:
    """What the import statement calls."""

    def import_(
        name: str,
        _globals: object = None,
        _locals: object = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        if type(fromlist) is list:
            # C code imports through the builtins of the frame below it: torch.tensor() looks up torch.storage so.
            # Only C passes a list; the statement passes None or a tuple, and a submission cannot name __import__.
            return builtins.__import__(name, None, None, ["__doc__"], 0)
        if level:
            raise ImportNotAllowed("relative imports are not available here")
        if name not in views:
            raise ImportNotAllowed(forbidden.get(name) or names.why_not_import(name))
        for wanted in fromlist or ():
            if wanted != "*" and wanted not in vars(views[name]):
                raise _import_error(views[name], wanted)
        return views[name] if fromlist else views[name.partition(".")[0]]

    return _named(import_, "__import__")


def _import_error(view: View, wanted: str) -> ImportError:
    missing = view.missing_error(wanted)
    if isinstance(missing, AttributeNotAllowed):
        return ImportNotAllowed(str(missing))
    return ImportError(f"cannot import name '{wanted}' from '{view.dotted_path}'", name=view.dotted_path)


def _check_plain(name: object) -> None:
    if type(name) is not str:  # a subclass of str could change its mind between the check and the read
        raise TypeError("attribute name must be a string")


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    return function
