"""An explorer under a hand: slider, mouse, finger, keys."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.browser
ARTEFACTS = Path(__file__).parent / "artefacts"
REPORT = 2  # the cell of TRIAL that tells what the kernel knows


@pytest.fixture(scope="module")
def trial(open_notebook):
    trial = open_notebook("trial.ipynb")
    trial.run_all()
    trial.canvas.wait_for()
    yield trial
    trial.close()


@pytest.fixture
def ex(trial):
    """The explorer of TRIAL in its first state, in "move" mode."""
    button(trial, "Move").click()
    button(trial, "Reset").click()
    trial.settle()
    return trial


def button(notebook, label):
    return notebook.page.locator(".skm-side button", has_text=label).first


def choose_mode(notebook, label, cursor):
    """Press a button of the modes, and wait until the canvas has heard of it: its cursor tells."""
    button(notebook, label).click()
    notebook.page.wait_for_function(
        "([canvas, cursor]) => canvas.style.cursor === cursor",
        arg=[notebook.canvas.element_handle(), cursor],
    )
    notebook.settle()


def kernel(notebook):
    """What the kernel knows of the explorer."""
    notebook.settle()
    return json.loads(notebook.run(REPORT))


def fact(notebook, label):
    return notebook.readout.locator("tr", has_text=label).locator("td").nth(1).inner_text()


def wait_for_points(notebook, count):
    """Until the readout counts so many points."""
    notebook.readout.locator("td", has_text=re.compile(rf" of {count}$")).wait_for()


def slider(notebook, label):
    """The handle of a slider and its readout."""
    row = notebook.page.locator(".skm-side .widget-slider", has_text=label)
    return row.locator(".noUi-handle"), row.locator(".widget-readout")


def test_the_picture_is_there_and_large_enough(ex):
    assert ex.wrong() == []
    box = ex.canvas.bounding_box()
    assert box["width"] > 440
    assert fact(ex, "support vectors").endswith(f" of {kernel(ex)['points']}")


def test_slider_by_keyboard(ex):
    handle, readout = slider(ex, "γ")
    before = kernel(ex)
    picture, facts, shown = ex.picture(), ex.readout.inner_text(), readout.inner_text()
    handle.focus()
    ex.page.keyboard.press("ArrowRight")
    ex.wait_for_change(picture)
    ex.settle()
    assert readout.inner_text() != shown
    assert ex.readout.inner_text() != facts
    assert kernel(ex)["gamma"] == pytest.approx(before["gamma"] * 10**0.05)
    assert ex.wrong() == []


def test_row_70_many_slider_events_in_a_second(ex):
    handle, readout = slider(ex, "γ")
    before = kernel(ex)
    # 200 keys in one second, up and down and up again
    handle.evaluate("""async handle => {
        handle.focus();
        for (let k = 0; k < 200; k++) {
          const key = k % 20 < 12 ? 'ArrowRight' : 'ArrowLeft';
          handle.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
          await new Promise(later => setTimeout(later, 5));
        }
      }""")
    after = kernel(ex)
    assert 2 <= after["fits"] - before["fits"] <= 100
    assert float(readout.inner_text()) == pytest.approx(after["gamma"], rel=0.01)
    assert after["gamma"] > 1.5 * before["gamma"]


def moved(before, after):
    """Indices of the points that are not where they were."""
    return np.flatnonzero(np.any(np.array(before["X"]) != np.array(after["X"]), axis=1)).tolist()


def test_drag_a_point_with_the_mouse(ex):
    before, picture, facts = kernel(ex), ex.picture(), ex.readout.inner_text()
    n = before["support"][0]  # a point that matters
    u, v, *_ = before["handles"][n]
    aim = [u + 0.2 * np.sign(0.5 - u), v + 0.2 * np.sign(0.5 - v)]
    ex.drag((u, v), aim, steps=12)
    ex.wait_for_change(picture)
    after = kernel(ex)
    assert moved(before, after) == [n]
    assert after["handles"][n][:2] == pytest.approx(aim, abs=0.005)
    assert ex.readout.inner_text() != facts
    assert ex.wrong() == []


def test_a_held_point_follows_at_once(ex):
    """The page draws it without waiting for the kernel: in the very next look at the canvas it is there."""
    before = kernel(ex)
    u, v, colour, *_ = before["handles"][3]
    ex.page.mouse.move(*ex.place(u, v))
    ex.page.mouse.down()
    x, y = ex.place(u - 0.1, v - 0.2)
    painted = ex.canvas.evaluate(
        """(canvas, [x, y]) => {
             canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerId: 1 }));
             const box = canvas.getBoundingClientRect(), unit = canvas.width / box.width;
             const at = [(x - box.left) * unit, (y - box.top) * unit].map(Math.round);
             return [...canvas.getContext('2d').getImageData(...at, 1, 1).data].slice(0, 3);
           }""",
        [x, y],
    )
    ex.page.mouse.up()
    assert "#{:02X}{:02X}{:02X}".format(*painted) == colour.upper()
    ex.settle()


def test_many_mouse_moves_are_merged_and_the_last_one_counts(ex):
    before = kernel(ex)
    u, v, *_ = before["handles"][3]
    ex.page.mouse.move(*ex.place(u, v))
    ex.page.mouse.down()
    box = ex.canvas.bounding_box()
    ex.canvas.evaluate(
        """async (canvas, [left, top, width, height, u, v]) => {
             for (let k = 1; k <= 200; k++) {
               const clientX = left + (u - 0.3 * k / 200) * width, clientY = top + (v - 0.4 * k / 200) * height;
               canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, pointerId: 1 }));
               await new Promise(later => setTimeout(later, 2));
             }
           }""",
        [box["x"], box["y"], box["width"], box["height"], u, v],
    )
    ex.page.mouse.up()
    after = kernel(ex)
    assert 1 <= after["fits"] - before["fits"] <= 100
    assert moved(before, after) == [3]
    assert after["handles"][3][:2] == pytest.approx([u - 0.3, v - 0.4], abs=0.002)


def test_drag_a_point_with_a_finger(ex):
    before, picture = kernel(ex), ex.picture()
    u, v, *_ = before["handles"][3]
    finger = ex.page.context.new_cdp_session(ex.page)

    def touch(kind, *places):
        points = [dict(zip("xy", ex.place(*place))) for place in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (u + 0.02, v))  # a finger is not as exact as a mouse
    for share in np.linspace(0.1, 1, 8):
        touch("touchMove", (u - 0.2 * share, v - 0.3 * share))
    touch("touchEnd")
    ex.wait_for_change(picture)
    after = kernel(ex)
    assert moved(before, after) == [3]
    assert after["handles"][3][:2] == pytest.approx([u - 0.2, v - 0.3], abs=0.005)


def test_keyboard_alone(ex):
    cells, before = ex.cells.count(), kernel(ex)
    sources = [cell.inner_text() for cell in ex.page.locator(".cm-content").all()]
    focused = "document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('role') ?? '')"
    ex.canvas.focus()
    ex.page.keyboard.press("Escape")  # nothing chosen, wherever the last test was
    # from the first control backwards: the canvas is the stop before it
    ex.page.locator(".skm-side select").focus()
    ex.page.keyboard.press("Shift+Tab")
    assert ex.page.evaluate(focused) == "CANVAS application"
    assert "points" in ex.canvas.get_attribute("aria-label")
    for _ in range(4):
        ex.page.keyboard.press("Space")  # chooses point 0, 1, 2, 3
    picture = ex.picture()
    ex.page.keyboard.press("ArrowLeft")
    ex.page.keyboard.press("Shift+ArrowUp")
    ex.wait_for_change(picture)
    ex.settle()
    # letters that are shortcuts of JupyterLab: cut, delete twice, new cell, run
    for key in ("x", "d", "d", "a", "b"):
        ex.page.keyboard.press(key)
    ex.page.keyboard.press("Delete")
    wait_for_points(ex, before["points"] - 1)
    assert ex.cells.count() == cells
    assert [cell.inner_text() for cell in ex.page.locator(".cm-content").all()] == sources
    after = kernel(ex)
    assert after["points"] == before["points"] - 1
    assert after["X"] == before["X"][:3] + before["X"][4:]  # the point that was moved is the one that is gone


def test_quick_arrow_keys_add_up(ex):
    before = kernel(ex)
    ex.canvas.focus()
    ex.page.keyboard.press("Escape")
    ex.canvas.focus()
    ex.page.keyboard.press("Space")
    for key in 4 * ["ArrowRight", "ArrowUp"]:
        ex.page.keyboard.press(key)
    after = kernel(ex)
    assert moved(before, after) == [0]
    (u0, v0, *_), (u1, v1, *_) = before["handles"][0], after["handles"][0]
    box = ex.canvas.bounding_box()
    assert (u1 - u0) * box["width"] == pytest.approx(4 * 5, abs=0.5)
    assert (v0 - v1) * box["height"] == pytest.approx(4 * 5, abs=0.5)


@pytest.mark.parametrize(("label", "sign"), [("Add ●", "circle"), ("Add ■", "square")])
def test_add_a_point_by_a_click_and_delete_it(ex, label, sign):
    before = kernel(ex)
    choose_mode(ex, label, "crosshair")
    place = empty_place(before["handles"])
    ex.page.mouse.click(*ex.place(*place))
    wait_for_points(ex, before["points"] + 1)
    after = kernel(ex)
    assert after["points"] == before["points"] + 1
    assert after["handles"][-1][:2] == pytest.approx(place, abs=0.005)
    assert after["handles"][-1][3] == sign
    choose_mode(ex, "Delete", "pointer")
    ex.page.mouse.click(*ex.place(*place))
    wait_for_points(ex, before["points"])
    assert kernel(ex)["X"] == before["X"]


def empty_place(handles):
    """A place of the picture that is far from every point."""
    places = np.array([handle[:2] for handle in handles])
    tried = np.random.default_rng(0).uniform((0.25, 0.2), (0.85, 0.7), (200, 2))
    away = np.linalg.norm(tried[:, None] - places, axis=2).min(axis=1)
    return tried[away.argmax()].tolist()


def test_a_bad_state_is_a_sentence_and_a_grey_picture(ex):
    ex.page.locator(".skm-side select").select_option("linear")
    message = ex.page.locator(".skm-message")
    message.wait_for()
    assert "separable" in message.inner_text()
    assert ex.page.locator(".skm-page.skm-stale").count() == 1
    ex.page.locator(".skm-side select").select_option("Gaussian")
    message.wait_for(state="detached")
    assert ex.page.locator(".skm-stale").count() == 0
    assert ex.wrong() == []


def test_dark_theme(ex):
    def paper():
        corner = ex.canvas.evaluate("canvas => [...canvas.getContext('2d').getImageData(3, 3, 1, 1).data]")
        return np.mean(corner[:3])

    assert paper() > 230
    picture = ex.picture()
    ex.menu("Settings", "Theme", "JupyterLab Dark")
    try:
        ex.wait_for_change(picture)
        ex.settle()
        assert paper() < 50
        ARTEFACTS.mkdir(exist_ok=True)
        ex.page.screenshot(path=ARTEFACTS / "dark.png")
    finally:
        ex.menu("Settings", "Theme", "JupyterLab Light")
    ex.page.wait_for_function(
        "canvas => canvas.getContext('2d').getImageData(3, 3, 1, 1).data[0] > 230",
        arg=ex.canvas.element_handle(),
    )


def test_row_74_a_cell_run_again_has_one_canvas(ex):
    runs = len(kernel(ex)["closed"])
    for _ in range(2):
        ex.run(1)
        ex.canvas.wait_for()
    assert ex.page.locator(".jp-CodeCell").nth(1).locator("canvas").count() == 1
    after = kernel(ex)
    assert after["closed"] == [True] * (runs + 1) + [False]
    # and the new one is alive
    picture = ex.picture()
    slider(ex, "γ")[0].focus()
    ex.page.keyboard.press("ArrowRight")
    ex.wait_for_change(picture)
    assert ex.wrong() == []
