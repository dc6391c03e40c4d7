"""K-medoids: lines to the medoids, marks on who moved, and the cost, as the steps say."""

import numpy as np
import pytest
from drawings.kernels.medoids import STEPS, SWAP, X, draw_medoids
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.kernels.medoids import BEFORE, caption


def drawn(k):
    view, (*_, best) = draw_medoids(figures.panels(2)[1], k)
    return view, STEPS[k], best


@pytest.mark.parametrize("k", range(1, len(STEPS)))
def test_every_point_is_joined_to_its_medoid_and_the_lines_are_as_long_as_the_cost(k):
    view, step, _ = drawn(k)
    lines = np.concatenate([pieces(layer).reshape(-1, 2, 2) for layer in view.spokes])
    assert len(lines) == len(X)
    assert np.linalg.norm(lines[:, 0] - lines[:, 1], axis=1).sum() == pytest.approx(step.cost)
    for cluster, layer in enumerate(view.spokes[:3]):
        np.testing.assert_array_equal(pieces(layer)[:, 0], X[step.labels == cluster])
        assert (pieces(layer)[:, 1] == X[step.medoids[cluster]]).all()
    np.testing.assert_array_equal(offsets(view.medoids), X[step.medoids])
    assert len(offsets(view.points)) == len(X)


@pytest.mark.parametrize("k", range(1, len(STEPS)))
def test_who_moved_is_marked(k):
    view, step, _ = drawn(k)
    before = STEPS[k - 1]
    moved = step.medoids != before.medoids
    np.testing.assert_array_equal(offsets(view.left), X[before.medoids[moved]])
    tips = [piece.vertices[0] for piece in view.moves.heads.get_paths()]
    for tip, old, new in zip(tips, X[before.medoids[moved]], X[step.medoids[moved]], strict=True):
        way = np.linalg.norm(new - old)
        np.testing.assert_allclose(tip, old + max(way - BEFORE, 0) / way * (new - old))
    reassigned = (step.labels != before.labels) & (k > 1)
    np.testing.assert_array_equal(offsets(view.changed), X[reassigned])


def test_before_the_first_step_nobody_is_assigned():
    view, _, _ = drawn(0)
    assert all(len(pieces(layer)) == 0 for layer in view.spokes)
    np.testing.assert_array_equal(view.points.artists[0].get_offsets(), X)
    assert len(offsets(view.left)) == len(offsets(view.changed)) == 0


def test_the_trace_is_the_cost_in_units_of_the_first_and_marks_the_swap():
    view, _, best = drawn(SWAP + 1)
    costs = np.array([step.cost for step in STEPS])
    np.testing.assert_allclose(view.whole.get_ydata(), costs / costs[0])
    np.testing.assert_allclose(view.so_far.get_ydata(), costs[: SWAP + 2] / costs[0])
    assert view.swaps.get_xdata() == [SWAP]
    np.testing.assert_allclose(view.best.get_ydata(), best / costs[0])
    assert np.ravel(view.here.get_data()) == pytest.approx((SWAP + 1, costs[SWAP + 1] / costs[0]))


def test_captions_say_what_happened():
    said = [caption(step, before) for before, step in zip([STEPS[0], *STEPS], STEPS)]
    assert said == [
        "start: 3 of the points, at random",
        "assign: all points join the nearest medoid",
        "update: 2 medoids move",
        "assign: one point changes cluster",
        "update: no medoid moves",
        "swap: another point as medoid saves 9.01",
        "update: 2 medoids move",
        "assign: no point changes cluster",
        "update: no medoid moves",
        "end: no swap lowers the cost",
    ]
