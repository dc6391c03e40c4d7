"""Platt scaling: from the scores y(x) of a classifier to probabilities p(t=1|x) = sigma(A y(x) + B), (7.43).

    minimise over A and B   sum_n w_n [ -s_n ln p_n - (1 - s_n) ln(1 - p_n) ],   p_n = sigma(A y_n + B)

with w_n >= 0, sum w_n = 1: a logistic regression with one input. Two things are Platt's (2000). The scores should come
from points that the classifier was not trained on (`PlattScaling` sees to that). And the targets s_n are not
1 and 0 but (N+ + 1) / (N+ + 2) and 1 / (N- + 2), what Laplace's rule of succession would say of N+ (N-) points that
are all of one class; they keep A finite when the scores separate the classes.

The minimum is found by Newton's method with step halving, as Lin, Lin and Weng (2007) advise. The sign of A is
PRML's: A > 0 for a sensible classifier. Platt and LIBSVM write 1 / (1 + exp(A y + B)): both signs are opposite there.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from sparsekm_edu.complaints import warn
from sparsekm_edu.validation import real_number, whole_number


@dataclass(frozen=True)
class PlattFit:
    """The sigmoid sigma(A y + B) after n_iter Newton steps (0: the start, A = 0 and B from the base rate).

    log_loss: mean over the points, against the smoothed targets s_n; gain: by how much the last step was
    expected to lower it, infinite at the start; converged: gain <= tol.
    """

    A: float
    B: float
    log_loss: float
    gain: float
    n_iter: int
    converged: bool

    def log_odds(self, scores):
        """A y + B = ln p(t=1|x) / p(t=-1|x), for scores of any shape."""
        return self.A * np.asarray(scores) + self.B

    def probability(self, scores):
        """p(t=1|x) = sigma(A y + B), (7.43), for scores of any shape."""
        return expit(self.log_odds(scores))


def platt(scores, t, weight=None, tol=1e-14, max_iter=100):
    """Fit sigma(A y + B) to scores and labels.

    Parameters: scores (N,) y(x_n), of any size and offset; t (N,) labels -1 and +1; weight (N,) how often each
    point counts, once if None; tol > 0, the gain in mean log loss at which a step is the last (as Newton's
    steps square the error, little is left then); max_iter Newton steps at most.
    Returns: PlattFit. Constant scores tell nothing: A = 0, and p is the mean of the s_n, the smoothed base rate.
    Warns if tol was not reached.

    >>> from sparsekm_edu.solvers import platt
    >>> fit = platt([-2.0, -1.0, 1.0, 2.0], [-1, -1, 1, 1])
    >>> print(fit.probability([-2.0, 2.0]).round(2))
    [0.21 0.79]
    """
    *_, fit = platt_steps(scores, t, weight, tol, max_iter)
    if not fit.converged:
        from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

        warn(
            f"not converged after max_iter = {max_iter} Newton steps: the last one promised a gain of "
            f"{fit.gain:.2g} in log loss > tol = {tol:g}.",
            ConvergenceWarning,
        )
    return fit


def platt_steps(scores, t, weight=None, tol=1e-14, max_iter=100):
    """`platt` one Newton step at a time: yields a PlattFit for the start and after each."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    scores, t, weight = _checked(scores, t, weight)
    N_plus, N_minus = weight[t > 0].sum(), weight[t < 0].sum()
    s = np.where(t > 0, (N_plus + 1) / (N_plus + 2), 1 / (N_minus + 2))  # Platt (2000)
    w = weight / weight.sum()
    z, centre, scale = _standardised(scores)

    A, B = 0.0, np.log((N_plus + 1) / (N_minus + 1))
    log_loss = _log_loss(A * z + B, s, w)
    yield PlattFit(A, float(B), log_loss, np.inf, 0, False)
    for n_iter in range(1, max_iter + 1):
        dA, dB, gain = _newton_step(z, A * z + B, s, w)
        shrink = 1.0
        while True:
            trial = _log_loss((A + shrink * dA) * z + B + shrink * dB, s, w)
            if trial <= log_loss - 1e-4 * shrink * gain + 4 * np.finfo(float).eps * log_loss:
                break  # it fell by a fair part of what was promised, or as far as rounding errors let us see
            shrink /= 2
        A, B, log_loss = A + shrink * dA, B + shrink * dB, trial
        converged = bool(gain <= tol)
        yield PlattFit(float(A / scale), float(B - A * centre / scale), log_loss, gain, n_iter, converged)
        if converged:
            return


def _log_loss(a, s, w):
    """Mean of -s ln sigma(a) - (1 - s) ln sigma(-a), in a form that neither overflows nor cancels."""
    return float(w @ (s * np.logaddexp(0, -a) + (1 - s) * np.logaddexp(0, a)))


def _newton_step(z, a, s, w):
    """Newton's step (dA, dB) at log odds a = A z + B, and the gain that the quadratic model promises.

    It is the weighted regression line of (s - p) / (p (1 - p)) on z. Measuring z from its weighted mean
    decouples slope and offset, so that no 2 x 2 determinant has to lose digits.
    """
    residual = w * (s - expit(a))  # minus the gradient, point by point
    curvature = w * np.maximum(expit(a) * expit(-a), 1e-30)  # > 0 even if every p is 0 or 1 to rounding
    centred = z - curvature @ z / curvature.sum()
    slope, offset = residual @ centred, residual.sum()
    spread = curvature @ centred**2
    dA = slope / spread if spread > 0 else 0.0  # constant scores leave A at 0
    at_mean = offset / curvature.sum()
    dB = at_mean - dA * (z - centred)[0]
    return float(dA), float(dB), 0.5 * float(slope * dA + offset * at_mean)


def _standardised(scores):
    """z in [-1, 1] with scores = centre + scale z; z = 0 where the scores differ by rounding errors only.

    From the median, because from the middle of their range an outlier would cost the other scores their digits.
    """
    centre = np.median(scores)
    scale = np.abs(scores - centre).max()
    if scale <= 8 * np.finfo(float).eps * np.abs(scores).max() + 1e-100:
        return np.zeros(len(scores)), 0.0, 1.0
    return (scores - centre) / scale, centre, scale


def _checked(scores, t, weight):
    scores, t = np.asarray(scores, dtype=float), np.asarray(t, dtype=float)
    weight = np.ones(scores.shape) if weight is None else np.asarray(weight, dtype=float)
    if scores.ndim != 1 or not np.isfinite(scores).all():
        raise ValueError(f"scores must be a vector of finite numbers, got {scores!r}.")
    if t.shape != scores.shape or not np.isin(t, (-1, 1)).all():
        raise ValueError(f"t must hold {len(scores)} labels, -1 or +1, got {t!r}.")
    if weight.shape != scores.shape or not (np.isfinite(weight) & (weight >= 0)).all():
        raise ValueError(f"weight must hold {len(scores)} finite numbers >= 0, got {weight!r}.")
    used = weight > 0
    if len(np.unique(t[used])) < 2:
        raise ValueError("Platt scaling needs points of both classes, got one class (of positive weight).")
    return scores[used], t[used], weight[used]
