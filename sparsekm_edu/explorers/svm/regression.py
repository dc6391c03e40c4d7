"""Explorers of support vector regression: figures 7.7 and 7.8, and Tipping's sinc."""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import TOLERANCE, WIDTH, need_a_point
from sparsekm_edu.explorers.svm.nu import NuGrip, nu_slider
from sparsekm_edu.figures.curves import (
    ABOVE,
    BELOW,
    INSIDE,
    LOWER_EDGE,
    SINC_X,
    SINUSOID_X,
    UPPER_EDGE,
    kinds,
)
from sparsekm_edu.figures.svm.regression import NuTube, SincTube, TubeAndBox
from sparsekm_edu.kernels import Gaussian, LinearSpline
from sparsekm_edu.live.controls import certificate, four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.points import CurvePointsExplorer
from sparsekm_edu.solvers import epsilon_regression, kkt, nu_regression, smo

FIRST_X, FIRST_T = datasets.sinusoid()


@dataclass(frozen=True, eq=False)
class CurvePicture(Picture):
    """y: the curve where the view draws it; y_n, v (N,): y(x_n) and a_n - a-hat_n; epsilon: half-width of the tube."""

    y: np.ndarray
    y_n: np.ndarray
    v: np.ndarray
    epsilon: float


def slacks(residual, epsilon):
    """xi and xi-hat, (N,) each: what is left of t_n - y(x_n) above and below the tube, (7.53) and (7.54)."""
    return np.maximum(residual - epsilon, 0.0), np.maximum(-residual - epsilon, 0.0)


def worst_product(solution, residual, epsilon, C):
    """The largest of the products that (7.65)-(7.68) want to vanish, over all points."""
    xi, xi_hat = slacks(residual, epsilon)
    a, a_hat = solution.a, solution.a_hat
    products = (
        a * (epsilon + xi - residual),  # (7.65)
        a_hat * (epsilon + xi_hat + residual),  # (7.66)
        (C - a) * xi,  # (7.67)
        (C - a_hat) * xi_hat,  # (7.68)
    )
    return float(np.abs(products).max())


class SinusoidExplorer(CurvePointsExplorer):
    """What figures 7.7 and 7.8 have in common: ten points of a sine, which can be dragged, added and deleted."""

    source = staticmethod(datasets.sinusoid)
    most_points = 60

    def draw_stale(self, view, state):
        view.points.update(self.places(state), np.full(len(state.t), INSIDE))
        view.rings.update([])


# ---- figure 7.7 -----------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class TubeState:
    """C and epsilon of the error function (7.52), gamma of the Gaussian kernel; X, t: the data."""

    C: float = 1.6
    epsilon: float = 0.1
    gamma: float = 5.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


class TubeExplorer(SinusoidExplorer):
    """Figure 7.7: C, epsilon and gamma under your hand; every point shows which constraint holds it."""

    title = "The tube and its multipliers"
    State = TubeState
    View = TubeAndBox
    panels = {"nrows": 2}

    def make_controls(self):
        return {
            "C": log_slider("C", 0.01, 1000.0),
            "epsilon": slider("ε", 0.0, 1.2, 0.01),
            "gamma": log_slider("γ", 0.1, 300.0),
        }

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        kernel = Gaussian(gamma=state.gamma)
        K = kernel(state.X)
        problem = epsilon_regression(K, state.t, state.C, state.epsilon)
        solution = smo(problem, tol=TOLERANCE)
        v, y_n = solution.v, K @ solution.v + solution.b  # (7.64)
        y = kernel(SINUSOID_X[:, None], state.X) @ v + solution.b
        residual, kind = state.t - y_n, kinds(v, state.C)
        paid = np.sum(slacks(residual, state.epsilon))
        primal = state.C * paid + 0.5 * v @ K @ v  # (7.55)
        worst = worst_product(solution, residual, state.epsilon, state.C)
        facts = {
            "inside, a = â = 0": f"{np.sum(kind == INSIDE)}",
            "on an edge": f"{np.isin(kind, (UPPER_EDGE, LOWER_EDGE)).sum()}",
            "above, a = C": f"{np.sum(kind == ABOVE)}",
            "below, â = C": f"{np.sum(kind == BELOW)}",
            "support vectors": f"{np.count_nonzero(v)} of {len(v)}",
            "sum of slacks": four(paid),
            "error (7.55)": f"{primal:.4f}",
            "dual (7.61)": four(solution.objective),
            "(7.65)–(7.68)": certificate(worst),
        }
        description = (
            f"Tube of half-width {state.epsilon:.2f} with C = {state.C:.3g} and gamma = {state.gamma:.3g}: of "
            f"{len(v)} points {np.sum(kind == INSIDE)} lie inside, {facts['on an edge']} on an edge, "
            f"{facts['above, a = C']} above and {facts['below, â = C']} below; the slacks add up to {paid:.3f}."
        )
        return CurvePicture(facts, description, y, y_n, v, state.epsilon)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, SINUSOID_X, picture.y, picture.y_n, picture.v, state.C, picture.epsilon)


tube = factory("tube", TubeExplorer)


# ---- figure 7.8 -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NuTubeState:
    """nu, and C in the scale of `NuSVR` (a_n <= C); gamma of the Gaussian kernel; X, t: the data."""

    nu: float = 0.5
    C: float = 1.0
    gamma: float = 1 / (2 * WIDTH**2)
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


class NuTubeExplorer(NuGrip, SinusoidExplorer):
    """Figure 7.8: choose nu; the tube finds its width, and nu stays between two fractions."""

    title = "The tube that nu asks for"
    State = NuTubeState
    View = NuTube
    panels = {"nrows": 2}

    def make_controls(self):
        return {
            "nu": nu_slider(),
            "C": log_slider("C", 0.01, 1000.0),
            "gamma": log_slider("γ", 0.1, 300.0),
        }

    @staticmethod
    def compute(state):
        need_a_point(state.t)
        kernel, N = Gaussian(gamma=state.gamma), len(state.t)
        K = kernel(state.X)
        problem = nu_regression(K, state.t, N * state.C, state.nu)
        solution = smo(problem, tol=TOLERANCE)
        v, y_n = solution.v, K @ solution.v + solution.b
        epsilon = max(0.0, solution.epsilon)  # rounding may leave a tube of no width at -1e-16
        y = kernel(SINUSOID_X[:, None], state.X) @ v + solution.b
        outside = int(np.sum(np.abs(state.t - y_n) > epsilon + 1e-7))
        support = np.count_nonzero(v)
        if outside <= state.nu * N + 1e-9 and state.nu * N <= support + 1e-9:
            bounded = "yes"
        else:  # the theorem asks for a tube of some width
            bounded = "no" if epsilon > 1e-9 else "no, ε = 0"
        twin = smo(epsilon_regression(K, state.t, state.C, epsilon), tol=TOLERANCE)
        change = np.abs(K @ (v - twin.v)).max()  # without b, which may be any of an interval
        facts = {
            "ε found": four(epsilon),
            "outside the tube": f"{outside}",
            "νN": f"{state.nu * N:.2f}",
            "support vectors": f"{support}",
            "outside ≤ νN ≤ SVs": bounded,
            "SVR with this ε": "same curve" if change < 1e-6 else f"differs by {change:.0e}",
            "sum of slacks": four(np.sum(slacks(state.t - y_n, epsilon))),
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"nu = {state.nu:.2f} of {N} points: the tube has half-width {epsilon:.4f}, {outside} points lie "
            f"outside it and {support} are support vectors."
        )
        return CurvePicture(facts, description, y, y_n, v, epsilon)

    def draw(self, view, state, picture):
        X, t, C, nu = state.X, state.t, state.C, state.nu
        view.update(X, t, SINUSOID_X, picture.y, picture.y_n, picture.v, C, picture.epsilon, nu)


nu_tube = factory("nu_tube", NuTubeExplorer)


# ---- Tipping's sinc -------------------------------------------------------------------------------------
SINC_POINTS = datasets.sinc()[0]
# the linear spline is a kernel for x >= 0 only
SINC_K = LinearSpline()(SINC_POINTS + 10)
SINC_K_CURVE = LinearSpline()(SINC_X[:, None] + 10, SINC_POINTS + 10)


@dataclass(frozen=True, eq=False)
class SincState:
    """noise: uniform noise in t, at most so much; epsilon and C of the machine; drawn: which noise."""

    noise: float = 0.2
    epsilon: float = 0.15
    C: float = 1.0
    drawn: int = 0

    @property
    def t(self):
        """The targets, (100,)."""
        return datasets.sinc(noise=self.noise, seed=self.drawn)[1]


class SincExplorer(Explorer):
    """Tipping's sinc: add noise, widen the tube, and count support vectors."""

    title = "sinc in a tube"
    State = SincState
    View = SincTube
    panels = {"nrows": 2}

    def make_controls(self):
        return {
            "noise": slider("noise ±", 0.0, 0.4, 0.01),
            "epsilon": slider("ε", 0.005, 0.5, 0.005),
            "C": log_slider("C", 0.01, 100.0),
        }

    @staticmethod
    def compute(state):
        t = state.t
        problem = epsilon_regression(SINC_K, t, state.C, state.epsilon)
        solution = smo(problem, tol=TOLERANCE)
        v, y_n = solution.v, SINC_K @ solution.v + solution.b
        y = SINC_K_CURVE @ v + solution.b
        error = y - np.sinc(SINC_X / np.pi)
        support, rms, worst = np.count_nonzero(v), np.sqrt(np.mean(error**2)), np.abs(error).max()
        facts = {
            "support vectors": f"{support} of {len(t)}",
            "outside the tube": f"{np.sum(np.abs(t - y_n) > state.epsilon + 1e-7)}",
            "RMS error": f"{rms:.4f}",
            "largest error": f"{worst:.4f}",
            "|w|": f"{np.sqrt(max(0.0, v @ SINC_K @ v)):.4f}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"sinc with noise up to {state.noise:.2f}, epsilon = {state.epsilon:.3g}, C = {state.C:.3g}: "
            f"{support} of {len(t)} points are support vectors, and the curve is {rms:.4f} (root mean square) and "
            f"at most {worst:.4f} away from the sinc."
        )
        return CurvePicture(facts, description, y, y_n, v, state.epsilon)

    def draw(self, view, state, picture):
        view.update(SINC_POINTS, state.t, SINC_X, picture.y, picture.y_n, picture.v, picture.epsilon)

    def make_buttons(self):
        return [self.button("Draw again", "new noise", lambda: self.set(drawn=self.state.drawn + 1))]


sinc_tube = factory("sinc_tube", SincExplorer)
