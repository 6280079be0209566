"""The wire format: what is written comes back, and hostile bytes are never more than an error."""

from __future__ import annotations

import math
import struct
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.jail import wire

TEXTS = st.lists(st.text(alphabet=st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=50), max_size=8)


@given(TEXTS)
def test_texts_come_back_as_they_were(texts):
    assert wire.unpack_texts(wire.pack_texts(tuple(texts))) == texts


@given(st.lists(st.text(max_size=20_000), max_size=4))
def test_packed_texts_never_exceed_their_bound(texts):
    assert len(wire.pack_texts(tuple(texts))) <= wire.MAX_TEXT


@given(st.binary(max_size=300))
def test_hostile_texts_become_printable_text(raw):
    for text in wire.unpack_texts(raw):
        assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} and c not in "\n\t" for c in text)
        assert not any(unicodedata.bidirectional(c) in {"RLO", "LRO", "RLE", "LRE", "PDF"} for c in text)


@given(st.binary(max_size=300))
def test_hostile_refusals_have_small_lines_and_columns(raw):
    for refusal in wire.unpack_refusals(raw):
        assert 0 <= refusal.line < 10**7
        assert 0 <= refusal.column < 10**7


@given(
    st.lists(
        st.tuples(st.integers(1, 2000), st.integers(1, 200), st.just("syntax_error"), st.just("a sentence.")),
        max_size=50,
    )
)
def test_refusals_come_back_as_they_were(refusals):
    given_refusals = [wire.Refusal(*each) for each in refusals]
    assert wire.unpack_refusals(wire.pack_refusals(given_refusals)) == given_refusals


@given(st.binary(min_size=wire.RECORD.size, max_size=wire.RECORD.size))
def test_a_hostile_record_is_bounded_or_refused(raw):
    buffer = bytes(wire.RECORDS_AT) + raw
    try:
        record = wire.read_record(buffer, 0)
    except wire.MalformedError:
        return
    assert len(record.shape) <= wire.MAX_DIMENSIONS
    assert record.dtype < len(wire.DTYPES)
    assert 0 <= record.seconds < wire.MAX_SECONDS
    for at, size in (record.text, record.stdout):
        assert at + size <= wire.REGION_BYTES


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1.0])
def test_a_record_with_an_impossible_time_is_refused(seconds):
    values = (1, 1, 0, 0, 0, seconds, 0, 0, 0, 0, 0, *([0] * 8))
    with pytest.raises(wire.MalformedError):
        wire.read_record(bytes(wire.RECORDS_AT) + wire.RECORD.pack(*values), 0)


def test_a_text_list_that_promises_more_than_it_has_gives_what_is_there():
    raw = wire.pack_texts(("kept",)) + struct.pack("<I", 2**31)
    assert wire.unpack_texts(raw) == ["kept"]


def test_the_records_end_before_the_data_begins():
    assert wire.RECORD.size <= wire.RECORD_STRIDE
    assert wire.LOAD.size <= wire.RECORDS_AT
    assert wire.DATA_AT % wire.ALIGN == 0


def test_every_dtype_has_its_item_size():
    assert len(wire.DTYPES) == len(wire.ITEM_BYTES)
