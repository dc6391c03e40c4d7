"""PRML 7.2: Another number for the 1."""

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import points, widest
from sparsekm_edu.exercises.tasks import Mistake, Task


def solution_and_level(rng):
    """X (N, 2), t (N,), the maximum margin w, b, a, and another number gamma for the 1 in (7.5)."""
    X, t = points(rng, gap=0.3)
    gamma = rng.uniform(0.2, 0.7) if rng.random() < 0.5 else rng.uniform(1.5, 4.0)
    return X, t, *widest(X, t), gamma


def for_gamma(X, t, w, b, a, gamma):
    """w (2,), b and a (N,) for t_n y(x_n) >= gamma > 0, from those for 1. The data are X (N, 2) and t (N,)."""
    return gamma * w, gamma * b, gamma * a


EXERCISE = Exercise(
    id="7.2",
    title="Another number for the 1",
    source="PRML 7.2",
    stars=1,
    notebook="01",
    taught=(
        (
            "01, section 3",
            "01_maximum_margin.ipynb#3-From-the-question-to-a-quadratic-programme:-(7.3)-to-(7.6)-·-core",
        ),
        (
            "01, section 6",
            "01_maximum_margin.ipynb#6-The-dual-of-the-maximum-margin:-(7.7)-to-(7.12)-·-core",
        ),
    ),
    task=r"""
The maximum margin minimises $\tfrac12\lVert\mathbf w\rVert^2$ subject to
$t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)\ge1$, (7.5) and (7.6). Its Lagrangian is
$L=\tfrac12\lVert\mathbf w\rVert^2-\sum_na_n\{t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)-1\}$, (7.7). Why 1? Write any
constant $\gamma>0$ in its place,

$$t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)\ge\gamma,$$

and find out what that changes, and what it does not. For 1 the conditions at the optimum are
$\mathbf w=\sum_na_nt_n\mathbf x_n$ (7.8), $\sum_na_nt_n=0$ (7.9) and
$a_n\{t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)-1\}=0$ (7.16).
""",
    bring="the canonical form of a separating line, the Lagrangian (7.7), and the conditions (7.8) and (7.9).",
    steps=(
        Task(
            "7.2a",
            "return w, b and a for gamma, from those for 1",
            solution_and_level,
            for_gamma,
            mistakes=(
                Mistake(
                    "nothing scaled",
                    lambda X, t, w, b, a, gamma: (w, b, a),
                    "the hyperplane stays, but with these w and b the closest points have t y = 1, not gamma",
                ),
                Mistake(
                    "b left as it was",
                    lambda X, t, w, b, a, gamma: (gamma * w, b, gamma * a),
                    "if w is scaled and b is not, the hyperplane moves; both have to be scaled",
                ),
                Mistake(
                    "the multipliers left as they were",
                    lambda X, t, w, b, a, gamma: (gamma * w, gamma * b, a),
                    "w is still the sum of a_n t_n x_n (7.8): if w is scaled, so are the a_n",
                ),
                Mistake(
                    "the multipliers scaled by gamma squared",
                    lambda X, t, w, b, a, gamma: (gamma * w, gamma * b, gamma**2 * a),
                    "w is linear in a, by (7.8); it is the dual's value that has the square",
                ),
                Mistake(
                    "divided instead of multiplied",
                    lambda X, t, w, b, a, gamma: (w / gamma, b / gamma, a / gamma),
                    "a larger gamma asks for larger t y",
                ),
                Mistake(
                    "the multipliers divided by gamma",
                    lambda X, t, w, b, a, gamma: (gamma * w, gamma * b, a / gamma),
                    "w is the sum of a_n t_n x_n (7.8), so w and a grow together",
                ),
            ),
            hints=(
                "Divide the new constraint by gamma. Which w and b satisfy the old constraint now?",
                "With w = gamma u and b = gamma c the problem is: minimise gamma^2 |u|^2 / 2 subject to "
                "t_n (u'x_n + c) >= 1. The factor gamma^2 does not move the minimum.",
                "(7.8) has no 1 in it: it holds as before. What does it say about a if w becomes gamma w?",
            ),
            route=("the dual with gamma, solved anew", lambda X, t, w, b, a, gamma: widest(X, t, gamma)),
            text=r"""
You are given $\mathbf w$, $b$ and $\mathbf a$, the solution for 1. Return $\mathbf w$, $b$ and $\mathbf a$ for
$\gamma$, without solving anything again. The data `X` and `t` are handed over as well, in case you want to try
something out with them.
""",
        ),
        Claim(
            "7.2b",
            "choose the line that is right in all three places",
            "c",
            mistakes=(
                Mistake(
                    "everything scaled like w, b and a",
                    "a",
                    "a distance is y / |w|, where gamma stands above and below; and in the dual, gamma times the sum "
                    "of a_n minus half the double sum, each term gets two factors gamma",
                ),
                Mistake(
                    "a longer w, but the same y",
                    "b",
                    "the closest point has t y = gamma now; if y and |w| are scaled alike, what becomes of y / |w|",
                ),
                Mistake(
                    "1/|w| taken for the margin",
                    "d",
                    "1/|w| is the margin only where the closest points have t y = 1; here they have t y = gamma. And "
                    "each term of the dual gets two factors gamma",
                ),
                Mistake(
                    "nothing taken to change",
                    "e",
                    "the hyperplane does not change, but the numbers that describe it do: look at 7.2a",
                ),
                Mistake(
                    "gamma taken for a distance",
                    "f",
                    "gamma is what t y has to reach; the distance is that over |w|, and |w| grows by the same factor",
                ),
            ),
            hints=(
                "The distance of x_n from the hyperplane is t_n y(x_n) / |w|. Scale y and w as in 7.2a.",
                "In the Lagrangian the constant now is + gamma times the sum of a_n. Put the scaled a into the dual "
                "that comes out.",
            ),
            options={
                "a": r"distance $\times\gamma$, $y\times\gamma$, dual $\times\gamma$",
                "b": r"distance $\times1/\gamma$, $y\times1$, dual $\times1$",
                "c": r"distance $\times1$, $y\times\gamma$, dual $\times\gamma^2$",
                "d": r"distance $\times1/\gamma$, $y\times\gamma$, dual $\times\gamma$",
                "e": r"distance $\times1$, $y\times1$, dual $\times1$",
                "f": r"distance $\times\gamma$, $y\times1$, dual $\times\gamma^2$",
            },
            text=r"""
What happens to three numbers when 1 becomes $\gamma$: the *distance* from the hyperplane to the closest point; the
value of $y(\mathbf x)$ at that point; and the largest value of the *dual* function, which has to be derived anew
from the Lagrangian with $\gamma$?
""",
        ),
    ),
    worked=r"""
**7.2a.** Put $\mathbf w=\gamma\mathbf u$ and $b=\gamma c$. This is a change of names, because $\gamma>0$: each
$(\mathbf w,b)$ has its $(\mathbf u,c)$. The problem becomes

$$\min_{\mathbf u,c}\ \tfrac12\gamma^2\lVert\mathbf u\rVert^2\quad\text{subject to}\quad
\gamma\,t_n(\mathbf u^{\mathsf T}\mathbf x_n+c)\ge\gamma.$$

Divide the constraint by $\gamma$; the factor $\gamma^2$ does not move the minimum. So $(\mathbf u,c)$ is the
solution for 1, and the one for $\gamma$ is $\gamma$ times it. The hyperplane $\mathbf w^{\mathsf T}\mathbf x+b=0$
is the same. In the Lagrangian only one term is different,

$$L=\tfrac12\lVert\mathbf w\rVert^2-\sum_na_n\{t_n(\mathbf w^{\mathsf T}\mathbf x_n+b)-\gamma\},$$

and it does not contain $\mathbf w$ or $b$. So (7.8), $\mathbf w=\sum_na_nt_n\mathbf x_n$, and (7.9),
$\sum_na_nt_n=0$, hold as before. With $\gamma a_n$ for $a_n$ both are satisfied by $\gamma\mathbf w$; and
$a_n\{t_ny(\mathbf x_n)-\gamma\}=0$ follows from (7.16) times $\gamma^2$. All conditions of Karush, Kuhn and Tucker
are met.

**7.2b.** The distance $t_ny(\mathbf x_n)/\lVert\mathbf w\rVert$ (7.2) has $\gamma$ above and below: it stays. It is
$\gamma/\lVert\mathbf w\rVert$, no longer $1/\lVert\mathbf w\rVert$. Eliminating $\mathbf w$ and $b$ as in (7.10)
leaves

$$\widetilde L(\mathbf a)=\gamma\sum_na_n-\tfrac12\sum_n\sum_ma_na_mt_nt_mk(\mathbf x_n,\mathbf x_m).$$

With $\gamma a_n$ for $a_n$ both terms have the factor $\gamma^2$. (So has $\tfrac12\lVert\mathbf w\rVert^2$, to
which the largest value is equal.)
""",
)
