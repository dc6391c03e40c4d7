"""Notebook 16: what its guesses hold to be true, and its worked solutions, computed in another way."""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import median_abs_deviation, norm
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KernelDensity as Parzen

from sparsekm_edu import LocallyWeightedRegression, NadarayaWatson, datasets, exercises

SIX = np.array([-2.1, -1.3, -0.4, 1.9, 5.1, 6.2])


def truth(id):
    guess = exercises.GUESSES[id]
    true = guess.truth()
    return guess.kind.told(true), guess.answer(true)


def test_16_a_the_likelihood_of_the_points_themselves_grows_without_end():
    def log_likelihood(h):
        return Parzen(bandwidth=h).fit(SIX[:, None]).score(SIX[:, None])

    values = [log_likelihood(h) for h in (10, 1, 0.1, 0.01, 0.001)]
    assert np.all(np.diff(values[1:]) > 0)
    # once the bumps do not touch: six times ln of 1 / (6 h sqrt(2 pi))
    assert values[-1] == pytest.approx(-6 * np.log(6 * 0.001 * np.sqrt(2 * np.pi)), abs=1e-9)
    told, answer = truth("16-a")
    assert told == "as small as you let it be"
    assert f"{values[1]:.1f} at <i>h</i> = 1, {values[2]:.1f} at" in answer
    assert f"and {values[3]:.1f} at <i>h</i> = 0.01" in answer


def test_16_b_neighbours_give_no_density():
    def estimate(x, K=3):
        return K / (6 * 2 * np.sort(np.abs(x - SIX))[K - 1])

    def integral(reach):
        inner = quad(estimate, -12, 12, limit=500, points=SIX)[0]
        tails = [
            quad(lambda s, side=side: estimate(side * np.exp(s)) * np.exp(s), np.log(12), np.log(reach))[0]
            for side in (-1, 1)
        ]
        return inner + sum(tails)

    values = [integral(reach) for reach in (1e3, 1e6, 1e9)]
    assert np.diff(values)[0] == pytest.approx(np.diff(values)[1], rel=1e-3)
    assert np.diff(values)[0] == pytest.approx(2 * 3 / 12 * np.log(1000), rel=1e-2)
    told, answer = truth("16-b")
    assert told == "infinite"
    assert "10⁹ is {:.1f}, {:.1f}, {:.1f}".format(*values) in answer
    # K = 1: the parts around a data point grow without end as one comes nearer
    near = [
        quad(lambda s: estimate(SIX[0] + np.exp(s), 1) * np.exp(s), np.log(e), -1)[0]
        for e in (1e-3, 1e-6, 1e-9)
    ]
    assert np.diff(near) == pytest.approx([np.log(1000) / 12] * 2)


def test_16_c_the_rule_mixes_units():
    X, t = datasets.rising_wave()

    def rule(values):
        sigma = median_abs_deviation(values, scale="normal")
        return (4 / (3 * len(values))) ** 0.2 * sigma

    before, after = (np.sqrt(rule(scale * X[:, 0]) * rule(t)) for scale in (1, 10))
    assert after / before == pytest.approx(np.sqrt(10))
    told, answer = truth("16-c")
    assert told == "rougher than before"
    assert f"the rule gives {after / before:.2f} times" in answer
    x = np.linspace(0, 100, 401)[:, None]
    in_cm, in_mm = (NadarayaWatson(h).fit(X, t).predict(x) for h in (before, after / 10))
    roughness = [np.sum(np.diff(curve, 2) ** 2) for curve in (in_cm, in_mm)]
    assert roughness[1] > 10 * roughness[0]
    assert 1 / norm.ppf(0.75) == pytest.approx(1.4826, abs=1e-4)


def test_16_d_the_nearer_point_takes_all():
    """Between two points, at a distance that is nearer to one of them."""
    for h in (0.1, 0.05):
        f = NadarayaWatson(h).fit([[0.0], [1.0]], [0.0, 1.0]).predict([[0.45], [0.55]])
        ratio = np.exp((0.55**2 - 0.45**2) / (2 * h**2))
        np.testing.assert_allclose(f, [1 / (1 + ratio), ratio / (1 + ratio)])
    told, answer = truth("16-d")
    assert told.startswith("a step")
    from sparsekm_edu.explorers.kernels.local_fits import GRID, LEAST_H

    X, t = datasets.rising_wave()
    curve = NadarayaWatson(LEAST_H).fit(X, t).predict(GRID[:, None])
    straight, nearest = np.interp(GRID, X[:, 0], t), t[np.abs(GRID[:, None] - X[:, 0]).argmin(axis=1)]
    distances = [np.sqrt(np.mean((curve - each) ** 2)) for each in (straight, nearest, t.mean())]
    assert distances[1] < 0.5 * min(distances[0], distances[2])
    assert (
        "<i>h</i> = {:g}: from straight pieces {:.2f}, from steps {:.2f}".format(LEAST_H, *distances)
        in answer
    )


def test_16_e_the_left_end_of_a_rising_line_is_too_high():
    X, _ = datasets.rising_wave()
    kappa = np.exp(-0.5 * (X[:, 0] / 10) ** 2), np.exp(-0.5 * ((X[:, 0] - 100) / 10) ** 2)
    left, right = (k @ X[:, 0] / k.sum() / 25 for k in kappa)
    told, answer = truth("16-e")
    assert left > 0.2
    assert right < 3.8
    assert told == "too high"
    assert f"{left:+.2f} off at the left end and {right - 4:+.2f} at the right one" in answer


def test_16_f_noise_leaves_the_bias_alone_and_makes_wider_windows_worth_it():
    X, _ = datasets.rising_wave()
    x = np.linspace(0, 100, 101)
    rng, f = np.random.default_rng(1), datasets.rising_curve(X[:, 0])
    means, variances = [], []
    for noise in (0.4, 0.8):
        model = NadarayaWatson(3.5)
        draws = np.array(
            [model.fit(X, f + noise * rng.normal(size=60)).predict(x[:, None]) for _ in range(400)]
        )
        means.append(draws.mean(axis=0))
        variances.append(draws.var(axis=0).mean())
    assert np.abs(means[0] - means[1]).mean() < 0.03
    assert variances[1] / variances[0] == pytest.approx(4, rel=0.1)
    told, answer = truth("16-f")
    assert told == "it becomes larger"
    assert "the squared bias is 1.0 times what it was" in answer
    assert "the variance 4.0 times" in answer

    def least(noise):  # the best h, by golden section over both closed forms
        def risk(h):
            W = NadarayaWatson(h).fit(X, f).weights(x[:, None])
            return np.mean((W @ f - datasets.rising_curve(x)) ** 2 + noise**2 * np.sum(W**2, axis=1))

        return minimize_scalar(risk, bounds=(1, 12), method="bounded").x

    moves = [float(number) for number in re.findall(r"from ([\d.]+) to ([\d.]+)\.", answer)[0]]
    assert moves == pytest.approx([least(0.4), least(0.8)], rel=0.08)  # the answer's are of a grid


@pytest.mark.parametrize("seed", range(5))
def test_nadaraya_watson_is_the_library_s(seed):
    rng = np.random.default_rng(seed)
    x, X, y = rng.uniform(0, 5, size=7), rng.uniform(0, 5, size=9), rng.normal(size=9)
    f = exercises.solution("16-nadaraya")(x, X, y, 0.8)
    np.testing.assert_allclose(f, NadarayaWatson(0.8).fit(X[:, None], y).predict(x[:, None]), rtol=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_weights_of_a_local_line_are_those_of_weighted_least_squares(seed):
    rng = np.random.default_rng(seed)
    X, y, x0 = rng.uniform(0, 5, size=9), rng.normal(size=9), 1.7
    w = exercises.solution("16-line-weights")(x0, X, 0.8)
    line = LinearRegression().fit(X[:, None], y, sample_weight=np.exp(-0.5 * ((X - x0) / 0.8) ** 2))
    assert w @ y == pytest.approx(line.predict([[x0]])[0])
    np.testing.assert_allclose(
        w, LocallyWeightedRegression(0.8).fit(X[:, None], y).weights([[x0]])[0], atol=1e-10
    )
    assert w.sum() == pytest.approx(1)
    assert w @ (X - x0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("smoother", [NadarayaWatson, LocallyWeightedRegression])
def test_leave_one_out_is_that_of_refits(smoother):
    X, t = datasets.rising_wave(20)
    error = exercises.solution("16-loo")(smoother(6.0).fit(X, t).weights(X), t)
    without = [
        smoother(6.0).fit(np.delete(X, n, 0), np.delete(t, n)).predict(X[n : n + 1])[0] for n in range(20)
    ]
    assert error == pytest.approx(np.mean((t - without) ** 2))
