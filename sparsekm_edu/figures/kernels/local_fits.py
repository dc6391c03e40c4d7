"""Smoothers on a line: MLaPP figure 14.18, a constant and a line fitted around one place, bias against variance."""

import numpy as np

from sparsekm_edu.figures.kernels.lab import Curves
from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    SMALL,
    Band,
    Grips,
    Label,
    Points,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import ONE_KIND, describe, dress, palette_of

WAVE = (-2.0, 102.0, -2.6, 5.8)  # window of `datasets.rising_wave`, with room for a bump at its foot
FOOT, HEIGHT = WAVE[2], 1.2  # of the bump that shows the window around x*
GRIP = FOOT + 0.35  # height of the grip at its edge
CONSTANT, LINE = "Nadaraya-Watson", "local line"
LOOKS = {CONSTANT: ("minus", "--"), LINE: ("good", "-")}  # role and style where both are in one panel


# ---- figure 14.18 ---------------------------------------------------------------------------------------
class Smooth(View):
    """Noisy points, the truth they come from, and a curve that smooths them."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, WAVE, "$x$", "$y$", title)
        self.truth = self.add(curve(ax, "ink", 1.8, ":", zorder=2, label="truth"))
        self.curve = self.add(curve(ax, "good", 2.6, label=r"$\hat f(x)$"))
        self.points = self.add(Points(ax, ONE_KIND, SMALL))

    def update(self, X, t, x, y, truth):
        """X (N, 1), t (N,) the points; y and truth (G,) over x (G,)."""
        self.truth.set_data(x, truth)
        self.curve.set_data(x, y)
        self.points.update(np.column_stack([X, t]), np.ones(len(t)))


def figure_14_18(ax, X, t, x, y, truth, h):
    """Kernel regression: the points X (N, 1), t (N,), the smoothed curve y (G,) over x (G,), the truth, bandwidth h."""
    view = Smooth(ax, f"kernel regression, $h$ = {h:.2f}")
    ax.set_ylim(-1.2, WAVE[3])
    view.update(X, t, x, y, truth)
    legend(ax, loc="upper left")
    describe(
        ax,
        f"Figure 14.18. {len(t)} noisy points of a rising wave and the curve that kernel regression with bandwidth "
        f"{h:.2f} makes of them; its root mean square distance from the truth, a dotted curve, is "
        f"{np.sqrt(np.mean((y - truth) ** 2)):.2f}.",
    )
    return view


# ---- a constant and a line around x* --------------------------------------------------------------------
class AroundAPlace(View):
    """A smoothed curve, and how it comes about at one place x*: the window, and what is fitted inside it."""

    def __init__(self, ax, title):
        super().__init__(ax)
        self.smooth = self.add(Smooth(ax, title))
        ax.set_xlabel("")
        self.bump = self.add(Band(ax, "own", 0.35))
        self.plumb = self.add(Segments(ax, "own", 1.2, "--", zorder=2))
        self.local = self.add(Segments(ax, "own", 3.2, zorder=6))
        self.probe = self.add(dot(ax, size=9))
        self.edge = self.add(Grips(ax))

    def update(self, X, t, x, y, truth, place, bump, local, edge):
        """place: x*; bump (B, 2): the window as x and share of its height; local: (2, 2), the piece fitted, end to end;
        edge: x of the grip of the window."""
        self.smooth.update(X, t, x, y, truth)
        self.bump.update(bump[:, 0], np.full(len(bump), FOOT), FOOT + HEIGHT * bump[:, 1])
        self.plumb.update([[(place, FOOT), (place, WAVE[3])]])
        self.local.update([local])
        self.probe.set_data([place], [np.mean(local[:, 1])])
        self.edge.update([(edge, GRIP)])


class Weights(View):
    """A row of weights as stems over the points, in units of the largest; squares where they are negative.

    What is less than a hundredth of the largest has no head, whatever its sign.
    """

    def __init__(self, ax, ylabel=""):
        super().__init__(ax)
        dress(ax, (*WAVE[:2], -0.62, 1.18), "$x_i$", ylabel)  # a boxcar at an end comes down to -0.5
        ax.set_yticks([0, 1])
        ax.axhline(0, color=palette_of(ax).faint, linewidth=1.2, zorder=1)
        self.stems = self.add(Segments(ax, "ink", 1.6))
        self.positive = self.add(curve(ax, "plus", 0, "o", markersize=5))
        self.negative = self.add(curve(ax, "minus", 0, "s", markersize=7, zorder=5))
        self.place = self.add(Segments(ax, "own", 1.2, "--", zorder=2))

    def update(self, X, w, place):
        """X (N, 1), w (N,) with a largest entry above 0."""
        heads = np.column_stack([X, w / np.abs(w).max()])
        self.stems.update(np.stack([heads * (1, 0), heads], axis=1))
        self.positive.set_data(*heads[heads[:, 1] > 0.01].T)
        self.negative.set_data(*heads[heads[:, 1] < -0.01].T)
        self.place.update([[(place, height) for height in self.axes[0].get_ylim()]])


class LocalFits(View):
    """Two smoothers side by side: above, what each fits around x*; below, how much it listens to every point."""

    def __init__(self, constant, line, constant_weights, line_weights):
        super().__init__(constant, line, constant_weights, line_weights)
        self.planes = [
            self.add(AroundAPlace(ax, title))
            for ax, title in ((constant, f"{CONSTANT}: a constant"), (line, "locally weighted: a line"))
        ]
        line.set_ylabel("")
        labels = r"$w_i(x_*)$ / largest", ""
        self.weights = [self.add(Weights(ax, label)) for ax, label in zip(self.axes[2:], labels, strict=True)]

    def update(self, X, t, x, fits, truth, place, bump, edge):
        """As AroundAPlace; fits: for each smoother the curve (G,), the piece (2, 2) and the weights (N,)."""
        for plane, weights, (y, local, w) in zip(self.planes, self.weights, fits, strict=True):
            plane.update(X, t, x, y, truth, place, bump=bump, local=local, edge=edge)
            weights.update(X, w, place)


# ---- straight lines, and rows of equivalent kernels -----------------------------------------------------
def figure_straight_line(ax, x, errors):
    """How far two smoothers of points on a straight line are from that line.

    errors: CONSTANT and LINE -> curve minus line (G,) over x (G,).
    """
    most = 1.3 * max(np.abs(error).max() for error in errors.values())
    dress(ax, (*WAVE[:2], -most, most), "$x$", "", r"$\hat f(x)$ minus the straight line")
    for name, error in errors.items():
        curve(ax, *_wide(name), label=name).set_data(x, error)
    legend(ax, loc="lower left")
    words = ", ".join(f"{name} {error[0]:+.2f} and {error[-1]:+.2f}" for name, error in errors.items())
    describe(
        ax,
        "Two smoothers of points on a straight line, without noise: how far they are from it, over x. At the left end "
        f"and at the right end: {words}.".replace("-0.00", "+0.00"),
    )


def _wide(name):
    role, style = LOOKS[name]
    return role, 2.6, style


def figure_equivalent_kernels(axes, X, rows, places):
    """The weights of all points for the prediction at each of some places.

    axes, places: as many; X (N, 1); rows: name of a smoother -> its weights (P, N), a row for each place. Three looks
    are known: those of CONSTANT and LINE, and one for any other name.
    """
    top, bottom = (pick([pick(W) for W in rows.values()]) for pick in (np.max, np.min))
    room = 0.12 * (top - bottom)
    for n, (ax, place) in enumerate(zip(np.ravel(axes), places, strict=True)):
        dress(ax, (*WAVE[:2], bottom - room, top + room), "$x_i$", "", f"weights at $x_*$ = {place:g}")
        ax.axhline(0, color=palette_of(ax).faint, linewidth=1.2, zorder=1)
        ax.axvline(place, color=palette_of(ax).own, linewidth=1.2, linestyle="--", zorder=1)
        for name, W in rows.items():
            (role, style), mark = LOOKS.get(name, ("plus", "-.")), {CONSTANT: "s", LINE: "o"}.get(name, "^")
            curve(ax, role, 1.6, style, marker=mark, markersize=4, label=name).set_data(X[:, 0], W[n])
    legend(np.ravel(axes)[0], loc="upper right")
    words = "; ".join(
        f"{name} at {', '.join(f'{p:g} from {w.min():.3f} to {w.max():.3f}' for p, w in zip(places, W, strict=True))}"
        for name, W in rows.items()
    )
    describe(np.ravel(axes)[0], f"Rows of equivalent kernels, the weights of {len(X)} points: {words}.")


# ---- bias against variance ------------------------------------------------------------------------------
ERROR = 0.8  # bias and s. d. at the edge of their panel, in units of y; doubled once or twice for larger ones
RISK = (0.35, 60.0, 6e-4, 3.0)  # window of the averages over h, logarithmic both ways
H_GRIP = 1e-3  # height of the grip of h


class BiasVariance(View):
    """What a smoother does on average and how far it strays: over x, and averaged, over the bandwidth h."""

    def __init__(self, plane, errors, risk):
        super().__init__(plane, errors, risk)
        dress(plane, (WAVE[0], WAVE[1], -1.6, 5.8), "", "$y$")
        plane.tick_params(labelbottom=False)
        self.band = self.add(Band(plane, "plus", 0.3))
        self.fits = self.add(Curves(plane, "faint", 0.6, zorder=1.5))
        self.truth = self.add(curve(plane, "ink", 2.0, ":", label="truth"))
        self.expected = self.add(curve(plane, "good", 2.6, label=r"expected $\hat f$, ± 2 s. d."))
        legend(plane, loc="upper left", borderaxespad=0.1)
        dress(errors, (*WAVE[:2], -1, 1), "$x$", "")
        errors.set_yticks([-1, 0, 1], [])
        errors.axhline(0, color=palette_of(errors).faint, linewidth=1.2, zorder=1)
        self.bias = self.add(curve(errors, "minus", 2.4, label="bias"))
        self.sd = self.add(curve(errors, "plus", 2.0, "--", label="standard deviation"))
        self.edge = self.add(Label(errors, ha="center", va="top"))
        legend(errors, **ABOVE_THE_AXES)
        dress(risk, RISK, "$h$")
        risk.set_xscale("log")
        risk.set_yscale("log")
        risk.set_xticks([1, 3, 10, 30], ["1", "3", "10", "30"])
        risk.minorticks_off()
        self.averages = [
            self.add(curve(risk, role, width, style, label=name))
            for role, width, style, name in (
                ("minus", 2.4, "-", "bias²"),
                ("plus", 2.0, "--", "variance"),
                ("ink", 2.6, "-", "sum"),
            )
        ]
        self.least = self.add(curve(risk, "good", 0, "*", markersize=15, zorder=6, label="least"))
        self.now = self.add(Segments(risk, "own", 1.6))
        self.grip = self.add(Grips(risk))
        legend(risk, **ABOVE_THE_AXES)

    def update(self, x, truth, expected, sd, fits, h, hs, averages):
        """Over x (G,): truth, expected and sd (G,), fits (G, S); over hs (H,): averages (2, H), of squared bias and of
        variance; h: the present bandwidth."""
        self.fits.update(x, fits)
        self.band.update(x, expected - 2 * sd, expected + 2 * sd)
        self.truth.set_data(x, truth)
        self.expected.set_data(x, expected)
        bias = expected - truth
        doubled = np.ceil(np.log2(1.05 * max(np.abs(bias).max(), sd.max()) / ERROR))
        edge = ERROR * 2 ** np.clip(doubled, 0, 2)
        self.bias.set_data(x, bias / edge)
        self.sd.set_data(x, sd / edge)
        self.edge.update((np.mean(WAVE[:2]), 0.97), f"edges: ± {edge:g}")
        total = np.sum(averages, axis=0)
        for line, values in zip(self.averages, (*averages, total), strict=True):
            line.set_data(hs, values)
        best = int(np.argmin(total))
        self.least.set_data([hs[best]], [total[best]])
        self.now.update([[(h, RISK[2]), (h, RISK[3])]])
        self.grip.update([(h, H_GRIP)])
