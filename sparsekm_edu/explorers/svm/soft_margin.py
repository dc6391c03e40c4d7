"""Explorers of the soft margin: figure 7.3 with the box of its multipliers, figure 7.4 with nu between its bounds."""

import warnings
from dataclasses import dataclass, field, replace

import numpy as np

from sparsekm_edu import datasets, solvers
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.explorers.svm.nu import NuGrip, nu_slider
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import WIDE
from sparsekm_edu.figures.svm.soft_margin import NuMargin, SoftMargin, slacks
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.models import NuSVC
from sparsekm_edu.solvers import c_path, kkt, smo
from sparsekm_edu.validation import Impossible

FIRST_CLOUDS, FIRST_OVERLAPPING = datasets.clouds(), datasets.overlapping()
LARGEST_C = 1e3


# ---- figure 7.3 -----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class SoftMarginState:
    """C, the price of a unit of slack; X, t: the data."""

    C: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_CLOUDS[0])
    t: np.ndarray = field(default_factory=lambda: FIRST_CLOUDS[1])
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class SoftMarginPicture(Picture):
    """line: (w, b) in canonical form; a: (N,) multipliers."""

    line: tuple
    a: np.ndarray


def at_price(X, t, C):
    """The soft margin of straight lines: problem and solution, read off the path of all C if it reaches so far."""
    K = X @ X.T
    problem = solvers.soft_margin(K, t, C)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a path that stops short is told by its C_max
        path = c_path(K, t, LARGEST_C)
    return problem, path.at(C) if path.C_max >= C else smo(problem, tol=1e-9)


class SoftMarginExplorer(PointsExplorer):
    """Figure 7.3: drag C or a point and see who enters the street and whose multiplier reaches the limit."""

    title = "Soft margin"
    State = SoftMarginState
    View = SoftMargin
    panels = {"ncols": 2, "width_ratios": (2.4, 1)}
    source = staticmethod(datasets.clouds)
    size = 7.6, 4.1
    most_points = 60

    def make_controls(self):
        return {"C": log_slider("C", 0.01, LARGEST_C)}

    @staticmethod
    def compute(state):
        X, t, C = state.X, state.t, state.C
        need_both_classes(t)
        problem, solution = at_price(X, t, C)
        a, w, b = solution.a, solution.v @ X, solution.b  # (7.29)
        if np.linalg.norm(w) < 1e-9:
            raise Impossible(
                "w = 0: the classes overlap so much that no line pays for itself; pull them apart"
            )
        xi = slacks(t, X @ w + b, a, C)
        inside, wrong = int(np.sum((xi > 0) & (xi <= 1))), int(np.sum(xi > 1))
        facts = {
            "ξ = 0, no slack": f"{np.sum(xi == 0)}",
            "0 < ξ ≤ 1, inside": f"{inside}",
            "ξ > 1, misclassified": f"{wrong}",
            "sum of ξₙ": f"{xi.sum():.3f}",
            "aₙ = 0 | between | = C": f"{np.sum(a == 0)} | {np.sum((a > 0) & (a < C))} | {np.sum(a == C)}",
            "margin 1/|w|": f"{1 / np.linalg.norm(w):.3f}",
            "cost (7.21)": f"{C * xi.sum() + 0.5 * w @ w:.4f}",
            "dual (7.32)": f"{solution.objective:.4f}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"At C = {C:.3g} the margin is {1 / np.linalg.norm(w):.3f}; {inside} points lie inside it and {wrong} on "
            f"the wrong side of the line, and all slack adds up to {xi.sum():.3f}. {np.sum(a == C)} of "
            f"{len(t)} multipliers are at the limit C."
        )
        return SoftMarginPicture(facts, description, (w, b), a)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, picture.line, picture.a, state.C)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        for layer in (view.rings, view.wrong, view.lengths):
            layer.update([])


soft_margin = factory("soft_margin", SoftMarginExplorer)


# ---- figure 7.4 -----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class NuMarginState:
    """nu; gamma of the Gaussian kernel; X, t: the data."""

    nu: float = 0.3
    gamma: float = 0.45
    X: np.ndarray = field(default_factory=lambda: FIRST_OVERLAPPING[0])
    t: np.ndarray = field(default_factory=lambda: FIRST_OVERLAPPING[1])
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class NuMarginPicture(Picture):
    """grid: (x1, x2); Y: y(x) on it; y, a: (N,), of the points."""

    grid: tuple
    Y: np.ndarray
    y: np.ndarray
    a: np.ndarray


def as_soft_margin(K, t, solution):
    """C = 1 / (N rho) and, for the soft margin with this C, the KKT violation of the nu-machine's solution."""
    C = 1 / (len(t) * solution.rho)
    share = solution.a / (1 / len(t))  # exactly 1 at the limit, which * N would not be
    twin = replace(solution, v=t * share * C, b=solution.b / solution.rho)
    return C, kkt(solvers.soft_margin(K, t, C), twin).violation


def nu_machine(X, t, nu, kernel):
    """The fitted NuSVC, the C of the same soft margin and the KKT violation there; a sentence if there is no margin."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = NuSVC(nu=nu, kernel=kernel, tol=1e-6, max_iter=20_000).fit(X, t)  # refuses an infeasible nu
    if not caught:
        C, violation = as_soft_margin(kernel(X), t, model.solution_)
        if violation < 1e-3:
            return model, C, violation
    if not model.converged_:
        raise Impossible(str(caught[0].message))
    raise Impossible(f"ρ = {model.rho_:.0e} is as good as 0 at ν = {nu:g}: no margin is left; raise ν or γ")


class NuMarginExplorer(NuGrip, PointsExplorer):
    """Figure 7.4: move nu and gamma, drop half of a class, and try to push nu out from between its two fractions."""

    title = "nu-SVM"
    State = NuMarginState
    View = NuMargin
    panels = {"nrows": 2}
    source = staticmethod(datasets.overlapping)
    most_points = 120

    def make_controls(self):
        return {"nu": nu_slider(), "gamma": log_slider("γ", 0.01, 30.0)}

    @staticmethod
    def compute(state):
        X, t, nu = state.X, state.t, state.nu
        need_both_classes(t)
        N = len(t)
        model, C, violation = nu_machine(X, t, nu, Gaussian(gamma=state.gamma))
        grid = grid_over(WIDE)
        y = model.decision_function(X)
        a = model.solution_.a
        xi = slacks(t, y, a, 1 / N)
        length = np.sqrt((a * t) @ model.kernel(X) @ (a * t))  # |w|, in feature space
        largest = 2 * min(np.sum(t > 0), np.sum(t < 0)) / N
        facts = {
            "margin errors / N": f"{np.mean(xi > 0):.4f}",
            "ν": f"{nu:.4f}",
            "support vectors / N": f"{np.mean(a > 0):.4f}",
            "misclassified / N": f"{np.mean(xi > 1):.4f}",
            "largest ν possible": f"{largest:.4f}",
            "sum of aₙ": f"{a.sum():.4f}",
            "level ρ": f"{model.rho_:.4g}",
            "as a distance, ρ/|w|": f"{model.rho_ / length:.4g}",
            "the same C = 1/(Nρ)": f"{C:.4g}",
            "its KKT violation": certificate(violation),
        }
        description = (
            f"With nu = {nu:.2f} and gamma = {state.gamma:.3g}, {np.mean(xi > 0):.3f} of the {N} points are margin "
            f"errors and {np.mean(a > 0):.3f} are support vectors; a soft margin with C = {C:.3g} is the "
            "same machine."
        )
        return NuMarginPicture(facts, description, grid, model.surface(*grid), y, a)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, picture.grid, picture.Y, picture.y, picture.a, state.nu)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])
        view.wrong.update([])

    def make_buttons(self):
        drop = self.button("Drop half of ●", "fewer points of class +1", self.drop_half)
        return [drop, *super().make_buttons()]

    def drop_half(self):
        """Delete every second point of class +1: unequal classes leave nu less room."""
        keep = np.ones(len(self.state.t), dtype=bool)
        keep[np.flatnonzero(self.state.t > 0)[1::2]] = False
        self.set(X=self.state.X[keep], t=self.state.t[keep])


nu_margin = factory("nu_margin", NuMarginExplorer)
