"""Platt's sigmoid against LIBSVM's numbers, closed forms, finite differences and two general-purpose minimisers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.calibration import _sigmoid_calibration
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.solvers.linear.platt import platt, platt_steps


def smoothed_targets(t, weight):
    N_plus, N_minus = weight[t > 0].sum(), weight[t < 0].sum()
    return np.where(t > 0, (N_plus + 1) / (N_plus + 2), 1 / (N_minus + 2))


def mean_log_loss(A, B, scores, t, weight=None):
    """The objective written out as in the textbook, for moderate scores."""
    weight = np.ones(len(t)) if weight is None else weight
    s, p = smoothed_targets(t, weight), 1 / (1 + np.exp(-(A * scores + B)))
    return -np.sum(weight * (s * np.log(p) + (1 - s) * np.log(1 - p))) / weight.sum()


def noisy_scores(n, seed, slope=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n) * 2 + 0.3
    t = np.where(rng.random(n) < expit(slope * scores - 0.5), 1.0, -1.0)
    t[:2] = 1.0, -1.0
    return scores, t


@st.composite
def scored(draw):
    """Scores and labels: 2 to 60 points, ties, outliers, rare classes, labels that follow the scores or not."""
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    scores = rng.normal(size=n)
    t = np.where(rng.random(n) < draw(st.sampled_from([0.05, 0.5])), 1.0, -1.0)
    scores += draw(st.sampled_from([0.0, 1.0, 10.0, -1.0])) * t
    shape = draw(st.sampled_from(["plain", "ties", "outliers"]))
    if shape == "ties":
        scores = np.round(scores)
    if shape == "outliers":
        scores = rng.standard_cauchy(n) ** 3
    t[:2] = 1.0, -1.0
    return scores, t


# ------------------------------------------------------------------ oracles


def test_libsvms_three_points():
    """LIBSVM finds A = -0.202614, B = 0.652363 for these; its signs are opposite to PRML's."""
    fit = platt([5.0, -4.0, 1.0], [1, -1, -1])
    np.testing.assert_allclose((fit.A, fit.B), (0.202614, -0.652363), rtol=0, atol=1e-5)
    assert fit.converged


@pytest.mark.parametrize("f", [1e-6, 1.0, 3.7, 1e6])
def test_separable_scores_stop_at_21_of_22(f):
    """Twenty points at f, twenty at -f: the sigmoid passes through the smoothed targets, (20 + 1) / (20 + 2)."""
    scores, t = np.repeat([f, -f], 20), np.repeat([1.0, -1.0], 20)
    fit = platt(scores, t)
    np.testing.assert_allclose(fit.probability([f, -f]), [21 / 22, 1 / 22], rtol=1e-14)
    assert fit.A * f == pytest.approx(np.log(21), rel=1e-14)
    np.testing.assert_allclose(fit.log_odds(f), np.log(21), rtol=1e-14)


def test_two_points_at_any_two_places():
    """One point each: through 2/3 at the positive one and 1/3 at the other."""
    fit = platt([3.0, -1.0], [1, -1])
    np.testing.assert_allclose(fit.probability([3.0, -1.0]), [2 / 3, 1 / 3], rtol=1e-10)
    np.testing.assert_allclose((fit.A, fit.B), (np.log(4) / 4, -np.log(4) / 4), rtol=1e-10)


@given(scored())
def test_gradient_vanishes_at_the_solution(problem):
    """Both parts of the gradient, from finite differences of the textbook formula where that is safe."""
    scores, t = problem
    fit = platt(scores, t)
    assert fit.converged
    s = smoothed_targets(t, np.ones(len(t)))
    residual = fit.probability(scores) - s
    size = np.abs(scores).max() or 1.0
    assert np.mean(residual) == pytest.approx(0, abs=1e-7)
    assert np.mean(residual * scores) == pytest.approx(0, abs=1e-7 * size)
    if np.abs(fit.log_odds(scores)).max() < 20:
        for dA, dB in ((1e-5 / size, 0), (0, 1e-5)):
            ahead = mean_log_loss(fit.A + dA, fit.B + dB, scores, t)
            behind = mean_log_loss(fit.A - dA, fit.B - dB, scores, t)
            assert (ahead - behind) / 2e-5 == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slope", [0.2, 1.0, 4.0])
def test_equals_a_general_purpose_minimiser(seed, slope):
    scores, t = noisy_scores(80, seed, slope)
    fit = platt(scores, t)
    s = smoothed_targets(t, np.ones(80))

    def gradient(x):
        residual = expit(x[0] * scores + x[1]) - s
        return np.array([np.mean(residual * scores), np.mean(residual)])

    theirs = minimize(
        lambda x: mean_log_loss(*x, scores, t),
        np.zeros(2),
        jac=gradient,
        method="BFGS",
        options={"gtol": 1e-10},
    )
    np.testing.assert_allclose([fit.A, fit.B], theirs.x, atol=1e-7)
    assert fit.log_loss == pytest.approx(theirs.fun, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_equals_scikit_learn(seed):
    scores, t = noisy_scores(60, seed)
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, size=60)
    for w in (None, weight):
        fit = platt(scores, t, w)
        np.testing.assert_allclose((-fit.A, -fit.B), _sigmoid_calibration(scores, t, w), atol=2e-5)


# ------------------------------------------------------------------ symmetries


@given(scored(), st.sampled_from([1e-9, 0.5, 3.0, 1e6]), st.sampled_from([0.0, -2.0, 1e3]))
def test_scale_and_offset_of_scores_do_not_matter(problem, factor, offset):
    scores, t = problem
    scores = np.clip(scores, -1e3, 1e3)
    moved = factor * (scores + offset)
    p, q = platt(scores, t).probability(scores), platt(moved, t).probability(moved)
    np.testing.assert_allclose(p, q, atol=1e-7)


@given(scored())
def test_swapping_the_classes_swaps_the_probabilities(problem):
    scores, t = problem
    fit, swapped = platt(scores, t), platt(scores, -t)
    np.testing.assert_allclose(swapped.probability(scores), 1 - fit.probability(scores), atol=1e-8)


@given(scored())
def test_weight_k_is_k_copies_and_weight_0_is_no_point(problem):
    scores, t = problem
    weight = np.arange(len(t)) % 4
    weight[:2] = 1
    weighted, copies = platt(scores, t, weight), platt(np.repeat(scores, weight), np.repeat(t, weight))
    np.testing.assert_allclose(weighted.probability(scores), copies.probability(scores), atol=1e-8)


@given(scored())
def test_every_step_lowers_the_log_loss(problem):
    last = np.inf
    for step in platt_steps(*problem):
        assert step.log_loss <= last * (1 + 1e-14)
        assert step.gain >= 0
        last = step.log_loss
    assert step == platt(*problem)


def test_newton_needs_few_steps():
    scores, t = noisy_scores(1000, seed=0)
    fit = platt(scores, t)
    assert fit.n_iter <= 7
    assert fit.n_iter == len(list(platt_steps(scores, t))) - 1
    assert platt(scores, t, tol=1e-2).n_iter < fit.n_iter


# ------------------------------------------------------------------ limits and complaints


def test_pitfall_20_large_scores_are_scaled():
    """Without scaling, scores of 1e6 saturate every sigmoid: AUC 1/2, and nobody is told."""
    scores, t = noisy_scores(200, seed=1)
    small, large = platt(scores, t), platt(1e6 * scores, t)
    np.testing.assert_allclose((large.A, large.B), (small.A / 1e6, small.B), rtol=1e-8)
    assert large.n_iter == small.n_iter


@pytest.mark.parametrize("offset", [0.0, -3.0, 1e6])
def test_row_57_constant_scores_give_the_base_rate(offset):
    t = np.repeat([1.0, -1.0], [6, 2])
    fit = platt(np.full(8, offset), t)
    base_rate = smoothed_targets(t, np.ones(8)).mean()  # (6 * 7/8 + 2 * 1/4) / 8
    assert base_rate == 5.75 / 8
    np.testing.assert_allclose((fit.A, fit.B), (0.0, logit(base_rate)), rtol=1e-10)
    assert platt(np.full(8, 0.1) * (1 + 1e-16 * np.arange(8)), t).A == 0  # rounding errors are no scores


def test_row_57_huge_scores():
    scores, t = noisy_scores(50, seed=2)
    for size in (1e6, 1e150, 1e300):
        fit = platt(np.sign(scores) * size, t)
        assert np.isfinite([fit.A, fit.B, fit.log_loss]).all()
        assert fit.A > 0
        assert fit.probability(size) == pytest.approx(platt(np.sign(scores), t).probability(1.0), rel=1e-9)


def test_one_huge_score_flattens_the_sigmoid():
    """Its target is short of 1, so being sure of it costs: beside 1e9 the other scores are one, and get one p."""
    scores, t = noisy_scores(100, seed=3)
    fit = platt(np.append(scores, 1e9), np.append(t, 1.0))
    s = smoothed_targets(np.append(t, 1.0), np.ones(101))
    assert fit.converged
    np.testing.assert_allclose(fit.probability([0.0, 1e9]), [s[:-1].mean(), s[-1]], atol=1e-7)


def test_an_outlier_of_little_weight_costs_the_others_no_digits():
    scores, t = noisy_scores(100, seed=6)
    without = platt(scores, t)
    fit = platt(np.append(scores, -1e9), np.append(t, -1.0), np.append(np.ones(100), 1e-30))
    np.testing.assert_allclose((fit.A, fit.B), (without.A, without.B), rtol=1e-10)


def test_row_57_one_class():
    with pytest.raises(ValueError, match="both classes, got one class"):
        platt([1.0, 2.0], [1, 1])
    with pytest.raises(ValueError, match="both classes, got one class"):
        platt([1.0, 2.0], [1, -1], weight=[1.0, 0.0])


@pytest.mark.parametrize(
    ("scores", "t", "weight", "words"),
    [
        ([[1.0, 2.0]], [1, -1], None, "scores must be a vector of finite numbers"),
        ([1.0, np.nan], [1, -1], None, "scores must be a vector of finite numbers"),
        ([1.0, 2.0], [1, 0], None, "t must hold 2 labels, -1 or"),
        ([1.0, 2.0], [1, -1, 1], None, "t must hold 2 labels, -1 or"),
        ([1.0, 2.0], [1, -1], [1.0, -1.0], "weight must hold 2 finite numbers >= 0"),
        ([1.0, 2.0], [1, -1], [1.0, np.nan], "weight must hold 2 finite numbers >= 0"),
        ([1.0, 2.0], [1, -1], [1.0], "weight must hold 2 finite numbers >= 0"),
    ],
)
def test_arrays_that_make_no_sense(scores, t, weight, words):
    with pytest.raises(ValueError, match=words):
        platt(scores, t, weight)


@pytest.mark.parametrize("tol", [0, -1, np.nan, "1", True])
def test_tol_must_be_positive(tol):
    with pytest.raises(ValueError, match="tol must be a number > 0, got"):
        platt([1.0, -1.0], [1, -1], tol=tol)


@pytest.mark.parametrize("max_iter", [0, -1, 2.5, True])
def test_max_iter_must_be_a_positive_whole_number(max_iter):
    with pytest.raises(ValueError, match="max_iter must be a whole number >= 1, got"):
        platt([1.0, -1.0], [1, -1], max_iter=max_iter)


def test_not_converged_is_said():
    scores, t = noisy_scores(50, seed=4)
    with pytest.warns(ConvergenceWarning, match=r"max_iter = 2 Newton steps: .* gain of .* > tol = 1e-14"):
        fit = platt(scores, t, max_iter=2)
    assert not fit.converged
    assert fit.n_iter == 2
    assert np.isfinite(fit.A)


def test_input_is_left_alone():
    scores, t = noisy_scores(20, seed=5)
    weight = np.ones(20)
    copies = scores.copy(), t.copy(), weight.copy()
    platt(scores, t, weight)
    for array, copy in zip((scores, t, weight), copies):
        np.testing.assert_array_equal(array, copy)
