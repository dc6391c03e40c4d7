"""What pictures of curves share: the windows of the two data sets, where a point is, and the tube around a curve."""

import numpy as np

from sparsekm_edu.figures.layers import Band, Segments, curve

SINUSOID = (-0.1, 1.1, -1.55, 1.65)  # windows
SINC = (-10.5, 10.5, -0.65, 1.4)
SINUSOID_X = np.linspace(-0.1, 1.1, 241)  # where curves are drawn
SINC_X = np.linspace(-10, 10, 401)

# Where a point is, as its multipliers tell, (7.65)-(7.68): blue pulls the curve up, orange down; a triangle is outside.
INSIDE, UPPER_EDGE, LOWER_EDGE, ABOVE, BELOW = range(5)
KINDS = {
    INSIDE: ("faint", "o"),
    UPPER_EDGE: ("plus", "o"),
    LOWER_EDGE: ("minus", "s"),
    ABOVE: ("plus", "^"),
    BELOW: ("minus", "v"),
}
WORDS = {
    INSIDE: "inside",
    UPPER_EDGE: "upper edge",
    LOWER_EDGE: "lower edge",
    ABOVE: "above",
    BELOW: "below",
}


def kinds(v, C):
    """Where each point is (a key of KINDS), (N,), from v_n = a_n - a-hat_n (N,) and the wall C of their box."""
    at_wall = np.abs(v) > C * (1 - 1e-9)
    kind = np.where(v > 0, np.where(at_wall, ABOVE, UPPER_EDGE), np.where(at_wall, BELOW, LOWER_EDGE))
    return np.where(v == 0, INSIDE, kind)


class Tube:
    """The curve y(x), the tube of half-width epsilon around it, and the slack of every point outside."""

    def __init__(self, ax):
        self.band = Band(ax, share=0.2)
        self.line = curve(ax, "good", 2.6, zorder=3)
        self.edges = [curve(ax, "good", 1.3, "--", zorder=2) for _ in range(2)]
        self.slack = Segments(ax, "own", 3.0, zorder=4)
        self.artists = [*self.band.artists, self.line, *self.edges, *self.slack.artists]

    def update(self, x, y, epsilon, places, residual):
        """x, y: the curve; places (N, 2) of the points, residual (N,): t_n - y(x_n)."""
        self.band.update(x, y - epsilon, y + epsilon)
        self.line.set_data(x, y)
        for edge, side in zip(self.edges, (1, -1), strict=True):
            edge.set_data(x, y + side * epsilon)
        xi = np.abs(residual) - epsilon  # xi_n or xi-hat_n of (7.53), (7.54)
        ends = places - np.column_stack([np.zeros(len(xi)), np.sign(residual) * xi])
        self.slack.update(np.stack([places, ends], axis=1)[xi > 1e-9])
