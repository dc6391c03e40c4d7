"""Figure 14.15: the map and the slice show the numbers they were given."""

import numpy as np
from drawings import on_sheet


def test_figure_14_15_marks_the_cells_and_draws_the_slice():
    sheet, (surface, line), (scores, one_gamma, true, bayes) = on_sheet("figure_14_15")
    np.testing.assert_array_equal(np.ravel(surface.best.get_data()), scores.best)
    np.testing.assert_array_equal(np.ravel(surface.simplest.get_data()), scores.one_standard_error)
    C, gamma = surface.guide.get_data()
    np.testing.assert_allclose(gamma**2 * C, 1.0)
    assert f"unshaded: below {scores.mean.min() + 0.01:.0%}" in surface.shades.artists[0].get_text()
    np.testing.assert_array_equal(surface.true_ridge.get_xdata(), scores.C[true.argmin(axis=1)])
    row = list(scores.gamma).index(5.0)
    np.testing.assert_array_equal(line.line.get_data(), [one_gamma.C, one_gamma.mean[0]])
    np.testing.assert_array_equal(line.true.get_data(), [scores.C, true[row]])
    np.testing.assert_array_equal(line.bayes.get_ydata(), [bayes, bayes])
    bars = np.array(line.bars.artists[0].get_segments())
    np.testing.assert_allclose(bars[:, :, 0], np.repeat(scores.C[:, None], 2, axis=1))
    np.testing.assert_allclose(bars[:, :, 1].mean(axis=1), scores.mean[row])
    np.testing.assert_allclose(np.ptp(bars[:, :, 1], axis=1), 2 * scores.standard_error[row])
    assert f"The Bayes error is {bayes:.1%}" in sheet.description


def test_the_thick_line_runs_around_what_is_within_one_standard_error():
    _, (surface, _), (scores, *_) = on_sheet("figure_14_15")
    at_best = scores.place(scores.best)
    bound = scores.mean.min() + scores.standard_error[at_best]
    crossings = sum(len(path.vertices) for path in surface.near.artists[0].get_paths())
    inside = scores.mean <= bound
    expected = np.sum(inside[:, 1:] != inside[:, :-1]) + np.sum(inside[1:] != inside[:-1])
    assert expected > 0
    assert crossings >= expected  # a vertex wherever two neighbours differ
