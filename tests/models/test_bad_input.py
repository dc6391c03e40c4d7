"""Bad input to every machine, row by row of the catalogue; messages name what is wrong.

"row" is a row of the catalogue of bad input. Here is what all machines have in common. Rows of one machine or family
are tested with it: 16, 20, 26-28, 31-36, 44, 48 and 50 of support vector machines in test_svm_bad_input.py, 16, 20, 54
and 56 of relevance vector machines in test_rvm_bad_input.py, 51-53 and 55 in test_rvm.py, 57 in test_calibration.py, 63
in test_multiclass.py, 64 in test_logistic.py, 58 in solvers/linear/test_ridge.py, 59 and 60 in test_kernel_trick.py.
Row 42 is in kernels/test_vectors.py. Rows 43, 46 and 47 are about kernels that do not exist here, 61 and 62 about other
models, 65-78 about widgets, notebooks and files.
"""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone, is_classifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils.validation import has_fit_parameter

from sparsekm_edu.kernels import Gaussian, Polynomial
from sparsekm_edu.models import (
    DAGSVM,
    RVC,
    RVR,
    SVC,
    SVDD,
    SVR,
    BayesianLogisticRegression,
    KernelRidge,
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
    LeeSVC,
    LocallyWeightedRegression,
    LogisticRegression,
    NadarayaWatson,
    NuSVC,
    NuSVR,
    OneClassSVM,
    PlattScaling,
    PolsonScottSVM,
    WestonWatkinsSVC,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # other complaints may be due as well

N = 30
rng = np.random.default_rng(0)
X = rng.normal(size=(N, 2))
y = np.where(X[:, 0] + 0.3 * rng.normal(size=N) > 0, 1, -1)  # labels, and targets of regression

BINARY = [SVC(), NuSVC(nu=0.4), PolsonScottSVM(), PlattScaling()]
MANY_CLASSES = [
    DAGSVM(),
    WestonWatkinsSVC(),
    LeeSVC(),
    L1VMClassifier(lam=0.1),
    L2VMClassifier(lam=0.1),
    LogisticRegression(),
    LogisticRegression(method="gd"),
    LogisticRegression(method="sgd", max_iter=20, random_state=0),
    BayesianLogisticRegression(),
    BayesianLogisticRegression(alpha=1.0),
    RVC(),
    RVC(method="reestimate", max_iter=30),  # to save time
]
REGRESSORS = [
    SVR(),
    NuSVR(),
    L1VMRegressor(lam=0.1),
    L2VMRegressor(lam=0.1),
    RVR(),
    RVR(method="reestimate"),
    RVR(method="em"),
    KernelRidge(lam=0.1),
    NadarayaWatson(),
    LocallyWeightedRegression(),
]
NOVELTIES = [OneClassSVM(nu=0.3), SVDD(nu=0.3)]
CLASSIFIERS = BINARY + MANY_CLASSES
WITH_TARGETS = CLASSIFIERS + REGRESSORS
MACHINES = WITH_TARGETS + NOVELTIES
WEIGHTED = [machine for machine in MACHINES if has_fit_parameter(machine, "sample_weight")]


def each(machines):
    return pytest.mark.parametrize("machine", machines, ids=repr)


def having(parameter):
    """The machines that have a parameter of this name."""
    return each([machine for machine in MACHINES if parameter in machine.get_params(deep=False)])


def values(model, X):
    """The finest answer that a machine can give."""
    methods = ["predict_proba", "decision_function", "predict"]
    return next(getattr(model, method)(X) for method in methods if hasattr(model, method))


def with_entry(value):
    spoilt = X.astype(object if isinstance(value, str) else np.result_type(type(value), float))
    spoilt[3, 1] = value
    return spoilt


# ------------------------------------------------------------------ what cannot be fitted


def not_platt(machines):
    """PlattScaling looks at y and at the weights before its classifier looks at X."""
    return [machine for machine in machines if not isinstance(machine, PlattScaling)]


# row and case: machines, X, y, error, words
REFUSED = {
    "1 NaN": (MACHINES, with_entry(np.nan), y, ValueError, "X contains NaN"),
    "1 infinity": (MACHINES, with_entry(np.inf), y, ValueError, "X contains infinity"),
    "2 one-dimensional": (MACHINES, X[:, 0], y, ValueError, "(?s)2D array.*[Rr]eshape"),
    "3 no rows": (not_platt(MACHINES), X[:0], y[:0], ValueError, r"0 sample\(s\).*{name}"),
    "4 no columns": (MACHINES, X[:, :0], y, ValueError, r"0 feature\(s\)"),
    "5 complex": (MACHINES, with_entry(1j), y, ValueError, "Complex data not supported"),
    "6 words": (MACHINES, with_entry("a word"), y, ValueError, "'a word'"),
    "7 sparse": (MACHINES, scipy.sparse.csr_array(X), y, TypeError, "[Ss]parse"),
    "8 lengths": (WITH_TARGETS, X, y[:-1], ValueError, r"\[30, 29\]"),  # the others ignore y
    "9 y with NaN": (WITH_TARGETS, X, np.where(np.arange(N) == 3, np.nan, y), ValueError, "y contains NaN"),
    "9 y with infinity": (
        WITH_TARGETS,
        X,
        np.where(np.arange(N) == 3, np.inf, y),
        ValueError,
        "y contains infinity",
    ),
    "10 continuous": (CLASSIFIERS, X, X[:, 0], ValueError, "Unknown label type: continuous"),
    "10 halves": (CLASSIFIERS, X, 0.5 * y, ValueError, "Unknown label type: continuous"),
    "11 of two": (BINARY, X, np.ones(N), ValueError, "number of classes has to be 2, got 1 class"),
    "11 of many": (
        MANY_CLASSES,
        X,
        np.ones(N),
        ValueError,
        "number of classes has to be at least 2, got 1 class",
    ),
    "12 three classes": (
        BINARY,
        X,
        np.arange(N) % 3,
        ValueError,
        "Only binary classification is supported.*got 3 classes",
    ),
    "13 two columns": (WITH_TARGETS, X, np.column_stack([y, y]), ValueError, r"\(30, 2\)"),
    "15 no y": (not_platt(WITH_TARGETS), X, None, ValueError, "requires y to be passed"),
    "16 one sample": (CLASSIFIERS, X[:1], y[:1], ValueError, "1 class"),
    "19 huge": (
        MACHINES,
        with_entry(1e200),
        y,
        ValueError,
        r"X must hold finite numbers.*largest value of 1e\+200",
    ),
}


@pytest.mark.parametrize(
    ("machine", "row"),
    [
        pytest.param(machine, row, id=f"{row}, {machine}")
        for row, (machines, *_) in REFUSED.items()
        for machine in machines
    ],
)
def test_rows_1_to_19_are_refused(machine, row):
    _, bad_X, bad_y, error, words = REFUSED[row]
    with pytest.raises(error, match=words.replace("{name}", type(machine).__name__)):
        clone(machine).fit(bad_X, bad_y)


@each(WITH_TARGETS)
def test_row_13_a_column_is_taken_for_a_vector(machine):
    with pytest.warns(DataConversionWarning):
        column = clone(machine).fit(X, y[:, None])
    np.testing.assert_array_equal(values(column, X), values(clone(machine).fit(X, y), X))


@each(WEIGHTED)
@pytest.mark.parametrize(
    "weight",
    [np.ones(N - 1), np.zeros(N), -np.ones(N), np.full(N, np.nan), np.full(N, np.inf)],
    ids=["short", "zero", "negative", "nan", "infinite"],
)
def test_row_21_sample_weight(machine, weight):
    with pytest.raises(ValueError, match="(?i)sample.?weight"):
        clone(machine).fit(X, y, sample_weight=weight)


@each([machine for machine in WEIGHTED if is_classifier(machine)])
def test_row_22_one_class_left_after_weights(machine):
    with pytest.raises(ValueError, match="got 1 class left after dropping points of zero weight"):
        clone(machine).fit(X, y, sample_weight=(y > 0).astype(float))


# ------------------------------------------------------------------ unusual data that can


@each(CLASSIFIERS)
@pytest.mark.parametrize(
    "labels",
    [np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), [False, True], [7, 9], [1.0, 2.0]],
)
def test_row_14_labels_of_any_kind(machine, labels):
    named = np.asarray(labels)[(y > 0).astype(int)]
    model = clone(machine).fit(X, named)
    assert model.predict(X).dtype == named.dtype
    assert set(model.predict(X)) == set(labels)
    assert model.score(X, named) > 0.8
    same = clone(machine).fit(X, y)
    np.testing.assert_array_equal(model.predict(X) == labels[1], same.predict(X) == 1)
    if hasattr(model, "decision_function"):
        np.testing.assert_array_equal(values(model, X), values(same, X))


@each(MACHINES)
def test_row_17_one_feature_and_constant_feature(machine):
    machine = clone(machine)
    if "kernel" in machine.get_params(deep=False):
        machine.set_params(kernel=Gaussian())  # of a fixed width
    for data in (X[:, :1], np.column_stack([X, np.full(N, 5.0)])):
        model = clone(machine).fit(data, y)
        assert model.n_features_in_ == data.shape[1]
        assert np.isfinite(values(model, data)).all()
        assert getattr(model, "kkt_violation_", 0.0) <= 1e-3
    if "kernel" in machine.get_params(deep=False):  # distances are the same: what is constant does not matter
        exact = 1e-6 if isinstance(machine, RVR | RVC) else 1e-8
        np.testing.assert_allclose(values(model, data), values(clone(machine).fit(X, y), X), atol=exact)


@each([machine for machine in MACHINES if not isinstance(machine, KernelRidge)])
def test_row_18_kinds_of_arrays(machine, tmp_path):
    """Not KernelRidge: the last digit of LAPACK's factors depends on where in memory a matrix lies."""
    stored = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    stored[:] = X
    stored.flush()
    read_only = np.memmap(tmp_path / "X", dtype=float, mode="r", shape=X.shape)
    reference = values(clone(machine).fit(X, y), X)
    for data in (np.asfortranarray(X), read_only, pd.DataFrame(X, columns=["one", "two"]), X.tolist()):
        before = np.array(data)
        np.testing.assert_array_equal(values(clone(machine).fit(data, y), data), reference)
        np.testing.assert_array_equal(np.array(data), before)
    for targets in (y.tolist(), pd.Series(y), y.astype(np.int8)):
        np.testing.assert_array_equal(values(clone(machine).fit(X, targets), X), reference)
    for dtype in (np.float32, int):
        rounded = (10 * X).astype(dtype)
        as_float = clone(machine).fit(rounded.astype(float), y)
        np.testing.assert_array_equal(values(clone(machine).fit(rounded, y), X), values(as_float, X))


# ------------------------------------------------------------------ predict


@each(MACHINES)
def test_row_23_before_fit(machine):
    methods = ["predict", "predict_proba", "decision_function", "score_samples"]
    for method in [method for method in methods if hasattr(machine, method)]:
        with pytest.raises(NotFittedError, match=type(machine).__name__):
            getattr(clone(machine), method)(X)
    if hasattr(machine, "surface"):
        with pytest.raises(NotFittedError, match=type(machine).__name__):
            clone(machine).surface([0.0, 1.0], [0.0, 1.0])


@each(MACHINES)
def test_rows_1_19_24_and_25_predict(machine):
    model = clone(machine).fit(X, y)
    for bad, words in (
        (with_entry(np.nan), "X contains NaN"),
        (with_entry(np.inf), "X contains infinity"),
        (with_entry(1e200), "largest value of 1e"),
        (np.ones((4, 3)), "3 features.*2 features"),
        (X[:0], r"0 sample\(s\)"),
    ):
        with pytest.raises(ValueError, match=words):
            model.predict(bad)


# ------------------------------------------------------------------ parameters


@having("tol")
def test_row_29_tol(machine):
    for tol in [0, -1.0, np.nan, "1"] + ([] if machine.tol is None else [None]):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            clone(machine).set_params(tol=tol).fit(X, y)


@having("max_iter")
def test_row_30_max_iter(machine):
    for max_iter in (0, -1, 2.5, None):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            clone(machine).set_params(max_iter=max_iter).fit(X, y)


# ------------------------------------------------------------------ kernels


@having("kernel")
def test_row_39_unknown_kernel(machine):
    with pytest.raises(ValueError, match="did you mean 'rbf'"):
        clone(machine).set_params(kernel="rfb").fit(X, y)
    with pytest.raises(ValueError, match="kernel must be a name, a Kernel or a function"):
        clone(machine).set_params(kernel=3.0).fit(X, y)


@having("kernel")
def test_row_40_gamma(machine):
    for gamma in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="gamma must be a number > 0"):
            clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)


@having("kernel")
@pytest.mark.parametrize("gamma", [1e300, 1e-300])
def test_row_41_degenerate_gram_matrix(machine, gamma):
    with pytest.warns(UserWarning, match="degenerate Gram matrix"):
        model = clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)
    assert np.isfinite(values(model, X)).all()


@having("kernel")
def test_row_44_degree(machine):
    for degree in (-1, 2.5):
        with pytest.raises(ValueError, match="degree must be a whole number"):
            clone(machine).set_params(kernel=Polynomial(degree)).fit(X, y)
    with pytest.raises(ValueError, match="degree = 400 overflows"):
        clone(machine).set_params(kernel=Polynomial(400)).fit(X * 100, y)


@each([m for m in MACHINES if "kernel" in m.get_params(deep=False) and not isinstance(m, SVDD)])
def test_row_48_precomputed(machine):
    """SVDD also needs k(x, x) of new points, and says so: test_novelty.py."""
    K = Gaussian()(X)
    model = clone(machine).set_params(kernel="precomputed")
    with pytest.raises(ValueError, match=r"square matrix, got shape \(30, 2\)"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((N, N), np.nan), y)
    with pytest.raises(ValueError, match="29 features.*30 features"):
        model.fit(K, y).predict(K[:, :-1])


def whole_numbers(X, Z):
    """Inner products of rounded points, as integers."""
    return (3 * X).astype(int) @ (3 * Z).astype(int).T


def wrong_shape(X, Z):
    return np.ones(len(X))


def raises(X, Z):
    return 1 / 0


def not_a_number(X, Z):
    return np.full((len(X), len(Z)), np.nan)


@having("kernel")
def test_row_49_kernel_function(machine):
    for kernel, words in (
        (wrong_shape, r"must return shape \(30, 30\), got \(30,\)"),
        (raises, "raised ZeroDivisionError"),
        (not_a_number, "kernel not_a_number returned NaN"),
    ):
        with pytest.raises(ValueError, match=words):
            clone(machine).set_params(kernel=kernel).fit(X, y)
    whole = clone(machine).set_params(kernel=whole_numbers).fit(X, y)
    exact = clone(machine).set_params(kernel=lambda X, Z: whole_numbers(X, Z).astype(float)).fit(X, y)
    np.testing.assert_array_equal(values(whole, X), values(exact, X))
