"""The figures of lesson 07: boards of labellings, the PAC statement, learning curves, PAC-Bayes."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.svm.theory import CONVEX, board_of
from looking import offsets, pieces
from matplotlib.path import Path

from sparsekm_edu import datasets, figures
from sparsekm_edu.figures.layers import clip_line
from sparsekm_edu.figures.svm.bounds import OneSample, cut
from sparsekm_edu.figures.svm.shattering import Board, Shattering
from sparsekm_edu.lessons import capacity


def test_board_crosses_out_what_no_line_can_do_and_nothing_else():
    _, board, ((_, _, _, row), (_, X, labels, lines)) = on_sheet("figure_shattering")
    assert [line is None for line in row].count(True) == 1
    impossible = [k for k, line in enumerate(lines) if line is None]
    assert len(impossible) == len(board.crosses.get_offsets()) == 1
    assert abs(labels[impossible[0]] @ (1, -1, 1, -1)) == 4  # the diagonals
    tiles = board.tiles.get_paths()
    assert len(tiles) == 8
    assert tiles[impossible[0]].contains_point(board.crosses.get_offsets()[0])
    assert len(board.plus.get_offsets()) == np.sum(labels > 0)
    assert len(board.minus.get_offsets()) == np.sum(labels < 0)


def test_board_every_drawn_line_parts_the_marks_of_its_tile():
    _, board, (_, (_, X, labels, lines)) = on_sheet("figure_shattering")
    segments = pieces(board.lines)
    seen = 0
    for tile in board.tiles.get_paths():
        inside = [s for s in segments if tile.contains_point(s.mean(axis=0))]
        for start, end in inside:
            sides = [
                {
                    np.sign(np.linalg.det([end - start, mark - start]))
                    for mark in marks
                    if tile.contains_point(mark)
                }
                for marks in (board.plus.get_offsets(), board.minus.get_offsets())
            ]
            assert all(len(side) <= 1 for side in sides)
            assert not sides[0] & sides[1]
            seen += 1
    assert seen == len(segments) == sum(line is not None and np.any(line[0]) for line in lines)


def test_board_of_two_to_five_points_stays_inside_its_axes():
    for n in range(2, 6):
        _, ax = figures.panels()
        board = Board(ax)
        X = np.random.default_rng(n).uniform(-2, 2, size=(n, 2))
        board.update(*board_of(X), chosen=0)
        corners = np.concatenate([tile.vertices for tile in board.tiles.get_paths()])
        assert len(board.tiles.get_paths()) == 2 ** (n - 1)
        assert corners.min() >= 0
        assert corners.max() <= 1


def test_shattering_shows_the_line_or_where_the_hulls_meet():
    _, (left, right) = figures.panels(2)
    view = Shattering(left, right)
    X, labels, lines = board_of(CONVEX)
    for k, (t, line) in enumerate(zip(labels, lines)):
        proof = capacity.radon(X, t) if line is None else None
        view.update(X, t, line, [0, 1], proof, labels, lines, k)
        meeting = offsets(view.meeting)
        assert (len(meeting) == 1) == (line is None)
        if line is None:
            ((a, b), (c, d)) = pieces(view.hulls)
            for start, end in ((a, b), (c, d)):
                assert abs(np.linalg.det([end - start, meeting[0] - start])) < 1e-9
        elif np.any(line[0]):
            np.testing.assert_allclose(pieces(view.line)[0] @ line[0] + line[1], 0, atol=1e-9)


def test_clip_line_stays_on_the_line_and_in_the_window():
    window = (-3, 3, -2, 2)
    for w, b in (((1, 0), 0.5), ((0, 2), 1), ((1, 1), 0), ((0.3, -0.8), 0.4)):
        piece = clip_line(w, b, window)
        np.testing.assert_allclose(piece @ w + b, 0, atol=1e-12)
        assert np.all(np.abs(piece) <= np.array([3, 2]) + 1e-12)
        assert np.any(np.isclose(np.abs(piece), (3, 2)), axis=1).all()  # from edge to edge
    assert len(clip_line((1, 0), 5, window)) == len(clip_line((1, 1), 9, window)) == 0
    assert len(clip_line((0, 0), 1, window)) == 0


def test_figure_growth_counts_lie_on_covers_curve_and_half_are_left_at_six():
    _, view, (N, cover, sauer) = on_sheet("figure_growth")
    np.testing.assert_array_equal(view.counted.get_ydata(), [2, 4, 8, 14, 22, 32])
    np.testing.assert_array_equal(view.cover.get_ydata(), cover)
    x, fraction = view.fraction.get_data()
    assert fraction[x == 6] == 0.5
    assert np.all(fraction[:3] == 1)
    assert np.all(np.array(sauer) >= cover)


def test_figure_pac_curves_are_shares_of_data_sets():
    _, view, errors = on_sheet("figure_pac")
    for line, sample in zip(view.curves, errors.values()):
        x, share = line.get_data()
        for epsilon in (0.01, 0.05, 0.1):
            assert share[np.searchsorted(x, epsilon, side="right") - 1] == pytest.approx(
                np.mean(sample > epsilon)
            )
    (corner,) = view.forbidden.get_paths()
    assert tuple(corner.vertices[0]) == (0.1, 0.05)


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_one_sample_hatches_where_truth_and_line_disagree(gap):
    _, ax = figures.panels()
    view = OneSample(ax)
    X, t = datasets.noise_free(20, gap, seed=3)
    w, b = np.array([0.8, 0.4]), 0.3
    view.update(X, t, (w, b), [0], gap)
    rng = np.random.default_rng(0)
    points = rng.uniform(-3, 3, size=(2000, 2))
    wedges = [Path(path.vertices) for path in view.wrong.get_paths()]
    hatched = np.any([wedge.contains_points(points) for wedge in wedges], axis=0)
    wrong = (np.sign(points @ w + b) != np.sign(points[:, 0])) & (np.abs(points[:, 0]) >= gap)
    np.testing.assert_array_equal(hatched, wrong)


def test_cut_a_square():
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    np.testing.assert_allclose(cut(square, (-1, 0), 0.5)[:, 0].max(), 0.5)
    assert len(cut(square, (1, 0), -2)) == 0
    np.testing.assert_array_equal(cut(square, (1, 0), 2), square)


def test_figure_learning_curve_shows_what_it_was_given():
    _, view, promised = on_sheet("figure_learning_curve")
    for name, (N, values) in promised.items():
        np.testing.assert_array_equal(view.bounds[name].get_data(), (N, values))
    np.testing.assert_allclose(view.mean.get_ydata() * 2.5, view.high.get_ydata())
    words = [text.get_text() for text in view.axes[0].get_legend().get_texts()]
    assert words == ["VC", "hold-out", "95 % of data sets", "mean error"]


def test_figure_pac_bayes_marks_the_smallest_bound():
    _, view, (drawn, mu, promised) = on_sheet("figure_pac_bayes")
    assert np.ravel(view.best.get_data()) == pytest.approx((mu[promised.argmin()], promised.min()))
    for piece in pieces(view.drawn):
        assert np.abs(piece @ drawn[:, :2].T + drawn[:, 2]).max(axis=0).min() < 1e-9
