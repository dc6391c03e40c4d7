"""Bad input to SVC, row by row of the catalogue; messages name what is wrong.

Rows of the catalogue that do not apply to what exists yet: 15 (regressors), 31-33 (nu), 34-35 (SVR),
36-38 (one class), 42 (gamma="scale"), 43 (Matern), 45 (sigmoid), 46-47 (strings), 51-56 (RVM), 57 (Platt), 58-64
(other models), 65-78 (widgets, notebooks, files: tested elsewhere). Rows 40, 41, 44 and 39, 49 are tested with the
kernels, and once more here through fit; 26, 28-30, 48 and 50 with the solvers, and here too.
"""

import warnings

import cvxpy
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError

from sparsekm_edu.kernels import Gaussian, Polynomial
from sparsekm_edu.models import SVC

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 2))
y = np.where(X[:, 0] + 0.5 * rng.normal(size=20) > 0, 1, -1)


def with_entry(value):
    spoilt = X.astype(
        type(value) if isinstance(value, complex) else object if isinstance(value, str) else float
    )
    spoilt[3, 1] = value
    return spoilt


@pytest.mark.parametrize(("value", "words"), [(np.nan, "X contains NaN"), (np.inf, "X contains infinity")])
def test_row_1_X_with_nan_or_infinity(value, words):
    with pytest.raises(ValueError, match=words):
        SVC().fit(with_entry(value), y)
    with pytest.raises(ValueError, match=words):
        SVC().fit(X, y).predict(with_entry(value))


def test_row_2_X_one_dimensional():
    with pytest.raises(ValueError, match="(?s)2D array.*[Rr]eshape"):
        SVC().fit(X[:, 0], y)


def test_row_3_X_without_rows():
    with pytest.raises(ValueError, match=r"0 sample\(s\).*SVC"):
        SVC().fit(X[:0], y[:0])


def test_row_4_X_without_columns():
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        SVC().fit(X[:, :0], y)


def test_row_5_X_complex():
    with pytest.raises(ValueError, match="Complex data not supported"):
        SVC().fit(with_entry(1j), y)


def test_row_6_X_of_strings():
    with pytest.raises(ValueError, match="'a word'"):
        SVC().fit(with_entry("a word"), y)


def test_row_7_X_sparse():
    with pytest.raises(TypeError, match="[Ss]parse"):
        SVC().fit(scipy.sparse.csr_array(X), y)


def test_row_8_lengths_differ():
    with pytest.raises(ValueError, match=r"\[20, 19\]"):
        SVC().fit(X, y[:-1])


def test_row_9_y_with_nan():
    with pytest.raises(ValueError, match="y contains NaN"):
        SVC().fit(X, np.where(np.arange(20) == 3, np.nan, y))


def test_row_10_y_continuous():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        SVC().fit(X, X[:, 0])


def test_row_11_one_class():
    with pytest.raises(ValueError, match="number of classes has to be 2, got 1 class"):
        SVC().fit(X, np.ones(20))


def test_row_12_three_classes():
    with pytest.raises(ValueError, match="Only binary classification is supported.*got 3 classes"):
        SVC().fit(X, np.arange(20) % 3)


def test_row_13_y_two_columns():
    with pytest.raises(ValueError, match=r"\(20, 2\)"):
        SVC().fit(X, np.column_stack([y, y]))
    with pytest.warns(DataConversionWarning):
        SVC().fit(X, y[:, None])


@pytest.mark.parametrize(
    "labels",
    [np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), [False, True], [7, 9], [1.0, 2.0]],
)
def test_row_14_labels_of_any_kind(labels):
    named = np.asarray(labels)[(y > 0).astype(int)]
    model = SVC().fit(X, named)
    assert model.predict(X).dtype == named.dtype
    assert set(model.predict(X)) == set(labels)
    assert model.score(X, named) > 0.8


def test_row_16_one_sample():
    with pytest.raises(ValueError, match="1 class"):
        SVC().fit(X[:1], y[:1])


def test_row_17_one_feature_and_constant_feature():
    assert SVC().fit(X[:, :1], y).score(X[:, :1], y) > 0.8
    constant = np.column_stack([X, np.full(20, 5.0)])
    assert SVC().fit(constant, y).score(constant, y) > 0.8


def test_row_18_kinds_of_arrays(tmp_path):
    stored = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    stored[:] = X
    stored.flush()
    read_only = np.memmap(tmp_path / "X", dtype=float, mode="r", shape=X.shape)
    frame = pd.DataFrame(X, columns=["one", "two"])
    reference = SVC().fit(X, y).decision_function(X)
    for data in (np.asfortranarray(X), read_only, frame, X.tolist()):
        before = np.array(data)
        np.testing.assert_array_equal(SVC().fit(data, y).decision_function(data), reference)
        np.testing.assert_array_equal(np.array(data), before)
    np.testing.assert_allclose(SVC().fit(X.astype(np.float32), y).decision_function(X), reference, atol=1e-4)
    assert np.isfinite(SVC().fit((10 * X).astype(int), y).decision_function(X)).all()


def test_row_19_values_too_large_to_square():
    with pytest.raises(ValueError, match=r"X must hold finite numbers.*largest value of 1e\+200"):
        SVC().fit(with_entry(1e200), y)


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "polynomial"])
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_20_all_rows_identical(kernel, solver):
    same = np.ones((20, 2))
    model = SVC(kernel=kernel, solver=solver).fit(same, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.kkt_violation_ <= 1e-3


@pytest.mark.parametrize(
    "weight",
    [np.ones(19), np.zeros(20), -np.ones(20), np.full(20, np.nan)],
    ids=["short", "zero", "negative", "nan"],
)
def test_row_21_sample_weight(weight):
    with pytest.raises(ValueError, match="(?i)sample.?weight"):
        SVC().fit(X, y, sample_weight=weight)


def test_row_22_one_class_left_after_weights():
    with pytest.raises(ValueError, match="got 1 class left after dropping points of zero weight"):
        SVC().fit(X, y, sample_weight=(y > 0).astype(float))


@pytest.mark.parametrize("method", ["predict", "decision_function"])
def test_row_23_before_fit(method):
    with pytest.raises(NotFittedError, match="SVC"):
        getattr(SVC(), method)(X)
    with pytest.raises(NotFittedError, match="SVC"):
        SVC().surface([0.0, 1.0], [0.0, 1.0])


def test_row_24_other_number_of_features():
    with pytest.raises(ValueError, match="3 features.*2 features"):
        SVC().fit(X, y).predict(np.ones((4, 3)))


def test_row_25_predict_nothing():
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        SVC().fit(X, y).predict(X[:0])


@pytest.mark.parametrize("C", [0, -1, np.nan, -np.inf, "1", True, None, [1.0], np.ones(20)])
def test_row_26_C_must_be_positive(C):
    with pytest.raises(ValueError, match=r"C must be a number > 0 \(infinity is allowed\), got"):
        SVC(C=C).fit(X, y)


@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_27_infinite_C_is_the_hard_margin(solver):
    labels = np.where(X[:, 0] > 0, 1, -1)
    hard = SVC(C=np.inf, kernel="linear", solver=solver).fit(X, labels)
    assert np.all(labels * hard.decision_function(X) >= 1 - 1e-6)
    labels[np.argmax(X[:, 0])] *= -1
    with pytest.raises(ValueError, match="not separable"):
        SVC(C=np.inf, kernel="linear", solver=solver).fit(X, labels)


def test_row_28_not_converged_is_said_and_kept():
    with pytest.warns(ConvergenceWarning, match=r"max_iter = 20: KKT gap .*C = 1e\+09.*scaling the features"):
        model = SVC(C=1e9, kernel="linear", max_iter=20).fit(X * [1.0, 1e5], y)
    assert not model.converged_
    assert model.kkt_violation_ > 1e-3
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_rows_29_and_30_tol_and_max_iter(solver):
    for tol in (0, -1.0, np.nan, "1"):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            SVC(tol=tol, solver=solver).fit(X, y)
    for max_iter in (0, -1, 2.5):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            SVC(max_iter=max_iter, solver=solver).fit(X, y)


def test_row_39_unknown_kernel():
    with pytest.raises(ValueError, match="did you mean 'rbf'"):
        SVC(kernel="rfb").fit(X, y)


def test_row_40_gamma():
    for gamma in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="gamma must be a number > 0"):
            SVC(kernel=Gaussian(gamma)).fit(X, y)


@pytest.mark.parametrize("gamma", [1e300, 1e-300])
def test_row_41_degenerate_gram_matrix(gamma):
    with pytest.warns(UserWarning, match="degenerate Gram matrix"):
        model = SVC(kernel=Gaussian(gamma)).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


def test_row_44_polynomial():
    assert np.isfinite(SVC(kernel=Polynomial(0)).fit(X, y).decision_function(X)).all()
    for degree in (-1, 2.5):
        with pytest.raises(ValueError, match="degree must be a whole number"):
            SVC(kernel=Polynomial(degree)).fit(X, y)
    with pytest.raises(ValueError, match="degree = 400 overflows"):
        SVC(kernel=Polynomial(400)).fit(X * 100, y)


def test_row_48_precomputed():
    K = Gaussian()(X)
    with pytest.raises(ValueError, match=r"square matrix, got shape \(20, 2\)"):
        SVC(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError, match="symmetric"):
        SVC(kernel="precomputed").fit(K + np.triu(np.ones((20, 20)), 1), y)
    with pytest.raises(ValueError, match="NaN"):
        SVC(kernel="precomputed").fit(np.full((20, 20), np.nan), y)
    with pytest.raises(ValueError, match="19 features.*20 features"):
        SVC(kernel="precomputed").fit(K, y).predict(K[:, :19])
    with pytest.raises(ValueError, match="no surface"):
        SVC(kernel="precomputed").fit(K, y).surface([0.0, 1.0], [0.0, 1.0])


def test_row_49_kernel_function():
    with pytest.raises(ValueError, match=r"must return shape \(20, 20\), got \(20,\)"):
        SVC(kernel=lambda X, Z: np.ones(len(X))).fit(X, y)
    with pytest.raises(ValueError, match="raised ZeroDivisionError"):
        SVC(kernel=lambda X, Z: 1 / 0).fit(X, y)
    assert (
        SVC(kernel=lambda X, Z: (X @ Z.T > 0).astype(int) + 2 * np.eye(len(X), len(Z))).fit(X, y).converged_
    )


def test_row_50_quadratic_program(monkeypatch):
    monkeypatch.setattr(cvxpy, "installed_solvers", lambda: [])
    with pytest.raises(ImportError, match="CLARABEL"):
        SVC(solver="qp").fit(X, y)


def test_surface_needs_two_features():
    with pytest.raises(ValueError, match="surface needs data with 2 features, got 1"):
        SVC().fit(X[:, :1], y).surface([0.0, 1.0], [0.0, 1.0])


def test_unknown_solver():
    for solver in ("sgd", None, ["smo"]):
        with pytest.raises(
            ValueError, match=r"solver must be one of \['chunking', 'decomposition', 'qp', 'smo'\], got"
        ):
            SVC(solver=solver).fit(X, y)


def test_class_weight():
    with pytest.raises(ValueError, match="class_weight"):
        SVC(class_weight="ballanced").fit(X, y)
    for weight in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="class_weight must hold numbers > 0"):
            SVC(class_weight={1: weight}).fit(X, y)


def test_good_input_is_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solver in ("smo", "qp"):
            SVC(solver=solver).fit(X, y).predict(X)
