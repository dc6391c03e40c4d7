"""MLaPP 14.2: Separable, but not separated."""

import numpy as np
from scipy.optimize import brentq

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import as_numbers, written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import read_points, soft, widest
from sparsekm_edu.exercises.tasks import Mistake, Task


def soft_margin_fails(value):
    """None if (X, t) are separable and the soft margin with C does not separate them, else a sentence."""
    from sparsekm_edu.solvers import NotSeparable

    if not isinstance(value, tuple | list) or len(value) != 3:
        return "Three things are wanted, (X, t, C)."
    try:
        X, t = read_points(*value[:2])
    except ValueError as problem:
        return str(problem)
    C = as_numbers(value[2])
    if C is None or C.ndim or not 1e-9 <= C <= 1e9:
        return f"C must be one number between 1e-9 and 1e9, got {written(value[2])}."
    if len(X) > 200 or np.abs(X).max() > 1e6:
        return "At most 200 points, please, with coordinates up to a million."
    try:
        widest(X - X.mean(axis=0), t)
    except NotSeparable:
        return (
            "No hyperplane separates these data, or by too little to tell: that a soft margin does not either is no "
            "surprise."
        )
    ty, only_one = kindest_soft_margin(X, t, float(C))
    if abs(ty.min()) <= 1e-7 * np.ptp(t * ty):
        return f"With C = {C:g} a point lies on the boundary itself: change one of your numbers a little."
    if ty.min() < 0:
        return None
    if only_one:
        return (
            f"With C = {C:g} the soft margin does separate these data: every point has t y >= {ty.min():.3g}."
        )
    return (
        f"With C = {C:g} the street is so wide that many b are equally good, and with one of them every point is on "
        f"its own side, t y >= {ty.min():.3g}. Try a larger C: the street becomes narrower."
    )


def kindest_soft_margin(X, t, C):
    """t_n y(x_n) of the soft margin, (N,), with that b among the best ones for which the smallest of them is largest;
    and is there only one best b?

    Where no point lies on its margin for certain, a whole interval of b costs the same, and any of them is "the" soft
    margin. The smallest t y is concave in b and largest in the middle between the classes.
    """
    X = X - X.mean(axis=0)  # moves the origin, and with it only b
    along = X @ soft(X, t, C)[0]
    corners = t - along  # where t y = 1, the slack has a corner; the best b end at such
    slack = np.array([np.maximum(0, 1 - t * (along + b)).sum() for b in corners])
    best = corners[slack <= slack.min() + 1e-9 * (1 + slack.min())]
    middle = -(along[t > 0].min() + along[t < 0].max()) / 2
    only_one = np.ptp(best) <= 1e-6 * (1 + np.abs(best).max())
    return t * (along + np.clip(middle, best.min(), best.max())), only_one


def what_is_given_up(value):
    X, t = read_points(*value[:2])
    C = float(value[2])
    ty, only_one = kindest_soft_margin(X, t, C)
    n = int(np.argmin(ty))
    at_best = "" if only_one else " for the kindest of the best b"
    return (
        f"A hyperplane could separate these data, but with C = {C:g} point {n} is given up: "
        f"t y = {ty[n]:.3g}, slack {1 - ty[n]:.3g}{at_best}."
    )


def stray_circle(rng):
    """delta, how far the stray circle is from the squares, and L > 2 delta, how far the other one is."""
    delta = rng.uniform(0.2, 1.6)
    return delta, delta * rng.uniform(2.3, 6.0)


def needed_C(delta, L):
    """C above which the circle at delta is on its own side, and C from which it has no slack; others at 0, 0 and L."""
    own_side = 1 / delta**2  # w = C delta, b = -1, and y(delta) = C delta^2 - 1 > 0
    no_slack = 2 / delta**2  # y(delta) = 1
    return own_side, no_slack


def needed_C_by_smo(delta, L):
    """The zero of y(delta) as a function of C; and the circle's multiplier without a ceiling."""
    X, t = np.array([[0.0], [0.0], [delta], [L]]), np.array([-1.0, -1.0, 1.0, 1.0])

    def y_of_the_stray(C):
        w, b, _ = soft(X, t, C)
        return w[0] * delta + b

    own_side = brentq(y_of_the_stray, 2 / (delta * L), 10 / delta**2)
    return own_side, widest(X, t)[2][2]


EXERCISE = Exercise(
    id="14.2",
    title="Separable, but not separated",
    source="MLaPP 14.2",
    stars=2,
    notebook="02",
    taught=(
        ("02, section 3", "02_soft_margin.ipynb#3-How-large-is-infinity?"),
        ("02, section 2", "02_soft_margin.ipynb#2-Every-multiplier-in-its-box"),
    ),
    task=r"""
A soft margin minimises $\tfrac12\lVert\mathbf w\rVert^2+C\sum_n\xi_n$ (7.21), where
$\xi_n=\max\{0,1-t_ny(\mathbf x_n)\}$ is the slack of point $n$. The data can be separated by a hyperplane, and
$C>0$. Is the boundary that comes out guaranteed to separate them?
""",
    bring="what $C$ pays for, and what a multiplier says about its point: $0$, between $0$ and $C$, or $C$.",
    steps=(
        Claim(
            "14.2a",
            "give (X, t, C): separable data and a C with which the soft margin puts a point on the wrong side",
            ([[0.0], [0.0], [0.3], [1.0]], [-1, -1, 1, 1], 5.0),
            mistakes=(
                Mistake(
                    "a C so large that the margin is hard",
                    ([[0.0], [0.0], [0.3], [1.0]], [-1, -1, 1, 1], 1000.0),
                    "slack is too expensive here; the lower C is, the sooner a single point is given up",
                ),
                Mistake(
                    "data that no line separates",
                    ([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1], 1.0),
                    "these are not separable: every boundary has a point on the wrong side",
                ),
                Mistake(
                    "two points of equal weight",
                    ([[0.0], [1.0]], [-1, 1], 0.01),
                    "the street swallows both, but a boundary between them costs nothing extra: nobody is given up",
                ),
                Mistake(
                    "classes far from each other",
                    ([[0.0], [0.5], [4.0], [4.5]], [-1, -1, 1, 1], 1.0),
                    "here a wide street needs no slack: bring one point of a class close to the other class",
                ),
            ),
            hints=(
                "When is it cheaper to pay for one point than to make the street narrow? Think of a point that is "
                "close to the other class, or outnumbered by it.",
                "The hard margin costs |w|^2 / 2, a lot if the stray is close. Giving it up costs C times its slack.",
                "One dimension is enough: two squares at 0, a circle close to them and one far away. Then lower C, but "
                "not so far that the street swallows everything: there many b are equally good.",
            ),
            accepts=soft_margin_fails,
            found=what_is_given_up,
            text=r"""
It is not. Give an example: a tuple `(X, t, C)` with points `X` (one per row, in any dimension) and labels `t` ($-1$
and $1$) that a hyperplane can separate, and a `C` with which the soft margin leaves at least one point on the wrong
side. The check solves your example. Where several $b$ are equally good, a point has to be on the wrong side with
each of them.
""",
        ),
        Task(
            "14.2b",
            "return both values of C",
            stray_circle,
            needed_C,
            mistakes=(
                Mistake(
                    "the right side confused with the edge of the street",
                    lambda delta, L: (2 / delta**2, 2 / delta**2),
                    "on its own side means y > 0, without slack means y = 1: the first comes earlier",
                ),
                Mistake(
                    "delta not squared",
                    lambda delta, L: (1 / delta, 2 / delta),
                    "w = a delta for the one circle that pushes, and y = w x + b: delta appears twice",
                ),
                Mistake(
                    "the far circle taken for the one that decides",
                    lambda delta, L: (1 / L**2, 2 / L**2),
                    "as C grows, the circle at L comes to lie outside the street and does not push: no touch, no push",
                ),
                Mistake(
                    "the C at which the far circle lets go",
                    lambda delta, L: (2 / (L * delta), 2 / delta**2),
                    "at C = 2 / (L delta) the circle at L stops pushing, but the stray still is on the wrong side",
                ),
                Mistake(
                    "half of what is needed",
                    lambda delta, L: (0.5 / delta**2, 1 / delta**2),
                    "y = -1 at the squares: it has to rise by 1 to reach 0, and by 2 to reach 1. (And w = C delta: of "
                    "the two squares together only C pushes back)",
                ),
                Mistake(
                    "the end of the wide street taken for both",
                    lambda delta, L: (2 / (L * delta), 2 / (L * delta)),
                    "up to this C the street reaches from the squares to the circle at L; the stray is still given up",
                ),
                Mistake(
                    "the two in the other order",
                    lambda delta, L: (2 / delta**2, 1 / delta**2),
                    "first the C above which y(delta) > 0, then the larger one from which there is no slack",
                ),
            ),
            hints=(
                "For large C only the squares and the stray push. The squares lie on their edge: y(0) = b = -1.",
                "The stray has slack, so a = C. The circle at L does not push: w = sum of a_n t_n x_n = C delta.",
                "y(delta) = C delta^2 - 1. When is it 0, and when 1?",
            ),
            route=("SMO, and a search for the C", needed_C_by_smo),
            text=r"""
How large does $C$ have to be? Take four points on a line: two squares ($t=-1$), both at $0$, a stray circle ($t=1$)
at $\delta$, and another circle at $L>2\delta$. Find two values: the $C$ above which the stray is on its own side,
$y(\delta)>0$; and the $C$ from which on it has no slack, so that soft is hard.

Here $y(x)=wx+b$. What you need of the dual: $w=\sum_na_nt_nx_n$ (7.29), $\sum_na_nt_n=0$ (7.30) and $0\le a_n\le C$
(7.33); $a_n=0$ beyond the street, $a_n=C$ where there is slack. Return the two numbers in this order.
""",
        ),
    ),
    worked=r"""
**14.2a.** No. Slack costs $C$ a unit, and a narrow street costs $\tfrac12\lVert\mathbf w\rVert^2$. If a point of
one class lies close to the other class, separating it needs a long $\mathbf w$. With a small $C$ it is cheaper to
give the point up and pay for its slack, $\xi_n>1$. The example below has squares at 0 and circles at $0.3$ and $1$.
With $C=5$ the function is $y=2x-1$, so that $y(0.3)=-0.4$.

**14.2b.** Work with $w=\sum_na_nt_nx_n$ (7.29), $\sum_na_nt_n=0$ (7.30) and $0\le a_n\le C$ (7.33); call the
multipliers of the two circles $a_\delta$ and $a_L$.

*The wide street.* Suppose the squares and the far circle lie on their edges: $b=-1$ and $wL+b=1$, so $w=2/L$. The
stray has $y(\delta)=2\delta/L-1<0$, because $L>2\delta$. It has slack, so $a_\delta=C$. Then $w=C\delta+a_LL=2/L$
gives $a_L=(2/L-C\delta)/L$, which is not negative as long as

$$C\le\frac2{L\delta}.$$

(It is at most $C$ from $C=2/(L(L+\delta))$ on. Below that both circles are at their ceiling, the street is wider
still, and where all four points lie inside it many $b$ cost the same.)

*Beyond that* $a_L=0$: the far circle lies outside the street. While the stray has slack, $a_\delta=C$, and

$$w=C\delta,\qquad b=-1,\qquad y(\delta)=C\delta^2-1.$$

The squares share the multiplier $C$ that (7.30) asks of them; there are two, so each can stay below its ceiling,
and $y(0)=-1$ is certain. The stray passes to its own side where $C\delta^2=1$ and reaches its edge where
$C\delta^2=2$:

$$C=\frac1{\delta^2}\quad\text{and}\quad C=\frac2{\delta^2}.$$

The second one is $a_\delta$ of the hard margin (exercise 7.3: $2/\lVert\mathbf d\rVert^2$), the ceiling that is not
touched any more. $L$ plays no part in either. It only has to be far enough: $\frac2{L\delta}<\frac1{\delta^2}$
because $L>2\delta$, so the far circle has let go before the stray changes sides.

*For any data.* The hard margin is allowed in the soft problem and costs
$\tfrac12\lVert\mathbf w_{\text{hard}}\rVert^2=1/(2\rho^2)$. The soft solution costs no more, so
$C\sum_n\xi_n\le1/(2\rho^2)$. A point on the wrong side has $\xi_n\ge1$. So if $C>1/(2\rho^2)$, no point is on the
wrong side: the answer to Murphy's question is "yes, if $C$ is large enough for this margin".
""",
)
