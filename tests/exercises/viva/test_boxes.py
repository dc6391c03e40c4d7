"""Spaced repetition: which box a card goes to, and when it comes back."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.exercises.viva import boxes
from sparsekm_edu.exercises.viva.statistics import Statistics

DAY = date(2026, 11, 18)


def entry(box, days_ago):
    return {"box": box, "day": (DAY - timedelta(days_ago)).isoformat()}


@pytest.mark.parametrize(
    ("before", "grade", "box"),
    [
        ({}, "again", 1),
        ({}, "hard", 1),
        ({}, "good", 2),
        (entry(1, 1), "good", 2),
        (entry(3, 4), "again", 1),
        (entry(3, 4), "hard", 3),
        (entry(3, 4), "good", 4),
        (entry(5, 16), "good", 5),
        (entry(3, 3), "good", 3),  # not due yet
        (entry(3, 3), "again", 1),
        (entry(4, 0), "good", 4),
    ],
)
def test_a_grade_moves_the_card(before, grade, box):
    assert boxes.graded(before, grade, DAY) == {"box": box, "day": "2026-11-18"}


@pytest.mark.parametrize(("box", "days"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16)])
def test_each_box_has_its_interval(box, days):
    assert boxes.is_due(entry(box, days), DAY)
    assert not boxes.is_due(entry(box, days - 1), DAY)
    assert boxes.due_on(entry(box, 0)) == DAY + timedelta(days)


def test_who_knows_a_card_is_asked_after_1_2_4_8_16_days():
    """Graded good whenever it is due: the days on which one card is asked."""
    day, kept, asked = DAY, {}, []
    for _ in range(7):
        asked.append((day - DAY).days)
        kept = boxes.graded(kept, "good", day)
        day = boxes.due_on(kept)
    assert asked == [0, 2, 6, 14, 30, 46, 62]


def test_an_evening_moves_a_card_one_box_at_most():
    kept = {}
    for _ in range(5):
        kept = boxes.graded(kept, "good", DAY)
    assert kept["box"] == 2
    kept = boxes.graded(kept, "again", DAY)
    assert boxes.graded(kept, "good", DAY)["box"] == 1  # tomorrow it is asked again


@pytest.mark.parametrize(
    "strange",
    [
        {},
        {"box": 3},
        {"box": 9, "day": "2026-11-18"},
        {"box": True, "day": "2026-11-18"},
        {"box": "2", "day": "2026-11-18"},
        {"box": [1], "day": "2026-11-18"},
        {"box": 2, "day": "yesterday"},
        {"box": 2, "day": 5},
        boxes.NEW,
    ],
)
def test_strange_entries_are_new_cards(strange):
    assert boxes.box_of(strange) == 0
    assert boxes.due_on(strange) is None
    assert boxes.is_due(strange, DAY)
    assert boxes.graded(strange, "good", DAY)["box"] == 2


def test_a_grade_that_there_is_not():
    with pytest.raises(ValueError, match="grade must be one of again, hard, good, got 'easy'"):
        boxes.graded({}, "easy", DAY)


@given(st.lists(st.tuples(st.sampled_from(boxes.GRADES), st.integers(0, 40)), max_size=12))
def test_a_card_is_always_in_one_box_and_comes_back(history):
    kept, day = {}, DAY
    for grade, later in history:
        day += timedelta(later)
        before, kept = boxes.box_of(kept), boxes.graded(kept, grade, day)
        assert kept["box"] in range(1, 6)
        assert kept["box"] <= max(before, 1) + 1
        assert day < boxes.due_on(kept) <= day + timedelta(16)


def test_filling_and_its_picture():
    counts = boxes.filling([{}, entry(1, 0), entry(1, 3), entry(5, 0)])
    assert counts == [1, 2, 0, 0, 0, 1]
    picture = Statistics(tuple(counts), 2)
    words = "4 cards: 1 new, 2 in box 1, 0 in box 2, 0 in box 3, 0 in box 4, 1 in box 5. Due today: 2."
    assert repr(picture) == words
    assert f'aria-label="{words}"' in picture.svg
    assert picture.svg.count("<rect") == 6
    heights = [float(bar.split('height="')[1].split('"')[0]) for bar in picture.svg.split("<rect")[1:]]
    assert heights == pytest.approx([31, 62, 0, 0, 0, 31])
    assert Statistics((0,) * 6, 0).svg.count("<rect") == 6  # no cards: no division by zero
