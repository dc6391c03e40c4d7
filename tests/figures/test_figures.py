"""The figures of the course: what is drawn is what was computed."""

import base64
import io
from functools import cache

import matplotlib
import numpy as np
import pytest
from drawings import FIGURES, on_sheet
from drawings.svm.maximum_margin import draw_kkt, draw_lagrange
from looking import distance_to_line, offsets, pieces
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from sparsekm_edu import figures
from sparsekm_edu.figures.svm.margins import signed_distances
from sparsekm_edu.lessons.parzen import log_density_ratio

LEAST_INK = 0.01  # of a panel; the emptiest has twice that
EVERY = pytest.mark.parametrize("name", FIGURES)


# every figure


@cache
def shown(name):
    """A sheet with the figure, painted: one for all tests that only look at it."""
    sheet = on_sheet(name)[0]
    return sheet, sheet.pixels()


def ink(ax, pixels):
    """The share of a panel, its frame left out, that has another colour than most of it."""
    left, bottom, right, top = np.round(ax.get_window_extent().extents).astype(int)
    inside = pixels[len(pixels) - top + 4 : len(pixels) - bottom - 4, left + 4 : right - 4, :3]
    colours = inside.astype(int) @ (1, 256, 256**2)  # one number for red, green and blue
    return 1 - np.unique(colours, return_counts=True)[1].max() / colours.size


def on_plain_figure(panels):
    figure = Figure()
    FigureCanvasAgg(figure)
    return figure, np.atleast_1d(figure.subplots(1, panels))


def painted(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())


def test_every_figure_is_tried():
    assert set(FIGURES) == {name for name in figures.__all__ if name.startswith("figure")}


@EVERY
@pytest.mark.parametrize("palette", [figures.LIGHT, figures.DARK], ids=["light", "dark"])
def test_drawn_on_paper_of_both_colours(name, palette):
    if palette is figures.LIGHT:
        sheet, pixels = shown(name)
    else:
        sheet = on_sheet(name, palette)[0]
        sheet.set_layout_engine("none")  # nobody looks at how the panels are laid out, which takes long
        pixels = sheet.pixels()
    paper = np.array(matplotlib.colors.to_rgb(palette.paper)) * 255
    np.testing.assert_allclose(pixels[1, 1, :3], paper, atol=1)
    assert min(ink(ax, pixels) for ax in sheet.axes) > LEAST_INK


@EVERY
def test_drawn_on_a_plain_matplotlib_figure(name):
    draw, n = FIGURES[name]
    figure, axes = on_plain_figure(n)
    draw(axes)
    pixels = painted(figure)
    assert min(ink(ax, pixels) for ax in figure.axes) > LEAST_INK


def test_empty_panels_have_no_ink():
    figure, axes = on_plain_figure(2)
    assert [ink(ax, painted(figure)) for ax in axes] == [0, 0]
    sheet, axes = figures.panels(2)
    assert max(ink(ax, sheet.pixels()) for ax in axes) < LEAST_INK


@EVERY
def test_drawn_again_it_is_the_same_picture_shown_small_and_in_words(name, monkeypatch):
    first, pixels = shown(name)
    sheet = on_sheet(name)[0]
    painted = sheet.pixels()
    np.testing.assert_array_equal(painted, pixels)
    monkeypatch.setattr(sheet, "pixels", lambda: painted)  # not once more
    bundle, metadata = sheet._repr_mimebundle_()
    assert len(bundle["image/png"]) < 100_000
    stored = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).convert("RGB")
    assert np.abs(np.asarray(stored, float) - pixels[..., :3]).mean() < 3  # few colours, but the same picture
    assert metadata["image/png"]["alt"] == first.description
    assert bundle["text/plain"] == repr(sheet) == first.description
    assert len(sheet.description) > 60
    assert "nan" not in sheet.description


# figure 7.1


def test_figure_7_1_rings_are_on_the_support_vectors_and_the_dashed_lines_pass_through_them():
    _, view, (X, t, _, best, solution) = on_sheet("figure_7_1")
    rings = offsets(view.rings)
    np.testing.assert_array_equal(rings, X[solution.support])
    edges = pieces(view.edges)
    assert len(edges) == 2
    assert all(min(distance_to_line(ring, edge) for edge in edges) < 1e-6 for ring in rings)
    w, b = best
    for edge, level in zip(edges, (-1, 1)):  # y(x) on the dashed lines
        np.testing.assert_allclose(edge @ w + b, level, atol=1e-9)
    np.testing.assert_allclose(pieces(view.line)[0] @ w + b, 0, atol=1e-9)


def test_figure_7_1_band_is_the_margin():
    _, view, (X, t, own, best, _) = on_sheet("figure_7_1")
    (corners,) = [path.vertices[:4] for path in view.band.artists[0].get_paths()]
    np.testing.assert_allclose(sorted(corners @ best[0] + best[1]), [-1, -1, 1, 1], atol=1e-9)
    (corners,) = [path.vertices[:4] for path in view.own_band.artists[0].get_paths()]
    w, b = own
    margin = signed_distances(X, t, w, b).min()
    assert margin > 0
    np.testing.assert_allclose(
        sorted((corners @ w + b) / np.linalg.norm(w)), [-margin, -margin, margin, margin], atol=1e-9
    )


def test_figure_7_1_the_black_pieces_are_the_margins_and_say_how_long_they_are():
    _, view, (X, t, own, best, solution) = on_sheet("figure_7_1")
    sides = (view.own_distance, own, X), (view.distance, best, X[solution.support])
    for (piece, (w, b), points), word in zip(sides, view.words, strict=True):
        ((point, foot),) = pieces(piece)
        margin = signed_distances(X, t, w, b).min()
        assert point.tolist() in points.tolist()
        assert np.linalg.norm(point - foot) == pytest.approx(margin, abs=1e-12)
        assert w @ foot + b == pytest.approx(0, abs=1e-12)
        assert word.get_text() == f"margin {margin:.3f}"


def test_figure_7_1_the_lines_carry_their_names_as_in_the_book():
    _, view, (_, _, own, best, _) = on_sheet("figure_7_1")
    for names, (w, b), levels in ((view.own_name, own, [0]), (view.names, best, [-1, 0, 1])):
        assert [text.get_text() for text in names.artists] == [f"$y = {level}$" for level in levels]
        for text, level in zip(names.artists, levels, strict=True):
            beyond = (w @ text.get_position() + b - level) / np.linalg.norm(w)
            assert -1e-9 <= beyond * (level or 1) <= 0.6  # on its line, or just beside it, outside the street


def test_figure_7_1_pushes_are_in_proportion_to_the_multipliers_and_point_across_the_street():
    _, view, (X, t, own, best, solution) = on_sheet("figure_7_1")
    assert len(view.arrows.shafts.get_paths()) == 0  # unless asked for
    view.update(X, t, own, best, solution.a, pushes=True)
    S = solution.support
    tails = np.array([piece[0] for piece in view.arrows.shafts.get_segments()])
    tips = np.array([path.vertices[0] for path in view.arrows.heads.get_paths()])
    arrows = tips - tails
    np.testing.assert_allclose(np.linalg.norm(arrows, axis=1) / solution.a[S], 1.2 / solution.a[t > 0].sum())
    normal = best[0] / np.linalg.norm(best[0])
    np.testing.assert_allclose(arrows @ normal, -t[S] * np.linalg.norm(arrows, axis=1))  # away from the point
    np.testing.assert_allclose(tips, X[S] + 0.24 * t[S, None] * normal)
    np.testing.assert_allclose(arrows.sum(axis=0), 0, atol=1e-12)  # (7.9)
    written = [text.get_text() for text in view.strengths if text.get_text()]
    assert written == [f"{a:.3g}" for a in solution.a[S]]


@pytest.mark.parametrize("name", ["figure_7_1", "figure_7_2"])
def test_points_of_both_classes_have_their_own_marker(name):
    _, view, (X, t, *_) = on_sheet(name)
    plus, minus = view.points.artists
    np.testing.assert_array_equal(plus.get_offsets(), X[t > 0])
    np.testing.assert_array_equal(minus.get_offsets(), X[t < 0])
    assert len(plus.get_paths()[0].vertices) != len(minus.get_paths()[0].vertices)


# figure 7.2


def test_figure_7_2_the_drawn_lines_are_where_the_model_says():
    _, view, (X, _, model) = on_sheet("figure_7_2")
    steepest = 8.0  # |dy/dx| here stays below; a cell of the grid is 0.07 wide
    for collection, levels in ((view.surface.boundary, [0.0]), (view.surface.margins, [-1.0, 1.0])):
        paths = collection.get_paths()
        assert paths
        for path in paths:
            y = model.decision_function(path.vertices)
            assert min(np.abs(y - level).max() for level in levels) < 0.02 * steepest
            assert min(np.abs(y - level).mean() for level in levels) < 0.02


def test_figure_7_2_rings_are_on_the_support_vectors_which_lie_on_the_margins():
    _, view, (X, t, model) = on_sheet("figure_7_2")
    rings = offsets(view.rings)
    np.testing.assert_array_equal(rings, X[model.support_])
    np.testing.assert_allclose(np.abs(model.decision_function(rings)), 1, atol=1e-6)


def test_figure_7_2_bands_cover_the_window_in_the_colours_of_the_classes():
    _, view, (_, _, model) = on_sheet("figure_7_2")
    x1, x2 = figures.grid_over(figures.WIDE, 23)
    points = np.stack(np.meshgrid(x1[1:-1], x2[1:-1]), axis=-1).reshape(-1, 2)
    y = model.decision_function(points)
    bands, colours = view.surface.bands.get_paths(), view.surface.bands.get_facecolor()
    assert len(bands) == len(colours)
    for point, value in zip(points, y):
        at = [k for k, band in enumerate(bands) if band.contains_point(point)]
        assert at
        red, _, blue, _ = colours[at[0]]
        if abs(value) > 0.05:
            assert (blue > red) == (value > 0)  # +1 is blue, -1 orange


# figure 14.12 (a)


def test_figure_14_12a_foot_and_distance():
    _, view, (w, w0, x) = on_sheet("figure_14_12a")
    foot = np.ravel(view.foot.get_data())
    assert w @ foot + w0 == pytest.approx(0, abs=1e-12)
    assert distance_to_line(foot, pieces(view.line)[0]) < 1e-9
    r = (w @ x + w0) / np.linalg.norm(w)
    np.testing.assert_allclose(foot + r * w / np.linalg.norm(w), x, atol=1e-12)  # x = x_perp + r w / |w|
    assert any(f"{r:.2f}" in name.artists[0].get_text() for name in view.names)
    np.testing.assert_allclose(np.ravel(view.probe.get_data()), x)


# Lagrange multipliers


def arrow(layer):
    start, end = layer.artists[0]._posA_posB
    return np.subtract(end, start)


@pytest.mark.parametrize("equality", [False, True])
def test_figure_lagrange_arrows_are_equal_and_opposite_at_the_optimum(equality):
    _, axes = figures.panels(2)
    view, (bowl, lam) = draw_lagrange(axes, equality)
    np.testing.assert_allclose(arrow(view.pull), -arrow(view.push), atol=1e-12)
    assert np.linalg.norm(arrow(view.pull)) > 0.5
    optimum = np.ravel(view.optimum.get_data())
    assert bowl.g(optimum) == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(arrow(view.pull) / -1.0, bowl.grad_f(optimum), atol=1e-12)


def test_figure_kkt_pushes_only_where_the_constraint_is_touched():
    _, axes = figures.panels(3)
    bowls = draw_kkt(axes)[1]
    rail, active, inactive = figures.figure_kkt(axes, bowls)
    assert np.linalg.norm(arrow(rail.push)) == pytest.approx(abs(bowls[0].solution[1]))
    assert np.linalg.norm(arrow(active.push)) == pytest.approx(bowls[1].solution[1])
    assert np.linalg.norm(arrow(inactive.push)) == 0
    assert [ax.get_title().split(",")[0] for ax in axes] == ["equality", "active", "inactive"]


def test_figure_lagrange_the_dual_touches_the_primal_value_from_below():
    _, view, (bowl, lam) = on_sheet("figure_lagrange")
    multipliers, values = view.dual.get_data()
    value = view.primal.get_ydata()[0]
    assert value == pytest.approx(bowl.f(bowl.solution[0]), abs=1e-12)
    assert (values <= value + 1e-12).all()
    assert values.max() == pytest.approx(value, abs=2e-3)
    assert np.ravel(view.top.get_data())[1] == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(np.ravel(view.here.get_data()), (lam, bowl.dual(lam)))
    ((low, high),) = pieces(view.gap)
    assert high[1] - low[1] == pytest.approx(value - bowl.dual(lam), abs=1e-12)


def test_figure_lagrange_contours_are_levels_of_f():
    _, view, (bowl, _) = on_sheet("figure_lagrange")
    for ellipse in view.bowl.get_segments():
        heights = [bowl.f(x) for x in ellipse]
        assert np.ptp(heights) < 1e-9


# the Parzen limit


def test_figure_parzen_limit_each_panel_has_both_lines_of_its_variance_and_names_them():
    sheet, views, limit = on_sheet("figure_parzen_limit")
    angles = [clouds.angle for clouds in limit]
    assert angles[0] > 5 > 3 > angles[1] > 0.5 > angles[2]  # the limit is visible
    for ax, view, clouds in zip(sheet.axes, views, limit, strict=True):
        lines = (view.best, (clouds.best.w, clouds.best.b)), (view.limit, clouds.widest)
        for line, (w, b) in lines:
            np.testing.assert_allclose(pieces(line)[0] @ w + b, 0, atol=1e-9)
        words = [name.get_text() for name in view.names]
        assert words[:2] == ["least error", "max. margin"]
        assert ax.get_title() == f"$\\sigma^2$ = {clouds.sigma2:g}: {clouds.angle:.2g}° apart"
        ties = np.concatenate([path.vertices for path in view.surface.boundary.get_paths()])
        ratio = log_density_ratio(ties, clouds.X, clouds.t, clouds.sigma2)
        assert np.abs(ratio * clouds.sigma2).max() < 0.1  # there the classes tie, up to the cells of the grid
        if words[2]:
            assert words[2] == "tie"
            assert np.linalg.norm(ties - view.names[2].get_position(), axis=1).min() < 0.45


def test_grid_over_has_square_cells_and_reaches_the_edges():
    x1, x2 = figures.grid_over(figures.WIDE)
    assert (x1[0], x1[-1], x2[0], x2[-1]) == figures.WIDE
    assert x1[1] - x1[0] == pytest.approx(x2[1] - x2[0], rel=0.03)
