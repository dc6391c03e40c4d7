"""PRML 7.17: Quality and sparsity without a large inverse."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.prml_7_15 import SPLIT, precision_and_letters, without
from sparsekm_edu.exercises.tasks import Mistake, Task

LETTERS = ("10, section 4", "10_sparsity.ipynb#4-Large-and-small-letters-·-core")


def inner_products(rng):
    """G = Phi'Phi and h = Phi't of some functions, alpha with infinity outside the model, and beta.

    The model may be empty. The functions overlap, and each is longer than the one before: so elimination of a matrix
    with infinite entries often ends in nan.
    """
    M = int(rng.integers(4, 6))
    Phi, t = rng.normal(size=(M + 4, M)), rng.normal(size=M + 4) + 0.5
    Phi = (Phi + 1.5 * rng.normal(size=(M + 4, 1))) * np.linspace(0.5, 2, M)
    alpha = rng.uniform(0.5, 3, M)
    alpha[rng.permutation(M)[: rng.choice([2, 3, M])]] = np.inf
    return Phi.T @ Phi, Phi.T @ t, alpha, float(rng.uniform(0.4, 2.5))


def large_letters(G, h, alpha, beta):
    """Q (M,) and S (M,) of (7.102)-(7.103) for all M functions, from inner products alone.

    G (M, M) = Phi'Phi and h (M,) = Phi't for all functions; alpha (M,), np.inf for those outside the model, which may
    be empty; beta > 0.
    """
    inside = np.isfinite(alpha)
    Sigma = np.linalg.inv(np.diag(alpha[inside]) + beta * G[inside][:, inside])  # (7.83)
    shared = G[:, inside]  # phi_i' Phi, with the columns of the model
    Q = beta * h - beta**2 * shared @ Sigma @ h[inside]  # (7.106)
    S = beta * np.diag(G) - beta**2 * np.sum(shared @ Sigma * shared, axis=1)  # (7.107)
    return Q, S


def large_letters_by_C(G, h, alpha, beta):
    """By C itself: columns with the inner products G, and targets with h, are easily found."""
    Phi = np.linalg.cholesky(G).T
    t = np.linalg.solve(Phi.T, h)
    inverse = np.linalg.inv(np.eye(len(h)) / beta + Phi / alpha @ Phi.T)  # (7.86)
    return Phi.T @ inverse @ t, np.diag(Phi.T @ inverse @ Phi)  # (7.102), (7.103)


def letters_with(Sigma_of=None, first=1.0, power=2, sign=-1.0):
    """The wrong answers that differ in Sigma, the first terms, the power of beta or the sign."""

    def wrong(G, h, alpha, beta):
        inside = np.isfinite(alpha)
        make = Sigma_of or (lambda a, G, beta: np.linalg.inv(np.diag(a) + beta * G))
        Sigma, shared = make(alpha[inside], G[inside][:, inside], beta), G[:, inside]
        second = sign * beta**power
        return (
            first * beta * h + second * shared @ Sigma @ h[inside],
            first * beta * np.diag(G) + second * np.sum(shared @ Sigma * shared, axis=1),
        )

    return wrong


def with_infinite_entries(G, h, alpha, beta):
    Sigma = np.linalg.inv(np.diag(alpha) + beta * G)
    return beta * h - beta**2 * G @ Sigma @ h, beta * np.diag(G) - beta**2 * np.sum(G @ Sigma * G, axis=1)


def small_letters(G, h, alpha, beta):
    Q, S = large_letters(G, h, alpha, beta)
    factor = np.where(np.isfinite(alpha), 1 / (1 - S / alpha), 1.0)
    return factor * Q, factor * S  # (7.104), (7.105)


def with_the_function(alpha, s, q):
    """Q and S of (7.102)-(7.103), with the function in C with alpha, from s and q, without it. All are numbers."""
    shrunk = alpha / (alpha + s)
    return shrunk * q, shrunk * s


def with_the_function_by_matrices(alpha, s, q):
    C, phi, t = without(s, q)
    inverse = np.linalg.inv(C + np.outer(phi, phi) / alpha)
    return phi @ inverse @ t, phi @ inverse @ phi  # (7.102), (7.103)


def fitted_weights(rng):
    """alpha, m and Sigma of a model, all of whose functions are in; it may be a single one."""
    R = int(rng.choice([1, 3, 4]))
    Phi, t, beta = rng.normal(size=(R + 4, R)), rng.normal(size=R + 4) + 0.5, rng.uniform(0.4, 2.5)
    alpha = rng.uniform(0.5, 3, R)
    Sigma = np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi)  # (7.83)
    return alpha, beta * Sigma @ Phi.T @ t, Sigma  # (7.82)


def letters_of_members(alpha, m, Sigma):
    """q (R,) and s (R,) of all R functions in the model, from alpha (R,), m (R,) of (7.82), Sigma (R, R) of (7.83)."""
    variance = np.diag(Sigma)
    return m / variance, 1 / variance - alpha


def letters_of_members_left_out(alpha, m, Sigma):
    """Leave out one after the other: with beta = 1, Sigma^-1 - A = Phi'Phi and Sigma^-1 m = Phi't."""
    precision = np.linalg.inv(Sigma)
    Phi = np.linalg.cholesky(precision - np.diag(alpha)).T
    t = np.linalg.solve(Phi.T, precision @ m)
    q, s = np.empty(len(m)), np.empty(len(m))
    for i, phi in enumerate(Phi.T):
        others = np.where(np.arange(len(m)) == i, np.inf, alpha)
        inverse = np.linalg.inv(np.eye(len(m)) + Phi / others @ Phi.T)  # of C_-i
        q[i], s[i] = phi @ inverse @ t, phi @ inverse @ phi  # (7.99), (7.98)
    return q, s


EXERCISE = Exercise(
    "7.17",
    "Quality and sparsity without a large inverse",
    "PRML 7.17",
    2,
    "10",
    (LETTERS, SPLIT),
    r"""
With *all* functions of the model in the covariance
$\mathbf C=\beta^{-1}\mathbf I+\boldsymbol\Phi\mathbf A^{-1}\boldsymbol\Phi^{\mathsf T}$ (7.86) every function, inside
or outside, has the large letters

$$Q_i=\boldsymbol\varphi_i^{\mathsf T}\mathbf C^{-1}\mathbf t\quad(7.102),\qquad S_i=\boldsymbol\varphi_i^{\mathsf T}
\mathbf C^{-1}\boldsymbol\varphi_i\quad(7.103).$$

$\mathbf C$ is $N\times N$. Show that the small matrix
$\boldsymbol\Sigma=(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}$ (7.83) is enough:

$$Q_i=\beta\boldsymbol\varphi_i^{\mathsf T}\mathbf t-\beta^2\boldsymbol\varphi_i^{\mathsf T}\boldsymbol\Phi
\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t\quad(7.106),\qquad
S_i=\beta\boldsymbol\varphi_i^{\mathsf T}\boldsymbol\varphi_i-\beta^2\boldsymbol\varphi_i^{\mathsf T}\boldsymbol\Phi
\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\boldsymbol\varphi_i\quad(7.107).$$

In $\boldsymbol\Phi$, $\mathbf A=\operatorname{diag}(\alpha_i)$ and $\boldsymbol\Sigma$ are the functions of the model
only, those with finite $\alpha_i$. (Notebook 10 writes $\mathbf F$ for these columns.) Then come back from the large
letters to the small ones: $s_i$, $q_i$ are the same with function $i$ taken out of $\mathbf C$ (exercise 7.15). The
weights have the posterior mean $\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82) and the
covariance $\boldsymbol\Sigma$.""",
    "the matrix inversion identity (C.7); (7.82), (7.83), (7.95)",
    steps=(
        Claim(
            "7.17a",
            'give the letter of the choice: "a", "b", "c" or "d"',
            "c",
            mistakes=(
                Mistake(
                    "beta for 1/beta",
                    "a",
                    "the noise has the variance 1/beta, and that stands on the diagonal of C",
                ),
                Mistake(
                    "A^-1 for A",
                    "b",
                    "in (7.86) stands A^-1, and in the identity W^-1: so W = A",
                ),
                Mistake(
                    "the inverse of the other matrix",
                    "d",
                    "this choice begins with A + beta Phi'Phi, the matrix (7.83) inverts, not with C",
                ),
            ),
            hints=(
                "Put C = I/beta + Phi A^-1 Phi' below P + U W^-1 V and compare piece by piece.",
                "P^-1 is beta I then, and W + V P^-1 U = A + beta Phi'Phi, whose inverse is Sigma.",
            ),
            options={
                "a": r"$\mathbf P=\beta\mathbf I,\quad\mathbf U=\boldsymbol\Phi,"
                r"\quad\mathbf W=\mathbf A,\quad\mathbf V=\boldsymbol\Phi^{\mathsf T}$",
                "b": r"$\mathbf P=\beta^{-1}\mathbf I,\quad\mathbf U=\boldsymbol\Phi,"
                r"\quad\mathbf W=\mathbf A^{-1},\quad\mathbf V=\boldsymbol\Phi^{\mathsf T}$",
                "c": r"$\mathbf P=\beta^{-1}\mathbf I,\quad\mathbf U=\boldsymbol\Phi,"
                r"\quad\mathbf W=\mathbf A,\quad\mathbf V=\boldsymbol\Phi^{\mathsf T}$",
                "d": r"$\mathbf P=\mathbf A,\quad\mathbf U=\boldsymbol\Phi^{\mathsf T},"
                r"\quad\mathbf W=\beta^{-1}\mathbf I,\quad\mathbf V=\boldsymbol\Phi$",
            },
            text=r"""
The identity (C.7), in letters that are still free:

$$(\mathbf P+\mathbf U\mathbf W^{-1}\mathbf V)^{-1}=\mathbf P^{-1}-\mathbf P^{-1}\mathbf U\,(\mathbf W+\mathbf V
\mathbf P^{-1}\mathbf U)^{-1}\,\mathbf V\mathbf P^{-1}.$$

Which choice makes its left side $\mathbf C^{-1}$? (Then read off the right side; you need it next.)""",
        ),
        Task(
            "7.17b",
            "return Q and S of all functions, from G = Phi'Phi, h = Phi't, alpha and beta",
            inner_products,
            large_letters,
            instances=16,  # so that a model is empty, and another one ends in nan with infinite entries
            mistakes=(
                Mistake(
                    "infinite entries in the matrix",
                    with_infinite_entries,
                    "the inverse holds a nan, for infinity minus infinity: choose the members first, in alpha, G and h",
                ),
                Mistake(
                    "beta lost in the first terms",
                    lambda G, h, alpha, beta: letters_with(first=1 / beta)(G, h, alpha, beta),
                    "P^-1 = beta I comes first in C^-1: beta phi't and beta phi'phi",
                ),
                Mistake(
                    "beta for beta²",
                    letters_with(power=1),
                    "P^-1 = beta I stands on both sides of the inverse in the identity",
                ),
                Mistake(
                    "plus for minus", letters_with(sign=1.0), "what the model explains already is subtracted"
                ),
                Mistake(
                    "Sigma not inverted",
                    letters_with(lambda a, G, beta: np.diag(a) + beta * G),
                    "(7.83) is the inverse of A + beta Phi'Phi",
                ),
                Mistake(
                    "beta left out of Sigma",
                    letters_with(lambda a, G, beta: np.linalg.inv(np.diag(a) + G)),
                    "Sigma = (A + beta Phi'Phi)^-1",
                ),
                Mistake(
                    "A^-1 in Sigma",
                    letters_with(lambda a, G, beta: np.linalg.inv(np.diag(1 / a) + beta * G)),
                    "the precisions alpha stand on the diagonal of (7.83), not their inverses",
                ),
                Mistake(
                    "A left out of Sigma",
                    letters_with(lambda a, G, beta: np.linalg.inv(beta * G)),
                    "Sigma = (A + beta Phi'Phi)^-1: the prior belongs to it",
                ),
                Mistake(
                    "1/beta for beta",
                    lambda G, h, alpha, beta: large_letters(G, h, alpha, 1 / beta),
                    "beta is the precision of the noise: C has I/beta, and P^-1 is beta I",
                ),
                Mistake(
                    "the small letters",
                    small_letters,
                    "these are q and s of members; asked for are Q and S, with the function in C",
                ),
                Mistake(
                    "the first terms only",
                    letters_with(sign=0.0),
                    "this is what a function is worth alone; the model has had its share",
                ),
                Mistake(
                    "the first terms missing",
                    letters_with(first=0.0, sign=-1.0),
                    "beta phi't and beta phi'phi come first",
                ),
                Mistake(
                    "S and Q the wrong way round",
                    lambda G, h, alpha, beta: large_letters(G, h, alpha, beta)[::-1],
                    "first Q, then S",
                ),
            ),
            hints=(
                "inside = np.isfinite(alpha) says who is in the model. G[inside][:, inside] is Phi'Phi of the model.",
                "phi_i' Phi for every i, in rows: G[:, inside]. Phi't: h[inside]. And phi_i'phi_i: np.diag(G).",
                "Q = beta h - beta^2 G[:, inside] Sigma h[inside]. In S the last factor is row i of G[:, inside] "
                "again, so it is a sum over the columns of (G[:, inside] Sigma) * G[:, inside].",
            ),
            route=("C and its inverse", large_letters_by_C),
            text=r"""
Once $\mathbf C^{-1}$ is written by $\boldsymbol\Sigma$, the number $N$ of points is gone: only inner products are
left. Show it by a function that never sees $\boldsymbol\Phi$ or $\mathbf t$. Given are $\mathbf G$ ($M\times M$, all
$\boldsymbol\varphi_i^{\mathsf T}\boldsymbol\varphi_j$) and $\mathbf h$ (all
$\boldsymbol\varphi_i^{\mathsf T}\mathbf t$) for all $M$ functions, `alpha` with `np.inf` for those outside the model,
and $\beta$. Return $Q$ and $S$ of *all* $M$. (Choose the members first: a matrix with infinite entries has no inverse.
There may be none.)
""",
        ),
        Task(
            "7.17c",
            "return Q and S of a function in the model, from alpha, s and q",
            precision_and_letters,
            with_the_function,
            mistakes=(
                Mistake(
                    "the other way: alpha - s",
                    lambda alpha, s, q: (alpha * q / (alpha - s), alpha * s / (alpha - s)),
                    "this has the form of (7.104)-(7.105), which lead from large letters to small ones",
                ),
                Mistake(
                    "s/(alpha + s)",
                    lambda alpha, s, q: (s * q / (alpha + s), s * s / (alpha + s)),
                    "q - s q/(alpha + s): bring both over one denominator",
                ),
                Mistake(
                    "s/(alpha + s) subtracted from both",
                    lambda alpha, s, q: (q - s / (alpha + s), s - s / (alpha + s)),
                    "phi stands on both sides of the outer product in (7.95): Q = q - s q/(alpha + s), S = s - "
                    "s s/(alpha + s)",
                ),
                Mistake(
                    "plus for minus",
                    lambda alpha, s, q: (q + s * q / (alpha + s), s + s * s / (alpha + s)),
                    "(7.95) has a minus: C grows, so C^-1 shrinks",
                ),
                Mistake(
                    "1/alpha for alpha",
                    lambda alpha, s, q: (q / (1 + alpha * s), s / (1 + alpha * s)),
                    "alpha is a precision: C gets phi phi'/alpha, and the denominator of (7.95) is alpha + s",
                ),
                Mistake(
                    "nothing changes",
                    lambda alpha, s, q: (q, s),
                    "that holds for alpha = infinity only, for functions outside",
                ),
                Mistake(
                    "upside down",
                    lambda alpha, s, q: ((alpha + s) / alpha * q, (alpha + s) / alpha * s),
                    "with the function in it C is larger, its inverse smaller: large letters are the smaller numbers",
                ),
                Mistake(
                    "alpha left out above",
                    lambda alpha, s, q: (q / (alpha + s), s / (alpha + s)),
                    "q - s q/(alpha + s) = alpha q/(alpha + s); for large alpha it has to be q again",
                ),
                Mistake(
                    "the factor squared in S",
                    lambda alpha, s, q: (alpha * q / (alpha + s), (alpha / (alpha + s)) ** 2 * s),
                    "C^-1 stands once in S: both letters get the same factor",
                ),
                Mistake(
                    "S and Q the wrong way round",
                    lambda alpha, s, q: with_the_function(alpha, s, q)[::-1],
                    "first Q, then S",
                ),
            ),
            hints=(
                "C and C_-i differ by function i alone: (7.95) tells C^-1.",
                "Put phi' before (7.95) and t behind it: Q = q - s q/(alpha + s). S goes in the same way.",
                "Both get the factor alpha/(alpha + s). Solve for q and s, and you have (7.104) and (7.105).",
            ),
            route=("inverses of matrices with these s and q", with_the_function_by_matrices),
            text=r"""
Now from small to large. Function $i$ has $s$ and $q$ as long as it is not in $\mathbf C$. It joins with $\alpha$.
What are $Q$ and $S$ then? (Solved for $q$ and $s$ this is (7.104) and (7.105).) In words of exercise 7.15, with
$\mathbf C_{-i}$ for what $\mathbf C$ is without function $i$,

$$\mathbf C^{-1}=\mathbf C_{-i}^{-1}-\frac{\mathbf C_{-i}^{-1}\boldsymbol\varphi_i\boldsymbol\varphi_i^{\mathsf T}
\mathbf C_{-i}^{-1}}{\alpha_i+\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\boldsymbol\varphi_i}\quad(7.95).
$$""",
        ),
        Task(
            "7.17d",
            "return q and s of all functions in the model, from alpha, m and Sigma alone",
            fitted_weights,
            letters_of_members,
            instances=14,  # so that one of the models has a single member
            mistakes=(
                Mistake(
                    "Sigma^-1 m for q",
                    lambda alpha, m, Sigma: (np.linalg.inv(Sigma) @ m, 1 / np.diag(Sigma) - alpha),
                    "s is right. But Sigma^-1 m is beta Phi't: what a function is worth with no other in the model",
                ),
                Mistake(
                    "every function alone",
                    lambda alpha, m, Sigma: (np.linalg.inv(Sigma) @ m, np.diag(np.linalg.inv(Sigma)) - alpha),
                    "Sigma^-1 m is beta Phi't, and Sigma^-1 - A is beta Phi'Phi: the first terms of (7.106) and "
                    "(7.107) only, as if no other function were in the model",
                ),
                Mistake(
                    "the diagonal of Sigma^-1",
                    lambda alpha, m, Sigma: (
                        m * np.diag(np.linalg.inv(Sigma)),
                        np.diag(np.linalg.inv(Sigma)) - alpha,
                    ),
                    "1 over an entry of Sigma is not an entry of Sigma^-1",
                ),
                Mistake(
                    "the diagonal of Sigma^-1 in s",
                    lambda alpha, m, Sigma: (m / np.diag(Sigma), np.diag(np.linalg.inv(Sigma)) - alpha),
                    "q is right. But 1 over an entry of Sigma is not an entry of Sigma^-1, which less alpha_i is beta "
                    "phi_i'phi_i",
                ),
                Mistake(
                    "alpha not subtracted",
                    lambda alpha, m, Sigma: (m / np.diag(Sigma), 1 / np.diag(Sigma)),
                    "1/Sigma_ii is alpha_i + s_i",
                ),
                Mistake(
                    "the large letters",
                    lambda alpha, m, Sigma: (alpha * m, alpha - alpha**2 * np.diag(Sigma)),
                    "these are Q and S; (7.104) and (7.105) lead from there to q and s",
                ),
                Mistake(
                    "large Q with small s",
                    lambda alpha, m, Sigma: (alpha * m, 1 / np.diag(Sigma) - alpha),
                    "alpha_i m_i is Q_i; (7.104) has still to be applied",
                ),
                Mistake(
                    "multiplied by Sigma_ii",
                    lambda alpha, m, Sigma: (m * np.diag(Sigma), 1 / np.diag(Sigma) - alpha),
                    "m_i = q_i Sigma_ii: divide",
                ),
                Mistake(
                    "alpha added",
                    lambda alpha, m, Sigma: (m / np.diag(Sigma), 1 / np.diag(Sigma) + alpha),
                    "1/Sigma_ii is alpha_i + s_i: subtract alpha_i",
                ),
                Mistake(
                    "s and q the wrong way round",
                    lambda alpha, m, Sigma: letters_of_members(alpha, m, Sigma)[::-1],
                    "first q, then s",
                ),
            ),
            hints=(
                "Write H = beta Phi'Phi = Sigma^-1 - A. For the members (7.106) says Q = beta Phi't - H m, and "
                "beta Phi't = Sigma^-1 m.",
                "So Q = A m. In the same way S is the diagonal of H - H Sigma H = A - A Sigma A.",
                "Q_i = alpha_i m_i and S_i = alpha_i - alpha_i^2 Sigma_ii; put both into (7.104) and (7.105).",
            ),
            route=("C_-i and its inverse, one function after the other", letters_of_members_left_out),
            text=r"""
For functions that are *in* the model even the inner products are not needed. Given `alpha`, the posterior mean
$\mathbf m$ (7.82) and covariance $\boldsymbol\Sigma$ (7.83), return $q_i$ and $s_i$ of every member. (7.106) and
(7.107) give large letters; what you found in 7.17c, solved for $q$ and $s$, leads on to the small ones. It is a short
result.""",
        ),
    ),
    worked=r"""
**The identity** with $\mathbf P=\beta^{-1}\mathbf I$, $\mathbf U=\boldsymbol\Phi$, $\mathbf W=\mathbf A$,
$\mathbf V=\boldsymbol\Phi^{\mathsf T}$:

$$\mathbf C^{-1}=\beta\mathbf I-\beta\boldsymbol\Phi(\mathbf A+\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi)^{-1}
\boldsymbol\Phi^{\mathsf T}\beta=\beta\mathbf I-\beta^2\boldsymbol\Phi\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}.$$

With $\boldsymbol\varphi_i^{\mathsf T}$ on the left and $\mathbf t$ or $\boldsymbol\varphi_i$ on the right these are
(7.106) and (7.107). Columns and targets appear in inner products only. And since
$\mathbf m=\beta\boldsymbol\Sigma\boldsymbol\Phi^{\mathsf T}\mathbf t$ (7.82),
$Q_i=\beta\boldsymbol\varphi_i^{\mathsf T}(\mathbf t-\boldsymbol\Phi\mathbf m)$: how function $i$ is aligned with the
error of the model.

**Small to large.** (7.95) with $\boldsymbol\varphi_i$ on the left:

$$Q=q-\frac{s\,q}{\alpha+s}=\frac{\alpha\,q}{\alpha+s},\qquad S=s-\frac{s^2}{\alpha+s}=\frac{\alpha\,s}{\alpha+s}.$$

From the second, $\alpha-S=\frac{\alpha^2}{\alpha+s}$, so $\frac\alpha{\alpha-S}=\frac{\alpha+s}\alpha$, and
$q=\frac{\alpha Q}{\alpha-S}$ (7.104), $s=\frac{\alpha S}{\alpha-S}$ (7.105). For $\alpha=\infty$ nothing changes.

**Members.** Let $\mathbf H=\beta\boldsymbol\Phi^{\mathsf T}\boldsymbol\Phi=\boldsymbol\Sigma^{-1}-\mathbf A$. All
$Q_i$ of members at once:

$$\mathbf Q=\beta\boldsymbol\Phi^{\mathsf T}\mathbf t-\mathbf H\mathbf m=\boldsymbol\Sigma^{-1}\mathbf m-(
\boldsymbol\Sigma^{-1}-\mathbf A)\mathbf m=\mathbf A\mathbf m.$$

$S_i$ is the diagonal of

$$\mathbf H-\mathbf H\boldsymbol\Sigma\mathbf H=\mathbf H(\mathbf I-\boldsymbol\Sigma\mathbf H)
=\mathbf H\boldsymbol\Sigma\mathbf A=\mathbf A-\mathbf A\boldsymbol\Sigma\mathbf A.$$

So $Q_i=\alpha_im_i$, $S_i=\alpha_i-\alpha_i^2\Sigma_{ii}$, $\alpha_i-S_i=\alpha_i^2\Sigma_{ii}$, and by (7.104),
(7.105)

$$q_i=\frac{m_i}{\Sigma_{ii}},\qquad s_i=\frac1{\Sigma_{ii}}-\alpha_i.$$

(In the book's exercise the index is $n$, in its section $i$.)""",
)
