"""Logistic regression: the error to minimise, and three ways down.

Two classes, t_n = 0 or 1, y_n = sigma(a_n), a_n = w' phi(x_n), or K classes, t_n one-of-K, y_n the softmax of K outputs
a_nk = w_k' phi(x_n), (7.120)-(7.121); in both cases with a prior of precisions alpha on the weights,

    minimise   E(w) = - ln p(t | w) + 1/2 sum_i alpha_i w_i^2,                                        minus (7.109)

    ln p(t | w) = sum_n { t_n ln y_n + (1 - t_n) ln(1 - y_n) }    or    sum_n sum_k t_nk ln y_nk.          (7.122)

(The book's right-hand side of (7.122) is the likelihood; its logarithm is missing.) E is convex, so every way down
leads to the same place:

  - gradient descent,             w <- w - rate grad E / N;
  - stochastic gradient descent,  w <- w - rate_n grad E_n, one point at a time, in a new random order in every pass;
  - Newton's method,              w <- w - H^-1 grad E, or less of it if E rises (`laplace.irls` is this).

The weights of K classes are the vector W.ravel(), W (M, K), or those of its entries that are free.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrs

from sparsekm_edu.solvers.linalg import cholesky
from sparsekm_edu.solvers.linear.likelihoods import Bernoulli, Softmax
from sparsekm_edu.validation import real_number, whole_number

# ------------------------------------------------------------------ likelihoods of weights


class LinearBernoulli(Bernoulli):
    """Two classes: minus the log likelihood of t (N,), zeros and ones, at outputs a = Phi w, (N,), w (M,)."""

    def __init__(self, Phi, t):
        super().__init__(t)
        self.Phi = Phi

    def __getitem__(self, rows):
        """The likelihood of some of the points."""
        part = object.__new__(LinearBernoulli)
        part.Phi, part.sign = self.Phi[rows], self.sign[rows]
        return part

    def outputs(self, w):
        return self.Phi @ w

    def gradient(self, a):
        return self.slopes(a) @ self.Phi  # - Phi'(t - y), as in (7.110)

    def hessian(self, a):
        root = np.sqrt(self.curvature(a))[:, None] * self.Phi
        return root.T @ root  # Phi' B Phi, as in (7.111)

    def prior(self, alpha):
        """A (M, M), and the log of sqrt|A|, with sqrt(2 pi) for each alpha_i = 0, where the density is taken for 1."""
        flat = alpha == 0
        return np.diag(alpha), 0.5 * np.sum(np.log(np.where(flat, 2 * np.pi, alpha)))


class LinearSoftmax(Softmax):
    """K classes: minus the log likelihood (7.122) of T (N, K), one-of-K, at outputs a = Phi W, (N, K).

    w (R,) are the entries of W where `free` (M, K) is true, row by row; the others are 0.
    """

    def __init__(self, Phi, T, free):
        super().__init__(T)
        self.Phi, self.free = Phi, free
        self.function, self.of_class = np.nonzero(free)  # i and k of every entry of w

    def __getitem__(self, rows):
        part = object.__new__(LinearSoftmax)
        part.__dict__.update(self.__dict__, Phi=self.Phi[rows], T=self.T[rows])
        return part

    def weights(self, w):
        """W (M, K) of w (R,)."""
        W = np.zeros(self.free.shape)
        W[self.free] = w
        return W

    def outputs(self, w):
        return self.Phi @ self.weights(w)  # (7.120)

    def gradient(self, a):
        return (self.Phi.T @ self.slopes(a))[self.free]  # Phi'(Y - T)

    def hessian(self, a):
        """sum_n phi_ni phi_nj y_nk (1_kl - y_nl) at (i, k), (j, l), (R, R)."""
        y, others = self.probabilities(a)
        Z = self.Phi[:, self.function] * y[:, self.of_class]
        H = -Z.T @ Z
        for k in range(y.shape[1]):
            (here,) = np.nonzero(self.of_class == k)
            root = np.sqrt(y[:, [k]] * others[:, [k]]) * self.Phi[:, self.function[here]]
            H[np.ix_(here, here)] = root.T @ root
        return H

    def prior(self, alpha):
        """A (R, R) and ln sqrt|A|, as in LinearBernoulli, for alpha (R,).

        Where a function has no prior in any class, adding the same to its K weights changes nothing. So that there is
        one solution, the one whose sum is 0, a term in the square of the sum is added, which is 0 there; in the
        evidence it counts as a density of 1 for the K - 1 differences between the weights (as for two classes).
        """
        A, K = np.diag(alpha), self.free.shape[1]
        log_scale = 0.5 * np.sum(np.log(np.where(alpha == 0, 2 * np.pi, alpha)))
        for i in np.flatnonzero(np.bincount(self.function[alpha == 0], minlength=len(self.free)) == K):
            (here,) = np.nonzero(self.function == i)
            stiffness = self.Phi[:, i] @ self.Phi[:, i] or 1.0
            A[np.ix_(here, here)] = stiffness
            log_scale += np.log(K) + 0.5 * np.log(stiffness / (2 * np.pi))
        return A, log_scale


def checked(Phi, t, alpha, w):
    """The likelihood of t, one-dimensional for two classes, and alpha and w as vectors over its weights."""
    Phi, t = np.asarray(Phi, dtype=float), np.asarray(t, dtype=float)
    if Phi.ndim != 2 or t.ndim not in (1, 2) or len(t) != len(Phi):
        raise ValueError(f"Phi must be (N, M) and t (N,) or (N, K), got shapes {Phi.shape} and {t.shape}.")
    if not np.all((t == 0) | (t == 1)) or (t.ndim == 2 and not np.all(t.sum(axis=1) == 1)):
        raise ValueError(
            f"t must hold zeros and ones, for K > 2 classes a single one in every row, got {t!r}."
        )
    shape = Phi.shape[1:] + t.shape[1:]
    alpha = np.asarray(np.broadcast_to(alpha, shape), dtype=float)
    free = alpha < np.inf
    if not np.all(alpha >= 0) or (t.ndim == 1 and not np.all(free)):
        raise ValueError(f"alpha must hold numbers >= 0, finite ones for two classes, got {alpha!r}.")
    w = np.zeros(shape) if w is None else np.array(w, dtype=float).reshape(shape)
    if not np.isfinite(w).all():
        raise ValueError(f"w must hold finite numbers, got {w!r}.")
    likelihood = LinearBernoulli(Phi, t) if t.ndim == 1 else LinearSoftmax(Phi, t, free)
    return likelihood, alpha[free], w[free]


# ------------------------------------------------------------------ three ways down


@dataclass(frozen=True, eq=False)
class DescentStep:
    """Where a descent stands after n_iter steps (0: the start).

    w (R,); error: E(w), the prior's share included; gradient (R,) of E at w; residual: what is compared with tol; path
    (P, R): all weights since the step before, these included (in stochastic gradient descent a step is a whole pass).
    """

    w: np.ndarray
    error: float
    gradient: np.ndarray
    residual: float
    path: np.ndarray
    n_iter: int
    converged: bool


def gd_steps(Phi, t, alpha, w=None, rate=None, tol=1e-4, max_iter=10_000):
    """Gradient descent on E: yields a DescentStep for the start and after each step.

    Parameters: Phi (N, M) design matrix; t (N,) zeros and ones, or (N, K) one-of-K; alpha >= 0, one number or the shape
    of w; w (M,) or (M, K) where to start, zeros if None; rate > 0, the factor on the gradient of the mean error E/N, if
    None one over the largest curvature that E/N can have (half of what could climb); tol > 0, the largest component of
    the gradient of E/N at which to stop; max_iter steps at most. Stops, not converged, where a rate too large has led
    out of the range of numbers.
    """
    likelihood, alpha, w, tol, max_iter = _start(Phi, t, alpha, w, tol, max_iter)
    N = len(likelihood.Phi)
    if rate is None:
        largest = np.linalg.norm(likelihood.Phi, ord=2) ** 2
        rate = N / (likelihood.steepest * largest + alpha.max(initial=0.0) or 1.0)
    rate = real_number("rate", rate, above=0)

    step = _evaluated(likelihood, alpha, w[None], tol, 0)
    yield step
    while not step.converged and step.n_iter < max_iter:
        w = step.w - rate * step.gradient / N
        step = _evaluated(likelihood, alpha, w[None], tol, step.n_iter + 1)
        if not np.isfinite(step.error):
            return
        yield step


def sgd_steps(Phi, t, alpha, w=None, rate=None, tol=1e-4, max_iter=1000, seed=None):
    """Stochastic gradient descent on E: yields a DescentStep for the start and after each pass over the points.

    Parameters: as in `gd_steps`, but rate is that of the first pass, and if None one over the largest curvature of a
    single point's error; seed: a number or a numpy Generator, for the order of the points.

    In pass p the rate is rate / p^(3/4). Robbins and Monro ask for an infinite sum of the rates, to come as far as it
    takes, and for a finite sum of their squares, so that the noise of single points dies out: powers in (1/2, 1].
    """
    likelihood, alpha, w, tol, max_iter = _start(Phi, t, alpha, w, tol, max_iter)
    N = len(likelihood.Phi)
    if rate is None:
        largest = np.max(np.sum(likelihood.Phi**2, axis=1), initial=0.0)
        rate = 1.0 / (likelihood.steepest * largest + alpha.max(initial=0.0) / N or 1.0)
    rate = real_number("rate", rate, above=0)
    rng = np.random.default_rng(seed)

    step = _evaluated(likelihood, alpha, w[None], tol, 0)
    yield step
    while not step.converged and step.n_iter < max_iter:
        path = np.empty((N, len(w)))
        with np.errstate(over="ignore", invalid="ignore"):
            for i, n in enumerate(rng.permutation(N)):
                point = likelihood[n : n + 1]
                gradient = point.gradient(point.outputs(w)) + alpha * w / N  # of E_n; the sum of all E_n is E
                w = w - rate / (step.n_iter + 1) ** 0.75 * gradient
                path[i] = w
        step = _evaluated(likelihood, alpha, path, tol, step.n_iter + 1)
        if not np.isfinite(step.error):
            return
        yield step


def newton_steps(likelihood, A, w, tol, max_iter):
    """Newton's method on - ln p(t | w) + 1/2 w'Aw: yields a DescentStep for the start and after each step.

    Parameters: likelihood: LinearBernoulli or LinearSoftmax; A (R, R) precision of the prior; w (R,) where to start;
    tol > 0: a step that moves no output a_n by more is the last (Newton's steps square the error, so little is left
    then); max_iter steps at most. Stops early, not converged, where nothing but rounding errors is left to see.
    """
    a = likelihood.outputs(w)
    error, gradient = likelihood.error(a) + 0.5 * w @ A @ w, likelihood.gradient(a) + A @ w
    yield DescentStep(w, float(error), gradient, np.inf, w[None], 0, len(w) == 0)
    if len(w) == 0:
        return
    for n_iter in range(1, max_iter + 1):
        factor = cholesky(likelihood.hessian(a) + A)
        if factor is None:
            return
        step = -dpotrs(factor, gradient, lower=1)[0]
        a_step, slope = likelihood.outputs(step), gradient @ step
        moved = float(np.abs(a_step).max())

        def error_after(part, w=w, a=a, step=step, a_step=a_step):
            return likelihood.error(a + part * a_step) + 0.5 * (w + part * step) @ A @ (w + part * step)

        part, rounding = 1.0, 1e-14 * error
        if error_after(part) > error + 1e-4 * slope + rounding:  # a fair part of what was promised is enough
            part = _to_the_floor(likelihood, A, w, a, step, a_step)
            if part * moved <= 1e-3 * tol or error_after(part) > error + rounding:
                return
        w, a, error = w + part * step, a + part * a_step, error_after(part)
        gradient = likelihood.gradient(a) + A @ w
        yield DescentStep(w, float(error), gradient, moved, w[None], n_iter, moved <= tol)
        if moved <= tol:
            return


def _to_the_floor(likelihood, A, w, a, step, a_step):
    """The part of a step, below 1, after which E hardly falls any more: a tenth of its slope at the beginning is left.

    E is convex, so its slope along the step changes sign once, and bisection finds where. To halve the step until E is
    lower is not enough: it may end high on the other side, the next one on this, and so on for hundreds of steps.
    """

    def slope(part):
        return np.sum(likelihood.slopes(a + part * a_step) * a_step) + (w + part * step) @ A @ step

    first, falls, rises = slope(0.0), 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (falls + rises)
        here = slope(middle)
        if here > 0:
            rises = middle
        else:
            falls = middle
            if here >= 0.1 * first:
                break
    return falls


def _start(Phi, t, alpha, w, tol, max_iter):
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    return *checked(Phi, t, alpha, w), tol, max_iter


def _evaluated(likelihood, alpha, path, tol, n_iter):
    """The DescentStep at the end of the path (P, R)."""
    w = path[-1]
    with np.errstate(over="ignore", invalid="ignore"):  # a rate too large leads out of the range of numbers
        a = likelihood.outputs(w)
        error = float(likelihood.error(a) + 0.5 * alpha @ w**2)
        gradient = likelihood.gradient(a) + alpha * w
    residual = float(np.abs(gradient).max(initial=0.0) / len(likelihood.Phi))
    return DescentStep(w, error, gradient, residual, path, n_iter, residual <= tol)
