"""The explorer of Ripley's mixture, drawn again and again."""

from dataclasses import dataclass
from functools import cache, lru_cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.ripley import PAPER, Draws, describe_draws
from sparsekm_edu.figures.style import RIPLEY
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.true_error import cell_masses, least_risk, risk
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.models import RVC
from sparsekm_edu.solvers import c_path

DRAWS = 25
WIDTH = Gaussian(gamma=4.0)  # Tipping's width r = 0.5: gamma = 1 / r^2
LEAST_C, MOST_C = 10**-1.5, 1000.0  # C = 1 is on the slider between them
PLANE = grid_over(RIPLEY, 72)
FINE = grid_over(RIPLEY, 200)  # for errors, which it gives to 0.03 %


@dataclass(frozen=True, eq=False)
class RipleyState:
    """draw: its number; C of the SVM."""

    draw: int = 1
    C: float = 1.0


@dataclass(frozen=True, eq=False)
class RipleyPicture(Picture):
    """X, t: the draw; Y, odds: SVM and RVM on PLANE; support, relevance: indices; svm, rvm (draw, 2): vectors and test
    errors in all draws so far.
    """

    X: np.ndarray
    t: np.ndarray
    Y: np.ndarray
    odds: np.ndarray
    support: np.ndarray
    relevance: np.ndarray
    svm: np.ndarray
    rvm: np.ndarray


@cache
def masses():
    """The probability of every cell of FINE under class -1 and class +1."""
    return [cell_masses(*FINE, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES]


@cache
def least_error():
    """The Bayes error."""
    return least_risk(*masses())


@cache
def true_odds():
    """The true log odds on PLANE."""
    minus, plus = (
        cell_masses(*PLANE, centres, datasets.RIPLEY_VARIANCE) for centres in datasets.RIPLEY_CENTRES
    )
    return np.log(plus / minus)


@cache
def _drawn(number):
    """Draw `number`: X, t, the SVMs of all C, the RVM on PLANE, its members, and (vectors, error) of it."""
    X, t = datasets.ripley(seed=number - 1)
    model = RVC(kernel=WIDTH).fit(X, t)
    odds = model.surface(*PLANE)
    path = c_path(WIDTH(X), t, C_max=MOST_C)
    return X, t, path, odds, model.relevance_, (len(model.relevance_), risk(model.surface(*FINE), *masses()))


@cache
def _all_draws():
    return [_drawn(number) for number in range(1, DRAWS + 1)]


@lru_cache(1024)
def _support(number, C):
    """Of draw `number`: support vectors of the SVM, their coefficients, b, and (vectors, error)."""
    X, _, path, *_ = _drawn(number)
    solution = path.at(C)
    support = np.flatnonzero(np.abs(solution.v) > 1e-8 * C)
    v = solution.v[support]
    error = risk(WIDTH.on_grid(*FINE, X[support], v) + solution.b, *masses())
    return support, v, solution.b, (len(support), error)


class RipleyExplorer(Explorer):
    """SVM and RVM on Ripley's mixture: one draw after the other, and the distribution of vectors and errors."""

    title = "Ripley's mixture"
    State = RipleyState
    size = 7.6, 4.0

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, height_ratios=(1.7, 1))
        return Draws(*(sheet.add_subplot(place) for place in (cells[0, 0], cells[0, 1], cells[1, :])))

    def make_controls(self):
        return {
            "draw": widgets.IntSlider(description="draw", min=1, max=DRAWS),
            "C": log_slider("SVM's C", LEAST_C, MOST_C),
        }

    def make_buttons(self):
        return [self.button("Draw again", "another 100 points", self.draw_again)]

    def draw_again(self):
        """The next draw; after the last comes the first."""
        self.set(draw=self.state.draw % DRAWS + 1)

    @staticmethod
    def compute(state):
        draws = _all_draws()[: state.draw]
        X, t, _, odds, relevance, _ = draws[-1]
        machines = [_support(number, state.C) for number in range(1, state.draw + 1)]
        support, v, b, _ = machines[-1]
        Y = WIDTH.on_grid(*PLANE, X[support], v) + b
        svm, rvm = np.array([machine[-1] for machine in machines]), np.array([draw[-1] for draw in draws])
        least = least_error()
        (svs, svm_error), (rvs, rvm_error) = np.median(svm, axis=0), np.median(rvm, axis=0)
        facts = {
            "this draw: SVM": f"{svm[-1, 0]:.0f} SVs, {svm[-1, 1]:.1%}",
            "this draw: RVM": f"{rvm[-1, 0]:.0f} RVs, {rvm[-1, 1]:.1%}",
            "median so far: SVM": f"{svs:.0f}, {svm_error:.1%}",
            "median so far: RVM": f"{rvs:.0f}, {rvm_error:.1%}",
            "the paper: SVM": "{}, {:.1%}".format(*PAPER["SVM"]),
            "the paper: RVM": "{}, {:.1%}".format(*PAPER["RVM"]),
            "least possible error": f"{least:.2%}",
            "RVM errs less in": f"{np.sum(rvm[:, 1] < svm[:, 1])} of {state.draw}",
        }
        description = describe_draws(svm, rvm, least)
        return RipleyPicture(facts, description, X, t, Y, odds, support, relevance, svm, rvm)

    def draw(self, view, state, picture):
        of_draw = picture.Y, picture.odds, true_odds(), picture.support, picture.relevance
        view.machines.update(picture.X, picture.t, PLANE, *of_draw)
        view.cloud.update(picture.svm, picture.rvm, least_error())


ripley_draws = factory("ripley_draws", RipleyExplorer)
