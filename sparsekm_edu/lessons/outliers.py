"""What one more point, wherever it lies, does to the line of a soft margin and to that of least squares.

A soft margin minimises C sum_n max(0, 1 - t_n y(x_n)) + |w|^2 / 2, (7.21); least squares minimises
sum_n (1 - t_n y(x_n))^2, which grows faster on the wrong side, and again on the right one beyond t_n y(x_n) = 1.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.solvers.dual.formulations import soft_margin
from sparsekm_edu.solvers.dual.smo import smo

TOL = 1e-6  # KKT gap: the shifts are read to three digits


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines w'x + b = 0: before (w, b) without the outlier, w (P, D) and b (P,) with it at each of P places.

    moved (P,): how far each is from the one before, see `moved_by`. solutions: where the lines come from, if from dual
    problems; the outlier is the last point of each.
    """

    before: tuple
    w: np.ndarray
    b: np.ndarray
    moved: np.ndarray
    solutions: tuple = ()

    @property
    def a(self):
        """The outlier's own multiplier, (P,)."""
        return np.array([solution.a[-1] for solution in self.solutions])


def moved_by(X, before, w, b):
    """How far each line w (P, D), b (P,) is from the one before, seen from the points X (N, D): (P,).

    The root mean square of the changes in the points' signed distances from the line.
    """
    old, norm = before[0] @ X.T + before[1], np.linalg.norm(w, axis=1)
    new = (w @ X.T + b[:, None]) / norm[:, None]
    return np.sqrt(np.mean((new - old / np.linalg.norm(before[0])) ** 2, axis=1))


def soft_margin_with_outlier(X, t, C, places):
    """The lines of a soft margin for X (N, D), t (N,) and one more point, of class +1, at each of `places` (P, D)."""
    alone = smo(soft_margin(X @ X.T, t, C), TOL)
    labels, v = np.append(t, 1.0), np.append(alone.v, 0.0)
    solutions, w = [], []
    for place in places:
        points = np.vstack([X, place])
        solutions.append(smo(soft_margin(points @ points.T, labels, C), TOL, v=v))
        v = solutions[-1].v  # the next place is likely close by
        w.append(v @ points)
    before, w, b = (alone.v @ X, alone.b), np.array(w), np.array([solution.b for solution in solutions])
    return Lines(before, w, b, moved_by(X, before, w, b), tuple(solutions))


def least_squares_with_outlier(X, t, places):
    """The same for least squares, where it has a closed form: the normal equations gain one term."""
    rows, row = (np.column_stack([points, np.ones(len(points))]) for points in (X, places))
    A, r = rows.T @ rows, rows.T @ t
    *w0, b0 = np.linalg.solve(A, r)
    w = np.linalg.solve(A + row[:, :, None] * row[:, None, :], (r + row)[:, :, None])[:, :, 0]
    before, w, b = (np.array(w0), b0), w[:, :-1], w[:, -1]
    return Lines(before, w, b, moved_by(X, before, w, b))
