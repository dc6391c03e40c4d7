"""Markdown with formulas -> HTML with MathML, for cards and printed sheets: no network, no JavaScript."""

import html
import re
import unicodedata
from xml.etree.ElementTree import Element, tostring

import mistune
from latex2mathml.converter import convert_to_element

# Formulas, and the code in which a dollar is a dollar.
PIECES = re.compile(
    r"(?P<code>^```.*?^```|`[^`\n]+`)"
    r"|(?<!\\)\$\$(?P<block>.+?)\$\$"
    r"|(?<!\\)\$(?P<inline>[^$]+?)(?<!\\)\$",
    re.DOTALL | re.MULTILINE,
)
HELD = (
    "\ue000{}\ue001"  # takes the place of a formula while Markdown, to which _ and * mean something, is read
)

# What the converter does not know, said so that it does: LaTeX before, characters after
BEFORE = {
    r"(\\(?:begin|end))\{aligned\}": r"\1{split}",
    r"\\tag\{(.*?)\}": r"\\qquad\\text{(\1)}",
    r"\\arg(?![a-z])": r"\\operatorname{arg}",
    r"(\w'+)\^": r"{\1}^",
}
AFTER = {r"\{": "{", r"\}": "}", r"\lVert": "‖", r"\rVert": "‖", r"\langle": "⟨", r"\rangle": "⟩"}
UNDER = "min", "max", "lim", "inf", "sup"  # what stands below them in a formula of its own line
CHILDREN = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2, "munder": 2, "msubsup": 3, "munderover": 3}

# For the style sheet of a page: fonts that know where an index goes; one of them is on every system
FONTS = 'math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "DejaVu Math TeX Gyre", math; }'

# Links of the course lead to headings with colons in them; mistune would take those for a protocol.
_read = mistune.create_markdown(
    renderer=mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True), plugins=["table"]
)


def to_html(markdown, formula=None):
    r"""HTML of a text with $formulas$ and $$formulas on a line of their own$$; HTML in it stays as it is.

    formula: (latex, "inline" or "block") -> HTML; `to_mathml` if it is not given.

    >>> to_html("The *margin* is **wide**: see [01](01_maximum_margin.ipynb).")
    '<p>The <em>margin</em> is <strong>wide</strong>: see <a href="01_maximum_margin.ipynb">01</a>.</p>\n'
    """
    formulas = []

    def hold(piece):
        if piece["code"]:
            return piece[0]
        latex, display = (piece["block"], "block") if piece["block"] else (piece["inline"], "inline")
        formulas.append((formula or to_mathml)(latex, display))
        return HELD.format(len(formulas) - 1)

    read = _read(PIECES.sub(hold, markdown))
    # a comma does not leave its formula
    held = re.compile(HELD.format(r"(\d+)") + "([.,;:!?)]*)")
    return held.sub(lambda found: together(formulas[int(found[1])], found[2]), read)


def together(formula, mark):
    """A formula and the mark behind it on one line."""
    return f'<span style="white-space: nowrap">{formula}{mark}</span>' if mark else formula


def to_mathml(latex, display="block"):
    """One formula as MathML; ValueError for one that would not be shown as it is meant.

    >>> to_mathml("x", "inline")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>x</mi></mrow></math>'
    """
    known = latex.strip()
    for pattern, words in BEFORE.items():
        known = re.sub(pattern, words, known)
    try:
        math = convert_to_element(known, display=display)
    except Exception as problem:  # the converter has a dozen kinds of its own
        raise ValueError(f"latex must be a formula, got {latex!r}: {type(problem).__name__}.") from problem
    for part in math.iter():
        text = html.unescape(part.text or "")
        text = AFTER.get(text, text)
        if "\\" in text or text == "&" or len(part) != CHILDREN.get(part.tag, len(part)):
            raise ValueError(
                f"latex must be a formula that MathML can show, got {latex!r}: {text or part.tag}."
            )
        if part.get("mathvariant", "normal") != "normal":  # browsers ignore it: they want the letter itself
            style = part.attrib.pop("mathvariant")
            text = "".join(styled(letter, style) for letter in text)
        if part.tag == "msub" and display == "block" and part[0].text in UNDER:
            part.tag = "munder"
        if part.tag == "mo" and text in ("|", "‖") and not {"stretchy", "minsize"} & set(part.keys()):
            part.set("stretchy", "false")  # or the last bar of a norm would grow with its exponent
        part.text = text
    for row in math.iter():
        if row.tag not in CHILDREN:
            row[:] = with_spaces_around_names(row)
    return tostring(math, encoding="unicode")


def with_spaces_around_names(row):
    """The children of a row with a thin space on both sides of ln, log, exp, unless a sign or a bracket is there."""
    spaced = []
    for child in row:
        if spaced and "mo" not in (child.tag, spaced[-1].tag) and (is_name(child) or is_name(spaced[-1])):
            spaced.append(Element("mspace", width="0.167em"))
        spaced.append(child)
    return spaced


def is_name(part):
    """ln, log, exp; with or without an index."""
    first = part[0] if len(part) and part.tag in CHILDREN else part
    return first.tag == "mi" and len(first.text) > 1


def to_wrapped_mathml(latex):
    r"""A formula whose parts between \quad may stand on lines of their own where the page is narrow.

    >>> to_wrapped_mathml(r"a \quad b").count("<math")
    2
    """
    maths = [to_mathml(part) for part in between_quads(latex)]
    return " ".join(
        f'<span style="display: inline-block; margin: 0.15em 0.6em; vertical-align: middle">{math}</span>'
        for math in maths
    )


def between_quads(latex):
    r"""The parts of a formula between every \quad that stands in no bracket.

    >>> between_quads(r"a \quad \text{b \quad c} \qquad d")
    ['a', '\\text{b \\quad c}', 'd']
    """
    depth, found = 0, [""]
    for token in re.split(r"(\\q?quad|\\begin|\\end|\\left(?![a-z])|\\right(?![a-z])|(?<!\\)[{}])", latex):
        depth += {"{": 1, r"\begin": 1, r"\left": 1, "}": -1, r"\end": -1, r"\right": -1}.get(token, 0)
        if token in (r"\quad", r"\qquad") and depth == 0:
            found.append("")
        else:
            found[-1] += token
    return [part.strip() for part in found if part.strip()]


def styled(letter, style):
    """The mathematical letter in the style that MathML calls "bold-italic", "script" and so on.

    >>> styled("x", "bold"), styled("Σ", "bold-italic"), styled("R", "double-struck")
    ('𝐱', '𝜮', 'ℝ')
    """
    style = style.upper().replace("BOLD-", "BOLD ")
    name = re.sub(r"LATIN |GREEK |LETTER ", "", unicodedata.name(letter, ""))
    for known in (
        f"MATHEMATICAL {style} {name}",
        f"{style} {name}",
    ):  # the older ones, as ℝ, have the shorter name
        try:
            return unicodedata.lookup(known)
        except KeyError:
            pass
    return letter
