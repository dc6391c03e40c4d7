"""Viva cards in the page, by keyboard alone: turn, show me, grade, undo; and an examination to its summary."""

import json
import math
import re

import pytest

from sparsekm_edu import exercises

pytestmark = pytest.mark.browser
REPORT = 3  # the cell of VIVA that tells what the kernel knows


@pytest.fixture(scope="module")
def viva(open_notebook):
    viva = open_notebook("viva.ipynb")
    viva.run_all()
    yield viva
    viva.close()


def kernel(viva):
    return json.loads(viva.run(REPORT))


def focused(viva, n):
    """Card n, with the focus, reached as a learner without a mouse reaches it: by Tab from the cell's code."""
    card = viva.page.locator(".skm-viva-card").nth(n)
    card.wait_for()
    viva.cells.nth(n + 1).locator(".cm-content").click()
    viva.page.keyboard.press("Escape")  # to the cell
    for _ in range(8):
        viva.page.keyboard.press("Tab")
        if card.evaluate("card => card === document.activeElement"):
            return card
    raise AssertionError("Tab does not reach the card")


def seen(card, text):
    card.get_by_text(text).first.wait_for()


def test_a_session_by_keyboard_alone(viva):
    card, press, page = focused(viva, 0), viva.page.keyboard.press, viva.page
    assert card.evaluate("card => card.matches(':focus-visible')")
    seen(card, "Card 1 of 2")
    assert "multiplier" not in card.inner_html()  # the answer is not in the page
    assert card.locator("math").count() == 1
    press("3")  # nobody grades an answer that was not seen
    press("Space")
    seen(card, "multiplier")
    assert card.locator("math").count() == 2
    assert "/01_maximum_margin.ipynb" in page.get_by_role("link", name="01, section 2").get_attribute("href")

    press("s")
    [explorer] = wait_for_explorers(viva, 1)
    before = explorer.picture()
    explorer.sliders.first.focus()
    press("ArrowRight")
    explorer.wait_for_change(before)
    assert kernel(viva)["angle"] > 50
    card.focus()

    press("3")
    seen(card, "Card 2 of 2")
    wait_for_explorers(viva, 0)
    cards = kernel(viva)["cards"]
    assert cards["one"]["box"] == 2
    assert "two" not in cards
    card.focus()
    press("u")
    seen(card, "multiplier")
    assert kernel(viva)["cards"]["one"]["box"] == 0
    card.focus()
    press("1")
    seen(card, "Card 2 of 3")  # it comes once more
    for phase, key in [("question", "Enter"), ("answer", "2"), ("question", "Space"), ("answer", "3")]:
        page.locator(f'.skm-viva-card[data-phase="{phase}"]').first.wait_for()
        press(key)
    seen(card, "Done: 1 again, 1 hard, 1 good.")
    seen(card, "Due today: 0 of 2 cards.")
    assert {id: entry["box"] for id, entry in kernel(viva)["cards"].items()} == {"one": 1, "two": 1}


def wait_for_explorers(viva, number):
    viva.page.wait_for_function(
        f"() => document.querySelectorAll('.skm-explorer .skm-facts').length === {number}"
    )
    return viva.explorers()


@pytest.mark.slow
def test_keys_typed_into_a_card_are_no_commands_of_jupyterlab(viva):
    before = viva.cells.count()
    focused(viva, 0)
    for key in "ddabxcv":
        viva.page.keyboard.press(key)
    assert viva.cells.count() == before
    assert viva.wrong() == []


@pytest.mark.slow
def test_only_some_cards_by_the_menus_of_the_card(viva):
    card = focused(viva, 0)
    viva.page.keyboard.press("Tab")
    for key in "RVM":
        viva.page.keyboard.press(key)  # a menu finds its entry by its letters
    seen(card, "No card is due today.")
    assert card.get_by_label("topic").input_value() == "RVM"
    card.focus()
    viva.page.keyboard.press("Space")
    seen(card, "Card 1 of 1")
    seen(card, "RVM · define · box 1")


@pytest.mark.slow
def test_every_card_fits_on_paper(viva, tmp_path):
    exercises.print_cards(tmp_path / "cards.html")
    page = viva.page.context.new_page()
    page.goto((tmp_path / "cards.html").as_uri())
    too_large = """cards => cards
        .filter(card => card.scrollWidth > card.clientWidth || card.scrollHeight > card.clientHeight)
        .map(card => card.innerText)"""
    assert page.locator(".card").evaluate_all(too_large) == []
    sheets = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) == 2 * math.ceil(len(exercises.cards()) / 6)
    page.close()


@pytest.mark.slow
def test_an_examination_of_three_seconds(viva):
    card, press = focused(viva, 1), viva.page.keyboard.press
    seen(card, "2 questions in 0.05 minutes.")
    press("Enter")
    seen(card, "Card 1 of 2")
    assert card.get_by_role("timer").inner_text().endswith("left")
    press("Space")
    seen(card, "1 missed")
    press("2")
    seen(card, "Card 2 of 2")
    seen(card, "time is over")
    assert "Time is over." in card.locator(".skm-viva-voice").inner_text()
    press("Space")
    seen(card, "3 well")
    press("3")
    seen(card, "1.5 of 2 points in 1 minute. Time was over before the last 1 of your answers.")
    viva.page.get_by_text("Look at these again.").wait_for()
    press("Space")  # throws nothing away
    assert viva.page.locator("td", has_text="SVM").count() == 1
    known = kernel(viva)
    assert [grade for _, grade in known["exam"]] == ["hard", "good"]
    assert known["late"] == 1
    assert viva.wrong() == []

    # the last thing: another notebook lies above this one afterwards
    viva.page.get_by_role("link", name="01, section 2").click()
    viva.page.locator(".lm-TabBar-tabLabel", has_text="01_maximum_margin.ipynb").wait_for(state="attached")
