"""To draw: the winner's score, promises of many draws, a search on a grid and at random, the evidence over gamma."""

import numpy as np

from sparsekm_edu import figures


def draw_optimism(axes):
    rng = np.random.default_rng(0)
    scores = rng.binomial(20, 0.5, size=30) / 20
    runs = np.array([rng.uniform(0.2, 0.4, 8), rng.uniform(0.3, 0.7, 8), np.full(8, 0.5)])
    runs[0, 3] = scores.min()
    coins = 30 * np.exp(-((np.arange(21) - 10) ** 2) / 10) / np.sqrt(10 * np.pi)
    return figures.figure_optimism(*axes, scores, coins, runs, 3, 0.5), (scores, coins, runs)


def draw_promises(ax):
    rng = np.random.default_rng(1)
    runs = {"chosen outside": rng.uniform(0, 0.2, 7), "chosen inside": rng.uniform(0.4, 0.6, 7)}
    return figures.figure_promises(ax[0], runs, 0.5, "a title"), runs


def draw_search(axes):
    C, gamma = np.geomspace(0.1, 100, 12), np.geomspace(0.01, 10, 10)
    errors = 0.1 + 0.05 * np.log10(gamma)[:, None] ** 2 + 0.01 * np.log10(C) ** 2
    grid = np.array([(c, g) for c in (0.3, 3.0, 30.0) for g in (0.03, 0.3, 3.0)])
    chance = 10 ** np.random.default_rng(2).uniform((-1, -2), (2, 1), size=(9, 2))
    return figures.figure_search(*axes, C, gamma, errors, (grid, 4), (chance, 2)), (
        C,
        gamma,
        errors,
        grid,
        chance,
    )


def draw_evidence_over_gamma(axes):
    gamma = 2.0 ** np.arange(-3, 4)
    evidence = -40 - (np.arange(7) - 4.0) ** 2
    folds, true = 0.3 - 0.01 * np.arange(7), 0.25 + 0.01 * np.abs(np.arange(7) - 2)
    made = gamma, evidence, folds, true, 0.21
    return figures.figure_evidence_over_gamma(*axes, *made), made


FIGURES = {
    "figure_optimism": (draw_optimism, 2),
    "figure_promises": (draw_promises, 1),
    "figure_search": (draw_search, 2),
    "figure_evidence_over_gamma": (draw_evidence_over_gamma, 2),
}
