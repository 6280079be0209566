import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

SLUG = "scaled-dot-product-attention"
ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
ENDLESS = "def scaled_dot_product_attention(Q, K, V):\n    while True:\n        pass\n"


def until(answer, wanted, *, within_s=10.0):
    """Asks again until it is so: the bank is looked at once a second, on a request."""
    deadline = time.monotonic() + within_s
    while (got := answer()) != wanted:
        assert time.monotonic() < deadline, f"still {got}"


@pytest.fixture
def other(start_server):
    """A server whose bank does not exist yet, and a client."""
    served = start_server()
    with httpx.Client(base_url=served.url, timeout=60) as client:
        yield served, client


def test_a_running_server_judges_with_a_case_that_was_just_added(other, run, tmp_path):
    served, client = other
    before = client.get("/health").json()["problems"][SLUG]
    added = run("case", "add", SLUG, "secret/20-new", "--shape", "n=3,m=4,d_k=5,d_v=2", TENSORGRADE_BANK=served.bank)
    assert added.returncode == 0, added.stderr
    until(lambda: client.post("/submit", json={"source": ACCEPTED}).json()["total"], 20)
    report = client.post("/submit", json={"source": ACCEPTED}).json()
    assert report["verdict"] == "accepted"
    assert report["revision"] != before
    assert report["cases"][-1]["case"] == "secret/20-new"


def test_a_package_that_breaks_keeps_its_last_good_revision_and_health_names_the_file(other):
    served, client = other
    good = client.get("/health").json()["problems"][SLUG]
    file = served.bank / SLUG / "data" / "sample" / "01-worked-example.yaml"
    file.write_text("titel: mistyped\n")
    until(lambda: list(client.get("/health").json()["trouble"]), [SLUG])
    assert "01-worked-example.yaml" in client.get("/health").json()["trouble"][SLUG]
    assert client.post("/submit", json={"source": ACCEPTED}).json()["revision"] == good


def test_what_is_being_judged_when_the_server_is_told_to_stop_is_finished(other):
    served, client = other
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(client.post, "/submit", json={"source": ENDLESS})
        stream = httpx.post(f"{served.url}submit", json={"source": ACCEPTED})
        assert stream.status_code == 200
        served.process.send_signal(signal.SIGTERM)
        report = answer.result(timeout=60).json()
    assert report["verdict"] == "time_limit_exceeded"
    assert report["cases"][-1]["verdict"] == "skipped"
    assert served.process.wait(timeout=30) in {0, -signal.SIGTERM}
    assert [line for line in served.lines if line.get("level") == "error"] == []


def test_a_server_that_is_exposed_says_so(start_server):
    served = start_server("--host", "127.0.0.1", "--expose")
    assert any(line["event"] == "exposed" for line in served.lines)
