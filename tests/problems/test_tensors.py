"""The safetensors reader: the same values as the library, and a sentence for every hostile file."""

import contextlib
import io
import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from problems.errors import PackageError
from problems.tensors import MAX_FILE_BYTES, decode, encode, read_checked

A, B = np.arange(6, dtype=np.float32).reshape(2, 3), np.float64([[1.5], [2.5]])


def file_of(header: object, data: bytes = b"", *, length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(**changes):
    return {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} | changes


arrays = st.dictionaries(
    st.text(min_size=1, max_size=5).filter(lambda name: name != "__metadata__" and name.isprintable()),
    st.tuples(st.sampled_from([np.float32, np.float64]), st.lists(st.integers(1, 4), max_size=4)),
    min_size=1,
    max_size=4,
).map(lambda plan: {name: np.ones(shape, dtype) for name, (dtype, shape) in plan.items()})


@given(arrays, st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2))
def test_what_is_encoded_reads_back_as_the_library_reads_it(given_arrays, metadata):
    data = encode(given_arrays, metadata)
    read = decode(data, where="a")
    theirs = load(data)
    assert read.metadata == metadata
    assert {name: (array.dtype, array.shape, array.tobytes()) for name, array in read.arrays.items()} == {
        name: (array.dtype, array.shape, array.tobytes()) for name, array in theirs.items()
    }


def test_what_the_library_writes_is_read():
    read = decode(save({"a": A, "b": B}, metadata={"key": "value"}), where="a").arrays
    assert read["a"].tolist() == A.tolist()
    assert read["b"].tolist() == B.tolist()


def test_the_same_arrays_are_the_same_bytes_whatever_their_strides():
    assert encode({"a": A}) == encode({"a": np.asfortranarray(A)}) == encode({"a": A.T.copy().T})


def test_arrays_are_contiguous_aligned_and_cannot_be_written():
    header = b'{"b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}   '  # the data begins at an odd place
    array = decode(file_of(header[:-1], B.tobytes()), where="a").arrays["b"]
    assert array.flags.c_contiguous
    assert array.flags.aligned
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "too short"),
        (b"\0" * 7, "too short"),
        (file_of({}, length=2**63), "the header claims 9223372036854775808 bytes"),
        (file_of({}, length=50), "the file ends before"),
        (file_of(b"{", b""), "not valid JSON"),
        (file_of(b"\xff{}"), "not valid JSON"),
        (file_of(b"[" * 60_000), "not valid JSON"),
        (file_of(b"9" * 5_000), "not valid JSON"),
        (file_of([1]), "not a JSON object"),
        (file_of({}), "has 0 tensors"),
        (file_of({str(number): entry() for number in range(65)}), "has 65 tensors"),
        (file_of(b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{}}', bytes(8)), "not valid JSON"),
        (file_of({"__metadata__": {"a": 1}, "a": entry()}, bytes(8)), "metadata is not text"),
        (file_of({"__metadata__": [], "a": entry()}, bytes(8)), "metadata is not text"),
        (file_of({"a": 1}), "tensor 'a' is not described"),
        (file_of({"a": entry(extra=1)}, bytes(8)), "tensor 'a' is not described"),
        (file_of({"a": entry(dtype="I64")}, bytes(8)), "tensor 'a' is 'I64'; inputs are F32 and answers F64"),
        (file_of({"a": entry(dtype=["F32"])}, bytes(8)), "tensor 'a' is ['F32']"),
        (file_of({"a": entry(shape=[True, 2])}, bytes(8)), "has the shape [True, 2]"),
        (file_of({"a": entry(shape=[-2])}, bytes(8)), "has the shape [-2]"),
        (file_of({"a": entry(shape=[2.0])}, bytes(8)), "has the shape [2.0]"),
        (file_of({"a": entry(shape="2")}, bytes(8)), "has the shape '2'"),
        (file_of({"a": entry(shape=[1] * 9)}, bytes(8)), "up to 8 sizes"),
        (file_of({"a": entry(shape=[2**62])}, bytes(8)), "has the shape"),
        (file_of({"a": entry(shape=[0], data_offsets=[0, 0])}), "every size must be at least 1"),
        (file_of({"a": entry(data_offsets=[0])}, bytes(8)), "has the offsets [0]"),
        (file_of({"a": entry(data_offsets=[-8, 0])}, bytes(8)), "has the offsets [-8, 0]"),
        (file_of({"a": entry(shape=[67108864] * 8)}, bytes(8)), "does not fill its 8 bytes"),
        (file_of({"a": entry(), "b": entry(data_offsets=[4, 12])}, bytes(12)), "tensor 'b' overlaps"),
        (file_of({"a": entry(), "b": entry()}, bytes(8)), "tensor 'b' overlaps"),
        (file_of({"a": entry(data_offsets=[4, 12])}, bytes(12)), "tensor 'a' leaves a gap"),
        (file_of({"a": entry()}, bytes(9)), "the tensors fill 8 bytes, and the file has 9"),
        (file_of({"a": entry()}, bytes(7)), "the tensors fill 8 bytes, and the file has 7"),
    ],
)
def test_a_hostile_file_is_refused_with_its_name_and_the_fault(data, words):
    with pytest.raises(PackageError) as caught:
        decode(data, where="data/secret/07.in.safetensors")
    assert str(caught.value).startswith("data/secret/07.in.safetensors: ")
    assert words in str(caught.value)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_with_a_sentence(data):
    with pytest.raises(PackageError):
        decode(data, where="a")


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_file_gives_tensors_or_a_sentence(data):
    whole = bytearray(encode({"K": A, "Q": B}, {"key": "value"}))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        match data.draw(st.sampled_from(["change", "cut", "insert"])):
            case "change":
                whole[place] = data.draw(st.integers(0, 255))
            case "cut":
                del whole[place : place + data.draw(st.integers(1, 5))]
            case "insert":
                whole[place:place] = data.draw(st.binary(max_size=5))
        if not whole:
            break
    with contextlib.suppress(PackageError):
        decode(bytes(whole), where="a")


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
headers = st.dictionaries(
    st.sampled_from(["a", "b", "__metadata__"]),
    odd
    | st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(["F32", "F64", "BF16"]) | odd,
            "shape": st.lists(st.integers(0, 3), max_size=3) | odd,
            "data_offsets": st.lists(st.integers(0, 24), min_size=2, max_size=2) | odd,
        }
    ),
    max_size=3,
)


@settings(max_examples=300)
@given(headers, st.binary(max_size=24))
def test_a_header_of_odd_values_gives_tensors_or_a_sentence(header, data):
    with contextlib.suppress(PackageError):
        read = decode(file_of(header, data), where="a")
        assert sum(array.nbytes for array in read.arrays.values()) == len(data)


class Counting(io.BytesIO):
    """Counts the bytes that were read."""

    total = 0

    def read(self, size=-1):
        data = super().read(size)
        self.total += len(data)
        return data


def test_the_data_of_a_file_with_a_wrong_header_is_never_read():
    header = json.dumps({"a": entry(shape=[3])}).encode()
    file = Counting(file_of(header, bytes(8)))
    with pytest.raises(PackageError):
        read_checked(file, len(file.getvalue()), "a")
    assert file.total == 8 + len(header)


def test_a_file_that_is_too_large_is_refused_before_it_is_read():
    file = Counting(b"")
    with pytest.raises(PackageError, match="at most"):
        read_checked(file, MAX_FILE_BYTES + 1, "a")
    assert file.total == 0


def test_a_file_that_shrinks_while_it_is_read_is_refused():
    data = encode({"a": A})
    with pytest.raises(PackageError, match="changed while it was read"):
        read_checked(io.BytesIO(data[:-1]), len(data), "a")
