"""K-medoids against brute force over all sets of medoids, of up to 12 points; every step against its definition."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsekm_edu.solvers import k_medoids, k_medoids_steps, swap_gains


def cost(D, medoids):
    return D[list(medoids)].min(axis=0).sum()


def best_cost(D, K):
    return min(cost(D, medoids) for medoids in combinations(range(len(D)), K))


def distances(X):
    return np.linalg.norm(X[:, None] - X, axis=2)


def small_problems(n, seed=0):
    """Distances in the plane, their squares, and numbers that are no distances of anything; up to 12 points."""
    rng = np.random.default_rng(seed)
    for trial in range(n):
        N = rng.integers(4, 13)
        K = rng.integers(1, min(N, 6))
        D = distances(rng.normal(size=(N, 2)))
        if trial % 3 == 1:
            D = D**2
        elif trial % 3 == 2:
            D = rng.uniform(size=(N, N))
            D = D + D.T
            np.fill_diagonal(D, 0.0)
        yield D, int(K)


def test_ten_starts_find_the_global_minimum_of_nearly_all_small_problems():
    """Of 496 of 500, to be exact; one start of 459. Brute force tries up to 924 sets."""
    missed = np.zeros(2)
    for D, K in small_problems(500, seed=1):
        costs = [k_medoids(D, K, n_starts).cost for n_starts in (10, 1)]
        best = best_cost(D, K)
        assert min(costs) >= best * (1 - 1e-12)
        missed += np.array(costs) > best * (1 + 1e-12)
    assert missed[0] <= 4
    assert 20 < missed[1] <= 50


def test_one_start_ends_where_no_single_swap_helps_but_not_always_at_the_minimum():
    missed = 0
    for D, K in small_problems(120):
        found = k_medoids(D, K, n_starts=1)
        for k in range(K):
            for n in set(range(len(D))) - set(found.medoids):
                swapped = [*np.delete(found.medoids, k), n]
                assert cost(D, swapped) >= found.cost * (1 - 1e-12)
        missed += found.cost > best_cost(D, K) * (1 + 1e-12)
    assert 0 < missed < 20


def test_gains_of_all_swaps_are_differences_of_costs():
    for D, K in small_problems(40, seed=2):
        medoids = np.arange(K)
        gains = swap_gains(D, medoids)
        for k in range(K):
            for n in range(len(D)):
                if n in medoids:
                    assert gains[k, n] == -np.inf
                else:
                    swapped = [*np.delete(medoids, k), n]
                    assert gains[k, n] == pytest.approx(cost(D, medoids) - cost(D, swapped), abs=1e-12)


def test_every_step_does_what_its_name_says():
    actions = set()
    for D, K in small_problems(60, seed=3):
        N = len(D)
        steps = list(k_medoids_steps(D, np.arange(K)))
        assert [step.n_iter for step in steps] == list(range(len(steps)))
        for before, step in zip(steps, steps[1:], strict=False):
            actions.add(step.action)
            assert step.cost == pytest.approx(sum(D[n, step.medoids[step.labels[n]]] for n in range(N)))
            assert step.cost <= before.cost * (1 + 1e-15)
            if step.action == "assign":
                np.testing.assert_array_equal(step.medoids, before.medoids)
                np.testing.assert_array_equal(step.labels, D[step.medoids].argmin(axis=0))
            elif step.action == "update":
                np.testing.assert_array_equal(step.labels, before.labels)
                for k in range(K):
                    cluster = np.flatnonzero(step.labels == k)
                    sums = {i: D[i, cluster].sum() for i in cluster}
                    assert sums[step.medoids[k]] == pytest.approx(min(sums.values()))  # (14.31)
            elif step.action == "swap":
                k, n = step.swap
                assert before.action == "update"  # which moved nobody: the alternation stands still
                np.testing.assert_array_equal(np.delete(step.medoids, k), np.delete(before.medoids, k))
                assert step.medoids[k] == n
                assert before.cost - step.cost == pytest.approx(swap_gains(D, before.medoids).max())
                assert step.cost < before.cost
        assert steps[0].action == "start"
        assert set(steps[0].labels) == {-1}
        assert steps[0].cost == pytest.approx(cost(D, steps[0].medoids))
        assert steps[-1].action == "end"
        assert steps[-1].cost == steps[-2].cost
    assert actions == {"assign", "update", "swap", "end"}


STUCK = np.array([(0, 0), (0, 1), (1, 0), (1, 1), (10, 0), (10, 2), (14, 0), (14, 2)], dtype=float)


def test_the_alternation_stands_still_where_a_swap_helps():
    """Eight points in the plane: a cloud of four around (0.5, 0.5), and two pairs, at x = 10 and x = 14.

    Three medoids begin at (0, 0), (1, 1) and (10, 0): two in the cloud, one for both pairs. Nobody ever leaves: the
    cloud is too far from the pairs, and none of their four points is better than (10, 0). One swap gives a medoid to
    each pair, and the cost falls by two fifths.
    """
    steps = list(k_medoids_steps(distances(STUCK), [0, 3, 4]))
    assert [step.action for step in steps] == ["start", "assign", "update", "swap", "update", "end"]
    stuck, swapped = steps[2], steps[3]
    np.testing.assert_array_equal(stuck.medoids, [0, 3, 4])
    assert stuck.cost == pytest.approx(2 + 2 + 4 + np.sqrt(20))
    assert swapped.cost == pytest.approx(2 + np.sqrt(2) + 2 + 2)
    assert swapped.cost == pytest.approx(best_cost(distances(STUCK), 3))


def test_the_solution_is_the_best_end_and_its_medoids_are_in_order():
    D = distances(np.random.default_rng(4).normal(size=(60, 2)))
    found = k_medoids(D, 12, n_starts=5, seed=3)
    assert found.costs.shape == (5,)
    assert found.cost == found.costs.min() == pytest.approx(cost(D, found.medoids))
    assert len(set(found.costs.round(9))) > 1
    assert np.all(np.diff(found.medoids) > 0)
    np.testing.assert_array_equal(found.labels, D[found.medoids].argmin(axis=0))
    again = k_medoids(D, 12, n_starts=5, seed=np.random.default_rng(3))
    np.testing.assert_array_equal(again.medoids, found.medoids)


def test_a_search_makes_every_swap_that_helps_as_soon_as_it_is_seen():
    """FasterPAM in slow motion: each point in turn, for the medoid that it replaces best, until a round finds none."""
    for D, K in small_problems(60, seed=7):
        medoids = np.random.default_rng(0).choice(len(D), K, replace=False)
        n, seen = 0, 0
        while seen < len(D):
            swaps = [[*medoids[:k], n, *medoids[k + 1 :]] for k in range(K)] if n not in medoids else []
            better = min(swaps, key=lambda swap: cost(D, swap), default=medoids)
            if cost(D, better) < cost(D, medoids) * (1 - 1e-12):
                medoids, seen = np.array(better), 0
            n, seen = (n + 1) % len(D), seen + 1
        np.testing.assert_array_equal(k_medoids(D, K, n_starts=1).medoids, np.sort(medoids))


def test_one_medoid_and_as_many_as_points():
    D = distances(np.random.default_rng(5).normal(size=(9, 2)))
    assert k_medoids(D, 1, n_starts=1).medoids == [D.sum(axis=0).argmin()]
    every = k_medoids(D, 9, n_starts=1)
    np.testing.assert_array_equal(every.medoids, np.arange(9))
    np.testing.assert_array_equal(every.labels, np.arange(9))
    assert every.cost == 0.0
    assert k_medoids(np.zeros((1, 1)), 1).cost == 0.0


def test_copies_of_points_leave_no_cluster_empty():
    X = np.repeat([(0.0, 0.0), (1.0, 0.0), (5.0, 0.0)], 4, axis=0)
    for medoids in ([0, 1, 2], [0, 1, 8], [0, 4, 8]):
        *_, end = k_medoids_steps(distances(X), medoids)
        assert end.cost == 0.0
        assert set(end.labels) == {0, 1, 2}
    found = k_medoids(distances(X), 5)  # two more than there are places
    assert found.cost == 0.0
    assert set(found.labels) == set(range(5))


@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 8), st.integers(1, 3))
def test_it_always_ends_even_where_many_distances_are_equal(seed, N, K, places):
    rng = np.random.default_rng(seed)
    D = distances(rng.integers(0, places + 1, size=(N, 2)).astype(float))
    K = min(K, N)
    steps = list(k_medoids_steps(D, rng.choice(N, K, replace=False)))
    assert len(steps) < 200
    assert set(steps[-1].labels) == set(range(K))
    assert swap_gains(D, steps[-1].medoids).max() <= 1e-12 * D.sum()


D = distances(np.random.default_rng(6).normal(size=(5, 2)))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: k_medoids(D, 0), "K must be a whole number >= 1, got 0"),
        (lambda: k_medoids(D, 6), "K must be at most N = 5, got 6"),
        (lambda: k_medoids(D, 2, n_starts=0), "n_starts must be a whole number >= 1, got 0"),
        (lambda: k_medoids(D[:3], 2), r"D must be a square matrix of dissimilarities, got shape \(3, 5\)"),
        (lambda: k_medoids(-D, 2), "D must hold finite numbers >= 0, got values from -"),
        (
            lambda: k_medoids(np.where(D > 0, D, np.nan), 2),
            "D must hold finite numbers >= 0, got values from nan",
        ),
        (lambda: k_medoids(np.where(D > 1, np.inf, D), 2), "D must hold finite numbers >= 0, got .* to inf"),
        (lambda: k_medoids(D + 1, 2), "D must be 0 on its diagonal, got 1"),
        (
            lambda: k_medoids(np.triu(D), 2),
            "D must be symmetric, to 1e-10 of its largest entry, got a difference",
        ),
        (
            lambda: next(k_medoids_steps(D, [0, 0])),
            r"different whole numbers from 0 to N - 1 = 4, got \[0, 0\]",
        ),
        (lambda: next(k_medoids_steps(D, [0, 5])), "different whole numbers from 0 to N - 1 = 4"),
        (lambda: next(k_medoids_steps(D, [0.5])), "different whole numbers from 0 to N - 1 = 4"),
        (lambda: next(k_medoids_steps(D, [])), "different whole numbers from 0 to N - 1 = 4"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
