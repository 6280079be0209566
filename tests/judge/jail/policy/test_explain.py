"""A failure is explained with the student's own lines, Python's words and a hint."""

import pytest
import torch

from judge.jail.policy import NotAllowed, OutputLimit, explain

HINTS = {
    "torch.ones(2, 3).matmull(1)": "Did you mean 'matmul'?",
    "torch.sofmax(torch.ones(2), -1)": "Did you mean 'softmax'?",
    "F.softmax(torch.ones(2), -1)": "import torch.nn.functional as F is missing.",
    "math.sqrt(2)": "import math is missing.",
    "np.sqrt(2)": "import numpy as np is missing.",
    "softmax(torch.ones(2), -1)": "Did you mean torch.softmax?",
    "valeu": "Did you mean 'value'?",
    "torch.ones(2, 3).mT.view(6)": "use .reshape(...)",
    "torch.ones(3, 4) @ torch.ones(5, 4)": "transpose the last two dimensions",
    "torch.ones(2, 3, 4) @ torch.ones(2, 5, 4)": "transpose the last two dimensions",
    "torch.bmm(torch.ones(3, 4), torch.ones(4, 5))": "any number of leading dimensions",
    "torch.mm(torch.ones(1, 3, 4), torch.ones(4, 5))": "use @ or torch.matmul",
    "torch.ones(2, 3, 4).t()": "Use .mT or .transpose(-2, -1)",
    "torch.softmax(torch.ones(2, 3), dim=2)": "-1 is the last dimension",
    "torch.ones(2, 3) + torch.ones(2, 4)": "keepdim=True",
    "torch.ones(6).view(4, 2)": "The product of the sizes",
    "torch.ones(2, 2) @ torch.ones(2, 2).double()": "both sides need one dtype",
    "torch.sqrt(4)": "use math.sqrt(d) or d ** 0.5",
    "float(torch.ones(3))": "math works on single numbers",
    "torch.ones(2, 3, 4).transpose(0, 2, 1)": "permute reorders all",
    "torch.softmax(torch.ones(3))": "dim=-1 for the last",
    "torch.ones(2).shape(0)": "shape is not a function",
    "torch.ones(2).size[0]": "x.size(-1)",
    "torch.ones(2)(3)": "A tensor cannot be called",
    "1 if torch.ones(2) > 0 else 2": "use torch.where",
    "nothing() @ torch.ones(2)": "lack a return",
    "nothing().shape": "lack a return",
    "torch.ones(2)[0, 0]": "x[..., i, :]",
    "n, d = torch.ones(2, 3, 4).shape": "*batch, n, d = x.shape",
    "torch.ones(2).astype(int)": "Use .to(dtype)",
    "torch.ones(2).copy()": "Use .clone()",
    "local += 1": "local to it",
    "run()": "without coming to an end",
    "In[3]": "console prompt",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", HINTS)
def test_a_hint_follows_what_python_says(code, explained):
    found = explained(f"import torch\nlocal = 1\ndef nothing(): pass\ndef run(value=0):\n    {code}\n")
    assert HINTS[code].lower() in found.message.lower()
    assert found.line == 5
    assert found.refusal is None


@pytest.mark.filterwarnings("ignore")
def test_t_on_a_batch_is_recognised_also_when_it_fails_later(explained):
    source = "import torch\ndef run():\n    K = torch.ones(2, 3, 4)\n    t = K.T\n    return torch.ones(2, 5, 4) @ t\n"
    assert explained(source).message.endswith(".T reverses all dimensions of a batch: use .mT or .transpose(-2, -1).")


def test_the_traceback_shows_own_frames_with_their_lines_and_the_expression(explained):
    source = "import torch\n\ndef inner(x):\n    return 1 + x.nope + 2\n\ndef run():\n    return inner(torch.ones(2))\n"
    assert explained(source).traceback.split("\n") == [
        "Traceback (innermost call last):",
        "  Line 7, in run",
        "    return inner(torch.ones(2))",
        "           ^^^^^^^^^^^^^^^^^^^^",
        "  Line 4, in inner",
        "    return 1 + x.nope + 2",
        "               ^^^^^^",
        "AttributeError: 'Tensor' object has no attribute 'nope'",
    ]


def test_frames_of_torch_and_of_the_judge_are_left_out(explained):
    source = (
        "import torch\nfrom torch import nn\nclass M(nn.Module):\n"
        "    def forward(self, x):\n        return x @ torch.ones(9)\n"
        "def run():\n    return M()(torch.ones(2))\n"
    )
    found = explained(source)
    assert found.line == 5
    assert [line for line in found.traceback.split("\n") if line.startswith("  Line")] == [
        "  Line 7, in run",
        "  Line 5, in forward",
    ]
    assert "site-packages" not in found.traceback


def test_a_deep_recursion_is_cut_in_the_middle(explained):
    found = explained("def f(n): return f(n + 1)\ndef run(): f(0)\n")
    assert found.type_name == "RecursionError"
    assert "more calls" in found.traceback
    assert found.traceback.count("\n") < 60


def test_a_refusal_at_run_time_has_the_line_and_column_of_the_expression(explained):
    found = explained("import torch\ndef run():\n    x = 1; y = getattr(torch, 'sa' + 've')\n")
    assert (found.refusal.line, found.refusal.column, found.refusal.code) == (3, 16, "forbidden_name")
    assert found.type_name == "NotAllowed"


def test_a_refused_import_at_run_time_is_a_forbidden_import(explained):
    source = "def run():\n    try:\n        import os\n    except ImportError as e:\n        raise e\n"
    assert explained(source).refusal.code == "forbidden_import"


def test_types_of_the_submission_are_not_named(explained):
    found = explained("class Leaks42(Exception): pass\ndef run(): raise Leaks42('text')\n")
    assert (found.type_name, found.message) == ("a type of your own", "text")
    assert "Leaks42" not in found.traceback.split("\n")[-1]


@pytest.mark.parametrize(
    ("raised", "type_name", "message"),
    [
        ("ValueError", "ValueError", ""),
        ("ValueError('a', 1)", "ValueError", "('a', 1)"),
        ("KeyError('k')", "KeyError", "'k'"),
        ("ValueError(x)", "ValueError", "a tensor of shape (2, 3)"),
        ("ValueError(x.shape)", "ValueError", "(2, 3)"),
        ("ValueError(Hostile())", "ValueError", "(a value that is not shown)"),
        ("Own('told')", "a type of your own", "told"),
        ("OSError(2, 'no')", "FileNotFoundError", "[Errno 2] no"),
        ("OSError(2, 'no', Hostile())", "FileNotFoundError", "[Errno 2] no"),
        ("SyntaxError('m', ('<submission>', Hostile(), 1, 't'))", "SyntaxError", None),
        ("OwnSyntax('told')", "a type of your own", "told"),
        ("AttributeError('a', name='x', obj=Hostile())", "AttributeError", "a"),
        ("NameError('a', name=Hostile())", "NameError", "a"),
        ("StopIteration(5)", "StopIteration", "5"),
        ("SystemExit(3)", "SystemExit", "3"),
        ("KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("AssertionError('bad ' * 9999)", "AssertionError", None),
        ("ValueError(10 ** 9999)", "ValueError", "(a value that is not shown)"),
        ("ValueError('\\ud800')", "ValueError", "\\ud800"),
        ("Talks()", "a type of your own", "(a value that is not shown)"),
    ],
)
def test_nothing_of_a_hostile_exception_is_called(raised, type_name, message, explained):
    source = f"""
import torch
x = torch.ones(2, 3)
class Hostile:
    def __str__(self): raise SystemExit
    __repr__ = __str__
    def __len__(self): raise SystemExit
class Own(Exception):
    def __str__(self): raise SystemExit
class OwnSyntax(SyntaxError):
    @property
    def filename(self): raise SystemExit
class Talks(Exception):
    def __init__(self): super().__init__(Hostile())
    @property
    def args(self): raise SystemExit
def run(): raise {raised}
"""
    found = explained(source)
    assert found.type_name == type_name
    assert len(found.message) <= 2100
    if message is not None:
        assert found.message == message
    found.traceback.encode()


def test_a_name_error_inside_a_class_body_or_lambda_is_explained(explained):
    assert explained("class A:\n    x = toch\ndef run(): pass\n").line == 2
    assert explained("run = lambda: undefined_name\n").line == 1


def test_a_syntax_error_of_plain_python_becomes_a_refusal():
    source = "x = 1\ny = (\n"
    with pytest.raises(SyntaxError) as caught:
        compile(source, "<submission>", "exec")
    found = explain(caught.value, source)
    assert (found.refusal.line, found.refusal.code) == (2, "syntax_error")


def test_an_exception_without_frames_of_the_submission_has_no_line():
    found = explain(ValueError("x"), "x = 1")
    assert (found.line, found.traceback) == (0, "ValueError: x")
    assert explain(OutputLimit(), "").type_name == "OutputLimit"
    assert explain(NotAllowed("no"), "").refusal.line == 1
    assert explain(torch.linalg.LinAlgError("singular"), "").type_name == "torch.linalg.LinAlgError"


def test_a_function_that_ends_in_a_value_is_remarked_on(load):
    source = "import torch\ndef f(w, V):\n    w = w\n    w @ V\n\nimport os\n"
    assert load(source).compiled.remarks == (
        "Line 4: the value of the last line of f is not used: is a return missing?",
        "Line 6: import os is not used and was left out.",
    )


def test_ordinary_functions_are_not_remarked_on(load):
    assert load("def f(x):\n    '''doc'''\n    print(x)\ndef g(): ...\ndef h(x):\n    x.y()\n").compiled.remarks == ()
