"""The explorer of documents: who is near whom, and by which words."""

import html
from dataclasses import dataclass
from functools import cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.kernels.documents import Documents, subjects_of
from sparsekm_edu.kernels import BagOfWords, TfIdf, centred, mercer_features, words
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.explorer import Explorer, Picture, factory

X, T = datasets.documents()
TITLES = datasets.document_titles()
KERNELS = {
    "word counts (14.4)": BagOfWords(),
    "TF-IDF (14.8)": TfIdf(),
    "scikit-learn's TF-IDF": TfIdf("scikit-learn"),
}
SHAPES = {"o": "circle", "s": "square", "^": "triangle", "D": "diamond"}
NEAREST, WORDS = 3, 3  # how many are shown


@dataclass(frozen=True, eq=False)
class DocumentsState:
    """kernel: "word counts (14.4)", "TF-IDF (14.8)" or "scikit-learn's TF-IDF"; document: a number from 1 on."""

    kernel: str = "TF-IDF (14.8)"
    document: int = 6


@dataclass(frozen=True, eq=False)
class DocumentsPicture(Picture):
    """K (N, N); Z (N, 2), the points of the map; nearest (3,), the numbers of the nearest documents, from 0; rows:
    (cosine, title, words) of each."""

    K: np.ndarray
    Z: np.ndarray
    nearest: np.ndarray
    rows: tuple


@cache
def compared(name):
    """K, the places of the map, features as dictionaries, and how often the nearest document has the same subject."""
    K = KERNELS[name](X)
    Z = mercer_features(centred(K))[:, :2]
    others = K - 2 * np.eye(len(K))  # nobody is his own neighbour
    agree = int(np.sum(T[others.argmax(axis=1)] == T))
    return K, Z / np.abs(Z).max(), KERNELS[name].features(X), agree


class DocumentsExplorer(Explorer):
    """Forty short texts: their similarities as a matrix and as points. Click a point, or step through them, to read a
    text, its nearest ones, and the words that bring them near."""

    title = "Documents and their words"
    State = DocumentsState
    View = Documents
    size = 7.6, 3.6

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, height_ratios=(3.4, 1), width_ratios=(1, 1.5))
        places = cells[0, 0], cells[0, 1], cells[1, :]
        return Documents(*(sheet.add_subplot(place) for place in places), T)

    def make_controls(self):
        return {
            "kernel": widgets.Dropdown(description="kernel", options=list(KERNELS)),
            "document": widgets.IntSlider(description="document", min=1, max=len(X)),
        }

    @staticmethod
    def compute(state):
        K, Z, phi, agree = compared(state.kernel)
        n = state.document - 1
        others = np.delete(np.arange(len(X)), n)
        nearest = others[np.argsort(-K[n, others], kind="stable")[:NEAREST]]
        rows = tuple((float(K[n, m]), str(TITLES[m]), shared_words(phi[n], phi[m])[:WORDS]) for m in nearest)
        same = others[T[others] == T[n]]
        different = np.flatnonzero(T[n] != T)
        facts = {
            "subject": T[n],
            "different words": f"{len(set(words(X[n])))}",
            "nearest one is on": T[nearest[0]],
            "cosine with it": f"{rows[0][0]:.3f}",
            "mean, same subject": f"{K[n, same].mean():.3f}",
            "mean, other subjects": f"{K[n, different].mean():.3f}",
            "nearest agrees": f"{agree} of {len(X)}",
        }
        told = "; ".join(
            f"{title!r}, {cosine:.3f}, by the words {', '.join(common)}" for cosine, title, common in rows
        )
        description = (
            f"By {state.kernel}, the documents nearest to {TITLES[n]!r}, on {T[n]}, are {told}. Of {len(X)} documents "
            f"{agree} have a nearest one on the same subject."
        )
        return DocumentsPicture(facts, description, K, Z, nearest, rows)

    def extra_controls(self):
        """The text, where it can be read, marked and searched."""
        self.text = widgets.HTML(layout={"width": "302px"})
        return [self.text]

    def draw(self, view, state, picture):
        n = state.document - 1
        self.text.value = f"<b>{state.document} {html.escape(TITLES[n])}</b><br>{html.escape(X[n])}"
        view.update(picture.K, picture.Z, T, n, picture.nearest, picture.rows)

    def handles(self, view, state):
        colours, looks = self.figure.palette, subjects_of(T)
        roles = [looks[subject] for subject in T]
        return [
            Handle(("document", n), view.axes[1], *place, getattr(colours, role), SHAPES[marker], fixed=True)
            for n, (place, (role, marker)) in enumerate(zip(compared(state.kernel)[1], roles, strict=True))
        ]

    def chosen(self, state, name):
        return {"document": name[1] + 1}


def shared_words(x, z):
    """The words of two documents, given by their features, that give most to k(x, z), the largest first."""
    terms = {word: x[word] * z[word] for word in x if word in z}
    return tuple(sorted(terms, key=lambda word: (-terms[word], word)))


documents = factory("documents", DocumentsExplorer)
