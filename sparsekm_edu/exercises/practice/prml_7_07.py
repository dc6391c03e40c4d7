"""PRML 7.7: The dual of support vector regression."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.tasks import Mistake, Task


def multipliers(rng, N):
    """a and a_hat (N,), all positive, with the same sum, (7.58)."""
    a, a_hat = rng.uniform(0.2, 2.0, size=(2, N))
    return a, a_hat * a.sum() / a_hat.sum()


def features_and_multipliers(rng):
    """Phi (N, M), a, a_hat (N,), C."""
    N, M = int(rng.integers(4, 8)), int(rng.integers(2, 4))
    return rng.normal(size=(N, M)), *multipliers(rng, N), float(rng.uniform(4.0, 8.0))


def regression(rng):
    """K (N, N), t, a, a_hat (N,), epsilon."""
    N = int(rng.integers(4, 7))
    Phi = rng.normal(size=(N, N))
    return Phi @ Phi.T, 2 * rng.normal(size=N), *multipliers(rng, N), float(rng.uniform(0.1, 0.8))


def regression_and_price(rng):
    return *regression(rng), float(rng.uniform(0.5, 3.0))


def constraint_terms(Phi, t, epsilon, w, b, xi, xi_hat, a, a_hat):
    """The last two sums of (7.56)."""
    y = Phi @ w + b
    return -a @ (epsilon + xi + y - t) - a_hat @ (epsilon + xi_hat - y + t)


def least_value(L, size):
    """The smallest value of a quadratic function L of (size,), from its values at 0, at unit vectors and their sums."""
    units = np.eye(size)
    single = np.array([L(e) for e in units])
    both = np.array([[L(e + f) for f in units] for e in units])
    H = both - single[:, None] - single + L(np.zeros(size))
    g = (single - [L(-e) for e in units]) / 2
    return L(np.linalg.lstsq(H, -g, rcond=1e-9)[0])  # directions without slope and curvature do not matter


def stationary_point(Phi, a, a_hat, C):
    """Where the slopes of (7.56) vanish: w (M,), mu (N,) and mu_hat (N,).

    Phi (N, M): row n is phi(x_n); a, a_hat (N,): the multipliers of (7.53) and (7.54); C > 0.
    """
    w = Phi.T @ (a - a_hat)  # (7.57)
    mu, mu_hat = C - a, C - a_hat  # (7.59), (7.60)
    return w, mu, mu_hat


def stationary_by_differences(Phi, a, a_hat, C):
    N, M = Phi.shape

    def lagrangian(
        z,
    ):  # (7.56) with mu = mu_hat = 0, and t = 0, epsilon = 0, b = 0: no slope that we need has them
        w, xi, xi_hat = np.split(z, [M, M + N])
        return (
            C * np.sum(xi + xi_hat)
            + 0.5 * w @ w
            + constraint_terms(Phi, np.zeros(N), 0.0, w, 0.0, xi, xi_hat, a, a_hat)
        )

    slopes = derivative(lagrangian, np.zeros(M + 2 * N))
    by_w, mu, mu_hat = np.split(slopes, [M, M + N])  # mu_n lowers the slope by xi_n by mu_n: down to 0
    return -by_w, mu, mu_hat  # the slope by w grows like w itself


def regression_dual(K, t, a, a_hat, epsilon):
    """The smallest value of (7.56) over w, b and all slacks, a number, if (7.58) to (7.60) hold.

    K (N, N), K_nm = phi(x_n)'phi(x_m); t, a, a_hat (N,), where a and a_hat have the same sum; epsilon > 0.
    """
    v = a - a_hat
    return -0.5 * v @ K @ v - epsilon * np.sum(a + a_hat) + v @ t  # (7.61)


def least_lagrangian(K, t, a, a_hat, epsilon):
    Phi, N, C = np.linalg.cholesky(K), len(t), 5.0  # features with this K; any C will do

    def lagrangian(z):
        w, b, xi, xi_hat = z[:N], z[N], z[N + 1 : 2 * N + 1], z[2 * N + 1 :]
        value = C * np.sum(xi + xi_hat) + 0.5 * w @ w - (C - a) @ xi - (C - a_hat) @ xi_hat
        return value + constraint_terms(Phi, t, epsilon, w, b, xi, xi_hat, a, a_hat)  # (7.56)

    return least_value(lagrangian, 3 * N + 1)


def squared_slack_dual(K, t, a, a_hat, epsilon, C):
    """The smallest value of the Lagrangian with squared slacks over w, b and all slacks, a number.

    K (N, N), K_nm = phi(x_n)'phi(x_m); t, a, a_hat (N,), where a and a_hat have the same sum; epsilon, C > 0.
    """
    v = a - a_hat
    slacks = -(a @ a + a_hat @ a_hat) / (2 * C)  # as xi = a / C, xi_hat = a_hat / C
    return -0.5 * v @ K @ v - epsilon * np.sum(a + a_hat) + v @ t + slacks


def least_squared_lagrangian(K, t, a, a_hat, epsilon, C):
    Phi, N = np.linalg.cholesky(K), len(t)

    def lagrangian(z):
        w, b, xi, xi_hat = z[:N], z[N], z[N + 1 : 2 * N + 1], z[2 * N + 1 :]
        value = C / 2 * (xi @ xi + xi_hat @ xi_hat) + 0.5 * w @ w
        return value + constraint_terms(Phi, t, epsilon, w, b, xi, xi_hat, a, a_hat)

    return least_value(lagrangian, 3 * N + 1)


DUAL = r"""
Support vector regression keeps points within $\epsilon$ of the curve $y_n=\mathbf w^{\mathsf T}\boldsymbol\phi_n+b$
(we write $\boldsymbol\phi_n$ for $\boldsymbol\phi(\mathbf x_n)$), or makes them pay. It minimises

$$C\sum_n(\xi_n+\hat\xi_n)+\tfrac12\lVert\mathbf w\rVert^2 \tag{7.55}$$

subject to $t_n\le y_n+\epsilon+\xi_n$ (7.53), $t_n\ge y_n-\epsilon-\hat\xi_n$ (7.54), $\xi_n\ge0$ and
$\hat\xi_n\ge0$. """


EXERCISE = Exercise(
    id="7.7",
    title="The dual of support vector regression",
    source="PRML 7.7",
    stars=1,
    notebook="06",
    taught=(("06, section 2", "06_regression.ipynb#2-Two-slacks,-four-multipliers:-(7.56)-to-(7.61)"),),
    task=DUAL
    + r"""With a multiplier for each of the four, $a_n,\hat a_n,\mu_n,\hat\mu_n\ge0$ in this order, the Lagrangian
is

$$
\begin{aligned}
L={}&C\sum_n(\xi_n+\hat\xi_n)+\tfrac12\lVert\mathbf w\rVert^2-\sum_n(\mu_n\xi_n+\hat\mu_n\hat\xi_n)\\
&-\sum_na_n(\epsilon+\xi_n+y_n-t_n)-\sum_n\hat a_n(\epsilon+\hat\xi_n-y_n+t_n).
\end{aligned}\tag{7.56}
$$

Minimise it over $\mathbf w$, $b$, $\xi_n$ and $\hat\xi_n$, for given multipliers. What is left is the dual. (Section 2
of notebook 06 derives it; try it here without.) Then do it once more for another price of slack, of which book and
notebook say nothing.
""",
    bring="derivatives of a quadratic form; the idea of a Lagrangian, as in notebook 01",
    steps=(
        Task(
            "7.7a",
            "return w, mu and mu_hat at which the slopes of (7.56) vanish",
            features_and_multipliers,
            stationary_point,
            mistakes=(
                Mistake(
                    "a + a_hat instead of a - a_hat",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a + a_hat), C - a, C - a_hat),
                    "y_n stands in (7.56) once with a plus and once with a minus",
                ),
                Mistake(
                    "w with the wrong sign",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a_hat - a), C - a, C - a_hat),
                    "the slope by w is w - sum (a_n - a_hat_n) phi_n, and w is where it is zero",
                ),
                Mistake(
                    "2 w for the slope of 1/2 |w|^2",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a - a_hat) / 2, C - a, C - a_hat),
                    "the 1/2 is there so that the slope of 1/2 |w|^2 is just w",
                ),
                Mistake(
                    "a_hat left out of w",
                    lambda Phi, a, a_hat, C: (Phi.T @ a, C - a, C - a_hat),
                    "y_n stands in the last sum of (7.56) too, with the other sign, so a_hat_n comes with a minus",
                ),
                Mistake(
                    "w twice too large",
                    lambda Phi, a, a_hat, C: (2 * Phi.T @ (a - a_hat), C - a, C - a_hat),
                    "the slope of 1/2 |w|^2 is w itself, and it is equal to sum (a_n - a_hat_n) phi_n",
                ),
                Mistake(
                    "mu with the wrong sign",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a - a_hat), a - C, a_hat - C),
                    "the slope by xi_n is C - mu_n - a_n",
                ),
                Mistake(
                    "C + a",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a - a_hat), C + a, C + a_hat),
                    "both mu_n xi_n and a_n xi_n stand in (7.56) with a minus",
                ),
                Mistake(
                    "mu and mu_hat exchanged",
                    lambda Phi, a, a_hat, C: (Phi.T @ (a - a_hat), C - a_hat, C - a),
                    "xi_n appears in the terms of mu_n and a_n, xi_hat_n in those with a hat",
                ),
            ),
            hints=(
                "Collect the terms of (7.56) that contain w; then those that contain xi_n. Differentiate "
                "each lot.",
                "With w: 1/2 |w|^2 - sum (a_n - a_hat_n) w'phi_n. With xi_n: (C - mu_n - a_n) xi_n.",
                "w = sum (a_n - a_hat_n) phi_n, and phi_n is row n of Phi: Phi.T @ ... And mu_n = C - a_n.",
            ),
            route=("finite differences of (7.56)", stationary_by_differences),
            text=r"""
Set the slopes of $L$ by $\mathbf w$, by $\xi_n$ and by $\hat\xi_n$ to zero. Which $\mathbf w$, which $\mu_n$ and
which $\hat\mu_n$ does that mean, for given $a_n$ and $\hat a_n$? (Return them in this order.)
""",
        ),
        Claim(
            "7.7b",
            "choose the letter of the smallest value of L",
            "d",
            mistakes=(
                Mistake(
                    "the condition of b overlooked",
                    "a",
                    "collect the terms of (7.56) with b: they are b times something, and that is not 0 here",
                ),
                Mistake(
                    "the sign of b's slope",
                    "b",
                    "y_n holds b, and a_n y_n has a minus in (7.56): the slope by b is minus the sum",
                ),
                Mistake(
                    "a maximum",
                    "c",
                    "we minimise over b: a straight line has no smallest value, but it falls at one end",
                ),
            ),
            hints=(
                "L depends on b only through y_n. Collect these terms.",
                "They are -b sum (a_n - a_hat_n) = -0.3 b.",
            ),
            options={
                "a": r"the same as for a sum of $0$, because $b$ drops out of $L$ in any case",
                "b": r"$-\infty$: $L$ falls without end as $b\to-\infty$",
                "c": r"$+\infty$: such multipliers are not allowed",
                "d": r"$-\infty$: $L$ falls without end as $b\to+\infty$",
            },
            text=r"""
One slope is left, that by $b$. Somebody gives you multipliers with $\sum_n(a_n-\hat a_n)=0.3$; the other slopes are
zero as above. What is the smallest value of $L$ over all $\mathbf w$, $b$ and slacks?
""",
        ),
        Task(
            "7.7c",
            "return the smallest value of (7.56) over w, b and the slacks",
            regression,
            regression_dual,
            mistakes=(
                Mistake(
                    "1/2 |w|^2 with a plus",
                    lambda K, t, a, a_hat, epsilon: (
                        0.5 * (a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a + a_hat) + (a - a_hat) @ t
                    ),
                    "the sums with y_n hold -w'w as well, as w = sum (a_n - a_hat_n) phi_n: 1/2 - 1 is -1/2",
                ),
                Mistake(
                    "the 1/2 dropped",
                    lambda K, t, a, a_hat, epsilon: (
                        -(a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a + a_hat) + (a - a_hat) @ t
                    ),
                    "1/2 |w|^2 from the start, -|w|^2 from the sums with y_n",
                ),
                Mistake(
                    "epsilon with a - a_hat, or left out",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a - a_hat) + (a - a_hat) @ t
                    ),
                    "epsilon has a plus in both brackets of (7.56), only y_n and t_n change their signs: it comes "
                    "with a + a_hat. (With a - a_hat it would be epsilon times 0.)",
                ),
                Mistake(
                    "half of the term with epsilon",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a) + (a - a_hat) @ t
                    ),
                    "epsilon stands in both brackets of (7.56), and so it comes with a + a_hat; a and a_hat have the "
                    "same sum, and each is half of it",
                ),
                Mistake(
                    "epsilon with a plus",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a - a_hat) @ K @ (a - a_hat) + epsilon * np.sum(a + a_hat) + (a - a_hat) @ t
                    ),
                    "the brackets with epsilon stand behind a minus",
                ),
                Mistake(
                    "t with the wrong sign",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a + a_hat) - (a - a_hat) @ t
                    ),
                    "-a_n (... - t_n) is + a_n t_n",
                ),
                Mistake(
                    "the quadratic form of a + a_hat",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a + a_hat) @ K @ (a + a_hat) - epsilon * np.sum(a + a_hat) + (a - a_hat) @ t
                    ),
                    "w = sum (a_n - a_hat_n) phi_n",
                ),
                Mistake(
                    "t with a + a_hat",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * (a - a_hat) @ K @ (a - a_hat) - epsilon * np.sum(a + a_hat) + (a + a_hat) @ t
                    ),
                    "t_n has a minus in the first bracket of (7.56) and a plus in the second",
                ),
                Mistake(
                    "t_n in the quadratic form",
                    lambda K, t, a, a_hat, epsilon: (
                        -0.5 * ((a - a_hat) * t) @ K @ ((a - a_hat) * t)
                        - epsilon * np.sum(a + a_hat)
                        + (a - a_hat) @ t
                    ),
                    "that is the habit from classification, where w = sum a_n t_n phi_n. Here the signs are in "
                    "a_n - a_hat_n, and w has no t_n",
                ),
            ),
            hints=(
                "Sort (7.56) into terms with slacks, with b, with w, and the rest. Two of these lots vanish.",
                "With w: 1/2 |w|^2 - w' sum (a_n - a_hat_n) phi_n. The sum is w itself.",
                "Left are -1/2 |w|^2, -epsilon sum (a_n + a_hat_n) and sum (a_n - a_hat_n) t_n. |w|^2 is v'K "
                "v with v = a - a_hat.",
            ),
            route=("the smallest value of (7.56), found by numbers", least_lagrangian),
            text=r"""
Let $\sum_n(a_n-\hat a_n)=0$ from now on, (7.58). Put everything into (7.56): what is its smallest value? Features may
occur only as $K_{nm}=\boldsymbol\phi_n^{\mathsf T}\boldsymbol\phi_m$.
""",
        ),
        Task(
            "7.7d",
            "return the smallest value of the Lagrangian with squared slacks",
            regression_and_price,
            squared_slack_dual,
            mistakes=(
                Mistake(
                    "the dual as before",
                    lambda K, t, a, a_hat, epsilon, C: regression_dual(K, t, a, a_hat, epsilon),
                    "the terms with slacks no longer vanish: C/2 xi_n^2 - a_n xi_n has a smallest value below 0",
                ),
                Mistake(
                    "the 1/2 of the slacks dropped",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) - (a @ a + a_hat @ a_hat) / C
                    ),
                    "put xi_n = a_n / C into C/2 xi_n^2 - a_n xi_n: 1/2 - 1 is -1/2",
                ),
                Mistake(
                    "the slacks' term with a plus",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) + (a @ a + a_hat @ a_hat) / (2 * C)
                    ),
                    "put xi_n = a_n / C into both C/2 xi_n^2 and -a_n xi_n",
                ),
                Mistake(
                    "C for 1 / C",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) - C * (a @ a + a_hat @ a_hat) / 2
                    ),
                    "the slope by xi_n is C xi_n - a_n: it vanishes at xi_n = a_n / C",
                ),
                Mistake(
                    "one slack for both sides",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) - (a - a_hat) @ (a - a_hat) / (2 * C)
                    ),
                    "every point has two slacks, with two squares; only where a_n a_hat_n = 0 is it the same",
                ),
                Mistake(
                    "the square of a + a_hat",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) - (a + a_hat) @ (a + a_hat) / (2 * C)
                    ),
                    "every point has two slacks, and each gives a square of its own: a_n^2 + a_hat_n^2",
                ),
                Mistake(
                    "the slacks with hats left out",
                    lambda K, t, a, a_hat, epsilon, C: (
                        regression_dual(K, t, a, a_hat, epsilon) - a @ a / (2 * C)
                    ),
                    "the slacks xi_hat_n cost their squares as well, and give the same term with a_hat_n",
                ),
            ),
            hints=(
                "w and b stand where they stood, so what you have stays. Which terms contain xi_n now?",
                "C/2 xi_n^2 - a_n xi_n. Where is its slope zero, and what is its value there?",
                "At xi_n = a_n / C it is -a_n^2 / (2C), and the same with hats.",
            ),
            route=("the smallest value of the Lagrangian, found by numbers", least_squared_lagrangian),
            text=r"""
Now let slack cost its square: $\tfrac C2\sum_n(\xi_n^2+\hat\xi_n^2)$ in place of the first term of (7.55). The
constraints $\xi_n\ge0$ and $\hat\xi_n\ge0$ are not needed any more, because a negative slack costs as much and helps
nobody, so there are no $\mu_n$ and no $\hat\mu_n$:

$$L=\tfrac C2\sum_n(\xi_n^2+\hat\xi_n^2)+\tfrac12\lVert\mathbf w\rVert^2
-\sum_na_n(\epsilon+\xi_n+y_n-t_n)-\sum_n\hat a_n(\epsilon+\hat\xi_n-y_n+t_n).$$

What is its smallest value, with $\sum_n(a_n-\hat a_n)=0$ as before?
""",
        ),
    ),
    worked=r"""
**Sort (7.56)** by what it contains, with $y_n=\mathbf w^{\mathsf T}\boldsymbol\phi_n+b$ put in:

$$\begin{aligned}L={}&\underbrace{\sum_n(C-\mu_n-a_n)\,\xi_n+\sum_n(C-\hat\mu_n-\hat a_n)\,\hat\xi_n}_{\text{slacks}}
-\underbrace{b\sum_n(a_n-\hat a_n)}_{b}\\
&+\underbrace{\tfrac12\lVert\mathbf w\rVert^2-\mathbf w^{\mathsf T}\sum_n(a_n-\hat a_n)\boldsymbol\phi_n}_{\mathbf w}
+\underbrace{\sum_n(a_n-\hat a_n)t_n-\epsilon\sum_n(a_n+\hat a_n)}_{\text{the rest}} .\end{aligned}$$

**The slopes.**

$$\frac{\partial L}{\partial\mathbf w}=\mathbf w-\sum_n(a_n-\hat a_n)\boldsymbol\phi_n=\mathbf 0
\quad\Rightarrow\quad\mathbf w=\sum_n(a_n-\hat a_n)\boldsymbol\phi_n \tag{7.57}$$

$$\frac{\partial L}{\partial b}=-\sum_n(a_n-\hat a_n)=0 \tag{7.58}$$

$$\frac{\partial L}{\partial\xi_n}=C-\mu_n-a_n=0\quad\Rightarrow\quad\mu_n=C-a_n \tag{7.59}$$

$$\frac{\partial L}{\partial\hat\xi_n}=C-\hat\mu_n-\hat a_n=0\quad\Rightarrow\quad\hat\mu_n=C-\hat a_n \tag{7.60}$$

**Why (7.58) is a condition.** $L$ is a straight line in $b$. Its slope is $-\sum_n(a_n-\hat a_n)$; for a sum of $0.3$
it is $-0.3$, and $L$ falls without end as $b$ grows. The smallest value is $-\infty$, useless as a lower bound. Only
multipliers with (7.58) are of interest.

**The value.** By (7.59) and (7.60) the slacks drop out, by (7.58) $b$ does. In the terms with $\mathbf w$ the sum is
$\mathbf w$ itself, by (7.57):

$$\tfrac12\lVert\mathbf w\rVert^2-\mathbf w^{\mathsf T}\mathbf w=-\tfrac12\lVert\mathbf w\rVert^2
=-\tfrac12\sum_n\sum_m(a_n-\hat a_n)(a_m-\hat a_m)\,\boldsymbol\phi_n^{\mathsf T}\boldsymbol\phi_m .$$

With the rest this is the dual,

$$\widetilde L=-\tfrac12\sum_n\sum_m(a_n-\hat a_n)(a_m-\hat a_m)K_{nm}
-\epsilon\sum_n(a_n+\hat a_n)+\sum_n(a_n-\hat a_n)t_n. \tag{7.61}$$

It is a minimum, as $L$ is convex in $\mathbf w$ and straight in all else. And as $\mu_n,\hat\mu_n\ge0$, the
multipliers are at most $C$.

**Squared slacks.** Only the first lot changes, to $\sum_n(\tfrac C2\xi_n^2-a_n\xi_n)$ and the same with hats. Its
slope $C\xi_n-a_n$ vanishes at $\xi_n=a_n/C$, which is not negative, and there

$$\frac C2\frac{a_n^2}{C^2}-\frac{a_n^2}C=-\frac{a_n^2}{2C}.$$

So the dual is (7.61) minus $\frac1{2C}\sum_n(a_n^2+\hat a_n^2)$. There is no upper bound $C$ any more. At the optimum
$a_n\hat a_n=0$, hence $a_n^2+\hat a_n^2=(a_n-\hat a_n)^2$: it is as if $\mathbf K$ were $\mathbf K+\mathbf I/C$, the
matrix of ridge regression.
""",
)
