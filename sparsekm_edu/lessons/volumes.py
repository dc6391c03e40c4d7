"""From windows to neighbours (MLaPP 14.7.3): a ball around x that grows until it holds K points.

With r(x) the distance of the K-th neighbour, V(x) = V_D r(x)^D, V_D the volume of the unit ball, and N_c(x) of the N_c
points of class c inside,

    p(x | c) = N_c(x) / (N_c V(x)),     p(c) = N_c / N,     p(c | x) = N_c(x) / K                     (14.79)-(14.81)

The volume cancels in the last one, which is how the neighbours vote. The first one is no density: far away the ball
reaches back to the data, V(x) grows like |x|^D, and the integral of |x|^-D over all x is infinite.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist


@dataclass(frozen=True, eq=False)
class GrownBalls:
    """Balls around M places, each just large enough for K of N points.

    radius (M,); volume (M,); inside (M, N): which points; more than K where several are equally far.
    """

    radius: np.ndarray
    volume: np.ndarray
    inside: np.ndarray

    def counts(self, t, n_classes):
        """N_c(x), (M, n_classes), for labels t (N,) from 0 to n_classes - 1."""
        return self.inside.astype(float) @ (np.asarray(t)[:, None] == np.arange(n_classes))

    def posterior(self, t, n_classes):
        """p(c | x) = N_c(x) / K, (14.81), (M, n_classes); where several points are equally far, all of them count."""
        counts = self.counts(t, n_classes)
        return counts / counts.sum(axis=1, keepdims=True)

    def densities(self, t, n_classes):
        """p(x | c) = N_c(x) / (N_c V(x)), (14.79), (M, n_classes); infinite at a point that is its own ball."""
        every = np.bincount(np.asarray(t, int), minlength=n_classes)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.counts(t, n_classes) / every / self.volume[:, None]
        return np.where(np.isnan(found), 0.0, found)  # 0 / 0: of such a class there is nothing here


def grown_balls(X, places, K):
    """`GrownBalls` around places (M, D) for the points X (N, D), N >= K.

    >>> from sparsekm_edu.lessons.volumes import grown_balls
    >>> ball = grown_balls([[0.0], [1.0], [4.0]], [[2.0]], K=2)
    >>> print(ball.radius, ball.volume, ball.inside, ball.posterior([0, 1, 1], 2))
    [2.] [4.] [[ True  True  True]] [[0.33333333 0.66666667]]
    """
    distance = cdist(places, X)
    radius = np.partition(distance, K - 1, axis=1)[:, K - 1]
    D = np.shape(X)[1]
    volume = math.pi ** (D / 2) / math.gamma(D / 2 + 1) * radius**D
    return GrownBalls(radius, volume, distance <= radius[:, None])
