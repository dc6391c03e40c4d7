"""The notebooks of the course in JupyterLab: as a reader finds them, and run, with every explorer taken in hand."""

import json
from pathlib import Path

import pytest
from labdriver import ROOT

pytestmark = pytest.mark.browser
ARTEFACTS = Path(__file__).parent / "artefacts"
# in `make test` the first notebook, in `make soak` the whole course
ALWAYS = {"00_start_here.ipynb"}
NOTEBOOKS = [
    pytest.param(path.name, marks=[] if path.name in ALWAYS else [pytest.mark.slow])
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
]


def cells_of(name):
    """The cells of a notebook as it is stored."""
    return json.loads((ROOT / "notebooks" / name).read_text())["cells"]


def pictures(cell):
    """How many pictures the outputs of a stored cell hold."""
    return sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def test_the_notebooks_of_every_day_exist():
    assert {notebook.values[0] for notebook in NOTEBOOKS} >= ALWAYS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_as_it_is_found_and_run_with_every_explorer_in_hand(open_notebook, name):
    opened = open_notebook(name)
    assert_shows_its_pictures(opened)
    opened.run_all()
    assert opened.wrong() == []
    expected = sum(pictures(cell) for cell in cells_of(name) if "explorers." in "".join(cell["source"]))
    if expected:
        opened.page.locator(".skm-explorer").nth(expected - 1).wait_for()
    shown = opened.explorers()
    assert len(shown) == expected
    ARTEFACTS.mkdir(exist_ok=True)
    for n, explorer in enumerate(shown):
        explorer.canvas.scroll_into_view_if_needed()
        explorer.settle()
        explorer.root.screenshot(path=ARTEFACTS / f"{name.removesuffix('.ipynb')}-{n}.png")
        move_the_first_slider(explorer)
        drag_the_first_handle(explorer)
    assert opened.wrong() == []
    opened.close()


def assert_shows_its_pictures(opened):
    """What a reader sees who only opens the file: every explorer as a still picture, and nothing broken."""
    shown = opened.page.locator(".jp-OutputArea-output img")
    assert shown.count() == sum(map(pictures, cells_of(opened.name)))
    for image in shown.all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 300")
    assert opened.wrong() == []


def move_the_first_slider(explorer):
    """By keys; every explorer has a slider, and its picture must follow."""
    before = explorer.picture()
    explorer.sliders.first.focus()
    for key in ("ArrowRight", "End", "Home"):  # a little may rightly change nothing, all the way may not
        explorer.page.keyboard.press(key)
        if explorer.changes(before):
            explorer.settle()
            return
    raise AssertionError("the slider moves, the picture does not")


def drag_the_first_handle(explorer):
    """Towards the middle of the picture, if there is anything to drag; one that is fixed is chosen by this."""
    handles = json.loads(explorer.canvas.get_attribute("data-handles"))
    if not handles:
        return
    explorer.canvas.evaluate("canvas => canvas.scrollIntoView({ block: 'center' })")
    before = explorer.picture()
    # a fixed one may lie where the chosen one is, and choosing that again changes nothing
    for u, v, fixed in handles[:3]:
        explorer.drag((u, v), (u + 0.3 * (0.5 - u), v + 0.3 * (0.5 - v)))
        explorer.settle()
        if explorer.picture() != before or not fixed:
            break
    assert explorer.picture() != before
    assert fixed or json.loads(explorer.canvas.get_attribute("data-handles")) != handles
