"""Notebook 13: what its guesses hold to be true, and its worked solutions, computed in another way."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC as LIBSVM

from sparsekm_edu import RVR, SVR, Gaussian, L1VMRegressor, L2VMClassifier, Sigmoid, datasets, exercises
from sparsekm_edu.solvers import l1, largest_lam


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def test_13_a_scikit_learn_makes_as_many_errors():
    X, t = datasets.xor()
    U = 2 * X - 1
    Phi = np.column_stack([U**p for p in range(1, 11)])
    model = LogisticRegression(C=1 / 0.02, solver="newton-cholesky", tol=1e-10).fit(Phi, t)
    wrong = int(np.sum(model.predict(Phi) != t))
    told, answer = truth("13-a")
    assert wrong >= 10
    assert told == "ten or more"
    assert f"{wrong} of 80" in answer


def test_13_b_least_squares_with_bumps_as_wide_as_you_like_bends():
    X, t = datasets.parabola()
    Phi = np.exp(-((X - np.linspace(-1, 1, 10)) ** 2) / (2 * 50.0**2))
    assert 0.999 < Phi.min() <= Phi.max() <= 1
    y = Phi @ np.linalg.lstsq(Phi, t)[0]
    assert np.ptp(y) > 15  # as much as the parabola itself
    line = np.polynomial.Polynomial.fit(X[:, 0], t, 1)(X[:, 0])
    assert np.sum((t - y) ** 2) < 0.2 * np.sum((t - line) ** 2)
    told, answer = truth("13-b")
    assert told.startswith("a curve")
    assert "degree 4" in answer
    assert "spans 0.07" in answer


def test_13_c_a_large_price_on_squares_makes_no_zero():
    X, t = datasets.overlapping(n=200)
    model = L2VMClassifier(Gaussian(1 / (2 * 0.3**2)), lam=100.0).fit(X, t)
    assert np.abs(model.coef_).min() > 1e-9
    told, answer = truth("13-c")
    assert told == "none"
    assert "All 200 points" in answer


def test_13_d_a_high_price_of_slack_leaves_fewer_support_vectors():
    X, t = datasets.overlapping(n=200)
    counts = [LIBSVM(C=C, gamma=1 / (2 * 0.3**2), tol=1e-6).fit(X, t).n_support_.sum() for C in (0.03, 100)]
    told, answer = truth("13-d")
    assert counts[1] < counts[0]
    assert told == "it falls"
    assert f"From {counts[0]} to {counts[1]}." in answer


def kept_on_the_sinc(n):
    X, t = datasets.sinc(n=n, noise=0.1, distribution="gaussian")
    kernel = Gaussian(1 / (2 * (0.3 * X.std()) ** 2))
    return {
        "L1VM": len(L1VMRegressor(kernel, lam=0.5).fit(X, t).support_),
        "RVM": len(RVR(kernel).fit(X, t).relevance_),
        "SVM": len(SVR(kernel=kernel, C=0.5, epsilon=0.1).fit(X, t).support_),
    }


def test_13_e_the_tube_of_the_svm_keeps_what_the_noise_puts_outside():
    counts, doubled = kept_on_the_sinc(100), kept_on_the_sinc(200)
    assert 2 * ndtr(-1) == pytest.approx(0.32, abs=0.005)
    assert doubled["SVM"] > 1.8 * counts["SVM"]  # it grows with N,
    assert max(doubled[name] - counts[name] for name in ("L1VM", "RVM")) <= 1  # and the others hardly do
    told, answer = truth("13-e")
    assert told == f"{counts['SVM']}"
    assert "{SVM} of 100.".format(**counts) in answer
    assert "The L1VM keeps {L1VM}, the RVM {RVM}".format(**counts) in answer


def test_13_f_the_sigmoid_has_negative_eigenvalues_and_smo_several_ends():
    X, t = datasets.overlapping(n=60)
    assert np.linalg.eigvalsh(Sigmoid(scale=1.0, offset=-1.0)(X))[0] < -1
    told, answer = truth("13-f")
    assert told == "two to five"
    assert "3 different ones" in answer


@pytest.mark.parametrize("seed", range(5))
def test_features_are_the_kernel_of_the_library(seed):
    rng = np.random.default_rng(seed)
    X, M, tau = rng.normal(size=(6, 3)), rng.normal(size=(4, 3)), 0.7
    Phi = exercises.solution("13-features")(X, M, tau)
    np.testing.assert_allclose(Phi, Gaussian(1 / (2 * tau**2))(X, M), rtol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_soft_threshold_is_the_minimum_that_a_search_finds(seed):
    rng = np.random.default_rng(seed)
    phi, t, lam = rng.normal(size=5), 2 * rng.normal(size=5), rng.uniform(0.1, 8)
    w = exercises.solution("13-soft")(phi, t, lam)

    def J(w):
        return np.sum((t - w * phi) ** 2) + lam * abs(w)

    found = minimize_scalar(J, bounds=(-10, 10), method="bounded", options={"xatol": 1e-10})
    assert w == pytest.approx(found.x, abs=1e-5)
    assert found.fun >= J(w) - 1e-12
    if abs(phi @ t) <= lam / 2:
        assert w == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_price_is_that_of_the_solver(seed):
    rng = np.random.default_rng(seed)
    Phi, t = rng.normal(size=(9, 4)) + 1, rng.normal(size=9) + 2
    lam = exercises.solution("13-all-zero")(Phi, t)
    assert lam == pytest.approx(largest_lam(Phi, t))
    assert not l1(Phi, t, lam * 1.0001).w.any()
    assert l1(Phi, t, lam * 0.999).w.any()
