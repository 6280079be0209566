"""The pages over HTTP: what they say without a browser."""

import asyncio
import re
import shutil
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import static
from app.figure import figure_of
from app.pages import Pages, mount_pages
from app.settings import Settings
from app.sheet import sheet_of
from problems.errors import PackageError
from problems.reading import load_problem
from problems.shipped import shipped_bank
from problems.watching import Bank

SLUG = "scaled-dot-product-attention"


@pytest.fixture(scope="module")
def problem():
    return load_problem(shipped_bank() / SLUG)


@pytest.fixture
def bank(own_home):
    return own_home / "bank"


@pytest.fixture
def visit(bank):
    """Pages of a bank of this test's own, without a judge."""
    return visitor(Bank(bank))


def visitor(bank):
    app = FastAPI(docs_url=None, redoc_url=None)
    mount_pages(app, bank, Settings())

    async def ask(path):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://pages") as client:
            return await client.get(path)

    return lambda path: asyncio.run(ask(path))


def test_one_problem_is_reached_without_a_list(visit):
    answer = visit("/")
    assert answer.status_code == 307
    assert answer.headers["location"] == f"/problems/{SLUG}"


def test_two_problems_are_listed_by_name_with_their_addresses(bank):
    shutil.copytree(bank / SLUG, bank / "attention-again")
    metadata = bank / "attention-again" / "problem.yaml"
    text = re.sub(r"(?m)^name: .*$", "name: Attention <again>", metadata.read_text(encoding="utf-8"))
    metadata.write_text(re.sub(r"(?m)^uuid: .{8}", "uuid: 00000000", text), encoding="utf-8")
    answer = visitor(Bank(bank))("/")
    assert answer.status_code == 200
    assert re.findall(r'href="(/problems/[^"]+)"', answer.text) == ["/problems/attention-again", f"/problems/{SLUG}"]
    assert "Attention &lt;again&gt;" in answer.text


def test_an_unknown_problem_is_404_in_words(visit):
    answer = visit("/problems/no-such-problem")
    assert answer.status_code == 404
    assert "No such problem" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_package_that_cannot_be_shown_is_503_in_words_not_an_error_of_the_server(visit, monkeypatch):
    def broken(problem):
        raise PackageError(f"{problem.slug}: the formula $x^{{$ does not render")

    monkeypatch.setattr("app.pages.sheet_of", broken)
    answer = visit(f"/problems/{SLUG}")
    assert answer.status_code == 503
    assert "an error that its author must fix" in answer.text


def test_a_name_that_is_markup_stays_text(visit):
    assert "<script>alert" not in visit("/problems/<script>alert(1)</script>").text


def test_files_are_kept_for_a_year_under_their_version_and_not_at_all_under_another(visit):
    page = visit(f"/problems/{SLUG}").text
    address = re.search(r'href="(/static/[0-9a-f]{16}/css/tokens\.css)"', page)[1]
    assert visit(address).headers["cache-control"] == "public, max-age=31536000, immutable"
    stale = visit(address.replace(address.split("/")[2], "0" * 16))
    assert stale.status_code == 200
    assert stale.headers["cache-control"] == "no-store"
    assert visit(f"{address}.map").status_code == 404
    assert visit("/static/x/../../pyproject.toml").status_code == 404
    assert visit("/static/x/%2e%2e/editor/package.json").status_code == 404


def test_scripts_and_fonts_come_with_the_types_that_browsers_insist_on(visit):
    assert visit("/static/x/js/main.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert visit("/static/x/css/base.css").headers["content-type"] == "text/css; charset=utf-8"


def test_a_changed_statement_is_shown_and_rendered_once(bank, monkeypatch):
    rendered = []

    def counted(problem):
        rendered.append(problem.revision)
        return sheet_of(problem)

    monkeypatch.setattr("app.pages.sheet_of", counted)
    now = iter(range(0, 1000, 10))
    visit = visitor(Bank(bank, clock=lambda: next(now)))
    first = [visit(f"/problems/{SLUG}").text for _ in range(2)]
    statement = bank / SLUG / "statement" / "problem.en.md"
    statement.write_text(f"another sentence\n\n{statement.read_text(encoding='utf-8')}", encoding="utf-8")
    second = [visit(f"/problems/{SLUG}").text for _ in range(2)]
    assert ["another sentence" in page for page in (*first, *second)] == [False, False, True, True]
    assert len(rendered) == len(set(rendered)) == 2


def test_the_page_says_the_tolerance_and_the_limits_of_the_judge(problem):
    sheet = sheet_of(problem)
    assert sheet.rtol == sheet.atol_per_max == "1e-5"
    assert sheet.limits.startswith("2 s for a case and 20 s in all, 512 MiB of memory")
    assert sheet.case_count == 19


def test_the_page_carries_no_value_of_a_secret_case(problem):
    data = sheet_of(problem).data
    secret = [case for case in data["cases"] if case["case"].startswith("secret/")]
    assert len(secret) == 17
    assert {frozenset(case) for case in secret} == {frozenset({"case", "title"})}
    assert [sample["case"] for sample in data["samples"]] == ["sample/01-worked-example", "sample/02-small-random"]


def test_the_example_is_the_first_sample_with_four_decimals(problem):
    example = sheet_of(problem).example
    numbers = re.findall(r"<mn>([^<]+)</mn>", example.output)
    assert numbers == ["6.1546", "3.8454", "3.8454", "6.1546", "5", "5"]


def test_the_figure_ends_at_the_stored_answer_or_is_not_drawn(problem):
    figure = figure_of(problem)
    assert re.findall(r">(\d\.\d{4})<", figure)[-6:] == ["6.1546", "3.8454", "3.8454", "6.1546", "5.0000", "5.0000"]
    case = problem.samples[0]
    wrong = replace(problem, cases=(replace(case, answer=case.answer + 1),))
    assert figure_of(wrong) == ""


def test_the_real_server_compresses_its_pages(client):
    answer = client.get(f"/problems/{SLUG}", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "private, no-cache"


def test_a_page_without_the_bundle_names_none_of_its_files(bank, tmp_path):
    root = tmp_path / "static"
    shutil.copytree(Path(static.__file__).parent, root, ignore=shutil.ignore_patterns("dist"))
    pages = Pages(FastAPI(), Bank(bank), root)
    page = pages.problem(SLUG).body.decode()
    assert "dist/" not in page
    assert "mathfont" not in page
    assert "js/main.js" in page
