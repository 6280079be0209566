"""With the attention group forbidden, no single remaining name computes the answer: it has to be written."""

import contextlib
import io

import pytest
import torch

from judge.jail.policy import Language
from judge.jail.policy.names import Names
from judge.jail.policy.views import View

Q, K, V = (
    torch.randn(*shape, generator=torch.Generator().manual_seed(3)) for shape in ((2, 5, 4), (2, 7, 4), (2, 7, 6))
)
X = torch.randn(3, 5, generator=torch.Generator().manual_seed(4))
ATTENTION = torch.softmax(Q @ K.mT / 2, dim=-1) @ V
SOFTMAX = torch.softmax(X, dim=-1)


def is_close(output, expected):
    if isinstance(output, tuple | list):
        return any(is_close(item, expected) for item in output)
    if not isinstance(output, torch.Tensor) or output.shape != expected.shape or output.is_complex():
        return False
    return torch.allclose(output.float(), expected, atol=1e-4)


def computes(function, arguments, expected):
    """Whether the function gives the expected tensor for the arguments; whatever it raises means no."""
    given = [value.clone() if isinstance(value, torch.Tensor) else value for value in arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return is_close(function(*given), expected)
    except Exception:  # noqa: BLE001 - most functions do not take these arguments
        return False


def callables(language):
    """Every function and class of the views, and every method of tensors, by name."""
    for path, view in language._views.items():
        for name, value in vars(view).items():
            if callable(value) and not isinstance(value, View) and path.startswith("torch"):
                yield f"{path}.{name}", value
    for name in Names.read().tensor_readable - language._rules.tensor_closed.keys():
        method = getattr(torch.Tensor, name)
        if callable(method):
            yield f"torch.Tensor.{name}", method


def modules_made_of(value):
    """Objects of a module class, made in the usual ways."""
    if isinstance(value, type) and issubclass(value, torch.nn.Module):
        for arguments in ((), (-1,), (1,), (4,)):
            with contextlib.suppress(Exception):
                yield value(*arguments)


@pytest.mark.filterwarnings("ignore")
def test_no_allowed_callable_computes_attention():
    language = Language.prepare()
    language.restrict([("@attention", "")], [])
    found = [
        name
        for name, value in callables(language)
        if any(computes(function, (Q, K, V), ATTENTION) for function in (value, *modules_made_of(value)))
    ]
    assert found == []


@pytest.mark.filterwarnings("ignore")
def test_the_scan_would_notice_the_fused_operation():
    names = [name for name, value in callables(Language.prepare()) if computes(value, (Q, K, V), ATTENTION)]
    assert names == ["torch.nn.functional.scaled_dot_product_attention"]


@pytest.mark.filterwarnings("ignore")
def test_no_allowed_callable_computes_softmax_when_that_is_forbidden():
    language = Language.prepare()
    language.restrict([("@softmax", "")], [])
    found = [
        name
        for name, value in callables(language)
        if any(
            computes(function, arguments, SOFTMAX)
            for function in (value, *modules_made_of(value))
            for arguments in ((X, -1), (X,), (X, 1))
        )
    ]
    assert found == []
