"""EM for the soft margin, step by step: it only goes down, and ends where SMO has been before."""

import numpy as np
import pytest
from sklearn.svm import SVC

from sparsekm_edu.figures.svm.scale_mixture import MOST_STEPS
from sparsekm_edu.solvers import em_svm_steps


def test_every_step_is_the_solvers_and_back_is_exact(make):
    explorer = make("scale_mixture")
    X, t = explorer.state.X, explorer.state.t
    fresh = list(em_svm_steps(X @ X.T, t, 1.0, tol=1e-9, max_iter=MOST_STEPS))
    seen = []
    for step in range(len(fresh)):
        explorer.set(step=step)
        seen.append(explorer.picture)
        assert len(explorer.picture.lines) == step
        if step:
            w, b = explorer.picture.lines[-1]
            np.testing.assert_allclose(w, fresh[step].v @ X)
            assert b == fresh[step].b
    for _ in range(5):
        explorer.go(-1)
    assert explorer.picture.facts == seen[-6].facts
    np.testing.assert_array_equal(explorer.picture.lines[-1][0], seen[-6].lines[-1][0])


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_objective_falls_to_that_of_libsvm(make, C):
    explorer = make("scale_mixture")
    explorer.set(C=C, step=MOST_STEPS)
    X, t = explorer.state.X, explorer.state.t
    model = SVC(C=C, kernel="linear", tol=1e-8).fit(X, t)
    w = model.coef_[0]
    J = 0.5 * w @ w + C * np.maximum(0, 1 - t * model.decision_function(X)).sum()
    assert float(explorer.picture.facts["J of SMO"]) == pytest.approx(J, rel=1e-5)
    assert explorer.picture.facts["J never rose"] == "yes"
    assert explorer.picture.excess[-1] < (1e-3 if C > 1 else 1e-6)
    np.testing.assert_allclose(explorer.picture.goal[0], w, atol=1e-3)


def test_weights_are_one_over_the_distance_to_the_margin(make):
    explorer = make("scale_mixture")
    np.testing.assert_array_equal(explorer.picture.inverse_lambda, 1)  # before the first step y = 0
    explorer.set(step=3)
    w, b = explorer.picture.lines[-1]
    away = np.abs(1 - explorer.state.t * (explorer.state.X @ w + b))
    far = away > 0.2
    np.testing.assert_allclose(explorer.picture.inverse_lambda[far], 1 / away[far])


def test_em_is_dense_and_smo_sparse(make):
    explorer = make("scale_mixture")
    explorer.set(step=MOST_STEPS)
    assert explorer.picture.facts["EM above SMO by"] == "< 1e-8"
    assert explorer.picture.facts["aₙ = 0: EM"] == "0 of 40"
    assert explorer.picture.facts["aₙ = 0: SMO"] == "27 of 40"


def test_one_class_left_and_points_on_top_of_each_other(make):
    explorer = make("scale_mixture")
    explorer.set(t=np.ones(40))
    assert "each class needs" in explorer.message
    explorer.set(X=np.zeros((4, 2)), t=np.array([1.0, -1.0, 1.0, -1.0]), step=3)
    assert explorer.message == ""
    assert np.isfinite(explorer.picture.excess).all()
