"""Pages of the documentation lead somewhere."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = [
    *REPOSITORY.glob("*.md"),
    *(REPOSITORY / "docs").glob("*.md"),
    *(REPOSITORY / "deploy").glob("*.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_link_to_a_file_leads_to_one(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_leads_to_every_page_of_the_documentation():
    readme = (REPOSITORY / "README.md").read_text()
    pages = {str(page.relative_to(REPOSITORY)) for page in PAGES if page.parent.name in {"docs", "deploy"}}
    told = set(re.findall(r"\]\(([^)#]+\.md)\)", readme))
    assert pages - told == set()
