"""The cards for Anki, read back as Anki reads them, and on paper; and what a notebook calls."""

import csv
import html
import re

import pytest
from made_cards import CARDS, made

from sparsekm_edu import exercises
from sparsekm_edu.exercises.markup import between_quads, to_mathml, to_wrapped_mathml
from sparsekm_edu.exercises.viva import anki, sheet
from sparsekm_edu.exercises.viva.deck import Deck, Examination


def as_anki_reads(text):
    """Headers, which begin with #, then tab-separated rows, where a quoted field doubles its quotes."""
    lines = text.splitlines(keepends=True)
    headers = dict(line[1:].rstrip("\n").split(":", 1) for line in lines if line.startswith("#"))
    number = len(headers)
    assert all(line.startswith("#") for line in lines[:number])  # all at the top
    return headers, list(csv.reader(lines[number:], delimiter="\t"))


def test_every_card_is_one_note():
    headers, rows = as_anki_reads(anki.as_text(exercises.cards()))
    assert headers["separator"] == "tab"
    assert headers["html"] == "true"
    assert headers["columns"].split("\t") == ["id", "Front", "Back", "Tags"]
    assert (headers["guid column"], headers["tags column"]) == ("1", "4")
    assert len(rows) == len(exercises.cards()) == len({row[0] for row in rows})
    for card, (id, front, back, tags) in zip(exercises.cards(), rows, strict=True):
        assert id == f"sparsekm-{card.id}"
        assert tags.split() == list(card.tags)
        assert "$" not in front + back
        for text in (front, back):
            assert text.count(r"\(") == text.count(r"\)")
            assert text.count(r"\[") == text.count(r"\]")
        parts = [html.unescape(part) for part in re.findall(r"\\\(\\displaystyle (.*?)\\\)", back)]
        assert parts == between_quads(card.formula)
        assert "".join("".join(parts).split()) == "".join(
            re.sub(r"\\q?quad(?![a-z])", "", card.formula).split()
        )


def test_signs_that_could_do_harm_survive():
    card = made(
        "SVM",
        "define",
        question='"Is" $a<b$ & `x\ty`?',
        answer="One\n\ntwo\n\n$$\na &= b\n$$\n",
        formula="x<y",
    )
    _, [[_, front, back, _]] = as_anki_reads(anki.as_text([card]))
    assert front.startswith("<p>&quot;Is&quot;") or front.startswith('<p>"Is"')
    assert r"\(a&lt;b\)" in front
    assert back.startswith("<p>One</p> <p>two</p> <p>\\[a &amp;= b\\]</p>")
    assert r"\(\displaystyle x&lt;y\)" in back
    assert "\n" not in front + back


def test_formulas_are_split_as_on_paper_so_that_they_fit_on_a_telephone():
    for card in exercises.cards():
        assert "\\[" not in anki.back(card)
        parts = between_quads(card.formula)
        assert len(parts) == to_wrapped_mathml(card.formula).count("<math ")
        for part in parts:
            seen = html.unescape(re.sub(r"<[^>]+>", "", to_mathml(part)))
            assert len(seen) <= 50, part


def test_no_line_ends_within_a_number():
    for text in (anki.as_text(exercises.cards()), sheet.as_html(exercises.cards())):
        assert "100\xa0000 points" in text
        assert "94\xa0% right" in text
        assert not re.search(r"\d (%|000)", text)


def test_ids_stay_when_a_card_is_rewritten():
    before, after = (
        as_anki_reads(anki.as_text([made("SVM", "define", answer=answer)]))[1] for answer in ("So.", "Other.")
    )
    assert before[0][0] == after[0][0]
    assert before[0][2] != after[0][2]


@pytest.mark.parametrize("number", [1, 6, 7, 16])
def test_on_paper_each_answer_is_behind_its_question(number):
    page = sheet.as_html(CARDS[:number])
    pages = page.split('<div class="page">')[1:]
    assert len(pages) == 2 * -(-number // 6)
    places = [
        re.findall(r'class="card[^"]*"[^>]*>(.*?)</div>\s*(?=<div class="card|</div>)', one, re.DOTALL)
        for one in pages
    ]
    for front, back in zip(places[::2], places[1::2], strict=True):
        assert len(front) == len(back) == 6
        for place, question in enumerate(front):
            behind = back[place ^ 1]  # flipped on the long edge, left is right
            name = re.search(r">(\w+-\w+) · ", question)
            assert (name is None and behind == "") or f">{name[1]} · Taught in" in behind


def test_paper_needs_no_network():
    page = sheet.as_html(exercises.cards())
    assert "<script" not in page
    assert "src=" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert page.count("<math") > len(exercises.cards())


def test_files_are_written_and_told(tmp_path):
    number = len(exercises.cards())
    said = repr(exercises.export_anki(tmp_path / "a.txt"))
    assert said == f"{number} cards are in {tmp_path / 'a.txt'}. In Anki: File, Import."
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == anki.as_text(exercises.cards())
    exercises.print_cards(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == sheet.as_html(exercises.cards())


@pytest.mark.parametrize("path", ["gone/a.txt", ".", 7.5])
@pytest.mark.parametrize("write", [exercises.export_anki, exercises.print_cards])
def test_a_path_that_cannot_be_written(tmp_path, monkeypatch, write, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="path must be a file that can be written, got"):
        write(path)


def test_what_a_notebook_calls():
    assert isinstance(exercises.deck("RVM", shuffle=False), Deck)
    assert exercises.deck("RVM", shuffle=False).wanted() == [card.id for card in exercises.cards("RVM")]
    assert isinstance(exercises.examination(n=5, minutes=0.5), Examination)
    assert repr(exercises.boxes()).startswith(f"{len(exercises.cards())} cards: {len(exercises.cards())} new")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exercises.deck("svm"), "tags must be among"),
        (lambda: exercises.cards(["RVM", 3]), "tags must be among .* got 3"),
        (lambda: exercises.examination(n=0), "n must be a whole number >= 1, got 0"),
        (lambda: exercises.examination(n=10_000), "n must be at most"),
        (lambda: exercises.examination(minutes=-1), "minutes must be a number > 0, got -1"),
    ],
)
def test_slips_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
