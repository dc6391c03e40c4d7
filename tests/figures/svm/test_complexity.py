"""C and gamma, costs by class, an outlier: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.svm.complexity import TEST_T, TEST_X, T, X
from looking import distance_to_line, offsets, pieces

from sparsekm_edu import SVC, Gaussian, figures
from sparsekm_edu.figures.svm.complexity import ErrorPath


def test_every_panel_of_complexity_names_its_errors_and_its_machine():
    sheet, view, (machines, train, test) = on_sheet("figure_complexity")
    for k, ax in enumerate(view.axes):
        row, column = divmod(k, 2)
        machine = machines[row][column]
        expected = (
            f"train {train[row][column]:.1%}, test {test[row][column]:.1%}, {len(machine.support_)} SVs"
        )
        assert ax.get_title() == expected
        assert (f"= {machine.kernel.gamma:g}" in ax.get_ylabel()) == (column == 0)
        assert (f"= {machine.C:g}" in ax.get_xlabel()) == (row == 1)
        boundary = np.concatenate([path.vertices for path in view.surfaces[k].boundary.get_paths()])
        assert np.median(np.abs(machine.decision_function(boundary))) < 0.05  # narrow bumps on a coarse grid
        assert f"{len(machine.support_)} support vectors" in sheet.description


def test_class_costs_marks_the_wrong_points_and_the_three_ratios():
    _, view, (misses, (ratios, fp, fn)) = on_sheet("figure_class_costs")
    np.testing.assert_array_equal(offsets(view.wrong), X[misses])
    np.testing.assert_allclose(np.transpose(view.marks.get_data()), 100 * np.column_stack([fp, fn]))
    assert [name.artists[0].get_text() for name in view.names] == ["0.1", "1", "10"]
    np.testing.assert_allclose(np.ravel(view.here.get_data()), (100 * fp[2], 100 * fn[2]))
    assert (np.diff(fp) > 0).all()  # dearer circles: more squares are sacrificed,
    assert (np.diff(fn) < 0).all()  # and fewer circles


def test_outlier_draws_three_lines_and_both_shifts():
    _, view, (outlier, places, soft, squares) = on_sheet("figure_outlier")
    lines = soft.before, (soft.w[5], soft.b[5]), (squares.w[5], squares.b[5])
    for layer, (w, b) in zip((view.before, view.hinge, view.squares), lines, strict=True):
        np.testing.assert_allclose(pieces(layer)[0] @ w + b, 0, atol=1e-9)
    assert distance_to_line(outlier, pieces(view.track)[0]) < 1e-9
    np.testing.assert_array_equal(offsets(view.outlier), [outlier])
    np.testing.assert_array_equal(view.hinge_curve.get_data(), (places, soft.moved))
    np.testing.assert_array_equal(view.squares_curve.get_data(), (places, squares.moved))
    assert [float(here.get_ydata()[0]) for here in view.here] == [soft.moved[5], squares.moved[5]]


def test_error_path_shows_test_points_only_when_asked():
    sheet, axes = figures.panels(2)
    view = ErrorPath(*axes, best=0.1)
    grid = figures.grid_over(figures.WIDE, 30)
    machine = SVC(kernel=Gaussian(1.0)).fit(X, T)
    errors = np.array([0.1, 1.0, 10.0]), np.array([0.2, 0.1, 0.0]), np.array([0.3, 0.2, 0.25])
    for test_set, shown in ((None, 0), ((TEST_X, TEST_T), 300)):
        view.update(X, T, grid, machine.surface(*grid), machine.support_, test_set, errors, (1.0, 0.1, 0.2))
        assert len(offsets(view.test_points)) == shown
    assert "least, 20.0%, at C = 1" in sheet.description
    assert view.test.get_ydata() == pytest.approx([30, 20, 25])
    assert [float(here.get_ydata()[0]) for here in view.here] == pytest.approx([20, 10])
