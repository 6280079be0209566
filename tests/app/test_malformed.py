"""No request makes a 500, whatever it holds, and no answer repeats what was sent."""

import contextlib
import json
import socket

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

JSON = {"Content-Type": "application/json"}
POST = b"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

BODIES = {
    "empty": b"",
    "not json": b"{",
    "an array": b"[1]",
    "a string": b'"x"',
    "null": b"null",
    "NaN": b'{"source": NaN}',
    "Infinity": b'{"source": -Infinity}',
    "1e999": b'{"source": 1e999}',
    "a lone surrogate": b'{"source": "\\ud800"}',
    "a lone trailing surrogate": b'{"source": "\\udc00 x"}',
    "a surrogate in a key": b'{"\\ud800": 1}',
    "an encoded surrogate": b'{"source": "\xed\xa0\x80"}',
    "not utf-8": b'{"source": "\xff\xfe"}',
    "utf-16": '{"source": ""}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"source": ""}',
    "a null byte": b'{"source": ""}\0',
    "deep arrays": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "deep own inputs": b'{"source": "", "mode": "run", "inputs": [{"Q": ' + b"[" * 150 + b"]" * 150 + b"}]}",
    "a huge integer": b'{"source": ' + b"9" * 100_000 + b"}",
    "a huge integer as input": b'{"source": "", "mode": "run", "inputs": [{"Q": ' + b"9" * 4000 + b"}]}",
    "an infinite input": b'{"source": "", "mode": "run", "inputs": [{"Q": [[1e999]]}]}',
    "a number as source": b'{"source": 1}',
    "a list as source": b'{"source": ["x"]}',
    "no source": b"{}",
    "a wrong mode": b'{"source": "", "mode": "rm"}',
    "a number as mode": b'{"source": "", "mode": 1}',
    "an unknown field": b'{"source": "", "sauce": "hot"}',
    "a number as problem": b'{"source": "", "problem": 3}',
    "inputs of null": b'{"source": "", "mode": "run", "inputs": [null]}',
    "two documents": b'{"source": ""}{"source": ""}',
}


def refused(answer, status):
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == status
    assert body["detail"].endswith((".", "?"))
    return body["detail"]


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_no_submission_is_422_with_a_sentence(client, name):
    sentence = refused(client.post("/submit", content=BODIES[name], headers=JSON), 422)
    assert "sauce" not in sentence
    assert "hot" not in sentence
    assert "999" not in sentence


def test_a_mistyped_field_is_answered_with_the_known_one(client):
    assert refused(client.post("/submit", json={"sorce": ""}), 422) == (
        "A field is not known; the fields are problem, source, mode, inputs, like. Is it source?"
    )


def test_nan_is_named_as_the_reason(client):
    assert "NaN and Infinity" in refused(client.post("/submit", content=b'{"source": NaN}', headers=JSON), 422)


@pytest.mark.parametrize(
    ("body", "reason"),
    [(b'{"source": "\\u0000"}', "syntax_error"), (b'{"source": "x", "source": ""}', "missing_function")],
)
def test_odd_but_legal_bodies_are_judged(client, body, reason):
    report = client.post("/submit", content=body, headers=JSON).json()
    assert report["verdict"] == "compile_error"
    assert report["reason"] == reason


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": ""},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_another_kind_of_body_is_415(client, headers):
    refused(client.post("/submit", content=b'{"source": ""}', headers=headers), 415)


def test_a_charset_beside_the_type_is_no_matter(client):
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.post("/submit", content=b'{"source": ""}', headers=headers).status_code == 200


@pytest.mark.parametrize("size", [(1 << 20) + 1, 3 << 20])
def test_a_body_over_a_mebibyte_is_413(client, size):
    assert refused(client.post("/submit", content=b" " * size, headers=JSON), 413) == "The body is larger than 1 MiB."


def test_a_body_that_does_not_say_its_length_is_413_while_it_is_read(served):
    def chunks():
        for _ in range(3 * 16):
            yield b" " * 65536

    with httpx.Client(base_url=served.url) as client:
        refused(client.post("/submit", content=chunks(), headers=JSON), 413)


def test_a_hundred_megabytes_are_cut_short(served):
    head = POST + b"Content-Length: 104857600\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(head)
        sent = 0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while sent < 100 << 20:
                sent += connection.send(b" " * 65536)
        assert sent < 64 << 20
    assert httpx.get(f"{served.url}health").status_code == 200


def test_connections_cut_in_the_body_leave_the_server_well(served, client):
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
            connection.sendall(
                b'POST /submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"so'
            )
    assert client.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/submit", "POST"),
        ("DELETE", "/api/problems", "GET"),
        ("POST", "/health", "GET"),
        ("PATCH", "/api/problems/x", "GET"),
        ("BREW", "/submit", "POST"),
    ],
)
def test_a_wrong_method_is_405_and_names_the_right_one(client, method, path, allowed):
    answer = client.request(method, path)
    assert allowed in refused(answer, 405)
    assert answer.headers["allow"] == allowed


PATHS = [
    "/nope", "//", "/api/problems/", "/api//problems", "/api/problems/%00", "/api/problems/%ff%fe", "/%2e%2e/etc",
    "/api/problems/..%2f..%2fetc%2fpasswd", "/api/problems/" + "a" * 5000, "/api/problems/%F0%9F%98%80", "/health/",
    "/api/problems/<script>", "/api/problems/%ED%A0%80", "/submit/x", "/openapi.json/", "/?" + "x" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_path_makes_a_server_error(served, path):
    answer = served.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    status = int(answer.split(b" ", 2)[1])
    assert status < 500


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\0\0\0\0\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://elsewhere/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        POST + b"Content-Length: 9999999999999999999\r\n\r\n",
        b"POST /submit HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nAccept: \xff\xfe\r\nConnection: close\r\n\r\n",
    ],
)
def test_no_bytes_on_a_connection_make_a_server_error(served, client, request_bytes):
    answer = served.raw(request_bytes, hang_up=True)
    assert not answer.startswith(b"HTTP/1.1 5")
    assert client.get("/health").json()["status"] == "ok"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
fields = st.sampled_from(["problem", "source", "mode", "inputs", "Q", ""])
bodies = st.one_of(
    st.binary(max_size=60),
    json_values.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(fields, json_values, max_size=4).map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {
            "source": st.text(max_size=20),
            "mode": st.just("run"),
            "inputs": st.lists(st.dictionaries(fields, json_values)),
        }
    ).map(lambda value: json.dumps(value).encode()),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies)
def test_any_body_gets_a_report_or_a_refusal(client, body):
    answer = client.post("/submit", content=body, headers=JSON)
    if answer.status_code == 200:
        assert answer.json()["state"] == "done"
    else:
        refused(answer, answer.status_code)
        assert answer.status_code in {404, 422}


def test_after_all_that_nothing_failed_inside(served, client):
    client.get("/health")
    assert [line for line in served.lines if line.get("level") in {"error", "critical"} or "text" in line] == []
