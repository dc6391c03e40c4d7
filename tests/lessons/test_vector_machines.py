"""Weights of five kinds of machines in one form, and C by cross-validation."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, PredefinedSplit

from sparsekm_edu import (
    RVC,
    RVR,
    SVC,
    SVR,
    Gaussian,
    L1VMClassifier,
    L1VMRegressor,
    L2VMClassifier,
    L2VMRegressor,
    datasets,
)
from sparsekm_edu.lessons.vector_machines import CANDIDATES, FOLDS, cross_validated_C, weights
from sparsekm_edu.validation import Impossible

KERNEL = Gaussian(gamma=0.5)


@pytest.mark.parametrize(
    "machine",
    [L2VMClassifier(KERNEL), L1VMClassifier(KERNEL), RVC(KERNEL, probability="plug-in"), SVC(kernel=KERNEL)],
    ids=lambda machine: type(machine).__name__,
)
def test_weights_of_classifiers_rebuild_their_output(machine):
    X, t = datasets.overlapping(n=60)
    machine.fit(X, t)
    w = weights(machine, len(X))
    new = datasets.overlapping(n=50, seed=9)[0]
    np.testing.assert_allclose(
        KERNEL(new, X) @ w + machine.intercept_, machine.decision_function(new), atol=1e-10
    )


@pytest.mark.parametrize(
    "machine",
    [L2VMRegressor(KERNEL), L1VMRegressor(KERNEL, lam=0.3), RVR(KERNEL), SVR(kernel=KERNEL, epsilon=0.1)],
    ids=lambda machine: type(machine).__name__,
)
def test_weights_of_curves_rebuild_them(machine):
    X, t = datasets.sinc(n=50, noise=0.1, distribution="gaussian")
    machine.fit(X, t)
    w = weights(machine, len(X))
    x = np.linspace(-10, 10, 77)[:, None]
    np.testing.assert_allclose(KERNEL(x, X) @ w + machine.intercept_, machine.predict(x), atol=1e-10)
    assert np.count_nonzero(w) == len(getattr(machine, "relevance_", getattr(machine, "support_", ())))


def test_C_needs_both_classes_in_every_fold():
    X, t = datasets.overlapping(n=20)
    with pytest.raises(Impossible, match="both classes outside of every fold"):
        cross_validated_C(KERNEL(X[9:]), t[9:])


def test_C_is_what_grid_search_finds():
    """scikit-learn's search over our SVC and SVR with the same folds, errors and squared errors."""
    kernel = Gaussian(gamma=1 / 0.18)
    chosen = []
    for seed in range(4):
        X, t = datasets.overlapping(n=120, seed=seed)
        folds = PredefinedSplit(np.arange(len(t)) % FOLDS)
        search = GridSearchCV(SVC(kernel=kernel), {"C": CANDIDATES}, cv=folds).fit(X, t)
        chosen.append(cross_validated_C(kernel(X), t))
        assert chosen[-1] == search.best_params_["C"]
    assert len(set(chosen)) > 1  # or the comparison would say little
    X, t = datasets.sinc(n=60, noise=0.1, distribution="gaussian", seed=5)
    folds = PredefinedSplit(np.arange(len(t)) % FOLDS)
    search = GridSearchCV(
        SVR(kernel=KERNEL, epsilon=0.1), {"C": CANDIDATES}, cv=folds, scoring="neg_mean_squared_error"
    ).fit(X, t)
    assert cross_validated_C(KERNEL(X), t, epsilon=0.1) == search.best_params_["C"]
