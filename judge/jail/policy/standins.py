"""Replacements for what is not safe, or not there, in its real form. Runs inside the jail.

The real functools.wraps copies any attribute whose name the caller gives, the real dataclass works on torch.Tensor, the
real warnings filters change what the judge itself prints. Everything here does what honest code expects and no more.
"""

from __future__ import annotations
import __future__

import abc
import contextlib
import copy
import dataclasses
import functools
import math
import types
from collections.abc import Callable
from typing import Any

import torch

from judge.jail.policy.annotation import Annotation, Table, unchanged
from judge.jail.policy.errors import AttributeNotAllowed, NotAllowed
from judge.jail.policy.rules import Rules

_DATACLASS_OPTIONS = frozenset(("eq", "frozen", "init", "kw_only", "order", "repr", "unsafe_hash"))


def nothing(*_args: object, **_options: object) -> None:
    """A setting or a message that is accepted and has no effect."""


def no(*_args: object, **_options: object) -> bool:
    """What torch.cuda.is_available() and its kin say here."""
    return False


def dataclasses_table(rules: Rules) -> Table:
    """The decorator for own classes only, without the options that make a second class (slots, weakref_slot)."""

    def dataclass(cls: type | None = None, /, **options: bool) -> object:
        closed = sorted(set(options) - _DATACLASS_OPTIONS)
        if closed:
            raise NotAllowed(f"dataclass({closed[0]}=...) is not available here: leave it out")

        def decorate(decorated: type) -> type:
            if not isinstance(decorated, type) or decorated not in rules.own:
                raise NotAllowed("@dataclass can only be used on classes of your own")
            for name in vars(decorated).get("__annotations__", ()):
                if name in rules.own[decorated]:  # the __init__ that dataclass writes would set it without a guard
                    raise NotAllowed(f"{name} cannot be a field here")
            return dataclasses.dataclass(**options)(decorated)

        return decorate if cls is None else decorate(cls)

    return {"dataclass": dataclass}


def deepcopy(value: object, _memo: object = None) -> object:
    """copy.deepcopy without the caller's memo, which could put made-up state into the copy."""
    return copy.deepcopy(value)


def abc_table(rules: Rules) -> Table:
    """For abc: an abstractmethod that marks own functions only; the real one marks whatever it is given."""

    def abstractmethod(function: Callable[..., object]) -> Callable[..., object]:
        return abc.abstractmethod(function) if rules.is_own_function(function) else function

    return {"abstractmethod": abstractmethod}


def functools_table(rules: Rules) -> Table:
    """For functools: the name and the docstring go from one own function to another, and nothing else."""

    def update_wrapper(wrapper: types.FunctionType, wrapped: types.FunctionType, **_options: object) -> object:
        if rules.is_own_function(wrapped) and rules.is_own_function(wrapper):
            wrapper.__name__, wrapper.__qualname__ = wrapped.__name__, wrapped.__qualname__
            wrapper.__doc__ = wrapped.__doc__
        return wrapper

    def wraps(wrapped: types.FunctionType, *_args: object, **_options: object) -> Callable[..., object]:
        return lambda wrapper: update_wrapper(wrapper, wrapped)

    return {"update_wrapper": update_wrapper, "wraps": wraps}


class Logger:
    """A logger that says nothing: print() is what the page shows."""

    __slots__ = ()

    critical = debug = error = exception = info = log = warning = addHandler = setLevel = staticmethod(nothing)  # noqa: N815 - logging's names
    isEnabledFor = staticmethod(no)  # noqa: N815 - logging's name


def logging_table() -> Table:
    """Messages go nowhere: print() is what the page shows."""
    levels = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50, "NOTSET": 0}
    functions = ("basicConfig", "critical", "debug", "disable", "error", "exception", "info", "log", "warning")
    quiet = dict.fromkeys(functions, nothing)
    return {**levels, **quiet, "getLogger": lambda _name=None: Logger(), "Logger": Annotation("Logger")}


def warnings_table() -> Table:
    """Filters have no effect, warnings are not shown."""
    quiet = dict.fromkeys(("filterwarnings", "resetwarnings", "simplefilter", "warn"), nothing)
    return {**quiet, "catch_warnings": lambda **_options: contextlib.nullcontext([])}


def set_grad_enabled(mode: object) -> torch.no_grad | torch.enable_grad:
    """Usable with `with` and as a decorator; a plain call changes nothing."""
    return torch.enable_grad() if mode else torch.no_grad()


def variable(
    tensor: torch.Tensor,
    requires_grad: bool = False,  # noqa: FBT001, FBT002 - torch's signature
    **_options: object,
) -> torch.Tensor:
    """torch.autograd.Variable of old code: the tensor itself."""
    return tensor.requires_grad_() if requires_grad else tensor


def torch_table() -> Table:
    """Settings of PyTorch as a whole: accepted, without effect."""
    settings = ("set_float32_matmul_precision", "set_num_threads", "set_printoptions", "use_deterministic_algorithms")
    return {
        **dict.fromkeys(settings, nothing),
        "__version__": str(torch.__version__),
        "compile": unchanged,
        "get_num_threads": lambda: 1,
        "set_grad_enabled": set_grad_enabled,
    }


def cuda_table() -> Table:
    """A machine without GPUs: what code says that first asks is_available()."""
    quiet = (
        *("current_device", "empty_cache", "get_device_capability", "get_device_name", "get_device_properties"),
        *("ipc_collect", "manual_seed", "manual_seed_all", "max_memory_allocated", "memory_allocated"),
        *("memory_reserved", "reset_peak_memory_stats", "set_device", "synchronize"),
    )
    answers = {"is_available": no, "is_bf16_supported": no, "device_count": lambda: 0}
    return {**dict.fromkeys(quiet, nothing), **answers}


def compiler_table() -> Table:
    """torch.compiler: nothing is compiled."""
    return {"disable": unchanged, "is_compiling": no, "reset": nothing}


def no_autocast(*_args: object, **_options: object) -> torch.autocast:
    """torch.cuda.amp.autocast where there is no GPU: a context manager and decorator without effect."""
    return torch.autocast("cpu", enabled=False)


def assert_close(
    actual: Any,  # noqa: ANN401 - tensors, numbers or sequences of them
    expected: Any,  # noqa: ANN401 - the same
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_dtype: bool = True,
    msg: object = None,
    **_options: object,
) -> None:
    """torch.testing.assert_close for what self-tests compare: the real one imports half of torch at its first call."""
    if isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        close = functools.partial(assert_close, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype)
        for left, right in zip(actual, expected, strict=True):
            close(left, right, msg=msg)
        return
    left, right = torch.as_tensor(actual), torch.as_tensor(expected)
    if left.shape != right.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {left.shape} != {right.shape}.")
    if check_dtype and left.dtype != right.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {left.dtype} != {right.dtype}.")
    default_rtol, default_atol = _CLOSE.get(left.dtype, (0.0, 0.0))
    rtol, atol = default_rtol if rtol is None else rtol, default_atol if atol is None else atol
    left, right = left.detach().double(), right.detach().double()
    if not torch.allclose(left, right, rtol=rtol, atol=atol, equal_nan=equal_nan):
        worst = (left - right).abs().max().item()
        text = msg if isinstance(msg, str) else f"Tensor-likes are not close! Greatest absolute difference: {worst}"
        raise AssertionError(text)


_CLOSE = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
}
"""rtol and atol of torch.testing.assert_close; 0 for whole numbers."""


def jit_table() -> Table:
    """Functions stay as they are."""
    return dict.fromkeys(("export", "ignore", "script", "unused"), unchanged)


def backend_table() -> Table:
    """torch.backends.cudnn and its kin: flags that can be set, without effect."""
    flags = dict.fromkeys(("allow_tf32", "benchmark", "deterministic", "enabled"), False)
    quiet = dict.fromkeys(("enable_flash_sdp", "enable_math_sdp", "enable_mem_efficient_sdp"), nothing)
    return {**flags, **quiet, "is_available": no, "is_built": no}


class _NoArray:
    """numpy.ndarray without numpy: nothing is one."""


def no_numpy_arrays(*_args: object, **_options: object) -> None:
    """torch.from_numpy without numpy."""
    raise AttributeNotAllowed("numpy arrays are not available here: the task asks for PyTorch operations")


_NUMBER_FUNCTIONS: tuple[Callable[..., object], ...] = (
    *(abs, math.ceil, math.cos, math.exp, math.floor, math.isfinite, math.isinf, math.isnan, math.log, math.log10),
    *(math.log2, math.prod, math.sin, math.sqrt, math.tanh, round),
)


def numpy_lite_table() -> Table:
    """The few names of numpy that honest code uses on plain numbers, through math."""
    functions: Table = {function.__name__: function for function in _NUMBER_FUNCTIONS}
    constants: Table = {"e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None, "pi": math.pi}
    scalars = {"bool_": bool, "float16": float, "float32": float, "float64": float, "int32": int, "int64": int}
    renamed = {"maximum": max, "minimum": min, "power": pow, "square": lambda x: x * x, "set_printoptions": nothing}
    return {**functions, **constants, **scalars, **renamed, "ndarray": _NoArray}


def instance_only(real: type) -> type:
    """A class that only answers isinstance(): for types whose constructor forges objects from bytes."""

    class InstanceOnly(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real)

        def __call__(cls, *_args: object, **_options: object) -> None:
            raise NotAllowed(f"{real.__name__}() is not available here")

    return InstanceOnly(real.__name__, (), {})


def future_table() -> Table:
    """The names of __future__; the statement itself is Python's own."""
    return {name: getattr(__future__, name) for name in __future__.all_feature_names}


UNTYPED: tuple[type, ...] = (
    *(types.FunctionType, types.MethodType, types.GeneratorType, types.CodeType, types.FrameType, types.TracebackType),
    *(types.ModuleType, types.CellType, types.MappingProxyType, staticmethod, classmethod, property, super),
)
