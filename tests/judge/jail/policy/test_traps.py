"""Each trap that was found once, by name."""

import types

import pytest
import torch

from judge.jail.policy import Language, Refused, Sink
from judge.jail.policy.views import View


def test_torch_tensor_imports_through_the_submission_from_c(load):
    """torch.tensor() looks up torch.storage with the builtins of the frame that calls it, and a list as fromlist."""
    assert load("import torch\nx = torch.tensor([[1.0, 2.0]]).sum().item()")["x"] == 3


def test_from_import_does_not_fall_back_to_sys_modules(load):
    """`from torch import nope` looks for sys.modules["torch.nope"] if the module has a __name__."""
    for name in ("_C", "serialization", "_utils", "os", "multiprocessing"):
        with pytest.raises((Refused, ImportError)):
            load(f"try:\n    from torch import {name}\nexcept ImportError:\n    raise\nx = {name}\n")


def test_a_typo_is_an_attribute_error_and_not_none(load):
    with pytest.raises(AttributeError, match="no attribute 'softmx'"):
        load("import torch\ntorch.softmx")
    with pytest.raises(AttributeError, match="no attribute 'softmx'"):
        load("import torch\ngetattr(torch.ones(1), 'softmx')")
    assert load("import torch\nx = getattr(torch, 'softmx', 7), hasattr(torch, 'softmx')")["x"] == (7, False)


@pytest.mark.parametrize(
    "code",
    [
        "nn.ParameterDict",
        "nn.Module().add_module('__torch_function__', nn.Identity())",
        "nn.Module().register_module('__torch_function__', nn.Identity())",
        "nn.Module().register_buffer('__array_interface__', None)",
        "nn.Module().register_parameter(name='__len__', param=None)",
        "nn.ModuleDict({'__torch_function__': nn.Identity()})",
        "nn.Linear(1, 1).get_buffer('__class__')",
        "nn.Linear(1, 1).get_parameter(target='__dict__')",
        "nn.Linear(1, 1).get_submodule('a.__class__')",
        "operator.attrgetter('x')",
        "operator.methodcaller('x')",
        "dataclasses.make_dataclass('A', [])",
        "typing.get_type_hints(int)",
        "np.ndarray(4)",
        "type('A', (), {})",
        "type(int)",
        "type(print)",
        "torch.frombuffer",
        "torch.ones(1).__array_interface__",
        "print.__self__",
        "(lambda: 0).__globals__",
        "(lambda: 0).__class__",
        "'{0.__class__}'.format(1)",
        "str.format('{0.__class__}', 1)",
        "[].append.__self__",
        "{}.keys().mapping",
    ],
)
def test_a_call_that_makes_attributes_out_of_strings_is_closed(code, load):
    modules = "import dataclasses, operator, typing, torch\nimport numpy as np\nfrom torch import nn\n"
    closed = "not available|cannot be|cannot read|only be used|makes no classes|takes no arguments"
    with pytest.raises(Exception, match=closed):
        load(f"{modules}x = {code}\n")


def test_deepcopy_takes_no_memo_from_the_caller(load):
    source = """
import copy
class Memo:
    used = False
    def get(self, key, default=None):
        Memo.used = True
        return default
class A:
    def __init__(self): self.x = [1]
a = copy.deepcopy(A(), Memo())
"""
    submission = load(source)
    assert submission["a"].x == [1]
    assert not submission["Memo"].used


def test_private_names_that_a_base_uses_are_closed_on_its_subclasses(load):
    """nn.LSTM reads attributes by the names in its _flat_weights_names."""
    with pytest.raises(AttributeError, match="_flat_weights_names"):
        load("from torch import nn\nclass L(nn.LSTM): pass\nL(1, 1)._flat_weights_names = ['__dict__']\n")
    assert load("from torch import nn\nclass L(nn.LSTM): pass\nx = L(1, 1)\nx._mine = 3\ny = x._mine\n")["y"] == 3


def test_every_private_name_on_objects_of_torch_is_closed_on_subclasses(load):
    made = [
        *(
            torch.nn.Module(),
            torch.nn.Linear(1, 1),
            torch.nn.LSTM(1, 1),
            torch.nn.GRUCell(1, 1),
            torch.nn.Conv2d(1, 1, 1),
        ),
        *(torch.nn.BatchNorm1d(1), torch.nn.MultiheadAttention(1, 1), torch.nn.ModuleList(), torch.nn.Sequential()),
        *(torch.nn.ParameterList(), torch.nn.Embedding(1, 1), torch.nn.ConvTranspose1d(1, 1, 1), torch.nn.LayerNorm(1)),
    ]
    for value in made:
        name = type(value).__name__
        rules_of = load(f"from torch import nn\nclass A(nn.{name}): pass\n")
        closed = rules_of.namespace["$metaclass"]._rules.own[rules_of["A"]]
        assert {attribute for attribute in vars(value) if attribute.startswith("_")} <= closed, name


def test_a_dataclass_writes_no_closed_attribute(load):
    imports = "from dataclasses import dataclass\nfrom torch import nn\n"
    source = f"{imports}@dataclass(eq=False)\nclass A(nn.Module):\n    _modules: dict\n"
    with pytest.raises(Exception, match="_modules cannot be a field"):
        load(source)


def test_future_annotations_do_not_break_dataclasses(load):
    imports = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    source = f"{imports}@dataclass\nclass A:\n    x: int = 3\ny = A().x\n"
    assert load(source)["y"] == 3


def test_augmented_assignment_does_not_read_what_is_closed(load):
    source = """
from torch import nn
seen = []
class R:
    def __radd__(self, other):
        seen.append(other)
        return other
class M(nn.Module): pass
m = M()
m.register_forward_hook += R()
"""
    with pytest.raises(AttributeError, match="register_forward_hook"):
        load(source)


def test_the_hooks_have_names_that_no_source_can_say():
    for hook in ("$getattr", "$write", "$metaclass"):
        assert not hook.isidentifier()


@pytest.mark.parametrize(
    "binding",
    [
        "{} = 1",
        "({} := 1)",
        "for {} in [1]: pass",
        "import math as {}",
        "from math import pi as {}",
        "def {}(): pass",
        "class {}: pass",
        "def f({}): pass",
        "f = lambda {}: 1",
        "[1 for {} in [1]]",
        "try: 1 / 0\nexcept Exception as {}: pass",
        "with open as {}: pass",
        "match 1:\n    case {}: pass",
        "match [1]:\n    case [*{}]: pass",
        "match {{}}:\n    case {{**{}}}: pass",
        "def f():\n    global {}",
        "def f():\n    x = 1\n    def g():\n        nonlocal {}",
        "del {}",
        "x: int = 1; {}: int = 2",
        "({}, x) = 1, 2",
        "print({})",
    ],
)
@pytest.mark.parametrize("name", ["__builtins__", "__import__", "__class__"])
def test_no_binding_of_any_kind_touches_a_special_name(binding, name, refusals):
    found = refusals(binding.format(name) + "\n")
    assert any(refusal.code in ("forbidden_name", "syntax_error") for refusal in found)


def test_special_methods_may_be_assigned_from_each_other(load):
    source = """
class A:
    def __add__(self, other): return 5
    __radd__ = __add__
    __hash__ = None
    def __str__(self): return "A"
    __repr__ = __str__
x = (A() + 1, 1 + A(), repr(A()))
"""
    assert load(source)["x"] == (5, 5, "A")


def test_other_special_names_may_not_be_assigned_in_a_class(refusals):
    for name in ("__getattr__", "__del__", "__torch_function__", "__slots__", "__class__", "__init_subclass__"):
        (found,) = refusals(f"class A:\n    {name} = lambda *a: 1\n")
        assert found.line == 2


def test_private_names_are_mangled_as_in_python(load):
    source = """
class A:
    __x = 1
    def __init__(self): self.__y = 2
    def get(self): return self.__x + self.__y, [self.__y for _ in range(1)], (lambda: self.__x)()
class _B_(A):
    __x = 10
    def own(self): return self.__x
a, b = A(), _B_()
values = (a.get(), b.own())
"""
    submission = load(source)
    assert submission["values"] == ((3, [2], 1), 10)
    assert submission["a"]._A__y == 2


def test_code_that_is_written_to_run_as_a_script_is_left_out(load):
    source = "x = 1\nif __name__ == '__main__':\n    import os\n    x = os.nothing\nelse:\n    y = 2\n"
    assert (load(source)["x"], load(source)["y"]) == (1, 2)


def test_the_same_test_inside_a_function_stays(load):
    assert load("def f():\n    if __name__ == '__main__':\n        return 1\n    return 2\nx = f()\n")["x"] == 2


def test_annotations_are_never_evaluated(load):
    source = """
import math
def f(x: 1 / 0, *a: nope, b: math.nope = 2, **k: "text") -> undefined.name:
    y: 1 / 0 = 3
    z: nowhere
    return y
class A:
    w: undefined = 4
A.v: undefined = 5
x = f(1), A.w, A.v
"""
    assert load(source)["x"] == (3, 4, 5)


def test_unused_imports_of_any_kind_are_left_out_with_a_remark(load):
    source = "import os, math\nfrom einops import rearrange, repeat\nimport torch.utils.tensorboard\nx = math.pi\n"
    assert load(source).compiled.remarks == (
        "Line 1: import os is not used and was left out.",
        "Line 2: from einops import rearrange is not used and was left out.",
        "Line 2: from einops import repeat is not used and was left out.",
        "Line 3: import torch.utils.tensorboard is not used and was left out.",
    )


def test_an_optional_import_fails_as_in_python(load):
    source = "try:\n    import einops\nexcept ImportError as e:\n    x = str(e)\n"
    assert "einops is not installed" in load(source)["x"]


def test_an_unused_import_of_a_refused_module_is_no_name(load):
    with pytest.raises(NameError):
        load("import os\ndef f(): exec_ = 1\ng = lambda: None\nx = globals_\n")


def test_a_name_that_is_rebound_is_not_judged_by_its_import(load):
    source = "import torch\nclass Fake:\n    save = 3\ntorch = Fake()\nx = torch.save\n"
    assert load(source)["x"] == 3


def test_shadowed_builtins_are_ordinary_names(load):
    assert load("def f(input, id, open): return input + id + open\nx = f(1, 2, 3)\n")["x"] == 6


def test_grad_and_inference_mode_left_on_stay_in_the_process_of_the_submission(load):
    """The child resets both before each case; here it is only shown that a generator can leave one on."""
    source = "import torch\ndef g():\n    with torch.no_grad():\n        yield 1\nG = g()\nnext(G)\n"
    try:
        submission = load(source)
        assert not torch.is_grad_enabled()
        submission["G"].close()
    finally:
        torch.set_grad_enabled(True)


def test_compiling_does_not_leak_the_future_flags_of_our_own_modules(load):
    """With the annotations flag of the compiling module, `x: int` in a class would become a string."""
    submission = load("class A:\n    x: int = 1\n")
    assert submission["A"].__annotations__ == {"x": None}


def test_every_module_in_a_namespace_is_a_view(load):
    submission = load("import torch, math, torch.nn.functional as F, numpy as np\nfrom torch import nn, linalg\n")
    values = [submission[name] for name in ("torch", "math", "F", "np", "nn", "linalg")]
    assert all(type(value) is View for value in values)
    assert not any(isinstance(value, types.ModuleType) for value in submission.namespace.values())


def test_two_submissions_share_no_class_and_no_view():
    one, two = Language.prepare(), Language.prepare()
    assert one._views["torch"] is not two._views["torch"]
    code = one.compile(b"class A: pass\n").code
    namespace = one.namespace(Sink(1))
    exec(code, namespace)  # noqa: S102 - what the policy compiles is there to be executed
    assert namespace["A"] in one._rules.own
    assert namespace["A"] not in two._rules.own
