"""Densities over one number: their integrals, and Laplace where it is right and where it fails."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln, gammaln
from scipy.stats import norm

from sparsekm_edu.lessons.densities import (
    DENSITIES,
    Density,
    against_power,
    compare,
    exact_log_Z,
    laplace_of,
    log_curves,
    power,
)

WITH_MODE = [name for name, density in DENSITIES.items() if density.has_mode]
POWERS = np.array([1.0, 3.7, 10.0, 100.0])


@pytest.mark.parametrize("name", DENSITIES)
def test_slope_and_curvature_are_the_derivatives(name):
    density, h = DENSITIES[name], 1e-5
    for z in (0.3, 0.9, 1.4):
        assert density.slope(z) == pytest.approx((density(z + h) - density(z - h)) / (2 * h), abs=1e-8)
        second = (density.slope(z + h) - density.slope(z - h)) / (2 * h)
        assert density.curvature(z) == pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "closed_form"),
    [
        ("skewed", lambda n: gammaln(n + 1) - (n + 1) * np.log(n)),
        ("bounded", lambda n: np.log(2) + betaln(0.5, n / 2 + 1)),
        ("heavy tails", lambda n: 0.5 * np.log(3) + betaln(0.5, 2 * n - 0.5)),
    ],
)
def test_quadrature_equals_the_closed_form(name, closed_form):
    np.testing.assert_allclose(exact_log_Z(DENSITIES[name], POWERS), closed_form(POWERS), atol=1e-9)


@pytest.mark.parametrize("name", WITH_MODE)
@pytest.mark.parametrize("n", [1, 8])
def test_quadrature_equals_scipys(name, n):
    density = DENSITIES[name]
    ends = max(density.low, -60), min(density.high, 60)
    Z, _ = quad(lambda z: np.exp(n * density(z)), *ends, points=(0, 1, 2), limit=400)
    assert exact_log_Z(density, n) == pytest.approx(np.log(Z), abs=2e-5)  # of heavy tails, 2e-6 are cut off


@pytest.mark.parametrize("name", WITH_MODE)
def test_laplace_has_the_mode_and_its_curvature(name):
    density = DENSITIES[name]
    for start in (0.2, 0.7, 1.9):
        q = laplace_of(density, start)
        assert density.slope(q.mode) == pytest.approx(0, abs=1e-7)
        assert density.curvature(q.mode) == pytest.approx(-q.A, rel=1e-9)
        assert q.log_Z == pytest.approx(density(q.mode) + 0.5 * np.log(2 * np.pi / q.A), abs=1e-12)


def test_laplace_of_a_power_is_stirlings_formula():
    n = 10
    q = power(laplace_of(DENSITIES["skewed"], 2.0), n)
    stirling = 0.5 * np.log(2 * np.pi * n) + n * np.log(n) - n
    assert q.log_Z + (n + 1) * np.log(n) == pytest.approx(stirling, abs=1e-9)
    assert compare(DENSITIES["skewed"], n, q).log_Z - q.log_Z == pytest.approx(1 / (12 * n), rel=0.01)


@pytest.mark.parametrize("name", ["skewed", "bounded", "heavy tails"])
def test_the_error_of_log_Z_falls_like_one_over_n(name):
    density = DENSITIES[name]
    errors, distances = against_power(density, laplace_of(density, 0.7), np.array([10.0, 100.0]))
    assert errors[0] / errors[1] == pytest.approx(10, rel=0.1)
    assert distances[0] / distances[1] > 3


def test_two_equal_peaks_are_never_seen_both():
    density = DENSITIES["two equal peaks"]
    right, left = laplace_of(density, 0.2), laplace_of(density, -0.2)
    assert right.mode == pytest.approx(1) == -left.mode
    errors, distances = against_power(density, right, np.array([100.0]))
    assert errors[0] == pytest.approx(np.log(2), abs=2e-3)
    assert distances[0] == pytest.approx(0.5, abs=1e-3)


def test_the_lower_of_two_peaks_gets_worse_with_n():
    density = DENSITIES["two unequal peaks"]
    lower = laplace_of(density, -0.5)
    errors, _ = against_power(density, lower, np.array([10.0, 100.0]))
    heights = density(laplace_of(density, 0.5).mode) - density(lower.mode)
    assert errors[1] - errors[0] == pytest.approx(90 * heights, rel=0.01)


def test_a_gaussian_is_its_own_approximation():
    gaussian = Density(
        lambda z: -0.5 * (z - 0.4) ** 2, lambda z: 0.4 - z, lambda z: -np.ones_like(z)
    )  # not one of the course's, which all resist
    q = laplace_of(gaussian, 1.0)
    exact = compare(gaussian, 1, q)
    assert q.log_Z == pytest.approx(exact.log_Z, abs=1e-12)
    assert exact.distance == pytest.approx(0, abs=1e-12)
    assert (exact.mean, exact.sd, exact.outside) == pytest.approx((0.4, 1, 0), abs=1e-10)


def test_compare_knows_moments_distance_and_what_lies_outside():
    density = DENSITIES["bounded"]  # half an ellipse, |z| < 2: mean 0, sd 1
    q = laplace_of(density, 0.5)
    exact = compare(density, 1, q)
    assert (exact.mean, exact.sd) == pytest.approx((0, 1), abs=1e-8)
    assert exact.outside == pytest.approx(2 * norm.cdf(-2 / 2), abs=1e-12)  # q = N(0, 2^2)
    z = np.linspace(-30, 30, 600_001)
    log_p, log_q = log_curves(density, 1, q, z)
    direct = 0.5 * np.sum(np.abs(np.exp(log_p) - np.exp(log_q))) * (z[1] - z[0])
    assert exact.distance == pytest.approx(direct, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "start", "word"),
    [
        ("skewed", -1.0, "start = -1 lies where the density is 0"),
        ("bounded", 2.0, "between -2 and 2"),
        ("mode at the edge", 1.0, "no mode inside"),
        ("two equal peaks", 0.0, "bottom of a valley"),
    ],
)
def test_where_there_is_nothing_to_find_it_says_so(name, start, word):
    with pytest.raises(ValueError, match=word):
        laplace_of(DENSITIES[name], start)
