"""The explorer of costs by class: which errors shall be rarer?"""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import LARGE
from sparsekm_edu.figures.svm.class_costs import CostTrade
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import Gram, kkt, smo, soft_margin

FIRST_X, FIRST_T = datasets.overlapping()
TEST_X, TEST_T = datasets.overlapping(1000, seed=1000)
GRID = grid_over(LARGE, 80)


GAMMA = 0.45
MOST_UNEQUAL = 10**1.5  # so that the grid of the slider passes through 1
RATIOS = np.geomspace(1 / MOST_UNEQUAL, MOST_UNEQUAL, 17)  # the middle one is 1


@dataclass(frozen=True, eq=False)
class CostsState:
    """ratio: C+/C-; C: their geometric mean; X, t: the data."""

    ratio: float = 1.0
    C: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class CostsPicture(Picture):
    """Y: y(x) on GRID; wrong: indices; trade: arrays ratio, FP, FN on test data; shifted: FP, FN if only b moves."""

    Y: np.ndarray
    wrong: np.ndarray
    trade: tuple
    shifted: tuple
    now: tuple


@remembered()
def _kernels(X):
    """Kernels between training points, as a Gram that solvers need not check again, and those of test points."""
    return Gram.of_matrix(Gaussian(GAMMA)(X)), Gaussian(GAMMA)(TEST_X, X)


def _unequal(gram, t, C, ratio):
    """The problem with C+ = C sqrt(ratio) and C- = C / sqrt(ratio), and its solution."""
    problem = soft_margin(gram, t, C * ratio ** (t / 2))
    return problem, smo(problem, tol=1e-6)


def _rates(y, thresholds=0.0):
    """False positives and false negatives among the test points, each as a share of its class."""
    squares, circles = (np.sort(y[label == TEST_T]) for label in (-1, 1))
    below = [np.searchsorted(values, thresholds, "right") / len(values) for values in (squares, circles)]
    return 1 - below[0], below[1]


@remembered()
def _trade(X, t, C):
    """(ratio, FP, FN) over RATIOS, and (FP, FN) of equal costs over all thresholds on y."""
    gram, K_test = _kernels(X)
    solutions = [_unequal(gram, t, C, ratio)[1] for ratio in RATIOS]
    ys = [K_test @ solution.v + solution.b for solution in solutions]
    equal = ys[len(RATIOS) // 2]
    shifted = _rates(equal, np.quantile(equal, np.linspace(1, 0, 101)))  # FP rising
    return (RATIOS, *np.transpose([_rates(y) for y in ys])), shifted


class CostsExplorer(PointsExplorer):
    """Make the errors of one class dearer than those of the other and watch one kind turn into the other."""

    title = "Costs by class"
    State = CostsState
    View = CostTrade
    panels = {"ncols": 2, "width_ratios": (1.5, 1)}
    source = staticmethod(datasets.overlapping)
    size = 7.6, 4.1
    most_points = 120

    def make_controls(self):
        return {
            "ratio": log_slider("C₊ / C₋", 1 / MOST_UNEQUAL, MOST_UNEQUAL),
            "C": log_slider("C", 0.1, 100.0),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        gram, K_test = _kernels(state.X)
        trade, shifted = _trade(state.X, state.t, state.C)
        problem, solution = _unequal(gram, state.t, state.C, state.ratio)
        predicted = np.where(gram.times(solution.v) + solution.b > 0, 1.0, -1.0)
        fp, fn = _rates(K_test @ solution.v + solution.b)
        fn_shifted = np.interp(fp, *shifted)
        facts = {
            "C₊, C₋": f"{state.C * state.ratio**0.5:.3g}, {state.C / state.ratio**0.5:.3g}",
            "training: FP, FN": f"{np.sum(predicted > state.t)}, {np.sum(predicted < state.t)}",
            "test: false positives": f"{fp:.1%}",
            "test: false negatives": f"{fn:.1%}",
            "…if only b had moved": f"{fn_shifted:.1%}",
            "test error": f"{(fp + fn) / 2:.1%}",
            "support vectors": f"{len(solution.support)} of {len(state.t)}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"With C+/C- = {state.ratio:.3g} the machine calls {fp:.1%} of the test squares circles and {fn:.1%} of "
            f"the test circles squares."
        )
        support = solution.support
        Y = Gaussian(GAMMA).on_grid(*GRID, state.X[support], solution.v[support]) + solution.b
        wrong = np.flatnonzero(predicted != state.t)
        return CostsPicture(facts, description, Y, wrong, trade, shifted, (fp, fn))

    def draw(self, view, state, picture):
        view.update(
            state.X,
            state.t,
            GRID,
            picture.Y,
            picture.wrong,
            picture.trade,
            picture.shifted,
            state.ratio,
            picture.now,
        )

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.wrong.update([])


class_costs = factory("class_costs", CostsExplorer)
