"""The language policy as one object. Runs inside the jail: prepared in the zygote, narrowed and used in a child."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import torch

from judge.jail.policy.builtin import make_namespace
from judge.jail.policy.checker import Checker
from judge.jail.policy.classes import ClassMaker
from judge.jail.policy.errors import FILENAME, SYNTAX, TOO_LARGE, Refusal, Refused
from judge.jail.policy.hardening import refuse_special_member_names
from judge.jail.policy.hints import read_hints, syntax_refusal
from judge.jail.policy.limits import RECURSION, decode, parse
from judge.jail.policy.modules import build_views, numpy_views, open_numpy_types
from judge.jail.policy.names import Names
from judge.jail.policy.rules import Rules
from judge.jail.policy.sink import Sink
from judge.jail.policy.views import View


@dataclass(frozen=True, slots=True)
class Compiled:
    """A source that the policy accepts."""

    code: CodeType
    text: str
    """The source as decoded, with `\\n` for every line end: what explain() shows lines of."""
    remarks: tuple[str, ...]
    """Sentences that do not stop anything: "Line 1: import os is not used and was left out."."""


@dataclass(slots=True)
class Unguarded:
    """Names that compiled code reads without a guard: all that no type keeps closed, but for what a problem forbids.

    Two sets, for making a new one of them would touch every name: a tenth of what arming a child costs.
    """

    open: frozenset[str]
    forbidden: set[str] = field(default_factory=set)

    def __contains__(self, name: object) -> bool:
        return name in self.open and name not in self.forbidden


@dataclass(slots=True)
class Language:
    """What a submission may say. One Language serves one submission: restrict and compile are the child's."""

    _names: Names
    _rules: Rules
    _maker: ClassMaker
    _views: dict[str, View]
    _numpy: dict[str, View]
    _places: dict[int, list[tuple[View, str]]]
    """Where each function and class of the views is found, by identity: a forbidden one vanishes under every name."""
    _unguarded: Unguarded
    _forbidden: dict[str, str] = field(default_factory=dict)

    @classmethod
    def prepare(cls) -> Language:
        """Everything that takes time (tens of milliseconds, once torch is imported): in the zygote, before it forks."""
        refuse_special_member_names()
        read_hints()
        names = Names.read()
        rules = Rules.of(names)
        maker = ClassMaker(rules)
        views = build_views(rules, maker)
        numpy = numpy_views(rules)
        places: dict[int, list[tuple[View, str]]] = {}
        for view in (*views.values(), *numpy.values()):
            for name, value in vars(view).items():
                if callable(value):  # constants such as 0 or None are the same object everywhere
                    places.setdefault(id(value), []).append((view, name))
        return cls(names, rules, maker, views, numpy, places, Unguarded(rules.unguarded()))

    def restrict(self, forbid: Sequence[tuple[str, str]], imports: Sequence[str]) -> None:
        """Apply a problem's policy: (name or group, message) pairs, and extra modules.

        Raises ValueError with a full sentence for a name, group or module that does not exist.
        """
        for module in imports:
            self._offer(module)
        for name, message in forbid:
            if name.startswith("@") and name not in self._names.groups:
                known = ", ".join(sorted(self._names.groups))
                raise ValueError(f"policy.forbid: there is no group {name}; the groups are {known}.")
            for dotted in sorted(self._names.groups.get(name, (name,))):
                self._forbid(dotted, f"{dotted} may not be used in this problem. {message}".strip())

    def compile(self, source: bytes) -> Compiled:
        """Check and compile a source. Raises Refused, and nothing else, with every problem found."""
        text = decode(source)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # `"\d"` or `x is 1` are for Python to grumble about, not for the log
                return self._compile(text)
        finally:
            sys.setrecursionlimit(limit)

    def namespace(self, sink: Sink) -> dict[str, Any]:
        """Globals to execute the code in. What it prints goes to the sink."""
        self._rules.namespace = make_namespace(self._rules, self._maker, self._views, self._forbidden, sink)
        return self._rules.namespace

    def _compile(self, text: str) -> Compiled:
        tree = parse(text)
        checker = Checker(self._names, self._unguarded, self._views, self._forbidden, text.split("\n"))
        try:
            tree = checker.check(tree)
            if checker.refusals:
                raise Refused(tuple(checker.refusals))
            # Not RestrictedPython's compile_restricted_exec(): it compiles with the future flags of its own module and
            # lets SyntaxErrors of the compiler escape.
            code = compile(tree, FILENAME, "exec", dont_inherit=True)
        except SyntaxError as error:
            raise Refused((syntax_refusal(error, text),)) from None
        except (RecursionError, MemoryError):
            raise Refused((Refusal(1, 1, TOO_LARGE, "the code is nested too deeply."),)) from None
        except (ValueError, OverflowError) as error:
            raise Refused((Refusal(1, 1, SYNTAX, f"the code could not be compiled: {error}."),)) from None
        return Compiled(code, text, tuple(f"Line {line}: {remark}" for line, remark in checker.remarks))

    def _offer(self, module: str) -> None:
        if module in self._views and module != "numpy":
            return
        if module != "numpy":
            raise ValueError(f"policy.imports: {module} cannot be offered; the extra module is numpy.")
        self._views.update(self._numpy)
        vars(self._views["torch"])["from_numpy"] = torch.from_numpy
        open_numpy_types(self._rules, self._numpy["numpy"].ndarray)
        self._unguarded.open = self._rules.unguarded()

    def _forbid(self, dotted: str, sentence: str) -> None:
        self._forbidden[dotted] = sentence
        path, _, name = dotted.rpartition(".")
        view = self._views.get(path)
        if path == "torch.Tensor":
            self._forbid_tensor_attribute(name, sentence)
        elif view is not None and (name in vars(view) or name in view.closed_names):
            for place, alias in self._places.get(id(vars(view).get(name)), [(view, name)]):
                vars(place).pop(alias, None)
                place.closed_names[alias] = sentence
        elif dotted not in self._views:
            raise ValueError(f"policy.forbid: there is no {dotted}.")
        for module in [module for module in self._views if f"{module}.".startswith(f"{dotted}.")]:
            del self._views[module]

    def _forbid_tensor_attribute(self, name: str, sentence: str) -> None:
        if name not in self._names.tensor_readable:
            raise ValueError(f"policy.forbid: there is no torch.Tensor.{name}.")
        self._rules.tensor_closed[name] = sentence
        self._unguarded.forbidden.add(name)
        self._rules.show_on_tensors(lambda readable: readable - {name})
