"""Rows 65-74 of the catalogue of bad input: an explorer answers with a sentence, never with a traceback.

Row 70 (many slider events a second) and row 73, 75, 76 (notebooks) are tested in tests/browser and
tests/notebooks.
"""

import dataclasses
import types

import ipywidgets as widgets
import numpy as np
import pytest
from driving import float_sliders, small, values_of

from sparsekm_edu import explorers
from sparsekm_edu.explorers.svm import margins
from sparsekm_edu.live import explorer as base
from sparsekm_edu.models import SVC

POINTS = pytest.mark.parametrize("name", ["kernel_margin", "margin", "parzen_limit"])


def assert_recovers(explorer):
    """The next good state is as good as if nothing had happened."""
    explorer.reset()
    assert explorer.message == ""
    assert not explorer.canvas.stale


@pytest.mark.parametrize(
    ("name", "field"), [("kernel_margin", "gamma"), ("kernel_margin", "C"), ("parzen_limit", "sigma2")]
)
def test_row_65_log_slider_at_zero_goes_to_its_end(make, name, field):
    explorer = make(name)
    slider = explorer.widgets[field]
    slider.value = 0.0
    assert getattr(explorer.state, field) == slider.value == slider.base**slider.min
    assert explorer.message == ""


@pytest.mark.parametrize(
    ("name", "fields", "word"),
    [
        ("kernel_margin", {"gamma": 0.0}, "gamma"),
        ("kernel_margin", {"gamma": -1.0}, "gamma"),
        ("kernel_margin", {"hard": False, "C": 0.0}, "C"),
        ("parzen_limit", {"sigma2": 0.0}, "sigma2"),
        ("geometry", {"length": 0.0}, "length"),
        ("geometry", {"length": 1e9}, "length"),
        ("kernel_margin", {"C": 1e9}, "between 0.1 and 10000, got 1000000000.0"),
    ],
)
def test_row_65_value_zero_by_a_program_is_explained(make, name, fields, word):
    explorer = make(name)
    good, state = explorer.picture, explorer.state
    explorer.set(**fields)
    assert word in explorer.message
    assert explorer.state is state
    assert explorer.picture is good
    assert_recovers(explorer)


@pytest.mark.parametrize("name", ["kernel_margin", "margin", "parzen_limit"])
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"t": [0.0, 1.0] * 3, "X": [[0.0, 0.0]] * 6}, "-1 and +1"),
        ({"X": [[0.0, 0.0]] * 5}, "X must have shape"),
        ({"X": [0.0] * 20}, "of shape (N, 2)"),
    ],
)
def test_data_that_make_no_sense_are_refused(make, name, fields, words):
    explorer = make(name)
    state = explorer.state
    explorer.set(**{field: np.array(value) for field, value in fields.items()})
    assert words in explorer.message
    assert explorer.state is state
    assert_recovers(explorer)


@pytest.mark.parametrize("name", ["margin", "parzen_limit"])
def test_inseparable_points_are_told_without_words_of_later_lessons(make, name):
    explorer = make(name)
    explorer.set(
        X=np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), t=np.array([1.0, 1.0, -1.0, -1.0])
    )
    assert "not separable by a straight line" in explorer.message
    assert "kernel" not in explorer.message


def assert_ignored(explorer, field, change):
    """The change is told and forgotten: state, control and picture stay as they were."""
    state, control = explorer.state, explorer.widgets[field]
    value, good, frame = control.value, explorer.picture, explorer.canvas.frame
    change()
    assert explorer.message.startswith(f"{field} must be a number between ")
    assert explorer.state is state
    assert control.value == value
    assert explorer.picture is good
    assert explorer.canvas.frame == frame
    assert not explorer.canvas.stale


@pytest.mark.parametrize("name", explorers.__all__)
def test_row_66_nan_is_ignored_and_the_last_good_picture_kept(painted, make, name):
    explorer = small(make(name))
    for field, slider in float_sliders(explorer).items():
        assert_ignored(explorer, field, lambda slider=slider: setattr(slider, "value", np.nan))
        for bad in (np.nan, np.inf, -np.inf):
            assert_ignored(explorer, field, lambda field=field, bad=bad: explorer.set(**{field: bad}))
    assert_recovers(explorer)


def test_row_66_nan_inside_an_array_is_ignored_too(make):
    explorer = make("kernel_margin")
    X = explorer.state.X.copy()
    explorer.set(X=np.where(np.arange(len(X))[:, None] == 3, np.nan, X))
    assert explorer.message.startswith("X must be an array of numbers between ")
    np.testing.assert_array_equal(explorer.state.X, X)


NONSENSE = [
    *(None, "abc", "", [], [1, 2], {}, (), {1, 2}, [[1], [2, 3]], b"x", object(), 1j, lambda: 0),
    *(
        np.nan,
        np.inf,
        -1,
        0,
        1e308,
        -1e308,
        10**400,
        10**5000,
        True,
        np.array([1, 2]),
        np.array(3.0),
        ["a", "b"],
    ),
    *([[1e308, np.nan]], [np.array([1, 2])], np.array([[1 + 1j]]), float, np.datetime64("2020-01-01")),
]


def same_kind(value, like):
    """What a field may hold: finite numbers, strings, truths, tuples and arrays of them, as at first."""
    if isinstance(like, tuple) and like:
        return type(value) is tuple and all(map(same_kind, value, like))
    if isinstance(like, np.ndarray):
        return value.dtype == float and value.ndim == like.ndim and np.isfinite(value).all()
    return type(value) is type(like) and (not isinstance(like, float) or np.isfinite(value))


@pytest.mark.parametrize("name", explorers.__all__)
def test_nonsense_in_any_field_is_a_sentence_and_changes_nothing(make, name):
    explorer = make(name)
    first, home = explorer.State(), explorer.state
    for field in (field.name for field in dataclasses.fields(first)):
        refused = 0
        for bad in NONSENSE:
            state, picture = explorer.state, explorer.picture
            shown = {other: control.value for other, control in explorer.widgets.items()}
            explorer.set(**{field: bad})
            if explorer.state is state:
                refused += 1
                assert f"{field} must" in explorer.message or "to go with t" in explorer.message
                assert "got " in explorer.message
                assert "\n" not in explorer.message
                assert explorer.picture is picture
                assert {other: control.value for other, control in explorer.widgets.items()} == shown
            else:  # it made sense after all, as 0 does in many fields
                assert same_kind(getattr(explorer.state, field), getattr(first, field))
                explorer.reset()
        assert refused > len(NONSENSE) / 2
    if explorer.message:
        explorer.set(**{field: getattr(home, field)})
    assert explorer.message == ""
    assert not explorer.canvas.stale


def test_nonsense_names_the_value_and_what_is_allowed(make):
    told = {
        ("soft_margin", "C", "abc"): "C must be a number between 0.01 and 1000, got 'abc'",
        (
            "soft_margin",
            "t",
            None,
        ): "t must be an array of numbers between -1e+09 and 1e+09, of shape (N,), got None",
        ("soft_margin", "drawn", -1): "drawn must be a whole number between 0 and 1e+09, got -1",
        ("shattering", "n", 2.5): "n must be a whole number between 2 and 5, got 2.5",
        ("lagrange", "equality", 1): "equality must be True or False, got 1",
        (
            "geometry",
            "x",
            3,
        ): "x must be a tuple like (2.2, -0.5), with numbers between -1e+09 and 1e+09, got 3",
        ("ard_widths", "start", (-1, 1)): "start must be two widths, one between 0.01 and 10, one between ",
        (
            "sequential_player",
            "choices",
            (1, 2),
        ): "choices must be pairs (step, index) of whole numbers, got 1",
        ("bounds", "N", 41): "N must be one of 10, 14, 20, ",
        ("margin", "angle", 10**5000): "got something of type int",
    }
    for (name, field, bad), sentence in told.items():
        explorer = make(name, **{field: bad})  # a factory says the same
        assert sentence in explorer.message
        assert explorer.code == f"explorers.{name}()"
        opened = explorer.message
        explorer.set(**{field: bad})
        assert explorer.message == opened


def at_the_end(value):
    """The same with the largest numbers that a field without a control takes."""
    if isinstance(value, tuple):
        return tuple(map(at_the_end, value))
    return 1e9 * np.sign(value) if isinstance(value, float | np.ndarray) else value


@pytest.mark.parametrize("name", explorers.__all__)
def test_the_largest_numbers_raise_nothing(make, name):
    explorer = make(name)
    for field, value in vars(explorer.State()).items():
        if field not in explorer.widgets:
            explorer.set(**{field: at_the_end(value)})
            explorer.reset()
    assert_recovers(explorer)


@pytest.mark.parametrize("name", ["soft_margin", "path", "complexity"])
def test_points_far_from_the_origin_are_told(make, name):
    """Their path cannot be followed: the products are rounded by more than they differ."""
    explorer = make(name)
    explorer.set(X=1e6 + np.random.default_rng(1).normal(size=explorer.state.X.shape))
    assert explorer.message == "" or "smo solves for one C at a time" in explorer.message
    assert_recovers(explorer)


def keep(explorer, points):
    """Leave only some points, by deleting the others as the page does."""
    for n in sorted(set(range(len(explorer.state.t))) - set(points), reverse=True):
        index = [h.name for h in explorer.handles(explorer.stage.view, explorer.state)].index(("point", n))
        explorer._on_gesture({"type": "remove", "index": index})


def add(explorer, x, y, label):
    """Click at (x, y) in "add" mode."""
    explorer.mode.value = label
    u, v = explorer.stage.to_page(explorer.points_axes(explorer.stage.view)[0], x, y)
    explorer._on_gesture({"type": "add", "u": u, "v": v})


@POINTS
def test_row_67_one_class_left(painted, make, name):
    explorer = make(name)
    good = explorer.picture
    keep(explorer, np.flatnonzero(explorer.state.t > 0)[:3])
    assert "class" in explorer.message
    assert explorer.canvas.stale
    assert explorer.picture.facts != good.facts  # the last good picture had one point of the other class
    assert len(explorer.state.t) == 3
    assert explorer._repr_mimebundle_()[0]["image/png"]  # can still be shown
    explorer._on_gesture({"type": "theme", "dark": True})  # and repainted
    assert "class" in explorer.message
    add(explorer, -1.5, -1.0, "-1")
    assert explorer.message == ""
    assert not explorer.canvas.stale
    assert len(explorer.state.t) == 4


@POINTS
def test_row_68_empty_canvas_and_one_point(painted, make, name):
    explorer = make(name)
    keep(explorer, [])
    assert explorer.message
    assert explorer.canvas.stale
    assert explorer._repr_mimebundle_()[0]["image/png"]
    add(explorer, 1.0, 1.0, "+1")
    assert explorer.message
    assert explorer.canvas.stale
    assert len(explorer.state.t) == 1
    add(explorer, -1.0, -1.0, "-1")
    assert explorer.message == ""
    assert not explorer.canvas.stale
    np.testing.assert_allclose(explorer.state.X, [[1, 1], [-1, -1]], atol=1e-9)
    np.testing.assert_array_equal(explorer.state.t, [1, -1])


def test_row_69_two_points_on_top_of_each_other_with_opposite_labels(make):
    explorer = make("kernel_margin")
    X, t = np.array([[0.5, 0.5], [0.5, 0.5], [-1.0, 0.0], [1.0, 1.0]]), np.array([1.0, -1.0, -1.0, 1.0])
    explorer.set(X=X, t=t, hard=False)
    assert explorer.message == ""
    assert np.isfinite(explorer.picture.Y).all()
    explorer.set(hard=True)
    assert "separable" in explorer.message
    assert explorer.canvas.stale


@pytest.mark.parametrize("name", ["margin", "parzen_limit"])
def test_row_69_in_explorers_of_the_hard_margin(make, name):
    explorer = make(name)
    X = explorer.state.X.copy()
    X[0] = X[-1]
    explorer.set(X=X)
    assert "separable" in explorer.message
    assert_recovers(explorer)


def test_row_71_a_solver_out_of_budget_says_so(make, monkeypatch):
    explorer = make("kernel_margin")
    monkeypatch.setattr(margins, "SVC", lambda **given: SVC(**{**given, "max_iter": 1}))
    explorer.set(C=1000.0, hard=False)
    assert "not converged" in explorer.message
    assert "max_iter = 1" in explorer.message
    assert explorer.message in explorer.facts
    monkeypatch.undo()
    explorer.set(C=999.0)
    assert explorer.message == ""


def test_row_71_the_budget_of_the_explorers_is_finite(make, monkeypatch):
    budgets = []

    def counted(**given):
        budgets.append(given["max_iter"])
        return SVC(**given)

    monkeypatch.setattr(margins, "SVC", counted)
    make("kernel_margin")
    assert budgets
    assert max(budgets) <= 100_000


@pytest.mark.parametrize("name", explorers.__all__)
def test_row_72_exception_in_a_callback(make, name, monkeypatch):
    explorer = make(name)
    state = explorer.state

    def broken(state):
        raise KeyError("<b>surprise</b>")

    monkeypatch.setattr(type(explorer), "compute", staticmethod(broken))
    sliders = widgets.FloatSlider, widgets.FloatLogSlider, widgets.IntSlider, widgets.SelectionSlider
    field, control = next((f, c) for f, c in explorer.widgets.items() if isinstance(c, sliders))
    before = control.value
    one, other = [value for value in values_of(control, 6)[1:-1] if not np.isclose(value, before)][:2]
    control.value = one
    assert "KeyError" in explorer.message
    assert "&lt;b&gt;" in explorer._readout.value  # told, not executed
    assert "<b>" not in explorer._readout.value
    assert explorer.state is state
    assert control.value == before
    monkeypatch.undo()
    control.value = other
    assert explorer.message == ""
    assert getattr(explorer.state, field) == control.value


STRANGE = [
    {"type": "dance"},
    {"type": "move"},
    {"type": "move", "index": 0, "u": None, "v": None},
    {"type": "size", "scale": None},
]


@pytest.mark.parametrize("name", explorers.__all__)
def test_row_72_a_strange_message_from_the_page(shown, name, monkeypatch):
    """It is told and changes nothing: all of them may well come to the same explorer."""
    explorer = shown(name)
    frame = explorer.canvas.frame
    movable = explorer.canvas.handles and not explorer.canvas.handles[0][4]
    answers = []
    monkeypatch.setattr(explorer.canvas, "send", answers.append)
    for n, gesture in enumerate(STRANGE):
        explorer._say("")
        explorer.canvas._receive(explorer.canvas, {**gesture, "nonce": n}, [])
        assert explorer.message or "index" in gesture and not movable
        assert answers[n:] == [{"answered": n}]  # else the page would wait for ever
        assert explorer.canvas.frame == frame
    explorer.set()
    assert explorer.message == ""
    assert not explorer.canvas.stale
    assert explorer.canvas.frame == frame


def test_row_72_a_choice_that_is_not_there_is_told_and_leaves_the_state_alone(make):
    explorer = make("kernel_margin")
    state = explorer.state
    explorer.set(kernel="spline")
    assert explorer.message.startswith("kernel must be one of Gaussian, ")
    assert explorer.state is state
    explorer.set(gamma=0.5)
    assert explorer.message == ""


@pytest.mark.parametrize("name", explorers.__all__)
def test_row_74_a_cell_run_again_replaces_its_explorer(shell, name, pytestconfig):
    registry = widgets.widgets.widget._instances
    before, sizes, earlier = len(registry), [], None
    for shell.run in range(max(2, pytestconfig.getoption("events") // 100)):
        explorer = getattr(explorers, name)()
        if earlier is not None:
            assert earlier.comm is None  # closed
        earlier = explorer
        sizes.append(len(registry) - before)
    assert len(set(sizes)) == 1


def test_row_74_two_explorers_of_one_cell_live_together(shell):
    one, two = explorers.geometry(), explorers.geometry()
    assert one.comm is not None
    assert two.comm is not None
    shell.run += 1
    three = explorers.geometry()
    assert one.comm is two.comm is None
    assert three.comm is not None


def test_row_74_another_cell_closes_nothing(shell):
    one = explorers.geometry()
    shell.cell, shell.run = "another", 1
    explorers.geometry()
    assert one.comm is not None


def test_row_74_no_cell_no_bookkeeping(monkeypatch):
    """In a plain Python program, or a front end that does not name its cells, nothing is replaced."""
    for shell in (None, types.SimpleNamespace(get_parent=dict)):
        monkeypatch.setattr(base, "get_ipython", lambda shell=shell: shell)
        one, two = explorers.geometry(), explorers.geometry()
        assert one.comm is not None
        one.close()
        two.close()


def test_row_74_no_figure_is_left_open():
    from matplotlib import _pylab_helpers

    explorers.geometry().close()
    assert _pylab_helpers.Gcf.figs == {}
