"""What a notebook calls for the viva: cards, deck, examination, boxes, export_anki, print_cards."""

from datetime import date
from pathlib import Path

from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.face import Text
from sparsekm_edu.exercises.viva import anki, sheet
from sparsekm_edu.exercises.viva import boxes as leitner
from sparsekm_edu.exercises.viva.catalogue import CARDS, with_tags
from sparsekm_edu.exercises.viva.statistics import Statistics
from sparsekm_edu.validation import real_number, shown, whole_number


def cards(tags=None):
    """All cards as a list, or those with the given tags: a tag, or several.

    >>> from sparsekm_edu import exercises
    >>> {card.topic for card in exercises.cards("RVM")}
    {'RVM'}
    """
    return with_tags(tags, CARDS.values())


def deck(tags=None, shuffle=True):
    """The cards that are due today: say the answer, turn, grade yourself; what you know comes back late."""
    from sparsekm_edu.exercises.viva.deck import Deck  # here: a list of cards needs no widgets

    cards(tags)  # complains about a tag that there is not
    return Deck(CARDS.values(), tags, shuffle)


def examination(n=10, minutes=20):
    """n questions of all topics and kinds, a clock, and a summary that says where to look again."""
    from sparsekm_edu.exercises.viva.deck import Examination

    n, minutes = whole_number("n", n, 1), real_number("minutes", minutes, above=0)
    if n > len(CARDS):
        raise ValueError(f"n must be at most {len(CARDS)}, the number of cards, got {n}.")
    return Examination(CARDS.values(), n, minutes)


def boxes():
    """In which boxes the cards lie, and how many are due today: a small picture."""
    kept = record.load()[0]["cards"]
    entries = [kept.get(id, {}) for id in CARDS]
    due = sum(leitner.is_due(entry, date.today()) for entry in entries)
    return Statistics(tuple(leitner.filling(entries)), due)


def export_anki(path="viva_cards.txt"):
    """Write all cards as a text file that Anki imports, formulas included; importing it again updates the notes."""
    return written(path, anki.as_text(CARDS.values()), "In Anki: File, Import.")


def print_cards(path="viva_cards.html"):
    """Write all cards as a sheet to print, A4, each answer on the back of its question."""
    return written(path, sheet.as_html(CARDS.values()), "Open it in a browser and print it on both sides.")


def written(path, text, then):
    """Write the file and say so; one sentence if that is not possible."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, TypeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ValueError(f"path must be a file that can be written, got {shown(path)}: {reason}.") from None
    return Text(f"{len(CARDS)} cards are in {path}. {then}")
