"""Bad input that only support vector machines know; what all machines refuse is in test_bad_input.py.

"pitfall" is a row of the table of failures seen in the field, "row" one of the catalogue of bad input. Not here:
  - tested with the machine they concern: pitfalls 4 and 5 and row 33 in test_nu_svc.py; row 35 in test_svr.py; rows 36,
    37, 38 and the spheres' part of 48 in test_novelty.py; pitfalls 3, 7 and 12 and row 45 in test_every_machine.py;
  - tested with the solvers: pitfalls 8, 9 and 23.
"""

import warnings

import cvxpy
import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_outlier_detector, is_regressor
from sklearn.exceptions import ConvergenceWarning

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
def test_pitfall_11_a_point_without_weight_is_no_point(machine):
    weight = np.where(np.arange(20) < 15, 1.0, 0.0)
    spoilt = np.where(weight[:, None] > 0, X, 1e100)
    model = clone(machine).fit(spoilt, y, sample_weight=weight)
    np.testing.assert_allclose(values(model, X), values(clone(machine).fit(X[:15], y[:15]), X), atol=1e-10)


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
    with (
        np.errstate(over="ignore"),
        pytest.raises(ValueError, match=r"kernel = Linear\(\) \* Linear\(\) overflows"),
    ):
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
