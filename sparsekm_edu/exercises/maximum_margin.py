"""Notebook 01: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def far_point_moved():
    """Does the best line move when a point without a ring goes farther away?"""
    from sparsekm_edu.explorers.svm.margins import MarginExplorer, MarginState

    state = MarginState()
    before = MarginExplorer.compute(state)
    free = np.setdiff1d(np.arange(len(state.t)), np.flatnonzero(before.a))[0]
    X = state.X.copy()
    X[free] += 0.5 * state.t[free] * before.best[0] / np.linalg.norm(before.best[0])
    after = MarginExplorer.compute(MarginState(X=X))
    return int(not np.allclose(before.best[0], after.best[0], atol=1e-9))


GUESSES = (
    Guess(
        "01-a",
        "You drag a point <i>without</i> a ring away from the street. What will the best line do?",
        Choice("nothing", "it follows a little"),
        far_point_moved,
        lambda truth: "Only the points on the edge of the street hold it.",
        told_by=("explorers.margin(",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def separated_points(rng):
    """Points (N, 2) of two classes, and a line (w, b) that separates them, not in canonical form."""
    N, w, b = int(rng.integers(5, 12)), rng.normal(size=2) * rng.uniform(0.5, 3), rng.normal()
    t = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    unit, along = w / np.linalg.norm(w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    away = t * rng.uniform(0.3, 3.0, N)
    X = (away - b / np.linalg.norm(w))[:, None] * unit + rng.normal(size=(N, 1)) * along
    return X, t, w, b


def margin_of(X, t, w, b):
    """The distance of the line w'x + b = 0 from the closest of the points X (N, 2) with labels t (N,), (7.2)."""
    return np.min(t * (X @ w + b)) / np.linalg.norm(w)


TASKS = (
    Task(
        "01-margin",
        "return the distance of the closest point from the line, (7.2)",
        separated_points,
        margin_of,
        mistakes=(
            Mistake(
                "not divided by |w|",
                lambda X, t, w, b: np.min(t * (X @ w + b)),
                "y(x) is a distance only up to the factor 1/|w|",
            ),
            Mistake(
                "divided by |w|² instead of |w|",
                lambda X, t, w, b: np.min(t * (X @ w + b)) / (w @ w),
                "the length of w is the root of w'w: np.linalg.norm",
            ),
            Mistake(
                "the labels left out",
                lambda X, t, w, b: np.min(X @ w + b) / np.linalg.norm(w),
                "on the side of t = -1 y is negative; t y is positive for every point on its own side",
            ),
            Mistake(
                "the farthest point instead of the closest",
                lambda X, t, w, b: np.max(t * (X @ w + b)) / np.linalg.norm(w),
                "the margin is the smallest of the distances",
            ),
        ),
        hints=(
            "t_n y(x_n), with y(x) = w'x + b, is positive for a point on its own side. In numpy: t * (X @ w + b).",
            "Divide by the length of w, and take the smallest.",
        ),
    ),
)
