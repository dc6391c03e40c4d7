"""L1 and L2 penalties against closed forms, scikit-learn and cvxpy; the optimality conditions as the proof."""

import warnings

import cvxpy
import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression, Ridge

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, LinearSpline
from sparsekm_edu.solvers.linear.penalised import l1, l2, largest_lam, violation

PENALTIES = {"l1": l1, "l2": l2}
LOSSES = ["squared", "logistic", "softmax"]
every_loss = pytest.mark.parametrize("loss", LOSSES)
every_penalty = pytest.mark.parametrize("penalty", PENALTIES)


def targets(Phi, loss, seed=0, K=3):
    """Noisy targets that depend on the first columns of Phi."""
    rng = np.random.default_rng(seed)
    y = Phi[:, :3] @ [2.0, -1.0, 0.5] + 1.0 + 0.5 * rng.normal(size=len(Phi))
    if loss == "squared":
        return y
    labels = (
        np.searchsorted(np.quantile(y, np.arange(1, K) / K), y) if loss == "softmax" else (y > 1).astype(int)
    )
    return np.eye(K)[labels] if loss == "softmax" else labels.astype(float)


def random_problem(loss, n=60, m=20, seed=0):
    Phi = np.random.default_rng(seed).normal(size=(n, m))
    return Phi, targets(Phi, loss, seed)


def kernel_problem(loss, n=40, seed=0):
    """A matrix of Gaussian kernels, most of whose columns are nearly combinations of others."""
    if loss == "squared":
        X, t = datasets.sinc(n, noise=0.2, seed=seed)
        return Gaussian(0.2)(X), t
    X, t = datasets.three_classes(n, seed=seed) if loss == "softmax" else datasets.ripley(n, seed=seed)
    return Gaussian(2.0)(X), np.eye(3)[t.astype(int)] if loss == "softmax" else (t + 1) / 2


def objective(Phi, t, lam, w, b, loss, penalty):
    """J, written down once more."""
    Y = Phi @ w + b
    norms = np.abs(w) if w.ndim == 1 else np.sqrt((w**2).sum(axis=1))
    price = lam * (norms.sum() if penalty == "l1" else (norms**2).sum())
    if loss == "squared":
        return np.sum((t - Y) ** 2) + price
    if loss == "logistic":
        return -np.sum(t * -np.log1p(np.exp(-Y)) + (1 - t) * -np.log1p(np.exp(Y))) + price
    return -np.sum(t * (Y - np.log(np.exp(Y).sum(axis=1, keepdims=True)))) + price


def by_cvxpy(Phi, t, lam, loss, penalty):
    """The minimum of J by an interior point method."""
    N, M = Phi.shape
    K = t.shape[1] if loss == "softmax" else 1
    W, b = cvxpy.Variable((M, K)), cvxpy.Variable((1, K))
    Y = Phi @ W + np.ones((N, 1)) @ b
    if loss == "squared":
        cost = cvxpy.sum_squares(t[:, None] - Y)
    elif loss == "logistic":
        cost = cvxpy.sum(cvxpy.logistic(Y) - cvxpy.multiply(t[:, None], Y))
    else:
        cost = cvxpy.sum(cvxpy.log_sum_exp(Y, axis=1)) - cvxpy.sum(cvxpy.multiply(t, Y))
    price = cvxpy.sum(cvxpy.norm(W, 2, axis=1)) if penalty == "l1" else cvxpy.sum_squares(W)
    return cvxpy.Problem(cvxpy.Minimize(cost + lam * price)).solve(solver="CLARABEL")


# ------------------------------------------------------------------ closed forms


def test_ridge_closed_form():
    Phi, t = random_problem("squared")
    fit = l2(Phi, t, lam=0.7)
    centred = Phi - Phi.mean(axis=0)  # what an unpenalised bias amounts to
    w = np.linalg.solve(centred.T @ centred + 0.7 * np.eye(20), centred.T @ (t - t.mean()))
    np.testing.assert_allclose(fit.w, w, rtol=1e-10)
    assert fit.b == pytest.approx(t.mean() - Phi.mean(axis=0) @ w, rel=1e-10)
    assert fit.n_iter <= 2


def test_lasso_on_orthogonal_columns_is_soft_thresholding():
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(np.column_stack([np.ones(30), rng.normal(size=(30, 8))]))
    Phi, t = Q[:, 1:], rng.normal(size=30)  # orthogonal to the bias too
    w = Phi.T @ t
    fit = l1(Phi, t, lam=1.5)
    np.testing.assert_allclose(fit.w, np.sign(w) * np.maximum(np.abs(w) - 1.5 / 2, 0), atol=1e-12)
    assert fit.b == pytest.approx(t.mean())
    assert 0 < len(fit.support) < 8
    np.testing.assert_array_equal(fit.support, np.flatnonzero(np.abs(w) > 1.5 / 2))


def test_logistic_with_one_indicator_column():
    """Ones are 3/4 of one half and 1/2 of the other; the penalty moves lam = 1/2 of a one across."""
    Phi = np.repeat([[1.0], [0.0]], 8, axis=0)
    t = np.array([1.0] * 6 + [0.0] * 2 + [1.0] * 4 + [0.0] * 4)
    fit = l1(Phi, t, lam=0.5, loss="logistic")
    # conditions: sum over both halves of p - t is 0, over the first it is -lam
    first, second = (6 - 0.5) / 8, (4 + 0.5) / 8
    log_odds = np.log(np.array([first, second]) / (1 - np.array([first, second])))
    assert fit.b == pytest.approx(log_odds[1], rel=1e-9)
    assert fit.w[0] == pytest.approx(log_odds[0] - log_odds[1], rel=1e-9)


@every_loss
def test_no_weights_from_largest_lam_on(loss):
    Phi, t = random_problem(loss)
    lam = largest_lam(Phi, t, loss)
    above, below = l1(Phi, t, lam * (1 + 1e-9), loss), l1(Phi, t, lam * (1 - 1e-6), loss)
    assert len(above.support) == 0
    assert len(below.support) == 1
    base = {
        "squared": lambda: t.mean(),
        "logistic": lambda: np.log(t.mean() / (1 - t.mean())),
        "softmax": lambda: np.log(t.mean(axis=0)) - np.log(t.mean(axis=0)).mean(),
    }[loss]()
    np.testing.assert_allclose(above.b, base, atol=1e-12)
    assert np.all(above.w == 0)


# ------------------------------------------------------------------ other solvers


@pytest.mark.parametrize("lam", [0.1, 5.0, 60.0])
def test_scikit_learns_lasso_and_ridge(lam):
    Phi, t = random_problem("squared")
    lasso = Lasso(alpha=lam / (2 * len(t)), tol=1e-14, max_iter=100_000).fit(Phi, t)
    fit = l1(Phi, t, lam)
    np.testing.assert_allclose(fit.w, lasso.coef_, atol=1e-8)
    np.testing.assert_array_equal(fit.support, np.flatnonzero(lasso.coef_))
    assert fit.b == pytest.approx(lasso.intercept_, abs=1e-8)
    ridge = Ridge(alpha=lam).fit(Phi, t)
    fit = l2(Phi, t, lam)
    np.testing.assert_allclose(fit.w, ridge.coef_, atol=1e-9)
    assert fit.b == pytest.approx(ridge.intercept_, abs=1e-9)


@pytest.mark.parametrize("lam", [0.1, 3.0])
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_scikit_learns_logistic_regression_l2(loss, lam):
    Phi, t = random_problem(loss)
    labels = t.argmax(axis=1) if loss == "softmax" else t
    theirs = LogisticRegression(C=1 / (2 * lam), solver="newton-cg", tol=1e-12, max_iter=1000).fit(
        Phi, labels
    )
    fit = l2(Phi, t, lam, loss)
    np.testing.assert_allclose(np.atleast_2d(fit.w.T), theirs.coef_, atol=1e-6)
    if loss == "softmax":  # one number may be added to the biases of all classes
        np.testing.assert_allclose(fit.b - fit.b[0], theirs.intercept_ - theirs.intercept_[0], atol=1e-6)
    else:
        assert fit.b == pytest.approx(theirs.intercept_[0], abs=1e-6)


def test_scikit_learns_logistic_regression_l1():
    Phi, t = random_problem("logistic")
    old = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    l1_penalty = {"penalty": "l1"} if old else {"l1_ratio": 1.0}
    theirs = LogisticRegression(
        C=1 / 2.0, solver="saga", tol=1e-10, max_iter=100_000, random_state=0, **l1_penalty
    )
    theirs.fit(Phi, t)
    fit = l1(Phi, t, 2.0, "logistic")
    np.testing.assert_allclose(fit.w, theirs.coef_[0], atol=1e-6)
    np.testing.assert_array_equal(fit.support, np.flatnonzero(theirs.coef_[0]))
    assert 0 < len(fit.support) < 20


@every_loss
@every_penalty
@pytest.mark.parametrize("lam", [0.05, 1.0])
@pytest.mark.parametrize("problem", [random_problem, kernel_problem])
def test_minimum_equals_cvxpys(problem, loss, penalty, lam):
    Phi, t = problem(loss)
    fit = PENALTIES[penalty](Phi, t, lam, loss)
    assert fit.converged
    assert fit.objective == pytest.approx(objective(Phi, t, lam, fit.w, fit.b, loss, penalty), rel=1e-10)
    assert fit.objective == pytest.approx(by_cvxpy(Phi, t, lam, loss, penalty), rel=1e-6)
    if penalty == "l1":
        assert 0 < len(fit.support) < Phi.shape[1]


# ------------------------------------------------------------------ one model in two guises


@pytest.mark.parametrize(("penalty", "factor"), [("l1", np.sqrt(2)), ("l2", 2.0)])
def test_softmax_with_two_classes_is_logistic(penalty, factor):
    """W_j = (-w_j, w_j) / 2 has |W_j| = |w_j| / sqrt(2): the same model, with lam in other units."""
    Phi, t = kernel_problem("logistic")
    one = PENALTIES[penalty](Phi, t, 0.3, "logistic")
    two = PENALTIES[penalty](Phi, np.column_stack([1 - t, t]), 0.3 * factor, "softmax")
    assert two.objective == pytest.approx(one.objective, rel=1e-12)
    np.testing.assert_allclose(
        Phi @ (two.w[:, 1] - two.w[:, 0]) + two.b[1] - two.b[0], Phi @ one.w + one.b, atol=1e-6
    )
    np.testing.assert_allclose(two.w.sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("c", [2.0**-30, 1e-8, 1e8, 1e60])
def test_lasso_scales_with_its_targets(c):
    Phi, t = kernel_problem("squared")
    one, other = l1(Phi, t, 0.3), l1(Phi, c * t, c * 0.3)
    np.testing.assert_array_equal(one.support, other.support)
    np.testing.assert_allclose(Phi @ other.w + other.b, c * (Phi @ one.w + one.b), rtol=1e-6)
    ridge = l2(Phi, c * t, 0.3)
    np.testing.assert_allclose(
        Phi @ ridge.w + ridge.b, c * (Phi @ l2(Phi, t, 0.3).w + l2(Phi, t, 0.3).b), rtol=1e-6
    )


@every_loss
def test_duplicated_columns_change_nothing(loss):
    Phi, t = kernel_problem(loss)
    one, twice = l1(Phi, t, 0.3, loss), l1(np.column_stack([Phi, Phi]), t, 0.3, loss)
    assert twice.objective == pytest.approx(one.objective, rel=1e-10)
    assert len(twice.support) <= len(one.support) + 1
    np.testing.assert_array_equal(
        len(np.unique(twice.support % Phi.shape[1])), len(twice.support)
    )  # one of each pair


# ------------------------------------------------------------------ the referee


@every_loss
@every_penalty
def test_referee_agrees_with_the_solver_and_with_differences(loss, penalty):
    Phi, t = random_problem(loss)
    fit = PENALTIES[penalty](Phi, t, 0.5, loss)
    assert violation(Phi, t, 0.5, fit.w, fit.b, loss, penalty) <= 1e-8 * max(1.0, largest_lam(Phi, t, loss))
    w, b = np.random.default_rng(1).normal(size=(2, *fit.w.shape))[0], fit.b  # no zeros: J is smooth there
    h, gradient = 1e-6, np.empty_like(w)
    for index in np.ndindex(w.shape):
        e = np.zeros_like(w)
        e[index] = h
        up, down = (objective(Phi, t, 0.5, w + sign * e, b, loss, penalty) for sign in (1, -1))
        gradient[index] = (up - down) / (2 * h)
    norms = np.abs(gradient) if w.ndim == 1 else np.linalg.norm(gradient, axis=1)
    residual = Phi @ w + b  # the bias has its condition too
    if loss == "squared":
        residual = 2 * (residual - t)
    elif loss == "logistic":
        residual = 1 / (1 + np.exp(-residual)) - t
    else:
        residual = np.exp(residual) / np.exp(residual).sum(axis=1, keepdims=True) - t
    of_bias = np.linalg.norm(np.atleast_1d(residual.sum(axis=0)))
    assert violation(Phi, t, 0.5, w, b, loss, penalty) == pytest.approx(max(norms.max(), of_bias), rel=1e-5)


@every_loss
def test_referee_of_no_weights(loss):
    Phi, t = random_problem(loss)
    null = l1(Phi, t, 1e6, loss)
    excess = largest_lam(Phi, t, loss) - 0.5
    assert violation(Phi, t, 0.5, null.w, null.b, loss) == pytest.approx(excess, rel=1e-9)
    assert violation(Phi, t, 1e6, null.w, null.b, loss) <= 1e-10


@every_loss
def test_violation_bounds_the_excess(loss):
    """J - min J <= violation (sum |W_j| + sum |W_j*|), and the same with the bias: J is convex."""
    Phi, t = kernel_problem(loss)
    best = l1(Phi, t, 0.3, loss)
    size = np.linalg.norm(best.w.reshape(len(best.w), -1), axis=1).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for n_iter in range(1, best.n_iter, 2):
            fit = l1(Phi, t, 0.3, loss, max_iter=n_iter)
            room = (
                size
                + np.linalg.norm(fit.w.reshape(len(fit.w), -1), axis=1).sum()
                + np.linalg.norm(fit.b - best.b)
            )
            assert -1e-12 <= fit.objective - best.objective <= fit.violation * room


@every_loss
@every_penalty
def test_every_step_lowers_the_objective(loss, penalty):
    Phi, t = kernel_problem(loss)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        trace = [PENALTIES[penalty](Phi, t, 0.05, loss, max_iter=n).objective for n in range(1, 12)]
    assert np.all(np.diff(trace) <= 1e-12)
    assert trace[0] > trace[-1] or (penalty, loss) == ("l2", "squared")  # where one step is enough


@every_loss
def test_newton_needs_few_steps(loss):
    """With wrong second derivatives the end would be the same, but far away."""
    Phi, t = kernel_problem(loss)
    assert l2(Phi, t, 0.05, loss).n_iter <= 8
    fit = l1(Phi, t, 0.3, loss)
    assert fit.n_iter <= 6 * len(fit.support)


@st.composite
def problems(draw):
    """Phi, t, lam, loss: 2 to 25 points, up to 30 columns, duplicates, constant columns, lam over six decades."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(3, 25))
    Phi = rng.normal(size=(n, draw(st.integers(0, 30))))
    if draw(st.booleans()):
        Phi = np.round(Phi)
    if draw(st.booleans()):
        Phi = Gaussian(draw(st.sampled_from([0.01, 1.0])))(rng.normal(size=(n, 1)))
    loss = draw(st.sampled_from(LOSSES))
    labels = rng.integers(3 if loss == "softmax" else 2, size=n)
    labels[:3] = (0, 1, 2) if loss == "softmax" else (0, 1, 1)
    t = {"squared": rng.normal(size=n), "logistic": labels.astype(float), "softmax": np.eye(3)[labels]}[loss]
    return Phi, t, 10.0 ** draw(st.integers(-3, 3)), loss


@given(problems())
def test_property_optimality_conditions_hold(problem):
    Phi, t, lam, loss = problem
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sparse, dense = l1(Phi, t, lam, loss), l2(Phi, t, lam, loss)
    scale = max(1.0, np.abs(Phi).max(initial=1.0) * np.abs(t).max() * len(t))
    assert violation(Phi, t, lam, sparse.w, sparse.b, loss, "l1") <= 1e-8 * lam + 1e-9 * scale
    assert violation(Phi, t, lam, dense.w, dense.b, loss, "l2") <= 1e-7 * scale


# ------------------------------------------------------------------ extremes


@every_loss
@every_penalty
@pytest.mark.parametrize("lam", [1e-300, 1e-9, 1e9, 1e300])
def test_extreme_lam_is_finite(loss, penalty, lam):
    Phi, t = kernel_problem(loss, n=30)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit = PENALTIES[penalty](Phi, t, lam, loss, max_iter=200)
    assert np.isfinite(fit.w).all()
    assert np.isfinite(fit.b).all()
    base = l1(Phi, t, 1e9, loss)
    assert fit.objective <= base.objective * (1 + 1e-12)
    if lam >= 1e9:
        np.testing.assert_allclose(Phi @ fit.w + fit.b, np.zeros_like(Phi @ fit.w) + base.b, atol=1e-6)


@every_penalty
def test_separable_classes_stay_finite(penalty):
    X, t = datasets.separable(40)
    fit = PENALTIES[penalty](Gaussian(1.0)(X), (t + 1) / 2, 1e-6, "logistic")
    assert fit.converged
    assert 0 < fit.objective < 1e-3


@every_penalty
def test_constant_targets_and_equal_columns(penalty):
    Phi, _ = random_problem("squared")
    for constant in (0.0, 5.0, 1e8 / 3):
        fit = PENALTIES[penalty](Phi, np.full(60, constant), 0.1)
        np.testing.assert_allclose(Phi @ fit.w + fit.b, constant, rtol=1e-12)
        assert fit.converged
    fit = PENALTIES[penalty](np.ones((20, 20)), np.arange(20.0), 0.1)
    np.testing.assert_allclose(fit.w.sum() + fit.b, 9.5)


@pytest.mark.parametrize(("gamma", "lam"), [(0.05, 1e-5), (0.2, 1e-6)])
def test_rounding_does_not_stop_the_descent_early(gamma, lam):
    """Large weights that cancel leave J with errors far above its last digit."""
    X, t = datasets.sinc(100, noise=0.2)
    fit = l1(Gaussian(gamma)(X), t, lam)
    assert fit.converged
    assert fit.violation <= 1e-3 * lam


def test_rounding_is_no_excuse_where_lam_drowns_in_it():
    X, t = datasets.sinc(100, noise=0.2)
    with pytest.warns(ConvergenceWarning, match="or lam = 1e-12"):
        fit = l1(Gaussian(0.5)(X), t, 1e-12)
    assert not fit.converged
    assert fit.violation > 1e-12


def test_kernels_that_are_not_mercers():
    X, t = datasets.sinc(60, noise=0.2)
    Phi = LinearSpline()(X)
    fit = l1(Phi, t, 0.5)
    assert fit.converged
    assert len(fit.support) < 15
    assert fit.objective < 0.5 * np.sum((t - t.mean()) ** 2)


@every_loss
@every_penalty
def test_one_step_is_not_enough_but_usable(loss, penalty):
    Phi, t = kernel_problem(loss)
    if (loss, penalty) == ("squared", "l2"):
        assert l2(Phi, t, 0.01, max_iter=1).converged
        return
    words = r"not converged after 1 Newton steps \(max_iter = 1\).*tol = 1e-08.*lam = 0.01"
    with pytest.warns(ConvergenceWarning, match=words) as record:
        fit = PENALTIES[penalty](Phi, t, 0.01, loss, max_iter=1)
    assert record[0].filename == __file__
    assert not fit.converged
    assert fit.objective < l1(Phi, t, 1e9, loss).objective
    assert violation(Phi, t, 0.01, fit.w, fit.b, loss, penalty) == pytest.approx(fit.violation, rel=1e-6)


# ------------------------------------------------------------------ bad input


@every_penalty
@pytest.mark.parametrize("lam", [0, -1, np.nan, np.inf, "1", True, None, np.array([1.0])])
def test_lam_must_be_positive(penalty, lam):
    Phi, t = random_problem("squared")
    with pytest.raises(ValueError, match="lam must be a number > 0, got"):
        PENALTIES[penalty](Phi, t, lam)
    with pytest.raises(ValueError, match="lam must be a number > 0, got"):
        violation(Phi, t, lam, np.zeros(20), 0.0)


@every_penalty
def test_bad_parameters(penalty):
    solve = PENALTIES[penalty]
    Phi, t = random_problem("squared")
    for tol in (0, -1e-3, np.nan, "small"):
        with pytest.raises(ValueError, match="tol must be a number > 0"):
            solve(Phi, t, 1.0, tol=tol)
    for max_iter in (0, -1, 2.5):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1"):
            solve(Phi, t, 1.0, max_iter=max_iter)
    with pytest.raises(ValueError, match="loss must be 'squared', 'logistic' or 'softmax', got 'hinge'"):
        solve(Phi, t, 1.0, loss="hinge")


@every_penalty
def test_bad_arrays(penalty):
    solve = PENALTIES[penalty]
    Phi, t = random_problem("squared")
    for bad in (Phi[0], Phi[:0], np.where(Phi > 2, np.nan, Phi), 1e200 * Phi):
        with pytest.raises(ValueError, match=r"Phi must be a matrix of numbers up to 1e\+70"):
            solve(bad, t, 1.0)
    for bad in (t[:-1], t[:, None], np.where(t > 2, np.inf, t)):
        with pytest.raises(ValueError, match="t must hold a target for each of the 60 rows"):
            solve(Phi, bad, 1.0)
    for bad in (np.sign(t), np.ones(60)):
        with pytest.raises(ValueError, match="t must hold both classes, written 0 and 1"):
            solve(Phi, bad, 1.0, "logistic")
    for bad in (np.ones((60, 3)), np.eye(3)[np.zeros(60, dtype=int)], np.ones((60, 1))):
        with pytest.raises(ValueError, match="t must have a single 1 in each row"):
            solve(Phi, bad, 1.0, "softmax")
