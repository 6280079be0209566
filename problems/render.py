"""Markdown of a package into HTML with MathML: statement, theory and hints. Trusted side; knows nothing of HTTP.

CommonMark with tables; raw HTML is shown as text, images are refused, formulas stand between $...$ in a line or $$...$$
on lines of their own. A heading may end in an anchor: `### Forgetting the scale {#pitfall-scaling}`. Headings begin at
h2, because the page's title is the h1. No inline style and no script comes out, whatever goes in.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin

from problems.errors import PackageError
from problems.formulas import FormulaError, classes_for, mathml
from problems.package import Problem
from problems.reading import PROBLEM_FILE, STATEMENT_FILE, THEORY_FILE

_ANCHOR = re.compile(r"\s*\{#([a-z][a-z0-9-]*)\}\s*$")
_TOP_LEVEL, _LOWEST_LEVEL = 2, 6
_INLINE_MATH, _BLOCK_MATH, _LOST_MATH = "math_inline", "math_block", "math_inline_double"


@dataclass(frozen=True, slots=True)
class Rendered:
    """One document: its HTML, the anchors of its headings in order, and what is wrong with it, a sentence each."""

    html: str
    anchors: tuple[str, ...]
    faults: tuple[str, ...]


def render_markdown(text: str, *, where: str) -> str:
    """HTML; PackageError with the first fault, which names `where` and the line."""
    rendered = render(text, where=where)
    if rendered.faults:
        raise PackageError(rendered.faults[0])
    return rendered.html


def render(text: str, *, where: str) -> Rendered:
    """HTML and all faults: formulas that do not render, empty or unclosed $$, images, anchors that occur twice."""
    markdown = _markdown()
    tokens = markdown.parse(text)
    document = _Document(where)
    document.prepare(tokens)
    body = "" if document.faults else markdown.renderer.render(tokens, markdown.options, {})
    return Rendered(html=body, anchors=tuple(document.anchors), faults=tuple(document.faults))


def texts_of(problem: Problem) -> Iterator[tuple[str, str]]:
    """Every text of a problem that students read as Markdown, each with its name for an author."""
    yield STATEMENT_FILE, problem.statement
    if problem.theory is not None:
        yield THEORY_FILE, problem.theory
    for number, hint in enumerate(problem.hints, start=1):
        yield f"hint {number} of {PROBLEM_FILE}", hint


class _Document:
    """One pass over the tokens of a document: changes them in place and collects what is wrong."""

    def __init__(self, where: str) -> None:
        self._where = where
        self.anchors: list[str] = []
        self.faults: list[str] = []

    def prepare(self, tokens: Sequence[Token]) -> None:
        levels = [int(token.tag[1:]) for token in tokens if token.type == "heading_open"]
        shift = _TOP_LEVEL - min(levels, default=_TOP_LEVEL)
        for place, token in enumerate(tokens):
            if token.type in ("heading_open", "heading_close"):
                token.tag = f"h{min(int(token.tag[1:]) + shift, _LOWEST_LEVEL)}"
            if token.type == "heading_open":
                self._anchor(token, tokens[place + 1])
            elif token.type == _BLOCK_MATH:
                self._formula(token, _first_line(token))
            self._move_style(token)
            for child, line in _children(token):
                self._inline(child, line)

    def _anchor(self, heading: Token, content: Token) -> None:
        """Takes `{#anchor}` off the end of a heading and makes it the heading's id."""
        last = content.children[-1] if content.children else None
        match = _ANCHOR.search(last.content) if last is not None and last.type == "text" else None
        if last is None or match is None:
            return
        last.content = last.content[: match.start()]
        heading.attrSet("id", match[1])
        if match[1] in self.anchors:
            self._fault(_first_line(heading), f"the anchor {{#{match[1]}}} occurs twice; give each heading its own.")
        self.anchors.append(match[1])

    def _inline(self, token: Token, line: int) -> None:
        match token.type:
            case "math_inline":
                self._formula(token, line)
            case "math_inline_double":
                self._fault(line, "put $$ on lines of their own, or use $ for a formula in a line.")
            case "image":
                self._fault(line, "images are not shown; describe it in words or in a formula.")
            case "text" if "$$" in token.content:
                self._fault(line, "there is an empty or unclosed $$; put a formula between two of them.")

    def _formula(self, token: Token, line: int) -> None:
        try:
            token.meta["mathml"] = mathml(token.content.strip(), display=token.type == _BLOCK_MATH)
        except FormulaError as error:
            latex = " ".join(token.content.split())
            shown = latex if len(latex) <= 60 else latex[:57] + "..."  # noqa: PLR2004 -- a sentence's worth
            self._fault(line, f"the formula ${shown}$ {error}.")

    def _move_style(self, token: Token) -> None:
        """Aligned cells of a table carry an inline style, which the page's policy forbids."""
        if (style := token.attrGet("style")) is not None:
            del token.attrs["style"]
            token.attrJoin("class", classes_for(str(style)))

    def _fault(self, line: int, words: str) -> None:
        self.faults.append(f"{self._where}, line {line}: {words}")


def _children(token: Token) -> Iterator[tuple[Token, int]]:
    """The tokens inside a paragraph, heading or cell, each with its line, counted from 1."""
    position = 0
    for child in token.children or ():
        found = token.content.find(child.content, position) if child.content else -1
        position = max(position, found)
        yield child, _first_line(token) + token.content.count("\n", 0, position)


def _first_line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=True, double_inline=True)
    rules = {
        _INLINE_MATH: _inline_math,
        _BLOCK_MATH: _block_math,
        "fence": _code,
        "code_block": _code,
        "table_open": _table_open,
        "table_close": _table_close,
    }
    for name, rule in rules.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _inline_math(_: RendererHTML, tokens: Sequence[Token], place: int, _o: OptionsDict, _e: EnvType) -> str:
    return str(tokens[place].meta["mathml"])


def _block_math(_: RendererHTML, tokens: Sequence[Token], place: int, _o: OptionsDict, _e: EnvType) -> str:
    # What may be wider than the page scrolls in a box of its own that the keyboard can reach.
    return f"{_scroll_box('math-scroll', 'Formula')}{tokens[place].meta['mathml']}</div>\n"


def _code(_: RendererHTML, tokens: Sequence[Token], place: int, _o: OptionsDict, _e: EnvType) -> str:
    language = re.match(r"[A-Za-z0-9_+-]*", tokens[place].info.strip())
    kind = f' class="language-{language[0]}"' if language and language[0] else ""
    code = html.escape(tokens[place].content, quote=False)
    return f'<pre tabindex="0" role="group" aria-label="Code"><code{kind}>{code}</code></pre>\n'


def _table_open(_: RendererHTML, _t: Sequence[Token], _p: int, _o: OptionsDict, _e: EnvType) -> str:
    return f"{_scroll_box('table-scroll', 'Table')}<table>\n"


def _table_close(_: RendererHTML, _t: Sequence[Token], _p: int, _o: OptionsDict, _e: EnvType) -> str:
    return "</table></div>\n"


def _scroll_box(kind: str, label: str) -> str:
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{label}">'
