"""Logistic regression against scikit-learn's, its Bayesian version against quadrature, and bad input to both.

"pitfall" and "row": as in test_svm_bad_input.py. What all machines refuse is in test_bad_input.py.
"""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.linear_model
from scipy.special import expit
from scipy.stats import norm
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu.models.logistic import BayesianLogisticRegression, LogisticRegression
from sparsekm_edu.solvers.bayes.laplace import averaged_probability, laplace_fit
from sparsekm_edu.solvers.bayes.softmax import softmax_fit

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
Y2 = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.8 * rng.normal(size=40) > 0.2, 1, -1)
Y3 = (X @ [[1.0, -1, 0], [0, 1, -1]] + rng.gumbel(size=(40, 3))).argmax(axis=1)
GRID = rng.uniform(-4, 4, size=(50, 2))

MACHINES = [LogisticRegression(), BayesianLogisticRegression(), BayesianLogisticRegression(alpha=1.0)]


def each(machines):
    return pytest.mark.parametrize("machine", machines, ids=repr)


both_targets = pytest.mark.parametrize("y", [Y2, Y3], ids=["two", "three"])


# ------------------------------------------------------------------ scikit-learn's ways


@each(MACHINES)
def test_takes_part_in_pipelines_grids_and_pickles(machine):
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), machine), {"standardscaler__with_std": [True, False]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.93
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copy.predict_proba(X), search.predict_proba(X))


# ------------------------------------------------------------------ LogisticRegression


@both_targets
@pytest.mark.parametrize("alpha", [1e-3, 0.7, 100.0])
def test_equals_scikit_learns(y, alpha):
    ours = LogisticRegression(alpha=alpha).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(C=1 / alpha, solver="newton-cholesky", tol=1e-12).fit(
        X, y
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(GRID), theirs.predict_proba(GRID), atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-6)
    np.testing.assert_array_equal(ours.predict(GRID), theirs.predict(GRID))


def test_equals_scikit_learns_without_prior():
    ours = LogisticRegression(alpha=0.0).fit(X, Y2)
    theirs = sklearn.linear_model.LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(X, Y2)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)


@both_targets
def test_the_methods_agree(y):
    irls = LogisticRegression().fit(X, y)
    gd = LogisticRegression(method="gd", tol=1e-9, max_iter=100_000).fit(X, y)
    sgd = LogisticRegression(method="sgd", tol=1e-3, random_state=0).fit(X, y)
    np.testing.assert_allclose(gd.coef_, irls.coef_, atol=1e-6)
    np.testing.assert_allclose(gd.intercept_, irls.intercept_, atol=1e-6)
    np.testing.assert_allclose(sgd.coef_, irls.coef_, atol=0.05)
    assert irls.n_iter_ < gd.n_iter_
    for model in (irls, gd, sgd):
        assert model.converged_
        assert model.error_ == pytest.approx(irls.error_, rel=1e-3)


def test_rate_and_random_state_are_used():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        slow = LogisticRegression(method="gd", rate=1e-3, max_iter=10).fit(X, Y2)
        quick = LogisticRegression(method="gd", rate=1.0, max_iter=10).fit(X, Y2)
        same = [
            LogisticRegression(method="sgd", max_iter=2, random_state=s).fit(X, Y2).coef_ for s in (1, 1, 2)
        ]
    assert quick.error_ < slow.error_
    np.testing.assert_array_equal(same[0], same[1])
    assert np.abs(same[0] - same[2]).max() > 1e-4


@each(MACHINES)
@both_targets
def test_moving_the_origin_changes_nothing(machine, y):
    """As the intercept has no prior: also when the origin is so far that x'x would have no digits left."""
    here, there = clone(machine).fit(X, y), clone(machine).fit(X + 1e7, y)
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(there.predict_proba(GRID + 1e7), here.predict_proba(GRID), atol=1e-6)


@pytest.mark.parametrize("method", ["irls", "gd"])
def test_pitfall_19_and_row_64_separable_classes_without_prior(method):
    y = np.where(X[:, 0] > 0, 1, 0)
    with pytest.warns(ConvergenceWarning, match=rf"method = '{method}'.*alpha = 0\..*only alpha > 0"):
        model = LogisticRegression(alpha=0.0, method=method, max_iter=200).fit(X, y)
    assert model.converged_ is False
    assert np.isfinite(model.coef_).all()
    assert model.score(X, y) > 0.95
    held = LogisticRegression(alpha=1e-3).fit(X, y)
    assert held.converged_
    assert np.abs(held.coef_).max() < 0.5 * np.abs(LogisticRegression(alpha=1e-9).fit(X, y).coef_).max()


def test_a_rate_too_large_is_survived():
    with pytest.warns(ConvergenceWarning, match="method = 'gd'"):
        model = LogisticRegression(method="gd", alpha=10.0, rate=100.0).fit(X, Y2)
    assert np.isfinite(model.predict_proba(GRID)).all()


# ------------------------------------------------------------------ BayesianLogisticRegression


@both_targets
def test_fixed_alpha_is_the_laplace_approximation(y):
    """Weights, covariance and evidence, with x measured from 0 and no prior on the intercepts."""
    model = BayesianLogisticRegression(alpha=2.0).fit(X, y)
    Phi = np.column_stack([X, np.ones(len(X))])
    if len(model.classes_) == 2:
        fit = laplace_fit(Phi, y == 1, [2.0, 2.0, 0.0])
        W = fit.w[:, None]
    else:
        fit = softmax_fit(Phi, np.eye(3)[y], np.array([[2.0] * 3, [2.0] * 3, [0.0] * 3]))
        W = fit.W
    np.testing.assert_allclose(model.coef_, W[:-1].T, atol=1e-8)
    np.testing.assert_allclose(model.intercept_ - model.intercept_.mean(), W[-1] - W[-1].mean(), atol=1e-8)
    assert model.log_evidence_ == pytest.approx(fit.log_evidence, rel=1e-9)
    assert model.alpha_ == 2.0
    K = W.shape[1]
    if K == 1:
        np.testing.assert_allclose(model.sigma_, fit.Sigma, atol=1e-9)
        return
    to_last = np.kron(
        np.eye(3), np.column_stack([np.eye(K - 1), -np.ones(K - 1)])
    )  # what probabilities depend on
    np.testing.assert_allclose(to_last @ model.sigma_ @ to_last.T, to_last @ fit.Sigma @ to_last.T, atol=1e-9)


def test_probabilities_are_averaged():
    """kappa(variance) a; nearer to 1/2 than the plug-in, the more the further away; within 0.02 of quadrature."""
    model = BayesianLogisticRegression(alpha=0.1).fit(X, Y2)
    Phi = np.column_stack([GRID, np.ones(len(GRID))])
    w = np.append(model.coef_, model.intercept_)
    a, variance = Phi @ w, np.sum(Phi @ model.sigma_ * Phi, axis=1)
    ours = model.predict_proba(GRID)
    np.testing.assert_allclose(ours[:, 1], averaged_probability(a, variance), rtol=1e-9)
    np.testing.assert_allclose(
        model.decision_function(GRID), np.log(ours[:, 1] / ours[:, 0]), rtol=1e-7, atol=1e-9
    )
    assert np.all(np.abs(ours[:, 1] - 0.5) < np.abs(expit(a) - 0.5))
    u = np.linspace(-9, 9, 2001)
    exact = (expit(a[:, None] + np.sqrt(variance)[:, None] * u) * norm.pdf(u)).sum(axis=1) * (u[1] - u[0])
    assert np.abs(ours[:, 1] - exact).max() < 0.02
    assert np.abs(expit(a) - exact).max() > 2 * np.abs(ours[:, 1] - exact).max()


def test_probabilities_of_three_classes_against_sampling():
    model = BayesianLogisticRegression(alpha=0.1).fit(X, Y3)
    Phi = np.column_stack([GRID, np.ones(len(GRID))])
    w = np.vstack([model.coef_.T, model.intercept_]).ravel()
    samples = np.random.default_rng(0).multivariate_normal(w, model.sigma_, size=4000, method="cholesky")
    a = np.einsum("nm,smk->snk", Phi, samples.reshape(-1, 3, 3))
    exact = np.mean(np.exp(a - np.logaddexp.reduce(a, axis=2, keepdims=True)), axis=0)
    plug_in = np.exp(Phi @ w.reshape(3, 3))
    plug_in /= plug_in.sum(axis=1, keepdims=True)
    ours = model.predict_proba(GRID)
    np.testing.assert_allclose(ours.sum(axis=1), 1, rtol=1e-12)
    assert np.abs(ours - exact).max() < 0.06
    assert np.abs(ours - exact).mean() < 0.5 * np.abs(plug_in - exact).mean()


@both_targets
def test_learned_alpha_is_mackays(y):
    """It satisfies its own equation, and the evidence is nearly at its maximum there."""
    model = BayesianLogisticRegression(tol=1e-8).fit(X, y)
    weights = model.coef_.size
    Sigma = model.sigma_[:weights, :weights]
    gamma = weights - model.alpha_ * np.trace(Sigma)
    assert model.alpha_ == pytest.approx(gamma / np.sum(model.coef_**2), rel=1e-6)
    for factor in (0.3, 3.0):
        other = BayesianLogisticRegression(alpha=factor * model.alpha_).fit(X, y)
        assert other.log_evidence_ < model.log_evidence_
    np.testing.assert_allclose(
        BayesianLogisticRegression(alpha=model.alpha_).fit(X, y).coef_, model.coef_, atol=1e-8
    )


@both_targets
def test_learned_alpha_goes_with_the_units_of_X(y):
    here = BayesianLogisticRegression().fit(X, y)
    for c in (1e-6, 1e6):
        there = BayesianLogisticRegression().fit(c * X, y)
        assert there.alpha_ == pytest.approx(c**2 * here.alpha_, rel=1e-6)
        np.testing.assert_allclose(there.predict_proba(c * GRID), here.predict_proba(GRID), atol=1e-7)


def test_features_that_tell_nothing():
    """Labels that no weight explains: a large alpha, and everywhere nearly the base rate."""
    square = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]] * 6)
    y = np.array([0, 1, 1, 0] * 6)
    model = BayesianLogisticRegression().fit(square, y)
    assert model.converged_
    np.testing.assert_allclose(model.predict_proba(5 * square), 0.5, atol=0.02)


def test_separable_classes_need_no_help():
    y = np.where(X[:, 0] > 0, 1, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesianLogisticRegression().fit(X, y)
    assert model.score(X, y) > 0.95
    proba = model.predict_proba(100 * GRID)
    assert np.isfinite(proba).all()
    assert 0 < proba.min() < proba.max() < 1


def test_not_converged_is_said():
    with pytest.warns(ConvergenceWarning, match="max_iter = 2 updates of alpha"):
        model = BayesianLogisticRegression(max_iter=2, tol=1e-12).fit(X, Y2)
    assert model.converged_ is False
    assert np.isfinite(model.predict_proba(GRID)).all()


# ------------------------------------------------------------------ bad input


@each(MACHINES)
@pytest.mark.parametrize(
    "labels",
    [np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), [False, True], [7, 9], ["a", "b", "c"]],
)
def test_row_14_labels_of_any_kind(machine, labels):
    named = np.asarray(labels)[(Y2 > 0).astype(int) if len(labels) == 2 else Y3]
    model = clone(machine).fit(X, named)
    assert model.predict(X).dtype == named.dtype
    assert set(model.predict(X)) == set(labels)
    np.testing.assert_array_equal(model.predict(X), model.classes_[model.predict_proba(X).argmax(axis=1)])


@each(MACHINES)
@both_targets
def test_row_17_one_feature_and_constant_feature(machine, y):
    one = clone(machine).fit(X[:, :1], y)
    assert one.n_features_in_ == one.coef_.shape[1] == 1
    fixed = clone(machine).set_params(alpha=1.0)  # what is learned depends on the number of features
    without, constant = clone(fixed).fit(X, y), clone(fixed).fit(np.column_stack([X, np.full(40, 5.0)]), y)
    np.testing.assert_allclose(
        constant.predict(np.column_stack([GRID, np.full(50, 5.0)])), without.predict(GRID)
    )
    np.testing.assert_allclose(
        constant.coef_, np.column_stack([without.coef_, 0 * without.intercept_]), atol=1e-8
    )


@each(MACHINES)
@both_targets
def test_row_20_all_rows_identical(machine, y):
    """Nothing but the base rates is left."""
    model = clone(machine).fit(np.ones((40, 2)), y)
    np.testing.assert_allclose(model.coef_, 0, atol=1e-12)
    rates = np.unique(y, return_counts=True)[1] / 40
    if isinstance(machine, LogisticRegression):
        np.testing.assert_allclose(
            model.predict_proba(X), np.broadcast_to(rates, (40, len(rates))), atol=1e-8
        )
    else:  # shrunk by how uncertain 40 points leave them
        np.testing.assert_allclose(model.predict_proba([[1.0, 1.0]]), [rates], atol=0.02)


@pytest.mark.parametrize("alpha", [-1, np.nan, np.inf, "1", True, [1.0]])
def test_alpha_must_be_a_number(alpha):
    with pytest.raises(ValueError, match="alpha must be a number >= 0, got"):
        LogisticRegression(alpha=alpha).fit(X, Y2)
    with pytest.raises(ValueError, match="alpha must be a number > 0, got"):
        BayesianLogisticRegression(alpha=alpha).fit(X, Y2)


def test_a_posterior_needs_a_prior():
    with pytest.raises(ValueError, match="alpha must be a number > 0, got 0"):
        BayesianLogisticRegression(alpha=0).fit(X, Y2)


@pytest.mark.parametrize("method", ["newton", None, 3, ["irls"]])
def test_unknown_method(method):
    with pytest.raises(ValueError, match=r"method must be one of \['irls', 'gd', 'sgd'\], got"):
        LogisticRegression(method=method).fit(X, Y2)


@pytest.mark.parametrize("rate", [0, -1, np.nan, "1"])
def test_rate_must_be_positive(rate):
    for method in ("gd", "sgd"):
        with pytest.raises(ValueError, match="rate must be a number > 0, got"):
            LogisticRegression(method=method, rate=rate).fit(X, Y2)
