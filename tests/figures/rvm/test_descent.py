"""Descents, runaway weights, links: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.rvm.descent import draw_descent, draw_probit, draw_runaway, draw_softmax
from looking import offsets, pieces
from scipy.special import expit

from sparsekm_edu import figures
from sparsekm_edu.figures.layers import Relief
from sparsekm_edu.figures.rvm.descent import FLOOR, RISES


def test_descent_paths_start_together_and_end_where_the_steps_do():
    _, axes = figures.panels(3)
    view, (_, _, ways, best) = draw_descent(axes)
    for name, steps in ways.items():
        path = np.column_stack(view.paths[name].get_data())
        np.testing.assert_array_equal(path[0], offsets(view.start)[0])
        np.testing.assert_array_equal(path[-1], steps[-1].w)
        left = view.traces[name].get_ydata()
        np.testing.assert_allclose(left, np.maximum([s.error - best.error for s in steps], FLOOR))
    assert len(view.paths["stochastic"].get_xdata()) == 1 + 9 * 16  # every single point's step is drawn
    np.testing.assert_array_equal(np.ravel(view.bottom.get_data()), best.w)


def test_descent_curves_are_those_of_the_weights():
    _, axes = figures.panels(3)
    view, (X, t, ways, _) = draw_descent(axes)
    hours, p = view.curves["gradient"].get_data()
    w = ways["gradient"][-1].w
    np.testing.assert_allclose(p, expit(w[0] + w[1] * hours), atol=1e-12)
    passed, failed = view.points.artists
    np.testing.assert_array_equal(passed.get_offsets()[:, 1], 1)
    np.testing.assert_array_equal(failed.get_offsets()[:, 1], 0)
    assert len(passed.get_offsets()) == np.sum(t > 0)


def test_descent_lines_of_the_relief_are_levels_of_the_error():
    _, axes = figures.panels(3)
    view, (X, t, _, best) = draw_descent(axes, cells=240)
    sign = np.where(t > 0, 1.0, -1.0)
    heights = [
        np.logaddexp(0, -sign[:, None] * (line.vertices[:, 0] + X * line.vertices[:, 1])).sum(axis=0)
        for line in view.relief.lines.get_paths()
    ]
    for values in heights:
        nearest = RISES[np.abs(values.mean() - best.error - RISES).argmin()]
        np.testing.assert_allclose(values - best.error, nearest, atol=0.02)
    assert len(heights) >= len(RISES) - 1


def test_relief_is_deeper_where_it_is_higher_and_paper_below_the_first_level():
    sheet, ax = figures.panels()
    ax.set(xlim=(-3, 3), ylim=(-3, 3))
    relief = Relief(ax)
    x = np.linspace(-3, 3, 41)

    def grey(place):
        pixels = sheet.pixels()
        column, row = ax.transData.transform((place, 0.1)).astype(int)
        return int(pixels[len(pixels) - row, column, 0])

    relief.update(x, x, x**2 + x[:, None] ** 2, [1.0, 4.0])
    assert grey(0.5) == 255 > grey(1.5) > grey(2.5)
    relief.update(x, x, np.zeros((41, 41)), [1.0, 4.0])  # nothing is so high
    assert grey(0.5) == grey(2.5) == 255


def test_runaway_shows_both_lengths_and_the_widest_street_if_there_is_one():
    _, axes = figures.panels(2)
    view, (X, t, runs) = draw_runaway(axes)
    for prior, lengths in runs.items():
        np.testing.assert_array_equal(view.lengths[prior].get_ydata(), lengths)
    np.testing.assert_array_equal(np.ravel(view.here[True].get_data()), (2, 1.2))
    assert np.isnan(view.here[False].get_ydata()[0])
    (line,) = pieces(view.widest)
    np.testing.assert_allclose(line.sum(axis=1), 0, atol=1e-9)
    view, _ = draw_runaway(figures.panels(2)[1], separable=False)
    assert len(view.widest.artists[0].get_segments()) == 0


def test_probit_scaled_by_root_pi_over_8_is_close_and_its_tails_cost_more():
    sheet, axes = figures.panels(2)
    _, (a, probabilities, costs) = draw_probit(axes)
    assert "0.018" in sheet.description
    slope = np.gradient(probabilities["scaled probit"], a)[100] / np.gradient(probabilities["logit"], a)[100]
    assert slope == pytest.approx(1, abs=1e-3)
    assert costs["scaled probit"][0] > 2 * costs["logit"][0]


def test_softmax_borders_run_where_the_two_likeliest_classes_are_equal():
    _, ax = figures.panels()
    view, (grid, P, model) = draw_softmax([ax])
    np.testing.assert_allclose(P.sum(axis=0), 1)
    cell = grid[0][1] - grid[0][0]
    left, right, low, high = figures.WIDE
    middle = np.linalg.solve(np.diff(model.coef_, axis=0), -np.diff(model.intercept_))  # all three are equal
    drawn = np.concatenate([path.vertices for path in view.artists[1].get_paths()])
    apart = np.linalg.norm(drawn - middle, axis=1)
    outputs = drawn @ model.coef_.T + model.intercept_  # (V, 3)
    third, second, first = np.argsort(outputs, axis=1).T
    rows = np.arange(len(drawn))
    lead = outputs[rows, first] - outputs[rows, second]
    away = lead / np.linalg.norm(model.coef_[first] - model.coef_[second], axis=1)  # from the straight border
    assert away.max() < 0.02 * cell
    for k in range(
        3
    ):  # each of the three is there, from the middle to the edge of the picture, without a gap
        mine = drawn[third == k]
        to_edge = np.min([mine[:, 0] - left, right - mine[:, 0], mine[:, 1] - low, high - mine[:, 1]], axis=0)
        assert to_edge.min() < 1e-9
        assert np.diff(np.sort(apart[third == k]), prepend=0).max() < 1.5 * cell
