"""Explorer of figure 14.15: click on the surface of cross-validation, and see the machine of that cell."""

from dataclasses import dataclass, replace
from functools import cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.selection import MIXTURE, CellAndBoundary, told
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.true_error import known_mixtures, true_errors
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import DrawAgain
from sparsekm_edu.models.selection import GridScores, grid_search
from sparsekm_edu.solvers import c_path

#: The grid: 20 values of C, from 0.01 to 20000, and 20 of gamma, among them those of Hastie et al.: 0.1, 0.5, 1, 5
CELLS_C = np.array([digit * 10.0**power for power in range(-2, 5) for digit in (1, 2, 5)])[:20].round(2)
CELLS_GAMMA = np.array(
    [0.03, 0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 7, 10, 14, 20, 30, 50]
)
EVERY_C = np.union1d(CELLS_C, np.geomspace(CELLS_C[0], CELLS_C[-1], 160))  # for the slice
PLANE = grid_over(MIXTURE, 81)
KEY = 0.15  # cells that an arrow key moves a handle at least, on the largest canvas


@dataclass(frozen=True)
class CVSurfaceState:
    """C, gamma: the chosen cell; folds: how many; n: points of `datasets.mixture`; drawn: which draw of them."""

    C: float = 1.0
    gamma: float = 1.0
    folds: int = 5
    n: int = 100
    drawn: int = 0

    @property
    def data(self):
        """X (n, 2), t (n,)."""
        return datasets.mixture(self.n, self.drawn)


@dataclass(frozen=True, eq=False)
class CVSurfacePicture(Picture):
    """machine: Y on PLANE, indices of the support vectors; scores of the cells; every: C and error at this gamma;
    true (20, 20): the true errors."""

    machine: tuple
    scores: GridScores
    every: tuple
    true: np.ndarray


@cache
def known():
    """The densities of `datasets.mixture`."""
    return known_mixtures(*datasets.MIXTURE_MEANS, datasets.MIXTURE_VARIANCE)


@remembered()
def searched(n, drawn, folds):
    """GridScores at EVERY_C, and at the cells only."""
    fine = grid_search(*datasets.mixture(n, drawn), EVERY_C, CELLS_GAMMA, cv=folds, progress=False)
    return fine, replace(fine, C=CELLS_C, errors=fine.errors[:, np.isin(EVERY_C, CELLS_C)])


@remembered()
def judged(n, drawn):
    """The true errors of all cells, (20, 20)."""
    return true_errors(*datasets.mixture(n, drawn), CELLS_C, CELLS_GAMMA, known())


@remembered(len(CELLS_GAMMA))
def followed(n, drawn, gamma):
    """The path of all points."""
    X, t = datasets.mixture(n, drawn)
    return c_path(Gaussian(gamma)(X), t, CELLS_C[-1])


def place(values, number):
    """Where a number lies among the values of an axis, in cells from the first."""
    return np.interp(np.log(number), np.log(values), np.arange(len(values)))


class CVSurfaceExplorer(DrawAgain):
    """Figure 14.15: click on the surface, and see what this C and this gamma make of the data."""

    title = "The surface of cross-validation"
    State = CVSurfaceState
    size = 7.6, 4.1

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, width_ratios=(1, 1.05), height_ratios=(1.5, 1))
        plane = sheet.add_subplot(cells[:, 0])
        surface = sheet.add_subplot(cells[0, 1])
        line = sheet.add_subplot(cells[1, 1])
        return CellAndBoundary(plane, surface, line, CELLS_C, CELLS_GAMMA)

    def make_controls(self):
        def cells(name, values):
            return widgets.SelectionSlider(
                description=name, options=[(f"{each:g}", float(each)) for each in values]
            )

        return {
            "C": cells("C", CELLS_C),
            "gamma": cells("γ", CELLS_GAMMA),
            "folds": widgets.ToggleButtons(description="folds", options=[2, 5, 10]),
            "n": widgets.ToggleButtons(description="points", options=[50, 100, 200]),
        }

    def make_buttons(self):
        return [
            self.button("Best", "the cell of least error", lambda: self.go("best")),
            self.button(
                "1 s.e.",
                "the simplest cell within one standard error of the best",
                lambda: self.go("one_standard_error"),
            ),
            *super().make_buttons(),
        ]

    def go(self, where):
        """To a cell that the scores name: "best" or "one_standard_error"."""
        self.set(**getattr(self.picture.scores, where)._asdict())

    def set(self, **fields):
        """As ever; what takes a second is announced."""
        if {"folds", "n", "drawn"} & set(fields):
            self._say(f"following {len(CELLS_GAMMA)} paths for each fold ...")
        super().set(**fields)

    @staticmethod
    def compute(state):
        X, t = state.data
        draw = state.n, state.drawn
        fine, scores = searched(*draw, state.folds)
        true, bayes = judged(*draw), known().bayes_error
        solution = followed(*draw, state.gamma).at(state.C)
        kept = solution.support
        Y = Gaussian(state.gamma).on_grid(*PLANE, X[kept], solution.v[kept]) + solution.b
        row, column = scores.place((state.C, state.gamma))
        at_best = scores.place(scores.best)
        facts = {
            "CV error": f"{scores.mean[row, column]:.1%} ± {scores.standard_error[row, column]:.1%}",
            "true error": f"{true[row, column]:.1%}",
            "Bayes error": f"{bayes:.1%}",
            "support vectors": f"{len(kept)} of {len(t)}",
            "best C, γ": f"{scores.best.C:g}, {scores.best.gamma:g}",
            "its CV, true error": f"{scores.mean[at_best]:.1%}, {true[at_best]:.1%}",
            "paths, events": f"{fine.n_paths}, {fine.n_events}",
        }
        description = (
            f"C = {state.C:g}, gamma = {state.gamma:g}: {len(kept)} of {len(t)} points are support vectors, the error "
            f"of {state.folds} folds is {scores.mean[row, column]:.1%}, the true error {true[row, column]:.1%}. "
            + told(scores, true, bayes)
        )
        return CVSurfacePicture(facts, description, (Y, kept), scores, (fine.C, fine.mean[row]), true)

    def draw(self, view, state, picture):
        view.update(
            *state.data,
            PLANE,
            picture.machine,
            (state.C, state.gamma),
            scores=picture.scores,
            every=picture.every,
            true=picture.true,
            bayes=known().bayes_error,
        )

    def handles(self, view, state):
        colour, ax, here = self.figure.palette.own, view.axes[1], (state.C, state.gamma)
        cells = [(C, gamma) for gamma in CELLS_GAMMA for C in CELLS_C if (C, gamma) != here]
        chosen = Handle("cell", ax, *here, colour, "diamond")
        return [chosen, *(Handle(cell, ax, *cell, colour, "diamond", fixed=True) for cell in cells)]

    def chosen(self, state, name):
        C, gamma = map(float, name)
        return {"C": C, "gamma": gamma}

    def moved(self, state, name, x, y):
        here = np.array([place(CELLS_C, state.C), place(CELLS_GAMMA, state.gamma)])
        steps = np.round(np.array([place(CELLS_C, x), place(CELLS_GAMMA, y)]) - here, 6)
        if np.count_nonzero(steps) == 1 and KEY < np.abs(steps).max() < 0.5:
            steps = np.sign(
                steps
            )  # an arrow key moves along one axis, exactly, as a hand never does: by one cell
        column, row = np.round(here + steps).astype(int)
        return {"C": float(CELLS_C[column]), "gamma": float(CELLS_GAMMA[row])}


cv_surface = factory("cv_surface", CVSurfaceExplorer)
