"""PolsonScottSVM beside SVC: two ways to the same machine."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC
from sparsekm_edu.models.polson_scott import PolsonScottSVM

X, T = datasets.curved()
GRID = np.random.default_rng(0).uniform(-3, 3, size=(400, 2))


# ------------------------------------------------------------------ beside SVC


@pytest.mark.parametrize("data", [datasets.separable, datasets.curved])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(0.5)], ids=repr)
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_equals_svc(data, kernel, C):
    points, labels = data()
    ours = PolsonScottSVM(C=C, kernel=kernel).fit(points, labels)
    theirs = SVC(C=C, kernel=kernel, tol=1e-8).fit(points, labels)
    assert ours.converged_
    assert ours.objective_ == pytest.approx(theirs.solution_.objective, rel=1.1e-6)
    y = theirs.decision_function(GRID)
    clear = np.abs(y) > 0.05
    assert clear.mean() > 0.8
    np.testing.assert_array_equal(ours.predict(GRID)[clear], theirs.predict(GRID)[clear])


def test_decision_values_equal_those_of_svc():
    ours = PolsonScottSVM(tol=1e-8).fit(X, T)
    theirs = SVC(tol=1e-8).fit(X, T)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-4)
    assert len(theirs.support_) < len(T)
    assert np.all(ours.dual_coef_ != 0)  # right, but not sparse


def test_sample_weight_multiplies_C():
    weight = np.random.default_rng(1).uniform(0.2, 3.0, size=len(T))
    weight[:3] = 0.0
    ours = PolsonScottSVM(tol=1e-8).fit(X, T, sample_weight=weight)
    theirs = SVC(tol=1e-8).fit(X, T, sample_weight=weight)
    assert ours.objective_ == pytest.approx(theirs.solution_.objective, rel=1e-7)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-3)
    assert ours.dual_coef_.shape == (1, len(T) - 3)
    twice = PolsonScottSVM(C=1.0).fit(X, T, sample_weight=np.full(len(T), 2.0))
    np.testing.assert_array_equal(twice.dual_coef_, PolsonScottSVM(C=2.0).fit(X, T).dual_coef_)


def test_fitted_attributes():
    model = PolsonScottSVM(C=0.5, kernel=Gaussian()).fit(X, T)
    K = Gaussian()(X)
    v, b = model.dual_coef_[0], model.intercept_[0]
    np.testing.assert_array_equal(model.support_vectors_, X)
    np.testing.assert_array_equal(model.n_support_, [np.sum(T < 0), np.sum(T > 0)])
    hinge = np.maximum(0, 1 - T * model.decision_function(X))
    assert model.objective_ == pytest.approx(0.5 * v @ K @ v + 0.5 * hinge.sum(), rel=1e-10)  # (7.21)
    np.testing.assert_allclose(model.solution_.y, K @ v + b, rtol=1e-10)
    assert v.sum() == pytest.approx(0, abs=1e-9)
    assert 0 <= model.gap_ <= 1e-6
    assert model.n_iter_ == model.solution_.n_iter > 1
    np.testing.assert_array_equal(model.classes_, [-1, 1])


# ------------------------------------------------------------------ as an estimator


def laplace(X, Z):
    return np.exp(-np.abs(X[:, None] - Z).sum(axis=2))


def test_kernels_can_be_named_given_computed_or_written():
    y = PolsonScottSVM(kernel=Gaussian("scale")).fit(X, T).decision_function(GRID)
    for kernel in (None, "gaussian"):
        np.testing.assert_array_equal(PolsonScottSVM(kernel=kernel).fit(X, T).decision_function(GRID), y)
    weight = np.arange(len(T)) % 3
    direct = PolsonScottSVM(kernel=Gaussian()).fit(X, T, sample_weight=weight)
    computed = PolsonScottSVM(kernel="precomputed").fit(Gaussian()(X), T, sample_weight=weight)
    np.testing.assert_allclose(
        computed.decision_function(Gaussian()(GRID, X)), direct.decision_function(GRID), atol=1e-8
    )
    assert computed.support_vectors_.shape == (0, 0)
    assert PolsonScottSVM(kernel=laplace).fit(X, T).score(X, T) > 0.9


def test_clone_pickle_pipeline_and_search():
    model = PolsonScottSVM(C=3.0, kernel=Linear() + Gaussian(0.5)).fit(X, T)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(GRID), model.decision_function(GRID))
    assert not hasattr(clone(model), "dual_coef_")
    assert cross_val_score(make_pipeline(StandardScaler(), PolsonScottSVM(C=10.0)), X, T, cv=4).mean() > 0.7
    search = GridSearchCV(
        PolsonScottSVM(kernel=Gaussian()), {"kernel__gamma": [1e-3, 1.0], "C": [0.1, 10.0]}, cv=4
    )
    assert search.fit(X, T).best_params_ == {"kernel__gamma": 1.0, "C": 10.0}
    three = np.where(GRID[:, 0] > 1, "right", np.where(GRID[:, 0] < -1, "left", "middle"))
    assert OneVsOneClassifier(PolsonScottSVM()).fit(GRID[:90], three[:90]).score(GRID[:90], three[:90]) > 0.9


# ------------------------------------------------------------------ complaints


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "polynomial"])
def test_row_20_all_rows_identical(kernel):
    model = PolsonScottSVM(kernel=kernel).fit(np.ones((len(T), 2)), T)
    assert np.isfinite(model.decision_function(GRID)).all()
    assert model.objective_ == pytest.approx(len(T), rel=1e-6)  # half of them pay 2, or all pay 1


@pytest.mark.parametrize("C", [0, -1, np.nan, np.inf, "1", True, None, [1.0], np.ones(len(T))])
def test_row_26_27_C_must_be_positive_and_finite(C):
    with pytest.raises(ValueError, match="C must be a number > 0, got"):
        PolsonScottSVM(C=C).fit(X, T)


def test_row_28_large_C_on_unscaled_data():
    with pytest.warns(ConvergenceWarning, match=r"max_iter = 20 EM steps: .*gap .* with C = 1e\+09"):
        model = PolsonScottSVM(C=1e9, kernel="linear", max_iter=20).fit(1e3 * X, T)
    assert not model.converged_
    assert np.isfinite(model.decision_function(GRID)).all()


def test_row_48_precomputed():
    K = Gaussian()(X)
    skewed = K.copy()
    skewed[0, 1] += 1
    for bad, words in (
        (K[:, :5], "square matrix, got shape"),
        (skewed, "symmetric"),
        (-K, "positive semi-definite"),
    ):
        with pytest.raises(ValueError, match=words):
            PolsonScottSVM(kernel="precomputed").fit(bad, T)


def test_no_warning_on_good_problems():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kernel in (Linear(), Gaussian(), Polynomial(2)):
            PolsonScottSVM(kernel=kernel).fit(np.round(X), T)
