"""PRML 7.19: Re-estimation for classification, and what it leaves out."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.prml_7_06 import sigma
from sparsekm_edu.exercises.practice.prml_7_18 import (
    POSTERIOR,
    log_posterior,
    posterior_hessian,
    weights_and_data,
)
from sparsekm_edu.exercises.tasks import Mistake, Task


def at_the_mode(rng):
    """w* (M,), Phi (N, M), t (N,) of 0 and 1, alpha (M,): w* is the mode of (7.109)."""
    from sparsekm_edu.solvers import irls

    _, Phi, t, alpha = weights_and_data(rng)
    return irls(Phi, t, alpha, tol=1e-8).w, Phi, t, alpha


def mode_and_covariance(rng):
    """w* (M,), Sigma (M, M), alpha (M,)."""
    w, Phi, t, alpha = at_the_mode(rng)
    return w, np.linalg.inv(-posterior_hessian(w, Phi, t, alpha)), alpha


def log_evidence_held(alpha, w, Phi, t):
    """ln of (7.114) at any w, taken for w*; the powers of 2 pi cancel."""
    y = sigma(Phi @ w)
    H = Phi.T @ np.diag(y * (1 - y)) @ Phi + np.diag(alpha)
    return log_posterior(w, Phi, t, alpha) + 0.5 * np.sum(np.log(alpha)) - 0.5 * np.linalg.slogdet(H)[1]


def held_slope(w, Phi, t, alpha):
    """The derivatives of ln of (7.114) by alpha, (M,), if w* is held where it is.

    w (M,): the mode w*; Phi (N, M), row n is phi(x_n); t (N,) of 0 and 1; alpha (M,).
    """
    y = 1 / (1 + np.exp(-Phi @ w))
    B = np.diag(y * (1 - y))
    Sigma = np.linalg.inv(Phi.T @ B @ Phi + np.diag(alpha))  # (7.113)
    return -0.5 * w**2 + 0.5 / alpha - 0.5 * np.diag(Sigma)  # (7.115)


def held_differences(w, Phi, t, alpha):
    return derivative(lambda alpha: log_evidence_held(alpha, w, Phi, t), alpha)


def two_updates(w, Sigma, alpha):
    """The new alpha that (7.115) gives with gamma held, and with Sigma held: (M,) each.

    w (M,): the mode w*; Sigma (M, M), (7.113); alpha (M,): the present values.
    """
    gamma = 1 - alpha * np.diag(Sigma)
    gamma_held = gamma / w**2  # (7.116)
    Sigma_held = 1 / (w**2 + np.diag(Sigma))
    return gamma_held, Sigma_held


def updates_by_search(w, Sigma, alpha):
    from scipy.optimize import brentq

    held = np.diag(Sigma)
    gamma = alpha * (1 / alpha - held)

    def root(slope):
        return np.exp(brentq(lambda u: slope(np.exp(u)), -50, 50, xtol=1e-13))

    return (
        np.array([root(lambda new, i=i: gamma[i] / new - w[i] ** 2) for i in range(len(w))]),
        np.array([root(lambda new, i=i: 1 / new - w[i] ** 2 - held[i]) for i in range(len(w))]),
    )


def total_slope(w, Phi, t, alpha):
    """The derivatives of ln of (7.114) by alpha, (M,), where w* and B follow alpha.

    w (M,): the mode w*; Phi (N, M), row n is phi(x_n); t (N,) of 0 and 1; alpha (M,).
    """
    y = 1 / (1 + np.exp(-Phi @ w))
    b = y * (1 - y)
    Sigma = np.linalg.inv(Phi.T @ np.diag(b) @ Phi + np.diag(alpha))  # (7.113)
    held = -0.5 * w**2 + 0.5 / alpha - 0.5 * np.diag(Sigma)  # (7.115)
    w_by_alpha = -Sigma * w  # column i: what alpha_i does to w*
    b_by_alpha = (b * (1 - 2 * y))[:, None] * (Phi @ w_by_alpha)  # b' = b (1 - 2 y) with respect to w'phi
    det_by_b = np.diag(Phi @ Sigma @ Phi.T)  # of ln |Phi'B Phi + A| by b_n
    return held - 0.5 * det_by_b @ b_by_alpha


def total_differences(w, Phi, t, alpha):
    from sparsekm_edu.solvers import laplace_fit

    return derivative(lambda alpha: laplace_fit(Phi, t, alpha, w=w, tol=1e-8).log_evidence, alpha)


def covariance(w, Phi, alpha):
    y = sigma(Phi @ w)
    return np.linalg.inv(Phi.T @ np.diag(y * (1 - y)) @ Phi + np.diag(alpha))  # (7.113)


def extra_term(w, Phi, alpha, b_by_a, columns=np.asarray):
    """What (7.115) leaves out, with any derivative b_by_a(y) of b_n by w'phi_n, and any columns(Sigma) in dw*."""
    Sigma = covariance(w, Phi, alpha)
    by_b = np.diag(Phi @ Sigma @ Phi.T)
    return 0.5 * w * (columns(Sigma) @ Phi.T @ (by_b * b_by_a(sigma(Phi @ w))))


def total_slope_with_y_held(w, Phi, t, alpha):
    """Somebody takes -w_i e_i / alpha_i for dw*/d alpha_i."""
    y, Sigma = sigma(Phi @ w), covariance(w, Phi, alpha)
    b_by_alpha = (y * (1 - y) * (1 - 2 * y))[:, None] * Phi * (-w / alpha)
    return held_slope(w, Phi, t, alpha) - 0.5 * np.diag(Phi @ Sigma @ Phi.T) @ b_by_alpha


def neglected(w, Phi, alpha, columns=np.asarray):
    """The term that (7.115) leaves out, (M,)."""
    return extra_term(w, Phi, alpha, lambda y: y * (1 - y) * (1 - 2 * y), columns)


EXERCISE = Exercise(
    id="7.19",
    title="Re-estimation for classification, and what it leaves out",
    source="PRML 7.19",
    stars=2,
    notebook="11",
    taught=(("11, section 3", "11_rvm_classification.ipynb#3-The-evidence-around-the-mode"),),
    task=POSTERIOR
    + r"""The mode $\mathbf w^\ast$ of the posterior is where its gradient (7.110) vanishes,
$\boldsymbol\Phi^{\mathsf T}(\mathbf t-\mathbf y)=\mathbf A\mathbf w^\ast$; solved for $\mathbf w^\ast$ this is (7.112).
Around it the posterior is taken
for a Gaussian with the covariance
$\boldsymbol\Sigma=(\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A)^{-1}$ (7.113), where
$\mathbf B=\mathrm{diag}(b_n)$, $b_n=y_n(1-y_n)$ at the mode. This gives the approximate evidence

$$p(\mathbf t\,|\,\boldsymbol\alpha)\simeq
p(\mathbf t\,|\,\mathbf w^\ast)\,p(\mathbf w^\ast|\,\boldsymbol\alpha)\,
(2\pi)^{M/2}\,|\boldsymbol\Sigma|^{1/2}. \tag{7.114}$$

Differentiate its log by $\alpha_i$ and find the rules that re-estimate $\alpha_i$. The book's rule holds
$\mathbf w^\ast$ fixed on the way. Find out what that leaves out.
""",
    bring="exercise 7.18; the derivative of a log determinant, d ln|H| = trace(H^-1 dH); the Laplace approximation",
    steps=(
        Task(
            "7.19a",
            "return the derivatives of ln of (7.114) by alpha, with w* held",
            at_the_mode,
            held_slope,
            mistakes=(
                Mistake(
                    "the sign of the log determinant",
                    lambda w, Phi, t, alpha: (
                        held_slope(w, Phi, t, alpha) + np.diag(covariance(w, Phi, alpha))
                    ),
                    "|Sigma| is 1 / |Phi'B Phi + A|: its log is minus the log determinant of the sum",
                ),
                Mistake(
                    "the normaliser of the prior left out",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) - 0.5 / alpha,
                    "p(w*|alpha) has the factor |A|^(1/2) in front, the product of the roots of the alpha_i",
                ),
                Mistake(
                    "the normaliser of the prior with the wrong sign",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) - 1 / alpha,
                    "a Gaussian of precision alpha has the factor alpha^(+1/2) in front",
                ),
                Mistake(
                    "the volume of the posterior left out",
                    lambda w, Phi, t, alpha: -0.5 * w**2 + 0.5 / alpha,
                    "|Sigma|^(1/2) depends on alpha through A",
                ),
                Mistake(
                    "the diagonal of the precision instead of the covariance",
                    lambda w, Phi, t, alpha: (
                        -0.5 * w**2 + 0.5 / alpha - 0.5 * np.diag(np.linalg.inv(covariance(w, Phi, alpha)))
                    ),
                    "the derivative of ln |H| by H_ii is the entry (H^-1)_ii",
                ),
                Mistake(
                    "one over the diagonal",
                    lambda w, Phi, t, alpha: (
                        -0.5 * w**2 + 0.5 / alpha - 0.5 / np.diag(np.linalg.inv(covariance(w, Phi, alpha)))
                    ),
                    "an entry of the inverse matrix is not the inverse of the entry",
                ),
                Mistake(
                    "B left out",
                    lambda w, Phi, t, alpha: (
                        -0.5 * w**2 + 0.5 / alpha - 0.5 * np.diag(np.linalg.inv(Phi.T @ Phi + np.diag(alpha)))
                    ),
                    "the points count with the weights b_n = y_n (1 - y_n) in (7.113)",
                ),
                Mistake(
                    "w*^2 with a plus",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) + w**2,
                    "ln p(w*|alpha) holds -1/2 alpha_i w*_i^2",
                ),
                Mistake(
                    "1 / alpha without its 1/2",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) + 0.5 / alpha,
                    "p(w*|alpha) has |A|^(1/2) in front: the log of a root is half the log",
                ),
                Mistake(
                    "the slope by ln alpha",
                    lambda w, Phi, t, alpha: alpha * held_slope(w, Phi, t, alpha),
                    "each entry is alpha_i times too large: the derivative by alpha_i itself is asked for",
                ),
                Mistake(
                    "w* follows alpha",
                    total_slope,
                    "that is the whole derivative, the answer to 7.19d. Here w* and B are held",
                ),
            ),
            hints=(
                "Write the log of (7.114) as a sum: ln p(t|w*), the log of a Gaussian, and 1/2 ln |Sigma|. "
                "Which terms hold alpha_i?",
                "-1/2 alpha_i w*_i^2 + 1/2 ln alpha_i - 1/2 ln |Phi'B Phi + A|; the powers of 2 pi cancel.",
                "The derivative of ln |Phi'B Phi + A| by alpha_i is Sigma_ii.",
            ),
            route=("finite differences of (7.114) with w* held", held_differences),
            text=r"""
Take the log of (7.114) and differentiate by each $\alpha_i$, as if $\mathbf w^\ast$ (and with it $\mathbf B$) did not
move. You are given $\mathbf w^\ast$, $\boldsymbol\Phi$, $\mathbf t$ and $\boldsymbol\alpha$.
""",
        ),
        Task(
            "7.19b",
            "return the two new alpha",
            mode_and_covariance,
            two_updates,
            mistakes=(
                Mistake(
                    "the two exchanged",
                    lambda w, Sigma, alpha: two_updates(w, Sigma, alpha)[::-1],
                    "first with gamma held, then with Sigma held",
                ),
                Mistake(
                    "w instead of w^2",
                    lambda w, Sigma, alpha: (
                        (1 - alpha * np.diag(Sigma)) / w,
                        1 / (w + np.diag(Sigma)),
                    ),
                    "the slope holds the squares of the weights",
                ),
                Mistake(
                    "the inverses",
                    lambda w, Sigma, alpha: tuple(1 / new for new in two_updates(w, Sigma, alpha)),
                    "alpha_i is a precision: the smaller the weight, the larger alpha_i",
                ),
                Mistake(
                    "gamma with a plus",
                    lambda w, Sigma, alpha: (
                        (1 + alpha * np.diag(Sigma)) / w**2,
                        1 / (w**2 + np.diag(Sigma)),
                    ),
                    "1 / alpha_i and Sigma_ii have opposite signs in the slope",
                ),
                Mistake(
                    "Sigma_ii with a minus",
                    lambda w, Sigma, alpha: (
                        (1 - alpha * np.diag(Sigma)) / w**2,
                        1 / (w**2 - np.diag(Sigma)),
                    ),
                    "w*_i^2 and Sigma_ii have the same sign in the slope; together they are the mean of w_i^2",
                ),
                Mistake(
                    "alpha_i Sigma_ii for gamma_i",
                    lambda w, Sigma, alpha: (alpha * np.diag(Sigma) / w**2, 1 / (w**2 + np.diag(Sigma))),
                    "gamma_i is 1 - alpha_i Sigma_ii, and you have alpha_i Sigma_ii itself",
                ),
                Mistake(
                    "Sigma left out of the second",
                    lambda w, Sigma, alpha: ((1 - alpha * np.diag(Sigma)) / w**2, 1 / w**2),
                    "Sigma_ii is held, not dropped: 1/new = w*_i^2 + Sigma_ii, the mean of w_i^2",
                ),
                Mistake(
                    "gamma without alpha",
                    lambda w, Sigma, alpha: ((1 - np.diag(Sigma)) / w**2, 1 / (w**2 + np.diag(Sigma))),
                    "multiply the slope by 2 alpha_i: every term gets it",
                ),
            ),
            hints=(
                "Twice the slope is -w*_i^2 + 1/alpha_i - Sigma_ii = 0. Where may the new alpha_i stand, "
                "where the old?",
                "1/alpha_i - Sigma_ii is gamma_i/alpha_i. First: gamma_i/new = w*_i^2. Second: 1/new = "
                "w*_i^2 + Sigma_ii.",
            ),
            route=(
                "a search for the zero of the slope, with gamma held and with Sigma held",
                updates_by_search,
            ),
            text=r"""
Set the slope of 7.19a to zero. It is an equation for $\alpha_i$ that cannot be solved in one go, because
$\Sigma_{ii}$ depends on $\boldsymbol\alpha$. There are two ways to make a rule of it. Write
$\gamma_i=1-\alpha_i\Sigma_{ii}$.

1. Express the slope by $\gamma_i$, keep $\gamma_i$ at its present value, and solve for the $\alpha_i$ that is left.
2. Keep $\Sigma_{ii}$ at its present value instead, and solve.

Return both new $\boldsymbol\alpha$, in this order. One of them is (7.116). The other is the rule of EM, with the
Gaussian around the mode in place of the posterior.
""",
        ),
        Claim(
            "7.19c",
            "choose the letter of where the motion of w* may be left out",
            "a",
            mistakes=(
                Mistake(
                    "all of it",
                    "b",
                    "the gradient of (7.109) vanishes at the mode, but B, and with it Sigma, moves along with w*",
                ),
                Mistake(
                    "each of the two on its own",
                    "c",
                    "at the mode likelihood and prior pull in opposite directions, equally hard: only their "
                    "sum is flat",
                ),
                Mistake(
                    "Sigma depends on w*",
                    "d",
                    "b_n = y_n (1 - y_n) and y_n = sigma(w*'phi_n)",
                ),
            ),
            hints=(
                "d/d alpha_i of a term through w* is its gradient by w, times dw*/d alpha_i. Which gradients "
                "are zero at w*?",
                "The mode is where the gradient of ln p(t|w) + ln p(w|alpha) vanishes. Does |Sigma| know "
                "about w*?",
            ),
            options={
                "a": (
                    r"in the sum "
                    r"$\ln p(\mathbf t|\mathbf w^\ast)+\ln p(\mathbf w^\ast|\boldsymbol\alpha)$, but not "
                    r"in $\tfrac12\ln|\boldsymbol\Sigma|$"
                ),
                "b": r"everywhere: $\mathbf w^\ast$ is the mode, so nothing changes to first order",
                "c": (
                    r"in $\ln p(\mathbf t|\mathbf w^\ast)$ and in "
                    r"$\ln p(\mathbf w^\ast|\boldsymbol\alpha)$, each on its own, but not in "
                    r"$\tfrac12\ln|\boldsymbol\Sigma|$"
                ),
                "d": r"in $\tfrac12\ln|\boldsymbol\Sigma|$, as in regression, but not in the other terms",
            },
            text=r"""
When $\alpha_i$ moves, the mode $\mathbf w^\ast$ moves along. Where in the log of (7.114) may that be left out
*exactly*, when we take the first derivative?
""",
        ),
        Task(
            "7.19d",
            "return the derivatives of ln of (7.114) by alpha, where w* and B follow",
            at_the_mode,
            total_slope,
            mistakes=(
                Mistake(
                    "w* held",
                    held_slope,
                    "that is (7.115), what the book uses; B moves with w*, and |Sigma| with B",
                ),
                Mistake(
                    "the extra term alone",
                    lambda w, Phi, t, alpha: neglected(w, Phi, alpha),
                    "that is only what comes through w*; add it to the slope of 7.19a",
                ),
                Mistake(
                    "only the diagonal of Sigma in dw*",
                    lambda w, Phi, t, alpha: (
                        held_slope(w, Phi, t, alpha)
                        + neglected(w, Phi, alpha, lambda Sigma: np.diag(np.diag(Sigma)))
                    ),
                    "when alpha_i moves, all weights move: dw*/d alpha_i is -w*_i times the whole column i of "
                    "Sigma",
                ),
                Mistake(
                    "the extra term with the wrong sign",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) - neglected(w, Phi, alpha),
                    "dw*/d alpha_i = -w*_i times column i of Sigma (a larger alpha_i makes w*_i smaller), "
                    "and ln |Sigma| has a minus of its own",
                ),
                Mistake(
                    "the 1/2 of the extra term",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) + 2 * neglected(w, Phi, alpha),
                    "it is the log of |Sigma|^(1/2) that moves",
                ),
                Mistake(
                    "the factor 1 - 2 y left out",
                    lambda w, Phi, t, alpha: (
                        held_slope(w, Phi, t, alpha) + extra_term(w, Phi, alpha, lambda y: y * (1 - y))
                    ),
                    "the derivative of y (1 - y) by y is 1 - 2 y, and the chain rule brings one more y (1 - y)",
                ),
                Mistake(
                    "1 - y for 1 - 2 y",
                    lambda w, Phi, t, alpha: (
                        held_slope(w, Phi, t, alpha)
                        + extra_term(w, Phi, alpha, lambda y: y * (1 - y) * (1 - y))
                    ),
                    "y (1 - y) is a product: both factors depend on y, and its derivative is 1 - 2 y",
                ),
                Mistake(
                    "the factor y (1 - y) left out",
                    lambda w, Phi, t, alpha: (
                        held_slope(w, Phi, t, alpha) + extra_term(w, Phi, alpha, lambda y: 1 - 2 * y)
                    ),
                    "b_n depends on w* through y_n, whose own derivative is y_n (1 - y_n) phi_n",
                ),
                Mistake(
                    "dw*/d alpha without w*",
                    lambda w, Phi, t, alpha: held_slope(w, Phi, t, alpha) + neglected(w, Phi, alpha) / w,
                    "differentiate Phi'(t - y) - A w* = 0 by alpha_i: the product A w* gives w*_i",
                ),
                Mistake(
                    "y held in the condition of the mode",
                    total_slope_with_y_held,
                    "dw*_i/d alpha_i = -w*_i/alpha_i would be right if y in Phi'(t - y) = A w* stood still; it "
                    "moves with w*, and that brings Phi'B Phi",
                ),
            ),
            hints=(
                "Differentiate Phi'(t - y) - A w* = 0 by alpha_i. You get an equation for dw*/d alpha_i, in "
                "which Sigma appears.",
                "-(Phi'B Phi + A) dw* - w*_i e_i = 0, so dw*/d alpha_i = -w*_i times column i of Sigma. Then "
                "db_n = b_n (1 - 2 y_n) phi_n'dw*.",
                "The derivative of ln |Phi'B Phi + A| by b_n is phi_n'Sigma phi_n. So add to 7.19a: -1/2 "
                "sum_n (phi_n'Sigma phi_n) b_n (1 - 2 y_n) phi_n'dw*/d alpha_i.",
            ),
            route=("finite differences of (7.114), the mode found anew each time", total_differences),
            text=r"""
So what is the whole derivative? Add to your slope of 7.19a what comes through $\mathbf w^\ast$. You will need
$\partial\mathbf w^\ast/\partial\alpha_i$. The condition
$\boldsymbol\Phi^{\mathsf T}(\mathbf t-\mathbf y)=\mathbf A\mathbf w^\ast$ holds for every $\boldsymbol\alpha$, so
both sides may be differentiated.
""",
        ),
    ),
    worked=r"""
**The log of (7.114).** With
$p(\mathbf w|\boldsymbol\alpha)=(2\pi)^{-M/2}\prod_i\alpha_i^{1/2}\,e^{-\mathbf w^{\mathsf T}\mathbf A\mathbf w/2}$
the powers of $2\pi$ cancel:

$$\ln p(\mathbf t|\boldsymbol\alpha)\simeq
\ln p(\mathbf t|\mathbf w^\ast)-\tfrac12\sum_i\alpha_iw_i^{\ast2}+\tfrac12\sum_i\ln\alpha_i
-\tfrac12\ln|\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A| .$$

**The slope with $\mathbf w^\ast$ held.** The first term has no $\alpha_i$. For the last one,
$\mathrm d\ln|\mathbf H|=\operatorname{tr}(\mathbf H^{-1}\mathrm d\mathbf H)$, and moving $\alpha_i$ changes only the
entry $ii$ of $\mathbf H=\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A$; so its derivative is
$(\mathbf H^{-1})_{ii}=\Sigma_{ii}$. Together

$$-\frac12w_i^{\ast2}+\frac1{2\alpha_i}-\frac12\Sigma_{ii}=0. \tag{7.115}$$

**Two rules.** With $\gamma_i=1-\alpha_i\Sigma_{ii}$ we have $\frac1{\alpha_i}-\Sigma_{ii}=\frac{\gamma_i}{\alpha_i}$,
and (7.115) says $\gamma_i/\alpha_i=w_i^{\ast2}$. Keep $\gamma_i$:

$$\alpha_i^{\text{new}}=\frac{\gamma_i}{w_i^{\ast2}}. \tag{7.116}$$

Keep $\Sigma_{ii}$ instead, and $1/\alpha_i=w_i^{\ast2}+\Sigma_{ii}$:

$$\alpha_i^{\text{new}}=\frac1{w_i^{\ast2}+\Sigma_{ii}},$$

one over the mean of $w_i^2$ under the Gaussian. It is the rule of EM, but for the Gaussian that stands in for the
posterior. Both rest at the same points, those with
(7.115); the first one usually gets there in fewer rounds.

**What of $\mathbf w^\ast$?** It depends on $\boldsymbol\alpha$. In the sum
$\ln p(\mathbf t|\mathbf w^\ast)+\ln p(\mathbf w^\ast|\boldsymbol\alpha)$ this does not matter to first order, for the
gradient of this sum by $\mathbf w$ is (7.110), zero at the mode. (Neither of the two terms is flat there on its own.)
But $|\boldsymbol\Sigma|$ depends on $\mathbf w^\ast$ through $\mathbf B$, and there nothing cancels. The book says
that (7.115) comes from setting the derivative of the marginal likelihood to zero. That is so only if $\mathbf w^\ast$
is held; in regression, where $\mathbf B$ is the constant $\beta\mathbf I$, there is no such term.

**The whole slope.** Differentiate
$\boldsymbol\Phi^{\mathsf T}(\mathbf t-\mathbf y)-\mathbf A\mathbf w^\ast=\mathbf 0$ by $\alpha_i$, with $\mathbf e_i$
the unit vector $i$:

$$-(\boldsymbol\Phi^{\mathsf T}\mathbf B\boldsymbol\Phi+\mathbf A)
\frac{\partial\mathbf w^\ast}{\partial\alpha_i}-w_i^\ast\mathbf e_i=\mathbf 0
\quad\Rightarrow\quad\frac{\partial\mathbf w^\ast}{\partial\alpha_i}=-w_i^\ast\,\boldsymbol\Sigma\mathbf e_i .$$

As $b_n=y_n(1-y_n)$ and $\mathrm dy_n=b_n\,\boldsymbol\phi_n^{\mathsf T}\mathrm d\mathbf w$,

$$\frac{\partial b_n}{\partial\alpha_i}=(1-2y_n)\,b_n\,\boldsymbol\phi_n^{\mathsf T}
\frac{\partial\mathbf w^\ast}{\partial\alpha_i},\qquad
\frac{\partial\ln|\mathbf H|}{\partial b_n}
=\operatorname{tr}(\boldsymbol\Sigma\boldsymbol\phi_n\boldsymbol\phi_n^{\mathsf T})
=\boldsymbol\phi_n^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi_n .$$

So the whole derivative of the log of (7.114) is

$$-\frac12w_i^{\ast2}+\frac1{2\alpha_i}-\frac12\Sigma_{ii}
+\frac{w_i^\ast}2\sum_n(\boldsymbol\phi_n^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi_n)\,
b_n(1-2y_n)\,\boldsymbol\phi_n^{\mathsf T}\boldsymbol\Sigma\mathbf e_i .$$

The last sum is what (7.116) leaves out. How large is it? Compare its length with that of the rest, both as vectors of
$M$ entries. In the instances of the check, with 5 to 8 points, it is about 15 % in the median; and it is the larger
one in about one of fifteen, near places where the rest vanishes. With many points it gets small, as then
$\boldsymbol\phi_n^{\mathsf T}\boldsymbol\Sigma\boldsymbol\phi_n$ is small: with 40 points of the same kind it is about
2 % in the median. But it is not zero. So the rule comes to rest near the top of (7.114), not on it.
""",
)
