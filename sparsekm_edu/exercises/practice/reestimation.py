"""PRML 7.12 to 7.14: re-estimation of alpha and beta, without and with hyperpriors, and the predictive distribution."""

from itertools import islice

import numpy as np
from scipy.optimize import brentq, minimize, root

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import same
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import LOG_2PI, log_normal, log_p, quadrature, regression
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.evidence import least_error
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior

CLIMBED = "09, section 3", "09_rvm_regression.ipynb#3-Two-ways-up"
PREDICTED = "09, section 4", "09_rvm_regression.ipynb#4-Surest-where-it-knows-nothing"
ONE_FUNCTION = "10, section 3", "10_sparsity.ipynb#3-Finite-or-infinite-·-core"

AT_REST = 1e-4  # what an optimiser reaches, or a loop that stops when little moves; the known mistakes are farther off


# ---- 7.12 -----------------------------------------------------------------------------------------------


def clear_regression(rng):
    """Phi (8, M) and t (8,): every weight is well determined, so that every alpha has a finite best value."""
    M = int(rng.integers(2, 4))
    Phi = rng.normal(size=(8, M))
    while np.linalg.cond(Phi) > 2.5 or np.linalg.norm(Phi, axis=0).min() < 2:
        Phi = rng.normal(size=(8, M))
    w = rng.choice([-1.0, 1.0], M) * rng.uniform(1.5, 3, M)
    return Phi, Phi @ w + 0.3 * rng.normal(size=8)


def one_function(rng):
    """phi (N,), t (N,), beta: one basis function that is wanted, or is not."""
    N, beta = int(rng.integers(4, 8)), float(rng.uniform(0.5, 3))
    phi, noise = rng.normal(size=(2, N))
    ratio = rng.uniform(1.3, 9) if rng.random() < 2 / 3 else rng.uniform(0.1, 0.8)  # q^2 / s
    along = rng.choice([-1.0, 1.0]) * np.sqrt(ratio / beta / (phi @ phi))
    return phi, noise + phi * (along - phi @ noise / (phi @ phi)), beta


def pieces_by_differences(Phi, t, alpha, beta):
    def log_volume(x):
        return 0.5 * np.linalg.slogdet(np.linalg.inv(np.diag(np.exp(x)) + beta * Phi.T @ Phi))[1]

    x = np.log(alpha)
    return derivative(log_volume, x), -derivative(lambda x: least_error(Phi, t, np.exp(x), beta), x)


def noise_by_differences(Phi, t, alpha, beta):
    return derivative(lambda x: log_p(Phi, t, alpha, np.exp(x[0])), np.log([beta]))[0]


def summit(log_density, M):
    """alpha (M,) and beta where a function of ln alpha and ln beta is highest."""
    top = minimize(lambda x: -log_density(x), np.zeros(M + 1))
    x = root(
        lambda x: derivative(log_density, x), top.x, tol=1e-12
    ).x  # the optimiser stops four digits earlier
    return np.exp(x[:-1]), float(np.exp(x[-1]))


def summit_of_the_evidence(Phi, t):
    return summit(lambda x: log_p(Phi, t, np.exp(x[:-1]), np.exp(x[-1])), Phi.shape[1])


def root_of_one_function(phi, t, beta):
    """Where the derivative of ln N(t | 0, C) by ln alpha changes its sign; infinity if it does not."""

    def rising(x):
        return derivative(lambda x: log_p(phi[:, None], t, np.exp(x), beta), np.array([x]))[0]

    return np.exp(brentq(rising, -12, 12, xtol=1e-12)) if rising(12) < 0 else np.inf


def pieces(Phi, t, alpha, beta):
    """Derivatives by ln alpha_i, each (M,): of 1/2 ln |Sigma|, and of -E(m), with Sigma and m as functions of alpha.

    Phi (N, M), t (N,), alpha (M,), beta one number.
    """
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    of_volume = -0.5 * alpha * np.diag(Sigma)
    of_fit = -0.5 * alpha * m**2  # m changes as well, but E is flat at its minimum
    return of_volume, of_fit


def pieces_with(formula):
    """The wrong answers to 7.12a: a formula of alpha, the diagonal of Sigma, and m."""

    def wrong(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return formula(alpha, np.diag(Sigma), m)

    return wrong


def by_log_beta(Phi, t, alpha, beta):
    """The derivative of ln p(t | alpha, beta) by ln beta, a number. Phi (N, M), t (N,), alpha (M,), beta one number."""
    N = len(t)
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
    return 0.5 * (N - beta * np.sum((t - Phi @ m) ** 2) - np.sum(gamma))


def by_log_beta_with(formula):
    """The wrong answers to 7.12b: a formula of N, M, |t - Phi m|^2, gamma and beta."""

    def wrong(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return formula(*Phi.shape, np.sum((t - Phi @ m) ** 2), 1 - alpha * np.diag(Sigma), beta)

    return wrong


def climb(Phi, t):
    """alpha (M,) and beta, where ln p(t | alpha, beta) is stationary. Phi (N, M), t (N,); start at ones."""
    N, M = Phi.shape
    alpha, beta = np.ones(M), 1.0
    for _ in range(30):
        Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
        m = beta * Sigma @ Phi.T @ t  # (7.82)
        gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
        alpha = gamma / m**2  # (7.87)
        beta = (N - np.sum(gamma)) / np.sum((t - Phi @ m) ** 2)  # (7.88)
    return alpha, beta


def path(Phi, t, new_alpha, new_beta):
    """alpha and beta after each round of other updates, functions of (gamma, m, diag Sigma) and (N, gamma, error)."""
    alpha, beta = np.ones(Phi.shape[1]), 1.0
    while True:
        Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)
        m, gamma = beta * Sigma @ Phi.T @ t, 1 - alpha * np.diag(Sigma)
        alpha = new_alpha(gamma, m, np.diag(Sigma))
        beta = new_beta(len(t), gamma, np.sum((t - Phi @ m) ** 2))
        yield alpha, beta


def rounds(Phi, t, new_alpha, new_beta, number=30):
    """alpha and beta after some rounds."""
    return next(islice(path(Phi, t, new_alpha, new_beta), number - 1, None))


def is_on_path(new_alpha, new_beta):
    """For updates that swing to and fro or settle slowly: is a value what some number of rounds gives?"""
    return lambda value, Phi, t: any(
        same(value, passed) for passed in islice(path(Phi, t, new_alpha, new_beta), 100)
    )


def new_alpha(gamma, m, variance):
    return gamma / m**2


def new_beta(N, gamma, error):
    return (N - gamma.sum()) / error


def upside_down(gamma, m, variance):
    return m**2 / gamma


def noise_variance(N, gamma, error):
    return error / (N - gamma.sum())


def best_alpha(phi, t, beta):
    """The alpha, a number or np.inf, for which N(t | 0, C) with C = I/beta + phi phi'/alpha is largest.

    phi (N,): the only basis function at the data; t (N,); beta one number.
    """
    s = beta * phi @ phi
    q = beta * phi @ t
    return s**2 / (q**2 - s) if q**2 > s else np.inf


def with_gamma_1(phi, t, beta):
    """Both solutions of alpha = 1/m^2 with m = q / (alpha + s), the larger one first; infinite where there is none."""
    q, s = beta * phi @ t, beta * phi @ phi
    if q**2 < 4 * s:
        return np.inf, np.inf
    roots = np.sqrt(q**2 - 4 * s) * np.array([1, -1])
    return tuple(((abs(q) + roots) / 2) ** 2)


def best_alpha_with(formula, wanted=lambda q, s: q**2 > s):
    """The wrong answers to 7.12d: a formula of q and s, and when it holds."""

    def wrong(phi, t, beta):
        q, s = beta * phi @ t, beta * phi @ phi
        return formula(q, s) if wanted(q, s) else np.inf

    return wrong


REESTIMATION = Exercise(
    id="7.12",
    title="The re-estimation equations",
    source="PRML 7.12",
    stars=2,
    notebook="09",
    taught=(CLIMBED, ONE_FUNCTION),
    bring="exercise 7.10; the derivative of ln |H| is the trace of H^-1 times the derivative of H",
    task=r"""
By exercise 7.10 the log evidence is

$$
\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)=
\tfrac N2\ln\frac\beta{2\pi}+\tfrac12\sum_{i=1}^M\ln\alpha_i+\tfrac12\ln|\boldsymbol\Sigma|-E(\mathbf m),
\qquad E(\mathbf w)=\tfrac\beta2\|\mathbf t-\boldsymbol\Phi\mathbf w\|^2+\tfrac12\mathbf w^{\mathsf T}
\mathbf A\mathbf w,
$$

with $\mathbf A=\operatorname{diag}(\alpha_i)$,
$\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$ (7.83) and
$\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82), the minimum of $E$. Mind that
$\mathbf m$ and $\boldsymbol\Sigma$ depend on $\boldsymbol\alpha$ and $\beta$. Show that the log evidence is
stationary where

$$
\alpha_i=\frac{\gamma_i}{m_i^2}\quad(7.87),
\qquad\beta^{-1}=\frac{\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2}{N-\sum_i\gamma_i}\quad(7.88),
\qquad\gamma_i=1-\alpha_i\Sigma_{ii}\quad(7.89).
$$

Take derivatives by $\ln\alpha_i$ and $\ln\beta$, that is, $\alpha_i\,\partial/\partial\alpha_i$ and
$\beta\,\partial/\partial\beta$. They vanish at the same places, and the formulas are shorter.
""",
    steps=(
        Task(
            "7.12a",
            "return the derivatives by ln alpha_i of 1/2 ln |Sigma| and of -E(m)",
            regression,
            pieces,
            route=("finite differences of both terms", pieces_by_differences),
            text=r"""
The term $\tfrac12\sum_i\ln\alpha_i$ has the derivative $\tfrac12$. Return those of the other two by $\ln\alpha_i$:
first of $\tfrac12\ln|\boldsymbol\Sigma|$, then of $-E(\mathbf m)$, each of shape `(M,)`. In the second, $\mathbf m$
depends on $\boldsymbol\alpha$, too. What does that contribute?
""",
            mistakes=(
                Mistake(
                    "the sign of the first",
                    pieces_with(lambda alpha, variance, m: (alpha * variance / 2, -alpha * m**2 / 2)),
                    "a larger alpha makes Sigma smaller, so ln |Sigma| falls",
                ),
                Mistake(
                    "the sign of the second",
                    pieces_with(lambda alpha, variance, m: (-alpha * variance / 2, alpha * m**2 / 2)),
                    "a larger alpha makes E larger, and it is -E(m) that is asked for",
                ),
                Mistake(
                    "by alpha in the place of ln alpha",
                    pieces_with(lambda alpha, variance, m: (-variance / 2, -(m**2) / 2)),
                    "the derivative by ln alpha_i is alpha_i times that by alpha_i",
                ),
                Mistake(
                    "1/2 missing",
                    pieces_with(lambda alpha, variance, m: (-alpha * variance, -alpha * m**2)),
                    "both terms come with a 1/2: 1/2 ln |Sigma| and 1/2 w'Aw",
                ),
                Mistake(
                    "the first without its 1/2",
                    pieces_with(lambda alpha, variance, m: (-alpha * variance, -alpha * m**2 / 2)),
                    "the term is 1/2 ln |Sigma|",
                ),
                Mistake(
                    "the prior's covariance for Sigma",
                    pieces_with(lambda alpha, variance, m: (-0.5 + 0 * alpha, -alpha * m**2 / 2)),
                    "only without data is Sigma = A^-1; in general the derivative of ln |Sigma^-1| by alpha_i is "
                    "Sigma_ii",
                ),
                Mistake(
                    "Sigma taken for diagonal",
                    lambda Phi, t, alpha, beta: (
                        -0.5 * alpha / (alpha + beta * np.sum(Phi**2, axis=0)),
                        pieces(Phi, t, alpha, beta)[1],
                    ),
                    "Sigma_ii is an entry of the inverse of H = A + beta Phi'Phi, not 1/H_ii: H is not diagonal",
                ),
                Mistake(
                    "the two in the wrong order",
                    pieces_with(lambda alpha, variance, m: (-alpha * m**2 / 2, -alpha * variance / 2)),
                    "first 1/2 ln |Sigma|, then -E(m)",
                ),
            ),
            hints=(
                "ln |Sigma| = -ln |A + beta Phi'Phi|, and by alpha_i only the entry i, i of the matrix changes.",
                "d E(m) has two parts: by alpha_i directly, and through m. At m the gradient of E is zero, so the "
                "second vanishes.",
                "Directly: E holds 1/2 alpha_i m_i^2. And d ln |H| = Tr(H^-1 dH) gives Sigma_ii. Times alpha_i for "
                "the logarithm.",
            ),
        ),
        Task(
            "7.12b",
            "return the derivative of ln p(t|alpha, beta) by ln beta",
            regression,
            by_log_beta,
            route=("finite differences of ln N(t|0, C)", noise_by_differences),
            text=r"""
Return $\partial\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)/\partial\ln\beta$, all terms together. Somewhere a trace
appears, $\beta\operatorname{Tr}(\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)$: show that it is
$\sum_i\gamma_i$, and (7.88) follows.
""",
            mistakes=(
                Mistake(
                    "the volume forgotten",
                    by_log_beta_with(lambda N, M, error, gamma, beta: 0.5 * (N - beta * error)),
                    "Sigma depends on beta: 1/2 ln |Sigma| gives a term, too",
                ),
                Mistake(
                    "gamma with the wrong sign",
                    by_log_beta_with(lambda N, M, error, gamma, beta: 0.5 * (N - beta * error + gamma.sum())),
                    "a larger beta makes Sigma smaller, so 1/2 ln |Sigma| falls",
                ),
                Mistake(
                    "1 - gamma in the place of gamma",
                    by_log_beta_with(
                        lambda N, M, error, gamma, beta: 0.5 * (N - beta * error - (1 - gamma).sum())
                    ),
                    "beta Phi'Phi = Sigma^-1 - A, so the trace is that of I - Sigma A, the sum of all gamma_i",
                ),
                Mistake(
                    "M in the place of sum gamma",
                    by_log_beta_with(lambda N, M, error, gamma, beta: 0.5 * (N - beta * error - M)),
                    "that would be so without a prior, where all gamma_i are 1",
                ),
                Mistake(
                    "by beta in the place of ln beta",
                    by_log_beta_with(
                        lambda N, M, error, gamma, beta: 0.5 * (N / beta - error - gamma.sum() / beta)
                    ),
                    "the derivative by ln beta is beta times that by beta",
                ),
                Mistake(
                    "beta missing in front of the error",
                    by_log_beta_with(lambda N, M, error, gamma, beta: 0.5 * (N - error - gamma.sum())),
                    "the derivative of beta/2 |t - Phi m|^2 by ln beta is itself again",
                ),
                Mistake(
                    "1/2 missing in front of the error",
                    by_log_beta_with(lambda N, M, error, gamma, beta: 0.5 * (N - gamma.sum()) - beta * error),
                    "E holds beta/2 |t - Phi m|^2",
                ),
                Mistake(
                    "the trace without its beta",
                    by_log_beta_with(
                        lambda N, M, error, gamma, beta: 0.5 * (N - beta * error - gamma.sum() / beta)
                    ),
                    "the derivative of H = A + beta Phi'Phi by ln beta is beta Phi'Phi",
                ),
                Mistake(
                    "1/2 m'Am differentiated as well",
                    lambda *given: by_log_beta(*given) + np.sum(pieces(*given)[1]),
                    "there is no beta in 1/2 w'Aw, and moving m counts for nothing at the minimum of E",
                ),
            ),
            hints=(
                "Three terms know beta: N/2 ln beta, 1/2 ln |Sigma|, and -E(m), where again only the direct beta "
                "counts.",
                "d ln |Sigma| / d beta = -Tr(Sigma Phi'Phi). Insert beta Phi'Phi = Sigma^-1 - A.",
                "beta Tr(Sigma Phi'Phi) = Tr(I - Sigma A) = sum_i (1 - alpha_i Sigma_ii).",
            ),
        ),
        Task(
            "7.12c",
            "start at alpha_i = 1, beta = 1 and go round until alpha and beta rest; return both",
            clear_regression,
            climb,
            instances=3,
            route=("an optimiser on ln N(t|0, C)", summit_of_the_evidence),
            close=AT_REST,
            text=r"""
Both equations are implicit: $\gamma_i$ and $m_i$ on the right depend on $\boldsymbol\alpha$ and $\beta$ themselves.
So start with all $\alpha_i=1$, $\beta=1$, compute $\mathbf m$ and $\boldsymbol\Sigma$, then new $\boldsymbol\alpha$
and $\beta$, and go round until nothing moves any more (on these data ten rounds are plenty). Return
$\boldsymbol\alpha$, shape `(M,)`, and $\beta$. The check looks for the summit of the evidence with an optimiser.
""",
            mistakes=(
                Mistake(
                    "one round only",
                    lambda Phi, t: rounds(Phi, t, new_alpha, new_beta, 1),
                    "the right-hand sides have changed with alpha and beta; compute m and Sigma again",
                ),
                Mistake(
                    "1 in the place of gamma_i",
                    lambda Phi, t: rounds(Phi, t, lambda gamma, m, variance: 1 / m**2, new_beta),
                    "1/m_i^2 forgets that w_i is uncertain; the numerator of (7.87) is gamma_i",
                ),
                Mistake(
                    "N in the place of N - sum gamma",
                    lambda Phi, t: rounds(Phi, t, new_alpha, lambda N, gamma, error: N / error),
                    "the weights have followed the noise a little; what they took is in sum_i gamma_i",
                ),
                Mistake(
                    "M in the place of sum gamma",
                    lambda Phi, t: rounds(
                        Phi, t, new_alpha, lambda N, gamma, error: (N - len(gamma)) / error
                    ),
                    "a weight that the prior holds counts less than 1: gamma_i = 1 - alpha_i Sigma_ii",
                ),
                Mistake(
                    "alpha upside down",
                    lambda Phi, t: rounds(Phi, t, upside_down, new_beta),
                    "alpha_i is a precision: a large weight has a small alpha_i",
                    shows=is_on_path(upside_down, new_beta),
                ),
                Mistake(
                    "the noise variance for beta",
                    lambda Phi, t: rounds(Phi, t, new_alpha, noise_variance),
                    "(7.88) gives 1/beta; alpha and beta are both precisions",
                    shows=is_on_path(new_alpha, noise_variance),
                ),
                Mistake(
                    "1/beta returned",
                    lambda Phi, t: (lambda alpha, beta: (alpha, 1 / beta))(*climb(Phi, t)),
                    "the way was right; return beta itself at its end, not the variance of the noise",
                ),
                Mistake(
                    "m without its square",
                    lambda Phi, t: rounds(Phi, t, lambda gamma, m, variance: gamma / np.abs(m), new_beta),
                    "alpha_i is one over a variance, so the weight stands squared in (7.87)",
                ),
                Mistake(
                    "gamma without alpha",
                    lambda Phi, t: rounds(Phi, t, lambda gamma, m, variance: (1 - variance) / m**2, new_beta),
                    "gamma_i = 1 - alpha_i Sigma_ii, with the old alpha_i",
                ),
            ),
            hints=(
                "Each round: Sigma by (7.83), m by (7.82), gamma by (7.89), then alpha by (7.87) and beta by (7.88).",
                "for _ in range(10): and inside it these five lines. gamma needs the old alpha, so compute it "
                "before the new one.",
            ),
        ),
        Task(
            "7.12d",
            "return the best alpha of a model with one basis function, np.inf where no finite one is best",
            one_function,
            best_alpha,
            instances=24,  # wanted or not, and both signs of q
            route=("the zero of the derivative of ln N(t|0, C)", root_of_one_function),
            text=r"""
With a single basis function the circle can be broken. Let $M=1$, $\boldsymbol\phi$ the only column of
$\boldsymbol\Phi$, and $\beta$ known. Insert $\Sigma$, $m$ and $\gamma$ in (7.87) and solve for $\alpha$. Return it.
Where no positive $\alpha$ solves the equation, the evidence rises all the way, and the best one is infinite: return
`np.inf`. (The letters $s=\beta\boldsymbol\phi^{\mathsf T}\boldsymbol\phi$ and
$q=\beta\boldsymbol\phi^{\mathsf T}\mathbf t$ help.)
""",
            mistakes=(
                Mistake(
                    "a negative precision",
                    best_alpha_with(lambda q, s: s**2 / (q**2 - s), lambda q, s: True),
                    "where q^2 <= s no positive alpha solves (7.87), and the best one is np.inf",
                ),
                Mistake(
                    "0 in the place of infinity",
                    lambda phi, t, beta: best if np.isfinite(best := best_alpha(phi, t, beta)) else 0.0,
                    "alpha = 0 would let the weight be anything; to switch it off takes alpha = np.inf",
                ),
                Mistake(
                    "s in the place of s^2",
                    best_alpha_with(lambda q, s: s / (q**2 - s)),
                    "alpha q^2 = s (alpha + s): collect alpha and keep s times s",
                ),
                Mistake(
                    "gamma taken for 1",
                    lambda phi, t, beta: with_gamma_1(phi, t, beta)[0],
                    "gamma = 1 - alpha Sigma = s / (alpha + s) depends on alpha as well",
                    shows=lambda value, *given: (
                        np.isfinite(value) and np.isclose(value, with_gamma_1(*given)).any()
                    ),
                ),
                Mistake(
                    "m without its square",
                    best_alpha_with(lambda q, s: s / abs(q), lambda q, s: True),
                    "(7.87) divides by m^2, with m = q / (alpha + s)",
                ),
                Mistake(
                    "least squares: m = q/s",
                    best_alpha_with(lambda q, s: s**2 / q**2, lambda q, s: True),
                    "m = q / (alpha + s) and gamma = s / (alpha + s), both with alpha",
                ),
                Mistake(
                    "beta forgotten",
                    lambda phi, t, beta: best_alpha(phi, t, 1.0),
                    "s = beta phi'phi and q = beta phi't",
                ),
                Mistake(
                    "the sign of q",
                    best_alpha_with(lambda q, s: s**2 / (q**2 - s), lambda q, s: q > np.sqrt(s)),
                    "a basis function that points against the targets is as useful: its weight is negative",
                ),
            ),
            hints=(
                "With one function Sigma = 1 / (alpha + s) and m = q / (alpha + s).",
                "gamma = 1 - alpha Sigma = s / (alpha + s). Now (7.87) reads alpha = s (alpha + s) / q^2.",
                "That is linear in alpha: alpha (q^2 - s) = s^2. It has a positive solution only if q^2 > s.",
            ),
        ),
    ),
    worked=r"""
**(a)** $\ln|\boldsymbol\Sigma|=-\ln|\mathbf H|$ with
$\mathbf H=\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi$. For any parameter,
$\partial\ln|\mathbf H|=\operatorname{Tr}(\mathbf H^{-1}\,\partial\mathbf H)$. By $\alpha_i$ only the entry $H_{ii}$
changes, so

$$\frac{\partial}{\partial\ln\alpha_i}\,\tfrac12\ln|\boldsymbol\Sigma|=-\tfrac12\alpha_i\Sigma_{ii}.$$

$E(\mathbf m)$ depends on $\alpha_i$ directly and through $\mathbf m$. But $\mathbf m$ is the minimum of $E$, where
$\partial E/\partial\mathbf w=\mathbf 0$: the second way contributes nothing. Directly,

$$\frac{\partial}{\partial\ln\alpha_i}\{-E(\mathbf m)\}=-\tfrac12\alpha_im_i^2.$$

With $\tfrac12$ from $\tfrac12\sum_i\ln\alpha_i$ the sum is
$\tfrac12\{1-\alpha_i\Sigma_{ii}-\alpha_im_i^2\}=\tfrac12\{\gamma_i-\alpha_im_i^2\}$, and its zero is (7.87).

**(b)** In the same way, with $\partial\mathbf H/\partial\ln\beta=\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi$,

$$
\frac{\partial\ln p}{\partial\ln\beta}=\tfrac12\big\{N-
\beta\operatorname{Tr}(\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)-\beta\|\mathbf t-
\boldsymbol\Phi\mathbf m\|^2\big\}.
$$

Insert $\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi=\boldsymbol\Sigma^{-1}-\mathbf A$ in the trace:

$$
\beta\operatorname{Tr}(\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)=
\operatorname{Tr}(\mathbf I-\boldsymbol\Sigma\mathbf A)=\sum_i(1-\alpha_i\Sigma_{ii})=\sum_i\gamma_i.
$$

The zero of $\tfrac12\{N-\sum_i\gamma_i-\beta\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2\}$ is (7.88).

**(c)** The code goes round. Where it rests, both derivatives vanish. It does not have to be a global maximum, and
nothing says that every round climbs; on these data it settles within ten rounds. With weights that the data
do not want, $\alpha_i$ would run off to infinity and the function should be removed. (EM, (9.67) and (9.68), rests at
the same places and passes the check, too, if it is given enough rounds.)

**(d)** With $s=\beta\boldsymbol\phi^{\mathsf T}\boldsymbol\phi$ and $q=\beta\boldsymbol\phi^{\mathsf T}\mathbf t$ it
is $\Sigma=1/(\alpha+s)$, $m=q/(\alpha+s)$ and $\gamma=s/(\alpha+s)$. (7.87) becomes

$$
\alpha=\frac{s}{\alpha+s}\cdot\frac{(\alpha+s)^2}{q^2}=\frac{s(\alpha+s)}{q^2}
\quad\Longrightarrow\quad\alpha\,(q^2-s)=s^2\quad\Longrightarrow\quad\alpha=\frac{s^2}{q^2-s}\quad\text{if }q^2>s.
$$

Otherwise the derivative by $\ln\alpha$, which is $\tfrac12\{s(\alpha+s)-\alpha q^2\}/(\alpha+s)^2$, is positive for
every $\alpha$, and the best value is $\alpha=\infty$: the function leaves the model. This is (7.101), met here for
one function, and in section 7.2.2 for one function among others.
""",
)


# ---- 7.13 -----------------------------------------------------------------------------------------------


def gamma_priors(rng):
    """a, b, c, d of Gam(alpha_i | a, b) and Gam(beta | c, d), all of them with a maximum above 0."""
    a, c = rng.uniform(1.3, 3, 2)
    b, d = rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.4)
    return float(a), float(b), float(c), float(d)


def weak_priors(rng):
    """a, b, c, d so weak that the density of the logarithms has one maximum, wherever the climb begins."""
    a, c = rng.uniform(0.6, 1.2, 2)
    b, d = rng.uniform(0.5, 1), rng.uniform(0.1, 0.4)
    return float(a), float(b), float(c), float(d)


def log_gamma_prior(x, shape, rate):
    """ln Gam(x | shape, rate) without its constant, (B.26)."""
    return np.sum((shape - 1) * np.log(x) - rate * x)


def log_posterior(Phi, t, alpha, beta, a, b, c, d):
    """ln p(t, alpha, beta | X) without constants: evidence and hyperpriors."""
    return log_p(Phi, t, alpha, beta) + log_gamma_prior(alpha, a, b) + log_gamma_prior(beta, c, d)


def posterior_by_differences(Phi, t, alpha, beta, *priors):
    both = derivative(lambda x: log_posterior(Phi, t, x[:-1], x[-1], *priors), np.append(alpha, beta))
    return both[:-1], both[-1]


def summit_of_the_posterior(Phi, t, *priors):
    # the density of alpha and beta, only the steps are taken in their logarithms
    return summit(lambda x: log_posterior(Phi, t, np.exp(x[:-1]), np.exp(x[-1]), *priors), Phi.shape[1])


def summit_over_logarithms(Phi, t, *priors):
    # p(x) = p(alpha) d alpha / d x with x = ln alpha: a factor alpha = exp(x) more for each
    return summit(
        lambda x: log_posterior(Phi, t, np.exp(x[:-1]), np.exp(x[-1]), *priors) + np.sum(x), Phi.shape[1]
    )


def slopes(Phi, t, alpha, beta, a, b, c, d):
    """Derivatives of ln p(t, alpha, beta | X): by alpha_i (M,), and by beta, a number (not by their logarithms).

    Phi (N, M), t (N,), alpha (M,), beta; Gam(alpha_i | a, b) for every i, and Gam(beta | c, d).
    """
    N = len(t)
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
    by_alpha = 0.5 * (gamma / alpha - m**2) + (a - 1) / alpha - b
    by_beta = 0.5 * ((N - np.sum(gamma)) / beta - np.sum((t - Phi @ m) ** 2)) + (c - 1) / beta - d
    return by_alpha, by_beta


def slopes_with(formula):
    """The wrong answers to 7.13a: the evidence's derivatives by alpha and beta, and a formula for the rest."""

    def wrong(Phi, t, alpha, beta, a, b, c, d):
        by_alpha, by_beta = slopes(Phi, t, alpha, beta, 1, 0, 1, 0)  # flat hyperpriors
        return formula(by_alpha, alpha, a, b), formula(by_beta, beta, c, d)

    return wrong


def most_probable(Phi, t, a, b, c, d):
    """alpha (M,) and beta, where p(t, alpha, beta | X) as a density of alpha and beta is largest; start at ones.

    Phi (N, M), t (N,); Gam(alpha_i | a, b) for every i, and Gam(beta | c, d).
    """
    N, M = Phi.shape
    alpha, beta = np.ones(M), 1.0
    for _ in range(50):
        Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
        m = beta * Sigma @ Phi.T @ t  # (7.82)
        gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
        alpha = (gamma + 2 * a - 2) / (m**2 + 2 * b)  # (7.87) with its hyperprior
        beta = (N - np.sum(gamma) + 2 * c - 2) / (np.sum((t - Phi @ m) ** 2) + 2 * d)  # (7.88) with its own
    return alpha, beta


def most_probable_logarithms(Phi, t, a, b, c, d):
    """alpha (M,) and beta, where p(t, ln alpha, ln beta | X) as a density of the logarithms is largest.

    Phi (N, M), t (N,); Gam(alpha_i | a, b) for every i, and Gam(beta | c, d). Start at ones.
    """
    N, M = Phi.shape
    alpha, beta = np.ones(M), 1.0
    for _ in range(50):
        Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
        m = beta * Sigma @ Phi.T @ t  # (7.82)
        gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
        alpha = (gamma + 2 * a) / (m**2 + 2 * b)  # a ln alpha_i, not (a - 1) ln alpha_i
        beta = (N - np.sum(gamma) + 2 * c) / (np.sum((t - Phi @ m) ** 2) + 2 * d)
    return alpha, beta


def most_probable_with(shape, rate, number=50):
    """The wrong answers to 7.13b and d: other additions to numerator (of a or c) and denominator (of b or d)."""

    def wrong(Phi, t, a, b, c, d):
        return rounds(
            Phi,
            t,
            lambda gamma, m, variance: (gamma + shape(a)) / (m**2 + rate(b)),
            lambda N, gamma, error: (N - gamma.sum() + shape(c)) / (error + rate(d)),
            number,
        )

    return wrong


def right_shape(a):
    return 2 * a - 2


def shape_of_logarithm(a):
    return 2 * a


def right_rate(b):
    return 2 * b


HYPERPRIORS = Exercise(
    id="7.13",
    title="Re-estimation with hyperpriors",
    source="PRML 7.13",
    stars=2,
    notebook="09",
    taught=(CLIMBED,),
    bring="exercise 7.12; how a density changes when its variable is replaced by the logarithm",
    task=r"""
So far nothing was said about $\boldsymbol\alpha$ and $\beta$ before the data came. Now let each of them have a prior
of its own, a *hyperprior*, and let it be a gamma distribution,

$$\operatorname{Gam}(\tau\mid a,b)=\frac{1}{\Gamma(a)}\,b^a\,\tau^{a-1}e^{-b\tau},\quad(\text{B.26})$$

with $a$, $b$ for every $\alpha_i$ and $c$, $d$ for $\beta$. What is to be maximised is, instead of the evidence,

$$
\ln p(\mathbf t,\boldsymbol\alpha,\beta\mid\mathbf X)=
\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)+\sum_{i=1}^M\ln\operatorname{Gam}(\alpha_i\mid a,b)+
\ln\operatorname{Gam}(\beta\mid c,d).
$$

Find the re-estimation equations that take the place of $\alpha_i=\gamma_i/m_i^2$ (7.87) and
$\beta=(N-\sum_i\gamma_i)/\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2$ (7.88). As in the book, it is the density of
$\boldsymbol\alpha$ and $\beta$ themselves, not of their logarithms, whose maximum we look for. It matters, as you
will see in (d). ($\mathbf X$ stands for the inputs. They enter through $\boldsymbol\Phi$ only.)

Letters are as in 7.12: $\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$,
$\mathbf A=\operatorname{diag}(\alpha_i)$, $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$, and
$\gamma_i=1-\alpha_i\Sigma_{ii}$. Its result: the evidence alone has the derivatives
$\tfrac12\{\gamma_i-\alpha_im_i^2\}$ by $\ln\alpha_i$ and
$\tfrac12\{N-\sum_i\gamma_i-\beta\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2\}$ by $\ln\beta$.
""",
    steps=(
        Task(
            "7.13a",
            "return the derivatives of ln p(t, alpha, beta|X) by alpha_i and by beta",
            lambda rng: (*regression(rng), *gamma_priors(rng)),
            slopes,
            route=("finite differences of ln N(t|0, C) + ln Gam", posterior_by_differences),
            text=r"""
Return the derivatives of $\ln p(\mathbf t,\boldsymbol\alpha,\beta\mid\mathbf X)$, first by $\alpha_i$, shape `(M,)`,
then by $\beta$. By $\alpha_i$ and $\beta$ this time, not by their logarithms.
""",
            mistakes=(
                Mistake(
                    "the evidence by the logarithms",
                    slopes_with(lambda slope, x, a, b: slope * x + (a - 1) / x - b),
                    "7.12 has derivatives by ln alpha_i and ln beta: divide by alpha_i and by beta",
                ),
                Mistake(
                    "everything by the logarithms",
                    slopes_with(lambda slope, x, a, b: slope * x + a - 1 - b * x),
                    "asked for are the derivatives by alpha_i and beta: divide by alpha_i and by beta",
                ),
                Mistake(
                    "a in the place of a - 1",
                    slopes_with(lambda slope, x, a, b: slope + a / x - b),
                    "the power in (B.26) is a - 1; a/alpha_i belongs to the density of ln alpha_i",
                ),
                Mistake(
                    "the rate with the wrong sign",
                    slopes_with(lambda slope, x, a, b: slope + (a - 1) / x + b),
                    "the logarithm of exp(-b alpha_i) falls with alpha_i",
                ),
                Mistake(
                    "b taken for a scale",
                    slopes_with(lambda slope, x, a, b: slope + (a - 1) / x - 1 / b),
                    "in (B.26) b multiplies: exp(-b tau)",
                ),
                Mistake(
                    "the hyperpriors forgotten",
                    slopes_with(lambda slope, x, a, b: slope),
                    "add the derivatives of ln Gam(alpha_i|a, b) and ln Gam(beta|c, d)",
                ),
                Mistake(
                    "b alpha_i not differentiated",
                    slopes_with(lambda slope, x, a, b: slope + (a - 1) / x - b * x),
                    "the derivative of -b alpha_i by alpha_i is -b",
                ),
            ),
            hints=(
                "ln Gam(alpha_i|a, b) = (a - 1) ln alpha_i - b alpha_i + const.",
                "By alpha_i: the evidence gives 1/2 (gamma_i / alpha_i - m_i^2), the hyperprior (a - 1)/alpha_i - b.",
                "By beta likewise: 1/2 ((N - sum gamma)/beta - |t - Phi m|^2) + (c - 1)/beta - d.",
            ),
        ),
        Task(
            "7.13b",
            "start at alpha_i = 1, beta = 1 and go round with the new equations until alpha and beta rest; "
            "return both",
            lambda rng: (*clear_regression(rng), *gamma_priors(rng)),
            most_probable,
            instances=3,
            route=("an optimiser on ln N(t|0, C) + ln Gam", summit_of_the_posterior),
            close=AT_REST,
            text=r"""
Set the derivatives to zero and solve for the $\alpha_i$ and the $\beta$ that stand there openly, as in (7.87) and
(7.88), with $\gamma_i$ and $\mathbf m$ on the right. Then go round as in 7.12c, from all $\alpha_i=1$ and $\beta=1$,
until nothing moves any more (20 rounds are plenty), and return $\boldsymbol\alpha$ and $\beta$. The check looks for
the maximum of the density with an optimiser.
""",
            mistakes=(
                Mistake(
                    "the maximum over the logarithms",
                    most_probable_with(shape_of_logarithm, right_rate),
                    "gamma_i + 2a belongs to the density of ln alpha_i, which has a factor alpha_i more; here it is "
                    "gamma_i + 2a - 2",
                ),
                Mistake(
                    "no factor 2",
                    most_probable_with(lambda a: a - 1, lambda b: b),
                    "the evidence comes with 1/2, the hyperprior without: multiplying by 2 doubles a - 1 and b",
                ),
                Mistake(
                    "b not doubled",
                    most_probable_with(right_shape, lambda b: b),
                    "1/2 m_i^2 + b, times 2, is m_i^2 + 2b",
                ),
                Mistake(
                    "b with the wrong sign",
                    most_probable_with(right_shape, lambda b: -2 * b),
                    "-1/2 m_i^2 and -b have the same sign and go to the same side",
                ),
                Mistake(
                    "2a - 1 in the place of 2a - 2",
                    most_probable_with(lambda a: 2 * a - 1, right_rate),
                    "twice a - 1 is 2a - 2",
                ),
                Mistake(
                    "the hyperpriors forgotten",
                    most_probable_with(lambda a: 0, lambda b: 0),
                    "(7.87) and (7.88) maximise the evidence alone",
                ),
                Mistake(
                    "the hyperprior of beta forgotten",
                    lambda Phi, t, a, b, c, d: most_probable(Phi, t, a, b, 1, 0),
                    "beta has a hyperprior, too: Gam(beta|c, d)",
                ),
                Mistake(
                    "one round only",
                    most_probable_with(right_shape, right_rate, 1),
                    "the right-hand sides have changed with alpha and beta; compute m and Sigma again",
                ),
            ),
            hints=(
                "Multiply the derivative by 2 and sort: everything with 1/alpha_i on one side, the rest on "
                "the other.",
                "(gamma_i + 2a - 2) / alpha_i = m_i^2 + 2b.",
                "And (N - sum gamma + 2c - 2) / beta = |t - Phi m|^2 + 2d. The rest is the loop of 7.12c.",
            ),
        ),
        Claim(
            "7.13c",
            "say for which hyperprior of alpha_i your equation is (7.87) again",
            "b",
            text=r"""
For which $a$ and $b$ does your equation for $\alpha_i$ become $\alpha_i=\gamma_i/m_i^2$ (7.87) again? (Think of
limits, where a density cannot be normalised.)
""",
            options={
                "a": r"$a=0$, $b=0$: a flat density of $\ln\alpha_i$",
                "b": r"$a=1$, $b=0$: a flat density of $\alpha_i$",
                "c": r"$a=1$, $b=1$: $e^{-\alpha_i}$",
                "d": r"$a=\tfrac12$, $b=0$: the density $\alpha_i^{-1/2}$",
                "e": r"for none: a hyperprior always changes the equation",
            },
            mistakes=(
                Mistake(
                    "the density of ln alpha",
                    "a",
                    "there the numerator is gamma_i - 2, which is negative; maximising over ln alpha_i it would be "
                    "right",
                ),
                Mistake(
                    "not flat",
                    "c",
                    "exp(-alpha_i) prefers small alpha_i, and the denominator is m_i^2 + 2",
                ),
                Mistake(
                    "half of the way",
                    "d",
                    "there the numerator is gamma_i - 1, and gamma_i is at most 1",
                ),
                Mistake(
                    "forgot the flat one",
                    "e",
                    "a constant hyperprior adds a constant to the logarithm, and the maximum stays",
                ),
            ),
            hints=(
                "When is (gamma_i + 2a - 2) / (m_i^2 + 2b) the same as gamma_i / m_i^2, whatever gamma_i and "
                "m_i are?",
                "2a - 2 = 0 and 2b = 0. Now insert these in (B.26).",
            ),
        ),
        Task(
            "7.13d",
            "return the alpha and beta for which the density of ln alpha and ln beta is largest",
            lambda rng: (*clear_regression(rng), *weak_priors(rng)),
            most_probable_logarithms,
            instances=3,
            route=("an optimiser on the density of the logarithms", summit_over_logarithms),
            close=AT_REST,
            text=r"""
The maximum of a density moves when its variable is changed. Take $x_i=\ln\alpha_i$ and $y=\ln\beta$ for variables,
with the same hyperpriors, $\operatorname{Gam}(\alpha_i\mid a,b)$ and $\operatorname{Gam}(\beta\mid c,d)$. What is the
density $p(\mathbf t,\mathbf x,y\mid\mathbf X)$? Find the re-estimation equations of its maximum, go round from all
$\alpha_i=1$ and $\beta=1$ (20 rounds are plenty), and return the $\boldsymbol\alpha$, shape `(M,)`, and the $\beta$
that belong to the maximum (not their logarithms).
""",
            mistakes=(
                Mistake(
                    "the density of alpha itself",
                    most_probable_with(right_shape, right_rate),
                    "that is (b) again; the density of ln alpha_i has a factor alpha_i more",
                ),
                Mistake(
                    "the hyperpriors forgotten",
                    most_probable_with(lambda a: 0, lambda b: 0),
                    "only for a = b = c = d = 0 is this the evidence alone",
                ),
                Mistake(
                    "no factor 2",
                    most_probable_with(lambda a: a, lambda b: b),
                    "the evidence comes with 1/2, the hyperprior without: multiplying by 2 doubles a and b",
                ),
                Mistake(
                    "half of the factor",
                    most_probable_with(lambda a: 2 * a - 1, right_rate),
                    "ln alpha_i is added once to the logarithm of the density, so 2 to the numerator: 2a - 2 + 2",
                ),
                Mistake(
                    "beta as before",
                    lambda Phi, t, a, b, c, d: most_probable_logarithms(Phi, t, a, b, c - 1, d),
                    "ln beta is a new variable, too: its density has a factor beta more",
                ),
                Mistake(
                    "the logarithms returned",
                    lambda *given: tuple(map(np.log, most_probable_logarithms(*given))),
                    "the place is right; return alpha and beta, not their logarithms",
                ),
                Mistake(
                    "one round only",
                    most_probable_with(shape_of_logarithm, right_rate, 1),
                    "the right-hand sides have changed with alpha and beta; compute m and Sigma again",
                ),
            ),
            hints=(
                "With x = ln alpha: p(x) = p(alpha) |d alpha / dx|. What is d alpha / dx?",
                "It is alpha. So ln alpha_i and ln beta are added to the logarithm of the density, and "
                "(a - 1) ln alpha_i becomes a ln alpha_i.",
                "Everything else stays: write a + 1 for a and c + 1 for c in the equations of (b).",
            ),
        ),
    ),
    worked=r"""
**(a)** $\ln\operatorname{Gam}(\alpha_i\mid a,b)=(a-1)\ln\alpha_i-b\,\alpha_i+\text{const}$. The evidence's
derivatives by $\ln\alpha_i$ and $\ln\beta$, divided by $\alpha_i$ and $\beta$, are those by $\alpha_i$ and $\beta$.
Together

$$
\frac{\partial\ln p(\mathbf t,\boldsymbol\alpha,\beta\mid\mathbf X)}{\partial\alpha_i}=
\tfrac12\left\{\frac{\gamma_i}{\alpha_i}-m_i^2\right\}+\frac{a-1}{\alpha_i}-b,
$$

$$
\frac{\partial\ln p(\mathbf t,\boldsymbol\alpha,\beta\mid\mathbf X)}{\partial\beta}=
\tfrac12\left\{\frac{N-\sum_i\gamma_i}{\beta}-\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2\right\}+\frac{c-1}{\beta}-d.
$$

**(b)** Set them to zero, multiply by 2, and bring what has $1/\alpha_i$ (or $1/\beta$) to one side:

$$
\alpha_i^{\text{new}}=\frac{\gamma_i+2a-2}{m_i^2+2b},
\qquad(\beta^{\text{new}})^{-1}=\frac{\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2+2d}{N-\sum_i\gamma_i+2c-2}.
$$

**(c)** With $a=1$ and $b=0$ the hyperprior is constant in $\alpha_i$, and (7.87) is back.

**(d)** Let $x_i=\ln\alpha_i$. Its density is that of $\alpha_i$ times $\mathrm d\alpha_i/\mathrm dx_i=\alpha_i$, and
likewise for $\ln\beta$. So the logarithm has $a\ln\alpha_i$ where we had $(a-1)\ln\alpha_i$, and $c\ln\beta$ for
$(c-1)\ln\beta$: write $a+1$ for $a$ and $c+1$ for $c$ in (b). (By which variable one differentiates does not matter,
once the function is fixed.)

$$
\alpha_i^{\text{new}}=\frac{\gamma_i+2a}{m_i^2+2b},
\qquad(\beta^{\text{new}})^{-1}=\frac{\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2+2d}{N-\sum_i\gamma_i+2c}.
$$

This library takes these (`reestimate(..., hyperprior=(a, b, c, d))`). There $a=b=0$, flat in $\ln\alpha_i$, is the
evidence alone. In the variable $\alpha_i$ the same hyperprior is $1/\alpha_i$: then the numerator $\gamma_i-2$ is
negative, no positive $\alpha_i$ solves the equation, and the density is unbounded as $\alpha_i\to0$, for the evidence
itself vanishes only like $\alpha_i^{1/2}$. So it is for every $a<\tfrac12$. For $\tfrac12\le a<1$ a round can still
give a negative $\alpha_i$, wherever $\gamma_i<2-2a$. Only from $a=1$ on is (b) safe. Both answers are right, each to
its own question. The exercise in the book asks for $\boldsymbol\alpha$ and $\beta$.
""",
)


# ---- 7.14 -----------------------------------------------------------------------------------------------


def new_rows(rng):
    """A regression and two or three new rows of Phi."""
    instance = regression(rng)
    return *instance, rng.normal(size=(int(rng.integers(2, 4)), len(instance[2])))


def new_point(rng):
    """A regression, and phi and t of one new point."""
    Phi, t, alpha, beta = regression(rng)
    phi = rng.normal(size=len(alpha))
    return Phi, t, alpha, beta, phi, float(phi @ rng.normal(size=len(alpha)) + rng.normal())


def conditioned_joint(Phi, t, alpha, beta, Phi_new):
    """t and the new targets are Gaussian together, (7.86); condition the second on the first, (2.81) and (2.82)."""
    both = np.vstack([Phi, Phi_new])
    C_t = np.eye(len(both)) / beta + both / alpha @ both.T
    N = len(t)
    gain = C_t[N:, :N] @ np.linalg.inv(C_t[:N, :N])
    return gain @ t, C_t[N:, N:] - gain @ C_t[:N, N:]


def ratio_of_evidences(Phi, t, alpha, beta, phi, t_new):
    """p(t_new | t) = p(t, t_new) / p(t), both by quadrature of (7.84)."""
    more = quadrature(np.vstack([Phi, phi]), np.append(t, t_new), alpha, beta)[0]
    return more - quadrature(Phi, t, alpha, beta)[0]


def predict(Phi, t, alpha, beta, Phi_new):
    """Mean (K,) and covariance (K, K) of K new targets together, given t.

    Phi (N, M), t (N,), alpha (M,), beta one number; Phi_new (K, M): in row k the basis functions at new input k.
    """
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    mean = Phi_new @ m  # (7.90)
    covariance = np.eye(len(Phi_new)) / beta + Phi_new @ Sigma @ Phi_new.T  # its diagonal is (7.91)
    return mean, covariance


def predict_with(covariance):
    """The wrong answers to 7.14a: another covariance, of Phi_new, Sigma, alpha and beta."""

    def wrong(Phi, t, alpha, beta, Phi_new):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return Phi_new @ m, covariance(Phi_new, Sigma, alpha, beta)

    return wrong


def log_predictive(Phi, t, alpha, beta, phi, t_new):
    """ln p(t_new | phi, t, alpha, beta), a number, with all its constants.

    Phi (N, M), t (N,), alpha (M,), beta one number; phi (M,): the basis functions at the new input; t_new: its target.
    """
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    variance = 1 / beta + phi @ Sigma @ phi  # (7.91)
    return -0.5 * np.log(2 * np.pi * variance) - 0.5 * (t_new - m @ phi) ** 2 / variance  # (7.90)


def log_predictive_with(formula):
    """The wrong answers to 7.14b: a formula of the error, the noise's variance and that of the weights."""

    def wrong(Phi, t, alpha, beta, phi, t_new):
        m, Sigma = posterior(Phi, t, alpha, beta)
        return formula(t_new - m @ phi, 1 / beta, phi @ Sigma @ phi)

    return wrong


PREDICTION = Exercise(
    id="7.14",
    title="The predictive distribution",
    source="PRML 7.14",
    stars=2,
    notebook="09",
    taught=(PREDICTED,),
    bring="exercise 7.9; (2.115) as in 7.11; means and covariances of sums of independent variables",
    task=r"""
The relevance vector machine once more: $N$ targets $\mathbf t$ with noise of precision $\beta$ around
$\boldsymbol\Phi\mathbf w$, and priors $\mathcal N(w_i\mid0,\alpha_i^{-1})$. Given $\boldsymbol\alpha$ and $\beta$,
predict the target $t$ at a new input with basis functions $\boldsymbol\phi$ (a vector of $M$ numbers). Average over
all weights, by their posterior:

$$
p(t\mid\boldsymbol\phi,\mathbf t,\boldsymbol\alpha,\beta)=
\int\mathcal N(t\mid\mathbf w^{\mathsf T}\boldsymbol\phi,\beta^{-1})\;\mathcal N(\mathbf w\mid\mathbf m,
\boldsymbol\Sigma)\,\mathrm d\mathbf w,\quad(7.90)
$$

where $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82) and
$\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$ (7.83),
$\mathbf A=\operatorname{diag}(\alpha_i)$, belong to the posterior of the weights. Show that this is a Gaussian, find
its mean, and find its variance, (7.91) in the book. To go a step beyond the book, do it for several new targets at
once.
""",
    steps=(
        Task(
            "7.14a",
            "return mean and covariance of K new targets together",
            new_rows,
            predict,
            route=("the joint Gaussian of old and new targets, conditioned on t", conditioned_joint),
            text=r"""
There are $K$ new inputs; row $k$ of $\boldsymbol\Phi_{\text{new}}$, shape `(K, M)`, holds the basis functions at the
$k$-th. Each new target has noise of its own, of precision $\beta$, independent of all others; the weights are the
same for all. Return the mean, shape `(K,)`, and the covariance, shape `(K, K)`, of the $K$ new targets given
$\mathbf t$. Where does the noise enter, and where not?
""",
            mistakes=(
                Mistake(
                    "noise shared by all",
                    predict_with(lambda P, Sigma, alpha, beta: 1 / beta + P @ Sigma @ P.T),
                    "the noise of one target knows nothing of another's: 1/beta stands on the diagonal only",
                ),
                Mistake(
                    "the noise forgotten",
                    predict_with(lambda P, Sigma, alpha, beta: P @ Sigma @ P.T),
                    "that is the covariance of the curve; a target has noise on top",
                ),
                Mistake(
                    "beta in the place of 1/beta",
                    predict_with(lambda P, Sigma, alpha, beta: beta * np.eye(len(P)) + P @ Sigma @ P.T),
                    "beta is a precision, the variance of the noise is 1/beta",
                ),
                Mistake(
                    "the prior in the place of the posterior",
                    predict_with(lambda P, Sigma, alpha, beta: np.eye(len(P)) / beta + (P / alpha) @ P.T),
                    "A^-1 is the weights' covariance before the data; after them it is Sigma",
                ),
                Mistake(
                    "independent predictions",
                    predict_with(
                        lambda P, Sigma, alpha, beta: np.diag(1 / beta + np.diag(P @ Sigma @ P.T)),
                    ),
                    "all new targets share the weights: if one weight is larger than thought, all of them feel it",
                ),
                Mistake(
                    "Sigma inverted",
                    predict_with(
                        lambda P, Sigma, alpha, beta: np.eye(len(P)) / beta + P @ np.linalg.inv(Sigma) @ P.T,
                    ),
                    "Sigma = (A + beta Phi'Phi)^-1 is the covariance itself",
                ),
                Mistake(
                    "the noise alone",
                    predict_with(lambda P, Sigma, alpha, beta: np.eye(len(P)) / beta),
                    "the weights are not known for certain: Phi_new Sigma Phi_new' is missing",
                ),
                Mistake(
                    "the precision returned",
                    predict_with(
                        lambda P, Sigma, alpha, beta: np.linalg.inv(np.eye(len(P)) / beta + P @ Sigma @ P.T)
                    ),
                    "the covariance is asked for, not its inverse",
                ),
                Mistake(
                    "the standard deviation of the noise",
                    predict_with(
                        lambda P, Sigma, alpha, beta: np.eye(len(P)) / np.sqrt(beta) + P @ Sigma @ P.T
                    ),
                    "covariances add, and the noise has the variance 1/beta",
                ),
                Mistake(
                    "beta missing in m",
                    lambda Phi, t, alpha, beta, Phi_new: predict(Phi, t / beta, alpha, beta, Phi_new),
                    "m = beta Sigma Phi't, by (7.82)",
                ),
            ),
            hints=(
                "Write the new targets as Phi_new w + noise, w and noise independent. Means and covariances add.",
                "Or use (2.115) with the posterior in the place of p(x): mu = m, Lambda^-1 = Sigma, G = Phi_new.",
                "Mean Phi_new m; covariance I/beta + Phi_new Sigma Phi_new'.",
            ),
        ),
        Task(
            "7.14b",
            "return ln p(t_new | t), all constants included",
            new_point,
            log_predictive,
            route=("p(t, t_new) / p(t), both by quadrature of (7.84)", ratio_of_evidences),
            text=r"""
Return $\ln p(t_{\text{new}}\mid\boldsymbol\phi,\mathbf t,\boldsymbol\alpha,\beta)$ of one new target, a number. The
check takes another road: a conditional probability is $p(\mathbf t,t_{\text{new}})/p(\mathbf t)$, a ratio of two
evidences, with $N+1$ points and with $N$.
""",
            mistakes=(
                Mistake(
                    "one w for all",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, 1 / noise)),
                    "this inserts w = m; the average over w makes the density wider by phi' Sigma phi",
                ),
                Mistake(
                    "the noise forgotten",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, 1 / spread)),
                    "phi' Sigma phi is the variance of the curve; the target has noise on top",
                ),
                Mistake(
                    "2 pi left out",
                    log_predictive_with(
                        lambda e, noise, spread: log_normal(e, 0, 1 / (noise + spread)) + LOG_2PI / 2
                    ),
                    "a density has to integrate to 1, and the constant counts here",
                ),
                Mistake(
                    "variance without its root",
                    log_predictive_with(
                        lambda e, noise, spread: (
                            log_normal(e, 0, 1 / (noise + spread)) - 0.5 * np.log(noise + spread)
                        ),
                    ),
                    "one over the root of 2 pi sigma^2 stands in front: -1/2 ln(2 pi) - 1/2 ln sigma^2",
                ),
                Mistake(
                    "precisions added",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, 1 / noise + 1 / spread)),
                    "in a sum of independent variables the variances add, not the precisions",
                ),
                Mistake(
                    "standard deviations added",
                    log_predictive_with(
                        lambda e, noise, spread: log_normal(e, 0, (np.sqrt(noise) + np.sqrt(spread)) ** -2.0),
                    ),
                    "in a sum of independent variables the variances add",
                ),
                Mistake(
                    "the square without its 1/2",
                    log_predictive_with(
                        lambda e, noise, spread: (
                            log_normal(e, 0, 1 / (noise + spread)) - 0.5 * e**2 / (noise + spread)
                        ),
                    ),
                    "the exponent of a Gaussian is -1/2 (t - mean)^2 / variance",
                ),
                Mistake(
                    "the prior in the place of the posterior",
                    lambda Phi, t, alpha, beta, phi, t_new: log_normal(
                        t_new,
                        phi @ posterior(Phi, t, alpha, beta)[0],
                        1 / (1 / beta + np.sum(phi**2 / alpha)),
                    ),
                    "A^-1 is the weights' covariance before the data; after them it is Sigma",
                ),
                Mistake(
                    "the mean forgotten",
                    lambda Phi, t, alpha, beta, phi, t_new: log_predictive_with(
                        lambda e, noise, spread: log_normal(t_new, 0, 1 / (noise + spread))
                    )(Phi, t, alpha, beta, phi, t_new),
                    "the new target is expected at m'phi, not at 0",
                ),
                Mistake(
                    "beta in the place of 1/beta",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, 1 / (1 / noise + spread))),
                    "beta is a precision, the variance of the noise is 1/beta",
                ),
                Mistake(
                    "sigma in the place of sigma^2",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, (noise + spread) ** -0.5)),
                    "1/beta + phi' Sigma phi is the variance already: take no root of it before it goes into N",
                ),
            ),
            hints=(
                "It is (a) with K = 1: a Gaussian with mean m'phi and variance 1/beta + phi' Sigma phi.",
                "ln N(t|mean, v) = -1/2 ln(2 pi v) - (t - mean)^2 / (2 v).",
            ),
        ),
        Claim(
            "7.14c",
            "say where the variance goes far away from all centres",
            "d",
            text=r"""
Let the basis functions be Gaussian kernels on the training points, and a bias, $\phi_M=1$, whose weight is the last
one. Walk away from all training points: what does the variance $\sigma^2(\mathbf x)$ of a new target there do?
""",
            options={
                "a": r"it grows without bound, for nothing is known there",
                "b": r"it goes to $\beta^{-1}+\alpha_M^{-1}$, what was believed of the bias before the data",
                "c": r"it goes to $\beta^{-1}$, for all kernels go to 0",
                "d": r"it goes to $\beta^{-1}+\Sigma_{MM}$, what is unknown of the bias",
                "e": r"it goes to $\beta^{-1}+\operatorname{Tr}\boldsymbol\Sigma$, what is unknown of all weights "
                r"together",
            },
            mistakes=(
                Mistake(
                    "what one would wish",
                    "a",
                    "look at phi' Sigma phi where all entries of phi but one are close to 0",
                ),
                Mistake(
                    "a Gaussian process",
                    "b",
                    "a process returns to its prior far from the data; the bias is the same everywhere, and the data "
                    "have told of it",
                ),
                Mistake(
                    "the bias forgotten",
                    "c",
                    "one entry of phi stays 1, wherever you go",
                ),
                Mistake(
                    "the weights without their functions",
                    "e",
                    "uncertain weights matter only as far as phi carries them: the term is phi' Sigma phi",
                ),
            ),
            hints=(
                "What are the entries of phi, exp(-gamma |x - x_n|^2) and the bias, far away from all x_n?",
                "phi goes to (0, ..., 0, 1). Which entry of Sigma does phi' Sigma phi pick out?",
            ),
        ),
    ),
    worked=r"""
**(a)** The integral (7.90) is the marginal of a linear Gaussian model: $\mathbf w$ has the density
$\mathcal N(\mathbf m,\boldsymbol\Sigma)$, and given $\mathbf w$ the new targets are
$\boldsymbol\Phi_{\text{new}}\mathbf w$ plus noise of covariance $\beta^{-1}\mathbf I$. By (2.115) with
$\boldsymbol\mu=\mathbf m$, $\boldsymbol\Lambda^{-1}=\boldsymbol\Sigma$, $\mathbf G=\boldsymbol\Phi_{\text{new}}$,
$\mathbf b=\mathbf 0$, $\mathbf L^{-1}=\beta^{-1}\mathbf I$ they are Gaussian, with

$$
\text{mean }\boldsymbol\Phi_{\text{new}}\mathbf m,
\qquad\text{covariance }\beta^{-1}\mathbf I+\boldsymbol\Phi_{\text{new}}
\boldsymbol\Sigma\boldsymbol\Phi_{\text{new}}^{\mathsf T}.
$$

On the diagonal stands (7.91),
$\sigma^2(\mathbf x)=\beta^{-1}+\boldsymbol\phi^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi$; beside it
$\boldsymbol\phi_j^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi_k$ without any noise. It can be seen without (2.115),
too: means and covariances of independent parts add,
$\boldsymbol\Phi_{\text{new}}\mathbf w$ has the covariance
$\boldsymbol\Phi_{\text{new}}\boldsymbol\Sigma\boldsymbol\Phi_{\text{new}}^{\mathsf T}$, and a linear
function of Gaussian variables is Gaussian.

**(b)** For a single new target

$$
\ln p(t_{\text{new}}\mid\boldsymbol\phi,\mathbf t,\boldsymbol\alpha,\beta)=-\tfrac12\ln\big(2\pi\sigma^2\big)-
\frac{(t_{\text{new}}-\mathbf m^{\mathsf T}\boldsymbol\phi)^2}{2\sigma^2},
\qquad\sigma^2=\beta^{-1}+\boldsymbol\phi^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi.
$$

The noise and the weights give one variance each. By the ratio that the check uses, the evidence of a data set is the
product of such predictions, each target predicted from those before it.

**(c)** Every kernel goes to 0, and the bias stays: $\boldsymbol\phi\to(0,\dots,0,1)^{\mathsf T}$. So
$\boldsymbol\phi^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi\to\Sigma_{MM}$, the variance of the bias after the data,
and $\sigma^2\to\beta^{-1}+\Sigma_{MM}$. Without a bias $\beta^{-1}$ alone would remain, the smallest value that the
variance can have: the machine is surest where it knows nothing.
""",
)


EXERCISES = (REESTIMATION, HYPERPRIORS, PREDICTION)
