"""PRML 7.15 to 7.17: one function split off the evidence, its best precision, and its letters without C^-1."""

import numpy as np
from scipy.optimize import minimize_scalar

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.tasks import Mistake, Task

SPLIT = ("10, section 2", "10_sparsity.ipynb#2-One-precision-at-a-time-·-core")
FINITE = ("10, section 3", "10_sparsity.ipynb#3-Finite-or-infinite-·-core")
LETTERS = ("10, section 4", "10_sparsity.ipynb#4-Large-and-small-letters-·-core")


# ---- 7.15: C with and without function i ----------------------------------------------------------------


def without(s, q):
    """C_-i (2, 2), phi (2,) and t (2,) of which s and q are the sparsity (7.98) and the quality (7.99)."""
    C = np.array([[2.0, 0.6], [0.6, 1.3]])
    L = np.linalg.cholesky(C)  # phi = L e has phi' C^-1 phi = e'e
    return C, L @ [np.sqrt(s), 0.0], L @ [q / np.sqrt(s), 0.7]


def log_normal(C, t):
    """ln N(t | 0, C)."""
    return -0.5 * (len(t) * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + t @ np.linalg.inv(C) @ t)


def precision_and_letters(rng):
    """alpha, s and q of one function."""
    return float(rng.uniform(0.4, 3)), float(rng.uniform(0.5, 3)), float(rng.uniform(0.7, 3))


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
    """L after minus L before, when alpha_i goes from alpha to new and nothing else changes. All are numbers > 0."""
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


EXERCISE_7_15 = Exercise(
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


# ---- 7.16: the top of lambda ----------------------------------------------------------------------------


def lam(alpha, s, q):
    """(7.97)."""
    return 0.5 * (np.log(alpha) - np.log(alpha + s) + q**2 / (alpha + s))


def curved(rng):
    """alpha, s and q where lambda has a curvature worth the name, of either sign."""
    while True:
        alpha, s, q = precision_and_letters(rng)
        if abs(curvature(alpha, s, q)) > 0.02:
            return alpha, s, q


def curvature(alpha, s, q):
    """The second derivative of lambda (7.97) by alpha, at any alpha > 0; s > 0 and q are numbers. Returns a number."""
    return 0.5 * (1 / (alpha + s) ** 2 - 1 / alpha**2 + 2 * q**2 / (alpha + s) ** 3)


def curvature_by_differences(alpha, s, q):
    def slope(x):
        return derivative(lambda y: lam(y[0], s, q), x)

    return derivative(slope, np.array([alpha]))[0, 0]


def above_the_line(rng):
    """s and q with q^2 > s."""
    s = float(rng.uniform(0.8, 3))
    return s, float(np.sqrt(s * rng.uniform(1.4, 3.2)))


def at_the_top(s, q):
    """lambda and its second derivative by alpha, both at alpha* of (7.101), for q^2 > s > 0. Returns two numbers."""
    height = 0.5 * (q**2 / s - 1 - np.log(q**2 / s))
    bend = -((q**2 - s) ** 4) / (2 * s**4 * q**4)
    return height, bend


def at_the_top_by_search(s, q):
    """Maximise lambda by numbers, and bend it by numbers there."""
    found = minimize_scalar(
        lambda x: -lam(np.exp(x), s, q), bounds=(-4, 6), method="bounded", options={"xatol": 1e-10}
    )
    return -found.fun, curvature_by_differences(np.exp(found.x), s, q)


def top_with(alpha_of):
    """The wrong answers with another stationary point."""
    return lambda s, q: (lam(alpha_of(s, q), s, q), curvature(alpha_of(s, q), s, q))


def bends_upwards(value):
    """None if (alpha, s, q) has alpha, s > 0, q^2 > s and a second derivative > 0."""
    if not isinstance(value, tuple | list | np.ndarray) or len(value) != 3:
        return f"A tuple of three numbers (alpha, s, q) is wanted; got {written(value)}."
    alpha, s, q = map(float, value)
    if not np.isfinite([alpha, s, q]).all():
        return f"Three finite numbers are wanted; got {alpha:.4g}, {s:.4g} and {q:.4g}."
    if not (alpha > 0 and s > 0):
        return f"alpha and s have to be positive; they are {alpha:.4g} and {s:.4g}."
    if not q**2 > s:
        return f"q² has to be greater than s; they are {q**2:.4g} and {s:.4g}."
    bend = curvature(alpha, s, q)
    if bend > 0:
        return None
    return f"The second derivative is {bend:.4g} there, not positive. The top is at {s**2 / (q**2 - s):.4g}."


def how_it_bends(value):
    alpha, s, q = map(float, value)
    return (
        f"The second derivative is {curvature(alpha, s, q):.4g} at alpha = {alpha:.4g}; the top is at "
        f"{s**2 / (q**2 - s):.4g}."
    )


EXERCISE_7_16 = Exercise(
    "7.16",
    "The stationary point is a maximum",
    "PRML 7.16",
    1,
    "10",
    (FINITE,),
    r"""
All that the log evidence knows of one precision $\alpha>0$ is

$$\lambda(\alpha)=\tfrac12\Big[\ln\alpha-\ln(\alpha+s)+\frac{q^2}{\alpha+s}\Big],\qquad s>0.\tag{7.97}$$

Its derivative is

$$\frac{\mathrm d\lambda}{\mathrm d\alpha}=\frac{\alpha^{-1}s^2-(q^2-s)}{2(\alpha+s)^2}\quad(7.100),
\qquad\text{which is 0 at}\qquad\alpha^\ast=\frac{s^2}{q^2-s}\quad(7.101).$$

Take the second derivative and show that $\alpha^\ast$ is a maximum if $q^2>s$. Then look at what a second derivative
at one point does not tell: the whole curve, and the case $q^2\le s$.""",
    "derivatives of a logarithm and of a fraction",
    steps=(
        Task(
            "7.16a",
            "return the second derivative of lambda by alpha, at any alpha",
            curved,
            curvature,
            mistakes=(
                Mistake(
                    "the factor 1/2",
                    lambda alpha, s, q: 2 * curvature(alpha, s, q),
                    "the 1/2 before the bracket stays",
                ),
                Mistake(
                    "the signs of the logarithms",
                    lambda alpha, s, q: (
                        0.5 * (1 / alpha**2 - 1 / (alpha + s) ** 2 + 2 * q**2 / (alpha + s) ** 3)
                    ),
                    "the derivative of 1/alpha is -1/alpha²",
                ),
                Mistake(
                    "the sign of the last term",
                    lambda alpha, s, q: (
                        0.5 * (1 / (alpha + s) ** 2 - 1 / alpha**2 - 2 * q**2 / (alpha + s) ** 3)
                    ),
                    "differentiating 1/(alpha + s) twice turns the sign twice",
                ),
                Mistake(
                    "the 2 of the exponent",
                    lambda alpha, s, q: 0.5 * (1 / (alpha + s) ** 2 - 1 / alpha**2 + q**2 / (alpha + s) ** 3),
                    "the derivative of (alpha + s)^-2 is -2 (alpha + s)^-3",
                ),
                Mistake(
                    "the first derivative",
                    lambda alpha, s, q: (s**2 / alpha - (q**2 - s)) / (2 * (alpha + s) ** 2),
                    "this is (7.100); differentiate once more",
                ),
                Mistake(
                    "only the numerator differentiated",
                    lambda alpha, s, q: -(s**2) / (2 * alpha**2 * (alpha + s) ** 2),
                    "the quotient rule has a second term, which vanishes only where the numerator of (7.100) is 0",
                ),
                Mistake(
                    "(alpha + s)² below the last term",
                    lambda alpha, s, q: (
                        0.5 * (1 / (alpha + s) ** 2 - 1 / alpha**2 + 2 * q**2 / (alpha + s) ** 2)
                    ),
                    "every derivative of a power of 1/(alpha + s) makes the exponent larger by one",
                ),
            ),
            hints=(
                "Do not begin with the fraction (7.100). Differentiate the three terms of (7.97) one by one, twice.",
                "The first derivatives are 1/alpha, -1/(alpha + s) and -q^2/(alpha + s)^2, all times 1/2.",
                "Once more: -1/alpha^2, +1/(alpha + s)^2 and +2 q^2/(alpha + s)^3.",
            ),
            route=("differences of (7.97)", curvature_by_differences),
            text=r"""
Differentiate (7.97) twice by $\alpha$, at any $\alpha>0$. If you have sympy, you may hand over a formula instead of a
function: `alpha, s, q = sympy.symbols("alpha s q")`, and then an expression in them.""",
        ),
        Task(
            "7.16b",
            "return lambda(alpha*) and the second derivative there, as functions of s and q",
            above_the_line,
            at_the_top,
            mistakes=(
                Mistake(
                    "the sign of the second derivative",
                    lambda s, q: (at_the_top(s, q)[0], -at_the_top(s, q)[1]),
                    "at a maximum the curve bends downwards: all factors are squares, and a minus stands before them",
                ),
                Mistake(
                    "the factors 1/2",
                    lambda s, q: tuple(2 * part for part in at_the_top(s, q)),
                    "both lambda and its derivatives have a factor 1/2",
                ),
                Mistake(
                    "the factor 1/2 of the second derivative",
                    lambda s, q: (at_the_top(s, q)[0], 2 * at_the_top(s, q)[1]),
                    "the height is right. The 1/2 before the bracket of lambda stays in its derivatives, too",
                ),
                Mistake(
                    "the results the wrong way round",
                    lambda s, q: at_the_top(s, q)[::-1],
                    "first the height, then the second derivative",
                ),
                Mistake(
                    "the -1 of the height",
                    lambda s, q: (0.5 * (q**2 / s - np.log(q**2 / s)), at_the_top(s, q)[1]),
                    "the reward is 1/2 q²/(alpha* + s), and alpha* + s = s q²/(q² - s)",
                ),
                Mistake(
                    "the logarithm upside down",
                    lambda s, q: (0.5 * (q**2 / s - 1 + np.log(q**2 / s)), at_the_top(s, q)[1]),
                    "alpha*/(alpha* + s) = s/q², which is less than 1: its logarithm is negative",
                ),
                Mistake(
                    "s for s² in alpha*",
                    top_with(lambda s, q: s / (q**2 - s)),
                    "(7.101) has s² above",
                ),
                Mistake(
                    "q for q² in alpha*",
                    top_with(lambda s, q: s**2 / (q - s)),
                    "(7.101) has q² - s below",
                ),
                Mistake(
                    "derivative by ln alpha",
                    lambda s, q: (at_the_top(s, q)[0], -0.5 * (1 - s / q**2) ** 2),
                    "by ln alpha the curvature is alpha*² times as large; asked for is the derivative by alpha",
                ),
                Mistake(
                    "alpha* for the height",
                    lambda s, q: (s**2 / (q**2 - s), at_the_top(s, q)[1]),
                    "alpha* is where the top is; asked for is lambda there",
                ),
            ),
            hints=(
                "First simplify alpha* + s: it is s q^2/(q^2 - s). Then alpha*/(alpha* + s) = s/q^2.",
                "At alpha* the numerator of (7.100) is 0. So of the quotient rule only the derivative of the numerator "
                "is left: -s^2/alpha^2, over 2 (alpha + s)^2.",
                "The height is 1/2 [q^2/s - 1 - ln(q^2/s)]; the second derivative is -(q^2 - s)^4 over 2 s^4 q^4.",
            ),
            route=("a search for the top and differences there", at_the_top_by_search),
            close=1e-5,  # where the top is, a search knows to eight digits only
            text=r"""
Let $q^2>s$. Put $\alpha^\ast$ in: how high is $\lambda(\alpha^\ast)$, and what is the second derivative there? Both
are functions of $s$ and $q$ alone, and short ones.""",
        ),
        Claim(
            "7.16c",
            "give three numbers (alpha, s, q) with q² > s where lambda bends upwards",
            (3.0, 1.0, 2.0),
            mistakes=(
                Mistake(
                    "the top itself",
                    (1 / 3, 1.0, 2.0),
                    "at alpha* the curve bends downwards; go elsewhere",
                ),
                Mistake(
                    "to the left of the top",
                    (0.1, 1.0, 2.0),
                    "there -1/alpha² is by far the largest term, and it is negative; go to the right",
                ),
                Mistake(
                    "q² below s",
                    (3.0, 4.0, 1.0),
                    "the stationary point exists only if q² > s",
                ),
                Mistake(
                    "a negative precision",
                    (-1.0, 1.0, 2.0),
                    "alpha is a precision, and positive",
                ),
            ),
            hints=(
                "For large alpha lambda comes down to 0 from above. Can a curve do that without bending upwards?",
                "Take s = 1 and q = 2. The top is at 1/3. Try an alpha a few times as large, and put it into 7.16a.",
            ),
            accepts=bends_upwards,
            found=how_it_bends,
            text=r"""
A negative second derivative at $\alpha^\ast$ says that it is *a* maximum. If $\lambda$ were concave, it would be the
only one. It is not concave. Give a counter-example: a tuple `(alpha, s, q)` with $\alpha>0$, $s>0$ and $q^2>s$, where
the second derivative is positive.""",
        ),
        Claim(
            "7.16d",
            'give the letter: "a", "b", "c", "d" or "e"',
            "c",
            mistakes=(
                Mistake(
                    "a minimum",
                    "a",
                    "the numerator of (7.100) is s²/alpha + (s - q²), a sum of positive numbers: it is never 0",
                ),
                Mistake("downhill", "b", "the numerator of (7.100) is positive for every alpha > 0"),
                Mistake(
                    "a maximum at the absolute value of (7.101)",
                    "d",
                    "(7.101) is negative then, so there is no stationary point among the precisions",
                ),
                Mistake(
                    "no upper limit",
                    "e",
                    "for large alpha both the logarithm and the fraction in (7.97) go to 0",
                ),
            ),
            hints=(
                "Look at the sign of the numerator of (7.100), alpha^-1 s^2 - (q^2 - s), for q^2 < s.",
                "lambda rises everywhere. Where does it come from, and what is its limit for large alpha?",
            ),
            options={
                "a": r"It falls to a minimum at $\alpha=s^2/(s-q^2)$, then rises: the best $\alpha$ is 0 or $\infty$.",
                "b": r"It falls everywhere: the best $\alpha$ is 0.",
                "c": r"It rises everywhere, from $-\infty$ towards 0 but never to it: the best $\alpha$ is $\infty$.",
                "d": r"It has its maximum at $\alpha=s^2/|q^2-s|$.",
                "e": r"It rises everywhere, without a limit: the best $\alpha$ is $\infty$.",
            },
            text=r"""
And if $q^2<s$? What does $\lambda$ do on $0<\alpha<\infty$?""",
        ),
    ),
    worked=r"""
**Twice, term by term:**

$$\lambda'=\tfrac12\Big[\frac1\alpha-\frac1{\alpha+s}-\frac{q^2}{(\alpha+s)^2}\Big],\qquad \lambda''=\tfrac12\Big[-
\frac1{\alpha^2}+\frac1{(\alpha+s)^2}+\frac{2q^2}{(\alpha+s)^3}\Big].$$

**At the top.** Write (7.100) as $\lambda'=Z/D$ with $Z=s^2/\alpha-(q^2-s)$ and $D=2(\alpha+s)^2$. By the quotient
rule $\lambda''=Z'/D-ZD'/D^2$, and at $\alpha^\ast$, where $Z=0$, only the first term is left. With

$$\alpha^\ast+s=\frac{s^2+s(q^2-s)}{q^2-s}=\frac{s\,q^2}{q^2-s},\qquad\frac{\alpha^\ast}{\alpha^\ast+s}=
\frac s{q^2},$$

$$\lambda''(\alpha^\ast)=-\frac{s^2}{2\,\alpha^{\ast2}(\alpha^\ast+s)^2}=-\frac{s^2}2\cdot\frac{(q^2-s)^2}{s^4}\cdot
\frac{(q^2-s)^2}{s^2q^4}=-\frac{(q^2-s)^4}{2\,s^4q^4}<0.$$

Its height is
$\lambda(\alpha^\ast)=\tfrac12\big[\ln\frac s{q^2}+\frac{q^2-s}s\big]=\tfrac12\big[\frac{q^2}s-1-\ln\frac{q^2}s\big]$,
which is positive, since $\ln x<x-1$ for $x\neq1$.

**Not concave.** For large $\alpha$ the three terms of $\lambda''$ are nearly $\frac{q^2-s}{\alpha^3}>0$: the curve
comes down to 0 and has to level out. At $s=1$, $q=2$, $\alpha=3$ it is
$\tfrac12[-\tfrac19+\tfrac1{16}+\tfrac8{64}]=0.038$. That $\alpha^\ast$ is the *only* maximum, and the greatest value,
follows from the first derivative: $Z$ falls all the way, so it changes its sign once, from plus to minus.

**For $q^2\le s$**, $Z=s^2/\alpha+(s-q^2)$ is positive everywhere. $\lambda$ rises from $-\infty$ to its limit 0, and
the best model is the one without the function, $\alpha=\infty$.""",
)


# ---- 7.17: the letters without C^-1 ---------------------------------------------------------------------


def inner_products(rng):
    """G = Phi'Phi and h = Phi't of some functions, alpha with infinity outside the model, and beta."""
    M = int(rng.integers(4, 6))
    Phi, t = rng.normal(size=(M + 4, M)), rng.normal(size=M + 4) + 0.5
    alpha = rng.uniform(0.5, 3, M)
    alpha[rng.permutation(M)[:2]] = np.inf
    return Phi.T @ Phi, Phi.T @ t, alpha, float(rng.uniform(0.4, 2.5))


def large_letters(G, h, alpha, beta):
    """Q (M,) and S (M,) of (7.102)-(7.103) for all M functions, from inner products alone.

    G (M, M) = Phi'Phi and h (M,) = Phi't for all functions; alpha (M,), np.inf for those outside the model; beta > 0.
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
    """alpha, m and Sigma of a model, all of whose functions are in."""
    R = int(rng.integers(3, 5))
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


EXERCISE_7_17 = Exercise(
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
letters to the small ones: $s_i$, $q_i$ are the same with function $i$ taken out of $\mathbf C$ (exercise 7.15).""",
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
            mistakes=(
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
and $\beta$. Return $Q$ and $S$ of *all* $M$. (Choose the members first: a matrix with infinite entries has no inverse.)
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
What are $Q$ and $S$ then? (Solved for $q$ and $s$ this is (7.104) and (7.105).)""",
        ),
        Task(
            "7.17d",
            "return q and s of all functions in the model, from alpha, m and Sigma alone",
            fitted_weights,
            letters_of_members,
            mistakes=(
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
$\mathbf m$ (7.82) and covariance $\boldsymbol\Sigma$ (7.83), return $q_i$ and $s_i$ of every member. It is a short
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

EXERCISES = (EXERCISE_7_15, EXERCISE_7_16, EXERCISE_7_17)
