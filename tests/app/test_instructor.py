"""rejudge, export, stats and results for Gradescope: what an instructor does with what was submitted."""

import csv
import io
import json

import httpx
import pytest

from app.commands.export import COLUMNS, safe_cells

SLUG = "scaled-dot-product-attention"
ACCEPTED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
UNSCALED = ACCEPTED.replace(" / K.shape[-1] ** 0.5", "")


@pytest.fixture
def kept(own_home, program):
    """Two students' submissions, and the server that has them."""
    served = program.start(own_home)
    ids = []
    for sources in ([UNSCALED, ACCEPTED], [UNSCALED]):
        with httpx.Client(base_url=served.url, timeout=60) as client:
            ids += [client.post("/submit", json={"source": source}).json()["id"] for source in sources]
            client.post("/submit", json={"source": ACCEPTED, "mode": "run"})
    yield served, ids
    if served.process.poll() is None:
        program.stop(served)


def add_case(run):
    added = run("case", "add", SLUG, "secret/20-new", "--shape", "n=3,m=4,d_k=5,d_v=2", "--seed", "1")
    assert added.returncode == 0, added.stderr


def lines(served, submission):
    report = httpx.get(f"{served.url}submissions/{submission}").json()
    return report["verdict"], report["passed"], report["total"], report["revision"]


def test_rejudging_with_a_running_server_changes_nothing_before_it_is_applied(kept, run):
    served, ids = kept
    before = [lines(served, each) for each in ids]
    add_case(run)
    dropped = run("rejudge", SLUG, "--drop", "--format", "json")
    assert dropped.returncode == 0, dropped.stderr
    found = json.loads(dropped.stdout)
    assert (found["judged"], found["applied"]) == (3, False)
    assert sorted(change["submission"] for change in found["changes"]) == sorted(ids)
    assert {change["after"]["total"] for change in found["changes"]} == {20}
    assert [lines(served, each) for each in ids] == before
    applied = run("rejudge", SLUG, stdin="y\n")
    assert applied.returncode == 0, applied.stderr
    assert "3 judged on revision" in applied.stdout
    assert "1: accepted -> accepted" in applied.stdout
    after = [lines(served, each) for each in ids]
    assert [line[0] for line in after] == [line[0] for line in before]
    assert {line[2] for line in after} == {20}
    assert {line[3] for line in after} == {found["revision"]}


def test_without_a_server_the_command_judges_by_itself(kept, run, program):
    served, ids = kept
    program.stop(served)
    add_case(run)
    applied = run("rejudge", SLUG, "--submission", ids[1], "--apply", "--format", "json")
    assert applied.returncode == 0, applied.stderr
    found = json.loads(applied.stdout)
    assert [change["submission"] for change in found["changes"]] == [ids[1]]
    assert found["applied"] is True
    again = json.loads(run("rejudge", SLUG, "--submission", ids[1], "--apply", "--format", "json").stdout)
    assert again["changes"] == []


def test_a_rejudging_that_is_declined_leaves_everything_as_it_was(kept, run):
    served, ids = kept
    before = [lines(served, each) for each in ids]
    add_case(run)
    declined = run("rejudge", SLUG, stdin="n\n")
    assert declined.returncode == 1
    assert "Dropped" in declined.stderr
    assert [lines(served, each) for each in ids] == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((SLUG, "--apply", "--drop"), "not both"),
        ((SLUG, "--format", "json"), "--apply or --drop"),
        (("nope",), 'No problem "nope"'),
        ((SLUG, "--submission", "x" * 22), "1 of these ids are no judged submissions"),
    ],
)
def test_a_rejudging_that_cannot_be_is_refused_in_words(typed, arguments, words):
    refused = typed("rejudge", *arguments)
    assert refused.returncode == 2
    assert words in refused.stderr


def test_every_submission_is_a_row_beside_a_running_server(kept, run):
    _, ids = kept
    rows = list(csv.DictReader(io.StringIO(run("export", "--problem", SLUG).stdout)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["submission"].removeprefix("'") for row in rows] == ids
    assert [row["verdict"] for row in rows] == ["wrong_answer", "accepted", "wrong_answer"]
    assert {row["user"] for row in rows} == {"anonymous"}
    assert rows[0]["browser"] == rows[1]["browser"] != rows[2]["browser"]
    assert [row["submission"] for row in json.loads(run("export", "--format", "json").stdout)["items"]] == ids


def test_cells_that_a_spreadsheet_would_run_are_text():
    cells = ["=1+1", "+1", "-1", "@x", "\tx", "fine", None, 3]
    assert list(safe_cells(cells)) == ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "fine", "", "3"]


def test_statistics_say_how_each_case_goes_and_what_goes_wrong(kept, run):
    found = json.loads(run("stats", SLUG, "--format", "json").stdout)
    assert (found["submissions"], found["students"], found["solved"]) == (3, 2, 1)
    cases = {case["case"]: (case["passed"], case["judged"]) for case in found["cases"]}
    assert len(cases) == 19
    assert cases["secret/04-batched"] == (1, 3)
    shown = run("stats", SLUG).stdout
    assert "3 submissions of 2 students; 1 of them solved it." in shown
    assert "33 %" in shown


@pytest.mark.parametrize("command", [("export",), ("stats", SLUG)])
def test_where_nothing_was_submitted_there_is_nothing_to_read(typed, command):
    refused = typed(*command)
    assert refused.returncode == 2
    assert "Nothing was submitted yet" in refused.stderr


def test_results_for_gradescope_count_the_cases_and_keep_secrets(run):
    done = run("grade", "-", "--format", "gradescope", stdin=UNSCALED)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert len(results["tests"]) == 19
    assert results["score"] == sum(test["score"] for test in results["tests"]) < 19
    assert {test["status"] for test in results["tests"]} <= {"passed", "failed"}
    assert results["tests"][0]["output"].startswith("Wrong answer. ")
    assert "Wrong answer" in results["output"]


def test_a_compile_error_is_no_points_and_its_line_for_gradescope(run):
    results = json.loads(run("grade", "-", "--format", "gradescope", stdin="def f(:\n").stdout)
    assert (results["score"], results["tests"]) == (0, [])
    assert "Line 1" in results["output"]
