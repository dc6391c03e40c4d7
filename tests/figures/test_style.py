"""Colours that everybody can tell apart, on white and on black paper."""

import dataclasses
import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from sparsekm_edu.figures import DARK, LIGHT
from sparsekm_edu.figures.layers import Points
from sparsekm_edu.figures.style import MINUS, PLUS, Sheet, palette_of, panels

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])

# What people without one kind of cones see, in linear light (Viénot, Brettel and Mollon, 1999)
NO_RED = np.array([[0.1124, 0.8876, 0.0], [0.1124, 0.8876, 0.0], [0.0040, -0.0040, 1.0]])
NO_GREEN = np.array([[0.2929, 0.7071, 0.0], [0.2929, 0.7071, 0.0], [-0.0223, 0.0223, 1.0]])


def linear(colour):
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    """Relative luminance as the web's accessibility rules define it."""
    return linear(colour) @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@PALETTES
@pytest.mark.parametrize("role", [f.name for f in dataclasses.fields(LIGHT) if f.name != "paper"])
def test_every_role_stands_out_from_the_paper(palette, role):
    assert contrast(getattr(palette, role), palette.paper) >= 3


@PALETTES
def test_text_can_be_read(palette):
    assert contrast(palette.ink, palette.paper) >= 7


@PALETTES
@pytest.mark.parametrize("sees", [np.eye(3), NO_RED, NO_GREEN], ids=["all", "no red", "no green"])
def test_classes_differ_in_colour_for_every_eye(palette, sees):
    plus, minus = sees @ linear(palette.plus), sees @ linear(palette.minus)
    assert np.linalg.norm(plus - minus) > 0.25


def test_classes_differ_without_any_colour():
    """Their greys are close in one palette, so the marker must say it too."""
    assert PLUS != MINUS
    _, ax = panels()
    plus, minus = Points(ax).artists
    assert len(plus.get_paths()[0].vertices) != len(minus.get_paths()[0].vertices)


@PALETTES
def test_what_is_compared_differs(palette):
    for one, other in itertools.combinations((palette.own, palette.good, palette.plus, palette.minus), 2):
        assert np.linalg.norm(np.subtract(to_rgb(one), to_rgb(other))) > 0.2


def test_mix_goes_from_paper_to_colour():
    assert LIGHT.mix("plus", 0.0) == to_rgb(LIGHT.paper)
    assert LIGHT.mix("plus", 1.0) == to_rgb(LIGHT.plus)
    assert LIGHT.mix("#000000", 0.5) == (0.5, 0.5, 0.5)


def test_a_sheet_knows_its_palette_and_an_unknown_figure_is_light():
    from matplotlib.figure import Figure

    assert palette_of(Sheet(2, 2, DARK).subplots()) is DARK
    assert palette_of(Figure().subplots()) is LIGHT
