"""No attack on the language leaves anything: neither in LEAK, nor in torch, nor on disk."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[4]
CORPUS = REPOSITORY / "tests" / "corpus"
RUNNER = Path(__file__).with_name("attack_runner.py")
ATTACKS = {path.stem: path for kind in ("attacks", "more_attacks") for path in sorted((CORPUS / kind).glob("*.py"))}


class ByName(ast.NodeTransformer):
    """Rewrites every attribute read as a call of getattr with a name that no static check sees."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        half = len(node.attr) // 2
        name = ast.BinOp(ast.Constant(node.attr[:half]), ast.Add(), ast.Constant(node.attr[half:]))
        return ast.Call(ast.Name("getattr", ast.Load()), [node.value, name], [])


def by_name(source):
    tree = ast.fix_missing_locations(ByName().visit(ast.parse(source)))
    return ast.unparse(tree)


def outcomes(directory, imports, rewrite=None):
    """Name of each attack to what it left."""
    sources = {name: path.read_text(encoding="utf-8") for name, path in ATTACKS.items()}
    if rewrite:
        sources = {name: rewrite(source) for name, source in sources.items()}
    done = subprocess.run(
        [sys.executable, str(RUNNER), json.dumps(imports)],
        input=json.dumps(list(sources.values())),
        cwd=directory,
        env={"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    return dict(zip(sources, json.loads(done.stdout), strict=True))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return outcomes(tmp_path_factory.mktemp("plain"), [])


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory):
    return outcomes(tmp_path_factory.mktemp("rewritten"), [], by_name)


@pytest.fixture(scope="module")
def with_numpy(tmp_path_factory):
    return outcomes(tmp_path_factory.mktemp("numpy"), ["numpy"])


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_leaves_nothing(name, plain):
    assert (plain[name]["leak"], plain[name]["changed"]) == (None, []), plain[name]["end"]


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_that_spells_names_at_run_time_leaves_nothing(name, rewritten):
    assert (rewritten[name]["leak"], rewritten[name]["changed"]) == (None, []), rewritten[name]["end"]


ALLOWED_WITH_NUMPY = {"torch_tensor_numpy", "views_numpy_through_torch"}
"""Arrays are what a problem with numpy asks for."""


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - ALLOWED_WITH_NUMPY))
def test_an_attack_on_a_problem_with_numpy_leaves_nothing(name, with_numpy):
    assert (with_numpy[name]["leak"], with_numpy[name]["changed"]) == (None, []), with_numpy[name]["end"]


def test_no_attack_crashes_the_interpreter(plain, rewritten, with_numpy):
    ends = [outcome["end"] for found in (plain, rewritten, with_numpy) for outcome in found.values()]
    assert [end for end in ends if end.startswith("died")] == []
