"""What notebook 16 says is what the code does: its own local lines from end to end, its derivations as numbers, its
slips of the book, and the sentences that read a table."""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm
from test_page_and_code import cells, prose, run

from sparsekm_edu import (
    Gaussian,
    KernelDensity,
    KernelRidge,
    LocallyWeightedRegression,
    NadarayaWatson,
    datasets,
    explorers,
)
from sparsekm_edu.explorers.kernels.local_fits import (
    CONSTANT,
    HS,
    LINE,
    BiasVarianceExplorer,
    BiasVarianceState,
    LocalFitExplorer,
    LocalFitState,
)
from sparsekm_edu.kernels.windows import BOXCAR, EPANECHNIKOV, GAUSSIAN, TRICUBE, WINDOWS, rule_of_thumb

X, Y = datasets.rising_wave()
PLACES = np.linspace(0, 100, 401)


def printed(mark):
    """What the one cell that holds `mark` printed when the notebook was stored (nbval prints it again)."""
    (cell,) = [cell for cell in cells("16") if cell.cell_type == "code" and mark in cell.source]
    return cell.outputs[0]["text"]


def row(mark, name):
    """The numbers of the row of a printed table that begins with `name`."""
    (line,) = [line for line in printed(mark).splitlines() if re.match(rf"{re.escape(name)}  ", line)]
    return [
        float(number) for number in re.findall(r"[-−+]?\d+\.?\d*", line.removeprefix(name).replace("−", "-"))
    ]


# ---- the algorithm on the page --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_lines():
    names, _ = run("16", "datasets.rising_wave()", "def local_lines(")
    return names["local_lines"]


@pytest.mark.parametrize("seed", range(3))
def test_own_lines_are_the_library_s(own_lines, seed):
    X, y = datasets.rising_wave(seed=seed)
    bandwidths = np.geomspace(2.5, 1000, 25)
    f, h, errors = own_lines(PLACES, X[:, 0], y, bandwidths)
    model = LocallyWeightedRegression(h).fit(X, y)
    np.testing.assert_allclose(f, model.predict(PLACES[:, None]), atol=1e-8)
    np.testing.assert_allclose(errors, model.leave_one_out(bandwidths), rtol=1e-8)
    best = LocallyWeightedRegression("leave-one-out").fit(X, y).h_
    assert h / best == pytest.approx(1, abs=0.3)  # the next of 25


@pytest.mark.parametrize("least", [0.1, 0.5])
def test_own_lines_bear_bandwidths_that_are_too_narrow(own_lines, least):
    """From the left end of the explorer's slider on: no error is nan, and the best h is none of them."""
    with np.errstate(all="raise", under="ignore"):  # but where the page itself allows it
        f, h, errors = own_lines(PLACES, X[:, 0], Y, np.geomspace(least, 1000, 101))
    assert errors[0] == np.inf
    assert not np.isnan(errors).any()
    assert h == pytest.approx(LocallyWeightedRegression("leave-one-out").fit(X, Y).h_, rel=0.06)
    assert np.isfinite(f).all()


def test_weights_of_the_page_are_those_of_the_matrices():
    """kappa (s2 - s1 d) / (s0 s2 - s1^2) is phi(x*)'(Phi'D Phi)^-1 Phi'D; the second row of the page's two sums."""
    d = X[:, 0] - 31.0
    kappa = np.exp(-0.5 * (d / 4) ** 2)
    s = [np.sum(kappa * d**p) for p in range(3)]
    short = kappa * (s[2] - s[1] * d) / (s[0] * s[2] - s[1] ** 2)
    Phi, D = np.column_stack([np.ones(60), d]), np.diag(kappa)
    w = np.array([1, 0]) @ np.linalg.inv(Phi.T @ D @ Phi) @ Phi.T @ D
    np.testing.assert_allclose(short, w, atol=1e-12)
    np.testing.assert_allclose(w @ Phi, [1, 0], atol=1e-10)
    # not measured from x*: phi(x*) = (1, x*), the factor that (14.96) forgets; without it there are two numbers
    Phi = np.column_stack([np.ones(60), X[:, 0]])
    rows = np.linalg.inv(Phi.T @ D @ Phi) @ Phi.T @ D
    np.testing.assert_allclose(np.array([1, 31.0]) @ rows, w, atol=1e-9)
    assert (rows @ Y).shape == (2,)


@pytest.mark.parametrize("smoother", [NadarayaWatson, LocallyWeightedRegression])
def test_a_point_put_back_on_the_curve_changes_nothing(smoother):
    n, y = 17, Y.copy()
    without = smoother(4.0).fit(np.delete(X, n, 0), np.delete(y, n)).predict(X[n : n + 1])[0]
    full = smoother(4.0).fit(X, y)
    W = full.weights(X)
    assert (y[n] - without) * (1 - W[n, n]) == pytest.approx(y[n] - full.predict(X)[n])
    y[n] = without
    assert smoother(4.0).fit(X, y).predict(X[n : n + 1])[0] == pytest.approx(without)


# ---- sections 1 and 2: windows and densities ------------------------------------------------------------


def test_windows_as_printed():
    formulas = {
        "gaussian": lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
        "boxcar": lambda x: 0.5 * (abs(x) <= 1),
        "epanechnikov": lambda x: 3 / 4 * (1 - x**2) * (abs(x) <= 1),
        "tricube": lambda x: 70 / 81 * (1 - abs(x) ** 3) ** 3 * (abs(x) <= 1),
    }
    x = np.linspace(-2, 2, 401)
    h, strips = 2.5, np.arange(-25, 25, 0.001) + 0.0005
    for name, formula in formulas.items():
        np.testing.assert_allclose(WINDOWS[name](x), formula(x), atol=1e-12)
        kappa_h = WINDOWS[name](strips / h) / h
        area, second = (np.sum(strips**p * kappa_h) * 0.001 for p in (0, 2))
        assert area == pytest.approx(1, abs=1e-6)
        assert second == pytest.approx(h**2 * WINDOWS[name].second_moment, rel=1e-5)


def test_what_is_said_of_the_book_s_windows():
    assert quad(lambda x: float(abs(x) <= 1), -2, 2, points=[-1, 1])[0] == pytest.approx(
        2
    )  # (14.76) as printed
    # (14.72) in the plane: kappa_h(|x|) = kappa(|x| / h) / h, h = 1; area 2 pi int kappa(r) r dr
    areas = [2 * np.pi * quad(lambda r, k=k: k(r) * r, 0, 9, points=[1])[0] for k in (GAUSSIAN, EPANECHNIKOV)]
    assert min(abs(area - 1) for area in areas) > 0.1
    values = BOXCAR(np.subtract.outer([0, 0.8, 1.6], [0, 0.8, 1.6]))
    np.testing.assert_allclose(values, np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]]) / 2)
    assert np.linalg.eigvalsh(values)[0] == pytest.approx((1 - np.sqrt(2)) / 2)


def test_mean_variance_and_jumps_of_the_density():
    names, _ = run("16", "figures.figure_14_17(", "six.mean()")
    six, x = names["six"], names["x"]
    assert names["panels"][0][0] == "boxcar, $h$ = 1"
    for (_, _, p, _), (h, second) in zip(
        names["panels"], [(1, 1 / 3), (2, 1 / 3), (1, 1), (2, 1)], strict=True
    ):
        mean = np.sum(x * p) * 0.01
        assert mean == pytest.approx(six.mean(), abs=1e-4)
        assert np.sum((x - mean) ** 2 * p) * 0.01 == pytest.approx(six.var() + h**2 * second, abs=1e-3)
        window = "boxcar" if second < 1 else "gaussian"
        at_x = np.exp(KernelDensity(h, window).fit(six[:, None]).score_samples(x[:, None]))
        np.testing.assert_allclose(p, at_x, atol=1e-12)
    jumps = np.abs(np.diff(names["panels"][0][2]))
    np.testing.assert_allclose(np.unique(jumps[jumps > 1e-9].round(9)), [round(1 / 12, 9)])  # 1 / (2 N h)


def test_boxes_and_bins_agree_in_the_middle_of_a_bin_and_not_beside_it():
    points, h = np.random.default_rng(0).uniform(0, 10, size=50), 0.5
    counts, edges = np.histogram(points, bins=10, range=(0, 10), density=True)
    middles = (edges[1:] + edges[:-1]) / 2
    density = KernelDensity(h, "boxcar").fit(points[:, None])
    np.testing.assert_allclose(np.exp(density.score_samples(middles[:, None])), counts)
    assert np.abs(np.exp(density.score_samples(middles[:, None] + 0.4)) - counts).max() > 0.02


def test_the_constant_of_the_rule_and_what_the_table_says():
    assert 1 / norm.ppf(0.75) == pytest.approx(1.4826, abs=5e-5)
    assert norm.ppf(0.75) == pytest.approx(0.6745, abs=5e-5)
    mark = 'draws["two clumps"]'
    rule, low, high, left, least, most = row(mark, "one Gaussian")
    assert 0.9 < left / rule < 1.1
    assert (most - least) > 2 * (high - low)
    assert "nearly agree in the median, and leave-one-out scatters more" in prose("16")
    rule, _, _, left, *_ = row(mark, "two clumps")
    assert rule / left > 10
    assert "more than ten times too wide" in prose("16")


def test_a_point_alone_and_what_the_window_does_to_the_rule():
    """Boxcar and the six points: 1.9 has nobody within 2.3, and ln p is -infinity; (R / mu^2)^(1/5) of section 7."""
    explorer = explorers.parzen_windows(window="boxcar")
    assert explorer.picture.likelihood[0, 0] == pytest.approx(2.3, rel=0.03)
    assert KernelDensity(window="boxcar").fit(explorer.state.X).leave_one_out(2.2) == -np.inf
    for window in (BOXCAR, EPANECHNIKOV, TRICUBE):
        factor = (window.roughness / window.second_moment**2 / GAUSSIAN.roughness) ** 0.2
        assert rule_of_thumb(X, window) / rule_of_thumb(X) == pytest.approx(factor)


def test_half_of_a_gaussian_lies_within_the_mad():
    assert 2 * norm.cdf(0.6745) - 1 == pytest.approx(0.5, abs=1e-4)


def test_the_second_moment_of_a_window_on_a_point():
    h, centre = 1.7, 2.5
    for window in (GAUSSIAN, TRICUBE):
        x = np.arange(-15, 20, 1e-3) + 5e-4  # the middles of narrow strips
        second = np.sum(x**2 * window((x - centre) / h) / h) * 1e-3
        assert second == pytest.approx(centre**2 + h**2 * window.second_moment, rel=1e-6)


# ---- section 3 ------------------------------------------------------------------------------------------


def test_volumes_of_the_fold_and_far_away():
    """A ball of radius h in the plane has pi h^2, a cube of half-width h (2h)^D; V grows like |x|^D."""
    points = np.random.default_rng(0).normal(size=(20, 2))

    def volume(x, K=3):
        return np.pi * np.sort(np.linalg.norm(points - x, axis=1))[K - 1] ** 2

    far = [volume(np.array([r, 0.0])) for r in (1e3, 1e4)]
    assert far[1] / far[0] == pytest.approx(100, rel=0.01)
    explorer = explorers.growing_volume()
    np.testing.assert_allclose(explorer.picture.densities[1], explorer.picture.densities[2])
    assert explorer.picture.counts[1:].tolist() == [4, 2]
    assert np.bincount(explorer.state.t.astype(int))[1:].tolist() == [20, 10]
    assert "20 squares and 10 triangles" in prose("16")
    names, _ = run("16", "predict_proba([place])")
    np.testing.assert_allclose(names["densities"], explorer.picture.densities)
    np.testing.assert_allclose(names["posterior"], explorer.picture.posterior)
    np.testing.assert_array_equal(names["inside"], explorer.picture.counts)


# ---- sections 4 and 5 -----------------------------------------------------------------------------------


def test_the_integrals_of_kernel_regression_by_quadrature():
    """(14.82) with (14.83) put in, both integrals over y done by quadrature, is (14.85)."""
    X, y, h, x = np.array([0.0, 1.0, 2.5]), np.array([1.0, -2.0, 0.5]), 0.7, 1.2

    def joint(v):
        return np.mean(GAUSSIAN((x - X) / h) / h * GAUSSIAN((v - y) / h) / h)

    above, below = (quad(lambda v, p=p: v**p * joint(v), -12, 12)[0] for p in (1, 0))
    f = NadarayaWatson(h).fit(X[:, None], y).predict([[x]])[0]
    assert above / below == pytest.approx(f, rel=1e-8)


def test_what_is_said_of_units():
    mark = "in_other_units = {}"
    assert row(mark, "metres")[0] == pytest.approx(100 / 3, rel=0.1)
    assert "In metres $h$ is a third of the line, and nearly everybody is heard" in prose("16")
    heard = []  # 1 / sum of squared weights: as many equal weights would have that sum
    for name in ("metres", "millimetres"):
        W = NadarayaWatson(row(mark, name)[0]).fit(X, Y).weights(PLACES[:, None])
        heard.append(np.median(1 / np.sum(W**2, axis=1)))
    assert heard[0] > 45
    assert 2 < heard[1] < 3
    rules, errors = zip(*[row(mark, name)[:2] for name in ("metres", "centimetres", "millimetres")])
    assert errors[1] < min(errors[0], errors[2])
    assert len({tuple(row(mark, name)[2:]) for name in ("metres", "centimetres", "millimetres")}) == 1
    assert rules[0] / rules[1] == pytest.approx(10, rel=0.01)
    for scale in (0.01, 10.0):  # h_x alone would follow the units; it is far too wide
        assert rule_of_thumb(scale * X) == pytest.approx(scale * rule_of_thumb(X))


def test_the_window_hardly_matters():
    errors = [row("window=name).fit(X, y)", name)[1] for name in WINDOWS]
    assert max(errors) / min(errors) < 1.02


def test_the_constant_that_fits_best_is_the_average():
    kappa = GAUSSIAN((X[:, 0] - 30) / 5)
    c = NadarayaWatson(5.0).fit(X, Y).predict([[30.0]])[0]
    assert kappa @ (Y - c) == pytest.approx(0, abs=1e-12)
    around = [kappa @ (Y - c - step) ** 2 for step in (-0.01, 0, 0.01)]
    assert around[1] == min(around)


def test_a_very_wide_window_is_the_mean_or_the_line_and_a_tiny_one_counts_every_point():
    for smoother, degrees in ((NadarayaWatson, 1), (LocallyWeightedRegression, 2)):
        assert np.trace(smoother(1e5).fit(X, Y).weights(X)) == pytest.approx(degrees, abs=1e-3)
    assert np.trace(NadarayaWatson(1e-3).fit(X, Y).weights(X)) == pytest.approx(60, abs=1e-6)
    np.testing.assert_allclose(NadarayaWatson(1e5).fit(X, Y).weights(X), 1 / 60, rtol=1e-3)
    line = np.polynomial.Polynomial.fit(X[:, 0], Y, 1)
    wide = LocallyWeightedRegression(1e5).fit(X, Y).predict(PLACES[:, None])
    np.testing.assert_allclose(wide, line(PLACES), atol=1e-4)


def test_the_bias_at_the_end_is_the_slope_times_the_mean_of_the_neighbours():
    mark = "sums, shift ="
    error, _, total, shift, least = row(mark, "Nadaraya-Watson")
    assert error == pytest.approx(shift / 25, abs=6e-4)
    assert f"{shift:.2f}={error:.2f}" in prose("16").replace("\\cdot", "").replace("\\tfrac1{25}", "")
    assert total == 1
    assert least == 0
    error, other, total, shift, least = row(mark, "local line")
    assert (error, other, total, shift) == (0, 0, 1, 0)
    assert least < -0.02


def test_without_a_sum_every_point_twice_doubles_the_prediction():
    """(14.93) as it stands, and with the weights of an equivalent kernel."""

    def printed(x, X, y):
        return y @ GAUSSIAN((x - X) / 3.0)

    x, y = X[:, 0], Y
    assert printed(40.0, np.tile(x, 2), np.tile(y, 2)) == pytest.approx(2 * printed(40.0, x, y))
    once, twice = (
        LocallyWeightedRegression(3.0).fit(np.tile(X, (k, 1)), np.tile(Y, k)).predict([[40.0]])[0]
        for k in (1, 2)
    )
    assert once == pytest.approx(twice)


def test_negative_weights_are_needed_where_all_points_are_on_one_side():
    for h in (2.0, 5.0, 30.0):
        w = LocallyWeightedRegression(h).fit(X, Y).weights([[0.0]])[0]
        assert w.min() < 0
    picture = LocalFitExplorer.compute(LocalFitState(place=0.0))
    assert picture.weights[1].min() < -0.01 * picture.weights[1].max()  # which is drawn as a square


def test_what_is_said_of_the_two_on_one_draw():
    mark = "local line, library"
    line, constant = row(mark, "local line, library"), row(mark, "Nadaraya-Watson")
    assert line[0] > constant[0]
    assert abs(line[2] - constant[2]) < 0.01
    assert min(line[1], constant[1]) > 0.4
    assert row(mark, "local line, above")[1:] == line[1:]


# ---- sections 6 and 7 -----------------------------------------------------------------------------------


def bias_variance(**fields):
    return BiasVarianceExplorer.compute(BiasVarianceState(**fields))


@pytest.mark.parametrize("smoother", [CONSTANT, LINE])
def test_where_the_minimum_lies_and_what_leave_one_out_chooses(smoother):
    picture = bias_variance(smoother=smoother)
    total, (bias2, variance) = picture.averages.sum(axis=0), picture.averages
    best = int(np.argmin(total))
    crossing = int(np.argmin(np.abs(np.log(bias2 / variance))))
    assert crossing > best + 1  # the two cross at a wider window
    slopes = np.gradient(bias2, HS)[best], np.gradient(variance, HS)[best]
    assert sum(slopes) == pytest.approx(0, abs=0.3 * slopes[0])
    assert np.median(picture.left_out) / picture.best_h == pytest.approx(1, abs=0.06)
    assert np.ptp(np.quantile(picture.left_out, [0.05, 0.95])) > 2
    assert len(picture.left_out) == 200


def test_wider_windows_have_more_bias_and_less_variance_and_the_line_none_at_the_ends():
    narrow, wide = bias_variance(h=3.5), bias_variance(h=10.0)
    assert wide.at_h[0] > narrow.at_h[0]
    assert wide.at_h[1] < narrow.at_h[1]
    truth = datasets.rising_curve(np.array([0.0, 100.0]))
    ends = {name: np.abs(bias_variance(smoother=name).expected[[0, -1]] - truth) for name in (CONSTANT, LINE)}
    assert ends[CONSTANT].min() > 10 * ends[LINE].max()
    assert row("picture.best_h", "local line")[1] < row("picture.best_h", "Nadaraya-Watson")[1]
    # what the page says of the left end
    mark = "mean bias²"
    bias, sd, together, *_ = row(mark, "Nadaraya-Watson")
    line_bias, line_sd, line_together, *_ = row(mark, "local line")
    assert (bias, together, line_together) == (0.42, 0.21, 0.10)
    assert "0.42 off" in prose("16")
    assert "0.10 against 0.21" in prose("16")
    assert abs(line_bias) < 0.05
    assert line_sd / sd == pytest.approx(2, abs=0.1)
    assert bias_variance(smoother=LINE, h=10.0).expected[0] - truth[0] == pytest.approx(0.33, abs=0.005)
    assert "by 0.33 with $h=10$" in prose("16")
    assert rule_hits_the_best() == pytest.approx(1, abs=0.03)


def rule_hits_the_best():
    """sqrt(h_x h_y) beside the best h of the average: luck."""
    return np.sqrt(rule_of_thumb(X) * rule_of_thumb(Y)) / bias_variance().best_h


def test_more_points_a_narrower_window_and_a_bias_at_tiny_h():
    best = [bias_variance(n=n).best_h for n in (20, 60, 160)]
    assert best[0] > best[1] > best[2]
    bias2 = bias_variance().averages[0]
    assert bias2[0] > 1.8 * bias2.min()
    assert int(np.argmin(bias2)) > 0
    assert bias_variance(smoother=LINE, n=20).averages[1].max() > 100 * bias_variance(n=20).averages[1].max()


@pytest.mark.parametrize(
    ("smoother", "power"), [(NadarayaWatson, -1 / 4), (LocallyWeightedRegression, -1 / 5)]
)
def test_how_fast_the_best_bandwidth_falls(smoother, power):
    """Equally spaced points, 200 and four times as many: at its ends the average has a bias of order h."""
    x = np.linspace(0, 100, 201)
    best = []
    for n in (200, 800):
        at = np.linspace(0, 100, n)
        f = datasets.rising_curve(at)

        def risk(log_h, at=at, f=f):
            W = smoother(np.exp(log_h)).fit(at[:, None], f).weights(x[:, None])
            return np.mean((W @ f - datasets.rising_curve(x)) ** 2 + 0.16 * np.sum(W**2, axis=1))

        best.append(minimize_scalar(risk, bounds=(0, 1.6), method="bounded", options={"xatol": 1e-3}).x)
    assert np.diff(best)[0] / np.log(4) == pytest.approx(power, abs=0.02)


def test_where_the_rule_comes_from():
    """Both parts of the error by quadrature; the expansions for small h; the constants; how good the rule is."""
    names, _ = run("16", "def squared_bias(")
    unit = 1 / (2 * np.sqrt(np.pi))
    for h, N in ((0.3, 50), (0.8, 7)):
        wide = np.sqrt(1 + h**2)
        bias = quad(lambda x, wide=wide: (norm.pdf(x, scale=wide) - norm.pdf(x)) ** 2, -12, 12)[0]
        assert unit * names["squared_bias"](h) == pytest.approx(bias, rel=1e-6)
        square, mean = (
            quad(lambda x, s=s: norm.pdf(x, scale=s) ** 2, -12, 12, points=[-h, 0, h])[0] for s in (h, wide)
        )
        assert unit * names["variance"](h, N) == pytest.approx((square - mean) / N, rel=1e-6)
    curvature = quad(lambda x: ((x**2 - 1) * norm.pdf(x)) ** 2, -12, 12)[0]  # int p''^2
    assert curvature == pytest.approx(3 / (8 * np.sqrt(np.pi)))
    assert GAUSSIAN.roughness == pytest.approx(unit)
    h, N = 0.02, 1000
    assert unit * names["squared_bias"](h) == pytest.approx(h**4 / 4 * curvature, rel=0.01)
    assert unit * names["variance"](h, N) == pytest.approx(unit / (N * h), rel=0.03)
    assert unit / (N * curvature) == pytest.approx(4 / (3 * N))
    narrow = [1 - np.divide(*row("def squared_bias(", f"N = {N}")) for N in (10, 100, 1000)]
    assert [round(100 * share) for share in narrow] == [12, 5, 2]
    assert "12 per cent too narrow, with a hundred 5, with a thousand 2" in prose("16")


def test_three_kinds_of_weights():
    mark = "wide.weights("
    for name in ("Nadaraya-Watson", "local line"):
        total, _, least, _ = row(mark, name)
        assert (total, least) == (1, 0)
    total, largest, least, error = row(mark, "kernel ridge")
    assert total != 1
    assert least < -0.02
    assert error < min(row(mark, name)[3] for name in ("Nadaraya-Watson", "local line"))
    _, wide_largest, _, wide_error = row(mark, "Nadaraya-Watson, h = 15")
    assert largest > 3 * wide_largest
    assert wide_error > 3 * error
    # the same bandwidth: a little inside, much at the ends
    average, line = (
        kind(3.5).fit(X, Y).weights([[0.0], [50.0]]) for kind in (NadarayaWatson, LocallyWeightedRegression)
    )
    changes = np.abs(line - average).max(axis=1) / average.max(axis=1)
    assert changes[0] > 1.5
    assert changes[1] < 0.25


def test_kernel_ridge_by_leave_one_out_does_as_well():
    def fitted(width, lam):
        return KernelRidge(Gaussian(gamma=1 / (2 * width**2)), lam=lam).fit(X, Y)

    widths, lams = np.geomspace(5, 60, 12), np.geomspace(1e-4, 1, 12)
    score, width, lam = min(
        (np.mean((Y - fitted(w, lam).leave_one_out_) ** 2), w, lam) for w in widths for lam in lams
    )
    assert width == pytest.approx(25, rel=0.15)
    assert lam == pytest.approx(0.005, rel=0.5)
    truth = datasets.rising_curve(PLACES)
    ours, theirs = (
        np.sqrt(np.mean((fitted(*choice).predict(PLACES[:, None]) - truth) ** 2))
        for choice in ((15, 0.1), (width, lam))
    )
    assert theirs == pytest.approx(ours, abs=0.005)


def test_the_explorers_open_as_the_page_says():
    assert explorers.bias_variance().state.h == 3.5
    assert explorers.bias_variance().state.noise == 0.4
    state = explorers.local_fit().state
    np.testing.assert_array_equal(state.X, X)
    np.testing.assert_array_equal(state.t, Y)
    np.testing.assert_array_equal(explorers.parzen_windows().state.X[:, 0], [-2.1, -1.3, -0.4, 1.9, 5.1, 6.2])
