"""PRML 7.16: The stationary point is a maximum."""

import numpy as np
from scipy.optimize import minimize_scalar

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.practice.prml_7_15 import precision_and_letters
from sparsekm_edu.exercises.tasks import Mistake, Task

FINITE = ("10, section 3", "10_sparsity.ipynb#3-Finite-or-infinite-·-core")


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


EXERCISE = Exercise(
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
            instances=8,  # q of both signs among them
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
                    "the factor 1/2 of the height",
                    lambda s, q: (2 * at_the_top(s, q)[0], at_the_top(s, q)[1]),
                    "the second derivative is right. lambda itself has a 1/2 before the bracket, too",
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
