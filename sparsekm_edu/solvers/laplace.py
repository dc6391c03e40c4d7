"""Logistic regression by Newton's method, and the Laplace approximation that makes it Bayesian (PRML 7.2.3).

With y_n = sigma(w' phi(x_n)), targets t_n = 0 or 1 and a prior w ~ N(0, A^-1), A = diag(alpha), the mode w* of the
posterior is found by

    minimise   E(w) = - sum_n { t_n ln y_n + (1 - t_n) ln(1 - y_n) } + 1/2 w'Aw                        (7.109)

a convex problem, by Newton's method, also called iterative reweighted least squares (IRLS):

    w_new = w - H^-1 grad E,     grad E = A w - Phi'(t - y),     H = Phi'B Phi + A                (7.110), (7.111)

with B = diag(b_n), b_n = y_n (1 - y_n). A full step may climb; it is halved until E falls. Around w* the posterior is
then taken for the Gaussian of the same curvature, N(w | w*, Sigma), Sigma = H^-1, which also gives the evidence (7.114).

Where a reader of the book would stumble:
  - (7.112), w* = A^-1 Phi'(t - y), is no formula for w*, because y depends on it: it says that the gradient is zero;
  - (7.119) has A and B where their inverses are meant: C = B^-1 + Phi A^-1 Phi';
  - (7.118) is not the evidence (7.114), but that of a regression with targets t_hat (7.117) and noise B^-1, whose
    posterior is the same Gaussian. They differ by ln N(t_hat | Phi w*, B^-1) - ln p(t | w*), where alpha does not occur:
    with w* and B held fixed both depend on alpha in the same way, and so the analysis of sparsity carries over;
  - (7.115) holds w* fixed too, although B and so Sigma move with w* when alpha does: what (7.116) converges to is near
    the maximum of (7.114), but not at it.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs
from scipy.special import expit

from sparsekm_edu.validation import real_number, whole_number

# ------------------------------------------------------------------ Newton's method


@dataclass(frozen=True, eq=False)
class NewtonStep:
    """Where Newton's method stands after n_iter steps (0: the start).

    w (M,); error: E(w), with the prior's share; gradient (M,) of E at w; moved: the largest change of an output a_n = w'
    phi(x_n) in the last full step, that is before any halving; converged: moved <= tol.
    """

    w: np.ndarray
    error: float
    gradient: np.ndarray
    moved: float
    n_iter: int
    converged: bool


def newton_steps(likelihood, A, w, tol, max_iter):
    """Minimise likelihood.error(a) + 1/2 w'Aw, a = likelihood.outputs(w), from w (M,): yields a NewtonStep after each.

    A (M, M) positive semi-definite. The first one yielded is the start itself. Ends early where H is singular.
    """
    a = likelihood.outputs(w)
    error, gradient = likelihood.error(a) + 0.5 * w @ A @ w, likelihood.gradient(a) + A @ w
    yield NewtonStep(w, error, gradient, np.inf, 0, len(w) == 0)
    if len(w) == 0:
        return
    for n_iter in range(1, max_iter + 1):
        factor = cholesky(likelihood.hessian(a) + A)
        if factor is None:
            return
        step = -dpotrs(factor, gradient, lower=1)[0]
        a_step, slope = likelihood.outputs(step), float(gradient @ step)
        moved = float(np.abs(a_step).max())
        shrink = 1.0
        while True:
            w_trial, a_trial = w + shrink * step, a + shrink * a_step
            trial = likelihood.error(a_trial) + 0.5 * w_trial @ A @ w_trial
            if trial <= error + 1e-4 * shrink * slope + 1e-14 * error:
                break  # it fell by a fair part of what was promised, or as far as rounding errors let us see
            shrink /= 2
            if shrink * moved <= 0.1 * tol:
                return  # rounding errors are all that is left to see
        w, a, error = w_trial, a_trial, trial
        gradient = likelihood.gradient(a) + A @ w
        converged = moved <= tol
        yield NewtonStep(w, float(error), gradient, moved, n_iter, converged)
        if converged:
            return


def cholesky(H):
    """The lower factor L of H = LL' (upper part not set to zero), or of H with a little more on its diagonal, or None."""
    diagonal = np.diagonal(H)
    for jitter in (0.0, 1e-12, 1e-10, 1e-8, 1e-6):
        factor, failed = dpotrf(H if jitter == 0 else H + np.diag(jitter * diagonal), lower=1)
        if not failed:
            return factor
    return None


def inverse_and_log_determinant(H):
    """H^-1 and ln |H| of a positive definite H (M, M)."""
    if len(H) == 0:
        return H, 0.0
    factor = cholesky(H)
    if factor is None:
        raise np.linalg.LinAlgError(f"the Hessian is singular: condition number {np.linalg.cond(H):.3g}.")
    inverse = np.tril(dpotri(factor, lower=1)[0])
    return inverse + np.tril(inverse, -1).T, 2.0 * float(np.log(np.diagonal(factor)).sum())


# ------------------------------------------------------------------ two classes


class Bernoulli:
    """Minus the log likelihood of t (N,), zeros and ones, at outputs a = Phi w, and its derivatives by w.

    Residuals and errors are computed from -a where t_n = 1 and from a where t_n = 0: 1 - sigma(a) would lose the
    digits of a point that is far on its right side.
    """

    def __init__(self, Phi, t):
        self.Phi = Phi
        self.sign = 2.0 * t - 1.0

    def outputs(self, w):
        return self.Phi @ w

    def error(self, a):
        return float(np.logaddexp(0.0, -self.sign * a).sum())

    def residual(self, a):
        """t - y, (N,)."""
        return self.sign * expit(-self.sign * a)

    def gradient(self, a):
        return -self.Phi.T @ self.residual(a)  # (7.110)

    def hessian(self, a):
        root = np.sqrt(expit(a) * expit(-a))[:, None] * self.Phi
        return root.T @ root  # (7.111)


@dataclass(frozen=True, eq=False)
class LaplaceFit:
    """The posterior N(w | w*, Sigma): w (M,), the mode; Sigma (M, M), (7.113); log_evidence, (7.114); at the mode
    y (N,) and b (N,) = y (1 - y); n_iter Newton steps; converged.
    """

    w: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    y: np.ndarray
    b: np.ndarray
    n_iter: int
    converged: bool


def irls_steps(Phi, t, alpha, w=None, tol=1e-6, max_iter=100):
    """`irls` one step at a time: yields a NewtonStep for the start, and after each step."""
    Phi, t, alpha, w = _checked(Phi, t, alpha, w)
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    yield from newton_steps(Bernoulli(Phi, t), np.diag(alpha), w, tol, max_iter)


def irls(Phi, t, alpha, w=None, tol=1e-6, max_iter=100):
    """The mode of the posterior (7.109) of logistic regression.

    Parameters: Phi (N, M) design matrix; t (N,) targets 0 and 1; alpha (M,) or one number, the prior's precisions, finite
    and >= 0 (0: no prior on that weight); w (M,) where to start, zeros if None; tol > 0: a step that moves no log
    odds by more is the last (as Newton's steps square the error, little is left then); max_iter Newton steps at most.
    Returns: NewtonStep, the last. Warns if tol was not reached, as on separable classes without a prior.
    """
    *_, last = irls_steps(Phi, t, alpha, w, tol, max_iter)
    if not last.converged:
        warn_not_converged(last, alpha, tol)
    return last


def laplace_fit(Phi, t, alpha, w=None, tol=1e-6, max_iter=100):
    """The Laplace approximation of the posterior of logistic regression, and its evidence.

    Parameters: as in `irls`.
    Returns: LaplaceFit. A weight without prior (alpha_i = 0) counts in the evidence as if its prior density were 1.
    """
    mode = irls(Phi, t, alpha, w, tol, max_iter)
    Phi, t, alpha, _ = _checked(Phi, t, alpha, w)
    a = Phi @ mode.w
    Sigma, log_det = inverse_and_log_determinant(Bernoulli(Phi, t).hessian(a) + np.diag(alpha))
    proper = alpha[alpha > 0]
    log_prior_scale = 0.5 * np.log(proper).sum() + 0.5 * np.log(2 * np.pi) * (len(alpha) - len(proper))
    log_evidence = float(-mode.error + log_prior_scale - 0.5 * log_det)  # (7.114)
    return LaplaceFit(
        mode.w, Sigma, log_evidence, expit(a), expit(a) * expit(-a), mode.n_iter, mode.converged
    )


def warn_not_converged(last, alpha, tol):
    """Say how far Newton's method came and what keeps the weights from growing for ever."""
    from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

    warnings.warn(
        f"not converged after {last.n_iter} Newton steps: the last one moved the log odds by {last.moved:.2g} > "
        f"tol = {tol:g}, with the smallest alpha = {np.min(alpha):g}. On classes that can be separated the weights grow for "
        "ever unless a prior, alpha > 0, holds them; otherwise raise max_iter.",
        ConvergenceWarning,
        stacklevel=3,
    )


def _checked(Phi, t, alpha, w):
    Phi, t = np.asarray(Phi, dtype=float), np.asarray(t, dtype=float)
    if Phi.ndim != 2 or t.shape != Phi.shape[:1] or not np.all((t == 0) | (t == 1)):
        raise ValueError(
            f"Phi (N, M) and t (N,), of zeros and ones, must match, got shapes {Phi.shape} and {t.shape}."
        )
    M = Phi.shape[1]
    alpha = np.array(np.broadcast_to(alpha, M), dtype=float)
    if not np.all((alpha >= 0) & (alpha < np.inf)):
        raise ValueError(f"alpha must hold finite numbers >= 0, got {alpha!r}.")
    w = np.zeros(M) if w is None else np.array(w, dtype=float)
    if w.shape != (M,) or not np.isfinite(w).all():
        raise ValueError(f"w must hold {M} finite numbers, got {w!r}.")
    return Phi, t, alpha, w
