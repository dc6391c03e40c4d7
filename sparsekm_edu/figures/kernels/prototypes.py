"""Kernels on prototypes as features: MLaPP figures 14.2 (xor) and 14.3 (a basis of bumps on a line)."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.image import AxesImage

from sparsekm_edu.figures.layers import (
    SMALL,
    Label,
    Marks,
    Points,
    Segments,
    Surface,
    View,
    curve,
    grid_over,
)
from sparsekm_edu.figures.style import ONE_KIND, THIRD, describe, dress, palette_of

UNIT_SQUARE = (-0.6, 1.6, -0.6, 1.6)  # windows: of xor, and of the parabola
PARABOLA = (-1.1, 1.1, -11.0, 19.0)
CORNERS = np.array([(0, 0), (1, 1), (0, 1), (1, 0)])  # of xor: the first two are false
FALSE = np.array([1, 1, 0, 0], bool)


class Prototypes(Marks):
    """Where the kernels sit: triangles in the colour of what the learner moves."""

    def __init__(self, ax, size=150):
        colours = palette_of(ax)
        looks = {"edgecolors": colours.paper, "linewidths": 1.2, "zorder": 7}
        self.artists = [ax.scatter([], [], size, colours.own, marker=THIRD, **looks)]


# ---- figure 14.2 ----------------------------------------------------------------------------------------
class XorPlane(View):
    """y(x) over the plane, the points of xor, and the prototypes if there are any."""

    def __init__(self, ax, title=""):
        super().__init__(ax)
        dress(ax, UNIT_SQUARE, "$x_1$", "$x_2$", title, equal=True)
        ax.set_xticks([0, 0.5, 1])
        ax.set_yticks([0, 0.5, 1])
        self.surface = self.add(Surface(ax, margins=False))
        self.points = self.add(Points(ax, size=SMALL))
        self.prototypes = self.add(Prototypes(ax))

    def update(self, X, t, grid, Y, prototypes=()):
        """grid: (x1, x2), axes of the values Y of y(x); prototypes: (K, 2)."""
        self.surface.update(*grid, Y)
        self.points.update(X, t)
        self.prototypes.update(prototypes)


class Corners(View):
    """y at the four corners, over the largest of them, and the mean of each diagonal: equal if y is additive."""

    PLACES = np.array([0.0, 1.0, 2.3, 3.3])

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, (-0.6, 3.9, -1.15, 1.15), "corner $x_1x_2$", "$y$ / largest $|y|$", "dashed: mean of two")
        ax.set_xticks(self.PLACES, ["00", "11", "01", "10"])
        ax.axhline(0, color=palette_of(ax).ink, linewidth=1.2, zorder=1)
        self.stems = self.add(Segments(ax, "faint", 5.0, zorder=2))
        self.means = self.add(Segments(ax, "ink", 2.0, "--"))
        self.heads = self.add(Points(ax, size=90))

    def update(self, y):
        """y: (4,) at CORNERS."""
        heights = y / max(np.abs(y).max(), 1e-300)
        ends = np.column_stack([self.PLACES, heights])
        self.stems.update(np.stack([ends * (1, 0), ends], axis=1))
        self.heads.update(ends, np.where(FALSE, -1, 1))
        means = heights[FALSE].mean(), heights[~FALSE].mean()
        spans = (-0.45, 1.45), (1.85, 3.75)
        self.means.update([[(a, m), (b, m)] for m, (a, b) in zip(means, spans, strict=True)])


class Xor(View):
    """The plane of `prototypes`, and beside it the four corners."""

    def __init__(self, plane, corners):
        super().__init__(plane, corners)
        self.plane, self.corners = XorPlane(plane), Corners(corners)
        self.artists += self.plane.artists + self.corners.artists

    def update(self, X, t, grid, Y, y, prototypes):
        """As XorPlane; y: (4,) at CORNERS."""
        self.plane.update(X, t, grid, Y, prototypes)
        self.corners.update(y)


class TruthTable(View):
    """Figure 14.2 (a): four corners, and what xor says there."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, UNIT_SQUARE, "$x_1$", "$x_2$", "(a) xor", equal=True)
        ax.set_xticks([0, 1])
        ax.set_yticks([0, 1])
        points = self.add(Points(ax, size=260))
        points.update(CORNERS, np.where(FALSE, -1, 1))
        for (x1, x2), false in zip(CORNERS, FALSE, strict=True):
            self.add(Label(ax, ha="center", va="top", patch=False)).update((x1, x2 - 0.14), "01"[not false])


def figure_14_2(axes, X, t, functions, prototypes):
    """(a) xor; then the points X, t, jittered, with the boundaries of three functions y(x), X (N, 2) -> (N,).

    axes: four; functions: of powers of each coordinate, of all monomials, of kernels on the prototypes (K, 2).
    """
    titles = "(b) powers of each coordinate", "(b') all monomials", f"(c) RBF, {len(prototypes)} prototypes"
    planes = [XorPlane(ax, title) for ax, title in zip(axes[1:], titles, strict=True)]
    grid = grid_over(UNIT_SQUARE)
    places = np.stack(np.meshgrid(*grid), axis=-1)
    wrong = []
    for plane, y, marks in zip(planes, functions, ((), (), prototypes), strict=True):
        plane.update(X, t, grid, y(places.reshape(-1, 2)).reshape(places.shape[:2]), marks)
        wrong.append(np.sum((y(X) > 0) != (t > 0)))
    describe(
        axes[0],
        f"Figure 14.2. The truth table of xor: 1 at the corners 01 and 10, 0 at 00 and 11. Beside it {len(t)} jittered "
        "points with the boundaries of logistic regression on three sets of features: powers of each coordinate, which "
        f"are wrong about {wrong[0]} points, all monomials, wrong about {wrong[1]}, and Gaussian kernels on "
        f"{len(prototypes)} prototypes, marked by triangles, wrong about {wrong[2]}.",
    )
    return [TruthTable(axes[0]), *planes]


# ---- figure 14.3 ----------------------------------------------------------------------------------------
class DesignMatrix:
    """A matrix of numbers from 0 to 1 as shades, paper to ink, over the unit square: first row on top,
    and a line between neighbouring columns."""

    def __init__(self, ax):
        colours = palette_of(ax)
        self.shades = np.rint(255 * np.array([colours.mix("ink", share) for share in np.linspace(0, 1, 256)]))
        self.image = AxesImage(ax, extent=(0, 1, 0, 1), origin="upper", interpolation="nearest", zorder=0)
        self.image.set_data(np.zeros((2, 2, 3)))
        ax.add_image(self.image)
        self.columns = Segments(ax, "faint", 0.8)
        self.artists = [self.image, *self.columns.artists]

    def update(self, Phi):
        """Phi: (N, K)."""
        opaque = np.dstack([self.shades[np.rint(255 * Phi).astype(int)], np.full(Phi.shape, 255.0)])
        self.image.set_data(opaque.astype(np.uint8))
        self.columns.update([[(k, 0), (k, 1)] for k in np.arange(1, Phi.shape[1]) / Phi.shape[1]])


class RbfBasis(View):
    """A row of figure 14.3: the curve through the points, its basis functions, the design matrix."""

    def __init__(self, fit, basis, design):
        super().__init__(fit, basis, design)
        dress(fit, PARABOLA, "$x$", "$t$", "fit; dashed: truth")
        dress(basis, (*PARABOLA[:2], -0.1, 1.1), "$x$", "", r"$\phi_k(x)$")
        dress(design, (0, 1, 0, 1), "prototype $k$", "point $n$", r"$\phi_k(x_n)$, solid: 1")
        for axis in (design.xaxis, design.yaxis):
            axis.set_ticks([])
        self.truth = self.add(curve(fit, "faint", 2.0, "--", zorder=2))
        self.curve = self.add(curve(fit, "good", 2.6))
        self.points = self.add(Points(fit, ONE_KIND, SMALL))
        self.bumps = self.add(LineCollection([], colors=palette_of(basis).plus, linewidths=1.4, zorder=3))
        basis.add_collection(self.bumps, autolim=False)
        self.prototypes = self.add(Prototypes(basis, size=40))
        self.design = self.add(DesignMatrix(design))

    def update(self, X, t, grid, curves, bumps, prototypes, Phi):
        """X (N, 1), t (N,); over grid (G,): curves, the fit and the truth, and bumps (G, K); Phi (N, K)."""
        y, truth = curves
        self.truth.set_data(grid, truth)
        self.curve.set_data(grid, y)
        self.points.update(np.column_stack([X, t]), np.ones(len(t)))
        self.bumps.set_segments([np.column_stack([grid, bump]) for bump in bumps.T])
        self.prototypes.update([(mu, -0.05) for mu in prototypes])
        self.design.update(Phi)


def figure_14_3(axes, X, t, grid, truth, rows, prototypes):
    """Each row of axes (R, 3): the fit, the basis functions and the design matrix for one width.

    X (N, 1), t (N,) the points; truth (G,) over grid (G,); rows: R tuples (tau, y over the grid, bumps (G, K) over the
    grid, Phi (N, K)); prototypes (K,).
    """
    views = []
    for (fit, *others), (tau, y, bumps, Phi) in zip(np.reshape(axes, (-1, 3)), rows, strict=True):
        views.append(RbfBasis(fit, *others))
        views[-1].update(X, t, grid, (y, truth), bumps, prototypes, Phi)
        fit.set_title(rf"fit, $\tau$ = {tau:g}; dashed: truth")
    words = ", ".join(f"{tau:g}: from {y.min():.1f} to {y.max():.1f}" for tau, y, *_ in rows)
    describe(
        np.ravel(axes)[0],
        f"Figure 14.3. {len(t)} noisy points of a parabola and the curve that {len(prototypes)} Gaussian bumps make of "
        f"them, a row for each width tau; the curve reaches, for tau = {words}. Beside it the bumps, and the design "
        f"matrix as shades of grey, whose entries are at least {', '.join(f'{row[3].min():.3f}' for row in rows)}.",
    )
    return views
