"""SMO's step, the scaling of solvers, the path over all C: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.svm.training import T, X, draw_path, draw_scaling, draw_smo_step
from looking import offsets, pieces

from sparsekm_edu import Gaussian, Linear, figures
from sparsekm_edu.figures.svm.training import SMALLEST, straight_pieces
from sparsekm_edu.solvers import c_path


def on_three(draw, *args, **kwargs):
    return draw(figures.panels(3)[1], *args, **kwargs)


def place(mark):
    return np.ravel(mark.get_data())


def dual_value(problem, a):
    t = problem.target
    return a.sum() - 0.5 * (a * t) @ problem.K @ (a * t)  # (7.32)


# one step of SMO


@pytest.mark.parametrize("k", [1, 2, 5, 6, 10, 24])
def test_smo_step_the_marks_are_on_the_line_and_the_best_of_it(k):
    view, (problem, steps, k, _) = on_three(draw_smo_step, k)
    step, C = steps[k], problem.hi.max()
    i, j = step.pair
    t = problem.target[[i, j]]
    start, unclipped, end = map(place, (view.start, view.unclipped, view.optimum))
    for mark in (unclipped, end, *pieces(view.line)[0]):
        assert t @ mark == pytest.approx(t @ start, abs=1e-12)  # a_i t_i + a_j t_j = const
    assert ((end >= 0) & (end <= 1)).all()
    assert np.abs(step.v[[i, j]]) / C == pytest.approx(end)

    def value(pair):
        a = np.abs(step.v)
        a[[i, j]] = C * pair
        return dual_value(problem, a)

    along = (unclipped - start) / np.linalg.norm(unclipped - start)
    assert value(unclipped) >= max(value(unclipped + 1e-3 * along), value(unclipped - 1e-3 * along))
    inside = [start + s * (unclipped - start) for s in np.linspace(0, 1, 101)]
    inside = [pair for pair in inside if ((pair >= 0) & (pair <= 1)).all()]
    assert value(end) >= max(map(value, inside)) - 1e-12


def test_smo_step_contour_lines_are_levels_of_the_dual():
    view, (problem, steps, k, _) = on_three(draw_smo_step)
    a, C, pair = np.abs(steps[k].v), problem.hi.max(), list(steps[k].pair)
    lines = view.levels.get_segments()
    assert len(lines) >= 8
    for line in lines:
        values = []
        for point in line:
            a[pair] = C * point
            values.append(dual_value(problem, a))
        assert np.ptp(values) < 0.15  # straight pieces between the cells of a grid


def test_smo_step_marks_the_pair_and_the_support_vectors():
    view, (problem, steps, k, _) = on_three(draw_smo_step)
    np.testing.assert_array_equal(offsets(view.pair), X[list(steps[k].pair)])
    np.testing.assert_array_equal(offsets(view.rings), X[steps[k].v != 0])


def test_smo_step_the_traces_end_at_this_step():
    view, (_, steps, k, best) = on_three(draw_smo_step, 7)
    for curves, values in (
        (view.gaps, [s.gap for s in steps[1:]]),
        (view.misses, [best - s.objective for s in steps[1:]]),
    ):
        whole, so_far = (curve.get_data()[1] for curve in curves)
        np.testing.assert_allclose(so_far, values[:7])
        np.testing.assert_allclose(whole, np.maximum(values, SMALLEST / 10))
    assert (np.diff(view.misses[0].get_data()[1]) <= 1e-12).all()
    assert [place(mark)[0] for mark in view.here] == [7, 7]


def test_smo_step_before_the_first_step_there_is_no_pair():
    view, _ = on_three(draw_smo_step, 0)
    assert len(offsets(view.pair)) == len(offsets(view.rings)) == len(pieces(view.line)) == 0
    hidden = view.start, view.unclipped, view.optimum, view.levels, *(x.artists[0] for x in view.letters)
    assert not any(artist.get_visible() for artist in hidden)
    view, _ = on_three(draw_smo_step, 1)
    assert all(artist.get_visible() for artist in (view.start, view.unclipped, view.optimum, view.levels))


# scaling


def test_scaling_shows_the_times_and_names_the_exponents():
    sheet, ax = figures.panels(1)
    view, (times, exponents) = draw_scaling([ax])
    for (N, seconds), line in zip(times.values(), view.lines):
        np.testing.assert_array_equal(line.get_data(), (N, seconds))
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["qp: $N^{3.0}$", "smo: $N^{1.5}$", "LIBSVM: $N^{2.0}$"]
    assert "qp 3.0" in sheet.description


# the path


@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.5), Linear()], ids=["Gaussian", "linear"])
def test_path_pieces_are_the_solutions_everywhere_between(kernel):
    path = c_path(kernel(X), T, 100.0)
    lam, shares = straight_pieces(path)
    assert (np.diff(lam) > 0).all()
    for C in np.geomspace(0.02, 100, 60):
        drawn = [np.interp(1 / C, lam, column) for column in shares.T]
        np.testing.assert_allclose(drawn, path.at(C).a / C, atol=1e-9)


@pytest.mark.parametrize("C", [0.05, 0.3, 1.0, 100.0])
def test_path_rings_and_bold_curves_are_the_elbow(C):
    view, (path, C, solution) = on_three(draw_path, C=C)
    elbow = (solution.a > 0) & (solution.a < C)
    np.testing.assert_array_equal(offsets(view.rings), X[elbow])
    y = path.gram.matrix() @ solution.v + solution.b
    np.testing.assert_allclose(path.t[elbow] * y[elbow], 1, atol=1e-8)  # on the margin
    for panel in range(2):
        bold = [len(layer.artists[0].get_segments()) for layer in view.bold[2 * panel : 2 * panel + 2]]
        thin = [len(layer.artists[0].get_segments()) for layer in view.curves[2 * panel : 2 * panel + 2]]
        assert sum(bold) == elbow.sum()
        assert sum(bold) + sum(thin) == len(path.t)
        marks = offsets(view.marks[panel])
        assert sorted(marks[:, 1]) == pytest.approx(sorted(solution.a[elbow] / C))
    assert np.all(np.array(view.cursors[1].get_data()[0]) == C)
