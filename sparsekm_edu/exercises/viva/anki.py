"""The cards as a text file that Anki imports (File, Import): one note a line, formulas for its MathJax.

The first column is a name that stays: a later import finds the note again and brings it up to date, and nothing that
was learned is lost.
"""

import csv
import html
import io
import re

from sparsekm_edu.exercises.markup import between_quads, to_html
from sparsekm_edu.exercises.viva.card import unbroken

DECK = "Sparse kernel machines: viva"
HEADERS = {
    "separator": "tab",
    "html": "true",
    "notetype": "Basic",
    "deck": DECK,
    "columns": "id\tFront\tBack\tTags",
    "guid column": "1",
    "tags column": "4",
}
BRACKETS = {"inline": (r"\(", r"\)"), "block": (r"\[", r"\]")}


def as_text(cards):
    """The whole file."""
    file = io.StringIO()
    file.writelines(f"#{name}:{value}\n" for name, value in HEADERS.items())
    rows = csv.writer(file, delimiter="\t", lineterminator="\n")
    for card in cards:
        rows.writerow([f"sparsekm-{card.id}", field(card.question), back(card), " ".join(card.tags)])
    return file.getvalue()


def back(card):
    """Answer, formula, and where to look: in words, as Anki opens no notebook."""
    formula = f"<p>{wrapped(card.formula)}</p>" if card.formula else ""
    return field(card.answer) + formula + f"<p><small>{html.escape(card.where, quote=False)}</small></p>"


def field(markdown):
    """Markdown as HTML on one line."""
    return re.sub(r"\s*\n\s*", " ", to_html(unbroken(markdown), mathjax)).strip()


def mathjax(latex, display):
    """A formula in the brackets that Anki knows; < and & as HTML wants them."""
    left, right = BRACKETS[display]
    return left + html.escape(" ".join(latex.split()), quote=False) + right


def wrapped(latex):
    r"""The parts of a formula between \quad, beside each other, or below on a narrow telephone.

    >>> wrapped(r"a \quad b")
    '\\(\\displaystyle a\\) &emsp; \\(\\displaystyle b\\)'
    """
    return " &emsp; ".join(mathjax(rf"\displaystyle {part}", "inline") for part in between_quads(latex))
