"""Figure 14.1 alive: what the readout says, counted in another way."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from sparsekm_edu.kernels import PyramidMatch


def counted(x, z, levels, side, origin):
    """New pairs of each level by numpy's histograms."""
    shared = [0]
    for level in range(levels):
        bins = [np.floor((points - origin) / (side * 2**level)) for points in (x, z)]
        shared.append(sum(min(np.sum(bins[0] == b), np.sum(bins[1] == b)) for b in np.unique(bins[0])))
    return np.diff(shared)


def by_ruler(x, z, levels, side):
    worth = np.zeros((len(x), len(z)))
    for level in reversed(range(levels)):
        worth[np.abs(x[:, None] - z) < side * 2**level] = 0.5**level
    return worth[linear_sum_assignment(-worth)].sum()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"levels": 1},
        {"levels": 3, "side": 1.3},
        {"origin": -3.3},
        {"side": 0.25, "origin": -0.05, "levels": 2},
    ],
)
def test_readout(make, fields):
    explorer = make("pyramid", **fields)
    for _ in range(3):
        state, facts = explorer.state, explorer.picture.facts
        x, z = state.X[state.t > 0, 0], state.X[state.t < 0, 0]
        new = counted(x, z, state.levels, state.side, state.origin)
        value, best = np.sum(new / 2.0 ** np.arange(state.levels)), by_ruler(x, z, state.levels, state.side)
        assert facts["new pairs, fine → coarse"] == " ".join(map(str, new))
        assert facts["k = Σ new / 2^level"] == f"{value:.4f}"
        assert facts["best matching"] == f"{best:.4f}"
        assert facts["k / best"] == (f"{value / best:.3f}" if best else "none")
        assert facts["points of x | of z"] == facts["k(x, x) | k(z, z)"] == f"{len(x)} | {len(z)}"
        assert explorer.picture.found.value == value <= best
        kernel = PyramidMatch(state.levels, state.side, state.origin)
        assert kernel([x[:, None]], [z[:, None]])[0, 0] == value
        explorer.draw_again()


def test_a_new_pair_at_every_level_to_begin_with(make):
    explorer = make("pyramid")
    assert explorer.picture.facts["new pairs, fine → coarse"] == "2 1 1 1"
    assert explorer.picture.facts["k = Σ new / 2^level"] == "2.8750"


def test_shifting_the_grid_changes_the_pyramid_and_not_the_best_matching(make):
    explorer = make("pyramid")
    values = set()
    for origin in (0.0, -0.2, -0.4, -1.0, -2.0):
        explorer.set(origin=origin)
        values.add(explorer.picture.found.value)
        assert explorer.picture.facts["best matching"] == "3.2500"
    assert len(values) == 3


def test_points_stay_on_the_line_and_change_sets_when_dragged_across(make):
    explorer = make("pyramid")
    ax = explorer.stage.view.axes[0]
    names = [handle.name for handle in explorer.handles(explorer.stage.view, explorer.state)]
    u, v = explorer.stage.to_page(ax, 10.5, -1.0)  # where the words are, in the row of z
    explorer._on_gesture({"type": "move", "index": names.index(("rail", 0)), "u": u, "v": v})
    assert explorer.state.X[0] == 8.0
    assert explorer.state.t[0] == -1
    explorer.mode.value = "+1"
    explorer._on_gesture({"type": "add", "u": u, "v": v})
    assert explorer.state.X[-1] == 8.0
    assert explorer.state.t[-1] == 1


def test_an_empty_set_matches_nothing(make):
    explorer = make("pyramid")
    explorer.set(X=[[1.0], [2.0]], t=[1, 1])
    assert explorer.message == ""
    assert explorer.picture.facts["k = Σ new / 2^level"] == "0.0000"
    assert explorer.picture.facts["k / best"] == "none"
