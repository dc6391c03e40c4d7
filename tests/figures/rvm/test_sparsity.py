"""Figures 7.10 and 7.11: ellipses of equal area, a maximum that is finite or is not; two schedules on their way up."""

import numpy as np
import pytest
from drawings.rvm.sparsity import PHI, T, draw_7_11, models

from sparsekm_edu import Gaussian, datasets, figures
from sparsekm_edu.figures.rvm.sparsity import HEIGHTS, LN_ALPHA, ellipse_of
from sparsekm_edu.solvers import sequential


def area(x, y):
    return 0.5 * abs(np.dot(x[:-1], np.diff(y)) - np.dot(y[:-1], np.diff(x)))


def test_figure_7_10_ellipses_have_equal_area_and_unit_mahalanobis_distance():
    _, axes = figures.panels(2)
    views = figures.figure_7_10(*axes, PHI, T, *models())
    areas = []
    for view, (C, beta, _) in zip(views, models()):
        points = np.array(view.ellipse.get_data())
        np.testing.assert_allclose(np.sum(points * np.linalg.solve(C, points), axis=0), 1, rtol=1e-10)
        np.testing.assert_allclose(np.linalg.norm(view.noise.get_data(), axis=0), beta**-0.5)
        areas.append(area(*points))
    assert areas[0] == pytest.approx(areas[1], rel=1e-9)


def test_figure_7_10_poor_alignment_lowers_the_probability_and_the_figure_says_so():
    _, axes = figures.panels(2)
    views = figures.figure_7_10(*axes, PHI, T, *models())
    (_, _, without), (_, _, with_phi) = models()
    assert with_phi < without
    for view, log_p in zip(views, (without, with_phi)):
        assert f"{log_p:.3f}" in view.words.artists[0].get_text()
        np.testing.assert_array_equal(view.t.artists[0].get_offsets(), [T])


def test_figure_7_10_the_noise_alone_is_a_circle_that_coincides_with_the_ellipse():
    _, axes = figures.panels(2)
    left, _ = figures.figure_7_10(*axes, PHI, T, *models())
    np.testing.assert_allclose(np.linalg.norm(left.ellipse.get_data(), axis=0), models()[0][1] ** -0.5)


def test_ellipse_of_a_diagonal_matrix():
    x, y = ellipse_of(np.diag([4.0, 0.25]))
    np.testing.assert_allclose((x / 2) ** 2 + (y / 0.5) ** 2, 1)


def test_figure_7_11_maximum_at_one_third():
    _, axes = figures.panels(2)
    (left, right), _ = draw_7_11(axes)
    x, y = left.curve.get_data()
    ((top_x,), (top_y,)) = left.top.get_data()
    assert top_x == pytest.approx(np.log(1 / 3))
    assert top_y == pytest.approx(0.8069, abs=5e-5)
    assert y.max() <= top_y
    assert abs(x[y.argmax()] - top_x) < 0.02
    assert not left.off.artists[0].get_visible()
    assert "keep" in left.verdict.artists[0].get_text()


def test_figure_7_11_without_a_finite_maximum_rises_all_the_way_and_has_an_arrow():
    _, axes = figures.panels(2)
    (_, right), _ = draw_7_11(axes)
    _, y = right.curve.get_data()
    assert (np.diff(y) > 0).all()
    assert y[-1] < 0
    assert len(right.top.get_data()[0]) == 0
    assert right.off.artists[0].get_visible()
    assert "drop" in right.verdict.artists[0].get_text()


def test_the_window_is_the_books():
    assert LN_ALPHA == (-5, 5)
    assert HEIGHTS == (-4, 2)


def test_figure_schedules_draws_the_traces_and_their_heatings():
    X, t = datasets.sinc(100, noise=0.2, seed=24)  # that of notebook 10: heating leads to a higher end
    Phi = np.column_stack([Gaussian(gamma=1 / 9)(X), np.ones(len(X))])
    book, fast = sequential(Phi, t, schedule="book"), sequential(Phi, t)
    _, axes = figures.panels(2)
    view = figures.figure_schedules(*axes, book.trace, fast.trace)
    heats = np.flatnonzero(fast.trace.action == "heat")
    assert len(heats) > 0
    assert fast.log_evidence > book.log_evidence + 1
    for lines in view.lines:
        for line, solution in zip(lines, (book, fast)):
            np.testing.assert_array_equal(line.get_ydata(), solution.trace.log_evidence)
            assert line.get_ydata()[-1] == pytest.approx(solution.log_evidence, abs=1e-6)
        np.testing.assert_array_equal(lines[2].get_xdata(), heats + 1)
    assert (np.diff(view.lines[0][0].get_ydata()) > -1e-9).all()  # the book's never falls
    low, high = axes[1].get_ylim()
    assert low < min(book.log_evidence, fast.log_evidence) < max(book.log_evidence, fast.log_evidence) < high
