"""Figures 7.10 and 7.11: ellipses of equal area, a maximum that is finite or is not; two schedules on their way up."""

import numpy as np
import pytest
from drawings.rvm.sparsity import PHI, T, draw_7_11, draw_schedules, models

from sparsekm_edu import figures
from sparsekm_edu.figures.rvm.sparsity import (
    HEIGHTS,
    LN_ALPHA,
    PRECISION,
    QUALITY,
    SPARSITY,
    Contribution,
    ellipse_of,
)
from sparsekm_edu.figures.style import LIGHT
from sparsekm_edu.lessons.sparsity import Lambda


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
    assert abs(x[y.argmax()] - top_x) < 0.04
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


@pytest.mark.parametrize(("q2", "s"), [(4.0, 1.0), (1.0, 2.0), (40.0, 3.0)])
def test_figure_7_11_the_dotted_curves_are_price_and_reward_and_add_up(q2, s):
    view = Contribution(figures.panels()[1])
    view.update(Lambda(q2, s))
    ln_alpha, price = view.price.get_data()
    alpha = np.exp(ln_alpha)
    np.testing.assert_allclose(price, 0.5 * np.log(alpha / (alpha + s)), rtol=1e-9)
    np.testing.assert_allclose(view.reward.get_data()[1], 0.5 * q2 / (alpha + s), rtol=1e-12)
    lam = 0.5 * (np.log(alpha) - np.log(alpha + s) + q2 / (alpha + s))  # (7.97) as it is printed
    np.testing.assert_allclose(view.curve.get_data()[1], lam, atol=1e-12)
    np.testing.assert_allclose(view.curve.get_data()[1], price + view.reward.get_data()[1], rtol=1e-12)
    assert (price < 0).all()
    assert [name.artists[0].get_text() for name in view.names] == ["reward", "price"]


def test_q_s_and_alpha_have_one_colour_each():
    colours = [getattr(LIGHT, role) for role in (QUALITY, SPARSITY, PRECISION)]
    assert len(set(colours)) == 3
    view = Contribution(figures.panels()[1])
    assert [view.reward.get_color(), view.price.get_color()] == colours[:2]
    assert view.axes[0].xaxis.label.get_color() == colours[2]
    plane = figures.figure_q_s_plane(figures.panels()[1], [1.0], [1.0], [True], (0.1, 10, 0.1, 10))
    assert plane.axes[0].yaxis.label.get_color() == colours[0]
    assert plane.axes[0].xaxis.label.get_color() == colours[1]


def test_figure_7_10_names_its_curves():
    _, axes = figures.panels(2)
    figures.figure_7_10(*axes, PHI, T, *models())
    words = [{text.get_text() for text in ax.texts} for ax in axes]
    assert "ellipse of C: the noise" in words[0]
    assert {"ellipse of C", "noise"} <= words[1]


def test_figure_schedules_draws_the_curves_and_the_way_to_them():
    _, axes = figures.panels(2)
    view, (ends, runs) = draw_schedules(axes)
    assert ends["β late"].log_evidence > ends["the box"].log_evidence + 80
    for n, (name, end) in enumerate(ends.items()):
        np.testing.assert_array_equal(view.curves[n].get_ydata(), runs[name][0])
        np.testing.assert_array_equal(view.climbs[n].get_ydata(), end.trace.log_evidence)
        assert view.ends[n].artists[0].get_text() == f"{name}: {end.log_evidence:.1f}"
        low, high = axes[1].get_ylim()
        assert low < end.log_evidence < high
    assert np.ptp(view.curves[0].get_ydata()) < 1e-9  # only the constant is left
