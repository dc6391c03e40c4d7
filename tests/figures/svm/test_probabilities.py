"""Platt scaling and figure 14.13: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.svm.probabilities import draw_14_13, draw_platt
from looking import pieces
from scipy.special import expit
from scipy.stats import binomtest

from sparsekm_edu import RVC, Gaussian, datasets, figures
from sparsekm_edu.figures.svm.probabilities import (
    SCORES,
    hinge_where_tied,
    logistic_where_tied,
    off_diagonal,
    reliability,
)


def test_reliability_counts_every_point_once_and_has_wilsons_intervals():
    rng = np.random.default_rng(0)
    p = np.append(rng.uniform(size=500) ** 2, [0.0, 1.0])
    t = np.where(rng.uniform(size=502) < p, 1.0, -1.0)
    promised, share, low, high, count = reliability(p, t)
    assert count.sum() == 502
    for k in range(10):
        inside = (p >= k / 10) & ((p < (k + 1) / 10) | (k == 9))
        assert count[k] == inside.sum()
        assert promised[k] == pytest.approx(p[inside].mean())
        assert share[k] == pytest.approx(np.mean(t[inside] > 0))
        interval = binomtest(int(np.sum(t[inside] > 0)), int(count[k])).proportion_ci(method="wilson")
        np.testing.assert_allclose((low[k], high[k]), interval, atol=1e-4)


def test_reliability_leaves_out_empty_bins():
    promised, share, low, high, count = reliability(np.array([0.05, 0.07, 0.95]), np.array([-1.0, 1.0, 1.0]))
    np.testing.assert_allclose(promised, [0.06, 0.95])
    np.testing.assert_allclose(share, [0.5, 1.0])
    assert (low < share).all()
    assert (high <= 1 + 1e-12).all()
    assert off_diagonal((promised, share, low, high, count)) == pytest.approx((2 * 0.44 + 0.05) / 3)


def test_off_diagonal_is_small_for_true_probabilities_and_large_for_exaggerated_ones():
    X, t = datasets.many_features(n=20_000, D=1, seed=2)
    log_odds = 2.5 * X[:, 0]
    assert off_diagonal(reliability(expit(log_odds), t)) < 0.01
    assert off_diagonal(reliability(expit(4 * log_odds), t)) > 0.04


def test_figure_platt_shows_both_sigmoids_and_all_scores():
    _, axes = figures.panels(2)
    view, (held_out, training, fresh) = draw_platt(axes)
    for name, (y, t, fit) in (("held out", held_out), ("training", training)):
        x, p = view.curves[name].get_data()
        np.testing.assert_allclose(p, expit(fit.A * x + fit.B))
        for rug, label, above in zip(view.rugs[name], (1, -1), (True, False)):
            at, row = rug.get_data()
            np.testing.assert_allclose(at, np.clip(y[t == label], -SCORES, SCORES))
            assert np.all(row > 1) if above else np.all(row < 0)
        promised, share, low, high, count = reliability(fit.probability(fresh[0]), fresh[1])
        np.testing.assert_allclose(view.marks[name].get_offsets(), np.column_stack([promised, share]))
        np.testing.assert_allclose(pieces(view.bars[name])[:, :, 1], np.column_stack([low, high]))
        assert (np.diff(view.marks[name].get_sizes()[np.argsort(count)]) >= 0).all()
    plus, minus = (view.marks[name].get_paths()[0].vertices for name in ("held out", "training"))
    assert len(plus) != len(minus)  # colour is not the only cue


def test_figure_platt_training_scores_are_flattered():
    _, axes = figures.panels(2)
    _, (held_out, training, fresh) = draw_platt(axes)
    away = [
        off_diagonal(reliability(fit.probability(fresh[0]), fresh[1])) for _, _, fit in (held_out, training)
    ]
    assert training[2].A > 2 * held_out[2].A
    assert away[1] > 2 * away[0]


def test_figure_14_13_curves_and_marks_are_the_outputs_of_the_machines():
    _, axes = figures.panels(2)
    view, (X, t, x, svm, rvm, scaled) = draw_14_13(axes)
    for line, values in ((view.svm, svm), (view.rvm, rvm), (view.scaled, scaled)):
        np.testing.assert_array_equal(line.get_data(), (x, values))
    tied = (x >= 0.5) & (x <= 1)
    for marks, values, loss in (
        (view.on_hinge, svm, hinge_where_tied),
        (view.on_logistic, rvm, logistic_where_tied),
    ):
        y, height = marks.get_data()
        assert 20 <= len(y) <= 60
        assert np.isin(y, values[tied]).all()
        np.testing.assert_array_equal(height, loss(y))
    for rug, label in zip(view.rugs, (1, -1)):
        np.testing.assert_array_equal(rug.get_xdata(), X[t == label, 0])
    view.update(X, t, x, svm, rvm)
    assert len(view.scaled.get_xdata()) == 0


def test_figure_14_13_hinge_does_not_care_where_the_classes_tie_and_the_logistic_loss_does():
    y = np.linspace(-1, 1, 41)
    np.testing.assert_allclose(hinge_where_tied(y), 1)
    assert hinge_where_tied(np.array([-1.5, 1.5])).min() > 1.2
    assert y[logistic_where_tied(y).argmin()] == 0
    assert logistic_where_tied(np.zeros(1)) == pytest.approx(1)


def test_figure_14_13_truth_is_zero_in_the_overlap_and_leaves_the_picture_elsewhere():
    _, axes = figures.panels(2)
    draw_14_13(axes)
    (truth,) = [line for line in axes[0].get_lines() if line.get_label() == "truth"]
    x, y = truth.get_data()
    assert set(np.asarray(x)[np.asarray(y) == 0]) == {0.5, 1.0}
    assert np.all(np.abs(np.asarray(y)[np.asarray(y) != 0]) > axes[0].get_ylim()[1])


def test_figure_14_13_draws_the_averaged_log_odds_of_the_rvm():
    """kappa(sigma^2) w'phi is drawn and so called; w'phi itself, the plug-in, leaves the picture on the sides."""
    X, t = datasets.uniform_classes()  # as in notebook 04
    kernel, x = Gaussian(100.0), (np.arange(1500) + 0.5)[:, None] / 1000
    machine = RVC(kernel=kernel).fit(X, t)
    Phi = kernel(x, machine.relevance_vectors_)
    assert machine.intercept_ == 0  # the bias is not in the model: Phi is complete
    a = Phi @ machine.coef_
    variance = np.einsum("ni,ij,nj->n", Phi, machine.sigma_, Phi)
    averaged = a / np.sqrt(1 + np.pi * variance / 8)
    _, axes = figures.panels(2)
    svm = np.zeros(len(x))
    view = figures.figure_14_13(*axes, X, t, x[:, 0], svm, machine.decision_function(x))
    np.testing.assert_allclose(view.rvm.get_ydata(), averaged, rtol=1e-6, atol=1e-9)
    assert view.rvm.get_label() == "RVM, averaged"
    plug_in = RVC(kernel=kernel, probability="plug-in").fit(X, t).decision_function(x)
    np.testing.assert_allclose(plug_in, a, rtol=1e-6, atol=1e-9)
    tied = np.abs(x[:, 0] - 0.75) < 0.25
    assert np.abs(a[tied] - averaged[tied]).max() < 0.1  # in the overlap it makes no difference
    assert np.abs(a).max() > 1e6 > 10 > np.abs(averaged).max()  # on the sides it does
