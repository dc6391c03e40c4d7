"""(14.68) and EM for the soft margin: what is drawn is what was computed."""

import numpy as np
import pytest
from drawings.svm.scale_mixture import draw_14_68, draw_em_svm
from looking import offsets, pieces

from sparsekm_edu import figures
from sparsekm_edu.figures.layers import POINT_SIZE


def test_figure_14_68_dots_on_the_curve_and_parabolas_above_the_hinge():
    sheet, axes = figures.panels(2)
    view, (m, exact, mixed, lam, parts, loss, touch, parabolas) = draw_14_68(axes)
    x, y = view.mixed.get_data()
    np.testing.assert_allclose(y, np.interp(x, *view.exact.get_data()), atol=1e-9)
    for drawn, values in zip(view.above.artists[0].get_segments(), parabolas):
        np.testing.assert_array_equal(drawn[:, 1], values)
        assert np.all(values >= loss - 1e-12)
    for place, values in zip(touch, parabolas):
        assert np.interp(place, m, values) == pytest.approx(np.interp(place, m, loss), abs=1e-4)
    assert "1e-8: True" in sheet.description


def test_em_svm_line_sizes_and_objective():
    _, axes = figures.panels(2)
    view, (X, t, inverse_lambda, lines, goal, excess) = draw_em_svm(axes)
    for layer, (w, b) in ((view.line, lines[-1]), (view.goal, goal)):
        np.testing.assert_allclose(pieces(layer)[0] @ w + b, 0, atol=1e-9)
    np.testing.assert_allclose(sorted(pieces(view.edges)[:, 0] @ lines[-1][0] + lines[-1][1]), [-1, 1])
    assert len(pieces(view.trail)) == len(lines) - 1
    for artist, label in zip(view.points.artists, view.points.labels):
        sizes, places = artist.get_sizes(), artist.get_offsets()
        np.testing.assert_array_equal(places, X[t == label])
        ordinary = (sizes > 0.3 * POINT_SIZE) & (sizes < 8 * POINT_SIZE)
        np.testing.assert_allclose(sizes[ordinary], POINT_SIZE * inverse_lambda[t == label][ordinary])
    assert view.here.get_xdata() == [len(lines)]
    assert len(offsets(view.points)) == len(t)


def test_em_svm_before_the_first_step_there_is_no_line():
    _, axes = figures.panels(2)
    view, (X, t, *_) = draw_em_svm(axes, n_steps=0)
    assert len(view.line.artists[0].get_segments()) == len(view.edges.artists[0].get_segments()) == 0
    assert view.here.get_xdata() == [0]
    assert {size for artist in view.points.artists for size in artist.get_sizes()} == {POINT_SIZE}
