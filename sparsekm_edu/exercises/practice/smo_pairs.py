"""The SMO exercise: its worked solutions, the problems of its first three steps, the independent roads, and the verdict
on a solver."""

import numpy as np

ASKED = 1e-3  # the KKT gap at which learners are asked to stop
ALLOWED = 2.1e-3  # accepted: whoever lets every point miss its condition by 1e-3 has a gap of twice that


# ---- a: how far a pair may go ---------------------------------------------------------------------------


def a_pair(rng):
    """a_i, a_j, each as often at 0, at C and between them, t_i, t_j, C."""
    C = float(rng.uniform(0.5, 3.0))
    a_i, a_j = (float(rng.choice([0.0, rng.uniform(0, C), C])) for _ in range(2))
    t_i, t_j = rng.choice([-1.0, 1.0], 2)
    return a_i, a_j, float(t_i), float(t_j), C


def ends_of_the_line(a_i, a_j, t_i, t_j, C):
    """The smallest and the largest value that a_j may take, two numbers, if a_i t_i + a_j t_j is to stay as it is.

    a_i, a_j between 0 and C; t_i, t_j are -1 or 1; C > 0.
    """
    if t_i == t_j:  # a_i + a_j stays
        return max(0, a_i + a_j - C), min(C, a_i + a_j)
    return max(0, a_j - a_i), min(C, a_j - a_i + C)  # a_j - a_i stays


def ends_by_walls(a_i, a_j, t_i, t_j, C):
    """The line a_i t_i + a_j t_j = const meets the four walls of the box; those meetings that lie in it."""
    total = a_i * t_i + a_j * t_j
    meetings = [(wall, (total - wall * t_i) / t_j) for wall in (0.0, C)]
    meetings += [((total - wall * t_j) / t_i, wall) for wall in (0.0, C)]
    inside = [
        second for first, second in meetings if min(first, second) > -1e-12 and max(first, second) < C + 1e-12
    ]
    return min(inside), max(inside)


# ---- b: where the top is --------------------------------------------------------------------------------


def data(rng, N):
    """K (N, N) of a Gaussian kernel on two overlapping classes, t (N,)."""
    t = rng.permutation(np.where(np.arange(N) % 2 == 0, 1.0, -1.0))
    X = rng.normal(size=(N, 2)) + 0.8 * t[:, None] * [1.0, 0.5]
    squares = np.sum((X[:, None] - X) ** 2, axis=2)
    return np.exp(-0.5 * squares), t


def halfway(rng, N=8):
    """K (N, N), t, a (N,) and C: multipliers on their way, some at 0, some at C, with sum a_n t_n = 0."""
    K, t = data(rng, N)
    C = float(rng.uniform(0.4, 0.9))
    a = np.zeros(N)
    plus, minus = np.flatnonzero(t > 0), np.flatnonzero(t < 0)
    a[plus[0]] = a[minus[0]] = C
    a[plus[1]] = rng.uniform(0.2, 0.8) * C
    share = rng.uniform(0.2, 0.8)
    a[minus[1:3]] = a[plus[1]] * np.array([share, 1 - share])
    # tall, so that a point of one class may want a b beyond all those of the other; and k(x, x) differs
    scale = rng.uniform(1.5, 2.0, N)
    return scale[:, None] * K * scale, t, a, C


def halfway_and_pair(rng):
    """K (N, N), t, a (N,), i, j: the top is below, inside or above the box, each as often."""
    place = rng.integers(3)
    while True:
        K, t, a, C = halfway(rng)
        j = int(rng.choice(np.flatnonzero(a)))  # a step from 0 would not tell the step from the place
        i = int(rng.choice(np.delete(np.arange(len(t)), j)))
        if np.digitize(top_of_the_line(K, t, a, i, j), [0, C]) == place:
            return K, t, a, i, j


def top_of_the_line(K, t, a, i, j):
    """The a_j at which the dual (7.32) is largest, if a_i follows by (7.34) and all others stay; no walls.

    K (N, N); t (N,) of -1 and 1; a (N,); i and j, two different indices.
    """
    E = K @ (a * t) - t  # the errors y(x_n) - t_n, but for b, which cancels below
    curvature = K[i, i] + K[j, j] - 2 * K[i, j]
    return a[j] + t[j] * (E[i] - E[j]) / curvature


def top_by_three_points(K, t, a, i, j):
    """The top of the parabola through three values of (7.32) on the line."""

    def dual(step):
        moved = a.copy()
        moved[j] += step
        moved[i] -= t[i] * t[j] * step
        return np.sum(moved) - 0.5 * (moved * t) @ K @ (moved * t)  # (7.32)

    before, here, after = dual(-1.0), dual(0.0), dual(1.0)
    return a[j] + 0.5 * (before - after) / (before - 2 * here + after)


# ---- c: when to stop, and b -----------------------------------------------------------------------------


def limits_of_b(K, t, a, C):
    """The largest lower limit and the smallest upper limit that the KKT conditions set for b, two numbers.

    K (N, N); t (N,) of -1 and 1; a (N,), between 0 and C with sum a_n t_n = 0; C > 0.
    """
    wanted = t - K @ (a * t)  # the b that would put each point on its margin, y(x_n) = t_n
    from_below = np.where(t > 0, a < C, a > 0)
    from_above = np.where(t > 0, a > 0, a < C)
    return np.max(wanted[from_below]), np.min(wanted[from_above])


def one_kind_matters(rng):
    """`halfway`, where one kind of points matters: if it set a limit that it does not set, or did not set one that it
    sets, the result would be another. Each of the twelve as often."""
    label, place, side = rng.choice([-1.0, 1.0]), rng.integers(3), rng.integers(2)
    while True:
        K, t, a, C = halfway(rng)
        wanted, setting = t - K @ (a * t), [np.where(t > 0, a < C, a > 0), np.where(t > 0, a > 0, a < C)]
        kind = (t == label) & (np.where(a == 0, 0, np.where(a == C, 2, 1)) == place)
        setting[side] = setting[side] ^ kind
        other = np.max(wanted[setting[0]], initial=-np.inf), np.min(wanted[setting[1]], initial=np.inf)
        if other != limits_of_b(K, t, a, C):
            return K, t, a, C


def limits_by_trial(K, t, a, C):
    """Every point by itself: does its condition hold for a b a little larger, and a little smaller?"""
    low, high = -np.inf, np.inf
    for n in range(len(t)):
        s = K[n] @ (a * t)
        on_margin = t[n] - s

        def holds(b, n=n, s=s):
            agreement = t[n] * (s + b)
            return (agreement >= 1 or a[n] == C) and (agreement <= 1 or a[n] == 0)

        if not holds(on_margin - 1):
            low = max(low, on_margin)
        if not holds(on_margin + 1):
            high = min(high, on_margin)
    return low, high


# ---- d: all of it ---------------------------------------------------------------------------------------


def pairwise_ascent(K, t, C, tol=1e-3):
    """Maximise (7.32) subject to (7.33) and (7.34), two multipliers at a time: returns a (N,) and b.

    K (N, N), positive definite; t (N,) of -1 and 1, both occur; C > 0; tol > 0, the KKT gap at which to stop.
    """
    a = np.zeros(len(t))
    for _ in range(2_000):  # a budget: sixty are usual, some hundreds the worst
        wanted = t - K @ (a * t)  # afresh, so that no error is ever out of date
        below_C, above_0 = a < C - 1e-9, a > 1e-9  # rounding leaves dust beside the walls
        may_rise = np.where(t > 0, below_C, above_0)  # a_n t_n can grow: a lower limit for b
        may_fall = np.where(t > 0, above_0, below_C)  # it can shrink: an upper limit
        j = np.argmax(np.where(may_rise, wanted, -np.inf))
        i = np.argmin(np.where(may_fall, wanted, np.inf))
        if wanted[j] - wanted[i] <= tol:  # the limits of b hardly contradict each other
            break
        low, high = ends_of_the_line(a[i], a[j], t[i], t[j], C)
        a_j = np.clip(top_of_the_line(K, t, a, i, j), low, high)
        a_i = np.clip(a[i] + t[i] * t[j] * (a[j] - a_j), 0, C)  # (7.34); clipped against rounding
        a[i], a[j] = a_i, a_j
    return a, (wanted[i] + wanted[j]) / 2


def verdict(value, K, t, C):
    """None if (a, b) solves the problem, else a sentence. The conditions are looked at one by one, from scratch."""
    a, b = taken_apart(value, len(t))
    if a is None:
        wanted = f"Two results are wanted, the multipliers, an array of shape ({len(t)},), and b, one number"
        only_a = isinstance(value, np.ndarray | list) and len(value) == len(t)
        return f"{wanted}: b is missing." if only_a else f"{wanted}."
    if outside_the_box(a, C):
        return f"The box (7.33) is broken: the multipliers go from {a.min():.4g} to {a.max():.4g}, and C is {C:g}."
    if abs(a @ t) > 1e-6 * C:
        return f"The sum of a_n t_n must be 0 (7.34), and it is {a @ t:.4g}."
    low, high = limits_of_b(K, t, on_walls(a, C), C)
    if low - high > ALLOWED:
        gap = f"The KKT gap is {low - high:.4g}, and {ASKED:g} is asked for: some pair still gains."
        return f"{gap} {told_values(K, t, C, a)}"
    if not low - ALLOWED <= b <= high + ALLOWED:
        return f"The multipliers are right, but b is {b:.6g}, and {(low + high) / 2:.6g} is right."
    return None


def taken_apart(value, N):
    """a (N,) and b as numbers, or None and None."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        return None, None
    a, b = value
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    fine = a.shape == (N,) and b.size == 1 and np.isfinite(a).all() and np.isfinite(b).all()
    return (a, float(b.ravel()[0])) if fine else (None, None)


def outside_the_box(a, C, within=1e-6):
    return a.min() < -within * C or a.max() > (1 + within) * C


def on_walls(a, C):
    """a without the dust that rounding, or an interior-point method, leaves beside the walls."""
    return np.where(a < 1e-5 * C, 0.0, np.where(a > (1 - 1e-5) * C, C, a))


def told_values(K, t, C, a):
    from sparsekm_edu.solvers import smo, soft_margin

    value = np.sum(a) - 0.5 * (a * t) @ K @ (a * t)  # (7.32)
    below = max(smo(soft_margin(K, t, C), tol=1e-8).objective - value, 0.0)
    return f"The dual value is {value:.5g}, {below:.2g} below the largest."


def gap_of(K, t, a, C):
    low, high = limits_of_b(K, t, on_walls(a, C), C)
    return low - high
