"""Spaced repetition in boxes (Leitner): what you know comes back late, what you do not know comes back soon.

An entry is what the record holds about one card, {"box": 2, "day": "2026-11-18"}: its box, 1 to 5, and the day on which
it was graded. A new card has none. Whatever else stands there, as in a file that somebody edited, counts as new.
"""

from datetime import date, timedelta

GRADES = "again", "hard", "good"
INTERVALS = {1: 1, 2: 2, 3: 4, 4: 8, 5: 16}  # days until a card of the box is due again
NEW = {"box": 0, "day": ""}


def box_of(entry):
    """1 to 5, or 0 for a new card.

    >>> box_of({"box": 3, "day": "2026-11-18"}), box_of({})
    (3, 0)
    """
    box = entry.get("box")
    return box if type(box) is int and box in INTERVALS and day_of(entry) else 0


def day_of(entry):
    """The day on which the card was graded, or None."""
    try:
        return date.fromisoformat(entry.get("day"))
    except (TypeError, ValueError):
        return None


def due_on(entry):
    """The day from which the card wants to be asked; None for a new card, which always does.

    >>> due_on({"box": 3, "day": "2026-11-18"})
    datetime.date(2026, 11, 22)
    """
    return day_of(entry) + timedelta(INTERVALS[box_of(entry)]) if box_of(entry) else None


def is_due(entry, day):
    """Is it to be asked on that day?"""
    return box_of(entry) == 0 or due_on(entry) <= day


def graded(entry, grade, day):
    """The entry after a grade: again to box 1, hard stays, good one box up.

    A card that was not due yet does not go up: who asks it five times in one evening knows it for one evening.

    >>> graded({"box": 3, "day": "2026-11-18"}, "good", date(2026, 11, 22))
    {'box': 4, 'day': '2026-11-22'}
    """
    if grade not in GRADES:
        raise ValueError(f"grade must be one of {', '.join(GRADES)}, got {grade!r}.")
    box = max(box_of(entry), 1)
    if grade == "again":
        box = 1
    elif grade == "good" and is_due(entry, day):
        box = min(box + 1, max(INTERVALS))
    return {"box": box, "day": day.isoformat()}


def filling(entries):
    """How many cards lie in each box: the new ones, then box 1 to 5."""
    boxes = [box_of(entry) for entry in entries]
    return [boxes.count(box) for box in (0, *INTERVALS)]
