"""To draw: what two strings share."""

from sparsekm_edu import datasets, figures
from sparsekm_edu.kernels import Spectrum
from sparsekm_edu.lessons.substrings import shared_substrings


def draw_string_match(axes, strings=None, kernel=None, lit="LQE"):
    strings = strings or datasets.two_proteins()
    found = shared_substrings(*strings).match(kernel or Spectrum(3), lit)
    return figures.figure_string_match(*axes, found), found


FIGURES = {"figure_string_match": (draw_string_match, 2)}
