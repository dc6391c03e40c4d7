"""Cards made for the tests: each topic with each kind."""

from sparsekm_edu.exercises.viva.card import KINDS, TOPICS, Card

SHOW = "explorers.sequential_player(step=12)"


def made(topic, kind, **fields):
    card = {
        "id": f"{topic}-{kind}",
        "question": f"Please *{kind}* $a_n$ of {topic}.",
        "answer": "It is $\\mathbf w<b$, **because** so.",
        "formula": r"a_n \ge 0 \tag{7.11}",
        "show": SHOW,
        "teaches": ("10, section 5", "10_sparsity.ipynb#5-Here"),
        "tags": (topic, kind),
    }
    return Card(**{**card, **fields})


CARDS = [made(topic, kind) for topic in TOPICS for kind in KINDS]
