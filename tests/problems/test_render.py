"""Statements as HTML: nothing unsafe comes out, and an author is told the line of what does not render."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problems.errors import PackageError
from problems.formulas import CLASSES, FormulaError, mathml
from problems.render import render, render_markdown
from problems.shipped import shipped_bank


def html(text: str) -> str:
    return render_markdown(text, where="problem.en.md")


def fault(text: str) -> str:
    with pytest.raises(PackageError) as caught:
        html(text)
    return str(caught.value)


def test_every_shipped_text_renders():
    texts = sorted(shipped_bank().glob("*/statement/*.md"))
    assert texts
    assert {path: render(path.read_text(encoding="utf-8"), where=path.name).faults for path in texts} == dict.fromkeys(
        texts, ()
    )


def test_a_formula_in_a_line_becomes_mathml():
    assert html("So $x<y$.") == (
        "<p>So <math><semantics><mrow><mi>x</mi><mo>&lt;</mo><mi>y</mi></mrow>"
        '<annotation encoding="application/x-tex">x&lt;y</annotation></semantics></math>.</p>\n'
    )


def test_a_displayed_formula_scrolls_in_its_own_box():
    rendered = html("$$\n\\frac{a}{b}\n$$")
    assert rendered.startswith(
        '<div class="math-scroll" tabindex="0" role="group" aria-label="Formula"><math display="block">'
    )
    assert rendered.endswith("</math></div>\n")


def test_headings_begin_at_h2_and_carry_their_anchors():
    assert html("# A $x$ {#a-1}\n\n## B\n\n###### C {#c}\n").replace("\n", "") == (
        f'<h2 id="a-1">A {mathml("x", display=False)}</h2><h3>B</h3><h6 id="c">C</h6>'
    )
    assert html("### A\n\n#### B") == "<h2>A</h2>\n<h3>B</h3>\n"


def test_what_is_no_anchor_stays_text():
    assert html("## A {#Not an anchor}") == "<h2>A {#Not an anchor}</h2>\n"
    assert html("## `{#code}`") == "<h2><code>{#code}</code></h2>\n"


def test_tables_and_code_scroll_in_their_own_boxes_without_inline_styles():
    rendered = html("| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n```python\nx < 1\n```\n")
    assert '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>' in rendered
    assert '<th class="m-right">a</th>\n<th class="m-center">b</th>' in rendered
    assert (
        '<pre tabindex="0" role="group" aria-label="Code"><code class="language-python">x &lt; 1\n</code></pre>'
        in rendered
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\n\nb $\\foo$", 'problem.en.md, line 3: the formula $\\foo$ does not render: Unknown command "\\foo".'),
        ("a $x$\nb $x$\nc $\\foo$ d", "problem.en.md, line 3: the formula $\\foo$"),
        ("# t\n\n- a\n- b\n\n  $$\n  \\foo\n  $$", "problem.en.md, line 6: the formula $\\foo$"),
        ("|a|\n|-|\n|b|\n|$\\foo$|", "problem.en.md, line 4: the formula $\\foo$"),
        ("> $x^{$", "problem.en.md, line 1: the formula $x^{$ does not render: Expected closing token"),
        ("a\n\n$$\n\n$$", "problem.en.md, line 3: the formula $$ is empty."),
        ("a\n\n$$$$\n", "problem.en.md, line 3: the formula $$ is empty."),
        ("a\n\n$$\nb", "problem.en.md, line 3: there is an empty or unclosed $$"),
        ("a $$x$$ b", "problem.en.md, line 1: put $$ on lines of their own"),
        ("a\n![x](y.png)", "problem.en.md, line 2: images are not shown"),
        ("# A {#a}\n\n# B {#a}", "problem.en.md, line 3: the anchor {#a} occurs twice"),
    ],
)  # fmt: skip
def test_what_does_not_render_is_named_with_its_line(text, sentence):
    assert fault(text).startswith(sentence)


def test_all_faults_of_a_text_are_found_at_once():
    assert len(render("$\\a$ $\\b$\n\n$$\n$$", where="x").faults) == 3


def test_money_is_no_formula():
    assert html("It costs 5 $ or $ 6.") == "<p>It costs 5 $ or $ 6.</p>\n"
    assert html(r"It costs \$5 and \$6.") == "<p>It costs $5 and $6.</p>\n"


def test_raw_html_and_script_links_stay_text():
    rendered = html(
        "<script>alert(1)</script>\n\n<b onclick=x>b</b> [a](javascript:alert(1)) [b](vbscript:x) [c](data:text/html,x)"
    )
    assert "<script" not in rendered
    assert "<b " not in rendered
    assert "<a " not in rendered


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("x" * 4001, "has 4001 characters; at most 4000"),
        ("{" * 61 + "x" + "}" * 61, "nests braces 61 deep; at most 60"),
        (r"\def\a{\sqrt\sqrt\a}\a", r"uses \def; definitions are not allowed"),
        (r"\newcommand{\a}{x}\a", r"uses \newcommand"),
        (r"\let\a=b", r"uses \let"),
        (r"\href{javascript:alert(1)}{x}", "does not render: Unknown command"),
        (r"\textcolor{red}{x}", "needs the style"),
        (r"\hspace{-2em}x", 'needs the style "margin-left:-2em"'),
        (r"\begin{align*}a&=b\end{align*}", r"fills the whole line; write \begin{aligned}"),
        (r"\begin{equation}x\label{a}\end{equation}", "fills the whole line"),
    ],
)
def test_a_formula_that_is_dangerous_or_cannot_be_styled_is_refused(latex, words):
    with pytest.raises(FormulaError) as caught:
        mathml(latex, display=True)
    assert words in str(caught.value)


def test_commands_that_only_begin_like_definitions_are_fine():
    assert mathml(r"\left(\leftarrow\right)", display=False)


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{aligned}a&=b\\c&=d\end{aligned}",
        r"\begin{cases}a&b\\c&d\end{cases}",
        r"\begin{array}{l||c:r}\hline a&b&c\\\hline d&e&f\end{array}",
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\begin{subarray}{c}a\\b\end{subarray}",
        r"\begin{gathered}a\\b\end{gathered}",
        r"\operatorname{softmax}\!\left(\frac{QK^T}{\sqrt{d_k}}\right) V",
    ],
)
def test_what_the_converter_styles_comes_out_as_classes(latex):
    rendered = mathml(latex, display=True)
    assert " style=" not in rendered
    assert set(re.findall(r"m-[a-z0-9-]+", " ".join(re.findall(r'class="([^"]*)"', rendered)))) <= set(CLASSES.values())


def test_every_class_of_formulas_has_its_rule_in_the_stylesheet():
    stylesheet = Path(__file__).parents[2] / "static" / "css" / "formula.css"
    assert set(CLASSES.values()) - set(re.findall(r"\.(m-[a-z0-9-]+)", stylesheet.read_text())) == set()


TAGS = re.compile(r"<[^>]*>")
PIECES = [r"\text{", "<script>", "</math>", "<!--", "-->", '"', "'", "&", "<", ">", "]]>", "<img src=x onerror=y>"]
PIECES += [r"\frac", "x", "^", "_", "&lt;", r"\mathrm{", r"\operatorname{", r"\begin{matrix}", r"\end{matrix}", "\\\\"]
PIECES += [r"\tag{", r"\color{", "#1", "~", "é", "%", "}", "{"]
MARKS = [*PIECES, "$", "$$", "\n", "\n\n", "# ", "- ", "`", "|", "[a](", ")", "{#a}", "> ", "    "]
ELEMENTS = re.compile(r"</?[a-z]+( [a-z]+=\"[^\"<>]*\")*>")


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.booleans())
@example(r"\text{<script>alert(1)</script>}", True)
@example(r"\text{</annotation><script>}", True)
def test_whatever_stands_in_a_formula_only_known_elements_come_out(latex, display):
    try:
        rendered = mathml(latex, display=display)
    except FormulaError:
        return
    assert rendered.startswith("<math")
    assert [tag for tag in TAGS.findall(rendered) if not ELEMENTS.fullmatch(tag)] == []
    tags = " ".join(TAGS.findall(rendered))
    assert not re.search(r"<(script|img|a)\b| (style|on[a-z]+|href|id|src)=", tags)


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
def test_whatever_stands_in_a_text_no_script_and_no_style_comes_out(text):
    rendered = render(text, where="x").html
    assert not re.search(r"<(script|img|iframe)\b", rendered)
    assert [tag for tag in TAGS.findall(rendered) if re.search(r" (style|on[a-z]+|src)=", tag)] == []


@given(st.text(max_size=60))
def test_any_text_renders_or_has_faults(text):
    rendered = render(text, where="x")
    assert isinstance(rendered.html, str)
