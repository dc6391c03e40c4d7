"""The smallest constrained problem that shows everything: a quadratic bowl and one straight constraint.

    minimise  f(x) = 1/2 (x - c)' A (x - c)     subject to  g(x) = n'x - d = 0   or   g(x) >= 0

Its Lagrangian L(x, lam) = f(x) - lam g(x) has the minus sign of (7.7). Minimising L over x is easy at every
lam, and that is the whole trick: x(lam) = c + lam A^-1 n, and the dual function

    q(lam) = min_x L(x, lam) = lam (d - n'c) - 1/2 lam^2 n' A^-1 n

is a lower bound on every feasible f(x). The best bound is the minimum itself.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Bowl:
    """A: (2, 2) symmetric positive definite; c: (2,) bottom of the bowl; n: (2,) normal and d: offset of the line."""

    A: np.ndarray
    c: np.ndarray
    n: np.ndarray
    d: float
    equality: bool = False

    def f(self, x):
        """The objective."""
        return 0.5 * (x - self.c) @ self.A @ (x - self.c)

    def g(self, x):
        """The constraint: zero on the line, positive on the allowed side."""
        return self.n @ x - self.d

    def grad_f(self, x):
        """Gradient of the objective; that of the constraint is n everywhere."""
        return self.A @ (x - self.c)

    def x_of(self, lam):
        """The minimiser of the Lagrangian at a given multiplier: A (x - c) - lam n = 0."""
        return self.c + lam * np.linalg.solve(self.A, self.n)

    def dual(self, lam):
        """q(lam), the value of the Lagrangian there."""
        return lam * (self.d - self.n @ self.c) - 0.5 * lam**2 * (self.n @ np.linalg.solve(self.A, self.n))

    @cached_property
    def solution(self):
        """x*, lam*: the top of the dual function. An inequality cannot pull, only push: lam >= 0."""
        lam = (self.d - self.n @ self.c) / (self.n @ np.linalg.solve(self.A, self.n))
        if not self.equality:
            lam = max(0.0, lam)
        return self.x_of(lam), lam
