"""Ripley's mixture beyond one lucky picture: Tipping's figure 2, and the same over many draws."""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from sparsekm_edu.figures.layers import (
    SMALL,
    Boundary,
    Points,
    Probabilities,
    Rings,
    Surface,
    View,
    curve,
    legend,
    two_classes,
)
from sparsekm_edu.figures.style import RIPLEY, describe, dress, palette_of

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
        dress(ax, (*VECTORS, *ERRORS), "vectors kept", "true error")
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
        """svm, rvm (D, 2): vectors and true error in each draw, the last being the present one; least: the Bayes error.

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
    """Vectors and true errors of both machines in many draws, beside the paper's: see `Cloud.update`."""
    view = Cloud(ax)
    view.update(svm, rvm, least)
    return view


class Draws(View):
    """One draw above, all draws so far below."""

    def __init__(self, left, right, below):
        super().__init__(left, right, below)
        self.machines, self.cloud = self.add(SideBySide(left, right)), self.add(Cloud(below))
