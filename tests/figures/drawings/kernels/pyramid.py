"""To draw: the pyramid match of two sets, and digits as sets."""

from sparsekm_edu import PyramidMatch, datasets, figures
from sparsekm_edu.lessons.matching import best_matching, histograms, pyramid_matching

X = [[0.2], [0.6], [0.9], [1.3], [3.3], [5.4]]
Z = [[1.7], [2.4], [3.1], [4.3], [6.9]]


KERNEL = PyramidMatch(levels=4)


def draw_14_1(axes, x=X, z=Z, kernel=KERNEL):
    found, best = pyramid_matching(x, z, kernel), best_matching(x, z, kernel)
    view = figures.figure_14_1(axes, x, z, histograms(x, z, kernel), found, best)
    return view, (x, z, kernel, found, best)


def draw_digit_sets(axes):
    sets, digits = datasets.digit_sets(n=4)
    titles = [f"a {digit}" for digit in digits]
    images, _ = datasets.digit_images(n=4)
    return figures.figure_digit_sets(axes, images, sets, titles), (images, sets, titles)


FIGURES = {"figure_14_1": (draw_14_1, 3), "figure_digit_sets": (draw_digit_sets, 4)}
