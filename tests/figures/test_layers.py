"""Layers on which several lessons stand: that what they paint is what the numbers say."""

import base64
import io

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from sparsekm_edu.figures import panels
from sparsekm_edu.figures.layers import Band, Crosses, Grips, Points, Probabilities, Rings
from sparsekm_edu.figures.style import DARK, LIGHT, THREE_CLASSES, dress, small_png

GRID = np.linspace(-1, 1, 41)


def probabilities_on(palette, P, **options):
    sheet, ax = panels(palette=palette)
    dress(ax, (-1, 1, -1, 1))
    layer = Probabilities(ax, **options)
    layer.update(GRID, GRID, P)
    assert ax.get_xlim() == ax.get_ylim() == (-1, 1)
    return sheet, layer


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_probabilities_mix_the_colours_of_the_classes(palette):
    p = np.tile(np.linspace(0, 1, 41), (41, 1))  # grows from left to right
    _, layer = probabilities_on(palette, np.array([p, 1 - p]))
    pixels = layer.image.get_array()[20, :, :3] / 255
    share = Probabilities.SHARE
    for column, role in ((0, "minus"), (40, "plus")):
        expected = share * np.array(to_rgb(getattr(palette, role))) + (1 - share) * np.array(
            to_rgb(palette.paper)
        )
        np.testing.assert_allclose(pixels[column], expected, atol=0.5 / 255)
    np.testing.assert_allclose(pixels[20], (pixels[0] + pixels[40]) / 2, atol=1 / 255)
    (border,) = layer.borders.get_paths()
    np.testing.assert_allclose(border.vertices[:, 0], 0, atol=1e-12)


def test_the_borders_of_three_classes_are_where_the_two_greatest_are_equal():
    x1, x2 = np.meshgrid(GRID, GRID)
    scores = np.array([x1, x2, -x1 - x2])
    P = np.exp(scores) / np.exp(scores).sum(axis=0)
    _, layer = probabilities_on(LIGHT, P, classes=THREE_CLASSES)
    ends = np.concatenate([path.vertices for path in layer.borders.get_paths()])
    own = np.sort(np.array([ends[:, 0], ends[:, 1], -ends.sum(axis=1)]), axis=0)
    np.testing.assert_allclose(own[2], own[1], atol=0.05)  # cells are 0.05 wide
    assert len(layer.borders.get_paths()) == 3


@pytest.mark.parametrize("layer", [Rings, Crosses, Grips])
def test_marks_are_where_they_belong_and_go_when_nothing_is_left_to_mark(layer):
    _, ax = panels()
    marks = layer(ax)
    for X in ([(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0)], np.empty((0, 2)), []):
        marks.update(X)
        np.testing.assert_array_equal(marks.artists[0].get_offsets(), np.reshape(X, (-1, 2)))


def test_points_of_a_class_that_is_gone_are_not_drawn():
    _, ax = panels()
    points = Points(ax)
    points.update([(1.0, 2.0), (3.0, 4.0)], [1, -1])
    points.update([(1.0, 2.0)], [1])
    assert [len(artist.get_offsets()) for artist in points.artists] == [1, 0]


def test_a_band_lies_between_its_curves():
    sheet, ax = panels()
    band = Band(ax)
    x = np.linspace(0, 1, 11)
    band.update(x, x - 1, x + 2)
    (path,) = band.artists[0].get_paths()
    assert path.contains_points([(0.5, 2.4), (0.5, -0.4)]).all()
    assert not path.contains_points([(0.5, 2.6), (0.5, -0.6)]).any()


def test_a_stored_picture_keeps_the_colours_of_points_on_a_smooth_surface():
    """Thousands of shades for a few dots: 128 colours must not all go to the shades."""
    x1, x2 = np.meshgrid(GRID, GRID)
    scores = 8 * np.array([x1, x2, -x1 - x2])
    sheet, layer = probabilities_on(LIGHT, np.exp(scores) / np.exp(scores).sum(axis=0), classes=THREE_CLASSES)
    ax = sheet.axes[0]
    points = Points(ax, THREE_CLASSES)
    places = np.array([(0.5, 0.0), (0.0, 0.5), (-0.5, -0.5)])
    points.update(places, np.arange(3))
    stored = Image.open(io.BytesIO(base64.b64decode(small_png(sheet.pixels())))).convert("RGB")
    for place, (role, _) in zip(ax.transData.transform(places), THREE_CLASSES.values(), strict=True):
        painted = np.array(stored.getpixel((int(place[0]), int(stored.height - place[1])))) / 255
        np.testing.assert_allclose(painted, to_rgb(getattr(LIGHT, role)), atol=1e-3)
