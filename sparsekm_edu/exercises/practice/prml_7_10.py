"""PRML 7.10: The evidence by completing the square."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import (
    LOG_2PI,
    WIDE_AND_TALL,
    log_joint,
    quadrature,
    regression,
)
from sparsekm_edu.exercises.practice.prml_7_09 import TAUGHT
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior


def least_error(Phi, t, alpha, beta):
    """The smallest E(w) as a least squares problem: rows of Phi and of the prior below each other."""
    rows = np.vstack([np.sqrt(beta) * Phi, np.diag(np.sqrt(alpha))])
    targets = np.concatenate([np.sqrt(beta) * t, np.zeros(len(alpha))])
    w = np.linalg.lstsq(rows, targets, rcond=None)[0]
    return 0.5 * np.sum((targets - rows @ w) ** 2)


def volume_by_quadrature(Phi, alpha, beta):
    """The integral of p(t | w) p(w) over its value at the top, with t = 0, where the top is w = 0."""
    t = np.zeros(len(Phi))
    return quadrature(Phi, t, alpha, beta)[0] - float(log_joint(0 * alpha, Phi, t, alpha, beta))


def with_mean(rng):
    """Phi, t, m, beta: a regression and the mean of its weights, without alpha."""
    Phi, t, alpha, beta = regression(rng)
    return Phi, t, posterior(Phi, t, alpha, beta)[0], beta


def least_error_around(Phi, t, m, beta):
    """The smallest E(w), with the alpha for which m is the smallest: the gradient of E vanishes there."""
    return least_error(Phi, t, beta * Phi.T @ (t - Phi @ m) / m, beta)


def rest_of_square(Phi, t, m, beta):
    """The number E(m): what is left of E(w) = beta/2 |t - Phi w|^2 + 1/2 w'Aw when the square is completed.

    Phi (N, M), t (N,), m (M,): the mean (7.82), beta one number. alpha is not given.
    """
    return beta / 2 * t @ (t - Phi @ m)


def log_volume(Phi, alpha, beta):
    """The logarithm of the integral of exp(-1/2 (w-m)'Sigma^-1 (w-m)) over all w, a number.

    Phi (N, M), alpha (M,), beta one number; Sigma^-1 = A + beta Phi'Phi. It does not depend on m.
    """
    M = len(alpha)
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    return M / 2 * np.log(2 * np.pi) + 0.5 * np.linalg.slogdet(Sigma)[1]


def log_volume_with(formula):
    """The wrong answers to 7.10b: a formula of N, M and ln |Sigma|."""

    def wrong(Phi, alpha, beta):
        log_det = -np.linalg.slogdet(np.diag(alpha) + beta * Phi.T @ Phi)[1]
        return formula(*Phi.shape, log_det)

    return wrong


def log_marginal(Phi, t, alpha, beta):
    """ln p(t | alpha, beta), a number, with all its constants; no N x N matrix is needed.

    Phi (N, M), t (N,), alpha (M,), beta one number.
    """
    N = len(t)
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    m = beta * Sigma @ Phi.T @ t  # (7.82)
    E_m = beta / 2 * np.sum((t - Phi @ m) ** 2) + 0.5 * np.sum(alpha * m**2)
    return (
        N / 2 * np.log(beta / (2 * np.pi))  # constant of the likelihood
        + 0.5 * np.sum(np.log(alpha))  # constant of the prior; its (2 pi)^(-M/2) cancels
        - E_m
        + 0.5 * np.linalg.slogdet(Sigma)[1]  # the Gaussian integral
    )


def log_marginal_with(formula):
    """The wrong answers to 7.10c: the right value and what is added to it, a formula of the terms."""

    def wrong(Phi, t, alpha, beta):
        m, Sigma = posterior(Phi, t, alpha, beta)
        penalty, log_det = 0.5 * np.sum(alpha * m**2), np.linalg.slogdet(Sigma)[1]
        return log_marginal(Phi, t, alpha, beta) + formula(*Phi.shape, alpha, beta, penalty, log_det)

    return wrong


EXERCISE = Exercise(
    id="7.10",
    title="The evidence by completing the square",
    source="PRML 7.10",
    stars=2,
    notebook="09",
    taught=TAUGHT,
    bring="exercise 7.9; the Gaussian integral in M dimensions",
    task=r"""
The regression model of exercise 7.9: $N$ targets with Gaussian noise,
$p(t_n\mid\mathbf w,\beta)=\mathcal N\big(t_n\mid(\boldsymbol\Phi\mathbf w)_n,\beta^{-1}\big)$, and $M$ weights with
the priors $\mathcal N(w_i\mid0,\alpha_i^{-1})$. Its evidence, or marginal likelihood, is

$$
p(\mathbf t\mid\boldsymbol\alpha,\beta)=\int p(\mathbf t\mid\mathbf w,\beta)\,p(\mathbf w\mid\boldsymbol\alpha)\,
\mathrm d\mathbf w.\quad(7.84)
$$

Do the integral by completing the square in the exponent, and arrive at (7.85),
$\ln\mathcal N(\mathbf t\mid\mathbf 0,\mathbf C)$. With the constants of both Gaussians in front, the integrand is

$$
\left(\frac{\beta}{2\pi}\right)^{N/2}(2\pi)^{-M/2}\prod_{i=1}^M\alpha_i^{1/2}\;e^{-E(\mathbf w)},
\qquad E(\mathbf w)=\tfrac\beta2\|\mathbf t-\boldsymbol\Phi\mathbf w\|^2+\tfrac12\mathbf w^{\mathsf T}
\mathbf A\mathbf w,\qquad\mathbf A=\operatorname{diag}(\alpha_i).
$$

Bring the exponent to the form
$E(\mathbf w)=E(\mathbf m)+\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)$,
where $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82) and
$\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$ (7.83) are mean and covariance of
the posterior, and go on from there, piece by piece. All logarithms are natural ones, and all constants count.
""",
    steps=(
        Task(
            "7.10a",
            "return E(m), what the completed square leaves over, from Phi, t, m and beta",
            with_mean,
            rest_of_square,
            instances=WIDE_AND_TALL,
            route=("the least E(w) by least squares", least_error_around),
            text=r"""
Complete the square:
$E(\mathbf w)=E(\mathbf m)+\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)$ with
$\mathbf m$ and $\boldsymbol\Sigma$ of (7.82) and (7.83). Return the number $E(\mathbf m)$. There are several forms of
it. Find one that needs only $\boldsymbol\Phi$, $\mathbf t$, $\mathbf m$ and $\beta$: neither $\boldsymbol\alpha$ nor
$\boldsymbol\Sigma$ is given.
""",
            mistakes=(
                Mistake(
                    "the prior's part forgotten",
                    lambda Phi, t, m, beta: beta / 2 * np.sum((t - Phi @ m) ** 2),
                    "E(m) holds 1/2 m'Am as well, and A m follows from (A + beta Phi'Phi) m = beta Phi't",
                ),
                Mistake(
                    "alpha taken for 1",
                    lambda Phi, t, m, beta: beta / 2 * np.sum((t - Phi @ m) ** 2) + m @ m / 2,
                    "each w_i^2 has its own alpha_i in front; A m follows from (A + beta Phi'Phi) m = beta Phi't",
                ),
                Mistake(
                    "beta/2 (|t|^2 - |Phi m|^2)",
                    lambda Phi, t, m, beta: beta / 2 * (t + Phi @ m) @ (t - Phi @ m),
                    "either m'Am lacks its 1/2, or this is Pythagoras as in least squares: with a prior the residual "
                    "is not orthogonal to Phi m",
                ),
                Mistake(
                    "plus m'Sigma^-1 m",
                    lambda Phi, t, m, beta: beta / 2 * t @ (t + Phi @ m),
                    "the square that you add inside has to be taken away outside: -1/2 m'Sigma^-1 m",
                ),
                Mistake(
                    "the square not taken away",
                    lambda Phi, t, m, beta: beta / 2 * t @ t,
                    "that is E(0); completing the square leaves beta/2 t't - 1/2 m'Sigma^-1 m",
                ),
                Mistake(
                    "m'Sigma^-1 m without its 1/2",
                    lambda Phi, t, m, beta: beta / 2 * t @ t - beta * t @ Phi @ m,
                    "1/2 (w-m)'Sigma^-1(w-m) holds 1/2 m'Sigma^-1 m",
                ),
                Mistake(
                    "beta forgotten",
                    lambda Phi, t, m, beta: t @ (t - Phi @ m) / 2,
                    "the squared error is measured in units of the noise: beta/2 |t - Phi m|^2",
                ),
            ),
            hints=(
                "Multiply out: the constant of E is beta/2 t't, that of the square 1/2 m'Sigma^-1 m. What is left over "
                "is their difference.",
                "Sigma^-1 m is known without alpha: look at (7.82).",
                "Sigma^-1 m = beta Phi't, so m'Sigma^-1 m = beta t'Phi m.",
            ),
        ),
        Task(
            "7.10b",
            "return the logarithm of the integral of exp(-1/2 (w-m)'Sigma^-1 (w-m)) over w",
            lambda rng: (lambda Phi, t, alpha, beta: (Phi, alpha, beta))(*regression(rng)),
            log_volume,
            instances=WIDE_AND_TALL,
            route=("quadrature over the weights", volume_by_quadrature),
            text=r"""
$E(\mathbf m)$ does not depend on $\mathbf w$ and leaves the integral. Return the logarithm of what remains,

$$
\ln\int\exp\{-\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)\}\,
\mathrm d\mathbf w.
$$
""",
            mistakes=(
                Mistake(
                    "the sign of ln |Sigma|",
                    log_volume_with(lambda N, M, log_det: M / 2 * LOG_2PI - log_det / 2),
                    "a wider Gaussian has a larger area under exp(-...), which is 1 at the top",
                ),
                Mistake(
                    "N in the place of M",
                    log_volume_with(lambda N, M, log_det: N / 2 * LOG_2PI + log_det / 2),
                    "the integral runs over the weights, and there are M of them",
                ),
                Mistake(
                    "2 pi forgotten",
                    log_volume_with(lambda N, M, log_det: log_det / 2),
                    "in one dimension the integral of exp(-w^2/2) is the root of 2 pi",
                ),
                Mistake(
                    "ln |Sigma| without its 1/2",
                    log_volume_with(lambda N, M, log_det: M / 2 * LOG_2PI + log_det),
                    "in one dimension it is the standard deviation, the root of the variance",
                ),
                Mistake(
                    "the constant of the density",
                    log_volume_with(lambda N, M, log_det: -M / 2 * LOG_2PI - log_det / 2),
                    "the constant in front of the density is one over this integral",
                ),
                Mistake(
                    "one 2 pi for all",
                    log_volume_with(lambda N, M, log_det: LOG_2PI / 2 + log_det / 2),
                    "there are M weights, and each of them gives a root of 2 pi",
                ),
                Mistake(
                    "no logarithm",
                    lambda *given: np.exp(log_volume(*given)),
                    "that is the integral itself; its logarithm is asked for",
                ),
            ),
            hints=(
                "Any Gaussian density integrates to 1: (2 pi)^(-M/2) |Sigma|^(-1/2) times your integral is 1.",
                "So it is (2 pi)^(M/2) |Sigma|^(1/2); take the logarithm, with np.linalg.slogdet(...)[1] for "
                "ln |...|.",
            ),
        ),
        Task(
            "7.10c",
            "return ln p(t|alpha, beta), all constants included",
            regression,
            log_marginal,
            instances=WIDE_AND_TALL,
            route=(
                "quadrature of (7.84)",
                lambda Phi, t, alpha, beta: quadrature(Phi, t, alpha, beta)[0],
            ),
            text=r"""
Put constants, $E(\mathbf m)$ and the integral together and return $\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)$. The
check integrates (7.84) numerically. One constant cancels: which? (No matrix larger than $M\times M$ is needed.)
""",
            mistakes=(
                Mistake(
                    "the sign of ln |Sigma|",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: -log_det),
                    "the integral of step b is a factor of p(t), so its logarithm is added: +1/2 ln |Sigma|",
                ),
                Mistake(
                    "the prior's constant forgotten",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: -0.5 * np.log(alpha).sum(),
                    ),
                    "N(w_i | 0, 1/alpha_i) begins with the root of alpha_i / (2 pi)",
                ),
                Mistake(
                    "the prior's constant with the wrong sign",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: -np.log(alpha).sum()),
                    "alpha_i is a precision: the root of alpha_i stands in the numerator",
                ),
                Mistake(
                    "the likelihood's beta forgotten",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: -N / 2 * np.log(beta),
                    ),
                    "every N(t_n | y_n, 1/beta) begins with the root of beta / (2 pi)",
                ),
                Mistake(
                    "one root of beta for all targets",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: -(N - 1) / 2 * np.log(beta),
                    ),
                    "every N(t_n | y_n, 1/beta) begins with the root of beta / (2 pi), and there are N of them",
                ),
                Mistake(
                    "one root of beta / (2 pi) for all targets",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: -(N - 1) / 2 * (np.log(beta) - LOG_2PI),
                    ),
                    "every N(t_n | y_n, 1/beta) begins with the root of beta / (2 pi), and there are N of them",
                ),
                Mistake(
                    "alpha taken for a variance",
                    lambda Phi, t, alpha, beta: log_marginal(Phi, t, 1 / alpha, beta),
                    "alpha_i is a precision: the covariance of w is A^-1, and C = I/beta + Phi A^-1 Phi'",
                ),
                Mistake(
                    "beta taken for a variance",
                    lambda Phi, t, alpha, beta: log_marginal(Phi, t, alpha, 1 / beta),
                    "beta is a precision: the noise has the variance 1/beta, and C = I/beta + Phi A^-1 Phi'",
                ),
                Mistake(
                    "alpha and beta taken for variances",
                    lambda Phi, t, alpha, beta: log_marginal(Phi, t, 1 / alpha, 1 / beta),
                    "alpha_i and beta are precisions, and C = I/beta + Phi A^-1 Phi'",
                ),
                Mistake(
                    "the M factors of 2 pi not cancelled",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: -M / 2 * LOG_2PI),
                    "(2 pi)^(-M/2) of the prior meets (2 pi)^(M/2) of the integral",
                ),
                Mistake(
                    "2 pi left out",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: N / 2 * LOG_2PI),
                    "the N factors of 2 pi of the likelihood stay: p(t) is a density of N numbers",
                ),
                Mistake(
                    "the integral forgotten",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: -0.5 * (M * LOG_2PI + log_det)
                    ),
                    "that is the height of p(t|w) p(w) at w = m; the volume of step b is a factor more",
                ),
                Mistake(
                    "ln |Sigma| forgotten",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: -0.5 * log_det),
                    "the integral of step b is (2 pi)^(M/2) times the root of |Sigma|",
                ),
                Mistake(
                    "E(m) with the wrong sign",
                    lambda *given: log_marginal(*given) + 2 * least_error(*given),
                    "the integrand holds exp(-E(w)): the worse the fit, the smaller p(t)",
                ),
                Mistake(
                    "no logarithm",
                    lambda *given: np.exp(log_marginal(*given)),
                    "that is p(t) itself; its logarithm is asked for",
                ),
                Mistake(
                    "the prior's part of E(m) forgotten",
                    log_marginal_with(lambda N, M, alpha, beta, penalty, log_det: penalty),
                    "E(m) holds 1/2 m'Am as well",
                ),
                Mistake(
                    "the likelihood of the best weights",
                    log_marginal_with(
                        lambda N, M, alpha, beta, penalty, log_det: (
                            penalty - 0.5 * log_det - 0.5 * np.log(alpha).sum()
                        ),
                    ),
                    "ln p(t|m) looks at one w only; the evidence averages over all of them",
                ),
            ),
            hints=(
                "p(t) is the product of four things: the likelihood's constant, the prior's, exp(-E(m)) and the "
                "integral of step b.",
                "In logarithms: N/2 ln(beta / 2 pi), 1/2 sum_i ln alpha_i - M/2 ln 2 pi, -E(m), M/2 ln 2 pi + 1/2 ln "
                "|Sigma|.",
            ),
        ),
        Claim(
            "7.10d",
            "say which term of yours is -1/2 t'C^-1 t in (7.85)",
            "c",
            text=r"""
The printed result is, with an $N\times N$ matrix $\mathbf C$,

$$
\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)=
-\tfrac12\{N\ln(2\pi)+\ln|\mathbf C|+\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t\}.\quad(7.85)
$$

Yours must be the same function of $\mathbf t$, for all $\mathbf t$. Which part of it is
$-\tfrac12\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t$?
""",
            options={
                "a": r"$-\tfrac\beta2\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2$ alone",
                "b": r"$-E(\mathbf m)+\tfrac12\ln|\boldsymbol\Sigma|$",
                "c": r"$-E(\mathbf m)$, no more and no less",
                "d": r"$+\tfrac12\mathbf m^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf m$",
                "e": r"$-\tfrac\beta2\mathbf t^{\mathsf T}\mathbf t$",
            },
            mistakes=(
                Mistake(
                    "m taken for a constant",
                    "a",
                    "1/2 m'Am is quadratic in t as well, for m = beta Sigma Phi't",
                ),
                Mistake(
                    "a term without t",
                    "b",
                    "neither t nor m occurs in Sigma; ln |Sigma| belongs to ln |C|",
                ),
                Mistake(
                    "half of the completed square",
                    "d",
                    "E(m) = beta/2 t't - 1/2 m'Sigma^-1 m has two parts, and both depend on t",
                ),
                Mistake(
                    "the noise alone",
                    "e",
                    "that would be so with C = I/beta, a model without any weights",
                ),
            ),
            hints=(
                "Which of your terms change if t does? m is a function of t, Sigma is not.",
                "m = beta Sigma Phi't is linear in t. So E(m) is quadratic in t, all of it, and nothing else depends "
                "on t.",
            ),
        ),
    ),
    worked=r"""
**(a)** By exercise 7.9,

$$
E(\mathbf w)=\tfrac\beta2\mathbf t^{\mathsf T}\mathbf t-\mathbf w^{\mathsf T}\mathbf h
+\tfrac12\mathbf w^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf w
$$

with $\mathbf h=\beta\boldsymbol\Phi^{\mathsf T}\mathbf t=\boldsymbol\Sigma^{-1}\mathbf m$. Add and take away the
missing square:

$$
E(\mathbf w)=\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)+\tfrac\beta2
\mathbf t^{\mathsf T}\mathbf t-\tfrac12\mathbf m^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf m.
$$

At $\mathbf w=\mathbf m$ the square vanishes, so the rest is $E(\mathbf m)$, which can be written in several ways:

$$
E(\mathbf m)=\tfrac\beta2\|\mathbf t-\boldsymbol\Phi\mathbf m\|^2+\tfrac12\mathbf m^{\mathsf T}\mathbf A\mathbf m=
\tfrac\beta2\mathbf t^{\mathsf T}\mathbf t-\tfrac12\mathbf m^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf m=
\tfrac\beta2\mathbf t^{\mathsf T}(\mathbf t-\boldsymbol\Phi\mathbf m).
$$

The last form uses $\boldsymbol\Sigma^{-1}\mathbf m=\beta\boldsymbol\Phi^{\mathsf T}\mathbf t$.

**(b)** The density $\mathcal N(\mathbf w\mid\mathbf m,\boldsymbol\Sigma)$ integrates to 1. Hence

$$
\int\exp\{-\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)\}\,
\mathrm d\mathbf w=(2\pi)^{M/2}|\boldsymbol\Sigma|^{1/2}.
$$

**(c)** Multiply constants, $e^{-E(\mathbf m)}$ and integral. The prior's $(2\pi)^{-M/2}$ and the integral's
$(2\pi)^{M/2}$ cancel. In logarithms,

$$
\ln p(\mathbf t\mid\boldsymbol\alpha,\beta)=
\tfrac N2\ln\beta-\tfrac N2\ln(2\pi)+\tfrac12\sum_i\ln\alpha_i-E(\mathbf m)+\tfrac12\ln|\boldsymbol\Sigma|.
$$

**(d)** It remains to recognise (7.85). $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ is
linear in $\mathbf t$, so $E(\mathbf m)=\tfrac\beta2\mathbf t^{\mathsf T}(\mathbf t-\boldsymbol\Phi\mathbf m)$ is a
quadratic form of $\mathbf t$ without a linear term, and $\mathbf t$ is nowhere else. So $p(\mathbf t)$ is a Gaussian
around $\mathbf 0$. Call its covariance $\mathbf C$; then
$E(\mathbf m)=\tfrac12\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t$.

The terms without $\mathbf t$ need no separate computation: a density of $\mathbf t$ with the exponent
$-\tfrac12\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t$ integrates to 1 only with the constant
$(2\pi)^{-N/2}|\mathbf C|^{-1/2}$. That is (7.85). Which matrix $\mathbf C$ is: exercise 7.11, where (c) shows that it
is (7.86), and (d) compares the constants.
""",
)
