"""Tipping's experiments with relevance vectors: the sinc and its draws, kernel widths by evidence, the benchmark."""

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap

from sparsekm_edu.figures.curves import SINC, SINC_X
from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Band,
    Grips,
    Label,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import ONE_KIND, describe, dress, palette_of

# ---- the sinc by relevance vectors ----------------------------------------------------------------------


class SincFit(View):
    """Tipping's figure 1, right: sinc by relevance vectors, one standard deviation to either side shaded."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, SINC, "$x$", "$t$", title)
        ax.set_xticks(np.arange(-10, 11, 5))
        self.band = self.add(Band(ax))
        self.truth = self.add(curve(ax, "ink", 1.4, ":", zorder=3.5))
        self.mean = self.add(curve(ax, "good", 2.6, zorder=3))
        self.points = self.add(Points(ax, ONE_KIND, 18))
        self.rings = self.add(Rings(ax, size=120))

    def update(self, X, t, mean, sd, relevant):
        """X (N, 1), t (N,): the data; mean, sd of the prediction at SINC_X; relevant: indices of the vectors kept."""
        places, truth = np.column_stack([X, t]), np.sinc(SINC_X / np.pi)
        self.band.update(SINC_X, mean - sd, mean + sd)
        self.truth.set_data(SINC_X, truth)
        self.mean.set_data(SINC_X, mean)
        self.points.update(places, np.ones(len(t)))
        self.rings.update(places[relevant])
        error = mean - truth
        describe(
            self.axes[0],
            f"{len(t)} points of sinc(x) and the curve of a relevance vector machine: {len(relevant)} relevance "
            f"vectors are circled; the curve is {np.sqrt(np.mean(error**2)):.4f} (root mean square) and at most "
            f"{np.abs(error).max():.4f} away from the sinc.",
        )


def figure_sinc_relevance(axes, cases):
    """One panel for each case, title -> (X, t, model): data, curve and error bars of a fitted `RVR`."""
    views, texts = [], []
    for ax, (title, (X, t, model)) in zip(np.ravel(axes), cases.items(), strict=True):
        views.append(SincFit(ax, title))
        views[-1].update(X, t, *model.predict(SINC_X[:, None], return_std=True), model.relevance_)
        texts.append(f"{title.capitalize()}: {ax.get_figure(root=True).description}")
    describe(ax, " ".join(texts))
    return views


# ---- many draws instead of one --------------------------------------------------------------------------
MACHINES = {"RVM": ("good", "o"), "SVM": ("minus", "s")}


class Draws(View):
    """Every draw of the noise a point: how many vectors a machine kept, and how far it is from the truth."""

    def __init__(self, ax, window=(0.8, 150, 0.002, 0.5), note="", stars=True):
        super().__init__(ax)
        dress(ax, window, "vectors kept", "RMS error", grid=True)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
        ax.set_yticks([0.003, 0.01, 0.03, 0.1, 0.3], ["0.003", "0.01", "0.03", "0.1", "0.3"])
        ax.minorticks_off()
        ax.set_xlim(window[:2])  # ticks may have widened it
        ax.set_ylim(window[2:])
        self.ends = np.reshape(window, (2, 2)).T
        self.clouds = self.add(Points(ax, MACHINES, 34))
        self.here = self.add(Rings(ax, "own", 130))
        self.paper = self.add(dot(ax, "ink", "*", 17))
        for cloud, name in zip(self.clouds.artists, MACHINES, strict=True):
            cloud.set_label(name)
        self.paper.set_label("paper" if stars else "_")  # an underscore: not in the legend
        ax.text(0.04, 0.04, note, fontsize=13, color=palette_of(ax).ink, transform=ax.transAxes)
        legend(ax, **(ABOVE_THE_AXES | {"ncols": 3, "handletextpad": 0.2}))

    def update(self, draws, paper=(), here=()):
        """draws: name of the machine -> (D, 2), vectors and error of each draw; paper, here: (P, 2), the same."""
        names = np.concatenate([[name] * len(cloud) for name, cloud in draws.items()])
        places = np.clip(
            np.concatenate(list(draws.values())), *self.ends
        )  # who keeps none is at the left end
        self.clouds.update(places, names)
        self.paper.set_data(*np.reshape(paper, (-1, 2)).T)
        self.here.update(np.clip(np.reshape(here, (-1, 2)), *self.ends))
        medians = "; ".join(
            f"{name} {np.median(cloud[:, 0]):g} vectors and an error of {np.median(cloud[:, 1]):.4f}"
            for name, cloud in draws.items()
        )
        describe(
            self.axes[0],
            f"Vectors kept against the root mean square error over {len(names) // len(draws)} draws of the noise. "
            f"Medians: {medians}.",
        )


def figure_draws(ax, draws, paper=(), note=""):
    """A cloud for each machine, name -> (D, 2): vectors and error of every draw; stars for the numbers in print."""
    view = Draws(ax, (4, 120, 0.012, 0.12), note, stars=len(paper) > 0)
    view.update(draws, paper)
    return view


class SincAndDraws(View):
    """One draw as a curve, and where it stands among others."""

    def __init__(self, ax, cloud):
        super().__init__(ax, cloud)
        self.fit, self.draws = SincFit(ax), Draws(cloud)
        self.artists += self.fit.artists + self.draws.artists


# ---- kernel widths by evidence --------------------------------------------------------------------------
SHADES = -np.array(
    [80.0, 40, 20, 10, 5, 2, 0]
)  # nats below the best: where one shade ends and the next begins
PLANE = 10.0  # x1 and x2 are between -10 and 10
SLICE_X = np.linspace(-PLANE, PLANE, 161)
TRUTHS = np.sinc(SLICE_X / np.pi), 1 + 0.1 * SLICE_X  # sinc(x1) + 0.1 x2 along x2 = 0 and along x1 = 0


def slices(predict, X, t):
    """The fitted surface along x2 = 0 and along x1 = 0: for each the curve (161,) and where the points go (N, 2).

    A point is drawn as far from the curve as its target is from the surface: t_n - y(x_n) above it.
    """
    residual, found = t - predict(X), []
    for axis in (0, 1):
        along, at_points = np.zeros((len(SLICE_X), 2)), np.zeros_like(X)
        along[:, axis], at_points[:, axis] = SLICE_X, X[:, axis]
        found.append((predict(along), np.column_stack([X[:, axis], predict(at_points) + residual])))
    return found


class Widths(View):
    """Log evidence over the two widths of an ARD kernel, the way of an optimiser, and the fit along both axes."""

    def __init__(self, surface, first, second, eta1, eta2):
        """eta1 (n1,), eta2 (n2,): the widths in geometric steps for which the evidence will be shown."""
        super().__init__(surface, first, second)
        colours = palette_of(surface)
        dress(
            surface,
            None,
            r"$\eta_1$, for $x_1$",
            r"$\eta_2$, for $x_2$",
            "nats below the best: 2, 5, 10, 20, 40",
        )
        surface.set_xscale("log")
        surface.set_yscale("log")
        steps = len(SHADES) - 1
        shades = ListedColormap([colours.mix("plus", share) for share in np.linspace(0.04, 0.8, steps)])
        norm = BoundaryNorm(SHADES, steps)
        edges, nothing = [edges_between(eta) for eta in (eta1, eta2)], np.zeros((len(eta2), len(eta1)))
        self.mesh = self.add(surface.pcolormesh(*edges, nothing, cmap=shades, norm=norm, zorder=0))
        surface.set_xlim(eta1[0], eta1[-1])
        surface.set_ylim(eta2[0], eta2[-1])
        surface.minorticks_off()
        self.border = self.add(curve(surface, "ink", 1.8, "--"))
        self.warning = self.add(Label(surface, "ink", 11, "right", "top", patch=False))
        self.way = self.add(curve(surface, "minus", 2.2, marker="o", markersize=5))
        self.start = self.add(dot(surface, "minus", "s", 9))
        self.end = self.add(dot(surface, "minus", "*", 18))
        self.grip = self.add(Grips(surface))
        for mark in (self.start, self.end, *self.grip.artists):
            mark.set_clip_on(False)  # whole at the border, too,
            mark.set_in_layout(False)  # without asking for room there
        self.fits, self.truths, self.points = [], [], []
        for ax, label, window in (
            (first, "$x_1$  (at $x_2=0$)", (-0.75, 1.45)),
            (second, "$x_2$  (at $x_1=0$)", (-0.75, 2.6)),
        ):
            dress(ax, (-PLANE, PLANE, *window), label, "$t$")
            ax.set_xticks(np.arange(-10, 11, 5))
            self.truths.append(self.add(curve(ax, "ink", 1.6, ":", zorder=7)))
            self.fits.append(self.add(curve(ax, "good", 2.6, zorder=6)))
            self.points.append(self.add(Points(ax, ONE_KIND, 16)))

    def update(self, evidence, highest, border, path, here, fits):
        """evidence (n2, n1), shaded by how far it is below `highest`; border of kernels too narrow and path, (., 2);
        here (2,): the widths of the machine whose `slices` are `fits`.
        """
        self.mesh.set_array(np.clip(evidence - highest, SHADES[0], -1e-9))
        self.border.set_data(*np.reshape(border, (-1, 2)).T)
        corner = 0.95 * self.axes[0].get_xlim()[1], 0.8 * self.axes[0].get_ylim()[1]
        self.warning.update(corner, "too narrow" if len(border) else "")
        path = np.reshape(path, (-1, 2))
        self.way.set_data(*path.T)
        self.start.set_data(*path[:1].T)
        self.end.set_data(*path[-1:].T)
        self.grip.update([here])
        for (y, places), fit, truth, points, values in zip(
            fits, self.fits, self.truths, self.points, TRUTHS, strict=True
        ):
            fit.set_data(SLICE_X, y)
            truth.set_data(SLICE_X, values)
            points.update(places, np.ones(len(places)))
        describe(
            self.axes[0],
            f"Log evidence over two kernel widths, at most {highest:.1f} on this grid. An "
            f"optimiser goes in {len(path) - 1} moves from ({path[0, 0]:.3g}, {path[0, 1]:.3g}) to "
            f"({path[-1, 0]:.3g}, {path[-1, 1]:.3g}). Beside it the fit for ({here[0]:.3g}, {here[1]:.3g}) along "
            f"x1 and along x2, at most {np.abs(fits[0][0] - TRUTHS[0]).max():.2f} and "
            f"{np.abs(fits[1][0] - TRUTHS[1]).max():.2f} from the truth.",
        )


def edges_between(eta):
    """The borders of cells around the numbers eta (n,), which grow in equal ratios -> (n + 1,)."""
    root = np.sqrt(eta[1] / eta[0])
    return np.append(eta / root, eta[-1] * root)


def figure_widths(surface, first, second, X, t, eta1, eta2, evidence, path, model):
    """Evidence (n2, n1) over eta1 (n1,) and eta2 (n2,), the path (P, 2) of an optimiser, and slices of its model."""
    view = Widths(surface, first, second, eta1, eta2)
    view.update(evidence, evidence.max(), (), path, path[-1], slices(model.predict, X, t))
    return view


# ---- the benchmark --------------------------------------------------------------------------------------


class Benchmark(View):
    """Two machines on several data sets, in units of what the support vector machine has on average: a row for each."""

    TITLES = {"error": True, "vectors": True, "time": False}  # quantity -> is it the same in every run?
    MARKS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

    def __init__(self, *axes):
        super().__init__(*axes)
        self.ones, self.splits, self.means = [], [], []
        for ax, quantity in zip(axes, self.TITLES, strict=True):
            dress(ax, None, "mean of the SVM = 1", title=quantity, grid=True)
            self.ones.append(self.add(Segments(ax, "ink", 1.6)))
            self.splits.append(self.add(Points(ax, MACHINES, 26)))
            self.means.append(self.add(Grips(ax, "good")))
        for cloud, name in zip(self.splits[1].artists, MACHINES, strict=True):
            cloud.set_label(name)

    def update(self, names, table):
        """names of the data sets; table (sets, splits, 2, 3): error, vectors and time of RVM and SVM, normalised."""
        rows, texts = np.arange(len(names))[::-1], []
        machine = np.broadcast_to(list(MACHINES), table.shape[:3])
        heights = rows[:, None, None] + np.where(machine == "RVM", 0.17, -0.17)
        for panel, (ax, quantity) in enumerate(zip(self.axes, self.TITLES, strict=True)):
            values = table[..., panel]
            middle = values[:, :, 0].mean(axis=1)
            self._scale(ax, values, names, rows, labelled=panel == 0)
            self.ones[panel].update([((1, -1), (1, len(names)))])
            self.splits[panel].update(np.column_stack([values.ravel(), heights.ravel()]), machine.ravel())
            self.means[panel].update(np.column_stack([middle, rows + 0.17]))
            if self.TITLES[quantity]:  # of times only the picture tells
                pairs = zip(names, middle, strict=True)
                texts.append(f"{quantity}: {', '.join(f'{name} {mean:.1f}' for name, mean in pairs)}")
        legend(self.axes[1], **(ABOVE_THE_AXES | {"bbox_to_anchor": (0.5, 1.08)}))
        describe(
            self.axes[0],
            f"Two machines on {len(names)} data sets, a dot for each of {table.shape[1]} splits, in units of the mean "
            f"of the support vector machine. Means of the relevance vector machine (diamonds): {'; '.join(texts)}.",
        )

    def _scale(self, ax, values, names, rows, labelled):
        """Rows for the sets; errors from zero on, the rest on a logarithmic axis."""
        ax.set_ylim(-0.6, len(names) - 0.4)
        ax.set_yticks(rows, names if labelled else [""] * len(names))
        if labelled:
            ax.set_xlim(0, 1.08 * values.max())
            return
        low, high = values.min() / 1.3, max(values.max(), 1) * 1.3
        ax.set_xscale("log")
        marks = [mark for mark in self.MARKS if low <= mark <= high]
        ax.set_xticks(marks, [f"{mark:g}" for mark in marks])
        ax.minorticks_off()
        ax.set_xlim(low, high)


def figure_benchmark(axes, names, table):
    """A row for each data set and a panel each for error, vectors and time; see `Benchmark.update`."""
    view = Benchmark(*np.ravel(axes))
    view.update(names, table)
    return view
