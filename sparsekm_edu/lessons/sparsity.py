"""One basis function and its evidence: the noise that keeps |C| as it is (PRML figure 7.10), price and reward (7.11).

A model with a single basis vector phi (N,), weight precision alpha and noise precision beta gives the targets the
covariance C = I / beta + phi phi' / alpha, (7.92): a circle of noise, made longer along phi.
"""

from dataclasses import dataclass

import numpy as np


def noise_of_equal_determinant(phi, alpha, beta):
    """The noise precision with which |C| of a finite alpha equals beta^-2, the |C| of alpha = infinity.

    Parameters: phi (2,), as in the figure; alpha > 0, any shape; beta > 0, the noise precision of alpha = infinity.
    Returns: beta r, where r is the positive root of r^2 - r s / alpha - 1 = 0, s = beta phi'phi. The ellipse of C is
    then r times as long as it is wide.
    """
    s = beta * np.dot(phi, phi)  # (7.98), C_{-i} = I / beta
    return beta * np.exp(np.arcsinh(0.5 * s / alpha))


@dataclass(frozen=True)
class Lambda:
    """lambda(alpha) of (7.97), what a basis function with q^2 = q2 and sparsity s adds to the log evidence.

    A price for a weight that may move, and a reward for what it explains; both vanish for alpha = infinity.

    >>> from sparsekm_edu.lessons.sparsity import Lambda
    >>> lam = Lambda(q2=4.0, s=1.0)
    >>> print(f"best alpha {lam.best:.4f}, lambda there {lam(lam.best):.4f}")
    best alpha 0.3333, lambda there 0.8069
    """

    q2: float
    s: float

    def price(self, alpha):
        """1/2 ln(alpha / (alpha + s)), never positive."""
        return -0.5 * np.log1p(self.s / alpha)

    def reward(self, alpha):
        """1/2 q^2 / (alpha + s), never negative."""
        return 0.5 * self.q2 / (alpha + self.s)

    def __call__(self, alpha):
        """(7.97)."""
        return self.price(alpha) + self.reward(alpha)

    @property
    def best(self):
        """Where lambda is greatest, (7.101); infinite if the function should not be in the model."""
        return self.s**2 / (self.q2 - self.s) if self.q2 > self.s else np.inf


def vectors_of(q2, s, beta, angle, across=0.3):
    """phi (2,) and t (2,) of a single basis function with these q^2 and s, at the noise precision beta.

    phi points in the direction `angle` (radians) and has the length that makes s = beta phi'phi, (7.98); t has the part
    along phi that makes q = beta phi't, (7.99), and another, `across` it, of which neither q nor s knows.
    """
    along = np.array([np.cos(angle), np.sin(angle)])
    phi = np.sqrt(s / beta) * along
    return phi, np.sqrt(q2 / (s * beta)) * along + across * np.array([-along[1], along[0]])
