"""Ridge regression, one left out: what the readout says, by scikit-learn and by leaving each point out."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from sparsekm_edu.explorers.kernels.ridge import LAM
from sparsekm_edu.figures.curves import SINC_X


@pytest.mark.parametrize(("lam", "width"), [(0.1, 1.6), (1e-4, 0.5), (10.0, 4.0), (1e-2, 0.1)])
def test_curve_predictions_and_errors_are_those_of_refits(make, lam, width):
    explorer = make("ridge", lam=lam, width=width)
    X, t, picture = explorer.state.X, explorer.state.t, explorer.picture
    model = KernelRidge(alpha=lam, kernel="rbf", gamma=1 / (2 * width**2))
    others = cross_val_predict(model, X, t, cv=LeaveOneOut())
    np.testing.assert_allclose(picture.predicted, others, atol=1e-7)
    model.fit(X, t)
    np.testing.assert_allclose(picture.y, model.predict(SINC_X[:, None]), atol=1e-7)
    worst = np.argmax(np.abs(t - others))
    rest = np.arange(40) != worst
    np.testing.assert_allclose(
        picture.without, model.fit(X[rest], t[rest]).predict(SINC_X[:, None]), atol=1e-7
    )
    facts, fit = picture.facts, model.fit(X, t).predict(X)
    assert float(facts["error, left out"]) == pytest.approx(np.sqrt(np.mean((t - others) ** 2)), abs=6e-4)
    assert float(facts["error at the points"]) == pytest.approx(np.sqrt(np.mean((t - fit) ** 2)), abs=6e-4)
    assert float(facts["ringed: y"]) == pytest.approx(t[worst], abs=6e-3)
    assert float(facts["predicted by all"]) == pytest.approx(fit[worst], abs=6e-3)
    assert float(facts["by the others"]) == pytest.approx(others[worst], abs=6e-3)


def test_errors_over_lambda_agree_with_the_slider(make):
    explorer = make("ridge")
    for n in (0, 6, 15, 24):
        explorer.set(lam=float(LAM[n]))
        assert float(explorer.picture.facts["error, left out"]) == pytest.approx(
            explorer.picture.left_out[n], abs=6e-4
        )
        assert float(explorer.picture.facts["error at the points"]) == pytest.approx(
            explorer.picture.train[n], abs=6e-4
        )
    assert np.all(np.diff(explorer.picture.train) > 0)  # a higher price never fits better
    assert float(explorer.picture.facts["best λ, left out"]) == pytest.approx(
        LAM[explorer.picture.left_out.argmin()], rel=0.03
    )
    explorer.set(width=0.1)
    assert explorer.picture.facts["best λ, left out"] == "none, it is flat"


def test_one_point_cannot_be_left_out_and_twins_predict_each_other(make):
    explorer = make("ridge", lam=1e-6)
    explorer.set(X=np.array([[0.0]]), t=np.array([1.0]))
    assert "needs at least two points" in explorer.message
    explorer.add(0.0, 1.0, 1)
    assert explorer.message == ""
    np.testing.assert_allclose(explorer.picture.predicted, 1.0, atol=1e-5)
