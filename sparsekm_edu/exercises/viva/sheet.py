"""The cards on paper: one HTML file, A4, questions on one page and their answers on the back of it."""

import math
import re
from html import escape

from sparsekm_edu.exercises.markup import FONTS, to_html, to_wrapped_mathml
from sparsekm_edu.exercises.viva.card import unbroken

PER_PAGE = 6  # two columns, three rows
ROOM = 63_000  # what fits on a card: signs times the square of their size in points
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Viva cards</title>
<style>
@page {{ size: A4; margin: 0; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; font: 9pt/1.3 Georgia, "Times New Roman", serif; color: #000; background: #fff; }}
.note {{ max-width: 190mm; margin: 4mm auto; font: 11pt/1.4 sans-serif; }}
.page {{ width: 210mm; height: 296mm; margin: 0 auto; padding: 6mm 7mm; break-after: page; display: grid;
         grid-template: repeat(3, 1fr) / repeat(2, 1fr); }}
.card {{ border: 0.2mm dashed #999; padding: 2.5mm 3.5mm; overflow: hidden; display: flex; flex-direction: column;
         justify-content: center; min-width: 0; }}
.front {{ font-size: 13pt; text-align: center; }}
.card p {{ margin: 0 0 1.2mm; }}
.small {{ font: 7pt sans-serif; color: #444; }}
.formula {{ text-align: center; margin: 0 0 1.2mm; }}
{fonts}
@media print {{ .note {{ display: none; }} }}
</style>
</head>
<body>
<p class="note">Print on both sides, flip on the long edge, without scaling. Then cut along the dashed lines: every
answer is on the back of its question.</p>
{pages}
</body>
</html>
"""


def as_html(cards):
    """The whole file; formulas are MathML, nothing is loaded from anywhere."""
    cards = list(cards)
    pages = []
    for first in range(0, len(cards), PER_PAGE):
        some = cards[first : first + PER_PAGE]
        some += [None] * (PER_PAGE - len(some))
        behind = [card for left in range(0, PER_PAGE, 2) for card in (some[left + 1], some[left])]  # mirrored
        pages += [page(map(front, some)), page(map(back, behind))]
    return PAGE.format(fonts=FONTS, pages="\n".join(pages))


def page(cards):
    return '<div class="page">\n' + "\n".join(cards) + "\n</div>"


def front(card):
    if card is None:
        return '<div class="card"></div>'
    tags = escape(" · ".join((card.id, *card.tags)))
    return f'<div class="card front">{to_html(unbroken(card.question))}<p class="small">{tags}</p></div>'


def back(card):
    if card is None:
        return '<div class="card"></div>'
    formula = f'<div class="formula">{to_wrapped_mathml(card.formula)}</div>' if card.formula else ""
    where = f'<p class="small">{escape(card.id)} · {escape(card.where)}</p>'
    body = to_html(unbroken(card.answer)) + formula + where
    return f'<div class="card" style="font-size: {size(body)}pt">{body}</div>'


def size(body):
    """The size of its letters in points: what is short may be large.

    >>> size("x" * 600), size("x" * 800)
    (10.2, 8.8)
    """
    signs = len(re.sub(r"<[^>]+>", "", body))
    return min(10.5, math.floor(10 * math.sqrt(ROOM / signs)) / 10)
