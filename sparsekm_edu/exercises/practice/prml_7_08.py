"""PRML 7.8: Who has slack pushes with full force."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.prml_7_07 import DUAL
from sparsekm_edu.exercises.tasks import Mistake, Task


def outputs(rng):
    """t, y (N,), epsilon in sixty-fourths: points above, below, exactly on both edges, and inside on both sides."""
    epsilon = int(rng.integers(16, 49))
    above, below, farther = rng.integers(1, 64, size=3)
    places = [epsilon, -epsilon, epsilon + above, epsilon + farther, -epsilon - below, 0]
    places += [rng.integers(1, epsilon), -rng.integers(1, epsilon)]
    residual = rng.permutation(places)
    t = rng.integers(-128, 129, size=len(places))
    return t / 64, (t - residual) / 64, epsilon / 64


def outputs_and_price(rng):
    return *outputs(rng), rng.integers(16, 129) / 64


def smallest_slacks(t, y, epsilon):
    """xi and xi_hat (N,) at the minimum of (7.55), for targets t (N,), outputs y (N,) and epsilon > 0."""
    xi = np.maximum(0, t - y - epsilon)  # (7.53)
    xi_hat = np.maximum(0, y - t - epsilon)  # (7.54)
    return xi, xi_hat


def slacks_by_programme(t, y, epsilon):
    from scipy.optimize import linprog

    N = len(t)
    # (7.53) and (7.54) as -xi <= y + epsilon - t and -xi_hat <= t + epsilon - y; linprog keeps slacks >= 0
    solution = linprog(np.ones(2 * N), -np.eye(2 * N), np.append(y + epsilon - t, t + epsilon - y))
    return solution.x[:N], solution.x[N:]


def coefficient_range(t, y, epsilon, C):
    """The smallest and the largest a_n - a_hat_n that the conditions leave to each point, (N,) and (N,).

    t, y (N,): targets and outputs at the optimum; epsilon, C > 0.
    """
    high = np.where(t - y >= epsilon, C, np.where(y - t > epsilon, -C, 0.0))
    low = np.where(y - t >= epsilon, -C, np.where(t - y > epsilon, C, 0.0))
    return low, high


def range_by_slopes(t, y, epsilon, C):
    """Minus the slopes of C times the error (7.51), to the right and to the left of y."""
    h = 2.0**-10  # no corner of the error lies as near, unless y is on it

    def cost(y):
        return C * np.maximum(0, np.abs(y - t) - epsilon)

    return (cost(y) - cost(y + h)) / h, (cost(y - h) - cost(y)) / h


def two_points(value):
    """x, t, C, epsilon as numbers, and None; or None and a sentence."""
    try:
        x, t, C, epsilon = value
        x, t = np.array(x, dtype=float), np.array(t, dtype=float)
        C, epsilon = float(C), float(epsilon)
    except (TypeError, ValueError):
        return None, "A tuple (x, t, C, epsilon) is wanted: two lists of two numbers each, and two numbers."
    if x.shape != (2,) or t.shape != (2,) or not np.abs([x, t]).max() <= 100 or abs(x[0] - x[1]) < 0.01:
        return None, (
            "x must be two different numbers from -100 to 100, at least 0.01 apart, and t two numbers from -100 to 100."
        )
    if not (0.01 <= C <= 100 and 0.01 <= epsilon <= 100):
        return None, "C and epsilon must be numbers from 0.01 to 100."
    return (x, t, C, epsilon), None


def multipliers_and_slacks(x, t, C, epsilon):
    """a and a_hat, xi and xi_hat at the optimum, (2, 2) each.

    Two points with different x have one optimal w and one optimal v; where b has a choice, smo takes the middle.
    """
    from sparsekm_edu.solvers import epsilon_regression, smo

    solution = smo(epsilon_regression(np.outer(x, x), t, C, epsilon), tol=1e-9)
    y = x * (solution.v @ x) + solution.b
    return np.array([solution.a, solution.a_hat]), np.array(smallest_slacks(t, y, epsilon))


def converse_fails(value):
    """None if a multiplier of these two points is at C without slack, else a sentence."""
    points, problem = two_points(value)
    if problem:
        return problem
    _, t, C, _ = points
    a, slacks = multipliers_and_slacks(*points)
    at_C = a >= C * (1 - 1e-6)
    if np.any(at_C & (slacks <= 1e-6 * (1 + np.abs(t).max()))):
        return None
    if not np.any(at_C):
        return f"No multiplier is at C = {C:g} here: the largest is {a.max():.4g}."
    return (
        f"Every point whose multiplier is C = {C:g} has slack here (at the middle b, if b has a choice), at least "
        f"{slacks[at_C].min():.4g}. One must have none."
    )


def which_points_show_it(value):
    """Of a counter-example; it is both, as a_n - a_hat_n have the sum 0 (7.58) and the middle b treats both alike."""
    points, _ = two_points(value)
    x, t, C, _ = points
    (a, _), _ = multipliers_and_slacks(*points)
    up, down = np.argmax(a), np.argmin(a)
    return (
        f"To six digits, the point x = {x[up]:g}, t = {t[up]:g} has a = C = {C:g} and xi = 0: it lies on the upper "
        f"edge. And x = {x[down]:g}, t = {t[down]:g} has a_hat = C and xi_hat = 0, on the lower edge."
    )


EXERCISE = Exercise(
    id="7.8",
    title="Who has slack pushes with full force",
    source="PRML 7.8",
    stars=1,
    notebook="06",
    taught=(("06, section 4", "06_regression.ipynb#4-Which-constraint-is-each-point-in?"),),
    task=DUAL
    + r"""The multipliers of the four constraints are $a_n$, $\hat a_n$, $\mu_n$ and $\hat\mu_n$, in this order.
The slopes of the Lagrangian by $\xi_n$ and $\hat\xi_n$ vanish:

$$a_n+\mu_n=C\quad(7.59)\qquad\hat a_n+\hat\mu_n=C.\quad(7.60)$$

And at the optimum each multiplier times its constraint is zero ("no touch, no push"), for the first two:

$$a_n(\epsilon+\xi_n+y_n-t_n)=0\quad(7.65)\qquad\hat a_n(\epsilon+\hat\xi_n-y_n+t_n)=0.\quad(7.66)$$

Show that a point with $\xi_n>0$ has $a_n=C$, and one with $\hat\xi_n>0$ has $\hat a_n=C$. (Section 4 of notebook 06
has the argument; try it here without.) Then find out whether the converse holds.
""",
    bring="the conditions of Karush, Kuhn and Tucker, as in notebook 02",
    steps=(
        Task(
            "7.8a",
            "return the slacks xi and xi_hat at the minimum of (7.55)",
            outputs,
            smallest_slacks,
            mistakes=(
                Mistake(
                    "the two sides exchanged",
                    lambda t, y, epsilon: (
                        np.maximum(0, y - t - epsilon),
                        np.maximum(0, t - y - epsilon),
                    ),
                    "xi_n belongs to (7.53): points above the tube, t_n > y_n + epsilon",
                ),
                Mistake(
                    "negative slacks",
                    lambda t, y, epsilon: (t - y - epsilon, y - t - epsilon),
                    "a slack is at least 0: inside the tube nobody pays, and nobody is paid",
                ),
                Mistake(
                    "epsilon left out",
                    lambda t, y, epsilon: (np.maximum(0, t - y), np.maximum(0, y - t)),
                    "deviations up to epsilon are free",
                ),
                Mistake(
                    "epsilon with a plus",
                    lambda t, y, epsilon: (
                        np.maximum(0, t - y + epsilon),
                        np.maximum(0, y - t + epsilon),
                    ),
                    "solve (7.53) for xi_n: epsilon changes the side, and the sign",
                ),
                Mistake(
                    "both slacks for everybody outside",
                    lambda t, y, epsilon: 2 * (np.maximum(0, np.abs(t - y) - epsilon),),
                    "a point above the tube satisfies (7.54) without any slack",
                ),
                Mistake(
                    "the whole deviation instead of what is beyond epsilon",
                    lambda t, y, epsilon: (
                        np.where(t - y > epsilon, t - y, 0),
                        np.where(y - t > epsilon, y - t, 0),
                    ),
                    "(7.53) asks for xi_n >= t_n - y_n - epsilon, no more",
                ),
            ),
            hints=(
                "Slack costs money, so each xi_n is as small as its constraints allow. Which two constraints "
                "has it?",
                "xi_n >= t_n - y_n - epsilon and xi_n >= 0: the larger of the two.",
            ),
            route=("a linear programme", slacks_by_programme),
            text=r"""
Begin with the slacks. The outputs $y_n$ are given. Which $\xi_n$ and $\hat\xi_n$ does the minimum of (7.55) have?
Return two arrays.
""",
        ),
        Claim(
            "7.8b",
            "choose the letter of the argument that shows it",
            "c",
            mistakes=(
                Mistake(
                    "the multiplier of another constraint",
                    "a",
                    "(7.65) with a_n = 0 holds for any xi_n; and that the bracket vanishes leaves a_n free",
                ),
                Mistake(
                    "a condition that is not there",
                    "b",
                    "the constraint xi_n >= 0 has the multiplier mu_n, not a_n; this would prove a_n = 0",
                ),
                Mistake(
                    "the hats mixed up",
                    "d",
                    "(7.60) with a_hat_n = 0 says mu_hat_n = C, and nothing about a_n",
                ),
            ),
            hints=(
                "Which multiplier belongs to the constraint xi_n >= 0?",
                "No touch, no push for that constraint: mu_n xi_n = 0. Now look at (7.59).",
            ),
            options={
                "a": r"By (7.65), $\epsilon+\xi_n+y_n-t_n=0$; so the constraint is touched, and $a_n=C$.",
                "b": r"$a_n\xi_n=0$, so the other multiplier, $\mu_n$, is $0$; then (7.59) says $a_n=C$.",
                "c": r"$\mu_n\xi_n=0$, so $\mu_n=0$; then (7.59) says $a_n=C$.",
                "d": r"The point is above the tube, so $\hat a_n=0$; then (7.60) says $a_n=C$.",
            },
            text=r"""
A point has $\xi_n>0$. Which argument shows that $a_n=C$?
""",
        ),
        Task(
            "7.8c",
            "return the smallest and the largest a_n - a_hat_n of each point",
            outputs_and_price,
            coefficient_range,
            mistakes=(
                Mistake(
                    "the edges counted as outside",
                    lambda t, y, epsilon, C: (
                        2 * (np.where(t - y >= epsilon, C, np.where(y - t >= epsilon, -C, 0.0)),)
                    ),
                    "on the edge the slack is 0, so mu_n may be anything from 0 to C, and so may a_n",
                ),
                Mistake(
                    "the edges counted as inside",
                    lambda t, y, epsilon, C: (
                        2 * (np.where(t - y > epsilon, C, np.where(y - t > epsilon, -C, 0.0)),)
                    ),
                    "on the edge the bracket of (7.65) vanishes, so a_n need not: these are the free support "
                    "vectors",
                ),
                Mistake(
                    "the sides exchanged",
                    lambda t, y, epsilon, C: coefficient_range(-t, -y, epsilon, C),
                    "a_n belongs to points above, t_n > y_n: they pull the curve up, with a plus",
                ),
                Mistake(
                    "from -C to C on the edges",
                    lambda t, y, epsilon, C: (
                        np.where(np.abs(t - y) == epsilon, -C, coefficient_range(t, y, epsilon, C)[0]),
                        np.where(np.abs(t - y) == epsilon, C, coefficient_range(t, y, epsilon, C)[1]),
                    ),
                    "nobody is on both edges: on the upper one a_hat_n = 0, so a_n - a_hat_n is not negative",
                ),
                Mistake(
                    "no sign below",
                    lambda t, y, epsilon, C: (
                        np.where(np.abs(t - y) > epsilon, C, 0.0),
                        np.where(np.abs(t - y) >= epsilon, C, 0.0),
                    ),
                    "a_n - a_hat_n is asked for: below the tube it is a_hat_n that is not 0",
                ),
                Mistake(
                    "from 0 to C outside",
                    lambda t, y, epsilon, C: (
                        np.where(y - t >= epsilon, -C, 0.0),
                        np.where(t - y >= epsilon, C, 0.0),
                    ),
                    "whoever has slack has no choice: its multiplier is C",
                ),
                Mistake(
                    "the other way round",
                    lambda t, y, epsilon, C: coefficient_range(t, y, epsilon, C)[::-1],
                    "the smallest first, then the largest",
                ),
            ),
            hints=(
                "There are five places: above, upper edge, inside, lower edge, below. What are the slacks in "
                "each, and which brackets of (7.65) and (7.66) vanish?",
                "Inside no bracket vanishes: a_n = a_hat_n = 0. On the upper edge the slack is 0: a_n from 0 "
                "to C, a_hat_n = 0. Above: a_n = C.",
                "low is C above, 0 on the upper edge and inside, -C on the lower edge and below; high is C "
                "above and on the upper edge, 0 inside and on the lower edge, -C below.",
            ),
            route=("the slopes of the error (7.51), left and right of y", range_by_slopes),
            text=r"""
Now all points. From targets and outputs at the optimum, say between which values (7.59), (7.60), (7.65), (7.66) and
your argument leave $a_n-\hat a_n$, the coefficient of $k(\mathbf x,\mathbf x_n)$ in $y(\mathbf x)$. Where there is no
choice, smallest and largest are equal. (All numbers are multiples of $1/64$, so that "exactly on the edge" can be
told by `==`.)
""",
        ),
        Claim(
            "7.8d",
            "find data (x, t, C, epsilon) with a multiplier at C and no slack",
            ([-1.0, 1.0], [-1.5, 1.5], 0.5, 0.5),
            mistakes=(
                Mistake(
                    "everybody has slack",
                    ([-1.0, 1.0], [-3.0, 3.0], 0.5, 0.5),
                    "C is too small for these targets, and at the middle b both points stay outside. Bring them "
                    "to the edge",
                ),
                Mistake(
                    "everybody inside",
                    ([-1.0, 1.0], [-0.3, 0.3], 0.5, 0.5),
                    "the flat line y = 0 is good enough for these targets, and all multipliers are 0",
                ),
                Mistake(
                    "C too large",
                    ([-1.0, 1.0], [-1.5, 1.5], 5.0, 0.5),
                    "the points are on the edge, but the multipliers that hold them there are far below C. "
                    "Lower C to them",
                ),
            ),
            hints=(
                "Take two points, x = -1 and 1, with targets -T and T. By symmetry b = 0 and a_2 = a_hat_1; "
                "so what is w, and what is y at x = 1?",
                "w = 2 a_2 and y = 2 a_2 at x = 1. You want a_2 = C, and y = T - epsilon.",
                "So T = epsilon + 2 C; for instance C = 0.5, epsilon = 0.5 and T = 1.5.",
            ),
            accepts=converse_fails,
            found=which_points_show_it,
            text=r"""
Is the converse true, that a point with $a_n=C$ has $\xi_n>0$? Look at what 7.8c leaves open. Find a counter-example
of two points on the line, with the linear kernel $k(x,x')=xx'$: at the optimum some point has $a_n=C$ or
$\hat a_n=C$, and lies exactly on the edge, without slack. Give a tuple `(x, t, C, epsilon)`: `x` are two numbers at
least $0.01$ apart and `t` two numbers, all from $-100$ to $100$; $C$ and $\epsilon$ are from $0.01$ to $100$. The check
solves it and looks. (If several $b$ are equally good, it takes the middle one. Paper is better than trial here.)
""",
        ),
    ),
    worked=r"""
**The slacks.** $\xi_n$ occurs in (7.53), that is $\xi_n\ge t_n-y_n-\epsilon$, and in $\xi_n\ge0$. It costs $C$ per
unit, so it is the smallest number that satisfies both; likewise $\hat\xi_n$:

$$\xi_n=\max(0,\;t_n-y_n-\epsilon),\qquad\hat\xi_n=\max(0,\;y_n-t_n-\epsilon).$$

**The argument.** The constraint $\xi_n\ge0$ has the multiplier $\mu_n$, so at the optimum $\mu_n\xi_n=0$. If
$\xi_n>0$, then $\mu_n=0$, and (7.59) says $a_n=C-\mu_n=C$. In the same way $\hat\xi_n>0$ gives $\hat\mu_n=0$ and, by
(7.60), $\hat a_n=C$. (With $\mu_n=C-a_n$ put in, $\mu_n\xi_n=0$ is the book's $(C-a_n)\xi_n=0$ (7.67).)

**All five places.** A multiplier can differ from zero only if its bracket in (7.65) or (7.66) vanishes.

| place | slacks | brackets | multipliers | $a_n-\hat a_n$ |
|---|---|---|---|---|
| above, $t_n-y_n>\epsilon$ | $\xi_n>0$ | the second is positive | $a_n=C$, $\hat a_n=0$ | $C$ |
| upper edge, $t_n-y_n=\epsilon$ | none | the first vanishes | $0\le a_n\le C$, $\hat a_n=0$ | $0$ to $C$ |
| inside | none | both are positive | $a_n=\hat a_n=0$ | $0$ |
| lower edge, $y_n-t_n=\epsilon$ | none | the second vanishes | $a_n=0$, $0\le\hat a_n\le C$ | $-C$ to $0$ |
| below, $y_n-t_n>\epsilon$ | $\hat\xi_n>0$ | the first is positive | $a_n=0$, $\hat a_n=C$ | $-C$ |

(Above, for instance, $\hat\xi_n=0$ and the second bracket is $\epsilon-y_n+t_n>2\epsilon$, so $\hat a_n=0$.) The
check knows another road: $a_n-\hat a_n$ is minus the slope of $C$ times the error (7.51) at $y_n$, and at a corner of
the error it may be any slope between left and right.

**The converse is false.** On the upper edge all of $0\le a_n\le C$ is allowed, the right end too. Two points show it:
$x=\mp1$ with targets $\mp T$. By symmetry $b=0$ and $a_2=\hat a_1=a$, so $w=\sum_n(a_n-\hat a_n)x_n=2a$, and $y=2a$
at $x=1$. The dual (7.61) is

$$-\tfrac12(2a)^2-2\epsilon a+2aT,\qquad\text{with its top at } a=\tfrac12(T-\epsilon).$$

For $T=\epsilon+2C$ the top is exactly at $a=C$, and there $t_2-y_2=T-2C=\epsilon$: on the edge, no slack. It takes a
coincidence, as any other $T$ would move one of the two.

There is one more way, without a coincidence. For $T>\epsilon+2C$ both multipliers are at $C$, and no free point tells
$b$. As long as both points are outside, raising $b$ shortens one slack by as much as it lengthens the other. So all
$b$ with $|b|\le T-2C-\epsilon$ are equally good, and at each end of this interval one point lies on its edge, with its
multiplier at $C$ and no slack. Solvers take the middle, as the check does. So in practice $a_n=C$ does mean slack
nearly always.
""",
)
