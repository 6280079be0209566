"""Which modules a submission can import, and what is in them. Runs inside the jail, in the zygote."""

from __future__ import annotations

import numpy as np

from judge.jail.policy import standins
from judge.jail.policy.annotation import Table, annotation_table, typing_table, unchanged
from judge.jail.policy.classes import ClassMaker
from judge.jail.policy.names import Names
from judge.jail.policy.rules import Rules, public
from judge.jail.policy.views import View, real_names, sentences_for_closed


def build_views(rules: Rules, maker: ClassMaker) -> dict[str, View]:
    """Every view by its dotted name, linked as the real modules are (torch.nn is in torch)."""
    names = rules.names
    tables: dict[str, Table] = {path: real_names(path, allowed) for path, allowed in names.allowed.items()}
    for path, table in _standins(rules, maker).items():
        tables.setdefault(path, {}).update(table)
    tables["torch.nn.modules"] = dict(tables["torch.nn"])
    rules.readable[standins.Logger] = public(standins.Logger)
    return _linked(names, tables)


def _standins(rules: Rules, maker: ClassMaker) -> dict[str, Table]:
    lists = rules.names.annotations
    transparent = lists["transparent"]
    typing = typing_table(lists["names"], transparent)
    return {
        "__future__": standins.future_table(),
        "abc": standins.abc_table(rules),
        "beartype": annotation_table(lists["beartype"], transparent),
        "collections": {"namedtuple": maker.named_tuple},
        "collections.abc": annotation_table(lists["collections_abc"], transparent),
        "copy": {"deepcopy": standins.deepcopy},
        "dataclasses": standins.dataclasses_table(rules),
        "functools": standins.functools_table(rules),
        "jaxtyping": annotation_table(lists["jaxtyping"], transparent) | {"jaxtyped": unchanged},
        "logging": standins.logging_table(),
        "numpy": standins.numpy_lite_table(),
        "numpy.random": {"seed": standins.nothing},
        "torch": standins.torch_table() | {"from_numpy": standins.no_numpy_arrays},
        "torch.autograd": {"Variable": standins.variable},
        "torch.backends": {},
        "torch.backends.cuda": standins.backend_table(),
        "torch.backends.cuda.matmul": standins.backend_table(),
        "torch.backends.cudnn": standins.backend_table(),
        "torch.backends.mkldnn": standins.backend_table(),
        "torch.backends.mps": standins.backend_table(),
        "torch.compiler": standins.compiler_table(),
        "torch.cuda": standins.cuda_table(),
        "torch.cuda.amp": {"autocast": standins.no_autocast},
        "torch.jit": standins.jit_table(),
        "torch.testing": {"assert_close": standins.assert_close},
        "torch.utils": {},
        "torch.utils.data": {},
        "torchtyping": annotation_table(lists["torchtyping"], transparent) | {"patch_typeguard": standins.nothing},
        "typing": typing,
        "typing_extensions": dict(typing),
        "warnings": standins.warnings_table(),
    }


def _linked(names: Names, tables: dict[str, Table]) -> dict[str, View]:
    """Views of the tables, each hung into its parent."""
    views: dict[str, View] = {}
    for path, table in tables.items():
        why = names.why_torch if path == "torch" else {}
        closed = sentences_for_closed(path, names.left_out.get(path, ()), table, why)
        views[path] = View(path, table, closed, forgets_writes=path.startswith("torch.backends."))
    for path, view in views.items():
        parent, _, name = path.rpartition(".")
        if parent:
            vars(views[parent])[name] = view
            views[parent].closed_names.pop(name, None)
    return views


def numpy_views(rules: Rules) -> dict[str, View]:
    """The wider numpy, for problems that ask for it."""
    tables: dict[str, Table] = {path: real_names(path, listed) for path, listed in rules.names.numpy.items()}
    tables["numpy"]["ndarray"] = standins.instance_only(np.ndarray)
    return _linked(rules.names, tables)


def open_numpy_types(rules: Rules, array_standin: object) -> None:
    """Let arrays, scalars and dtypes of numpy be read. For problems that ask for numpy, in the child."""
    names = rules.names
    rules.type_standins[np.ndarray] = array_standin
    rules.show(np.ndarray, (public(np.ndarray) - names.array_left_out) | names.array_special)
    rules.readable[np.ufunc] = frozenset(("reduce", "accumulate", "outer", "at", "__name__", "__call__"))
    rules.readable[np.dtype] = frozenset(("name", "kind", "itemsize", "char"))
    rules.readable |= dict.fromkeys(type(np.dtype(np.float32)).__mro__[:1], rules.readable[np.dtype])
    rules.readable[np.finfo] = public(np.finfo)
    for name in names.array_scalars:
        scalar: type = getattr(np, name)
        rules.show(scalar, public(scalar) - names.array_left_out)
    rules.show_on_tensors(lambda readable: readable | {"numpy"})
