"""Figure 7.9, the climb of the evidence and the far-away band: what is drawn is what the machines say."""

import numpy as np
import pytest
from looking import offsets, pieces
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsekm_edu import RVR, Gaussian, NuSVR, datasets, figures
from sparsekm_edu.figures.rvm.regression import FAR_X, INFINITE, TOP
from sparsekm_edu.solvers import em_steps, reestimate_steps

X, T = datasets.sinusoid()
KERNEL = Gaussian(1 / (2 * 0.15**2))
PLACES = np.array([1.15, 1.45, 2.0])


def draw_7_9(axes):
    svm = NuSVR(C=1.0, nu=0.5, kernel=KERNEL).fit(X, T)
    rvm = RVR(kernel=KERNEL).fit(X, T)
    return figures.figure_7_9(*axes, X, T, svm, rvm), (svm, rvm)


def draw_evidence_climb(axes):
    Phi = np.hstack([KERNEL(X), np.ones((10, 1))])
    runs = {"re-estimation": list(reestimate_steps(Phi, T)), "EM": list(em_steps(Phi, T))}
    return figures.figure_evidence_climb(axes[0], axes[1:], runs), runs


def draw_far_away(axes):
    rvm = RVR(kernel=KERNEL).fit(X, T)
    kernel = ConstantKernel() * RBF(0.15, "fixed") + WhiteKernel(0.1)
    process = GaussianProcessRegressor(kernel, random_state=0).fit(X, T)
    return figures.figure_far_away(*axes, X, T, rvm, process, PLACES), (rvm, process)


FIGURES = {
    "figure_7_9": (draw_7_9, 2),
    "figure_evidence_climb": (draw_evidence_climb, 3),
    "figure_far_away": (draw_far_away, 2),
}


def on_sheet(name):
    draw, n = FIGURES[name]
    return draw(figures.panels(n)[1])


def test_figure_7_9_seven_rings_on_the_left_and_three_on_the_right():
    view, (svm, rvm) = on_sheet("figure_7_9")
    points = np.column_stack([X, T])
    left, right = (offsets(rings) for rings in view.rings)
    assert (len(left), len(right)) == (7, 3)  # as in the book
    np.testing.assert_array_equal(left, points[svm.support_])
    np.testing.assert_array_equal(right, points[[2, 7, 9]])
    np.testing.assert_array_equal(offsets(view.points_right), points)


def test_figure_7_9_mean_and_band():
    view, (_, rvm) = on_sheet("figure_7_9")
    x, y = view.bars.mean.get_data()
    mean, sd = rvm.predict(x[:, None], return_std=True)
    np.testing.assert_allclose(y, mean)
    band = view.bars.band.artists[0].get_paths()[0].vertices
    upper = band[: len(x)] if band[0, 1] > mean[0] else band[len(x) : 2 * len(x)][::-1]
    np.testing.assert_allclose(upper[:, 1], mean + sd)
    assert np.ptp(sd) > 0.02  # not a tube of one width


def test_evidence_climb_is_drawn_from_below_to_the_top():
    (trace, *_), runs = on_sheet("figure_evidence_climb")
    for way, steps in runs.items():
        k, below = trace.thick[way].get_data()
        evidence = np.array([step.log_evidence for step in steps])
        np.testing.assert_allclose(below, np.maximum(-3.787584345 - evidence, TOP), atol=2e-9)
        assert (np.diff(below) <= 0).all()
        np.testing.assert_array_equal(k, np.arange(len(steps)))
    low, high = trace.here.axes.get_ylim()
    assert low > high  # who climbs goes up on the page


@pytest.mark.parametrize(("which", "way"), [(1, "re-estimation"), (2, "EM")])
def test_every_alpha_is_drawn_and_who_leaves_jumps_to_infinity(which, way):
    views, runs = on_sheet("figure_evidence_climb")
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
    view, models = on_sheet("figure_far_away")
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
