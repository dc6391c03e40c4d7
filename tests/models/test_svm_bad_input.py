"""Bad input to every support vector machine, row by row of the catalogue; messages name what is wrong.

"pitfall" is a row of the table of failures seen in the field, "row" one of the catalogue of bad input. Not here:
  - tested with the machine they concern: pitfalls 4 and 5 and row 33 in test_nu_svc.py; row 35 in test_svr.py; rows 36,
    37, 38 and the spheres' part of 48 in test_novelty.py; pitfalls 3, 7 and 12 and row 45 in test_every_machine.py;
  - tested with the solvers: pitfalls 8, 9 and 23; with the kernels: rows 39, 40, 41, 44 and 49, and once more here
    through fit;
  - does not apply to what exists: rows 42 (gamma="scale") and 43 (Matern), as there are no such kernels; 46-47
    (strings), 51-56 (RVM), 58-64 (other models); 57 (Platt) and 65-78 (widgets, notebooks, files) are tested elsewhere.
"""

import warnings

import cvxpy
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone, is_classifier, is_outlier_detector, is_regressor
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC, SVDD, SVR, NuSVC, NuSVR, OneClassSVM

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 2))
y = np.where(X[:, 0] + 0.5 * rng.normal(size=20) > 0, 1, -1)  # labels, and targets of regression

MACHINES = [SVC(), NuSVC(nu=0.4), SVR(), NuSVR(), OneClassSVM(nu=0.3), SVDD(nu=0.3)]
CLASSIFIERS, REGRESSORS = MACHINES[:2], MACHINES[2:4]


def each(machines):
    return pytest.mark.parametrize("machine", machines, ids=lambda machine: type(machine).__name__)


def values(model, X):
    return model.predict(X) if is_regressor(model) else model.decision_function(X)


def with_entry(value):
    spoilt = X.astype(
        type(value) if isinstance(value, complex) else object if isinstance(value, str) else float
    )
    spoilt[3, 1] = value
    return spoilt


# ------------------------------------------------------------------ X


@each(MACHINES)
@pytest.mark.parametrize(("value", "words"), [(np.nan, "X contains NaN"), (np.inf, "X contains infinity")])
def test_row_1_X_with_nan_or_infinity(machine, value, words):
    with pytest.raises(ValueError, match=words):
        clone(machine).fit(with_entry(value), y)
    with pytest.raises(ValueError, match=words):
        clone(machine).fit(X, y).predict(with_entry(value))


@each(MACHINES)
def test_row_2_X_one_dimensional(machine):
    with pytest.raises(ValueError, match="(?s)2D array.*[Rr]eshape"):
        clone(machine).fit(X[:, 0], y)


@each(MACHINES)
def test_row_3_X_without_rows(machine):
    with pytest.raises(ValueError, match=rf"0 sample\(s\).*{type(machine).__name__}"):
        clone(machine).fit(X[:0], y[:0])


@each(MACHINES)
def test_row_4_X_without_columns(machine):
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        clone(machine).fit(X[:, :0], y)


@each(MACHINES)
def test_row_5_X_complex(machine):
    with pytest.raises(ValueError, match="Complex data not supported"):
        clone(machine).fit(with_entry(1j), y)


@each(MACHINES)
def test_row_6_X_of_strings(machine):
    with pytest.raises(ValueError, match="'a word'"):
        clone(machine).fit(with_entry("a word"), y)


@each(MACHINES)
def test_row_7_X_sparse(machine):
    with pytest.raises(TypeError, match="[Ss]parse"):
        clone(machine).fit(scipy.sparse.csr_array(X), y)


@each(MACHINES[:4])
def test_row_8_lengths_differ(machine):
    """The machines for novelties ignore y."""
    with pytest.raises(ValueError, match=r"\[20, 19\]"):
        clone(machine).fit(X, y[:-1])


# ------------------------------------------------------------------ y


@each(MACHINES[:4])
@pytest.mark.parametrize(("value", "words"), [(np.nan, "y contains NaN"), (np.inf, "y contains infinity")])
def test_row_9_y_with_nan_or_infinity(machine, value, words):
    with pytest.raises(ValueError, match=words):
        clone(machine).fit(X, np.where(np.arange(20) == 3, value, y))


@each(CLASSIFIERS)
def test_row_10_y_continuous(machine):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        clone(machine).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        clone(machine).fit(X, 0.5 * y)  # two values, but no labels


@each(CLASSIFIERS)
def test_row_11_one_class(machine):
    with pytest.raises(ValueError, match="number of classes has to be 2, got 1 class"):
        clone(machine).fit(X, np.ones(20))


@each(CLASSIFIERS)
def test_row_12_three_classes(machine):
    with pytest.raises(ValueError, match="Only binary classification is supported.*got 3 classes"):
        clone(machine).fit(X, np.arange(20) % 3)


@each(MACHINES[:4])
def test_row_13_y_two_columns(machine):
    with pytest.raises(ValueError, match=r"\(20, 2\)"):
        clone(machine).fit(X, np.column_stack([y, y]))
    with pytest.warns(DataConversionWarning):
        clone(machine).fit(X, y[:, None])


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


@each(REGRESSORS)
def test_row_15_no_targets(machine):
    with pytest.raises(ValueError, match="requires y to be passed"):
        clone(machine).fit(X, None)


# ------------------------------------------------------------------ unusual data


@pytest.mark.filterwarnings("ignore:There are no support vectors")
@each(MACHINES)
def test_row_16_one_sample(machine):
    if is_classifier(machine):
        with pytest.raises(ValueError, match="1 class"):
            clone(machine).fit(X[:1], y[:1])
    else:
        model = clone(machine).fit(X[:1], y[:1])
        assert model.predict(X[:1]) == pytest.approx(1 if is_outlier_detector(model) else y[0], rel=1e-12)
        assert np.isfinite(values(model, X)).all()


@each(MACHINES)
def test_row_17_one_feature_and_constant_feature(machine):
    for data in (X[:, :1], np.column_stack([X, np.full(20, 5.0)])):
        model = clone(machine).fit(data, y)
        assert model.kkt_violation_ <= 1e-3
        assert model.n_features_in_ == data.shape[1]
        assert np.isfinite(values(model, data)).all()
    same = clone(machine).fit(X, y)
    np.testing.assert_allclose(
        values(model, data), values(same, X), atol=1e-8
    )  # what is constant does not matter


@each(MACHINES)
def test_row_18_kinds_of_arrays(machine, tmp_path):
    stored = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    stored[:] = X
    stored.flush()
    read_only = np.memmap(tmp_path / "X", dtype=float, mode="r", shape=X.shape)
    frame = pd.DataFrame(X, columns=["one", "two"])
    reference = values(clone(machine).fit(X, y), X)
    for data in (np.asfortranarray(X), read_only, frame, X.tolist()):
        before = np.array(data)
        np.testing.assert_array_equal(values(clone(machine).fit(data, y), data), reference)
        np.testing.assert_array_equal(np.array(data), before)
    np.testing.assert_allclose(values(clone(machine).fit(X.astype(np.float32), y), X), reference, atol=1e-4)
    assert np.isfinite(values(clone(machine).fit((10 * X).astype(int), y), X)).all()


@each(MACHINES)
def test_row_19_values_too_large_to_square(machine):
    with pytest.raises(ValueError, match=r"X must hold finite numbers.*largest value of 1e\+200"):
        clone(machine).fit(with_entry(1e200), y)


@pytest.mark.filterwarnings("ignore:rho =")  # 0: all points are one
@each(MACHINES)
@pytest.mark.parametrize("kernel", ["linear", "gaussian", "polynomial"])
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_20_and_pitfall_12_all_rows_identical(machine, kernel, solver):
    same = np.ones((20, 2))
    model = clone(machine).set_params(kernel=kernel, solver=solver).fit(same, y)
    assert np.isfinite(values(model, X)).all()
    assert model.kkt_violation_ <= 1e-3


@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_pitfall_12_conflicting_labels_cost_C_each(solver):
    """One point with both labels, twice: every a = C, and b is in the middle of its interval."""
    model = SVC(C=0.5, solver=solver).fit([[1.0, 2.0]] * 4, [1, -1, 1, -1])
    np.testing.assert_allclose(model.solution_.a, 0.5, rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, [0.0], atol=1e-9)


# ------------------------------------------------------------------ weights


@each(MACHINES)
@pytest.mark.parametrize(
    "weight",
    [np.ones(19), np.zeros(20), -np.ones(20), np.full(20, np.nan), np.full(20, np.inf)],
    ids=["short", "zero", "negative", "nan", "infinite"],
)
def test_row_21_and_pitfall_11_sample_weight(machine, weight):
    with pytest.raises(ValueError, match="(?i)sample.?weight"):
        clone(machine).fit(X, y, sample_weight=weight)


@each(MACHINES)
def test_pitfall_11_a_point_without_weight_is_no_point(machine):
    weight = np.where(np.arange(20) < 15, 1.0, 0.0)
    spoilt = np.where(weight[:, None] > 0, X, 1e100)
    model = clone(machine).fit(spoilt, y, sample_weight=weight)
    np.testing.assert_allclose(values(model, X), values(clone(machine).fit(X[:15], y[:15]), X), atol=1e-10)


@each(CLASSIFIERS)
def test_row_22_one_class_left_after_weights(machine):
    with pytest.raises(ValueError, match="got 1 class left after dropping points of zero weight"):
        clone(machine).fit(X, y, sample_weight=(y > 0).astype(float))


# ------------------------------------------------------------------ predict


@each(MACHINES)
def test_row_23_before_fit(machine):
    methods = {"predict", "decision_function", "score_samples"} & set(dir(machine))
    assert methods
    for method in methods:
        with pytest.raises(NotFittedError, match=type(machine).__name__):
            getattr(clone(machine), method)(X)
    with pytest.raises(NotFittedError, match=type(machine).__name__):
        clone(machine).surface([0.0, 1.0], [0.0, 1.0])


@each(MACHINES)
def test_row_24_other_number_of_features(machine):
    with pytest.raises(ValueError, match="3 features.*2 features"):
        clone(machine).fit(X, y).predict(np.ones((4, 3)))


@each(MACHINES)
def test_row_25_predict_nothing(machine):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        clone(machine).fit(X, y).predict(X[:0])


# ------------------------------------------------------------------ parameters


@pytest.mark.parametrize("C", [0, -1, np.nan, -np.inf, "1", True, None, [1.0], np.ones(20)])
def test_row_26_C_must_be_positive(C):
    with pytest.raises(ValueError, match=r"C must be a number > 0 \(infinity is allowed\), got"):
        SVC(C=C).fit(X, y)
    for machine in REGRESSORS:
        with pytest.raises(ValueError, match="C must be a number > 0, got"):
            clone(machine).set_params(C=C).fit(X, y)


@each(REGRESSORS)
def test_row_26_C_of_regression_is_finite(machine):
    with pytest.raises(ValueError, match="C must be a number > 0, got inf"):
        clone(machine).set_params(C=np.inf).fit(X, y)


@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_row_27_and_pitfall_10_infinite_C_is_the_hard_margin(solver):
    labels = np.where(X[:, 0] > 0, 1, -1)
    hard = SVC(C=np.inf, kernel="linear", solver=solver).fit(X, labels)
    assert np.all(labels * hard.decision_function(X) >= 1 - 1e-6)
    large = SVC(C=1.01 * np.abs(hard.dual_coef_).max(), kernel="linear", solver=solver).fit(X, labels)
    np.testing.assert_allclose(large.decision_function(X), hard.decision_function(X), atol=1e-5)
    labels[np.argmax(X[:, 0])] *= -1
    with pytest.raises(ValueError, match="not separable"):
        SVC(C=np.inf, kernel="linear", solver=solver).fit(X, labels)


@pytest.mark.filterwarnings("ignore:rho =")
@each(MACHINES)
def test_row_28_and_pitfalls_1_and_2_not_converged_is_said_and_kept(machine):
    model = clone(machine).set_params(kernel="linear", max_iter=1, tol=1e-9)
    if hasattr(model, "C"):
        model.set_params(C=1e9)
    with pytest.warns(
        ConvergenceWarning, match=r"max_iter = 1: KKT gap .* > tol = .*C = .*scaling the features"
    ):
        model.fit(X * [1.0, 1e5], y)
    assert model.converged_ is False
    assert model.kkt_violation_ > 1e-9
    assert np.isfinite(values(model, X)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "ignore:rho =")
@each(MACHINES)
def test_pitfalls_1_and_2_unscaled_data_end_in_time(machine):
    """The default budget is finite, and what was reached is told."""
    model = clone(machine).set_params(kernel="linear").fit(X * 1e4, y)
    assert model.n_iter_ <= model.max_iter
    assert model.converged_ == (model.kkt_violation_ <= 1e-3)


@each(MACHINES)
@pytest.mark.parametrize("solver", ["smo", "qp", "chunking", "decomposition"])
def test_rows_29_and_30_tol_and_max_iter(machine, solver):
    model = clone(machine).set_params(solver=solver)
    for tol in (0, -1.0, np.nan, "1", None):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            clone(model).set_params(tol=tol).fit(X, y)
    for max_iter in (0, -1, 2.5):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            clone(model).set_params(max_iter=max_iter).fit(X, y)


@each([machine for machine in MACHINES if hasattr(machine, "nu")])
@pytest.mark.parametrize("nu", [0, -0.1, 1.5, np.nan, np.inf, "1", True, None, [0.5]])
def test_row_31_nu_is_a_fraction(machine, nu):
    with pytest.raises(ValueError, match=r"nu must be a number in \(0, 1\], got"):
        clone(machine).set_params(nu=nu).fit(X, y)


def test_row_32_nu_beyond_the_smaller_class():
    labels = np.where(np.arange(60) < 5, 1, -1)
    points = rng.normal(size=(60, 2))
    with pytest.raises(ValueError, match="nu must be at most 0.1667 for classes of 55 and 5 points.*got 0.9"):
        NuSVC(nu=0.9).fit(points, labels)
    assert NuSVC(nu=0.166).fit(points, labels).converged_


@pytest.mark.parametrize("epsilon", [-0.1, np.nan, np.inf, "1", True, None, [0.1]])
def test_row_34_epsilon_must_not_be_negative(epsilon):
    with pytest.raises(ValueError, match="epsilon must be a number >= 0, got"):
        SVR(epsilon=epsilon).fit(X, y)


# ------------------------------------------------------------------ kernels


@each(MACHINES)
def test_row_39_unknown_kernel(machine):
    with pytest.raises(ValueError, match="did you mean 'rbf'"):
        clone(machine).set_params(kernel="rfb").fit(X, y)
    with pytest.raises(ValueError, match="kernel must be a name, a Kernel or a function"):
        clone(machine).set_params(kernel=3.0).fit(X, y)


@each(MACHINES)
def test_row_40_gamma(machine):
    for gamma in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="gamma must be a number > 0"):
            clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)


@pytest.mark.filterwarnings("ignore:rho =", "ignore:There are no support vectors")
@each(MACHINES)
@pytest.mark.parametrize("gamma", [1e300, 1e-300])
def test_row_41_degenerate_gram_matrix(machine, gamma):
    with pytest.warns(UserWarning, match="degenerate Gram matrix"):
        model = clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)
    assert np.isfinite(values(model, X)).all()


@each(MACHINES)
def test_row_44_polynomial(machine):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "rho =")  # of degree 0: all points are one
        model = clone(machine).set_params(kernel=Polynomial(0)).fit(X, y)
    assert np.isfinite(values(model, X)).all()
    for degree in (-1, 2.5):
        with pytest.raises(ValueError, match="degree must be a whole number"):
            clone(machine).set_params(kernel=Polynomial(degree)).fit(X, y)
    with pytest.raises(ValueError, match="degree = 400 overflows"):
        clone(machine).set_params(kernel=Polynomial(400)).fit(X * 100, y)


@each(MACHINES)
@pytest.mark.parametrize("solver", ["smo", "qp", "chunking"])
def test_pitfall_6_kernels_that_overflow_are_named(machine, solver):
    machine = clone(machine).set_params(solver=solver)
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=r"kernel = Product\(.*overflows"):
        clone(machine).set_params(kernel=Linear() * Linear()).fit(X * 1e100, y)
    with pytest.raises(ValueError, match="kernel not_a_number returned NaN"):
        clone(machine).set_params(kernel=not_a_number).fit(X, y)


def not_a_number(X, Z):
    return np.full((len(X), len(Z)), np.nan)


@each(MACHINES[:5])
def test_row_48_precomputed(machine):
    K = Gaussian()(X)
    model = clone(machine).set_params(kernel="precomputed")
    with pytest.raises(ValueError, match=r"square matrix, got shape \(20, 2\)"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="symmetric"):
        model.fit(K + 0.1 * np.triu(np.ones((20, 20)), 1), y)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((20, 20), np.nan), y)
    with pytest.raises(ValueError, match="19 features.*20 features"):
        model.fit(K, y).predict(K[:, :19])
    with pytest.raises(ValueError, match="no surface"):
        model.fit(K, y).surface([0.0, 1.0], [0.0, 1.0])


@each(MACHINES)
def test_row_49_kernel_function(machine):
    with pytest.raises(ValueError, match=r"must return shape \(20, 20\), got \(20,\)"):
        clone(machine).set_params(kernel=lambda X, Z: np.ones(len(X))).fit(X, y)
    with pytest.raises(ValueError, match="raised ZeroDivisionError"):
        clone(machine).set_params(kernel=lambda X, Z: 1 / 0).fit(X, y)
    with pytest.raises(ValueError, match="symmetric"):
        clone(machine).set_params(kernel=lambda X, Z: Gaussian()(X, Z) + 0.1 * X[:, :1]).fit(X, y)
    whole = clone(machine).set_params(kernel=whole_numbers).fit(X, y)
    exact = clone(machine).set_params(kernel=lambda X, Z: whole_numbers(X, Z).astype(float)).fit(X, y)
    np.testing.assert_array_equal(values(whole, X), values(exact, X))


def whole_numbers(X, Z):
    """Inner products of rounded points, as integers."""
    return (3 * X).astype(int) @ (3 * Z).astype(int).T


@each(MACHINES)
def test_row_50_quadratic_program(machine, monkeypatch):
    monkeypatch.setattr(cvxpy, "installed_solvers", lambda: [])
    with pytest.raises(ImportError, match="CLARABEL"):
        clone(machine).set_params(solver="qp").fit(X, y)


# ------------------------------------------------------------------ and more


@each(MACHINES)
def test_surface_needs_two_features(machine):
    with pytest.raises(ValueError, match="surface needs data with 2 features, got 1"):
        clone(machine).fit(X[:, :1], y).surface([0.0, 1.0], [0.0, 1.0])


@each(MACHINES)
def test_unknown_solver(machine):
    known = r"\['chunking', 'decomposition', 'qp', 'smo'\]"
    for solver in ("sgd", None, ["smo"]):
        with pytest.raises(ValueError, match=f"solver must be one of {known}, got"):
            clone(machine).set_params(solver=solver).fit(X, y)


def test_class_weight():
    with pytest.raises(ValueError, match="class_weight"):
        SVC(class_weight="ballanced").fit(X, y)
    for weight in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="class_weight must hold numbers > 0"):
            SVC(class_weight={1: weight}).fit(X, y)


def test_solvers_have_names():
    for solver in ("SMO", None, 1, ["smo"], np.array([1.0, 2.0])):
        with pytest.raises(ValueError, match="solver must be one of .*'smo'"):
            SVC(solver=solver).fit(X, y)


@each(MACHINES[:1] + REGRESSORS)
def test_row_26_a_C_that_overflows(machine):
    with pytest.raises(ValueError, match=r"C must be at most 1e\+100.* got "):
        clone(machine).set_params(C=1e300).fit(X, y)
