"""Figures 7.5 and 7.6, what losses make of data, no likelihood: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.svm.losses import Z, draw_four_losses, of_residual
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
