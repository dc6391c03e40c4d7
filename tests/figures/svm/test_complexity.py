"""C and gamma, costs by class, an outlier: what is drawn is what was computed."""

import numpy as np
import pytest
from looking import distance_to_line, offsets, pieces

from sparsekm_edu import SVC, Gaussian, datasets, figures
from sparsekm_edu.figures.svm.complexity import ErrorPath
from sparsekm_edu.lessons.outliers import least_squares_with_outlier, soft_margin_with_outlier

X, T = datasets.overlapping()
TEST_X, TEST_T = datasets.overlapping(300, seed=7)


def draw_complexity(axes):
    machines = [[SVC(C=C, kernel=Gaussian(gamma)).fit(X, T) for C in (0.1, 1000)] for gamma in (0.05, 30)]
    train = [[1 - machine.score(X, T) for machine in row] for row in machines]
    test = [[1 - machine.score(TEST_X, TEST_T) for machine in row] for row in machines]
    view = figures.figure_complexity(np.reshape(axes, (2, 2)), X, T, machines, train, test)
    return view, (machines, train, test)


def draw_class_costs(axes):
    ratios = np.array([0.1, 1.0, 10.0])
    machines = [SVC(kernel=Gaussian(0.45), class_weight={1: r**0.5, -1: r**-0.5}).fit(X, T) for r in ratios]
    wrong = [machine.predict(TEST_X) != TEST_T for machine in machines]
    fp, fn = (np.array([w[label == TEST_T].mean() for w in wrong]) for label in (-1, 1))
    misses = np.flatnonzero(machines[2].predict(X) != T)
    shifted = np.linspace(0, 1, 5), np.linspace(1, 0, 5)
    trade = ratios, fp, fn
    view = figures.figure_class_costs(*axes, X, T, machines[2], trade, shifted, 10.0, (fp[2], fn[2]))
    return view, (misses, trade)


def draw_outlier(axes):
    X, t = datasets.clouds(40)
    middle, along, places = np.array([0.1, 0.2]), np.array([-0.6, -0.8]), np.linspace(-6, 6, 7)
    where = middle + np.outer(places, along)
    soft, squares = soft_margin_with_outlier(X, t, 0.1, where), least_squares_with_outlier(X, t, where)
    view = figures.figure_outlier(*axes, X, t, middle, along, places, soft, squares, 5)
    return view, (where[5], places, soft, squares)


FIGURES = {
    "figure_complexity": (draw_complexity, 4),
    "figure_class_costs": (draw_class_costs, 2),
    "figure_outlier": (draw_outlier, 2),
}


def on_sheet(name):
    draw, n = FIGURES[name]
    sheet, axes = figures.panels(n)
    return sheet, *draw(axes)


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
