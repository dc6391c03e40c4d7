"""Relevance vector machines beyond one lucky picture: Ripley's mixture over many draws, and three classes at once."""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from sparsekm_edu.figures.layers import (
    Grips,
    Label,
    Points,
    Probabilities,
    Rings,
    Surface,
    View,
    curve,
    grid_over,
    legend,
)
from sparsekm_edu.figures.rvm.classification import SMALL, Boundary, two_classes
from sparsekm_edu.figures.style import THREE_CLASSES, WIDE, describe, dress, palette_of

RIPLEY = (-1.6, 1.3, -0.6, 1.5)  # the window around Ripley's mixture
PAPER = {"SVM": (38, 0.106), "RVM": (4, 0.093)}  # vectors and test error in Tipping (2001)
VECTORS = 1.6, 115.0  # of the picture
ERRORS = 0.08, 0.150


# ---- Tipping's figure 2 ---------------------------------------------------------------------------------
class SideBySide(View):
    """Tipping's figure 2: left a support vector machine, right a relevance vector machine, on the same points."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, RIPLEY, "", "$x_2$", "SVM", equal=True)
        dress(right, RIPLEY, "", "", "RVM", equal=True)
        right.set_yticklabels([])
        self.surface = self.add(Surface(left))
        self.ink = self.add(Probabilities(right))
        self.best = [self.add(Boundary(ax, "good", 1.8)) for ax in (left, right)]
        self.points = [self.add(Points(ax, size=SMALL)) for ax in (left, right)]
        self.rings = [self.add(Rings(ax, size=120)) for ax in (left, right)]

    def update(self, X, t, grid, Y, odds, best, support, relevance):
        """Y, odds, best: output of the SVM, log odds of the RVM and true log odds on the grid (x1, x2)."""
        self.surface.update(*grid, Y)
        self.ink.update(*grid, two_classes(odds))
        for boundary, points, rings, chosen in zip(self.best, self.points, self.rings, (support, relevance)):
            boundary.update(*grid, best)
            points.update(X, t)
            rings.update(X[chosen])
        describe(
            self.axes[0],
            f"Tipping's figure 2. {len(t)} points of Ripley's mixture, twice. Left the boundary and margins of an SVM "
            f"with {len(support)} support vectors, circled; right the probabilities of an RVM, as a mixture of the "
            f"colours of the classes, with {len(relevance)} relevance vectors. The green line in both is the best "
            f"boundary there is.",
        )


def figure_ripley(left, right, X, t, grid, svm, rvm, best):
    """Tipping's figure 2: the fitted SVC `svm` and RVC `rvm`, and the best boundary, true log odds = 0 on the grid."""
    view = SideBySide(left, right)
    view.update(X, t, grid, svm.surface(*grid), rvm.surface(*grid), best, svm.support_, rvm.relevance_)
    return view


# ---- over many draws ------------------------------------------------------------------------------------
class Cloud(View):
    """How many vectors, and how many errors: one point for each machine and draw, the paper's as stars."""

    def __init__(self, ax):
        super().__init__(ax)
        colours = palette_of(ax)
        dress(ax, (*VECTORS, *ERRORS), "vectors kept", "test error")
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(FixedLocator([2, 4, 10, 20, 50, 100]))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter("{x:.0f}")
        ax.yaxis.set_major_locator(FixedLocator([0.09, 0.11, 0.13]))
        ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
        self.least = self.add(curve(ax, "good", 1.8, label="least possible"))
        looks = {"SVM": ("own", "D"), "RVM": ("plus", "o")}
        self.draws = {
            name: self.add(curve(ax, role, 0.0, mark, markersize=6, alpha=0.45))
            for name, (role, mark) in looks.items()
        }
        outlined = {"markersize": 10, "markeredgecolor": colours.ink, "markeredgewidth": 1.4}
        self.last = {
            name: self.add(curve(ax, role, 0.0, mark, label=name, **outlined))
            for name, (role, mark) in looks.items()
        }
        self.middle = {name: self.add(curve(ax, "ink", 2.6, zorder=8)) for name in looks}
        stars = self.add(curve(ax, "ink", 0.0, "*", zorder=9, markersize=14, label="the paper's"))
        stars.set_data(*np.array(list(PAPER.values())).T)  # never moves, but lies on top of what does
        # between 5 and 13 vectors, where neither machine is for any C of the explorer
        legend(ax, loc="center", bbox_to_anchor=(0.385, 0.55), handlelength=1.2)

    def update(self, svm, rvm, least):
        """svm, rvm (D, 2): vectors and test error in each draw, the last being the present one; least: the Bayes error.

        A cross of lines marks the medians, each line from the lower to the upper quartile.
        """
        self.least.set_data(VECTORS, [least, least])
        for name, results in (("SVM", svm), ("RVM", rvm)):
            inside = np.column_stack([np.clip(results[:, 0], *VECTORS), np.clip(results[:, 1], *ERRORS)])
            self.draws[name].set_data(*inside[:-1].T)
            self.last[name].set_data(*inside[-1:].T)
            low, mid, high = np.quantile(inside, (0.25, 0.5, 0.75), axis=0)
            self.middle[name].set_data(
                [low[0], high[0], np.nan, mid[0], mid[0]], [mid[1], mid[1], np.nan, low[1], high[1]]
            )
        describe(self.axes[0], describe_draws(svm, rvm, least))


def describe_draws(svm, rvm, least):
    """Many draws in a sentence."""
    (svs, svm_error), (rvs, rvm_error) = np.median(svm, axis=0), np.median(rvm, axis=0)
    draws = f"{len(svm)} draws" if len(svm) > 1 else "1 draw"
    return (
        f"{draws} of Ripley's mixture: the SVM keeps {svs:.0f} vectors and errs {svm_error:.1%} of the time "
        f"(medians; {PAPER['SVM'][0]} and {PAPER['SVM'][1]:.1%} in the paper), the RVM {rvs:.0f} and {rvm_error:.1%} "
        f"({PAPER['RVM'][0]} and {PAPER['RVM'][1]:.1%}); {least:.1%} is the least possible. The RVM errs less in "
        f"{np.sum(rvm[:, 1] < svm[:, 1])} of them."
    )


def figure_ripley_draws(ax, svm, rvm, least):
    """Vectors and test errors of both machines in many draws, beside the paper's: see `Cloud.update`."""
    view = Cloud(ax)
    view.update(svm, rvm, least)
    return view


class Draws(View):
    """One draw above, all draws so far below."""

    def __init__(self, left, right, below):
        super().__init__(left, right, below)
        self.machines, self.cloud = self.add(SideBySide(left, right)), self.add(Cloud(below))


# ---- three classes --------------------------------------------------------------------------------------
ROWS = 12  # of the table of weights
CLASS_NAMES = ["●", "■", "▲"]


class SoftmaxMachine(View):
    """Three classes: probabilities as a mixture of colours, and which function has a weight for which class."""

    def __init__(self, plane, table):
        super().__init__(plane, table)
        colours = palette_of(table)
        dress(plane, WIDE, "$x_1$", "$x_2$", "probability as ink", equal=True)
        dress(table, (-1.7, 2.6, ROWS - 0.4, -0.6), "", "", "weights $w_{ik}$")
        table.set_xticks(range(3), CLASS_NAMES, fontsize=13)
        table.set_yticks([])
        table.tick_params(length=0)
        for k, (role, _) in enumerate(THREE_CLASSES.values()):
            table.axvline(k, color=colours.faint, linewidth=1.2, zorder=1)
            table.get_xticklabels()[k].set_color(getattr(colours, role))
        self.ink = self.add(Probabilities(plane, THREE_CLASSES))
        self.points = self.add(Points(plane, THREE_CLASSES, size=SMALL))
        self.rings = self.add(Rings(plane, size=150))
        self.numbers = [self.add(Label(plane, "ink", 11, patch=False)) for _ in range(ROWS)]
        for number in self.numbers:
            number.artists[0].set_zorder(7)  # over the points
        self.rows = [self.add(Label(table, "ink", 11, "right", "center", patch=False)) for _ in range(ROWS)]
        looks = {"edgecolors": colours.ink, "linewidths": 1.4, "zorder": 4}
        self.up, self.down = (
            self.add(table.scatter([], [], 1, face, **looks)) for face in (colours.ink, "none")
        )
        self.probe = self.add(Grips(plane))

    def update(self, X, t, grid, P, centres, W, bias, probe=None):
        """P (3, H, W) on the grid; centres (R, 2), W (R, 3), bias (3,): the model, weights 0 where there are none;
        probe: where probabilities are read off, if anywhere.
        """
        self.ink.update(*grid, P)
        self.points.update(X, t)
        self.rings.update(centres)
        shown = min(len(W), ROWS - 1)  # the last row is the bias's
        rows, names = np.vstack([W[:shown], bias]), [*(str(n + 1) for n in range(shown)), "bias"]
        for n, (number, row) in enumerate(zip(self.numbers, self.rows, strict=True)):
            number.update(centres[n] + (0.11, 0.05) if n < shown else (0, 0), names[n] if n < shown else "")
            row.update((-0.55, n), names[n] if n <= shown else "")
        largest = max(np.abs(rows).max(), 1e-9)
        for artist, sign in ((self.up, 1), (self.down, -1)):
            row, k = np.nonzero(sign * rows > 0)
            artist.set_offsets(np.column_stack([k, row]))
            artist.set_sizes(20 + 230 * np.abs(rows[row, k]) / largest)
        self.probe.update([] if probe is None else [probe])
        describe(self.axes[0], describe_softmax(t, P, W, bias))


def describe_softmax(t, P, W, bias):
    """A machine for three classes in a sentence."""
    return (
        f"{len(t)} points of three classes; the plane takes a mixture of the three colours by the probabilities of the "
        f"classes, which are equal along the lines. {len(W)} points are relevance vectors, circled; beside it their "
        f"{np.sum(W != 0)} weights and {np.sum(bias != 0)} of biases, out of {3 * len(t) + 3}, full circles for "
        f"positive ones. The largest probability is above 0.9 in {np.mean(P.max(axis=0) > 0.9):.0%} of the plane."
    )


def figure_softmax_rvm(plane, table, X, t, model):
    """Three classes by the fitted RVC `model`: its probabilities in the plane, and its weights."""
    view, grid = SoftmaxMachine(plane, table), grid_over(WIDE)
    P = np.exp(model.surface(*grid))
    view.update(X, t, grid, P, model.relevance_vectors_, model.coef_.T, model.intercept_)
    return view
