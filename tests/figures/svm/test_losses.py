"""Figures 7.5 and 7.6, what losses make of data, no likelihood: what is drawn is what was computed."""

import numpy as np
import pytest
from looking import offsets, pieces

from sparsekm_edu import datasets, figures
from sparsekm_edu.lessons import losses

Z = np.linspace(-2, 3, 1001)
R = np.linspace(-4, 4, 801)


def draw_7_5(axes):
    names = ("misclassification", "squared", "logistic", "hinge")
    curves = {name: getattr(losses, name)(Z) for name in names}
    return figures.figure_7_5(*axes, Z, curves), curves


def draw_four_losses(axes):
    X, t = datasets.on_a_line()
    x = X[:, 0]
    lines, split = losses.best_lines(x, t, 0.5), losses.best_split(x, t)
    z = t * lines["squared"](x)
    costs = np.column_stack([z, losses.squared(z)])
    curves = {name: getattr(losses, name)(Z) for name in lines}
    support = np.flatnonzero(t * lines["hinge"](x) <= 1 + 1e-9)
    view = figures.figure_four_losses(*axes, Z, curves, x, t, lines, (split.low, split.high), costs, support)
    return view, (x, t, lines, split, costs, support)


def of_residual(r, epsilon):
    return {
        "quadratic": losses.quadratic(r),
        "huber": losses.huber(r, epsilon),
        "insensitive": losses.insensitive(r, epsilon),
    }


def draw_7_6(axes):
    return figures.figure_7_6(*axes, R, of_residual(R, 1.5), 1.5), 1.5


def draw_locations(axes):
    t, epsilon, m = np.array([-1.0, 0.2, 0.5, 3.0]), 0.7, np.linspace(-4, 6, 501)
    costs = {name: E.mean(axis=1) for name, E in of_residual(m[:, None] - t, epsilon).items()}
    flat = losses.insensitive_location(t, epsilon)
    places = {"quadratic": t.mean(), "huber": losses.huber_location(t, epsilon), "insensitive": np.mean(flat)}
    best = {name: (place, of_residual(place - t, epsilon)[name].mean()) for name, place in places.items()}
    support = np.flatnonzero(np.abs(t - places["insensitive"]) >= epsilon)
    arrays = R, of_residual(R, epsilon), epsilon, t, m, costs, best, flat, support
    return figures.figure_locations(*axes, *arrays), (t, epsilon, best, flat, support)


def draw_no_likelihood(axes, C=2.0):
    f = np.linspace(-4, 4, 401)
    pairs = [[np.exp(-C * E(s * f)) for s in (1, -1)] for E in (losses.hinge, losses.logistic)]
    return figures.figure_no_likelihood(*axes, f, *pairs, C), (f, pairs, C)


FIGURES = {
    "figure_7_5": (draw_7_5, 1),
    "figure_four_losses": (draw_four_losses, 2),
    "figure_7_6": (draw_7_6, 1),
    "figure_locations": (draw_locations, 2),
    "figure_no_likelihood": (draw_no_likelihood, 2),
}


def on_sheet(name):
    draw, n = FIGURES[name]
    sheet, axes = figures.panels(n)
    return sheet, *draw(np.atleast_1d(axes))


def test_figure_7_5_draws_every_curve_and_the_point_they_share():
    sheet, view, curves = on_sheet("figure_7_5")
    drawn = [line.get_ydata() for line in view.axes[0].lines]
    for values, line in zip(curves.values(), drawn):
        np.testing.assert_array_equal(line, values)
        assert np.interp(0.0, Z, values) == 1.0
    assert view.axes[0].lines[-1].get_xydata().tolist() == [[0, 1]]
    styles = {(line.get_linestyle(), line.get_color()) for line in view.axes[0].lines[:4]}
    assert len(styles) == 4
    assert sheet.description.count("1.00") == 4


def test_four_losses_lines_boundaries_and_gap():
    _, view, (x, t, lines, split, costs, support) = on_sheet("figure_four_losses")
    for name, line in lines.items():
        np.testing.assert_allclose(view.lines[name].get_ydata(), line(view.lines[name].get_xdata()))
        (place,) = view.boundaries[name].get_xdata()
        assert line(place) == pytest.approx(0, abs=1e-12)
    (corners,) = [path.vertices[:4] for path in view.gap.get_paths()]
    assert set(corners[:, 0]) == {split.low, split.high}
    np.testing.assert_array_equal(offsets(view.rings), np.column_stack([x, t])[support])
    np.testing.assert_array_equal(np.sort(offsets(view.costs), axis=0), np.sort(costs, axis=0))


def test_four_losses_a_level_line_has_no_boundary():
    sheet, axes = figures.panels(2)
    view, (x, t, lines, split, costs, support) = draw_four_losses(axes)
    view.update(x, t, {"hinge": losses.Line(0.0, 0.5)}, (split.low, split.high), costs, support)
    assert len(view.boundaries["hinge"].get_xdata()) == 0
    assert "hinge none" in sheet.description


def test_figure_7_6_dotted_lines_and_dots_at_plus_and_minus_epsilon():
    _, view, epsilon = on_sheet("figure_7_6")
    assert sorted(pieces(view.edges)[:, 0, 0]) == [-epsilon, epsilon]
    for dots, name in ((view.kinks, "insensitive"), (view.joints, "huber")):
        x, y = dots.get_data()
        np.testing.assert_allclose(x, [-epsilon, epsilon])
        np.testing.assert_allclose(y, of_residual(np.array(x), epsilon)[name])


def test_locations_marks_sit_at_the_bottom_of_their_curves():
    _, view, (t, epsilon, best, flat, support) = on_sheet("figure_locations")
    for name, mark in view.best.items():
        (x,), (y,) = mark.get_data()
        assert (x, y) == best[name]
        m, cost = view.costs[name].get_data()
        assert y <= cost.min() + 1e-3
        assert y == pytest.approx(np.interp(x, m, cost), abs=1e-3)
    np.testing.assert_allclose(pieces(view.flat)[0][:, 0], flat)
    np.testing.assert_array_equal(offsets(view.rings)[:, 0], t[support])


def test_no_likelihood_sums():
    _, view, (f, pairs, C) = on_sheet("figure_no_likelihood")
    for (_, plus, minus, total), pair in zip(view.panels, pairs):
        np.testing.assert_array_equal(plus.get_ydata(), pair[0])
        np.testing.assert_array_equal(minus.get_ydata(), pair[1])
        np.testing.assert_allclose(total.get_ydata(), pair[0] + pair[1])
    assert np.interp(0.0, f, view.panels[0][3].get_ydata()) == pytest.approx(2 * np.exp(-C))
