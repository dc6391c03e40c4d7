"""Two densities with the area of their product; the pulls of points at a mean."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.kernels.generative import draw_scores
from looking import distance_to_line, offsets, pieces

from sparsekm_edu import figures


def test_figure_overlap_the_shaded_area_is_the_number_written_there():
    _, view, (u, densities, centres, area) = on_sheet("figure_overlap")
    (path,) = view.area.artists[0].get_paths()
    x, y = path.vertices[:-1].T  # closed: the first corner comes twice
    assert abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2 == pytest.approx(
        area, rel=1e-3
    )  # shoelaces
    assert view.words.artists[0].get_text() == f"area of the product = k = {area:.4g}"
    for line, density in zip(view.densities, densities, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), density)
    np.testing.assert_array_equal(view.product.get_ydata(), densities.prod(axis=0))
    assert view.densities[0].get_linestyle() != view.densities[1].get_linestyle()


def test_figure_overlap_dots_are_where_they_belong():
    _, view, (u, densities, centres, area) = on_sheet("figure_overlap")
    for dot, centre, density in zip(view.centres, centres, densities, strict=True):
        (x,), (y,) = dot.get_data()
        assert x == centre
        assert y == pytest.approx(density.max(), rel=1e-3)
    (x,), (y,) = view.here.get_data()
    assert x == pytest.approx(1.4)
    assert y == pytest.approx(np.exp(-1.5 * 1.4**2 / (4 * 0.7**2)), rel=1e-2)


@pytest.mark.parametrize("chosen", [0, 3])
def test_figure_scores_arrows_are_the_scores_and_the_line_divides_by_sign(chosen):
    _, ax = figures.panels()
    view, (X, theta, g, k) = draw_scores([ax], chosen)
    tips = np.array(
        [path.vertices[0] for layer in (view.chosen_pull, view.pulls) for path in layer.heads.get_paths()]
    )
    order = [chosen, *(n for n in range(len(X)) if n != chosen)]
    np.testing.assert_allclose(tips, theta + g[order])
    np.testing.assert_allclose(tips, X[order])  # sigma = 1
    np.testing.assert_allclose(offsets(view.ring), X[[chosen]])
    plus, minus = (artist.get_offsets() for artist in view.points.artists)
    np.testing.assert_array_equal(plus, X[k > 0])
    np.testing.assert_array_equal(minus, X[k < 0])
    (border,) = pieces(view.border)
    assert distance_to_line(theta, border) < 1e-12
    side = (X - theta) @ g[chosen]
    np.testing.assert_array_equal(side > 0, k > 0)
    assert (border[1] - border[0]) @ g[chosen] == pytest.approx(0, abs=1e-12)
    assert [label.artists[0].get_text() for label in view.values] == [
        f"k = {value:.2f}".replace("-", "−") for value in k
    ]
