"""Figures 14.4 to 14.6: what is ringed was kept, and every stem is a weight."""

import numpy as np
from drawings.kernels.vector_machines import curves, draw_14_4, draw_14_5, draw_14_6, draw_order
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.figures.kernels.vector_machines import LinkedStems, OneOfFour, rms


def test_figure_14_4_rings_what_each_machine_keeps():
    sheet, axes = figures.panels(3)
    view, (X, t, machines) = draw_14_4(axes)
    assert len({len(kept) for _, kept in machines.values()}) == 3  # otherwise rings might be swapped unseen
    for ring, points, words, (name, (_, kept)) in zip(
        view.rings, view.points, view.counts, machines.items(), strict=True
    ):
        np.testing.assert_array_equal(offsets(ring), X[kept])
        assert len(offsets(points)) == len(X)
        assert words.get_text() == f"{name}: {len(kept)} of {len(t)}"
        assert f"the {name} {len(kept)}" in sheet.description


def test_one_of_four_rings_one_machine_and_counts_all():
    _, axes = figures.panels(3)
    _, (X, t, machines) = draw_14_4(axes)
    _, (plane, chart) = figures.panels(2)
    view = OneOfFour(plane, chart, list(machines))
    for name in machines:
        view.update(X, t, figures.grid_over(figures.WIDE, 31), machines, name)
        np.testing.assert_array_equal(offsets(view.machine.rings[0]), X[machines[name][1]])
        lengths = {row: end for (_, row), (end, _) in [*pieces(view.bars), *pieces(view.bar)]}
        assert [lengths[row] for row in view.rows] == [len(kept) for _, kept in machines.values()]
        ((_, (_, row)),) = pieces(view.bar)
        assert list(machines)[int(len(machines) - row)] == name
        shown = [boundary.artists[0].get_visible() for boundary in view.others]
        assert shown == [other != name for other in machines]


def test_figures_14_5_and_14_6_show_curves_and_weights():
    sheet, axes = figures.panels(3)
    view, (X, t, machines) = draw_14_5(axes)
    y, w = machines["L1VM"]
    np.testing.assert_array_equal(view.line.get_xydata(), np.column_stack([SINC_X, y]))
    np.testing.assert_array_equal(offsets(view.rings), np.column_stack([X, t])[w != 0])
    assert axes[0].get_title() == f"L1VM: {np.count_nonzero(w)} of {len(t)}"
    for name, (y, _) in machines.items():
        assert f"{name} {np.sqrt(np.mean((y - np.sinc(SINC_X / np.pi)) ** 2)):.4f}" in sheet.description
    _, axes = figures.panels(3)
    view, _ = draw_14_6(axes)
    np.testing.assert_allclose(view.heads.get_xydata(), np.column_stack([X, w / np.abs(w).max()])[w != 0])
    assert len(pieces(view.stems)) == np.count_nonzero(w)


def test_who_keeps_all_points_has_no_rings():
    X, t, machines = curves()
    _, axes = figures.panels(2)
    everybody = {"GP": (machines["RVM"][0], np.ones(len(t))), "RVM": machines["RVM"]}
    gp, rvm = figures.figure_14_5(axes, X, t, SINC_X, everybody)
    assert len(offsets(gp.rings)) == 0
    assert len(offsets(rvm.rings)) == np.count_nonzero(machines["RVM"][1])
    assert axes[0].get_title() == "GP: all"


def test_the_lit_point_is_the_same_everywhere():
    X, t, machines = curves()
    _, axes = figures.panels(2)
    view = LinkedStems(*axes, list(machines))
    n = int(np.argmax(np.abs(machines["SVM"][1])))
    view.update(X, t, SINC_X, machines, "SVM", n, np.cos(SINC_X))
    assert view.lit.get_xydata().tolist() == [[X[n, 0], t[n]]]
    heads = view.lit_heads.get_xydata()
    np.testing.assert_array_equal(heads[:, 0], np.full(3, X[n, 0]))
    shares = [w[n] / np.abs(w).max() for _, w in machines.values()]
    np.testing.assert_allclose((heads[:, 1] - view.rows) / view.LONGEST, shares)
    assert abs(shares[2]) == 1  # the longest stem of the SVM
    np.testing.assert_array_equal(view.edge.get_xydata()[:, 1], np.cos(SINC_X))
    assert len(pieces(view.stems)) == sum(np.count_nonzero(w) for _, w in machines.values())
    marked = [count.get_text() for count in view.counts]
    assert marked == [f"{np.count_nonzero(w)}{' ◂' * (name == 'SVM')}" for name, (_, w) in machines.items()]


def test_a_machine_without_weights_is_a_bare_axis():
    X, t, machines = curves()
    machines = {"L1VM": (np.zeros(len(SINC_X)), np.zeros(len(t))), "RVM": machines["RVM"]}
    _, axes = figures.panels(2)
    view = LinkedStems(*axes, list(machines))
    view.update(X, t, SINC_X, machines, "L1VM", 3, np.zeros(len(SINC_X)))
    assert len(pieces(view.stems)) == np.count_nonzero(machines["RVM"][1])
    assert np.isfinite(view.lit_heads.get_xydata()).all()


def test_order_has_a_line_for_each_machine():
    _, ax = figures.panels(1)
    view, counts = draw_order([ax])
    for name, kept in counts.items():
        np.testing.assert_array_equal(view.lines[name].get_xydata(), np.column_stack([[1, 2, 3, 4], kept]))
    assert ax.get_ylim()[0] < 4 < 40 < ax.get_ylim()[1]


def test_rms_of_the_truth_is_zero():
    assert rms(SINC_X, np.sinc(SINC_X / np.pi)) == 0
    assert rms(SINC_X, np.sinc(SINC_X / np.pi) + 0.3) == np.float64(0.3)
