"""Bad input to the relevance vector machines, row by row of the catalogue; messages name what is wrong.

"row" is a row of the catalogue of bad input. Not here:
  - pitfalls 13 and 18, and rows 29, 30, 54 and 56 for the solvers: test_sequential.py; pitfalls 14-17 and 19, and
    rows 51, 52, 53 and 55: test_rvm.py;
  - row 12 does not apply: three classes are no mistake; rows 21 and 22 do not: there are no weights of points;
  - rows 26-28 and 31-38 are those of support vector machines; 44-47 of kernels.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError

from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
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


def with_entry(value):
    spoilt = X.astype(
        type(value) if isinstance(value, complex) else object if isinstance(value, str) else float
    )
    spoilt[3, 1] = value
    return spoilt


def quietly(fit, *args):
    """Fit without warnings, where others than the one under test may be due."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(*args)


# ------------------------------------------------------------------ X


@each()
@pytest.mark.parametrize(("value", "words"), [(np.nan, "X contains NaN"), (np.inf, "X contains infinity")])
def test_row_1_X_with_nan_or_infinity(machine, value, words):
    with pytest.raises(ValueError, match=words):
        clone(machine).fit(with_entry(value), y)
    with pytest.raises(ValueError, match=words):
        quietly(clone(machine).fit, X, y).predict(with_entry(value))


@each()
def test_row_2_X_one_dimensional(machine):
    with pytest.raises(ValueError, match="(?s)2D array.*[Rr]eshape"):
        clone(machine).fit(X[:, 0], y)


@each()
def test_row_3_X_without_rows(machine):
    with pytest.raises(ValueError, match=rf"0 sample\(s\).*{type(machine).__name__}"):
        clone(machine).fit(X[:0], y[:0])


@each()
def test_row_4_X_without_columns(machine):
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        clone(machine).fit(X[:, :0], y)


@each()
def test_row_5_X_complex(machine):
    with pytest.raises(ValueError, match="Complex data not supported"):
        clone(machine).fit(with_entry(1j), y)


@each()
def test_row_6_X_of_strings(machine):
    with pytest.raises(ValueError, match="'a word'"):
        clone(machine).fit(with_entry("a word"), y)


@each()
def test_row_7_X_sparse(machine):
    with pytest.raises(TypeError, match="[Ss]parse"):
        clone(machine).fit(scipy.sparse.csr_array(X), y)


@each()
def test_row_8_lengths_differ(machine):
    with pytest.raises(ValueError, match=r"\[30, 29\]"):
        clone(machine).fit(X, y[:-1])


# ------------------------------------------------------------------ y


@each()
@pytest.mark.parametrize(("value", "words"), [(np.nan, "y contains NaN"), (np.inf, "y contains infinity")])
def test_row_9_y_with_nan_or_infinity(machine, value, words):
    with pytest.raises(ValueError, match=words):
        clone(machine).fit(X, np.where(np.arange(30) == 3, value, y))


def test_row_10_y_continuous():
    for targets in (X[:, 0], 0.5 * y):
        with pytest.raises(ValueError, match="Unknown label type: continuous"):
            RVC().fit(X, targets)


def test_row_11_one_class():
    with pytest.raises(ValueError, match="number of classes.*got 1 class"):
        RVC().fit(X, np.ones(30))


@each()
def test_row_13_y_two_columns(machine):
    with pytest.raises(ValueError, match=r"\(30, 2\)"):
        clone(machine).fit(X, np.column_stack([y, y]))
    with pytest.warns(DataConversionWarning):
        quietly_converted = clone(machine).fit(X, y[:, None])
    np.testing.assert_array_equal(values(quietly_converted, X), values(clone(machine).fit(X, y), X))


@pytest.mark.parametrize(
    "labels",
    [np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), [False, True], [7, 9], [1.0, 2.0]],
)
def test_row_14_labels_of_any_kind(labels):
    named = np.asarray(labels)[(y > 0).astype(int)]
    model = RVC().fit(X, named)
    assert model.predict(X).dtype == named.dtype
    assert set(model.predict(X)) == set(labels)
    assert model.score(X, named) > 0.7
    np.testing.assert_array_equal(model.predict_proba(X), RVC().fit(X, y).predict_proba(X))


def test_row_15_no_targets():
    for machine in (RVR(), RVC()):
        with pytest.raises(ValueError, match="requires y to be passed"):
            machine.fit(X, None)


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


@each()
def test_row_17_one_feature_and_constant_feature(machine):
    for data in (X[:, :1], np.column_stack([X, np.full(30, 5.0)])):
        model = quietly(clone(machine).fit, data, y)
        assert model.n_features_in_ == data.shape[1]
        assert np.isfinite(values(model, data)).all()
    same = quietly(clone(machine).fit, X, y)
    np.testing.assert_allclose(
        values(model, data), values(same, X), atol=1e-6
    )  # what is constant does not matter


@each(ONE_OF_EACH)
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
    for targets in (y.tolist(), pd.Series(y), y.astype(np.int8)):
        np.testing.assert_array_equal(values(clone(machine).fit(X, targets), X), reference)
    np.testing.assert_allclose(values(clone(machine).fit(X.astype(np.float32), y), X), reference, atol=1e-3)
    assert np.isfinite(values(quietly(clone(machine).fit, (10 * X).astype(int), y), X)).all()


@each()
def test_row_19_values_too_large_to_square(machine):
    with pytest.raises(ValueError, match=r"X must hold finite numbers.*largest value of 1e\+200"):
        clone(machine).fit(with_entry(1e200), y)


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
    """Every basis function is a constant: q = beta N mean and s = beta N, so the mean shrinks by s / q^2."""
    targets = y if is_classifier(machine) else y + 2.0
    model = quietly(clone(machine).set_params(kernel=kernel).fit, np.ones((30, 2)), targets)
    assert np.isfinite(values(model, X)).all()
    value = values(model, np.ones((1, 2)))[0]
    if is_classifier(machine):
        assert value == pytest.approx(np.mean(y > 0), abs=0.15)
    else:
        mean = targets.mean()
        assert value == pytest.approx(mean - 1 / (model.beta_ * 30 * mean), rel=1e-5)
        assert 1 / model.beta_ == pytest.approx(targets.var() * 30 / 29, rel=1e-2)


# ------------------------------------------------------------------ predict


@each()
def test_row_23_before_fit(machine):
    for method in ("predict", "predict_proba") if is_classifier(machine) else ("predict",):
        with pytest.raises(NotFittedError, match=type(machine).__name__):
            getattr(clone(machine), method)(X)


@each()
def test_row_24_other_number_of_features(machine):
    model = clone(machine).fit(X, y)
    with pytest.raises(ValueError, match="3 features.*2 features"):
        model.predict(np.ones((4, 3)))


@each()
def test_row_25_predict_nothing(machine):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        clone(machine).fit(X, y).predict(X[:0])


# ------------------------------------------------------------------ parameters


@each()
def test_rows_29_and_30_tol_and_max_iter(machine):
    for tol in (0, -1.0, np.nan, "1"):
        with pytest.raises(ValueError, match="tol must be a number > 0, got"):
            clone(machine).set_params(tol=tol).fit(X, y)
    for max_iter in (0, -1, 2.5, None):
        with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
            clone(machine).set_params(max_iter=max_iter).fit(X, y)


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
    with pytest.raises(ValueError, match="probability must be .*'moderated'.*, got"):
        RVC(probability=probability).fit(X, y)


# ------------------------------------------------------------------ kernels


@each(ONE_OF_EACH)
def test_row_39_unknown_kernel(machine):
    with pytest.raises(ValueError, match="did you mean 'rbf'"):
        clone(machine).set_params(kernel="rfb").fit(X, y)
    with pytest.raises(ValueError, match="kernel must be a name, a Kernel or a function"):
        clone(machine).set_params(kernel=3.0).fit(X, y)


@each(ONE_OF_EACH)
def test_row_40_gamma(machine):
    for gamma in (0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="gamma must be a number > 0"):
            clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)


@each()
@pytest.mark.parametrize("gamma", [1e300, 1e-300])
def test_row_41_degenerate_gram_matrix(machine, gamma):
    with pytest.warns(UserWarning, match="degenerate Gram matrix"):
        model = clone(machine).set_params(kernel=Gaussian(gamma)).fit(X, y)
    assert np.isfinite(values(model, X)).all()


@each(ONE_OF_EACH)
def test_kernels_that_overflow_are_named(machine):
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=r"kernel = Product\(.*rescale X"):
        clone(machine).set_params(kernel=Linear() * Linear()).fit(X * 1e100, y)
    with pytest.raises(ValueError, match="degree = 400 overflows"):
        clone(machine).set_params(kernel=Polynomial(400)).fit(X * 100, y)


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
def test_row_48_precomputed(machine):
    K = Gaussian()(X)
    model = clone(machine).set_params(kernel="precomputed")
    with pytest.raises(ValueError, match=r"square matrix, got shape \(30, 2\)"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((30, 30), np.nan), y)
    with pytest.raises(ValueError, match="29 features.*30 features"):
        model.fit(K, y).predict(K[:, :29])
    skewed = K + 0.1 * np.triu(np.ones((30, 30)), 1)
    assert np.isfinite(
        values(model.fit(skewed, y), skewed)
    ).all()  # columns are basis functions: no symmetry needed


@each(ONE_OF_EACH)
def test_row_49_kernel_function(machine):
    with pytest.raises(ValueError, match=r"must return shape \(30, 30\), got \(30,\)"):
        clone(machine).set_params(kernel=lambda X, Z: np.ones(len(X))).fit(X, y)
    with pytest.raises(ValueError, match="raised ZeroDivisionError"):
        clone(machine).set_params(kernel=lambda X, Z: 1 / 0).fit(X, y)
    with pytest.raises(ValueError, match="returned NaN"):
        clone(machine).set_params(kernel=lambda X, Z: np.full((len(X), len(Z)), np.nan)).fit(X, y)
    whole = quietly(clone(machine).set_params(kernel=whole_numbers).fit, X, y)
    exact = quietly(
        clone(machine).set_params(kernel=lambda X, Z: whole_numbers(X, Z).astype(float)).fit, X, y
    )
    np.testing.assert_array_equal(values(whole, X), values(exact, X))


def whole_numbers(X, Z):
    """Inner products of rounded points, as integers."""
    return (3 * X).astype(int) @ (3 * Z).astype(int).T
