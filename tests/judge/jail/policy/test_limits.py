"""A source of any bytes costs little and gets a typed answer."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from judge.jail.policy import Refused, limits

REPOSITORY = Path(__file__).parents[4]

BOMBS = {
    "nested finally": (
        "('def f():\\n' + ''.join(' ' * (i + 1) + 'try:\\n' for i in range(18)) + ' ' * 19 + 'return 1\\n'"
        " + ''.join(' ' * (i + 1) + 'finally:\\n' + ' ' * (i + 2) + 'if a: return 1\\n' for i in range(17, -1, -1))"
        ").encode()"
    ),
    "finally in finally": (
        "''.join('\\t' * i + 'try: x\\n' + '\\t' * i + 'finally:\\n' for i in range(19)).encode()"
        " + b'\\t' * 19 + b'x\\n'"
    ),
    "10 MB": "b'x = 1\\n' * 1_500_000",
    "a million elements": "b'x = [' + b'1,' * 1_000_000 + b']'",
    "as many elements as fit": "b'x = [' + b'1,' * 32_000 + b']'",
    "many statements": "b'a=1;' * 13_000",
    "many lines": "b'\\n' * 60_000",
    "many carriage returns": "b'\\r' * 60_000",
    "parentheses": "b'(' * 60_000",
    "closed parentheses": "b'(' * 150 + b'1' + b')' * 150",
    "brackets in error": "b'[' * 199 + b'='",
    "braces": "b'{' * 199 + b':'",
    "nested calls": "b'f(' * 199 + b')' * 199",
    "nested lists in lambda": "b'lambda: [' * 190 + b'1' + b']' * 190",
    "unary operators": "b'x = ' + b'-' * 60_000 + b'1'",
    "not not not": "b'x = ' + b'not ' * 15_000 + b'1'",
    "powers": "b'x = ' + b'2**' * 20_000 + b'2'",
    "additions": "b'x = ' + b'1+' * 30_000 + b'1'",
    "comparisons": "b'x = ' + b'1<' * 30_000 + b'1'",
    "attributes": "b'x' + b'.a' * 30_000",
    "subscripts": "b'x' + b'[0]' * 20_000",
    "calls": "b'x' + b'()' * 30_000",
    "conditionals": "b'x = ' + b'1 if 1 else ' * 5_000 + b'1'",
    "lambdas": "b'x = ' + b'lambda: ' * 8_000 + b'1'",
    "comprehensions": "b'x = [' + b'1 for x in [' * 90 + b'1' + b']' * 91",
    "for clauses": "b'x = [1 ' + b'for x in y ' * 5_000 + b']'",
    "else if": "b'if a: pass\\n' + b'elif a: pass\\n' * 1_900",
    "nested blocks": "''.join(' ' * i + 'if a:\\n' for i in range(99)).encode() + b' ' * 99 + b'pass\\n'",
    "deeper blocks": "''.join(' ' * i + 'if a:\\n' for i in range(300)).encode() + b' ' * 300 + b'pass\\n'",
    "nested functions": "''.join(' ' * i + 'def f():\\n' for i in range(99)).encode() + b' ' * 99 + b'pass\\n'",
    "nested with": "b'with ' + b'(' * 150 + b'a' + b')' * 150 + b': pass\\n'",
    "with in error": "b'with ' + b'((((((((((((((((((((' + b'a as b, ' * 10 + b': pass\\n'",
    "string pieces": "b'x = ' + b'\"a\" ' * 15_000",
    "f-string pieces": "b'x = f\"' + b'{a}' * 15_000 + b'\"'",
    "long string": "b'x = \"' + b'a' * 65_000 + b'\"'",
    "long name": "b'a' * 65_000 + b' = 1'",
    "long number": "b'x = ' + b'9' * 60_000",
    "long hex number": "b'x = 0x' + b'f' * 60_000",
    "constant folding": "b'x = 2 ** 99999 ** 2\\ny = \"a\" * 10**9\\nz = ((1,) * 4096, ) * 4096\\n'",
    "decorators": "b'@a\\n' * 1_900 + b'def f(): pass\\n'",
    "arguments": "b'def f(' + b','.join(b'a%d' % i for i in range(8_000)) + b'): pass'",
    "names": "b'\\n'.join(b'a%d = b%d' % (i, i) for i in range(1_900))",
    "globals": "b'def f():\\n global ' + b','.join(b'a%d' % i for i in range(8_000))",
    "match alternatives": "b'match a:\\n case ' + b'|'.join(b'%d' % i for i in range(9_000)) + b': pass'",
    "nested match": "b'match a:\\n case ' + b'[' * 190 + b'x' + b']' * 190 + b': pass'",
    "imports": "b'import os\\n' * 1_900",
    "attribute problems": "b'import torch\\n' + b'torch.save\\n' * 1_900",
    "null byte": "b'x = 1\\0'",
    "surrogate bytes": "b'x = \"\\xed\\xa0\\x80\"'",
    "invalid utf-8": "b'x = 1\\n\\xff'",
    "utf-16": "'x = 1'.encode('utf-16')",
    "cookie": "b'# -*- coding: utf-7 -*-\\nx = 1\\n'",
    "unknown cookie": "b'# coding: nonsense\\nx = 1\\n'",
    "byte order mark": "b'\\xef\\xbb\\xbfx = 1\\n'",
    "form feeds": "b'\\x0c' * 1_000 + b'x = 1\\n'",
    "tabs and spaces": "b'if 1:\\n\\tx = 1\\n        y = 2\\n'",
    "only a backslash": "b'\\\\'",
    "open string": 'b\'"""\'',
    "nothing": "b''",
    "walrus at the top": "b'x := 1'",
    "dollar name": "b'$getattr = 1'",
    "too many nested for": "''.join(' ' * i + 'for x in y:\\n' for i in range(25)).encode() + b' ' * 25 + b'pass\\n'",
    "duplicate argument": "b'def f(a, a): pass'",
    "nonlocal at the top": "b'nonlocal x'",
    "star nowhere": "b'*a'",
    "yield outside": "b'yield 1'",
    "break outside": "b'break'",
    "future in the middle": "b'x = 1\\nfrom __future__ import annotations\\nfrom __future__ import division\\n'",
    "unknown future": "b'from __future__ import nonsense'",
    "star import in a function": "b'def f():\\n from math import *\\n'",
}


ANSWERS = {"compiled", "syntax_error", "too_large", "forbidden_import", "forbidden_name", "forbidden_construct"}


@pytest.fixture(scope="module")
def measured():
    """Name of each bomb to [answer, seconds, MiB]."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("bomb_runner.py"))],
        input=json.dumps([base64.b64encode(eval(text)).decode() for text in BOMBS.values()]),  # noqa: S307 - our own texts
        env={"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-500:]
    return dict(zip(BOMBS, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_costs_at_most_a_second_and_200_mb_and_gets_a_typed_answer(bomb, measured):
    answer, seconds, grown_mib = measured[bomb]
    assert answer in ANSWERS
    assert seconds <= 1
    assert grown_mib <= 200


@pytest.mark.parametrize(
    ("source", "line", "code"),
    [
        (b"x" * (64 * 1024 + 1), 1, "too_large"),
        (b"\n" * 2001, 2000, "too_large"),
        (b"x = 1\ny = [" + b"1," * 30_000 + b"]\n", 2, "too_large"),
        (b"x = 1\nx = " + b"not " * 300 + b"1\n", 2, "too_large"),
        (b"x = 1\n\ny = '\0'\n", 3, "syntax_error"),
        (b"x = 1\n\n\ny = '\xff'\n", 4, "syntax_error"),
        (b"x = (\n", 1, "syntax_error"),
        (b"x = 1\n  y = 2\n", 2, "syntax_error"),
    ],
)
def test_the_answer_to_what_is_too_large_or_malformed_names_the_line(source, line, code, refusals):
    (found,) = refusals(source)
    assert (found.line, found.code) == (line, code)


@pytest.mark.parametrize(
    "source", [b"\xef\xbb\xbfx = 1\n", b"x = 1\r\ny = 2\r\n", b"x = 1\ry = 2", b"\x0cx = 1\n", b""]
)
def test_byte_order_marks_line_ends_and_form_feeds_are_fine(source, load):
    load(source)


def test_the_estimate_follows_what_the_compiler_copies():
    def nested(depth):
        lines = ["def f():"]
        lines += [" " * (i + 1) + "try:" for i in range(depth)]
        lines.append(" " * (depth + 1) + "return 1")
        for i in reversed(range(depth)):
            lines += [" " * (i + 1) + "finally:", " " * (i + 2) + "if a: return 1"]
        return "\n".join(lines)

    limits.parse(nested(4))
    with pytest.raises(Refused, match="finally"):
        limits.parse(nested(18))


def test_sixty_four_kilobytes_of_ordinary_code_compile(load):
    line = b"s = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V\n"
    body = b"import torch\nQ = K = V = torch.ones(2, 2)\n" + line * 600
    load(body)
