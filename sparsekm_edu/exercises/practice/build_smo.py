"""Build it: sequential minimal optimisation, from the first clipped step to a solver that the referee accepts."""

import numpy as np

from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.smo_pairs import (
    ALLOWED,
    a_pair,
    ends_by_walls,
    ends_of_the_line,
    gap_of,
    halfway_and_pair,
    limits_by_trial,
    limits_of_b,
    on_walls,
    one_kind_matters,
    outside_the_box,
    pairwise_ascent,
    top_by_three_points,
    top_of_the_line,
    verdict,
)
from sparsekm_edu.exercises.practice.smo_slips import (
    b_from_all_support_vectors,
    b_turned_round,
    dust_sets_a_limit,
    errors_never_updated,
    is_feasible,
    one_at_a_time,
    one_class_at_C,
    shown_by,
    step_of_bare_slopes,
    stopped_early,
    support_mean,
    unlabelled,
    whole_problem,
    without_care_for_dust,
    without_labels,
)
from sparsekm_edu.exercises.tasks import Mistake, Task

EXERCISE = Exercise(
    id="build-smo",
    title="A solver of your own: SMO",
    source="build it",
    stars=3,
    notebook="03",
    taught=(
        ("03, section 1", "03_training.ipynb#1-One-problem,-and-a-referee"),
        ("03, section 3", "03_training.ipynb#3-Two-at-a-time:-SMO"),
    ),
    task=r"""
Write a solver for the soft margin. It maximises the dual

$$\widetilde L(\mathbf a)=\sum_na_n-\tfrac12\sum_n\sum_ma_na_mt_nt_mK_{nm} \tag{7.32}$$

$$\text{subject to}\qquad 0\le a_n\le C\quad(7.33)\qquad\text{and}\qquad\sum_na_nt_n=0,\quad(7.34)$$

with labels $t_n\in\{-1,1\}$ and a positive definite matrix $K_{nm}=k(\mathbf x_n,\mathbf x_m)$. A single multiplier
cannot move without breaking (7.34). Two can: that is Platt's *sequential minimal optimisation*. Begin with
$\mathbf a=\mathbf 0$. Choose a pair, go to the highest point that it can reach, and choose again, until no pair gains
anything. Three steps build the parts, the fourth puts them together. (Section 3 of notebook 03 tells the idea, and
also shows a complete solver, `platt`. Read it before, or compare afterwards; but close it while you write yours.)

The output is $y(\mathbf x_n)=s_n+b$ with $s_n=\sum_ma_mt_mK_{nm}$, (7.13). At the optimum the conditions of Karush,
Kuhn and Tucker hold:

$$t_ny(\mathbf x_n)\ge1\ \text{ if } a_n=0,\qquad t_ny(\mathbf x_n)=1\ \text{ if } 0<a_n<C,\qquad
t_ny(\mathbf x_n)\le1\ \text{ if } a_n=C.$$
""",
    bring="the dual of the soft margin and its conditions, from notebook 02; loops in Python",
    steps=(
        Task(
            "build-smo-a",
            "return the smallest and the largest a_j that the pair can reach",
            a_pair,
            ends_of_the_line,
            mistakes=(
                Mistake(
                    "the box alone",
                    lambda a_i, a_j, t_i, t_j, C: (0.0, C),
                    "a_i follows a_j, and it has to stay in its box too",
                ),
                Mistake(
                    "equal and different labels exchanged",
                    lambda a_i, a_j, t_i, t_j, C: ends_of_the_line(a_i, a_j, t_i, -t_j, C),
                    "with equal labels a_i + a_j stays as it is, with different ones a_j - a_i does",
                ),
                Mistake(
                    "the labels left out",
                    lambda a_i, a_j, t_i, t_j, C: (max(0, a_i + a_j - C), min(C, a_i + a_j)),
                    "a_i t_i + a_j t_j stays; only for equal labels is that the sum",
                ),
                Mistake(
                    "the limits of a_i",
                    lambda a_i, a_j, t_i, t_j, C: ends_of_the_line(a_j, a_i, t_j, t_i, C),
                    "this is how far a_i can go, and a_j is asked for. With equal labels the two have the same "
                    "ends, with different ones they have not",
                ),
                Mistake(
                    "not cut off by the box",
                    lambda a_i, a_j, t_i, t_j, C: (
                        (a_i + a_j - C, a_i + a_j) if t_i == t_j else (a_j - a_i, a_j - a_i + C)
                    ),
                    "that keeps a_i in its box; a_j needs 0 and C as well: max and min",
                ),
                Mistake(
                    "smallest and largest exchanged",
                    lambda *pair: ends_of_the_line(*pair)[::-1],
                    "the smallest first",
                ),
            ),
            instances=180,  # four pairs of labels, nine places each: a check meets all of them
            hints=(
                "Equal labels: a_i + a_j is constant. Which a_j makes a_i = 0, which makes a_i = C?",
                "Equal labels, S = a_i + a_j: a_j goes from S - C (where a_i = C) to S (where a_i = 0), cut "
                "off by 0 and C. Different labels: D = a_j - a_i is constant.",
                "Different labels: from max(0, a_j - a_i) to min(C, a_j - a_i + C).",
            ),
            route=("the meetings of the line with all four walls", ends_by_walls),
            text=r"""
Two multipliers $a_i$ and $a_j$ move, and all others stay. By (7.34) $a_it_i+a_jt_j$ must not change: the pair lives
on a line. Where does this line enter and leave the box (7.33)? Return the smallest and the largest $a_j$ on it.
""",
        ),
        Task(
            "build-smo-b",
            "return the a_j at the top of the line",
            halfway_and_pair,
            top_of_the_line,
            mistakes=(
                Mistake(
                    "the step in the wrong direction",
                    lambda K, t, a, i, j: 2 * a[j] - top_of_the_line(K, t, a, i, j),
                    "its size is right, but it goes downhill: look at the signs in the slope of (7.32) by d",
                ),
                Mistake(
                    "t_j forgotten",
                    lambda K, t, a, i, j: a[j] + t[j] * (top_of_the_line(K, t, a, i, j) - a[j]),
                    "it is a_j t_j that grows by d; a_j itself grows by t_j d",
                ),
                Mistake(
                    "K_ij left out",
                    lambda K, t, a, i, j: (
                        a[j]
                        + (top_of_the_line(K, t, a, i, j) - a[j])
                        * (K[i, i] + K[j, j] - 2 * K[i, j])
                        / (K[i, i] + K[j, j])
                    ),
                    "the curvature is K_ii + K_jj - 2 K_ij: both move, and they feel each other",
                ),
                Mistake(
                    "d alone",
                    lambda K, t, a, i, j: t[j] * (top_of_the_line(K, t, a, i, j) - a[j]),
                    "d is by how much a_j t_j grows; the new a_j is asked for, where it was plus t_j d",
                ),
                Mistake(
                    "the step alone",
                    lambda K, t, a, i, j: top_of_the_line(K, t, a, i, j) - a[j],
                    "the new a_j is asked for: where it was, plus the step",
                ),
                Mistake(
                    "the curvature with a plus",
                    lambda K, t, a, i, j: (
                        a[j]
                        + (top_of_the_line(K, t, a, i, j) - a[j])
                        * (K[i, i] + K[j, j] - 2 * K[i, j])
                        / (K[i, i] + K[j, j] + 2 * K[i, j])
                    ),
                    "a_i t_i falls as a_j t_j rises, so K_ij comes with a minus: it is |phi_i - phi_j|^2",
                ),
                Mistake(
                    "K_ij once instead of twice",
                    lambda K, t, a, i, j: (
                        a[j]
                        + (top_of_the_line(K, t, a, i, j) - a[j])
                        * (K[i, i] + K[j, j] - 2 * K[i, j])
                        / (K[i, i] + K[j, j] - K[i, j])
                    ),
                    "|phi_i - phi_j|^2 = K_ii + K_jj - 2 K_ij",
                ),
                Mistake(
                    "twice the step",
                    lambda K, t, a, i, j: 2 * top_of_the_line(K, t, a, i, j) - a[j],
                    "the 1/2 of (7.32) goes when d^2 is differentiated: the slope falls by K_ii + K_jj - 2 K_ij "
                    "per unit of d, not by half of that",
                ),
                Mistake(
                    "half the step",
                    lambda K, t, a, i, j: (top_of_the_line(K, t, a, i, j) + a[j]) / 2,
                    "the double sum of (7.32) has a 1/2: the slope falls by K_ii + K_jj - 2 K_ij per unit of d, "
                    "not by twice that",
                ),
                Mistake(
                    "cut off at 0",
                    lambda K, t, a, i, j: max(0.0, top_of_the_line(K, t, a, i, j)),
                    "walls do not matter yet, and the top may well lie below 0. Cutting off belongs to step d",
                ),
                Mistake(
                    "labels left out of the outputs",
                    lambda K, t, a, i, j: (
                        a[j] + t[j] * ((K[i] - K[j]) @ a - t[i] + t[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
                    ),
                    "s_n is the sum of a_m t_m K_nm",
                ),
                Mistake(
                    "outputs instead of errors",
                    lambda K, t, a, i, j: (
                        a[j] + t[j] * ((K[i] - K[j]) @ (a * t)) / (K[i, i] + K[j, j] - 2 * K[i, j])
                    ),
                    "the slope of sum_n a_n brings t_i and t_j: it is the errors s_n - t_n that count",
                ),
                Mistake(
                    "slopes by a_n without their labels",
                    lambda K, t, a, i, j: a[j] + t[j] * step_of_bare_slopes(K, t, a, i, j),
                    "1 - t_n s_n is the slope by a_n. It is a_n t_n that moves by d: its slope is t_n times that, "
                    "t_n - s_n",
                ),
                Mistake(
                    "slopes by a_n, as if a_i fell by what a_j grows",
                    lambda K, t, a, i, j: a[j] + step_of_bare_slopes(K, t, a, i, j),
                    "1 - t_n s_n is the slope by a_n. Only for equal labels does a_i fall as a_j grows; else both "
                    "grow, and the slopes add up",
                ),
                Mistake(
                    "a_i instead of a_j",
                    lambda K, t, a, i, j: top_of_the_line(K, t, a, j, i),
                    "a_j is asked for: both start from where they are",
                ),
            ),
            hints=(
                "Let a_j t_j grow by d and a_i t_i fall by d. Write (7.32) as a function of d: how does sum "
                "a_n change, how the double sum?",
                "The slope at d = 0 is E_i - E_j with E_n = s_n - t_n, and the second derivative is -(K_ii + "
                "K_jj - 2 K_ij).",
                "So d = (E_i - E_j) / (K_ii + K_jj - 2 K_ij), and a_j grows by t_j d.",
            ),
            instances=24,  # four pairs of labels
            route=("the top of a parabola through three values of (7.32)", top_by_three_points),
            text=r"""
Along that line (7.32) is a parabola. Let $a_jt_j$ grow by $d$ and $a_it_i$ fall by $d$, and find the $d$ at the top;
walls do not matter yet, so it may lie outside the box. Return the new $a_j$.
""",
        ),
        Task(
            "build-smo-c",
            "return the largest lower and the smallest upper limit of b",
            one_kind_matters,
            limits_of_b,
            mistakes=(
                Mistake(
                    "limits by the label alone",
                    lambda K, t, a, C: (
                        np.max((t - K @ (a * t))[t > 0]),
                        np.min((t - K @ (a * t))[t < 0]),
                    ),
                    "t_n = 1 sets a lower limit only as long as a_n < C, and an upper one as soon as a_n > 0: "
                    "look at the three cases of a_n",
                ),
                Mistake(
                    "1 - s_n for both labels",
                    lambda K, t, a, C: (
                        np.max((1 - K @ (a * t))[np.where(t > 0, a < C, a > 0)]),
                        np.min((1 - K @ (a * t))[np.where(t > 0, a > 0, a < C)]),
                    ),
                    "t_n (s_n + b) = 1 means s_n + b = t_n, which is -1 for t_n = -1",
                ),
                Mistake(
                    "labels left out of the outputs",
                    lambda K, t, a, C: (
                        np.max((t - K @ a)[np.where(t > 0, a < C, a > 0)]),
                        np.min((t - K @ a)[np.where(t > 0, a > 0, a < C)]),
                    ),
                    "s_n is the sum of a_m t_m K_nm",
                ),
                Mistake(
                    "1 - t_n s_n instead of t_n - s_n",
                    lambda K, t, a, C: (
                        np.max((1 - t * (K @ (a * t)))[np.where(t > 0, a < C, a > 0)]),
                        np.min((1 - t * (K @ (a * t)))[np.where(t > 0, a > 0, a < C)]),
                    ),
                    "t_n (s_n + b) = 1 means b = t_n - s_n, and that is t_n (1 - t_n s_n)",
                ),
                Mistake(
                    "the free points left out",
                    lambda K, t, a, C: (
                        np.max((t - K @ (a * t))[np.where(t > 0, a == 0, a == C)]),
                        np.min((t - K @ (a * t))[np.where(t > 0, a == C, a == 0)]),
                    ),
                    "a point with 0 < a_n < C has to be on its margin: it sets a lower and an upper limit",
                ),
                Mistake(
                    "the two kinds of points exchanged",
                    lambda K, t, a, C: (
                        np.max((t - K @ (a * t))[np.where(t > 0, a > 0, a < C)]),
                        np.min((t - K @ (a * t))[np.where(t > 0, a < C, a > 0)]),
                    ),
                    "a point with t_n = 1 and a_n = 0 needs s_n + b >= 1, so b >= t_n - s_n: a lower limit",
                ),
                Mistake(
                    "every point sets both limits",
                    lambda K, t, a, C: (np.max(t - K @ (a * t)), np.min(t - K @ (a * t))),
                    "a point at 0 or at C has an inequality, which limits b from one side only",
                ),
                Mistake(
                    "only the free points",
                    lambda K, t, a, C: (
                        np.max((t - K @ (a * t))[(a > 0) & (a < C)]),
                        np.min((t - K @ (a * t))[(a > 0) & (a < C)]),
                    ),
                    "points at 0 and at C may be violated too; whoever leaves them out stops too early",
                ),
                Mistake(
                    "the labels left out of the cases",
                    lambda K, t, a, C: (
                        np.max((t - K @ (a * t))[a < C]),
                        np.min((t - K @ (a * t))[a > 0]),
                    ),
                    "t_n (s_n + b) >= 1 is a lower limit for b if t_n = 1, but an upper one if t_n = -1",
                ),
                Mistake(
                    "lower and upper exchanged",
                    lambda K, t, a, C: limits_of_b(K, t, a, C)[::-1],
                    "the largest of the lower limits first",
                ),
                Mistake(
                    "the loosest limits instead of the tightest",
                    lambda K, t, a, C: (
                        np.min((t - K @ (a * t))[np.where(t > 0, a < C, a > 0)]),
                        np.max((t - K @ (a * t))[np.where(t > 0, a > 0, a < C)]),
                    ),
                    "b has to be above all lower limits: above the largest",
                ),
                Mistake(
                    "b with the wrong sign",
                    lambda K, t, a, C: (
                        np.max((K @ (a * t) - t)[np.where(t > 0, a < C, a > 0)]),
                        np.min((K @ (a * t) - t)[np.where(t > 0, a > 0, a < C)]),
                    ),
                    "s_n + b = t_n gives b = t_n - s_n",
                ),
            ),
            hints=(
                "On its margin a point has s_n + b = t_n, so it wants b = t_n - s_n. When is this a lower "
                "limit, when an upper one, when both? Go through a_n = 0, 0 < a_n < C, a_n = C for t_n = 1 "
                "first.",
                "t_n = 1: a lower limit if a_n < C, an upper one if a_n > 0. For t_n = -1 it is the other "
                "way round.",
                "np.where(t > 0, a < C, a > 0) finds those with a lower limit. Take the largest of their t_n "
                "- s_n.",
            ),
            instances=60,  # so that each of the twelve is among them
            route=("every condition by itself, tried a little above and below", limits_by_trial),
            text=r"""
When are we done? The conditions of Karush, Kuhn and Tucker hold if one $b$ satisfies them all. For given $\mathbf a$,
each point sets a lower limit for $b$, an upper limit, or both. Return the largest lower limit $b_\text{low}$ and the
smallest upper limit $b_\text{high}$. As long as $b_\text{low}>b_\text{high}$, there is no such $b$; then the two
points that set these limits are the pair that violates the conditions most. The difference
$b_\text{low}-b_\text{high}$ is called the *KKT gap*.
""",
        ),
        Task(
            "build-smo-d",
            "return the multipliers a and b of the soft margin",
            whole_problem,
            pairwise_ascent,
            mistakes=(
                Mistake(
                    "a_n t_n returned instead of a_n",
                    lambda K, t, C: (pairwise_ascent(K, t, C)[0] * t, pairwise_ascent(K, t, C)[1]),
                    "the values are negative just where t_n = -1, and a multiplier is never negative. Multiply "
                    "by t_n once more",
                    shows=shown_by(
                        lambda K, t, C, a, b: outside_the_box(a, C) and not outside_the_box(a * t, C)
                    ),
                ),
                Mistake(
                    "the box or the sum missed by a little",
                    lambda K, t, C: (pairwise_ascent(K, t, C)[0] * (1 + 1e-4), pairwise_ascent(K, t, C)[1]),
                    "it is less than a thousandth of C, but more than rounding. Was a step skipped as too small after "
                    "a_j had been written, and a_j not put back? Or did a solver stop early?",
                    shows=shown_by(
                        lambda K, t, C, a, b: not is_feasible(a, t, C) and is_feasible(a, t, C, within=1e-3)
                    ),
                ),
                Mistake(
                    "the box ignored",
                    lambda K, t, C: pairwise_ascent(K, t, 20 * C),
                    "cut the step off at the ends of the line (step a), and use C in the conditions too",
                    shows=shown_by(lambda K, t, C, a, b: outside_the_box(a, C)),
                ),
                Mistake(
                    "the sum of a_n t_n not kept",
                    one_at_a_time,
                    "when a_j changes, a_i changes by -t_i t_j times as much; use a_j from before the step "
                    "for that, and cut a_j off at the ends of step a, not just at 0 and C",
                    shows=shown_by(lambda K, t, C, a, b: abs(a @ t) > 1e-6 * C),
                ),
                Mistake(
                    "nothing has moved",
                    lambda K, t, C: (np.zeros(len(t)), 0.0),
                    "all multipliers are 0. At the start the gap is 2, so the loop has to begin, and each "
                    "step has "
                    "to write its two new values into a",
                    shows=shown_by(lambda K, t, C, a, b: np.abs(a).max() < 1e-9),
                ),
                Mistake(
                    "errors out of date, or not s_n - t_n",
                    errors_never_updated,
                    "all points of a class are at C, and a pair still gains. After a step all N errors change, "
                    "not only those of the pair, and each has to be s_n - t_n",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) > 0.1
                            and one_class_at_C(t, C, a)
                            and not dust_sets_a_limit(K, t, a, C)
                        )
                    ),
                ),
                Mistake(
                    "the labels left out of the outputs",
                    without_labels,
                    "the conditions would hold if y were the sum of a_m K_nm; it is the sum of a_m t_m K_nm",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) > 0.1
                            and unlabelled(K, t, a, C) <= ALLOWED
                        )
                    ),
                ),
                Mistake(
                    "stopped before the top",
                    stopped_early,
                    "box and sum are right, but a pair still gains. Go on until the KKT gap of step c is at most "
                    "1e-3; if it never gets there, try your pairs and your steps on small cases",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) > ALLOWED
                            and not dust_sets_a_limit(K, t, a, C)
                        )
                    ),
                ),
                Mistake(  # after the one before: whoever is stuck has dust in all that went wrong
                    "stuck in the dust, or stopped before the top",
                    without_care_for_dust,
                    "a multiplier is at a wall but for rounding. If your loop ran on and nothing moved any more, "
                    "count what is within 1e-9 of a wall as being on it. If it stopped by itself, or while a "
                    "still moved, go on until the KKT gap of step c is at most 1e-3",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) > ALLOWED
                            and dust_sets_a_limit(K, t, a, C)
                        )
                    ),
                ),
                Mistake(
                    "b from support vectors at C",
                    b_from_all_support_vectors,
                    "the multipliers are right. A point with a_n = C may lie inside the margin, where y is "
                    "not t_n: only 0 < a_n < C tells b, or the limits of step c",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) <= ALLOWED
                            and abs(b - support_mean(K, t, on_walls(a, C))) < 1e-9
                        )
                    ),
                ),
                Mistake(
                    "b with the wrong sign",
                    b_turned_round,
                    "the multipliers are right. On its margin a point has s_n + b = t_n, so b = t_n - s_n",
                    shows=shown_by(
                        lambda K, t, C, a, b: (
                            is_feasible(a, t, C)
                            and gap_of(K, t, a, C) <= ALLOWED
                            and verdict((a, -b), K, t, C) is None
                        )
                    ),
                ),
            ),
            instances=20,  # three ways to stumble over dust, and long problems
            hints=(
                "A loop: the limits of b as in step c, but remember which points set them; stop if their "
                "difference is at most 1e-3; else they are your pair. j has the largest lower limit, so a_j t_j "
                "grows; i has the smallest upper one.",
                "For the pair: the top of the line (step b), clipped to its ends (step a), gives the new "
                "a_j; then a_i + t_i t_j (old a_j - new a_j) is the new a_i. At the end b is the middle of "
                "the two limits.",
                "If the gap stays where it is, the pair is at a wall up to rounding: ask a < C - 1e-9 for a "
                "< C, and a > 1e-9 for a > 0.",
            ),
            accepts=verdict,
            text=r"""
Now the whole machine. Take the pair of step c, go to the top of its line, but not beyond its ends, and let $a_i$
follow. Stop when the KKT gap is at most $10^{-3}$ (`tol`), and return the array `a` and the number `b`. There are 20
to 30 points; sixty steps are usual, some problems take two hundred. Use your functions from above, or write it in your
own way, with any choice of pairs: what is judged is the result. Its box, its sum, its KKT gap and $b$ are looked at
from scratch. (A gap of twice that passes too: some solvers let each point miss its condition by $10^{-3}$.)

*Rounding leaves dust:* a multiplier that should be 0 or $C$ may end up $10^{-17}$ away from it. Whatever is within
$10^{-9}$ of a wall should count as being on it. Otherwise it looks as if it could still move, is chosen again and
again, and the loop never ends. The problems of this check are chosen so that it happens easily.
""",
        ),
    ),
    worked=r"""
**The line.** $a_it_i+a_jt_j$ is constant. If the labels are equal, so is $a_i+a_j$. Then
$a_i=a_i^\text{old}+a_j^\text{old}-a_j$ lies in its box as long as
$a_i^\text{old}+a_j^\text{old}-C\le a_j\le a_i^\text{old}+a_j^\text{old}$. If they differ, $a_j-a_i$ is constant, and
$a_i=a_j-(a_j^\text{old}-a_i^\text{old})$ lies in its box as long as
$a_j^\text{old}-a_i^\text{old}\le a_j\le a_j^\text{old}-a_i^\text{old}+C$. In both cases $0\le a_j\le C$ besides.

**The top.** In $v_n=a_nt_n$ the dual is, as $t_n^2=1$ and so $a_n=t_nv_n$,

$$\widetilde L=\sum_nt_nv_n-\tfrac12\sum_n\sum_mv_nv_mK_{nm},\qquad
\frac{\partial\widetilde L}{\partial v_n}=t_n-s_n,\qquad s_n=\sum_mv_mK_{nm}.$$

Write $E_n=s_n-t_n$. (With $b$ the error is $y(\mathbf x_n)-t_n=E_n+b$; only differences will matter.) Move $v_j$
by $+d$ and $v_i$ by $-d$. The slope along this line at $d=0$ is $-E_j+E_i$. Its second derivative is
$-(K_{ii}+K_{jj}-2K_{ij})=-\lVert\boldsymbol\phi_i-\boldsymbol\phi_j\rVert^2$. So the top is at

$$d=\frac{E_i-E_j}{K_{ii}+K_{jj}-2K_{ij}},\qquad a_j^\text{new}=a_j+t_jd .$$

A concave parabola on an interval is largest at its top, or, if the top is outside, at the nearer end: clip. Then
(7.34) gives $a_i^\text{new}=a_i+t_it_j(a_j-a_j^\text{new})$.

**The limits of $b$.** A point is on its margin if $s_n+b=t_n$, that is for $b=t_n-s_n$. Take $t_n=1$: the condition
$s_n+b\ge1$, required if $a_n<C$, says $b\ge t_n-s_n$; the condition $s_n+b\le1$, required if $a_n>0$, says
$b\le t_n-s_n$. For $t_n=-1$ the inequalities turn round. So

- lower limits come from $t_n=1$ with $a_n<C$, and from $t_n=-1$ with $a_n>0$: just the points whose $v_n$ may rise;
- upper limits come from $t_n=1$ with $a_n>0$, and from $t_n=-1$ with $a_n<C$: the points whose $v_n$ may fall.

If $b_\text{low}\le b_\text{high}$, every $b$ between them satisfies all conditions, and we are done. Otherwise let
$j$ be the point of $b_\text{low}$ and $i$ that of $b_\text{high}$. Raising $v_j$ and lowering $v_i$ is allowed and
gains $E_i-E_j=b_\text{low}-b_\text{high}$ per unit. No pair has a steeper slope.

**Together.** Every step raises $\widetilde L$, and the loop ends when the gap is at most $10^{-3}$. The middle of the
two limits is a $b$ for which each point misses its condition by at most half of that. The outputs $s_n$ are computed
afresh in each step, $N^2$ multiplications; a real solver keeps the errors and corrects all $N$ of them by the two
columns of $K$ that matter. There the classic slip is to correct only two.
""",
)
