"""PRML 7.15: One function split off the evidence."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task

SPLIT = ("10, section 2", "10_sparsity.ipynb#2-One-precision-at-a-time-·-core")


def without(s, q):
    """C_-i (2, 2), phi (2,) and t (2,) of which s and q are the sparsity (7.98) and the quality (7.99)."""
    C = np.array([[2.0, 0.6], [0.6, 1.3]])
    L = np.linalg.cholesky(C)  # phi = L e has phi' C^-1 phi = e'e
    return C, L @ [np.sqrt(s), 0.0], L @ [q / np.sqrt(s), 0.7]


def log_normal(C, t):
    """ln N(t | 0, C)."""
    return -0.5 * (len(t) * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + t @ np.linalg.inv(C) @ t)


def precision_and_letters(rng):
    """alpha, s and q of one function; q may be negative."""
    sign = rng.choice([-1.0, 1.0])
    return float(rng.uniform(0.4, 3)), float(rng.uniform(0.5, 3)), float(sign * rng.uniform(0.7, 3))


def evidence_terms(alpha, s, q):
    """What the two terms of L change by when function i joins: ln|C| - ln|C_-i|, and t'C^-1 t - t'C_-i^-1 t.

    alpha > 0, s > 0 and q are numbers: alpha_i, the sparsity (7.98) and the quality (7.99). Returns two numbers.
    """
    determinant = np.log((alpha + s) / alpha)  # (7.94)
    quadratic = -(q**2) / (alpha + s)  # (7.95), from both sides t
    return determinant, quadratic


def evidence_terms_by_matrices(alpha, s, q):
    C, phi, t = without(s, q)
    whole = C + np.outer(phi, phi) / alpha  # (7.93)
    determinant = np.linalg.slogdet(whole)[1] - np.linalg.slogdet(C)[1]
    return determinant, t @ np.linalg.inv(whole) @ t - t @ np.linalg.inv(C) @ t


def two_precisions(rng):
    """alpha, a new one, s and q."""
    alpha, s, q = precision_and_letters(rng)
    return alpha, alpha * float(rng.choice([0.3, 0.5, 2.0, 3.0]) * rng.uniform(0.9, 1.1)), s, q


def gain_of_a_new_precision(alpha, new, s, q):
    """L after minus L before, when alpha_i goes from alpha to new and nothing else changes.

    All are numbers, and all but q are positive.
    """
    price = np.log(new / (new + s)) - np.log(alpha / (alpha + s))
    reward = q**2 / (new + s) - q**2 / (alpha + s)
    return 0.5 * (price + reward)  # (7.97), twice


def gain_by_densities(alpha, new, s, q):
    C, phi, t = without(s, q)
    before, after = (log_normal(C + np.outer(phi, phi) / one, t) for one in (alpha, new))
    return after - before


def two_functions(rng):
    """Letters of two functions i and j, their overlap, and alpha_j."""
    vectors = rng.normal(size=(3, 3))
    (s_i, o, q_i), (_, s_j, q_j), _ = vectors @ vectors.T + 0.5 * np.diag([1, 1, 0])
    return float(s_i), float(q_i), float(s_j), float(q_j), float(o), float(rng.uniform(0.4, 3))


def seen_after(s_i, q_i, s_j, q_j, o, alpha_j):
    """s_i and q_i once function j has joined with alpha_j; all arguments are numbers, returns two numbers.

    Before that, with neither i nor j in C: the letters s_i, q_i, s_j, q_j, and the overlap o = phi_i' C^-1 phi_j.
    """
    share = o / (alpha_j + s_j)  # (7.95) for function j, seen by phi_i
    return s_i - share * o, q_i - share * q_j


def seen_after_by_matrices(s_i, q_i, s_j, q_j, o, alpha_j):
    products, right = np.array([[s_i, o], [o, s_j]]), np.array([q_i, q_j])
    length = right @ np.linalg.solve(products, right) + 1.0  # of t: any length that is possible
    gram = np.block([[products, right[:, None]], [right, np.array([length])]])
    phi_i, phi_j, t = np.linalg.cholesky(gram)  # vectors with these inner products, for C = I
    inverse = np.linalg.inv(np.eye(3) + np.outer(phi_j, phi_j) / alpha_j)
    return phi_i @ inverse @ phi_i, phi_i @ inverse @ t  # (7.98), (7.99)


EXERCISE = Exercise(
    "7.15",
    "One function split off the evidence",
    "PRML 7.15",
    2,
    "10",
    (SPLIT,),
    r"""
Column $i$ of the design matrix is $\boldsymbol\varphi_i$. Call $\mathbf C_{-i}$ what is left of the covariance of the
targets without function $i$:

$$\mathbf C=\mathbf C_{-i}+\alpha_i^{-1}\boldsymbol\varphi_i\boldsymbol\varphi_i^{\mathsf T}\quad(7.93),\qquad
s_i=\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\boldsymbol\varphi_i\quad(7.98),\qquad q_i=
\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\mathbf t\quad(7.99).$$

Determinant and inverse of such a sum are known:

$$|\mathbf C|=|\mathbf C_{-i}|\,\big|1+\alpha_i^{-1}\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}
\boldsymbol\varphi_i\big|\quad(7.94),\qquad
\mathbf C^{-1}=\mathbf C_{-i}^{-1}-\frac{\mathbf C_{-i}^{-1}\boldsymbol\varphi_i\boldsymbol\varphi_i^{\mathsf T}
\mathbf C_{-i}^{-1}}{\alpha_i+\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}\boldsymbol\varphi_i}\quad(7.95).$$

The log evidence is $L=-\tfrac12\{N\ln2\pi+\ln|\mathbf C|+\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t\}$ (7.85). Show
that it knows $\alpha_i$ only through one function of three numbers,
$L(\boldsymbol\alpha)=L(\boldsymbol\alpha_{-i})+\lambda(\alpha_i)$ with

$$\lambda(\alpha_i)=\tfrac12\Big[\ln\alpha_i-\ln(\alpha_i+s_i)+\frac{q_i^2}{\alpha_i+s_i}\Big].\tag{7.97}$$

First make sure of (7.95), then take $L$ apart, then use it.""",
    "inverse and determinant of a matrix; what a quadratic form is",
    steps=(
        Claim(
            "7.15a",
            'give the letter of the bracket: "a", "b", "c" or "d"',
            "b",
            mistakes=(
                Mistake(
                    "the sign of the last term",
                    "a",
                    "both terms with 1/(alpha + s) come from the minus of (7.95)",
                ),
                Mistake(
                    "1/alpha lost in the last term",
                    "c",
                    "the last term is the product of phi phi'/alpha and u u'/(alpha + s): both denominators stay",
                ),
                Mistake(
                    "s in every term",
                    "d",
                    "this is 0, too, but s = phi'u turns up only where phi' meets u: in the product of the two outer "
                    "products",
                ),
            ),
            hints=(
                "Multiply out: two terms times two terms. The first product is I.",
                "C_-i u = phi, so C_-i u u' = phi u'. And phi' C_-i^-1 = u'.",
                "phi phi' u u' = phi (phi'u) u' = s phi u'. Collect what stands before phi u', and see that it is 0.",
            ),
            options={
                "a": r"$\frac1\alpha-\frac1{\alpha+s}+\frac s{\alpha(\alpha+s)}$",
                "b": r"$\frac1\alpha-\frac1{\alpha+s}-\frac s{\alpha(\alpha+s)}$",
                "c": r"$\frac1\alpha-\frac1{\alpha+s}-\frac s{\alpha+s}$",
                "d": r"$\frac s\alpha-\frac s{\alpha+s}-\frac{s^2}{\alpha(\alpha+s)}$",
            },
            text=r"""
Is (7.95) right? Let $\mathbf u=\mathbf C_{-i}^{-1}\boldsymbol\varphi_i$ and leave out the index of $\alpha$, $s$.
Multiply (7.93) by the right side of (7.95) and multiply out. You get
$\mathbf I+[\;\dots\;]\,\boldsymbol\varphi_i\mathbf u^{\mathsf T}$ with a number in the bracket, term by term. Which
bracket is it? (Then convince yourself that it is 0.)""",
        ),
        Task(
            "7.15b",
            "return ln|C| - ln|C_-i| and t'C^-1 t - t'C_-i^-1 t, from alpha, s and q alone",
            precision_and_letters,
            evidence_terms,
            mistakes=(
                Mistake(
                    "the sign of the logarithm",
                    lambda alpha, s, q: (-np.log1p(s / alpha), -(q**2) / (alpha + s)),
                    "a function more makes the cloud of possible targets larger, so ln|C| grows",
                ),
                Mistake(
                    "the sign of the quadratic term",
                    lambda alpha, s, q: (np.log1p(s / alpha), q**2 / (alpha + s)),
                    "C grows, so its inverse and t'C^-1 t become smaller",
                ),
                Mistake(
                    "alpha for 1/alpha",
                    lambda alpha, s, q: (np.log1p(s * alpha), -(q**2) / (1 / alpha + s)),
                    "alpha is a precision: the weight has the variance 1/alpha, and C gets phi phi'/alpha",
                ),
                Mistake(
                    "q for q²",
                    lambda alpha, s, q: (np.log1p(s / alpha), -q / (alpha + s)),
                    "t stands on both sides of (7.95), so phi'C_-i^-1 t comes twice",
                ),
                Mistake(
                    "the factor 1/2 already in",
                    lambda alpha, s, q: (np.log1p(s / alpha) / 2, -(q**2) / (2 * (alpha + s))),
                    "asked for are the two terms inside the curly brackets of L, before -1/2",
                ),
                Mistake(
                    "the factor -1/2 already in",
                    lambda alpha, s, q: (-np.log1p(s / alpha) / 2, q**2 / (2 * (alpha + s))),
                    "these are the shares of L; asked for are the two terms inside its curly brackets, before -1/2",
                ),
                Mistake(
                    "the results the wrong way round",
                    lambda alpha, s, q: evidence_terms(alpha, s, q)[::-1],
                    "first the change of ln|C|, then that of t'C^-1 t",
                ),
                Mistake(
                    "s left out of the denominator",
                    lambda alpha, s, q: (np.log1p(s / alpha), -(q**2) / alpha),
                    "the inverse of a sum is not the sum of inverses: (7.95) has alpha + s below",
                ),
                Mistake(
                    "the ratio of the determinants",
                    lambda alpha, s, q: (1 + s / alpha, -(q**2) / (alpha + s)),
                    "L holds the logarithm of |C|: take the logarithm of (7.94)",
                ),
            ),
            hints=(
                "In (7.94) and in the denominator of (7.95) one number turns up that has a name already.",
                "Multiply (7.95) by t' from the left and by t from the right: t' C_-i^-1 phi = phi' C_-i^-1 t = q.",
                "ln|C| - ln|C_-i| = ln(1 + s/alpha); the other is minus q^2 over the denominator of (7.95).",
            ),
            route=(
                "determinants and inverses of matrices with these s and q",
                evidence_terms_by_matrices,
            ),
            text=r"""
By how much do the two terms of $L$ change when function $i$ joins? Give $\ln|\mathbf C|-\ln|\mathbf C_{-i}|$ and
$\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t-\mathbf t^{\mathsf T}\mathbf C_{-i}^{-1}\mathbf t$, both as functions of
the three numbers $\alpha$, $s$, $q$.""",
        ),
        Task(
            "7.15c",
            "return L after minus L before, when alpha_i goes from alpha to new",
            two_precisions,
            gain_of_a_new_precision,
            mistakes=(
                Mistake(
                    "the factor 1/2",
                    lambda alpha, new, s, q: 2 * gain_of_a_new_precision(alpha, new, s, q),
                    "L = -1/2 {...}: every term of it is halved",
                ),
                Mistake(
                    "before minus after",
                    lambda alpha, new, s, q: gain_of_a_new_precision(new, alpha, s, q),
                    "a gain is L after minus L before",
                ),
                Mistake(
                    "the sign of the logarithm",
                    lambda alpha, new, s, q: (
                        0.5
                        * (
                            np.log((new + s) * alpha / new / (alpha + s))
                            + q**2 * (1 / (new + s) - 1 / (alpha + s))
                        )
                    ),
                    "ln|C| stands in L with a minus: lambda has ln alpha - ln(alpha + s)",
                ),
                Mistake(
                    "the sign of the fraction",
                    lambda alpha, new, s, q: (
                        0.5
                        * (
                            np.log(new * (alpha + s) / (new + s) / alpha)
                            - q**2 * (1 / (new + s) - 1 / (alpha + s))
                        )
                    ),
                    "t'C^-1 t has -q²/(alpha + s), and L has it with -1/2: lambda has a plus there",
                ),
                Mistake(
                    "the factor 1/2 of the fraction",
                    lambda alpha, new, s, q: (
                        0.5 * np.log(new * (alpha + s) / (new + s) / alpha)
                        + q**2 * (1 / (new + s) - 1 / (alpha + s))
                    ),
                    "the logarithms are right; but L = -1/2 {...}: every term of it is halved",
                ),
                Mistake(
                    "the factor 1/2 of the logarithms",
                    lambda alpha, new, s, q: (
                        np.log(new * (alpha + s) / (new + s) / alpha)
                        + 0.5 * q**2 * (1 / (new + s) - 1 / (alpha + s))
                    ),
                    "the fractions are right; but L = -1/2 {...}: every term of it is halved",
                ),
                Mistake(
                    "the logarithm forgotten",
                    lambda alpha, new, s, q: 0.5 * q**2 * (1 / (new + s) - 1 / (alpha + s)),
                    "|C| depends on alpha_i, too",
                ),
                Mistake(
                    "only ln alpha, without ln(alpha + s)",
                    lambda alpha, new, s, q: (
                        0.5 * (np.log(new / alpha) + q**2 / (new + s) - q**2 / (alpha + s))
                    ),
                    "ln(1 + s/alpha) is ln(alpha + s) - ln alpha, and both parts change",
                ),
                Mistake(
                    "lambda at the new precision only",
                    lambda alpha, new, s, q: 0.5 * (np.log(new / (new + s)) + q**2 / (new + s)),
                    "lambda(new) compares with a model without the function; here it is in already, with alpha",
                ),
                Mistake(
                    "s and q at new instead of alpha + s",
                    lambda alpha, new, s, q: 0.5 * (np.log(new / alpha) + q**2 / new - q**2 / alpha),
                    "the denominator of (7.95) is alpha + s",
                ),
            ),
            hints=(
                "C_-i does not know alpha_i. So s and q are the same before and after.",
                "L = L_-i + lambda(alpha): what happens to L_-i in the difference?",
                "lambda(new) - lambda(alpha), with lambda(a) = 1/2 [ln a - ln(a + s) + q^2/(a + s)].",
            ),
            route=("two log densities of the same targets", gain_by_densities),
            text=r"""
Function $i$ is in the model with $\alpha_i=$ `alpha`, and you set it to `new`. By how much does the log evidence $L$
grow? (This is what the algorithm of section 7.2.2 asks of every function in every round, and no matrix is needed for
it.) If you have sympy, a formula in `alpha`, `new`, `s`, `q` is welcome, too.""",
        ),
        Task(
            "7.15d",
            "return s_i and q_i after function j has joined",
            two_functions,
            seen_after,
            mistakes=(
                Mistake(
                    "plus for minus",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (
                        s_i + o**2 / (alpha_j + s_j),
                        q_i + o * q_j / (alpha_j + s_j),
                    ),
                    "C grows when a function joins, so C^-1 shrinks: (7.95) has a minus",
                ),
                Mistake(
                    "the overlap not squared",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (
                        s_i - o / (alpha_j + s_j),
                        q_i - o * q_j / (alpha_j + s_j),
                    ),
                    "phi_i stands on both sides in s_i, and each side meets phi_j once",
                ),
                Mistake(
                    "q_i for q_j",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (
                        s_i - o**2 / (alpha_j + s_j),
                        q_i - o * q_i / (alpha_j + s_j),
                    ),
                    "on the right of the outer product phi_j meets t, and that is q_j",
                ),
                Mistake(
                    "s_i for s_j",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (
                        s_i - o**2 / (alpha_j + s_i),
                        q_i - o * q_j / (alpha_j + s_i),
                    ),
                    "j is the function that joins: (7.95) for j has alpha_j + s_j below",
                ),
                Mistake(
                    "s_j left out of the denominator",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (s_i - o**2 / alpha_j, q_i - o * q_j / alpha_j),
                    "the denominator of (7.95) is alpha_j + s_j",
                ),
                Mistake(
                    "1/alpha_j for alpha_j",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (
                        s_i - o**2 / (1 / alpha_j + s_j),
                        q_i - o * q_j / (1 / alpha_j + s_j),
                    ),
                    "C gets phi_j phi_j'/alpha_j, and the denominator of (7.95) is alpha_j + s_j",
                ),
                Mistake(
                    "nothing changes",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: (s_i, q_i),
                    "s_i and q_i do not know alpha_i, but all other functions of the model are in C_-i",
                ),
                Mistake(
                    "q and s the wrong way round",
                    lambda s_i, q_i, s_j, q_j, o, alpha_j: seen_after(s_i, q_i, s_j, q_j, o, alpha_j)[::-1],
                    "first s_i, then q_i",
                ),
            ),
            hints=(
                "Function j changes C by phi_j phi_j'/alpha_j. So C^-1 changes by (7.95), written for j.",
                "Put phi_i' before that and phi_i behind it: what is phi_i' C^-1 phi_j phi_j' C^-1 phi_i?",
                "s_i loses o^2 / (alpha_j + s_j). For q_i put t behind it: one o becomes q_j.",
            ),
            route=("inverses of matrices with these letters", seen_after_by_matrices),
            text=r"""
The split is clean for one function; it does not say that functions are independent. Take two of them, $i$ and $j$,
neither in $\mathbf C$ yet. Seen from there they have the letters $s_i,q_i,s_j,q_j$ and the overlap
$o=\boldsymbol\varphi_i^{\mathsf T}\mathbf C^{-1}\boldsymbol\varphi_j$. Now $j$ joins with $\alpha_j$. What are $s_i$
and $q_i$ afterwards?""",
        ),
    ),
    worked=r"""
**(7.95)** Let $\mathbf u=\mathbf C_{-i}^{-1}\boldsymbol\varphi_i$, so $\mathbf C_{-i}\mathbf u=\boldsymbol\varphi_i$,
$\boldsymbol\varphi_i^{\mathsf T}\mathbf C_{-i}^{-1}=\mathbf u^{\mathsf T}$ and
$\boldsymbol\varphi_i^{\mathsf T}\mathbf u=s$. Multiply out:

$$\Big(\mathbf C_{-i}+\frac{\boldsymbol\varphi_i\boldsymbol\varphi_i^{\mathsf T}}\alpha\Big)\Big(\mathbf C_{-i}^{-1}-
\frac{\mathbf u\mathbf u^{\mathsf T}}{\alpha+s}\Big)
=\mathbf I-\frac{\boldsymbol\varphi_i\mathbf u^{\mathsf T}}{\alpha+s}+\frac{\boldsymbol\varphi_i
\mathbf u^{\mathsf T}}\alpha-\frac{s\,\boldsymbol\varphi_i\mathbf u^{\mathsf T}}{\alpha(\alpha+s)}.$$

The bracket is
$\frac1\alpha-\frac1{\alpha+s}-\frac s{\alpha(\alpha+s)}=\frac{(\alpha+s)-\alpha-s}{\alpha(\alpha+s)}=0$.

**The two terms.** In (7.94) stands $1+s/\alpha$, so $\ln|\mathbf C|-\ln|\mathbf C_{-i}|=\ln\frac{\alpha+s}\alpha$.
Multiply (7.95) by $\mathbf t$ from both sides; $\mathbf t^{\mathsf T}\mathbf u=q$:

$$\mathbf t^{\mathsf T}\mathbf C^{-1}\mathbf t-\mathbf t^{\mathsf T}\mathbf C_{-i}^{-1}\mathbf t=-
\frac{q^2}{\alpha+s}.$$

**Together**, with the factor $-\tfrac12$ of (7.85), they are $\lambda(\alpha)$ of (7.97). $L(\boldsymbol\alpha_{-i})$
is the log evidence of the model without the function. Since $\mathbf C_{-i}$, $s$ and $q$ do not depend on
$\alpha_i$, a new precision gains $\lambda(\text{new})-\lambda(\alpha)$.

**Two functions.** (7.95) for $j$, with $\boldsymbol\varphi_i$ on the left and $\boldsymbol\varphi_i$ or $\mathbf t$
on the right:

$$s_i\leftarrow s_i-\frac{o^2}{\alpha_j+s_j},\qquad q_i\leftarrow q_i-\frac{o\,q_j}{\alpha_j+s_j}.$$

So overlap makes $s_i$ smaller. If $i$ is a copy of $j$, then $o=s_i=s_j$ and $q_i=q_j$, and both letters are
multiplied by $\alpha_j/(\alpha_j+s_j)$. With the best $\alpha_j=s_j^2/(q_j^2-s_j)$ (7.101) this factor is $s_j/q_j^2$.
Then $q_i^2=s_i$ exactly, and a function joins only if $q_i^2>s_i$: a copy gains nothing.

(In the book's exercise the index is $n$, in its section $i$; it is the same function.)""",
)
