"""Explorers of figures 14.4, 14.5 and 14.6: several machines with the same kernel, each sparse in its own way."""

import warnings
from dataclasses import dataclass, field
from functools import cache

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.figures.kernels.vector_machines import LinkedStems, OneOfFour, rms, told
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.style import WIDE
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.true_error import least_risk, risk
from sparsekm_edu.lessons.vector_machines import cross_validated_C, weights
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import DrawAgain, PointsExplorer
from sparsekm_edu.models import RVC, RVR
from sparsekm_edu.solvers import epsilon_regression, gaussian_process, l1, l2, smo, soft_margin
from sparsekm_edu.validation import Impossible

MACHINES = "L2VM", "L1VM", "RVM", "SVM", "GP"
LEAST_C, MOST_C = 10**-1.55, 100.0  # C = 0.5 is on the slider between them


def gaussian(width):
    """The Gaussian kernel exp(-|x - z|^2 / (2 width^2))."""
    return Gaussian(gamma=1 / (2 * width**2))


def learned(machine, X, t):
    """The fitted machine; what it would warn of, the picture shows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return machine.fit(X, t)


# ---- figure 14.4 ----------------------------------------------------------------------------------------
POINTS = 200  # as in the book
FIRST_X, FIRST_T = datasets.overlapping(n=POINTS)
PLANE = grid_over(WIDE, 81)
FINE = grid_over(WIDE, 241)  # for errors


@dataclass(frozen=True, eq=False)
class FourClassifiersState:
    """machine: whose points are circled; lam2, lam1: prices of L2VM and L1VM; C of the SVM; width of the kernel of all;
    X, t: the data."""

    machine: str = "L1VM"
    lam2: float = 5.0
    lam1: float = 1.0
    C: float = 0.5
    width: float = 0.3
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class FourClassifiersPicture(Picture):
    """machines: name -> (Y on PLANE, indices of the points kept); errors: name -> true error."""

    machines: dict
    errors: dict


@cache
def masses():
    """The probability of every cell of FINE under class -1 and class +1 of `datasets.overlapping`."""
    x1, x2 = FINE
    inside = (np.abs(x2)[:, None] <= 1.8) & (np.abs(x1) <= 2.8)  # the frame at which they are cut off
    parts = []
    for (m1, m2), (s1, s2) in zip(datasets.OVERLAPPING_MEANS, datasets.OVERLAPPING_SPREADS, strict=True):
        up, across = np.exp(-(((x2 - m2) / s2) ** 2) / 2), np.exp(-(((x1 - m1) / s1) ** 2) / 2)
        parts.append(np.outer(up, across) * inside / (s1 * s2))
    return [density / density.sum() for density in (parts[0] + parts[1], parts[2])]


def _result(X, kernel, w, b):
    """Of a machine with weights w (N,) and bias b: (Y on PLANE, the points kept), and its true error."""
    kept = np.flatnonzero(w)
    Y, fine = (kernel.on_grid(*grid, X[kept], w[kept]) + b for grid in (PLANE, FINE))
    return (Y, kept), risk(fine, *masses())


# Each machine is remembered by what it depends on: a slider moves one and leaves the others alone.
@remembered()
def _l2vm(X, t, width, lam):
    fit = l2(gaussian(width)(X), (t > 0).astype(float), lam, "logistic")
    return _result(X, gaussian(width), fit.w, fit.b)


@remembered()
def _l1vm(X, t, width, lam):
    fit = l1(gaussian(width)(X), (t > 0).astype(float), lam, "logistic")
    return _result(X, gaussian(width), fit.w, fit.b)


@remembered()
def _rvm(X, t, width):
    machine = learned(RVC(gaussian(width), probability="plug-in"), X, t)
    return _result(X, gaussian(width), weights(machine, len(X)), machine.intercept_)


@remembered()
def _svm(X, t, width, C):
    solution = smo(soft_margin(gaussian(width)(X), t, C))
    return _result(X, gaussian(width), solution.v, solution.b)


class FourClassifiersExplorer(PointsExplorer):
    """Figure 14.4: four machines with the same kernel, and the points that each of them keeps."""

    title = "Four ways to be sparse"
    State = FourClassifiersState
    size = 7.6, 3.7
    most_points = 250
    source = staticmethod(lambda seed: datasets.overlapping(n=POINTS, seed=seed))

    def make_view(self, sheet):
        return OneOfFour(*sheet.subplots(ncols=2, width_ratios=(2.6, 1)), MACHINES[:4])

    def make_controls(self):
        return {
            "machine": widgets.ToggleButtons(options=MACHINES[:4], description="circles of"),
            "lam2": log_slider("λ of L2VM", 0.1, 100.0),
            "lam1": log_slider("λ of L1VM", 0.1, 30.0),
            "C": log_slider("C of SVM", LEAST_C, MOST_C),
            "width": log_slider("width τ", 0.15, 3.0),
        }

    def make_buttons(self):
        return [
            self.button("C by CV", "the C that cross-validation chooses", self.cross_validate),
            *super().make_buttons(),
        ]

    def cross_validate(self):
        """The C that predicts best what it has not seen."""
        try:
            C = cross_validated_C(gaussian(self.state.width)(self.state.X), self.state.t)
        except Impossible as refusal:
            self._say(str(refusal))
        else:
            self.set(C=C)

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        X, t, N = state.X, state.t, len(state.t)
        results = {
            "L2VM": _l2vm(X, t, state.width, state.lam2),
            "L1VM": _l1vm(X, t, state.width, state.lam1),
            "RVM": _rvm(X, t, state.width),
            "SVM": _svm(X, t, state.width, state.C),
        }
        machines, errors = ({name: both[part] for name, both in results.items()} for part in (0, 1))
        counts = {name: len(kept) for name, (_, kept) in machines.items()}
        facts = {f"{name}: kept, error": f"{counts[name]}, {errors[name]:.1%}" for name in machines} | {
            "least possible error": f"{least_risk(*masses()):.1%}"
        }
        description = (
            f"Four machines with a Gaussian kernel of width {state.width:.3g}: {told(counts, N)}. "
            f"True errors: {', '.join(f'{name} {error:.1%}' for name, error in errors.items())}."
        )
        return FourClassifiersPicture(facts, description, machines, errors)

    def draw(self, view, state, picture):
        view.update(state.X, state.t, PLANE, picture.machines, state.machine)


four_classifiers = factory("four_classifiers", FourClassifiersExplorer)


# ---- figures 14.5 and 14.6 ------------------------------------------------------------------------------
SINC_POINTS = datasets.sinc()[0]
NOISE = 0.1  # standard deviation


@dataclass(frozen=True, eq=False)
class FourCurvesState:
    """lam: price of L2VM and L1VM; C and epsilon of the SVM; width of the kernel of all, in standard deviations of x;
    machine: whose curve is shown; n: the lit point; drawn: which noise."""

    machine: str = "L1VM"
    lam: float = 0.5
    C: float = 0.5
    epsilon: float = 0.1
    width: float = 0.3
    n: int = 50
    drawn: int = 0

    @property
    def t(self):
        """The targets, (100,)."""
        return datasets.sinc(noise=NOISE, distribution="gaussian", seed=self.drawn)[1]


@dataclass(frozen=True, eq=False)
class FourCurvesPicture(Picture):
    """t: the targets; machines: name -> (y at SINC_X, w (N,)); bump: w_n k(x, x_n) of the lit point at SINC_X."""

    t: np.ndarray
    machines: dict
    bump: np.ndarray


@remembered()
def _matrices(width):
    """The kernel between the points, and from SINC_X to the points."""
    kernel = gaussian(width * SINC_POINTS.std())
    return kernel(SINC_POINTS), kernel(SINC_X[:, None], SINC_POINTS)


def _curve(width, w, b=0.0):
    return _matrices(width)[1] @ w + b, w


@remembered()
def _l2_curve(t, width, lam):
    fit = l2(_matrices(width)[0], t, lam)
    return _curve(width, fit.w, fit.b)


@remembered()
def _l1_curve(t, width, lam):
    fit = l1(_matrices(width)[0], t, lam)
    return _curve(width, fit.w, fit.b)


@remembered()
def _rvm_curve(t, width):
    machine = learned(RVR("precomputed"), _matrices(width)[0], t)
    return _curve(width, weights(machine, len(t)), machine.intercept_)


@remembered()
def _svm_curve(t, width, C, epsilon):
    solution = smo(epsilon_regression(_matrices(width)[0], t, C, epsilon))
    return _curve(width, solution.v, solution.b)


@remembered()
def _gp_curve(t, width):
    process = gaussian_process(_matrices(width)[0], t)
    return _curve(width, process.scale * process.weights)


class FourCurvesExplorer(DrawAgain):
    """Figures 14.5 and 14.6: click a point or a stem, and see what this point adds to the curve."""

    title = "Curves and their weights"
    State = FourCurvesState
    size = 7.6, 4.6

    def make_view(self, sheet):
        return LinkedStems(*sheet.subplots(2, height_ratios=(1, 1.1)), MACHINES)

    def make_controls(self):
        return {
            "machine": widgets.ToggleButtons(options=MACHINES, description="curve of"),
            "lam": log_slider("λ", 0.01, 30.0),
            "C": log_slider("C of SVM", LEAST_C, MOST_C),
            "epsilon": log_slider("ε of SVM", 0.01, 1.0),
            "width": log_slider("width τ", 0.3 * 10**-0.8, 3.0),
            "n": widgets.IntSlider(description="point n", min=1, max=len(SINC_POINTS)),
        }

    def make_buttons(self):
        return [
            self.button("C by CV", "the C that cross-validation chooses", self.cross_validate),
            *super().make_buttons(),
        ]

    def cross_validate(self):
        """The C that predicts best what it has not seen."""
        state = self.state
        self.set(C=cross_validated_C(_matrices(state.width)[0], state.t, state.epsilon))

    @staticmethod
    def compute(state):
        t, width, n = state.t, state.width, state.n - 1
        machines = {
            "L2VM": _l2_curve(t, width, state.lam),
            "L1VM": _l1_curve(t, width, state.lam),
            "RVM": _rvm_curve(t, width),
            "SVM": _svm_curve(t, width, state.C, state.epsilon),
            "GP": _gp_curve(t, width),
        }
        y, w = machines[state.machine]
        counts = {name: np.count_nonzero(weights) for name, (_, weights) in machines.items()}
        facts = {
            f"{name}: kept, RMS": f"{counts[name]}, {rms(SINC_X, each):.4f}"
            for name, (each, _) in machines.items()
        }
        facts |= {
            "point n at x": f"{SINC_POINTS[n, 0]:.2f}",
            f"its weight, {state.machine}": f"{w[n]:.3g}" if w[n] else "0, dropped",
            "largest weight": f"{np.abs(w).max():.3g}",
        }
        description = (
            f"Curves through {len(t)} noisy points of the sinc, with a Gaussian kernel of width {width:.3g} standard "
            f"deviations: {told(counts, len(t))}. Shown is the {state.machine}, {rms(SINC_X, y):.4f} from the sinc; "
            f"there point {state.n} has the weight {w[n]:.3g}."
        )
        return FourCurvesPicture(facts, description, t, machines, w[n] * _matrices(width)[1][:, n])

    def draw(self, view, state, picture):
        lit = state.machine, state.n - 1
        view.update(SINC_POINTS, picture.t, SINC_X, picture.machines, *lit, picture.bump)

    def handles(self, view, state):
        colours, x = self.figure.palette, SINC_POINTS[:, 0]
        above, below = view.axes
        points = [
            Handle(("point", n), above, x[n], t, colours.plus, fixed=True)
            for n, t in enumerate(self.picture.t)
        ]
        heads = view.heads(SINC_POINTS, self.picture.machines)
        stems = [
            Handle((name, n), below, *head[n], colours.good, fixed=True)
            for head, (name, (_, w)) in zip(heads, self.picture.machines.items(), strict=True)
            for n in np.flatnonzero(w)
        ]
        return points + stems

    def chosen(self, state, name):
        where, n = name
        return {"n": int(n) + 1} | ({} if where == "point" else {"machine": where})


four_curves = factory("four_curves", FourCurvesExplorer)
