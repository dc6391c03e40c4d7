"""Losses of figures 7.5 and 7.6: their values and kinks, and the minimisers against searches that know no calculus."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from sparsekm_edu import datasets
from sparsekm_edu.lessons import losses

OF_MARGIN = {
    "hinge": losses.hinge,
    "logistic": losses.logistic,
    "squared": losses.squared,
    "misclassification": losses.misclassification,
}
Z = np.linspace(-3, 3, 601)


@pytest.mark.parametrize("E", OF_MARGIN.values(), ids=OF_MARGIN)
def test_figure_7_5_all_pass_through_0_1_and_lie_above_the_misclassification_loss(E):
    assert E(0.0) == 1.0
    assert np.all(E(Z) >= losses.misclassification(Z))


def test_figure_7_5_shapes():
    assert Z[losses.squared(Z).argmin()] == pytest.approx(1.0)
    assert np.all(losses.hinge(Z[Z >= 1]) == 0)
    assert np.all(np.diff(losses.logistic(Z)) < 0)
    assert losses.logistic(-800.0) == pytest.approx(800 / np.log(2))  # no overflow


@pytest.mark.parametrize("epsilon", [0.3, 1.5])
def test_figure_7_6_kinks_at_epsilon(epsilon):
    """The slope of the insensitive loss jumps from 0 to 1 at epsilon; that of Huber's does not jump."""
    h = 1e-5

    def slopes(E, r):
        return (E(r) - E(r - h)) / h, (E(r + h) - E(r)) / h

    for side in (-1, 1):
        left, right = slopes(lambda r: losses.insensitive(r, epsilon), side * epsilon)
        assert sorted([abs(left), abs(right)]) == pytest.approx([0, 1], abs=1e-9)
        left, right = slopes(lambda r: losses.huber(r, epsilon), side * epsilon)
        assert left == pytest.approx(right, abs=2 * h)
        assert abs(left) == pytest.approx(epsilon, abs=2 * h)
    inside = np.linspace(-epsilon, epsilon, 50)
    np.testing.assert_allclose(losses.huber(inside, epsilon), losses.quadratic(inside))
    assert np.all(losses.insensitive(inside, epsilon) == 0)


def overlapping(seed, n=15):
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) % 2, 1.0, -1.0)
    return t * rng.uniform(0, 1.5) + rng.normal(size=n), t


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_best_lines_minimise_what_they_should(seed, lam):
    x, t = overlapping(seed)
    for name, line in losses.best_lines(x, t, lam).items():

        def objective(p, E=OF_MARGIN[name]):
            return E(t * (p[0] * x + p[1])).sum() + lam * p[0] ** 2

        search = minimize(
            objective, [0.5, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
        )
        assert objective([line.w, line.b]) <= search.fun + 1e-9
        assert line.boundary is None or line(line.boundary) == pytest.approx(0, abs=1e-9)


def test_points_on_top_of_each_other_have_no_boundary():
    lines = losses.best_lines(np.full(4, 0.7), np.array([-1.0, 1.0, -1.0, 1.0]), 0.1)
    assert [line.boundary for line in lines.values()] == [None] * 3


@given(st.integers(0, 10**6), st.integers(2, 12), st.booleans())
def test_best_split_makes_the_fewest_errors_anywhere_in_its_gap(seed, n, ties):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    x = np.round(x) if ties else x
    t = rng.choice([-1.0, 1.0], size=n)

    def errors(sign, threshold):
        return int(np.sum(np.where(x > threshold, sign, -sign) != t))

    distinct = np.unique(x)
    thresholds = [x.min() - 1, *(distinct[1:] + distinct[:-1]) / 2, x.max() + 1]
    fewest = min(errors(sign, threshold) for sign in (-1, 1) for threshold in thresholds)
    split = losses.best_split(x, t)
    assert split.errors == fewest
    for share in (0.01, 0.5, 0.99):
        assert errors(split.sign, split.low + share * (split.high - split.low)) == fewest
    assert split.low < split.boundary < split.high


@given(st.integers(0, 10**6), st.integers(1, 9), st.floats(0.01, 5))
def test_locations_minimise_what_they_should(seed, n, epsilon):
    t = np.random.default_rng(seed).normal(size=n) * 2
    grid = np.linspace(t.min() - 1, t.max() + 1, 4001)

    def insensitive(m):
        return losses.insensitive(np.subtract.outer(m, t), epsilon).sum(axis=-1)

    def huber(m):
        return losses.huber(np.subtract.outer(m, t), epsilon).sum(axis=-1)

    low, high = losses.insensitive_location(t, epsilon)
    for m in (low, 0.5 * (low + high), high):
        assert insensitive(m) <= insensitive(grid).min() + 1e-9
    for m in (low - 1e-3, high + 1e-3):
        assert insensitive(m) > insensitive(low)
    assert huber(losses.huber_location(t, epsilon)) <= huber(grid).min() + 1e-9


def test_locations_at_the_ends_of_epsilon():
    """Small: the median. Large: the mean (Huber) and the middle of the range (insensitive)."""
    t = np.array([-1.9, -1.2, -0.8, -0.3, 0.1, 0.6, 5.0])
    assert np.mean(losses.insensitive_location(t, 1e-9)) == pytest.approx(np.median(t), abs=1e-8)
    assert losses.huber_location(t, 1e-9) == pytest.approx(np.median(t), abs=1e-8)
    assert np.mean(losses.insensitive_location(t, 50.0)) == pytest.approx((t.min() + t.max()) / 2)
    assert losses.huber_location(t, 50.0) == pytest.approx(t.mean())


def test_an_outlier_on_the_correct_side_moves_the_squared_error_only():
    X, t = datasets.on_a_line()
    x = X[:, 0].copy()
    before = losses.best_lines(x, t, 0.5)
    x[x.argmax()] = 7.5
    after = losses.best_lines(x, t, 0.5)
    shift = {name: after[name].boundary - before[name].boundary for name in after}
    assert abs(shift["hinge"]) < 1e-9
    assert abs(shift["logistic"]) < 0.02
    assert shift["squared"] > 0.3
    errors = {name: int(losses.misclassification(t * line(x)).sum()) for name, line in after.items()}
    assert errors == {"hinge": 0, "logistic": 0, "squared": 2}
