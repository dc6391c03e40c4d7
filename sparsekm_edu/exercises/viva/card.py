"""A card of the viva: what an examiner asks, and what a good answer holds."""

import re
from dataclasses import dataclass

TOPICS = "SVM", "RVM", "kernels", "theory"
KINDS = "define", "derive", "compare", "judge"


@dataclass(frozen=True)
class Card:
    """A question with its model answer.

    question, answer: Markdown with $LaTeX$. What the answer says of the picture is not to be said aloud: it stands in a
    last paragraph of its own. formula: LaTeX without dollars, what belongs on the blackboard, or "".
    show: a line of code that opens a live explorer in the state that shows the answer, or "". teaches: the section that
    teaches it, as ("10, section 5", "10_sparsity.ipynb#its-heading"). tags: one of TOPICS and one of KINDS.
    """

    id: str
    question: str
    answer: str
    formula: str
    show: str
    teaches: tuple
    tags: tuple

    @property
    def where(self):
        """Where to look, in plain words, for paper."""
        picture = f" Picture: {self.show}" if self.show else ""
        return f"Taught in notebook {self.teaches[0]}.{picture}"

    @property
    def topic(self):
        return next(tag for tag in self.tags if tag in TOPICS)

    @property
    def kind(self):
        return next(tag for tag in self.tags if tag in KINDS)


def unbroken(markdown):
    """The same, but no line ends within 100 000 or in front of a per cent sign.

    >>> unbroken("100 000 points, 94 % right")
    '100\xa0000 points, 94\xa0% right'
    """
    return re.sub(r"(?<=\d) (?=\d{3}(?!\d)|%)", "\N{NO-BREAK SPACE}", markdown)
