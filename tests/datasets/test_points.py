"""The data look as the figures need them: shapes, formulas, moments, and the counts of the books."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import kstest, norm

from sparsekm_edu import datasets
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.solvers import NotSeparable, hard_margin, nu_regression, smo, soft_margin

GENERATORS = [datasets.separable, datasets.curved, datasets.ring, datasets.clouds, datasets.overlapping]
SEEDED = [
    *GENERATORS,
    datasets.three_classes,
    datasets.three_clusters,
    datasets.around,
    datasets.crescent,
    datasets.ripley,
    datasets.mixture,
    datasets.uniform_classes,
    datasets.on_a_line,
    datasets.hours,
    datasets.many_features,
    datasets.noise_free,
    datasets.wavy_odds,
    lambda **given: datasets.sinc(noise=0.2, **given),
    lambda **given: datasets.sinc(noise=0.2, distribution="gaussian", **given),
    datasets.sinc_plane,
]


@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize("seed", range(5))
def test_shape_labels_and_frame(generate, seed):
    X, t = generate(seed=seed)
    assert X.shape == (len(t), 2)
    assert X.dtype == t.dtype == float
    assert sorted(set(t)) == [-1, 1]
    assert abs(t.sum()) <= 1
    assert np.all(np.abs(X) <= [3, 2])


@pytest.mark.parametrize("generate", SEEDED)
def test_the_seed_decides(generate):
    first, again, other = (np.column_stack(generate(seed=seed)) for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    X, t = generate(n=31)
    assert X.shape[0] == len(t) == 31
    assert X.dtype == t.dtype == float


def test_figure_7_1_default_has_three_support_vectors_and_a_visible_margin():
    X, t = datasets.separable()
    solution = smo(hard_margin(Linear()(X), t))
    assert len(solution.support) == 3
    assert 0.4 < 1 / np.sqrt(2 * solution.objective) < 1


@pytest.mark.parametrize("seed", range(10))
def test_separable_is_separable_for_every_seed(seed):
    X, t = datasets.separable(seed=seed)
    assert 1 / np.sqrt(2 * smo(hard_margin(Linear()(X), t)).objective) > 0.4


@pytest.mark.parametrize("seed", range(10))
def test_figure_7_2_needs_the_kernel(seed):
    X, t = datasets.curved(seed=seed)
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(Linear()(X), t))
    assert smo(hard_margin(Gaussian(1.0)(X), t)).converged
    assert np.all(t * (X[:, 1] - 0.9 * np.sin(1.9 * X[:, 0])) >= 0.3)
    distances = np.linalg.norm(X[t > 0][:, None] - X[t < 0], axis=2)
    assert distances.min() > 0.2


def test_figure_7_3_clouds_overlap():
    X, t = datasets.clouds()
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(Linear()(X), t))
    y = smo(soft_margin(Linear()(X), t, C=1.0)).v @ Linear()(X)
    assert np.mean((y > y.mean()) != (t > 0)) < 0.2  # yet a line does most of the work
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    assert distances[np.triu_indices(len(t), 1)].min() >= 0.2
    assert len(datasets.clouds(n=100)[1]) == 100
    with pytest.raises(ValueError, match="n must be at most 100, got 101"):
        datasets.clouds(n=101)


def overlapping_density(X, label):
    """p(x | class) for X (..., 2), up to a factor: the frame cuts off a part of it."""
    parts = slice(2) if label < 0 else slice(2, 3)
    means, spreads = datasets.OVERLAPPING_MEANS[parts], datasets.OVERLAPPING_SPREADS[parts]
    squares = np.sum(((X[..., None, :] - means) / spreads) ** 2, axis=-1)
    return np.mean(np.exp(-squares / 2) / spreads.prod(axis=1), axis=-1)


def test_figure_7_4_overlapping_classes_cannot_be_told_apart_better_than_ten_percent():
    grid = np.stack(np.meshgrid(np.linspace(-2.8, 2.8, 801), np.linspace(-1.8, 1.8, 801)), axis=-1)
    density = np.stack([overlapping_density(grid, label) for label in (-1, 1)])
    total = density.sum(axis=(1, 2), keepdims=True)
    bayes_error = np.min(density / total, axis=0).sum() / 2  # by quadrature
    assert bayes_error == pytest.approx(0.102, abs=5e-4)
    X, t = datasets.overlapping(n=20_000, seed=1)
    plus, minus = (overlapping_density(X, label) / total[(label + 1) // 2].item() for label in (1, -1))
    assert np.mean((plus > minus) != (t > 0)) == pytest.approx(bayes_error, abs=0.006)  # 3 standard errors
    X, t = datasets.overlapping()
    with pytest.raises(ValueError, match="not separable"):
        smo(hard_margin(Linear()(X), t))


@pytest.mark.parametrize("seed", range(5))
def test_three_classes_lie_around_the_origin_and_overlap(seed):
    X, t = datasets.three_classes(n=300, seed=seed)
    np.testing.assert_array_equal(t, np.repeat([0, 1, 2], 100))
    assert np.all(np.abs(X) <= [3, 2])
    centres = np.array([X[t == k].mean(axis=0) for k in range(3)])
    expected = 0.9 * np.array([(0, 1), (-np.sqrt(0.75), -0.5), (np.sqrt(0.75), -0.5)])
    np.testing.assert_allclose(centres, expected, atol=0.2)
    nearest = np.argmin(np.linalg.norm(X[:, None] - expected, axis=2), axis=1)
    assert 0.02 < np.mean(nearest != t) < 0.08


def ripley_density(X, label):
    """p(x | class) up to a constant common to both classes, for X (..., 2)."""
    squares = [np.sum((X - centre) ** 2, axis=-1) for centre in datasets.RIPLEY_CENTRES[label]]
    return np.mean([np.exp(-square / (2 * datasets.RIPLEY_VARIANCE)) for square in squares], axis=0)


def test_ripley_has_the_moments_of_the_mixture():
    X, t = datasets.ripley(n=40_000, seed=1)
    assert t.sum() == 0
    for label, (mean, half_distance) in {-1: ((-0.2, 0.3), 0.5), 1: ((0.05, 0.7), 0.35)}.items():
        of_class = X[t == label]
        np.testing.assert_allclose(of_class.mean(axis=0), mean, atol=0.01)  # 3 standard errors
        np.testing.assert_allclose(np.cov(of_class.T), [[0.03 + half_distance**2, 0], [0, 0.03]], atol=4e-3)


def test_ripley_bayes_error_is_eight_point_nine_percent():
    axis = np.linspace(-2, 2, 801)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    density = np.stack([ripley_density(grid, 0), ripley_density(grid, 1)])
    bayes_error = density.min(axis=0).sum() / density.sum()  # by quadrature
    assert bayes_error == pytest.approx(0.0893, abs=1e-4)
    X, t = datasets.ripley(n=20_000, seed=2)
    wrong = (ripley_density(X, 1) > ripley_density(X, 0)) != (t > 0)
    assert np.mean(wrong) == pytest.approx(bayes_error, abs=0.006)  # 3 standard errors


def test_mixture_has_the_moments_of_its_means():
    X, t = datasets.mixture(n=40_000, seed=1)
    assert t.sum() == 0
    for label, means in zip((-1, 1), datasets.MIXTURE_MEANS, strict=True):
        of_class = X[t == label]
        np.testing.assert_allclose(of_class.mean(axis=0), means.mean(axis=0), atol=0.025)  # 3 standard errors
        expected = np.cov(means.T, bias=True) + 0.2 * np.eye(2)  # between the means, and around them
        np.testing.assert_allclose(np.cov(of_class.T), expected, atol=0.05)
        # the means were drawn around (1, 0) or (0, 1) with variance 1
        centre = (1, 0) if label < 0 else (0, 1)
        np.testing.assert_allclose(means.mean(axis=0), centre, atol=3 / np.sqrt(10))


def test_draws_of_the_mixture_share_their_means():
    """No point is farther from a mean of its class than noise of standard deviation sqrt(0.2) can carry it."""
    for seed in range(3):
        X, t = datasets.mixture(seed=seed)
        for label, means in zip((-1, 1), datasets.MIXTURE_MEANS, strict=True):
            away = np.linalg.norm(X[t == label][:, None] - means, axis=2).min(axis=1)
            assert away.max() < 5 * np.sqrt(0.2)


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_noise_free_labels_are_the_side_of_the_axis_and_points_are_normal_beyond_the_gap(gap):
    X, t = datasets.noise_free(20_000, gap)
    assert np.array_equal(t, np.sign(X[:, 0]))
    assert np.abs(X[:, 0]).min() >= gap
    assert kstest(np.abs(X[:, 0]), lambda x: 1 - norm.sf(x) / norm.sf(gap)).pvalue > 0.01
    assert kstest(X[:, 1], norm.cdf).pvalue > 0.01
    assert abs(t.mean()) < 0.02


def test_many_features_log_odds_and_least_error():
    X, t = datasets.many_features(n=20_000, D=3, seed=1)
    assert X.shape == (20_000, 3)
    for label in (-1, 1):
        np.testing.assert_allclose(X[t == label].mean(axis=0), [1.25 * label, 0, 0], atol=0.03)
        np.testing.assert_allclose(np.cov(X[t == label].T), np.eye(3), atol=0.05)
    assert np.mean(X[:, 0] * t < 0) == pytest.approx(norm.cdf(-1.25), abs=0.007)  # 3 standard errors
    assert norm.cdf(-1.25) == pytest.approx(0.106, abs=5e-4)
    close = np.abs(X[:, 0] - 0.4) < 0.1
    assert np.mean(t[close] > 0) == pytest.approx(expit(2.5 * 0.4), abs=0.03)


def test_wavy_odds_are_a_polynomial_and_fewer_points_are_the_first_of_more():
    X, t = datasets.wavy_odds(n=200_000, degree=3, steepness=2.0, seed=1)
    x = X[:, 0]
    np.testing.assert_allclose(datasets.wavy_log_odds(x, 3, 2.0), 2.0 * (4 * x**3 - 3 * x), atol=1e-9)
    for low in np.linspace(-1, 0.8, 10):
        inside = (x >= low) & (x < low + 0.2)
        assert np.mean(t[inside] > 0) == pytest.approx(
            expit(2 * (4 * x**3 - 3 * x))[inside].mean(), abs=0.015
        )
    few = datasets.wavy_odds(n=50, seed=1)
    many = datasets.wavy_odds(n=80, seed=1)
    for one, other in zip(few, many):
        np.testing.assert_array_equal(one, other[:50])


def test_figure_14_13_classes_are_uniform_and_overlap_by_half():
    X, t = datasets.uniform_classes(n=20_000, seed=1)
    assert X.shape == (20_000, 1)
    assert t.sum() == 0
    for label, low in ((-1, 0.0), (1, 0.5)):
        quantiles = np.quantile(X[t == label], [0, 0.25, 0.5, 0.75, 1])
        np.testing.assert_allclose(quantiles, low + np.array([0, 0.25, 0.5, 0.75, 1]), atol=0.02)
        assert low <= X[t == label].min() < X[t == label].max() <= low + 1
    for boundary in (0.5, 0.6, 1.0):
        assert np.mean((X[:, 0] > boundary) != (t > 0)) == pytest.approx(0.25, abs=0.01)  # 3 standard errors


def test_sinusoid_is_a_sine_with_noise_of_bishops_size():
    X, t = datasets.sinusoid()
    np.testing.assert_allclose(X[:, 0], np.arange(10) / 9)
    noise = t - np.sin(2 * np.pi * X[:, 0])
    assert 0.2 < np.sqrt(np.mean(noise**2)) < 0.4


def test_sinusoid_with_a_seed_draws_others_with_the_same_noise():
    others = np.array([datasets.sinusoid(seed=seed)[1] for seed in range(2000)])
    X, t = datasets.sinusoid()
    np.testing.assert_array_equal(datasets.sinusoid(seed=1)[0], X)
    noise = others - np.sin(2 * np.pi * X[:, 0])
    assert abs(noise.mean()) < 0.007  # 3 standard errors
    assert noise.std() == pytest.approx(0.3, abs=0.005)
    np.testing.assert_array_equal(datasets.sinusoid(seed=7)[1], others[7])


def test_figure_7_8_sinusoid_has_seven_support_vectors():
    X, t = datasets.sinusoid()
    K = Gaussian(1 / (2 * 0.15**2))(X)
    # C = 1 per point, which makes the book's C = 10
    assert len(smo(nu_regression(K, t, C=10 * 1.0, nu=0.5), tol=1e-10).support) == 7


def test_figure_7_9_sinusoid_has_three_relevance_vectors():
    """Re-estimation, (7.87) and (7.88), in its plainest form: no other part of the library is asked."""
    X, t = datasets.sinusoid()
    Phi = np.column_stack([Gaussian(1 / (2 * 0.15**2))(X), np.ones(10)])
    kept, alpha, beta = np.arange(11), np.ones(11), 10.0
    for _ in range(2000):
        kept, alpha = kept[alpha < 1e9], alpha[alpha < 1e9]
        A = Phi[:, kept]
        Sigma = np.linalg.inv(np.diag(alpha) + beta * A.T @ A)
        m = beta * Sigma @ A.T @ t
        gamma = 1 - alpha * np.diag(Sigma)
        alpha, beta = gamma / m**2, (10 - gamma.sum()) / np.sum((t - A @ m) ** 2)
    assert kept.tolist() == [2, 7, 9]  # three points, and no bias


@pytest.mark.parametrize("n", [100, 101])  # 0 is among the points, or not
def test_sinc_formula(n):
    X, t = datasets.sinc(n=n)
    np.testing.assert_allclose(X[:, 0], -10 + 20 * np.arange(n) / (n - 1), atol=1e-14)
    x = np.where(X[:, 0] == 0, 1e-9, X[:, 0])
    np.testing.assert_allclose(t, np.sin(x) / x, rtol=1e-12, atol=1e-15)


def test_sinc_noise():
    _, clean = datasets.sinc(n=20_000)
    uniform = datasets.sinc(n=20_000, noise=0.2)[1] - clean
    assert 0.199 < np.abs(uniform).max() <= 0.2
    assert np.std(uniform) == pytest.approx(0.2 / np.sqrt(3), rel=0.02)
    gaussian = datasets.sinc(n=20_000, noise=0.2, distribution="gaussian")[1] - clean
    assert np.abs(gaussian).max() > 0.6
    assert np.std(gaussian) == pytest.approx(0.2, rel=0.02)
    for noise in (uniform, gaussian):
        assert np.mean(noise) == pytest.approx(0, abs=0.005)
    with pytest.raises(ValueError, match="distribution must be 'uniform' or 'gaussian', got 'cauchy'"):
        datasets.sinc(distribution="cauchy")


def test_sinc_plane_formula_and_noise():
    X, t = datasets.sinc_plane(n=5000, noise=0.0, seed=2)
    assert X.shape == (5000, 2)
    assert 9.9 < np.abs(X).max() <= 10
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=0.25)
    np.testing.assert_allclose(t, np.sin(X[:, 0]) / X[:, 0] + 0.1 * X[:, 1], rtol=1e-12, atol=1e-14)
    noise = datasets.sinc_plane(n=5000, noise=0.3, seed=2)[1] - t
    assert np.std(noise) == pytest.approx(0.3, rel=0.03)
    assert np.std(datasets.sinc_plane(n=5000, seed=2)[1] - t) == pytest.approx(0.1, rel=0.03)


def test_on_a_line_separable_at_first_and_no_point_hides_another():
    X, t = datasets.on_a_line()
    assert X.shape == (14, 1)
    assert X[t < 0].max() < X[t > 0].min()
    X, t = datasets.on_a_line(40, seed=1)
    assert np.abs(X).max() <= 2.8
    for label in (-1, 1):
        assert np.diff(np.sort(X[t == label], axis=0), axis=0).min() >= 0.1
    with pytest.raises(ValueError, match="n must be at most 40, got 41"):
        datasets.on_a_line(41)


def test_curved_has_room_for_150_points():
    X, _ = datasets.curved(150)
    assert len(X) == 150
    with pytest.raises(ValueError, match="n must be at most 150, got 151"):
        datasets.curved(151)


def test_around_puts_the_means_where_they_are_asked_to_be_and_takes_the_noise_along():
    means = np.array([(0.5, 1.0), (-1.0, 0.0), (2.0, 2.0), (0.0, 0.0)])
    X, t = datasets.around(means, n=40)
    np.testing.assert_allclose([X[t == k].mean(axis=0) for k in range(4)], means, atol=1e-12)
    moved, _ = datasets.around(means + 3.0, n=40)
    np.testing.assert_allclose(moved, X + 3.0, atol=1e-12)


def test_crescent_stays_above_the_origin_for_every_seed():
    """A plane can keep it away from the origin, which the linear one-class machine needs."""
    for seed in range(150):
        X, t = datasets.crescent(seed=seed)
        assert X[:, 1].min() > 0
        assert np.all(t == 1)


@pytest.mark.parametrize("seed", range(5))
def test_ring_is_separable_by_second_order_features_and_by_no_line(seed):
    X, t = datasets.ring(seed=seed)
    assert smo(hard_margin(Polynomial(degree=2)(X), t)).converged
    with pytest.raises(NotSeparable):
        smo(hard_margin(Linear()(X), t))
    with pytest.raises(ValueError, match="at most 60"):
        datasets.ring(n=61)


def test_stray_is_separable_by_a_narrow_margin_only():
    X, t = datasets.stray()
    without, labels = datasets.separable()
    np.testing.assert_array_equal(X[:-1], without)
    np.testing.assert_array_equal(t, np.append(labels, -1))
    margins = [1 / np.linalg.norm(smo(hard_margin(A @ A.T, s)).v @ A) for A, s in ((X, t), (without, labels))]
    assert margins[0] == pytest.approx(0.1125, abs=5e-4)
    assert margins[0] < margins[1] / 3


def test_hours_overlap_and_follow_their_log_odds():
    X, t = datasets.hours()
    assert X[t < 0].max() > X[t > 0].min()
    X, t = datasets.hours(40_000)
    for low in (0.5, 2.0, 3.5):
        near = (X[:, 0] >= low) & (X[:, 0] < low + 0.1)
        assert np.mean(t[near] > 0) == pytest.approx(expit(2 * (low + 0.05 - 2.2)), abs=0.05)
