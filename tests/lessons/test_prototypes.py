"""Features under a linear model: what they can do, and what they cannot, by other means."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from sklearn.preprocessing import PolynomialFeatures

from sparsekm_edu import Gaussian, datasets
from sparsekm_edu.lessons.prototypes import monomials, nearest_polynomial, powers, ridge
from sparsekm_edu.solvers import l2

CORNERS = datasets.XOR_CORNERS


@pytest.mark.parametrize("degree", [1, 2, 5, 10])
def test_monomials_are_those_of_scikit_learn_in_another_order(degree):
    X = np.random.default_rng(degree).uniform(-1, 1, (7, 2))
    theirs = PolynomialFeatures(degree, include_bias=False).fit_transform(X)
    ours = monomials(X, degree)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(np.sort(ours, axis=1), np.sort(theirs, axis=1), rtol=1e-12)
    lone = powers(X, degree)
    assert lone.shape == (7, 2 * degree)
    assert all(np.isclose(ours, column[:, None]).all(axis=0).any() for column in lone.T)


@pytest.mark.parametrize("degree", [1, 3, 10])
def test_additive_features_give_both_diagonals_the_same_sum_so_xor_is_out_of_reach(degree):
    """g(0) + h(0) + g(1) + h(1), however one pairs them: both cannot be false in one pairing and true in the other."""
    rng = np.random.default_rng(degree)
    w, b = rng.normal(size=2 * degree), rng.normal()
    y = powers(2 * CORNERS - 1, degree) @ w + b
    assert y[:2].sum() == pytest.approx(y[2:].sum(), abs=1e-12)
    product = monomials(2 * CORNERS - 1, 2) @ (0, 0, 0, -1, 0)  # x_1 x_2 alone
    np.testing.assert_array_equal(product, [-1, -1, 1, 1])


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0, 100.0])
def test_ridge_is_the_closed_form_and_the_solver_of_the_library(lam):
    rng = np.random.default_rng(0)
    Phi, t = rng.normal(size=(21, 6)) + 3, rng.normal(size=21)
    w, b = ridge(Phi, t, lam)
    fit = l2(Phi, t, lam)
    np.testing.assert_allclose(w, fit.w, rtol=1e-6, atol=1e-9)
    assert b == pytest.approx(fit.b, rel=1e-6)
    F = np.column_stack([Phi, np.ones(21)])
    direct = np.linalg.solve(F.T @ F + lam * np.diag([1.0] * 6 + [0.0]), F.T @ t)
    np.testing.assert_allclose(np.append(w, b), direct, rtol=1e-8)


def test_ridge_without_a_price_is_least_squares_and_the_shortest_where_columns_are_equal():
    rng = np.random.default_rng(1)
    Phi, t = rng.normal(size=(12, 4)), rng.normal(size=12)
    w, b = ridge(Phi, t, 0.0)
    best = np.linalg.lstsq(np.column_stack([Phi, np.ones(12)]), t)[0]
    np.testing.assert_allclose(np.append(w, b), best, rtol=1e-9)
    twins, their_b = ridge(np.column_stack([Phi, Phi[:, 0]]), t, 0.0)
    np.testing.assert_allclose(twins, [w[0] / 2, *w[1:], w[0] / 2], rtol=1e-9)
    assert their_b == pytest.approx(b)
    alone, mean = ridge(np.ones((12, 3)), t, 0.0)  # nothing varies: the mean is all there is
    assert (alone == 0).all()
    assert mean == pytest.approx(t.mean())


def wide_bumps(lam):
    """The curve of figure 14.3 for tau = 50 over a grid, and the points."""
    X, t = datasets.parabola()
    line, mu, kernel = np.linspace(-1, 1, 41)[:, None], np.linspace(-1, 1, 10)[:, None], Gaussian(1 / 5000)
    w, b = ridge(kernel(X, mu), t, lam)
    return X[:, 0], t, line[:, 0], kernel(line, mu) @ w + b


@pytest.mark.parametrize(("lam", "degree", "most"), [(1e-3, 0, 0.05), (1e-12, 2, 2e-3), (0.0, 4, 1e-3)])
def test_wide_bumps_are_a_polynomial_whose_degree_the_price_and_the_rounding_decide(lam, degree, most):
    x, t, line, y = wide_bumps(lam)
    found, off = nearest_polynomial(x, t, line, y)
    assert found == degree
    assert off < most
    polynomial = np.polynomial.Polynomial.fit(x, t, degree)(line)
    assert np.abs(polynomial - y).max() == pytest.approx(off, abs=1e-8)


def solved(A, b):
    """The solution of A x = b by elimination, in whatever kind of numbers A and b hold."""
    A = [[*row, right] for row, right in zip(A, b, strict=True)]
    for i in range(len(A)):
        pivot = max(range(i, len(A)), key=lambda k: abs(A[k][i]))
        A[i], A[pivot] = A[pivot], A[i]
        for k in range(i + 1, len(A)):
            factor = A[k][i] / A[i][i]
            A[k] = [x - factor * y for x, y in zip(A[k], A[i], strict=True)]
    x = [A[0][0] * 0] * len(A)
    for i in reversed(range(len(A))):
        x[i] = (A[i][-1] - sum(A[i][k] * x[k] for k in range(i + 1, len(A)))) / A[i][i]
    return x


def test_with_120_digits_the_flat_limit_of_ten_bumps_and_a_bias_is_the_polynomial_of_degree_ten():
    """What least squares would do with tau = 50 if numbers had enough digits."""
    X, t = datasets.parabola()
    line, mu = np.linspace(-1, 1, 9), np.linspace(-1, 1, 10)
    with localcontext() as context:
        context.prec = 120

        def features(x):
            squares = [(Decimal(float(x)) - Decimal(float(m))) ** 2 for m in mu]
            return [*[(-square / 5000).exp() for square in squares], Decimal(1)]

        F, targets = [features(x) for x in X[:, 0]], [Decimal(float(value)) for value in t]
        A = [[sum(row[i] * row[j] for row in F) for j in range(11)] for i in range(11)]
        w = solved(A, [sum(row[i] * value for row, value in zip(F, targets)) for i in range(11)])
        y = np.array([float(sum(a * f for a, f in zip(w, features(x)))) for x in line])
    assert max(map(abs, w)) > 1e39
    np.testing.assert_allclose(y, np.polynomial.Legendre.fit(X[:, 0], t, 10)(line), atol=2e-4)
    assert np.abs(y - np.polynomial.Legendre.fit(X[:, 0], t, 9)(line)).max() > 0.1


def test_the_nearest_polynomial_of_a_curve_that_is_one():
    x, t = np.linspace(-1, 1, 12), np.random.default_rng(3).normal(size=12)
    line = np.linspace(-1, 1, 30)
    for degree in (0, 3, 7):
        y = np.polynomial.Polynomial.fit(x, t, degree)(line)
        found, off = nearest_polynomial(x, t, line, y)
        assert found == degree
        assert off < 1e-9
    found, off = nearest_polynomial(np.array([0.2, 0.2]), np.array([1.0, 3.0]), line, np.full(30, 2.5))
    assert (found, off) == (0, pytest.approx(0.5))  # one place: only a constant, their mean
