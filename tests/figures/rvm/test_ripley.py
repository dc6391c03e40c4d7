"""Ripley's mixture over many draws, and three classes: what is drawn is what was computed."""

import numpy as np
from drawings.rvm.ripley import draw_ripley, draw_ripley_draws, draw_softmax_rvm
from looking import offsets

from sparsekm_edu import datasets, figures
from sparsekm_edu.figures.rvm.ripley import PAPER


def test_tipping_figure_2_rings_the_vectors_and_shows_the_best_boundary():
    _, axes = figures.panels(2)
    view, (X, t, _, svm, rvm, _) = draw_ripley(axes)
    support, relevance = (offsets(rings) for rings in view.rings)
    np.testing.assert_array_equal(support, X[svm.support_])
    np.testing.assert_array_equal(relevance, X[rvm.relevance_])
    assert len(relevance) <= 5 < 20 < len(support)
    for boundary in view.best:
        line = np.vstack([path.vertices for path in boundary.artists[0].get_paths()])
        densities = [
            np.exp(-((line[:, None] - centres) ** 2).sum(axis=2) / (2 * datasets.RIPLEY_VARIANCE)).sum(axis=1)
            for centres in datasets.RIPLEY_CENTRES
        ]
        np.testing.assert_allclose(np.log(densities[0] / densities[1]), 0, atol=0.05)


def test_the_cloud_holds_every_draw_the_medians_and_the_paper():
    _, ax = figures.panels(1)
    view, (svm, rvm, least) = draw_ripley_draws([ax])
    for name, results in (("SVM", svm), ("RVM", rvm)):
        np.testing.assert_array_equal(view.draws[name].get_xydata(), results[:-1])
        np.testing.assert_array_equal(view.last[name].get_xydata(), results[-1:])
        cross = view.middle[name].get_xydata()
        np.testing.assert_allclose((cross[3, 0], cross[0, 1]), np.median(results, axis=0))
    stars = next(line for line in ax.lines if line.get_marker() == "*")
    np.testing.assert_array_equal(stars.get_xydata(), list(PAPER.values()))
    assert view.least.get_ydata()[0] == least
    assert "errs less in 2 of them" in ax.get_figure().description
    assert ax.get_ylabel() == "true error"  # an integral over the known densities, no test set


def test_results_beyond_the_window_are_drawn_at_its_edge():
    _, ax = figures.panels(1)
    view = figures.figure_ripley_draws(ax, np.array([[500, 0.4]]), np.array([[0, 0.5]]), 0.0893)
    for name in ("SVM", "RVM"):
        (x, y) = view.last[name].get_xydata()[0]
        assert ax.get_xlim()[0] <= x <= ax.get_xlim()[1]
        assert ax.get_ylim()[0] <= y <= ax.get_ylim()[1]


def test_the_table_of_weights():
    """A full circle for every positive weight, a hollow one for every negative, at (class, relevance vector)."""
    _, axes = figures.panels(2)
    view, (X, t, model) = draw_softmax_rvm(axes)
    W = np.vstack([model.coef_.T, model.intercept_])
    for artist, sign in ((view.up, 1), (view.down, -1)):
        row, k = np.nonzero(sign * W > 0)
        np.testing.assert_array_equal(artist.get_offsets(), np.column_stack([k, row]))
    written = [row.artists[0].get_text() for row in view.rows]
    assert written[: len(W)] == [*(str(n + 1) for n in range(len(W) - 1)), "bias"]
    assert not any(written[len(W) :])
    np.testing.assert_array_equal(offsets(view.rings), model.relevance_vectors_)
