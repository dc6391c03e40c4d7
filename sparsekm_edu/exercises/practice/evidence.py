"""PRML 7.9 to 7.11: the posterior of the relevance vector machine's weights, and its evidence on two roads."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import (
    LOG_2PI,
    guessed_regression,
    log_joint,
    quadrature,
    regression,
)
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior

TAUGHT = (("09, section 2", "09_rvm_regression.ipynb#2-The-weights-integrated-out"),)


# ---- 7.9 ------------------------------------------------------------------------------------------------


def quadratic_by_differences(Phi, t, alpha, beta):
    """Gradient at 0, and minus the second differences: exact, as the function is quadratic."""

    def f(w):
        return log_joint(w, Phi, t, alpha, beta)

    unit = np.eye(len(alpha))
    h = np.array([(f(e) - f(-e)) / 2 for e in unit])
    H = -np.array([[f(e + d) - f(e) - f(d) + f(0 * e) for d in unit] for e in unit])
    return H, h


def quadratic(Phi, t, alpha, beta):
    """H (M, M), symmetric, and h (M,) of  ln p(t|w, beta) + ln p(w|alpha) = -1/2 w'Hw + w'h + const.

    Phi (N, M), t (N,), alpha (M,), beta one number.
    """
    H = np.diag(alpha) + beta * Phi.T @ Phi  # A from the prior, the rest from the likelihood
    h = beta * Phi.T @ t
    return H, h


def quadratic_with(matrix, vector):
    """The wrong answers to 7.9a: another H, another h."""
    return lambda Phi, t, alpha, beta: (matrix(Phi, alpha, beta), vector(Phi, t, beta))


def right_H(Phi, alpha, beta):
    return np.diag(alpha) + beta * Phi.T @ Phi


def right_h(Phi, t, beta):
    return beta * Phi.T @ t


def weights(Phi, t, w0, alpha, beta):
    """Mean m (M,) and covariance Sigma (M, M) of the weights, given the targets.

    Phi (N, M), t (N,); w0 (M,) and alpha (M,): means and precisions of the prior; beta (N,): precision of each target.
    """
    Sigma = np.linalg.inv(np.diag(alpha) + Phi.T @ np.diag(beta) @ Phi)  # (7.83) with B for beta I
    m = Sigma @ (Phi.T @ (beta * t) + alpha * w0)  # (7.82) with A w0
    return m, Sigma


def weights_with(mean, covariance=lambda Sigma: Sigma):
    """The wrong answers to 7.9b: m from Phi, t, w0, alpha, beta and Sigma; something else for Sigma."""

    def wrong(Phi, t, w0, alpha, beta):
        Sigma = np.linalg.inv(np.diag(alpha) + (Phi.T * beta) @ Phi)
        return mean(Phi, t, w0, alpha, beta, Sigma), covariance(Sigma)

    return wrong


def right_mean(Phi, t, w0, alpha, beta, Sigma):
    return Sigma @ (Phi.T @ (beta * t) + alpha * w0)


POSTERIOR = Exercise(
    id="7.9",
    title="Mean and covariance of the weights",
    source="PRML 7.9",
    stars=1,
    notebook="09",
    taught=TAUGHT,
    bring="the density of a Gaussian in M dimensions, and how to multiply out a quadratic form",
    task=r"""
The model of the relevance vector machine: $N$ targets $\mathbf t$, a design matrix $\boldsymbol\Phi$ with $N$ rows
and $M$ columns, Gaussian noise of precision $\beta$, and for every weight a Gaussian prior around 0 with a precision
of its own,

$$
p(\mathbf t\mid\mathbf w,\beta)=\prod_{n=1}^N\mathcal N\big(t_n\mid(\boldsymbol\Phi\mathbf w)_n,\beta^{-1}\big)
\quad(7.79),\qquad p(\mathbf w\mid\boldsymbol\alpha)=\prod_{i=1}^M\mathcal N(w_i\mid 0,\alpha_i^{-1})\quad(7.80).
$$

Show that the posterior of the weights, $p(\mathbf w\mid\mathbf t,\boldsymbol\alpha,\beta)$, is a Gaussian, and find
its mean and covariance, (7.82) and (7.83) in the book. By Bayes' theorem its logarithm is
$\ln p(\mathbf t\mid\mathbf w,\beta)+\ln p(\mathbf w\mid\boldsymbol\alpha)$ but for a constant. So collect there what
is quadratic in $\mathbf w$ and what is linear (a), and read mean and covariance off (b), at once for a model that is
a little more general.
""",
    steps=(
        Task(
            "7.9a",
            "return H and h of ln p(t|w, beta) + ln p(w|alpha) = -1/2 w'Hw + w'h + const",
            regression,
            quadratic,
            route=("differences of ln p(t|w) + ln p(w)", quadratic_by_differences),
            text=r"""
As a function of $\mathbf w$,

$$
\ln p(\mathbf t\mid\mathbf w,\beta)+\ln p(\mathbf w\mid\boldsymbol\alpha)=-\tfrac12\mathbf w^{\mathsf T}
\mathbf H\mathbf w+\mathbf w^{\mathsf T}\mathbf h+\text{const}.
$$

Return the symmetric matrix $\mathbf H$, shape `(M, M)`, and the vector $\mathbf h$, shape `(M,)`. Mind the
$\tfrac12$: it is part of the form, not of $\mathbf H$.
""",
            mistakes=(
                Mistake(
                    "1/alpha in the place of alpha",
                    quadratic_with(lambda Phi, alpha, beta: right_H(Phi, 1 / alpha, beta), right_h),
                    "alpha_i is a precision: the exponent of N(w_i | 0, 1/alpha_i) is -1/2 alpha_i w_i^2",
                ),
                Mistake(
                    "beta missing in h",
                    quadratic_with(right_H, lambda Phi, t, beta: Phi.T @ t),
                    "the mixed term of -beta/2 |t - Phi w|^2 carries beta as well",
                ),
                Mistake(
                    "beta missing in H",
                    quadratic_with(lambda Phi, alpha, beta: right_H(Phi, alpha, 1.0), right_h),
                    "the square of -beta/2 |t - Phi w|^2 carries beta as well",
                ),
                Mistake(
                    "the variance 1/beta in the place of beta",
                    quadratic_with(
                        lambda Phi, alpha, beta: right_H(Phi, alpha, 1 / beta),
                        lambda Phi, t, beta: right_h(Phi, t, 1 / beta),
                    ),
                    "beta is a precision: the exponent is -beta/2 |t - Phi w|^2",
                ),
                Mistake(
                    "alpha added to whole columns",
                    quadratic_with(lambda Phi, alpha, beta: alpha + beta * Phi.T @ Phi, right_h),
                    "numpy adds a vector to every row of a matrix; A is diagonal, so write np.diag(alpha)",
                ),
                Mistake(
                    "the factor 1/2 inside H",
                    quadratic_with(lambda Phi, alpha, beta: right_H(Phi, alpha, beta) / 2, right_h),
                    "the form has its 1/2 outside: -1/2 w'Hw",
                ),
                Mistake(
                    "everything halved",
                    quadratic_with(
                        lambda Phi, alpha, beta: right_H(Phi, alpha, beta) / 2,
                        lambda Phi, t, beta: right_h(Phi, t, beta) / 2,
                    ),
                    "the 1/2 of the form stands outside H, and the mixed term -2 w'Phi't has used up the one of beta/2",
                ),
                Mistake(
                    "the prior forgotten",
                    quadratic_with(lambda Phi, alpha, beta: beta * Phi.T @ Phi, right_h),
                    "ln p(w|alpha) = -1/2 sum_i alpha_i w_i^2 + const is quadratic in w, too",
                ),
                Mistake(
                    "the minus inside H",
                    quadratic_with(lambda Phi, alpha, beta: -right_H(Phi, alpha, beta), right_h),
                    "the form has its minus outside: -1/2 w'Hw, so H is positive definite",
                ),
                Mistake(
                    "covariance and mean for H and h",
                    lambda Phi, t, alpha, beta: posterior(Phi, t, alpha, beta)[::-1],
                    "that is the end of the exercise, Sigma and m; asked for are the coefficients of the form",
                ),
                Mistake(
                    "twice the mixed term",
                    quadratic_with(right_H, lambda Phi, t, beta: 2 * right_h(Phi, t, beta)),
                    "|t - Phi w|^2 has the mixed term -2 w'Phi't, and the factor -beta/2 in front makes it beta "
                    "w'Phi't",
                ),
                Mistake(
                    "the sign of h",
                    quadratic_with(right_H, lambda Phi, t, beta: -right_h(Phi, t, beta)),
                    "minus times minus: -beta/2 times -2 w'Phi't is positive",
                ),
            ),
            hints=(
                "Write ln p(t|w) = -beta/2 |t - Phi w|^2 + const and ln p(w) = -1/2 sum_i alpha_i w_i^2 + const.",
                "|t - Phi w|^2 = t't - 2 w'Phi't + w'Phi'Phi w. The first term is constant, the second belongs to h.",
                "H has two parts: diag(alpha) from the prior, beta Phi'Phi from the likelihood. h = beta Phi't.",
            ),
        ),
        Task(
            "7.9b",
            "return m and Sigma for a prior around w0 and a noise precision beta_n for each target",
            guessed_regression,
            weights,
            route=(
                "quadrature over the weights",
                lambda Phi, t, w0, alpha, beta: quadrature(Phi, t, alpha, beta, w0)[1:],
            ),
            text=r"""
Now let the prior be $\mathcal N(w_i\mid w_{0i},\alpha_i^{-1})$, around a guess $\mathbf w_0$ that need not be 0, and
let every target have a noise precision $\beta_n$ of its own. Return the posterior's mean $\mathbf m$, shape `(M,)`,
and covariance $\boldsymbol\Sigma$, shape `(M, M)`. For $\mathbf w_0=\mathbf 0$ and all $\beta_n=\beta$ they become
(7.82) and (7.83), which exercise 7.10 prints. Look there when you are done.
""",
            mistakes=(
                Mistake(
                    "the guess w0 forgotten",
                    weights_with(lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ Phi.T @ (beta * t)),
                    "-1/2 alpha_i (w_i - w0_i)^2 has a term that is linear in w_i",
                ),
                Mistake(
                    "w0 added at the end",
                    weights_with(lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ Phi.T @ (beta * t) + w0),
                    "with very many data the guess must lose its influence; it belongs inside h, as A w0",
                ),
                Mistake(
                    "w0 without its precision",
                    weights_with(lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ (Phi.T @ (beta * t) + w0)),
                    "the linear term of -1/2 alpha_i (w_i - w0_i)^2 is alpha_i w0_i w_i",
                ),
                Mistake(
                    "w0 with the wrong sign",
                    weights_with(
                        lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ (Phi.T @ (beta * t) - alpha * w0)
                    ),
                    "minus times minus: the mixed term of -1/2 alpha_i (w_i - w0_i)^2 is +alpha_i w0_i w_i",
                ),
                Mistake(
                    "H returned for Sigma",
                    weights_with(right_mean, np.linalg.inv),
                    "the quadratic form of a Gaussian holds the inverse of its covariance",
                ),
                Mistake(
                    "h returned for m",
                    weights_with(
                        lambda Phi, t, w0, alpha, beta, Sigma: Phi.T @ (beta * t) + alpha * w0,
                    ),
                    "the linear term of a Gaussian's logarithm is w' Sigma^-1 m, so m = Sigma h",
                ),
                Mistake(
                    "variances 1/beta_n in the place of beta_n",
                    lambda Phi, t, w0, alpha, beta: weights(Phi, t, w0, alpha, 1 / beta),
                    "beta_n is a precision: a target with a large beta_n counts more",
                ),
                Mistake(
                    "variances 1/alpha_i in the place of alpha_i",
                    lambda Phi, t, w0, alpha, beta: weights(Phi, t, w0, 1 / alpha, beta),
                    "alpha_i is a precision, so alpha itself stands in Sigma^-1",
                ),
                Mistake(
                    "one mean precision for all targets",
                    lambda Phi, t, w0, alpha, beta: weights(Phi, t, w0, alpha, np.full(len(t), beta.mean())),
                    "each target keeps its own beta_n, on the diagonal of a matrix B",
                ),
            ),
            hints=(
                "Do (a) again with ln p(t|w) = -1/2 (t - Phi w)'B(t - Phi w) + const, B = diag(beta_n), and "
                "ln p(w) = -1/2 (w - w0)'A(w - w0) + const.",
                "ln N(w|m, Sigma) = -1/2 w'Sigma^-1 w + w'Sigma^-1 m + const. Compare it with your form, term "
                "by term.",
                "So Sigma = H^-1 and m = Sigma h, with H = A + Phi'B Phi and h = Phi'B t + A w0.",
            ),
        ),
    ),
    worked=r"""
**(a)** Only terms with $\mathbf w$ matter. From (7.79) and (7.80),

$$
\ln p(\mathbf t\mid\mathbf w,\beta)+\ln p(\mathbf w\mid\boldsymbol\alpha)=-\tfrac\beta2\|\mathbf t-
\boldsymbol\Phi\mathbf w\|^2-\tfrac12\mathbf w^{\mathsf T}\mathbf A\mathbf w+\text{const},
\qquad \mathbf A=\operatorname{diag}(\alpha_i).
$$

Multiply out,

$$
\|\mathbf t-\boldsymbol\Phi\mathbf w\|^2=\mathbf t^{\mathsf T}\mathbf t
-2\mathbf w^{\mathsf T}\boldsymbol\Phi^{\mathsf T}\mathbf t
+\mathbf w^{\mathsf T}\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi\mathbf w,
$$

and collect:

$$
-\tfrac12\mathbf w^{\mathsf T}\underbrace{(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)}_{\mathbf H}
\mathbf w+\mathbf w^{\mathsf T}\underbrace{\beta\boldsymbol\Phi^{\mathsf T}\mathbf t}_{\mathbf h}+\text{const}.
$$

**(b)** A Gaussian with mean $\mathbf m$ and covariance $\boldsymbol\Sigma$ has the logarithm

$$
-\tfrac12(\mathbf w-\mathbf m)^{\mathsf T}\boldsymbol\Sigma^{-1}(\mathbf w-\mathbf m)+\text{const}=-\tfrac12
\mathbf w^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf w+\mathbf w^{\mathsf T}\boldsymbol\Sigma^{-1}\mathbf m+
\text{const}.
$$

$\mathbf H$ is positive definite, since every $\alpha_i>0$; so there is such a Gaussian. For the book's model both
forms agree for all $\mathbf w$ only if

$$
\boldsymbol\Sigma=\mathbf H^{-1}=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}\quad(7.83),
\qquad \mathbf m=\boldsymbol\Sigma\mathbf h=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t\quad(7.82).
$$

With a prior around $\mathbf w_0$ and $\mathbf B=\operatorname{diag}(\beta_n)$ the exponent is

$$
-\tfrac12(\mathbf t-\boldsymbol\Phi\mathbf w)^{\mathsf T}\mathbf B(\mathbf t-\boldsymbol\Phi\mathbf w)
-\tfrac12(\mathbf w-\mathbf w_0)^{\mathsf T}\mathbf A(\mathbf w-\mathbf w_0),
$$

and the same two steps give

$$
\boldsymbol\Sigma=(\mathbf A+\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi)^{-1},
\qquad\mathbf m=\boldsymbol\Sigma(\boldsymbol\Phi^{\mathsf T}\mathbf B\mathbf t+\mathbf A\mathbf w_0).
$$

The mean is an average of what the data say and what the prior says, each weighted by its precision. Classification
needs exactly this $\mathbf B$, in (7.113).

*If you hold the book:* below (7.83) it calls $\boldsymbol\Phi$ a symmetric $(N+1)\times(N+1)$ kernel matrix. There
are $N$ targets; with the bias it is $N\times(N+1)$. And (7.79) writes $\beta^{-1}$ where (7.76) has $\beta$; the same
quantity is meant.
""",
)


# ---- 7.10 -----------------------------------------------------------------------------------------------


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


COMPLETED_SQUARE = Exercise(
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
                    "no 1/2 in front of the prior's part",
                    lambda Phi, t, m, beta: beta / 2 * (t + Phi @ m) @ (t - Phi @ m),
                    "the exponent of N(w_i | 0, 1/alpha_i) is -1/2 alpha_i w_i^2",
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


# ---- 7.11 -----------------------------------------------------------------------------------------------


def inverse_by_inverting(Phi, Sigma, beta):
    """alpha from Sigma by (7.83), then C, then its inverse."""
    A = np.linalg.inv(Sigma) - beta * Phi.T @ Phi
    return np.linalg.inv(np.eye(len(Phi)) / beta + Phi @ np.linalg.inv(A) @ Phi.T)


def log_det_of_a_C(Sigma, alpha, beta, N):
    """ln |C| of some Phi that has this Sigma: all of them have the same."""
    gram = (np.linalg.inv(Sigma) - np.diag(alpha)) / beta
    Phi = np.vstack([np.linalg.cholesky(gram).T, np.zeros((N - len(alpha), len(alpha)))])
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


MARGINAL = Exercise(
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


EXERCISES = (POSTERIOR, COMPLETED_SQUARE, MARGINAL)
