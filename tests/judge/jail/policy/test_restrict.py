"""A problem forbids names and offers modules: by group, by dotted name, under every alias, with its own message."""

import time

import pytest
import torch

from judge.jail.policy import Language, Sink

GROUP = [("@attention", "Write the attention yourself with matmul and softmax.")]
CLOSED = "torch.nn.functional.scaled_dot_product_attention may not be used in this problem."

ROUTES = {
    "attribute": "import torch.nn.functional as F\nF.scaled_dot_product_attention",
    "full path": "import torch\ntorch.nn.functional.scaled_dot_product_attention",
    "module alias": "import torch.nn.functional as F\nG = F\nG.scaled_dot_product_attention",
    "list": "import torch.nn.functional as F\n[F][0].scaled_dot_product_attention",
    "dict": "import torch.nn.functional as F\n{1: F}[1].scaled_dot_product_attention",
    "getattr": "import torch.nn.functional as F\ngetattr(F, 'scaled_dot_product' + '_attention')",
    "getattr alias": "import torch.nn.functional as F\ng = getattr\ng(F, 'scaled_dot_product_attention')",
    "map": "import torch.nn.functional as F\nlist(map(getattr, [F], ['scaled_dot_product_attention']))",
    "reduce": "import functools as f, torch.nn.functional as F\nf.reduce(getattr, ['scaled_dot_product_attention'], F)",
    "partial": "import functools as f, torch.nn.functional as F\nf.partial(getattr, F)('scaled_dot_product_attention')",
    "from": "from torch.nn.functional import scaled_dot_product_attention",
    "from as": "from torch.nn.functional import scaled_dot_product_attention as s\ns",
    "from nn": "from torch.nn import functional as F\nF.scaled_dot_product_attention",
    "star": "from torch.nn.functional import *\nscaled_dot_product_attention",
    "parameter": "import torch.nn.functional as F\n(lambda m: m.scaled_dot_product_attention)(F)",
    "default": "import torch.nn.functional as F\n(lambda m=F: m.scaled_dot_product_attention)()",
    "comprehension": "import torch.nn.functional as F\n[m.scaled_dot_product_attention for m in [F]]",
    "walrus": "import torch.nn.functional as F\n(m := F).scaled_dot_product_attention",
    "class attribute": "import torch.nn.functional as F\nclass A: m = F\nA.m.scaled_dot_product_attention",
    "import in function": "def f():\n import torch\n return torch.nn.functional.scaled_dot_product_attention\nf()",
    "rebound": "import torch.nn.functional as F\nF = F\nF.scaled_dot_product_attention",
    "match": "import torch.nn.functional as F\nmatch F:\n    case m: m.scaled_dot_product_attention",
    "nn.modules": "import torch\ntorch.nn.modules.MultiheadAttention",
    "subclass": "from torch import nn\nclass A(nn.TransformerEncoderLayer): pass",
}


@pytest.mark.parametrize("route", ROUTES)
def test_a_forbidden_name_is_out_of_reach_by_every_route(route, load):
    with pytest.raises(Exception, match=r"may not be used in this problem|is not defined"):
        load(ROUTES[route], forbid=GROUP)


def test_a_student_may_use_the_bare_name_for_a_function_of_their_own(load):
    source = (
        "import torch\ndef scaled_dot_product_attention(Q, K, V): return Q\nF = scaled_dot_product_attention(1, 2, 3)"
    )
    assert load(source, forbid=GROUP)["F"] == 1


def test_the_message_of_the_problem_follows_the_name(refusals):
    (found,) = refusals("import torch.nn.functional as F\n\nF.scaled_dot_product_attention(1)\n", forbid=GROUP)
    assert (found.line, found.column, found.code) == (3, 1, "forbidden_name")
    assert found.message == f"{CLOSED} Write the attention yourself with matmul and softmax."


def test_a_forbidden_import_is_refused_even_if_it_is_not_used(refusals):
    (found,) = refusals("from torch.nn.functional import scaled_dot_product_attention\n", forbid=GROUP)
    assert (found.line, found.code) == (1, "forbidden_name")


def test_one_dotted_name_vanishes_under_every_alias_of_the_same_function(load):
    forbid = [("torch.nn.functional.conv1d", "Write the sum.")]
    with pytest.raises(Exception, match=r"may not be used in this problem. Write the sum."):
        load("import torch\ntorch.conv1d", forbid=forbid)


def test_a_forbidden_tensor_method_is_refused_when_it_is_called(explained):
    forbid = [("@softmax", "Write the softmax yourself.")]
    found = explained("import torch\ndef run():\n    return torch.ones(2).softmax(-1)\n", forbid=forbid)
    assert found.refusal.line == 3
    assert found.refusal.code == "forbidden_name"
    assert found.refusal.message == "torch.Tensor.softmax may not be used in this problem. Write the softmax yourself."


def test_a_forbidden_tensor_method_is_closed_on_the_class_and_on_parameters_too(load):
    forbid = [("torch.Tensor.softmax", "")]
    for source in ("torch.Tensor.softmax", "torch.nn.Parameter(torch.ones(1)).softmax", "torch.nn.Parameter.softmax"):
        with pytest.raises(AttributeError, match="may not be used"):
            load(f"import torch\n{source}", forbid=forbid)


def test_own_attributes_of_a_forbidden_name_stay_free(load):
    source = "class A:\n    def softmax(self): return 3\nx = A().softmax()\n"
    assert load(source, forbid=[("@softmax", "")])["x"] == 3


@pytest.mark.parametrize(
    "use", ["import torch.fft", "import torch\ntorch.fft", "from torch import fft", "from torch.fft import fft"]
)
def test_a_whole_module_may_be_forbidden(use, load, refusals):
    forbid = [("torch.fft", "Write the sum.")]
    (found,) = refusals(f"{use}\n", forbid=forbid)
    assert found.message == "torch.fft may not be used in this problem. Write the sum."
    load("import torch\ntorch.special.expit", forbid=forbid)
    (found,) = refusals("import math\nmath\n", forbid=[("math", "Use torch.")])
    assert found.message == "math may not be used in this problem. Use torch."


@pytest.mark.parametrize(
    ("forbid", "imports", "words"),
    [
        ([("@nothing", "")], [], "there is no group @nothing; the groups are @attention, @softmax"),
        ([("torch.nothing", "")], [], "there is no torch.nothing"),
        ([("nowhere.nothing", "")], [], "there is no nowhere.nothing"),
        ([("torch.Tensor.nothing", "")], [], "there is no torch.Tensor.nothing"),
        ([("softmax", "")], [], "there is no softmax"),
        ([], ["os"], "os cannot be offered"),
    ],
)
def test_an_unknown_name_in_a_problem_is_an_error_with_a_sentence(forbid, imports, words):
    with pytest.raises(ValueError, match="policy") as caught:
        Language.prepare().restrict(forbid, imports)
    assert words in str(caught.value)


def test_a_name_that_is_closed_anyway_may_be_forbidden_with_a_better_message(refusals):
    (found,) = refusals("import torch\ntorch.save(1)\n", forbid=[("torch.save", "There is nothing to save.")])
    assert found.message == "torch.save may not be used in this problem. There is nothing to save."


def test_numpy_is_lite_unless_the_problem_asks_for_it(load, refusals):
    assert load("import numpy as np\nx = np.sqrt(4)")["x"] == 2
    (found,) = refusals("import numpy as np\nnp.ones(2)\n")
    assert (found.line, found.message) == (2, "numpy.ones is not available in this judge.")
    wide = load("import numpy as np, torch\nx = torch.from_numpy(np.ones(2)).numpy().sum()\n", imports=["numpy"])
    assert wide["x"] == 2


def test_restricting_is_cheap_enough_for_every_submission():
    language = Language.prepare()
    began = time.perf_counter()
    language.restrict(GROUP, [])
    assert time.perf_counter() - began < 0.005


def test_two_languages_in_one_process_do_not_know_each_other(load):
    strict = Language.prepare()
    strict.restrict([("@softmax", "")], [])
    load("import torch\nassert torch.softmax(torch.ones(2), -1).sum() == torch.ones(2).softmax(-1).sum()")
    assert callable(torch.softmax)
    code = strict.compile(b"import torch\nx = torch.ones(2).softmax(-1)\n").code
    with pytest.raises(AttributeError, match="may not be used"):
        exec(code, strict.namespace(Sink(1)))  # noqa: S102 - what the policy compiles is there to be executed


def test_classes_of_one_submission_are_foreign_to_another(load):
    first = load("class A:\n    pass\n")
    second = load("def f(x): return x.secret\n")
    value = first["A"]()
    value.secret = 1
    with pytest.raises(AttributeError):
        second["f"](value)


@pytest.mark.parametrize("imports", [(), ("numpy",)])
@pytest.mark.parametrize("forbid", [(), GROUP, [("torch.Tensor.softmax", ""), ("torch.Tensor.T", "")]])
def test_no_name_that_some_type_keeps_closed_is_read_without_a_guard(forbid, imports):
    language = Language.prepare()
    language.restrict(forbid, imports)
    names = language._names.plain | set().union(*language._rules.closed.values())
    assert {name for name in names if name in language._unguarded} == language._rules.unguarded()
