"""One door for every change: what comes in is checked, what is shown can be opened again, nobody is left behind."""

import dataclasses
import gc
import threading
import weakref
from inspect import signature

import ipywidgets as widgets
import numpy as np
import pytest
from driving import values_of

from sparsekm_edu import explorers
from sparsekm_edu.live import explorer as engine
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.validation import Impossible

EVERY = pytest.mark.parametrize("name", explorers.__all__)


# a prepared state


@EVERY
def test_every_explorer_opens_in_any_state_of_its_controls_and_its_code_opens_it_again(make, name):
    explorer = make(name)
    assert explorer.code == f"explorers.{name}()"
    fields = {field: values_of(control)[-2] for field, control in explorer.widgets.items()}
    explorer.set(**fields)
    again = eval(explorer.code, {"explorers": explorers})
    try:
        assert again.state.__class__ is explorer.state.__class__
        for field in dataclasses.fields(explorer.state):
            now, then = getattr(again.state, field.name), getattr(explorer.state, field.name)
            np.testing.assert_array_equal(now, then, err_msg=field.name)
        assert again.facts == explorer.facts
        assert again.code == explorer.code
        home = again.canvas.frame
        again.set(**{next(iter(fields)): values_of(next(iter(again.widgets.values())))[0]})
        again.reset()
        assert again.canvas.frame == home
    finally:
        again.close()


def test_code_keeps_every_digit_of_points_that_were_dragged(make):
    explorer = make("kernel_margin")
    explorer._on_gesture({"type": "move", "index": 3, "u": 0.3217, "v": 0.4111})
    X = explorer.state.X
    again = make("kernel_margin", X=X.tolist(), t=list(explorer.state.t))
    np.testing.assert_array_equal(again.state.X, X)
    assert again.code == explorer.code
    assert repr(X[3, 0].item()) in explorer.code


def test_a_choice_made_by_hand_is_part_of_the_code(make):
    explorer = make("sequential_player", width=0.2, step=2, choices=((2, 4),))
    assert explorer.code == "explorers.sequential_player(step=2, width=0.2, choices=((2, 4),))"
    assert eval(explorer.code, {"explorers": explorers}).facts == explorer.facts


def test_own_data_are_where_reset_comes_back_to(make):
    X, t = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]], [-1, 1, 1]
    explorer = make("soft_margin", X=X, t=t, C=5)
    explorer.remove(2)
    explorer.reset()
    np.testing.assert_array_equal(explorer.state.X, X)
    np.testing.assert_array_equal(explorer.state.t, t)
    assert explorer.state.C == 5


@EVERY
def test_a_field_that_is_not_there_is_refused_and_the_known_ones_are_named(name):
    with pytest.raises(TypeError, match="bandwidth is not a field") as refused:
        getattr(explorers, name)(bandwidth=1.0)
    for field in signature(getattr(explorers, name)).parameters:
        assert field in str(refused.value)


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("kernel_margin", {"C": 1e9}, "C must be a number between 0.1 and 10000, got 1000000000.0"),
        ("kernel_margin", {"gamma": "wide"}, "gamma must be a number between 0.005 and 50, got 'wide'"),
        ("kernel_margin", {"kernel": "spline"}, "kernel must be one of Gaussian, "),
        ("kernel_margin", {"hard": 3}, "hard must be True or False, got 3"),
        ("kernel_margin", {"X": "points"}, "X must be an array of numbers"),
        ("kernel_margin", {"X": [[0, 1], [2]]}, "X must be an array of numbers"),
        ("kernel_margin", {"t": [1, -1]}, "X must have shape (2, 2) to go with t"),
        ("smo_player", {"C": np.nan}, "C must be a number between"),
    ],
)
def test_what_is_impossible_is_told_as_by_set_and_the_explorer_is_usable(make, name, fields, sentence):
    explorer = make(name, **fields)
    assert sentence in explorer.message
    by_set = make(name)
    by_set.set(**fields)
    assert by_set.message == explorer.message
    assert explorer.code == f"explorers.{name}()"
    assert explorer.canvas.frame == by_set.canvas.frame


def test_help_names_the_fields():
    assert list(signature(explorers.kernel_margin).parameters) == [
        "kernel",
        "gamma",
        "hard",
        "C",
        "X",
        "t",
        "drawn",
    ]
    assert "gamma of the Gaussian" in explorers.kernel_margin.__doc__
    for name in explorers.__all__:
        factory = getattr(explorers, name)
        assert factory.__name__ == name
        assert len(factory.__doc__) > 60, name


# whose arrays?


@EVERY
def test_nobody_can_write_into_a_state(shown, name):
    state = shown(name).state
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                value[0] = 7.0


def test_the_arrays_that_were_given_stay_the_callers(make):
    X, t = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([-1.0, 1.0])
    explorer = make("margin", X=X, t=t)
    facts = explorer.facts
    X[0] = 5.0
    explorer.set(angle=explorer.state.angle)
    assert explorer.facts == facts
    np.testing.assert_array_equal(explorer.state.X[0], 0.0)


# errors: whose?


def test_a_programming_error_is_told_as_one(make, monkeypatch):
    explorer = make("kernel_margin")
    state, frame = explorer.state, explorer.canvas.frame

    def slip(state):
        return np.ones(3) + np.ones(4)

    monkeypatch.setattr(type(explorer), "compute", staticmethod(slip))
    explorer.widgets["gamma"].value = 1.0
    assert explorer.message.startswith("ValueError: operands could not be broadcast")
    assert explorer.state is state
    assert not explorer.canvas.stale
    with pytest.raises(ValueError, match="broadcast"):
        explorer.set(gamma=2.0)
    assert explorer.canvas.frame == frame


def test_what_the_learner_did_is_told_in_words(make):
    explorer = make("margin", X=[[0, 0], [1, 1], [0, 1], [1, 0]], t=[1, 1, -1, -1])
    assert explorer.message.startswith("these points are not separable by a straight line")
    assert explorer.canvas.stale


@pytest.mark.parametrize("kind", ["gesture", "control", "__init__", "close", 3, None])
def test_the_page_can_name_four_gestures_and_no_method(make, kind):
    explorer = make("geometry")
    frame = explorer.canvas.frame
    explorer.canvas._receive(explorer.canvas, {"type": kind}, [])
    assert explorer.message.startswith("KeyError")
    assert explorer.canvas.frame == frame
    assert explorer.comm is not None
    explorer.reset()
    assert explorer.message == ""


def test_points_have_two_gestures_more(make):
    assert set(make("geometry").gestures()) == {"move", "choose", "theme", "size"}
    explorer = make("kernel_margin")
    assert isinstance(explorer, PointsExplorer)
    assert set(explorer.gestures()) == {"move", "choose", "theme", "size", "add", "remove"}


# nobody is left behind


def test_a_constructor_that_fails_once_does_not_poison_its_cell(shell, monkeypatch):
    broken = type(explorers.sequential_player())
    for part in ("make_view", "make_controls", "compute"):
        shell.run += 1
        with monkeypatch.context() as patch:
            patch.setattr(broken, part, lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                explorers.sequential_player()
        shell.run += 1
        good = explorers.sequential_player()
        assert good.comm is not None
        shell.run += 1
        explorers.sequential_player()
        assert good.comm is None


def test_an_explorer_that_was_closed_is_forgotten(shell):
    explorer = explorers.kernel_margin()
    stage, weak = weakref.ref(explorer.stage), weakref.ref(explorer)
    explorer.close()
    del explorer
    gc.collect()
    assert stage() is None
    assert weak() is None
    assert [len(old) for _, old in engine._of_cell.values()] == [0]


@pytest.mark.parametrize("name", ["margin", "sequential_player", "ambiguity"])
def test_closing_frees_the_picture_even_of_an_explorer_that_somebody_keeps(name):
    """As a notebook does: `Out` holds the value of every cell."""
    registry = widgets.widgets.widget._instances
    before = set(registry)
    explorer = getattr(explorers, name)()
    frame, facts, figure = explorer.canvas.frame, explorer.facts, weakref.ref(explorer.figure)
    explorer.close()
    gc.collect()
    assert figure() is None
    assert set(registry) == before
    assert explorer.facts == facts
    assert engine.encode(explorer.stage.pixels()) == frame  # drawn again for whoever asks
    explorer.close()
    weak = weakref.ref(explorer)
    del explorer
    gc.collect()
    assert weak() is None
    assert set(registry) == before


def test_a_cell_that_is_run_again_frees_what_it_made(shell):
    registry = widgets.widgets.widget._instances
    explorer = explorers.kernel_margin()
    stage, size = weakref.ref(explorer.stage), len(registry)
    shell.run += 1
    explorer = explorers.kernel_margin()
    gc.collect()
    assert stage() is None
    assert len(registry) == size
    explorer.close()


# one at a time


def test_two_threads_take_turns(make, monkeypatch):
    explorer, other = make("kernel_margin"), make("margin")
    inside, most = [0], [0]
    plain = {type(one): type(one).compute for one in (explorer, other)}

    def counted(compute):
        def counting(state):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            try:
                return compute(state)
            finally:
                inside[0] -= 1

        return staticmethod(counting)

    for kind, compute in plain.items():
        monkeypatch.setattr(kind, "compute", counted(compute))
    threads = [
        threading.Thread(target=lambda: [explorer.set(gamma=g) for g in np.linspace(0.1, 2, 20)]),
        threading.Thread(target=lambda: [other.set(angle=a) for a in np.linspace(0, 90, 20)]),
        threading.Thread(target=lambda: [explorer.reset() for _ in range(10)]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 1


def test_impossible_is_a_value_error():
    assert issubclass(Impossible, ValueError)
