"""Exercise 7.6: logistic regression in the form of the support vector machine."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.tasks import Mistake, Task


def sigma(a):
    return 1 / (1 + np.exp(-a))


def minus_log_probabilities(y, t):
    """Minus the log of the probability of every label, from p(t = 1|y) = sigma(y) alone, label by label."""
    return -np.log(np.where(t > 0, sigma(y), 1 - sigma(y)))


# ---- 7.6a: the error of one point -----------------------------------------------------------------------


def products(rng):
    """z_n = t_n y_n of some points, (N,)."""
    return (2 * rng.normal(size=int(rng.integers(4, 9))),)


def logistic_error(z):
    """Minus the log of the probability of the label, (N,), from the products z_n = t_n y_n (N,)."""
    return np.log(1 + np.exp(-z))  # (7.48)


def by_cases(z):
    t = np.where(np.arange(len(z)) % 2 == 0, 1.0, -1.0)
    return minus_log_probabilities(z * t, t)  # t y = z, as t^2 = 1


# ---- 7.6b: the weight of the penalty --------------------------------------------------------------------


def precision(rng):
    return (float(rng.uniform(0.2, 5.0)),)


def penalty_weight(alpha):
    """lambda of (7.47), if the prior of the weights is N(w | 0, I / alpha); alpha > 0 is one number."""
    return alpha / 2


def from_the_prior(alpha):
    from scipy.stats import multivariate_normal

    w = np.array([0.7, -1.1, 0.4])
    log_prior = multivariate_normal(np.zeros(3), np.eye(3) / alpha).logpdf
    return (log_prior(np.zeros(3)) - log_prior(w)) / (w @ w)  # what the constant leaves


# ---- 7.6c: its slopes -----------------------------------------------------------------------------------


def points_and_weights(rng):
    """w (M,), b, X (N, M), t (N,) of -1 and 1, lam."""
    N, M = int(rng.integers(5, 9)), int(rng.integers(2, 4))
    t = rng.permutation(np.where(np.arange(N) % 3 == 0, 1.0, -1.0))
    return rng.normal(size=M), float(rng.normal()), rng.normal(size=(N, M)), t, float(rng.uniform(0.2, 2.0))


def error_slopes(w, b, X, t, lam):
    """The derivatives of (7.47) with respect to w, (M,), and to b, a number, where y_n = w'x_n + b.

    w (M,); b; X (N, M), one point per row; t (N,) of -1 and 1; lam > 0.
    """
    z = t * (X @ w + b)
    pull = 1 / (1 + np.exp(z))  # sigma(-z_n) = -E'(z_n), between 0 and 1
    by_w = -X.T @ (pull * t) + 2 * lam * w
    by_b = -np.sum(pull * t)  # b has no penalty
    return by_w, by_b


def by_differences(w, b, X, t, lam):
    def error(wb):
        return np.sum(minus_log_probabilities(X @ wb[:-1] + wb[-1], t)) + lam * wb[:-1] @ wb[:-1]  # (7.47)

    slopes = derivative(error, np.append(w, b))
    return slopes[:-1], slopes[-1]


def slopes_with(pull, penalty=lambda w, b, lam: (2 * lam * w, 0.0)):
    """A wrong version of error_slopes: another pull(z, y, t), or another penalty."""

    def wrong(w, b, X, t, lam):
        y = X @ w + b
        pulled, (of_w, of_b) = pull(t * y, y, t), penalty(w, b, lam)
        return -X.T @ pulled + of_w, -np.sum(pulled) + of_b

    return wrong


EXERCISE = Exercise(
    id="7.6",
    title="Logistic regression in the clothes of the SVM",
    source="PRML 7.6",
    stars=1,
    notebook="04",
    taught=(("04, section 1", "04_losses_and_probabilities.ipynb#1-What-does-a-mistake-cost?"),),
    task=r"""
Logistic regression says how probable the label 1 is:

$$p(t=1\,|\,y)=\sigma(y)=\frac1{1+e^{-y}},\qquad y(\mathbf x)=\mathbf w^{\mathsf T}\mathbf x+b .$$

Labels are $t\in\{-1,1\}$ here, and points are independent. Weights have the prior
$p(\mathbf w)=\mathcal N(\mathbf w\,|\,\mathbf 0,\alpha^{-1}\mathbf I)$; $b$ has none. Show that minus the log of
likelihood times prior is, but for a constant,

$$\sum_{n=1}^N E(y_nt_n)+\lambda\lVert\mathbf w\rVert^2, \tag{7.47}$$

with *one* function $E$ for both labels, as in the support vector machine (7.44). Find $E$ and $\lambda$; then find
out what a point contributes to the solution.

(The book writes $E_{LR}$ for our $E$, and features $\boldsymbol\phi(\mathbf x)$ for our $\mathbf x$. It just adds the
penalty; that it comes from a prior is our addition. Section 1 of notebook 04 shows $E$; try to find it without.)
""",
    bring="the sigmoid and its symmetry; the density of a Gaussian; what the hinge loss is",
    steps=(
        Task(
            "7.6a",
            "return minus the log of the probability of the label, from z = t y alone",
            products,
            logistic_error,
            mistakes=(
                Mistake(
                    "z with the wrong sign",
                    lambda z: np.log(1 + np.exp(z)),
                    "a point far on its own side has a large z = t y, a probability near 1 and an error near 0",
                ),
                Mistake(
                    "the probability instead of minus its log",
                    sigma,
                    "this is p(t|y), (7.46); the error is -ln of it, so that a product becomes a sum",
                ),
                Mistake(
                    "the log likelihood, not minus it",
                    lambda z: -np.log(1 + np.exp(-z)),
                    "an error is to be small: minus the log of the probability, which is never negative",
                ),
                Mistake(
                    "divided by ln 2",
                    lambda z: np.log2(1 + np.exp(-z)),
                    "figure 7.5 draws it so, to let it pass through (0, 1); minus the log probability is not "
                    "divided",
                ),
                Mistake(
                    "the hinge",
                    lambda z: np.maximum(0, 1 - z),
                    "that is the error of the support vector machine, (7.45); here it follows from sigma",
                ),
                Mistake(
                    "the probability of the other label",
                    lambda z: sigma(-z),
                    "sigma(-z) is 1 - p(t|y), and also minus the slope of E; the error itself is -ln sigma(z)",
                ),
                Mistake(
                    "exp(-z)",
                    lambda z: np.exp(-z),
                    "p(t|y) is 1 / (1 + exp(-z)), so minus its log is the log of the whole denominator",
                ),
                Mistake(
                    "the size of z instead of z",
                    lambda z: np.log(1 + np.exp(-np.abs(z))),
                    "a negative z is a point on the wrong side, and must cost more, not the same",
                ),
            ),
            hints=(
                "What is the probability of the other label, 1 - sigma(y)? Put both terms over 1 + exp(-y), "
                "and cancel exp(-y).",
                "1 - sigma(y) = sigma(-y). So for t = 1 it is sigma(y), for t = -1 it is sigma(-y): in one "
                "formula?",
                "p(t|y) = sigma(t y) = 1 / (1 + exp(-z)). Take minus its log.",
            ),
            route=("the probabilities of both labels, case by case", by_cases),
            text=r"""
The function is given only the products $z_n=t_ny_n$. It knows neither label nor output. Still it can return
$-\ln p(t_n|y_n)$ for every point. Which function of $z$ is it?
""",
        ),
        Task(
            "7.6b",
            "return lambda of (7.47) for a prior of precision alpha",
            precision,
            penalty_weight,
            mistakes=(
                Mistake(
                    "the 1/2 of the Gaussian forgotten",
                    lambda alpha: alpha,
                    "the exponent of a Gaussian is -1/2 times alpha |w|^2, and (7.47) has no 1/2 of its own",
                ),
                Mistake(
                    "alpha taken for the variance",
                    lambda alpha: 1 / (2 * alpha),
                    "alpha is a precision, 1 / variance: a large alpha means a strong belief in small weights",
                ),
                Mistake(
                    "the variance, without the 1/2",
                    lambda alpha: 1 / alpha,
                    "the covariance is I / alpha; its inverse stands in the exponent, with a 1/2",
                ),
                Mistake(
                    "a minus too many",
                    lambda alpha: -alpha / 2,
                    "the log of the prior is -alpha |w|^2 / 2 + const, and we take minus the log",
                ),
                Mistake(
                    "twice instead of half",
                    lambda alpha: 2 * alpha,
                    "write the exponent of the Gaussian down: -1/2 w' (I / alpha)^-1 w",
                ),
            ),
            hints=(
                "Write -ln N(w | 0, I / alpha) as a constant plus something times |w|^2.",
                "The exponent of the density is -1/2 w' (I / alpha)^-1 w = -1/2 alpha |w|^2. Compare with "
                "lambda |w|^2.",
            ),
            route=("minus the log of the prior's density", from_the_prior),
            text=r"""
Which $\lambda$ stands in (7.47)? (A function of $\alpha$; a sympy expression in `alpha` will do as well.)
""",
        ),
        Task(
            "7.6c",
            "return the derivatives of (7.47) with respect to w and to b",
            points_and_weights,
            error_slopes,
            mistakes=(
                Mistake(
                    "sigma(z) instead of sigma(-z)",
                    slopes_with(lambda z, y, t: sigma(z) * t),
                    "the slope of ln(1 + exp(-z)) is -exp(-z) / (1 + exp(-z)): near 0 for points that are right",
                ),
                Mistake(
                    "the labels left out",
                    slopes_with(lambda z, y, t: sigma(-z)),
                    "z_n = t_n y_n, so the chain rule brings one more t_n",
                ),
                Mistake(
                    "labels taken for 0 and 1",
                    slopes_with(lambda z, y, t: t - sigma(y)),
                    "sigma(y) - t is the slope for t in {0, 1}; here t is -1 or 1",
                ),
                Mistake(
                    "lambda w instead of 2 lambda w",
                    slopes_with(lambda z, y, t: sigma(-z) * t, lambda w, b, lam: (lam * w, 0.0)),
                    "the penalty is lambda |w|^2, without a 1/2",
                ),
                Mistake(
                    "the penalty left out",
                    slopes_with(lambda z, y, t: sigma(-z) * t, lambda w, b, lam: (0.0, 0.0)),
                    "(7.47) has two terms; the second depends on w as well",
                ),
                Mistake(
                    "b penalised too",
                    slopes_with(lambda z, y, t: sigma(-z) * t, lambda w, b, lam: (2 * lam * w, 2 * lam * b)),
                    "the prior is on w alone, so lambda |w|^2 does not depend on b",
                ),
                Mistake(
                    "the mean over the points instead of the sum",
                    slopes_with(lambda z, y, t: sigma(-z) * t / len(t)),
                    "(7.47) adds the errors of all points, and does not divide by N",
                ),
                Mistake(
                    "the slope of the hinge",
                    slopes_with(lambda z, y, t: t * (z < 1)),
                    "the hinge max(0, 1 - z) has the slope -1 up to z = 1 and 0 beyond; E is smooth, and its slope "
                    "is -sigma(-z)",
                ),
                Mistake(
                    "the sign of b's slope alone",
                    lambda w, b, X, t, lam: (
                        error_slopes(w, b, X, t, lam)[0],
                        -error_slopes(w, b, X, t, lam)[1],
                    ),
                    "b comes into z_n as w does, so its slope has the same minus: -sum of sigma(-z_n) t_n",
                ),
                Mistake(
                    "the sign of the sum",
                    slopes_with(lambda z, y, t: -sigma(-z) * t),
                    "E falls as z grows: its slope is negative, only the penalty has a plus",
                ),
            ),
            hints=(
                "Chain rule: E depends on w through z_n = t_n (w'x_n + b). What is the slope E'(z)?",
                "E'(z) = -exp(-z) / (1 + exp(-z)) = -sigma(-z). And the derivative of z_n by w is t_n x_n, "
                "by b t_n.",
                "With pull = 1 / (1 + np.exp(z)): by w it is -X.T @ (pull * t) plus the penalty's, by b "
                "-sum(pull * t).",
            ),
            route=("finite differences of (7.47), written label by label", by_differences),
            text=r"""
Now its gradient, with your $E$. Return two things: the derivatives with respect to $\mathbf w$ and to $b$.
""",
        ),
        Claim(
            "7.6d",
            "choose the letter of what is true at the minimum of (7.47)",
            "c",
            mistakes=(
                Mistake(
                    "the hinge's multipliers",
                    "a",
                    "the slope of the hinge jumps from -1 to 0; that of E is -sigma(-z), which is smooth",
                ),
                Mistake(
                    "the wrong side pulls",
                    "b",
                    "the slope of E is -sigma(-z): steep for points on the wrong side, nearly flat for those "
                    "that are right",
                ),
                Mistake(
                    "lambda for 1 / lambda",
                    "d",
                    "solve 2 lambda w = sum of sigma(-z_n) t_n x_n for w: a strong penalty makes small weights",
                ),
            ),
            hints=(
                "Set the derivative with respect to w to zero and solve for w.",
                "2 lambda w = sum_n sigma(-z_n) t_n x_n, and 1 / (2 lambda) = C by (7.44).",
            ),
            options={
                "a": r"$a_n=C$ where $z_n<1$, and $a_n=0$ where $z_n>1$: the solution is sparse",
                "b": r"$a_n=C\,\sigma(z_n)$: the farther a point is on its own side, the more it counts",
                "c": r"$a_n=C\,\sigma(-z_n)$: strictly between $0$ and $C$, so every point counts a little",
                "d": r"$a_n=\sigma(-z_n)/C$: strictly between $0$ and $1/C$, so every point counts a little",
            },
            text=r"""
At the minimum of (7.47) the weights are $\mathbf w=\sum_na_nt_n\mathbf x_n$, as in the support vector machine (7.29).
Put $\lambda=1/(2C)$, as below (7.44). Which is true?
""",
        ),
    ),
    worked=r"""
**One formula for both labels.** The other label has the probability

$$p(t=-1\,|\,y)=1-\sigma(y)=\frac{1+e^{-y}-1}{1+e^{-y}}=\frac{e^{-y}}{1+e^{-y}}=\frac1{e^{y}+1}=\sigma(-y).$$

So for $t=1$ it is $\sigma(y)$, for $t=-1$ it is $\sigma(-y)$, and both are

$$p(t|y)=\sigma(yt). \tag{7.46}$$

**The error of a point.** Minus the log, with $z=yt$:

$$E(z)=-\ln\sigma(z)=-\ln\frac1{1+e^{-z}}=\ln\big(1+e^{-z}\big). \tag{7.48}$$

**The penalty.** The prior of $M$ weights is $(\alpha/2\pi)^{M/2}\exp(-\tfrac\alpha2\lVert\mathbf w\rVert^2)$. Hence

$$-\ln p(\mathbf w)=\frac\alpha2\lVert\mathbf w\rVert^2-\frac M2\ln\frac\alpha{2\pi},$$

and $\lambda=\alpha/2$. The second term does not depend on $\mathbf w$.

**Together.** The points are independent, so the likelihood is a product, and minus its log is a sum:

$$-\ln\Big\{p(\mathbf w)\prod_np(t_n|y_n)\Big\}
=\sum_nE(y_nt_n)+\frac\alpha2\lVert\mathbf w\rVert^2+\text{const}, \tag{7.47}$$

which was to be shown.

**Its slopes.** First of $E$:

$$E'(z)=\frac{-e^{-z}}{1+e^{-z}}=-\frac1{e^{z}+1}=-\sigma(-z).$$

As $z_n=t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)$, the chain rule gives $\partial z_n/\partial\mathbf w=t_n\mathbf x_n$
and $\partial z_n/\partial b=t_n$:

$$\frac{\partial}{\partial\mathbf w}=-\sum_n\sigma(-z_n)\,t_n\mathbf x_n+2\lambda\mathbf w,\qquad
\frac{\partial}{\partial b}=-\sum_n\sigma(-z_n)\,t_n .$$

**What a point contributes.** At the minimum the first is zero. With $\lambda=1/(2C)$:

$$\mathbf w=\frac1{2\lambda}\sum_n\sigma(-z_n)\,t_n\mathbf x_n=\sum_na_nt_n\mathbf x_n,\qquad a_n=C\,\sigma(-z_n).$$

The second says $\sum_na_nt_n=0$. These are the box and the sum of the support vector machine, (7.33) and (7.34). But
$\sigma(-z_n)$ is never 0 and never 1: no multiplier reaches a wall of the box, and no point drops out. It is the flat
piece of the hinge that makes solutions sparse.
""",
)
