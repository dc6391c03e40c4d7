"""Explorer of one class: plane and sphere, and the fractions that nu controls."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import CRESCENT, ONE_KIND
from sparsekm_edu.figures.svm.novelty import Novelty
from sparsekm_edu.kernels import Gaussian, Linear, Polynomial
from sparsekm_edu.lessons.nu import nu_fractions
from sparsekm_edu.live.controls import certificate, log_slider, slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import SVDD, OneClassSVM
from sparsekm_edu.validation import Impossible

FIRST_X, FIRST_T = datasets.crescent()
NEW_X, _ = datasets.crescent(n=2000, seed=2000)  # what the machines have not seen
GRID = grid_over(CRESCENT, 90)
NUS = np.linspace(0.02, 0.98, 17)
KERNELS = {
    "Gaussian": lambda state: Gaussian(gamma=state.gamma),
    "linear": lambda state: Linear(),
    "polynomial, degree 2": lambda state: Polynomial(degree=2),
}


@remembered()
def fractions(K):
    """Fractions of support vectors and of points outside at NUS; a slider of nu alone need not redo them."""
    return nu_fractions(K, NUS)


@dataclass(frozen=True, eq=False)
class OneClassState:
    """kernel: a name of KERNELS; nu; gamma of the Gaussian; X: the data, t: all +1."""

    kernel: str = "Gaussian"
    nu: float = 0.2
    gamma: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class OneClassPicture(Picture):
    """plane, sphere: decision values on GRID; support, outside: indices, of the plane; path: see Novelty.update."""

    plane: np.ndarray
    sphere: np.ndarray
    support: np.ndarray
    outside: np.ndarray
    path: tuple


class OneClassExplorer(PointsExplorer):
    """Novelty detection: nu between two fractions, and two boundaries that are one for Gaussian kernels."""

    title = "One class"
    State = OneClassState
    View = Novelty
    panels = {"ncols": 2, "width_ratios": (1.6, 1)}
    source = staticmethod(datasets.crescent)
    classes = ONE_KIND
    most_points = 100
    size = 7.6, 3.7

    def make_controls(self):
        self.gamma = log_slider("γ", 0.05, 50.0)
        return {
            "kernel": widgets.Dropdown(description="kernel", options=list(KERNELS)),
            "nu": slider("ν", 0.02, 0.98, 0.01),
            "gamma": self.gamma,
        }

    @staticmethod
    def compute(state):
        X, kernel = state.X, KERNELS[state.kernel](state)
        if len(X) < 2:
            raise Impossible("a boundary needs at least two points; add one")
        plane, sphere = (machine(state.nu, kernel).fit(X) for machine in (OneClassSVM, SVDD))
        length2 = plane.dual_coef_[0] @ kernel(plane.support_vectors_) @ plane.dual_coef_[0]
        if length2 < 1e-9 * kernel.diag(X).max():
            raise Impossible("the origin (+) lies among the points: no plane keeps them away from it")
        Y_plane, Y_sphere = plane.surface(*GRID), sphere.surface(*GRID)
        outside = np.flatnonzero(plane.predict(X) < 0)
        gap = np.abs(Y_sphere - 2 / (state.nu * len(X)) * Y_plane).max()
        facts = {
            "outside": share(len(outside), len(X)),
            "ν": f"{state.nu:.3f}",
            "support vectors": share(len(plane.support_), len(X)),
            "outside the sphere": share(np.sum(sphere.predict(X) < 0), len(X)),
            "outside, 2000 new": f"{np.mean(plane.predict(NEW_X) < 0):.3f}",
            "they differ on": f"{np.mean((Y_plane >= 0) != (Y_sphere >= 0)):.2%} of area",
            "largest difference": certificate(gap) if gap < 1e-3 else f"{gap:.3g}",
            "radius R": f"{sphere.radius_:.4f}",
            "KKT violation": certificate(max(plane.kkt_violation_, sphere.kkt_violation_)),
        }
        description = (
            f"A {state.kernel} kernel, nu = {state.nu:.3g}: {len(outside)} of {len(X)} points outside, "
            f"{len(plane.support_)} support vectors; plane and sphere differ on "
            f"{np.mean((Y_plane >= 0) != (Y_sphere >= 0)):.1%} of the picture."
        )
        path = NUS, *fractions(kernel(X))
        return OneClassPicture(facts, description, Y_plane, Y_sphere, plane.support_, outside, path)

    def draw(self, view, state, picture):
        view.update(
            state.X,
            GRID,
            picture.plane,
            picture.sphere,
            picture.support,
            picture.outside,
            state.nu,
            picture.path,
        )
        self.gamma.disabled = state.kernel != "Gaussian"

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])
        view.outside.update([])


def share(count, total):
    """A count and its fraction."""
    return f"{count / total:.3f} ({count})"


one_class = factory("one_class", OneClassExplorer)
