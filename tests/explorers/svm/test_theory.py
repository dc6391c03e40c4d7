"""Shattering and bounds alive: what they claim is checked by linear programming, fresh draws and closed forms."""

import numpy as np
import pytest
from scipy.optimize import linprog

from sparsekm_edu import datasets
from sparsekm_edu.explorers.svm.bounds import SETS, SIZES
from sparsekm_edu.explorers.svm.shattering import CONVEX, NOTCH, ON_A_LINE, ONE_INSIDE
from sparsekm_edu.lessons import bounds, capacity


def drag(explorer, n, x, y):
    """Drag point n to (x, y) of the first Axes."""
    u, v = explorer.stage.to_page(explorer.stage.view.axes[0], x, y)
    explorer._on_gesture({"type": "move", "index": n, "u": u, "v": v})


def possible(X):
    """How many labellings a line can do, by linear programming."""
    lifted = np.column_stack([X, np.ones(len(X))])
    return sum(
        linprog(np.zeros(3), -t[:, None] * lifted, -np.ones(len(X)), bounds=(None, None)).status == 0
        for t in capacity.labellings(len(X))
    )


@pytest.mark.parametrize(
    ("places", "counts"),
    [(CONVEX, (4, 8, 14, 22)), (ONE_INSIDE, (4, 8, 14, 22)), (ON_A_LINE, (4, 6, 12, 18))],
    ids=["convex", "one inside", "on a line"],
)
def test_shattering_counts(make, places, counts):
    explorer = make("shattering")
    for n, count in zip((2, 3, 4, 5), counts):
        explorer.set(n=n, X=places)
        assert explorer.message == ""
        assert explorer.picture.facts["a line can do"] == f"{count}" == f"{possible(places[:n])}"
        assert explorer.picture.facts["labellings"] == f"{2**n}"
        assert (explorer.picture.facts["shattered"] == "yes") == (count == 2**n)


def test_shattering_no_four_points_are_ever_shattered(make):
    explorer, rng = make("shattering"), np.random.default_rng(3)
    for _ in range(60):
        drag(explorer, int(rng.integers(4)), *rng.uniform(-3, 3, 2))
        assert explorer.message == ""
        assert int(explorer.picture.facts["a line can do"]) == possible(explorer.state.points) <= 14


def test_shattering_every_labelling_comes_with_a_line_or_with_hulls_that_meet(make):
    explorer = make("shattering")
    explorer.set(n=5, X=ONE_INSIDE)
    lines = 0
    for step in range(32):
        explorer.set(step=step)
        X, t, picture = explorer.state.points, explorer.state.t, explorer.picture
        np.testing.assert_array_equal(picture.labels[picture.chosen], t)
        if picture.line is None:
            one, other, _ = picture.proof
            assert t[one[0]] != t[other[0]]
            assert picture.facts["hulls that meet"] != "no"
            assert picture.facts["widest margin"] == "no line"
        else:
            lines += 1
            assert np.all(t * (X @ picture.line.w + picture.line.b) >= 1 - 1e-6)
            assert picture.facts["KKT violation"] == ("< 1e-8" if len(set(t)) == 2 else "–")
    assert lines == 22


def test_shattering_names_radons_partition(make):
    explorer = make("shattering")
    assert explorer.picture.facts["hulls that meet"] == "1 3 | 2 4"
    drag(explorer, 2, -0.6, -0.4)  # point 3 inside the triangle of the others
    assert explorer.picture.facts["a line can do"] == "14"
    explorer.set(step=2)
    assert explorer.picture.facts["this labelling"] == "− − + −"
    assert explorer.picture.facts["hulls that meet"] == "1 2 4 | 3"


def test_shattering_points_stand_on_notches_and_so_exactly_in_a_row(make):
    explorer = make("shattering")
    explorer.set(n=3)
    for n, place in enumerate([(-1.99, 0.52), (0.03, 0.46), (1.97, 0.54)]):
        drag(explorer, n, *place)
    np.testing.assert_allclose(explorer.state.points, [(-2, 0.5), (0, 0.5), (2, 0.5)], atol=1e-12)
    np.testing.assert_allclose(explorer.state.X / NOTCH, np.round(explorer.state.X / NOTCH), atol=1e-9)
    assert explorer.picture.facts["a line can do"] == "6"


def test_shattering_the_keys_move_a_point_by_a_notch(make):
    """Five pixels, the stride of an arrow key, are more than half a notch."""
    explorer = make("shattering")
    u, v, *_ = explorer.canvas.handles[0]
    explorer._on_gesture({"type": "move", "index": 0, "u": u + 5 / explorer.canvas.natural, "v": v})
    np.testing.assert_allclose(explorer.state.X[0], CONVEX[0] + (NOTCH, 0), atol=1e-9)


def test_shattering_buttons_place_the_points(make):
    explorer = make("shattering")
    row = {button.description: button for button in explorer.children[1].children[-1].children}
    row["One inside"].click()
    np.testing.assert_array_equal(explorer.state.X, ONE_INSIDE)
    row["Three on a line"].click()
    assert explorer.picture.facts["a line can do"] == "12"


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"n": 6}, "n must lie between 2 and 5"),
        ({"n": 3.5}, "whole number"),
        ({"X": np.zeros((4, 2))}, "5 places"),
        ({"X": np.full((5, 2), 9.0)}, "between -3 and 3"),
        ({"X": np.full((5, 2), np.nan)}, "X must be finite"),
    ],
)
def test_shattering_refuses_what_makes_no_sense(make, fields, word):
    explorer = make("shattering")
    explorer.set(**fields)
    assert word in explorer.message
    explorer.reset()
    assert explorer.message == ""


# bounds


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
