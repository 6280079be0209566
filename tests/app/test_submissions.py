"""What is kept of a submission: through the real server, its cookie and its store."""

import json
import signal
import sqlite3
import subprocess
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
UNSCALED = ACCEPTED.replace(" / K.shape[-1] ** 0.5", "")
SLOW = "def scaled_dot_product_attention(Q, K, V):\n    while True:\n        pass\n"
NO_WAIT = {"Prefer": "wait=0"}
EVENTS = {"Accept": "text/event-stream"}


def events(text):
    """(id, event, data) of each event of a stream."""
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            yield fields["id"], fields["event"], json.loads(fields["data"])


@pytest.fixture
def browser(served):
    """Browsers without cookies."""
    opened = []

    def browser():
        opened.append(httpx.Client(base_url=served.url, timeout=60))
        return opened[-1]

    yield browser
    for each in opened:
        each.close()


def send(client, source=ACCEPTED, headers=None, **more):
    return client.post("/submit", json={"problem": SLUG, "source": source, **more}, headers=headers)


def test_who_does_not_wait_is_told_where_the_report_will_be(browser):
    client = browser()
    answer = send(client, headers=NO_WAIT)
    assert answer.status_code == 202
    assert answer.json()["state"] in {"queued", "judging"}
    assert answer.json()["verdict"] is None
    report = client.get(answer.headers["location"], headers={"Prefer": "wait=30"}).json()
    assert (report["id"], report["state"], report["verdict"]) == (answer.json()["id"], "done", "accepted")


def test_a_report_that_is_read_again_is_the_one_that_was_answered(browser):
    client = browser()
    report = send(client, UNSCALED).json()
    again = client.get(f"/submissions/{report['id']}").json()
    assert again.pop("source") == UNSCALED
    assert again == report


def test_only_the_browser_that_sent_a_source_reads_it(browser):
    report = send(browser()).json()
    stranger = browser()
    assert "source" not in stranger.get(f"/submissions/{report['id']}").json()
    send(stranger)
    assert "source" not in stranger.get(f"/submissions/{report['id']}").json()


def test_the_cookie_says_nothing_and_scripts_cannot_read_it(browser):
    client = browser()
    header = send(client).headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    assert "Secure" not in header
    assert len(client.cookies["tensorgrade"]) == 22
    assert "set-cookie" not in send(client).headers


def test_the_store_does_not_hold_the_cookie(browser, home):
    client = browser()
    send(client)
    with sqlite3.connect(home / "data" / "tensorgrade.sqlite3") as database:
        (owners,) = zip(*database.execute("SELECT owner FROM submissions"), strict=True)
    database.close()
    assert all(len(owner) == 64 for owner in owners)
    assert client.cookies["tensorgrade"] not in owners


@pytest.mark.parametrize("cookie", ["short", "x" * 22 + "y", '"quoted"', "ü" * 22])
def test_a_cookie_that_we_did_not_give_is_no_identity(served, cookie):
    raw = f"tensorgrade={cookie}".encode()
    answer = httpx.get(f"{served.url}submissions", headers={b"cookie": raw})
    assert answer.json() == {"items": [], "next": None}


def test_a_history_holds_ones_own_submissions_and_no_runs(browser):
    client, stranger = browser(), browser()
    ids = [send(client, source).json()["id"] for source in (ACCEPTED, UNSCALED)]
    send(client, mode="run")
    send(stranger)
    history = client.get("/submissions", params={"problem": SLUG}).json()
    assert [item["id"] for item in history["items"]] == ids[::-1]
    assert history["next"] is None
    assert set(history["items"][0]) == {
        "id",
        "problem",
        "revision",
        "state",
        "verdict",
        "passed",
        "total",
        "submitted_at",
    }
    assert (history["items"][1]["verdict"], history["items"][1]["passed"]) == ("accepted", 19)
    assert client.get("/submissions", params={"problem": "another"}).json()["items"] == []
    assert client.get("/submissions", params={"before": ids[1]}).json()["items"][0]["id"] == ids[0]


@pytest.mark.parametrize("query", ["before=nope", f"before={'a' * 23}", f"problem={'a' * 81}"])
def test_a_history_refuses_what_is_no_id_or_slug(client, query):
    answer = client.get(f"/submissions?{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("name", ["x", "a" * 22, "a" * 21 + "!", "%00" * 22])
@pytest.mark.parametrize("rest", ["", "/events"])
def test_an_unknown_id_is_404(client, name, rest):
    assert client.get(f"/submissions/{name}{rest}").status_code == 404


# ---------------------------------------------------------------------- retries
def test_a_retry_with_the_same_key_is_the_same_submission(browser):
    client = browser()
    first = send(client, headers={"Idempotency-Key": "key-1"})
    second = send(client, headers={"Idempotency-Key": "key-1"})
    assert second.status_code == 200
    assert second.json() == first.json()
    stream = send(client, headers={"Idempotency-Key": "key-1", **EVENTS})
    assert list(events(stream.text))[-1][2] == first.json()
    assert len(client.get("/submissions").json()["items"]) == 1


def test_a_key_with_another_body_is_refused(browser):
    client = browser()
    send(client, headers={"Idempotency-Key": "key-2"})
    answer = send(client, UNSCALED, headers={"Idempotency-Key": "key-2"})
    assert answer.status_code == 422
    assert "another body" in answer.json()["detail"]


def test_a_first_submission_whose_answer_was_lost_is_in_the_history_of_who_sends_it_again(served, browser):
    first = httpx.post(f"{served.url}submit", json={"source": ACCEPTED}, headers={"Idempotency-Key": "lost"}).json()
    client = browser()
    again = client.post("/submit", json={"source": ACCEPTED}, headers={"Idempotency-Key": "lost"}).json()
    assert again == first
    assert [item["id"] for item in client.get("/submissions").json()["items"]] == [first["id"]]


def test_retries_that_come_together_are_judged_once(served, browser):
    client = browser()
    send(client)
    cookies = {"tensorgrade": client.cookies["tensorgrade"]}

    def once(_):
        headers = {"Idempotency-Key": "together"}
        with httpx.Client(base_url=served.url, timeout=60, cookies=cookies) as own:
            return own.post("/submit", json={"source": ACCEPTED}, headers=headers).json()["id"]

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(once, range(8)))) == 1


@pytest.mark.parametrize("key", ["", "two words", "x" * 129, "ü"])
def test_a_key_that_is_no_key_is_refused(client, key):
    headers = {b"idempotency-key": key.encode(), b"content-type": b"application/json"}
    answer = client.post("/submit", content=json.dumps({"source": ""}), headers=headers)
    assert answer.status_code == 422


# ---------------------------------------------------------------------- streams
def test_a_stream_that_broke_goes_on_where_it_was(browser):
    client = browser()
    whole = list(events(send(client, UNSCALED, headers=EVENTS).text))
    assert [number for number, _, _ in whole] == [str(number) for number in range(1, 21)]
    address = f"/submissions/{whole[-1][2]['id']}/events"
    assert list(events(client.get(address).text)) == whole
    assert list(events(client.get(address, headers={"Last-Event-ID": "7"}).text)) == whole[7:]
    assert client.get(address, headers={"Last-Event-ID": "20"}).status_code == 204
    assert list(events(client.get(address, headers={"Last-Event-ID": "nonsense"}).text)) == whole


def test_who_joins_late_gets_every_case_and_the_report(browser):
    client = browser()
    address = send(client, SLOW, headers=NO_WAIT).headers["location"]
    *cases, report = list(events(client.get(f"{address}/events").text))
    assert [event for _, event, _ in cases] == ["case"] * 19
    assert report[2]["verdict"] == "time_limit_exceeded"


# ---------------------------------------------------------------------- like a secret case
def test_a_case_like_a_secret_one_is_fresh_small_and_shown(submit, attention):
    for case in attention.cases:
        own = submit(mode="run", like=case.name).json()["cases"][-1]
        assert (own["case"], own["group"], own["verdict"]) == ("own/1", "own", None)
        assert own["layout"] == dict(case.layout)
        assert [len(own["inputs"][name]["shape"]) for name in "QKV"] == [case.inputs[name].ndim for name in "QKV"]
        assert all(2 <= size <= 4 for name in "QKV" for size in own["inputs"][name]["shape"])
        assert own["expected"]["values"] is not None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"like": "secret/99-none"}, "there is no such case; did you mean"),
        ({"like": "secret/03-plain-matrices", "inputs": [{"Q": [[1]], "K": [[1]], "V": [[1]]}]}, "not both"),
        ({"like": "sample/01-worked-example", "mode": "submit"}, '"mode": "run"'),
        ({"like": 3}, "like"),
    ],
)
def test_like_is_refused_in_words_where_it_does_not_fit(submit, body, words):
    answer = submit(**{"mode": "run", **body})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


# ---------------------------------------------------------------------- crashes and stops
def test_what_was_acknowledged_before_a_kill_is_judged_after_the_next_start(tmp_path, program):
    served = program.start(tmp_path)
    try:
        with httpx.Client(base_url=served.url, timeout=60) as client:
            sources = [SLOW, *[ACCEPTED, UNSCALED] * 3]
            sent = [send(client, source, NO_WAIT) for source in sources]
            assert {answer.status_code for answer in sent} == {202}
            cookies = dict(client.cookies)
    finally:
        served.process.kill()
        served.process.wait()
        served.process.stderr.close()
    served = program.start(tmp_path)
    try:
        with httpx.Client(base_url=served.url, timeout=60, cookies=cookies) as client:
            waiting = {"Prefer": "wait=60"}
            reports = [client.get(answer.headers["location"], headers=waiting).json() for answer in sent]
            lines = client.get("/submissions").json()["items"]
    finally:
        assert program.stop(served) in {0, -signal.SIGTERM}
    verdicts = ["time_limit_exceeded", *["accepted", "wrong_answer"] * 3]
    assert [report["verdict"] for report in reports] == verdicts
    assert [line["verdict"] for line in reversed(lines)] == verdicts


def test_a_submission_that_took_the_server_down_three_times_is_given_up(tmp_path, program):
    served = program.start(tmp_path)
    with httpx.Client(base_url=served.url, timeout=60) as client:
        location = send(client, SLOW, NO_WAIT).headers["location"]
        served.process.kill()
        served.process.wait()
        served.process.stderr.close()
    database = sqlite3.connect(tmp_path / "data" / "tensorgrade.sqlite3")
    with database:
        database.execute("UPDATE judgings SET state = 'judging', attempt = 3")
    database.close()
    served = program.start(tmp_path)
    report = httpx.get(f"{served.url.rstrip('/')}{location}", headers={"Prefer": "wait=30"}, timeout=60).json()
    program.stop(served)
    assert (report["state"], report["verdict"]) == ("done", "judge_error")
    assert report["remarks"] == ["The grader failed 3 times while it judged this."]


def test_at_a_stop_what_runs_is_finished_and_what_waits_is_told_where_it_will_be(tmp_path, program):
    served = program.start(tmp_path)
    with httpx.Client(base_url=served.url, timeout=60) as client, ThreadPoolExecutor(8) as threads:
        send(client)  # a cookie, known from here on
        answers = [threads.submit(send, client, SLOW) for _ in range(8)]
        pending = 0
        while pending < 8:
            pending = sum(item["state"] != "done" for item in client.get("/submissions").json()["items"])
        began = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        statuses = sorted(answer.result(60).status_code for answer in answers)
        assert served.process.wait(60) in {0, -signal.SIGTERM}
    served.process.stderr.close()
    assert set(statuses) == {200, 202}
    assert time.monotonic() - began < 30
    assert [line for line in served.lines if line.get("level") == "error"] == []


def test_a_second_server_on_the_same_data_ends_and_names_the_first(served, home, program):
    second = subprocess.run(
        [program.path, "serve", "--port", str(served.port)],
        env=program.environment(home),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 2
    assert f"in use by process {served.process.pid}" in second.stderr
    assert "Traceback" not in second.stderr
