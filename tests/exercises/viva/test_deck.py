"""A sitting with the cards, driven as the page drives it: turn, grade, undo, show me, examination, summary."""

import random
from collections import Counter
from datetime import date

import pytest
from made_cards import CARDS, made

from sparsekm_edu.exercises import record
from sparsekm_edu.exercises.viva.catalogue import with_tags
from sparsekm_edu.exercises.viva.deck import Deck, Examination
from sparsekm_edu.exercises.viva.session import Session, spread

FEW = [
    made("SVM", "define", id="a"),
    made("RVM", "derive", id="b"),
    made("SVM", "judge", id="c", show="", formula=""),
]


@pytest.fixture
def opened():
    """opened(Deck, ...) -> a widget, closed after the test."""
    made = []

    def opened(kind, *args, **kwargs):
        made.append(kind(*args, **kwargs))
        return made[-1]

    yield opened
    for one in made:
        one.close()


def send(sitting, type, **fields):
    """What the page sends."""
    sitting._on_message(None, {"type": type, **fields}, [])
    return sitting.page.shown


def boxes_of(*ids):
    kept = record.load()[0]["cards"]
    return [kept.get(id, {}).get("box") for id in ids]


def below(sitting):
    return "".join(output["data"]["text/markdown"] for output in sitting.below.outputs)


# ---- without widgets ------------------------------------------------------------------------------------


def test_again_comes_once_more_and_only_once():
    session = Session(("a", "b"))
    session = session.turn().grade("again")
    assert session == Session(("b", "a"), False, (("a", "again"),))
    session = session.grade("good").grade("again")
    assert session.waiting == ()
    assert session.card is None
    assert Session(("a",)).grade("again", repeats=False).waiting == ()


@pytest.mark.parametrize("seed", range(20))
def test_an_examination_is_spread_over_topics_and_kinds(seed):
    asked = spread(CARDS, 10, random.Random(seed))
    assert len({card.id for card in asked}) == 10
    topics, kinds = Counter(card.topic for card in asked), Counter(card.kind for card in asked)
    assert sorted(topics.values()) == [2, 2, 3, 3]
    assert sorted(kinds.values()) == [2, 2, 3, 3]


def test_examinations_differ():
    asked = {tuple(card.id for card in spread(CARDS, 10, random.Random(seed))) for seed in range(10)}
    assert len(asked) == 10
    assert len(spread(CARDS[:3], 10, random.Random(0))) == 3


def test_tags_choose_topics_and_kinds():
    assert [card.id for card in with_tags("RVM", CARDS)] == [
        f"RVM-{k}" for k in ("define", "derive", "compare", "judge")
    ]
    assert {card.id for card in with_tags(("SVM", "RVM", "judge"), CARDS)} == {"SVM-judge", "RVM-judge"}
    assert with_tags(None, CARDS) == CARDS
    with pytest.raises(ValueError, match="tags must be among SVM, .* judge, got 'svm'"):
        with_tags("svm", CARDS)


def test_a_list_of_cards_shows_itself_as_questions_with_folds():
    text = with_tags("SVM", CARDS)._repr_markdown_()
    assert repr(with_tags("SVM", CARDS[:6])) == "4 cards: SVM-define, SVM-derive, SVM-compare, SVM-judge"
    assert text.count("<details ") == text.count("</details>") == 4
    assert "**1.** Please *define* $a_n$ of SVM. *(SVM, define)*" in text
    assert "[10, section 5](10_sparsity.ipynb#5-Here)" in text
    assert "$$\na_n \\ge 0 \\tag{7.11}\n$$" in text


# ---- the deck ---------------------------------------------------------------------------------------------


def test_a_card_by_keys(opened):
    deck = opened(Deck, FEW, shuffle=False)
    shown = deck.page.shown
    assert shown["phase"] == "question"
    assert shown["head"] == "Card 1 of 3"
    assert shown["tags"] == "SVM · define · new"
    assert "<math" in shown["question"]
    assert shown["answer"] == shown["formula"] == shown["show"] == ""  # not in the page before it is turned
    assert below(deck) == ""
    assert send(deck, "grade", grade="good")["head"] == "Card 1 of 3"  # nobody grades an answer not seen
    shown = send(deck, "turn")
    assert shown["phase"] == "answer"
    assert "<strong>because</strong>" in shown["answer"]
    assert "(7.11)" in shown["formula"]
    assert shown["show"] == "Show me"
    assert below(deck) == "Taught in [10, section 5](10_sparsity.ipynb#5-Here)."
    shown = send(deck, "grade", grade="good")
    assert shown["head"] == "Card 2 of 3"
    assert shown["phase"] == "question"
    assert boxes_of("a", "b") == [2, None]


def test_to_the_end_and_undo(opened):
    deck = opened(Deck, FEW, shuffle=False, today=lambda: date(2026, 11, 18))
    for grade in ("good", "again", "hard", "good"):  # b comes twice
        send(deck, "turn")
        shown = send(deck, "grade", grade=grade)
    assert shown["phase"] == "rest"
    assert "Done: 1 again, 1 hard, 2 good. The next 2 are due on 19 November." in shown["question"]
    assert boxes_of("a", "b", "c") == [2, 1, 1]
    assert "Due today: 0" in shown["statistics"]
    for head in ("Card 4 of 4", "Card 3 of 4", "Card 2 of 3", "Card 1 of 3"):
        shown = send(deck, "undo")
        assert shown["head"] == head
        assert shown["phase"] == "answer"
    assert boxes_of("a", "b", "c") == [0, 0, 0]
    assert not shown["undo"]
    assert send(deck, "undo")["head"] == "Card 1 of 3"
    assert "Due today: 3 of 3 cards." in send(deck, "go")["statistics"]


def test_only_what_is_due_is_asked_and_the_rest_on_demand(opened):
    record.change("cards", "a", box=3, day="2026-11-16")
    record.change("cards", "b", box=1, day="2026-11-16")
    deck = opened(Deck, FEW, shuffle=False, today=lambda: date(2026, 11, 18))
    assert deck.session.waiting == ("b", "c")
    send(deck, "choose", tags=["SVM", "define"])
    assert deck.page.shown["phase"] == "rest"
    assert "No card is due today. The next card is due on 20 November." in deck.page.shown["question"]
    send(deck, "go")
    assert deck.session.waiting == ("a",)
    send(deck, "turn")
    send(deck, "grade", grade="good")
    assert boxes_of("a") == [3]  # it was not due: it stays
    shown = send(deck, "choose", tags=["theory"])
    assert "There is no such card." in shown["question"]
    assert shown["go"] == ""
    assert [choice["chosen"] for choice in shown["choices"]] == ["theory", ""]


def test_shuffled(opened):
    decks = [opened(Deck, CARDS) for _ in range(8)]
    assert all(set(deck.session.waiting) == {card.id for card in CARDS} for deck in decks)
    assert len({deck.session.waiting for deck in decks}) == 8  # of 16! orders


def test_show_me_opens_the_explorer_in_its_state_and_the_next_card_closes_it(opened):
    deck = opened(Deck, FEW, shuffle=False)
    assert send(deck, "show")["show"] == ""  # the question shows nothing
    send(deck, "turn")
    assert send(deck, "show")["show"] == "Close the picture"
    explorer = deck.explorer
    assert explorer.state.step == 12
    assert deck.children[-1] is explorer
    send(deck, "grade", grade="good")
    assert deck.explorer is None
    assert explorer.comm is None  # closed
    assert deck.children == (deck.page, deck.below)
    send(deck, "turn")
    send(deck, "show")
    send(deck, "show")
    assert deck.explorer is None


def test_a_mishap_is_told_and_the_next_key_works(opened):
    deck = opened(Deck, [made("SVM", "define", show="explorers.nobody()")])
    send(deck, "turn")
    assert "AttributeError" in send(deck, "show")["message"]
    assert "KeyError" in send(deck, "dance")["message"]
    assert send(deck, "grade", grade="good")["message"] == ""


def test_a_record_that_cannot_be_written_costs_a_sentence(opened, tmp_path, monkeypatch):
    monkeypatch.setenv(record.ELSEWHERE, str(tmp_path / "gone" / "progress.json"))
    deck = opened(Deck, FEW, shuffle=False)
    send(deck, "turn")
    assert "remembered only until Python stops" in send(deck, "grade", grade="good")["message"]
    assert boxes_of("a") == [2]


def test_a_cell_that_is_run_again_closes_its_old_deck(opened, shell):
    old = opened(Deck, FEW)
    shell.run += 1
    opened(Deck, FEW)
    assert old.comm is None
    assert old.page.comm is None


def test_stored_without_a_widget_it_is_the_same_sentence_every_day(opened):
    deck = opened(Deck, FEW, tags="SVM")
    bundle = deck._repr_mimebundle_()[0]
    assert bundle["text/plain"] == "A deck of 2 viva cards: run this cell to play it."
    assert bundle["text/html"] == f"<p>{bundle['text/plain']}</p>"


# ---- the examination --------------------------------------------------------------------------------------


def test_an_examination_to_its_summary(opened):
    exam = opened(Examination, CARDS, n=4, minutes=5)
    shown = exam.page.shown
    assert (shown["phase"], shown["go"], shown["minutes"]) == ("rest", "Begin", 5)
    assert "4 questions in 5 minutes" in shown["question"]
    shown = send(exam, "go", ends=1_000_000)
    assert shown["ends"] == 1_000_000
    asked = list(exam.session.waiting)
    record.change("cards", asked[2], box=4, day="2026-11-01")
    for id, grade in zip(asked, ("again", "hard", "good", "good")):
        assert exam.card.id == id
        shown = send(exam, "turn")
        assert shown["marks"] == ("missed", "partly", "well")
        assert shown["show"] == ""
        assert below(exam) == ""
        shown = send(exam, "grade", grade=grade)
        if id == asked[2]:
            send(exam, "time over")
    assert shown["phase"] == "rest"
    assert (
        "2.5 of 4 points in 1 minute. Time was over before the last 1 of your answers." in shown["question"]
    )
    lines = below(exam).splitlines()
    assert len([line for line in lines if line.startswith("- Please")]) == 2
    assert sum("(missed)" in line and asked[0].split("-")[0] in line for line in lines) == 1
    assert boxes_of(*asked) == [1, None, 4, None]  # missed: back to box 1; the others stay
    assert send(exam, "undo")["head"] == "Card 4 of 4"
    assert send(exam, "go", ends=2_000_000)["head"] == "Card 1 of 4"


def test_an_examination_can_be_ended_early_and_nothing_is_lost(opened):
    exam = opened(Examination, CARDS, n=10)
    send(exam, "go", ends=1)
    send(exam, "turn")
    send(exam, "grade", grade="good")
    shown = send(exam, "end")
    assert "1 of 10 points" in shown["question"]
    assert "Look at these again" not in below(exam)
    assert send(exam, "undo")["head"] == "Card 1 of 10"
