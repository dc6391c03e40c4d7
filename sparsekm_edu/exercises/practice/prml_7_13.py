"""PRML 7.13: Re-estimation with hyperpriors."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.brute_force import WIDE_AND_TALL, log_p, regression
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.prml_7_12 import AT_REST, CLIMBED, clear_regression, rounds, summit
from sparsekm_edu.exercises.tasks import Mistake, Task


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
    for _ in range(20):
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
    for _ in range(20):
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


EXERCISE = Exercise(
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
            instances=WIDE_AND_TALL,
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
                    "1 - a in the place of a - 1",
                    slopes_with(lambda slope, x, a, b: slope + (1 - a) / x - b),
                    "the power in (B.26) is a - 1, and the derivative of (a - 1) ln alpha_i is (a - 1)/alpha_i",
                ),
                Mistake(
                    "a - 1 undivided",
                    slopes_with(lambda slope, x, a, b: slope + (a - 1) - b),
                    "the derivative of (a - 1) ln alpha_i by alpha_i is (a - 1)/alpha_i",
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
                    "the hyperprior of beta forgotten",
                    lambda Phi, t, alpha, beta, a, b, c, d: slopes(Phi, t, alpha, beta, a, b, 1, 0),
                    "beta has a hyperprior, too: Gam(beta|c, d)",
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
                    "b taken for a scale",
                    most_probable_with(right_shape, lambda b: 2 / b),
                    "in (B.26) b multiplies: exp(-b tau)",
                ),
                Mistake(
                    "1/beta returned",
                    lambda *given: (lambda alpha, beta: (alpha, 1 / beta))(*most_probable(*given)),
                    "the way was right; return beta itself at its end, not the variance of the noise",
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
                    "the hyperprior of beta forgotten",
                    lambda Phi, t, a, b, c, d: most_probable_logarithms(Phi, t, a, b, 0, 0),
                    "beta has a hyperprior, too: Gam(beta|c, d), and its density of ln beta has a factor beta more",
                ),
                Mistake(
                    "Gam(beta|c, d) forgotten but for the factor beta",
                    lambda Phi, t, a, b, c, d: most_probable_logarithms(Phi, t, a, b, 1, 0),
                    "beta has a hyperprior, too, and the factor beta comes on top of it",
                ),
                Mistake(
                    "b taken for a scale",
                    most_probable_with(shape_of_logarithm, lambda b: 2 / b),
                    "in (B.26) b multiplies: exp(-b tau)",
                ),
                Mistake(
                    "1/beta returned",
                    lambda *given: (lambda alpha, beta: (alpha, 1 / beta))(*most_probable_logarithms(*given)),
                    "the way was right; return beta itself at its end, not the variance of the noise",
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
give a negative $\alpha_i$, wherever $\gamma_i<2-2a$, and for $c<1$ a negative $\beta$, wherever
$N-\sum_i\gamma_i<2-2c$. Only from $a=1$ and $c=1$ on is (b) safe. Both answers are right, each to its own question. The
exercise in the book asks for $\boldsymbol\alpha$ and $\beta$.
""",
)
