"""What the hand can take in the explorers of geometry and Lagrange multipliers moves without a jump."""

import numpy as np
import pytest


def place(explorer, name):
    """Where the handle `name` is, in data coordinates."""
    (handle,) = [h for h in explorer.handles(explorer.stage.view, explorer.state) if h.name == name]
    return np.array([handle.x, handle.y])


def drag(explorer, name, where):
    explorer.set(**explorer.moved(explorer.state, name, *map(float, where)))
    assert explorer.message == ""


@pytest.mark.parametrize("b", [-1.5, -0.6, 0.0, 0.4, 1.5])
@pytest.mark.parametrize("length", [0.5, 1.0, 1.8])
def test_the_tip_of_w_follows_a_small_nudge_by_a_small_turn(make, b, length):
    explorer = make("geometry")
    explorer.set(b=b, length=length)
    before, tip = explorer.state.angle, place(explorer, "tip")
    drag(explorer, "tip", tip + 0.01)
    turned = (explorer.state.angle - before + 180) % 360 - 180
    assert abs(turned) < np.degrees(0.02 / np.linalg.norm(tip)) + 0.1


def test_the_probe_goes_where_it_is_dragged(make):
    explorer = make("geometry")
    drag(explorer, "probe", (-1.0, 0.5))
    np.testing.assert_allclose(place(explorer, "probe"), (-1.0, 0.5))


@pytest.mark.parametrize("offset", [-0.8, -0.2, 0.2, 0.8])
def test_the_wall_keeps_its_allowed_side_when_it_is_dragged(make, offset):
    explorer = make("lagrange")
    explorer.set(offset=offset)
    normal = explorer.state.bowl.n
    drag(explorer, "line", place(explorer, "line") + 0.01)
    assert explorer.state.bowl.n @ normal > 0.9
    assert explorer.state.offset == pytest.approx(offset, abs=0.03)


def test_the_wall_can_be_dragged_through_the_origin(make):
    explorer = make("lagrange")
    normal = explorer.state.bowl.n
    for offset in np.linspace(0.8, -0.8, 9):
        drag(explorer, "line", offset * normal)
        assert explorer.state.bowl.n @ normal > 0.99


def test_wherever_the_bowl_and_the_wall_are_dragged_the_gap_can_be_closed(make):
    explorer = make("lagrange")
    rng = np.random.default_rng(0)
    for _ in range(50):
        drag(explorer, "bottom", rng.uniform(-2.8, 2.8, 2))
        drag(explorer, "line", rng.uniform(-2.8, 2.8, 2))
        best = explorer.state.bowl.solution[1]
        explorer.set(lam=best)
        assert explorer.message == ""
        assert explorer.picture.facts["gap"] == "0.0000"


def test_a_slider_that_rounds_a_value_to_its_grid_does_not_change_the_state(make):
    explorer = make("kernel_margin")
    explorer.set(gamma=0.7)
    slider = explorer.widgets["gamma"]
    slider.value = 10 ** (round(np.log10(0.7 / 0.005) / 0.05) * 0.05) * 0.005  # what the page sends back
    assert explorer.state.gamma == 0.7
    slider.value *= 10**slider.step
    assert explorer.state.gamma == pytest.approx(slider.value)
