"""What explorers of both parts share: what they need of the data, in words, and the settings of figures 7.8 and 7.9."""

from sparsekm_edu.solvers import NotSeparable, hard_margin, smo
from sparsekm_edu.validation import Impossible

WIDTH = 0.15  # of the Gaussian kernels of figures 7.8 and 7.9
TOLERANCE = 1e-9  # KKT gap that the solver has to reach: the readout promises < 1e-8


def need_both_classes(t):
    """What every classifier needs before it can be computed."""
    if len(set(t)) < 2:
        raise Impossible("each class needs at least one point; add one")


def need_a_point(t):
    """What every curve needs before it can be computed."""
    if len(t) == 0:
        raise Impossible("the curve needs at least one point; add one")


def separate(X, t):
    """The maximum-margin line as a DualSolution; in words that fit a picture if there is none."""
    need_both_classes(t)
    try:
        return smo(hard_margin(X @ X.T, t))
    except NotSeparable:
        raise Impossible(
            "these points are not separable by a straight line; take the last one back"
        ) from None
