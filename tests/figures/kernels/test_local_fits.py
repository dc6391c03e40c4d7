"""Smoothers on a line: figure 14.18, straight lines, rows of equivalent kernels, and the two views of the explorers."""

import numpy as np
import pytest
from drawings.kernels.local_fits import LINE, draw_14_18, draw_equivalent_kernels, draw_straight_line
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.kernels.local_fits import (
    FOOT,
    GRIP,
    H_GRIP,
    HEIGHT,
    RISK,
    WAVE,
    BiasVariance,
    LocalFits,
    Weights,
)


def lines(ax):
    """Curves with a name in the legend -> their data."""
    return {
        line.get_label(): np.array(line.get_data())
        for line in ax.lines
        if not line.get_label().startswith("_")
    }


def test_figure_14_18_shows_the_points_the_curve_and_the_truth():
    sheet, ax = figures.panels()
    view, (X, t, y, truth) = draw_14_18([ax])
    np.testing.assert_array_equal(view.curve.get_data(), (LINE, y))
    np.testing.assert_array_equal(view.truth.get_data(), (LINE, truth))
    np.testing.assert_array_equal(offsets(view.points), np.column_stack([X, t]))
    assert "h$ = 3.50" in ax.get_title()
    assert f"is {np.sqrt(np.mean((y - truth) ** 2)):.2f}." in sheet.description
    low, high = ax.get_ylim()
    assert low < t.min() < t.max() < high


def test_figure_straight_line_bends_away_at_the_ends_for_one_of_the_two():
    sheet, ax = figures.panels()
    _, errors = draw_straight_line([ax])
    shown = lines(ax)
    for name, error in errors.items():
        np.testing.assert_array_equal(shown[name], (LINE, error))
    assert shown["Nadaraya-Watson"][1, 0] > 0.1
    assert shown["Nadaraya-Watson"][1, -1] < -0.1
    np.testing.assert_allclose(shown["local line"][1], 0, atol=1e-10)
    assert "local line +0.00 and +0.00" in sheet.description
    assert f"Nadaraya-Watson {errors['Nadaraya-Watson'][0]:+.2f} and" in sheet.description


def test_figure_equivalent_kernels_shows_a_row_for_each_place_on_one_scale():
    _, axes = figures.panels(2)
    _, (X, rows, places) = draw_equivalent_kernels(axes)
    for n, ax in enumerate(axes):
        shown = lines(ax)
        for name, W in rows.items():
            np.testing.assert_array_equal(shown[name], (X[:, 0], W[n]))
        assert f"{places[n]:g}" in ax.get_title()
        low, high = ax.get_ylim()
        assert low < min(W.min() for W in rows.values())
        assert high > max(W.max() for W in rows.values())
    assert axes[0].get_ylim() == axes[1].get_ylim()


def test_weights_are_stems_in_units_of_the_largest_with_squares_below_zero():
    view = Weights(figures.panels()[1])
    X, w = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0.5, 0.25, -0.1, 0.001])
    view.update(X, w, 2.0)
    np.testing.assert_allclose(pieces(view.stems)[:, 1], [(1, 1), (2, 0.5), (3, -0.2), (4, 0.002)])
    np.testing.assert_allclose(pieces(view.stems)[:, 0, 1], 0)
    np.testing.assert_allclose(view.positive.get_data(), [(1, 2), (1, 0.5)])
    np.testing.assert_allclose(view.negative.get_data(), [[3], [-0.2]])
    assert view.negative.get_marker() == "s"


def test_local_fits_shows_the_piece_the_window_and_their_grips():
    sheet, axes = figures.panels(2, rows=2)
    view = LocalFits(*axes.flat)
    X, t, x = np.array([[10.0], [30.0], [70.0]]), np.array([1.0, 2.0, 3.0]), np.array([0.0, 100.0])
    bump = np.array([(5.0, 0.0), (20.0, 1.0), (35.0, 0.0)])
    fits = [
        (np.array([1.0, 1.0]), np.array([(5.0, 1.0), (35.0, 1.0)]), np.array([0.5, 0.5, 0.0])),
        (np.array([0.0, 4.0]), np.array([(5.0, 0.0), (35.0, 3.0)]), np.array([0.8, 0.4, -0.2])),
    ]
    view.update(X, t, x, fits, np.zeros(2), place=20.0, bump=bump, edge=35.0)
    for plane, (y, piece, _), height in zip(view.planes, fits, (1.0, 1.5), strict=True):
        np.testing.assert_array_equal(plane.smooth.curve.get_data(), (x, y))
        np.testing.assert_array_equal(pieces(plane.local)[0], piece)
        np.testing.assert_array_equal(plane.probe.get_data(), ([20.0], [height]))
        np.testing.assert_array_equal(offsets(plane.edge), [(35.0, GRIP)])
        top = plane.bump.artists[0].get_paths()[0].vertices[:, 1].max()
        assert top == pytest.approx(FOOT + HEIGHT)
    np.testing.assert_allclose(view.weights[1].negative.get_data(), [[70], [-0.25]])
    assert WAVE[2] < GRIP < t.min()


def test_bias_variance_shows_both_curves_their_sum_and_its_least():
    sheet, axes = figures.panels(3)
    view = BiasVariance(*axes)
    x, hs = np.array([0.0, 50.0, 100.0]), np.array([1.0, 3.0, 9.0])
    truth, expected, sd = np.array([0.0, 1.0, 2.0]), np.array([0.5, 1.0, 1.0]), np.array([0.1, 0.2, 0.3])
    averages = np.array([(0.01, 0.02, 0.5), (0.3, 0.1, 0.02)])
    fits = np.column_stack([expected + sd, expected - sd])
    view.update(x, truth, expected, sd, fits, h=2.0, hs=hs, averages=averages)
    np.testing.assert_allclose(view.bias.get_ydata(), np.array([0.5, 0.0, -1.0]) / 1.6)
    np.testing.assert_allclose(view.sd.get_ydata(), sd / 1.6)
    edges = view.band.artists[0].get_paths()[0].vertices[:6, 1]
    np.testing.assert_allclose(np.sort(edges), np.sort([*(expected + 2 * sd), *(expected - 2 * sd)]))
    np.testing.assert_allclose(
        [line.get_ydata() for line in view.averages], [*averages, averages.sum(axis=0)]
    )
    np.testing.assert_allclose(view.least.get_data(), ([3.0], [0.12]))
    np.testing.assert_allclose(offsets(view.grip), [(2.0, H_GRIP)])
    np.testing.assert_allclose(pieces(view.now)[0], [(2.0, RISK[2]), (2.0, RISK[3])])
    assert len(view.fits.artists[0].get_segments()) == 2
    assert axes[2].get_xscale() == axes[2].get_yscale() == "log"


def test_bias_and_standard_deviation_stay_in_their_panel_until_they_are_huge():
    view = BiasVariance(*figures.panels(3)[1])
    x, hs, averages = np.array([0.0, 100.0]), np.array([1.0, 3.0]), np.ones((2, 2))
    for bias, sd, edge in (
        (0.3, 0.1, 0.8),
        (-0.75, 0.2, 0.8),
        (0.1, 0.9, 1.6),
        (-2.0, 0.1, 3.2),
        (1.0, 20.0, 3.2),
    ):
        view.update(
            x,
            np.zeros(2),
            np.full(2, bias),
            np.full(2, sd),
            np.zeros((2, 1)),
            h=2.0,
            hs=hs,
            averages=averages,
        )
        np.testing.assert_allclose(view.bias.get_ydata(), bias / edge)
        np.testing.assert_allclose(view.sd.get_ydata(), sd / edge)
        assert view.edge.artists[0].get_text() == f"edges: ± {edge:g}"
