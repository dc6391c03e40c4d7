"""All cards of the viva, and those with given tags."""

from sparsekm_edu.exercises.viva import cards_kernels, cards_rvm, cards_svm, cards_theory
from sparsekm_edu.exercises.viva.card import KINDS, TOPICS
from sparsekm_edu.validation import shown

MODULES = cards_svm, cards_rvm, cards_kernels, cards_theory
CARDS = {card.id: card for module in MODULES for card in module.CARDS}


class Cards(list):
    """A list of cards, which a notebook shows as questions with folded answers."""

    def __repr__(self):
        return f"{len(self)} cards: {', '.join(card.id for card in self)}"

    def _repr_markdown_(self):
        return "\n\n".join(f"**{n}.** {as_markdown(card)}" for n, card in enumerate(self, 1))


def as_markdown(card):
    """Question, and a fold with answer, formula, explorer and link."""
    words, link = card.teaches
    lines = [
        f"{card.question} *({', '.join(card.tags)})*",
        f'<details style="margin-bottom: 1em"><summary>Answer</summary>\n\n{card.answer}',
        f"$$\n{card.formula}\n$$" if card.formula else "",
        f"See it: `{card.show}`" if card.show else "",
        f"Taught in [{words}]({link}).\n\n</details>",
    ]
    return "\n\n".join(filter(None, lines))


def with_tags(tags, cards):
    """The cards whose topic is among the topics of `tags`, if it names any, and their kind among its kinds."""
    wanted = [tags] if isinstance(tags, str) else list(tags or ())
    for tag in wanted:
        if tag not in TOPICS + KINDS:
            raise ValueError(f"tags must be among {', '.join(TOPICS + KINDS)}, got {shown(tag)}.")
    topics = [tag for tag in wanted if tag in TOPICS] or TOPICS
    kinds = [tag for tag in wanted if tag in KINDS] or KINDS
    return Cards(card for card in cards if card.topic in topics and card.kind in kinds)
