"""Machines with the widest margin, and points for them: what the exercises on margins share."""

from dataclasses import replace

import numpy as np


def widest(X, t, level=1.0):
    """w, b and a of the maximum margin with t_n y(x_n) >= level, by SMO; NotSeparable where there is none."""
    from sparsekm_edu.solvers import hard_margin, smo

    solution = smo(replace(hard_margin(X @ X.T, t), target=level * t))
    return solution.v @ X, solution.b, solution.a


def soft(X, t, C):
    """w, b and a of the soft margin, by SMO."""
    from sparsekm_edu.solvers import smo, soft_margin

    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    return solution.v @ X, solution.b, solution.a


def two_classes(rng, N):
    """N labels, of one class more than of the other."""
    few = int(rng.integers(2, (N + 1) // 2))
    t = np.where(np.arange(N) < few, 1.0, -1.0) * rng.choice([-1.0, 1.0])
    return rng.permutation(t)


def points(rng, gap, D=2):
    """X (N, D) and t (N,): points at least `gap` from a hyperplane, each on its own side; negative gaps overlap."""
    N, b, w = int(rng.integers(5, 9)), rng.normal(), rng.normal(size=D)
    w /= np.linalg.norm(w)
    t, along = two_classes(rng, N), 1.5 * rng.normal(size=(N, D))
    away = t * rng.uniform(gap, 2.0, N) - b
    return along - np.outer(along @ w - away, w), t


def read_points(X, t):
    """X as (N, D) and t as (N,), both finite, with both classes; ValueError with a sentence for the learner."""
    X, t = np.asarray(X, dtype=float), np.ravel(np.asarray(t, dtype=float))
    X = X.reshape(len(X), -1)
    if len(X) != len(t):
        raise ValueError(f"X needs one row per label. Rows: {len(X)}, labels: {len(t)}.")
    if not np.isfinite(X).all():
        raise ValueError("The coordinates must be finite numbers.")
    if set(t) != {-1.0, 1.0}:
        raise ValueError(f"t must hold -1 and 1, each at least once, got {t.tolist()}.")
    return X, t
