"""To draw: a ring in feature space."""

from sparsekm_edu import datasets, figures
from sparsekm_edu.kernels.features import SECOND_ORDER, second_order
from sparsekm_edu.solvers import smo, soft_margin

X, T = datasets.ring()
ANGLES = [(25.0, 20.0), (-180.0, 0.0), (60.0, 90.0), (10.0, -90.0), (-75.0, 12.0)]


def chosen(points):
    return second_order(points)[:, 3:]


def draw_feature_map(axes, **angles):
    solution = smo(soft_margin(chosen(X) @ chosen(X).T, T, 10.0))
    plane = solution.v @ chosen(X), solution.b
    view = figures.figure_feature_map(
        *axes, X, T, chosen, SECOND_ORDER[3:], plane, solution.support, **angles
    )
    return view, (plane, solution)


FIGURES = {"figure_feature_map": (draw_feature_map, 2)}
