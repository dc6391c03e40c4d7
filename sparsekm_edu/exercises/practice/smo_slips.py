"""The SMO exercise: what people write instead, the symptoms that tell it, and the problems on which it shows."""

from functools import lru_cache

import numpy as np

from sparsekm_edu.exercises.practice.smo_pairs import (
    ALLOWED,
    ASKED,
    data,
    ends_of_the_line,
    gap_of,
    limits_of_b,
    on_walls,
    outside_the_box,
    pairwise_ascent,
    taken_apart,
    top_of_the_line,
)

# ---- solvers that go wrong ---------------------------------------------------------------------------


def step_of_bare_slopes(K, t, a, i, j):
    slopes = 1 - t * (K @ (a * t))  # of (7.32) by a_n
    return (slopes[j] - slopes[i]) / (K[i, i] + K[j, j] - 2 * K[i, j])


def one_at_a_time(K, t, C):
    """Every multiplier climbs by itself, and (7.34) is forgotten."""
    a = np.zeros(len(t))
    for _ in range(100):
        for n in range(len(t)):
            a[n] = np.clip(a[n] + (1 - t[n] * (K[n] @ (a * t))) / K[n, n], 0, C)
    return a, 0.0


def errors_never_updated(K, t, C):
    """The errors are those of the start, so every step is the first one again."""
    a = np.zeros(len(t))
    for i in np.flatnonzero(t > 0):
        for j in np.flatnonzero(t < 0):
            step = min(2 / (K[i, i] + K[j, j] - 2 * K[i, j]), C - a[i], C - a[j])
            a[i], a[j] = a[i] + step, a[j] + step
    return a, 0.0


def unlabelled(K, t, a, C):
    """The gap that somebody measures who takes sum_m a_m k(x_n, x_m) for y(x_n) - b."""
    wanted, a = t - K @ a, on_walls(a, C)
    return np.max(wanted[np.where(t > 0, a < C, a > 0)]) - np.min(wanted[np.where(t > 0, a > 0, a < C)])


def ascent(K, t, C, labelled=True, dust_at_0=1e-9, dust_at_C=1e-9, i_rises=False, rounds=2_000):
    """`pairwise_ascent` of somebody who leaves out labels, or dust, or exchanges i and j: a, b, and whether it got
    stuck in a step that moves nothing."""
    a, stuck = np.zeros(len(t)), False
    for _ in range(rounds):
        wanted = t - K @ (a * t if labelled else a)
        below_C, above_0 = a < C - dust_at_C, a > dust_at_0
        up = np.where(np.where(t > 0, below_C, above_0), wanted, -np.inf).argmax()
        down = np.where(np.where(t > 0, above_0, below_C), wanted, np.inf).argmin()
        if stuck or wanted[up] - wanted[down] <= ASKED:
            break
        i, j = (up, down) if i_rises else (down, up)
        low, high = ends_of_the_line(a[i], a[j], t[i], t[j], C)
        top = a[j] + t[j] * (wanted[j] - wanted[i]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        a_j = min(max(top, low), high)
        a_i = min(max(a[i] + t[i] * t[j] * (a[j] - a_j), 0), C)
        stuck = a_i == a[i] and a_j == a[j]
        a[i], a[j] = a_i, a_j
    return a, (wanted[up] + wanted[down]) / 2, stuck


#: how to leave out the dust: at one wall or the other, or, as rounding then differs, with i and j exchanged
CARELESS = {"dust_at_C": 0}, {"dust_at_0": 0}, {"dust_at_C": 0, "dust_at_0": 0, "i_rises": True}


def without_labels(K, t, C):
    return ascent(K, t, C, labelled=False)[:2]


def without_care_for_dust(K, t, C):
    return max((ascent(K, t, C, **careless) for careless in CARELESS), key=lambda outcome: outcome[2])[:2]


def dust_sets_a_limit(K, t, a, C):
    """Does a point that is at a wall but for rounding look as if it could still move?"""
    low, high = limits_of_b(K, t, a, C)
    return low - high > gap_of(K, t, a, C) + 1e-9


def stopped_early(K, t, C):
    """One round through all points with a random partner each, and done."""
    a, rng = np.zeros(len(t)), np.random.default_rng(0)
    for i in range(len(t)):
        j = int(rng.choice(np.delete(np.arange(len(t)), i)))
        low, high = ends_of_the_line(a[i], a[j], t[i], t[j], C)
        a_j = np.clip(top_of_the_line(K, t, a, i, j), low, high)
        a[i], a[j] = np.clip(a[i] + t[i] * t[j] * (a[j] - a_j), 0, C), a_j
    return a, sum(limits_of_b(K, t, a, C)) / 2


def support_mean(K, t, a):
    """b as the mean over all support vectors, those at C among them."""
    return np.mean((t - K @ (a * t))[a > 0])


def b_from_all_support_vectors(K, t, C):
    a, _ = pairwise_ascent(K, t, C)
    return a, support_mean(K, t, on_walls(a, C))


def b_turned_round(K, t, C):
    a, b = pairwise_ascent(K, t, C)
    return a, -b


def shown_by(symptom):
    """A `shows` for Mistake: symptom(K, t, C, a, b)."""

    def shows(value, K, t, C):
        a, b = taken_apart(value, len(t))
        return a is not None and symptom(K, t, C, a, b)

    return shows


def is_feasible(a, t, C, within=1e-6):
    """Are box and sum kept, but for a part of C?"""
    return not outside_the_box(a, C, within) and abs(a @ t) <= within * C


def one_class_at_C(t, C, a):
    return any(np.all(a[t == label] > (1 - 1e-6) * C) for label in (-1, 1))


# ---- problems on which they do ----------------------------------------------------------------------------


def whole_problem(rng):
    """K (N, N), t (N,), C: a problem on which one of the CARELESS gets stuck, or a long one, each as often."""
    K, t, C = hard_problem(int(rng.integers(2**32)))
    return K.copy(), t.copy(), C


@lru_cache(maxsize=400)  # some forty are tried to find one, and the same seed is often wanted again
def hard_problem(seed):
    rng = np.random.default_rng(seed)
    kind = rng.integers(len(CARELESS) + 1)
    while True:
        K, t = data(rng, int(rng.integers(20, 31)))
        C = float(rng.choice([1.0, 2.0, 4.0]))  # numbers are denser below a power of two: more dust
        if is_long(K, t, C) if kind == len(CARELESS) else is_dusty(K, t, C, CARELESS[kind]):
            return K, t, C


def is_dusty(K, t, C, careless):
    """Do the careless get stuck, and far from the top?"""
    a, _, stuck = ascent(K, t, C, **careless)
    return stuck and gap_of(K, t, a, C) > ALLOWED


def is_long(K, t, C):
    """Are 120 steps too few, but 250 enough?"""
    early, late = (ascent(K, t, C, rounds=rounds)[0] for rounds in (120, 250))
    return gap_of(K, t, early, C) > ALLOWED and gap_of(K, t, late, C) <= ASKED
