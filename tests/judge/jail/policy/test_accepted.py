"""Honest code is never refused: every program of the corpus compiles, runs and computes the right result."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

REPOSITORY = Path(__file__).parents[4]
CORPUS = REPOSITORY / "tests" / "corpus"
PROGRAMS = sorted([*(CORPUS / "accepted").glob("*.py"), *(CORPUS / "more_accepted").glob("*.py")])
FORBID = [("@attention", "Write the attention yourself with matmul and softmax.")]


def inputs(*lead):
    generator = torch.Generator().manual_seed(len(lead))
    shapes = ((*lead, 3, 5), (*lead, 6, 5), (*lead, 6, 2))
    return [torch.randn(*shape, generator=generator) for shape in shapes]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_honest_program_computes_the_answer_in_every_rank(path, load, answer):
    submission = load(path.read_bytes(), forbid=FORBID)
    for lead in ((), (2,), (2, 3)):
        given = inputs(*lead)
        output = submission["scaled_dot_product_attention"](*(x.clone() for x in given))
        assert type(output) is torch.Tensor
        assert output.dtype == torch.float32
        torch.testing.assert_close(output.double(), answer(*given), rtol=1e-5, atol=1e-5)


def test_no_honest_program_imports_a_module_while_it_runs():
    """A child has no files: what torch imports on first use must be there before."""
    script = """
import sys
from pathlib import Path
import torch, warnings
warnings.simplefilter("ignore")
import unicodedata
from judge.jail.policy import Language, Sink
from judge.jail.rehearsal import warm_up
warm_up()
Language.prepare()
before = set(sys.modules)
for path in map(Path, sys.argv[1:]):
    language = Language.prepare()
    compiled = language.compile(path.read_bytes())
    namespace = language.namespace(Sink(1 << 16))
    exec(compiled.code, namespace)
    namespace["scaled_dot_product_attention"](torch.randn(3, 5), torch.randn(6, 5), torch.randn(6, 2))
    new = set(sys.modules) - before
    if new:
        print(path.stem, sorted(new))
    before |= new
"""
    command = [sys.executable, "-c", script, *map(str, PROGRAMS)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
