"""Figures 7.5 and 7.6, what losses make of data, no likelihood: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.svm.losses import Z, draw_four_losses, draw_no_likelihood, of_residual
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.lessons import losses


def test_figure_7_5_draws_every_curve_and_the_point_they_share():
    sheet, view, curves = on_sheet("figure_7_5")
    drawn = [line.get_ydata() for line in view.axes[0].lines]
    for values, line in zip(curves.values(), drawn):
        np.testing.assert_array_equal(line, values)
        assert np.interp(0.0, Z, values) == 1.0
    assert view.axes[0].lines[-1].get_xydata().tolist() == [[0, 1]]
    styles = {(line.get_linestyle(), line.get_color()) for line in view.axes[0].lines[:4]}
    assert len(styles) == 4
    assert sheet.description.count("1.00") == 4


def test_four_losses_lines_boundaries_and_gap():
    _, view, (x, t, lines, split, costs, support) = on_sheet("figure_four_losses")
    for name, line in lines.items():
        np.testing.assert_allclose(view.lines[name].get_ydata(), line(view.lines[name].get_xdata()))
        (place,) = view.boundaries[name].get_xdata()
        assert line(place) == pytest.approx(0, abs=1e-12)
    (corners,) = [path.vertices[:4] for path in view.gap.get_paths()]
    assert set(corners[:, 0]) == {split.low, split.high}
    np.testing.assert_array_equal(offsets(view.rings), np.column_stack([x, t])[support])
    np.testing.assert_array_equal(np.sort(offsets(view.costs), axis=0), np.sort(costs, axis=0))


def test_four_losses_a_level_line_has_no_boundary():
    sheet, axes = figures.panels(2)
    view, (x, t, lines, split, costs, support) = draw_four_losses(axes)
    view.update(x, t, {"hinge": losses.Line(0.0, 0.5)}, (split.low, split.high), costs, support)
    assert len(view.boundaries["hinge"].get_xdata()) == 0
    assert "hinge none" in sheet.description


def test_figure_7_6_dotted_lines_and_dots_at_plus_and_minus_epsilon():
    _, view, epsilon = on_sheet("figure_7_6")
    assert sorted(pieces(view.edges)[:, 0, 0]) == [-epsilon, epsilon]
    for dots, name in ((view.kinks, "insensitive"), (view.joints, "huber")):
        x, y = dots.get_data()
        np.testing.assert_allclose(x, [-epsilon, epsilon])
        np.testing.assert_allclose(y, of_residual(np.array(x), epsilon)[name])


def test_locations_marks_sit_at_the_bottom_of_their_curves():
    _, view, (t, epsilon, best, flat, support) = on_sheet("figure_locations")
    for name, mark in view.best.items():
        (x,), (y,) = mark.get_data()
        assert (x, y) == best[name]
        m, cost = view.costs[name].get_data()
        assert y <= cost.min() + 1e-3
        assert y == pytest.approx(np.interp(x, m, cost), abs=1e-3)
    np.testing.assert_allclose(pieces(view.flat)[0][:, 0], flat)
    np.testing.assert_array_equal(offsets(view.rings)[:, 0], t[support])


def test_no_likelihood_sums():
    _, view, (f, pairs, C) = on_sheet("figure_no_likelihood")
    for (_, plus, minus, total), pair in zip(view.panels, pairs):
        np.testing.assert_array_equal(plus.get_ydata(), pair[0])
        np.testing.assert_array_equal(minus.get_ydata(), pair[1])
        np.testing.assert_allclose(total.get_ydata(), pair[0] + pair[1])
    assert np.interp(0.0, f, view.panels[0][3].get_ydata()) == pytest.approx(2 * np.exp(-C))


def test_no_likelihood_at_ln_2_the_logistic_loss_adds_up_to_one_and_the_hinge_has_a_bump_of_a_quarter():
    """As notebook 04 prints the sum: exp(-C g(f)) + exp(-C g(-f))."""
    _, axes = figures.panels(2)
    C = np.log(2)
    view, (f, _, _) = draw_no_likelihood(axes, C)
    hinge, logistic = (panel[3].get_ydata() for panel in view.panels)
    np.testing.assert_allclose(
        hinge, np.exp(-C * np.maximum(0, 1 - f)) + np.exp(-C * np.maximum(0, 1 + f)), rtol=1e-12
    )
    np.testing.assert_allclose(logistic, 1, atol=1e-12)  # (7.46)
    assert np.interp((-1, 0, 1), f, hinge) == pytest.approx([1.25, 1, 1.25])
    assert hinge.max() == pytest.approx(1.25)
    for (shading, *_, total), ax in zip(view.panels, axes):
        between = shading.get_paths()[0].vertices  # the sum there, 1 back
        for there, height in zip(f[::80], total.get_ydata()[::80]):
            assert {height, 1.0} <= set(between[between[:, 0] == there, 1])
        assert ax.get_ylim() == (0, 1.5)


@pytest.mark.parametrize("C", [0.1, 0.3, 0.45, 0.5, 0.69, 2.0, 10.0])
def test_no_likelihood_the_window_grows_only_where_the_sum_asks_for_it(C):
    _, axes = figures.panels(2)
    view, _ = draw_no_likelihood(axes, C)
    highest = max(panel[3].get_ydata().max() for panel in view.panels)
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert highest < axes[0].get_ylim()[1]
    assert (axes[0].get_ylim()[1] == 1.5) == (highest <= 1.4)
