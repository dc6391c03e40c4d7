"""Shattering and bounds alive: what they claim is checked by linear programming, fresh draws and closed forms."""

import numpy as np
import pytest
from scipy.optimize import linprog

from sparsekm_edu.explorers.svm.shattering import CONVEX, NOTCH, ON_A_LINE, ONE_INSIDE
from sparsekm_edu.lessons import capacity


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
        ({"n": 6}, "n must be a whole number between 2 and 5"),
        ({"n": 3.5}, "whole number"),
        ({"X": np.zeros((4, 2))}, "5 places"),
        ({"X": np.full((5, 2), 9.0)}, "between -3 and 3"),
        ({"X": np.full((5, 2), np.nan)}, "X must be an array of numbers"),
    ],
)
def test_shattering_refuses_what_makes_no_sense(make, fields, word):
    explorer = make("shattering")
    explorer.set(**fields)
    assert word in explorer.message
    explorer.reset()
    assert explorer.message == ""


# bounds
