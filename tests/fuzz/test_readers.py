"""Files of a package, and sources, that somebody damaged or made up: values or a sentence, never anything else.

The readers' own tests try a few hundred; here are tens of thousands, from files and sources that really exist.
"""

from __future__ import annotations

import contextlib
import random
import time

import pytest

from judge.jail.policy import Language, Refused
from problems.documents import parse_yaml
from problems.errors import PackageError
from problems.metadata import CaseYaml, ProblemYaml, SubmissionsYaml, read_metadata
from problems.shipped import shipped_bank
from problems.tensors import decode
from tests.conftest import SLUG

PACKAGE = shipped_bank() / SLUG
FEW, MANY = 300, 30_000
WORST_S = 2.0
"""No source may take longer to be compiled or refused; on a quiet machine all take milliseconds."""
LANGUAGE = Language.prepare()

counts = pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])


def files_like(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(PACKAGE.rglob(pattern))]


def damaged(chance: random.Random, whole: bytes, others: list[bytes]) -> bytes:
    """One to four changes: a byte, a cut, a copy of a part elsewhere, a part of another file, a number grown."""
    out = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out) + 1)
        match chance.randrange(5):
            case 0 if at < len(out):
                out[at] = chance.randrange(256)
            case 1:
                del out[at : at + chance.choice((1, 2, 7, 100))]
            case 2:
                out[at:at] = out[at : at + chance.choice((1, 10, 1000))]
            case 3:
                other = chance.choice(others)
                start = chance.randrange(len(other))
                out[at:at] = other[start : start + chance.choice((1, 20, 300))]
            case _:
                out[at:at] = chance.choice((b"9" * 20, b"[" * 50, b"\xff", b"\0", b"{", b'"', b"-", b": ", b"&a *a "))
    return bytes(out)


@counts
def test_a_damaged_safetensors_file_is_tensors_or_a_sentence(count):
    chance = random.Random(count)  # noqa: S311 - the same files in every run
    files = [file for file in files_like("*.safetensors") if len(file) < 20_000]
    for _ in range(count):
        data = damaged(chance, chance.choice(files), files)
        with contextlib.suppress(PackageError):
            read = decode(data, where="a")
            assert sum(array.nbytes for array in read.arrays.values()) <= len(data)


@counts
def test_a_damaged_yaml_file_is_metadata_or_one_line(count):
    chance = random.Random(count)  # noqa: S311 - the same files in every run
    files = files_like("*.yaml")
    small = [file for file in files if len(file) < 4_000] or files
    for _ in range(count // 4):
        data = damaged(chance, chance.choice(small), files)
        text = data.decode("utf-8", "replace")
        with contextlib.suppress(PackageError):
            parse_yaml(text, where="f.yaml")
        try:
            read_metadata(chance.choice((CaseYaml, ProblemYaml, SubmissionsYaml)), text, where="f.yaml")
        except PackageError as error:
            assert str(error).startswith("f.yaml")  # noqa: PT017 - the sentence is the promise
            assert "\n" not in str(error)  # noqa: PT017 - and that it is one


@counts
def test_a_damaged_source_is_compiled_or_refused_in_time(count):
    chance = random.Random(count)  # noqa: S311 - the same sources in every run
    sources = files_like("*.py")
    for _ in range(count):
        source = damaged(chance, chance.choice(sources), sources)
        began = time.process_time()
        try:
            compiled = LANGUAGE.compile(source)
        except Refused as refused:
            assert refused.refusals  # noqa: PT017 - so is this
            assert all(each.line >= 1 and each.message for each in refused.refusals)  # noqa: PT017 - with its place
        else:
            assert "__globals__" not in compiled.code.co_names
        assert time.process_time() - began < WORST_S
