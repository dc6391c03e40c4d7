"""Ripley's mixture drawn again and again: what the explorer claims."""

import numpy as np
import pytest
from sklearn.svm import SVC as SklearnSVC

from sparsekm_edu import RVC, Gaussian, datasets
from sparsekm_edu.explorers.rvm import ripley


def test_one_draw_is_what_fresh_machines_say(make):
    """Vectors of scikit-learn's SVC and of a fresh RVC; errors of both on 100 000 new points."""
    explorer = make("ripley_draws")
    explorer.set(draw=3, C=2.0)
    X, t = datasets.ripley(seed=2)
    np.testing.assert_array_equal(explorer.picture.X, X)
    svm = SklearnSVC(C=2.0, gamma=4.0, tol=1e-8).fit(X, t)
    rvm = RVC(kernel=Gaussian(4.0)).fit(X, t)
    np.testing.assert_array_equal(np.sort(explorer.picture.support), np.sort(svm.support_))
    np.testing.assert_array_equal(explorer.picture.relevance, rvm.relevance_)
    X_new, t_new = datasets.ripley(100_000, seed=77)
    for machine, told in ((svm, explorer.picture.svm[-1]), (rvm, explorer.picture.rvm[-1])):
        assert told[1] == pytest.approx(np.mean(machine.predict(X_new) != t_new), abs=2.5e-3)
    assert explorer.picture.svm.shape == explorer.picture.rvm.shape == (3, 2)


def test_tipping_figure_2_over_25_draws(make):
    """The sparsity of the paper holds, the superiority does not: beside a good C the RVM errs a little more."""
    explorer = make("ripley_draws")
    explorer.set(draw=25)
    rvs, rvm_error = np.median(explorer.picture.rvm, axis=0)
    svs, svm_error = np.median(explorer.picture.svm, axis=0)
    assert rvs == 4
    assert explorer.picture.rvm[:, 0].max() <= 6
    assert 35 <= svs <= 45
    assert svm_error < rvm_error < 0.105
    for results in (explorer.picture.svm, explorer.picture.rvm):
        assert results[:, 1].min() > ripley.least_error()
    explorer.set(C=300.0)  # a bad C, and the order turns round
    assert np.median(explorer.picture.svm[:, 1]) > rvm_error + 0.01
    assert explorer.picture.facts["RVM errs less in"] == "25 of 25"


def test_bayes_error():
    assert ripley.least_error() == pytest.approx(0.0893, abs=5e-5)


def test_draw_again_goes_on_and_comes_round(make):
    explorer = make("ripley_draws")
    explorer.draw_again()
    assert explorer.state.draw == 2
    explorer.set(draw=25)
    explorer.draw_again()
    assert explorer.state.draw == 1
