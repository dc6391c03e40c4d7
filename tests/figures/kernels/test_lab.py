"""The kernel lab: colours, circles, squares and stems are where the numbers say."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.kernels.lab import draw_mercer_witness
from looking import pieces

from sparsekm_edu import Gaussian, figures
from sparsekm_edu.figures.kernels.lab import LEAST, SignedMatrix


def on_one_panel(layer):
    _, ax = figures.panels()
    return layer(ax)


def test_a_matrix_in_two_colours():
    matrix = on_one_panel(SignedMatrix)
    matrix.update(np.array([[1.0, 0.5, 0.0], [-0.5, -1.0, 2.0]]))
    shades = np.asarray(matrix.image.get_array())[:, :, :3] / 255
    for place, colour in {
        (0, 0): figures.LIGHT.mix("plus", 1.0),
        (0, 1): figures.LIGHT.mix("plus", 0.5),
        (0, 2): figures.LIGHT.mix("paper", 1.0),
        (1, 0): figures.LIGHT.mix("minus", 0.35),  # a dark field of the chessboard is a little lighter
        (1, 1): figures.LIGHT.mix("minus", 1.0),
        (1, 2): figures.LIGHT.mix("plus", 1.0),  # what is beyond 1 is shown as 1
    }.items():
        np.testing.assert_allclose(shades[place], colour, atol=0.01)


def test_negative_eigenvalues_are_squares_and_the_weights_are_stems():
    _, (_, spectrum, below), (x, found) = on_sheet("figure_mercer_witness")
    shares = found.eigenvalues[::-1] / found.eigenvalues[-1]
    negative = shares < -210 * np.finfo(float).eps
    assert 0 < negative.sum() < 21
    number, size = spectrum.negative.get_data()
    np.testing.assert_array_equal(number, np.flatnonzero(negative))
    np.testing.assert_allclose(size, -shares[negative])
    number, size = spectrum.positive.get_data()
    np.testing.assert_array_equal(number, np.flatnonzero(~negative))
    np.testing.assert_allclose(size, np.maximum(np.abs(shares[~negative]), LEAST))
    stems = pieces(below.stems)
    np.testing.assert_array_equal(stems[:, 0], np.column_stack([x, 0 * x]))
    np.testing.assert_array_equal(stems[:, 1, 0], x)
    np.testing.assert_allclose(stems[:, 1, 1] / stems[0, 1, 1], found.v / found.v[0])
    assert np.abs(stems[:, 1, 1]).max() < below.TOP
    assert len(below.functions.artists[0].get_segments()) == 0


def test_words_of_a_witness():
    sheet, _, (_, found) = on_sheet("figure_mercer_witness")
    assert f"v'Kv = {found.value:.3g}" in sheet.description
    assert f"{found.value:.3g}".replace("-", "−") in sheet.axes[2].get_title()
    sheet, axes = figures.panels(3)
    draw_mercer_witness(axes, Gaussian())
    assert "None is negative beyond rounding" in sheet.description
    assert axes[2].get_title() == "no witness"


def test_functions_and_how_rough_they_are():
    sheet, drawn, (x, rows) = on_sheet("figure_sample_functions")
    for curves, (title, functions) in zip(drawn, rows, strict=True):
        lines = curves.artists[0].get_segments()
        assert len(lines) == 5
        for line, function in zip(lines, functions.T, strict=True):
            np.testing.assert_allclose(line, np.column_stack([x, function]))
        assert f"{title}: {np.abs(np.diff(functions, axis=0)).mean():.3f}" in sheet.description
    roughness = [
        float(word.split(": ")[1]) for word in sheet.description.split("are: ")[1].rstrip(".").split(", ")
    ]
    assert roughness == sorted(roughness, reverse=True)
    assert roughness[0] > 2 * roughness[-1]


@pytest.mark.parametrize("points", [2, 61])
def test_any_number_of_points(points):
    _, axes = figures.panels(3)
    (_, spectrum, _), (x, found) = draw_mercer_witness(axes, points=points)
    assert len(spectrum.positive.get_xdata()) + len(spectrum.negative.get_xdata()) == points
