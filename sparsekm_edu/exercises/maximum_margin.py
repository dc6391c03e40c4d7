"""Notebook 01: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Curve, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def margins_without():
    """The largest margin, and the largest one after deleting each of the support vectors."""
    from sparsekm_edu.explorers.svm.margins import MarginExplorer, MarginState

    def largest(state):
        return 1 / np.linalg.norm(MarginExplorer.compute(state).best[0])

    state = MarginState()
    support = np.flatnonzero(MarginExplorer.compute(state).a)
    fewer = [MarginState(X=np.delete(state.X, n, axis=0), t=np.delete(state.t, n)) for n in support]
    return largest(state), [largest(one) for one in fewer]


def after_deleting():
    """0 if every deletion narrows the street, 2 if every one widens it, 1 if nothing changes, 3 if it depends."""
    before, after = margins_without()
    signs = set(np.sign(np.round(np.subtract(after, before), 9)).astype(int).tolist())
    return 1 + signs.pop() if len(signs) == 1 else 3


def explain_deleting(_):
    before, after = margins_without()
    first, *others = (f"{margin:.3f}" for margin in after)
    return (
        "Every point is a demand on the street. With one demand fewer it can only become wider. It does, because each "
        f"circled point held it: from {before:.3f} to {first}, or to {' or '.join(others)}. Deleting a point "
        "<i>without</i> a circle changes nothing at all."
    )


def distance_from_origin(length):
    """How far from the origin the line w'x + b = 0 passes, for |w| = length."""
    from sparsekm_edu.explorers.svm.geometry import GeometryExplorer, GeometryState

    return float(GeometryExplorer.compute(GeometryState(length=length)).facts["line to origin"])


def longer_normal():
    return 1 - int(np.sign(distance_from_origin(2.0) - distance_from_origin(1.0)))


def push_of_the_wall():
    """How far the bottom of the bowl lies behind the wall, and the multiplier there."""
    from sparsekm_edu.explorers.svm.lagrange import LagrangeState

    wall = LagrangeState().bowl
    behind = np.linspace(-1.2, 1.2, 25)
    bowls = [LagrangeState(c=tuple((wall.d - depth) * wall.n)).bowl for depth in behind]
    return behind, np.array([bowl.solution[1] for bowl in bowls])


def two_against_one():
    """Which of 1/2, 1, 2 is nearest to the pushes of the side with two support vectors, over that with one?"""
    from sparsekm_edu.explorers.svm.margins import MarginExplorer, MarginState

    state = MarginState()
    a = MarginExplorer.compute(state).a
    sides = sorted((a[state.t == side] for side in (-1, 1)), key=np.count_nonzero)
    return int(np.abs(np.log2(sides[1].sum() / sides[0].sum()) - (-1, 0, 1)).argmin())


def distances_between_hulls(draws=40):
    """Of points of the two hulls drawn at random, over the width of the street."""
    from sparsekm_edu.explorers.svm.margins import HullsExplorer, HullsState

    rng = np.random.default_rng(0)
    pictures = [
        HullsExplorer.compute(
            HullsState(plus=tuple(rng.uniform(-3, 3, 2)), minus=tuple(rng.uniform(-3, 3, 2)))
        )
        for _ in range(draws)
    ]
    apart = [np.linalg.norm(np.subtract(*picture.own)) for picture in pictures]
    return np.array(apart) * np.linalg.norm(pictures[0].best[0]) / 2


def hulls_and_street():
    ratios = distances_between_hulls()
    return 0 if (ratios >= 1 - 1e-9).all() else 1 if (ratios <= 1 + 1e-9).all() else 2


def support_vectors_of_the_widest_kernel():
    """Of `kernel_margin` at the left end of its slider."""
    from sparsekm_edu.explorers.svm.margins import KernelMarginExplorer, KernelMarginState

    return len(KernelMarginExplorer.compute(KernelMarginState(gamma=0.005)).support)


GUESSES = (
    Guess(
        "01-a",
        "You delete one of the three circled points. What does the largest margin do?",
        Choice(
            "it shrinks", "it stays the same", "it grows", "it grows for some of them, shrinks for others"
        ),
        after_deleting,
        explain_deleting,
        told_by=("explorers.margin(", "roam freely"),
    ),
    Guess(
        "01-b",
        "You make <b>w</b> twice as long and leave <i>b</i> alone. What does the line <b>w</b>'<b>x</b> + <i>b</i> = 0 "
        "do?",
        Choice("it moves away from the origin", "it stays", "it moves towards the origin"),
        longer_normal,
        lambda truth: (
            "It passes the origin at |<i>b</i>|/|<b>w</b>|: in the picture below at first "
            f"{distance_from_origin(1.0):.2f}, then {distance_from_origin(2.0):.2f}. Only if <i>b</i> is doubled as "
            "well does the line stay; then <i>y</i> doubles everywhere, and all distances are the same as before."
        ),
        told_by=("figures.figure_14_12a(", "explorers.geometry(", "uses up"),
    ),
    Guess(
        "01-c",
        "You drag the bottom of the bowl straight through the wall, from the allowed side (left) to the forbidden one "
        "(right). Draw how hard the wall pushes, &lambda;<sup>*</sup>, at every place of the bottom.",
        Curve((-1.2, 1.2), (0, 0.6), "how far the bottom lies behind the wall", "λ*"),
        push_of_the_wall,
        lambda truth: (
            "No touch, no push: up to the wall it is exactly 0. From there it grows in proportion to how far "
            f"the bottom lies behind the wall, up to {truth[1][-1]:.2f} here. A corner, but no jump."
        ),
        told_by=("explorers.lagrange(", "grows from zero"),
    ),
    Guess(
        "01-d",
        "Back to figure 7.1. On one side of the street a single point touches it, on the other side two do. Compared "
        "with the single one, the two together push",
        Choice("half as hard", "just as hard", "twice as hard"),
        two_against_one,
        lambda truth: (
            "The third number of each wall is <i>t<sub>n</sub></i>, and that of the gradient is 0. So the pushes of "
            "one class and those of the other have the same sum. This is (7.9), which comes next."
        ),
        told_by=(r"\quad (7.9)", "0.7245+0.6109", "pushes=True"),
    ),
    Guess(
        "01-e",
        "Take any point in the hull of the circles, and any in the hull of the squares. Compared with the width of the "
        "widest street, their distance is",
        Choice("never smaller", "never larger", "sometimes smaller, sometimes larger"),
        hulls_and_street,
        lambda truth: (
            "The hulls lie on either side of the street, so whoever goes from one to the other has to cross it. "
            f"(Of {len(distances_between_hulls())} pairs drawn at random the closest was "
            f"{distances_between_hulls().min():.2f} times as far apart as the street is wide.)"
        ),
        told_by=("explorers.hulls(", "upper bound"),
    ),
    Guess(
        "01-f",
        "At &gamma; = 0.5 there are 13 support vectors among the 44 points. You lower &gamma; to 0.005, so that every "
        "kernel is far wider than the picture. How many support vectors will there be?",
        Number(low=0, high=44, digits=0),
        support_vectors_of_the_widest_kernel,
        lambda truth: (
            f"Only {truth}. So wide a Gaussian acts like a polynomial of low order, here a cubic (choose "
            "<i>polynomial, degree 3</i> to compare): few numbers describe such a boundary, and few points hold it. A "
            "straight line could not do the job, and it never becomes one."
        ),
        told_by=("explorers.kernel_margin(",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def points_and_line(rng):
    """Points (N, 2) of two classes and a line (w, b), not in canonical form; often a point is on the wrong side."""
    N, w, b = int(rng.integers(5, 12)), rng.normal(size=2) * rng.uniform(0.5, 3), rng.normal()
    t = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    unit, along = w / np.linalg.norm(w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    away = t * rng.uniform(0.3, 3.0, N)
    if rng.random() < 0.8:
        away[0] *= -1
    X = (away - b / np.linalg.norm(w))[:, None] * unit + rng.normal(size=(N, 1)) * along
    return X, t, w, b


def margin_of(X, t, w, b):
    """The margin of the line w'x + b = 0: the smallest of the distances (7.2) of the points X (N, 2), labels t (N,)."""
    distances = t * (X @ w + b) / np.linalg.norm(w)  # (7.2), negative on the wrong side
    return np.min(distances)


def solved_margin(rng):
    """The kernel matrix, labels and multipliers of a solved maximum margin, (N, N), (N,), (N,)."""
    from sparsekm_edu.solvers import hard_margin, smo

    N, w, b = int(rng.integers(6, 14)), rng.normal(size=2), rng.normal()
    t = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    w /= np.linalg.norm(w)
    X = (t * rng.uniform(0.3, 2.0, N) - b)[:, None] * w + rng.normal(size=(N, 1)) * (-w[1], w[0])
    return X @ X.T, t, smo(hard_margin(X @ X.T, t)).a


def bias_of(K, t, a):
    """b of (7.18) from K (N, N), labels t (N,) and multipliers a (N,), which are zero except at support vectors."""
    S = a > 0
    without_b = K[S] @ (a * t)  # (7.13) at the support vectors, but for b
    return np.mean(t[S] - without_b)  # (7.18): there y(x_n) = t_n


TASKS = (
    Task(
        "01-margin",
        "return the smallest of the distances (7.2)",
        points_and_line,
        margin_of,
        mistakes=(
            Mistake(
                "not divided by |w|",
                lambda X, t, w, b: np.min(t * (X @ w + b)),
                "y(x) is a distance only up to the factor 1/|w|",
            ),
            Mistake(
                "divided by |w|² instead of |w|",
                lambda X, t, w, b: np.min(t * (X @ w + b)) / (w @ w),
                "the length of w is the root of w'w: np.linalg.norm",
            ),
            Mistake(
                "the labels left out",
                lambda X, t, w, b: np.min(X @ w + b) / np.linalg.norm(w),
                "on the side of t = -1 y is negative; t y is positive for every point on its own side",
            ),
            Mistake(
                "absolute values instead of t y",
                lambda X, t, w, b: np.min(np.abs(X @ w + b)) / np.linalg.norm(w),
                "a point on the wrong side must count as negative, or any line would have a margin",
            ),
            Mistake(
                "the farthest point instead of the closest",
                lambda X, t, w, b: np.max(t * (X @ w + b)) / np.linalg.norm(w),
                "the margin is the smallest of the distances",
            ),
            Mistake(
                "b left out",
                lambda X, t, w, b: np.min(t * (X @ w)) / np.linalg.norm(w),
                "y(x) = w'x + b",
            ),
        ),
        hints=(
            "X has one point in each row, so X @ w holds w'x_n of all points at once. What makes it t_n y(x_n)?",
            "Divide t * (X @ w + b) by the length of w, np.linalg.norm(w), and take the smallest.",
        ),
    ),
    Task(
        "01-bias",
        "return the mean of t_n minus the sum in (7.18) over the support vectors",
        solved_margin,
        bias_of,
        mistakes=(
            Mistake(
                "the mean over all points instead of the support vectors",
                lambda K, t, a: np.mean(t - K @ (a * t)),
                "only where a_n > 0 is t_n y(x_n) = 1, so only there does (7.17) tell what b is",
            ),
            Mistake(
                "the labels left out of the sum",
                lambda K, t, a: np.mean(t[a > 0] - K[a > 0] @ a),
                "y(x) is a sum of a_n t_n k(x, x_n), not of a_n k(x, x_n)",
            ),
            Mistake(
                "b with the wrong sign",
                lambda K, t, a: np.mean(K[a > 0] @ (a * t) - t[a > 0]),
                "t_n is what comes out, the sum what is there already: b is t_n minus the sum",
            ),
            Mistake(
                "plus instead of minus",
                lambda K, t, a: np.mean(t[a > 0] + K[a > 0] @ (a * t)),
                "the sum is there already, b is what is missing to t_n: t_n minus the sum",
            ),
            Mistake(
                "divided by the number of all points",
                lambda K, t, a: np.sum(t[a > 0] - K[a > 0] @ (a * t)) / len(t),
                "the mean is over the support vectors: as many as there are terms in the sum",
            ),
            Mistake(
                "1 instead of t_n",
                lambda K, t, a: np.mean(1 - K[a > 0] @ (a * t)),
                "on the edges y is +1 or -1: y(x_n) = t_n",
            ),
            Mistake(
                "the sum over the support vectors instead of the mean",
                lambda K, t, a: np.sum(t[a > 0] - K[a > 0] @ (a * t)),
                "every support vector tells the whole b; (7.18) takes the mean of what they say",
            ),
        ),
        hints=(
            "S = a > 0 finds the support vectors; K[S] holds their rows of K.",
            "K[S] @ (a * t) is the sum in (7.13) at the support vectors, without b. What must be added to get t[S]?",
        ),
    ),
)
