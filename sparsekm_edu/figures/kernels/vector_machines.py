"""Several ways to be sparse with the same kernel: MLaPP figures 14.4, 14.5 and 14.6, and the same over many draws.

All machines compute y(x) = sum_n w_n k(x, x_n) + b. A ring means that w_n is not 0: the machine has kept this point.
"""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from sparsekm_edu.figures.curves import SINC
from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Band,
    Boundary,
    Points,
    Rings,
    Segments,
    Surface,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.quick_text import QuickText
from sparsekm_edu.figures.style import ONE_KIND, WIDE, describe, dress, palette_of


def sinc(x):
    """sin(x) / x, the truth behind the noisy points."""
    return np.sinc(x / np.pi)


def told(counts, N):
    """How many of N points each machine keeps, in words; counts: machine -> number."""
    return ", ".join(f"the {name} {count}" for name, count in counts.items()) + f" of {N} points"


# ---- figure 14.4 ----------------------------------------------------------------------------------------
class FourBoundaries(View):
    """Figure 14.4: the same points and the same kernel in every panel, and in each another machine."""

    def __init__(self, *axes):
        super().__init__(*axes)
        self.surfaces, self.points, self.rings, self.counts = (
            [self.add(layer(ax)) for ax in axes]
            for layer in (
                lambda ax: Surface(ax, margins=False),
                lambda ax: Points(ax, size=13),
                lambda ax: Rings(ax, size=46),
                lambda ax: QuickText(
                    ax, size=11, va="top", patch=True, x=WIDE[0] + 0.12, y=WIDE[3] - 0.1, zorder=7
                ),
            )
        )
        for ax in axes:
            dress(ax, WIDE, equal=True)
            ax.tick_params(labelbottom=False, labelleft=False)

    def update(self, X, t, grid, machines):
        """machines: name -> (Y (H, W) on the grid (x1, x2), indices of the points kept), one for each panel."""
        parts = zip(self.surfaces, self.points, self.rings, self.counts, machines.items(), strict=True)
        for surface, points, rings, count, (name, (Y, kept)) in parts:
            surface.update(*grid, Y)
            points.update(X, t)
            rings.update(X[kept] if len(kept) < len(t) else ())  # around all they would hide the classes
            count.set_text(f"{name}: {f'{len(kept)} of {len(t)}' if len(kept) < len(t) else 'all'}")
        describe(
            self.axes[0],
            f"Figure 14.4. The same {len(t)} points of two classes in {len(machines)} panels, with the boundary that "
            f"each machine finds; the points that it keeps are circled: "
            f"{told({name: len(kept) for name, (_, kept) in machines.items()}, len(t))}.",
        )


def figure_14_4(axes, X, t, grid, machines):
    """A panel for each machine, name -> (Y on the grid, indices of the points kept): its boundary and its points."""
    view = FourBoundaries(*np.ravel(axes))
    view.update(X, t, grid, machines)
    return view


class OneOfFour(View):
    """Figure 14.4 alive: the boundary of one machine with its points, dotted lines for the others; beside it, how many
    points each of them keeps."""

    LEAST = 0.8  # where bars begin: the axis is logarithmic

    def __init__(self, ax, chart, names):
        super().__init__(ax, chart)
        self.machine = self.add(FourBoundaries(ax))
        self.others = [self.add(Boundary(ax, "ink", 1.1, ":")) for _ in names]
        self.rows = np.arange(len(names), 0.0, -1)
        dress(chart, (self.LEAST, 400, 0.4, len(names) + 0.7), title="points kept")
        chart.set_xscale("log")
        chart.xaxis.set_major_locator(FixedLocator([1, 10, 100]))
        chart.xaxis.set_major_formatter("{x:.0f}")
        chart.set_yticks(self.rows, names)
        chart.tick_params(axis="y", length=0, labelsize=12)
        self.bars = self.add(Segments(chart, "good", 7.0))
        self.bar = self.add(Segments(chart, "own", 7.0))

    def update(self, X, t, grid, machines, name):
        """machines: name -> (Y on the grid, indices of the points kept); name: the one whose points are circled."""
        ends = np.column_stack([[max(len(kept), self.LEAST) for _, kept in machines.values()], self.rows])
        bars = np.stack([ends * (0, 1) + (self.LEAST, 0), ends], axis=1)
        chosen = np.array(list(machines)) == name
        self.bars.update(bars[~chosen])
        self.bar.update(bars[chosen])
        for boundary, (Y, _), here in zip(self.others, machines.values(), chosen, strict=True):
            boundary.artists[0].set_visible(not here)
            boundary.update(*grid, Y)
        self.machine.update(X, t, grid, {name: machines[name]})


# ---- figures 14.5 and 14.6 ------------------------------------------------------------------------------
class Fit(View):
    """Figure 14.5, one panel: points of the sinc, a curve, and rings around the points that carry it, if not all do."""

    def __init__(self, ax, title="", size=16):
        """size of the points."""
        super().__init__(ax)
        dress(ax, SINC, "", "", title)
        ax.set_xticks(np.arange(-10, 11, 5))
        self.truth = self.add(curve(ax, "ink", 1.4, ":", zorder=3.5))
        self.line = self.add(curve(ax, "good", 2.4, zorder=5.5))
        self.points = self.add(Points(ax, ONE_KIND, size))
        self.rings = self.add(Rings(ax, size=4 * size))

    def update(self, X, t, x, y, kept):
        """X (N, 1), t (N,): the data; x, y: the curve; kept: indices of the points with a weight."""
        places = np.column_stack([X, t])
        self.truth.set_data(x, sinc(x))
        self.line.set_data(x, y)
        self.points.update(places, np.ones(len(t)))
        self.rings.update(places[kept] if len(kept) < len(t) else ())  # around all they would hide the curve


class Stems(View):
    """Figure 14.6, one panel: a stem for every weight w_n, in units of the largest; a bare axis where it is 0."""

    TOP = 1.3

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, (*SINC[:2], -self.TOP, self.TOP), "", "", title)
        ax.set_xticks(np.arange(-10, 11, 5))
        ax.set_yticks([])
        ax.axhline(0, color=palette_of(ax).faint, linewidth=1)
        self.stems = self.add(Segments(ax, "good", 1.2))
        self.heads = self.add(curve(ax, "good", 0.0, "o", markersize=2.4))

    def update(self, X, w):
        """X (N, 1), w (N,)."""
        kept = w != 0
        heads = np.column_stack([X[kept], w[kept] / np.abs(w).max(initial=1e-300)])
        self.stems.update(np.stack([heads * (1, 0), heads], axis=1))
        self.heads.set_data(*heads.T)


def rms(x, y):
    """The root mean square distance of a curve y (n,) at x (n,) from the sinc."""
    return float(np.sqrt(np.mean((y - sinc(x)) ** 2)))


def describe_curves(ax, x, machines):
    """machines: name -> (y at x, w (N,))."""
    counts = {name: np.count_nonzero(w) for name, (_, w) in machines.items()}
    N = len(next(iter(machines.values()))[1])
    errors = ", ".join(f"{name} {rms(x, y):.4f}" for name, (y, _) in machines.items())
    describe(
        ax,
        f"Figures 14.5 and 14.6. Curves through {N} noisy points of the sinc, each with the points that it keeps and "
        f"their weights as stems: {told(counts, N)}. Root mean square errors: {errors}.",
    )


def figure_14_5(axes, X, t, x, machines):
    """A panel for each machine, name -> (y at x, w (N,)): its curve, and the points kept."""
    views = []
    for ax, (name, (y, w)) in zip(np.ravel(axes), machines.items(), strict=True):
        kept = np.count_nonzero(w)
        views.append(Fit(ax, f"{name}: {f'{kept} of {len(t)}' if kept < len(t) else 'all'}", size=10))
        views[-1].update(X, t, x, y, np.flatnonzero(w))
    describe_curves(ax, x, machines)
    return views


def figure_14_6(axes, X, x, machines):
    """A panel for each machine, name -> (y at x, w (N,)): its weights as stems."""
    views = []
    for ax, (_, (_, w)) in zip(np.ravel(axes), machines.items(), strict=True):
        views.append(Stems(ax, f"largest $|w_n|$: {np.abs(w).max():.2g}"))
        views[-1].update(X, w)
    describe_curves(ax, x, machines)
    return views


class LinkedStems(View):
    """Figures 14.5 and 14.6 tied together: one curve above, below it a row of stems for each machine, stem under point.

    One point is lit: a line through both panels, its stems, and in the upper panel its kernel times its weight.
    """

    LONGEST = 0.44  # stem, in rows
    TOP = 1.75  # of the upper panel: the highest bump of the Gaussian process must be seen

    def __init__(self, ax, below, names):
        super().__init__(ax, below)
        self.rows = np.arange(len(names), 0.0, -1)
        self.fit = self.add(Fit(ax))
        ax.set_ylim(SINC[2], self.TOP)
        ax.tick_params(labelbottom=False)
        dress(below, (*SINC[:2], 0.4, len(names) + 0.6), "$x_n$")
        below.set_xticks(np.arange(-10, 11, 5))
        below.set_yticks(self.rows, names)
        below.tick_params(axis="y", length=0)
        for row in self.rows:
            below.axhline(row, color=palette_of(below).faint, linewidth=1)
        self.bump = self.add(Band(ax, "own", 0.35))
        self.edge = self.add(curve(ax, "own", 2.0, zorder=3.6))
        self.lit = self.add(dot(ax, size=9))
        self.stems = self.add(Segments(below, "good", 1.6))
        self.lit_stems = self.add(Segments(below, "own", 3.0, zorder=5))
        self.lit_heads = self.add(dot(below, size=7))
        self.plumb = [self.add(Segments(each, "own", 1.0, zorder=2)) for each in self.axes]
        corner = {"x": SINC[0] + 0.2, "y": self.TOP - 0.05}
        self.whose = self.add(QuickText(ax, "good", va="top", patch=True, zorder=7, **corner))
        self.counts = [self.add(QuickText(below, size=11, x=SINC[1] + 0.2, y=row)) for row in self.rows]
        # keeps room for them
        below.text(1.01, 0.5, "100 ◂ ", fontsize=11, alpha=0, transform=below.transAxes)

    def heads(self, X, machines):
        """Where the stems end, (M, N, 2); machines: name -> (y, w (N,)), stems in units of the largest weight."""
        W = np.array([w / max(np.abs(w).max(), np.finfo(float).tiny) for _, w in machines.values()])
        heights = self.rows[:, None] + self.LONGEST * W
        return np.stack([np.broadcast_to(X[:, 0], W.shape), heights], axis=2)

    def update(self, X, t, x, machines, name, n, bump):
        """machines: name -> (y at x, w (N,)); above, that called `name`; n: the lit point, bump: w_n k(x, x_n)."""
        y, w = machines[name]
        self.whose.set_text(f"curve of the {name}")
        self.fit.update(X, t, x, y, np.flatnonzero(w))
        self.bump.update(x, np.minimum(bump, 0), np.maximum(bump, 0))
        self.edge.set_data(x, bump)
        self.lit.set_data(X[n], [t[n]])
        for plumb, ax in zip(self.plumb, self.axes, strict=True):
            plumb.update([[(X[n, 0], edge) for edge in ax.get_ylim()]])
        heads = self.heads(X, machines)
        feet = heads.copy()
        feet[..., 1] = self.rows[:, None]
        stems = np.stack([feet, heads], axis=2)
        self.stems.update(stems[np.array([w for _, w in machines.values()]) != 0])
        self.lit_stems.update(stems[:, n])
        self.lit_heads.set_data(*heads[:, n].T)
        for count, (machine, (_, weights)) in zip(self.counts, machines.items(), strict=True):
            kept = np.count_nonzero(weights)
            count.set_text(f"{kept} ◂" if machine == name else f"{kept}")
        describe_curves(self.axes[0], x, machines)


# ---- over many draws ------------------------------------------------------------------------------------
LOOKS = {
    "L2VM": ("faint", "s"),
    "GP": ("ink", "P"),
    "SVM": ("own", "D"),
    "L1VM": ("minus", "^"),
    "RVM": ("plus", "o"),
}


class Order(View):
    """How many points each machine keeps, draw by draw: where the lines do not cross, the order holds."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, None, "draw", "points kept", grid=True)
        ax.set_title(title, fontsize=13, pad=24, color=palette_of(ax).ink)  # above the legend
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(FixedLocator([3, 5, 10, 20, 50, 100, 200]))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter("{x:.0f}")
        self.lines = {}

    def update(self, counts):
        """counts: machine -> (D,)."""
        for name, kept in counts.items():
            role, mark = LOOKS[name]
            size = 10 if name == "L2VM" else 6  # others that keep all points stand on its marks
            line = curve(self.axes[0], role, 1.2, f"{mark}-", markersize=size, label=name)
            line.set_data(np.arange(1, len(kept) + 1), kept)
            self.lines[name] = self.add(line)
        highest, lowest = (edge(np.concatenate(list(counts.values()))) for edge in (max, min))
        self.axes[0].set_xlim(0.5, len(kept) + 0.5)
        self.axes[0].set_xticks(np.arange(1, len(kept) + 1))
        self.axes[0].set_ylim(0.8 * lowest, 1.25 * highest)
        legend(self.axes[0], **ABOVE_THE_AXES | {"bbox_to_anchor": (0.5, 1.0), "ncols": len(counts)})
        ranges = ", ".join(f"{name} {min(kept)} to {max(kept)}" for name, kept in counts.items())
        describe(self.axes[0], f"Points kept in {len(kept)} draws: {ranges}.")


def figure_order(ax, counts, title=""):
    """Points kept by each machine, name -> (D,), in D draws."""
    view = Order(ax, title)
    view.update(counts)
    return view
