"""Explorers of kernel PCA: its components as maps (14.7, 14.8), and what flows in a pipe (14.9)."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.datasets.flow import ANNULAR, HORIZONTAL, STRATIFIED, VERTICAL, rims, surfaces
from sparsekm_edu.figures.kernels.components import FLOWS, UNIT, ClustersAndComponents, FlowPlanes
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import THREE_CLASSES
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.lessons.components import between_clusters, neighbours_disagree, rightwards
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import SHAPES, DrawAgain, PointsExplorer
from sparsekm_edu.models import KernelPCA
from sparsekm_edu.validation import Impossible

# ---- figures 14.7 and 14.8 ------------------------------------------------------------------------------
MAPS = 8
GRID = grid_over(UNIT, 33)
PLACES = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
FIRST_X, FIRST_T = datasets.three_clusters()
GAUSSIAN, QUADRATIC, LINEAR = "Gaussian", "polynomial, degree 2", "linear"


@dataclass(frozen=True, eq=False)
class KernelComponentsState:
    """kernel: GAUSSIAN, that is exp(-|x - z|^2 / sigma2), QUADRATIC or LINEAR; X (N, 2), t (N,): points of the clusters
    0, 1 and 2, which kernel PCA is not told of."""

    kernel: str = GAUSSIAN
    sigma2: float = 0.1
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0

    def centres(self):
        """Cluster -> the mean of its points, for the clusters that have some."""
        return {int(kind): self.X[self.t == kind].mean(axis=0) for kind in np.unique(self.t)}


@dataclass(frozen=True, eq=False)
class KernelComponentsPicture(Picture):
    """Z (N, 2): the points by their first two components; maps (H, W, MAPS): components on GRID; shares (L,): of the
    variance in feature space, for all components; between (L,): how much of a component's lies between clusters."""

    Z: np.ndarray
    maps: np.ndarray
    shares: np.ndarray
    between: np.ndarray


class KernelComponentsExplorer(PointsExplorer):
    """Figures 14.7 and 14.8: change the kernel, drag points or whole clusters; what do the components tell apart?"""

    title = "Kernel principal components"
    State = KernelComponentsState
    size = 7.2, 3.8
    classes = THREE_CLASSES
    most_points = 120
    source = staticmethod(datasets.three_clusters)

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 5, width_ratios=(1.5, 1, 1, 1, 1))
        below = [sheet.add_subplot(cells[row, 0]) for row in range(2)]
        maps = [sheet.add_subplot(cells[row, 1 + column]) for row in range(2) for column in range(4)]
        return ClustersAndComponents(*below, *maps)

    def make_controls(self):
        return {
            "kernel": widgets.Dropdown(description="kernel", options=[GAUSSIAN, QUADRATIC, LINEAR]),
            "sigma2": log_slider("σ²", 0.001, 100.0),
        }

    @staticmethod
    def compute(state):
        X, t = state.X, state.t
        if len(np.unique(X, axis=0)) < 2:
            raise Impossible("components need two different points or more; add one")
        kernel = {GAUSSIAN: Gaussian(1 / state.sigma2), QUADRATIC: Polynomial(2), LINEAR: Linear()}[
            state.kernel
        ]
        model = KernelPCA(kernel, n_components=None)
        Z, maps = rightwards(X[:, 0], model.fit_transform(X), model.transform(PLACES))
        shares, between = model.explained_variance_ratio_, between_clusters(Z, t)
        if not shares.any():
            raise Impossible("to this kernel all points are alike; move them apart")
        first, rest = slice(0, 2), slice(2, MAPS)
        wrong = int(neighbours_disagree(Z[:, first], t).sum())
        facts = {
            "above rounding error": f"{len(shares)}",
            "for 95 % of variance": f"{1 + int(np.sum(np.cumsum(shares) < 0.95))}",
            "shares of 1 and 2": ", ".join(f"{share:.1%}" for share in shares[first]),
            "1–2: between clusters": f"{np.average(between[first], weights=shares[first]):.0%}",
            "3–8: between clusters": f"{np.average(between[rest], weights=shares[rest]):.0%}"
            if len(shares) > 2
            else "—",
            "1-NN errors on z1, z2": f"{wrong} of {len(t)}",
        }
        description = (
            f"Kernel PCA of {len(t)} points in {len(np.unique(t))} clusters with a kernel that is {state.kernel}"
            f"{f', sigma^2 = {state.sigma2:.3g}' if state.kernel == GAUSSIAN else ''}. The first two components hold "
            f"{shares[first].sum():.0%} of the variance; on them {wrong} points have a neighbour of another cluster."
        )
        maps = maps[:, :MAPS].reshape(len(GRID[1]), len(GRID[0]), -1)
        return KernelComponentsPicture(facts, description, both(Z), maps, shares, between)

    def draw(self, view, state, picture):
        centres = list(state.centres().values())
        view.update(state.X, state.t, centres, picture.Z, GRID, picture.maps, picture.shares)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.grips.update(list(state.centres().values()))

    # points can be dragged one by one, and clusters by their middle
    def handles(self, view, state):
        own = self.stage.sheet.palette.own
        grips = [
            Handle(("centre", k), view.axes[0], *place, own, "diamond")
            for k, place in state.centres().items()
        ]
        return [*super().handles(view, state), *grips]

    def moved(self, state, name, x, y):
        kind, k = name
        if kind == "point":
            return super().moved(state, name, x, y)
        cluster = state.t == k
        shift = (x, y) - state.centres()[k]
        room = UNIT[::2] - state.X[cluster].min(axis=0), UNIT[1::2] - state.X[cluster].max(axis=0)
        return {
            "X": state.X + cluster[:, None] * np.clip(shift, np.minimum(room[0], 0), np.maximum(room[1], 0))
        }


def both(Z):
    """The first two columns of Z (N, L), the second 0 where there is only one."""
    return np.column_stack([Z[:, 0], Z[:, 1] if Z.shape[1] > 1 else 0 * Z[:, 0]])


kernel_components = factory("kernel_components", KernelComponentsExplorer)


# ---- figure 14.9 ----------------------------------------------------------------------------------------
MEASURED = 100


@dataclass(frozen=True, eq=False)
class FlowState:
    """width of the Gaussian kernel, in medians of the distances between the measurements; n: the measurement that is
    looked at, from 1 on; drawn: which 100 measurements."""

    width: float = 1.0
    n: int = 50
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class FlowPicture(Picture):
    """X (N, 12), t (N,): measurements; Zs and wrong: of PCA and of kernel PCA, (N, 2) and (N,) each; shares (3,) of
    oil, water and gas in the pipe that is looked at, and its borders, as `Pipe` takes them."""

    X: np.ndarray
    t: np.ndarray
    Zs: tuple
    wrong: tuple
    shares: np.ndarray
    borders: np.ndarray


@remembered(maxsize=4)
def _measured(drawn):
    """X, t, the shares of the phases, the median distance, and PCA with its errors."""
    X, t = datasets.three_phase_flow(MEASURED, seed=drawn)
    distances = np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(MEASURED, 1)]
    Z = rightwards(X.sum(axis=1), KernelPCA(Linear()).fit_transform(X))[0]
    return (
        X,
        t,
        datasets.pipe_contents(MEASURED, seed=drawn)[1],
        np.median(distances),
        Z,
        neighbours_disagree(Z, t),
    )


class FlowExplorer(DrawAgain):
    """Figure 14.9: twelve readings of a pipe in two dimensions. Click a point: what flows there?"""

    title = "Flow in a pipe"
    State = FlowState
    size = 7.6, 4.0

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 3, width_ratios=(1.2, 1.2, 1), height_ratios=(1.8, 1))
        places = cells[:, 0], cells[:, 1], cells[0, 2], cells[1, 2]
        return FlowPlanes(*(sheet.add_subplot(place) for place in places), (VERTICAL, HORIZONTAL))

    def make_controls(self):
        return {
            "width": log_slider("width", 0.05, 10.0),
            "n": widgets.IntSlider(description="point", min=1, max=MEASURED),
        }

    @staticmethod
    def compute(state):
        X, t, contents, median, pca, pca_wrong = _measured(state.drawn)
        width, n = state.width * median, state.n - 1
        Z = KernelPCA(Gaussian(1 / (2 * width**2))).fit_transform(X)
        Z = rightwards(X.sum(axis=1), Z)[0]
        wrong = neighbours_disagree(Z, t)
        shares = contents[n]
        borders = {ANNULAR: rims, STRATIFIED: surfaces}.get(int(t[n]), lambda _: np.zeros((1, 2)))([shares])[
            0
        ]
        facts = {
            "wrong, PCA": f"{pca_wrong.sum()} of {MEASURED}",
            "wrong, kernel PCA": f"{wrong.sum()} of {MEASURED}",
            "wrong, all 12": f"{neighbours_disagree(X, t).sum()} of {MEASURED}",
            "the book's, other data": "20 and 13",
            "median distance": f"{median:.2f}",
            "this pipe": FLOWS[int(t[n])],
            "oil, water, gas": ", ".join(f"{share:.0%}" for share in shares),
        }
        description = (
            f"{MEASURED} measurements of three kinds of flow by their first two components. The nearest neighbour is "
            f"of another kind for {pca_wrong.sum()} of them under PCA and for {wrong.sum()} under kernel PCA of width "
            f"{width:.3g}. Measurement {state.n} is {FLOWS[int(t[n])]}, with {shares[0]:.0%} oil, "
            f"{shares[1]:.0%} water and {shares[2]:.0%} gas."
        )
        return FlowPicture(facts, description, X, t, (pca, Z), (pca_wrong, wrong), shares, borders)

    def draw(self, view, state, picture):
        n = state.n - 1
        view.update(picture.Zs, picture.t, picture.wrong, n, picture.X[n], picture.shares, picture.borders)

    def handles(self, view, state):
        colours, t = self.figure.palette, self.picture.t
        looks = {k: (getattr(colours, role), SHAPES[mark][0]) for k, (role, mark) in THREE_CLASSES.items()}
        return [
            Handle((way, n), ax, *place, *looks[int(t[n])], fixed=True)
            for way, (ax, Z) in enumerate(zip(view.axes[:2], self.picture.Zs, strict=True))
            for n, place in enumerate(view.shown(Z))
        ]

    def chosen(self, state, name):
        return {"n": name[1] + 1}


flow = factory("flow", FlowExplorer)
