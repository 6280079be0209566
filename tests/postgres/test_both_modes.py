"""The same promises on one machine and on many: each test runs against a server of its own with SQLite and a judge
inside, and against a server with PostgreSQL and a worker."""

import csv
import io
import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from problems.shipped import shipped_bank
from tests.acceptance.sources import ACCEPTED, UNSCALED

PROGRAM = Path(sys.executable).with_name("tensorgrade")

SLUG = "scaled-dot-product-attention"
# Right until a case has 13 keys, which none has that is shipped.
FRAGILE = (
    ACCEPTED
    + "\nright = scaled_dot_product_attention\n"
    + ("def scaled_dot_product_attention(Q, K, V):\n    return right(Q, K, V) * (2 if K.shape[-2] == 13 else 1)\n")
)
NEW_CASE = ("secret/90-thirteen-keys", "--shape", "n=3,m=13,d_k=4,d_v=5", "--seed", "7")


@dataclass
class Service:
    """A running grader, however many processes it is."""

    url: str
    environment: dict[str, str]
    client: httpx.Client

    def submit(self, source=ACCEPTED, *, headers=None, **more):
        body = {"problem": SLUG, "source": source, **more}
        return self.client.post("/submit", json=body, headers=headers)

    def run(self, *arguments, status=0):
        """A command of the same operator; what it printed."""
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, timeout=110, check=False
        )
        assert done.returncode == status, done.stderr
        return done.stdout


@pytest.fixture(scope="module", params=["one machine", "many machines"])
def server(request, modes, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(shipped_bank(), home / "bank")
    with modes[request.param](home) as server:
        yield server


@pytest.fixture
def service(server):
    """The running service, seen by a browser of this test's own."""
    with httpx.Client(base_url=server.url, timeout=90) as client:
        yield Service(server.url, server.environment, client)


def eventually(look, within_s=60):
    """What it finds, once it finds anything: what takes a server a second or two."""
    end = time.monotonic() + within_s
    while not (found := look()) and time.monotonic() < end:
        pass
    return found


def events_of(text):
    """Kind, id and data of each event of a stream."""
    found = []
    for event in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in event.split("\n") if not line.startswith(":"))
        if lines:
            found.append((lines["event"], int(lines["id"]), json.loads(lines["data"])))
    return found


def test_a_submission_is_judged_and_answered(service):
    answer = service.submit()
    report = answer.json()
    assert (answer.status_code, report["verdict"], report["passed"]) == (200, "accepted", report["total"])
    assert service.client.get(f"/submissions/{report['id']}").json() == report | {"source": ACCEPTED}


def test_a_wrong_submission_gets_its_diagnosis(service):
    def diagnosis():
        report = service.submit(UNSCALED).json()
        assert report["verdict"] == "wrong_answer"
        return report["diagnosis"]

    assert eventually(diagnosis)["mistake"] == "wrong_answer/no-scaling"


def test_who_does_not_wait_finds_the_report_later(service):
    kept = service.submit(headers={"Prefer": "wait=0"})
    assert kept.status_code == 202
    report = service.client.get(kept.headers["location"], headers={"Prefer": "wait=60"}).json()
    assert report["verdict"] == "accepted"


def test_a_stream_tells_every_case_and_then_the_report_and_resumes(service):
    events = events_of(service.submit(headers={"Accept": "text/event-stream"}).text)
    report = events[-1][2]
    assert [kind for kind, _, _ in events] == ["case"] * len(report["cases"]) + ["report"]
    assert [number for _, number, _ in events] == list(range(1, len(events) + 1))
    assert {case["case"] for _, _, case in events[:-1]} == {case["case"] for case in report["cases"]}
    resumed = service.client.get(f"/submissions/{report['id']}/events", headers={"Last-Event-ID": "3"})
    assert events_of(resumed.text) == events[3:]


def test_cases_of_a_slow_submission_are_told_while_it_runs(service):
    slow = ACCEPTED.replace(
        "    return", "    for _ in range(400):\n        torch.softmax(torch.randn(300, 300), dim=-1)\n    return"
    )
    kinds = []
    with service.client.stream(
        "POST", "/submit", json={"problem": SLUG, "source": slow}, headers={"Accept": "text/event-stream"}
    ) as answer:
        first = None
        for line in answer.iter_lines():
            if line.startswith("event: "):
                kinds.append(line.removeprefix("event: "))
                if first is None:
                    first = service.client.get("/submissions").json()["items"][0]["state"]
    assert kinds[-1] == "report"
    assert first != "done"


def test_own_inputs_are_run(service):
    own = {"Q": [[1.0, 0.0]], "K": [[1.0, 0.0], [0.0, 1.0]], "V": [[1.0], [2.0]]}
    report = service.submit(mode="run", inputs=[own]).json()
    assert report["cases"][-1]["case"] == "own/1"
    assert report["cases"][-1]["expected"] == report["cases"][-1]["got"]


def test_a_retry_with_the_same_key_is_the_same_submission(service):
    first, second = (service.submit(headers={"Idempotency-Key": "once"}).json() for _ in range(2))
    assert first["id"] == second["id"]
    assert service.submit(UNSCALED, headers={"Idempotency-Key": "once"}).status_code == 422


def test_a_history_is_ones_own_newest_first(service):
    sent = [service.submit(source).json()["id"] for source in (ACCEPTED, UNSCALED)]
    items = service.client.get("/submissions").json()["items"]
    assert [(item["id"], item["verdict"]) for item in items] == [(sent[1], "wrong_answer"), (sent[0], "accepted")]
    assert httpx.get(f"{service.url}submissions").json()["items"] == []


def test_a_case_that_is_added_is_judged_and_a_rejudging_finds_out_who_fails_it(service):
    before = service.submit(FRAGILE).json()
    assert before["verdict"] == "accepted"
    added = json.loads(service.run("case", "add", SLUG, *NEW_CASE, "--format", "json"))
    assert added["revision"] != before["revision"]

    def is_served():
        return service.client.get(f"/api/problems/{SLUG}").json()["revision"] == added["revision"]

    assert eventually(is_served)
    after = service.submit(FRAGILE).json()
    assert (after["revision"], after["verdict"]) == (added["revision"], "wrong_answer")
    judged = json.loads(service.run("rejudge", SLUG, "--apply", "--format", "json"))
    turned = [each for each in judged["changes"] if each["before"]["verdict"] != each["after"]["verdict"]]
    assert [each["submission"] for each in turned] == [before["id"]]
    now = service.client.get(f"/submissions/{before['id']}").json()
    assert (now["verdict"], now["revision"]) == ("wrong_answer", added["revision"])
    service.run("case", "remove", SLUG, NEW_CASE[0], "--yes")
    names = [row["case"] for row in json.loads(service.run("case", "list", SLUG, "--format", "json"))["items"]]
    assert NEW_CASE[0] not in names


def test_instructors_read_every_submission_and_how_the_cases_go(service):
    sent = [service.submit(source).json()["id"] for source in (ACCEPTED, UNSCALED)]
    rows = list(csv.DictReader(io.StringIO(service.run("export"))))
    assert [(row["submission"], row["verdict"]) for row in rows if row["submission"] in sent] == [
        (sent[0], "accepted"),
        (sent[1], "wrong_answer"),
    ]
    assert json.loads(service.run("stats", SLUG, "--format", "json"))["submissions"] == len(rows)


def test_the_doctor_finds_nothing_that_prevents_judging(service):
    findings = json.loads(service.run("doctor", "--format", "json"))["findings"]
    assert [finding for finding in findings if finding["state"] == "missing"] == []
