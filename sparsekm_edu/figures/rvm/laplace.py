"""The Laplace approximation (PRML 4.4, 4.5): of a density, of a model's evidence, of what a classifier predicts."""

import numpy as np
from contourpy import FillType, contour_generator
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Grips,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import TWO_CLASSES, describe, dress, palette_of

# ---- one density ----------------------------------------------------------------------------------------
SPAN = (-3.0, 5.0)  # of the axis on which a density over one number is drawn
MOST_DATA = 100  # largest power of a density


class DensityAndGaussian(View):
    """A density and the Gaussian that Laplace puts in its place, their logarithms, and how far apart they are."""

    def __init__(self, upper, lower, right):
        super().__init__(upper, lower, right)
        dress(upper, (*SPAN, -0.25, 2.3), "$z$", "density", grid=True)
        upper.set_yticks([])
        dress(lower, (*SPAN, -6, 1.5), "$z$", "its log", grid=True)
        dress(right, (0.85, 1.18 * MOST_DATA, 1e-4, 50), "$n$", "how wrong, for $f^n$", grid=True)
        right.set_xscale("log")
        right.set_yscale("log")
        self.p = self.add(curve(upper, "ink", 2.8, label="$p=f^n/Z$"))
        self.q = self.add(curve(upper, "own", 2.8, "--", label="Laplace's $q$"))
        legend(upper, loc="upper right")
        self.log_p = self.add(curve(lower, "ink", 2.8))
        self.log_q = self.add(curve(lower, "own", 2.8, "--"))
        self.mode = self.add(Segments(upper, "faint", 1.6, ":"))
        self.mode_below = self.add(Segments(lower, "faint", 1.6, ":"))
        self.grip = self.add(Grips(upper))
        self.error = self.add(curve(right, "own", 2.6, label="$|\\Delta\\ln Z|$"))
        self.distance = self.add(curve(right, "plus", 2.2, "-.", label="total variation"))
        self.guide = self.add(curve(right, "faint", 1.4, ":", label="$\\propto 1/n$"))
        self.marks = [self.add(dot(right, role, mark)) for role, mark in (("own", "o"), ("plus", "s"))]
        legend(right, **ABOVE_THE_AXES)

    def update(self, name, z, log_p, log_q, mode, n, powers, errors, distances, start=None):
        """z, log_p, log_q (Z,): logs of normalised p and q at z; n: the power shown; powers, errors, distances (P,):
        |ln Z by Laplace - ln Z| and total variation for all powers; start: where uphill began."""
        top = log_p.max()
        inside = np.isfinite(log_p)
        self.p.set_data(z, np.exp(log_p - top))
        self.q.set_data(z, np.exp(log_q - top))
        at_mode = np.interp(mode, z[inside], log_p[inside])
        self.log_p.set_data(z[inside], log_p[inside] - at_mode)
        self.log_q.set_data(z, log_q - log_q.max())
        for piece, ax in ((self.mode, self.axes[0]), (self.mode_below, self.axes[1])):
            piece.update([((mode, ax.get_ylim()[0]), (mode, ax.get_ylim()[1]))])
        self.grip.update([] if start is None else [(start, 0.0)])
        floor = self.axes[2].get_ylim()[0]
        shown = [np.maximum(values, floor) for values in (errors, distances)]
        self.error.set_data(powers, shown[0])
        self.distance.set_data(powers, shown[1])
        self.guide.set_data(powers, errors[0] / powers)
        now = [np.interp(np.log(n), np.log(powers), values) for values in shown]
        for mark, value in zip(self.marks, now, strict=True):
            mark.set_data([n], [value])
        describe(
            self.axes[0],
            f"Laplace approximation of the density called {name}, to the power {n:.3g}, around its mode {mode:.3f}. "
            f"Left, density and Gaussian, below their logarithms, a curve and a parabola. Right, the error of ln Z "
            f"and the total variation against the power: {errors[0]:.3f} and {distances[0]:.3f} at "
            f"{powers[0]:.0f}, {errors[-1]:.4f} and {distances[-1]:.4f} at {powers[-1]:.0f}.",
        )


def figure_laplace(upper, lower, right, name, z, log_p, log_q, mode, n, powers, errors, distances):
    """A density, its Laplace approximation, and their difference for n-th powers; see `DensityAndGaussian.update`."""
    view = DensityAndGaussian(upper, lower, right)
    view.update(name, z, log_p, log_q, mode, n, powers, errors, distances)
    return view


# ---- the degree of a polynomial -------------------------------------------------------------------------
BELOW = 12.0  # nats below the best degree that are shown


class DegreeChoice(View):
    """Left, labels and the polynomials chosen by evidence and by BIC; right, what the criteria say of all degrees."""

    #: criterion -> (role, line, marker, width)
    LOOKS = {
        "log likelihood": ("faint", ":", "", 2.4),
        "Laplace": ("good", "-", "o", 2.4),
        "sampled": ("ink", "", "x", 0.0),
        "BIC": ("own", "--", "s", 2.2),
    }

    def __init__(self, left, right, degrees):
        super().__init__(left, right)
        self.degrees = degrees
        dress(left, (-1.03, 1.03, -0.14, 1.14), "$x$", "$p(t=1\\,|\\,x)$", grid=True)
        self.truth = self.add(curve(left, "ink", 2.0, ":", label="truth"))
        self.by_laplace = self.add(curve(left, "good", 3.4, label="by evidence"))
        self.by_bic = self.add(curve(left, "own", 2.4, "--", zorder=4.1, label="by BIC"))
        self.rugs = [self.add(Segments(left, role, 1.6)) for role in ("plus", "minus")]
        legend(left, **ABOVE_THE_AXES)
        window = (-0.4, degrees[-1] + 0.4, -BELOW, 1.0)
        dress(right, window, "degree", "nats (best: 0)", grid=True)
        right.set_xticks(degrees)
        self.criteria = {
            name: self.add(
                curve(right, role, width, style, marker=marker, markersize=8, markeredgewidth=2, label=name)
            )
            for name, (role, style, marker, width) in self.LOOKS.items()
        }
        legend(right, **ABOVE_THE_AXES)
        self.rings = self.add(Rings(right, size=330))

    def update(self, x, t, line, truth, by_laplace, by_bic, scores):
        """x, t (N,): inputs and labels 0 or 1; line (L,): inputs of the curves; truth, by_laplace, by_bic (L,):
        probabilities; scores: criterion -> (degrees,) as in LOOKS."""
        for rug, label, (low, high) in zip(self.rugs, (1, 0), ((1.04, 1.11), (-0.11, -0.04)), strict=True):
            rug.update([((at, low), (at, high)) for at in x[t == label]])
        self.truth.set_data(line, truth)
        self.by_laplace.set_data(line, by_laplace)
        self.by_bic.set_data(line, by_bic)
        for name, values in scores.items():
            self.criteria[name].set_data(self.degrees, values - values.max())
        chosen = {name: int(self.degrees[scores[name].argmax()]) for name in ("Laplace", "sampled", "BIC")}
        self.rings.update([(degree, 0.0) for degree in set(chosen.values())])
        describe(
            self.axes[0],
            f"Left, {len(t)} labels along an axis, the true probability of label 1, and the polynomials that evidence "
            f"and BIC choose, of degrees {chosen['Laplace']} and {chosen['BIC']}. Right, log evidence by Laplace and "
            f"by sampling, BIC and log likelihood for degrees {self.degrees[0]} to {self.degrees[-1]}, each in nats "
            f"below its best; sampling has its best at degree {chosen['sampled']}.",
        )


def figure_degree(left, right, degrees, x, t, line, truth, by_laplace, by_bic, scores):
    """Choosing a degree by evidence and by BIC; arguments as in `DegreeChoice.update`."""
    view = DegreeChoice(left, right, degrees)
    view.update(x, t, line, truth, by_laplace, by_bic, scores)
    return view


# ---- predictions ----------------------------------------------------------------------------------------
MASSES = (0.5, 0.9, 0.99)  # of the posterior inside its contours
RANGE = (-4.0, 4.0)  # of the inputs
ROWS = {1: 1.09, -1: -0.09}  # heights at which the points of the classes are drawn


class PosteriorPlane:
    """The posterior of two weights, shaded, and the ellipses of its Laplace approximation, in units of the latter."""

    def __init__(self, ax):
        colours = palette_of(ax)
        self.shades = [colours.mix("good", share) for share in (0.15, 0.35, 0.6)]
        self.bands = PathCollection([], facecolors=self.shades, linewidths=0, zorder=1)
        ax.add_collection(self.bands, autolim=False)
        self.ellipses = [curve(ax, "own", 2.0, "--") for _ in MASSES]
        self.artists = [self.bands, *self.ellipses]

    def update(self, z, density, shares, to_plane):
        """z (G,), density (G, G), shares (G, G): the grid, the posterior's density there and its share of 1;
        to_plane (2, 2): from z to weights in standard deviations."""
        order = np.argsort(density, axis=None)[::-1]
        inside = np.cumsum(shares.ravel()[order])
        contours = contour_generator(z, z, density.T, fill_type=FillType.OuterCode)
        paths, shades = [], []
        for mass, shade in zip(reversed(MASSES), self.shades, strict=True):
            # where the density is so low that `mass` lies higher; in logs, because it falls so steeply
            level = np.exp(np.interp(mass, inside, np.log(np.maximum(density.ravel()[order], 1e-300))))
            pieces = zip(*contours.filled(level, 2 * density.max()), strict=True)
            paths += [Path(vertices @ to_plane.T, codes) for vertices, codes in pieces]
            shades += [shade] * (len(paths) - len(shades))
        self.bands.set_paths(paths)
        self.bands.set_facecolor(shades)
        angle = np.linspace(0, 2 * np.pi, 73)
        circle = np.stack([np.cos(angle), np.sin(angle)])
        for ellipse, mass in zip(self.ellipses, MASSES, strict=True):
            ellipse.set_data(*(to_plane @ circle * np.sqrt(-2 * np.log(1 - mass))))


class Predictions(View):
    """Left, p(t = 1 | x) in four ways; right, the posterior of the weights and its Laplace approximation."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, (*RANGE, -0.17, 1.17), "$x$", "$p(t=1\\,|\\,x)$", grid=True)
        self.here = self.add(Segments(left, "faint", 1.4, ":"))
        self.exact = self.add(curve(left, "good", 5.0, label="exact"))
        self.plug_in = self.add(curve(left, "ink", 2.0, ":", label="plug-in"))
        self.probit = self.add(curve(left, "own", 2.2, "--", label="probit formula"))
        self.averaged = self.add(
            curve(left, "own", 0, "", marker="o", markersize=5, label="Laplace, integrated")
        )
        self.points = self.add(Points(left, TWO_CLASSES))
        self.grip = self.add(Grips(left))
        legend(left, **ABOVE_THE_AXES)
        dress(
            right,
            (-6, 7, -6, 6),
            r"slope: $(w_1-w_1^\ast)\,/\,\mathrm{sd}_1$",
            r"intercept: $(w_0-w_0^\ast)\,/\,\mathrm{sd}_0$",
            "posterior, in Laplace's sd",
            grid=True,
        )
        right.set_xticks(range(-6, 7, 2))
        self.plane = self.add(PosteriorPlane(right))
        self.mode = self.add(dot(right, "own", "+", 12))
        self.mode.set_data([0], [0])

    def update(self, x, t, line, ways, posterior, place=None):
        """x, t (N,): inputs, labels -1 or 1; line (L,); ways: dict of (L,) "exact", "plug-in", "probit", "Laplace";
        posterior: as for `PosteriorPlane.update`; place: x of the probe."""
        self.points.update(np.column_stack([x, np.where(t > 0, ROWS[1], ROWS[-1])]), t)
        self.exact.set_data(line, ways["exact"])
        self.plug_in.set_data(line, ways["plug-in"])
        self.probit.set_data(line, ways["probit"])
        some = slice(None, None, max(1, len(line) // 26))
        self.averaged.set_data(line[some], ways["Laplace"][some])
        self.here.update([] if place is None else [((place, -0.17), (place, 1.17))])
        self.grip.update([] if place is None else [(place, np.interp(place, line, ways["exact"]))])
        self.plane.update(*posterior)
        away = {name: np.abs(values - ways["exact"]).max() for name, values in ways.items()}
        describe(
            self.axes[0],
            f"Left, {len(t)} points of two classes on an axis, and the probability of class 1 in four ways. Largest "
            f"differences from exact integration: plug-in {away['plug-in']:.3f}, probit formula {away['probit']:.3f}, "
            f"Laplace's Gaussian integrated {away['Laplace']:.3f}. Right, contours of the posterior of slope and "
            f"intercept, and the ellipses of its Laplace approximation, measured from the mode in the latter's "
            f"standard deviations.",
        )


def figure_predictive(left, right, x, t, line, ways, posterior):
    """Predictions of Bayesian logistic regression in four ways; arguments as in `Predictions.update`."""
    view = Predictions(left, right)
    view.update(x, t, line, ways, posterior)
    return view
