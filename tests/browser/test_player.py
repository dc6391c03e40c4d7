"""An algorithm under a hand: play it, and choose its next step by a click or by keys."""

import json

import pytest

pytestmark = pytest.mark.browser
REPORT = 1  # the cell of PLAYER that tells what the kernel knows


@pytest.fixture(scope="module")
def player(open_notebook):
    player = open_notebook("player.ipynb")
    player.run_all()
    player.canvas.wait_for()
    yield player
    player.close()


def kernel(player):
    player.settle()
    return json.loads(player.run(REPORT))


def test_a_click_in_the_plane_chooses_the_next_function(player):
    before, picture = kernel(player), player.picture()
    assert all(fixed for *_, fixed in before["handles"])
    index = 5
    u, v, *_ = before["handles"][index]
    player.canvas.evaluate("canvas => canvas.scrollIntoView({ block: 'center' })")
    player.page.mouse.click(*player.place(u, v))
    player.wait_for_change(picture)
    after = kernel(player)
    assert after["step"] == before["step"] + 1
    assert after["choices"] == [*before["choices"], [before["step"], index]]
    assert player.wrong() == []


def test_space_goes_from_point_to_point_and_enter_chooses(player):
    before, picture = kernel(player), player.picture()
    player.canvas.focus()
    player.page.keyboard.press("Escape")  # nothing is chosen
    player.canvas.focus()
    for _ in range(4):
        player.page.keyboard.press("Space")
    player.page.keyboard.press("ArrowLeft")  # does not move what is fixed
    player.page.keyboard.press("Enter")
    player.wait_for_change(picture)
    after = kernel(player)
    chosen_at, index = after["choices"][-1]
    assert index == 3
    assert chosen_at == before["step"] + 1  # after the new noise, which asks nobody
    assert after["step"] == chosen_at + 1


def test_play_runs_on_and_a_click_on_stop_ends_it(player):
    before, picture = kernel(player), player.picture()
    player.page.locator(".skm-side .widget-play button").first.click()
    player.wait_for_change(picture)
    player.page.wait_for_timeout(1500)
    player.page.locator(".skm-side .widget-play button").first.click()  # the same button pauses
    later = kernel(player)["step"]
    assert later >= before["step"] + 2
    player.page.wait_for_timeout(1000)
    assert kernel(player)["step"] == later
