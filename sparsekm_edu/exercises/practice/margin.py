"""Exercises on margins: PRML 7.1 to 7.5, MLaPP 14.1 and 14.2."""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import as_numbers, written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- machines, solved ---------------------------------------------------------------------------------


def widest(X, t, level=1.0):
    """w, b and a of the maximum margin with t_n y(x_n) >= level, by SMO; NotSeparable where there is none."""
    from sparsekm_edu.solvers import hard_margin, smo

    solution = smo(replace(hard_margin(X @ X.T, t), target=level * t))
    return solution.v @ X, solution.b, solution.a


def soft(X, t, C):
    """w, b and a of the soft margin, by SMO."""
    from sparsekm_edu.solvers import smo, soft_margin

    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    return solution.v @ X, solution.b, solution.a


def two_classes(rng, N):
    """N labels, of one class more than of the other."""
    few = int(rng.integers(2, (N + 1) // 2))
    t = np.where(np.arange(N) < few, 1.0, -1.0) * rng.choice([-1.0, 1.0])
    return rng.permutation(t)


def points(rng, gap, D=2):
    """X (N, D) and t (N,): points at least `gap` from a hyperplane, each on its own side; negative gaps overlap."""
    N, b, w = int(rng.integers(5, 9)), rng.normal(), rng.normal(size=D)
    w /= np.linalg.norm(w)
    t, along = two_classes(rng, N), 1.5 * rng.normal(size=(N, D))
    away = t * rng.uniform(gap, 2.0, N) - b
    return along - np.outer(along @ w - away, w), t


# ---- what was handed over, read with an open mind -----------------------------------------------------


def read_points(X, t):
    """X as (N, D) and t as (N,), both finite, with both classes; ValueError with a sentence for the learner."""
    X, t = np.asarray(X, dtype=float), np.ravel(np.asarray(t, dtype=float))
    X = X.reshape(len(X), -1)
    if len(X) != len(t):
        raise ValueError(f"X needs one row per label. Rows: {len(X)}, labels: {len(t)}.")
    if not np.isfinite(X).all():
        raise ValueError("The coordinates must be finite numbers.")
    if set(t) != {-1.0, 1.0}:
        raise ValueError(f"t must hold -1 and 1, each at least once, got {t.tolist()}.")
    return X, t


# ---- PRML 7.1 -----------------------------------------------------------------------------------------


def windows(rng):
    """K (M, N): Gaussian windows of N points at M new ones, and the labels of the N."""
    N, h = int(rng.integers(6, 10)), rng.uniform(0.7, 1.3)
    t = two_classes(rng, N)
    X, Z = rng.normal(size=(N, 2)) + 0.5 * t[:, None], rng.normal(size=(5, 2))
    squared = np.sum((Z[:, None] - X) ** 2, axis=2)
    return np.exp(-squared / (2 * h**2)) / (2 * np.pi * h**2), t


def posterior_of_plus(K, t):
    """p(t = 1 | z_m) of M new points, (M,), for equal priors. K (M, N) holds the windows k(z_m, x_n), t (N,) labels."""
    p_plus = np.mean(K[:, t > 0], axis=1)  # Parzen: a mean over the class, so that it integrates to 1
    p_minus = np.mean(K[:, t < 0], axis=1)
    return p_plus / (p_plus + p_minus)  # Bayes; the priors 1/2 cancel


def bayes_in_a_loop(K, t):
    """The same from Bayes' theorem as it stands, point by point and term by term."""
    probabilities = []
    for row in K:
        joint = {1.0: 0.0, -1.0: 0.0}  # p(z | t) p(t)
        for value, label in zip(row, t, strict=True):
            joint[label] += 0.5 * value / sum(t == label)
        probabilities.append(joint[1.0] / sum(joint.values()))
    return np.array(probabilities)


def two_rules(X, t, x):
    """Positive for class +1: the difference of the kernel means with k = x'z, and that of the squared distances."""
    plus, minus = means(X, t)
    return x @ (plus - minus), np.sum((x - minus) ** 2) - np.sum((x - plus) ** 2)


def means(X, t):
    return X[t > 0].mean(axis=0), X[t < 0].mean(axis=0)


EQUALLY_FAR = "both means are equally far from the origin, and then the two rules agree everywhere"


def rules_disagree(value):
    """None if the rules decide differently at x, else a sentence."""
    if not isinstance(value, tuple | list) or len(value) != 3:
        return "Three things are wanted, (X, t, x)."
    try:
        X, t = read_points(*value[:2])
    except ValueError as problem:
        return str(problem)
    x = np.ravel(np.asarray(value[2], dtype=float))
    if x.shape != X.shape[1:] or not np.isfinite(x).all():
        return f"x must be a point of finite numbers, as many as in a row of X: {X.shape[1]}; got {written(value[2])}."
    plus, minus = means(X, t)
    if np.allclose(plus, minus, rtol=1e-9, atol=0):
        return "Both classes have the same mean, so that no rule can choose: move one of the classes."
    if np.isclose(np.linalg.norm(plus), np.linalg.norm(minus), rtol=1e-9, atol=0):
        return f"Here {EQUALLY_FAR}: move one of the means."
    scores = two_rules(X, t, x)
    if min(np.abs(scores)) <= 1e-9 * (x @ x + np.max(X**2)):
        return "One of the rules is undecided at x, which lies on its boundary: move x a little."
    if scores[0] * scores[1] > 0:
        return f"Both rules choose the class {np.sign(scores[0]):+.0f} at x. Where would they differ?"
    return None


def what_the_rules_choose(value):
    X, t = read_points(*value[:2])
    linear, nearest = np.sign(two_rules(X, t, np.ravel(np.asarray(value[2], dtype=float))))
    return f"At your x the linear rule chooses {linear:+.0f}, and the nearest mean is that of the class {nearest:+.0f}."


def second_order_kernel(rng):
    """K (N, N) of points in the plane, with k = (1 + x'z)^2, and their labels."""
    N = int(rng.integers(6, 10))
    t = two_classes(rng, N)
    X = rng.normal(size=(N, 2)) + rng.normal(size=2) + 0.5 * t[:, None]
    return (1 + X @ X.T) ** 2, t


def threshold(K, t):
    """The number theta of the rule in feature space. K (N, N) holds all k(x_n, x_m), t (N,) the labels."""
    plus, minus = t > 0, t < 0
    length_plus = np.mean(K[plus][:, plus])  # |m_+|^2: a mean over all pairs of the class
    length_minus = np.mean(K[minus][:, minus])
    return (length_plus - length_minus) / 2


def threshold_by_features(K, t):
    """The same with feature vectors in the open: rows of F with F F' = K."""
    eigenvalues, U = np.linalg.eigh(K)
    F = U * np.sqrt(np.maximum(eigenvalues, 0.0))
    m_plus, m_minus = F[t > 0].mean(axis=0), F[t < 0].mean(axis=0)
    halfway = (m_plus + m_minus) / 2
    return halfway @ (m_plus - m_minus)  # there the two distances are equal


PARZEN = Exercise(
    id="7.1",
    title="Parzen windows and the nearest mean",
    source="PRML 7.1",
    stars=2,
    notebook="16",
    taught=(
        ("16, section 2", "16_smoothing_kernels.ipynb#2-A-density-from-bumps-·-core"),
        (
            "01, section 10",
            "01_maximum_margin.ipynb#10-Why-the-widest-street?-An-answer-from-densities-·-deeper",
        ),
        ("14, section 1", "14_the_kernel_trick.ipynb#1-Only-inner-products-·-core"),
    ),
    task=r"""
Points $\mathbf x_n$ have labels $t_n\in\{-1,1\}$: $N_+$ of them are $+1$ and $N_-$ are $-1$. The density of each
class is estimated by Parzen windows: every point of the class contributes one bump $k(\mathbf x,\mathbf x_n)$, a
density in $\mathbf x$. The two classes are equally probable beforehand, whatever $N_+$ and $N_-$ are.

Which rule makes the fewest errors? The book goes on to put a linear kernel
$k(\mathbf x,\mathbf x')=\mathbf x^{\mathsf T}\mathbf x'$ into it, and says that the rule then chooses the class
with the nearest mean. You will find that this needs a condition, and then the term that makes it true in every
feature space.
""",
    bring="Bayes' theorem, the Parzen estimate of a density, and how a kernel replaces an inner product of features.",
    steps=(
        Task(
            "7.1a",
            "return the probability of the class +1 at every new point",
            windows,
            posterior_of_plus,
            mistakes=(
                Mistake(
                    "sums instead of means",
                    lambda K, t: K[:, t > 0].sum(axis=1) / K.sum(axis=1),
                    "the larger class gets more than its half: a density integrates to 1, so divide by N_+ and N_-",
                ),
                Mistake(
                    "the classes exchanged",
                    lambda K, t: 1 - posterior_of_plus(K, t),
                    "the density of the class +1 belongs in the numerator",
                ),
                Mistake(
                    "the density instead of the probability",
                    lambda K, t: K[:, t > 0].mean(axis=1),
                    "this is p(z | t = 1); Bayes' theorem divides by the sum over both classes",
                ),
                Mistake(
                    "the difference of the densities",
                    lambda K, t: K[:, t > 0].mean(axis=1) - K[:, t < 0].mean(axis=1),
                    "its sign decides rightly, but the probability itself is asked for",
                ),
                Mistake(
                    "odds instead of a probability",
                    lambda K, t: K[:, t > 0].mean(axis=1) / K[:, t < 0].mean(axis=1),
                    "p_+ / p_- are the odds; the probability is p_+ / (p_+ + p_-)",
                ),
                Mistake(
                    "the priors forgotten in the denominator",
                    lambda K, t: posterior_of_plus(K, t) / 2,
                    "p(z) is the sum of both densities, each times its prior 1/2: all the halves cancel",
                ),
                Mistake(
                    "decisions instead of probabilities",
                    lambda K, t: np.where(posterior_of_plus(K, t) > 0.5, 1.0, -1.0),
                    "the rule follows from the probability, but the probability itself is asked for",
                    shows=lambda value, K, t: np.shape(value) == (len(K),) and set(value) <= {-1, 0, 1},
                ),
            ),
            hints=(
                "The estimate of p(z | t = 1) is the mean of k(z, x_n) over the points with t_n = 1 alone.",
                "K[:, t > 0] holds the columns of that class; its mean along axis 1 is p_+, one number per new point.",
                "Bayes: p(t = 1 | z) = p_+ p(1) / (p_+ p(1) + p_- p(-1)), with p(1) = p(-1) = 1/2.",
            ),
            route=("Bayes' theorem, summed up term by term", bayes_in_a_loop),
            text=r"""
Write the probability $p(t=1\mid\mathbf z)$ of a new point $\mathbf z$ in terms of the windows. The rule with the
fewest errors chooses $+1$ wherever it is above $\tfrac12$, so you will have the rule, too. The function takes all
windows $k(\mathbf z_m,\mathbf x_n)$ as a matrix `K`, one row per new point, and returns one probability per row.
""",
        ),
        Claim(
            "7.1b",
            "give (X, t, x) for which the two rules choose different classes",
            ([[1.0], [3.0]], [1, -1], [1.5]),
            mistakes=(
                Mistake(
                    "means of the same length",
                    ([[1.0, 2.0], [-2.0, 1.0]], [1, -1], [3.0, 1.0]),
                    f"here {EQUALLY_FAR}",
                ),
                Mistake(
                    "a point that is near one mean and on its side of the origin",
                    ([[1.0], [3.0]], [1, -1], [5.0]),
                    "the linear rule changes its mind at the origin, the nearest mean halfway between the means: "
                    "put x between these two places",
                ),
                Mistake(
                    "one class only",
                    ([[1.0], [3.0]], [1, 1], [1.5]),
                    "there must be points of both classes, or there is only one mean",
                ),
            ),
            hints=(
                "Write the kernel rule with k = x'z as x' (something). Where is its boundary? Where is that of the "
                "nearest mean?",
                "One boundary passes through the origin, the other halfway between the means. One dimension is "
                "enough to put a point between them.",
                "Both means on the same side of the origin, say +1 at 1 and -1 at 3. Try an x just above 1.",
            ),
            accepts=rules_disagree,
            found=what_the_rules_choose,
            text=r"""
From 7.1a: choose $+1$ if the mean of $k(\mathbf x,\mathbf x_n)$ over the class $+1$ is larger than that over the
class $-1$. Put in $k(\mathbf x,\mathbf x')=\mathbf x^{\mathsf T}\mathbf x'$. When is this the same as choosing the
class whose mean is nearest to $\mathbf x$?

Show that it is not always so: give a tuple `(X, t, x)` for which the two rules choose different classes. `X` holds
the points, one per row, in as many dimensions as you like; `t` their labels $-1$ and $1$; `x` is the new point.
""",
        ),
        Task(
            "7.1c",
            "return the threshold from kernels alone",
            second_order_kernel,
            threshold,
            mistakes=(
                Mistake(
                    "no threshold at all",
                    lambda K, t: 0.0,
                    "in 7.1b you have seen that 0 is wrong unless both means have the same length",
                ),
                Mistake(
                    "the sign of theta",
                    lambda K, t: -threshold(K, t),
                    "expand |phi - m_+|^2 < |phi - m_-|^2 and bring the products with phi to the left",
                ),
                Mistake(
                    "the factor 1/2 lost",
                    lambda K, t: 2 * threshold(K, t),
                    "the products appear twice in each squared distance, the squared lengths once",
                ),
                Mistake(
                    "the mean of the squared lengths instead of the squared length of the mean",
                    lambda K, t: (np.mean(np.diag(K)[t > 0]) - np.mean(np.diag(K)[t < 0])) / 2,
                    "|m_+|^2 is a double sum over all pairs of the class, not only k(x_n, x_n)",
                ),
                Mistake(
                    "sums instead of means",
                    lambda K, t: (K[t > 0][:, t > 0].sum() - K[t < 0][:, t < 0].sum()) / 2,
                    "m_+ is a mean, so its squared length has 1/N_+^2 before the double sum",
                ),
                Mistake(
                    "divided by the number of points instead of its square",
                    lambda K, t: (
                        (K[t > 0][:, t > 0].sum() / sum(t > 0) - K[t < 0][:, t < 0].sum() / sum(t < 0)) / 2
                    ),
                    "both factors of |m_+|^2 = m_+' m_+ bring a 1/N_+",
                ),
                Mistake(
                    "the squared lengths added",
                    lambda K, t: (np.mean(K[t > 0][:, t > 0]) + np.mean(K[t < 0][:, t < 0])) / 2,
                    "they stand on different sides of |phi - m_+|^2 < |phi - m_-|^2: bring one across, with a minus",
                ),
            ),
            hints=(
                "Expand both squared distances. |phi(x)|^2 is on both sides and cancels.",
                "What remains is phi(x)'(m_+ - m_-) > (|m_+|^2 - |m_-|^2) / 2. The left side is the difference of "
                "the kernel means.",
                "|m_+|^2 = (1/N_+^2) times the sum of k(x_n, x_m) over all pairs n, m of the class +1: the mean of "
                "that block of K.",
            ),
            route=("feature vectors made from the eigenvectors of K", threshold_by_features),
            text=r"""
Now any kernel $k(\mathbf x,\mathbf x')=\boldsymbol\phi(\mathbf x)^{\mathsf T}\boldsymbol\phi(\mathbf x')$. The
means $\mathbf m_\pm$ of the classes lie in feature space, where $\boldsymbol\phi(\mathbf x)$ is nearer to
$\mathbf m_+$ than to $\mathbf m_-$ exactly if

$$\frac1{N_+}\sum_{n:\,t_n=1}k(\mathbf x,\mathbf x_n)-\frac1{N_-}\sum_{n:\,t_n=-1}k(\mathbf x,\mathbf x_n)>\theta.$$

Find the number $\theta$, which does not depend on $\mathbf x$, in terms of kernels between the data alone. `K` has
the entries $k(\mathbf x_n,\mathbf x_m)$.
""",
        ),
    ),
    worked=r"""
**7.1a.** Each class's density is the mean of its windows,

$$p(\mathbf z\mid t=1)=\frac1{N_+}\sum_{n:\,t_n=1}k(\mathbf z,\mathbf x_n)=p_+,\qquad
p(\mathbf z\mid t=-1)=\frac1{N_-}\sum_{n:\,t_n=-1}k(\mathbf z,\mathbf x_n)=p_-.$$

It has to be the mean: every window integrates to 1, and so must the density. By Bayes' theorem with
$p(1)=p(-1)=\tfrac12$

$$p(t=1\mid\mathbf z)=\frac{\tfrac12p_+}{\tfrac12p_++\tfrac12p_-}=\frac{p_+}{p_++p_-}.$$

An error is least probable if we choose the more probable class: $+1$ if $p_+>p_-$. With sums instead of means the
prior of a class would be its share of the data.

**7.1b.** With $k(\mathbf x,\mathbf x')=\mathbf x^{\mathsf T}\mathbf x'$ the mean of the windows is
$\mathbf x^{\mathsf T}\mathbf m_\pm$, where $\mathbf m_\pm$ is the mean of the class. The rule reads: $+1$ if

$$\mathbf x^{\mathsf T}(\mathbf m_+-\mathbf m_-)>0.$$

Its boundary passes through the origin. The nearest mean is $\mathbf m_+$ if
$\lVert\mathbf x-\mathbf m_+\rVert^2<\lVert\mathbf x-\mathbf m_-\rVert^2$, that is, after
$\mathbf x^{\mathsf T}\mathbf x$ has cancelled, if

$$\mathbf x^{\mathsf T}(\mathbf m_+-\mathbf m_-)
>\tfrac12\big(\lVert\mathbf m_+\rVert^2-\lVert\mathbf m_-\rVert^2\big).$$

Its boundary passes halfway between the means. The normals are the same. So for $\mathbf m_+\ne\mathbf m_-$ both
rules agree for all $\mathbf x$ exactly if $\lVert\mathbf m_+\rVert=\lVert\mathbf m_-\rVert$. The book's exercise
leaves this condition out. It holds, for instance, if the origin is first moved to the middle between the means. Any
$\mathbf x$ between the two boundaries is a counter-example: on a line with $m_+=1$, $m_-=3$ every $x$ from 0 to 2,
where the linear rule says $-1$. (Besides, $\mathbf x^{\mathsf T}\mathbf x'$ can be negative and does not integrate
to 1: it is no window, and $p_\pm$ are no densities any more. Only the rule survives.)

**7.1c.** Nothing changes but the letters: $\boldsymbol\phi(\mathbf x)$ for $\mathbf x$. The left side is
$\boldsymbol\phi(\mathbf x)^{\mathsf T}(\mathbf m_+-\mathbf m_-)$, and the lengths of the means are kernels again,

$$\lVert\mathbf m_+\rVert^2=\Big(\frac1{N_+}\sum_{n:\,t_n=1}\boldsymbol\phi(\mathbf x_n)\Big)^{\mathsf T}
\Big(\frac1{N_+}\sum_{m:\,t_m=1}\boldsymbol\phi(\mathbf x_m)\Big)
=\frac1{N_+^2}\sum_{n:\,t_n=1}\ \sum_{m:\,t_m=1}k(\mathbf x_n,\mathbf x_m),$$

so that

$$\theta=\frac12\Big(\frac1{N_+^2}\sum_{n,m:\,t_n=t_m=1}k(\mathbf x_n,\mathbf x_m)
-\frac1{N_-^2}\sum_{n,m:\,t_n=t_m=-1}k(\mathbf x_n,\mathbf x_m)\Big).$$

Parzen's rule is the one with $\theta=0$. The two are the same only if the means have the same length in feature
space.
""",
)


# ---- PRML 7.2 -----------------------------------------------------------------------------------------


def solution_and_level(rng):
    """X (N, 2), t (N,), the maximum margin w, b, a, and another number gamma for the 1 in (7.5)."""
    X, t = points(rng, gap=0.3)
    gamma = rng.uniform(0.2, 0.7) if rng.random() < 0.5 else rng.uniform(1.5, 4.0)
    return X, t, *widest(X, t), gamma


def for_gamma(X, t, w, b, a, gamma):
    """w (2,), b and a (N,) for t_n y(x_n) >= gamma > 0, from those for 1. The data are X (N, 2) and t (N,)."""
    return gamma * w, gamma * b, gamma * a


ANY_LEVEL = Exercise(
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


# ---- PRML 7.3 -----------------------------------------------------------------------------------------


def opposite_points(rng):
    """Two points in 1 to 6 dimensions, not too close to each other."""
    D = int(rng.integers(1, 7))
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
        return "No line separates these points, so there is no maximum margin."
    for i in np.flatnonzero(t > 0):
        for j in np.flatnonzero(t < 0):
            if np.array_equal(X[i], X[j]):
                return "No line separates these points, so there is no maximum margin."
            w_pair, b_pair, _ = two_points(X[i], X[j])
            if np.allclose([*w, b], [*w_pair, b_pair], rtol=1e-6, atol=1e-6 * np.linalg.norm(w)):
                third = 3 - i - j
                reached = t[third] * (X[third] @ w_pair + b_pair)
                return (
                    f"Points {i} and {j} alone give the same line. With it, point {third} has t y = {reached:.3g}, and "
                    "its constraint t y >= 1 asks for no more."
                )
    return None


def what_pushes(value):
    X, t = read_points(*value)
    X = X - X.mean(axis=0)
    unit = np.abs(X).max()
    a = widest(X / unit, t)[2] / unit**2
    return f"All three points push: their multipliers are {a[0]:.3g}, {a[1]:.3g} and {a[2]:.3g}."


TWO_POINTS = Exercise(
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
of $\mathbf x_+$ and $\mathbf x_-$. The check draws points in one to six dimensions.
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
were 0, $\mathbf w$ would be $\mathbf 0$, and $y=b$ could not have both signs; so $a>0$, and by (7.16) both
constraints hold with equality:

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


# ---- PRML 7.4 -----------------------------------------------------------------------------------------


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


SUM_OF_MULTIPLIERS = Exercise(
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
write $1/\rho^2$ any more: $1/\lVert\mathbf w\rVert$ still is half the width of the street, but no longer the distance
of the closest point.)
""",
)


# ---- PRML 7.5 -----------------------------------------------------------------------------------------


def primal_and_share(rng):
    """X (N, 2), t (N,), w (2,), b of the maximum margin, and a factor s."""
    X, t = points(rng, gap=0.3)
    s = rng.uniform(0.2, 0.8) if rng.random() < 0.5 else rng.uniform(1.2, 2.6)
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
    a = rng.exponential(size=len(t)) * rng.uniform(0.2, 1.5)
    a[t > 0] *= a[t < 0].sum() / a[t > 0].sum()
    return X @ X.T, t, a


def bound_on_the_margin(K, t, a):
    """The smallest upper bound on the margin that s a proves, over all s > 0. K (N, N), t (N,), a (N,) with (7.12)."""
    v = a * t
    return np.sqrt(v @ K @ v) / np.sum(a)  # largest L~(s a) is (sum a)^2 / (2 v'Kv), at s = sum a / v'Kv


def bound_by_search(K, t, a):
    """The same with the best s found numerically."""
    best = minimize_scalar(lambda log_s: -dual(K, t, np.exp(log_s) * a), bracket=(-1.0, 0.0))
    return 1 / np.sqrt(-2 * best.fun)


VALUE_OF_THE_DUAL = Exercise(
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
**7.5a.** Write $A=\sum_na_n$ and $B=\sum_n\sum_ma_na_mt_nt_mk(\mathbf x_n,\mathbf x_m)$. By (7.8)

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


# ---- MLaPP 14.1 ---------------------------------------------------------------------------------------


def vector(value, size):
    """The value as `size` finite numbers, None if it is something else."""
    if np.asarray(value).dtype.kind in "US":  # numpy would read a text as a number
        return None
    numbers = np.ravel(np.asarray(value, dtype=float))
    return numbers if numbers.shape == (size,) and np.isfinite(numbers).all() else None


def close_to(*right):
    """What accepts these numbers alone; three digits, as one types them, will do."""

    def accepts(value):
        numbers = vector(value, len(right))
        if numbers is None:
            wanted = "One number is wanted" if len(right) == 1 else f"{len(right)} numbers are wanted"
            return f"{wanted}, got {written(value)}."
        return None if np.allclose(numbers, right, rtol=1e-3, atol=1e-3) else "That is not it yet."

    return accepts


def parallel_to_w(value):
    numbers = vector(value, 3)
    if numbers is None:
        return "A vector of three numbers is wanted, as feature space has three dimensions."
    if not numbers.any():
        return "The zero vector has no direction."
    along = numbers @ [0, 1, 1] / np.sqrt(2)  # |along| is the whole length exactly if it is parallel
    if abs(along) < (1 - 1e-6) * np.linalg.norm(numbers):
        return "This is not parallel to w. Which direction leads from one feature vector to the other?"
    return None


def away_from_the_zeros(rng):
    """x where f(x) is not small, so that four digits of the weights give four of f(x)."""
    return (rng.uniform(1.2, 3.0) if rng.random() < 0.5 else rng.uniform(-2.0, -0.3),)


def discriminant(x):
    """f(x) = w_0 + w'phi(x), as a polynomial in the number x."""
    return x**2 / 2 + x / np.sqrt(2) - 1


def discriminant_by_smo(x):
    """The kernel (1 + x z)^2 in the place of features, and SMO."""
    from sparsekm_edu.solvers import hard_margin, smo

    data, t = np.array([0.0, np.sqrt(2)]), np.array([-1.0, 1.0])
    solution = smo(hard_margin((1 + np.outer(data, data)) ** 2, t))
    return solution.v @ (1 + data * x) ** 2 + solution.b  # (7.13)


BY_HAND = Exercise(
    id="14.1",
    title="A support vector machine by hand",
    source="MLaPP 14.1",
    stars=1,
    notebook="01",
    taught=(
        ("01, section 5", "01_maximum_margin.ipynb#5-Two-points,-by-hand-·-core"),
        ("01, section 9", "01_maximum_margin.ipynb#9-Bend-it-with-a-kernel-·-core"),
    ),
    task=r"""
Two points on a line: $x_1=0$ with label $y_1=-1$, and $x_2=\sqrt2$ with label $y_2=1$. Each is mapped to three
dimensions by

$$\boldsymbol\phi(x)=(1,\ \sqrt2\,x,\ x^2)^{\mathsf T},$$

and there we look for the maximum margin: the smallest $\lVert\mathbf w\rVert^2$ for which
$y_i(\mathbf w^{\mathsf T}\boldsymbol\phi(x_i)+w_0)\ge1$ for both points, (14.97) to (14.99). Murphy writes $y_i$
for the labels, $w_0$ for $b$ and $f$ for the discriminant function. Five small steps, with paper and pencil.
Numbers such as `np.sqrt(2) / 3`, or rounded to four digits, are fine.
""",
    bring="the geometry of two points and the plane between them (exercise 7.3 does it once for all).",
    steps=(
        Claim(
            "14.1a",
            "give a vector that is parallel to w",
            (0, 1, 1),
            mistakes=(
                Mistake(
                    "a point instead of a difference",
                    (1, 2, 2),
                    "this is phi(x_2), the way from the origin; what counts is the way from one point to the other",
                ),
                Mistake(
                    "the middle between the points",
                    (1, 1, 1),
                    "this is the mean of the two feature vectors, a place on the plane and not its normal",
                ),
                Mistake(
                    "the root 2 of the map left out",
                    (0, np.sqrt(2), 2),
                    "the second feature is sqrt(2) x, so at x_2 = sqrt(2) it is 2",
                ),
                Mistake(
                    "the first point's features",
                    (1, 0, 0),
                    "this is phi(x_1); both points have this component, so it does not tell them apart",
                ),
            ),
            hints=(
                "Compute phi(0) and phi(sqrt(2)).",
                "The widest street between two points is at right angles to the piece that joins them.",
            ),
            accepts=parallel_to_w,
            text=r"""
A vector that is parallel to the best $\mathbf w$: three numbers, as a tuple or a list. Its length does not matter
here.
""",
        ),
        Claim(
            "14.1b",
            "give the margin",
            float(np.sqrt(2)),
            mistakes=(
                Mistake(
                    "the whole street",
                    float(2 * np.sqrt(2)),
                    "this is the distance between the points; the margin is the distance from one point to the plane",
                ),
                Mistake(
                    "measured on the line, not in feature space",
                    float(np.sqrt(2) / 2),
                    "half of x_2 - x_1 is a distance in x; measure between phi(x_1) and phi(x_2). (Or is it |w|? The "
                    "margin is 1 over it)",
                ),
                Mistake(
                    "y instead of a distance",
                    1.0,
                    "1 is what y_i f(x_i) is at a support vector; the distance is that over |w|",
                ),
                Mistake(
                    "a square, or one component alone",
                    2.0,
                    "a length is the root of the sum of all squared components",
                ),
            ),
            hints=(
                "With two points, the best plane halves the piece between them.",
                "How long is phi(x_2) - phi(x_1) = (0, 2, 2)? Half of it is the margin.",
            ),
            accepts=close_to(np.sqrt(2)),
            text="The margin, a number: the distance from each point to the plane between them, in feature space.",
        ),
        Claim(
            "14.1c",
            "give w",
            (0, 0.5, 0.5),
            mistakes=(
                Mistake(
                    "the length of w taken for the margin",
                    (0, 1, 1),
                    "|w| = sqrt(2) here; but the margin is 1/|w|, so |w| must be 1/sqrt(2)",
                ),
                Mistake(
                    "a unit vector",
                    (0, np.sqrt(0.5), np.sqrt(0.5)),
                    "|w| = 1 here; but 1/|w| has to be the margin sqrt(2)",
                ),
                Mistake(
                    "the difference itself",
                    (0, 2, 2),
                    "the direction is right, but 1/|w| has to be the margin sqrt(2)",
                ),
                Mistake(
                    "the whole street taken for the margin",
                    (0, 0.25, 0.25),
                    "1/|w| is 2 sqrt(2) here, the distance between the points; the margin is half of it",
                ),
                Mistake(
                    "w the other way round",
                    (0, -0.5, -0.5),
                    "f has to be positive at x_2, whose label is 1: w points from x_1 to x_2",
                ),
            ),
            hints=(
                "w = kappa (0, 1, 1) with a kappa > 0. How long is it?",
                "|w| = kappa sqrt(2) = 1/margin = 1/sqrt(2).",
            ),
            accepts=close_to(0, 0.5, 0.5),
            text=r"The vector $\mathbf w$ itself, from its direction and from the margin $1/\lVert\mathbf w\rVert$.",
        ),
        Claim(
            "14.1d",
            "give w_0",
            -1.0,
            mistakes=(
                Mistake(
                    "the point x_1 put on the plane",
                    0.0,
                    "at x_1 f has to be -1, not 0: a support vector lies on the edge of the street, not in its middle",
                ),
                Mistake(
                    "the point x_2 put on the plane",
                    -2.0,
                    "at x_2 f has to be 1, not 0: a support vector lies on the edge of the street, not in its middle",
                ),
                Mistake(
                    "the label of x_1 forgotten",
                    1.0,
                    "y_1 = -1, so f(x_1) = -1: that is w_0, as w'phi(x_1) = 0",
                ),
                Mistake(
                    "the label of x_2 turned round",
                    -3.0,
                    "y_2 = 1, so f(x_2) = 1",
                ),
            ),
            hints=(
                "Both constraints hold with equality: f(x_1) = -1 and f(x_2) = 1. Either of them gives w_0.",
                "w'phi(x_1) = (0, 1/2, 1/2)'(1, 0, 0) = 0.",
            ),
            accepts=close_to(-1.0),
            text=r"The number $w_0$. Both constraints are equalities here; check your number with both of them.",
        ),
        Task(
            "14.1e",
            "return f(x)",
            away_from_the_zeros,
            discriminant,
            mistakes=(
                Mistake(
                    "w_0 left out",
                    lambda x: x**2 / 2 + x / np.sqrt(2),
                    "f(x) = w_0 + w'phi(x), and w_0 = -1",
                ),
                Mistake(
                    "the root 2 of the map left out",
                    lambda x: x**2 / 2 + x / 2 - 1,
                    "the second feature is sqrt(2) x, so its term is sqrt(2) x / 2",
                ),
                Mistake(
                    "a straight line through both points",
                    lambda x: np.sqrt(2) * x - 1,
                    "this is the machine without the map; in feature space x^2 has a share, too",
                ),
                Mistake(
                    "w of the wrong length",
                    lambda x: x**2 + np.sqrt(2) * x - 1,
                    "f(sqrt(2)) has to be 1; the weights of w are one half",
                ),
                Mistake(
                    "w_0 with the wrong sign",
                    lambda x: x**2 / 2 + x / np.sqrt(2) + 1,
                    "f(0) = w_0 has to be the label of x_1, which is -1",
                ),
            ),
            hints=(
                "w'phi(x) = (0, 1/2, 1/2)'(1, sqrt(2) x, x^2).",
                "sqrt(2) x / 2 + x^2 / 2, and w_0.",
            ),
            route=("SMO with the kernel (1 + x z)²", discriminant_by_smo),
            close=1e-4,  # the task allows weights that are rounded to four digits
            text=r"""
The discriminant function $f(x)=w_0+\mathbf w^{\mathsf T}\boldsymbol\phi(x)$ as a polynomial in $x$. (A formula of
sympy in $x$ will do, too.) Where is it zero: halfway between the two points?
""",
        ),
    ),
    worked=r"""
**14.1a.** The features are $\boldsymbol\phi(0)=(1,0,0)$ and $\boldsymbol\phi(\sqrt2)=(1,2,2)$. The best plane
stands at right angles to the way from one to the other, $\mathbf d=(0,2,2)$, and $\mathbf w$ is parallel to it:
$(0,1,1)$, or any multiple.

**14.1b.** The plane halves that way. The margin is half its length: $\tfrac12\sqrt{0+4+4}=\sqrt2$.

**14.1c.** $\mathbf w=\kappa\,(0,1,1)$ with $\kappa>0$, because $f$ grows towards the point with label 1. The margin
is $1/\lVert\mathbf w\rVert=1/(\kappa\sqrt2)=\sqrt2$, hence $\kappa=\tfrac12$ and $\mathbf w=(0,\tfrac12,\tfrac12)$.
Exercise 7.3 says the same: $2\mathbf d/\lVert\mathbf d\rVert^2=\tfrac28(0,2,2)$.

**14.1d.** $f(0)=w_0+0=-1$, so $w_0=-1$. The other point agrees: $f(\sqrt2)=-1+\tfrac12\cdot2+\tfrac12\cdot2=1$.

**14.1e.**

$$f(x)=-1+\tfrac12\sqrt2\,x+\tfrac12x^2=\tfrac12x^2+\frac x{\sqrt2}-1.$$

It is zero at $x=(-1\pm\sqrt5)/\sqrt2$, that is at $0.874$ and $-2.288$. Halfway between the *features* is not
halfway between the points ($0.707$). And there is a second boundary far on the left, where no data are: beyond it,
everything is called $+1$. The map gives the kernel
$\boldsymbol\phi(x)^{\mathsf T}\boldsymbol\phi(z)=1+2xz+x^2z^2=(1+xz)^2$. Its constant feature has no weight: $w_0$
does its work.

*If you compare with MLaPP:* Murphy's hint says that the points will be on the decision boundary. They are on the edges
of the street, where the constraints are tight; on the boundary itself $f=0$.
""",
)


# ---- MLaPP 14.2 ---------------------------------------------------------------------------------------


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
        return "No hyperplane separates these data: that a soft margin does not either is no surprise."
    ty = kindest_soft_margin(X, t, float(C))
    if abs(ty.min()) <= 1e-7 * np.ptp(t * ty):
        return f"With C = {C:g} a point lies on the boundary itself: change one of your numbers a little."
    if ty.min() > 0:
        return (
            f"With C = {C:g} the soft margin does separate these data: every point has t y >= {ty.min():.3g}."
        )
    return None


def kindest_soft_margin(X, t, C):
    """t_n y(x_n) of the soft margin, (N,), with that b among the best ones for which the smallest of them is largest.

    Where no point lies on its margin for certain, a whole interval of b costs the same, and any of them is "the" soft
    margin. The smallest t y is concave in b and largest in the middle between the classes.
    """
    X = X - X.mean(axis=0)  # moves the origin, and with it only b
    along = X @ soft(X, t, C)[0]
    corners = t - along  # where t y = 1, the slack has a corner; the best b end at such
    slack = np.array([np.maximum(0, 1 - t * (along + b)).sum() for b in corners])
    best = corners[slack <= slack.min() + 1e-9 * (1 + slack.min())]
    middle = -(along[t > 0].min() + along[t < 0].max()) / 2
    return t * (along + np.clip(middle, best.min(), best.max()))


def what_is_given_up(value):
    X, t = read_points(*value[:2])
    C = float(value[2])
    ty = kindest_soft_margin(X, t, C)
    n = int(np.argmin(ty))
    return (
        f"A hyperplane could separate these data, but with C = {C:g} point {n} is given up: "
        f"t y = {ty[n]:.3g}, slack {1 - ty[n]:.3g}."
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


SEPARABLE_BUT_NOT_SEPARATED = Exercise(
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
                "One dimension is enough: two squares at 0, a circle close to them and one far away. Then lower C.",
                "The hard margin costs |w|^2 / 2, a lot if the stray is close. Giving it up costs C times its slack.",
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
                    "y = -1 at the squares: it has to rise by 1 to reach 0, and by 2 to reach 1",
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

(It is at most $C$ from $C=2/(L(L+\delta))$ on. Below that both circles are at their ceiling, and the street is wider
still.)

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

EXERCISES = (
    PARZEN,
    ANY_LEVEL,
    TWO_POINTS,
    SUM_OF_MULTIPLIERS,
    VALUE_OF_THE_DUAL,
    BY_HAND,
    SEPARABLE_BUT_NOT_SEPARATED,
)
