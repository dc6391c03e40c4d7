"""Figures 7.3 and 7.4: slack as lengths, multipliers in their box, nu between two fractions."""

import numpy as np
import pytest
from drawings.svm.soft_margin import draw_7_3, draw_7_4
from looking import distance_to_line, offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.svm.soft_margin import end_of_line, slacks


@pytest.mark.parametrize("C", [0.01, 0.3, 1.0, 100.0])
def test_figure_7_3_each_length_is_the_slack_over_the_length_of_w_and_ends_on_the_margin_of_its_class(C):
    view, (X, t, (w, b), a, _) = draw_7_3(figures.panels(2)[1], C)
    xi = np.maximum(0, 1 - t * (X @ w + b))
    late = xi > 1e-9
    drawn = pieces(view.lengths)
    np.testing.assert_array_equal(drawn[:, 0], X[late])
    lengths = np.linalg.norm(drawn[:, 1] - drawn[:, 0], axis=1)
    np.testing.assert_allclose(lengths, xi[late] / np.linalg.norm(w))
    assert view.axes[0].get_title() == r"grey lengths: $\xi_n/\|\mathbf{w}\|$"  # what the title says is drawn
    np.testing.assert_allclose(drawn[:, 1] @ w + b, t[late], atol=1e-9)
    np.testing.assert_array_equal(offsets(view.wrong), X[t * (X @ w + b) < 0])
    np.testing.assert_array_equal(offsets(view.rings), X[a > 0])


def test_figure_7_3_lines_are_the_levels_of_y_and_bear_their_names():
    view, (_, _, (w, b), _, _) = draw_7_3(figures.panels(2)[1])
    np.testing.assert_allclose(pieces(view.line)[0] @ w + b, 0, atol=1e-9)
    for edge, level in zip(pieces(view.edges), (-1, 1)):
        np.testing.assert_allclose(edge @ w + b, level, atol=1e-9)
    heights = []
    for name, level in zip(view.names, (-1, 0, 1)):
        text = name.artists[0]
        assert text.get_text() == f"$y={level}$"
        heights.append(w @ text.get_position() + b)
    assert heights[0] < -1
    assert heights[1] == pytest.approx(0, abs=1e-9)
    assert heights[2] > 1


def test_figure_7_3_bars_are_the_multipliers_in_shares_of_the_box_worst_first():
    view, (X, t, (w, b), a, C) = draw_7_3(figures.panels(2)[1])
    bars = [path.vertices for path in view.bars.artists[0].get_paths()]
    heights = np.array([corners[:, 1].max() for corners in bars])
    np.testing.assert_allclose(np.sort(heights), np.sort(a) / C)
    assert (np.diff(heights) <= 1e-12).all()
    tips = offsets(view.tips)
    np.testing.assert_allclose(tips[np.argsort(tips[:, 0])][:, 1], heights)
    assert (tips >= 0).all()
    assert (tips <= 1).all()


@pytest.mark.parametrize("w", [(1.0, 0.5), (1.0, 0.0), (0.0, -1.0), (-0.3, 0.01)])
def test_names_stand_on_their_line_within_the_window_or_nowhere(w):
    window = -3.0, 3.0, -2.0, 2.0
    for level in (-1, 0, 1):
        x1, x2 = end_of_line(window, w, 0.1, level) or (None, None)
        if x1 is not None:
            assert w[0] * x1 + w[1] * x2 + 0.1 == pytest.approx(level)
            assert abs(x1) <= 3
            assert abs(x2) <= 2
    assert end_of_line(window, w, 100.0, 0) is None


def test_slack_is_only_for_points_whose_multiplier_is_at_its_limit():
    t, y = np.array([1.0, 1.0, -1.0, -1.0, 1.0]), np.array([2.0, 0.5, 0.25, -0.99999, 1 - 1e-12])
    a = np.array([0.0, 3.0, 3.0, 2.9, 3.0])
    np.testing.assert_allclose(slacks(t, y, a, 3.0), [0, 0.5, 1.25, 0, 0])


def test_figure_7_4_nu_stands_between_the_ends_of_two_bars():
    view, (X, t, model) = draw_7_4(figures.panels(2)[1])
    errors = np.mean(t * model.decision_function(X) < 1 - 1e-6)
    low, high = view.fractions.bars
    assert low.get_width() == pytest.approx(errors)
    assert high.get_width() == pytest.approx(len(model.support_) / len(t))
    assert pieces(view.fractions.line)[0][0, 0] == model.nu
    assert low.get_width() <= model.nu <= high.get_width()
    np.testing.assert_array_equal(offsets(view.rings), X[model.support_])
    wrong = X[model.predict(X) != t]
    np.testing.assert_array_equal(np.sort(offsets(view.wrong), axis=0), np.sort(wrong, axis=0))
    free = model.solution_.a[model.support_] < 1 / len(t)  # these lie on the dashed lines
    for x in model.support_vectors_[free]:
        paths = [path.vertices for path in view.surface.margins.get_paths()]
        nearest = min(
            distance_to_line(x, piece)
            for path in paths
            for piece in zip(path[:-1], path[1:])
            if np.linalg.norm(piece[0] - x) < 0.2
        )
        assert nearest < 0.02
