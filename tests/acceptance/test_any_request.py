"""Whatever a client sends: an answer that the description allows, no error of ours, and nothing left behind."""

import re
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

BUSY = {429, 503}
SLUG = "scaled-dot-product-attention"


class Fuzz:
    """Requests made from /openapi.json of one server, valid and not, some about things that are there."""

    def __init__(self, server, submission):
        self.submission = submission
        self.sent = 0
        self.statuses = {}
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        self.operations = [result.ok() for result in schema.get_all_operations()]

    def run(self, requests):
        number = 0
        while self.sent < requests:  # operations without parameters have one request only
            number += 1
            for operation in self.operations:
                self.try_out(operation, max(requests - self.sent, 0) // len(self.operations) + 1, number)
        return self

    def try_out(self, operation, examples, number):
        modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
        cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])

        @seed(number)
        @given(case=cases, known=st.booleans())
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case, known):
            if known:
                self.name_what_is_there(case)
            self.check(case)

        send()

    def name_what_is_there(self, case):
        if isinstance(case.body, dict) and "problem" in case.body:
            case.body["problem"] = SLUG
        for name, value in {"id": self.submission, "slug": SLUG}.items():
            if name in (case.path_parameters or {}):
                case.path_parameters[name] = value

    def check(self, case):
        answer = case.call(headers={"Prefer": "wait=0"}, timeout=30)
        self.sent += 1
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        assert answer.status_code < 500 or answer.status_code in BUSY, answer.text
        if answer.status_code in BUSY:
            assert int(answer.headers["retry-after"][0]) > 0
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == ["application/problem+json"], answer.text


def figure(server, name):
    text = httpx.get(f"{server.url}/metrics").text
    return float(re.search(rf"^{name} (.*)$", text, re.MULTILINE)[1])


def descriptors(server):
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def threads(server):
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def fuzz(server, requests):
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for _ in range(20):  # whatever is made once is made now
            answer = client.post("/submit", json={"source": ""})
            assert answer.status_code == 200
    before = descriptors(server), threads(server)
    fuzz = Fuzz(server, answer.json()["id"]).run(requests)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        while figure(server, "tensorgrade_pending") > 0:
            client.get("/health")
        assert client.post("/submit", json={"source": ""}).json()["verdict"] == "compile_error"
    print(f"{fuzz.sent} requests: {fuzz.statuses}; descriptors {before[0]} -> {descriptors(server)}")  # noqa: T201
    assert figure(server, "tensorgrade_waited_for") == 0
    assert descriptors(server) <= before[0] + 8  # connections that the kernel has not closed yet
    assert threads(server) <= before[1] + 40  # the pool in which handlers run
    assert [line for line in server.lines if line.get("level") in {"error", "critical"}] == []


@pytest.mark.timeout(240)
def test_a_thousand_requests_from_the_description_make_no_server_error(server):
    fuzz(server(), 1000)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_thousand_requests_make_no_server_error(server):
    fuzz(server(), 20_000)
