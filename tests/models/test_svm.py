"""SVC against closed forms, LIBSVM and the symmetries that every support vector machine has."""

import pickle

import numpy as np
import pytest
import sklearn.svm
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC

X, T = datasets.curved()
GRID = np.random.default_rng(0).uniform(-3, 3, size=(200, 2))


def laplace(X, Z):
    return np.exp(-np.abs(X[:, None] - Z).sum(axis=2))


# ------------------------------------------------------------------ oracles


def test_two_points_exactly():
    model = SVC(C=np.inf, kernel="linear").fit([[0.0, 0.0], [2.0, 0.0]], [1, -1])
    np.testing.assert_array_equal(model.support_, [0, 1])
    np.testing.assert_array_equal(model.dual_coef_, [[0.5, -0.5]])
    np.testing.assert_array_equal(model.intercept_, [1.0])
    np.testing.assert_array_equal(
        model.decision_function([[1.0, 7.0], [0.0, 0.0], [3.0, 0.0]]), [0.0, 1.0, -2.0]
    )
    np.testing.assert_array_equal(model.predict([[0.5, 0.0], [1.5, 0.0]]), [1, -1])


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Gaussian(3.0)], ids=repr)
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_equals_libsvm(C, kernel, solver):
    """LIBSVM caches kernels in single precision, hence the tolerance."""
    ours = SVC(C=C, kernel=kernel, solver=solver).fit(X, T)
    theirs = sklearn.svm.SVC(C=C, kernel=kernel, tol=1e-10).fit(X, T)
    np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-4)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    assert ours.dual_coef_.shape == theirs.dual_coef_.shape
    assert ours.intercept_.shape == theirs.intercept_.shape
    assert ours.kkt_violation_ <= 1e-4
    assert ours.converged_


def test_sample_and_class_weights_equal_libsvm():
    weight = np.random.default_rng(1).uniform(0.0, 3.0, size=len(T))
    weight[:3] = 0.0
    for class_weight in (None, {-1: 0.5, 1: 4.0}):
        ours = SVC(kernel=Gaussian(), class_weight=class_weight).fit(X, T, sample_weight=weight)
        theirs = sklearn.svm.SVC(gamma=1.0, tol=1e-10, class_weight=class_weight).fit(
            X, T, sample_weight=weight
        )
        np.testing.assert_allclose(ours.decision_function(GRID), theirs.decision_function(GRID), atol=1e-5)
        assert set(map(tuple, X[ours.support_])) == set(map(tuple, theirs.support_vectors_))


def test_surface_is_the_decision_function_on_a_grid():
    x1, x2 = np.linspace(-3, 3, 13), np.linspace(-2, 2, 7)
    points = np.array([[p, q] for q in x2 for p in x1])
    for kernel in (Linear(), Polynomial(3), Gaussian(0.7), Linear() + 2.0 * Gaussian(0.5), laplace):
        model = SVC(kernel=kernel).fit(X, T)
        np.testing.assert_allclose(
            model.surface(x1, x2), model.decision_function(points).reshape(7, 13), rtol=1e-10, atol=1e-12
        )


def test_margin_points_of_figure_7_1():
    points, labels = datasets.separable()
    model = SVC(C=np.inf, kernel="linear").fit(points, labels)
    y = labels * model.decision_function(points)
    np.testing.assert_allclose(y[model.support_], 1.0, rtol=1e-10)  # (7.4)
    assert np.all(y >= 1 - 1e-10)  # (7.5)
    assert len(model.support_) == 3


# ------------------------------------------------------------------ symmetries


@st.composite
def classification(draw):
    """Points, labels, gamma and C: 2 to 40 points, C over six decades."""
    n = draw(st.integers(2, 40))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    points = rng.normal(size=(n, 2))
    labels = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.5])), 1.0, -1.0)
    labels[:2] = 1.0, -1.0
    return points, labels, draw(st.sampled_from([0.1, 1.0, 5.0])), 10.0 ** draw(st.integers(-3, 3)), rng


def fitted(points, labels, gamma, C, **weights):
    model = SVC(C=C, kernel=Gaussian(gamma), tol=1e-9).fit(points, labels, **weights)
    assert model.converged_
    assert model.kkt_violation_ <= 1e-9
    return model


def free(model):
    return np.any((model.solution_.a > 0) & (model.solution_.a < model.C))


@given(classification())
def test_permutation(problem):
    points, labels, gamma, C, rng = problem
    order = rng.permutation(len(labels))
    y, z = (fitted(points[o], labels[o], gamma, C).decision_function(GRID) for o in (slice(None), order))
    np.testing.assert_allclose(y, z, atol=1e-6)


@given(classification())
def test_label_flip(problem):
    points, labels, gamma, C, _ = problem
    y = fitted(points, labels, gamma, C).decision_function(GRID)
    np.testing.assert_allclose(fitted(points, -labels, gamma, C).decision_function(GRID), -y, atol=1e-6)


@given(classification(), st.floats(0, 2 * np.pi))
def test_rotation_and_shift(problem, angle):
    points, labels, gamma, C, _ = problem
    R, shift = (
        np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]),
        np.array([30.0, -7.0]),
    )
    y = fitted(points, labels, gamma, C).decision_function(GRID)
    moved = fitted(points @ R.T + shift, labels, gamma, C).decision_function(GRID @ R.T + shift)
    np.testing.assert_allclose(moved, y, atol=1e-6)


@given(classification())
def test_only_support_vectors_matter(problem):
    points, labels, gamma, C, _ = problem
    model = fitted(points, labels, gamma, C)
    assume(free(model))  # else b is the middle of an interval that other points may limit
    few = fitted(points[model.support_], labels[model.support_], gamma, C)
    np.testing.assert_allclose(few.decision_function(GRID), model.decision_function(GRID), atol=1e-6)


@given(classification())
def test_weight_k_is_k_copies(problem):
    points, labels, gamma, C, rng = problem
    weight = rng.integers(0, 4, size=len(labels))
    weight[:2] = 1
    weighted = fitted(points, labels, gamma, C, sample_weight=weight)
    copies = fitted(np.repeat(points, weight, axis=0), np.repeat(labels, weight), gamma, C)
    np.testing.assert_allclose(weighted.decision_function(GRID), copies.decision_function(GRID), atol=1e-6)


@given(classification())
def test_all_points_twice_is_twice_C(problem):
    points, labels, gamma, C, _ = problem
    twice = fitted(np.vstack([points, points]), np.tile(labels, 2), gamma, C)
    y = fitted(points, labels, gamma, 2 * C).decision_function(GRID)
    np.testing.assert_allclose(twice.decision_function(GRID), y, atol=1e-6)


@given(classification())
def test_monotone_in_C(problem):
    """A dearer slack: the optimum of (7.21) and |w| rise, the total slack falls."""
    points, labels, gamma, C, _ = problem
    K = Gaussian(gamma)(points)
    values, lengths, slacks = [], [], []
    for factor in (1.0, 3.0, 10.0):
        solution = fitted(points, labels, gamma, factor * C).solution_
        values.append(solution.objective)
        lengths.append(solution.v @ K @ solution.v)
        slacks.append(np.maximum(0, 1 - labels * (K @ solution.v + solution.b)).sum())  # (7.20)
    size = 1e-7 * (1 + max(values))
    assert values[0] <= values[1] + size <= values[2] + 2 * size
    assert lengths[0] <= lengths[1] + size <= lengths[2] + 2 * size
    assert slacks[0] >= slacks[1] - 1e-5 >= slacks[2] - 2e-5


# ------------------------------------------------------------------ as an estimator


def test_kernels_can_be_named_given_computed_or_written():
    y = SVC(kernel=Gaussian("scale")).fit(X, T).decision_function(GRID)
    for kernel in (None, "gaussian", "rbf"):
        np.testing.assert_array_equal(SVC(kernel=kernel).fit(X, T).decision_function(GRID), y)
    y = SVC(kernel=Gaussian()).fit(X, T).decision_function(GRID)
    computed = SVC(kernel="precomputed").fit(Gaussian()(X), T)
    np.testing.assert_allclose(computed.decision_function(Gaussian()(GRID, X)), y, atol=1e-10)
    assert computed.support_vectors_.shape == (0, 0)
    assert SVC(C=10.0, kernel=laplace).fit(X, T).score(X, T) == 1.0


def test_precomputed_with_weights_keeps_the_numbering_of_rows():
    weight = np.arange(len(T)) % 3
    direct = SVC(kernel=Gaussian()).fit(X, T, sample_weight=weight)
    computed = SVC(kernel="precomputed").fit(Gaussian()(X), T, sample_weight=weight)
    np.testing.assert_array_equal(computed.support_, direct.support_)
    np.testing.assert_allclose(
        computed.decision_function(Gaussian()(GRID, X)), direct.decision_function(GRID), atol=1e-9
    )


def test_grid_search_over_kernel_parameters():
    search = GridSearchCV(SVC(kernel=Gaussian()), {"kernel__gamma": [1e-3, 1.0], "C": [0.1, 10.0]}, cv=4)
    search.fit(X, T)
    assert search.best_params_ == {"kernel__gamma": 1.0, "C": 10.0}
    inner = GridSearchCV(SVC(kernel=Linear() + Gaussian()), {"kernel__right__gamma": [0.1, 1.0]}, cv=3).fit(
        X, T
    )
    assert "kernel__right__gamma" in inner.best_params_


def test_fitting_leaves_parameters_alone_and_remembers_the_kernel():
    kernel = Gaussian(1.0)
    model = SVC(kernel=kernel).fit(X, T)
    y = model.decision_function(GRID)
    assert model.kernel is kernel
    model.set_params(kernel__gamma=50.0)
    np.testing.assert_array_equal(model.decision_function(GRID), y)
    assert not np.allclose(model.fit(X, T).decision_function(GRID), y)


def test_clone_and_pickle():
    model = SVC(C=3.0, kernel=Linear() + Gaussian(0.5)).fit(X, T)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(GRID), model.decision_function(GRID))
    assert not hasattr(clone(model), "support_")
    assert clone(model).C == 3.0


def test_takes_part_in_scikit_learn():
    assert cross_val_score(make_pipeline(StandardScaler(), SVC(C=10.0)), X, T, cv=4).mean() > 0.7
    three = np.where(GRID[:, 0] > 1, "right", np.where(GRID[:, 0] < -1, "left", "middle"))
    assert OneVsOneClassifier(SVC()).fit(GRID, three).score(GRID, three) > 0.9


def test_fitted_attributes():
    model = SVC(C=0.3).fit(X, T)
    support = len(model.support_)
    assert model.support_vectors_.shape == (support, 2)
    assert model.dual_coef_.shape == (1, support)
    np.testing.assert_allclose(model.dual_coef_.sum(), 0, atol=1e-12)  # (7.34)
    assert np.all(np.abs(model.dual_coef_) <= 0.3)  # (7.33)
    np.testing.assert_array_equal(np.sign(model.dual_coef_[0]), T[model.support_])
    assert model.n_iter_ >= 1
    assert model.n_features_in_ == 2
    np.testing.assert_array_equal(model.classes_, [-1, 1])
