"""Costs of ridge regression, and strokes to what the others predict: drawn where the numbers say."""

import numpy as np
from drawings import on_sheet
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.kernels.ridge import LeaveOneOut


def test_figure_ridge_costs_both_panels_show_their_numbers_and_where_D_is_N():
    sheet, views, (N, D, operations, seconds) = on_sheet("figure_ridge_costs")
    for view, costs in zip(views, (operations, seconds), strict=True):
        for name, line in view.lines.items():
            np.testing.assert_array_equal(line.get_data(), (D, costs[name]))
        assert list(view.border.get_xdata()) == [N, N]
        ticks = [label.get_text() for label in view.axes[0].get_xticklabels()]
        assert ticks == [str(d) for d in D]
    assert "the primal is cheaper for D = 25, 50, the dual for D = 200, 400." in sheet.description


def test_leave_one_out_strokes_go_from_the_target_to_the_prediction_and_the_longest_is_ringed():
    view = LeaveOneOut(*figures.panels(2)[1])
    X, y, predicted = np.array([[-1.0], [0.0], [2.0]]), np.array([0.1, 0.5, 0.2]), np.array([0.0, -0.3, 0.3])
    grid = np.linspace(-2, 2, 5)
    prices, train, left_out = np.array([0.1, 1.0, 10.0]), np.array([0.1, 0.2, 0.4]), np.array([0.6, 0.3, 0.5])
    view.update(X, y, grid, (grid**2, -grid), predicted, (prices, train, left_out), lam=1.0)
    strokes = pieces(view.strokes)
    np.testing.assert_array_equal(strokes[:, 0], np.column_stack([X, y]))
    np.testing.assert_array_equal(strokes[:, 1], np.column_stack([X, predicted]))
    np.testing.assert_array_equal(offsets(view.ring), [(0.0, 0.5)])
    np.testing.assert_array_equal(view.without.get_ydata(), -grid)
    np.testing.assert_array_equal(view.left_out.get_data(), (prices, left_out))
    np.testing.assert_array_equal(view.train.get_data(), (prices, train))
    np.testing.assert_array_equal(view.best.get_data(), ([1.0], [0.3]))
    assert list(view.cursor.get_xdata()) == [1.0, 1.0]
    view.update(X, y, grid, (grid**2, -grid), predicted, (prices, train, np.full(3, 0.4)), lam=1.0)
    assert len(view.best.get_xdata()) == 0  # no price is best
