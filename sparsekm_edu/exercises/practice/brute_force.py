"""Bayesian linear regression by brute force: random problems, and roads to their results that need no derivation.

Sums over a grid of weights in the place of integrals, and the N x N matrix C in the place of identities.
"""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

LOG_2PI = np.log(2 * np.pi)
WIDE_AND_TALL = 12  # instances of `regression` in a check: more weights than targets, and fewer, are both met


def regression(rng):
    """Phi (N, M), t (N,), alpha (M,), beta, the targets drawn from the model; in half of them M = N + 1, as in the
    machine itself."""
    M = int(rng.integers(2, 4))
    N = M - 1 if rng.random() < 0.5 else int(rng.integers(M, 8))
    Phi, alpha, beta = rng.normal(size=(N, M)), rng.uniform(0.3, 3, M), float(rng.uniform(0.5, 3))
    w = rng.normal(size=M) / np.sqrt(alpha)
    return Phi, Phi @ w + rng.normal(size=N) / np.sqrt(beta), alpha, beta


def guessed_regression(rng):
    """Phi, t, w0, alpha and beta (N,): weights around w0, and a noise of its own for every target."""
    Phi, t, alpha, _ = regression(rng)
    w0 = rng.choice([-1.0, 1.0], len(alpha)) * rng.uniform(0.5, 2, len(alpha))
    return Phi, t + Phi @ w0, w0, alpha, rng.uniform(0.5, 3, len(t))


def log_normal(x, mean, precision):
    """ln N(x | mean, 1 / precision), entry by entry."""
    return 0.5 * np.log(precision / (2 * np.pi)) - 0.5 * precision * (x - mean) ** 2


def log_joint(w, Phi, t, alpha, beta, w0=0.0):
    """ln p(t | w, beta) + ln p(w | alpha) by (7.79) and (7.80), for one w (M,) or many (P, M)."""
    return log_normal(t, w @ Phi.T, beta).sum(-1) + log_normal(w, w0, alpha).sum(-1)


def quadrature(Phi, t, alpha, beta, w0=0.0):
    """ln of the integral (7.84), and mean and covariance of the weights, by sums over a grid.

    Phi (N, M), t (N,), alpha (M,); beta one number or one for each target; w0: means of the prior.
    The grid is put where the integrand is large; the sums are right wherever they lie, if only they cover it.
    """
    Q, R = np.linalg.qr(np.vstack([(np.sqrt(beta) * Phi.T).T, np.diag(np.sqrt(alpha))]))
    middle = solve_triangular(R, Q.T @ np.concatenate([np.sqrt(beta) * t, np.sqrt(alpha) * w0]))
    ticks = np.linspace(-7.5, 7.5, 21)  # about Gaussian in these units: the sum is exact to 12 digits
    z = np.stack(np.meshgrid(*[ticks] * len(alpha)), axis=-1).reshape(-1, len(alpha))
    w = middle + solve_triangular(R, z.T).T
    heights = log_joint(w, Phi, t, alpha, beta, w0)
    total = logsumexp(heights)
    cell = len(alpha) * np.log(ticks[1] - ticks[0]) - np.log(np.abs(np.diag(R))).sum()
    share = np.exp(heights - total)
    mean = share @ w
    return float(total + cell), mean, (share * (w - mean).T) @ (w - mean)


def log_p(Phi, t, alpha, beta):
    """ln N(t | 0, C) with the N x N matrix itself, (7.85) and (7.86)."""
    C_t = np.eye(len(t)) / beta + (Phi / alpha) @ Phi.T
    return -0.5 * (len(t) * LOG_2PI + np.linalg.slogdet(C_t)[1] + t @ np.linalg.solve(C_t, t))
