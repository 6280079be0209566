"""Nothing that guarded reads reach is a module, a frame, code, `type`, or a namespace."""

import builtins
import os
import types
from collections import Counter, deque

import numpy as np
import pytest
import torch

from judge.jail.policy.reading import Guard
from judge.jail.policy.views import View

SAMPLES = """
import collections, contextlib, dataclasses, functools, math, numpy as np, torch
from abc import ABC
from typing import Callable, NamedTuple
from torch import nn

class Own:
    x = 1
    def __init__(self): self.a = 1
    def f(self): return super()
    @property
    def p(self): return 1
    @functools.cached_property
    def c(self): return 2
    @staticmethod
    def s(): pass
    @classmethod
    def k(cls): pass
class Abstract(ABC): pass
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(1, 1)
    def f(self): return super()
    def forward(self, x): return x
class Recurrent(nn.LSTM): pass
@dataclasses.dataclass
class Data:
    x: int = 0
class Error(Exception): pass
Pair = collections.namedtuple("Pair", "a b")
class Triple(NamedTuple):
    a: int
    b: int = 2
def generator(): yield 1
@contextlib.contextmanager
def manager(): yield
x = torch.randn(2, 3, requires_grad=True)
caught = []
thunks = (
    lambda: 1 / 0, lambda: torch.nope, lambda: torch.ones(2) @ torch.ones(3), lambda: getattr(torch, "save"),
    lambda: {}[1], lambda: nowhere, lambda: [].nope,
)
for thunk in thunks:
    try: thunk()
    except Exception as error: caught.append(error)
try: raise Error("x")
except Error as error: caught.append(error)
samples = [
    Own(), Own, Own().f, Own().f(), Own.p, Own.c, Net(), Net, Net().f(), Net().forward, Recurrent(1, 1),
    Abstract, Data(), Data, dataclasses.field(), dataclasses.fields(Data), Pair(1, 2), Pair, Triple(1), Triple,
    generator, generator(), manager, manager(),
    x, x * 2, torch.max(x, 0), x.shape, x.dtype, x.device, torch.finfo(torch.float32), torch.no_grad(),
    torch.autocast("cpu"), torch.manual_seed(0), torch.Generator(), nn.Linear(1, 1), nn.Sequential(nn.Identity()),
    nn.ModuleList(), nn.ModuleDict(), nn.ParameterList(), nn.Parameter(x.detach()), nn.LSTM(1, 1),
    nn.MultiheadAttention(2, 1), nn.TransformerEncoderLayer(2, 1, 2, batch_first=True),
    Net().parameters(), Net().state_dict(), Net().named_modules(),
    "a", b"a", 1, 1.0, True, 1j, None, [1], (1,), {1: 2}, {1}, range(3), slice(1), iter([1]), enumerate([1]), zip([1]),
    map(int, [1]), reversed([1]), {1: 2}.items(), {1: 2}.keys(), functools.partial(int), functools.lru_cache(int),
    functools.lru_cache(generator).cache_info(), functools.cmp_to_key(max), lambda: 0, np.sqrt, np.ndarray,
    collections.deque(), collections.defaultdict(int), collections.Counter(), property(), staticmethod(len),
    classmethod(len), list[int], int | None, contextlib.nullcontext(), contextlib.suppress(ValueError),
    "{}".format, print, getattr, type, isinstance, torch.softmax, torch.nn.functional.softmax, torch.Tensor.softmax,
    x.softmax, torch.backends.cudnn, Callable, ..., NotImplemented, *caught,
]
"""

NAMES = """
__dict__ __globals__ __self__ __func__ __wrapped__ __mro__ __bases__ __base__ __subclasses__ __code__ __closure__
__class__ __module__ __reduce_ex__ __getattribute__ __new__ __traceback__ __context__ __cause__ __builtins__
__init__ __call__ __name__ __doc__ __defaults__ __annotations__ __weakref__ __objclass__ __origin__ __args__
__loader__ __spec__ _modules _parameters _buffers _forward_hooks _call_impl _C _asdict _make _fields gi_frame
tb_frame mro fget func gen obj name mapping closed_names dotted_path _kind _name
"""

FORBIDDEN_TYPES = (
    *(types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, types.CellType, types.MappingProxyType),
    *(torch.UntypedStorage, torch.storage.TypedStorage),
)
FORBIDDEN_FUNCTIONS = (builtins.open, builtins.exec, builtins.eval, builtins.compile, os.system, torch.load, torch.save)
EACH_TYPE_AT_MOST = 40


def what_is_wrong_with(value):
    if isinstance(value, FORBIDDEN_TYPES):
        return type(value).__name__
    if isinstance(value, type) and issubclass(value, type):
        return "metaclass"
    if value is types.FunctionType or any(value is function for function in FORBIDDEN_FUNCTIONS):
        return "dangerous function"
    if type(value) is dict and ("__builtins__" in value or "__name__" in value or "_parameters" in value):
        return "namespace"
    if type(value).__name__ in ("Node", "OpOverloadPacket", "_OpNamespace") or type(value).__module__ == "ctypes":
        return "internals"
    return None


def names_on(value):
    if isinstance(value, View):
        return {*vars(value), *value.closed_names, *NAMES.split()}
    return {*dir(value), *NAMES.split()}


def reach(guard, roots):
    """Every value that chains of reads give, with the chain."""
    queue, seen, expanded, kept = deque(roots), set(), Counter(), []
    while queue:
        path, value = queue.popleft()
        if id(value) in seen or path.count(".") > 6:
            continue
        seen.add(id(value))
        kept.append(value)  # an id is only good while its object lives
        yield path, value
        expanded[type(value)] += 1
        if expanded[type(value)] > EACH_TYPE_AT_MOST and not isinstance(value, View):
            continue
        for name in sorted(names_on(value)):
            try:
                queue.append((f"{path}.{name}", guard.read(value, name)))
            except Exception:  # noqa: BLE001, S112 - closed, or a property that raises
                continue


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("imports", [(), ("numpy",)], ids=["lite", "numpy"])
def test_guarded_reads_never_reach_the_interpreter(imports, load):
    submission = load(SAMPLES, imports=imports)
    builtin = submission["__builtins__"]
    rules = submission.namespace["$metaclass"]._rules
    roots = [(f"builtins.{name}", value) for name, value in builtin.items() if not name.startswith("__")]
    roots += [(name, submission[name]) for name in ("torch", "math", "np", "functools", "collections", "dataclasses")]
    roots += [(f"samples[{i}]:{type(value).__name__}", value) for i, value in enumerate(submission["samples"])]
    if imports:
        roots += [("array", np.ones(2)), ("scalar", np.float32(1)), ("dtype", np.ones(2).dtype)]
    found = [(path, what_is_wrong_with(value)) for path, value in reach(Guard(rules), roots)]
    assert len(found) > 2000
    assert [(path, wrong) for path, wrong in found if wrong] == []


def test_names_read_without_a_guard_are_on_no_list_of_closed_names(load):
    """`x.shape` compiles to a plain read, so no type with a list may keep `shape` closed."""
    for imports in ((), ("numpy",)):
        rules = load(SAMPLES, imports=imports).namespace["$metaclass"]._rules
        unguarded = rules.unguarded()
        assert len(unguarded) > 70
        for kind, names in rules.closed.items():
            assert unguarded.isdisjoint(names), kind


def test_plain_reads_of_unguarded_names_reach_nothing_either(load):
    submission = load(SAMPLES)
    unguarded = submission.namespace["$metaclass"]._rules.unguarded()
    for value in submission["samples"]:
        for name in unguarded:
            assert what_is_wrong_with(getattr(value, name, None)) is None, (value, name)


def test_a_view_has_no_attribute_that_hides_a_name_of_the_module(load):
    submission = load("import torch")
    own = set(dir(View)) - set(dir(object))
    assert own.isdisjoint(vars(submission["torch"]))


def test_a_view_has_no_name_to_look_modules_up_by(load):
    submission = load("import torch")
    with pytest.raises(AttributeError):
        submission["torch"].__name__  # noqa: B018 - the read is the test
