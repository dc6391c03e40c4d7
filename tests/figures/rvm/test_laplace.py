"""Figures of the Laplace approximation: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.rvm.laplace import DEGREES, draw_degree, draw_laplace, draw_predictive
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.rvm.laplace import MASSES, ROWS


def drawn(draw, axes, **given):
    _, axes = figures.panels(axes)
    return draw(axes, **given)


def test_figure_laplace_draws_density_gaussian_and_the_parabola_through_its_top():
    view, (z, log_p, log_q, first, *_) = drawn(draw_laplace, 3, name="skewed", n=3)
    top = log_p.max()
    np.testing.assert_allclose(view.p.get_ydata(), np.exp(log_p - top))
    np.testing.assert_allclose(view.q.get_ydata(), np.exp(log_q - top))
    x, parabola = view.log_q.get_data()
    np.testing.assert_allclose(parabola, -0.5 * 3 * first.A * (x - first.mode) ** 2, atol=1e-2)
    x, log_f = view.log_p.get_data()
    assert x.min() > 0  # nothing outside the support
    assert np.interp(first.mode, x, log_f) == pytest.approx(0, abs=1e-9)
    assert np.all(log_f <= 1e-3)
    for piece in (view.mode, view.mode_below):
        assert pieces(piece)[0, :, 0] == pytest.approx(first.mode)


def test_figure_laplace_shows_how_wrong_it_is_for_every_power_and_marks_the_present_one():
    view, (*_, powers, errors, distances) = drawn(draw_laplace, 3, name="heavy tails", n=10)
    np.testing.assert_array_equal(view.error.get_data(), (powers, errors))
    np.testing.assert_array_equal(view.distance.get_data(), (powers, distances))
    n, value = np.ravel(view.marks[0].get_data())
    assert n == 10
    assert value == pytest.approx(np.interp(np.log(10), np.log(powers), errors))
    np.testing.assert_allclose(view.guide.get_ydata(), errors[0] / powers)


def test_figure_degree_draws_every_criterion_from_its_best_and_rings_the_choices():
    view, (x, t, line, truth, by_laplace, by_bic, scores) = drawn(draw_degree, 2)
    for name, values in scores.items():
        at, height = view.criteria[name].get_data()
        np.testing.assert_array_equal(at, DEGREES)
        np.testing.assert_allclose(height, values - values.max())
    rings = offsets(view.rings)
    assert set(rings[:, 0]) == {scores[name].argmax() for name in ("Laplace", "sampled", "BIC")}
    assert np.all(rings[:, 1] == 0)
    for curve, values in ((view.truth, truth), (view.by_laplace, by_laplace), (view.by_bic, by_bic)):
        np.testing.assert_array_equal(curve.get_data(), (line, values))
    for rug, label in zip(view.rugs, (1, 0)):
        np.testing.assert_array_equal(pieces(rug)[:, 0, 0], x[t == label])
        assert np.all((pieces(rug)[:, :, 1] > 1) == (label == 1))


def test_figure_predictive_draws_four_ways_and_the_points_of_both_classes():
    view, (x, t, line, ways, *_) = drawn(draw_predictive, 2)
    for name, curve in (("exact", view.exact), ("plug-in", view.plug_in), ("probit", view.probit)):
        np.testing.assert_array_equal(curve.get_data(), (line, ways[name]))
    at, p = view.averaged.get_data()
    np.testing.assert_allclose(p, np.interp(at, line, ways["Laplace"]))
    for artist, label in zip(view.points.artists, (1, -1)):
        np.testing.assert_array_equal(artist.get_offsets()[:, 0], x[t == label])
        assert np.all(artist.get_offsets()[:, 1] == ROWS[label])


def test_figure_predictive_contours_hold_the_shares_they_promise():
    view, (*_, fit, posterior) = drawn(draw_predictive, 2)
    sd = np.sqrt(np.diagonal(fit.Sigma))
    rng = np.random.default_rng(0)  # draws from the posterior, in the units of the plane
    draws = posterior.W[rng.choice(len(posterior.p), 20_000, p=posterior.p / posterior.p.sum())]
    plane = (draws - fit.w) / sd
    for path, mass in zip(view.plane.bands.get_paths(), sorted(MASSES, reverse=True)):
        assert path.contains_points(plane).mean() == pytest.approx(mass, abs=0.04)
    gaussian = rng.multivariate_normal(fit.w, fit.Sigma, size=20_000)
    for ellipse, mass in zip(view.plane.ellipses, MASSES):
        u = np.linalg.solve(posterior.in_sd, np.array(ellipse.get_data()))
        radius = np.linalg.norm(u, axis=0)
        assert np.ptp(radius) < 1e-9
        away = np.einsum("ni,ij,nj->n", gaussian - fit.w, np.linalg.inv(fit.Sigma), gaussian - fit.w)
        assert np.mean(away <= radius[0] ** 2) == pytest.approx(mass, abs=0.01)


def test_figure_predictive_axes_say_from_where_and_in_what_the_weights_are_measured():
    view, (*_, fit, posterior) = drawn(draw_predictive, 2)
    _, plane = view.axes
    assert plane.get_xlabel() == r"slope: $(w_1-w_1^\ast)\,/\,\mathrm{sd}_1$"
    assert plane.get_ylabel() == r"intercept: $(w_0-w_0^\ast)\,/\,\mathrm{sd}_0$"
    place = np.ravel(view.mode.get_data())
    np.testing.assert_array_equal(place, [0, 0])  # w = w*
    sd = np.sqrt(np.diagonal(fit.Sigma))  # of slope and intercept, in this order
    for step, node in ((0, 500), (1, 1000)):
        z = np.array([posterior.z[node // len(posterior.z)], posterior.z[node % len(posterior.z)]])
        expected = (posterior.W[node, step] - fit.w[step]) / sd[step]
        assert (posterior.in_sd @ z)[step] == pytest.approx(expected)
