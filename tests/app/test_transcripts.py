"""The transcripts in the documentation are true: every command is run, and what it prints is compared.

`$ ` begins a command, `> ` goes on with it; `...` stands for any lines. What differs between machines and days does not
count: places, revisions, how far rounding errors are from a tolerance, and that a busy machine is slow.
"""

import re
import shlex
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from app.commands import case, case_edit, grade, problem_new, verify

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md") if "```console" in path.read_text())
VARIES = [
    (re.compile(r"^warning \(margins\): \S+ takes .*\n", re.MULTILINE), ""),
    (re.compile(r"at revision [0-9a-f]{12}"), "at revision ............"),
    (re.compile(r"[0-9.]+ times the largest rounding error, which \S+ has"), "... times the largest rounding error"),
    (re.compile(r"(?<=: )[0-9.e+]+ tolerances off"), "... tolerances off"),
]


def steps(page: str):
    """Each command with the lines that it must print."""
    for block in re.findall(r"^```console\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, *lines = part.rstrip("\n").split("\n")
            more = 0
            while more < len(lines) and (lines[more] == ">" or lines[more].startswith("> ")):
                more += 1
            yield "\n".join([first, *(line[2:] for line in lines[:more])]), "\n".join(lines[more:])


def plain(text: str, place: Path) -> str:
    text = text.replace(str(place), "/srv/tensorgrade")
    for pattern, words in VARIES:
        text = pattern.sub(words, text)
    return text.strip()


def pattern_of(expected: str) -> str:
    """A regular expression in which a line of dots stands for any lines."""
    lines = [r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in expected.split("\n")]
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_prints_what_the_page_says(page, typed, judge, own_home, monkeypatch):
    for module in (case, case_edit, grade, problem_new):
        monkeypatch.setattr(module, "one_judge", lambda _: nullcontext(judge))
    monkeypatch.setattr(verify, "Judge", lambda _: nullcontext(judge))
    monkeypatch.chdir(own_home)
    for command, expected in steps(page):
        if command.startswith("tensorgrade "):
            done = typed(*shlex.split(command)[1:])
        else:
            done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, check=True, timeout=30)
        said = plain(done.stdout + done.stderr, own_home)
        wanted = plain(expected, own_home)
        assert re.fullmatch(pattern_of(wanted), said), f"$ {command}\n{said}\n--- the page says:\n{wanted}"


def test_there_are_transcripts():
    assert {"add-a-case.md", "write-a-problem.md"} <= set(PAGES)
