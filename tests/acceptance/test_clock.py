"""A clock that is set back, while the server runs and between two starts, loses, repeats and reorders nothing."""

import sys
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from tests.acceptance.sources import ACCEPTED, SLOW

HOUR_S = 3600


def send(client, source=ACCEPTED, **headers):
    answer = client.post("/submit", json={"source": source}, headers=headers)
    assert answer.status_code in (200, 202), answer.text
    return answer.json()


def history(client):
    """Ids of the first page, newest first by what the clock said."""
    return [each["id"] for each in client.get("/submissions").json()["items"]]


@pytest.mark.timeout(180)
def test_a_clock_that_is_set_back_loses_repeats_and_reorders_nothing(server, tmp_path):
    offset = tmp_path / "offset"
    offset.write_text("0")
    set_back = server(prefix=(sys.executable, str(Path(__file__).with_name("shifted_clock.py")), str(offset)))
    set_back.start()
    with httpx.Client(base_url=set_back.url, timeout=60) as client:
        sent = [send(client)["id"]]
        running = send(client, SLOW, Prefer="wait=0")["id"]
        offset.write_text(str(-HOUR_S))
        sent += [running, send(client)["id"], send(client)["id"]]
        earlier, later = [client.get(f"/submissions/{each}").json()["submitted_at"] for each in (sent[-1], sent[0])]
        assert datetime.fromisoformat(earlier) < datetime.fromisoformat(later)
        late = client.get(f"/submissions/{running}", headers={"Prefer": "wait=60"}).json()
        assert late["verdict"] == "time_limit_exceeded"
        assert datetime.fromisoformat(late["judged_at"]) >= datetime.fromisoformat(late["submitted_at"])
        set_back.stop()
        offset.write_text(str(-2 * HOUR_S))
        set_back.start()
        sent.append(send(client)["id"])
        assert sorted(history(client)) == sorted(sent)
        assert {client.get(f"/submissions/{each}").json()["state"] for each in sent} == {"done"}
        offset.write_text("0")
        sent.append(send(client)["id"])
        assert history(client)[0] == sent[-1]
        assert sorted(history(client)) == sorted(sent)
