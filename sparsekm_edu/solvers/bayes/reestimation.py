"""Re-estimation and EM: climb the evidence with all basis functions at once (PRML 7.2.1).

    maximise over alpha and beta   ln p(t | alpha, beta)   of `evidence`                               (7.85)

Most alpha_i go to infinity: their weights are 0 for certain, their functions leave the model. There are two ways up,
with the same stationary points. Say that close to the top, ln alpha_i is off by some error, and that its function does
not overlap with others:

  - re-estimation, (7.87)-(7.88), sets derivatives to zero. A step leaves 1 - gamma_i of the error. Mostly upwards.
  - EM, (9.67)-(9.68), never goes down. A step leaves 1 - gamma_i^2 of the error, and an alpha_i that should be infinite
    grows by about s_i - q_i^2 a step: thousands of steps.

Hyperpriors (exercise 7.13). With alpha_i ~ Gam(a, b) and beta ~ Gam(c, d) both climb

    ln p(t | alpha, beta) + sum_i (a ln alpha_i - b alpha_i) + c ln beta - d beta + const,

the log posterior density of ln alpha and ln beta: logarithms, as in Tipping (2001), so that zeros are a flat prior and
give (7.87)-(7.88) back. (The maximum over alpha itself would have a - 1 in place of a.)

Classification. The Laplace approximation (`solvers.laplace`) gives m and Sigma, and the same formula re-estimates
alpha, (7.116). It neglects that alpha moves the mode, and with it the curvature of the likelihood, so it ends near a
maximum of the Laplace evidence (7.114), not at it.

Where the code leaves the book:
  - alpha_i never gets to infinity by itself. A function is deleted when q_i^2 <= s_i says that its best alpha_i is
    infinite and gamma_i that it has nearly left; once a step gains little evidence, q_i^2 <= s_i is enough. By (7.97)
    each deletion raises the evidence. (To delete all with q_i^2 <= s_i from the start would be a mistake: most of those
    that are needed are among them.) Columns are deleted, never data. Of columns that are the same up to a factor only
    the last takes part.
  - The brake: re-estimation changes no alpha_i by more than a factor of 2 in a step. From a vague start the first
    steps otherwise decide by chance between neighbours that do the same job, and the evidence at the end may be lower
    by several nats. The price is time: an alpha_i that starts 14 doublings below its place needs 14 steps.
  - At rest, the referee looks for a single action that gains more than 0.01 nats: most often a function that has left
    would come back now. It is carried out, and we go on.
  - Two neighbours may share a weight for thousands of steps that hardly raise the evidence. In regression, once steps
    gain little, every tenth is repeated as often as the evidence is higher there. (In classification the steps do not
    quite climb the Laplace evidence, so it cannot tell them how far to go.)
With rule="printed" re-estimation does without the last three: every step is (7.87)-(7.88) as they stand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.solvers.bayes.evidence import (
    MOST_PRECISE,
    SBLSolution,
    checked_problem,
    gaussian_fit,
    spread,
    warn_if_far_away,
    well_determined,
)
from sparsekm_edu.solvers.bayes.laplace import laplace_fit
from sparsekm_edu.solvers.bayes.referee import ENOUGH, best_action, refereed
from sparsekm_edu.solvers.bayes.softmax import softmax_fit
from sparsekm_edu.validation import real_number, whole_number

ALPHA_0 = 1e-4  # alpha_i starts at this times mean(phi_i^2) / var(t): vague, or all would look like noise
ALPHA_0_CLASSES = 10.0  # the same in classification, where Phi w are log odds of about 1
BETA_0 = 10.0  # beta starts at this / var(t)
PARALLEL = 1e-13  # 1 - |cosine| of the angle between columns that are the same up to a factor
STRIDE = 2.0  # re-estimation changes alpha_i by this factor at most in one step
LEAVING = 1e-3  # gamma_i below this: a function on its way out
GONE = 1e-12  # gamma_i below this is a rounding error; the function is worth GONE t'C^-1 t / 2 nats at most
NO_GAIN = 1e-4  # q^2 <= (1 + this) s counts as q^2 <= s: at its best such a function is worth this^2 / 4 nats
NO_LOSS = 1e-2  # nats that a deletion may cost in classification, because the mode moves
QUIET = 1e-3  # nats: a step that gains less gains little
MOST_RETURNS = 20  # of actions that the referee demands
FAR = 2.0  # no ln alpha_i moves further than this by a repeated step


@dataclass(frozen=True, eq=False)
class EvidenceStep:
    """The model after n_iter re-estimations; n_iter = 0 is where they start.

    alpha (M,), infinite for functions that have left; beta, None in classification; m (R,), Sigma (R, R),
    gamma (R,): posterior mean, covariance and 1 - alpha_i Sigma_ii of the R functions in the model, under these
    alpha and beta; log_evidence: ln p(t | alpha, beta); pruned: indices of the functions that left in this step;
    change: the most that the re-estimation before wanted to change any ln alpha_i or ln beta; capped: beta is held at
    its cap; converged: this is the end. With K classes alpha is (M, K), and the rest follows alpha.ravel().
    """

    alpha: np.ndarray
    beta: float | None
    m: np.ndarray
    Sigma: np.ndarray
    gamma: np.ndarray
    log_evidence: float
    pruned: np.ndarray
    n_iter: int
    change: float
    capped: bool
    converged: bool


def reestimate(Phi, t, likelihood="gaussian", beta=None, **options):
    """Maximise the evidence by re-estimation, (7.87)-(7.89), starting with all basis functions.

    Parameters: Phi (N, M); t (N,) targets; likelihood "gaussian", "bernoulli" (t is 0 or 1) or "softmax" (t is (N, K),
    one of K); beta > 0, the noise precision if it is known, None to learn it; options as for `reestimate_steps`.
    Returns: SBLSolution. Warns if tol was not reached, and if beta had to be stopped at 1e6 / var(t).

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import reestimate
    >>> X, t = datasets.sinusoid()
    >>> solution = reestimate(Gaussian(gamma=22.0)(X), t)
    >>> print(solution.support, "stay, log evidence", round(solution.log_evidence, 2))
    [2 7 9] stay, log evidence -3.8
    """
    return _last(reestimate_steps, Phi, t, likelihood, beta, options)


def reestimate_steps(
    Phi,
    t,
    likelihood="gaussian",
    beta=None,
    alpha0=None,
    beta0=None,
    hyperprior=(0, 0, 0, 0),
    tol=1e-5,
    max_iter=10_000,
    rule="braked",
):
    """`reestimate` one step at a time: yields an EvidenceStep at the start and after each.

    Parameters: as for `reestimate`; alpha0 > 0 and beta0 > 0 where to start, alpha0 one number or an array like
    alpha (infinite = never in the model), None for a start in proportion to t and Phi; hyperprior (a, b, c, d), see
    the module's docstring, where b > 0 keeps all functions in the model; tol > 0: at rest when no ln alpha_i, nor
    ln beta, nor the log evidence moves by more in one step; max_iter steps at most, each O(R^3 + N R); rule: "braked",
    or "printed" for (7.87)-(7.88) as they stand, see the module's docstring.
    """
    if not isinstance(rule, str) or rule not in REESTIMATION:
        raise ValueError(f"rule must be one of {list(REESTIMATION)}, got {rule!r}.")
    return _climb(REESTIMATION[rule], Phi, t, likelihood, beta, alpha0, beta0, hyperprior, tol, max_iter)


def em(Phi, t, likelihood="gaussian", beta=None, **options):
    """Maximise the evidence by EM with the weights as what is missing, (9.67)-(9.68). Otherwise as `reestimate`.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.solvers import em, reestimate
    >>> X, t = datasets.sinusoid()
    >>> Phi = Gaussian(gamma=22.0)(X)
    >>> slow, fast = em(Phi, t), reestimate(Phi, t)
    >>> print(slow.support, abs(slow.log_evidence - fast.log_evidence) < 1e-4, slow.n_iter > fast.n_iter)
    [2 7 9] True True
    """
    return _last(em_steps, Phi, t, likelihood, beta, options)


def em_steps(
    Phi,
    t,
    likelihood="gaussian",
    beta=None,
    alpha0=None,
    beta0=None,
    hyperprior=(0, 0, 0, 0),
    tol=1e-5,
    max_iter=10_000,
):
    """`em` one step at a time: yields an EvidenceStep at the start and after each. Parameters: `reestimate_steps`."""
    return _climb(EXPECTATIONS, Phi, t, likelihood, beta, alpha0, beta0, hyperprior, tol, max_iter)


def _alpha_by_derivatives(m, Sigma_ii, gamma, a, b):
    gamma = np.maximum(gamma, np.finfo(float).eps)  # 1 - alpha_i Sigma_ii is not known any better
    with np.errstate(divide="ignore"):
        return (gamma + 2 * a) / (m**2 + 2 * b)  # (7.87)


def _noise_by_derivatives(squared_error, beta, gamma, N, c, d):
    undetermined = max(N - gamma.sum(), N * np.finfo(float).eps)
    return (squared_error + 2 * d) / (undetermined + 2 * c)  # (7.88)


def _alpha_by_expectations(m, Sigma_ii, gamma, a, b):
    return (1 + 2 * a) / (m**2 + Sigma_ii + 2 * b)  # (9.67)


def _noise_by_expectations(squared_error, beta, gamma, N, c, d):
    return (squared_error + gamma.sum() / beta + 2 * d) / (N + 2 * c)  # (9.68)


class Rule(NamedTuple):
    """New alpha (R,) and noise variance from the posterior under the old ones.

    stride: the factor by which an alpha_i may change in a step; helped: whether the referee and repeated steps help.
    """

    alpha: Callable
    noise: Callable
    stride: float = np.inf
    helped: bool = True


FIXED_POINT = _alpha_by_derivatives, _noise_by_derivatives  # derivatives set to zero
REESTIMATION = {"braked": Rule(*FIXED_POINT, STRIDE), "printed": Rule(*FIXED_POINT, helped=False)}
EXPECTATIONS = Rule(_alpha_by_expectations, _noise_by_expectations)  # of w_i^2 and |t - Phi w|^2


def _climb(rule, Phi, t, likelihood, beta, alpha0, beta0, hyperprior, tol, max_iter):
    """The loop of both: posterior, deletions, a look at it, new alpha and beta; in units in which t is about 1."""
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    Phi, t = checked_problem(Phi, t, likelihood, beta, beta0)
    model = MODELS[likelihood](Phi, t)
    unit, N = model.unit, len(Phi)
    a, b, c, d = _checked_hyperprior(hyperprior) / np.array([1, unit**2, 1, unit**2])
    learn_beta = beta is None and model.has_noise
    cap = MOST_PRECISE / model.spread if learn_beta else np.inf
    alpha, beta = _first_alpha(model, alpha0, sparse=b == 0), _first_beta(model, beta, beta0, cap)

    def height(alpha, beta, fit):
        return fit.log_evidence + log_hyperprior(alpha, beta, (a, b, c, d))

    def height_at(w, place):
        return height(*place, model.fit(*place, w))

    def noise(beta):
        return beta if model.has_noise else None

    candidates = without_excluded(model.Phi, alpha0)
    watched, returns = rule.helped and not any((a, b, c, d)), 0  # with hyperpriors the referee has no say
    w, change, last = np.zeros(alpha.size), np.inf, -np.inf
    inside = np.flatnonzero(np.isfinite(alpha))
    for n_iter in range(max_iter + 1):
        fit = model.fit(alpha, beta, w)
        gain = abs(height(alpha, beta, fit) - last)
        if b == 0:
            alpha, fit = _prune(model, alpha, beta, fit, below=1.0 if gain <= QUIET else LEAVING)
        pruned = inside[np.isinf(alpha[inside])]
        converged, action = max(gain, change) <= tol and len(pruned) == 0, None
        if converged and watched and returns < MOST_RETURNS:
            action = best_action(
                candidates, model.t, alpha.reshape(model.shape), noise(beta), fit.m, learn_beta
            )
            converged = action.gain <= ENOUGH
        inside = np.flatnonzero(np.isfinite(alpha))
        gamma = well_determined(alpha[inside], np.diag(fit.Sigma))
        yield EvidenceStep(
            alpha=alpha.reshape(model.shape) / unit**2,
            beta=beta / unit**2 if model.has_noise else None,
            m=unit * fit.m,
            Sigma=unit**2 * fit.Sigma,
            gamma=gamma,
            log_evidence=fit.log_evidence - (N * float(np.log(unit)) if model.has_noise else 0.0),
            pruned=pruned,
            n_iter=n_iter,
            change=change,
            capped=beta >= cap,
            converged=converged,
        )
        if converged:
            return
        if action is not None:
            returns, last, change = returns + 1, -np.inf, np.inf
            w = np.zeros(alpha.size)
            w[inside] = fit.m
            alpha, beta = alpha.copy(), action.beta if action.action == "noise" else beta
            if action.index is not None:
                alpha[action.index] = action.alpha
            inside = np.flatnonzero(np.isfinite(alpha))
            continue

        last = height(alpha, beta, fit)
        w = np.zeros(alpha.size)
        w[inside] = fit.m
        growth = np.ones(alpha.size + 1)  # new / old alpha, and beta
        new = rule.alpha(fit.m, np.diag(fit.Sigma), gamma, a, b)
        growth[inside] = np.clip(new / alpha[inside], 1 / rule.stride, rule.stride)
        if learn_beta:
            growth[-1] = 1 / max(beta * rule.noise(fit.squared_error, beta, gamma, N, c, d), beta / cap)
        change = float(np.abs(np.log(growth)).max())

        repeat = partial(_repeated_step, alpha, beta, growth, cap)
        times = 1.0
        if rule.helped and model.has_noise and gain <= QUIET and n_iter % 10 == 0 and change > tol:
            times = _how_far(partial(height_at, w), repeat, FAR / change)
        alpha, beta = repeat(times)


def _repeated_step(alpha, beta, growth, cap, times):
    """alpha and beta after so many steps that multiply them by growth each, beta by its last entry."""
    return alpha * growth[:-1] ** times, float(min(beta * growth[-1] ** times, cap))


def _how_far(height_at, after, times):
    """How many steps to take at once: `times`, half as many, and so on, until they win more than a single one."""
    single = height_at(after(1.0))
    while times > 1 and height_at(after(times)) <= single:
        times /= 2
    return max(times, 1.0)


def _prune(model, alpha, beta, fit, below):
    """alpha and the fit without the functions that are better left out, of those with gamma_i <= below."""
    inside = np.flatnonzero(np.isfinite(alpha))
    leaving = inside[_leaving(alpha[inside], fit.m, fit.Sigma, below)]
    if len(leaving) == 0:
        return alpha, fit
    fewer, w = alpha.copy(), np.zeros(alpha.size)
    fewer[leaving] = np.inf
    w[inside] = fit.m
    smaller = model.fit(fewer, beta, w)
    lost = fit.log_evidence - smaller.log_evidence
    return (fewer, smaller) if lost <= NO_LOSS else (alpha, fit)


def _leaving(alpha, m, Sigma, below):
    """Positions in alpha (R,) of the functions that are better left out, of those with gamma_i <= below.

    One at a time, worst first, because without one another may be needed. Leaving out j is conditioning on w_j = 0, and
    the evidence loses lambda(alpha_j) of (7.97), where q_j = m_j / Sigma_jj and alpha_j + s_j = 1 / Sigma_jj: less than
    nothing if q_j^2 <= s_j. What conditioning takes from Sigma is v v' for one column v after the other, those of a
    Cholesky decomposition; only its diagonal is kept up to date.
    """
    gamma = well_determined(alpha, np.diag(Sigma))
    able = np.flatnonzero(gamma <= below)  # it only grows as others leave
    alpha, m, variance = alpha[able], m[able], np.diag(Sigma)[able]
    taken, left = np.empty((len(able), len(able))), np.zeros(len(able), dtype=bool)
    for n in range(len(able)):
        variance = np.where(left, 1.0, np.maximum(variance, np.finfo(float).tiny))
        gamma = well_determined(alpha, variance)
        useless = m**2 <= (1 + NO_GAIN) * gamma * variance  # q^2 <= s
        leaving = ~left & ((useless & (gamma <= below)) | (gamma <= GONE))
        if not leaving.any():
            break
        loss = 0.5 * (np.log(alpha * variance) + m**2 / variance)  # (7.97)
        j = np.flatnonzero(leaving)[np.argmin(loss[leaving])]
        left[j] = True
        v = (Sigma[able, able[j]] - taken[:, :n] @ taken[j, :n]) / np.sqrt(variance[j])
        m, variance = m - m[j] / v[j] * v, variance - v**2
        taken[:, n] = v
    return able[left]


# ------------------------------------------------------------------ likelihoods


class _Fit(NamedTuple):
    """m (R,), Sigma (R, R) and the log evidence at given alpha and beta; in regression |t - Phi m|^2 too."""

    m: np.ndarray
    Sigma: np.ndarray
    log_evidence: float
    squared_error: float | None = None


class _Gaussian:
    """Regression. t is measured in units of its root mean square, so that c t is the same problem for every c."""

    has_noise = True

    def __init__(self, Phi, t):
        self.Phi, self.shape = Phi, Phi.shape[1:]
        largest = np.abs(t).max()
        self.unit = float(largest * np.sqrt(np.mean((t / largest) ** 2))) if largest > 0 else 1.0
        if not 1e-100 < self.unit < 1e100:
            raise ValueError(f"t must have a size between 1e-100 and 1e100 (or be 0), got {self.unit:.3g}.")
        self.t = t / self.unit
        self.gram = self.Phi.T @ self.Phi
        self.spread = spread(self.t)

    def fit(self, alpha, beta, w):
        inside = np.flatnonzero(np.isfinite(alpha))
        gram = self.gram[np.ix_(inside, inside)]
        m, Sigma, log_evidence, error = gaussian_fit(self.Phi[:, inside], self.t, alpha[inside], beta, gram)
        return _Fit(m, Sigma, log_evidence, error / beta)


class _Bernoulli:
    """Two classes, by the Laplace approximation; w is where Newton's method starts."""

    has_noise, unit, spread = False, 1.0, 1.0

    def __init__(self, Phi, t):
        self.Phi, self.t, self.shape = Phi, t, Phi.shape[1:]

    def fit(self, alpha, beta, w):
        inside = np.flatnonzero(np.isfinite(alpha))
        fit = laplace_fit(self.Phi[:, inside], self.t, alpha[inside], w[inside], complain=False)
        return _Fit(fit.w, fit.Sigma, fit.log_evidence)


class _Softmax:
    """K classes, by the Laplace approximation; alpha and w are those of alpha (M, K), row by row."""

    has_noise, unit, spread = False, 1.0, 1.0

    def __init__(self, Phi, T):
        self.Phi, self.t, self.shape = Phi, T, Phi.shape[1:] + T.shape[1:]

    def fit(self, alpha, beta, w):
        fit = softmax_fit(self.Phi, self.t, alpha.reshape(self.shape), w.reshape(self.shape), complain=False)
        return _Fit(fit.W.ravel()[np.isfinite(alpha)], fit.Sigma, fit.log_evidence)


MODELS = {"gaussian": _Gaussian, "bernoulli": _Bernoulli, "softmax": _Softmax}


def _first_alpha(model, alpha0, sparse):
    """Where alpha starts, (M,) or for K classes (M K,), in the model's units.

    Infinite for functions that are 0 at every point and, if the model is to be sparse, for all but the last of several
    that are the same up to a factor: only the sum of their 1 / alpha counts.
    """
    power = np.mean(model.Phi**2, axis=0)
    alpha = np.empty(model.shape)
    if np.ndim(alpha0) > 0:
        alpha0 = np.asarray(alpha0, dtype=float)
        if alpha0.shape != model.shape or not np.all(alpha0 > 0):
            raise ValueError(
                f"alpha0 must be a number > 0 or an array {model.shape} of them, got {alpha0!r}."
            )
        alpha[...] = alpha0 * model.unit**2
    elif alpha0 is not None:
        alpha[...] = real_number("alpha0", alpha0, above=0) * model.unit**2
    else:
        alpha.T[...] = (ALPHA_0 if model.has_noise else ALPHA_0_CLASSES) * power / model.spread
    alpha[power == 0] = np.inf
    if sparse and np.ndim(alpha0) == 0:
        alpha[_repeated(model.Phi, power)] = np.inf
    return alpha.ravel()


def without_excluded(Phi, alpha0):
    """Phi (N, M) with zeros for functions that the user wants out: an infinite alpha0, for all classes if there are."""
    if np.ndim(alpha0) == 0:
        return np.asarray(Phi, dtype=float)
    out = np.isinf(np.asarray(alpha0, dtype=float))
    return np.where(out if out.ndim == 1 else out.all(axis=1), 0.0, Phi)


def _repeated(Phi, power):
    """Which columns (M,) are multiples of a later one."""
    unit = Phi / np.sqrt(len(Phi) * np.where(power > 0, power, 1.0))
    return np.any(np.triu(np.abs(unit.T @ unit), 1) >= 1 - PARALLEL, axis=1)


def _first_beta(model, beta, beta0, cap):
    """Where beta starts, or stays, in the model's units."""
    if not model.has_noise:
        return 1.0
    if beta is not None:
        return real_number("beta", beta, above=0) * model.unit**2
    if beta0 is not None:
        return min(real_number("beta0", beta0, above=0) * model.unit**2, cap)
    return float(BETA_0 / model.spread)


def _last(steps, Phi, t, likelihood, beta, options):
    """The solution at the end of the steps, with a warning where it is due."""
    trace = []
    for step in steps(Phi, t, likelihood, beta, **options):
        precision = np.nan if step.beta is None else step.beta
        trace.append((step.n_iter, step.log_evidence, len(step.m), precision))
    solution = SBLSolution(
        active=np.isfinite(step.alpha),
        alpha=step.alpha,
        beta=step.beta,
        m=step.m,
        Sigma=step.Sigma,
        log_evidence=step.log_evidence,
        n_iter=step.n_iter,
        converged=step.converged,
        trace=np.rec.fromrecords(trace, names="n_iter, log_evidence, n_functions, beta"),
    )
    if not any(options.get("hyperprior", ())):  # with one, the evidence alone is not what was climbed
        Phi, t = without_excluded(Phi, options.get("alpha0")), np.asarray(t, dtype=float)
        solution = refereed(Phi, t, solution, learned=beta is None)
    if likelihood == "gaussian":
        warn_if_far_away(np.asarray(t, dtype=float))
    complaints = []
    if step.converged and not solution.converged:
        complaints.append(
            f"at rest after {step.n_iter} steps, but not at a maximum of the evidence: a single action would gain "
            f"{solution.gain_left:.2g} nats, with {len(step.m)} functions in the model."
        )
    elif not solution.converged:
        complaints.append(
            f"not converged after {step.n_iter} steps of re-estimation (max_iter = "
            f"{options.get('max_iter', 10_000)}): ln alpha or ln beta still changes by "
            f"{step.change:.2g} a step, and a single action would gain {solution.gain_left:.2g} nats, with "
            f"{len(step.m)} functions in the model. Raise max_iter or tol."
        )
    if step.capped and np.any(t):
        complaints.append(
            f"beta = {step.beta:.3g} was stopped at 1e6 / {spread(np.asarray(t, dtype=float)):.3g}, in units of the "
            "spread of t, which shows no noise. Give beta if it is known."
        )
    if complaints:
        from sklearn.exceptions import ConvergenceWarning  # here: importing sklearn takes half a second

        for complaint in complaints:
            warn(complaint, ConvergenceWarning)
    return solution


# ------------------------------------------------------------------ hyperpriors


def log_hyperprior(alpha, beta, hyperprior):
    """Log density of ln alpha (M,) and ln beta under the hyperpriors (a, b, c, d), up to a constant (exercise 7.13)."""
    a, b, c, d = hyperprior
    alpha = np.asarray(alpha)[np.isfinite(alpha)]
    of_beta = 0.0 if beta is None else c * np.log(beta) - d * beta
    return float(np.sum(a * np.log(alpha) - b * alpha) + of_beta)


def _checked_hyperprior(hyperprior):
    if len(hyperprior) != 4:
        raise ValueError(f"hyperprior must hold four numbers, a, b, c and d, got {hyperprior!r}.")
    values = [
        real_number(f"hyperprior {name}", x, at_least=0) for name, x in zip("abcd", hyperprior, strict=True)
    ]
    if values[0] > 0 and values[1] == 0:
        raise ValueError(
            f"hyperprior b must be > 0 where a > 0, or all alpha would be infinite, got a = {values[0]:g}, b = 0."
        )
    return np.array(values)
