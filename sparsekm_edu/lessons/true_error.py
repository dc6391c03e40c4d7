"""The error of a classifier where the densities of both classes are known: no test set, no luck.

    error = 1/2 int_{y(x) > 0} p(x | C_-) dx + 1/2 int_{y(x) <= 0} p(x | C_+) dx

for classes that are equally frequent, as a sum over the points of a grid.
"""

import numpy as np


def cell_masses(x1, x2, centres, variance):
    """The probability of every cell of a grid under a mixture of round Gaussians in equal parts.

    Parameters: x1 (W,), x2 (H,) evenly spaced centres of the cells, which reach far enough to hold everything; centres
    (J, 2) of the Gaussians; variance along each axis.
    Returns: (H, W), the density at the centres, scaled to sum 1.
    """
    across, up = (np.exp(-((x[:, None] - c) ** 2) / (2.0 * variance)) for x, c in zip((x1, x2), centres.T))
    density = up @ across.T
    return density / density.sum()


def risk(Y, minus, plus):
    """The error of the classifier sign(Y), Y (H, W) on the grid, for the cell masses of both classes."""
    return float(0.5 * (minus[Y > 0].sum() + plus[Y <= 0].sum()))


def least_risk(minus, plus):
    """The error of whoever knows the densities, and chooses the denser class everywhere."""
    return risk(plus - minus, minus, plus)
