"""Figures 14.2 and 14.3: xor by three sets of features, and a basis of bumps."""

import numpy as np
import pytest
from drawings.kernels.prototypes import WIDTHS, draw_14_2, draw_14_3
from looking import offsets, pieces

from sparsekm_edu import datasets, figures
from sparsekm_edu.figures.kernels.prototypes import CORNERS, FALSE, Corners


def test_the_corners_of_the_figure_are_those_of_the_data():
    np.testing.assert_array_equal(CORNERS, datasets.XOR_CORNERS)
    X, t = datasets.xor(4, jitter=0.0)
    np.testing.assert_array_equal(X, CORNERS)
    np.testing.assert_array_equal(t < 0, FALSE)


def test_figure_14_2_powers_fail_monomials_and_four_prototypes_solve_xor():
    views, (X, t, functions) = draw_14_2(np.ravel(figures.panels(4)[1]))
    errors = [int(np.sum((y(X) > 0) != (t > 0))) for y in functions]
    assert errors[0] > 15
    assert errors[1:] == [0, 0]
    for view, y, steepest in zip(views[1:], functions, (60, 200, 20), strict=True):
        on_boundary = np.concatenate([path.vertices for path in view.surface.boundary.get_paths()])
        assert np.abs(y(on_boundary)).mean() < 0.004 * steepest  # a cell of the grid is 0.025 wide
        np.testing.assert_array_equal(offsets(view.points), np.vstack([X[t > 0], X[t < 0]]))
    assert [len(offsets(view.prototypes)) for view in views[1:]] == [0, 0, 4]
    np.testing.assert_array_equal(offsets(views[3].prototypes), datasets.XOR_CORNERS)
    words = views[0].axes[0].get_figure().description
    assert f"wrong about {errors[0]} points" in words
    assert "marked by triangles, wrong about 0" in words


def test_figure_14_2_the_truth_table_says_xor():
    view = draw_14_2(np.ravel(figures.panels(4)[1]))[0][0]
    texts = [(text.get_position(), text.get_text()) for text in view.axes[0].texts]
    assert {(int(x), round(y + 0.14), int(word)) for (x, y), word in texts} == {
        (0, 0, 0), (1, 1, 0), (0, 1, 1), (1, 0, 1)
    }  # fmt: skip


def test_corners_the_dashed_lines_are_the_means_and_heights_are_shares_of_the_largest():
    view = Corners(figures.panels()[1])
    y = np.array([-4.0, 1.0, 2.0, 8.0])
    view.update(y)
    np.testing.assert_allclose(pieces(view.means)[:, :, 1], [[-0.1875] * 2, [0.625] * 2])
    np.testing.assert_allclose(pieces(view.stems)[:, 1, 1], y / 8)
    np.testing.assert_allclose(pieces(view.stems)[:, 0, 1], 0)
    view.update(np.zeros(4))
    np.testing.assert_array_equal(pieces(view.stems)[:, 1, 1], 0)


def test_figure_14_3_each_row_shows_its_curve_its_bumps_and_its_matrix():
    views, (X, t, line, truth, rows, mu) = draw_14_3(np.ravel(figures.panels(9)[1]))
    for view, (tau, y, _, Phi), expected in zip(views, rows, WIDTHS, strict=True):
        assert tau == expected
        assert view.axes[0].get_title() == rf"fit, $\tau$ = {tau:g}; dashed: truth"
        np.testing.assert_array_equal(view.curve.get_data(), (line, y))
        np.testing.assert_array_equal(view.truth.get_ydata(), truth)
        segments = np.array(view.bumps.get_segments())
        np.testing.assert_allclose(segments[:, :, 1], np.exp(-((line - mu) ** 2) / (2 * tau**2)), atol=1e-12)
        np.testing.assert_array_equal(offsets(view.prototypes)[:, 0], mu[:, 0])
        shades = view.design.image.get_array()[:, :, 0].astype(float)
        assert shades.shape == Phi.shape
        np.testing.assert_allclose(shades, 255 - (255 - 26) * Phi, atol=2)  # paper 255, ink 26
        assert len(pieces(view.design.columns)) == 9


def test_figure_14_3_the_book_says_a_straight_line_and_with_its_ridge_it_is_a_level_one():
    _, (_, t, _, _, rows, _) = draw_14_3(np.ravel(figures.panels(9)[1]))
    (*_, wide) = rows
    assert np.ptp(wide[1]) < 0.1
    assert wide[1].mean() == pytest.approx(t.mean(), abs=0.05)
    assert wide[3].min() > 0.999  # the design matrix is all ones, nearly
    ranks = [int(np.linalg.matrix_rank(Phi)) for *_, Phi in rows]
    assert ranks == [10, 10, 4]
