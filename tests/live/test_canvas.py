"""The live canvas: what is repainted in part equals what is drawn in full; the page's coordinates are right."""

import contextlib
import io

import numpy as np
import pytest
from driving import unpainted, values_of
from PIL import Image

from sparsekm_edu import explorers
from sparsekm_edu.explorers.svm.margins import KernelMarginExplorer
from sparsekm_edu.figures.layers import View, curve
from sparsekm_edu.live.canvas import LARGEST_SCALE, LiveCanvas, Stage, encode


def drawn_in_full(stage):
    """The same artists by matplotlib's own full draw, nothing kept from before."""
    for artist in stage.moving:
        artist.set_animated(False)
    stage.sheet.canvas.draw()
    full = np.array(stage.sheet.canvas.buffer_rgba())
    stage.background = None  # marks them as animated again at the next repaint
    return full


@pytest.mark.parametrize("dark", [pytest.param(False, marks=pytest.mark.slow), True], ids=["light", "dark"])
@pytest.mark.parametrize("name", explorers.__all__)
def test_a_repaint_equals_a_full_draw(make, name, dark):
    """Dark is the harder case: everything that was painted on light paper must be forgotten."""
    explorer = make(name)
    with unpainted(explorer):  # only the last state is looked at
        for field, control in explorer.widgets.items():
            values = values_of(control)
            explorer.set(**{field: values[len(values) // 3]})
            if explorer.canvas.stale:  # without a picture: on with the others
                explorer.reset()
    assert explorer.message == ""
    if dark:
        explorer._on_gesture({"type": "theme", "dark": True})
    repainted = np.array(explorer.stage.pixels()).astype(int)
    difference = np.abs(repainted - drawn_in_full(explorer.stage))[..., :3].max(axis=2)
    difference[on_a_frame(explorer.figure, difference.shape)] = 0
    assert difference.max() <= 2


def on_a_frame(figure, shape):
    """Where frames of axes are: they are painted once more, on top of what moved."""
    frames = np.zeros(shape, bool)
    for ax in figure.axes:
        left, right = int(ax.bbox.x0) - 2, int(ax.bbox.x1) + 3
        top, bottom = (int(figure.bbox.height - y) for y in (ax.bbox.y1, ax.bbox.y0))
        frame = np.zeros(shape, bool)
        frame[top - 2 : bottom + 3, left:right] = True
        frame[top + 4 : bottom - 3, left + 6 : right - 6] = False
        frames |= frame
    return frames


def log_stage():
    def view(sheet):
        left, right = sheet.subplots(1, 2)
        right.set(xscale="log", yscale="log", xlim=(1e-4, 10), ylim=(1e-3, 1e5))
        left.set(xlim=(-3, 3), ylim=(2, -2))  # upside down
        shown = View(left, right)
        shown.add(curve(left))
        return shown

    stage = Stage(7.6, 4.1, view, kind="log")
    stage.pixels()
    return stage


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.6])
def test_to_page_and_from_page_are_inverse_also_on_log_axes(scale):
    stage = log_stage()
    stage.set_scale(scale)
    stage.pixels()
    for ax, places in zip(stage.view.axes, ([(0.0, 0.0), (-2.9, 1.9)], [(0.02, 7.0), (5.0, 2e-3)])):
        for x, y in places:
            u, v = stage.to_page(ax, x, y)
            assert 0 < u < 1
            assert 0 < v < 1
            found, *back = stage.from_page(u, v)
            assert found is ax
            np.testing.assert_allclose(back, (x, y), rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(stage.from_page_on(ax, u, v), (x, y), rtol=1e-9, atol=1e-9)


def test_the_page_counts_from_the_top_left():
    stage = log_stage()
    _, right = stage.view.axes
    assert stage.to_page(right, 10, 1)[0] > stage.to_page(right, 1e-4, 1)[0]
    assert stage.to_page(right, 1, 1e5)[1] < stage.to_page(right, 1, 1e-3)[1]


def test_beside_the_axes_is_nowhere_and_dragging_stops_at_the_edge():
    stage = log_stage()
    assert stage.from_page(0.001, 0.5)[0] is None
    left, right = stage.view.axes
    np.testing.assert_allclose(stage.from_page_on(right, 40.0, -40.0), (10, 1e5))
    np.testing.assert_allclose(stage.from_page_on(left, -40.0, 40.0), (-3, 2))


def test_pixels_show_what_to_page_says(make):
    """A marker is painted exactly where the page is told that it can be taken."""
    explorer = make("geometry")
    (u, v, colour, *_), *_ = explorer.canvas.handles
    pixels = explorer.stage.pixels()
    height, width, _ = pixels.shape
    painted = pixels[round(v * height), round(u * width), :3]
    assert "#{:02X}{:02X}{:02X}".format(*painted) == colour.upper()


@pytest.mark.parametrize(("asked", "got"), [(1.3, 1.3), (0.0, 0.5), (-4.0, 0.5), (99.0, LARGEST_SCALE)])
def test_frames_grow_with_the_page_within_limits(make, asked, got):
    explorer = make("geometry")
    places = explorer.canvas.handles
    explorer._on_gesture({"type": "size", "scale": asked})
    height, width, _ = explorer.stage.pixels().shape
    assert width == pytest.approx(760 * got, abs=1)
    assert Image.open(io.BytesIO(explorer.canvas.frame)).size == (width, height)  # and is sent
    np.testing.assert_allclose(
        [handle[:2] for handle in explorer.canvas.handles], [handle[:2] for handle in places], atol=2e-3
    )


def places(stage):
    return np.array([ax.get_position().bounds for ax in stage.sheet.axes])


def test_the_axes_are_laid_out_once_for_each_kind_and_size(make, monkeypatch):
    """What the first explorer of a class found out serves the next ones, to the last pixel."""
    monkeypatch.setattr(Stage, "_layouts", {})
    first, second = make("kernel_margin"), make("kernel_margin")
    np.testing.assert_array_equal(places(second.stage), places(first.stage))
    assert second.canvas.frame == first.canvas.frame
    second._on_gesture({"type": "theme", "dark": True})
    np.testing.assert_array_equal(places(second.stage), places(first.stage))
    assert len(Stage._layouts) == 1
    monkeypatch.setattr(KernelMarginExplorer, "size", (5.0, 4.6))  # a narrower sheet is laid out anew
    assert np.abs(places(make("kernel_margin").stage) - places(first.stage)).max() > 0.02
    assert len(Stage._layouts) == 2


def test_themes_swap_the_paper(make):
    explorer = make("kernel_margin")
    assert explorer.stage.pixels()[2, 2, :3].min() > 240
    explorer._on_gesture({"type": "theme", "dark": True})
    assert explorer.stage.pixels()[2, 2, :3].max() < 40
    explorer._on_gesture({"type": "theme", "dark": False})
    assert explorer.stage.pixels()[2, 2, :3].min() > 240


def test_frames_lose_little():
    """JPEG is lossy: edges may soften, flat areas and the place of things may not."""
    explorer = explorers.kernel_margin()
    pixels = np.array(explorer.stage.pixels())[..., :3].astype(int)
    sent = np.asarray(Image.open(io.BytesIO(encode(explorer.stage.pixels()))).convert("RGB")).astype(int)
    explorer.close()
    assert np.abs(sent - pixels).mean() < 3


@pytest.mark.parametrize("mishap", [None, RuntimeError("no")])
def test_every_gesture_is_answered(mishap):
    """Else the page would wait for ever for the end of the first one."""

    def on_gesture(gesture):
        if mishap:
            raise mishap

    canvas, answers = LiveCanvas(on_gesture), []
    canvas.send = lambda content: answers.append(content)
    with pytest.raises(RuntimeError) if mishap else contextlib.nullcontext():
        canvas._receive(canvas, {"type": "move", "nonce": 3}, [])
    assert answers == [{"answered": 3}]
    canvas.close()


@pytest.mark.parametrize(
    ("name", "gesture", "method"), [("margin", "choose", "chosen"), ("sequential_player", "move", "moved")]
)
def test_what_can_be_dragged_is_not_chosen_and_what_is_fixed_not_dragged(
    make, monkeypatch, name, gesture, method
):
    explorer, asked = make(name), []
    monkeypatch.setattr(explorer, method, lambda *arguments: asked.append(arguments) or {})
    before = explorer.canvas.handles
    assert {handle[4] for handle in before} == {gesture == "move"}
    explorer._on_gesture({"type": gesture, "index": 0, "u": 0.5, "v": 0.5})
    assert asked == []
    assert explorer.canvas.handles == before
    assert explorer.message == ""
