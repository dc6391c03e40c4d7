"""Figure 14.1: bars are counts, deep parts are intersections, lines are pairs."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.kernels.pyramid import draw_14_1
from looking import offsets, pieces

from sparsekm_edu import PyramidMatch, figures


def rectangles(collection, level):
    """left, right, top of each bar of a level, upwards positive, measured from the middle of its row."""
    corners = np.array([path.vertices[:4] for path in collection.get_paths()])
    corners = corners[corners[:, 0, 1] == level]
    return corners[:, 0, 0], corners[:, 1, 0], level - corners[:, 2, 1]


def borders(view, level):
    return [piece[0, 0] for piece in pieces(view.strips.borders) if round(piece[:, 1].mean()) == level]


def words(view):
    return [label.artists[0].get_text() for label in view.strips.words]


def test_bars_are_the_counts_of_every_bin_and_their_deep_part_is_the_intersection():
    _, view, (x, z, kernel, _, _) = on_sheet("figure_14_1")
    for level in range(4):
        side = 2.0**level
        edges = np.arange(0, 8 + side, side)
        counts = np.array([np.histogram(points, edges)[0] for points in (x, z)])
        highest = max(2, counts.max())
        left, right, height = rectangles(view.strips.bars, level)
        np.testing.assert_allclose(right - left, side)
        up, down = (np.zeros(len(edges) - 1) for _ in range(2))
        for bar, h in zip(left, height, strict=True):
            (up if h > 0 else down)[round(bar / side)] += abs(h)
        np.testing.assert_allclose([up, down], 0.44 * counts / highest, atol=1e-12)
        _, _, shared = rectangles(view.strips.shared, level)
        np.testing.assert_allclose(shared[shared > 0].sum(), 0.44 / highest * counts.min(axis=0).sum())
        np.testing.assert_allclose(shared[shared < 0].sum(), -shared[shared > 0].sum())
        np.testing.assert_allclose(borders(view, level), edges[edges <= 8])


def test_words_say_new_pairs_and_their_price():
    _, view, (x, z, kernel, found, best) = on_sheet("figure_14_1")
    assert words(view) == ["2 new × 1", "1 new × 1/2", "1 new × 1/4", "1 new × 1/8"]
    assert view.found.value.artists[0].get_text() == "k = 2.875"
    assert view.best.value.artists[0].get_text() == "3.25"
    assert kernel([x], [z])[0, 0] == found.value == 2.875 < best.value == 3.25


def test_lines_join_partners_and_are_thicker_at_finer_levels():
    _, view, (x, z, _, found, best) = on_sheet("figure_14_1")
    for pairs, matching in ((view.found, found), (view.best, best)):
        circles, squares = pairs.points.artists
        np.testing.assert_array_equal(circles.get_offsets()[:, 0], np.ravel(x))
        np.testing.assert_array_equal(squares.get_offsets()[:, 0], np.ravel(z))
        assert set(circles.get_offsets()[:, 1]) == {1.0}
        for level, lines in enumerate(pairs.lines):
            ends = [tuple(piece[:, 0]) for piece in pieces(lines)]
            i, j = matching.pairs[matching.level == level].T
            assert sorted(ends) == sorted(zip(np.ravel(x)[i], np.ravel(z)[j], strict=True))
        widths = [lines.artists[0].get_linewidths()[0] for lines in pairs.lines]
        assert (np.diff(widths) < 0).all()
    drawn = [(level, a, b) for (a, level), (b, _) in pieces(view.strips.new)]
    assert sorted(drawn) == sorted(
        (level, x[i][0], z[j][0]) for level, (i, j) in zip(found.level, found.pairs, strict=True)
    )


def test_fewer_levels_a_shifted_grid_and_an_empty_set():
    _, axes = figures.panels(3)
    view, _ = draw_14_1(axes, kernel=PyramidMatch(levels=2, side=1.0, origin=-0.25))
    assert [word == "" for word in words(view)] == [False, False, True, True]
    np.testing.assert_allclose(borders(view, 1), [1.75, 3.75, 5.75, 7.75])
    assert borders(view, 2) == []
    left, right, _ = rectangles(view.strips.bars, 0)
    assert left.min() == 0  # the bin from -0.25 on is cut where the line ends
    view, _ = draw_14_1(axes, z=np.empty((0, 1)))
    assert view.found.value.artists[0].get_text() == "k = 0"
    assert len(offsets(view.found.points)) == 6


def test_description_counts():
    sheet, *_ = on_sheet("figure_14_1")
    assert "x of 6 points and a set z of 5" in sheet.description
    assert "k = 2.875" in sheet.description
    assert "worth 3.25" in sheet.description


@pytest.mark.parametrize("rows", [1, 3])
def test_side_by_side_and_one_above_the_other(rows):
    sheet, axes = figures.panels(3 // rows, rows=rows, height=6.0)
    draw_14_1(axes)
    sheet.pixels()
    heights = [ax.get_position().height for ax in axes]
    assert (heights[1] > 1.8 * heights[0]) == (rows == 3)


def test_digit_sets_strokes_run_along_the_edges_and_spurs_into_the_ink():
    _, drawn, (images, sets, titles) = on_sheet("figure_digit_sets")
    for digit, image, edges, title in zip(drawn, images, sets, titles, strict=True):
        dark = -digit.ink.get_array()[..., :3].sum(axis=2)  # more ink, darker
        np.testing.assert_array_equal(
            np.argsort(dark.ravel(), kind="stable"), np.argsort(image.ravel(), kind="stable")
        )
        strokes, spurs = np.array(pieces(digit.strokes)), np.array(pieces(digit.spurs))
        np.testing.assert_allclose(strokes.mean(axis=1), edges[:, :2])  # each around its own place
        np.testing.assert_allclose(spurs[:, 0], edges[:, :2])
        right, down = (spurs[:, 1] - spurs[:, 0]).T
        turns = np.arctan2(down, right) / (2 * np.pi) % 1
        np.testing.assert_allclose(8 * turns, edges[:, 2], atol=1e-9)
        along, into = strokes[:, 1] - strokes[:, 0], spurs[:, 1] - spurs[:, 0]
        np.testing.assert_allclose(np.sum(along * into, axis=1), 0, atol=1e-12)
        ax = digit.strokes.artists[0].axes
        assert ax.get_title() == title
        low, high = ax.get_ylim()
        assert low > high  # rows count from the top
    with pytest.raises(ValueError, match="zip"):
        figures.figure_digit_sets([], images, sets, titles)
