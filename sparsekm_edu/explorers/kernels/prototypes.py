"""Explorers of kernels on prototypes: xor by three sets of features (14.2), a basis of bumps on a line (14.3)."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_a_point
from sparsekm_edu.figures.kernels.prototypes import UNIT_SQUARE, RbfBasis, Xor
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import THIRD
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.prototypes import monomials, nearest_polynomial, powers, ridge
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import CurvePointsExplorer, PointsExplorer
from sparsekm_edu.solvers import l2
from sparsekm_edu.validation import Impossible

RBF, POWERS, MONOMIALS = "RBF on prototypes", "powers of each coordinate", "all monomials"
GRID = grid_over(UNIT_SQUARE, 60)
PLACES = np.stack(np.meshgrid(*GRID), axis=-1).reshape(-1, 2)
TEST_X, TEST_T = datasets.xor(1000, seed=10_000)


def bumps(X, prototypes, tau):
    """exp(-|x - mu_k|^2 / (2 tau^2)), the kernelised feature vector (14.28) of every point, (N, K)."""
    return Gaussian(1 / (2 * tau**2))(X, prototypes)


# ---- figure 14.2 ----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class PrototypesState:
    """features: RBF, POWERS or MONOMIALS; tau, width of the kernels; degree of the other two; lam, price of the
    weights; prototypes (K, 2); drawn: seed of the points."""

    features: str = RBF
    tau: float = 0.5
    degree: int = 10
    lam: float = 0.01
    prototypes: np.ndarray = field(default_factory=lambda: datasets.XOR_CORNERS)
    drawn: int = 0

    @property
    def t(self):
        """Prototypes are all of one kind."""
        return np.ones(len(self.prototypes))

    def phi(self, X):
        """The features of points X (N, 2), (N, M). Powers are taken of 2x - 1, between -1 and 1 at the corners."""
        if self.features == RBF:
            return bumps(X, self.prototypes, self.tau)
        return {POWERS: powers, MONOMIALS: monomials}[self.features](2 * X - 1, self.degree)


@dataclass(frozen=True, eq=False)
class PrototypesPicture(Picture):
    """X, t: the points; Y: y(x) on GRID; y: (4,) at the corners; errors: how many points are on the wrong side; test:
    the share of wrong ones among TEST_X."""

    X: np.ndarray
    t: np.ndarray
    Y: np.ndarray
    y: np.ndarray
    errors: int
    test: float


class PrototypesExplorer(PointsExplorer):
    """Figure 14.2: drag the prototypes, change their width, and try what polynomials can do."""

    title = "Prototypes for xor"
    State = PrototypesState
    View = Xor
    panels = {"ncols": 2, "width_ratios": (1.5, 1)}
    size = 7.6, 4.3
    classes = {1: ("own", THIRD)}
    most_points = 16

    def make_controls(self):
        return {
            "features": widgets.Dropdown(description="features", options=[RBF, POWERS, MONOMIALS]),
            "tau": log_slider("τ", 0.05, 10.0),
            "degree": widgets.IntSlider(description="degree", min=1, max=10),
            "lam": log_slider("λ", 1e-6, 10.0),
        }

    # the prototypes are what can be dragged, added and deleted
    def places(self, state):
        return state.prototypes

    def data(self, places, labels):
        return {"prototypes": places}

    def handles(self, view, state):
        return super().handles(view, state) if state.features == RBF else []

    def check(self, state):
        """A state of the right kind is all right."""

    def draw_again(self):
        """New points from the same source."""
        self.set(drawn=self.state.drawn + 1)

    @staticmethod
    def compute(state):
        if state.features == RBF and len(state.prototypes) == 0:
            raise Impossible("there is no prototype; add one")
        X, t = datasets.xor(seed=state.drawn)
        Phi = state.phi(X)
        fit = l2(Phi, (t + 1) / 2, state.lam, "logistic")

        def y(X):
            return state.phi(X) @ fit.w + fit.b

        errors, corners = int(np.sum((y(X) > 0) != (t > 0))), y(datasets.XOR_CORNERS)
        test = float(np.mean((y(TEST_X) > 0) != (TEST_T > 0)))
        loss = np.logaddexp(0, -t * y(X)).mean()
        facts = {
            "how many features": f"{Phi.shape[1]}",
            "training errors": f"{errors} of {len(t)}",
            "errors on new points": f"{100 * test:.1f} %",
            "loss, nats a point": f"{loss:.3f}",
            "y(00) + y(11)": f"{corners[:2].sum():+.2f}",
            "y(01) + y(10)": f"{corners[2:].sum():+.2f}",
            "length of w": f"{np.linalg.norm(fit.w):.3g}",
        }
        description = (
            f"Logistic regression on {state.features}, {Phi.shape[1]} features, is wrong about {errors} of the "
            f"{len(t)} points of xor and {100 * test:.1f} % of new ones."
        )
        Y = y(PLACES).reshape(len(GRID[1]), len(GRID[0]))
        return PrototypesPicture(facts, description, X, t, Y, corners, errors, test)

    def draw(self, view, state, picture):
        marks = state.prototypes if state.features == RBF else ()
        view.update(picture.X, picture.t, GRID, picture.Y, picture.y, marks)

    def draw_stale(self, view, state):
        view.plane.prototypes.update(state.prototypes)


prototypes = factory("prototypes", PrototypesExplorer)


# ---- figure 14.3 ----------------------------------------------------------------------------------------
FIRST_X, FIRST_T = datasets.parabola()
LINE, TRUTH = datasets.parabola(n=221, noise=0.0)
LINE_X = LINE[:, 0]
LARGEST_CONDITION = 1e15  # beyond, rounding errors are measured
ALIKE = 0.05  # of the range of the targets: a curve that is nearer to a polynomial is called one


@dataclass(frozen=True, eq=False)
class RbfBasisState:
    """tau, width of the bumps; K of them, evenly spaced from -1 to 1; ridge: are weights paid for, with the price lam?
    X (N, 1), t (N,): the points."""

    tau: float = 0.5
    K: int = 10
    ridge: bool = True
    lam: float = 1e-3
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class RbfBasisPicture(Picture):
    """Over LINE_X: y, the curve, and bumps (G, K); mu (K,) the prototypes; Phi (N, K) the design matrix."""

    y: np.ndarray
    bumps: np.ndarray
    mu: np.ndarray
    Phi: np.ndarray


@remembered()
def basis(tau, K):
    """The prototypes, (K, 1), and their bumps over LINE_X, (G, K)."""
    mu = np.linspace(-1, 1, K)[:, None]
    return mu, bumps(LINE, mu, tau)


class RbfBasisExplorer(CurvePointsExplorer):
    """Figure 14.3: one width, many prototypes. Widen the bumps and see when the design matrix forgets them."""

    title = "A basis of bumps"
    State = RbfBasisState
    View = RbfBasis
    panels = {"ncols": 3, "width_ratios": (1.25, 1.25, 1)}
    source = staticmethod(datasets.parabola)
    size = 7.6, 3.3
    most_points = 60

    def make_controls(self):
        return {
            "tau": log_slider("τ", 0.02, 100.0),
            "K": widgets.IntSlider(description="K", min=2, max=20),
            "ridge": widgets.Checkbox(description="ridge, price λ"),
            "lam": log_slider("λ", 1e-12, 10.0),
        }

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        X, t = state.X, state.t
        mu, on_line = basis(state.tau, state.K)
        Phi = bumps(X, mu, state.tau)
        w, b = ridge(Phi, t, state.lam if state.ridge else 0.0)
        y = on_line @ w + b
        with_bias = np.column_stack([Phi, np.ones(len(t))])
        rank, condition = np.linalg.matrix_rank(with_bias), np.linalg.cond(Phi)
        degree, off = nearest_polynomial(X[:, 0], t, LINE_X, y)
        alike = off <= ALIKE * np.ptp(t)
        facts = {
            "rank of (Φ, 1)": f"{rank} of {min(with_bias.shape)}",
            "condition of Φ": f"{condition:.2g}" if condition < LARGEST_CONDITION else "> 1e15",
            "length of w": f"{np.linalg.norm(w):.2g}",
            "RMS to the points": f"{np.sqrt(np.mean((t - Phi @ w - b) ** 2)):.3f}",
            "RMS to the truth": f"{np.sqrt(np.mean((TRUTH - y) ** 2)):.3f}",
            "highest − lowest y": f"{np.ptp(y):.3f}",
            "like a polynomial of": f"degree {degree}" if alike else "no degree",
            "up to": f"{off:.3f}" if alike else "—",
        }
        description = (
            f"{state.K} bumps of width {state.tau:.3g}: with the bias the design matrix has rank {rank}, and the curve "
            f"differs by at most {off:.3f} from the polynomial of degree {degree} that fits the points best."
        )
        return RbfBasisPicture(facts, description, y, on_line, mu[:, 0], Phi)

    def draw(self, view, state, picture):
        curves = picture.y, TRUTH
        view.update(state.X, state.t, LINE_X, curves, picture.bumps, picture.mu, picture.Phi)

    def draw_stale(self, view, state):
        view.points.update(self.places(state), self.labels(state))


rbf_basis = factory("rbf_basis", RbfBasisExplorer)
