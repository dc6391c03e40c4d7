"""To draw: what ridge regression costs."""

import numpy as np

from sparsekm_edu import figures


def draw_ridge_costs(axes):
    """Seconds are made up: they differ from run to run."""
    N, D = 100, np.array([25, 50, 100, 200, 400])
    operations = {"primal": N * D**2 / 2 + D**3 / 6, "dual": N**2 * D / 2 + N**3 / 6}
    seconds = {name: 1e-5 + 1e-9 * count for name, count in operations.items()}
    return figures.figure_ridge_costs(*axes, N, D, operations, seconds), (N, D, operations, seconds)


FIGURES = {"figure_ridge_costs": (draw_ridge_costs, 2)}
