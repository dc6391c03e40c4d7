"""Kernel PCA: maps, points, crosses and pipes are where the numbers say."""

import numpy as np
import pytest
from drawings import on_sheet
from looking import offsets

from sparsekm_edu import datasets, figures
from sparsekm_edu.datasets.flow import HORIZONTAL, VERTICAL, rims, surfaces
from sparsekm_edu.figures.kernels.components import PHASES, ComponentMaps, Pipe, SignedMap, straightness


def test_figure_14_7_zero_is_where_the_line_is_and_colours_change_at_quarters_of_the_largest():
    sheet, view, (X, grid, Z, model) = on_sheet("figure_14_7")
    assert len(view.maps) == 8
    for number, (plane, dots, name) in enumerate(zip(view.maps, view.dots, view.names, strict=True)):
        np.testing.assert_array_equal(np.transpose(dots.get_data()), X)
        part = Z[..., number] / np.abs(Z[..., number]).max()
        zero = np.vstack([path.vertices for path in plane.zero.get_paths()])
        # between two places of the grid the map is interpolated
        np.testing.assert_allclose(model.transform(zero)[:, number], 0, atol=1e-3)
        colours = np.asarray(plane.image.get_array()).reshape(-1, 4)
        bands = (np.sign(part) * np.ceil(4 * np.abs(part))).ravel()
        for band in (-4, -3, -2, -1, 1, 2, 3, 4):
            inside = (
                np.abs(4 * np.abs(part.ravel()) % 1 - 0.5) < 0.48
            )  # not where 256 shades are too few to tell
            assert len(np.unique(colours[inside & (bands == band)], axis=0)) <= 1
        assert len(np.unique(colours, axis=0)) <= 8
        assert name.get_text() == f"{number + 1}: {model.explained_variance_ratio_[number]:.1%}"
    assert f"{model.explained_variance_ratio_[7]:.1%}" in sheet.description


def test_a_map_in_two_colours():
    _, ax = figures.panels()
    plane = SignedMap(ax, levels=(0.5,), smooth=True)
    axis = np.array([-1.0, 0.0, 1.0])
    plane.update(axis, axis, np.array([[-4.0, 0.0, 2.0], [0.0, 4.0, 0.0], [1.0, 0.0, -2.0]]))
    shades = np.asarray(plane.image.get_array())[:, :, :3] / 255
    for place, colour in {
        (0, 0): figures.LIGHT.mix("minus", SignedMap.DEEPEST),
        (1, 1): figures.LIGHT.mix("plus", SignedMap.DEEPEST),
        (0, 2): figures.LIGHT.mix("plus", SignedMap.DEEPEST / 2),
        (0, 1): figures.LIGHT.mix("paper", 1.0),
    }.items():
        np.testing.assert_allclose(shades[place], colour, atol=0.01)
    halves = np.vstack([path.vertices for path in plane.lines.get_paths()])
    assert (
        (np.array([0.5, 0.0]) == halves).all(axis=1).any()
    )  # half way from 4 in the middle to 0 on the right
    assert tuple(plane.image.get_extent()) == (-1.5, 1.5, -1.5, 1.5)  # pixels have their centres on the grid


def test_a_map_in_bands():
    _, ax = figures.panels()
    plane = SignedMap(ax, levels=(0.25, 0.75), smooth=False)
    axis = np.arange(3.0)
    plane.update(axis, axis, np.array([[-1.0, -0.8, -0.7], [-0.3, 0.0, 0.1], [0.24, 0.3, 0.9]]))
    shades = np.asarray(plane.image.get_array())
    blue = [figures.LIGHT.mix("plus", SignedMap.DEEPEST * depth / 2.3) for depth in (0.3, 1.3, 2.3)]
    orange = [figures.LIGHT.mix("minus", SignedMap.DEEPEST * depth / 2.3) for depth in (0.3, 1.3, 2.3)]
    bands = [[orange[2], orange[2], orange[1]], [orange[1], blue[0], blue[0]], [blue[0], blue[1], blue[2]]]
    np.testing.assert_allclose(shades[:, :, :3] / 255, bands, atol=0.01)


def test_a_component_that_is_not_there_is_an_empty_map():
    _, axes = figures.panels(3)
    view = ComponentMaps(*axes)
    grid = figures.grid_over((-1, 1, -1, 1), 5)
    Z = np.stack([np.add.outer(*grid), 1e-17 * np.add.outer(*grid)], axis=-1)
    view.update(np.zeros((1, 2)), grid, Z, np.array([1.0, 0.0]))
    assert [name.get_text() for name in view.names] == ["1: 100.0%", "2: none", "3: none"]
    assert [[artist.get_visible() for artist in plane.artists] for plane in view.maps] == [
        [True] * 3,
        [False] * 3,
        [False] * 3,
    ]


def test_figure_14_8_shows_the_coordinates_and_says_how_straight_the_clusters_are():
    sheet, views, (flat, bent, t) = on_sheet("figure_14_8")
    for view, Z in zip(views, (flat, bent), strict=True):
        for kind, artist in enumerate(view.points.artists):
            np.testing.assert_array_equal(artist.get_offsets(), Z[t == kind])
        (left, right), (bottom, top) = view.axes[0].get_xlim(), view.axes[0].get_ylim()
        assert np.logical_and(left < Z[:, 0], Z[:, 0] < right).all()
        assert np.logical_and(bottom < Z[:, 1], Z[:, 1] < top).all()
        assert right - left == pytest.approx(top - bottom)  # lengths are true to the eye
        assert len(offsets(view.crosses)) == 0
    along = [straightness(bent[t == kind]) for kind in range(3)]
    assert min(along) > 0.94  # kernel PCA: each cluster on a line
    assert max(straightness(flat[t == kind]) for kind in range(3)) < 0.8  # PCA: clouds as they are
    assert f"{along[0]:.0%}, {along[1]:.0%}, {along[2]:.0%}" in sheet.description


def test_straightness_of_a_line_and_of_a_square():
    assert straightness([(0, 0), (1, 2), (2, 4)]) == pytest.approx(1)
    assert straightness([(0, 0), (0, 1), (1, 0), (1, 1)]) == pytest.approx(0.5)


def test_figure_14_9_crosses_are_on_the_wrong_ones_and_counted():
    sheet, views, (flat, bent, t, wrong) = on_sheet("figure_14_9")
    for view, Z, crossed in zip(views, (flat, bent), wrong, strict=True):
        np.testing.assert_array_equal(offsets(view.crosses), Z[crossed])
        assert view.axes[0].get_title().endswith(f": {crossed.sum()} of 100 wrong")
        for kind, artist in enumerate(view.points.artists):
            np.testing.assert_array_equal(artist.get_offsets(), Z[t == kind])
        assert f"{crossed.sum()}" in sheet.description
    names = [text.get_text() for text in views[0].axes[0].get_legend().get_texts()]
    assert names == ["homogeneous", "annular", "stratified"]


def area(polygon):
    x, y = np.transpose(polygon)
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


@pytest.fixture
def pipe():
    _, ax = figures.panels()
    return Pipe(ax, VERTICAL, HORIZONTAL)


@pytest.mark.parametrize(("kind", "borders"), [(1, rims), (2, surfaces)])
def test_rings_and_layers_have_the_areas_of_their_phases(pipe, kind, borders):
    for shares in datasets.pipe_contents(10, seed=2)[1]:
        pipe.update(kind, shares, borders([shares])[0])
        # painted one over the other: all of the disc as water, then without the water, then gas alone
        whole, not_water, gas = (area(path.vertices[:-1]) / np.pi for path in pipe.fills.get_paths())
        np.testing.assert_allclose([not_water - gas, whole - not_water, gas], shares, atol=4e-3)
        np.testing.assert_allclose(pipe.fills.get_facecolor()[:, :3], pipe.shades[[1, 0, 2]])
        assert not pipe.drops.get_visible()
        assert [words.get_text() for words in pipe.words] == [
            f"{phase}\n{share:.0%}" for phase, share in zip(PHASES, shares, strict=True)
        ]


def test_drops_of_a_mixture_are_as_many_as_its_shares(pipe):
    for shares in ((0.5, 0.3, 0.2), (0.0, 1.0, 0.0), (0.001, 0.001, 0.998)):
        pipe.update(0, shares, np.zeros(2))
        colours = pipe.drops.get_facecolor()[:, :3]
        count = [int(np.isclose(colours, shade).all(axis=1).sum()) for shade in pipe.shades]
        np.testing.assert_allclose(np.array(count) / pipe.DROPS, shares, atol=1 / pipe.DROPS)
        assert pipe.drops.get_visible()
        assert len(pipe.fills.get_paths()) == 0
