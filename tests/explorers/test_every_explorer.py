"""What holds for every explorer of the course: the tests find them by `explorers.__all__`."""

import base64
import contextlib
import dataclasses
import gc
import io
import re
import weakref

import ipywidgets as widgets
import numpy as np
import pytest
from driving import WITH_STEPS, small, unpainted, values_of
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties
from PIL import Image

from sparsekm_edu import explorers
from sparsekm_edu.figures.style import DARK, DPI

EVERY = pytest.mark.parametrize("name", explorers.__all__)
TEXT = RendererAgg(10, 10, DPI)  # measures words
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

# Control values that have no picture by nature: (explorer, field) -> (which values, what the sentence names)
IMPOSSIBLE = {
    ("lagrange", "lam"): (lambda lam: lam < 0, "≥ 0"),  # first state: an inequality
    ("laplace", "density"): (lambda density: density == "mode at the edge", "no mode inside"),
    ("kernel_margin", "kernel"): (lambda kernel: kernel in ("linear", "polynomial, degree 2"), "separable"),
}
# Where a control says nothing in the first state: the state in which it does
SPEAKS = {
    ("kernel_margin", "C"): {"hard": False},
    ("kernel_margin", "hard"): {"C": 1.0},
    ("sparsity", "beta"): {"fitted": False},
    ("prototypes", "degree"): {"features": "all monomials"},
    ("kernel_lab", "second"): {"join": "plus"},
    ("kernel_lab", "second_length"): {"join": "plus", "second": "Gaussian"},
    ("kernel_lab", "nu"): {"kernel": "Matern"},
    ("kernel_lab", "degree"): {"kernel": "polynomial"},
    ("kernel_lab", "offset"): {"kernel": "sigmoid"},
    ("string_match", "decay"): {"kernel": "all substrings"},
    ("medoids", "gamma"): {"distance": "gaussian"},
    ("rvm_regression", "way"): {"width": 0.3},  # where the two ways end on different tops
}


def numbers_in(thing):
    """Every float of a picture, however deep."""
    if dataclasses.is_dataclass(thing):
        thing = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, (tuple, list)):
        return np.concatenate([np.empty(0), *map(numbers_in, thing)])
    array = np.asarray(thing)
    return array.ravel().astype(float) if array.dtype.kind in "fiub" else np.empty(0)


def assert_good(explorer):
    assert explorer.message == ""
    assert not explorer.canvas.stale
    assert np.isfinite(numbers_in(explorer.picture)).all()
    assert "nan" not in explorer.facts
    assert "inf" not in explorer.facts


def frame(explorer):
    """The picture that the page got last."""
    return Image.open(io.BytesIO(explorer.canvas.frame))


def assert_same_picture(one, other):
    """Two explorers, whatever happened to them before, show the same."""
    assert one.picture.facts == other.picture.facts
    assert repr(one) == repr(other)
    np.testing.assert_array_equal(numbers_in(one.picture), numbers_in(other.picture))
    assert one.canvas.handles == other.canvas.handles
    assert one.canvas.frame == other.canvas.frame


def width_beside_the_still(label, value):
    """Inches that a line of the readout takes beside the stored picture, where label and value must not touch."""
    widths = [
        TEXT.get_text_width_height_descent(text, FontProperties(size=10, weight=weight), False)[0] / DPI
        for text, weight in ((label, "normal"), (value, "bold"))
    ]
    return sum(widths) + 0.05


@EVERY
def test_every_control_through_its_range(painted, make, name):
    explorer = small(make(name))
    told = set()
    for field, control in explorer.widgets.items():
        impossible, word = IMPOSSIBLE.get((name, field), (lambda value: False, ""))
        seen = set()
        explorer.set(**SPEAKS.get((name, field), {}))
        values = values_of(control)
        for n, value in enumerate(values):
            looked_at = len(values) < 9 or n % 4 == 0  # of a slider: both ends and the middle
            with contextlib.nullcontext() if looked_at else unpainted(explorer):
                control.value = value
            assert getattr(explorer.state, field) == value
            if impossible(value):
                assert word in explorer.message, (field, value)
                assert explorer.canvas.stale
            else:
                assert_good(explorer)
                told |= set(explorer.picture.facts.items())
                if looked_at:
                    seen.add(explorer.canvas.frame)
        assert len(seen) > 1, f"{field} changes nothing"
        explorer.reset()
    assert [line for line in told if width_beside_the_still(*line) > 2.65] == []


@EVERY
def test_set_moves_the_controls_and_reset_comes_back_to_what_every_run_shows(make, shown, name):
    explorer, fresh = make(name), shown(name)
    assert_same_picture(explorer, fresh)
    for end in (-1, 0):
        with unpainted(explorer):
            for field, control in explorer.widgets.items():
                value = values_of(control)[end]
                explorer.set(**{field: value})
                assert control.value == value
        explorer.reset()
        assert_good(explorer)
        assert_same_picture(explorer, fresh)


@EVERY
def test_set_refuses_an_unknown_field_and_names_the_known_ones(shown, name):
    explorer = shown(name)
    with pytest.raises(TypeError, match="bandwidth is not a field") as refused:
        explorer.set(bandwidth=1.0)
    for field in dataclasses.fields(explorer.state):
        assert field.name in str(refused.value)


def buttons_of(explorer):
    """All its buttons, as the page would press them."""
    side = explorer.children[1]
    return [child for row in side.children for child in getattr(row, "children", ()) if child.description]


# What a person, a page or a program may do to an explorer, and how often
KINDS = {
    "move": 24,
    "choose": 8,
    "control": 18,
    "add": 6,
    "remove": 6,
    "mode": 3,
    "button": 3,
    "theme": 0.3,
    "size": 1,
}


def kinds_of_events(rng, count):
    """At least so many, in random order, and none of the kinds left out."""
    share = np.array(list(KINDS.values())) / sum(KINDS.values())
    return rng.permutation(np.repeat(list(KINDS), np.ceil(count * share).astype(int)))


def happen(rng, explorer, kind):
    """An event of this kind, its place and its values left to chance."""
    # mostly places on the sheet, sometimes far outside it
    u, v = rng.uniform(0, 1, 2) if rng.random() < 0.8 else rng.uniform(-50, 50, 2)
    index = int(rng.integers(0, len(explorer.canvas.handles) + 2))
    if kind == "control":
        field = rng.choice(list(explorer.widgets))
        explorer.widgets[field].value = rng.choice(values_of(explorer.widgets[field], 15)).item()
    elif kind == "mode" and hasattr(explorer, "mode"):
        explorer.mode.value = rng.choice([value for _, value in explorer.mode.options])
    elif kind == "button":
        rng.choice(buttons_of(explorer)).click()
    else:
        fields = {"dark": bool(rng.integers(2)), "scale": float(rng.choice([-1, 0, 0.6]))}
        gesture = {"type": str(kind), "index": index, "u": float(u), "v": float(v), **fields}
        explorer.canvas._receive(explorer.canvas, gesture, [])


@EVERY
def test_many_events_lead_where_a_fresh_explorer_gets_at_once(painted, make, name, pytestconfig):
    rng = np.random.default_rng(0)
    explorer = small(make(name))  # few pixels keep the test quick,
    if hasattr(explorer, "most_points"):
        explorer.most_points = 30  # and so do few points,
    events = kinds_of_events(rng, pytestconfig.getoption("events"))
    other = make(name)  # jumps from check to check; at the last one a fresh explorer does so, too
    for event, kind in enumerate(events, 1):
        with unpainted(explorer) if event % 10 else contextlib.nullcontext():  # and fewer frames than events
            happen(rng, explorer, kind)
        assert len(explorer.canvas.handles) == len(explorer.handles(explorer.stage.view, explorer.state))
        if event % 20 == 0 or event == len(events):
            if explorer.canvas.stale:
                assert explorer.message
                explorer.reset()
            explorer._send_frame()
            assert_same_picture(explorer, brought_to(other, explorer))
    assert_same_picture(explorer, brought_to(make(name), explorer))


def brought_to(twin, explorer):
    """The twin in the theme, size and state of an explorer, in one step."""
    if twin.figure.palette is not explorer.figure.palette:
        twin._on_gesture({"type": "theme", "dark": explorer.figure.palette is DARK})
    if twin.stage.scale != explorer.stage.scale:
        twin._on_gesture({"type": "size", "scale": explorer.stage.scale})
    twin.set(**vars(explorer.state))
    assert not twin.canvas.stale
    return twin


@EVERY
def test_text_names_the_explorer_and_nothing_that_changes_from_run_to_run(shown, name):
    explorer = shown(name)
    assert not re.search(r"0x[0-9a-f]{4}|object at", repr(explorer) + explorer.facts)
    assert explorer.title in repr(explorer)


@EVERY
def test_who_has_steps_is_a_player(shown, name):
    """What players do is tested in tests/live/test_player.py, with all of them."""
    assert hasattr(shown(name), "player") == (name in WITH_STEPS)


@EVERY
def test_shown_as_a_widget_as_a_picture_and_in_words(shown, name):
    explorer = shown(name)
    bundle, metadata = explorer._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == repr(explorer)
    assert bundle[WIDGET_VIEW]["model_id"] == explorer.model_id
    assert bundle["text/plain"] == repr(explorer)
    png = base64.b64decode(bundle["image/png"])
    assert len(png) < 100_000
    still = Image.open(io.BytesIO(png))
    assert still.format == "PNG"
    width, height = frame(explorer).size
    # the controls and the readout stand beside the picture
    assert still.size == (width + 300, height)
    assert len(np.unique(np.asarray(still.convert("L"))[:, width + 10 :])) > 5


@EVERY
def test_frames_are_small_and_of_the_promised_shape(shown, name):
    explorer = shown(name)
    assert frame(explorer).format == "JPEG"
    assert len(explorer.canvas.frame) < 60_000
    width, height = frame(explorer).size
    assert width / height == pytest.approx(explorer.canvas.ratio, rel=0.01)
    assert width == explorer.canvas.natural


@EVERY
def test_handles_lie_on_the_picture(shown, name):
    explorer = shown(name)
    assert len(explorer.canvas.handles) == len(explorer.handles(explorer.stage.view, explorer.state))
    for u, v, colour, shape, fixed in explorer.canvas.handles:
        assert 0 <= u <= 1
        assert 0 <= v <= 1
        assert re.fullmatch("#[0-9a-fA-F]{6}", colour)
        assert shape in ("circle", "square", "triangle", "diamond")
        assert isinstance(fixed, bool)


@EVERY
def test_every_handle_goes_where_it_is_dragged(make, name):
    """A short drag: the handle ends under the pointer or, when it runs on rails, nearer to it than before."""
    explorer = make(name)
    handles = explorer.handles(explorer.stage.view, explorer.state)
    movable = [(index, handle) for index, handle in enumerate(handles) if not handle.fixed]
    points = [one for one in movable if one[1].name != "probe" and one[1].name[0] == "point"]
    others = [one for one in movable if one not in points]
    for index, handle in others + points[:: 1 + len(points) // 10]:  # points are all alike
        explorer.reset()
        before = np.array(explorer.canvas.handles[index][:2])
        stage, outside = explorer.stage, before + (0.03, -0.04)
        aim = np.array(stage.to_page(handle.ax, *stage.from_page_on(handle.ax, *outside)))  # not out of sight
        explorer._on_gesture({"type": "move", "index": index, "u": aim[0], "v": aim[1]})
        after = np.array(explorer.canvas.handles[index][:2])
        if handle.name == "probe" or handle.name[0] == "point":
            np.testing.assert_allclose(after, aim, atol=1e-9)
        assert np.linalg.norm(after - aim) < np.linalg.norm(before - aim), handle.name


@EVERY
def test_close_leaves_no_widget_behind(name):
    registry = widgets.widgets.widget._instances
    before = set(registry)
    explorer = getattr(explorers, name)()
    assert len(registry) > len(before)
    stage = weakref.ref(explorer.stage)  # holds the picture: some megabytes
    explorer.close()
    assert set(registry) == before
    del explorer
    gc.collect()
    assert stage() is None
