"""The Laplace approximation: of the posterior of logistic regression (PRML 7.2.3), and of any density.

With y_n = sigma(w' phi(x_n)), targets t_n = 0 or 1 and a prior w ~ N(0, A^-1), A = diag(alpha), the mode w* of the
posterior is found by

    maximise   sum_n { t_n ln y_n + (1 - t_n) ln(1 - y_n) } - 1/2 w'Aw                                       (7.109)

a concave function, by Newton's method, also called iterative reweighted least squares (IRLS):

    w <- w + (Phi'B Phi + A)^-1 (Phi'(t - y) - A w),     B = diag(b_n), b_n = y_n (1 - y_n).           (7.110), (7.111)

A full step may lead down; then it ends where it no longer leads up. Around w* the posterior is taken for the Gaussian
of the same curvature, N(w | w*, Sigma), Sigma = (Phi'B Phi + A)^-1 (7.113), which gives the evidence (7.114) too.

Where a reader of the book would stumble:
  - (7.112), w* = A^-1 Phi'(t - y), is no formula for w*, because y depends on it: it says that the gradient is 0 there.
    B in (7.113) and (7.117), and y in (7.117), are those at w*.
  - (7.119) has A and B where their inverses are meant: C = B^-1 + Phi A^-1 Phi'. And there is no beta in (7.118).
  - (7.118) is not the evidence (7.114), but that of a regression with targets t_hat (7.117) and noise N(0, B^-1), whose
    posterior is the same Gaussian. (7.118) - (7.114) = ln N(t_hat | Phi w*, B^-1) - ln p(t | w*). No alpha occurs in
    this: with w*, and so B and t_hat, held fixed, the two depend on alpha alike, and the analysis of sparsity holds.
  - (7.115) holds w* fixed too, but when alpha moves, so does w*, and with it B and Sigma. So (7.116) converges to a
    point near the maximum of (7.114), not to the maximum.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.linalg import inverse_and_log_det
from sparsekm_edu.solvers.linear.logistic import checked, newton_steps
from sparsekm_edu.validation import Impossible, real_number, whole_number

# ------------------------------------------------------------------ logistic regression


@dataclass(frozen=True, eq=False)
class LaplaceFit:
    """The posterior N(w | w*, Sigma) of logistic regression.

    w (M,): the mode w*; Sigma (M, M), (7.113); log_evidence, (7.114); y (N,), and b (N,) = y (1 - y), at the mode;
    n_iter Newton steps; converged.
    """

    w: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    y: np.ndarray
    b: np.ndarray
    n_iter: int
    converged: bool


def irls(Phi, t, alpha, w=None, tol=1e-5, max_iter=100):
    """The mode of the posterior (7.109) of logistic regression.

    Parameters: Phi (N, M) design matrix; t (N,) zeros and ones; alpha (M,) or one number, the prior's precisions,
    finite and >= 0 (0: no prior on that weight); w (M,) where to start, zeros if None; tol > 0: a step that moves no
    log odds by more is the last (as Newton's steps square the error, little is left then); max_iter Newton steps at
    most. For K classes: t (N, K) one-of-K, alpha and w (M, K), and the result's w is W.ravel().
    Returns: DescentStep, the last. Warns if tol was not reached, as happens with separable classes and alpha = 0.

    >>> import numpy as np
    >>> from sparsekm_edu.solvers import irls
    >>> Phi = np.column_stack([np.ones(4), [0.0, 1.0, 2.0, 3.0]])
    >>> print(irls(Phi, np.array([0.0, 0.0, 1.0, 1.0]), alpha=0.1).w.round(2))
    [-2.23  1.77]
    """
    *_, last = irls_steps(Phi, t, alpha, w, tol, max_iter)
    if not last.converged:
        _warn(last, alpha, tol, max_iter)
    return last


def irls_steps(Phi, t, alpha, w=None, tol=1e-5, max_iter=100):
    """`irls` one step at a time: yields a DescentStep for the start and after each step."""
    likelihood, alpha, w = checked(Phi, t, alpha, w)
    yield from newton_steps(likelihood, likelihood.prior(alpha)[0], w, *_limits(tol, max_iter))


def laplace_fit(Phi, t, alpha, w=None, tol=1e-5, max_iter=100, complain=True):
    """The Laplace approximation of the posterior of logistic regression, and its evidence.

    Parameters: as in `irls`, for two classes (for K: `softmax_fit`); complain: warn if tol was not reached.
    Returns: LaplaceFit. The prior density of a weight with alpha_i = 0 is taken for 1:
    such evidences can be compared between models that share the weight.
    """
    _, mode, a, Sigma, log_evidence = at_mode(Phi, t, alpha, w, tol, max_iter, complain)
    y = expit(a)
    return LaplaceFit(mode.w, Sigma, log_evidence, y, y * expit(-a), mode.n_iter, mode.converged)


def at_mode(Phi, t, alpha, w, tol, max_iter, complain=True):
    """Likelihood, last DescentStep, outputs a, Sigma (7.113) and log evidence (7.114) at the mode."""
    likelihood, alpha, w = checked(Phi, t, alpha, w)
    A, log_scale = likelihood.prior(alpha)
    *_, mode = newton_steps(likelihood, A, w, *_limits(tol, max_iter))
    if complain and not mode.converged:
        _warn(mode, alpha, tol, max_iter)
    a = likelihood.outputs(mode.w)
    Sigma, log_det = inverse_and_log_det(likelihood.hessian(a) + A)
    return likelihood, mode, a, Sigma, float(-mode.error + log_scale - 0.5 * log_det)  # (7.114)


def working_targets(Phi, t, w):
    """The regression that logistic regression looks like at w: targets t_hat, and precisions b of their noise.

    Its posterior has the covariance (Phi'B Phi + A)^-1, and the mean to which Newton's step from w leads: w* at w*.

    Parameters: Phi (N, M); t (N,) zeros and ones; w (M,).
    Returns: t_hat = Phi w + B^-1 (t - y), (7.117), and b = y (1 - y), both (N,).
    """
    likelihood, _, w = checked(Phi, t, 0.0, w)
    a, sign = likelihood.outputs(w), likelihood.sign
    b = np.maximum(expit(a) * expit(-a), np.finfo(float).tiny)
    wrong = np.minimum(-sign * a, 700.0)  # log odds against what it is; exp(700) is nearly the largest number
    return a + sign * (1.0 + np.exp(wrong)), b  # (7.117), as (t - y) / b = +-1 / sigma(+-a)


def _limits(tol, max_iter):
    return real_number("tol", tol, above=0), whole_number("max_iter", max_iter, at_least=1)


def _warn(last, alpha, tol, max_iter):
    from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

    if np.min(alpha) == 0:
        advice = "Where classes can be separated, weights with alpha = 0 grow for ever: take alpha > 0"
    elif last.n_iter < max_iter:
        advice = (
            "Rounding errors hide what is left: give the columns of Phi similar sizes, or alpha larger values"
        )
    else:
        advice = f"Raise max_iter = {max_iter}"
    warn(
        f"not converged after {last.n_iter} Newton steps: the last one moved the log odds by {last.residual:.2g} > "
        f"tol = {tol:g}. {advice}.",
        ConvergenceWarning,
    )


# ------------------------------------------------------------------ predictions


def kappa(variance):
    """1 / sqrt(1 + pi s^2 / 8): the factor by which not being sure of a shrinks it (PRML 4.5.2)."""
    return 1.0 / np.sqrt(1.0 + np.pi / 8.0 * np.asarray(variance))


def averaged_probability(mean, variance):
    """Class probabilities when the outputs a(x) are known up to a Gaussian: the mean of sigma(a), or of softmax(a).

    Two classes, mean (N,) and variance (N,) of a: sigma(kappa(variance) mean), as if sigma were a probit, whose mean
    has this form. K classes, mean (N, K) and covariances (N, K, K): y_k is 1 / (1 + sum_j exp(a_j - a_k)), j other than
    k; each difference gets its own kappa, and the y_k are scaled to sum 1. For K = 2 that is the formula above; for
    more it is off by about 0.1 where standard deviations are above 1 and unequal. (It is more usual to shrink each a_k
    by its own variance; but that changes with what all the a_k have in common, on which no probability depends, and its
    errors are twice as large.)
    Returns: p(t = 1 | x), (N,), or p(C_k | x), (N, K).
    """
    mean, variance = np.asarray(mean, dtype=float), np.asarray(variance, dtype=float)
    if mean.ndim == 1:
        return expit(kappa(variance) * mean)
    own = np.diagonal(variance, axis1=1, axis2=2)
    of_difference = own[:, :, None] + own[:, None, :] - variance - np.swapaxes(variance, 1, 2)  # (N, K, K)
    ahead = kappa(np.maximum(of_difference, 0.0)) * (mean[:, :, None] - mean[:, None, :])  # a_k - a_j, shrunk
    log_y = -np.logaddexp.reduce(-ahead, axis=2)  # j = k gives the 1
    return np.exp(log_y - np.logaddexp.reduce(log_y, axis=1, keepdims=True))


# ------------------------------------------------------------------ any density

NO_CURVATURE = (
    1e-3  # minus a second derivative, in units of the distance over which ln f falls: 0.2 to 1 is usual
)


@dataclass(frozen=True, eq=False)
class LaplaceApproximation:
    """The Gaussian N(mode, A^-1) in place of a density, and log_Z, the log of the density's integral.

    mode (n,) and A (n, n), the precision; for a density over one number, numbers.
    """

    mode: np.ndarray | float
    A: np.ndarray | float
    log_Z: float


def laplace(log_density, start, gradient=None, hessian=None, max_iter=200):
    """The Laplace approximation of a density f, which need not be normalised, around the mode that start leads to.

        ln f(x) ~ ln f(mode) - 1/2 (x - mode)' A (x - mode),     Z = int f(x) dx ~ f(mode) (2 pi)^(n/2) / |A|^(1/2)

    A = - (second derivatives of ln f at the mode). (PRML 4.4.) Exact if f is a Gaussian.

    Parameters: log_density: ln f, a smooth function of a number or of an array (n,), -inf where f is 0; start: a number
    or (n,); gradient, hessian: functions of x for the derivatives of ln f, (n,) and (n, n), if None taken by
    differences in steps of a fiftieth of the width of f; max_iter Newton steps at most.
    Returns: LaplaceApproximation.

    >>> from sparsekm_edu.solvers import laplace
    >>> found = laplace(lambda x: -((x - 3.0) ** 2) / 8, start=0.0)
    >>> print("mode", round(found.mode, 3), "variance", round(1 / found.A, 3))
    mode 3.0 variance 4.0
    """
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    shape = np.shape(start)
    x = np.array(start, dtype=float).reshape(-1)

    def called(function, x):
        return np.asarray(function(x if shape else float(x[0])), dtype=float)

    def log_f(x):
        return float(called(log_density, x))

    height = log_f(x)
    if not np.isfinite(height):
        raise ValueError(f"log_density must be finite at start = {start!r}, got {height}.")
    scale, level = _reach(log_f, x, height, np.eye(len(x))), False
    for _ in range(max_iter):
        slope, curvature, scale = _differences(log_f, x, height, scale)
        if gradient is not None:
            slope = called(gradient, x).reshape(len(x))
        if hessian is not None:
            curvature = called(hessian, x).reshape(len(x), len(x))
        # Newton's step, in units of `scale`; where ln f curves upwards, it goes up all the same.
        curved, V = np.linalg.eigh(-curvature * np.outer(scale, scale))
        uphill = V.T @ (slope * scale)
        step = uphill / np.maximum(np.abs(curved), 1e-10)
        gain = 0.5 * uphill @ step
        settled = 1 / np.sqrt(np.maximum(np.abs(np.diagonal(curvature)), 1e-300))
        right_scale = np.all(np.abs(np.log(settled / scale)) <= np.log(4))
        if gain <= (1e-8 if level else 1e-18 * max(1.0, abs(height))):
            _need_curvature(log_f, x, height, curvature, (V * scale[:, None]).T)
            if right_scale:
                return _approximation(x, -curvature, curved, height, shape)
        # No further than the hill is wide.
        step *= min(1.0, 5.0 / np.linalg.norm(step)) if gain > 0 else 0.0
        step = (V @ step) * scale
        while not (trial := log_f(x + step)) >= height and np.any(x + step != x):
            step = step / 2
        # A slope by differences is never quite 0; but where the last step gained nothing, there is nothing to gain.
        level = trial - height <= 4 * np.finfo(float).eps * max(1.0, abs(height))
        x, height = x + step, max(trial, height)
        scale = np.clip(settled, scale / 4, 4 * scale)
    raise Impossible(
        f"no mode found from start = {start!r} in max_iter = {max_iter} steps: at x = {_short(x)} "
        f"log_density is {height:.6g} and still rises, is flat, or ends at an edge. Is there a maximum inside?"
    )


def _approximation(mode, A, curved, height, shape):
    """The result, if the eigenvalues `curved` of A, in units of its diagonal, are positive."""
    if curved[0] <= 1e-10:
        raise Impossible(_no_maximum(mode, A))
    log_Z = float(height + 0.5 * len(mode) * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(A)[1])
    if not shape:
        return LaplaceApproximation(float(mode[0]), float(A[0, 0]), log_Z)
    return LaplaceApproximation(mode, A, log_Z)


def _need_curvature(log_f, x, height, curvature, ways):
    """Impossible where ln f falls or rises without curvature: at 0 neither -x^4 nor x^3 has any.

    curvature (n, n): second derivatives; ways (n, n): directions along which to look, a row for each.
    """
    ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    for way, distance in zip(ways, _reach(log_f, x, height, ways), strict=True):
        gains = np.array([log_f(x + side * distance * way) - height for side in (-1, 1)])
        if abs(way @ curvature @ way) * distance**2 > NO_CURVATURE or not np.isfinite(gains).all():
            continue
        if max(gains) < 0:
            raise Impossible(
                f"log_density has a mode near x = {_short(x)}, but no curvature there: its second derivative is 0, so "
                "A is 0, too, and no Gaussian has this shape."
            )
        if max(gains) > 0.01:  # less may be a slope that goes on for ever
            raise Impossible(_no_maximum(x, -curvature))


def _no_maximum(x, A):
    return (
        f"log_density is stationary at x = {_short(x)}, but has no maximum there: A, minus its second derivatives, is "
        f"not positive definite, A = {_short(A)}. Take a start nearer to a mode."
    )


def _short(array):
    """A number, or an array of them, with three digits."""
    return f"{array.item():.3g}" if array.size == 1 else np.array2string(array, precision=3).replace("\n", "")


def _reach(log_f, x, height, directions):
    """Along each direction, a row of (n, n), the distance (n,) over which ln f changes by about 1."""
    scale = np.maximum(np.abs(directions @ x), 1.0)
    for i, unit in enumerate(directions):

        def changes(distance, unit=unit):
            return any(not abs(log_f(x + side * distance * unit) - height) < 0.1 for side in (-1, 1))

        for _ in range(100):  # powers of 2
            if changes(scale[i] / 2):
                scale[i] /= 2
            elif changes(scale[i]):
                break
            else:
                scale[i] *= 2
    return scale


def _differences(log_f, x, height, scale):
    """Gradient (n,) and Hessian (n, n) of ln f by differences, and the scale (n,), smaller if ln f ended in between."""
    n = len(x)
    for _ in range(200):
        results = []
        for h in (0.02 * scale, 0.01 * scale):
            E = np.diag(h)
            plus, minus = (np.array([log_f(x + side * e) for e in E]) for side in (1, -1))
            with np.errstate(invalid="ignore"):  # if ln f is -inf on both sides
                slope = (plus - minus) / (2 * h)
                curvature = np.diag((plus + minus - 2 * height) / h**2)
            for i in range(n):
                for j in range(i):
                    four = [a * b * log_f(x + a * E[i] + b * E[j]) for a in (1, -1) for b in (1, -1)]
                    curvature[i, j] = curvature[j, i] = sum(four) / (4 * h[i] * h[j])
            results.append((slope, curvature))
        if all(np.isfinite(part).all() for result in results for part in result):
            break
        scale = scale / 4
    # The error of each is h^2 times something: (4 (half the step) - (full step)) / 3 is free of it (Richardson).
    (slope, curvature), (finer_slope, finer_curvature) = results
    return (4 * finer_slope - slope) / 3, (4 * finer_curvature - curvature) / 3, scale


def bic(log_likelihood, n_parameters, n_points):
    """The Bayesian information criterion ln p(D | theta*) - M/2 ln N, a rough log evidence (PRML 4.139).

    It is Laplace's, with a broad prior and all that does not grow with N dropped. (Others call -2 times this BIC.)
    """
    n_parameters = whole_number("n_parameters", n_parameters, at_least=0)
    n_points = whole_number("n_points", n_points, at_least=1)
    return real_number("log_likelihood", log_likelihood) - 0.5 * n_parameters * float(np.log(n_points))
