"""Who is turned away, and when to come again: through real servers with limits of their own."""

import re

import httpx
import pytest

SLUG = "scaled-dot-product-attention"
SLOW = "def scaled_dot_product_attention(Q, K, V):\n    while True:\n        pass\n"
NO_WAIT = {"Prefer": "wait=0"}


def send(client, source="", **headers):
    return client.post("/submit", json={"problem": SLUG, "source": source}, headers={**NO_WAIT, **headers})


def test_who_submits_more_often_than_the_rate_is_told_when_to_come_again(start_server):
    served = start_server(TENSORGRADE_RATE_LIMIT="3/minute")
    with httpx.Client(base_url=served.url, timeout=60) as client:
        first = send(client)  # counts on the address: the store did not know the cookie yet
        answers = [send(client) for _ in range(4)]
        # 200: what is judged before its answer is written needs no waiting for
        assert {first.status_code, *(answer.status_code for answer in answers[:3])} <= {200, 202}
        assert answers[-1].status_code == 429
        assert answers[-1].json()["detail"] == "At most 3 a minute submissions are taken from you."
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert answers[-1].headers["content-type"] == "application/problem+json"
    with httpx.Client(base_url=served.url, timeout=60) as somebody_else:
        assert send(somebody_else).status_code in {200, 202}


def test_ten_may_wait_and_the_eleventh_is_refused_until_one_is_done(start_server):
    served = start_server()
    with httpx.Client(base_url=served.url, timeout=60) as client:
        client.post("/submit", json={"source": ""})  # a cookie that the store knows
        answers = [send(client, SLOW) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [202] * 10 + [429]
        assert "let one finish" in answers[-1].json()["detail"]
        metrics = client.get("/metrics").text
        assert 'tensorgrade_refused_total{status="429"} 1.0' in metrics
        assert float(re.search(r"^tensorgrade_pending (.*)$", metrics, re.MULTILINE)[1]) > 0
        location = answers[0].headers["location"]
        assert client.get(location, headers={"Prefer": "wait=60"}).json()["state"] == "done"
        assert send(client, SLOW).status_code == 202


def test_who_floods_waits_behind_everybody_else(start_server):
    served = start_server()
    with httpx.Client(base_url=served.url, timeout=60) as flood:
        flood.post("/submit", json={"source": ""})  # a cookie that the store knows
        slow = [send(flood, SLOW).headers["location"] for _ in range(10)]
        for _ in range(3):
            with httpx.Client(base_url=served.url, timeout=60) as other:
                assert other.post("/submit", json={"source": ""}).json()["verdict"] == "compile_error"
        states = [flood.get(location).json()["state"] for location in slow]
        assert states.count("judging") <= 1  # half of this server's two threads
        assert states.count("done") <= 3  # each takes 6 s; the others waited for none of them


def test_a_user_that_the_proxy_names_has_one_history_on_every_machine(start_server):
    served = start_server(TENSORGRADE_TRUSTED_PROXIES="127.0.0.1", TENSORGRADE_USER_HEADER="X-Remote-User")
    ids = []
    for _ in range(2):
        with httpx.Client(base_url=served.url, timeout=60, headers={"X-Remote-User": "ada"}) as client:
            answer = client.post("/submit", json={"source": ""})
            assert "set-cookie" not in answer.headers
            ids.append(answer.json()["id"])
            history = [item["id"] for item in client.get("/submissions").json()["items"]]
            assert history == ids[::-1]
            assert client.get(f"/submissions/{ids[0]}").json()["source"] == ""
    assert httpx.get(f"{served.url}submissions", headers={"X-Remote-User": "bob"}).json()["items"] == []


@pytest.mark.parametrize("name", ["tensorgrade_judged_total", "tensorgrade_store_commits", "process_open_fds"])
def test_figures_are_there_for_prometheus(submit, client, name):
    submit()
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert f"\n{name}" in answer.text
