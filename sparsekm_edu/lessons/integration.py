"""Integrals over the posterior of logistic regression without the Laplace approximation, to judge it by.

With Phi (N, M), targets t_n = 0 or 1 and a prior w ~ N(0, I / alpha), the posterior is

    p(w | t) = exp(ln p(t | w) + ln p(w)) / p(t),     ln p(t | w) = sum_n { t_n ln y_n + (1 - t_n) ln(1 - y_n) }.

Both methods put their nodes where the Laplace approximation N(w*, Sigma) says that the posterior is, w = w* + L z with
Sigma = L L', and then ask the posterior itself. Two weights: a grid of z. Any number: importance sampling.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit, gammaincinv, gammaln, log_expit, ndtri, rel_entr
from scipy.stats import qmc

from sparsekm_edu.solvers.bayes.laplace import averaged_probability

REACH, SIDE = 3.0, 41  # of the grid along either direction of z = sinh(u): to 10 standard deviations
SKIPPED = 20  # of Halton's points: the first lie on a line
FREEDOM = 6  # of the Student distribution that proposes weights: tails heavier than any posterior here
GAUSS = np.linspace(-8, 8, 401)  # standard deviations
GAUSS_WEIGHTS = np.exp(-0.5 * GAUSS**2) / np.exp(-0.5 * GAUSS**2).sum()


def log_joint(Phi, t, alpha, W):
    """ln p(t | w) + ln p(w) for the rows w of W (G, M) -> (G,)."""
    log_likelihood = log_expit(np.where(t > 0, 1.0, -1.0) * (W @ Phi.T)).sum(axis=1)
    prior = 0.5 * W.shape[1] * np.log(alpha / (2 * np.pi)) - 0.5 * alpha * np.sum(W**2, axis=1)
    return log_likelihood + prior


def mean_sigmoid(mean, variance):
    """The integral of sigma(a) N(a | mean, variance), arrays (n,) of both: `averaged_probability` comes close."""
    return expit(mean[:, None] + np.sqrt(variance)[:, None] * GAUSS) @ GAUSS_WEIGHTS


@dataclass(frozen=True, eq=False)
class GridPosterior:
    """The posterior of two weights on a grid.

    z (SIDE,): both axes of the grid; density (SIDE, SIDE): of z, element [i, j] at z[i] along the first direction;
    W (SIDE^2, 2), p (SIDE^2,): the weights of all nodes and their share of the posterior; log_evidence;
    in_sd (2, 2): in_sd @ z is w - w* in standard deviations of the Laplace approximation.
    """

    z: np.ndarray
    density: np.ndarray
    W: np.ndarray
    p: np.ndarray
    log_evidence: float
    in_sd: np.ndarray

    @property
    def contours(self):
        """What a picture of it takes: z, density, share of the posterior at each node, in_sd."""
        return self.z, self.density, self.p.reshape(self.density.shape), self.in_sd

    def predict(self, Phi):
        """p(t = 1 | x) for the rows of Phi (n, 2): the integral of sigma(w' phi) over the posterior, (n,)."""
        matter = self.p > 1e-7
        return expit(Phi @ self.W[matter].T) @ self.p[matter]


def grid_posterior(Phi, t, alpha, fit):
    """The posterior of logistic regression with two weights; fit: its LaplaceFit."""
    u, du = np.linspace(-REACH, REACH, SIDE, retstep=True)
    z, log_dz = np.sinh(u), np.log(np.cosh(u) * du)
    L = np.linalg.cholesky(fit.Sigma)
    W = fit.w + np.stack(np.meshgrid(z, z, indexing="ij"), axis=-1).reshape(-1, 2) @ L.T
    height = log_joint(Phi, t, alpha, W) + np.log(np.diagonal(L)).sum()
    shares = height + np.add.outer(log_dz, log_dz).ravel()
    log_evidence = float(np.logaddexp.reduce(shares))
    density = np.exp(height - log_evidence).reshape(SIDE, SIDE)
    in_sd = L / np.linalg.norm(L, axis=1, keepdims=True)
    return GridPosterior(z, density, W, np.exp(shares - log_evidence), log_evidence, in_sd)


def four_ways(Phi, fit, posterior):
    """p(t = 1 | x) for the rows of Phi (n, 2), from a LaplaceFit and a GridPosterior: name -> (n,).

    "plug-in": sigma at the most probable weights; "probit": the formula with kappa; "Laplace": the integral that the
    formula approximates; "exact": over the posterior itself.
    """
    mean, variance = Phi @ fit.w, np.sum(Phi @ fit.Sigma * Phi, axis=1)
    return {
        "plug-in": expit(mean),
        "probit": averaged_probability(mean, variance),
        "Laplace": mean_sigmoid(mean, variance),
        "exact": posterior.predict(Phi),
    }


@lru_cache
def _proposals(M, draws):
    """Points z (draws, M) of a Student distribution, and the log of its density there.

    Spread evenly by Halton's sequence, and with every z comes -z: both make the mean over them better.
    """
    u = qmc.Halton(M + 1, scramble=False).random(SKIPPED + draws // 2)[SKIPPED:]
    stretch = np.sqrt(FREEDOM / (2 * gammaincinv(FREEDOM / 2, u[:, -1])))
    z = ndtri(u[:, :-1]) * stretch[:, None]
    z = np.vstack([z, -z])
    log_q = gammaln((FREEDOM + M) / 2) - gammaln(FREEDOM / 2) - 0.5 * M * np.log(FREEDOM * np.pi)
    return z, log_q - 0.5 * (FREEDOM + M) * np.log1p(np.sum(z**2, axis=1) / FREEDOM)


def sampled_evidence(Phi, t, alpha, fit, draws=256):
    """ln p(t) by importance sampling, for any number of weights; fit: the LaplaceFit; draws: an even number.

    The integral of p(t | w) p(w) is the mean of p(t | w) p(w) / q(w) over w drawn from q, a Student distribution with
    the mode of the posterior and its shape. For up to 9 weights good to some hundredths with 256 draws.
    """
    z, log_q = _proposals(Phi.shape[1], draws)
    L = np.linalg.cholesky(fit.Sigma)
    log_ratio = log_joint(Phi, t, alpha, fit.w + z @ L.T) + np.log(np.diagonal(L)).sum() - log_q
    return float(np.logaddexp.reduce(log_ratio) - np.log(draws))


def mean_divergence(truth, p):
    """Kullback-Leibler divergence of probabilities p (L,) from the true ones (L,), mean over all, in nats."""
    return float(np.mean(rel_entr(truth, p) + rel_entr(1 - truth, np.maximum(1 - p, 1e-300))))
