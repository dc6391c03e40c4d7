"""To draw: C and gamma, costs by class, an outlier."""

import numpy as np

from sparsekm_edu import SVC, Gaussian, datasets, figures
from sparsekm_edu.lessons.outliers import least_squares_with_outlier, soft_margin_with_outlier

X, T = datasets.overlapping()
TEST_X, TEST_T = datasets.overlapping(300, seed=7)


def draw_complexity(axes):
    machines = [[SVC(C=C, kernel=Gaussian(gamma)).fit(X, T) for C in (0.1, 1000)] for gamma in (0.05, 30)]
    train = [[1 - machine.score(X, T) for machine in row] for row in machines]
    test = [[1 - machine.score(TEST_X, TEST_T) for machine in row] for row in machines]
    view = figures.figure_complexity(np.reshape(axes, (2, 2)), X, T, machines, train, test)
    return view, (machines, train, test)


def draw_class_costs(axes):
    ratios = np.array([0.1, 1.0, 10.0])
    machines = [SVC(kernel=Gaussian(0.45), class_weight={1: r**0.5, -1: r**-0.5}).fit(X, T) for r in ratios]
    wrong = [machine.predict(TEST_X) != TEST_T for machine in machines]
    fp, fn = (np.array([w[label == TEST_T].mean() for w in wrong]) for label in (-1, 1))
    misses = np.flatnonzero(machines[2].predict(X) != T)
    shifted = np.linspace(0, 1, 5), np.linspace(1, 0, 5)
    trade = ratios, fp, fn
    view = figures.figure_class_costs(*axes, X, T, machines[2], trade, shifted, 10.0, (fp[2], fn[2]))
    return view, (misses, trade)


def draw_outlier(axes):
    X, t = datasets.clouds(40)
    middle, along, places = np.array([0.1, 0.2]), np.array([-0.6, -0.8]), np.linspace(-6, 6, 7)
    where = middle + np.outer(places, along)
    soft, squares = soft_margin_with_outlier(X, t, 0.1, where), least_squares_with_outlier(X, t, where)
    view = figures.figure_outlier(*axes, X, t, middle, along, places, soft, squares, 5)
    return view, (where[5], places, soft, squares)


FIGURES = {
    "figure_complexity": (draw_complexity, 4),
    "figure_class_costs": (draw_class_costs, 2),
    "figure_outlier": (draw_outlier, 2),
}
