"""PRML 7.11: The evidence as the marginal of a linear Gaussian model."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import (
    LOG_2PI,
    WIDE_AND_TALL,
    guessed_regression,
    quadrature,
    regression,
)
from sparsekm_edu.exercises.practice.prml_7_09 import TAUGHT, weights
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior


def inverse_by_inverting(Phi, Sigma, beta):
    """alpha from Sigma by (7.83), then C, then its inverse."""
    A = np.linalg.inv(Sigma) - beta * Phi.T @ Phi
    return np.linalg.inv(np.eye(len(Phi)) / beta + Phi @ np.linalg.inv(A) @ Phi.T)


def log_det_of_a_C(Sigma, alpha, beta, N):
    """ln |C| of some Phi that has this Sigma: all of them have the same."""
    square, directions = np.linalg.eigh((np.linalg.inv(Sigma) - np.diag(alpha)) / beta)  # of Phi'Phi
    Phi = np.zeros((N, len(alpha)))
    rank = min(Phi.shape)  # the others are 0 but for rounding
    Phi[:rank] = np.sqrt(square[-rank:, None]) * directions[:, -rank:].T
    return np.linalg.slogdet(np.eye(N) / beta + Phi / alpha @ Phi.T)[1]


def log_density(Phi, t, w0, alpha, beta):
    """ln p(t | w0, alpha, beta), a number, with all its constants, from the mean and the covariance of t.

    Phi (N, M), t (N,); w0 (M,) and alpha (M,): means and precisions of the prior; beta (N,): precision of each target.
    """
    N = len(t)
    r = t - Phi @ w0  # the mean of t is Phi w0
    C_t = np.diag(1 / beta) + (Phi / alpha) @ Phi.T  # (7.86) with B^-1 for I / beta
    return -0.5 * (N * np.log(2 * np.pi) + np.linalg.slogdet(C_t)[1] + r @ np.linalg.solve(C_t, r))  # (7.85)


def log_density_with(formula):
    """The wrong answers to 7.11b that have the right C: a formula of N, ln |C|, r'C^-1 r and r'Cr."""

    def wrong(Phi, t, w0, alpha, beta):
        r, C_t = t - Phi @ w0, np.diag(1 / beta) + (Phi / alpha) @ Phi.T
        return formula(len(t), np.linalg.slogdet(C_t)[1], r @ np.linalg.inv(C_t) @ r, r @ C_t @ r)

    return wrong


def inverse_of_C(Phi, Sigma, beta):
    """C^-1 (N, N) from Phi (N, M), Sigma (M, M) and beta, one number."""
    N = len(Phi)
    return beta * np.eye(N) - beta**2 * Phi @ Sigma @ Phi.T


def log_det_of_C(Sigma, alpha, beta, N):
    """ln |C|, a number, from Sigma (M, M), alpha (M,), beta and the number N of targets."""
    return -N * np.log(beta) - np.sum(np.log(alpha)) - np.linalg.slogdet(Sigma)[1]


def sigma_and_more(rng):
    """Phi, Sigma, beta."""
    Phi, t, alpha, beta = regression(rng)
    return Phi, posterior(Phi, t, alpha, beta)[1], beta


def sigma_and_N(rng):
    """Sigma, alpha, beta, N."""
    Phi, t, alpha, beta = regression(rng)
    return posterior(Phi, t, alpha, beta)[1], alpha, beta, len(t)


def log_det_with(on_N, on_alpha, on_Sigma):
    """The wrong answers to 7.11d: other factors in front of the three terms."""
    return lambda Sigma, alpha, beta, N: (
        on_N(N, len(alpha)) * np.log(beta)
        + on_alpha * np.log(alpha).sum()
        + on_Sigma * np.linalg.slogdet(Sigma)[1]
    )


EXERCISE = Exercise(
    id="7.11",
    title="The evidence as the marginal of a linear Gaussian model",
    source="PRML 7.11",
    stars=2,
    notebook="09",
    taught=TAUGHT,
    bring="exercise 7.10, whose result is found again by another road",
    task=r"""
A general result on Gaussians. Let $\mathbf x$ be Gaussian, and let $\mathbf y$, given $\mathbf x$, be Gaussian around
a linear function of $\mathbf x$:

$$
p(\mathbf x)=\mathcal N(\mathbf x\mid\boldsymbol\mu,\boldsymbol\Lambda^{-1})\quad(2.113),
\qquad p(\mathbf y\mid\mathbf x)=\mathcal N(\mathbf y\mid\mathbf G\mathbf x+\mathbf b,\mathbf L^{-1})\quad(2.114).
$$

(The book calls the matrix $\mathbf G$ by the letter $\mathbf A$. Here $\mathbf A=\operatorname{diag}(\alpha_i)$ is
taken.) Then the marginal density of $\mathbf y$ is

$$
p(\mathbf y)=\mathcal N\big(\mathbf y\mid\mathbf G\boldsymbol\mu+\mathbf b,\;\mathbf L^{-1}+
\mathbf G\boldsymbol\Lambda^{-1}\mathbf G^{\mathsf T}\big).\quad(2.115)
$$

In the relevance vector machine the weights have the priors $\mathcal N(w_i\mid0,\alpha_i^{-1})$ (7.80), and the
targets are $\mathcal N\big(t_n\mid(\boldsymbol\Phi\mathbf w)_n,\beta^{-1}\big)$ (7.79), with a matrix
$\boldsymbol\Phi$ of $N$ rows and $M$ columns. Use the result to derive the evidence (7.85), (7.86) once more: first
find out who is who (a), then write it down, for the general model of 7.9 (b). Exercise 7.10 gave the same number from
$M\times M$ matrices; (c) and (d) show that both agree.
""",
    steps=(
        Claim(
            "7.11a",
            "say what x, y, mu, Lambda, G, b and L of (2.115) are in the relevance vector machine",
            "d",
            text=r"""
In the model (7.79), (7.80): who is who? ($\mathbf A=\operatorname{diag}(\alpha_i)$, and $\mathbf b=\mathbf 0$ in all
of them.)
""",
            options={
                "a": r"$\mathbf x=\mathbf w$, $\mathbf y=\mathbf t$, $\boldsymbol\mu=\mathbf 0$, "
                r"$\boldsymbol\Lambda=\mathbf A^{-1}$, $\mathbf G=\boldsymbol\Phi$, "
                r"$\mathbf L=\beta^{-1}\mathbf I$",
                "b": r"$\mathbf x=\mathbf w$, $\mathbf y=\mathbf t$, $\boldsymbol\mu=\mathbf m$, "
                r"$\boldsymbol\Lambda=\boldsymbol\Sigma^{-1}$, $\mathbf G=\boldsymbol\Phi$, "
                r"$\mathbf L=\beta\mathbf I$",
                "c": r"$\mathbf x=\mathbf w$, $\mathbf y=\mathbf t$, $\boldsymbol\mu=\mathbf 0$, "
                r"$\boldsymbol\Lambda=\mathbf A$, $\mathbf G=\boldsymbol\Phi^{\mathsf T}$, "
                r"$\mathbf L=\beta\mathbf I$",
                "d": r"$\mathbf x=\mathbf w$, $\mathbf y=\mathbf t$, $\boldsymbol\mu=\mathbf 0$, "
                r"$\boldsymbol\Lambda=\mathbf A$, $\mathbf G=\boldsymbol\Phi$, $\mathbf L=\beta\mathbf I$",
                "e": r"$\mathbf x=\mathbf t$, $\mathbf y=\mathbf w$, $\boldsymbol\mu=\mathbf 0$, "
                r"$\boldsymbol\Lambda=\beta\mathbf I$, $\mathbf G=\boldsymbol\Phi^{\mathsf T}$, "
                r"$\mathbf L=\mathbf A$",
            },
            mistakes=(
                Mistake(
                    "variances for precisions",
                    "a",
                    "(2.113) and (2.114) have Lambda^-1 and L^-1 as covariances; alpha_i and beta are precisions",
                ),
                Mistake(
                    "the posterior for the prior",
                    "b",
                    "p(x) is what is known of w before t is seen; m and Sigma have used t already",
                ),
                Mistake(
                    "Phi the wrong way round",
                    "c",
                    "G x must be a vector of N targets, and Phi has N rows and M columns",
                ),
                Mistake(
                    "cause and effect mixed up",
                    "e",
                    "the weights are drawn first, and the targets given the weights: y is what we marginalise "
                    "down to",
                ),
            ),
            hints=(
                "What is integrated out is x. In (7.84) that is w.",
                "Compare covariances: Lambda^-1 = A^-1 (so Lambda = ?), L^-1 = I / beta (so L = ?).",
            ),
        ),
        Task(
            "7.11b",
            "return ln p(t) for a prior around w0 and a noise precision beta_n for each target",
            guessed_regression,
            log_density,
            instances=WIDE_AND_TALL,
            route=(
                "quadrature of (7.84)",
                lambda Phi, t, w0, alpha, beta: quadrature(Phi, t, alpha, beta, w0)[0],
            ),
            text=r"""
Take the general model of 7.9b again: the prior $\mathcal N(w_i\mid w_{0i},\alpha_i^{-1})$ and the precision $\beta_n$
for target $n$. Return $\ln p(\mathbf t)$ by (2.115), with all constants. The check integrates over $\mathbf w$
instead. For $\mathbf w_0=\mathbf 0$ and equal $\beta_n$ it has to become (7.85) with (7.86).
""",
            mistakes=(
                Mistake(
                    "the mean of t forgotten",
                    lambda Phi, t, w0, alpha, beta: log_density(Phi, t, 0 * w0, alpha, beta),
                    "with a prior around w0 the targets are expected at Phi w0; (7.85) as printed has w0 = 0",
                ),
                Mistake(
                    "alpha in the place of 1/alpha",
                    lambda Phi, t, w0, alpha, beta: log_density(Phi, t, w0, 1 / alpha, beta),
                    "covariances add, and the covariance of w is A^-1: a tightly held weight adds little",
                ),
                Mistake(
                    "beta in the place of 1/beta",
                    lambda Phi, t, w0, alpha, beta: log_density(Phi, t, w0, alpha, 1 / beta),
                    "covariances add, and the noise of target n has the variance 1/beta_n",
                ),
                Mistake(
                    "C in the place of its inverse",
                    log_density_with(
                        lambda N, log_det, square, other: -0.5 * (N * LOG_2PI + log_det + other)
                    ),
                    "the exponent of a Gaussian holds the inverse of its covariance",
                ),
                Mistake(
                    "the sign of ln |C|",
                    log_density_with(lambda N, log_det, square, _: -0.5 * (N * LOG_2PI - log_det + square)),
                    "a wider density is lower: |C|^(-1/2) stands in front",
                ),
                Mistake(
                    "2 pi left out",
                    log_density_with(lambda N, log_det, square, _: -0.5 * (log_det + square)),
                    "the constant of a Gaussian in N dimensions is (2 pi)^(-N/2) |C|^(-1/2)",
                ),
                Mistake(
                    "one 2 pi for all",
                    log_density_with(lambda N, log_det, square, _: -0.5 * (LOG_2PI + log_det + square)),
                    "a Gaussian in N dimensions has N factors of 2 pi",
                ),
                Mistake(
                    "1/2 missing in front of ln |C|",
                    log_density_with(lambda N, log_det, square, _: -0.5 * (N * LOG_2PI + square) - log_det),
                    "|C| stands under a root",
                ),
                Mistake(
                    "ln |C| forgotten",
                    log_density_with(lambda N, log_det, square, _: -0.5 * (N * LOG_2PI + square)),
                    "the constant of a Gaussian in N dimensions is (2 pi)^(-N/2) |C|^(-1/2)",
                ),
                Mistake(
                    "alpha and beta for their inverses",
                    lambda Phi, t, w0, alpha, beta: log_density(Phi, t, w0, 1 / alpha, 1 / beta),
                    "covariances add, and alpha_i and beta_n are precisions: C = diag(1/beta_n) + Phi A^-1 Phi'",
                ),
                Mistake(
                    "one mean precision for all targets",
                    lambda Phi, t, w0, alpha, beta: log_density(
                        Phi, t, w0, alpha, np.full(len(t), beta.mean())
                    ),
                    "each target keeps its own variance 1/beta_n, on the diagonal",
                ),
                Mistake(
                    "no logarithm",
                    lambda *given: np.exp(log_density(*given)),
                    "that is p(t) itself; its logarithm is asked for",
                ),
                Mistake(
                    "the posterior mean for w0",
                    lambda Phi, t, w0, alpha, beta: log_density(
                        Phi, t, weights(Phi, t, w0, alpha, beta)[0], alpha, beta
                    ),
                    "mu is what was believed of w before t was seen; m has used t already",
                ),
            ),
            hints=(
                "By (2.115) the mean of t is Phi w0. Its covariance is the noise's plus that of the weights seen "
                "through Phi.",
                "C = diag(1/beta_n) + Phi A^-1 Phi'. Then -1/2 {N ln 2 pi + ln |C| + r'C^-1 r} with r = t - Phi w0.",
            ),
        ),
        Task(
            "7.11c",
            "return C^-1 from Phi, Sigma and beta",
            sigma_and_more,
            inverse_of_C,
            instances=WIDE_AND_TALL,
            route=("the inverse of the N x N matrix C", inverse_by_inverting),
            text=r"""
Back to the book's model, $\mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}$
(7.86). The result of 7.10 knows only
$\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$. So express $\mathbf C^{-1}$ by
$\boldsymbol\Phi$, $\boldsymbol\Sigma$ and $\beta$ alone ($\boldsymbol\alpha$ is not given) and return it, shape
`(N, N)`. The tool is (C.7),

$$
(\mathbf P+\mathbf Q\mathbf R^{-1}\mathbf S)^{-1}=
\mathbf P^{-1}-\mathbf P^{-1}\mathbf Q(\mathbf R+\mathbf S\mathbf P^{-1}\mathbf Q)^{-1}\mathbf S\mathbf P^{-1}.
$$

(The book writes $\mathbf A$, $\mathbf B$, $\mathbf D$, $\mathbf C$ for $\mathbf P$, $\mathbf Q$, $\mathbf R$,
$\mathbf S$. Here $\mathbf A$ and $\mathbf C$ are taken.)
""",
            mistakes=(
                Mistake(
                    "plus in the place of minus",
                    lambda Phi, Sigma, beta: beta * np.eye(len(Phi)) + beta**2 * Phi @ Sigma @ Phi.T,
                    "C is larger than the noise alone, so its inverse is smaller than beta I",
                ),
                Mistake(
                    "beta in the place of beta^2",
                    lambda Phi, Sigma, beta: beta * np.eye(len(Phi)) - beta * Phi @ Sigma @ Phi.T,
                    "P^-1 = beta I stands on both sides of the last term",
                ),
                Mistake(
                    "1/beta in the place of beta",
                    lambda Phi, Sigma, beta: np.eye(len(Phi)) / beta - Phi @ Sigma @ Phi.T / beta**2,
                    "P = I/beta is in C, and P^-1 = beta I in its inverse",
                ),
                Mistake(
                    "the covariance of a prediction",
                    lambda Phi, Sigma, beta: np.eye(len(Phi)) / beta + Phi @ Sigma @ Phi.T,
                    "this is C with Sigma for A^-1, what (7.91) needs; its inverse was not taken, and Sigma is not "
                    "A^-1",
                ),
                Mistake(
                    "Sigma for A^-1",
                    lambda Phi, Sigma, beta: np.linalg.inv(np.eye(len(Phi)) / beta + Phi @ Sigma @ Phi.T),
                    "C holds A^-1, what was known of w before the data; Sigma comes in by (C.7) alone",
                ),
                Mistake(
                    "the last term without beta^2",
                    lambda Phi, Sigma, beta: beta * np.eye(len(Phi)) - Phi @ Sigma @ Phi.T,
                    "P^-1 = beta I stands on both sides of the last term",
                ),
                Mistake(
                    "Sigma inverted",
                    lambda Phi, Sigma, beta: (
                        beta * np.eye(len(Phi)) - beta**2 * Phi @ np.linalg.inv(Sigma) @ Phi.T
                    ),
                    "(R + S P^-1 Q)^-1 is (A + beta Phi'Phi)^-1, and that is Sigma itself",
                ),
                Mistake(
                    "I in the place of beta I",
                    lambda Phi, Sigma, beta: np.eye(len(Phi)) - beta**2 * Phi @ Sigma @ Phi.T,
                    "P^-1 = beta I is the first term, too",
                ),
                Mistake(
                    "beta in every entry",
                    lambda Phi, Sigma, beta: beta - beta**2 * Phi @ Sigma @ Phi.T,
                    "numpy adds a number to every entry; P^-1 = beta I is diagonal, so write beta * np.eye(N)",
                ),
            ),
            hints=(
                "Choose P = I/beta, Q = Phi, R = A, S = Phi'. What is R + S P^-1 Q?",
                "R + S P^-1 Q = A + beta Phi'Phi = Sigma^-1. Now put P^-1 = beta I in its three places.",
            ),
        ),
        Task(
            "7.11d",
            "return ln |C| from Sigma, alpha, beta and N",
            sigma_and_N,
            log_det_of_C,
            instances=WIDE_AND_TALL,
            route=("ln |C| of a Phi that has this Sigma", log_det_of_a_C),
            text=r"""
The other term: return $\ln|\mathbf C|$. Given are $\boldsymbol\Sigma$, $\boldsymbol\alpha$, $\beta$ and $N$, but not
$\boldsymbol\Phi$. The tool is (C.14), for a matrix $\mathbf U$ and a matrix $\mathbf V$, both $N\times M$:

$$|\mathbf I_N+\mathbf U\mathbf V^{\mathsf T}|=|\mathbf I_M+\mathbf U^{\mathsf T}\mathbf V|.$$

(The book writes $\mathbf A$ and $\mathbf B$ for $\mathbf U$ and $\mathbf V$.)
""",
            mistakes=(
                Mistake(
                    "the sign of ln |Sigma|",
                    log_det_with(lambda N, M: -N, -1, 1),
                    "|C| holds |Sigma^-1|, and ln |Sigma^-1| = -ln |Sigma|",
                ),
                Mistake(
                    "the sign of sum ln alpha",
                    log_det_with(lambda N, M: -N, 1, -1),
                    "|A + beta Phi'Phi| = |A| |I + ...|, so |A| has to be divided out again",
                ),
                Mistake(
                    "the sign of N ln beta",
                    log_det_with(lambda N, M: N, -1, -1),
                    "the noise has the variance 1/beta: |I/beta| = beta^(-N)",
                ),
                Mistake(
                    "M in the place of N",
                    log_det_with(lambda N, M: -M, -1, -1),
                    "C is an N x N matrix, and a factor 1/beta goes to each of its rows",
                ),
                Mistake(
                    "one beta for all rows",
                    log_det_with(lambda N, M: -1, -1, -1),
                    "|c C| = c^N |C| for an N x N matrix",
                ),
                Mistake(
                    "ln |A| forgotten",
                    log_det_with(lambda N, M: -N, 0, -1),
                    "|I + beta A^-1 Phi'Phi| = |A^-1| |A + beta Phi'Phi|",
                ),
                Mistake(
                    "no logarithm",
                    lambda *given: np.exp(log_det_of_C(*given)),
                    "that is |C| itself; its logarithm is asked for",
                ),
            ),
            hints=(
                "Take 1/beta out of every row: |C| = beta^(-N) |I + beta Phi A^-1 Phi'|.",
                "(C.14) with U = beta Phi and V = Phi A^-1: the determinant is |I + beta Phi'Phi A^-1|.",
                "And |I + beta Phi'Phi A^-1| = |A + beta Phi'Phi| |A^-1| = 1 / (|Sigma| |A|).",
            ),
        ),
    ),
    worked=r"""
**(a)** The weights come first and are integrated out, so $\mathbf x=\mathbf w$ and $\mathbf y=\mathbf t$. From
(7.80), $\boldsymbol\mu=\mathbf 0$ and $\boldsymbol\Lambda^{-1}=\mathbf A^{-1}$; from (7.79),
$\mathbf G=\boldsymbol\Phi$, $\mathbf b=\mathbf 0$ and $\mathbf L^{-1}=\beta^{-1}\mathbf I$. Then (2.115) says at once

$$
p(\mathbf t)=\mathcal N(\mathbf t\mid\mathbf 0,\mathbf C)\quad(7.85),
\qquad\mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}.\quad(7.86)
$$

**(b)** With a prior around $\mathbf w_0$ it is $\boldsymbol\mu=\mathbf w_0$, and with a precision for each target
$\mathbf L=\mathbf B=\operatorname{diag}(\beta_n)$. The mean is $\boldsymbol\Phi\mathbf w_0$, the covariance
$\mathbf C=\mathbf B^{-1}+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}$:

$$
\ln p(\mathbf t)=-\tfrac12\big\{N\ln(2\pi)+\ln|\mathbf C|+\mathbf r^{\mathsf T}\mathbf C^{-1}\mathbf r\big\},
\qquad\mathbf r=\mathbf t-\boldsymbol\Phi\mathbf w_0.
$$

In words: a target is its mean, plus noise, plus uncertain weights seen through $\boldsymbol\Phi$. The last two are
independent, and their covariances add.

**(c)** In (C.7) take $\mathbf P=\beta^{-1}\mathbf I$, $\mathbf Q=\boldsymbol\Phi$, $\mathbf R=\mathbf A$,
$\mathbf S=\boldsymbol\Phi^{\mathsf T}$. The inner bracket is
$\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi=\boldsymbol\Sigma^{-1}$, and

$$\mathbf C^{-1}=\beta\mathbf I-\beta^2\boldsymbol\Phi\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}.$$

The third term of (7.85) is then twice the number of 7.10a:

$$
\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t=\beta\mathbf t^{\mathsf T}\mathbf t
-\beta\mathbf t^{\mathsf T}\boldsymbol\Phi(\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t)
=\beta\mathbf t^{\mathsf T}(\mathbf t-\boldsymbol\Phi\mathbf m)=2E(\mathbf m).
$$

**(d)** Take $\beta^{-1}$ out of the $N$ rows, turn the product round by (C.14), and take $\mathbf A^{-1}$ out on the
right:

$$
|\mathbf C|=\beta^{-N}|\mathbf I_N+\beta\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}|=
\beta^{-N}|\mathbf I_M+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi\mathbf A^{-1}|=
\beta^{-N}|\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi|\,|\mathbf A|^{-1},
$$

$$\ln|\mathbf C|=-N\ln\beta-\ln|\boldsymbol\Sigma|-\sum_i\ln\alpha_i.$$

With (c) and (d), (7.85) is term by term the result of 7.10c. One needs an $N\times N$ matrix, the other an
$M\times M$ one: take the smaller.
""",
)
