"""PRML 7.5: The value of the dual, and what it proves."""

import numpy as np
from scipy.optimize import minimize_scalar

from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import points, widest
from sparsekm_edu.exercises.tasks import Mistake, Task


def primal_and_share(rng):
    """X (N, 2), t (N,), w (2,), b of the maximum margin, and a factor s."""
    X, t = points(rng, gap=0.3)
    s = rng.uniform(*[(0.2, 0.8), (1.2, 1.9), (2.1, 2.6)][rng.integers(3)])  # beyond 2 the dual is negative
    return X, t, *widest(X, t)[:2], s


def dual_on_the_ray(X, t, w, b, s):
    """The dual (7.10) at s times the optimal multipliers, for the w (2,), b of the maximum margin; X (N, 2), t (N,)."""
    one_over_rho_squared = w @ w  # (7.125), and the sum of the a_n, (7.123)
    return (s - s**2 / 2) * one_over_rho_squared


def dual(K, t, a):
    """(7.10), term by term."""
    N = range(len(t))
    return sum(a) - 0.5 * sum(a[n] * a[m] * t[n] * t[m] * K[n, m] for n in N for m in N)


def dual_on_the_ray_by_smo(X, t, w, b, s):
    return dual(X @ X.T, t, s * widest(X, t)[2])


def balanced_multipliers(rng):
    """K (N, N), t (N,) of separable points and some a (N,) with (7.11) and (7.12)."""
    X, t = points(rng, gap=0.3, D=int(rng.integers(2, 4)))
    a = rng.exponential(size=len(t))
    a[t > 0] *= a[t < 0].sum() / a[t > 0].sum()
    K = X @ X.T
    highest = a.sum() / ((a * t) @ K @ (a * t))  # along the ray; from twice as far on the dual is negative
    return K, t, a * highest * rng.uniform(0.2, 2.4)


def bound_on_the_margin(K, t, a):
    """The smallest upper bound on the margin that s a proves, over all s > 0. K (N, N), t (N,), a (N,) with (7.12)."""
    v = a * t
    return np.sqrt(v @ K @ v) / np.sum(a)  # largest L~(s a) is (sum a)^2 / (2 v'Kv), at s = sum a / v'Kv


def bound_by_search(K, t, a):
    """The same with the best s found numerically."""
    best = minimize_scalar(lambda log_s: -dual(K, t, np.exp(log_s) * a), bracket=(-1.0, 0.0))
    return 1 / np.sqrt(-2 * best.fun)


EXERCISE = Exercise(
    id="7.5",
    title="The value of the dual, and what it proves",
    source="PRML 7.5",
    stars=2,
    notebook="01",
    taught=(
        ("01, section 7", "01_maximum_margin.ipynb#7-Ten-lines-that-solve-it-·-core"),
        ("01, section 8", "01_maximum_margin.ipynb#8-The-dual-is-a-picture:-two-hulls-·-deeper"),
    ),
    task=r"""
Let $\mathbf a$ maximise the dual of the maximum margin,

$$\widetilde L(\mathbf a)=\sum_na_n-\tfrac12\sum_n\sum_ma_na_mt_nt_mk(\mathbf x_n,\mathbf x_m),\qquad
a_n\ge0,\quad\sum_na_nt_n=0,\tag{7.10, 7.11, 7.12}$$

and let $\rho$ be the margin. To show: $1/\rho^2=2\widetilde L(\mathbf a)$ (7.124) and
$1/\rho^2=\lVert\mathbf w\rVert^2$ (7.125). You may use $1/\rho^2=\sum_na_n$ from exercise 7.4.

The second is short: in canonical form the closest points have $t_ny(\mathbf x_n)=1$, and so the distance
$\rho=1/\lVert\mathbf w\rVert$. For the first, look along the ray of all $s\,\mathbf a$ with $s\ge0$. (Notebook 01,
section 7, has a shorter proof for $s=1$ alone.) There is more to gain from that look: a proof, for multipliers that
are *not* the best ones, that no margin can be wider than a certain number.
""",
    bring=r"exercise 7.4, $\mathbf w=\sum_na_nt_n\mathbf x_n$ (7.8), and that every allowed dual value is at most "
    r"$\tfrac12\lVert\mathbf w\rVert^2$.",
    steps=(
        Task(
            "7.5a",
            "return the dual's value at s times the optimal multipliers",
            primal_and_share,
            dual_on_the_ray,
            instances=12,
            mistakes=(
                Mistake(
                    "the dual scaled by s",
                    lambda X, t, w, b, s: 0.5 * s * (w @ w),
                    "the first term of (7.10) is linear in a, but the double sum is quadratic",
                ),
                Mistake(
                    "the dual scaled by s squared",
                    lambda X, t, w, b, s: 0.5 * s**2 * (w @ w),
                    "the double sum is quadratic in a, but the first term of (7.10) is linear",
                ),
                Mistake(
                    "the 1/2 before the double sum lost",
                    lambda X, t, w, b, s: (s - s**2) * (w @ w),
                    "(7.10) has a 1/2 before the double sum, and the double sum is |w|^2",
                ),
                Mistake(
                    "the optimum itself",
                    lambda X, t, w, b, s: 0.5 * (w @ w),
                    "this is right for s = 1 only",
                ),
                Mistake(
                    "plus instead of minus",
                    lambda X, t, w, b, s: (s + s**2 / 2) * (w @ w),
                    "the double sum is subtracted in (7.10)",
                ),
                Mistake(
                    "the margin in place of its inverse",
                    lambda X, t, w, b, s: (s - s**2 / 2) / (w @ w),
                    "the sum of a_n is 1/rho^2 = |w|^2, not rho^2",
                ),
                Mistake(
                    "|w| not squared",
                    lambda X, t, w, b, s: (s - s**2 / 2) * np.linalg.norm(w),
                    "the double sum in (7.10) is |w|^2, by (7.8)",
                ),
            ),
            hints=(
                "Put s a_n for a_n into (7.10): the first term gets a factor s, the double sum a factor s^2.",
                "By (7.8) the double sum is w'w; by exercise 7.4 the sum of a_n is w'w as well.",
            ),
            route=("SMO, and (7.10) term by term", dual_on_the_ray_by_smo),
            text=r"""
Here $k(\mathbf x,\mathbf x')=\mathbf x^{\mathsf T}\mathbf x'$. You get the solution $\mathbf w$, $b$ of the primal
problem, the data, and a number $s$. Return $\widetilde L(s\,\mathbf a)$, where $\mathbf a$ are the optimal
multipliers, without finding them. Then look at your result: why must it be largest at $s=1$, and what is it there?
(Not all that is handed over is needed.)
""",
        ),
        Task(
            "7.5b",
            "return the bound on the margin",
            balanced_multipliers,
            bound_on_the_margin,
            mistakes=(
                Mistake(
                    "no search along the ray",
                    lambda K, t, a: 1 / np.sqrt(2 * dual(K, t, a)),
                    "this is the bound for s = 1, if L~ is positive at all; choose s so that L~(s a) is largest",
                ),
                Mistake(
                    "(7.123) away from the optimum",
                    lambda K, t, a: 1 / np.sqrt(np.sum(a)),
                    "1/rho^2 is the sum of a_n for the best multipliers only; these are not the best",
                ),
                Mistake(
                    "(7.125) away from the optimum",
                    lambda K, t, a: 1 / np.sqrt((a * t) @ K @ (a * t)),
                    "1/rho is |w| for the best multipliers only; these are not the best",
                ),
                Mistake(
                    "the root not taken",
                    lambda K, t, a: bound_on_the_margin(K, t, a) ** 2,
                    "the bound is on rho, and the dual speaks of 1/rho^2",
                ),
                Mistake(
                    "the whole street instead of the margin",
                    lambda K, t, a: 2 * bound_on_the_margin(K, t, a),
                    "rho is the distance from the hyperplane to the closest point: half the width of the street",
                ),
                Mistake(
                    "the 2 of 2 L~ lost",
                    lambda K, t, a: np.sqrt(2) * bound_on_the_margin(K, t, a),
                    "L~ <= |w|^2 / 2 = 1 / (2 rho^2), so rho^2 <= 1 / (2 L~)",
                ),
                Mistake(
                    "the labels left out",
                    lambda K, t, a: np.sqrt(a @ K @ a) / np.sum(a),
                    "the double sum of (7.10) has a_n t_n, not a_n alone",
                ),
                Mistake(
                    "1/rho instead of rho",
                    lambda K, t, a: 1 / bound_on_the_margin(K, t, a),
                    "2 L~ is at most 1/rho^2, so the root of 2 L~ bounds 1/rho from below: turn it over",
                ),
                Mistake(
                    "the best s itself",
                    lambda K, t, a: np.sum(a) / ((a * t) @ K @ (a * t)),
                    "this s makes L~(s a) largest; put it in, and the value bounds the margin",
                ),
                Mistake(
                    "the best dual value itself",
                    lambda K, t, a: np.sum(a) ** 2 / (2 * (a * t) @ K @ (a * t)),
                    "this is the largest L~(s a), and it is at most 1 / (2 rho^2): solve for rho",
                ),
            ),
            hints=(
                "Every allowed dual value is at most |w|^2 / 2 = 1 / (2 rho^2). What does that say about rho?",
                "The bound is best where L~(s a) = s A - s^2 B / 2 is largest; A is the sum of a_n, B the double sum.",
                "Its derivative A - s B vanishes at s = A / B; there L~ = A^2 / (2 B).",
            ),
            route=("a numerical search for the best s", bound_by_search),
            text=r"""
Now $\mathbf a$ is *any* vector with (7.11) and (7.12), not zero and far from optimal. So is every $s\,\mathbf a$
with $s>0$. Each value $\widetilde L(s\,\mathbf a)$ is at most $\tfrac12\lVert\mathbf w\rVert^2$ of the true
solution, which says something about the true margin $\rho$. Return the smallest upper bound on $\rho$ that you can
prove in this way, by the best choice of $s$. (The data are separable; `K` has the entries
$k(\mathbf x_n,\mathbf x_m)$.)
""",
        ),
    ),
    worked=r"""
**7.5a.** Write $A=\sum_na_n$, which is twice the $A$ of notebook 01, section 8, and
$B=\sum_n\sum_ma_na_mt_nt_mk(\mathbf x_n,\mathbf x_m)$. By (7.8)

$$\lVert\mathbf w\rVert^2=\Big(\sum_na_nt_n\mathbf x_n\Big)^{\mathsf T}\Big(\sum_ma_mt_m\mathbf x_m\Big)=B.$$

With $s\,a_n$ for $a_n$ the first term of (7.10) gets a factor $s$ and the second one $s^2$:
$\widetilde L(s\,\mathbf a)=sA-\tfrac12s^2B$. By exercise 7.4 $A=\lVert\mathbf w\rVert^2$, too. So

$$\widetilde L(s\,\mathbf a)=\big(s-\tfrac12s^2\big)\lVert\mathbf w\rVert^2,\qquad
\text{at }s=1:\quad\widetilde L(\mathbf a)=\tfrac12\lVert\mathbf w\rVert^2=\frac1{2\rho^2}.$$

The last step is (7.125): in canonical form the closest points have $t_ny(\mathbf x_n)=1$ and, by (7.2), the distance
$\rho=1/\lVert\mathbf w\rVert$. Together this is (7.124). The dual's largest value is $\tfrac12\lVert\mathbf w\rVert^2$,
which is the primal's smallest: no gap is left.

There is another way to $A=B$, without exercise 7.4. All $s\,\mathbf a$ satisfy (7.11) and (7.12), and $\mathbf a$
is the best of them. So the derivative $A-sB$ vanishes at $s=1$: $A=B$. This gives (7.123) once more,
$\sum_na_n=A=B=1/\rho^2$, without complementary slackness. It is not free, though: for $B=1/\rho^2$ the $\mathbf w$
that (7.8) makes of the best $\mathbf a$ has to be the solution of the primal problem. This is strong duality, and it
holds because the objective is quadratic and convex, the constraints are linear, and the data are separable.

**7.5b.** For every allowed $\mathbf a$ and the true $\rho$ we have $\widetilde L(s\,\mathbf a)\le\frac1{2\rho^2}$,
so $\rho\le1/\sqrt{2\widetilde L(s\,\mathbf a)}$ wherever $\widetilde L$ is positive. The right side is smallest
where $sA-\tfrac12s^2B$ is largest: $A-sB=0$, $s=A/B$, with the value $A^2/(2B)$. Hence

$$\rho\le\frac{\sqrt B}A=\frac{\big\lVert\sum_na_nt_n\boldsymbol\phi(\mathbf x_n)\big\rVert}{\sum_na_n}.$$

By (7.12) each class has half of $A$. So $2\sqrt B/A$ is the distance between a weighted mean of one class and one
of the other: two points of their hulls, which are at least as far apart as the street is wide. At the optimum
$A=B$, and the bound is $1/\sqrt A=\rho$ itself.
""",
)
