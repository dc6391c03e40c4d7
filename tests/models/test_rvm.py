"""Relevance vector machines beside the book's formulas with all N rows of data, and beside scikit-learn's customs."""

import pickle
import warnings

import numpy as np
import pytest
from scipy.special import expit, roots_hermitenorm, softmax
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from sparsekm_edu import datasets
from sparsekm_edu.kernels import ARD, Gaussian, Linear, LinearSpline, Polynomial
from sparsekm_edu.models.rvm import RVC, RVR

METHODS = ["sequential", "reestimate", "em"]
WIDTH_OF_7_9 = Gaussian(1 / (2 * 0.15**2))

X, CURVE = datasets.sinc(60, 0.1, "gaussian", seed=1)
NOISE = np.random.default_rng(5).normal(size=60)
GRID = np.linspace(-12, 12, 101)[:, None]
PLANE, CLASSES = datasets.ripley(100, seed=0)
SQUARE = np.random.default_rng(0).uniform(-1.5, 1.5, size=(300, 2))

# Some of the data below are wild on purpose; where a warning is due, the test asks for it by pytest.warns.
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def tanh(X, Z):
    """No Mercer kernel."""
    return np.tanh(0.5 * X @ Z.T - 1.0)


def one_sided(X, Z):
    """Not even symmetric: a basis function is a step at its point."""
    return (X[:, None, 0] >= Z[None, :, 0]).astype(float)


def columns(model, points, data):
    """Every basis function that `model` could choose from, k(x, x_n), then extra ones, then 1, at the points."""
    Phi = [model.kernel_(points, data)]
    if model.extra is not None:
        Phi.append(points if model.extra == "linear" else model.extra(points))
    if model.bias:
        Phi.append(np.ones((len(points), 1)))
    return np.hstack(Phi)


def predictive(model, data, t, points):
    """Mean and variance of (7.90) as those of a Gaussian process with covariance Phi A^{-1} Phi', from N x N matrices.

    This has all rows of data in it and no Sigma, so it shares nothing with (7.91) but the answer.
    """
    solution = model.solution_
    active, alpha, beta = solution.active, solution.alpha, solution.beta
    Phi, phi = (columns(model, where, data)[:, active] for where in (data, points))
    C = np.eye(len(data)) / beta + Phi / alpha[active] @ Phi.T
    cross = phi / alpha[active] @ Phi.T
    prior = np.einsum("nr,nr->n", phi / alpha[active], phi)
    return cross @ np.linalg.solve(C, t), 1 / beta + prior - np.einsum(
        "pn,np->p", cross, np.linalg.solve(C, cross.T)
    )


# ------------------------------------------------------------------ regression: what is fitted


@pytest.mark.parametrize("method", METHODS)
@quiet
def test_fitted_attributes_of_rvr(method):
    model = RVR(kernel=Gaussian(0.2), method=method)
    assert model.fit(X, CURVE) is model
    n = model.n_relevance_
    assert 0 < n < 20
    assert (model.relevance_.shape, model.coef_.shape) == ((n,), (n,))
    np.testing.assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    np.testing.assert_array_equal(model.relevance_, model.solution_.support[:n])
    r = model.solution_.active.sum()
    assert model.sigma_.shape == (r, r)
    np.testing.assert_array_equal(model.sigma_, model.solution_.Sigma)
    assert model.solution_.active.shape == (61,)
    assert model.beta_ == model.solution_.beta > 0
    assert model.log_evidence_ == model.solution_.log_evidence
    assert model.trace_ is model.solution_.trace
    assert len(model.trace_) > 1
    assert model.n_iter_ == model.solution_.n_iter >= 1
    assert model.converged_ == model.solution_.converged
    assert model.n_features_in_ == 1
    y = Gaussian(0.2)(GRID, X[model.relevance_]) @ model.coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(GRID), y, atol=1e-10)
    assert np.all(model.alpha_[np.isfinite(model.alpha_)] > 0)


@pytest.mark.parametrize(
    "model",
    [
        RVR(kernel=Gaussian(1.0)),
        RVR(kernel=Gaussian(0.1), bias=False),
        RVR(kernel=Gaussian(0.1), extra="linear"),
        RVR(kernel=LinearSpline()),
        RVR(kernel=Gaussian(0.1), method="reestimate"),
        RVR(kernel=Gaussian(0.1), beta=30.0),
    ],
    ids=repr,
)
def test_predictions_have_all_rows_of_data_in_them(model):
    """Mean and error bars by the formulas of a Gaussian process, N x N; noise included, (7.90)-(7.91)."""
    points = np.abs(X) if isinstance(model.kernel, LinearSpline) else X
    model.fit(points, CURVE)
    mean, std = model.predict(GRID, return_std=True)
    origin = CURVE.mean() if model.bias else 0.0
    expected, variance = predictive(model, points, CURVE - origin, GRID)
    np.testing.assert_allclose(mean, expected + origin, atol=1e-6)
    np.testing.assert_allclose(std, np.sqrt(variance), rtol=1e-6)
    np.testing.assert_array_equal(model.predict(GRID), mean)
    assert np.all(std >= model.beta_**-0.5)


def test_a_machine_that_keeps_only_the_relevance_rows_would_be_wrong():
    """The mistake of several public machines: Sigma and m again from the rows of the relevance vectors alone."""
    model = RVR(kernel=Gaussian(0.2), bias=False).fit(X, CURVE)
    mean, std = model.predict(GRID, return_std=True)
    vectors = model.relevance_vectors_
    Phi, phi = Gaussian(0.2)(vectors), Gaussian(0.2)(GRID, vectors)
    alpha = model.solution_.alpha[model.relevance_]
    wrong_Sigma = np.linalg.inv(np.diag(alpha) + model.beta_ * Phi.T @ Phi)
    wrong_mean = model.beta_ * phi @ wrong_Sigma @ Phi.T @ CURVE[model.relevance_]
    wrong_std = np.sqrt(1 / model.beta_ + np.einsum("nr,rs,ns->n", phi, wrong_Sigma, phi))
    near = np.abs(GRID[:, 0]) < 10
    assert np.abs(wrong_mean - mean)[near].max() > 0.05
    assert (wrong_std / std)[near].max() > 1.2


def test_error_bars_cover_the_targets():
    """Of fresh targets about 68 in 100 lie within one standard deviation."""
    data, t = datasets.sinc(200, 0.2, "gaussian", seed=3)
    fresh, fresh_t = datasets.sinc(1000, 0.2, "gaussian", seed=4)
    mean, std = RVR(kernel=Gaussian(0.2)).fit(data, t).predict(fresh, return_std=True)
    assert np.mean(np.abs(fresh_t - mean) < std) == pytest.approx(0.683, abs=0.05)
    assert np.mean(np.abs(fresh_t - mean) < 2 * std) == pytest.approx(0.954, abs=0.03)


def test_figure_7_9_three_relevance_vectors():
    points, t = datasets.sinusoid()
    for method in ("sequential", "reestimate"):
        model = RVR(kernel=WIDTH_OF_7_9, method=method, bias=False, extra="constant").fit(points, t)
        np.testing.assert_array_equal(model.relevance_, [2, 7, 9])
        assert len(model.coef_) == 3  # the constant has left
        assert (
            RVR(kernel=WIDTH_OF_7_9, method=method).fit(points, t).n_relevance_ == 3
        )  # with its own bias, too
        assert model.beta_ == pytest.approx(17.502, rel=2e-3)
        assert model.log_evidence_ == pytest.approx(-3.78758, abs=1e-4)


@quiet
def test_methods_agree_on_the_curve():
    found = {method: RVR(kernel=Gaussian(0.2), method=method).fit(X, CURVE) for method in METHODS}
    best = max(model.log_evidence_ for model in found.values())
    for model in found.values():
        assert model.log_evidence_ > best - 2.0
        np.testing.assert_allclose(model.predict(X), found["sequential"].predict(X), atol=0.05)


def test_noisy_sinc():
    """As good and as sparse as others: 7 vectors, root mean square error 0.045 on N = 100 with noise 0.1."""
    errors, vectors = [], []
    for seed in range(5):
        data, t = datasets.sinc(100, 0.1, "gaussian", seed)
        model = RVR(kernel=Gaussian(0.1)).fit(data, t)
        truth = np.sinc(data[:, 0] / np.pi)
        errors.append(np.sqrt(np.mean((model.predict(data) - truth) ** 2)))
        vectors.append(model.n_relevance_)
    assert np.median(errors) < 0.05
    assert np.median(vectors) <= 10


def test_learned_noise_is_the_noise():
    for noise in (0.05, 0.5):
        data, t = datasets.sinc(400, noise, "gaussian", seed=0)
        model = RVR(kernel=Gaussian(0.2)).fit(data, t)
        assert model.beta_**-0.5 == pytest.approx(noise, rel=0.08)


def test_fixed_noise():
    model = RVR(kernel=Gaussian(0.2), beta=100.0).fit(X, CURVE)
    assert model.beta_ == 100.0
    _, std = model.predict(
        [[1e3]], return_std=True
    )  # nothing but noise, and perhaps the constant, so far out
    assert std[0] >= 0.1
    assert RVR(kernel=Gaussian(0.2), beta=1.0).fit(X, CURVE).n_relevance_ < model.n_relevance_


# ------------------------------------------------------------------ regression: units


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("c", [2.0**-26, 2.0**13])
@quiet
def test_pitfall_16_targets_times_a_power_of_two_bit_by_bit(method, c):
    one, other = (RVR(kernel=Gaussian(0.2), method=method).fit(X, factor * CURVE) for factor in (1.0, c))
    (mean, std), (other_mean, other_std) = (model.predict(GRID, return_std=True) for model in (one, other))
    np.testing.assert_array_equal(other_mean, c * mean)
    np.testing.assert_allclose(other_std, c * std, rtol=1e-14)
    np.testing.assert_array_equal(other.relevance_, one.relevance_)
    assert other.beta_ * c**2 == one.beta_


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("c", [1e-8, 0.3, 1e8, -1.0])
@quiet
def test_pitfall_16_and_row_53_targets_in_any_unit(method, c):
    one, other = (RVR(kernel=Gaussian(0.2), method=method).fit(X, factor * CURVE) for factor in (1.0, c))
    (mean, std), (other_mean, other_std) = (model.predict(GRID, return_std=True) for model in (one, other))
    np.testing.assert_array_equal(other.relevance_, one.relevance_)
    np.testing.assert_allclose(other_mean / c, mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(other_std / abs(c), std, rtol=1e-9)
    np.testing.assert_allclose(other.beta_ * c**2, one.beta_, rtol=1e-9)
    assert other.log_evidence_ == pytest.approx(one.log_evidence_ - 60 * np.log(abs(c)), abs=1e-6)


def test_row_53_points_in_any_unit():
    one = RVR(kernel=Gaussian(0.2)).fit(X, CURVE)
    other = RVR(kernel=Gaussian(0.2e-12)).fit(1e6 * X, CURVE)
    np.testing.assert_array_equal(other.relevance_, one.relevance_)
    np.testing.assert_allclose(other.predict(1e6 * GRID), one.predict(GRID), atol=1e-6)


@pytest.mark.parametrize("offset", [1e2, -1e4, 1e6])
def test_row_53_targets_far_from_zero(offset):
    """The constant takes the offset; the curve on top of it is the same."""
    one = RVR(kernel=Gaussian(0.2)).fit(X, CURVE)
    other = RVR(kernel=Gaussian(0.2)).fit(X, CURVE + offset)
    truth = np.sinc(X[:, 0] / np.pi)
    rms, other_rms = (
        np.sqrt(np.mean((model.predict(X) - shift - truth) ** 2))
        for model, shift in ((one, 0.0), (other, offset))
    )
    assert other_rms < 1.5 * rms + 0.01
    assert other.beta_ == pytest.approx(one.beta_, rel=0.2)


def test_order_of_points_does_not_matter():
    order = np.random.default_rng(2).permutation(60)
    one = RVR(kernel=Gaussian(0.2)).fit(X, CURVE)
    other = RVR(kernel=Gaussian(0.2)).fit(X[order], CURVE[order])
    np.testing.assert_array_equal(np.sort(order[other.relevance_]), one.relevance_)
    np.testing.assert_allclose(other.predict(GRID), one.predict(GRID), atol=1e-5)


# ------------------------------------------------------------------ regression: unusual data


@pytest.mark.parametrize("method", METHODS)
def test_pitfall_17_and_row_52_noise_free(method):
    data, t = datasets.sinc(60)
    with pytest.warns(ConvergenceWarning, match="beta"):
        model = RVR(kernel=Gaussian(0.1), method=method).fit(data, t)
    assert model.beta_ <= 1.001e6 / t.var()
    mean, std = model.predict(data, return_std=True)
    assert np.abs(mean - t).max() < 0.01
    assert np.isfinite(std).all()
    assert model.n_relevance_ < 40


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [5.0, 0.0, -1e-8, 1e8])
def test_pitfall_15_and_row_51_constant_targets(method, value):
    with pytest.warns(UserWarning, match="constant|no basis function"):
        model = RVR(kernel=Gaussian(0.2), method=method).fit(X, np.full(60, value))
    mean, std = model.predict(X, return_std=True)
    np.testing.assert_allclose(mean, value, rtol=1e-3)
    assert np.isfinite(std).all()
    assert np.isfinite(model.log_evidence_)


def test_constant_targets_without_a_constant_column():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RVR(kernel=Gaussian(0.02), bias=False).fit(X, np.full(60, 5.0))
    assert np.isfinite(model.predict(GRID, return_std=True)).all()


@pytest.mark.parametrize("method", METHODS)
def test_pitfall_14_and_row_51_no_basis_function_is_needed(method):
    """Targets that jump up and down between neighbours: to wide kernels this is noise and nothing else."""
    data = np.linspace(-1, 1, 40)[:, None]
    jumps = np.tile([1.0, -1.0], 20)
    with pytest.warns(UserWarning, match="no (basis function|relevance vector)"):
        model = RVR(kernel=Gaussian(0.1), method=method).fit(data, jumps)
    assert model.n_relevance_ == 0
    assert model.relevance_vectors_.shape == (0, 1)
    assert (model.coef_.shape, model.relevance_.shape) == ((0,), (0,))
    mean, std = model.predict(data, return_std=True)
    np.testing.assert_allclose(mean, 0, atol=1e-9)
    np.testing.assert_allclose(std, 1.0, rtol=1e-3)
    with pytest.warns(UserWarning, match="no (basis function|relevance vector)"):
        raised = RVR(kernel=Gaussian(0.1), method=method).fit(data, 5 + jumps)
    assert raised.n_relevance_ == 0
    np.testing.assert_allclose(raised.predict(data), 5.0, rtol=1e-2)
    assert raised.intercept_ == pytest.approx(5.0, rel=1e-2)


@quiet
def test_row_51_pure_noise():
    for seed in range(5):
        t = np.random.default_rng(seed).normal(size=60)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model = RVR(kernel=Gaussian(0.2)).fit(X, t)
        mean, std = model.predict(GRID, return_std=True)
        assert np.isfinite(mean).all()
        assert np.all((std > 0.3) & (std < 3))
        assert model.n_relevance_ < 15


@pytest.mark.parametrize("method", METHODS)
def test_row_51_one_distinct_x(method):
    """The best that can be said is the mean."""
    t = CURVE[:20] + 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RVR(method=method).fit(np.full((20, 1), 3.0), t)
    mean, std = model.predict([[3.0]], return_std=True)
    assert mean[0] == pytest.approx(t.mean(), abs=0.05)
    assert std[0] == pytest.approx(t.std(), rel=0.2)


@pytest.mark.parametrize("method", METHODS)
@quiet
def test_row_52_duplicated_rows(method):
    model = RVR(kernel=Gaussian(0.2), method=method).fit(np.vstack([X, X]), np.tile(CURVE, 2))
    assert np.isfinite(model.predict(GRID, return_std=True)).all()
    truth = np.sinc(X[:, 0] / np.pi)
    assert np.sqrt(np.mean((model.predict(X) - truth) ** 2)) < 0.1


def test_two_points():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for t in ([0.0, 1.0], [1.0, 1.0], [-1.0, 1.0]):
            model = RVR().fit([[0.0], [1.0]], t)
            assert np.isfinite(model.predict(GRID, return_std=True)).all()


# ------------------------------------------------------------------ basis functions of any kind


def test_extra_linear_columns():
    """A line plus a bump: the line comes from the extra column, and goes on where the kernels have faded."""
    rng = np.random.default_rng(0)
    data = rng.uniform(-3, 3, size=(80, 1))
    t = 2 * data[:, 0] + np.exp(-4 * data[:, 0] ** 2) + 0.05 * rng.normal(size=80)
    model = RVR(kernel=Gaussian(4.0), extra="linear").fit(data, t)
    assert len(model.coef_) == model.n_relevance_ + 1
    assert model.coef_[-1] == pytest.approx(2.0, abs=0.05)
    assert model.predict([[30.0]])[0] == pytest.approx(60, abs=1.5)
    assert np.all(model.relevance_ < 80)
    assert model.n_relevance_ < RVR(kernel=Gaussian(4.0)).fit(data, t).n_relevance_
    r = model.solution_.active.sum()
    assert model.sigma_.shape == (r, r)


def test_extra_quadratic_columns_and_functions():
    rng = np.random.default_rng(1)
    data = rng.uniform(-2, 2, size=(60, 2))
    t = data[:, 0] * data[:, 1] + 0.1 * rng.normal(size=60)
    products = RVR(kernel=Gaussian(2.0), extra="quadratic").fit(data, t)
    written = RVR(kernel=Gaussian(2.0), extra=product).fit(data, t)
    far = np.array([[5.0, 4.0], [-3.0, 6.0]])
    np.testing.assert_allclose(products.predict(far), [20.0, -18.0], rtol=0.05)
    np.testing.assert_allclose(written.predict(far), [20.0, -18.0], rtol=0.05)


def product(X):
    return X[:, :1] * X[:, 1:2]


def test_extra_must_make_sense():
    with pytest.raises(ValueError, match="extra must be None, a function or one of .*got 'cubic'"):
        RVR(extra="cubic").fit(X, CURVE)
    with pytest.raises(ValueError, match="extra must return finite numbers"):
        RVC(extra=lambda X: X[:, 0]).fit(PLANE, CLASSES)
    with pytest.raises(ValueError, match="extra must be None for kernel='precomputed'"):
        RVR(kernel="precomputed", extra="linear").fit(Gaussian()(X), CURVE)


@pytest.mark.parametrize("kernel", [tanh, one_sided], ids=["tanh", "one-sided"])
def test_kernels_need_not_be_mercers(kernel):
    data = X / 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # one-sided kernels follow every point: no noise is left
        model = RVR(kernel=kernel).fit(data, np.sign(data[:, 0]) + 0.3 * NOISE)
    np.testing.assert_allclose(
        model.predict(GRID),
        kernel(GRID, model.relevance_vectors_) @ model.coef_ + model.intercept_,
        atol=1e-10,
    )
    assert model.score(data, np.sign(data[:, 0])) > 0.8
    assert RVC(kernel=kernel).fit(data, np.sign(data[:, 0])).score(data, np.sign(data[:, 0])) > 0.9


@pytest.mark.parametrize("bias", [True, False])
def test_precomputed_equals_the_kernel(bias):
    direct = RVR(kernel=Gaussian(0.2), bias=bias).fit(X, CURVE)
    computed = RVR(kernel="precomputed", bias=bias).fit(Gaussian(0.2)(X), CURVE)
    np.testing.assert_array_equal(computed.relevance_, direct.relevance_)
    for ours, theirs in zip(
        computed.predict(Gaussian(0.2)(GRID, X), return_std=True), direct.predict(GRID, return_std=True)
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)
    assert get_tags(computed).input_tags.pairwise
    probabilities = RVC(kernel="precomputed", bias=bias).fit(Gaussian(2.0)(PLANE), CLASSES)
    np.testing.assert_allclose(
        probabilities.predict_proba(Gaussian(2.0)(SQUARE, PLANE)),
        RVC(kernel=Gaussian(2.0), bias=bias).fit(PLANE, CLASSES).predict_proba(SQUARE),
        atol=1e-6,
    )


def test_without_bias_there_is_no_constant():
    model = RVR(kernel=Gaussian(0.2), bias=False).fit(X, CURVE + 3)
    assert model.intercept_ == 0
    assert model.predict([[1e3]])[0] == pytest.approx(0, abs=1e-12)
    assert RVR(kernel=Gaussian(0.2)).fit(X, CURVE + 3).predict([[1e3]])[0] > 2
    assert RVC(kernel=Gaussian(2.0), bias=False).fit(PLANE, CLASSES).intercept_ == 0


# ------------------------------------------------------------------ two classes


@pytest.mark.parametrize("method", METHODS)
@quiet
def test_fitted_attributes_of_rvc(method):
    model = RVC(kernel=Gaussian(4.0), method=method, max_iter=100)
    assert model.fit(PLANE, CLASSES) is model
    n = model.n_relevance_
    assert 0 < n <= (100 if method == "em" else 15)
    np.testing.assert_array_equal(model.classes_, [-1, 1])
    np.testing.assert_array_equal(model.relevance_vectors_, PLANE[model.relevance_])
    assert model.relevance_.shape == (n,)
    r = model.solution_.active.sum()
    assert model.sigma_.shape == (r, r)
    assert model.log_evidence_ == model.solution_.log_evidence < 0
    assert model.n_iter_ >= 1
    assert model.score(PLANE, CLASSES) > 0.85


def linear_predictor(model, data, points):
    """Mean and variance of a = w' phi(x), from Laplace's approximation made afresh at the weights found."""
    solution = model.solution_
    active, alpha = solution.active, solution.alpha[solution.active]
    Phi, phi = (columns(model, where, data)[:, active] for where in (data, points))
    y = expit(Phi @ solution.m)
    t = (CLASSES > 0).astype(float)
    np.testing.assert_allclose(Phi.T @ (t - y), alpha * solution.m, atol=1e-5)  # (7.110) = 0
    Sigma = np.linalg.inv(Phi.T @ ((y * (1 - y))[:, None] * Phi) + np.diag(alpha))  # (7.113)
    return phi @ solution.m, np.einsum("nr,rs,ns->n", phi, Sigma, phi)


@pytest.mark.parametrize(
    "model", [RVC(kernel=Gaussian(4.0)), RVC(kernel=Gaussian(2.0), extra="linear", bias=False)], ids=repr
)
def test_probabilities(model):
    """Plug-in: sigmoid of the mean. Averaged: the probit formula, near the integral over all weights."""
    a, variance = linear_predictor(clone(model).fit(PLANE, CLASSES), PLANE, SQUARE)
    averaged = clone(model).fit(PLANE, CLASSES).predict_proba(SQUARE)
    plug_in = clone(model).set_params(probability="plug-in").fit(PLANE, CLASSES).predict_proba(SQUARE)
    np.testing.assert_allclose(plug_in[:, 1], expit(a), atol=1e-6)
    np.testing.assert_allclose(averaged[:, 1], expit(a / np.sqrt(1 + np.pi * variance / 8)), atol=1e-6)
    nodes, weights = roots_hermitenorm(80)
    exact = expit(a[:, None] + np.sqrt(variance)[:, None] * nodes) @ weights / weights.sum()
    np.testing.assert_allclose(averaged[:, 1], exact, atol=0.03)
    for p in (averaged, plug_in):
        assert p.shape == (300, 2)
        np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
        assert np.all((p >= 0) & (p <= 1))


def test_averaged_probabilities_are_more_careful():
    averaged = RVC(kernel=Gaussian(4.0)).fit(PLANE, CLASSES)
    plug_in = RVC(kernel=Gaussian(4.0), probability="plug-in").fit(PLANE, CLASSES)
    careful, bold = (np.abs(model.predict_proba(SQUARE)[:, 1] - 0.5) for model in (averaged, plug_in))
    assert np.all(careful <= bold + 1e-12)
    assert np.mean(careful < bold) > 0.95
    assert np.max(bold - careful) > 0.02
    np.testing.assert_array_equal(averaged.predict(SQUARE), plug_in.predict(SQUARE))


def test_predict_takes_the_more_probable_class():
    for labels in (CLASSES, np.where(CLASSES > 0, "yes", "no")):
        model = RVC(kernel=Gaussian(4.0)).fit(PLANE, labels)
        p = model.predict_proba(SQUARE)
        np.testing.assert_array_equal(model.predict(SQUARE), model.classes_[p.argmax(axis=1)])


def test_classes_change_places():
    one = RVC(kernel=Gaussian(4.0)).fit(PLANE, CLASSES)
    other = RVC(kernel=Gaussian(4.0)).fit(PLANE, -CLASSES)
    np.testing.assert_array_equal(other.relevance_, one.relevance_)
    np.testing.assert_allclose(other.predict_proba(SQUARE)[:, ::-1], one.predict_proba(SQUARE), atol=1e-6)


def test_ripley():
    """Tipping (2001) found 4 vectors and 9.3 % errors, on one draw; no classifier can be below about 8 %."""
    test, labels = datasets.ripley(2000, seed=99)
    vectors, errors = [], []
    for seed in range(5):
        model = RVC(kernel=Gaussian(4.0)).fit(
            *datasets.ripley(100, seed)
        )  # width 0.5: exp(-|x - z|^2 / 0.5^2)
        vectors.append(model.n_relevance_)
        errors.append(1 - model.score(test, labels))
    assert 3 <= np.median(vectors) <= 5
    assert 0.075 < np.median(errors) < 0.115


@quiet
def test_methods_agree_on_the_classes():
    found = {method: RVC(kernel=Gaussian(4.0), method=method, max_iter=200) for method in METHODS}
    found = {method: model.fit(PLANE, CLASSES) for method, model in found.items()}
    best = max(model.log_evidence_ for model in found.values())
    for method, model in found.items():
        assert model.log_evidence_ > best - 2.0, method
        same = model.predict(SQUARE) == found["sequential"].predict(SQUARE)
        assert (
            same.mean() > 0.8
        )  # they are different maxima of the evidence, and differ where there are no data


def brief(method):
    """EM crawls: 50 steps show that it works."""
    return {"method": method, "max_iter": 50} if method == "em" else {"method": method}


def separable_labels():
    return np.where(PLANE[:, 0] > 0, 1, -1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "labels",
    [
        separable_labels(),
        np.where(np.arange(100) == 7, 1, -1),
        np.random.default_rng(3).choice([-1, 1], size=100),
    ],
    ids=["separable", "one against 99", "random"],
)
@pytest.mark.filterwarnings("ignore")  # a warning may be due, and none must become an error
def test_row_55_wild_labels(method, labels):
    model = RVC(kernel=Gaussian(4.0), **brief(method)).fit(PLANE, labels)
    p = model.predict_proba(SQUARE)
    assert np.isfinite(p).all()
    assert np.all((p >= 0) & (p <= 1))
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
    assert set(model.predict(SQUARE)) <= {-1, 1}
    assert np.isfinite(model.log_evidence_)


@pytest.mark.filterwarnings("ignore")
def test_row_55_what_wild_labels_teach():
    assert RVC(kernel="linear").fit(PLANE, separable_labels()).score(PLANE, separable_labels()) > 0.95
    rare = np.where(np.arange(80) == 7, 1, -1)
    p = RVC(kernel=Gaussian(4.0)).fit(PLANE[:80], rare).predict_proba(PLANE[:80])[:, 1]
    assert np.delete(p, 7).max() < 0.5
    chance = np.random.default_rng(77).choice([-1, 1], size=100)
    p = RVC(kernel=Gaussian(0.5)).fit(PLANE, chance).predict_proba(PLANE)[:, 1]
    assert np.abs(p - 0.5).mean() < 0.2  # little is learned where there is little to learn


def test_pitfall_19_separable_and_linear():
    """Without a prior the weights would run away; the evidence gives them one."""
    data = np.linspace(-1, 1, 20)[:, None]
    labels = (data[:, 0] > 0).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RVC(kernel=Linear()).fit(data, labels)
    assert model.score(data, labels) == 1
    assert np.abs(model.coef_).max() < 1e4
    p = model.predict_proba(data)
    assert np.all((p >= 0) & (p <= 1))


def test_random_labels_may_need_no_basis_function():
    """Labels that alternate between neighbours, and wide kernels: probability one half everywhere."""
    data = np.linspace(-1, 1, 40)[:, None]
    labels = np.tile([0, 1], 20)
    with pytest.warns(UserWarning, match="no (basis function|relevance vector)"):
        model = RVC(kernel=Gaussian(0.1)).fit(data, labels)
    assert model.n_relevance_ == 0
    np.testing.assert_allclose(model.predict_proba(data), 0.5, atol=1e-6)
    assert set(model.predict(data)) <= {0, 1}


# ------------------------------------------------------------------ many classes

SHAPE, KINDS = datasets.three_classes(60)


@pytest.mark.parametrize("method", METHODS)
@quiet
def test_three_classes(method):
    budget = {} if method == "sequential" else {"max_iter": 60}  # Hessians of 183 x 183, one for every step
    model = RVC(kernel=Gaussian(0.5), method=method, **budget).fit(SHAPE, KINDS)
    p = model.predict_proba(SQUARE)
    assert p.shape == (300, 3)
    assert np.all((p >= 0) & (p <= 1))
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(model.predict(SQUARE), model.classes_[p.argmax(axis=1)])
    assert model.score(SHAPE, KINDS) > 0.85
    assert 0 < model.n_relevance_ <= (60 if method == "em" else 30)  # EM fades slowly
    np.testing.assert_array_equal(model.relevance_vectors_, SHAPE[model.relevance_])
    assert np.isfinite(model.log_evidence_)


def test_softmax_probabilities():
    """Plug-in is the softmax of K linear models; averaged is more careful on average."""
    model = RVC(kernel=Gaussian(0.5), probability="plug-in").fit(SHAPE, KINDS)
    solution = model.solution_
    assert solution.alpha.shape == (61, 3)
    W = np.zeros((61, 3))
    W[solution.active] = solution.m
    a = columns(model, SQUARE, SHAPE) @ W
    bold = model.predict_proba(SQUARE)
    np.testing.assert_allclose(bold, softmax(a, axis=1), atol=1e-8)
    careful = RVC(kernel=Gaussian(0.5)).fit(SHAPE, KINDS).predict_proba(SQUARE)

    def entropy(p):
        return -np.sum(p * np.log(np.maximum(p, 1e-300)), axis=1)

    assert entropy(careful).mean() > entropy(bold).mean()
    assert np.mean(careful.argmax(axis=1) == bold.argmax(axis=1)) > 0.95


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("probability", ["averaged", "plug-in"])
def test_three_classes_far_apart(probability):
    """Probabilities next to 0 and 1, and their logarithms, stay finite; 1e3 away from the data, too."""
    rng = np.random.default_rng(1)
    kinds = np.arange(45) % 3
    data = 10.0 * np.array([[0, 1], [1, -1], [-1, -1]])[kinds] + 0.1 * rng.normal(size=(45, 2))
    for kernel in ("linear", Gaussian(0.05)):
        model = RVC(kernel=kernel, probability=probability, max_iter=300).fit(data, kinds)
        assert model.score(data, kinds) == 1
        for points in (data, 1e3 * data):
            p = model.predict_proba(points)
            assert np.all((p >= 0) & (p <= 1))
            np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-9)
            assert not np.isnan(model.decision_function(points)).any()


def test_names_of_many_classes():
    names = np.array(["ant", "bee", "cat"])[KINDS.astype(int)]
    model = RVC(kernel=Gaussian(0.5)).fit(SHAPE, names)
    np.testing.assert_array_equal(model.classes_, ["ant", "bee", "cat"])
    numbered = RVC(kernel=Gaussian(0.5)).fit(SHAPE, KINDS)
    np.testing.assert_array_equal(model.predict_proba(SQUARE), numbered.predict_proba(SQUARE))
    assert model.predict(SQUARE).dtype == names.dtype


# ------------------------------------------------------------------ as estimators


@pytest.mark.parametrize("machine", [RVR(kernel=Gaussian(0.2)), RVC(kernel=Gaussian(4.0))], ids=repr)
def test_clone_pickle_and_fit_again(machine):
    data, t = (X, CURVE) if isinstance(machine, RVR) else (PLANE, CLASSES)
    data_before, t_before = data.copy(), t.copy()
    parameters = clone(machine).get_params()
    model = clone(machine).fit(data, t)
    answer = model.predict(data)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(data), answer)
    assert not hasattr(clone(model), "coef_")
    again = model.fit(data, t)
    np.testing.assert_array_equal(again.predict(data), answer)
    other = model.fit(data[::2], t[::2]).fit(data, t)  # nothing is left of what was fitted between
    np.testing.assert_array_equal(other.predict(data), answer)
    assert str(machine.get_params()) == str(parameters)
    np.testing.assert_array_equal(data, data_before)
    np.testing.assert_array_equal(t, t_before)


def test_the_kernel_is_remembered_as_it_was():
    kernel = Gaussian(0.2)
    model = RVR(kernel=kernel).fit(X, CURVE)
    before = model.predict(GRID)
    kernel.gamma = 50.0
    np.testing.assert_array_equal(model.predict(GRID), before)


@pytest.mark.filterwarnings("ignore")  # of folds and widths that leave nothing but noise
def test_pipeline_and_search():
    search = GridSearchCV(RVR(kernel=Gaussian()), {"kernel__gamma": [1e-4, 0.2, 100.0]}, cv=4)
    order = np.random.default_rng(0).permutation(60)
    assert search.fit(X[order], CURVE[order]).best_params_ == {"kernel__gamma": 0.2}
    search = GridSearchCV(RVC(kernel=Gaussian()), {"kernel__gamma": [1e-4, 4.0, 1e5]}, cv=4)
    assert search.fit(PLANE, CLASSES).best_params_ == {"kernel__gamma": 4.0}
    assert cross_val_score(make_pipeline(StandardScaler(), RVC()), PLANE, CLASSES, cv=4).mean() > 0.75


def test_kernels_can_be_named_or_written():
    expected = RVR(kernel=Gaussian("scale")).fit(X, CURVE).predict(GRID)
    for kernel in (None, "gaussian", "rbf"):
        np.testing.assert_array_equal(RVR(kernel=kernel).fit(X, CURVE).predict(GRID), expected)
    for kernel in (Polynomial(3), Gaussian(0.2) + 0.5 * Gaussian(2.0), ARD([20.0]), LinearSpline()):
        rising = X[:, 0] / 10 + CURVE  # for all of them; a sinc is not for polynomials
        assert RVR(kernel=kernel).fit(X / 10, rising).score(X / 10, rising) > 0.5


def test_no_warning_on_good_problems():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RVR(kernel=Gaussian(0.2)).fit(X, CURVE)
        RVR(kernel=Gaussian(0.2), method="reestimate").fit(X, CURVE)
        RVC(kernel=Gaussian(4.0)).fit(PLANE, CLASSES)
        RVC(kernel=Gaussian(4.0), method="reestimate").fit(PLANE, CLASSES)
        RVC(kernel=Gaussian(0.5)).fit(SHAPE, KINDS)


def test_surface_is_the_machine_on_a_grid():
    x1, x2 = np.linspace(-1, 1, 13), np.linspace(-0.5, 1, 7)
    points = np.array([[p, q] for q in x2 for p in x1])
    two, three = RVC(kernel=Gaussian(4.0)).fit(PLANE, CLASSES), RVC(kernel=Gaussian(0.5)).fit(SHAPE, KINDS)
    np.testing.assert_array_equal(two.surface(x1, x2), two.decision_function(points).reshape(7, 13))
    surface = three.surface(x1, x2)
    assert surface.shape == (3, 7, 13)
    for k in range(3):
        np.testing.assert_array_equal(surface[k], three.decision_function(points)[:, k].reshape(7, 13))
    heights = RVR(kernel=Gaussian(1.0)).fit(PLANE, PLANE.sum(axis=1))
    np.testing.assert_array_equal(heights.surface(x1, x2), heights.predict(points).reshape(7, 13))
    with pytest.raises(ValueError, match="surface needs data with 2 features, got 1"):
        RVR(kernel=Gaussian(0.2)).fit(X, CURVE).surface(x1, x2)
    with pytest.raises(ValueError, match="no surface"):
        RVC(kernel="precomputed").fit(Gaussian(4.0)(PLANE), CLASSES).surface(x1, x2)
