"""Markdown with formulas becomes HTML with MathML: every formula of the course, and nothing silently wrong."""

import re
from xml.etree import ElementTree

import nbformat
import pytest
from execute import find

from sparsekm_edu.exercises.markup import PIECES, to_html, to_mathml, to_wrapped_mathml


def parts(latex, tag):
    """The texts of all elements of one kind in a formula."""
    root = ElementTree.fromstring(to_mathml(latex))
    return [part.text for part in root.iter(f"{{http://www.w3.org/1998/Math/MathML}}{tag}")]


def formulas_of_the_course():
    for path in find():
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for piece in PIECES.finditer(cell.source):
                    if not piece["code"]:
                        yield piece["block"] or piece["inline"]


def test_every_formula_of_the_course_can_be_shown():
    formulas = set(formulas_of_the_course())
    assert len(formulas) > 1000
    for latex in formulas:
        root = ElementTree.fromstring(to_mathml(latex))  # well-formed
        assert "".join(root.itertext()).strip()
        assert "\\" not in "".join(root.itertext())


def test_letters_keep_their_style():
    """Browsers ignore mathvariant="bold", so the letter itself is bold."""
    assert parts(r"\mathbf x\mathbf{w}\boldsymbol\alpha\mathcal H\mathbb R\mathsf T\boldsymbol\phi", "mi") == [
        "𝐱", "𝐰", "𝜶", "ℋ", "ℝ", "𝖳", "𝝓",
    ]  # fmt: skip
    assert parts(r"\mathbf 0", "mn") == ["𝟎"]
    assert "mathvariant" not in to_mathml(r"\mathbf x")
    assert 'mathvariant="normal"' in to_mathml(
        r"\mathrm{KL}"
    )  # this one they know, and K alone would be slanted


def test_what_the_converter_does_not_know():
    assert parts(r"\begin{aligned} a &= b \\ &= c \end{aligned}", "mtr") == [None, None]
    assert parts(r"a \tag{7.7}", "mtext") == ["(7.7)"]
    assert parts(r"\Big\{ a \Big\}", "mo") == ["{", "}"]
    assert parts(r"\arg\max_x", "mo") == ["arg", "max"]
    assert parts(r"p''^2", "mn") == ["2"]


def test_limits_stand_below_in_a_formula_of_its_own_line():
    assert "<munder><mo>min</mo>" in to_mathml(r"\min_x f")
    assert "<msub><mo>min</mo>" in to_mathml(r"\min_x f", "inline")


def test_names_of_functions_keep_their_distance():
    assert '<mi>N</mi><mspace width="0.167em" /><mi>ln</mi><mspace width="0.167em" /><mn>2</mn>' in to_mathml(
        r"N\ln2"
    )
    assert "mspace" not in to_mathml(r"-\ln(x)")
    assert to_mathml(r"\frac{\ln}{x}").count("mspace") == 0


def test_a_comma_stays_with_its_formula():
    page = to_html("So $a$, $b$ and ($c$).")
    assert page.count('<span style="white-space: nowrap"><math') == 2
    assert "</math>,</span>" in page
    assert "</math>).</span>" in page


def test_bars_keep_their_height():
    assert to_mathml(r"\lVert x\rVert^2").count('stretchy="false"') == 2
    assert 'stretchy="true"' in to_mathml(r"\left\lVert x\right\rVert")
    assert 'minsize="1.2em"' in to_mathml(r"\big|")


def test_a_wide_formula_is_cut_between_its_parts_and_nowhere_else():
    cut = to_wrapped_mathml(r"a\ge0,\quad \{b\quad\begin{cases}1&x\quad y\\2&z\end{cases}\qquad(7.6)")
    assert cut.count("<math") == 4
    assert to_wrapped_mathml(r"\frac{a\quad b}{c}\left(d\quad e\right)").count("<math") == 1
    assert to_wrapped_mathml(r"x \leftarrow y").count("<math") == 1


@pytest.mark.parametrize("latex", [r"\unknown x", r"\frac{1", "a & b", "x^", "{", "a^b^c"])
def test_a_formula_that_is_none_is_refused(latex):
    with pytest.raises(ValueError, match="latex must be a formula"):
        to_mathml(latex)
    with pytest.raises(ValueError, match="latex must be a formula"):
        to_html(f"Here: ${latex}$.")


def test_text_and_formulas_do_not_disturb_each_other():
    page = to_html("With $a_n*b_n$ and $c_n*d_n$ *we* see `$x$` and \\$5 and \\$6.\n\n$$\na<b\n$$\n")
    assert page.count("<em>") == 1
    assert page.count("<math") == 3
    assert page.count('display="block"') == 1
    assert "<code>$x$</code>" in page
    assert "$5 and $6" in page
    assert "a</mi><mo>&lt;</mo>" in page


def test_folds_tables_links_and_code_blocks_stay():
    page = to_html(
        "<details><summary>More</summary>\n\n**so** $x$\n\n</details>\n\n| a | b |\n|---|---|\n| $x$ | 2 |\n\n"
        "[there](01_maximum_margin.ipynb#6-The-dual:-(7.7)-·-core)\n\n```python\nprice = '$1 or $2'\n```\n"
    )
    assert "<summary>More</summary>" in page
    assert "<strong>so</strong> <math" in page
    assert re.search(r"<td>\s*<math", page)
    assert 'href="01_maximum_margin.ipynb#6-The-dual:-(7.7)-%C2%B7-core"' in page
    assert "'$1 or $2'" in page.replace("&#x27;", "'").replace("&#39;", "'")
