"""PRML 7.3: Two points are enough."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import read_points, widest
from sparsekm_edu.exercises.tasks import Mistake, Task


def opposite_points(rng):
    """Two points in 1 to 6 dimensions, not too close to each other."""
    D = int(rng.choice([1, 6])) if rng.random() < 0.6 else int(rng.integers(2, 6))
    apart = rng.normal(size=D)
    middle, length = rng.normal(size=D), rng.uniform(0.8, 4.0)
    apart *= length / np.linalg.norm(apart)
    return middle + apart / 2, middle - apart / 2


def two_points(x_plus, x_minus):
    """w (D,), b and a (2,), the multipliers of x_plus and of x_minus, for two points (D,) with labels 1 and -1."""
    d = x_plus - x_minus
    a = 2 / (d @ d)  # one multiplier for both, by (7.9)
    w = a * d  # (7.8)
    b = -w @ (x_plus + x_minus) / 2  # y = 0 halfway
    return w, b, np.array([a, a])


def two_points_by_smo(x_plus, x_minus):
    return widest(np.array([x_plus, x_minus]), np.array([1.0, -1.0]))


NO_LINE = "No line separates these points, or by too little to tell, so there is no maximum margin."


def no_pair_decides(value):
    """None if the maximum margin of three points in the plane is that of no two of them, else a sentence."""
    from sparsekm_edu.solvers import NotSeparable

    if not isinstance(value, tuple | list) or len(value) != 2:
        return "Two things are wanted, (X, t)."
    try:
        X, t = read_points(*value)
    except ValueError as problem:
        return str(problem)
    if X.shape != (3, 2):
        return f"Three points in the plane are wanted, X of shape (3, 2), got shape {X.shape}."
    X = X - X.mean(axis=0)
    X /= np.abs(X).max() or 1.0  # place and unit do not matter; now numbers are of order 1
    try:
        w, b, _ = widest(X, t)
    except NotSeparable:
        return NO_LINE
    for i in np.flatnonzero(t > 0):
        for j in np.flatnonzero(t < 0):
            if np.array_equal(X[i], X[j]):
                return NO_LINE
            w_pair, b_pair, _ = two_points(X[i], X[j])
            if np.allclose([*w, b], [*w_pair, b_pair], rtol=1e-6, atol=1e-6 * np.linalg.norm(w)):
                third = 3 - i - j
                reached = t[third] * (X[third] @ w_pair + b_pair)
                return (
                    f"Points {i} and {j} alone give the same line, to six digits. With it, point {third} has "
                    f"t y = {reached:.3g}, and its constraint t y >= 1 asks for no more."
                )
    return None


def what_pushes(value):
    X, t = read_points(*value)
    X = X - X.mean(axis=0)
    unit = np.abs(X).max()
    a = widest(X / unit, t)[2] / unit**2
    return f"All three points push: their multipliers are {a[0]:.3g}, {a[1]:.3g} and {a[2]:.3g}."


EXERCISE = Exercise(
    id="7.3",
    title="Two points are enough",
    source="PRML 7.3",
    stars=2,
    notebook="01",
    taught=(
        ("01, section 5", "01_maximum_margin.ipynb#5-Two-points,-by-hand-·-core"),
        (
            "01, section 6",
            "01_maximum_margin.ipynb#6-The-dual-of-the-maximum-margin:-(7.7)-to-(7.12)-·-core",
        ),
    ),
    task=r"""
The data are two points in $D$ dimensions: $\mathbf x_+$ with label $1$ and $\mathbf x_-\ne\mathbf x_+$ with label
$-1$. There are $D+1$ unknowns, $\mathbf w$ and $b$, and just two constraints
$t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)\ge1$ (7.5). Still there is only one maximum-margin hyperplane, whatever $D$
is. Find it, from $\mathbf w=\sum_na_nt_n\mathbf x_n$ (7.8) and $\sum_na_nt_n=0$ (7.9), where $a_n\ge0$ is the
multiplier of point $n$.
""",
    bring="the conditions (7.8) and (7.9), and that the constraint of a support vector holds with equality.",
    steps=(
        Task(
            "7.3a",
            "return w, b and both multipliers in closed form",
            opposite_points,
            two_points,
            instances=16,
            mistakes=(
                Mistake(
                    "w not scaled",
                    lambda x, z: (x - z, -(x - z) @ (x + z) / 2, np.ones(2)),
                    "the direction is right, but t y has to be 1 at both points: that fixes the length of w",
                ),
                Mistake(
                    "w of length 1",
                    lambda x, z: (
                        (x - z) / np.linalg.norm(x - z),
                        -(x - z) @ (x + z) / 2 / np.linalg.norm(x - z),
                        np.full(2, 1 / np.linalg.norm(x - z)),
                    ),
                    "the direction is right, but t y has to be 1 at both points: that fixes the length of w",
                ),
                Mistake(
                    "half as long as needed",
                    lambda x, z: tuple(part / 2 for part in two_points(x, z)),
                    "y goes from -1 to +1 between the points, so w'(x_plus - x_minus) = 2, not 1",
                ),
                Mistake(
                    "the sign of b",
                    lambda x, z: (two_points(x, z)[0], -two_points(x, z)[1], two_points(x, z)[2]),
                    "w'x + b = 0 halfway between the points: b is minus w'(x_plus + x_minus) / 2",
                ),
                Mistake(
                    "b without the half",
                    lambda x, z: (two_points(x, z)[0], 2 * two_points(x, z)[1], two_points(x, z)[2]),
                    "the middle of two points is half their sum",
                ),
                Mistake(
                    "b left out",
                    lambda x, z: (two_points(x, z)[0], 0.0, two_points(x, z)[2]),
                    "the plane passes halfway between the points, and the origin has no say in where that is",
                ),
                Mistake(
                    "a negative multiplier",
                    lambda x, z: (*two_points(x, z)[:2], two_points(x, z)[2] * [1, -1]),
                    "a_n >= 0 (7.11); the sign of the class is in t_n, and a_n t_n is negative for x_minus",
                ),
                Mistake(
                    "twice the multipliers",
                    lambda x, z: (*two_points(x, z)[:2], 2 * two_points(x, z)[2]),
                    "w and b are right, and w = a (x_plus - x_minus): read a off it. (1/rho^2 is the sum of both)",
                ),
                Mistake(
                    "x_plus put on the plane",
                    lambda x, z: (two_points(x, z)[0], -two_points(x, z)[0] @ x, two_points(x, z)[2]),
                    "at x_plus y has to be 1, not 0: it lies on the edge of the street",
                ),
                Mistake(
                    "the label of x_minus forgotten",
                    lambda x, z: (two_points(x, z)[0], 1 - two_points(x, z)[0] @ z, two_points(x, z)[2]),
                    "at x_minus y has to be -1: b = -1 - w'x_minus",
                ),
                Mistake(
                    "|x_plus - x_minus| not squared in the multipliers",
                    lambda x, z: (*two_points(x, z)[:2], np.full(2, 2 / np.linalg.norm(x - z))),
                    "w = a (x_plus - x_minus) by (7.8): compare with your w",
                ),
                Mistake(
                    "half the multipliers",
                    lambda x, z: (*two_points(x, z)[:2], two_points(x, z)[2] / 2),
                    "w and b are right, and w = a (x_plus - x_minus) by (7.8): read a off it",
                ),
                Mistake(
                    "|x_plus - x_minus| not squared",
                    lambda x, z: tuple(part * np.linalg.norm(x - z) for part in two_points(x, z)),
                    "w'(x_plus - x_minus) has to be 2, and a d'd = 2 has the squared length in it",
                ),
                Mistake(
                    "the classes exchanged",
                    lambda x, z: (-two_points(x, z)[0], -two_points(x, z)[1], two_points(x, z)[2]),
                    "the plane is right, but y has to be 1 at x_plus: w points from x_minus to x_plus",
                ),
            ),
            hints=(
                "(7.9) says a_plus - a_minus = 0. So both multipliers are one number a, and (7.8) gives the "
                "direction of w.",
                "w = a d with d = x_plus - x_minus. Both constraints are equalities; their difference has no b in it.",
                "Subtract: w'd = 2, so a d'd = 2. Add: w'(x_plus + x_minus) + 2 b = 0.",
            ),
            route=("SMO on the dual", two_points_by_smo),
            text=r"""
Solve it by hand and return $\mathbf w$, $b$ and the multipliers $a_+$, $a_-$ (as one array of two numbers) in terms
of $\mathbf x_+$ and $\mathbf x_-$. The check draws points in one dimension, in six, and between.
""",
        ),
        Claim(
            "7.3b",
            "give (X, t) with three points, no two of which alone have the same maximum-margin line",
            ([[0.0, 1.0], [0.0, -1.0], [2.0, 0.3]], [1, 1, -1]),
            mistakes=(
                Mistake(
                    "a third point behind the second",
                    ([[0.0, 0.0], [-1.0, 0.0], [2.0, 0.0]], [1, 1, -1]),
                    "the point behind lies beyond its own edge of the others' street, t y > 1, and so has no say",
                ),
                Mistake(
                    "a third point beside the second, but beyond the edge",
                    ([[0.0, 0.0], [-0.5, 3.0], [2.0, 0.0]], [1, 1, -1]),
                    "with the line of the other two it has t y > 1 already: bring it forward until t y < 1",
                ),
                Mistake(
                    "a third point exactly on the edge",
                    ([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0]], [1, 1, -1]),
                    "it touches the street of the other two, but does not push: t y = 1 is allowed. Move it in",
                ),
                Mistake(
                    "points that cannot be separated",
                    ([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]], [1, 1, -1]),
                    "the single point lies between the two others, so no line separates the classes",
                ),
            ),
            hints=(
                "Take any two opposite points and draw their street: the strip between two lines at right angles to "
                "the piece that joins them. If the third point keeps to its constraint, t y >= 1, it has no say.",
                "So the third point must not be beyond the edge of its own class, nor on it: t y < 1, for every "
                "opposite pair.",
                "Two points of one class, and the single one opposite to the middle of the piece between them.",
            ),
            accepts=no_pair_decides,
            found=what_pushes,
            text=r"""
Two points are enough *if there are only two*. Do two support vectors always fix the hyperplane? Give a
counter-example, a tuple `(X, t)`: three points in the plane, `X` of shape (3, 2) with labels `t`, whose line of
maximum margin is not the one that you would get from any two of them (one of each class) alone.
""",
        ),
    ),
    worked=r"""
**7.3a.** By (7.9) $a_+-a_-=0$: both multipliers are one number $a$. By (7.8), with
$\mathbf d=\mathbf x_+-\mathbf x_-$,

$$\mathbf w=a\,\mathbf x_+-a\,\mathbf x_-=a\,\mathbf d.$$

So $\mathbf w$ has no component at right angles to $\mathbf d$, and the number of dimensions plays no part. If $a$
were 0, $\mathbf w$ would be $\mathbf 0$, and $y=b$ could not have both signs; so $a>0$. By complementary slackness,
$a_n\{t_ny(\mathbf x_n)-1\}=0$ (7.16), both constraints hold with equality:

$$\mathbf w^{\mathsf T}\mathbf x_++b=1,\qquad\mathbf w^{\mathsf T}\mathbf x_-+b=-1.$$

Their difference is $\mathbf w^{\mathsf T}\mathbf d=2$, or $a\,\mathbf d^{\mathsf T}\mathbf d=2$; their sum is
$\mathbf w^{\mathsf T}(\mathbf x_++\mathbf x_-)+2b=0$. Hence

$$a=\frac2{\lVert\mathbf d\rVert^2},\qquad\mathbf w=\frac{2\,\mathbf d}{\lVert\mathbf d\rVert^2},\qquad
b=-\tfrac12\mathbf w^{\mathsf T}(\mathbf x_++\mathbf x_-)
=-\frac{\lVert\mathbf x_+\rVert^2-\lVert\mathbf x_-\rVert^2}{\lVert\mathbf d\rVert^2}.$$

The hyperplane halves the piece between the points at a right angle, and the margin
$1/\lVert\mathbf w\rVert=\tfrac12\lVert\mathbf d\rVert$ is half its length.

**7.3b.** The solution for two points stays the solution for three if the third one satisfies its constraint,
$t_3y(\mathbf x_3)\ge1$: it lies beyond the edge of its own class, or on it. So we need $t_3y(\mathbf x_3)<1$, for
every opposite pair: the third point lies inside the street of the pair, or even beyond the edge of the other class.
Take two circles one above the other and a square beside the middle between them: one edge of the widest street is
the line through both circles, and the square lies on the other. Neither way from a circle to the square crosses the
street at a right angle, and all three push. In $D$ dimensions up to $D+1$ points can be needed.
""",
)
