"""Figure 7.9, the climb of the evidence and the far-away band: what is drawn is what the machines say."""

import numpy as np
import pytest
from drawings import on_sheet
from drawings.rvm.regression import PLACES, T, X
from looking import offsets, pieces

from sparsekm_edu.figures.rvm.regression import FAR_X, INFINITE, TOP


def test_figure_7_9_seven_rings_on_the_left_and_three_on_the_right():
    _, view, (svm, rvm) = on_sheet("figure_7_9")
    points = np.column_stack([X, T])
    left, right = (offsets(rings) for rings in view.rings)
    assert (len(left), len(right)) == (7, 3)  # as in the book
    np.testing.assert_array_equal(left, points[svm.support_])
    np.testing.assert_array_equal(right, points[[2, 7, 9]])
    np.testing.assert_array_equal(offsets(view.points_right), points)


def test_figure_7_9_mean_and_band():
    _, view, (_, rvm) = on_sheet("figure_7_9")
    x, y = view.bars.mean.get_data()
    mean, sd = rvm.predict(x[:, None], return_std=True)
    np.testing.assert_allclose(y, mean)
    band = view.bars.band.artists[0].get_paths()[0].vertices
    upper = band[: len(x)] if band[0, 1] > mean[0] else band[len(x) : 2 * len(x)][::-1]
    np.testing.assert_allclose(upper[:, 1], mean + sd)
    assert np.ptp(sd) > 0.02  # not a tube of one width


def test_evidence_climb_is_drawn_from_below_to_the_top():
    _, (trace, *_), runs = on_sheet("figure_evidence_climb")
    for way, steps in runs.items():
        k, below = trace.thick[way].get_data()
        evidence = np.array([step.log_evidence for step in steps])
        np.testing.assert_allclose(below, np.maximum(-3.787584345 - evidence, TOP), atol=2e-9)
        assert (np.diff(below) <= 0).all()
        np.testing.assert_array_equal(k, np.arange(len(steps)))
    low, high = trace.here.axes.get_ylim()
    assert low > high  # who climbs goes up on the page


@pytest.mark.parametrize(("which", "way"), [(1, "as printed"), (2, "with a brake"), (3, "EM")])
def test_every_alpha_is_drawn_and_who_leaves_jumps_to_infinity(which, way):
    _, views, runs = on_sheet("figure_evidence_climb")
    view, steps = views[which], runs[way]
    alpha = np.array([step.alpha for step in steps])
    staying = [curve[:, 1] for curve in view.staying.artists[0].get_segments()]
    np.testing.assert_allclose(np.transpose(staying), alpha[:, [2, 7, 9]])
    leaving = view.leaving.artists[0].get_segments()
    assert len(leaving) == 8
    left_at = {i: step.n_iter for step in steps for i in step.pruned}
    gone = sorted(left_at)
    for i, curve, jump in zip(gone, leaving, pieces(view.jumps), strict=True):
        assert len(curve) == left_at[i]
        np.testing.assert_array_equal(jump[1], (left_at[i], INFINITE))
        np.testing.assert_allclose(jump[0], (left_at[i] - 1, alpha[left_at[i] - 1, i]))
    assert alpha[np.isfinite(alpha)].max() < INFINITE / 10


def test_far_away_marks_lie_on_the_curves():
    _, view, models = on_sheet("figure_far_away")
    for line, mark, model in zip(view.sds, view.marks, models, strict=True):
        np.testing.assert_allclose(
            line.get_ydata(), model.predict(FAR_X[:, None], return_std=True)[1], atol=1e-9
        )
        expected = model.predict(PLACES[:, None], return_std=True)[1]
        np.testing.assert_allclose(offsets(mark), np.column_stack([PLACES, expected]))
    rvm, process = (line.get_ydata() for line in view.sds)
    middle = np.abs(FAR_X - 0.5).argmin()
    assert rvm[[0, -1]].max() < rvm[middle]
    assert process[[0, -1]].min() > process[middle]
    assert not len(offsets(view.grip))  # nothing to take hold of in print
