"""One class: the plane of Schoelkopf et al. and the sphere of Tax and Duin, and what nu promises (PRML 7.1.3)."""

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from sparsekm_edu.figures.layers import ABOVE_THE_AXES, Crosses, Points, Rings, View, curve, dot, legend
from sparsekm_edu.figures.style import CRESCENT, ONE_KIND, describe, dress, palette_of


class Boundary:
    """Where y(x) = 0; with a share of colour for the side y(x) >= 0."""

    def __init__(self, ax, role, width, style="-", share=0.0, label=""):
        colours = palette_of(ax)
        line = {"edgecolors": getattr(colours, role), "linewidths": width, "linestyles": style}
        self.inside = PathCollection([], facecolors=[colours.mix(role, share)], linewidths=0, zorder=0)
        self.line = PathCollection([], facecolors="none", zorder=3, **line)
        self.artists = [self.line, self.inside] if share else [self.line]
        for artist in self.artists:
            ax.add_collection(artist, autolim=False)
        curve(ax, role, width, style, label=label)  # for the legend, which cannot show an empty collection

    def update(self, x1, x2, Y):
        contours = contour_generator(x1, x2, Y, fill_type=FillType.OuterCode, line_type=LineType.SeparateCode)
        self.line.set_paths([Path(*piece) for piece in zip(*contours.lines(0.0), strict=True)])
        fill = contours.filled(0.0, max(1.0, Y.max() + 1))
        self.inside.set_paths([Path(*piece) for piece in zip(*fill, strict=True)])


class Novelty(View):
    """Left, what counts as normal; right, the two fractions between which nu is caught."""

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, CRESCENT, "$x_1$", "$x_2$", equal=True)
        dress(right, (0, 1, 0, 1), r"$\nu$", "fraction of the points", square=True, grid=True)
        self.plane = self.add(Boundary(left, "good", 4.5, share=0.16, label="plane"))
        self.sphere = self.add(Boundary(left, "own", 2.2, "--", label="sphere"))
        self.points = self.add(Points(left, ONE_KIND, 45))
        self.rings = self.add(Rings(left, size=150))
        self.outside = self.add(Crosses(left))
        self.origin = self.add(dot(left, "faint", "+", 13))
        self.support_share = self.add(curve(right, "ink", label="support vectors"))
        self.outside_share = self.add(curve(right, "ink", style="--", label="outside"))
        self.diagonal = self.add(curve(right, "own", 1.6))
        self.here = self.add(curve(right, "own", 1.4, ":"))
        self.found = self.add(dot(right, "ink", size=9))
        for ax in self.axes:  # above the axes: inside, the curves may go anywhere
            legend(ax, **ABOVE_THE_AXES)

    def update(self, X, grid, plane, sphere, support, outside, nu, path):
        """grid: (x1, x2); plane, sphere: the decision values of both machines on it, (H, W).

        support, outside: indices of the plane's support vectors and of the points beyond it; path: arrays (values of
        nu, fraction of support vectors, fraction outside).
        """
        self.plane.update(*grid, plane)
        self.sphere.update(*grid, sphere)
        self.points.update(X, np.ones(len(X)))
        self.rings.update(X[support])
        self.outside.update(X[outside])
        self.origin.set_data([0], [0])
        nus, supports, outsides = path
        self.support_share.set_data(nus, supports)
        self.outside_share.set_data(nus, outsides)
        self.diagonal.set_data([0, 1], [0, 1])
        self.here.set_data([nu, nu], [0, 1])
        shares = len(outside) / len(X), len(support) / len(X)
        self.found.set_data([nu, nu], shares)
        differ = np.mean((plane >= 0) != (sphere >= 0))
        describe(
            self.axes[0],
            f"Left, {len(X)} points of one class and two boundaries, from a plane and from a sphere in feature space, "
            f"which differ on {differ:.1%} of the picture; {len(support)} support vectors of the plane are circled, "
            f"{len(outside)} points outside it are crossed out. Right, against nu, the fraction outside stays below "
            f"the diagonal, that of support vectors above it: {shares[0]:.3f} and {shares[1]:.3f} at nu = {nu:.3g}.",
        )


def figure_novelty(left, right, X, grid, plane, sphere, support, outside, nu, path):
    """Both machines for one class (left) and the bounds on nu (right); see `Novelty.update`."""
    view = Novelty(left, right)
    view.update(X, grid, plane, sphere, support, outside, nu, path)
    return view
