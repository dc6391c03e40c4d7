"""PRML 7.12: The re-estimation equations."""

from itertools import islice

import numpy as np
from scipy.optimize import brentq, minimize, root

from sparsekm_edu.exercises.comparing import same
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import WIDE_AND_TALL, log_p, regression
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.prml_7_10 import least_error
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior

CLIMBED = "09, section 3", "09_rvm_regression.ipynb#3-Two-ways-up"
ONE_FUNCTION = "10, section 3", "10_sparsity.ipynb#3-Finite-or-infinite-·-core"
RATIOS = (1.3, 9), (1.02, 1.04), (0.96, 0.98), (0.1, 0.8)  # q^2 / s: wanted, hardly so, hardly not, not
AT_REST = 1e-4  # what an optimiser reaches, or a loop that stops when little moves; the known mistakes are farther off


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
    ratio = rng.uniform(*RATIOS[rng.choice(4, p=[0.4, 0.2, 0.2, 0.2])])
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
    for _ in range(10):
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


def computed_once(Phi, t, number=30):
    """The wrong answer to 7.12c that takes m and Sigma out of the loop."""
    alpha, (m, Sigma) = np.ones(Phi.shape[1]), posterior(Phi, t, np.ones(Phi.shape[1]), 1.0)
    for _ in range(number):
        gamma = 1 - alpha * np.diag(Sigma)
        alpha = new_alpha(gamma, m, np.diag(Sigma))
    return alpha, new_beta(len(t), gamma, np.sum((t - Phi @ m) ** 2))


def without_beta_in_m(Phi, t, number=8):
    """The wrong answer to 7.12c that forgets beta in (7.82): all precisions run to 0."""
    alpha, beta = np.ones(Phi.shape[1]), 1.0
    for _ in range(number):
        m, Sigma = posterior(Phi, t / beta, alpha, beta)
        gamma = 1 - alpha * np.diag(Sigma)
        alpha = new_alpha(gamma, m, np.diag(Sigma))
        beta = new_beta(len(t), gamma, np.sum((t - Phi @ m) ** 2))
    return alpha, beta


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


EXERCISE = Exercise(
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
            instances=WIDE_AND_TALL,
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
                    "the 1/2 of the first term counted in",
                    pieces_with(lambda alpha, variance, m: (0.5 - alpha * variance / 2, -alpha * m**2 / 2)),
                    "the first result is gamma_i/2 then: 1/2 from 1/2 sum ln alpha_i is known, and asked for is what "
                    "1/2 ln |Sigma| gives alone",
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
            instances=WIDE_AND_TALL,
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
                    "a weight that the prior holds counts less than 1: gamma_i = 1 - alpha_i Sigma_ii",
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
                    "E(m) in the place of beta/2 |t - Phi m|^2",
                    lambda *given: by_log_beta(*given) + np.sum(pieces(*given)[1]),
                    "either 1/2 m'Am was differentiated as well, where no beta is; or beta/2 t'(t - Phi m) was with m "
                    "held fixed, and this short form is not stationary in m",
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
                    "m and Sigma computed once",
                    computed_once,
                    "they depend on alpha and beta, so they belong inside the loop",
                ),
                Mistake(
                    "alpha and beta at 0",
                    without_beta_in_m,
                    "that is where they run if beta is missing in m = beta Sigma Phi't, (7.82)",
                    shows=lambda value, *given: max(np.abs(value[0]).max(), abs(value[1])) < 1e-9,
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
            instances=24,  # wanted or not, clearly or hardly, and both signs of q
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
                    "alpha upside down",
                    lambda phi, t, beta: 1 / best_alpha(phi, t, beta),
                    "alpha is a precision: a weight that is hardly wanted has a large alpha",
                    shows=lambda value, *given: (
                        np.isfinite(best_alpha(*given))
                        and np.isclose(value * best_alpha(*given), 1, rtol=1e-6)
                    ),
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
                Mistake(
                    "q or |q| compared with s",
                    best_alpha_with(lambda q, s: s**2 / (q**2 - s), lambda q, s: q > s),
                    "s^2/(q^2 - s) is positive for q^2 > s: compare the square of q with s",
                ),
                Mistake(
                    "q or |q| compared with s",
                    best_alpha_with(lambda q, s: s**2 / (q**2 - s), lambda q, s: abs(q) > s),
                    "s^2/(q^2 - s) is positive for q^2 > s: compare the square of q with s",
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

There the evidence is largest: its derivative by $\ln\alpha$,

$$
\frac12\cdot\frac{s(\alpha+s)-\alpha q^2}{(\alpha+s)^2}=\frac12\cdot\frac{s^2-\alpha\,(q^2-s)}{(\alpha+s)^2},
$$

is positive below this $\alpha$ and negative above. If $q^2\le s$, it is positive for every $\alpha$, and the best value
is $\alpha=\infty$: the function leaves the model. This is (7.101), met here for one function, and in section 7.2.2 for
one function among others.
""",
)
