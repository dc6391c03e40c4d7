"""PRML 7.14: The predictive distribution."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import (
    LOG_2PI,
    WIDE_AND_TALL,
    log_normal,
    log_p,
    quadrature,
    regression,
)
from sparsekm_edu.exercises.tasks import Mistake, Task
from sparsekm_edu.solvers import posterior

PREDICTED = "09, section 4", "09_rvm_regression.ipynb#4-Surest-where-it-knows-nothing"


def new_rows(rng):
    """A regression and one, two or three new rows of Phi."""
    instance = regression(rng)
    return *instance, rng.normal(size=(int(rng.integers(1, 4)), len(instance[2])))


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


EXERCISE = Exercise(
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
            instances=WIDE_AND_TALL,
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
            instances=WIDE_AND_TALL,
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
                    "the prior's prediction",
                    lambda Phi, t, alpha, beta, phi, t_new: log_normal(
                        t_new, 0, 1 / (1 / beta + np.sum(phi**2 / alpha))
                    ),
                    "that is what was expected of t_new before t was seen; after it the weights have m and Sigma",
                ),
                Mistake(
                    "p(t, t_new)",
                    lambda Phi, t, alpha, beta, phi, t_new: log_p(
                        np.vstack([Phi, phi]), np.append(t, t_new), alpha, beta
                    ),
                    "asked for is the density of t_new given t: take ln p(t) away",
                ),
                Mistake(
                    "no logarithm",
                    lambda *given: np.exp(log_predictive(*given)),
                    "that is the density itself; its logarithm is asked for",
                ),
                Mistake(
                    "sigma^2 in the place of sigma",
                    log_predictive_with(lambda e, noise, spread: log_normal(e, 0, (noise + spread) ** -2.0)),
                    "1/beta + phi' Sigma phi is the variance; what takes a scale, such as scipy's norm, wants its root",
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
