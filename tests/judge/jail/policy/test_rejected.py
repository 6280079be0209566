"""What is refused is refused on the right line, with a code and a way out, whenever it is found."""

from pathlib import Path

import pytest
import torch

from judge.jail.policy import Refused, explain

CORPUS = Path(__file__).parents[3] / "corpus" / "rejected"
FORBID = [("@attention", "Write the attention yourself with matmul and softmax.")]

EXPECTED = {
    "01_fused_op": (4, "forbidden_name", "may not be used in this problem. Write the attention yourself"),
    "03_fused_op_getattr": (4, "forbidden_name", "may not be used in this problem. Write the attention yourself"),
    "05_flex_attention": (2, "forbidden_import", "use torch, torch.nn, torch.nn.functional"),
    "07_os_used": (1, "forbidden_import", "cannot touch files, processes, the network or the interpreter"),
    "09_matplotlib_used": (1, "forbidden_import", "use print() to look at values"),
    "11_torch_save": (2, "forbidden_name", "submissions cannot read or write files"),
    "13_eval": (2, "forbidden_name", "write the expression directly"),
    "15_async_def": (2, "forbidden_construct", "write a plain def"),
    "17_metaclass": (2, "forbidden_construct", "metaclass= is not supported"),
    "19_enum_used": (2, "forbidden_import", "use plain constants or a small class of your own"),
    "21_tensor_subclass": (2, "forbidden_construct", "not Tensor"),
    "23_autograd_function": (2, "forbidden_name", "torch.autograd.Function is not available"),
    "25_getattr_method": (3, "forbidden_construct", "__getattr__ cannot be defined"),
    "27_default_dtype": (2, "forbidden_name", "pass dtype= or device= to the call"),
    "29_star_torch": (1, "forbidden_import", 'use "import torch"'),
    "31_format_attr": (4, "forbidden_name", "use an f-string"),
    "33_print_file": (5, "forbidden_name", "print(file=...) is not available"),
    "37_return_outside": (2, "syntax_error", "'return' outside function"),
    "38_numpy_arrays": (6, "forbidden_name", "numpy.matmul is not available"),
}


def first_refusal(path, load):
    source = path.read_bytes()
    try:
        submission = load(source, forbid=FORBID)
        submission["scaled_dot_product_attention"](torch.ones(3, 4), torch.ones(5, 4), torch.ones(5, 2))
    except Refused as error:
        return error.refusals[0]
    except Exception as error:  # noqa: BLE001 - the policy raises from inside the submission
        return explain(error, source.decode()).refusal
    pytest.fail("accepted")


@pytest.mark.parametrize("name", EXPECTED)
def test_a_refusal_names_the_line_the_code_and_the_way_out(name, load):
    refusal = first_refusal(CORPUS / f"{name}.py", load)
    line, code, words = EXPECTED[name]
    assert (refusal.line, refusal.code) == (line, code)
    assert words in refusal.message


def test_a_misspelled_tensor_method_is_an_exception_with_a_suggestion(explained):
    source = (CORPUS / "35_tensor_typo.py").read_text()
    call = "\ndef run(): scaled_dot_product_attention(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2))\n"
    found = explained(source + call)
    assert found.refusal is None
    assert (found.type_name, found.line) == ("AttributeError", 4)
    assert found.message == "'Tensor' object has no attribute 'matmull'. Did you mean 'matmul'?"


def test_every_rejected_program_of_the_corpus_is_looked_at():
    assert {path.stem for path in CORPUS.glob("*.py")} == {*EXPECTED, "35_tensor_typo"}


def test_all_problems_are_reported_together_and_sorted_by_line(refusals):
    found = refusals(
        "import torch\ntorch.save(1)\nx = eval('1')\n\nclass A:\n    def __del__(self): pass\nimport os\nos\n"
    )
    assert [(refusal.line, refusal.code) for refusal in found] == [
        (2, "forbidden_name"),
        (3, "forbidden_name"),
        (6, "forbidden_construct"),
        (7, "forbidden_import"),
    ]


def test_columns_count_characters_from_one(refusals):
    source = "δδ = 'Ünïcode'; y = eval('1')\n"
    (found,) = refusals(source)
    assert (found.line, found.column) == (1, source.index("eval") + 1)


def test_no_sentence_repeats_the_line_and_each_ends_in_a_full_stop(refusals):
    for path in CORPUS.glob("*.py"):
        try:
            found = refusals(path.read_bytes(), forbid=FORBID)
        except pytest.fail.Exception:
            continue
        assert all(refusal.message.endswith((".", "?")) and "Line" not in refusal.message for refusal in found)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%matplotlib inline", "notebook commands"),
        ("!pip install einops", "notebook commands"),
        ("```python", "Markdown code fence"),
        (">>> x = 1", "console prompt"),
        ("In [3]: import math", "console prompt"),
    ],
)
def test_text_pasted_from_elsewhere_is_recognised(line, words, refusals):
    (found,) = refusals(f"import torch\n{line}\n")
    assert (found.line, found.code) == (2, "syntax_error")
    assert words in found.message
