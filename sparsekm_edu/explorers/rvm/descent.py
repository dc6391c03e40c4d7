"""Explorers of logistic regression: three ways down its error surface, and weights that run away."""

from dataclasses import dataclass, field
from itertools import islice

import ipywidgets as widgets
import numpy as np
from scipy.special import expit

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes, separate
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.rvm.descent import WEIGHTS, Runaway, ThreeWays
from sparsekm_edu.figures.style import SQUARE
from sparsekm_edu.lessons.error_surface import error_surface
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.player import Player
from sparsekm_edu.live.points import PointsExplorer
from sparsekm_edu.solvers import gd_steps, irls_steps, sgd_steps
from sparsekm_edu.solvers.linear.logistic import DescentStep, LinearBernoulli
from sparsekm_edu.validation import Impossible

# ---- three ways down ------------------------------------------------------------------------------------
X, T = datasets.hours()
HOURS, PASSED = X[:, 0], (T > 0).astype(float)
GRID = grid_over(WEIGHTS, 110)
LONGEST = 50  # passes
SHARE = 0.25  # of the rate is for stochastic descent: a single point is steeper than the mean, and a pass has N steps
ARRIVED = 5e-4  # a component of the gradient of E/N below this counts as the bottom


@dataclass(frozen=True, eq=False)
class DescentState:
    """step: passes made; rate of gradient descent; origin: where x is counted from; start: w0 and w1 for origin 0."""

    step: int = 12
    origin: float = 0.0
    rate: float = 2.0
    start: tuple = (3.0, -1.0)

    @property
    def w(self):
        """The weights to start from: the same curve for every origin, but not outside the picture."""
        w0, w1 = self.start
        left, right, _, _ = WEIGHTS
        return float(np.clip(w0 + self.origin * w1, left, right)), w1

    @property
    def setting(self):
        """What the descents depend on."""
        return self.origin, self.rate, self.w


@dataclass(frozen=True, eq=False)
class DescentPicture(Picture):
    """E: the surface on GRID; ways: name -> list of DescentStep; best: the DescentStep at the bottom."""

    E: np.ndarray
    ways: dict
    best: DescentStep


@remembered(maxsize=16)
def _landscape(origin):
    """The surface on GRID, its lowest place, and the curvatures of E/N there, the smaller one first."""
    Phi = design(origin)
    *_, best = irls_steps(Phi, PASSED, 0.0, tol=1e-9)
    curvatures = np.linalg.eigvalsh(LinearBernoulli(Phi, PASSED).hessian(Phi @ best.w) / len(Phi))
    return error_surface(Phi, PASSED, *GRID), best, curvatures


@remembered(maxsize=16)
def _surveyed(origin, rate, start):
    """Gradient descent, until it has arrived for good or is tired, and Newton's method, from one start."""
    Phi = design(origin)
    gradient = list(gd_steps(Phi, PASSED, 0.0, start, rate, 1e-12, LONGEST))
    on_the_way = [step.n_iter for step in gradient if step.residual > ARRIVED]
    gradient = gradient[: max(on_the_way, default=0) + 2]
    _, *newton = irls_steps(Phi, PASSED, 0.0, start, max_iter=LONGEST)
    return gradient, [gradient[0], *newton]


@remembered(maxsize=16)
def _stochastic(origin, rate, start, passes):
    """Stochastic gradient descent, not much further than it is looked at: its N steps a pass take the longest."""
    return list(sgd_steps(design(origin), PASSED, 0.0, start, SHARE * rate, 1e-12, passes, seed=0))


def design(origin):
    """The basis functions 1 and x - origin at the data, (N, 2)."""
    return np.column_stack([np.ones_like(HOURS), HOURS - origin])


class DescentExplorer(Player, Explorer):
    """Drag the start, raise the rate, count x from elsewhere: three descents on the same error surface."""

    title = "Three ways down the error surface"
    State = DescentState
    size = 7.6, 4.3

    def make_view(self, sheet):
        cells = sheet.add_gridspec(2, 2, width_ratios=(1.6, 1))
        axes = [sheet.add_subplot(place) for place in (cells[:, 0], cells[0, 1], cells[1, 1])]
        return ThreeWays(*axes, LONGEST)

    def make_controls(self):
        return {
            **super().make_controls(),
            "origin": slider("origin of x", 0.0, 4.4, 0.1),
            "rate": log_slider("rate", 0.05, 50.0),
        }

    def last_step(self, state):
        return max(map(len, _surveyed(*state.setting))) - 1

    @staticmethod
    def compute(state):
        E, best, (flat, steep) = _landscape(state.origin)
        gradient, newton = _surveyed(*state.setting)
        stochastic = _stochastic(*state.setting, 10 * (1 + state.step // 10))
        ways = {"gradient": gradient, "stochastic": stochastic, "Newton": newton}
        left = {name: steps[: state.step + 1][-1].error - best.error for name, steps in ways.items()}
        written = {name: f"{e:.4f}" if e > 1e-4 else "< 1e-4" for name, e in left.items()}
        facts = {
            "passes": f"{state.step} of {max(len(gradient), len(newton)) - 1}",
            **{f"E − E*, {name}": words for name, words in written.items()},
            "curvatures of E/N": f"{steep:.3f}, {flat:.4f}",
            "their ratio": f"{steep / flat:.1f}",
            "rate limit": f"{2 / steep:.2f}",
            "rate / limit": f"{state.rate * steep / 2:.2f}",
        }
        description = (
            f"After {state.step} passes at rate {state.rate:.2g}, {state.rate * steep / 2:.2f} of the limit, the error "
            f"is above its least value {best.error:.3f} by: "
            + ", ".join(f"{name} {words}" for name, words in written.items())
            + "."
        )
        return DescentPicture(facts, description, E, ways, best)

    def draw(self, view, state, picture):
        view.update(HOURS, T, state.origin, GRID, picture.E, picture.ways, picture.best, state.step)

    def handles(self, view, state):
        return [Handle("start", view.axes[0], *state.w, self.figure.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        return {"start": (x - state.origin * y, y)}


descent = factory("descent", DescentExplorer)


# ---- weights that run away ------------------------------------------------------------------------------
FIRST_X, FIRST_T = datasets.separable()
PLANE = grid_over(SQUARE, 60)
MOST_STEPS = 20


@dataclass(frozen=True, eq=False)
class RunawayState:
    """step: Newton steps made; prior: is there one on w; alpha: its precision; X, t: the data."""

    step: int = 12
    prior: bool = False
    alpha: float = 0.1
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class RunawayPicture(Picture):
    """P: probability of t = +1 on PLANE; runs: prior or not -> |w| after each step; widest: (w, b) or None."""

    P: np.ndarray
    runs: dict
    widest: tuple | None


@remembered(maxsize=16)
def _newton(X, t, alpha):
    """Weights (w1, w2, b) after 0, 1, ... Newton steps, (K, 3); no prior on b."""
    need_both_classes(t)
    Phi, alphas = np.column_stack([X, np.ones(len(t))]), np.array([alpha, alpha, 0.0])
    steps = irls_steps(Phi, (t > 0).astype(float), alphas, max_iter=MOST_STEPS)
    return np.array([step.w for step in islice(steps, MOST_STEPS + 1)])


@remembered(maxsize=16)
def _widest(X, t):
    """(w, b) of the maximum-margin line, None if no line separates the classes."""
    need_both_classes(t)
    try:
        solution = separate(X, t)
    except Impossible:
        return None
    return solution.v @ X, solution.b


class RunawayExplorer(Player, PointsExplorer):
    """Separable classes: w grows with every step, unless a prior holds it; drag a point across to end it."""

    title = "Weights that run away"
    State = RunawayState
    source = staticmethod(datasets.separable)
    size = 7.6, 4.1
    most_points = 60

    def make_view(self, sheet):
        return Runaway(*sheet.subplots(1, 2), MOST_STEPS)

    def make_controls(self):
        return {
            **super().make_controls(),
            "prior": widgets.Checkbox(description="prior on w", indent=False),
            "alpha": log_slider("α", 1e-6, 10.0),
        }

    def last_step(self, state):
        return len(_newton(state.X, state.t, state.alpha if state.prior else 0.0)) - 1

    @staticmethod
    def compute(state):
        X, t = state.X, state.t
        weights = {prior: _newton(X, t, state.alpha if prior else 0.0) for prior in (False, True)}
        if len(weights[state.prior]) == 1:
            raise Impossible(
                "all points lie on one line, so nothing says how w should turn; move one, or take the prior"
            )
        widest = _widest(X, t)
        w, b = weights[state.prior][state.step, :2], weights[state.prior][state.step, 2]
        y = X @ w + b
        length = {prior: np.linalg.norm(path[: state.step + 1][-1, :2]) for prior, path in weights.items()}
        facts = {
            "Newton steps": f"{state.step} of {len(weights[state.prior]) - 1}",
            "a line separates": "no" if widest is None else "yes",
            "|w|, no prior": f"{length[False]:.2f}",
            "|w|, with α": f"{length[True]:.2f}",
            **growth(weights[False], state.step, widest),
            "training errors": f"{np.sum(t * y < 0)} of {len(t)}",
            "least sure, 1 − p": f"{expit(-np.min(t * y)):.2g}",
            "−ln p(t|w)": f"{np.logaddexp(0, -t * y).sum():.3g}",
        }
        a = b + w[0] * PLANE[0] + w[1] * PLANE[1][:, None]
        description = (
            f"After {state.step} Newton steps w has length {length[False]:.2f} without a prior and {length[True]:.2f} "
            f"with alpha = {state.alpha:.2g}; {'no' if widest is None else 'a'} straight line separates the classes."
        )
        runs = {prior: np.linalg.norm(path[:, :2], axis=1) for prior, path in weights.items()}
        return RunawayPicture(facts, description, expit(a), runs, widest)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, PLANE, picture.P, picture.runs, state.prior, state.step, picture.widest)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)


def growth(weights, step, widest):
    """By how much the last step without a prior lengthened w, beside one over the widest margin."""
    lengths = np.linalg.norm(weights[: step + 1, :2], axis=1)
    return {
        "|w| grew by": f"{lengths[-1] - lengths[-2]:.3f}" if 0 < step < len(weights) else "0.000",
        "1 / widest margin": "no margin" if widest is None else f"{np.linalg.norm(widest[0]):.3f}",
    }


runaway = factory("runaway", RunawayExplorer)
