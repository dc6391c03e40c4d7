"""The explorer of noise taken off digits by kernel PCA."""

from dataclasses import dataclass
from functools import cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.denoising import PictureRows
from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.lessons.denoising import (
    GAUSSIAN,
    SPECKLE,
    as_ink,
    best_of,
    noisy,
    numbers_of,
    restored,
    rms,
)
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import DrawAgain
from sparsekm_edu.models import KernelPCA

LEARNED, TUNED = 250, 100  # digits: to take components from, to choose their number on
SIDE = 8  # of a digit, in pixels
OF_PCA = 58  # components: of 64 pixels five never have ink, and two have it in one and the same digit only
PCA = 0.0  # in place of a width
ROWS = "clean", "noisy", "PCA", "kernel PCA"
FEW_NUMBERS = 1, 2, 4, 8, 16, 32, 64, 96, 128, 160, 192, LEARNED - 1


@dataclass(frozen=True, eq=False)
class DenoiseState:
    """noise: GAUSSIAN or SPECKLE, and its level; pca, kernel_pca: how many components each of them keeps; width of the
    Gaussian kernel, in medians of the distances between digits; drawn: which digits, and which noise."""

    noise: str = GAUSSIAN
    level: float = 0.3
    pca: int = 16
    kernel_pca: int = 128
    width: float = 0.71
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class DenoisePicture(Picture):
    """rows (4, 10, 8, 8): the digits 0 ... 9 as in ROWS, their pixels in 0 ... 1; errors (3,): of the rows after the
    first."""

    rows: np.ndarray
    errors: tuple


@cache
def _digits():
    """Pixels and labels, digits that the components are of first, then those to tune with, then those to show; and the
    median distance between the first."""
    images, labels = datasets.digit_images(LEARNED + 1000, digits=range(10))
    X = images.reshape(len(images), -1) / 16
    distances = np.linalg.norm(X[:LEARNED, None] - X[:LEARNED], axis=2)
    return X, labels, np.median(distances[np.triu_indices(LEARNED, 1)])


@remembered()
def _components(kernel):
    """All of them, of the first digits. kernel: the width of the Gaussian one in medians, or PCA, the linear one."""
    X, _, median = _digits()
    chosen = Gaussian(1 / (2 * (kernel * median) ** 2)) if kernel != PCA else Linear()
    return KernelPCA(chosen, n_components=None).fit(X[:LEARNED])


@remembered(maxsize=2)
def _shown(noise, level, drawn):
    """One of each digit, (10, 64), that no component has seen, and the same with noise."""
    X, labels, _ = _digits()
    rng = np.random.default_rng(drawn)
    rest = np.arange(LEARNED + TUNED, len(X))
    clean = X[[rng.choice(rest[labels[rest] == digit]) for digit in range(10)]]
    return clean, noisy(clean, noise, level, seed=drawn)


@remembered(maxsize=4)
def _restored(kernel, number, *shown):
    """The digits of `_shown`, from so many components."""
    return restored(_components(kernel), _shown(*shown)[1], number)


class DenoiseExplorer(DrawAgain):
    """Digits with noise on them, brought back from their first components: by PCA, and by kernel PCA."""

    title = "Noise taken off digits"
    State = DenoiseState
    size = 7.6, 3.3

    def make_view(self, sheet):
        return PictureRows(sheet.subplots(), ROWS, 10, SIDE)

    def make_controls(self):
        return {
            "noise": widgets.ToggleButtons(description="noise", options=[GAUSSIAN, SPECKLE]),
            "level": slider("its level", 0.0, 1.0, 0.05),
            "pca": widgets.IntSlider(description="PCA keeps", min=1, max=OF_PCA),
            "kernel_pca": widgets.IntSlider(description="kernel PCA", min=1, max=LEARNED - 1),
            "width": log_slider("width", 0.2, 5.0),
        }

    def make_buttons(self):
        return [
            self.button(
                "Best numbers", "the numbers of components that are best for other digits", self.tune
            ),
            *super().make_buttons(),
        ]

    def tune(self):
        """For each way the number of components with which other digits, as noisy as these, come back best."""
        state, clean = self.state, _digits()[0][LEARNED : LEARNED + TUNED]
        others = noisy(clean, state.noise, state.level, seed=1_000_000 + state.drawn)
        self.set(
            pca=best_of(numbers_of(_components(PCA), range(1, OF_PCA + 1)), others, clean),
            kernel_pca=best_of(numbers_of(_components(state.width), FEW_NUMBERS), others, clean),
        )

    @staticmethod
    def compute(state):
        shown = state.noise, state.level, state.drawn
        clean, with_noise = _shown(*shown)
        median = _digits()[2]
        ways = (PCA, state.pca), (state.width, state.kernel_pca)
        rows = clean, as_ink(with_noise), *(_restored(*way, *shown) for way in ways)
        errors = tuple(rms(row, clean) for row in rows[1:])
        kept = [_components(kernel).explained_variance_ratio_[:number].sum() for kernel, number in ways]
        facts = {
            f"RMS error, {name}": f"{error:.3f}" for name, error in zip(ROWS[1:], errors, strict=True)
        } | {
            "variance kept, PCA": f"{kept[0]:.0%}",
            "variance kept, kernel": f"{kept[1]:.0%}",
            "median distance": f"{median:.2f}",
        }
        description = (
            f"The digits 0 to 9 in four rows: clean; with {state.noise} noise of level {state.level:.2g}, RMS error "
            f"{errors[0]:.3f}; restored from {state.pca} components of PCA, {errors[1]:.3f}; from {state.kernel_pca} "
            f"components of kernel PCA, {errors[2]:.3f}."
        )
        return DenoisePicture(facts, description, np.reshape(rows, (len(ROWS), 10, SIDE, SIDE)), errors)

    def draw(self, view, state, picture):
        view.update(picture.rows)


denoise = factory("denoise", DenoiseExplorer)
