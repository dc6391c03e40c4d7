"""Guesses in the page: by mouse and by keys; the answer comes when the learner commits, not before."""

import json

import pytest

pytestmark = pytest.mark.browser
REPORT = 4  # the cell of GUESSES that tells what the kernel knows
ANSWER = "Because it is so."


@pytest.fixture(scope="module")
def guesses(open_notebook):
    guesses = open_notebook("guesses.ipynb")
    guesses.run_all()
    yield guesses
    guesses.close()


def box(guesses, kind):
    one = guesses.page.locator(f'.skm-guess[data-guess="00-{kind}"]')
    one.wait_for()
    one.scroll_into_view_if_needed()
    assert ANSWER not in one.inner_text()
    return one


def commit(one):
    one.get_by_role("button", name="I commit").click()


def answered(one):
    one.get_by_text(ANSWER).wait_for()
    return one.inner_text()


def kernel(guesses):
    here, stored = guesses.run(REPORT).splitlines()
    return json.loads(here), json.loads(stored)


def test_buttons(guesses):
    one = box(guesses, "choice")
    commit(one)
    one.get_by_text("Choose one of the answers first.").wait_for()
    one.get_by_label("up", exact=True).focus()
    guesses.page.keyboard.press("Space")
    guesses.page.keyboard.press("ArrowRight")  # radio buttons: arrows go from one to the next
    commit(one)
    assert "You said “down”, and so it is." in answered(one)
    assert kernel(guesses)[1]["00-choice"] == {"value": 1, "right": True}
    assert one.get_by_label("up", exact=True).is_disabled()
    one.get_by_role("button", name="Ask me again").click()
    one.get_by_text(ANSWER).wait_for(state="detached")
    one.get_by_label("up", exact=True).check()
    commit(one)
    assert "You said “up”; it is “down”." in answered(one)
    assert kernel(guesses)[0]["00-choice"] == 0


def test_a_number_with_a_decimal_comma_and_enter(guesses):
    one = box(guesses, "number")
    field = one.get_by_label("My guess")
    field.fill("far")
    field.press("Enter")
    one.get_by_text("Write a number first.").wait_for()
    field.fill("−0,45")
    field.press("Enter")
    assert "You said -0.45 nats; it is -0.50 nats. You were off by 0.05." in answered(one)
    assert kernel(guesses)[1]["00-number"] == {"value": -0.45, "right": True}


def test_a_curve_by_mouse_and_by_keys(guesses):
    one = box(guesses, "curve")
    commit(one)
    one.get_by_text("Draw the curve first").wait_for()
    area = one.locator("svg rect.axis").bounding_box()
    left, right = area["x"] + 2, area["x"] + area["width"] - 2
    top, bottom = area["y"] + 2, area["y"] + area["height"] - 2
    mouse = guesses.page.mouse
    mouse.move(left, bottom)
    mouse.down()
    mouse.move(right, top, steps=10)
    mouse.up()
    commit(one)
    assert "off by 0% of the height" in answered(one) or "off by 1% of the height" in answered(one)
    drawn = kernel(guesses)[0]["00-curve"]
    assert len(drawn) == 25
    assert drawn == pytest.approx([4 * k / 24 for k in range(25)], abs=0.15)
    one.get_by_role("button", name="Ask me again").click()
    one.get_by_text(ANSWER).wait_for(state="detached")
    one.locator("svg").focus()
    for key in ["ArrowUp"] * 4 + ["ArrowRight"] * 24 + ["ArrowDown"] * 2:
        guesses.page.keyboard.press(key)
    commit(one)
    answered(one)
    drawn = kernel(guesses)[0]["00-curve"]
    assert [drawn[0], drawn[12], drawn[-1]] == pytest.approx([2.4, 2.1, 1.8])  # straight between two marks


def test_keys_typed_into_a_guess_are_no_commands_of_jupyterlab(guesses):
    before = guesses.cells.count()
    one = guesses.page.locator('.skm-guess[data-guess="00-curve"]')
    one.locator("svg").focus()
    for key in "ddab":
        guesses.page.keyboard.press(key)
    assert guesses.cells.count() == before
    assert guesses.wrong() == []


def test_guesses_outlive_the_page(guesses):
    """A cell that is run again shows the stored guess with its answer."""
    guesses.run(2)
    one = guesses.page.locator('.skm-guess[data-guess="00-number"]')
    one.get_by_text(ANSWER).wait_for()
    assert one.count() == 1
    assert one.get_by_label("My guess").input_value() == "-0.45"
