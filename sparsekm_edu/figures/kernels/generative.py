"""Kernels from probabilistic models (MLaPP 14.2.8): two densities that overlap, and scores that pull at a mean."""

import numpy as np

from sparsekm_edu.figures.layers import (
    ABOVE_THE_AXES,
    Arrows,
    Band,
    Label,
    Points,
    Rings,
    Segments,
    View,
    curve,
    dot,
    legend,
)
from sparsekm_edu.figures.style import SQUARE, describe, dress


class Overlap(View):
    """(14.23) on a line: two densities to the power of rho, their product shaded; its area against the distance."""

    WINDOW = -5.0, 5.0, 0.0, 1.22
    FARTHEST = 6.4

    def __init__(self, left, right):
        super().__init__(left, right)
        dress(left, self.WINDOW, "$u$")
        self.area = self.add(Band(left, "good", 0.45))
        self.product = self.add(curve(left, "good", 2.0, label=r"product"))
        self.densities = [
            self.add(curve(left, "plus", 2.4, label=r"$p(u|x)^\rho$")),
            self.add(curve(left, "minus", 2.4, "--", label=r"$p(u|z)^\rho$")),
        ]
        legend(left, **ABOVE_THE_AXES | {"ncols": 3, "bbox_to_anchor": (0.5, 1.0)})
        self.centres = [self.add(dot(left, "plus")), self.add(dot(left, "minus", "s"))]
        self.words = self.add(Label(left, "good", 14, patch=False))
        dress(right, (0, self.FARTHEST, 0, 1.08), "$|x - z|$", title=r"$k(x, z)\,/\,k(x, x)$")
        self.decay = self.add(curve(right, "ink", 2.2))
        self.here = self.add(dot(right, "own"))

    def update(self, u, densities, centres, decay, area):
        """u (n,); densities (2, n), already to the power of rho; centres (2,), x and z.

        decay: two arrays, distances and k(x, z) / k(x, x) there; area: k(x, z).
        """
        product = densities[0] * densities[1]
        self.area.update(u, np.zeros(len(u)), product)
        self.product.set_data(u, product)
        for line, density in zip(self.densities, densities, strict=True):
            line.set_data(u, density)
        for centre, place, density in zip(self.centres, centres, densities, strict=True):
            centre.set_data([place], [np.interp(place, u, density)])
        self.words.update((self.WINDOW[0] + 0.2, 1.1), f"area of the product = k = {area:.4g}")
        self.decay.set_data(*decay)
        apart = abs(centres[0] - centres[1])
        self.here.set_data([apart], [np.interp(apart, *decay)])
        describe(
            self.axes[0],
            f"Two Gaussian densities around x = {centres[0]:.2f} and z = {centres[1]:.2f}, to the power of rho. Their "
            f"product is shaded; its area is the kernel, k(x, z) = {area:.4g}. Beside it k(x, z) falls with the "
            "distance like a Gaussian.",
        )


def figure_overlap(axes, u, densities, centres, decay, area):
    """Two panels: the product of two densities with its area, and how this area falls with the distance.

    Parameters: u (n,); densities (2, n), to the power of rho; centres x and z; decay, distances and k(x, z) / k(x, x);
    area k(x, z).
    """
    view = Overlap(*axes)
    view.update(u, densities, centres, decay, area)
    return view


class Scores(View):
    """The Fisher kernel of a Gaussian mean in the plane: each point pulls at theta; like directions, k > 0."""

    def __init__(self, ax):
        super().__init__(ax)
        dress(ax, SQUARE, "$x_1$", "$x_2$", "k of each point with the ringed one", equal=True)
        self.border = self.add(Segments(ax, "faint", 1.6, "--"))
        self.pulls = self.add(Arrows(ax, "faint", 2.0))
        self.chosen_pull = self.add(Arrows(ax, "own", 3.2))
        self.points = self.add(Points(ax))
        self.ring = self.add(Rings(ax, "own"))
        self.theta = self.add(dot(ax, "ink"))
        self.name = self.add(Label(ax, "ink", 15, "center", "center"))
        self.values = []

    def update(self, X, theta, g, k, chosen):
        """X (N, 2); theta (2,); g (N, 2), the scores; k (N,), of each point with the chosen one."""
        self.points.update(X, np.where(k > 0, 1, -1))
        self.ring.update(X[[chosen]])
        self.theta.set_data(*np.c_[theta])
        tips = theta + g
        others = np.arange(len(X)) != chosen
        self.pulls.update(np.broadcast_to(theta, tips[others].shape), tips[others])
        self.chosen_pull.update(theta, tips[chosen])
        along = np.array([-g[chosen][1], g[chosen][0]]) / np.linalg.norm(g[chosen])
        self.border.update([(theta - 9 * along, theta + 9 * along)])
        self.name.update(theta + 0.42 * widest_gap([*g, along, -along]), r"$\hat\theta$")
        for n, (x, value) in enumerate(zip(X, k, strict=True)):
            if n == len(self.values):
                self.values.append(self.add(Label(self.axes[0], "ink", 12, "center", "center")))
            away = 0.34 if g[n][1] > 0 else -0.34  # from the arrow
            self.values[n].update(x + (0.0, away), f"k = {value:.2f}".replace("-", "−"))
        describe(
            self.axes[0],
            f"{len(X)} points in the plane and their mean theta. The score of each point is an arrow from theta to "
            f"it. The Fisher kernel with the point at ({X[chosen][0]:.2f}, {X[chosen][1]:.2f}) is positive on its side "
            f"of the dashed line ({int(np.sum(k > 0))} points, itself among them) and negative on the other "
            f"({int(np.sum(k < 0))}).",
        )


def widest_gap(directions):
    """The unit vector into the middle of the widest gap between directions, (n, 2): room for a word."""
    angles = np.sort(np.arctan2(*np.transpose(directions)[::-1]))
    gaps = np.diff(angles, append=angles[0] + 2 * np.pi)
    middle = angles[gaps.argmax()] + gaps.max() / 2
    return np.array([np.cos(middle), np.sin(middle)])


def figure_scores(ax, X, theta, g, k, chosen=0):
    """The points, the pull of each at theta-hat (its score, as an arrow), and k of each with the chosen one.

    Parameters: X (N, 2); theta (2,); g (N, 2), `model.score(X)`; k (N,), one row of the Fisher kernel's Gram matrix;
    chosen, the number of that row.
    """
    view = Scores(ax)
    view.update(np.asarray(X, float), np.asarray(theta, float), g, k, chosen)
    return view
