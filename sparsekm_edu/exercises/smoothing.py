"""Notebook 16: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Guess
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------


def likelihood_over_h():
    """Bandwidths h (H,), and for each sum_n ln p^(x_n) over the six points of figure 14.17, each with its own bump."""
    from sparsekm_edu.explorers.kernels.densities import SIX
    from sparsekm_edu.models import KernelDensity

    h = np.geomspace(0.01, 100, 41)
    return h, np.array([KernelDensity(each).fit(SIX).score(SIX) for each in h])


def where_the_likelihood_is_largest():
    h, values = likelihood_over_h()
    best = int(np.argmax(values))
    return 0 if best == 0 else 2 if best == len(h) - 1 else 1


def integral_of_nearest(K, reach):
    """The integral of K / (N V(x)) over |x| <= reach, (14.79) for one class, on the six points of figure 14.17."""
    from sparsekm_edu.explorers.kernels.densities import SIX

    near = np.linspace(-10, 10, 200_001)
    far = np.geomspace(10, reach, 200_001)
    total = 0.0
    for x in (near, far, -far[::-1]):
        radius = np.sort(np.abs(x[:, None] - SIX[:, 0]), axis=1)[:, K - 1]
        total += np.trapezoid(K / (len(SIX) * 2 * radius), x)
    return float(total)


def is_nearest_a_density():
    """The integral up to 1e3, 1e6 and 1e9: does it settle, and where?"""
    values = [integral_of_nearest(3, reach) for reach in (1e3, 1e6, 1e9)]
    if (
        np.diff(values)[1] > 0.5 * np.diff(values)[0]
    ):  # each factor of a thousand adds as much as the last one
        return 2
    return 0 if abs(values[-1] - 1) < 0.01 else 1


def nearest_neighbour(x, X, t):
    return t[np.abs(x[:, None] - X[:, 0]).argmin(axis=1)]


def narrow_windows():
    """RMS distances of the curve at the least h of `local_fit` from straight pieces, steps, and the mean of all."""
    from sparsekm_edu.explorers.kernels.local_fits import GRID, LEAST_H, LocalFitExplorer, LocalFitState

    state = LocalFitState(h=LEAST_H)
    x, t = state.X[:, 0], state.t
    curve = LocalFitExplorer.compute(state).curves[0]
    candidates = np.interp(GRID, x, t), nearest_neighbour(GRID, state.X, t), np.full(len(GRID), t.mean())
    return [float(np.sqrt(np.mean((curve - each) ** 2))) for each in candidates]


def ten_times_as_large():
    """By which factor sqrt(h_x h_y) of the rule grows if all x are multiplied by 10."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels.windows import rule_of_thumb

    X, t = datasets.rising_wave()
    before, after = (np.sqrt(rule_of_thumb(scale * X) * rule_of_thumb(t)) for scale in (1, 10))
    return after / before


def end_of_a_straight_line(h=10.0):
    """Nadaraya-Watson minus truth at the ends of the line y = x / 25, at the 60 inputs of `rising_wave`."""
    from sparsekm_edu import datasets
    from sparsekm_edu.models import NadarayaWatson

    X, _ = datasets.rising_wave()
    return NadarayaWatson(h).fit(X, X[:, 0] / 25).predict([[0.0], [100.0]]) - (0.0, 4.0)


def twice_the_noise():
    """How many times as large the averages of squared bias and variance are with twice the noise at one h, and the best
    h before and after."""
    from sparsekm_edu.explorers.kernels.local_fits import BiasVarianceExplorer, BiasVarianceState

    before, after = (BiasVarianceExplorer.compute(BiasVarianceState(noise=noise)) for noise in (0.4, 0.8))
    return [*(after.at_h / before.at_h), before.best_h, after.best_h]


GUESSES = (
    Guess(
        "16-a",
        "Choose the bandwidth <i>h</i> of a density estimate with Gaussian windows by maximum likelihood: the <i>h</i> "
        "for which the estimate gives the six points themselves the largest probability density. Which one is it?",
        Choice("as small as you let it be", "one in between", "as large as you let it be"),
        where_the_likelihood_is_largest,
        lambda truth: (
            "The log likelihood is {2:.1f} at <i>h</i> = 1, {1:.1f} at <i>h</i> = 0.1 and {0:.1f} at <i>h</i> = 0.01, "
            "and so on without end: every point stands under the top of a bump of its own, and narrow bumps are high. "
            "A point must not vote for itself. Leave it out when you ask how likely it is: that is leave-one-out, "
            "below.".format(*likelihood_over_h()[1][:21:10])
        ),
        told_by=("explorers.parzen_windows(",),
    ),
    Guess(
        "16-b",
        "Take one class only, points on a line. The estimate by neighbours is <i>K</i> / (<i>N V</i>(<i>x</i>)), where "
        "the interval of length <i>V</i>(<i>x</i>) around <i>x</i> just reaches the <i>K</i>th neighbour. What is its "
        "integral over all <i>x</i>?",
        Choice("1", "some other number", "infinite"),
        is_nearest_a_density,
        lambda truth: (
            "For the six points above and <i>K</i> = 3 the integral up to |<i>x</i>| = 10³, 10⁶, 10⁹ is {:.1f}, "
            "{:.1f}, {:.1f}: each time as much is added. Far away <i>V</i>(<i>x</i>) ≈ 2|<i>x</i>|, and 1/|<i>x</i>| "
            "has no finite integral. (For <i>K</i> = 1 it is infinite near every data point already, as <i>V</i> is 0 "
            "there.) Neighbours give no density. Their posterior is fine, because <i>V</i> cancels.".format(
                *(integral_of_nearest(3, reach) for reach in (1e3, 1e6, 1e9))
            )
        ),
        told_by=("their integral is infinite",),
    ),
    Guess(
        "16-c",
        "Somebody gives you the same points with <i>x</i> in millimetres instead of centimetres: every <i>x</i> is ten "
        "times as large. You apply the same rule, <i>h</i> = √(<i>h<sub>x</sub>h<sub>y</sub></i>). What does the curve "
        "look like now?",
        Choice("rougher than before", "just the same", "smoother than before"),
        lambda: 1 + int(np.sign(np.round(ten_times_as_large() - 10, 6))),
        lambda truth: (
            f"The same curve would need 10 times the bandwidth, and the rule gives {ten_times_as_large():.2f} times: "
            "<i>h<sub>x</sub></i> grows by 10, <i>h<sub>y</sub></i> not at all, and the root of their product by √10. "
            "So the window is narrower beside the data, and the curve rougher. A bandwidth is a length along <i>x</i>; "
            "nothing that mixes it with the unit of <i>y</i> can be right in all units."
        ),
        told_by=("in_other_units",),
    ),
    Guess(
        "16-d",
        "Kernel regression with a Gaussian window: you make the bandwidth <i>h</i> very small. What does the curve "
        "look like <i>between</i> two neighbouring points?",
        Choice(
            "a straight piece from one to the other",
            "a step: the value of the nearer point",
            "it falls back to the mean of all points",
        ),
        lambda: int(np.argmin(narrow_windows())),
        lambda truth: (
            "Distances at <i>h</i> = 0.1: from straight pieces {:.2f}, from steps {:.2f}, from the mean {:.2f}. "
            "Both windows are almost 0 there, but what counts is their ratio, "
            "exp((<i>d</i>₂² − <i>d</i>₁²) / 2<i>h</i>²): the nearer point takes all.".format(
                *narrow_windows()
            )
        ),
        told_by=("explorers.local_fit(",),
    ),
    Guess(
        "16-e",
        "Sixty points exactly on a rising straight line, no noise at all. Kernel regression averages them with a "
        "Gaussian window. At the <i>left</i> end of the data its curve is",
        Choice("too low", "right", "too high"),
        lambda: 1 + int(np.sign(end_of_a_straight_line()[0])),
        lambda truth: (
            "With <i>h</i> = 10 it is {:+.2f} off at the left end and {:+.2f} at the right one. At the left end all "
            "neighbours are to the right, hence higher. The average of what lies on one side is not what lies "
            "here.".format(*end_of_a_straight_line())
        ),
        told_by=("figures.figure_straight_line(", "explorers.bias_variance("),
    ),
    Guess(
        "16-f",
        "The noise becomes twice as strong, σ = 0.8 instead of 0.4. What happens to the <i>best</i> bandwidth of "
        "kernel regression, that with the least bias² + variance, averaged over <i>x</i>?",
        Choice("it becomes smaller", "it stays", "it becomes larger"),
        lambda: 1 + int(np.sign(np.subtract(*twice_the_noise()[:1:-1]))),
        lambda truth: (
            "It moves from {2:.1f} to {3:.1f}. At a given <i>h</i> the squared bias is {0:.1f} times what it was, as "
            "the noise does not appear in it, and the variance {1:.1f} times: now it is worth more to average over "
            "many.".format(*twice_the_noise())
        ),
        told_by=("explorers.bias_variance(",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def places_and_points(rng):
    """x (M,), X (N,), y (N,) and h: M and N differ, and so do h and 1."""
    M, N = rng.permutation([3, 5]) + rng.integers(0, 2)
    h = float(rng.choice([rng.uniform(0.3, 0.7), rng.uniform(1.5, 2.5)]))
    return rng.uniform(0, 4, size=M), rng.uniform(0, 4, size=N), rng.normal(size=N) + 1.0, h


def nadaraya_watson(x, X, y, h):
    """f^(x) (M,) at the places x (M,), from points X, y (N,) each and Gaussian windows of bandwidth h."""
    kappa = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
    return kappa @ y / kappa.sum(axis=1)  # (14.85)


def averaged_with(exponent):
    """Kernel regression with exp(exponent(d, h)) for a window, d the distances."""

    def wrong(x, X, y, h):
        kappa = np.exp(exponent(np.abs(x[:, None] - X), h))
        return kappa @ y / kappa.sum(axis=1)

    return wrong


def boxcar_average(x, X, y, h):
    inside = (np.abs(x[:, None] - X) <= h) * 1.0
    with np.errstate(invalid="ignore"):
        return inside @ y / inside.sum(axis=1)


def gaussian(x, X, h):
    return np.exp(-((x[:, None] - X) ** 2) / (2 * h**2)) / np.sqrt(2 * np.pi * h**2)


def place_and_points(rng):
    """x0, X (N,) with more points on its right, so that some weights are negative, and h; 0 is far from x0, so that it
    matters where the line is read."""
    x0, h = float(rng.uniform(2, 4)), float(rng.uniform(0.5, 1.2))
    return x0, x0 + h * rng.uniform(-0.8, 2.4, size=int(rng.integers(5, 8))), h


def line_weights(x0, X, h):
    """The weights w (N,) with f^(x0) = w'y, of a line fitted around x0 with Gaussian windows; X (N,)."""
    Phi = np.column_stack([np.ones(len(X)), X - x0])
    D = np.diag(np.exp(-((X - x0) ** 2) / (2 * h**2)))
    return (np.linalg.inv(Phi.T @ D @ Phi) @ Phi.T @ D)[0]  # phi(x0) = (1, 0) since x0 is the origin


def solved_with(Phi_of, D_of, row):
    """Rows of (Phi'D Phi)^-1 Phi'D, in wrong ways: Phi_of(d, X) (N, 2), D_of(kappa) (N,), row(R, x0) (N,)."""

    def wrong(x0, X, h):
        d = X - x0
        Phi, D = Phi_of(d, X), np.diag(D_of(np.exp(-(d**2) / (2 * h**2))))
        return row(np.linalg.pinv(Phi.T @ D @ Phi) @ Phi.T @ D, x0)

    return wrong


def centred(d, X):
    return np.column_stack([np.ones(len(d)), d])


def as_it_is(d, X):
    return np.column_stack([np.ones(len(d)), X])


def smoother_and_outputs(rng):
    """W (N, N), rows of weights that sum to 1, and y (N,)."""
    X = rng.uniform(0, 4, size=int(rng.integers(5, 9)))
    W = gaussian(X, X, rng.uniform(0.4, 1.0))
    return W / W.sum(axis=1, keepdims=True), rng.normal(size=len(X)) + 2.0


def leave_one_out(W, y):
    """The mean squared leave-one-out error of the smoother f^ = W y; W (N, N), y (N,)."""
    return float(np.mean(((y - W @ y) / (1 - np.diag(W))) ** 2))


TASKS = (
    Task(
        "16-nadaraya",
        "return the M values of (14.85) with Gaussian windows; no loop is needed",
        places_and_points,
        nadaraya_watson,
        mistakes=(
            Mistake(
                "divided by N",
                lambda x, X, y, h: gaussian(x, X, h) @ y / len(X),
                "that is the numerator of (14.82) alone; divide by the sum of the same windows, not by N",
            ),
            Mistake(
                "windows of height 1, divided by N",
                lambda x, X, y, h: np.exp(-((x[:, None] - X) ** 2) / (2 * h**2)) @ y / len(X),
                "divide by the sum of the windows, not by N: an average needs weights that sum to 1",
            ),
            Mistake(
                "windows of area 1, not divided",
                lambda x, X, y, h: gaussian(x, X, h) @ y,
                "a window has area 1, but the weights of all points must sum to 1: divide by the sum of the windows",
            ),
            Mistake(
                "without h",
                averaged_with(lambda d, h: -(d**2) / 2),
                "the bandwidth plays no part: u = (x - X_i) / h",
            ),
            Mistake(
                "another window",
                lambda x, X, y, h: boxcar_average(x, X, y, h),
                "this is the boxcar, which counts who is within h; the Gaussian (14.70) is asked for",
            ),
            Mistake(
                "not divided at all",
                lambda x, X, y, h: np.exp(-((x[:, None] - X) ** 2) / (2 * h**2)) @ y,
                "an average needs weights that sum to 1",
            ),
            Mistake(
                "the sum over the wrong axis",
                lambda x, X, y, h: (gaussian(x, X, h) / gaussian(x, X, h).sum(axis=0)) @ y,
                "for each place the weights of all points must sum to 1: sum over axis 1",
            ),
            Mistake(
                "one sum for all places",
                lambda x, X, y, h: gaussian(x, X, h) @ y / gaussian(x, X, h).sum(),
                "each place has a sum of its own: axis=1",
            ),
            Mistake(
                "h instead of h²", averaged_with(lambda d, h: -(d**2) / (2 * h)), "h is a length: square it"
            ),
            Mistake(
                "h² instead of 2h²",
                averaged_with(lambda d, h: -(d**2) / h**2),
                "the Gaussian (14.70) has x²/2, so the exponent is d² / (2h²)",
            ),
            Mistake(
                "/ 2 * h**2 without brackets",
                averaged_with(lambda d, h: -(d**2) / 2 * h**2),
                "Python divides by 2 and then multiplies by h²: write / (2 * h**2)",
            ),
            Mistake(
                "the distance not squared",
                averaged_with(lambda d, h: -d / (2 * h**2)),
                "the exponent holds the squared distance",
            ),
            Mistake(
                "the mean of all points",
                lambda x, X, y, h: np.full(len(x), y.mean()),
                "near points count more: the windows must play a part",
            ),
            Mistake(
                "the density instead of the average",
                lambda x, X, y, h: gaussian(x, X, h).mean(axis=1),
                "this is (14.78); the outputs y must appear in the numerator",
            ),
        ),
        hints=(
            "x[:, None] - X has shape (M, N): the distances of all places from all points. Make windows of them.",
            "With kappa (M, N): kappa @ y is the numerator, kappa.sum(axis=1) the denominator.",
        ),
    ),
    Task(
        "16-line-weights",
        "return the N weights with which a local line at x0 listens to the outputs",
        place_and_points,
        line_weights,
        mistakes=(
            Mistake(
                "the intercept of a line in X",
                solved_with(as_it_is, lambda k: k, lambda R, x0: R[0]),
                "the first row predicts at x = 0; multiply by phi(x0) = (1, x0), or measure x from x0",
            ),
            Mistake(
                "the slope",
                solved_with(centred, lambda k: k, lambda R, x0: R[1]),
                "that is the row of the slope; the prediction is phi(x0)'beta",
            ),
            Mistake(
                "Nadaraya-Watson",
                lambda x0, X, h: gaussian(np.array([x0]), X, h)[0] / gaussian(np.array([x0]), X, h).sum(),
                "this fits a constant; Phi needs a second column",
            ),
            Mistake(
                "the windows squared",
                solved_with(centred, lambda k: k**2, lambda R, x0: R[0]),
                "(14.94) weights the squared errors by kappa; only its root goes to Phi and to y",
            ),
            Mistake(
                "D forgotten in the inverse",
                lambda x0, X, h: (np.linalg.pinv(centred(X - x0, X)) * np.exp(-((X - x0) ** 2) / (2 * h**2)))[
                    0
                ],
                "D stands twice in (14.95): also between Phi' and Phi, in what is inverted",
            ),
            Mistake(
                "D forgotten after the inverse",
                lambda x0, X, h: line_weights(x0, X, h) * np.exp((X - x0) ** 2 / (2 * h**2)),
                "D stands twice in (14.95): also at the end, before y",
            ),
            Mistake(
                "negative weights cut off",
                lambda x0, X, h: np.maximum(line_weights(x0, X, h), 0.0),
                "some weights are negative, and have to be: without them a straight line would not come back",
            ),
            Mistake(
                "no windows",
                solved_with(centred, np.ones_like, lambda R, x0: R[0]),
                "the points near x0 must count more: D holds the windows",
            ),
            Mistake(
                "(1, x0) on a line measured from x0",
                solved_with(centred, lambda k: k, lambda R, x0: R[0] + x0 * R[1]),
                "if x is measured from x0, then phi(x0) is (1, 0)",
            ),
            Mistake(
                "both rows added",
                solved_with(centred, lambda k: k, lambda R, x0: R.sum(axis=0)),
                "phi(x0) says how much of the intercept and of the slope is needed",
            ),
            Mistake(
                "a line through the origin",
                lambda x0, X, h: (
                    x0 * X * gaussian(np.array([x0]), X, h)[0] / (gaussian(np.array([x0]), X, h)[0] @ X**2)
                ),
                "Phi needs its column of ones",
            ),
        ),
        hints=(
            "Phi = np.column_stack([np.ones(len(X)), X - x0]): measured from x0, the prediction is the intercept.",
            "D = np.diag(kappa). np.linalg.inv(Phi.T @ D @ Phi) @ Phi.T @ D has shape (2, N). Which row is it?",
        ),
    ),
    Task(
        "16-loo",
        "return the mean squared error on points left out, from W and y alone",
        smoother_and_outputs,
        leave_one_out,
        mistakes=(
            Mistake(
                "the training error",
                lambda W, y: float(np.mean((y - W @ y) ** 2)),
                "each point still votes for itself: divide by 1 - W_nn",
            ),
            Mistake(
                "own vote taken away, nothing divided",
                lambda W, y: float(np.mean((y - (W - np.diag(np.diag(W))) @ y) ** 2)),
                "the weights that are left sum to 1 - W_nn only; they must sum to 1 again",
            ),
            Mistake(
                "divided after the mean",
                lambda W, y: float(np.mean((y - W @ y) ** 2) / (1 - np.trace(W) / len(y)) ** 2),
                "this is generalised cross-validation; here every point has its own 1 - W_nn",
            ),
            Mistake(
                "divided outside of the square",
                lambda W, y: float(np.mean((y - W @ y) ** 2 / (1 - np.diag(W)))),
                "the residual is divided, then squared",
            ),
            Mistake(
                "W transposed",
                lambda W, y: float(np.mean(((y - W.T @ y) / (1 - np.diag(W))) ** 2)),
                "row n of W holds the weights at x_n: the predictions are W y",
            ),
            Mistake(
                "multiplied",
                lambda W, y: float(np.mean(((y - W @ y) * (1 - np.diag(W))) ** 2)),
                "without its own vote a point is predicted worse: the residual grows",
            ),
            Mistake(
                "the sum instead of the mean",
                lambda W, y: len(y) * leave_one_out(W, y),
                "divide by N",
            ),
            Mistake(
                "the root",
                lambda W, y: leave_one_out(W, y) ** 0.5,
                "the mean square is asked for, without a root",
            ),
            Mistake(
                "absolute values",
                lambda W, y: float(np.mean(np.abs((y - W @ y) / (1 - np.diag(W))))),
                "square the residuals",
            ),
        ),
        hints=(
            "W @ y are the N predictions, np.diag(W) the N weights that points give themselves.",
            "Divide each residual by its own 1 - W_nn, then square, then take the mean.",
        ),
    ),
)
