"""PRML 7.4: The multipliers know the margin."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import points, soft, widest
from sparsekm_edu.exercises.practice.prml_7_02 import solution_and_level
from sparsekm_edu.exercises.tasks import Mistake, Task


def primal_and_level(rng):
    """X (N, 2), t (N,), w (2,), b of the maximum margin with gamma for the 1 in (7.5), and gamma."""
    X, t, _, _, _, gamma = solution_and_level(rng)
    return X, t, *widest(X, t, gamma)[:2], gamma


def multipliers_and_margin(X, t, w, b, gamma):
    """The sum of the multipliers and the margin rho, for the w (2,), b that solve it with gamma; X (N, 2), t (N,)."""
    total = w @ w / gamma  # gamma times the sum of a_n is w'w
    rho = gamma / np.linalg.norm(w)  # the closest point has t y = gamma
    return total, rho


def multipliers_and_margin_by_smo(X, t, w, b, gamma):
    """The multipliers from the dual; the margin is the smallest distance to the foot of a point on the plane."""
    feet = X - np.outer(X @ w + b, w) / (w @ w)
    return widest(X, t, gamma)[2].sum(), np.linalg.norm(X - feet, axis=1).min()


def primal_with_slack(rng):
    """X (N, 2), t (N,) of overlapping classes, w (2,), b of the soft margin, and C."""
    w = np.zeros(2)
    while np.linalg.norm(w) < 0.1:  # classes so mixed that no direction is better than none
        X, t = points(rng, gap=-1.5)
        C = rng.uniform(0.3, 3.0)
        w, b, _ = soft(X, t, C)
    return X, t, w, b, C


def multipliers_with_slack(X, t, w, b, C):
    """The sum of the multipliers of a soft margin, whose w (2,) and b are given; X (N, 2), t (N,), C > 0."""
    xi = np.maximum(0, 1 - t * (X @ w + b))
    return w @ w + C * np.sum(xi)


EXERCISE = Exercise(
    id="7.4",
    title="The multipliers know the margin",
    source="PRML 7.4",
    stars=2,
    notebook="01",
    taught=(
        ("01, section 7", "01_maximum_margin.ipynb#7-Ten-lines-that-solve-it-·-core"),
        ("02, section 2", "02_soft_margin.ipynb#2-Every-multiplier-in-its-box"),
    ),
    task=r"""
Let $\rho$ be the margin of the maximum-margin hyperplane, the distance to its closest point, and $a_n$ the
multipliers that maximise (7.10). To show: $1/\rho^2=\sum_na_n$, (7.123).

Notebook 01 proves it in one line, at the end of section 7. Here you take this line apart into its two halves and see
what each of them needs. Look at $S=\sum_na_nt_ny(\mathbf x_n)$ with
$y(\mathbf x)=\mathbf w^{\mathsf T}\mathbf x+b$. One half uses the stationarity conditions (7.8),
$\mathbf w=\sum_na_nt_n\mathbf x_n$, and (7.9), $\sum_na_nt_n=0$. The other uses complementary slackness,
$a_n\{t_ny(\mathbf x_n)-1\}=0$ (7.16). Then see what the same two halves give where neither the notebook nor the
book looks: with another number than 1 in the constraints, and with slack.
""",
    bring="(7.8), (7.9) and (7.16); for the last step the soft margin, (7.20) to (7.34).",
    steps=(
        Claim(
            "7.4a",
            "choose the expression that S is equal to",
            "b",
            mistakes=(
                Mistake(
                    "complementary slackness used too early",
                    "a",
                    "t_n y(x_n) = 1 at support vectors holds at the optimum only; here a is any vector with (7.9)",
                ),
                Mistake(
                    "the half of the objective",
                    "c",
                    "the 1/2 stands in the objective |w|^2 / 2, but nothing brings it into this sum: put y in and "
                    "collect",
                ),
                Mistake(
                    "the term with b kept",
                    "d",
                    "b is multiplied by the sum of a_n t_n, which is 0 by (7.9), not by the sum of a_n",
                ),
                Mistake(
                    "the whole sum taken to be 0",
                    "e",
                    "only the term with b vanishes by (7.9): in the other one t_n stands together with x_n",
                ),
            ),
            hints=(
                "Put y(x_n) = w'x_n + b into S and split it into two sums.",
                "w and b do not depend on n: take them out of the sums. (7.8) and (7.9) tell what is left in them.",
            ),
            options={
                "a": r"$\sum_na_n$",
                "b": r"$\lVert\mathbf w\rVert^2$",
                "c": r"$\tfrac12\lVert\mathbf w\rVert^2$",
                "d": r"$\lVert\mathbf w\rVert^2+b\sum_na_n$",
                "e": r"$0$",
            },
            text=r"""
The first half. Take *any* multipliers $a_n\ge0$ with $\sum_na_nt_n=0$ (not only the best ones), $\mathbf w$ from
(7.8), and any $b$. What is $S=\sum_na_nt_ny(\mathbf x_n)$ always equal to?
""",
        ),
        Task(
            "7.4b",
            "return the sum of the multipliers and the margin",
            primal_and_level,
            multipliers_and_margin,
            mistakes=(
                Mistake(
                    "gamma left out everywhere",
                    lambda X, t, w, b, gamma: (w @ w, 1 / np.linalg.norm(w)),
                    "this is right for gamma = 1; now complementary slackness says a_n t_n y(x_n) = gamma a_n",
                ),
                Mistake(
                    "1/|w| taken for the margin",
                    lambda X, t, w, b, gamma: (w @ w / gamma, 1 / np.linalg.norm(w)),
                    "the sum is right; but the closest points have t y = gamma, so their distance is gamma / |w|",
                ),
                Mistake(
                    "gamma left out of the sum",
                    lambda X, t, w, b, gamma: (w @ w, gamma / np.linalg.norm(w)),
                    "the margin is right; but support vectors have t_n y(x_n) = gamma, so w'w is gamma times the sum",
                ),
                Mistake(
                    "gamma on the wrong side",
                    lambda X, t, w, b, gamma: (gamma * (w @ w), gamma / np.linalg.norm(w)),
                    "S = gamma times the sum of a_n, and S = w'w: divide",
                ),
                Mistake(
                    "(7.123) copied from the case of 1",
                    lambda X, t, w, b, gamma: (w @ w / gamma**2, gamma / np.linalg.norm(w)),
                    "1/rho^2 is w'w / gamma^2, but the sum of the multipliers is not 1/rho^2 any more",
                ),
                Mistake(
                    "half of |w|^2",
                    lambda X, t, w, b, gamma: (0.5 * (w @ w) / gamma, gamma / np.linalg.norm(w)),
                    "the 1/2 belongs to the objective; in 7.4a there is none",
                ),
                Mistake(
                    "the whole street instead of the margin",
                    lambda X, t, w, b, gamma: (w @ w / gamma, 2 * gamma / np.linalg.norm(w)),
                    "the sum is right; but rho is the distance from the hyperplane to the closest point, half of this",
                ),
            ),
            hints=(
                "Complementary slackness is now a_n {t_n y(x_n) - gamma} = 0. Add it up over n.",
                "So S = gamma times the sum of a_n; and 7.4a says what S is in terms of w.",
                "The margin is the distance t_n y(x_n) / |w| of a support vector, whose t_n y(x_n) is gamma.",
            ),
            route=("SMO on the dual, and the distances of the points", multipliers_and_margin_by_smo),
            text=r"""
The second half, with any $\gamma>0$: the constraints are $t_ny(\mathbf x_n)\ge\gamma$, as in exercise 7.2. Somebody
has solved the primal problem and hands you $\mathbf w$ and $b$, but no multipliers. Return $\sum_na_n$ of the dual
solution and the margin $\rho$ (a distance). You need no solver, and not everything that is handed over. With
$\gamma=1$ your two results must satisfy (7.123); what becomes of (7.123) for any $\gamma$?
""",
        ),
        Task(
            "7.4c",
            "return the sum of the multipliers of the soft margin",
            primal_with_slack,
            multipliers_with_slack,
            mistakes=(
                Mistake(
                    "the slack left out",
                    lambda X, t, w, b, C: w @ w,
                    "a point with slack has t y = 1 - xi, so its term in S is a_n (1 - xi_n)",
                ),
                Mistake(
                    "C missing before the slack",
                    lambda X, t, w, b, C: w @ w + np.sum(np.maximum(0, 1 - t * (X @ w + b))),
                    "the slack appears as a_n xi_n, and wherever xi_n > 0 the multiplier is at its ceiling, a_n = C",
                ),
                Mistake(
                    "the slack subtracted",
                    lambda X, t, w, b, C: w @ w - C * np.sum(np.maximum(0, 1 - t * (X @ w + b))),
                    "w'w = sum of a_n minus sum of a_n xi_n: bring the slack to the other side",
                ),
                Mistake(
                    "the cost (7.21) instead of the sum",
                    lambda X, t, w, b, C: 0.5 * w @ w + C * np.sum(np.maximum(0, 1 - t * (X @ w + b))),
                    "half of w'w is the cost; in S there is no half",
                ),
                Mistake(
                    "points beyond the street counted as negative slack",
                    lambda X, t, w, b, C: w @ w + C * np.sum(1 - t * (X @ w + b)),
                    "xi_n = max(0, 1 - t_n y(x_n)) is never negative",
                ),
                Mistake(
                    "slack counted from the boundary",
                    lambda X, t, w, b, C: w @ w + C * np.sum(np.maximum(0, -t * (X @ w + b))),
                    "slack is what is missing to the edge of the street, where t y = 1",
                ),
                Mistake(
                    "slack of points on the wrong side only",
                    lambda X, t, w, b, C: (
                        w @ w + C * np.sum(np.where(t * (X @ w + b) < 0, 1 - t * (X @ w + b), 0))
                    ),
                    "points inside the street have slack, too, even on their own side",
                ),
                Mistake(
                    "points counted, not their slack",
                    lambda X, t, w, b, C: w @ w + C * np.sum(t * (X @ w + b) < 1),
                    "a_n xi_n = C xi_n: each point counts with its slack",
                ),
                Mistake(
                    "the slack squared",
                    lambda X, t, w, b, C: w @ w + C * np.sum(np.maximum(0, 1 - t * (X @ w + b)) ** 2),
                    "S has a_n (1 - xi_n) in it: the slack itself",
                ),
                Mistake(
                    "the labels left out of the slack",
                    lambda X, t, w, b, C: w @ w + C * np.sum(np.maximum(0, 1 - (X @ w + b))),
                    "what must reach 1 is t_n y(x_n)",
                ),
            ),
            hints=(
                "Now (7.25) says a_n {t_n y(x_n) - 1 + xi_n} = 0. Add it up over n: what is S?",
                "S = sum of a_n minus sum of a_n xi_n, and still S = w'w. Where xi_n > 0, what is a_n?",
                "mu_n xi_n = 0 (7.28) and a_n = C - mu_n (7.31) make a_n xi_n = C xi_n, for every n.",
            ),
            route=("SMO on the dual", lambda X, t, w, b, C: soft(X, t, C)[2].sum()),
            text=r"""
With slack: minimise $C\sum_n\xi_n+\tfrac12\lVert\mathbf w\rVert^2$ (7.21) subject to $t_ny(\mathbf x_n)\ge1-\xi_n$
(7.20) and $\xi_n\ge0$. Its conditions are $\mathbf w=\sum_na_nt_n\mathbf x_n$ (7.29) and $\sum_na_nt_n=0$ (7.30), the
same as (7.8) and (7.9), and

$$a_n\{t_ny(\mathbf x_n)-1+\xi_n\}=0\ (7.25),\qquad\mu_n\xi_n=0\ (7.28),\qquad a_n=C-\mu_n\ (7.31).$$

Again you get the solution $\mathbf w$, $b$ of the primal problem, with the data. Return $\sum_na_n$ without solving
the dual.
""",
        ),
    ),
    worked=r"""
**7.4a.** Put in $y(\mathbf x_n)=\mathbf w^{\mathsf T}\mathbf x_n+b$ and take out what does not depend on $n$:

$$S=\sum_na_nt_n(\mathbf w^{\mathsf T}\mathbf x_n+b)
=\mathbf w^{\mathsf T}\underbrace{\sum_na_nt_n\mathbf x_n}_{\mathbf w\ (7.8)}
+b\,\underbrace{\sum_na_nt_n}_{0\ (7.9)}=\lVert\mathbf w\rVert^2.$$

**7.4b.** Complementary slackness is $a_n\{t_ny(\mathbf x_n)-\gamma\}=0$. Added up over $n$: $S=\gamma\sum_na_n$.
Together with 7.4a

$$\sum_na_n=\frac{\lVert\mathbf w\rVert^2}\gamma.$$

The closest points have $t_ny(\mathbf x_n)=\gamma$ and, by (7.2), the distance $\rho=\gamma/\lVert\mathbf w\rVert$.
So

$$\frac1{\rho^2}=\frac{\lVert\mathbf w\rVert^2}{\gamma^2}=\frac1\gamma\sum_na_n,$$

and for $\gamma=1$ this is (7.123).

**7.4c.** Add up (7.25): $S=\sum_na_n-\sum_na_n\xi_n$. By (7.31) and (7.28) $a_n\xi_n=C\xi_n-\mu_n\xi_n=C\xi_n$, at
every point. And 7.4a holds here, too: (7.29) and (7.30) are (7.8) and (7.9). So

$$\sum_na_n=\lVert\mathbf w\rVert^2+C\sum_n\xi_n,\qquad\xi_n=\max\{0,1-t_ny(\mathbf x_n)\}.$$

With slack, the sum of the multipliers is more than $\lVert\mathbf w\rVert^2$, by what is paid for slack. (We do not
write $1/\rho^2$ any more: $1/\lVert\mathbf w\rVert$ still is half the width of the street, but in general no longer the
distance of the closest point.)
""",
)
