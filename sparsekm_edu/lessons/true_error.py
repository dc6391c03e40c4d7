"""The error of a classifier where the densities of both classes are known: no test set, no luck.

    error = 1/2 int_{y(x) > 0} p(x | C_-) dx + 1/2 int_{y(x) <= 0} p(x | C_+) dx

for classes that are equally frequent, as a sum over the points of a grid.
"""

from dataclasses import dataclass

import numpy as np

from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.solvers import c_path

REACH = (
    6.0  # standard deviations around the outermost centres: beyond is less than a millionth of a millionth
)


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


@dataclass(frozen=True, eq=False)
class KnownClasses:
    """Two equally frequent classes whose densities are known, on a grid: x1 (W,), x2 (H,); masses minus, plus (H, W).

    >>> from sparsekm_edu import SVC, Gaussian, datasets
    >>> from sparsekm_edu.lessons.true_error import known_mixtures
    >>> known = known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE)
    >>> model = SVC(C=1.0, kernel=Gaussian(gamma=1.0)).fit(*datasets.mixture())
    >>> print(f"{known.error(model):.3f}, and nobody is better than {known.bayes_error:.3f}")
    0.238, and nobody is better than 0.210
    """

    x1: np.ndarray
    x2: np.ndarray
    minus: np.ndarray
    plus: np.ndarray

    @property
    def bayes_error(self):
        """The least error that is possible: see `least_risk`."""
        return least_risk(self.minus, self.plus)

    def error(self, model):
        """The true error of a machine in the plane that has `surface`, fitted to labels -1 and +1."""
        return risk(model.surface(self.x1, self.x2), self.minus, self.plus)


def known_mixtures(minus, plus, variance, side=240):
    """Two mixtures of round Gaussians in equal parts, on a grid that holds both: KnownClasses.

    Parameters: minus, plus (J, 2), the centres of the Gaussians of class -1 and class +1; variance along each axis;
    side: number of cells along each axis. With 240 cells errors are good to about 0.0005.
    """
    centres, reach = np.vstack([minus, plus]), REACH * np.sqrt(variance)
    x1, x2 = (np.linspace(c.min() - reach, c.max() + reach, side) for c in centres.T)
    return KnownClasses(x1, x2, *(cell_masses(x1, x2, np.asarray(c), variance) for c in (minus, plus)))


def true_errors(X, t, C, gamma, known):
    """The true errors of the Gaussian support vector machines of a grid, (n_gamma, n_C), one path for each gamma.

    Parameters: X (N, 2), t (N,) to learn from, -1 and +1; C (n_C,), rising, gamma (n_gamma,); known, KnownClasses.
    """
    errors = np.empty((len(gamma), len(C)))
    for i, width in enumerate(gamma):
        kernel = Gaussian(width)
        path = c_path(kernel(X), t, C[-1])
        for j, price in enumerate(C):
            solution = path.at(price)
            kept = solution.support
            Y = kernel.on_grid(known.x1, known.x2, X[kept], solution.v[kept]) + solution.b
            errors[i, j] = risk(Y, known.minus, known.plus)
    return errors
