"""The relevance vector machine as a classifier: PRML figure 7.12, its training, and where a kernel is worth its place.

The outputs a(x) = w' phi(x) at the most probable weights are the plug-in log odds of class +1: y(x) = sigma(a(x)),
(7.108). Averaged over the posterior of the weights, the log odds are kappa a(x), closer to 0: (4.155).
"""

import numpy as np
from matplotlib.ticker import NullLocator

from sparsekm_edu.figures.layers import (
    SMALL,
    Boundary,
    Grips,
    Label,
    Points,
    Probabilities,
    Rings,
    Surface,
    View,
    curve,
    dot,
    grid_over,
    legend,
    two_classes,
)
from sparsekm_edu.figures.style import WIDE, describe, dress, palette_of

CERTAIN = 100.0  # log odds beyond this are drawn at the edge
SMALL_ODDS = 3.0  # up to here the axis of log odds is linear, beyond logarithmic
ODDS_TICKS = [-100, -30, -10, -3, 0, 3, 10, 30, 100]
SURE = float(np.log(99))  # log odds of 99 %
LOG_ODDS = {"plug-in": "plug-in log odds a = wᵀφ(x)", "averaged": "averaged log odds κ(σ²) a"}  # in words
ROWS = {"all points": 2.0, "SVs": 1.0, "RVs": 0.0}  # of the strip


# ---- figure 7.12 ----------------------------------------------------------------------------------------
class RelevanceMachine(View):
    """Figure 7.12: boundary and relevance vectors; probabilities as colours; and how far from the boundary they sit."""

    def __init__(self, plane, colours, strip):
        super().__init__(plane, colours, strip)
        dress(plane, WIDE, "$x_1$", "$x_2$", "relevance vectors", equal=True)
        dress(colours, WIDE, "$x_1$", "", "probability, dashed: 99 %", equal=True)
        dress(strip, title=" ")  # room for which log odds these are
        axis_of_log_odds(strip)
        strip.set_ylim(-0.6, 2.6)
        strip.set_yticks(list(ROWS.values()), list(ROWS))
        strip.tick_params(axis="y", length=0, labelsize=12)
        strip.axvline(0.0, color=palette_of(strip).ink, linewidth=2.0, zorder=1)
        self.boundary = self.add(Boundary(plane))
        self.other = self.add(Boundary(plane, "own", 1.8, "--"))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.support = self.add(Rings(plane, "own", 150))
        self.support.artists[0].set_linewidth(1.2)
        self.ink = self.add(Probabilities(colours))
        self.sure = self.add(Boundary(colours, "own", 1.8, "--"))
        self.seen = self.add(Points(colours))
        self.seen_rings = self.add(Rings(colours))
        self.on_strip = self.add(Points(strip, size=SMALL))
        above = {"ha": "center", "transform": strip.transAxes, "fontsize": 13, "color": palette_of(strip).ink}
        self.what = self.add(strip.text(0.5, 1.03, "", **above))

    def update(self, X, t, grid, odds, relevance, at_points, support, probability, other=None):
        """The machine with log odds `odds` on the grid (x1, x2) and at_points (N,).

        probability: a key of LOG_ODDS, which of the two these are; relevance, support: indices of its relevance
        vectors, and of the support vectors of figure 7.4's machine on the same points; other: y(x) of that machine on
        the grid, None not to draw it.
        """
        self.boundary.update(*grid, odds)
        self.other.artists[0].set_visible(other is not None)
        self.support.update(X[support] if other is not None else [])
        if other is not None:
            self.other.update(*grid, other)
        self.points.update(X, t)
        self.rings.update(X[relevance])
        self.ink.update(*grid, two_classes(odds))
        self.sure.update(*grid, np.abs(odds) - SURE)
        self.seen.update(X[relevance], t[relevance])  # all points would hide the ink
        self.seen_rings.update(X[relevance])
        rows = [
            (np.arange(len(t)), ROWS["all points"]),
            (support, ROWS["SVs"]),
            (relevance, ROWS["RVs"]),
        ]
        who = np.concatenate([members for members, _ in rows]).astype(int)
        height = np.concatenate([np.full(len(members), row) for members, row in rows])
        self.on_strip.update(np.column_stack([np.clip(at_points[who], -CERTAIN, CERTAIN), height]), t[who])
        self.what.set_text(LOG_ODDS[probability])
        wrong = int(np.sum(t * at_points < 0))
        describe(
            self.axes[0],
            f"Figure 7.12. {len(t)} points of two classes, the boundary where both are equally probable, and "
            f"{len(relevance)} relevance vectors, circled; {wrong} points lie on the wrong side. Beside it the "
            f"{probability} probability of the classes as a mixture of their colours, above 99 % for one of them in "
            f"{share_sure(odds):.0%} of the plane; and the {probability} log odds of all points, of the {len(support)} "
            f"support vectors of figure 7.4's machine, half of them within {median_size(at_points[support]):.1f} of 0, "
            f"and of the relevance vectors, at {listed(at_points[relevance])}.",
        )


def share_sure(odds):
    """The share of the plane in which one class has more than 99 %, from log odds on a grid."""
    return float(np.mean(np.abs(odds) > SURE))


def median_size(a):
    """Half of these numbers are no larger than this in size; 0 if there are none."""
    return float(np.median(np.abs(a))) if len(a) else 0.0


def listed(a):
    """A few numbers in a sentence, in rising order."""
    return ", ".join(f"{value:.1f}" for value in np.sort(a)) or "no place"


def figure_7_12(plane, colours, strip, X, t, model, machine):
    """Left: boundary and relevance vectors of the fitted RVC `model`. Middle: its probabilities. Right: log odds of all
    points, of the support vectors of `machine` (figure 7.4's) and of the relevance vectors. Both are of the kind that
    the model was asked for, plug-in or averaged.
    """
    view = RelevanceMachine(plane, colours, strip)
    strip.set_box_aspect((WIDE[3] - WIDE[2]) / (WIDE[1] - WIDE[0]))  # as high as its neighbours
    grid = grid_over(WIDE)
    odds, at_points = model.surface(*grid), model.decision_function(X)
    view.update(X, t, grid, odds, model.relevance_, at_points, machine.support_, model.probability)
    return view


def axis_of_log_odds(ax, axis="x"):
    """Linear for odds that are close, logarithmic beyond: the two kinds of log odds differ by factors."""
    both = {
        "x": (ax.set_xscale, ax.set_xlim, ax.set_xticks),
        "y": (ax.set_yscale, ax.set_ylim, ax.set_yticks),
    }
    scale, limits, ticks = both[axis]
    scale("symlog", linthresh=SMALL_ODDS, linscale=1.0)
    limits(-1.15 * CERTAIN, 1.15 * CERTAIN)
    ticks(ODDS_TICKS, [f"{value}" for value in ODDS_TICKS])
    getattr(ax, f"{axis}axis").set_minor_locator(NullLocator())


class TwoProbabilities(View):
    """The ink of figure 7.12 twice, plug-in and averaged, dashed at 99 %; and both log odds of every point."""

    def __init__(self, plug_in, averaged, against):
        super().__init__(plug_in, averaged, against)
        dress(plug_in, WIDE, "$x_1$", "$x_2$", "plug-in: $\\sigma(a)$", equal=True)
        dress(averaged, WIDE, "$x_1$", "", "averaged: $\\sigma(\\kappa a)$", equal=True)
        dress(
            against,
            None,
            "$a(\\mathbf{x}_n)$",
            "$\\kappa\\,a(\\mathbf{x}_n)$",
            "log odds",
            square=True,
            grid=True,
        )
        for axis in "xy":
            axis_of_log_odds(against, axis)
        against.tick_params(axis="x", labelsize=9)
        self.inks = [self.add(Probabilities(ax)) for ax in (plug_in, averaged)]
        self.sure = [self.add(Boundary(ax, "own", 1.8, "--")) for ax in (plug_in, averaged)]
        self.points = [self.add(Points(ax, size=SMALL)) for ax in (plug_in, averaged)]
        self.rings = [self.add(Rings(ax)) for ax in (plug_in, averaged, against)]
        diagonal = self.add(curve(against, "ink", 1.4, "--", zorder=2))
        diagonal.set_data([-CERTAIN, CERTAIN], [-CERTAIN, CERTAIN])
        self.both = self.add(Points(against, size=SMALL))

    def update(self, X, t, grid, odds, at_points, relevance):
        """odds, at_points: log odds on the grid (x1, x2) and at the points, plug-in and averaged, two arrays each."""
        layers = zip(self.inks, self.sure, self.points, self.rings[:2], odds, strict=True)
        for ink, sure, points, rings, surface in layers:
            ink.update(*grid, two_classes(surface))
            sure.update(*grid, np.abs(surface) - SURE)
            points.update(X, t)
            rings.update(X[relevance])
        pairs = np.clip(np.column_stack(at_points), -CERTAIN, CERTAIN)
        self.both.update(pairs, t)
        self.rings[2].update(pairs[relevance])
        plug_in, averaged = (listed(a[relevance]) for a in at_points)
        shares = [share_sure(surface) for surface in odds]
        describe(
            self.axes[0],
            f"Figure 7.12's probabilities twice, with the same boundary: left at the most probable weights, middle "
            f"averaged over all weights. Dashed lines enclose where one class has more than 99 %: {shares[0]:.0%} of "
            f"the plane on the left, {shares[1]:.0%} in the middle. Right the log odds of {len(t)} points, averaged "
            f"against plug-in, none further from 0 than before. Relevance vectors, circled: plug-in at {plug_in}, "
            f"averaged at {averaged}.",
        )


def figure_two_probabilities(plug_in, averaged, against, X, t, models):
    """One machine, two answers. models: the same RVC with probability="plug-in" and "averaged", both fitted to X, t."""
    view = TwoProbabilities(plug_in, averaged, against)
    grid = grid_over(WIDE)
    odds = [model.surface(*grid) for model in models]
    at_points = [model.decision_function(X) for model in models]
    view.update(X, t, grid, odds, at_points, models[0].relevance_)
    return view


# ---- where a kernel is worth its place ------------------------------------------------------------------
class Placement(View):
    """q / sqrt(s) of a kernel placed anywhere in the plane: worth adding beyond the dashed lines, where q^2 > s."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, WIDE, "$x_1$", "$x_2$", title, equal=True)
        self.surface = self.add(Surface(ax))
        self.class_boundary = self.add(Boundary(ax, "own", 2.2, ":"))
        self.points = self.add(Points(ax, size=SMALL))
        self.rings = self.add(Rings(ax))

    def update(self, X, t, grid, ratio, odds, members):
        """ratio: q / sqrt(s) on the grid (x1, x2); odds: log odds there; members: indices of the model's kernels."""
        self.surface.update(*grid, ratio)
        self.class_boundary.update(*grid, odds)
        self.points.update(X, t)
        self.rings.update(X[members])


def figure_placement(axes, X, t, grid, ratios, odds, members, titles):
    """One panel for each model: q / sqrt(s) of a kernel anywhere, the model's own kernels circled.

    ratios, members, titles: one for each of the axes; odds: log odds on the grid, whose zero line is the boundary.
    """
    views = []
    for ax, ratio, inside, title in zip(axes, ratios, members, titles, strict=True):
        views.append(Placement(ax, title))
        views[-1].update(X, t, grid, ratio, odds, inside)
    shares = ", ".join(
        f"{np.mean(ratio**2 > 1):.0%} for {len(m)}" for ratio, m in zip(ratios, members, strict=True)
    )
    describe(
        axes[0],
        f"The plane with {len(t)} points, once for each of {len(axes)} models. Blue where a kernel placed there would "
        f"get a positive weight, orange where a negative one; dashed where q^2 = s. Share of the plane where a kernel "
        f"is worth adding: {shares} kernels in the model. The dotted line is the boundary between the classes.",
    )
    return views


ROOM = 8.0  # pulls beyond this many sqrt(s) are drawn at the edge
CIRCLE = np.array([(np.cos(angle), np.sin(angle)) for angle in np.linspace(0, 2 * np.pi, 61)]).T
PULLS = {"pull of ●": 3.0, "pull of ■": 2.0, "both: $q$": 1.0}  # and how high they stand


class Placing(View):
    """A kernel in the hand: what q / sqrt(s) is where it stands, and which points pull its weight up and down."""

    def __init__(self, plane, pulls):
        super().__init__(plane, pulls)
        colours = palette_of(pulls)
        self.map = self.add(Placement(plane))
        dress(pulls, (-ROOM, ROOM, 0.4, 3.6), r"in units of $\sqrt{s}$", title="what pulls at its weight")
        pulls.set_yticks(list(PULLS.values()), list(PULLS))
        pulls.tick_params(axis="y", length=0, labelsize=12)
        pulls.set_xticks([-6, -3, -1, 1, 3, 6])
        for side in (-1, 1):  # q^2 = s
            pulls.axvline(side, color=colours.ink, linewidth=1.4, linestyle="--", zorder=1)
        looks = {"color": [colours.plus, colours.minus, colours.own], "hatch": ["", "//", ".."]}
        looks["edgecolor"] = colours.paper
        self.bars = [
            self.add(bar) for bar in pulls.barh(list(PULLS.values()), [0, 0, 0], 0.62, zorder=2, **looks)
        ]
        self.kernel = self.add(curve(plane, "own", 1.6))
        self.probe = self.add(Grips(plane))

    def update(self, X, t, grid, ratio, odds, members, probe, width, pull):
        """As Placement; probe (2,): where the kernel is; width: its standard deviation; pull (2,): what points of class
        +1 and of class -1 add to q / sqrt(s).
        """
        self.map.update(X, t, grid, ratio, odds, members)
        self.kernel.set_data(*(np.c_[probe] + width * CIRCLE))
        self.probe.update([probe])
        for bar, width in zip(self.bars, (*pull, sum(pull)), strict=True):
            bar.set_width(float(np.clip(width, -ROOM, ROOM)))
        describe(self.axes[0], describe_placing(members, probe, pull, ratio))


def describe_placing(members, probe, pull, ratio):
    """A kernel in the hand, in a few sentences."""
    total = sum(pull)
    verdict = "worth adding" if total**2 > 1 else "not worth adding"
    return (
        f"With {len(members)} kernels in the model, one more at ({probe[0]:.2f}, {probe[1]:.2f}) is pulled up by "
        f"{pull[0]:.2f} and down by {-pull[1]:.2f}, in units of the root of s: q is {total:.2f}, so it is {verdict}. "
        f"A kernel is worth adding in {np.mean(ratio**2 > 1):.0%} of the plane."
    )


# ---- the training, step by step -------------------------------------------------------------------------
SLOPES = 1e-13, 1e2  # of the gradient in the picture
MOST_NEWTON = 6
MOST_ROUNDS = 40
EVIDENCES = -23.0, -6.0


class Inside(View):
    """One small step of re-estimation: the machine so far, the search for the mode, the evidence of every alpha."""

    def __init__(self, plane, search, trace):
        super().__init__(plane, search, trace)
        ink = palette_of(plane)
        dress(plane, WIDE, "$x_1$", "$x_2$", " ", equal=True)
        dress(search, (-0.3, MOST_NEWTON + 0.3, *SLOPES), "Newton step", "largest slope", square=True)
        search.set_yscale("log")
        search.set_yticks([1e-12, 1e-8, 1e-4, 1])
        search.set_xticks(range(0, MOST_NEWTON + 1, 2))
        dress(trace, (-0.5, MOST_ROUNDS + 0.5, *EVIDENCES), r"choice of $\mathbf{\alpha}$", "ln evidence")
        self.ink = self.add(Probabilities(plane))
        self.points = self.add(Points(plane))
        self.rings = self.add(Rings(plane))
        self.what = self.add(plane.text(0.0, 1.03, "", transform=plane.transAxes, fontsize=13, color=ink.own))
        self.earlier = self.add(curve(search, "faint", 0.8))
        self.slopes = self.add(curve(search, "own", 2.4, "o-"))
        self.whole = self.add(curve(trace, "good", 0.9))
        self.so_far = self.add(curve(trace, "good", 2.6))
        self.prunings = self.add(curve(trace, "own", 0.0, "v", markersize=8, label="functions leave"))
        self.here = self.add(dot(trace, "good"))
        self.count = self.add(Label(trace, "ink", 12, "left", "top", patch=False))
        legend(trace, loc="lower right")

    def update(self, X, t, grid, odds, steps, k):
        """The k-th of the `steps`, InsideSteps of re-estimation with kernels on X (N, 2) and a bias.

        odds: its log odds on the grid (x1, x2).
        """
        step = steps[k]
        self.ink.update(*grid, two_classes(odds))
        self.points.update(X, t)
        self.rings.update(X[step.inside[step.inside < len(X)]])
        self.what.set_text(headline(steps, k))

        searched = [s for s in steps[: k + 1] if s.action in ("start", "re-estimate", "newton")]
        slopes = np.array([(s.round, s.newton, max(s.slope, SLOPES[0])) for s in searched])
        rounds = [slopes[slopes[:, 0] == number, 1:] for number in range(step.round + 1)]
        apart = [
            np.vstack([one, (np.nan, np.nan)]) for one in rounds[:-1]
        ]  # no line from one search to the next
        self.earlier.set_data(*(np.vstack(apart).T if apart else ([], [])))
        self.slopes.set_data(*rounds[-1].T)

        known = np.array([(s.round, s.log_evidence) for s in steps if s.action == "evidence"])
        told = np.array([s.round for s in steps[: k + 1] if s.action == "evidence"], dtype=int)
        fewer = [s.round for s in steps[: k + 1] if s.action == "prune" and s.round in told]
        self.whole.set_data(*known.T)
        self.so_far.set_data(*known[told].T)
        self.prunings.set_data(*known[fewer].T)
        self.here.set_data(*known[told[-1:]].T)
        place = known[told[-1]] if len(told) else known[0]
        self.count.update(
            (min(place[0] + 1.2, MOST_ROUNDS - 15.0), place[1] - 1.0), f"{len(step.inside)} functions"
        )
        describe(self.axes[0], describe_inside(steps, k))


def headline(steps, k):
    """The k-th step in a few words, with its number in the book; no formulae, which take milliseconds to draw."""
    step = steps[k]
    return {
        "start": "start: w = 0, every function in the model",
        "newton": f"Newton step {step.newton}, (7.110), (7.111): {slope_in_words(step.slope)}",
        "prune": f"prune, (7.101): q² ≤ s, so {len(step.pruned)} of {len(step.pruned) + len(step.inside)} leave",
        "evidence": f"Laplace, (7.114): ln p(t|α) = {step.log_evidence or 0.0:.3f}",
        "re-estimate": "re-estimate, (7.116): α = γ/w², ×2 or ÷2 at most",
    }[step.action]


def slope_in_words(slope):
    """A slope of the log posterior; below 1e-8 its digits are rounding noise."""
    return f"slope {slope:.1g}" if slope >= 1e-8 else "slope < 1e-8"


def describe_inside(steps, k):
    """The k-th step in a sentence."""
    step = steps[k]
    told = [s.log_evidence for s in steps[: k + 1] if s.action == "evidence"]
    evidence = f"{told[-1]:.3f}" if told else "not known yet"
    return (
        f"Small step {k} of {len(steps) - 1} of re-estimation, {step.action}, for choice {step.round} of alpha, after "
        f"{step.newton} Newton steps. {len(step.inside)} functions are in the model; the largest slope of the log "
        f"posterior was {slope_in_words(step.slope)[6:]}; the last Laplace evidence is {evidence}."
    )


def figure_irls(plane, search, trace, X, t, grid, odds, steps, k):
    """The k-th small step of re-estimation: the machine, the search for the mode, the evidence so far."""
    view = Inside(plane, search, trace)
    view.update(X, t, grid, odds, steps, k)
    return view
