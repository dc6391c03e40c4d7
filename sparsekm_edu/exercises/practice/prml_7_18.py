"""PRML 7.18: Gradient and Hessian of the log posterior."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.prml_7_06 import sigma
from sparsekm_edu.exercises.tasks import Mistake, Task


def log_posterior(w, Phi, t, alpha):
    """(7.109) without its constant, term by term."""
    y = sigma(Phi @ w)  # (7.108)
    return np.sum(t * np.log(y) + (1 - t) * np.log(1 - y)) - 0.5 * w @ (alpha * w)


def log_odds(rng):
    """a (N,) and t (N,) of 0 and 1."""
    N = int(rng.integers(4, 8))
    return 1.5 * rng.normal(size=N), rng.permutation(np.arange(N) % 2).astype(float)


def weights_and_data(rng):
    """w (M,), Phi (N, M), t (N,) of 0 and 1, alpha (M,)."""
    N, M = int(rng.integers(5, 9)), int(rng.integers(2, 5))
    t = rng.permutation(np.arange(N) % 2).astype(float)
    return rng.normal(size=M), rng.normal(size=(N, M)), t, rng.uniform(0.3, 3.0, size=M)


def likelihood_slopes(a, t):
    """First and second derivative of t ln y + (1 - t) ln(1 - y) with respect to a, where y = sigma(a): (N,) each.

    a (N,), t (N,) of 0 and 1; every point on its own.
    """
    y = 1 / (1 + np.exp(-a))
    return t - y, -y * (1 - y)


def likelihood_differences(a, t):
    def slopes(a):  # every point on its own, so all may be moved at once
        return derivative(lambda h: t * np.log(sigma(a + h)) + (1 - t) * np.log(1 - sigma(a + h)), [0.0])[
            :, 0
        ]

    return slopes(a), derivative(lambda h: slopes(a + h), [0.0])[:, 0]


def posterior_gradient(w, Phi, t, alpha):
    """The gradient of (7.109), (M,).

    w (M,); Phi (N, M), row n is phi(x_n); t (N,) of 0 and 1; alpha (M,), positive: the diagonal of A.
    """
    y = 1 / (1 + np.exp(-Phi @ w))
    return Phi.T @ (t - y) - alpha * w  # (7.110)


def gradient_differences(w, Phi, t, alpha):
    return derivative(lambda w: log_posterior(w, Phi, t, alpha), w)


def posterior_hessian(w, Phi, t, alpha):
    """The matrix of second derivatives of (7.109), (M, M).

    w (M,); Phi (N, M), row n is phi(x_n); t (N,) of 0 and 1; alpha (M,), positive: the diagonal of A.
    """
    y = 1 / (1 + np.exp(-Phi @ w))
    B = np.diag(y * (1 - y))
    return -(Phi.T @ B @ Phi + np.diag(alpha))  # (7.111)


def hessian_differences(w, Phi, t, alpha):
    return derivative(lambda w: gradient_differences(w, Phi, t, alpha), w)


def hessian_with(b, prior=np.diag):
    """A wrong version of posterior_hessian: other weights b(y, t), or another term for the prior."""

    def wrong(w, Phi, t, alpha):
        return -(Phi.T @ np.diag(b(sigma(Phi @ w), t)) @ Phi + prior(alpha))

    return wrong


POSTERIOR = r"""
In the relevance vector machine for classification labels are $t_n\in\{0,1\}$, and the label 1 has the probability
$y_n=\sigma(\mathbf w^{\mathsf T}\boldsymbol\phi_n)$ (7.108), where $\boldsymbol\phi_n=\boldsymbol\phi(\mathbf x_n)$
is row $n$ of the design matrix $\boldsymbol\Phi$. Weights have the prior
$\mathcal N(\mathbf w\,|\,\mathbf 0,\mathbf A^{-1})$ with $\mathbf A=\mathrm{diag}(\alpha_1,\dots,\alpha_M)$, all
$\alpha_i>0$. """


EXERCISE = Exercise(
    id="7.18",
    title="Gradient and Hessian of the log posterior",
    source="PRML 7.18",
    stars=1,
    notebook="11",
    taught=(("11, section 2", "11_rvm_classification.ipynb#2-The-mode"),),
    task=POSTERIOR
    + r"""So the log posterior is

$$\ln p(\mathbf w\,|\,\mathbf t,\boldsymbol\alpha)=\sum_{n=1}^N\{t_n\ln y_n+(1-t_n)\ln(1-y_n)\}
-\tfrac12\mathbf w^{\mathsf T}\mathbf A\mathbf w+\text{const}. \tag{7.109}$$

Find its gradient and its matrix of second derivatives, the Hessian, by $\mathbf w$. (Section 2 of notebook 11 shows
both; try to find them without.)
""",
    bring="the chain rule; the derivative of the sigmoid",
    steps=(
        Task(
            "7.18a",
            "return the first and the second derivative of one point's log likelihood by a",
            log_odds,
            likelihood_slopes,
            mistakes=(
                Mistake(
                    "the derivative by y instead of a",
                    lambda a, t: (
                        t / sigma(a) - (1 - t) / (1 - sigma(a)),
                        -t / sigma(a) ** 2 - (1 - t) / (1 - sigma(a)) ** 2,
                    ),
                    "y depends on a: the chain rule brings the factor sigma'(a) = y (1 - y), and then much "
                    "cancels",
                ),
                Mistake(
                    "the first with the wrong sign",
                    lambda a, t: (sigma(a) - t, -sigma(a) * (1 - sigma(a))),
                    "for t = 1 the log likelihood ln sigma(a) grows with a: its slope 1 - y is positive",
                ),
                Mistake(
                    "the slopes of the error, both signs wrong",
                    lambda a, t: (sigma(a) - t, sigma(a) * (1 - sigma(a))),
                    "the error is minus the log likelihood; here it is the log likelihood itself",
                ),
                Mistake(
                    "the second with the wrong sign",
                    lambda a, t: (t - sigma(a), sigma(a) * (1 - sigma(a))),
                    "y has a minus in t - y",
                ),
                Mistake(
                    "the derivative of the sigmoid",
                    lambda a, t: (t - sigma(a), -sigma(a)),
                    "sigma'(a) = y (1 - y), (4.88)",
                ),
                Mistake(
                    "labels taken for -1 and 1",
                    lambda a, t: (t * sigma(-t * a), -sigma(a) * (1 - sigma(a))),
                    "with t in {0, 1} a point of class 0 would not pull at all",
                ),
                Mistake(
                    "labels turned to -1 and 1",
                    lambda a, t: (2 * t - 1 - sigma(a), -sigma(a) * (1 - sigma(a))),
                    "t ln y + (1 - t) ln(1 - y) is written for labels 0 and 1. Leave t as it is, and the slope "
                    "is t - y",
                ),
                Mistake(
                    "the second times t",
                    lambda a, t: (t - sigma(a), -t * sigma(a) * (1 - sigma(a))),
                    "differentiate t - y by a: t stands alone and drops out, points of class 0 bend as well",
                ),
            ),
            hints=(
                "Differentiate by y first, then multiply by dy/da = y (1 - y).",
                "(t / y - (1 - t) / (1 - y)) y (1 - y) = t (1 - y) - (1 - t) y. Multiply out.",
                "The first is t - y. Of this only y depends on a.",
            ),
            route=("finite differences of the log likelihood", likelihood_differences),
            text=r"""
One point first, with $a=\mathbf w^{\mathsf T}\boldsymbol\phi$ and $y=\sigma(a)$. What are the first and the second
derivative of $t\ln y+(1-t)\ln(1-y)$ with respect to $a$? Return both, for all points at once.
""",
        ),
        Task(
            "7.18b",
            "return the gradient of (7.109)",
            weights_and_data,
            posterior_gradient,
            mistakes=(
                Mistake(
                    "y - t",
                    lambda w, Phi, t, alpha: Phi.T @ (sigma(Phi @ w) - t) - alpha * w,
                    "the slope of one point is t - y: upwards for a label 1",
                ),
                Mistake(
                    "the gradient of the error",
                    lambda w, Phi, t, alpha: Phi.T @ (sigma(Phi @ w) - t) + alpha * w,
                    "(7.109) is the log posterior, to be maximised; you have minus its gradient",
                ),
                Mistake(
                    "the prior left out",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)),
                    "-1/2 w'Aw depends on w too",
                ),
                Mistake(
                    "the prior with a plus",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)) + alpha * w,
                    "the prior pulls weights towards 0",
                ),
                Mistake(
                    "the variances instead of the precisions",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)) - w / alpha,
                    "alpha_i is a precision: A itself stands in the exponent, not its inverse",
                ),
                Mistake(
                    "half the prior",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)) - 0.5 * alpha * w,
                    "the derivative of 1/2 alpha_i w_i^2 is alpha_i w_i",
                ),
                Mistake(
                    "twice the prior",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)) - 2 * alpha * w,
                    "the prior has a 1/2 in front: the derivative of 1/2 alpha_i w_i^2 is alpha_i w_i",
                ),
                Mistake(
                    "the prior without w",
                    lambda w, Phi, t, alpha: Phi.T @ (t - sigma(Phi @ w)) - alpha,
                    "the derivative of 1/2 alpha_i w_i^2 is alpha_i w_i, so a large weight is pulled harder",
                ),
                Mistake(
                    "labels turned to -1 and 1",
                    lambda w, Phi, t, alpha: Phi.T @ (2 * t - 1 - sigma(Phi @ w)) - alpha * w,
                    "(7.109) is written for labels 0 and 1. Leave t as it is: a point pulls with t_n - y_n",
                ),
                Mistake(
                    "y without the sigmoid",
                    lambda w, Phi, t, alpha: Phi.T @ (t - Phi @ w) - alpha * w,
                    "that is the regression machine; here y_n = sigma(w'phi_n)",
                ),
            ),
            hints=(
                "a_n = w'phi_n. What is the derivative of a_n by w?",
                "It is phi_n: the likelihood gives sum_n (t_n - y_n) phi_n. Add the derivative of -1/2 w'Aw.",
                "Phi.T @ (t - y) - alpha * w",
            ),
            route=("finite differences of (7.109)", gradient_differences),
            text=r"""
Now all points together, and the prior: the gradient of (7.109) by $\mathbf w$.
""",
        ),
        Task(
            "7.18c",
            "return the Hessian of (7.109)",
            weights_and_data,
            posterior_hessian,
            mistakes=(
                Mistake(
                    "the minus lost",
                    lambda w, Phi, t, alpha: -posterior_hessian(w, Phi, t, alpha),
                    "this is minus the Hessian, which is inverse to Sigma; the log posterior itself bends "
                    "downwards",
                ),
                Mistake(
                    "Sigma instead of the Hessian",
                    lambda w, Phi, t, alpha: np.linalg.inv(-posterior_hessian(w, Phi, t, alpha)),
                    "the covariance is the inverse of minus the Hessian (7.113); the Hessian itself is asked for",
                ),
                Mistake(
                    "minus Sigma instead of the Hessian",
                    lambda w, Phi, t, alpha: np.linalg.inv(posterior_hessian(w, Phi, t, alpha)),
                    "this is the inverse of the Hessian; the Hessian itself is asked for",
                ),
                Mistake(
                    "the prior left out",
                    hessian_with(lambda y, t: y * (1 - y), lambda alpha: 0.0),
                    "the second derivative of -1/2 alpha_i w_i^2 is -alpha_i",
                ),
                Mistake(
                    "the prior with the wrong sign",
                    hessian_with(lambda y, t: y * (1 - y), lambda alpha: -np.diag(alpha)),
                    "likelihood and prior both bend downwards",
                ),
                Mistake(
                    "the covariance of the prior",
                    hessian_with(lambda y, t: y * (1 - y), lambda alpha: np.diag(1 / alpha)),
                    "A = diag(alpha_i) holds precisions, and stands in the exponent as it is",
                ),
                Mistake(
                    "alpha added to every row",
                    hessian_with(lambda y, t: y * (1 - y), lambda alpha: alpha),
                    "only the diagonal gets alpha_i: np.diag(alpha)",
                ),
                Mistake(
                    "the derivative of the sigmoid",
                    hessian_with(lambda y, t: y),
                    "sigma'(a) = y (1 - y), (4.88)",
                ),
                Mistake(
                    "squares of the residuals",
                    hessian_with(lambda y, t: (t - y) ** 2),
                    "differentiate t_n - y_n once more: only y_n depends on w, and no label is left",
                ),
                Mistake(
                    "B left out",
                    hessian_with(lambda y, t: np.ones_like(y)),
                    "in regression each point has the same weight; here it is y_n (1 - y_n)",
                ),
            ),
            hints=(
                "Differentiate the gradient: which of its parts depend on w?",
                "The derivative of y_n by w is y_n (1 - y_n) phi_n. So the sum gives -sum_n b_n phi_n phi_n'.",
                "-(Phi.T @ B @ Phi + A), with B = np.diag(y * (1 - y)) and A = np.diag(alpha).",
            ),
            route=("finite differences of finite differences of (7.109)", hessian_differences),
            text=r"""
And once more: the Hessian, an $M\times M$ matrix.
""",
        ),
        Claim(
            "7.18d",
            "choose the letter of what replaces t_n - y_n",
            "b",
            mistakes=(
                Mistake(
                    "the old formula with new labels",
                    "a",
                    "a point with s = -1 and y near 0 is right, and must not pull; here it pulls with -1",
                ),
                Mistake(
                    "the sign in the sigmoid",
                    "c",
                    "a point that is right, s a large, must hardly pull; here it pulls with full force",
                ),
                Mistake(
                    "only one class",
                    "d",
                    "for s = -1 this is 0: points of that class pull as well",
                ),
            ),
            hints=(
                "Look at both labels: t - y is 1 - sigma(a) for t = 1, and -sigma(a) for t = 0. What are "
                "they in terms of sigma(-a) and sigma(a)?",
                "1 - sigma(a) = sigma(-a). So it is sigma(-a) for s = 1 and -sigma(a) for s = -1.",
            ),
            options={
                "a": r"$s_n-y_n$",
                "b": r"$s_n\,\sigma(-s_na_n)$",
                "c": r"$s_n\,\sigma(s_na_n)$",
                "d": r"$\tfrac12(s_n+1)(1-y_n)$",
            },
            text=r"""
Somebody codes the labels as the support vector machine does, $s_n=2t_n-1\in\{-1,1\}$. With
$a_n=\mathbf w^{\mathsf T}\boldsymbol\phi_n$ and $y_n=\sigma(a_n)$ still the probability of $s_n=1$: which expression
has to replace $t_n-y_n$ in the gradient?
""",
        ),
    ),
    worked=r"""
**One point.** Let $a=\mathbf w^{\mathsf T}\boldsymbol\phi$, $y=\sigma(a)$, and remember
$\sigma'(a)=\sigma(a)(1-\sigma(a))$, that is $\mathrm dy/\mathrm da=y(1-y)$ (4.88).

$$\frac{\mathrm d}{\mathrm da}\{t\ln y+(1-t)\ln(1-y)\}=\Big\{\frac ty-\frac{1-t}{1-y}\Big\}\,y(1-y)=t(1-y)-(1-t)y=t-y,$$

$$\frac{\mathrm d^2}{\mathrm da^2}\{\cdots\}=-\frac{\mathrm dy}{\mathrm da}=-y(1-y).$$

The second derivative does not depend on the label.

**The gradient.** As $a_n=\mathbf w^{\mathsf T}\boldsymbol\phi_n$, $\partial a_n/\partial\mathbf w=\boldsymbol\phi_n$.
The prior adds $-\tfrac12\,\partial(\mathbf w^{\mathsf T}\mathbf A\mathbf w)/\partial\mathbf w=-\mathbf A\mathbf w$.
So

$$\nabla\ln p(\mathbf w\,|\,\mathbf t,\boldsymbol\alpha)=\sum_n(t_n-y_n)\boldsymbol\phi_n-\mathbf A\mathbf w
=\boldsymbol\Phi^{\mathsf T}(\mathbf t-\mathbf y)-\mathbf A\mathbf w, \tag{7.110}$$

because the columns of $\boldsymbol\Phi^{\mathsf T}$ are the $\boldsymbol\phi_n$.

**The Hessian.** Differentiate once more. Only $y_n$ and $\mathbf A\mathbf w$ depend on $\mathbf w$, and
$\partial y_n/\partial\mathbf w=b_n\boldsymbol\phi_n$ with $b_n=y_n(1-y_n)$:

$$\nabla\nabla\ln p(\mathbf w\,|\,\mathbf t,\boldsymbol\alpha)
=-\sum_nb_n\boldsymbol\phi_n\boldsymbol\phi_n^{\mathsf T}-\mathbf A
=-(\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A),\qquad\mathbf B=\mathrm{diag}(b_n). \tag{7.111}$$

For every $\mathbf u\ne\mathbf 0$ we have

$$\mathbf u^{\mathsf T}(\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A)\mathbf u
=\sum_nb_n(\boldsymbol\phi_n^{\mathsf T}\mathbf u)^2+\sum_i\alpha_iu_i^2>0 .$$

So the log posterior bends downwards everywhere, and has one mode only.

**The other coding.** For $s=1$, that is $t=1$: $t-y=1-\sigma(a)=\sigma(-a)$. For $s=-1$, that is $t=0$:
$t-y=-\sigma(a)$. Both are $s\,\sigma(-sa)$. It is the pull of a point in exercise 7.6.
""",
)
