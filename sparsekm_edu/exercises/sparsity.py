"""Notebook 10: guesses and cells to fill."""

import numpy as np

from sparsekm_edu.exercises.guesses import Choice, Curve, Guess, Number
from sparsekm_edu.exercises.tasks import Mistake, Task

# ---- guesses --------------------------------------------------------------------------------------------
PHI, TARGETS = (-0.3, 1.2), (1.6, 0.8)  # of figure 7.10 in the notebook


def seen(**fields):
    """The picture of `explorers.sparsity` in this state."""
    from sparsekm_edu.explorers.rvm.sparsity import SparsityExplorer, SparsityState

    return SparsityExplorer.compute(SparsityState(**fields))


def figure_7_10():
    """The gain of the best finite alpha at equal |C|, over a wide range; and the angle from phi to t in degrees."""
    x, y = PHI
    picture = seen(angle=float(np.degrees(np.arctan2(y, x))), length=float(np.hypot(x, y)), t=TARGETS)
    return picture.same_volume.max(), picture.facts["angle from φ to t"]


def any_alpha_better():
    gain, _ = figure_7_10()
    return 0 if gain > 1e-9 else 1 if gain < -1e-9 else 2


def lambda_of_figure_7_11():
    """ln alpha and lambda(alpha) for q^2 = 4 and s = 1."""
    ln_alpha = np.linspace(-5, 5, 161)
    return ln_alpha, seen(given="numbers", fitted=False, q2=4.0, s=1.0).lam(np.exp(ln_alpha))


def angle_of_no_gain():
    """The angle between phi and t, in degrees, at which the best alpha becomes infinite; by bisection."""
    low, high = 0.0, 90.0  # t points to the right
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (
            (middle, high) if np.isfinite(seen(angle=middle, t=(1.5, 0.0)).lam.best) else (low, middle)
        )
    return (low + high) / 2


def run(**fields):
    """The steps of the player in this state, from the empty model to the end."""
    from sparsekm_edu.explorers.rvm.sequential import LONGEST, SequentialState, run_of

    return run_of(SequentialState(**fields)).steps(LONGEST)


def own_point():
    """How many decades q^2 and s of a function move by its own action, at most; and those of the others."""
    own, others = [], []
    steps = run()
    for before, after in zip(steps, steps[1:], strict=False):
        if after.index is None:
            continue
        moves = np.abs(np.log10([after.q**2 / before.q**2, after.s / before.s])).max(axis=0)
        own.append(moves[after.index])
        others.append(np.delete(moves, after.index).max())
    return max(own), max(others)


def where_the_point_goes():
    own, _ = own_point()
    return 2 if own < 1e-6 else 1


def ends_of_all_starts():
    """The functions at the end, for every function that may begin; and the passes that it takes."""
    ends = [run(choices=((0, i),))[-1] for i in range(len(run()[0].q))]
    return [tuple(np.flatnonzero(end.active)) for end in ends], [end.passes for end in ends]


def starts_with_the_same_end():
    """From how many starts the run ends as the greedy one does."""
    ends, _ = ends_of_all_starts()
    greedy = tuple(np.flatnonzero(run()[-1].active))
    return sum(end == greedy for end in ends)


def explain_starts(_):
    ends, passes = ends_of_all_starts()
    last = ", ".join(f"φ<sub>{i}</sub>" for i in ends[0])
    return (
        f"All of these runs end with {last}. A bad start costs time, not height: {min(passes)} passes from the best "
        f"one, {max(passes)} from the slowest. (One function lies below the line and is not let in; then the greatest "
        "gain begins.) That is no law. With other data or widths the end can depend on the order."
    )


def spline_ends():
    """The log evidence at the end of the box, and of the run that waits with step 8, on Tipping's splines."""
    from sparsekm_edu import datasets
    from sparsekm_edu.kernels import LinearSpline
    from sparsekm_edu.solvers import sequential

    X, t = datasets.sinc(100, noise=0.2)
    Phi = np.column_stack([LinearSpline()(X + 10), np.ones(100)])
    return [sequential(Phi, t, schedule=schedule).log_evidence for schedule in ("book", "patient")]


def noise_early_or_late():
    book, patient = spline_ends()
    return 0 if book > patient + 1 else 2 if book < patient - 1 else 1


GUESSES = (
    Guess(
        "10-a",
        "The vector φ and the data <b>t</b> are more than 70° apart. Both clouds have the same area; the one with φ is "
        "longer in its direction, and you may choose α, that is, how much longer. Can it make the data more probable "
        "than the round cloud does?",
        Choice("yes, with the right α", "no, whatever α is", "they are always equal"),
        any_alpha_better,
        lambda truth: (
            f"Every finite α loses. A longer cloud is thinner everywhere else, and <b>t</b>, {figure_7_10()[1]} away "
            "from φ, lies there. The larger α, the smaller the loss: best of all is α = ∞, without φ."
        ),
        told_by=("figures.figure_7_10(", "Whatever finite"),
    ),
    Guess(
        "10-b",
        "Take <i>q</i>² = 4 and <i>s</i> = 1. At the left end, ln α = −5, the price is −2.50 and the reward 1.99; to "
        "the right both go to 0. Draw their sum λ(α).",
        Curve((-5, 5), (-4, 2), "ln α", "λ(α)"),
        lambda_of_figure_7_11,
        lambda truth: (
            f"It starts below zero, as the price is unbounded and the reward is not. In between it has one hill, "
            f"{truth[1].max():.2f} high, and then comes down to 0 from above."
        ),
        told_by=("figures.figure_7_11(", "0.8069"),
    ),
    Guess(
        "10-c",
        "You turn φ slowly towards <b>t</b>; the noise is the most probable one. Below which angle between them does "
        "the evidence want φ in the model?",
        Number(unit="degrees", low=0, high=90, digits=0, within=0.03),
        angle_of_no_gain,
        lambda truth: (
            f"At {truth:.0f}°. With 1/β = |<b>t</b>|²/2 the ratio <i>q</i>²/<i>s</i> is 2 cos²θ, which is 1 there, and "
            "the best α, <i>s</i>/cos 2θ, comes down from infinity."
        ),
        told_by=("explorers.sparsity(",),
    ),
    Guess(
        "10-d",
        "A function joins the model with its best α. Where does its own point (<i>s</i>, <i>q</i>²) go in the plane?",
        Choice("down to the line", "somewhere else, as all the others do", "nowhere: it stays where it was"),
        where_the_point_goes,
        lambda truth: (
            "Neither <i>q<sub>i</sub></i> nor <i>s<sub>i</sub></i> knows α<sub><i>i</i></sub>: both are computed "
            f"without function <i>i</i>. The others move, by up to {own_point()[1]:.1f} powers of ten in one action."
        ),
        told_by=("figures.figure_q_s_plane(", "One point never moves"),
    ),
    Guess(
        "10-e",
        "You play step 4 and choose the first function; from then on the greatest gain chooses. Any of the 11 "
        "functions may begin. From how many of these starts will the run on the ten points end with the functions that "
        "the greatest gain alone ends with?",
        Number(low=0, high=11, digits=0),
        starts_with_the_same_end,
        explain_starts,
        told_by=("explorers.sequential_player(",),
    ),
    Guess(
        "10-f",
        "Tipping's noisy sinc with his kernel, linear splines, 100 points. The box learns the noise after each action. "
        "A more patient run waits until ten functions are in. Where does the box end?",
        Choice("higher", "about as high", "lower, by a nat or more"),
        noise_early_or_late,
        lambda truth: (
            "Far lower: at {:.1f}, the patient run at {:.1f}. After two functions all the rest of the curve looks like "
            "noise, the box says so, and from then on nobody lies above the line.".format(*spline_ends())
        ),
        told_by=("figures.figure_schedules(",),
    ),
)


# ---- cells to fill --------------------------------------------------------------------------------------


def letters(rng):
    """Q, S and alpha of some functions, members and others."""
    M = int(rng.integers(5, 9))
    q, s, alpha = 3 * rng.normal(size=M), rng.uniform(0.5, 5, M), rng.uniform(0.5, 5, M)
    alpha[rng.permutation(M)[: M // 2]] = np.inf
    shrunk = 1 / (1 + s / alpha)  # (7.104)-(7.105) the other way round
    return shrunk * q, shrunk * s, alpha


def small_letters(Q, S, alpha):
    """q and s (M,) from Q, S and alpha (M,), (7.104)-(7.105). Outside the model, alpha = infinity, q = Q and s = S."""
    q, s, inside = Q.copy(), S.copy(), np.isfinite(alpha)
    factor = alpha[inside] / (alpha[inside] - S[inside])
    q[inside] = factor * Q[inside]  # (7.104)
    s[inside] = factor * S[inside]  # (7.105)
    return q, s


def with_factor(factor):
    """The wrong answers that differ in the factor alone."""

    def wrong(Q, S, alpha):
        inside = np.isfinite(alpha)
        factors = np.ones(len(Q))
        factors[inside] = factor(S[inside], alpha[inside])
        return factors * Q, factors * S

    return wrong


def inside_only(Q, S, alpha):
    """0 outside, where nothing was filled in."""
    q, s = small_letters(Q, S, alpha)
    return np.where(np.isfinite(alpha), q, 0.0), np.where(np.isfinite(alpha), s, 0.0)


def quality_only(Q, S, alpha):
    return small_letters(Q, S, alpha)[0], S


def one_function(rng):
    """q, s and alpha of a function: a member or not, above the line or below."""
    s, above, inside = rng.uniform(0.5, 5), rng.random() < 0.6, rng.random() < 0.5
    q2 = s * (rng.uniform(1.2, 4) if above else rng.uniform(0.1, 0.9))
    q = np.sqrt(q2) * rng.choice([-1.0, 1.0])
    return float(q), float(s), float(rng.uniform(0.5, 5)) if inside else np.inf


def act(q, s, alpha):
    """One action of the box on a function: its name, "add", "re-estimate", "delete" or "none", and the new alpha."""
    if q**2 > s and alpha < np.inf:
        return "re-estimate", s**2 / (q**2 - s)  # 5.
    if q**2 > s:
        return "add", s**2 / (q**2 - s)  # 6.
    if alpha < np.inf:
        return "delete", np.inf  # 7.
    return "none", np.inf


def act_with(alpha_of, above=lambda q, s: q**2 > s):
    """The wrong answers that differ in (7.101), or in when it holds."""

    def wrong(q, s, alpha):
        name = ("add", "re-estimate")[alpha < np.inf] if above(q, s) else ("none", "delete")[alpha < np.inf]
        return name, alpha_of(q, s) if above(q, s) else np.inf

    return wrong


def best(q, s):
    return s**2 / (q**2 - s)


TASKS = (
    Task(
        "10-small",
        "return q and s by (7.104) and (7.105), and q = Q, s = S where alpha is infinite",
        letters,
        small_letters,
        mistakes=(
            Mistake(
                "alpha + S instead of alpha - S",
                with_factor(lambda S, alpha: alpha / (alpha + S)),
                "taking a function out of the model makes q and s larger, so the factor must be greater than 1",
            ),
            Mistake(
                "S - alpha instead of alpha - S",
                with_factor(lambda S, alpha: alpha / (S - alpha)),
                "s is a length squared in the metric of C and cannot be negative",
            ),
            Mistake(
                "nan outside the model",
                lambda Q, S, alpha: (alpha * Q / (alpha - S), alpha * S / (alpha - S)),
                "infinity over infinity is nan; there q = Q and s = S, so use np.isfinite(alpha)",
            ),
            Mistake(
                "nothing outside the model",
                inside_only,
                "functions that are not in the model have a q and an s as well: Q and S themselves",
            ),
            Mistake(
                "the capital letters everywhere",
                lambda Q, S, alpha: (Q, S),
                "for a member Q and S are seen from the model with the function itself in it",
            ),
            Mistake(
                "alpha left out of the numerator",
                with_factor(lambda S, alpha: 1 / (alpha - S)),
                "the factor is alpha / (alpha - S), which tends to 1 for large alpha",
            ),
            Mistake("s is still S", quality_only, "both letters get the same factor"),
            Mistake(
                "q and s the wrong way round",
                lambda Q, S, alpha: small_letters(Q, S, alpha)[::-1],
                "first the quality q, then the sparsity s",
            ),
        ),
        hints=(
            "Members are where np.isfinite(alpha). Begin with copies, q, s = Q.copy(), S.copy(), and change those.",
            "The factor alpha / (alpha - S) is the same for q and for s. Take it for the members alone.",
        ),
    ),
    Task(
        "10-action",
        'return the name of the action, "add", "re-estimate", "delete" or "none", and the new alpha',
        one_function,
        act,
        mistakes=(
            Mistake(
                "s instead of s² in (7.101)",
                act_with(lambda q, s: s / (q**2 - s)),
                "alpha* = s² / (q² - s); the square got lost in a copy",
            ),
            Mistake(
                "q instead of q²",
                act_with(lambda q, s: s**2 / (q - s), lambda q, s: q > s),
                "a negative q is as good as a positive one; compare q² with s",
            ),
            Mistake(
                "q compared with s, instead of q²",
                act_with(best, lambda q, s: q > s),
                "a negative q is as good as a positive one; compare q² with s",
            ),
            Mistake(
                "s - q² instead of q² - s",
                act_with(lambda q, s: s**2 / (s - q**2)),
                "a precision is positive: the denominator is q² - s",
            ),
            Mistake(
                "the wrong side of the line",
                act_with(best, lambda q, s: q**2 <= s),
                "a function belongs in the model if q² is greater than s",
            ),
            Mistake(
                "add and re-estimate mixed up",
                lambda q, s, alpha: (
                    {"add": "re-estimate", "re-estimate": "add"}.get((name := act(q, s, alpha)[0]), name),
                    act(q, s, alpha)[1],
                ),
                "alpha is infinite for a function that is not in the model yet",
            ),
            Mistake(
                "a deleted function keeps its alpha",
                lambda q, s, alpha: (act(q, s, alpha)[0], best(q, s) if q**2 > s else alpha),
                "to delete a function is to set its alpha to np.inf",
            ),
            Mistake(
                "0 instead of infinity",
                lambda q, s, alpha: (act(q, s, alpha)[0], best(q, s) if q**2 > s else 0.0),
                "a weight with alpha = 0 may be anything; outside the model it is 0 for sure, and alpha is np.inf",
            ),
            Mistake(
                "re-estimate without its hyphen",
                lambda q, s, alpha: (act(q, s, alpha)[0].replace("-", ""), act(q, s, alpha)[1]),
                'the four words are "add", "re-estimate", "delete" and "none"',
            ),
            Mistake(
                "nothing to delete is deleted",
                lambda q, s, alpha: ("delete", np.inf) if q**2 <= s else act(q, s, alpha),
                'below the line and outside no action is required: "none"',
            ),
        ),
        hints=(
            "Two questions: is q² > s, and is alpha < np.inf? Each pair of answers is one of the four actions.",
            "If q² > s the new alpha is s² / (q² - s), whether the function joins or stays; else it is np.inf.",
        ),
        instances=30,
    ),
)
