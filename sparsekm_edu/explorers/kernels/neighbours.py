"""Explorer of nearest neighbours among strings, by the spectrum kernel and (14.30)."""

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.neighbours import StringNeighbours
from sparsekm_edu.figures.style import THREE_CLASSES
from sparsekm_edu.kernels import Normalised, Spectrum
from sparsekm_edu.lessons.neighbours import nearest_others, squared_distances
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import SHAPES
from sparsekm_edu.validation import Impossible

STRINGS, FAMILIES = 120, 3


@dataclass(frozen=True, eq=False)
class NeighboursState:
    """k: letters of a piece; normalised: is every string given the length 1 in feature space? chosen: index of the
    string whose distances are shown; drawn: seed of the strings."""

    k: int = 3
    normalised: bool = False
    chosen: int = 24
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class NeighboursPicture(Picture):
    """letters, family (N,) of the strings; nearest (N,): index of the nearest other; squares (N,): squared distances
    from the chosen string, in units of its k(x, x); errors: how many neighbours are of another family."""

    letters: np.ndarray
    family: np.ndarray
    nearest: np.ndarray
    squares: np.ndarray
    errors: int


@remembered()
def strings(drawn):
    """The strings, their families and how many letters they have."""
    X, family = datasets.protein_families(n=STRINGS, families=FAMILIES, seed=drawn)
    return X, family, np.array([len(x) for x in X])


@remembered(maxsize=20)
def gram(k, normalised, drawn):
    """The Gram matrix of the strings."""
    kernel = Normalised(Spectrum(k)) if normalised else Spectrum(k)
    return kernel(strings(drawn)[0])


class NeighboursExplorer(Explorer):
    """120 strings of three families: choose how to measure, and click a string to see how far the others are."""

    title = "Neighbours among strings"
    State = NeighboursState
    View = StringNeighbours
    panels = {"ncols": 2}
    size = 7.0, 3.9

    def make_controls(self):
        return {
            "k": widgets.IntSlider(description="letters k", min=1, max=5),
            "normalised": widgets.Checkbox(description="normalised: κ(x, x) = 1"),
        }

    def make_buttons(self):
        return [self.button("Draw again", "new strings of new families", self.draw_again)]

    def draw_again(self):
        """New strings of new families."""
        self.set(drawn=self.state.drawn + 1)

    def check(self, state):
        if state.chosen >= STRINGS:
            raise Impossible(f"chosen must be the index of one of {STRINGS} strings, got {state.chosen}")

    @staticmethod
    def compute(state):
        _, family, letters = strings(state.drawn)
        K = gram(state.k, state.normalised, state.drawn)
        nearest = nearest_others(K)
        n = state.chosen
        squares = squared_distances(K)[n] / K[n, n]
        errors = int(np.sum(family[nearest] != family))
        others = np.arange(STRINGS) != n
        differ = np.ptp(squares[others]) > 1e-9  # not if the string shares nothing with any other
        together = (
            f"corr. {np.corrcoef(letters[others], squares[others])[0, 1]:+.2f}" if differ else "all equal"
        )
        decimals = 3 if state.normalised else 0
        facts = {
            "wrong neighbours": f"{errors} of {STRINGS}",
            "letters of neighbours": f"mean {letters[nearest].mean():.0f}",
            "letters of all": f"mean {letters.mean():.0f}",
            "different neighbours": f"{len(np.unique(nearest))}",
            "ringed: letters": f"{letters[n]}",
            "its neighbour: letters": f"{letters[nearest[n]]}",
            "κ of the two": f"{K[n, nearest[n]]:.{decimals}f}",
            "its largest κ": f"{K[n, others].max():.{decimals}f}",
            "distance and letters": together,
        }
        measure = "normalised spectrum kernel" if state.normalised else "spectrum kernel"
        description = (
            f"Nearest neighbours of {STRINGS} strings by the {state.k}-{measure}: {errors} are of another family. They "
            f"have {letters[nearest].mean():.0f} letters on average, all strings {letters.mean():.0f}."
        )
        return NeighboursPicture(facts, description, letters, family, nearest, squares, errors)

    def draw(self, view, state, picture):
        if view.look_at(np.delete(picture.squares, state.chosen)):
            self.stage.background = None  # other axes
        view.update(picture.letters, picture.family, picture.nearest, state.chosen, picture.squares)

    def handles(self, view, state):
        colours, picture = self.stage.sheet.palette, self.picture
        looks = [(getattr(colours, role), SHAPES[mark][0]) for role, mark in THREE_CLASSES.values()]
        places = np.column_stack([picture.letters, picture.letters[picture.nearest]])
        return [
            Handle(("string", n), view.axes[0], *place, *looks[int(family)], fixed=True)
            for n, (place, family) in enumerate(zip(places, picture.family, strict=True))
        ]

    def chosen(self, state, name):
        return {"chosen": name[1]}


neighbours = factory("neighbours", NeighboursExplorer)
