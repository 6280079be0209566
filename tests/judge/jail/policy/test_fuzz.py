"""Whatever the source, compile() raises Refused or nothing, and explain() never raises."""

import ast

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from judge.jail.policy import Language, Refused, Sink, explain

LANGUAGE = Language.prepare()
CODES = {"syntax_error", "forbidden_construct", "forbidden_name", "forbidden_import", "too_large"}

WORDS = """
x torch F math os __builtins__ __name__ open eval print self _x __x nn np Exception $getattr In δ
"""
FIELDS = "shape softmax __class__ __dict__ __globals__ gi_frame mro save _C T numpy data x"
NAMES = st.sampled_from(sorted(set(WORDS.split())))
ATTRIBUTES = st.sampled_from(sorted(set(FIELDS.split())))


def expressions():
    leaves = NAMES | st.sampled_from(["1", "'a'", "None", "...", "[]", "{}", "f'{x!r:>{y}}'", "b'a'", "1j", "-1.5"])

    def compound(inner):
        return st.one_of(
            st.builds("{}.{}".format, inner, ATTRIBUTES),
            st.builds("{}({})".format, inner, inner),
            st.builds("{}[{}]".format, inner, inner),
            st.builds("({} + {})".format, inner, inner),
            st.builds("(lambda {}: {})".format, NAMES, inner),
            st.builds("[{} for {} in {}]".format, inner, NAMES, inner),
            st.builds("({} := {})".format, NAMES, inner),
            st.builds("({} if {} else {})".format, inner, inner, inner),
            st.builds("f'{{{}}}'".format, NAMES),
            st.builds("(yield {})".format, inner),
            st.builds("(await {})".format, inner),
            st.builds("(*{}, **{})".format, inner, inner),
        )

    return st.recursive(leaves, compound, max_leaves=8)


def statements():
    expression = expressions()
    simple = st.one_of(
        expression,
        st.builds("{} = {}".format, NAMES, expression),
        st.builds("{}.{} = {}".format, expression, ATTRIBUTES, expression),
        st.builds("{}.{} += {}".format, expression, ATTRIBUTES, expression),
        st.builds("{}: {} = {}".format, NAMES, expression, expression),
        st.builds("del {}.{}".format, expression, ATTRIBUTES),
        st.builds("import {}".format, NAMES),
        st.builds("from {} import {} as {}".format, NAMES, ATTRIBUTES, NAMES),
        st.builds("from torch import {}".format, st.sampled_from(["*", "nn", "os", "softmax", "_C", "nope"])),
        st.builds("global {}".format, NAMES),
        st.builds("return {}".format, expression),
        st.builds("raise {} from {}".format, expression, expression),
        st.builds("assert {}, {}".format, expression, expression),
        st.sampled_from(["pass", "break", "continue", "%magic", "```", ">>> x", "from __future__ import annotations"]),
    )

    def block(inner):
        body = st.lists(inner, min_size=1, max_size=3).map(lambda lines: "\n".join(lines).replace("\n", "\n "))
        return st.one_of(
            st.builds("def {}({}):\n {}".format, NAMES, NAMES, body),
            st.builds("class {}({}):\n {}".format, NAMES, expression, body),
            st.builds("if {}:\n {}".format, expression, body),
            st.builds("for {} in {}:\n {}".format, NAMES, expression, body),
            st.builds("with {} as {}:\n {}".format, expression, NAMES, body),
            st.builds("try:\n {}\nexcept {} as {}:\n {}\nfinally:\n {}".format, body, expression, NAMES, body, body),
            st.builds("match {}:\n case {}:\n  pass".format, expression, NAMES),
            st.builds("@{}\ndef f():\n {}".format, expression, body),
            st.builds("async def f():\n {}".format, body),
        )

    return st.recursive(simple, block, max_leaves=6)


SOURCES = st.lists(statements(), max_size=5).map("\n".join)


def answer_to(source):
    """Compile; the refusals if there are any."""
    try:
        return LANGUAGE.compile(source), ()
    except Refused as error:
        return None, error.refusals


def check(source, found):
    lines = source.count(b"\n") + source.count(b"\r") + 1
    for refusal in found:
        assert refusal.code in CODES
        assert 1 <= refusal.line <= lines
        assert refusal.column >= 1
        assert refusal.message
    assert list(found) == sorted(found, key=lambda refusal: (refusal.line, refusal.column))


@settings(max_examples=200, deadline=None)
@given(SOURCES)
def test_generated_programs_are_compiled_or_refused(text):
    source = text.encode()
    compiled, found = answer_to(source)
    assert (compiled is None) == bool(found)
    check(source, found)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_text_is_compiled_or_refused(source):
    check(source, answer_to(source)[1])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_compiled_or_refused(source):
    check(source, answer_to(source)[1])


@settings(max_examples=200, deadline=None)
@given(SOURCES, st.integers(0, 400), st.binary(max_size=3))
def test_a_damaged_program_is_compiled_or_refused(text, at, damage):
    source = text.encode()
    check(source, answer_to(source[:at] + damage + source[at + 1 :])[1])


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=150, deadline=None)
@given(SOURCES)
def test_whatever_a_program_raises_is_explained(text):
    language = Language.prepare()
    try:
        compiled = language.compile(text.encode())
    except Refused:
        return
    try:
        exec(compiled.code, language.namespace(Sink(1000)))  # noqa: S102 - what the policy compiles is there for it
    except BaseException as error:  # noqa: BLE001 - generated code raises anything
        found = explain(error, compiled.text)
        assert found.type_name
        assert 0 <= found.line <= compiled.text.count("\n") + 1
        assert len(found.message) < 5000


@settings(max_examples=200, deadline=None)
@given(SOURCES)
def test_what_is_compiled_reads_no_guarded_name_plainly(text):
    """In the changed tree an attribute is read plainly only if its name is on the list of unguarded ones."""
    compiled, _ = answer_to(text.encode())
    if compiled is None:
        return
    codes = [compiled.code]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, type(code))]
        assert "__globals__" not in code.co_names
        assert "gi_frame" not in code.co_names
        assert "save" not in code.co_names
    assert ast.parse(compiled.text) is not None
