"""Densities and curves from windows: scikit-learn's, sums by hand, weighted least squares, brute force refits."""

import math

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity as TheirDensity

from sparsekm_edu.kernels.windows import GAUSSIAN, TRICUBE, WINDOWS, rule_of_thumb
from sparsekm_edu.models import KernelDensity, LocallyWeightedRegression, NadarayaWatson
from sparsekm_edu.validation import Impossible

every_window = pytest.mark.parametrize("window", WINDOWS)
CURVES = [NadarayaWatson, LocallyWeightedRegression]
every_curve = pytest.mark.parametrize("Curve", CURVES)
SIX = np.array([[-2.1], [-1.3], [-0.4], [1.9], [5.1], [6.2]])  # of figure 14.17


def data(N=60, D=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(N, D))
    return X, np.sin(X[:, 0]) + 0.2 * rng.normal(size=N), rng.uniform(-3, 3, size=(40, D))


# ------------------------------------------------------------------ densities


@pytest.mark.parametrize("D", [1, 2, 3])
@pytest.mark.parametrize("h", [0.4, 1.5])
@pytest.mark.parametrize(
    ("ours", "theirs"), [("gaussian", "gaussian"), ("boxcar", "tophat"), ("epanechnikov", "epanechnikov")]
)
def test_densities_of_scikit_learn(D, h, ours, theirs):
    X, _, new = data(D=D)
    model = KernelDensity(h, ours).fit(X)
    other = TheirDensity(bandwidth=h, kernel=theirs).fit(X)
    np.testing.assert_allclose(model.score_samples(new), other.score_samples(new), rtol=0, atol=1e-10)
    assert np.isfinite(model.score_samples(X)).all()
    assert model.score(X) == pytest.approx(other.score(X), rel=1e-12)


@pytest.mark.parametrize(
    ("window", "tolerance"), [("gaussian", 1e-8), ("epanechnikov", 1e-6), ("tricube", 1e-8), ("boxcar", 1e-3)]
)
@pytest.mark.parametrize("h", [1.0, 2.0])
def test_densities_integrate_to_1(window, tolerance, h):
    x = np.linspace(-20, 25, 20001)
    p = np.exp(KernelDensity(h, window).fit(SIX).score_samples(x[:, None]))
    assert np.trapezoid(p, x) == pytest.approx(1, abs=tolerance)


def test_a_tricube_density_in_the_plane_integrates_to_1():
    X, _, _ = data(N=10, D=2)
    x = np.linspace(-5, 5, 401)
    p = np.exp(
        KernelDensity(0.8, TRICUBE).fit(X).score_samples(np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2))
    )
    assert p.sum() * (x[1] - x[0]) ** 2 == pytest.approx(1, abs=1e-4)


def test_far_away():
    """A Gaussian still tells how far; other windows end."""
    far = KernelDensity(1.0).fit(SIX).score_samples([[1e6]])
    assert far == pytest.approx(
        -0.5 * (1e6 - 6.2) ** 2 - 0.5 * math.log(2 * math.pi) - math.log(6), rel=1e-14
    )
    assert KernelDensity(1.0, "boxcar").fit(SIX).score_samples([[1e6]]) == [-np.inf]


def test_many_points_are_done_in_blocks(monkeypatch):
    X, y, new = data()
    whole = [KernelDensity().fit(X).score_samples(new), *(Curve().fit(X, y).weights(new) for Curve in CURVES)]
    monkeypatch.setattr("sparsekm_edu.models.memory.BLOCK", 500)
    parts = [KernelDensity().fit(X).score_samples(new), *(Curve().fit(X, y).weights(new) for Curve in CURVES)]
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_boxcar_density_is_no_histogram():
    """They count the same points only where x is the middle of a bin of width 2 h."""
    edges = np.arange(-4.0, 9.0, 2.0)  # as wide as a boxcar of h = 1
    heights, _ = np.histogram(SIX[:, 0], bins=edges, density=True)
    middles, rng = (edges[:-1] + edges[1:]) / 2, np.random.default_rng(0)
    model = KernelDensity(1.0, "boxcar").fit(SIX)
    np.testing.assert_allclose(np.exp(model.score_samples(middles[:, None])), heights, atol=1e-12)
    x = rng.uniform(-4, 8, size=400)
    same = np.isclose(np.exp(model.score_samples(x[:, None])), heights[np.searchsorted(edges, x) - 1])
    assert 0.3 < same.mean() < 0.7


# ------------------------------------------------------------------ curves


@every_window
@pytest.mark.parametrize("D", [1, 2])
def test_nadaraya_watson_by_hand(window, D):
    X, y, new = data(D=D)
    h = 1.3
    kappa = WINDOWS[window].radial((new[:, None] - X) / h)
    model = NadarayaWatson(h, window).fit(X, y)
    by_hand = (kappa @ y) / kappa.sum(axis=1)  # (14.85)
    np.testing.assert_allclose(model.predict(new), by_hand, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.weights(new), kappa / kappa.sum(axis=1)[:, None], atol=1e-14)  # (14.88)


@every_window
@pytest.mark.parametrize("D", [1, 2])
def test_local_lines_are_weighted_least_squares(window, D):
    X, y, new = data(D=D)
    h = 2.0
    predicted = LocallyWeightedRegression(h, window).fit(X, y).predict(new)
    for x, f in zip(new, predicted, strict=True):
        kappa = WINDOWS[window].radial((X - x) / h)
        line = LinearRegression().fit(X, y, sample_weight=kappa)  # (14.94)
        assert line.predict([x])[0] == pytest.approx(f, abs=1e-10)
        Phi = np.column_stack([np.ones(len(X)), X])
        beta = np.linalg.solve(Phi.T @ (kappa[:, None] * Phi), Phi.T @ (kappa * y))  # (14.95)
        assert beta @ [1, *x] == pytest.approx(f, abs=1e-10)  # (14.96), with phi(x*)


@every_curve
@every_window
@pytest.mark.parametrize("D", [1, 3])
@pytest.mark.parametrize("h", [0.05, 1.0, 30.0])
def test_equivalent_kernels_sum_to_1_and_make_the_prediction(Curve, window, D, h):
    X, y, new = data(D=D)
    model = Curve(h, window).fit(X, y)
    W = model.weights(new)
    assert W.shape == (40, 60)
    # in space, planes through points of very different weight lose digits, as their variances do
    np.testing.assert_allclose(W.sum(axis=1), 1, rtol=1e-12 if D == 1 else 1e-8)
    np.testing.assert_allclose(W @ y, model.predict(new), rtol=1e-12, atol=1e-12)


def test_constants_to_the_last_digit():
    X, _, new = data()
    assert np.abs(NadarayaWatson(0.5).fit(X, np.full(60, 3.0)).predict(new) - 3).max() < 1e-14


@every_window
@pytest.mark.parametrize("h", [1.5, 4.0, 100.0])
@pytest.mark.parametrize("D", [1, 2])
def test_local_lines_give_straight_lines_back(window, h, D):
    X, _, new = data(D=D, N=100)
    slope = np.array([2.0, -3.0])[:D]
    predicted = LocallyWeightedRegression(h, window).fit(X, X @ slope + 1).predict(new)
    np.testing.assert_allclose(predicted, new @ slope + 1, atol=1e-10)


def test_straight_lines_from_tiny_weights():
    """Far out the second nearest point has e^-50 of the weight of the nearest; the line through both is still exact."""
    X = np.array([[0.0], [1.0], [2.0]])
    model = LocallyWeightedRegression(0.3).fit(X, 2 * X[:, 0] - 1)
    assert model.predict([[6.0], [-3.0]]) == pytest.approx([11, -7], rel=1e-12)


def test_features_of_different_size_are_all_used():
    X, _, new = data(D=2)
    unit = np.array([1.0, 1e6])
    model = LocallyWeightedRegression(1e7).fit(X * unit, X @ [1.0, 1.0])
    np.testing.assert_allclose(model.predict(new * unit), new @ [1.0, 1.0], atol=1e-8)


def test_where_no_window_reaches_the_nearest_point_answers():
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, 4.0])
    for Curve in CURVES:
        for window in ("boxcar", "epanechnikov", "tricube"):
            model = Curve(0.1, window).fit(X, y)
            assert model.predict([[-50.0], [2.9], [9.0]]) == pytest.approx([1, 4, 4])
    assert NadarayaWatson(0.1, "boxcar").fit(X, y).predict([[2.0]]) == [3]  # 2 and 4 are equally near
    assert LocallyWeightedRegression(0.1, "boxcar").fit(X, y).predict([[2.0]]) == [3]
    assert NadarayaWatson(0.1).fit(X, y).predict([[1e6]]) == [4]


def test_points_without_spread_leave_their_mean():
    """Two equal inputs in the window: no line through them, and all points on one line in the plane: no plane."""
    X, y = np.array([[0.0], [0.0], [5.0]]), np.array([1.0, 3.0, 9.0])
    assert LocallyWeightedRegression(1.0, "boxcar").fit(X, y).predict([[0.5]]) == pytest.approx([2])
    on_a_line = np.column_stack([np.arange(4.0), np.zeros(4)])
    model = LocallyWeightedRegression(3.0).fit(on_a_line, np.arange(4.0))
    # along it exact, across it flat
    assert model.predict([[1.5, 0.0], [1.5, 7.0]]) == pytest.approx([1.5, 1.5])


# ------------------------------------------------------------------ bandwidths


@every_window
@pytest.mark.parametrize("D", [1, 2])
@pytest.mark.parametrize("h", [0.8, 3.0])
def test_leave_one_out_of_a_density_by_refits(window, D, h):
    X, _, _ = data(N=20, D=D)
    refits = [
        KernelDensity(h, window).fit(np.delete(X, n, axis=0)).score_samples(X[[n]])[0] for n in range(20)
    ]
    model = KernelDensity(1.0, window).fit(X)
    assert model.leave_one_out(h) == pytest.approx(np.mean(refits), abs=1e-12)
    assert model.leave_one_out([h, 9.0])[0] == model.leave_one_out(h)


@every_curve
@every_window
@pytest.mark.parametrize("h", [0.05, 0.8, 3.0])
def test_leave_one_out_of_a_curve_by_refits(Curve, window, h):
    X, y, _ = data(N=20)
    without = [np.delete(np.arange(20), n) for n in range(20)]
    refits = [Curve(h, window).fit(X[rest], y[rest]).predict(X[[n]])[0] for n, rest in enumerate(without)]
    assert Curve(window=window).fit(X, y).leave_one_out(h) == pytest.approx(
        np.mean((y - refits) ** 2), rel=1e-10
    )


@every_curve
def test_leave_one_out_of_a_curve_in_closed_form(Curve):
    """Without point n the error at x_n is (y_n - f(x_n)) / (1 - w_n(x_n)): no refit, one division."""
    X, y, _ = data()
    model = Curve(0.5).fit(X, y)
    W = model.weights(X)
    errors = (y - W @ y) / (1 - np.diagonal(W))
    assert model.leave_one_out(0.5) == pytest.approx(np.mean(errors**2), rel=1e-10)


@every_window
@pytest.mark.parametrize("model", [KernelDensity(), NadarayaWatson(), LocallyWeightedRegression()], ids=repr)
def test_the_chosen_bandwidth_is_the_best(model, window):
    X, y, _ = data()
    model = clone(model).set_params(h="leave-one-out", window=window).fit(X, y)
    sign = 1 if isinstance(model, KernelDensity) else -1
    tried = sign * model.leave_one_out(np.geomspace(0.01, 20, 2000))
    best = sign * model.leave_one_out(model.h_)
    smooth = window in ("gaussian", "tricube")  # the others have costs that jump
    assert best >= tried.max() - (1e-6 if smooth else 1e-2) * abs(tried.max())
    assert best > tried[[0, -1]].max() + 0.01


def test_two_points_in_closed_form():
    """Each is predicted by one Gaussian at distance d: N(d | 0, h^2) is largest at h = d."""
    assert KernelDensity("leave-one-out").fit([[1.0], [4.0]]).h_ == pytest.approx(3, rel=1e-3)
    assert KernelDensity("leave-one-out").fit([[0.0, 0.0], [3.0, 4.0]]).h_ == pytest.approx(
        5 / math.sqrt(2), rel=1e-3
    )
    assert KernelDensity("leave-one-out", "boxcar").fit([[1.0], [4.0]]).h_ == pytest.approx(3, rel=1e-3)


@pytest.mark.parametrize("model", [KernelDensity("rule"), NadarayaWatson("rule", "tricube")], ids=repr)
def test_rule(model):
    X, y, _ = data()
    assert model.fit(X, y).h_ == rule_of_thumb(X[:, 0], model.window)


def test_scaling_the_data_scales_the_bandwidth():
    X, y, _ = data()
    for h in ("rule", "leave-one-out"):
        for model in (KernelDensity(h), NadarayaWatson(h), LocallyWeightedRegression(h)):
            one, other = clone(model).fit(X, y), clone(model).fit(1e6 * X, y)
            assert other.h_ == pytest.approx(1e6 * one.h_, rel=1e-9)


def test_grid_search_over_the_bandwidth():
    X, _, _ = data()
    search = GridSearchCV(KernelDensity(), {"h": [0.01, 0.5, 50.0], "window": ["gaussian", GAUSSIAN]}).fit(X)
    assert search.best_params_["h"] == 0.5


# ------------------------------------------------------------------ what cannot be


@pytest.mark.parametrize("model", [KernelDensity(), NadarayaWatson(), LocallyWeightedRegression()], ids=repr)
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"h": 0}, "h must be a number > 0, got 0"),
        ({"h": -1.0}, "h must be a number > 0, got -1.0"),
        ({"h": np.nan}, "h must be a number > 0, got nan"),
        ({"h": np.inf}, "h must be a number > 0, got inf"),
        ({"h": True}, "h must be a number > 0, got True"),
        ({"h": "scott"}, "h must be a number > 0, 'rule' or 'leave-one-out', got 'scott'"),
        ({"window": "tophat"}, "window must be one of .* got 'tophat'"),
        ({"window": None}, "window must be one of .* got None"),
    ],
    ids=repr,
)
def test_impossible_parameters(model, parameters, sentence):
    X, y, _ = data()
    with pytest.raises(ValueError, match=sentence):
        clone(model).set_params(**parameters).fit(X, y)


def test_impossible_data():
    X, y, _ = data(D=2)
    with pytest.raises(ValueError, match="h='rule' is for data with one feature, got 2: take a number"):
        KernelDensity("rule").fit(X)
    with pytest.raises(ValueError, match="at least 2 points, got n_samples=1"):
        KernelDensity("leave-one-out").fit(X[:1])
    with pytest.raises(Impossible, match="every point has an exact copy"):
        KernelDensity("leave-one-out").fit(np.vstack([X, X]))
    with pytest.raises(Impossible, match="needs points that differ, got 60 times the same"):
        NadarayaWatson("leave-one-out").fit(np.ones((60, 1)), y)
    with pytest.raises(
        ValueError, match="X must hold finite numbers up to 1e150 in size, got a largest value of 1e"
    ):
        KernelDensity().fit([[1e200], [0.0]])
    with pytest.raises(ValueError, match="h must be a number > 0, got 0"):
        KernelDensity().fit(X).leave_one_out(0.0)
