"""PRML 7.1: Parzen windows and the nearest mean."""

import numpy as np

from sparsekm_edu.exercises.claims import Claim
from sparsekm_edu.exercises.comparing import written
from sparsekm_edu.exercises.exercise import Exercise
from sparsekm_edu.exercises.practice.margins import read_points, two_classes
from sparsekm_edu.exercises.tasks import Mistake, Task


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
    """K (N, N) of points in the plane, with k = (1 + x'z)^2, and their labels; often a class is one point only."""
    N = int(rng.integers(6, 10))
    t = two_classes(rng, N)
    if rng.random() < 0.5:
        t = rng.permutation(np.append(-np.ones(N - 1), 1.0)) * rng.choice([-1.0, 1.0])
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


EXERCISE = Exercise(
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
                    "sums instead of means, or the classes' shares as priors",
                    lambda K, t: K[:, t > 0].sum(axis=1) / K.sum(axis=1),
                    "the larger class gets more than its half. A density integrates to 1, so divide each sum by N_+ "
                    "or N_-; and both priors are 1/2, whatever N_+ and N_- are",
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
            instances=10,
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

Parzen's rule is the one with $\theta=0$. The two agree at every point of feature space only if the means have the same
length there.
""",
)
