"""The explorer of C and gamma: how complex may the boundary be?"""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import LARGE
from sparsekm_edu.figures.svm.complexity import ErrorPath
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import c_path, kkt, soft_margin

FIRST_X, FIRST_T = datasets.overlapping()
TEST_X, TEST_T = datasets.overlapping(1000, seed=1000)
SHOWN = slice(None, None, 5)  # of the test points: all of them would hide the picture
LEAST_ERROR = 0.102  # of whoever knows the densities of `datasets.overlapping`
GRID = grid_over(LARGE, 80)


SMALLEST_C, LARGEST_C = 1e-2, 1e3
EVERY_C = np.geomspace(SMALLEST_C, LARGEST_C, 31)


@dataclass(frozen=True, eq=False)
class ComplexityState:
    """C and gamma of the machine; test: are test points shown?; X, t: the data."""

    C: float = 1.0
    gamma: float = 10.0
    test: bool = False
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class ComplexityPicture(Picture):
    """Y: y(x) on GRID; support: indices; errors: arrays C, train, test; now: the same for this C."""

    Y: np.ndarray
    support: np.ndarray
    errors: tuple
    now: tuple


@remembered()
def _path_and_errors(X, t, gamma):
    """The path over C, kernels between all points (training, then test) and training points, and errors at EVERY_C."""
    kernels = Gaussian(gamma)(np.vstack([X, TEST_X]), X)
    path = c_path(kernels[: len(t)], t, LARGEST_C * 1.001)  # a slider's end may be rounded upwards
    errors = np.array([_errors(kernels, t, path.at(C)) for C in EVERY_C])
    return path, kernels, (EVERY_C, *errors.T)


def _errors(kernels, t, solution):
    """Fraction of wrong training points and of wrong test points."""
    wrong = (kernels @ solution.v + solution.b > 0) != (np.append(t, TEST_T) > 0)
    return wrong[: len(t)].mean(), wrong[len(t) :].mean()


class ComplexityExplorer(PointsExplorer):
    """Turn C and gamma; the test error against C shows where learning ends and memorising begins."""

    title = "C, gamma and the test error"
    State = ComplexityState
    source = staticmethod(datasets.overlapping)
    size = 7.6, 4.1
    most_points = 120

    def make_view(self, sheet):
        return ErrorPath(*sheet.subplots(1, 2, width_ratios=(1.9, 1)), LEAST_ERROR)

    def make_controls(self):
        return {
            "C": log_slider("C", SMALLEST_C, LARGEST_C),
            "gamma": log_slider("γ", 0.01, 100.0),
            "test": widgets.Checkbox(description="show test points", indent=False),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        path, kernels, errors = _path_and_errors(state.X, state.t, state.gamma)
        solution = path.at(state.C)
        train, test = _errors(kernels, state.t, solution)
        problem = soft_margin(path.gram, state.t, state.C)
        C, trains, tests = errors
        support = solution.support
        facts = {
            "training error": f"{train:.1%}",
            "test error": f"{test:.1%}",
            "least test error, this γ": f"{tests.min():.1%}",
            "…reached at C =": f"{float(f'{C[tests.argmin()]:.2g}'):g}",  # 1000, not 1e+03
            "least possible error": f"{LEAST_ERROR:.1%}",
            "support vectors": f"{len(support)} of {len(state.t)}",
            "of these at a = C": f"{int((solution.v[support] == (problem.lo + problem.hi)[support]).sum())}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"With C = {state.C:.3g} and gamma = {state.gamma:.3g} the training error is {train:.1%} and the test "
            f"error {test:.1%}, with {len(support)} support vectors; for this gamma the test error is least, "
            f"{tests.min():.1%}, at C = {C[tests.argmin()]:.2g}."
        )
        Y = Gaussian(state.gamma).on_grid(*GRID, state.X[support], solution.v[support]) + solution.b
        return ComplexityPicture(facts, description, Y, support, errors, (state.C, train, test))

    def draw(self, view, state, picture):
        test_set = (TEST_X[SHOWN], TEST_T[SHOWN]) if state.test else None
        view.update(state.X, state.t, GRID, picture.Y, picture.support, test_set, picture.errors, picture.now)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


complexity = factory("complexity", ComplexityExplorer)
