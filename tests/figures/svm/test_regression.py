"""Figures 7.7, 7.8 and Tipping's sinc: tube, slacks, multipliers and fractions are where the machine has them."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.svm.regression import EPSILON, C, T, X, draw_7_7, shifted_spline
from looking import offsets, pieces

from sparsekm_edu import SVR, datasets, figures
from sparsekm_edu.figures.curves import ABOVE, BELOW, INSIDE, LOWER_EDGE, UPPER_EDGE, kinds


def test_kinds_of_points_as_the_multipliers_tell():
    v = np.array([0.0, 1e-7, -0.3, 2.0, -2.0, 2.0 * (1 - 1e-12)])
    np.testing.assert_array_equal(kinds(v, 2.0), [INSIDE, UPPER_EDGE, LOWER_EDGE, ABOVE, BELOW, ABOVE])


def test_figure_7_7_curve_tube_and_slacks():
    _, view, model = on_sheet("figure_7_7")
    x, y = view.tube.line.get_data()
    np.testing.assert_allclose(y, model.predict(x[:, None]))
    for edge, side in zip(view.tube.edges, (1, -1)):
        np.testing.assert_allclose(edge.get_ydata() - y, side * EPSILON)
    band = view.tube.band.artists[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(y.max() + EPSILON)
    assert band[:, 1].min() == pytest.approx(y.min() - EPSILON)
    residual = T - model.predict(X)
    outside = np.abs(residual) > EPSILON + 1e-9
    slack = pieces(view.tube.slack)
    assert outside.sum() == len(slack) == 5
    np.testing.assert_array_equal(slack[:, 0], np.column_stack([X, T])[outside])
    np.testing.assert_allclose(np.abs(np.diff(slack[..., 1])[:, 0]), np.abs(residual[outside]) - EPSILON)
    # they end on an edge of the tube
    np.testing.assert_allclose(np.abs(slack[:, 1, 1] - model.predict(X)[outside]), EPSILON)


def test_figure_7_7_marks_say_where_a_point_is():
    _, view, model = on_sheet("figure_7_7")
    residual = T - model.predict(X)
    place = {
        INSIDE: np.abs(residual) < EPSILON - 1e-6,
        UPPER_EDGE: np.abs(residual - EPSILON) < 1e-6,
        LOWER_EDGE: np.abs(residual + EPSILON) < 1e-6,
        ABOVE: residual > EPSILON + 1e-6,
        BELOW: residual < -EPSILON - 1e-6,
    }
    marks = view.points.artists
    assert [int(where.sum()) for where in place.values()] == [2, 2, 1, 2, 3]  # every kind is there
    for label, artist in zip(view.points.labels, marks):
        np.testing.assert_array_equal(artist.get_offsets(), np.column_stack([X, T])[place[label]])
    np.testing.assert_array_equal(offsets(view.rings), np.column_stack([X, T])[~place[INSIDE]])
    # markers differ, not only colours
    looks = {
        (len(artist.get_paths()[0].vertices), tuple(artist.get_paths()[0].vertices[0])) for artist in marks
    }
    assert len(looks) >= 4


def test_figure_7_7_stems_are_the_multipliers_in_units_of_C():
    _, view, model = on_sheet("figure_7_7")
    stems = pieces(view.stems)
    np.testing.assert_allclose(stems[:, 1, 1], model.solution_.v / C)
    np.testing.assert_array_equal(stems[:, 0, 1], 0)
    assert np.abs(stems[:, 1, 1]).max() == 1.0
    assert sorted(offsets(view.heads).tolist()) == sorted(stems[:, 1].tolist())


def test_figure_7_8_nu_stands_between_the_two_fractions():
    _, view, model = on_sheet("figure_7_8")
    outside, support = (bar.get_width() for bar in view.fractions.bars)
    nu = pieces(view.fractions.line)[0][0, 0]
    assert (outside, nu, support) == (0.3, 0.5, 0.7)
    assert len(offsets(view.rings)) == 7  # as in the book
    y = view.tube.line.get_ydata()
    np.testing.assert_allclose(view.tube.edges[0].get_ydata() - y, model.epsilon_)
    assert f"{model.epsilon_:.3f}" in view.epsilon.artists[0].get_text()


def test_sinc_tube_errors_are_in_units_of_epsilon():
    _, view, (X, t, model) = on_sheet("figure_sinc_tube")
    errors = offsets(view.errors)
    np.testing.assert_allclose(errors[:, 1], (t - model.predict(X)) / model.epsilon)
    rings = offsets(view.error_rings)
    assert len(rings) == len(offsets(view.rings)) == len(model.support_)
    assert np.abs(rings[:, 1]).min() > 1 - 1e-6
    np.testing.assert_allclose(view.truth.get_ydata(), datasets.sinc(n=401)[1], atol=1e-12)


def test_one_above_the_other_the_curve_gets_more_room():
    sheet, axes = figures.panels(1, rows=2)
    draw_7_7(axes)
    sheet.canvas.draw()
    upper, lower = (ax.get_position().height for ax in axes)
    assert upper > 2 * lower


def test_sinc_tube_with_two_cases_describes_both():
    X, t = datasets.sinc()
    cases = {
        f"epsilon {epsilon}": (X, t, SVR(C=10.0, epsilon=epsilon, kernel=shifted_spline).fit(X, t))
        for epsilon in (0.1, 0.02)
    }
    sheet, axes = figures.panels(2, rows=2)
    views = figures.figure_sinc_tube(axes, cases)
    assert [len(offsets(view.rings)) for view in views] == [len(m.support_) for *_, m in cases.values()]
    assert [ax.get_title() for ax in axes[0]] == list(cases)
    for title, (*_, model) in cases.items():
        assert title.capitalize() in sheet.description
        assert f"{len(model.support_)} support vectors" in sheet.description
