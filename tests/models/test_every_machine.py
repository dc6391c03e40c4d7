"""What all support vector machines have in common: symmetries, weights, solvers, kernels, and scikit-learn's ways."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_outlier_detector, is_regressor
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.models import SVC, SVDD, SVR, NuSVC, NuSVR, OneClassSVM, base
from sparsekm_edu.solvers import smo

rng = np.random.default_rng(5)
N = 61  # no nu below makes nu N/2 a whole number: then some multipliers lie between the walls, and b is unique
X = rng.uniform(-3, 3, size=(N, 2))
T = np.where(np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.4 * rng.normal(size=N) > 0, 1, -1)
CURVE = np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.2 * rng.normal(size=N)
GRID = rng.uniform(-3, 3, size=(200, 2))
WEIGHT = rng.integers(0, 4, size=N)

KERNEL = Gaussian(gamma=1.0)
MACHINES = [
    SVC(C=2.0, kernel=KERNEL),
    NuSVC(nu=0.35, kernel=KERNEL),
    SVR(kernel=KERNEL),
    NuSVR(nu=0.35, kernel=KERNEL),
    OneClassSVM(nu=0.25, kernel=KERNEL),
    SVDD(nu=0.25, kernel=KERNEL),
]
every_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)


def fitted(machine, X=X, T=T, curve=CURVE, weight=None, solver="smo", **parameters):
    tol = (
        1e-9 if solver == "smo" else 1e-6 if solver in base.ROW_BY_ROW else 1e-3
    )  # qp always does what it can
    model = clone(machine).set_params(solver=solver, tol=tol, **parameters)
    model.fit(X, T if is_classifier(model) else curve, sample_weight=weight)
    assert model.converged_
    assert model.kkt_violation_ <= tol
    return model


def values(model, X=GRID):
    return model.predict(X) if is_regressor(model) else model.decision_function(X)


# ------------------------------------------------------------------ one answer


@every_machine
@pytest.mark.parametrize("kernel", [Gaussian(0.5), Linear(), Polynomial(2)], ids=repr)
def test_qp_equals_smo(machine, kernel):
    by_pairs, by_qp = (fitted(machine, kernel=kernel, solver=solver) for solver in ("smo", "qp"))
    size = 1.0 + np.abs(values(by_pairs)).max()
    np.testing.assert_allclose(values(by_qp), values(by_pairs), atol=1e-6 * size)
    np.testing.assert_allclose(by_qp.solution_.objective, by_pairs.solution_.objective, rtol=1e-7, atol=1e-9)


@every_machine
@pytest.mark.parametrize("solver", ["chunking", "decomposition"])
def test_other_solvers_equal_smo(machine, solver):
    other = fitted(machine, solver=solver)
    np.testing.assert_allclose(values(other), values(fitted(machine)), atol=1e-5)


@every_machine
def test_chunking_computes_only_the_rows_it_needs(machine):
    computed = []

    class Watched(Gaussian):
        def __call__(self, X, Z=None):
            computed.append((len(X), Z is None))
            return super().__call__(X, Z)

    fitted(machine, kernel=Watched())
    assert computed == [(N, True)]  # smo: the whole matrix at once
    computed.clear()
    fitted(machine, kernel=Watched(), solver="chunking")
    assert not any(whole for _, whole in computed)
    assert sum(rows for rows, _ in computed) <= N


# ------------------------------------------------------------------ symmetries


@every_machine
def test_permutation(machine):
    order = rng.permutation(N)
    moved = fitted(machine, X[order], T[order], CURVE[order])
    np.testing.assert_allclose(values(moved), values(fitted(machine)), atol=1e-8)


@every_machine
def test_rotation_and_shift(machine):
    R = np.array([[np.cos(1.0), -np.sin(1.0)], [np.sin(1.0), np.cos(1.0)]])
    shift = np.array([30.0, -7.0])
    moved = fitted(machine, X @ R.T + shift)
    np.testing.assert_allclose(values(moved, GRID @ R.T + shift), values(fitted(machine)), atol=1e-8)


@pytest.mark.parametrize("machine", MACHINES[:4], ids=lambda machine: type(machine).__name__)
def test_sign_flip(machine):
    """y -> -y: the classes change places, or the curve is turned upside down."""
    np.testing.assert_allclose(
        values(fitted(machine, T=-T, curve=-CURVE)), -values(fitted(machine)), atol=1e-8
    )


@every_machine
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_weight_k_is_k_copies(machine, solver):
    """Interior points end a little off the walls, which costs qp some digits."""
    weighted = fitted(machine, weight=WEIGHT, solver=solver)
    copies = fitted(
        machine,
        np.repeat(X, WEIGHT, axis=0),
        np.repeat(T, WEIGHT),
        np.repeat(CURVE, WEIGHT),
        solver=solver,
    )
    np.testing.assert_allclose(values(weighted), values(copies), atol=1e-8 if solver == "smo" else 1e-5)
    assert np.all(WEIGHT[weighted.support_] > 0)


@every_machine
def test_fractional_weights_need_no_unit(machine):
    """For the machines with nu only the ratio of weights counts, for those with C the product C w."""
    weight = rng.uniform(0.1, 2.0, size=N)
    same = {"C": machine.C / 10.0} if hasattr(machine, "C") else {}
    np.testing.assert_allclose(
        values(fitted(machine, weight=10 * weight, **same))
        / (1.0 if not isinstance(machine, OneClassSVM) else 10.0),
        values(fitted(machine, weight=weight)),
        atol=1e-8,
    )


@every_machine
def test_only_support_vectors_matter(machine):
    """Without the others, nu is a fraction of fewer points."""
    model = fitted(machine)
    kept = model.support_
    assert len(kept) < N
    nu = {"nu": machine.nu * N / len(kept)} if hasattr(machine, "nu") else {}
    few = fitted(machine, X[kept], T[kept], CURVE[kept], **nu)
    np.testing.assert_allclose(values(few), values(model), atol=1e-8)


@every_machine
def test_pitfall_12_duplicates(machine):
    """Copies of points make K singular, and the multipliers ambiguous, but not y(x)."""
    twice = fitted(machine, np.vstack([X, X]), np.tile(T, 2), np.tile(CURVE, 2))
    weighted = fitted(machine, weight=np.full(N, 2.0))
    np.testing.assert_allclose(values(twice), values(weighted), atol=1e-8)


# ------------------------------------------------------------------ kernels


@every_machine
def test_kernels_can_be_named_or_written(machine):
    expected = values(fitted(machine, kernel=Gaussian("scale")))
    for kernel in (None, "gaussian", "rbf"):
        np.testing.assert_array_equal(values(fitted(machine, kernel=kernel)), expected)
    np.testing.assert_array_equal(
        values(fitted(machine, kernel="poly")), values(fitted(machine, kernel=Polynomial(2)))
    )
    written, known = fitted(machine, kernel=gaussian), fitted(machine, kernel=Gaussian(1.0))
    np.testing.assert_allclose(values(written), values(known), atol=1e-8)
    x1, x2 = np.linspace(-3, 3, 5), np.linspace(-2, 2, 4)
    np.testing.assert_allclose(written.surface(x1, x2), known.surface(x1, x2), atol=1e-8)


def gaussian(X, Z):
    return np.exp(-((X[:, None] - Z) ** 2).sum(axis=2))


@pytest.mark.parametrize("machine", MACHINES[:5], ids=lambda machine: type(machine).__name__)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_precomputed_equals_the_kernel(machine, weight):
    K = Gaussian()(X)
    before = K.copy()
    computed = fitted(machine, K, kernel="precomputed", weight=weight)
    direct = fitted(machine, weight=weight)
    np.testing.assert_array_equal(computed.support_, direct.support_)
    np.testing.assert_allclose(values(computed, Gaussian()(GRID, X)), values(direct), atol=1e-8)
    np.testing.assert_array_equal(K, before)
    assert computed.support_vectors_.shape == (0, 0)
    assert get_tags(computed).input_tags.pairwise
    assert not get_tags(direct).input_tags.pairwise


@every_machine
def test_surface_is_the_machine_on_a_grid(machine):
    x1, x2 = np.linspace(-3, 3, 13), np.linspace(-2, 2, 7)
    points = np.array([[p, q] for q in x2 for p in x1])
    for kernel in (Linear(), Polynomial(3), Gaussian(0.7), Linear() + 2.0 * Gaussian(0.5), laplacian_kernel):
        model = fitted(machine, kernel=kernel)
        np.testing.assert_allclose(
            model.surface(x1, x2), values(model, points).reshape(7, 13), rtol=1e-9, atol=1e-9
        )


def sigmoid(X, Z):
    return np.tanh(X @ Z.T - 1.0)


@pytest.mark.filterwarnings("ignore:rho =")
@every_machine
def test_pitfall_7_and_row_45_kernels_that_are_not_mercer(machine):
    """tanh(x'z - 1) is no inner product: SMO finds some optimum and says so, the QP solver refuses."""
    model = clone(machine).set_params(kernel=sigmoid)
    y = T if is_classifier(model) else CURVE
    with pytest.warns(UserWarning, match="not positive semi-definite"):
        model.fit(X, y)
    assert np.isfinite(values(model)).all()
    assert np.isfinite(model.kkt_violation_)
    with pytest.raises(ValueError, match="smallest eigenvalue of -"):
        model.set_params(solver="qp").fit(X, y)


# ------------------------------------------------------------------ as estimators


@every_machine
def test_pickle_and_clone(machine):
    model = fitted(machine, kernel=Linear() + Gaussian(0.5))
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(values(copy), values(model))
    assert not hasattr(clone(model), "support_")
    assert repr(clone(model)) == repr(model)


@every_machine
def test_fitting_leaves_parameters_alone_and_remembers_the_kernel(machine):
    kernel = Gaussian(1.0)
    model = clone(machine).set_params(kernel=kernel)
    kernel = model.kernel
    before = model.get_params()
    y = T if is_classifier(model) else CURVE
    expected = values(model.fit(X, y))
    assert model.get_params() == before
    assert model.kernel is kernel
    model.set_params(kernel__gamma=50.0)
    np.testing.assert_array_equal(values(model), expected)
    assert not np.allclose(values(model.fit(X, y)), expected)


@every_machine
def test_pipelines_and_grid_search(machine):
    pipeline = make_pipeline(StandardScaler(), clone(machine).set_params(kernel=Gaussian()))
    name = type(machine).__name__.lower()
    score = inside if is_outlier_detector(machine) else None
    gammas = [200.0, 0.5]
    search = GridSearchCV(
        pipeline, {f"{name}__kernel__gamma": gammas}, cv=3, scoring=score, error_score="raise"
    )
    search.fit(X, T if is_classifier(machine) else CURVE)
    assert search.best_params_ == {f"{name}__kernel__gamma": 0.5}


def inside(model, X, y=None):
    """How many of the points that were kept back look familiar."""
    return np.mean(model.predict(X) == 1)


@every_machine
def test_fitted_attributes(machine):
    model = fitted(machine)
    S = len(model.support_)
    assert 0 < S < N
    assert np.all(np.diff(model.support_) > 0)
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    assert model.dual_coef_.shape == (1, S)
    assert np.all(model.dual_coef_ != 0)
    assert model.intercept_.shape == (1,)
    assert isinstance(model.n_iter_, int)
    assert model.n_iter_ >= 1
    assert model.n_features_in_ == 2
    assert model.converged_ is True
    assert len(model.solution_.v) == N
    assert get_tags(model).target_tags.required == (not is_outlier_detector(model))


@every_machine
def test_pitfall_3_the_kkt_gap_is_recomputed_from_scratch(machine, monkeypatch):
    """What a solver says of itself is not believed."""
    y = T if is_classifier(machine) else CURVE

    def boaster(problem, tol, max_iter):
        honest = smo(problem, tol=tol, max_iter=max_iter)
        wrong = {"v": np.roll(honest.v, 1), "converged": True}
        if honest.a_hat is not None:
            wrong["a_hat"] = np.roll(honest.a_hat, 1)
        return replace(honest, **wrong)

    monkeypatch.setitem(base.SOLVERS, "smo", boaster)
    assert clone(machine).fit(X, y).kkt_violation_ > 1e-2


def test_a_machine_is_written_with_its_kernel_as_one_would_type_it():
    kernel = Linear() + 2.0 * Gaussian(gamma=0.5)
    assert repr(SVC()) == "SVC()"
    assert repr(SVC(C=3.0, kernel=Gaussian(gamma=0.5))) == "SVC(C=3.0, kernel=Gaussian(gamma=0.5))"
    machine = SVC(C=3.0, kernel=kernel)
    assert repr(machine) == f"SVC(C=3.0, kernel={kernel!r})" == repr(clone(machine))
    assert "(('kernel'" not in repr(make_pipeline(StandardScaler(), machine))


@every_machine
def test_good_input_is_quiet(machine):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solver in ("smo", "qp"):
            values(fitted(machine, solver=solver))
