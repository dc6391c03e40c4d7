"""To draw: who is nearest to whom among strings."""

import numpy as np

from sparsekm_edu import datasets, figures
from sparsekm_edu.kernels import Normalised, Spectrum
from sparsekm_edu.lessons.neighbours import nearest_others


def draw_neighbours(axes):
    X, family = datasets.protein_families(n=60, families=3)
    letters = np.array([len(x) for x in X])
    kernels = {"3-spectrum": Spectrum(3), "normalised": Normalised(Spectrum(3))}
    neighbours = {name: nearest_others(kernel(X)) for name, kernel in kernels.items()}
    return figures.figure_neighbours(axes, letters, family, neighbours), (letters, family, neighbours)


FIGURES = {"figure_neighbours": (draw_neighbours, 2)}
