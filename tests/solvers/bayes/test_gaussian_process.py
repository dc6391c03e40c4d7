"""Gaussian process regression: scikit-learn's, with the same kernel and its own optimiser, is the oracle."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsekm_edu import Gaussian, datasets
from sparsekm_edu.solvers.bayes.gaussian_process import RATIOS, gaussian_process

FAR = np.linspace(-2, 3, 41)[:, None]


def both(X, t, width):
    """Ours and scikit-learn's with Gaussian kernels of this width, scale and noise by the evidence."""
    kernel = ConstantKernel(1.0, (1e-6, 1e6)) * RBF(width, "fixed") + WhiteKernel(0.1, (1e-8, 1e3))
    theirs = GaussianProcessRegressor(kernel, n_restarts_optimizer=6, random_state=0).fit(X, t)
    return gaussian_process(Gaussian(1 / (2 * width**2))(X), t), theirs


@pytest.mark.filterwarnings(
    "ignore:The optimal value found"
)  # two draws look free of noise to scikit-learn, too
@pytest.mark.parametrize("seed", [None, 1, 5])
@pytest.mark.parametrize("width", [0.1, 0.15, 0.4])
def test_the_same_evidence_and_predictions_as_scikit_learn(seed, width):
    X, t = datasets.sinusoid(seed=seed)
    ours, theirs = both(X, t, width)
    assert ours.log_evidence == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)
    mean, sd = ours.predict(Gaussian(1 / (2 * width**2))(FAR, X))
    expected, expected_sd = theirs.predict(FAR, return_std=True)
    np.testing.assert_allclose(mean, expected, atol=2e-3)
    np.testing.assert_allclose(sd, expected_sd, atol=2e-3)


def test_far_away_it_knows_no_more_than_before_the_data_came():
    X, t = datasets.sinusoid()
    process = gaussian_process(Gaussian(1 / (2 * 0.15**2))(X), t)
    mean, sd = process.predict(np.zeros((1, 10)))
    assert mean == 0
    assert sd == pytest.approx(np.sqrt(process.scale + 1 / process.beta))


def test_the_evidence_is_that_of_C_and_stationary():
    X, t = datasets.sinusoid(seed=3)
    K = Gaussian(20.0)(X)
    best = gaussian_process(K, t)

    def evidence(scale, beta):
        C_t = scale * K + np.eye(len(t)) / beta
        return -0.5 * (len(t) * np.log(2 * np.pi) + np.linalg.slogdet(C_t)[1] + t @ np.linalg.solve(C_t, t))

    assert evidence(best.scale, best.beta) == pytest.approx(best.log_evidence, abs=1e-9)
    for factors in ((1.01, 1), (1 / 1.01, 1), (1, 1.01), (1, 1 / 1.01)):
        assert evidence(best.scale * factors[0], best.beta * factors[1]) < best.log_evidence


def test_targets_times_a_factor():
    X, t = datasets.sinusoid()
    K = Gaussian(20.0)(X)
    one, other = gaussian_process(K, t), gaussian_process(K, 1e3 * t)
    assert other.scale == pytest.approx(1e6 * one.scale)
    assert other.beta == pytest.approx(1e-6 * one.beta)


@pytest.mark.parametrize("noise", [0.0, np.inf], ids=["none", "nothing else"])
def test_ends_of_the_search(noise):
    """Without noise, and with nothing else, the best ratio is at an end of the search, and all is finite."""
    X = np.linspace(0, 1, 12)[:, None]
    t = np.sin(6 * X[:, 0]) if noise == 0 else np.tile([1.0, -1.0], 6)
    process = gaussian_process(Gaussian(5.0)(X), t)
    end = RATIOS[0] if noise == 0 else RATIOS[1]
    assert 1 / (process.beta * process.scale) == pytest.approx(end, rel=1e-3)
    assert np.isfinite(process.predict(Gaussian(5.0)(FAR, X))).all()


def test_zeros_alone_are_refused():
    with pytest.raises(ValueError, match="zeros alone"):
        gaussian_process(np.eye(3), np.zeros(3))
