"""Densities from windows: MLaPP figures 14.16 and 14.17, and the ball that grows until it holds K points."""

import numpy as np
from matplotlib.collections import LineCollection

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    SMALL,
    Band,
    Grips,
    Label,
    Points,
    Probabilities,
    Rings,
    Segments,
    View,
    curve,
    dot,
    grid_over,
    legend,
)
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import ONE_KIND, THREE_CLASSES, describe, dress, palette_of

# ---- figure 14.16 ---------------------------------------------------------------------------------------
LOOKS = {  # role, width, style
    "gaussian": ("ink", 2.4, "-"),
    "boxcar": ("minus", 2.0, "--"),
    "epanechnikov": ("plus", 2.4, "-."),
    "tricube": ("good", 3.0, ":"),
}


def figure_14_16(ax, u, windows):
    """Windows over u (G,): name -> kappa(u) (G,). The names are those of LOOKS."""
    top = max(kappa.max() for kappa in windows.values())
    dress(ax, (u[0], u[-1], -0.03 * top, 1.12 * top), "$u$", r"$\kappa(u)$", "smoothing windows")
    for name, kappa in windows.items():
        curve(ax, *LOOKS[name], label=name).set_data(u, kappa)
    legend(ax, loc="upper right")
    heights = ", ".join(f"{name} {kappa.max():.3f}" for name, kappa in windows.items())
    describe(
        ax, f"Figure 14.16. {len(windows)} smoothing windows, of area 1 each. Their heights at 0: {heights}."
    )


# ---- figure 14.17 ---------------------------------------------------------------------------------------
SPAN = (-9.0, 13.0)  # of the line that the six points lie on
FOOT = -0.06  # of the height: where the points lie


class WindowsOnPoints(View):
    """A window on each point of a line, divided by their number, and the sum: the density."""

    def __init__(self, ax, top=1.0, title=""):
        """top: the density at the upper edge."""
        super().__init__(ax)
        dress(ax, (*SPAN, 2 * FOOT * top, top), "$x$", r"$\hat p(x)$", title)
        ax.axhline(0, color=palette_of(ax).faint, linewidth=1.2, zorder=0.5)  # below all that moves
        self.foot = FOOT * top
        self.bumps = self.add(LineCollection([], colors=palette_of(ax).plus, linewidths=1.3, zorder=3))
        ax.add_collection(self.bumps, autolim=False)
        self.density = self.add(curve(ax, "good", 2.8))
        self.points = self.add(Points(ax, ONE_KIND, SMALL))

    def update(self, points, x, p, bumps):
        """points (N,); p (G,) over x (G,); bumps: (n, 2) for each point, places and heights."""
        self.bumps.set_segments(bumps)
        self.density.set_data(x, p)
        self.points.update(np.column_stack([points, np.full(len(points), self.foot)]), np.ones(len(points)))


def figure_14_17(axes, points, panels):
    """Parzen's density of points (N,) for two windows and two bandwidths.

    axes (2, 2): a row for each window, a column for each bandwidth; panels: four tuples (title, x, p, bumps), in that
    order, as WindowsOnPoints takes them.
    """
    top = 1.12 * max(p.max() for _, _, p, _ in panels)
    views = []
    for ax, (title, *arrays) in zip(np.ravel(axes), panels, strict=True):
        views.append(WindowsOnPoints(ax, top, title))
        views[-1].update(points, *arrays)
    words = "; ".join(
        f"{title}: highest {p.max():.3f}, area {np.trapezoid(p, x):.3f}" for title, x, p, _ in panels
    )
    describe(
        np.ravel(axes)[0],
        f"Figure 14.17. A window on each of {len(points)} points, thin, and their sum, thick: the density. {words}.",
    )
    return views


# ---- the same, alive ------------------------------------------------------------------------------------
BANDWIDTHS = (0.1, 10.0)
TOP = 0.3  # density at the upper edge; this times a power of 4
BELOW, ABOVE = -1.6, 1.2  # log likelihoods at the edges, the best one without a point's own window being 0


class ParzenWindows(View):
    """Windows on points of a line, and how likely each point is without its own, over the bandwidth."""

    def __init__(self, line, likelihood):
        super().__init__(line, likelihood)
        self.own = self.add(Band(line, "own", 0.3))
        self.windows = self.add(WindowsOnPoints(line))
        line.set_yticks([0, 0.5, 1], [])
        line.set_ylabel("")
        line.set_title("thin: a window / $N$; thick: their sum")
        self.scale = self.add(Label(line, va="top"))
        self.width = self.add(Segments(line, "own", 2.4, zorder=6))
        self.edge = self.add(Grips(line))
        limits = BANDWIDTHS[0] / 1.2, 1.2 * BANDWIDTHS[1], BELOW, ABOVE
        dress(likelihood, limits, "$h$", "mean ln $p$, best = 0")
        likelihood.set_xscale("log")
        likelihood.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
        self.curve = self.add(curve(likelihood, "good", 2.6, label="leave-one-out"))
        self.all_in = self.add(curve(likelihood, "minus", 2.2, "--", label="all in"))
        self.best = self.add(curve(likelihood, "good", 0, "*", markersize=15, zorder=6, label="its best $h$"))
        self.rule = self.add(curve(likelihood, "ink", 1.8, ":", label="rule of thumb"))
        self.now = self.add(curve(likelihood, "own", 1.8, label="$h$"))
        self.grip = self.add(Grips(likelihood))
        legend(likelihood, **ABOVE_THE_AXES)

    def update(self, points, x, p, bumps, own, edge):
        """As WindowsOnPoints; own: which of the points shows its window, or None; edge: x of the grip of its width."""
        # a scale that rarely jumps, so that narrow windows are seen to be high
        top = TOP * 4.0 ** np.ceil(np.log2(1.05 * p.max() / TOP) / 2)
        scaled = [bump * (1, 1 / top) for bump in bumps]
        self.windows.update(points, x, p / top, scaled)
        bump = scaled[own]
        self.own.update(bump[:, 0], np.zeros(len(bump)), bump[:, 1])
        self.width.update([[(points[own], 0), (edge, 0)]])
        self.edge.update([(edge, 0)])
        self.scale.update((SPAN[0] + 0.3, 0.985), rf"upper edge: $\hat p$ = {top:.3g}")

    def update_likelihood(self, h, left_out, all_in, best, rule):
        """h, the present bandwidth; left_out (H, 2), all_in (A, 2): bandwidths, and mean log likelihoods without a
        point's own window and with it, minus the best without; best, rule: bandwidths, or None."""
        self.curve.set_data(*left_out.T)
        self.all_in.set_data(*all_in.T)
        self.best.set_data(([best], [0.0]) if best else ([], []))
        for line, place in ((self.rule, rule), (self.now, h)):
            line.set_data(([place, place], [BELOW, ABOVE]) if place else ([], []))
        self.grip.update([(h, 0.9 * BELOW)])


# ---- a ball that grows ----------------------------------------------------------------------------------
AROUND = (-3.0, 3.0, -3.0, 3.0)  # window of the plane, wider than the data: the probe can leave them
GRID = grid_over(AROUND, 72)
DENSITIES = -3.0, 1.0  # log10 of the densities at the foot and at the top of their bars
CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 121)) for f in (np.cos, np.sin)])


class Bars(View):
    """A number for each class: stems with the markers of the classes on top."""

    def __init__(self, ax, title):
        super().__init__(ax)
        dress(ax, (-0.6, 2.6, -0.14, 1.25), "", "", title)
        ax.set_xticks([])
        ax.set_yticks([])
        self.stems = self.add(Segments(ax, "faint", 7.0, zorder=2))
        self.heads = self.add(Points(ax, THREE_CLASSES, 110))
        self.words = [self.add(QuickText(ax, size=12, ha="center")) for _ in THREE_CLASSES]

    def update(self, values, words):
        """values: (3,) from 0 to 1; words: what they are, in text."""
        ends = np.column_stack([np.arange(3), 0.85 * values])
        self.stems.update(np.stack([ends * (1, 0), ends], axis=1))
        self.heads.update(ends, np.arange(3))
        for text, end, word in zip(self.words, ends, words, strict=True):
            text.set_position(end + (0, 0.22))
            text.set_text(word)


class GrownBall(View):
    """A ball around a place that holds K points, ringed; behind it the posterior of the neighbours everywhere."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, AROUND, "$x_1$", "$x_2$", title, equal=True)
        self.map = self.add(Probabilities(ax, THREE_CLASSES))
        self.points = self.add(Points(ax, THREE_CLASSES, SMALL))
        self.inside = self.add(Rings(ax, size=2.4 * SMALL))
        self.ball = self.add(curve(ax, "own", 2.6, zorder=6))
        self.probe = self.add(dot(ax, size=10))

    def update(self, X, t, grid, P, place, radius, inside):
        """X (N, 2), t (N,) from 0 to 2; P (3, H, W) the posterior over grid = (x1, x2); place (2,); inside (N,)."""
        self.map.update(*grid, P)
        self.points.update(X, t)
        self.inside.update(X[inside])
        self.ball.set_data(*(np.asarray(place) + radius * CIRCLE).T)
        self.probe.set_data([place[0]], [place[1]])


class GrowingVolume(View):
    """A grown ball, and beside it what it says of the classes: densities, priors, posterior."""

    def __init__(self, plane, densities, priors, posterior):
        super().__init__(plane, densities, priors, posterior)
        self.plane = self.add(GrownBall(plane))
        titles = r"$p(\mathbf{x}\,|\,c)$, log scale", "$p(c)$", r"$p(c\,|\,\mathbf{x})$"
        self.bars = [self.add(Bars(ax, title)) for ax, title in zip(self.axes[1:], titles, strict=True)]

    def update(self, *ball, numbers):
        """ball: as GrownBall; numbers: three times (values (3,), words): class densities, priors, posterior."""
        self.plane.update(*ball)
        (densities, in_words), *others = numbers
        low, high = DENSITIES
        with np.errstate(divide="ignore"):
            heights = np.clip((np.log10(densities) - low) / (high - low), 0, 1)
        for bars, (values, words) in zip(self.bars, ((heights, in_words), *others), strict=True):
            bars.update(values, words)


def figure_growing_volume(axes, X, t, grid, P, balls):
    """Balls around several places, a panel for each.

    axes: as many as balls; X (N, 2), t (N,) from 0 to 2; P (3, H, W) the posterior over grid = (x1, x2); balls: tuples
    (place (2,), radius, inside (N,), counts (3,)).
    """
    views, words = [], []
    for ax, (place, radius, inside, counts) in zip(np.ravel(axes), balls, strict=True):
        shares = ", ".join(f"{count:.0f}/{np.sum(counts):.0f}" for count in counts)
        views.append(GrownBall(ax, rf"$N_c(\mathbf{{x}})/K$ = {shares}"))
        views[-1].update(X, t, grid, P, place, radius, inside)
        words.append(f"around ({place[0]:g}, {place[1]:g}) one of radius {radius:.2f}, shares {shares}")
    describe(
        np.ravel(axes)[0],
        f"{len(t)} points of three classes and balls that grow until they hold K of them: {'; '.join(words)}. Behind "
        "them the posterior, the shares of the classes among the K neighbours of every place.",
    )
    return views
