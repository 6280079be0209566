import json
import re

import pytest

from app.tensors import MAX_ELEMENTS

SLUG = "scaled-dot-product-attention"
UNSCALED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    print("scores", (Q @ K.transpose(-2, -1)).shape)
    return torch.softmax(Q @ K.transpose(-2, -1), dim=-1) @ V
"""
SECRET_MEMBERS = {"case", "group", "title", "verdict", "reason", "message", "line", "error_type", "time_ms"}


def events(text):
    """(name, data) of each event of a stream; comments are passed over."""
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            yield fields["event"], json.loads(fields["data"])


def test_a_right_submission_is_accepted_on_every_case(submit):
    answer = submit()
    report = answer.json()
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert (report["verdict"], report["passed"], report["total"]) == ("accepted", 19, 19)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", report["id"])
    assert re.fullmatch(r"[0-9a-f]{64}", report["revision"])
    assert report["mode"] == "submit"
    assert report["state"] == "done"
    assert report["submitted_at"] <= report["judged_at"]
    assert {"seccomp", "rlimits"} <= set(report["layers"])


def test_ids_are_never_the_same(submit):
    assert submit().json()["id"] != submit().json()["id"]


def test_a_wrong_submission_is_told_what_it_did_on_the_samples(submit):
    report = submit(UNSCALED).json()
    assert report["verdict"] == "wrong_answer"
    sample = report["cases"][0]
    assert (sample["group"], sample["verdict"], sample["reason"]) == ("sample", "wrong_answer", "values_differ")
    assert sample["inputs"]["Q"]["shape"] == [3, 2]
    assert sample["expected"]["shape"] == sample["got"]["shape"] == [3, 2]
    assert sample["max_abs_error"] > 0
    assert "scores" in sample["stdout"]


def test_secret_cases_say_verdict_and_reason_and_nothing_of_their_values(submit):
    secret = [case for case in submit(UNSCALED).json()["cases"] if case["group"] == "secret"]
    assert len(secret) == 17
    assert all(set(case) == SECRET_MEMBERS for case in secret)


def test_an_exception_with_the_inputs_in_it_stays_inside_for_secret_cases(submit):
    source = """
import torch
def scaled_dot_product_attention(Q, K, V):
    raise ValueError(f"leaked {Q.sum().item()} {K.shape}")
"""
    report = submit(source).json()
    sample, secret = report["cases"][0], report["cases"][2]
    assert "leaked" in sample["message"] + sample["traceback"]
    assert (secret["verdict"], secret["reason"], secret["error_type"]) == ("run_time_error", "exception", "ValueError")
    assert secret["line"] == 4
    assert "leaked" not in json.dumps([case for case in report["cases"] if case["group"] == "secret"])


def test_a_compile_error_has_places_and_no_cases(submit):
    report = submit("def scaled_dot_product_attention(Q, K, V:\n    return Q\n").json()
    assert (report["verdict"], report["reason"], report["cases"]) == ("compile_error", "syntax_error", [])
    assert report["errors"][0]["line"] == 1
    assert report["errors"][0]["code"] == "syntax_error"


def test_an_empty_source_is_a_missing_function(submit):
    assert submit("").json()["reason"] == "missing_function"


def test_the_problem_may_be_left_out_when_there_is_one(client):
    answer = client.post("/submit", json={"source": ""})
    assert answer.json()["problem"] == SLUG


def test_a_run_judges_the_samples_and_is_never_called_accepted(submit):
    report = submit(mode="run").json()
    assert (report["mode"], report["verdict"]) == ("run", None)
    assert [case["group"] for case in report["cases"]] == ["sample", "sample"]


def test_own_inputs_come_back_with_the_answer_and_without_a_verdict(submit):
    report = submit(mode="run", inputs=[{"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[10], [20]]}]).json()
    own = report["cases"][-1]
    assert (own["case"], own["group"], own["verdict"]) == ("own/1", "own", None)
    assert own["inputs"]["V"]["values"] == [[10.0], [20.0]]
    assert own["expected"]["values"] == pytest.approx(own["got"]["values"][0]) or own["got"]["shape"] == [1, 1]


def test_own_inputs_on_which_the_code_fails_get_a_verdict(submit):
    report = submit("def scaled_dot_product_attention(Q, K, V):\n    return Q / 0 if Q.shape[0] == 3 else 1 / 0\n")
    assert report.status_code == 200
    run = submit("def scaled_dot_product_attention(Q, K, V):\n    return 1 / 0\n", mode="run", inputs=[own_inputs()])
    assert run.json()["cases"][-1]["verdict"] == "run_time_error"
    assert run.json()["cases"][-1]["error_type"] == "ZeroDivisionError"


def own_inputs(**changed):
    return {"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[10], [20]], **changed}


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([own_inputs()] * 5, "At most 4 own inputs"),
        ([own_inputs(K=[[1, 0, 0]])], r"inputs\[1\]: K has 3 columns \(d_k\), Q has 2"),
        ([own_inputs(), own_inputs(V=[[10]])], r"inputs\[2\]: V has 1 row"),
        ([own_inputs(Q=[1, 0])], r"inputs\[1\]: Q has shape \(2,\), 1 dimension"),
        ([own_inputs(Q=[[1, "a"]])], "numbers only"),
        ([own_inputs(Q=[[1], [2, 3]])], "ragged"),
        ([own_inputs(Q=[[]])], "empty list"),
        ([own_inputs(Q=[[1e39, 0]])], "not finite in float32"),
        ([own_inputs(Q=[[0] * (MAX_ELEMENTS + 1)])], f"at most {MAX_ELEMENTS}"),
        ([own_inputs(Q=[[0, 0]] * 1000)] * 3, "at most"),
        ([{"Q": [[1]]}], "K and V is missing; give Q, K, V"),
        ([own_inputs(W=[[1]])], "An input is not a parameter; give Q, K, V"),
        ([[1]], "inputs: input should be a valid dictionary"),
        ({}, "inputs: input should be a valid list"),
    ],
)
def test_own_inputs_that_do_not_fit_are_refused_in_words(submit, inputs, words):
    answer = submit(mode="run", inputs=inputs)
    assert answer.status_code == 422
    assert re.search(words, answer.json()["detail"])


def test_own_inputs_belong_to_runs(submit):
    answer = submit(inputs=[own_inputs()])
    assert answer.status_code == 422
    assert '"mode": "run"' in answer.json()["detail"]


def test_a_source_over_the_limit_is_refused(submit):
    answer = submit("#" * (64 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.json()["detail"] == "The source has 65537 bytes; this problem takes at most 64 KiB."


def test_an_unknown_problem_is_404_with_the_nearest_name(client):
    answer = client.post("/submit", json={"problem": "scaled-dot-product-atention", "source": ""})
    assert answer.status_code == 404
    assert answer.json()["detail"] == f"There is no such problem; did you mean {SLUG}?"


@pytest.mark.parametrize("mode", ["submit", "run"])
def test_a_stream_says_every_case_and_then_the_same_report(client, mode):
    body = {"problem": SLUG, "source": UNSCALED, "mode": mode}
    answer = client.post("/submit", json=body, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    *cases, (last, report) = events(answer.text)
    assert [name for name, _ in cases] == ["case"] * len(report["cases"])
    assert last == "report"
    assert sorted((case["case"], case["verdict"]) for _, case in cases) == [
        (case["case"], case["verdict"]) for case in report["cases"]
    ]
    assert all(set(case) == SECRET_MEMBERS for _, case in cases if case["group"] == "secret")


def test_a_stream_that_cannot_begin_is_refused_with_its_status(client):
    answer = client.post("/submit", json={"problem": "nope"}, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_list_of_problems(client):
    (item,) = client.get("/api/problems").json()["items"]
    assert item["slug"] == SLUG
    assert item["cases"] == 19
    assert item["source"]["title"] == "Attention Is All You Need"


def test_a_problem_says_what_a_student_may_know(client):
    problem = client.get(f"/api/problems/{SLUG}").json()
    assert problem["entry_point"]["parameters"][0] == {"name": "Q", "dtype": "float32", "shape": "..., n, d_k"}
    assert "<math" in problem["statement"]["html"]
    assert "$" in problem["statement"]["markdown"]
    assert problem["starter"].startswith("import torch")
    assert problem["limits"]["time_s"] == 2.0
    assert problem["tolerance"] == {"rtol": 1e-5, "atol_per_max": 1e-5}
    assert problem["sample_cases"][0]["inputs"]["Q"]["values"] == [[1, 0], [0, 1], [1, 1]]
    assert problem["sample_cases"][0]["expected"]["shape"] == [3, 2]
    assert len(problem["secret_cases"]) == 17
    assert all(set(case) == {"case", "title"} for case in problem["secret_cases"])


def test_an_unknown_problem_page_of_the_api_is_404(client):
    answer = client.get("/api/problems/nope")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_health_says_layers_zygotes_revisions_and_version(client):
    health = client.get("/health").json()
    assert health["status"] == "ok"
    assert {layer["name"]: layer["state"] for layer in health["layers"]}["seccomp"] == "holds"
    assert health["zygotes"] == {"alive": 1, "wanted": 1}
    assert re.fullmatch(r"[0-9a-f]{64}", health["problems"][SLUG])
    assert health["trouble"] == {}
    assert health["version"]


def test_text_is_gzipped_and_event_streams_are_not(client):
    assert client.get(f"/api/problems/{SLUG}").headers["content-encoding"] == "gzip"
    stream = client.post("/submit", json={"source": UNSCALED}, headers={"Accept": "text/event-stream"})
    assert "content-encoding" not in stream.headers


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_pages_from_a_cdn_are_not_served(client, path):
    assert client.get(path).status_code == 404


def test_every_submission_is_logged_with_its_id(served, submit):
    known = submit().json()["id"]
    submit()  # the line of the first is written before the second is answered
    line = next(line for line in served.lines if line.get("submission") == known)
    assert (line["event"], line["verdict"], line["problem"]) == ("judged", "accepted", SLUG)
