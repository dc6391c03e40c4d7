"""Exercises 7.7 and 7.8: the dual of support vector regression, and what its multipliers tell of a point."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.differences import derivative
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- 7.7: from the Lagrangian to the dual ---------------------------------------------------------------


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


# ---- 7.8: what a slack tells of a multiplier ------------------------------------------------------------


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
        f"The point x = {x[up]:g}, t = {t[up]:g} has a = C = {C:g} and xi = 0: it lies on the upper edge. And x = "
        f"{x[down]:g}, t = {t[down]:g} has a_hat = C and xi_hat = 0, on the lower edge."
    )


DUAL = r"""
Support vector regression keeps points within $\epsilon$ of the curve $y_n=\mathbf w^{\mathsf T}\boldsymbol\phi_n+b$
(we write $\boldsymbol\phi_n$ for $\boldsymbol\phi(\mathbf x_n)$), or makes them pay. It minimises

$$C\sum_n(\xi_n+\hat\xi_n)+\tfrac12\lVert\mathbf w\rVert^2 \tag{7.55}$$

subject to $t_n\le y_n+\epsilon+\xi_n$ (7.53), $t_n\ge y_n-\epsilon-\hat\xi_n$ (7.54), $\xi_n\ge0$ and
$\hat\xi_n\ge0$. """


EXERCISES = (
    Exercise(
        id="7.7",
        title="The dual of support vector regression",
        source="PRML 7.7",
        stars=1,
        notebook="06",
        taught=(("06, section 2", "06_regression.ipynb#2-Two-slacks,-four-multipliers:-(7.56)-to-(7.61)"),),
        task=DUAL
        + r"""With a multiplier for each of the four, $a_n,\hat a_n,\mu_n,\hat\mu_n\ge0$ in this order, the Lagrangian
is

$$L=C\sum_n(\xi_n+\hat\xi_n)+\tfrac12\lVert\mathbf w\rVert^2-\sum_n(\mu_n\xi_n+\hat\mu_n\hat\xi_n)
-\sum_na_n(\epsilon+\xi_n+y_n-t_n)-\sum_n\hat a_n(\epsilon+\hat\xi_n-y_n+t_n). \tag{7.56}$$

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
                            0.5 * (a - a_hat) @ K @ (a - a_hat)
                            - epsilon * np.sum(a + a_hat)
                            + (a - a_hat) @ t
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
                            -0.5 * (a - a_hat) @ K @ (a - a_hat)
                            - epsilon * np.sum(a - a_hat)
                            + (a - a_hat) @ t
                        ),
                        "epsilon has a plus in both brackets of (7.56), only y_n and t_n change their signs: it comes "
                        "with a + a_hat. (With a - a_hat it would be epsilon times 0.)",
                    ),
                    Mistake(
                        "epsilon with a plus",
                        lambda K, t, a, a_hat, epsilon: (
                            -0.5 * (a - a_hat) @ K @ (a - a_hat)
                            + epsilon * np.sum(a + a_hat)
                            + (a - a_hat) @ t
                        ),
                        "the brackets with epsilon stand behind a minus",
                    ),
                    Mistake(
                        "t with the wrong sign",
                        lambda K, t, a, a_hat, epsilon: (
                            -0.5 * (a - a_hat) @ K @ (a - a_hat)
                            - epsilon * np.sum(a + a_hat)
                            - (a - a_hat) @ t
                        ),
                        "-a_n (... - t_n) is + a_n t_n",
                    ),
                    Mistake(
                        "the quadratic form of a + a_hat",
                        lambda K, t, a, a_hat, epsilon: (
                            -0.5 * (a + a_hat) @ K @ (a + a_hat)
                            - epsilon * np.sum(a + a_hat)
                            + (a - a_hat) @ t
                        ),
                        "w = sum (a_n - a_hat_n) phi_n",
                    ),
                    Mistake(
                        "t with a + a_hat",
                        lambda K, t, a, a_hat, epsilon: (
                            -0.5 * (a - a_hat) @ K @ (a - a_hat)
                            - epsilon * np.sum(a + a_hat)
                            + (a + a_hat) @ t
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
    ),
    Exercise(
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
    ),
)
