"""The explorer of the winner's score: many candidates of equal worth, chosen by cross-validation."""

from dataclasses import dataclass
from functools import cache

import ipywidgets as widgets
import numpy as np
from scipy.stats import binom

from sparsekm_edu.figures.kernels.optimism import Winner, describe_winner
from sparsekm_edu.lessons.optimism import (
    distance_of_means,
    fold_errors,
    least_of_binomials,
    middle_and_side,
    nested_errors,
    true_error,
)
from sparsekm_edu.live.controls import slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory

DRAWS = 40
MOST_POINTS = 100  # a class
MOST_CANDIDATES = 400


@dataclass(frozen=True, eq=False)
class OptimismState:
    """candidates: how many; n: points of each class; folds of the cross-validation; error: the least possible, 1/2 if
    the features know nothing of the classes; draw: the number of the one that is shown in full."""

    candidates: int = 100
    n: int = 30
    folds: int = 5
    error: float = 0.5
    draw: int = 1


@dataclass(frozen=True, eq=False)
class OptimismPicture(Picture):
    """scores (m,) of the candidates in the draw shown; coins (N + 1,): of m coins, how many are expected to err 0, ...,
    N times; runs (3, DRAWS): the winner's score, the nested score, the winner's true error."""

    scores: np.ndarray
    coins: np.ndarray
    runs: np.ndarray


@cache
def noise():
    """What all draws are made of, (DRAWS, 2 classes, points, features): the sliders cut out of it what they need."""
    shape = DRAWS, 2, MOST_POINTS, MOST_CANDIDATES
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


class OptimismExplorer(Explorer):
    """Every candidate looks at a feature of its own, and all are equally good. What does the best score promise?"""

    title = "The winner's score"
    State = OptimismState
    View = Winner
    panels = {"nrows": 2}
    size = 7.6, 4.1

    def make_controls(self):
        return {
            "candidates": widgets.IntSlider(description="candidates", min=1, max=MOST_CANDIDATES),
            "n": widgets.IntSlider(description="per class", min=10, max=MOST_POINTS),
            "folds": widgets.Dropdown(description="folds", options=[3, 5, 10]),
            "error": slider("least error", 0.1, 0.5, 0.05),
            "draw": widgets.IntSlider(description="draw", min=1, max=DRAWS),
        }

    def make_buttons(self):
        return [self.button("Draw again", "the next draw", self.draw_again)]

    def draw_again(self):
        """The next draw; after the last comes the first."""
        self.set(draw=self.state.draw % DRAWS + 1)

    @staticmethod
    def compute(state):
        m, N, delta = state.candidates, 2 * state.n, distance_of_means(state.error)
        # the distance of the means as a number of the same precision keeps the arrays small
        minus, plus = (noise()[:, side, : state.n, :m] + np.float32((side - 0.5) * delta) for side in (0, 1))
        scores = fold_errors(minus, plus, state.folds).sum(axis=-2) / N
        winners = np.arange(DRAWS), scores.argmin(axis=-1)
        trained = middle_and_side(minus.mean(axis=-2)[winners], plus.mean(axis=-2)[winners])
        runs = np.array(
            [scores[winners], nested_errors(minus, plus, state.folds) / N, true_error(*trained, delta)]
        )
        coins = m * binom.pmf(np.arange(N + 1), N, state.error)
        score, nested, true = runs[:, state.draw - 1]
        means = runs.mean(axis=1)
        facts = {
            "points in all": f"{N}",
            "this draw: winner's score": f"{score:.1%}",
            "its true error": f"{true:.1%}",
            "nested score": f"{nested:.1%}",
            f"{DRAWS} draws: winner's score": f"{means[0]:.1%}",
            "nested score, mean": f"{means[1]:.1%}",
            "true error, mean": f"{means[2]:.1%}",
            "best of as many coins": f"{least_of_binomials(m, N, state.error) / N:.1%}",
        }
        here = scores[state.draw - 1]
        return OptimismPicture(facts, describe_winner(here, runs, state.draw - 1), here, coins, runs)

    def draw(self, view, state, picture):
        view.update(picture.scores, picture.coins, picture.runs, state.draw - 1, state.error)


optimism = factory("optimism", OptimismExplorer)
