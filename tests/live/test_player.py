"""Playing an algorithm: every explorer with steps."""

import warnings

import numpy as np
import pytest
from driving import WITH_STEPS, small, values_of

from sparsekm_edu.live.player import SPEEDS

PLAYERS = pytest.mark.parametrize("name", WITH_STEPS)


def press(explorer, label):
    (button,) = [
        part
        for row in explorer.children[1].children
        for part in getattr(row, "children", ())
        if getattr(part, "description", None) == label
    ]
    button.click()


@PLAYERS
def test_back_shows_what_forward_showed(make, name):
    explorer = small(make(name))
    explorer.set(step=0)
    last = explorer.steps.max
    assert last > 5
    seen = []
    for step in range(last):
        seen.append((explorer.canvas.frame, explorer.facts))
        assert explorer.state.step == explorer.steps.value == step
        press(explorer, "Step ▶")
    assert explorer.state.step == last
    assert len({frame for frame, _ in seen}) > last // 2
    for step in reversed(range(last)):
        press(explorer, "◀ Back")
        assert (explorer.canvas.frame, explorer.facts) == seen[step]
    press(explorer, "◀ Back")
    assert explorer.state.step == 0


@PLAYERS
@pytest.mark.parametrize(("asked", "shown"), [(-3, 0), (10**6, None), (2.0, 2)])
def test_a_step_there_is_not_becomes_the_nearest_one(make, name, asked, shown):
    explorer = make(name)
    explorer.set(step=asked)
    assert explorer.message == ""
    assert explorer.state.step == explorer.steps.value == (explorer.steps.max if shown is None else shown)


@PLAYERS
def test_nan_is_no_step(make, name):
    explorer = make(name)
    frame, step = explorer.canvas.frame, explorer.state.step
    explorer.set(step=np.nan)
    assert "step must be a whole number" in explorer.message
    assert explorer.state.step == explorer.steps.value == step
    assert explorer.canvas.frame == frame


def test_a_warning_of_the_run_is_told_in_the_readout(make, monkeypatch):
    explorer = make("smo_player")
    monkeypatch.setattr(
        type(explorer), "last_step", lambda *_: warnings.warn("it takes long", stacklevel=2) or 3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explorer.set(C=1.0)
    assert explorer.message == "it takes long"


@PLAYERS
def test_the_slider_is_as_long_as_the_run(make, name):
    """Another problem, another number of steps: slider and player know it, and a late step becomes the last."""
    explorer = make(name)
    lengths = set()
    for field, control in explorer.widgets.items():
        for value in values_of(control, 3) if field != "step" else []:
            explorer.set(**{field: value})
            explorer.set(step=10**6)
            assert explorer.player.max == explorer.steps.max == explorer.state.step
            lengths.add(explorer.steps.max)
    assert len(lengths) > 1


@PLAYERS
def test_speed(make, name):
    explorer = make(name)
    for interval in SPEEDS.values():
        explorer.speed.value = interval
        assert explorer.player.interval == interval
