"""PRML 7.9: Mean and covariance of the weights."""

import numpy as np

from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import (
    WIDE_AND_TALL,
    guessed_regression,
    log_joint,
    quadrature,
    regression,
)
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior

TAUGHT = (("09, section 2", "09_rvm_regression.ipynb#2-The-weights-integrated-out"),)


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


EXERCISE = Exercise(
    id="7.9",
    title="Mean and covariance of the weights",
    source="PRML 7.9",
    stars=1,
    notebook="09",
    taught=TAUGHT,
    bring="the density of a Gaussian in M dimensions, and how to multiply out a quadratic form",
    task=r"""
The model of the relevance vector machine: $N$ targets $\mathbf t$, a design matrix $\boldsymbol\Phi$ with $N$ rows
and $M$ columns ($M$ may be larger than $N$), Gaussian noise of precision $\beta$, and for every weight a Gaussian
prior around 0 with a precision of its own,

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
            instances=WIDE_AND_TALL,
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
                    "alpha and beta taken for variances",
                    quadratic_with(
                        lambda Phi, alpha, beta: right_H(Phi, 1 / alpha, 1 / beta),
                        lambda Phi, t, beta: right_h(Phi, t, 1 / beta),
                    ),
                    "alpha_i and beta are precisions, and a Gaussian's exponent is -1/2 times its precision times "
                    "the square",
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
            instances=WIDE_AND_TALL,
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
                    "w0 added to Sigma Phi'B t",
                    weights_with(lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ Phi.T @ (beta * t) + w0),
                    "with very many data the guess must lose its influence: it belongs inside h, as A w0; or, after "
                    "v = w - w0, t must become t - Phi w0",
                ),
                Mistake(
                    "the mean of w - w0",
                    weights_with(
                        lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ Phi.T @ (beta * (t - Phi @ w0)),
                    ),
                    "with t - Phi w0 for the targets the weights are counted from w0, so add it again at the end",
                ),
                Mistake(
                    "beta missing in m",
                    weights_with(lambda Phi, t, w0, alpha, beta, Sigma: Sigma @ (Phi.T @ t + alpha * w0)),
                    "the mixed term of -beta_n/2 (t_n - (Phi w)_n)^2 carries beta_n as well",
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
