"""Bad input that only relevance vector machines know; what all machines refuse is in test_bad_input.py.

"row" is a row of the catalogue of bad input. Not here: pitfalls 13 and 18, and rows 29, 30, 54 and 56 for the solvers,
are in test_sequential.py; pitfalls 14-17 and 19, and rows 51, 52, 53 and 55, in test_rvm.py.
"""

import warnings

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.models.rvm import RVC, RVR

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 2))
y = np.where(X[:, 0] + 0.7 * rng.normal(size=30) > 0, 1, -1)  # labels, and targets of regression

MACHINES = [RVR(), RVC(), RVR(method="reestimate"), RVC(method="reestimate"), RVR(method="em")]
ONE_OF_EACH = MACHINES[:2]


def each(machines=MACHINES):
    return pytest.mark.parametrize("machine", machines, ids=repr)


def values(model, X):
    return model.predict_proba(X)[:, 1] if is_classifier(model) else model.predict(X)


def quietly(fit, *args):
    """Fit without warnings, where others than the one under test may be due."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(*args)


# ------------------------------------------------------------------ y


def test_targets_of_words_are_no_numbers():
    with pytest.raises(ValueError, match="'a word'|a word"):
        RVR().fit(X, np.where(np.arange(30) == 3, "a word", "1.0"))


# ------------------------------------------------------------------ unusual data


def test_row_16_one_sample():
    with pytest.raises(ValueError, match="1 class"):
        RVC().fit(X[:1], y[:1])
    try:
        model = quietly(RVR().fit, X[:1], y[:1])
    except ValueError as refused:
        assert "1 sample" in str(refused) or "n_samples" in str(refused)  # noqa: PT017 - either is allowed
    else:
        assert np.isfinite(model.predict(X, return_std=True)).all()


@pytest.mark.parametrize("factor", [1e200, 1e-200])
def test_row_19_targets_too_large_or_small_to_square(factor):
    """Either a sentence that names y, or the same model in another unit."""
    try:
        model = RVR().fit(X, factor * y)
    except ValueError as refused:
        assert "y" in str(refused).split()  # noqa: PT017 - either is allowed
    else:
        np.testing.assert_allclose(model.predict(X) / factor, RVR().fit(X, y).predict(X), atol=1e-9)


@each()
@pytest.mark.parametrize("kernel", ["linear", "gaussian", "polynomial"])
def test_row_20_all_rows_identical(machine, kernel):
    """Every basis function is a constant: nothing beside the mean, from which targets are measured, can be learned."""
    targets = y if is_classifier(machine) else y + 2.0
    model = quietly(clone(machine).set_params(kernel=kernel).fit, np.ones((30, 2)), targets)
    assert np.isfinite(values(model, X)).all()
    value = values(model, np.ones((1, 2)))[0]
    if is_classifier(machine):
        assert value == pytest.approx(np.mean(y > 0), abs=0.15)
    else:
        assert value == pytest.approx(targets.mean(), rel=1e-12)
        assert 1 / model.beta_ == pytest.approx(targets.var(), rel=1e-2)


# ------------------------------------------------------------------ parameters


@each()
def test_row_54_one_iteration(machine):
    with pytest.warns(ConvergenceWarning, match="max_iter = 1"):
        model = clone(machine).set_params(max_iter=1).fit(X, y)
    assert model.converged_ is False
    assert np.isfinite(values(model, X)).all()
    assert model.n_iter_ == 1
    if is_classifier(machine):
        assert set(model.predict(X)) <= {-1, 1}
    else:
        assert np.all(model.predict(X, return_std=True)[1] > 0)


@pytest.mark.parametrize("method", ["sequential", "reestimate", "em"])
@pytest.mark.parametrize("beta", [0, -1.0, np.nan, np.inf, "1", True, [1.0]])
def test_row_56_beta(method, beta):
    with pytest.raises(ValueError, match="beta must be .*a number > 0.*, got|beta must be a number > 0, got"):
        RVR(method=method, beta=beta).fit(X, y)


@each(ONE_OF_EACH)
def test_unknown_method(machine):
    for method in ("newton", None, 3, ["em"]):
        with pytest.raises(ValueError, match="method must be one of .*'sequential'.*, got"):
            clone(machine).set_params(method=method).fit(X, y)


@pytest.mark.parametrize("probability", ["probit", None, True])
def test_unknown_probability(probability):
    with pytest.raises(ValueError, match="probability must be .*'averaged'.*, got"):
        RVC(probability=probability).fit(X, y)


# ------------------------------------------------------------------ kernels


@each(ONE_OF_EACH)
def test_a_composed_kernel_that_overflows_is_named(machine):
    with (
        np.errstate(over="ignore"),
        pytest.raises(ValueError, match=r"kernel = Linear\(\) \* Linear\(\) .*rescale X"),
    ):
        clone(machine).set_params(kernel=Linear() * Linear()).fit(X * 1e100, y)


@each(ONE_OF_EACH)
def test_kernels_of_any_size(machine):
    """Columns of 1e-60 or 1e60 are the same basis functions in other units."""
    reference = values(clone(machine).fit(X, y), X)
    for scale in (1e-60, 1e60):
        model = clone(machine).set_params(kernel=scale * Gaussian(), bias=False)
        plain = clone(machine).set_params(kernel=Gaussian(), bias=False)
        np.testing.assert_allclose(values(model.fit(X, y), X), values(plain.fit(X, y), X), atol=1e-6)
    assert np.isfinite(reference).all()


@each(ONE_OF_EACH)
def test_a_precomputed_matrix_need_not_be_symmetric(machine):
    """Its columns are basis functions."""
    skewed = Gaussian()(X) + 0.1 * np.triu(np.ones((30, 30)), 1)
    model = clone(machine).set_params(kernel="precomputed").fit(skewed, y)
    assert np.isfinite(values(model, skewed)).all()
