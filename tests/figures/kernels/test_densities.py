"""Figures 14.16 and 14.17, and balls of K points: what is drawn is what was given, and areas are 1."""

import numpy as np
import pytest
from drawings.kernels.densities import PLACES, draw_14_16, draw_14_17, draw_growing_volume
from looking import offsets

from sparsekm_edu import figures
from sparsekm_edu.explorers.kernels.densities import FIRST_T, FIRST_X, GRID, SIX
from sparsekm_edu.figures.kernels.densities import BANDWIDTHS, BELOW, Bars, GrowingVolume, ParzenWindows


def test_figure_14_16_four_windows_of_area_1():
    ax = figures.panels()[1]
    _, (u, windows) = draw_14_16([ax])
    lines = {line.get_label(): line for line in ax.lines}
    assert set(lines) == set(windows)
    for name, line in lines.items():
        np.testing.assert_array_equal(line.get_data(), (u, windows[name]))
        assert np.trapezoid(line.get_ydata(), u) == pytest.approx(1, abs=6e-3)
    styles = {line.get_linestyle() for line in lines.values()}
    assert len(styles) == 4  # colour is not the only cue
    assert "gaussian 0.399, boxcar 0.500, epanechnikov 0.750, tricube 0.864" in ax.get_figure().description


def test_figure_14_17_six_bumps_and_their_sum():
    views, panels = draw_14_17(np.ravel(figures.panels(4)[1]))
    for view, (title, x, p, _) in zip(views, panels, strict=True):
        assert view.axes[0].get_title() == title
        np.testing.assert_array_equal(view.density.get_data(), (x, p))
        bumps = np.array(view.bumps.get_segments())
        assert bumps.shape == (6, len(x), 2)
        h = float(title[-1])
        on_edge = np.abs(np.abs(x - SIX) - h).min(axis=0) < 1e-12  # in or out: rounding decides
        np.testing.assert_allclose(bumps[:, ~on_edge, 1].sum(axis=0), p[~on_edge], atol=1e-12)
        np.testing.assert_array_equal(offsets(view.points)[:, 0], SIX[:, 0])
        assert view.axes[0].get_ylim()[1] > p.max()
    words = views[0].axes[0].get_figure().description
    assert words.count("area 1.000") == 4
    assert "gaussian, $h$ = 2: highest 0.106" in words


def test_parzen_windows_are_drawn_on_a_scale_that_jumps_by_four():
    view = ParzenWindows(*figures.panels(2)[1])
    x = np.linspace(-1, 1, 5)
    for height, top in ((0.05, 0.075), (0.2, 0.3), (0.25, 0.3), (0.29, 1.2), (3.0, 4.8)):
        p = height * np.ones(5)
        view.update(np.array([0.0]), x, p, np.column_stack([x, p])[None], 0, 1.0)
        np.testing.assert_allclose(view.windows.density.get_ydata(), height / top)
        assert view.scale.artists[0].get_text() == rf"upper edge: $\hat p$ = {top:g}"


def test_parzen_windows_mark_what_was_chosen():
    view = ParzenWindows(*figures.panels(2)[1])
    hs, below = np.geomspace(*BANDWIDTHS, 3), np.array([-0.2, 0.0, -0.5])
    left_out, all_in = np.column_stack([hs, below]), np.column_stack([hs[:2], [1.0, 0.5]])
    view.update_likelihood(0.7, left_out, all_in, best=1.1, rule=2.0)
    np.testing.assert_array_equal(view.curve.get_data(), (hs, below))
    np.testing.assert_array_equal(view.all_in.get_data(), (hs[:2], [1.0, 0.5]))
    np.testing.assert_array_equal(view.best.get_data(), ([1.1], [0.0]))
    assert list(view.rule.get_xdata()) == [2.0, 2.0]
    assert list(view.now.get_xdata()) == [0.7, 0.7]
    np.testing.assert_allclose(offsets(view.grip), [(0.7, 0.9 * BELOW)])
    view.update_likelihood(0.7, np.empty((0, 2)), np.empty((0, 2)), best=None, rule=None)
    assert [len(line.get_xdata()) for line in (view.curve, view.all_in, view.best, view.rule)] == [0] * 4


def test_figure_growing_volume_rings_what_is_inside_the_ball():
    views, (P, balls) = draw_growing_volume(np.ravel(figures.panels(2)[1]))
    assert P.shape == (3, len(GRID[1]), len(GRID[0]))
    np.testing.assert_allclose(P.sum(axis=0), 1)
    for view, place, (_, radius, _, counts) in zip(views, PLACES, balls, strict=True):
        circle = np.column_stack(view.ball.get_data())
        np.testing.assert_allclose(np.linalg.norm(circle - place, axis=1), radius)
        apart = np.linalg.norm(FIRST_X - place, axis=1)
        np.testing.assert_array_equal(offsets(view.inside), FIRST_X[apart <= radius])
        np.testing.assert_array_equal(np.bincount(FIRST_T[apart <= radius].astype(int), minlength=3), counts)
        assert counts.sum() == 7
        assert view.axes[0].get_title().endswith(", ".join(f"{int(count)}/7" for count in counts))


def test_densities_have_bars_on_one_logarithmic_scale():
    """0.001 at the foot, 10 at the top: they are seen to fall when the ball grows."""
    view = GrowingVolume(*figures.panels(4)[1])
    ball = FIRST_X, FIRST_T, GRID, np.full((3, len(GRID[1]), len(GRID[0])), 1 / 3), (0, 0), 1.0, FIRST_T == 0
    others = [(np.array([0.5, 0.5, 0.0]), ["a", "b", "c"])] * 2
    for densities, heights in (([10, 0.1, 0], [1, 0.5, 0]), ([0.01, 1e-5, np.inf], [0.25, 0, 1])):
        view.update(*ball, numbers=((np.array(densities), ["d", "e", "f"]), *others))
        np.testing.assert_allclose(offsets(view.bars[0].heads)[:, 1], 0.85 * np.array(heights))
        np.testing.assert_allclose(offsets(view.bars[1].heads)[:, 1], 0.85 * others[0][0])


def test_bars_say_and_show_the_same():
    view = Bars(figures.panels()[1], "")
    view.update(np.array([0.0, 0.25, 1.0]), ["none", "a quarter", "all"])
    np.testing.assert_allclose(offsets(view.heads)[:, 1], [0, 0.2125, 0.85])
    assert [text.get_text() for text in view.words] == ["none", "a quarter", "all"]
