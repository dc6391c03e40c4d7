"""To draw: four windows, densities of six points, balls of K points."""

import numpy as np

from sparsekm_edu import figures
from sparsekm_edu.explorers.kernels.densities import ACROSS, FIRST_T, FIRST_X, GRID, SIX, posterior_map
from sparsekm_edu.kernels.windows import WINDOWS
from sparsekm_edu.lessons.volumes import grown_balls
from sparsekm_edu.models import KernelDensity

PLACES = [(-0.2, 0.0), (1.8, 1.6)]


def draw_14_16(axes):
    u = np.linspace(-3, 3, 601)
    windows = {name: window(u) for name, window in WINDOWS.items()}
    return figures.figure_14_16(axes[0], u, windows), (u, windows)


def panel(name, h):
    window = WINDOWS[name]
    x = np.sort(np.append(np.linspace(-9, 13, 881), (SIX + h * ACROSS).ravel()))
    bumps = [np.column_stack([x, window((x - centre) / h) / (6 * h)]) for centre in SIX[:, 0]]
    return f"{name}, $h$ = {h:g}", x, np.exp(KernelDensity(h, name).fit(SIX).score_samples(x[:, None])), bumps


def draw_14_17(axes):
    panels = [panel(name, h) for name in ("boxcar", "gaussian") for h in (1.0, 2.0)]
    return figures.figure_14_17(axes, SIX[:, 0], panels), panels


def draw_growing_volume(axes, K=7):
    found = grown_balls(FIRST_X, PLACES, K)
    balls = list(zip(PLACES, found.radius, found.inside, found.counts(FIRST_T, 3), strict=True))
    P = posterior_map(FIRST_X, FIRST_T, K)
    return figures.figure_growing_volume(axes, FIRST_X, FIRST_T, GRID, P, balls), (P, balls)


FIGURES = {
    "figure_14_16": (draw_14_16, 1),
    "figure_14_17": (draw_14_17, 4),
    "figure_growing_volume": (draw_growing_volume, 2),
}
