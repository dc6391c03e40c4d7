"""Smoothing windows: what (14.69) asks of them, in one dimension and more; and that they are no Mercer kernels."""

import math
import pickle

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from sparsekm_edu.kernels import mercer_witness
from sparsekm_edu.kernels.windows import (
    BOXCAR,
    EPANECHNIKOV,
    GAUSSIAN,
    TRICUBE,
    WINDOWS,
    as_window,
    log_sums,
    relative_weights,
    rule_of_thumb,
)
from sparsekm_edu.validation import Impossible

every_window = pytest.mark.parametrize("window", WINDOWS.values(), ids=str)
GRID = np.linspace(-10, 10, 20001)


def integral(function, window):
    end = min(window.reach, 12.0)
    return quad(function, -end, end, epsabs=1e-13, epsrel=1e-13)[0]


# ------------------------------------------------------------------ one dimension


@every_window
def test_what_a_window_is(window):
    """(14.69)."""
    assert integral(window, window) == pytest.approx(1, abs=1e-12)
    assert integral(lambda u: u * window(u), window) == pytest.approx(0, abs=1e-14)
    assert window.second_moment > 0.1
    assert integral(lambda u: u**2 * window(u), window) == pytest.approx(window.second_moment, abs=1e-12)
    assert integral(lambda u: window(u) ** 2, window) == pytest.approx(window.roughness, abs=1e-12)
    assert np.all(window(GRID) >= 0)


@pytest.mark.parametrize(
    ("window", "tolerance"),
    [(GAUSSIAN, 1e-12), (EPANECHNIKOV, 1e-6), (TRICUBE, 1e-12), (BOXCAR, 1e-3)],
    ids=str,
)
def test_the_sum_over_a_grid_is_1(window, tolerance):
    assert np.trapezoid(window(GRID), GRID) == pytest.approx(1, abs=tolerance)


def test_the_formulas_of_the_book():
    u = np.array([-1.2, -1.0, -0.3, 0.0, 0.7, 1.0, 1.01])
    inside = np.abs(u) <= 1
    np.testing.assert_allclose(GAUSSIAN(u), norm.pdf(u), rtol=1e-14)  # (14.70)
    np.testing.assert_allclose(EPANECHNIKOV(u), 3 / 4 * (1 - u**2) * inside, atol=1e-15)  # (14.74)
    tricube = 70 / 81 * (1 - np.abs(u) ** 3) ** 3 * inside  # (14.75)
    np.testing.assert_allclose(TRICUBE(u), tricube, atol=1e-15)
    np.testing.assert_allclose(BOXCAR(u), inside / 2, rtol=1e-14)  # (14.76), with the factor that it lacks


def test_moments_in_closed_form():
    assert [w.second_moment for w in WINDOWS.values()] == pytest.approx(
        [1, 1 / 3, 1 / 5, 35 / 243], rel=1e-13
    )
    roughness = [0.5 / math.sqrt(math.pi), 1 / 2, 3 / 5, 175 / 247]
    assert [w.roughness for w in WINDOWS.values()] == pytest.approx(roughness, rel=1e-13)


def test_tricube_has_two_continuous_derivatives_at_its_boundary():
    """Near the boundary it is 27 c (1 - r)^3: two derivatives go to 0 with it, the third jumps to -162 c."""
    c, step = TRICUBE(0.0), 1e-3
    values = TRICUBE(1 - step * np.arange(4))
    derivatives = [np.diff(values, k)[0] / step**k for k in range(4)]
    assert np.abs(derivatives[:3]) == pytest.approx([0, 27 * c * step**2, 162 * c * step], rel=1e-2)
    assert derivatives[3] == pytest.approx(162 * c, rel=2e-2)  # backwards: three changes of sign
    slope = np.diff(EPANECHNIKOV(1 - 1e-6 * np.arange(2)))[0] / 1e-6
    assert slope == pytest.approx(1.5, rel=1e-5)  # the Epanechnikov's first derivative already jumps


# ------------------------------------------------------------------ several dimensions


def constants(window, D):
    """1 / c_D by quadrature over spheres."""
    sphere = {1: 2.0, 2: 2 * math.pi, 3: 4 * math.pi, 4: 2 * math.pi**2}[D]
    return sphere * quad(lambda r: window.profile(r) * r ** (D - 1), 0, min(window.reach, 40.0))[0]


@every_window
@pytest.mark.parametrize("D", [1, 2, 3, 4])
def test_normalised_in_every_dimension(window, D):
    assert math.exp(-window.log_constant(D)) == pytest.approx(constants(window, D), rel=1e-9)


@every_window
def test_a_square_of_the_plane_adds_up_to_1(window):
    end = min(window.reach, 8.0)
    x = np.linspace(-end, end, 801)
    values = window.radial(np.stack(np.meshgrid(x, x), axis=-1))
    assert values.shape == (801, 801)
    assert values.sum() * (x[1] - x[0]) ** 2 == pytest.approx(1, abs=5e-3 if window is BOXCAR else 2e-5)


def test_gaussians_are_products_of_gaussians():
    """(14.73), with h = 1."""
    U = np.random.default_rng(0).normal(size=(20, 5))
    np.testing.assert_allclose(GAUSSIAN.radial(U), norm.pdf(U).prod(axis=1), rtol=1e-12)


def test_the_books_radial_window_is_not_normalised():
    """(14.72) keeps the constant of one dimension: in the plane the Epanechnikov would integrate to 3 pi / 8."""
    assert EPANECHNIKOV(0.0) / EPANECHNIKOV.radial([0.0, 0.0]) == pytest.approx(3 * math.pi / 8)
    assert math.isfinite(GAUSSIAN.log_constant(2000))


# ------------------------------------------------------------------ sums and weights


@every_window
@pytest.mark.parametrize("D", [1, 2, 3])
@pytest.mark.parametrize("h", [0.3, 2.0])
def test_sums_are_sums(window, D, h):
    rng = np.random.default_rng(D)
    X, Z = rng.normal(size=(40, D)), 1.5 * rng.normal(size=(30, D))
    r = np.sqrt(((Z[:, None] - X) ** 2).sum(axis=2)) / h
    with np.errstate(divide="ignore"):
        by_hand = np.log(window.profile(r).sum(axis=1))
    np.testing.assert_allclose(log_sums(window, Z, X, h), by_hand, rtol=1e-10, atol=1e-12)


def test_on_the_edge_counts():
    for window, value in ((BOXCAR, 2.0), (EPANECHNIKOV, 1.0)):
        assert log_sums(window, np.array([[0.0]]), np.array([[0.0], [0.5]]), 0.5) == pytest.approx(
            np.log(value)
        )


@every_window
def test_no_bandwidth_is_too_small_or_too_large(window):
    X = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert log_sums(window, X, X, 1e-300) == pytest.approx([0, 0], abs=1e-15)
    assert log_sums(window, X, X, 1e300) == pytest.approx(np.log([2, 2]))


@every_window
def test_weights_where_no_window_reaches(window):
    weights = relative_weights(window, np.array([[50.0, 60.0, 70.0], [50.0, 50.0, 60.0], [0.0, 0.5, 3.0]]))
    np.testing.assert_allclose(weights[0], [1, 0, 0], atol=1e-200)
    np.testing.assert_allclose(weights[1], [1, 1, 0], atol=1e-200)
    np.testing.assert_allclose(weights[2], window.profile([0.0, 0.5, 3.0]), rtol=1e-14)


# ------------------------------------------------------------------ no Mercer kernels


@pytest.mark.parametrize("window", [BOXCAR, EPANECHNIKOV, TRICUBE], ids=str)
def test_windows_are_no_mercer_kernels(window):
    found = mercer_witness(lambda X, Z: window(X - Z.T), np.arange(0, 8, 0.1)[:, None])
    assert found.value < -0.01


def test_the_boxcars_negative_eigenvalue():
    X = np.array([[0.0], [0.8], [1.6]])
    found = mercer_witness(lambda X, Z: BOXCAR(X - Z.T), X)
    assert found.value == pytest.approx((1 - math.sqrt(2)) / 2)
    assert mercer_witness(lambda X, Z: GAUSSIAN(X - Z.T), X).is_psd


# ------------------------------------------------------------------ rule of thumb


def test_rule_of_thumb_by_hand():
    """Deviations from the median 2: 2, 1, 0, 1, 8; their median is 1."""
    h = rule_of_thumb([0.0, 1.0, 2.0, 3.0, 10.0])
    assert h == pytest.approx((4 / 15) ** 0.2 * 1.4826)  # (14.89), (14.91)
    assert norm.ppf(3 / 4) == pytest.approx(1 / 1.4826, abs=1e-5)


@every_window
def test_rule_of_thumb_is_the_best_for_a_gaussian(window):
    """It minimises R / (N h) + h^4 mu^2 int p''^2 / 4, the mean integrated squared error for large N."""
    x = norm.ppf((np.arange(999) + 0.5) / 999)
    curvature = quad(lambda z: ((z**2 - 1) * norm.pdf(z)) ** 2, -12, 12)[0]

    def error(h):
        return window.roughness / (len(x) * h) + h**4 * window.second_moment**2 * curvature / 4

    best = rule_of_thumb(x, window)
    h = best * np.geomspace(0.5, 2, 2001)
    assert h[error(h).argmin()] == pytest.approx(best, rel=2e-3)


@pytest.mark.parametrize("x", [np.eye(2), [], [1.0, np.nan], 3.0], ids=repr)
def test_rule_of_thumb_needs_numbers(x):
    with pytest.raises(ValueError, match="x must be one finite number for each point, got "):
        rule_of_thumb(x)
    assert rule_of_thumb([[0.0], [1.0], [3.0]]) == rule_of_thumb([0.0, 1.0, 3.0])


def test_rule_of_thumb_where_most_numbers_are_equal():
    with pytest.raises(Impossible, match=r"deviation > 0, got 0: more than half of the 5 numbers are 2;"):
        rule_of_thumb([2.0, 2.0, 2.0, 1.0, 7.0])


# ------------------------------------------------------------------ names


def test_names():
    assert [as_window(name) for name in WINDOWS] == [GAUSSIAN, BOXCAR, EPANECHNIKOV, TRICUBE]
    assert as_window(TRICUBE) is TRICUBE
    assert repr(TRICUBE) == "WINDOWS['tricube']"
    assert pickle.loads(pickle.dumps(TRICUBE)) == TRICUBE
    with pytest.raises(
        ValueError, match=r"window must be one of \['boxcar', 'epanechnikov', 'gaussian', 'tricube'\]"
    ):
        as_window("tophat")
