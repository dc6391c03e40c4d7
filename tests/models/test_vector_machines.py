"""L1VM and L2VM: the penalties of MLaPP 14.3.2 on kernels, against scikit-learn's lasso, ridge and logistic regression.

"row" is one of the catalogue of bad input; what all machines refuse is in test_bad_input.py. Rows 21 and 22 do not
apply, as there are no weights of points: a copy of a point is also a copy of its kernel, which the L2 penalty notices.
Rows 26-28 are about C; its place has lam.
"""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsekm_edu import datasets
from sparsekm_edu.kernels import ARD, Gaussian, Linear, LinearSpline, Polynomial
from sparsekm_edu.models.vector_machines import L1VMClassifier, L1VMRegressor, L2VMClassifier, L2VMRegressor
from sparsekm_edu.solvers.linear.penalised import largest_lam, violation

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 2))
y = np.where(X[:, 0] + 0.5 * rng.normal(size=20) > 0, 1, -1)  # labels, and targets of regression

MACHINES = [
    machine(kernel=Gaussian(), lam=0.1)
    for machine in (L1VMClassifier, L2VMClassifier, L1VMRegressor, L2VMRegressor)
]
CLASSIFIERS, REGRESSORS = MACHINES[:2], MACHINES[2:]


def each(machines):
    return pytest.mark.parametrize("machine", machines, ids=lambda machine: type(machine).__name__)


def values(model, X):
    return model.decision_function(X) if is_classifier(model) else model.predict(X)


def penalty(machine):
    return "l1" if type(machine).__name__.startswith("L1") else "l2"


def with_entry(value):
    spoilt = X.astype(
        type(value) if isinstance(value, complex) else object if isinstance(value, str) else float
    )
    spoilt[3, 1] = value
    return spoilt


# ------------------------------------------------------------------ other people's


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Linear(), LinearSpline()], ids=repr)
def test_l2_regressor_is_ridge_regression_on_kernels(kernel):
    points, t = datasets.sinc(50, noise=0.2)
    points = (points + 11) / 4  # at x = 0 a linear kernel would have no use for its weight
    model = L2VMRegressor(kernel=kernel, lam=0.5).fit(points, t)
    theirs = Ridge(alpha=0.5, solver="svd").fit(kernel(points), t)
    np.testing.assert_allclose(model.predict(points), theirs.predict(kernel(points)), atol=1e-7)
    assert len(model.support_) == 50


def test_l1_regressor_is_the_lasso_on_kernels():
    points, t = datasets.sinc(50, noise=0.2)
    K = Gaussian(3.0)(points)
    model = L1VMRegressor(kernel=Gaussian(3.0), lam=0.5).fit(points, t)
    theirs = Lasso(alpha=0.5 / (2 * 50), tol=1e-12, max_iter=1_000_000).fit(K, t)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(theirs.coef_))
    np.testing.assert_allclose(model.coef_, theirs.coef_[model.support_], atol=1e-6)
    assert model.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    assert 0 < len(model.support_) < 50


@pytest.mark.parametrize("data", [datasets.ripley, datasets.three_classes])
def test_l2_classifier_is_logistic_regression_on_kernels(data):
    points, t = data(n=60)
    model = L2VMClassifier(kernel=Gaussian(2.0), lam=0.5).fit(points, t)
    theirs = LogisticRegression(C=1.0, solver="newton-cg", tol=1e-12, max_iter=1000).fit(
        Gaussian(2.0)(points), t
    )
    np.testing.assert_allclose(
        model.predict_proba(points), theirs.predict_proba(Gaussian(2.0)(points)), atol=1e-6
    )
    np.testing.assert_array_equal(model.predict(points), theirs.predict(Gaussian(2.0)(points)))


# ------------------------------------------------------------------ what is fitted


@each(MACHINES)
def test_fitted_attributes(machine):
    model = clone(machine).fit(X, y)
    S = len(model.support_)
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    assert model.coef_.shape == ((1, S) if is_classifier(model) else (S,))
    assert np.shape(model.intercept_) == ((1,) if is_classifier(model) else ())
    assert np.all(model.coef_ != 0)
    assert model.converged_
    assert model.n_iter_ >= 1
    w, b = np.zeros(20), np.ravel(model.intercept_)[0]
    w[model.support_] = np.ravel(model.coef_)
    t, loss = ((y + 1) / 2, "logistic") if is_classifier(model) else (y, "squared")
    assert violation(Gaussian()(X), t, 0.1, w, b, loss, penalty(machine)) <= 1e-7
    assert model.kkt_violation_ <= 1e-7
    Y = Gaussian()(X) @ w + b
    np.testing.assert_allclose(values(model, X), Y, atol=1e-12)
    cost = np.sum((y - Y) ** 2) if loss == "squared" else np.sum(np.log1p(np.exp(-y * Y)))
    price = np.abs(w).sum() if penalty(machine) == "l1" else np.sum(w**2)
    assert model.objective_ == pytest.approx(cost + 0.1 * price, rel=1e-12)


@each(CLASSIFIERS)
def test_three_classes(machine):
    points, t = datasets.three_classes(90)
    labels = np.array(["ash", "beech", "cedar"])[t.astype(int)]
    model = clone(machine).set_params(lam=1.0).fit(points, labels)
    S = len(model.support_)
    assert model.classes_.tolist() == ["ash", "beech", "cedar"]
    assert model.coef_.shape == (3, S)
    assert model.intercept_.shape == (3,)
    assert S == 90 if penalty(machine) == "l2" else 3 <= S <= 20
    assert np.all(np.linalg.norm(model.coef_, axis=0) > 0)
    P = model.predict_proba(points)
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    Y = model.decision_function(points)
    np.testing.assert_allclose(P, np.exp(Y) / np.exp(Y).sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_array_equal(model.predict(points), model.classes_[P.argmax(axis=1)])
    assert model.score(points, labels) > 0.9


@each(CLASSIFIERS)
def test_probabilities_of_two_classes(machine):
    model = clone(machine).fit(X, y)
    P, log_odds = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(np.log(P[:, 1] / P[:, 0]), log_odds, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), np.where(log_odds > 0, 1, -1))
    far = model.predict_proba([[1e3, 1e3]])  # no kernel reaches there: the bias alone
    assert far[0, 1] == pytest.approx(1 / (1 + np.exp(-model.intercept_[0])))


def test_figure_14_4_l1_is_sparse_and_as_good():
    """Width 0.3; lam = 5 for L2VM and 1 for L1VM, as in the figure."""
    points, t = datasets.ripley(100)
    new, labels = datasets.ripley(2000, seed=1)
    dense = L2VMClassifier(kernel=Gaussian(1 / (2 * 0.3**2)), lam=5.0).fit(points, t)
    sparse = L1VMClassifier(kernel=Gaussian(1 / (2 * 0.3**2)), lam=1.0).fit(points, t)
    assert len(dense.support_) == 100
    assert len(sparse.support_) <= 12
    errors = [1 - model.score(new, labels) for model in (dense, sparse)]
    assert max(errors) < 0.13  # 0.089 is the best possible
    assert abs(errors[0] - errors[1]) < 0.03


def test_figure_14_5_l1_is_sparse_and_as_good():
    """Noisy sinc, lam = 0.5 for both."""
    points, t = datasets.sinc(100, noise=0.1, distribution="gaussian")
    _, truth = datasets.sinc(100)
    kernel = Gaussian(1 / (2 * 1.6**2))  # 0.3 on the scale where sinc is sin(pi x) / (pi x), and more
    dense = L2VMRegressor(kernel=kernel, lam=0.5).fit(points, t)
    sparse = L1VMRegressor(kernel=kernel, lam=0.5).fit(points, t)
    assert len(dense.support_) == 100
    assert len(sparse.support_) <= 15
    for model in (dense, sparse):
        assert np.sqrt(np.mean((model.predict(points) - truth) ** 2)) < 0.1


@each(MACHINES)
def test_more_penalty_means_smaller_weights(machine):
    sizes, counts = [], []
    for lam in (0.01, 0.1, 1.0):
        model = clone(machine).set_params(lam=lam).fit(X, y)
        sizes.append(np.abs(model.coef_).sum() if penalty(machine) == "l1" else np.sum(model.coef_**2))
        counts.append(len(model.support_))
    assert sizes[0] > sizes[1] > sizes[2] > 0
    assert counts[0] >= counts[1] >= counts[2] if penalty(machine) == "l1" else counts == [20, 20, 20]


@each(MACHINES)
def test_huge_lam_leaves_the_base_rate(machine):
    labels = np.where(np.arange(20) < 15, 1, -1)
    model = clone(machine).set_params(lam=1e9)
    if penalty(machine) == "l1":
        with pytest.warns(
            UserWarning, match=r"no support vectors.*lam = 1e\+09. There are some for lam < \d"
        ) as record:
            model.fit(X, labels)
        assert len(model.support_) == 0
        assert model.support_vectors_.shape == (0, 2)
        assert record[0].filename == __file__  # the warning points at the caller
    else:
        model.fit(X, labels)
    expected = np.log(15 / 5) if is_classifier(model) else 0.5
    np.testing.assert_allclose(values(model, X), expected, atol=1e-6)
    assert model.converged_


@pytest.mark.parametrize("machine", [L1VMClassifier(), L2VMClassifier()], ids=repr)
def test_huge_lam_leaves_the_base_rates_of_three_classes(machine):
    labels = np.repeat([0, 1, 2], [10, 6, 4])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = machine.set_params(lam=1e9).fit(X, labels)
    np.testing.assert_allclose(model.predict_proba(X), np.tile([0.5, 0.3, 0.2], (20, 1)), atol=1e-6)
    assert np.all(model.predict(X) == 0)


def test_where_the_first_support_vector_comes_in():
    lam = largest_lam(Gaussian()(X), (y + 1) / 2, "logistic")
    assert len(L1VMClassifier(Gaussian(), lam=0.999 * lam).fit(X, y).support_) == 1
    with pytest.warns(UserWarning, match=f"for lam < {lam:.3g}"):
        assert len(L1VMClassifier(Gaussian(), lam=1.001 * lam).fit(X, y).support_) == 0


# ------------------------------------------------------------------ kernels


@each(MACHINES)
@pytest.mark.parametrize(
    "kernel", [Linear(), Polynomial(2), ARD((0.5, 2.0)), LinearSpline(), Linear() + Gaussian(3.0)], ids=repr
)
def test_any_kernel(machine, kernel):
    model = clone(machine).set_params(kernel=kernel).fit(X, y)
    assert model.converged_
    assert np.mean(np.where(values(model, X) > 0, 1, -1) == y) > 0.7


def crooked(X, Z):
    """Not symmetric: a feature for each z, but no inner product."""
    return np.tanh(X[:, :1] - Z[:, 0] + 0.3 * (X[:, 1:] * Z[:, 1]))


@each(MACHINES)
def test_kernels_need_not_be_symmetric(machine):
    model = clone(machine).set_params(kernel=crooked).fit(X, y)
    K = crooked(X, X)
    given = clone(machine).set_params(kernel="precomputed").fit(K, y)
    assert model.converged_
    np.testing.assert_array_equal(given.support_, model.support_)
    np.testing.assert_allclose(values(given, K[:5]), values(model, X[:5]), atol=1e-12)


@each(MACHINES)
def test_parameters_are_copied_searched_and_stored(machine):
    model = clone(machine).set_params(kernel=Gaussian(0.5)).fit(X, y)
    np.testing.assert_array_equal(values(pickle.loads(pickle.dumps(model)), X), values(model, X))
    before = values(model, X)
    model.kernel.gamma = 5.0  # too late
    np.testing.assert_array_equal(values(model, X), before)
    search = GridSearchCV(
        clone(machine).set_params(kernel=Gaussian()), {"kernel__gamma": [0.1, 1.0], "lam": [0.1, 0.5]}, cv=3
    )
    search.fit(X, y)
    assert set(search.best_params_) == {"kernel__gamma", "lam"}
    assert np.isfinite(cross_val_score(make_pipeline(StandardScaler(), clone(machine)), X, y, cv=3)).all()


# ------------------------------------------------------------------ bad input: X


@each(MACHINES)
def test_row_19_huge_numbers(machine):
    with pytest.raises(ValueError, match=r"X must hold finite numbers up to 1e150 in size, got .*1e\+200"):
        clone(machine).fit(with_entry(1e200), y)
    with pytest.raises(ValueError, match=r"kernel = Linear\(\) has values up to 1e\+200 .* rescale X"):
        clone(machine).set_params(kernel=Linear()).fit(with_entry(1e100), y)


# ------------------------------------------------------------------ bad input: y


@each(REGRESSORS)
def test_row_15_targets(machine):
    with pytest.raises(ValueError, match="requires y to be passed"):
        clone(machine).fit(X, None)
    with pytest.raises(ValueError, match=r"y must hold numbers up to 1e\+70 in size, got 1e\+200"):
        clone(machine).fit(X, 1e200 * y)


# ------------------------------------------------------------------ unusual data


@pytest.mark.filterwarnings("ignore:There are no support vectors")
@each(MACHINES)
def test_row_16_one_sample(machine):
    if is_classifier(machine):
        with pytest.raises(ValueError, match="1 class"):
            clone(machine).fit(X[:1], y[:1])
    else:
        model = clone(machine).fit(X[:1], y[:1])
        np.testing.assert_allclose(model.predict(X), y[0], rtol=1e-12)


@each(MACHINES)
def test_row_20_all_points_equal(machine):
    """Nothing can be learnt from x: only how often each label occurs."""
    same, labels = np.ones((20, 2)), np.where(np.arange(20) < 15, 1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = clone(machine).fit(same, labels)
    expected = np.log(15 / 5) if is_classifier(model) else 0.5
    np.testing.assert_allclose(values(model, same), expected, atol=1e-7)


@each(MACHINES)
def test_duplicated_rows_with_conflicting_labels(machine):
    doubled, labels = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    labels[:2] = 1, -1
    model = clone(machine).fit(doubled, labels)
    assert model.converged_
    np.testing.assert_allclose(values(model, doubled)[::2], values(model, doubled)[1::2], atol=1e-12)


def test_copies_of_points_are_as_good_as_a_smaller_lam():
    """Twice the loss with the same penalty is the loss with half the penalty; the copies' kernels stay unused."""
    for machine in (L1VMClassifier(lam=0.4), L1VMRegressor(lam=0.4)):
        twice = clone(machine).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
        once = clone(machine).set_params(lam=0.2).fit(X, y)
        np.testing.assert_allclose(values(twice, X), values(once, X), atol=1e-6)
        assert len(twice.support_) == len(once.support_)


@each(REGRESSORS)
@pytest.mark.parametrize("constant", [0.0, -3.0, 1e8])
def test_constant_targets_are_predicted_and_warned_of(machine, constant):
    with pytest.warns(UserWarning, match="no support vectors"):
        model = clone(machine).fit(X, np.full(20, constant))
    np.testing.assert_allclose(model.predict(X), constant, rtol=1e-12)


@each(CLASSIFIERS)
@pytest.mark.parametrize("labels", ["separable", "random", "1 against 19"])
def test_probabilities_are_finite_for_any_labels(machine, labels):
    t = {"separable": X[:, 0] > 0, "random": np.arange(20) % 2, "1 against 19": np.arange(20) == 0}[labels]
    model = clone(machine).set_params(lam=1e-3).fit(X, t)
    P = model.predict_proba(np.vstack([X, 100 * X]))
    assert model.converged_
    assert np.all((P >= 0) & (P <= 1))
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)


# ------------------------------------------------------------------ parameters


@each(MACHINES)
@pytest.mark.parametrize("lam", [0, -1, np.nan, np.inf, "1", True, None, np.array([1.0])])
def test_row_26_lam_must_be_positive(machine, lam):
    with pytest.raises(ValueError, match="lam must be a number > 0, got"):
        clone(machine).set_params(lam=lam).fit(X, y)


@each(MACHINES[:3])  # the fourth is done after one step
def test_one_step_warns_and_leaves_a_usable_model(machine):
    with pytest.warns(ConvergenceWarning, match=r"max_iter = 1\).*raise max_iter, or lam = 0.1"):
        model = clone(machine).set_params(max_iter=1).fit(X, y)
    assert not model.converged_
    assert np.isfinite(values(model, X)).all()
