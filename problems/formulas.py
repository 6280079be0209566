"""One LaTeX formula into MathML that a page with a strict Content-Security-Policy may show. Trusted side.

The converter is native code that never ends its recursion early, so what could make it crash or grow is refused before
the call; what it gives back is rewritten through an allow-list, so that no script, link, id or inline style gets out
whatever a later version of it does. Its few style declarations become classes of static/css/formula.css.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from types import MappingProxyType

from math_core import LatexError, LatexToMathML

MAX_LENGTH = 4000
MAX_DEPTH = 60
"""Of braces. 3,200 nested levels crash the converter."""
_MAX_EXPANSIONS = 200
"""Of the converter's own macros such as \\pmod."""

# With these a line of 4,000 characters unfolds into a million nested levels, and the process dies.
_DEFINITION = re.compile(r"\\([egx]?def|let|global|(?:re)?newcommand|providecommand)(?![A-Za-z])")

# Names in a string: as lists these would be sixty lines of one word each.
_TAGS = frozenset(
    """
    annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
    msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
    """.split()  # noqa: SIM905 -- see above
)
# The converter writes well-formed markup and nothing else: whatever these two do not read is refused.
_PIECE = re.compile(r'<(/?)([a-z]+)((?:\s+[a-z-]+="[^"]*")*)\s*(/?)>|([^<]+)')
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_ATTRIBUTES = frozenset(
    """
    accent accentunder class columnspan depth dir display displaystyle encoding fence form height largeop linethickness
    lspace mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric
    voffset width
    """.split()  # noqa: SIM905 -- see above
)
CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "text-align:left": "m-left",
        "text-align:right": "m-right",
        "text-align:center": "m-center",
        "justify-items:start": "m-start",
        "justify-items:end": "m-end",
        "padding-left:0": "m-pl0",
        "padding-left:0.1em": "m-pl01",
        "padding-left:1em": "m-pl1",
        "padding-right:0": "m-pr0",
        "padding-right:0.1em": "m-pr01",
        "padding-top:0": "m-pt0",
        "padding-top:0.1667em": "m-pt02",
        "padding-bottom:0": "m-pb0",
        "border-right:0.05em solid currentcolor": "m-line-right",
        "border-right:0.05em dashed currentcolor": "m-dash-right",
        "border-top:0.05em solid currentcolor": "m-line-top",
        "border-top:0.05em dashed currentcolor": "m-dash-top",
        "margin-left:-0.16666667em": "m-thin-back",
    }
)
"""Style declaration, without spaces around the colon, and the class that stands for it."""


class FormulaError(ValueError):
    """A formula that cannot be shown. The message completes "the formula ... "."""


def mathml(latex: str, *, display: bool) -> str:
    """MathML with the LaTeX as its annotation; FormulaError says why a formula cannot be shown."""
    _refuse_dangerous(latex)
    # A converter per formula: about 10 µs, and no state that one formula could leave to the next.
    converter = LatexToMathML(annotation=True, fancy_error=False, max_expansions=_MAX_EXPANSIONS)
    try:
        converted = converter.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        place, _, words = str(error).partition(": ")
        raise FormulaError(f"does not render: {words or place}".rstrip(".")) from error
    return _cleaned(converted)


def classes_for(style: str) -> str:
    """The classes that stand for an inline style; FormulaError for a declaration that the page has no rule for."""
    names = []
    for declaration in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "width":  # of the environments with equation numbers: they fill a line, ours scrolls in a box
            raise FormulaError("fills the whole line; write \\begin{aligned} or \\begin{gathered} instead")
        if f"{name}:{value}" not in CLASSES:
            raise FormulaError(f'needs the style "{declaration}", which the page does not have; write it without')
        names.append(CLASSES[f"{name}:{value}"])
    return " ".join(names)


def _refuse_dangerous(latex: str) -> None:
    if not latex.strip():
        raise FormulaError("is empty")
    if len(latex) > MAX_LENGTH:
        raise FormulaError(f"has {len(latex)} characters; at most {MAX_LENGTH} are allowed")
    if match := _DEFINITION.search(latex):
        raise FormulaError(f"uses {match[0]}; definitions are not allowed, write them out")
    depth = deepest = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise FormulaError(f"nests braces {deepest} deep; at most {MAX_DEPTH} are allowed")


def _cleaned(markup: str) -> str:
    """The markup rewritten piece by piece: only known tags and attributes, classes instead of styles."""
    parts: list[str] = []
    position = 0
    for piece in _PIECE.finditer(markup):
        closing, tag, attributes, empty, text = piece.groups()
        if piece.start() != position:
            break
        position = piece.end()
        if text:
            parts.append(html.escape(html.unescape(text), quote=False))
        elif tag not in _TAGS:
            raise FormulaError(f"needs the element <{tag}>, which is not shown")
        elif closing:
            parts.append(f"</{tag}>")
        else:
            parts.append(f"<{tag}{_attributes(attributes) if attributes else ''}>")
            if empty:
                parts.append(f"</{tag}>")
    if position != len(markup):
        raise FormulaError(f"becomes markup that is not shown ({markup[position : position + 20]!r})")
    return "".join(parts)


def _attributes(text: str) -> str:
    kept: dict[str, str] = {}
    for name, value in ((name, html.unescape(value)) for name, value in _ATTRIBUTE.findall(text)):
        if name == "style":
            kept["class"] = f"{kept.get('class', '')} {classes_for(value)}".strip()
        elif name == "class":
            kept["class"] = f"{kept.get('class', '')} {value}".strip()
        elif name in _ATTRIBUTES:
            kept[name] = value
        elif name in ("id", "href"):
            raise FormulaError("uses a label or a reference; formulas are not numbered here")
        else:
            raise FormulaError(f"needs the attribute {name}, which is not shown")
    return "".join(f' {name}="{html.escape(value)}"' for name, value in kept.items())
