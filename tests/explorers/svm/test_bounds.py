"""The explorer of bounds, against the lesson's formulas."""

import numpy as np
import pytest

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.bounds import SETS, SIZES
from sparsekm_edu.lessons import bounds


def test_bounds_facts_are_those_of_the_data_set_shown(make):
    explorer = make("bounds")
    explorer.set(N=80, gap=0.25, delta=0.01, epsilon=0.05)
    X, t, line, facts = explorer.picture.X, explorer.picture.t, explorer.picture.line, explorer.picture.facts
    fresh, fresh_t = datasets.noise_free(200_000, 0.25, seed=5)
    missed = np.mean(fresh_t * (fresh @ line.w + line.b) <= 0)
    assert explorer.picture.errors[0] == pytest.approx(missed, abs=1e-3)
    assert np.abs(X[:, 0]).min() >= 0.25
    assert np.all(t * (X @ line.w + line.b) > 0.999)
    assert facts["VC bound"] == f"{bounds.vc_bound(80, 0.01):.3f}"
    assert facts["N that VC asks for"] == f"{bounds.vc_sample_size(0.05, 0.01)}"
    assert facts["error > ε"] == f"{np.sum(explorer.picture.errors > 0.05)} of {SETS} sets"


def test_bounds_the_gap_moves_pac_bayes_and_not_vc(make):
    explorer, seen = make("bounds"), []
    for gap in (0.0, 0.25, 0.5, 1.0):
        explorer.set(N=160, gap=gap)
        seen.append(explorer.picture.bounds["PAC-Bayes"][1][0])
        assert explorer.picture.facts["VC bound"] == "0.275"
    assert np.all(np.diff(seen) < 0)
    assert seen[0] > 0.26  # without a margin, no better than VC;
    assert seen[-1] < 0.275 / 2  # with one, much


def test_bounds_hold_for_all_data_sets_shown(make):
    explorer = make("bounds")
    for N in SIZES:
        for _ in range(2):
            explorer.draw_again()
            explorer.set(N=N)
            promised = [values[0] for name, (_, values) in explorer.picture.bounds.items() if name != "VC"]
            assert explorer.picture.errors[0] <= min(promised)
            assert explorer.picture.errors.max() <= bounds.vc_bound(N, 0.05)


def test_bounds_refuses_a_size_that_it_has_not(make):
    explorer = make("bounds")
    explorer.set(N=41)
    assert "N must be one of 10, 14, 20" in explorer.message
    assert explorer.state.N == 40


def test_bounds_confidence_is_cheap_and_accuracy_dear(make):
    explorer = make("bounds")
    asked = {}
    for fields in ({}, {"delta": 0.001}, {"delta": 0.05, "epsilon": 0.05}):
        explorer.set(**fields)
        asked[explorer.state.epsilon, explorer.state.delta] = int(
            explorer.picture.facts["N that VC asks for"]
        )
    assert list(asked.values()) == [506, 632, 1102]


def test_bounds_legend_lies_on_no_error(make):
    explorer = make("bounds")
    right = explorer.stage.view.axes[1]
    assert right.get_legend().get_window_extent().y0 >= right.get_window_extent().y1
