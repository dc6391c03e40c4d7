"""Explorers of how complex a boundary may be and whom it listens to: C and gamma, costs by class, an outlier."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.layers import grid_over
from sparsekm_edu.figures.svm.complexity import AROUND, WINDOW, CostTrade, ErrorPath, OutlierPull
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.lessons.outliers import Lines, least_squares_with_outlier, soft_margin_with_outlier
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import certificate, log_slider
from sparsekm_edu.live.explorer import Explorer, Picture
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import PointsExplorer, need_both_classes
from sparsekm_edu.solvers import Gram, c_path, kkt, smo, soft_margin

FIRST_X, FIRST_T = datasets.overlapping()
TEST_X, TEST_T = datasets.overlapping(1000, seed=1000)
SHOWN = slice(None, None, 5)  # of the test points: all of them would hide the picture
LEAST_ERROR = 0.102  # of whoever knows the densities of `datasets.overlapping`
GRID = grid_over(WINDOW, 80)


# ---- C and gamma ----------------------------------------------------------------------------------------
SMALLEST_C, LARGEST_C = 1e-2, 1e3
EVERY_C = np.geomspace(SMALLEST_C, LARGEST_C, 31)


@dataclass(frozen=True)
class ComplexityState:
    """C and gamma of the machine; test: are test points shown?; X, t: the data."""

    C: float = 1.0
    gamma: float = 10.0
    test: bool = False
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True)
class ComplexityPicture(Picture):
    """Y: y(x) on GRID; support: indices; errors: arrays C, train, test; now: the same for this C."""

    Y: np.ndarray
    support: np.ndarray
    errors: tuple
    now: tuple


@remembered()
def _path_and_errors(X, t, gamma):
    """The path over C, kernels between all points (training, then test) and training points, and errors at EVERY_C."""
    kernels = Gaussian(gamma)(np.vstack([X, TEST_X]), X)
    path = c_path(kernels[: len(t)], t, LARGEST_C * 1.001)  # a slider's end may be rounded upwards
    errors = np.array([_errors(kernels, t, path.at(C)) for C in EVERY_C])
    return path, kernels, (EVERY_C, *errors.T)


def _errors(kernels, t, solution):
    """Fraction of wrong training points and of wrong test points."""
    wrong = (kernels @ solution.v + solution.b > 0) != (np.append(t, TEST_T) > 0)
    return wrong[: len(t)].mean(), wrong[len(t) :].mean()


class ComplexityExplorer(PointsExplorer):
    """Over- and underfitting: two dials, and the test error along one of them."""

    title = "C, gamma and the test error"
    source = staticmethod(datasets.overlapping)
    size = 7.6, 4.1
    most_points = 120

    def first_state(self):
        return ComplexityState()

    def make_view(self, sheet):
        return ErrorPath(*sheet.subplots(1, 2, width_ratios=(1.9, 1)), LEAST_ERROR)

    def make_controls(self):
        return {
            "C": log_slider("C", SMALLEST_C, LARGEST_C),
            "gamma": log_slider("γ", 0.01, 100.0),
            "test": widgets.Checkbox(description="show test points", indent=False),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        path, kernels, errors = _path_and_errors(state.X, state.t, state.gamma)
        solution = path.at(state.C)
        train, test = _errors(kernels, state.t, solution)
        problem = soft_margin(path.gram, state.t, state.C)
        C, trains, tests = errors
        support = solution.support
        facts = {
            "training error": f"{train:.1%}",
            "test error": f"{test:.1%}",
            "least test error, this γ": f"{tests.min():.1%}",
            "…reached at C =": f"{float(f'{C[tests.argmin()]:.2g}'):g}",  # 1000, not 1e+03
            "least possible error": f"{LEAST_ERROR:.1%}",
            "support vectors": f"{len(support)} of {len(state.t)}",
            "of these at a = C": f"{int((solution.v[support] == (problem.lo + problem.hi)[support]).sum())}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"With C = {state.C:.3g} and gamma = {state.gamma:.3g} the training error is {train:.1%} and the test "
            f"error {test:.1%}, with {len(support)} support vectors; for this gamma the test error is least, "
            f"{tests.min():.1%}, at C = {C[tests.argmin()]:.2g}."
        )
        Y = Gaussian(state.gamma).on_grid(*GRID, state.X[support], solution.v[support]) + solution.b
        return ComplexityPicture(facts, description, Y, support, errors, (state.C, train, test))

    def draw(self, view, state, picture):
        test_set = (TEST_X[SHOWN], TEST_T[SHOWN]) if state.test else None
        view.update(state.X, state.t, GRID, picture.Y, picture.support, test_set, picture.errors, picture.now)

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.rings.update([])


def complexity():
    """Turn C and gamma; the test error against C shows where learning ends and memorising begins."""
    return ComplexityExplorer()


# ---- costs by class -------------------------------------------------------------------------------------
GAMMA = 0.45
MOST_UNEQUAL = 10**1.5  # so that the grid of the slider passes through 1
RATIOS = np.geomspace(1 / MOST_UNEQUAL, MOST_UNEQUAL, 17)  # the middle one is 1


@dataclass(frozen=True)
class CostsState:
    """ratio: C+/C-; C: their geometric mean; X, t: the data."""

    ratio: float = 1.0
    C: float = 1.0
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True)
class CostsPicture(Picture):
    """Y: y(x) on GRID; wrong: indices; trade: arrays ratio, FP, FN on test data; shifted: FP, FN if only b moves."""

    Y: np.ndarray
    wrong: np.ndarray
    trade: tuple
    shifted: tuple
    now: tuple


@remembered()
def _kernels(X):
    """Kernels between training points, as a Gram that solvers need not check again, and those of test points."""
    return Gram.of_matrix(Gaussian(GAMMA)(X)), Gaussian(GAMMA)(TEST_X, X)


def _unequal(gram, t, C, ratio):
    """The problem with C+ = C sqrt(ratio) and C- = C / sqrt(ratio), and its solution."""
    problem = soft_margin(gram, t, C * ratio ** (t / 2))
    return problem, smo(problem, tol=1e-6)


def _rates(y, thresholds=0.0):
    """False positives and false negatives among the test points, each as a share of its class."""
    squares, circles = (np.sort(y[label == TEST_T]) for label in (-1, 1))
    below = [np.searchsorted(values, thresholds, "right") / len(values) for values in (squares, circles)]
    return 1 - below[0], below[1]


@remembered()
def _trade(X, t, C):
    """(ratio, FP, FN) over RATIOS, and (FP, FN) of equal costs over all thresholds on y."""
    gram, K_test = _kernels(X)
    solutions = [_unequal(gram, t, C, ratio)[1] for ratio in RATIOS]
    ys = [K_test @ solution.v + solution.b for solution in solutions]
    equal = ys[len(RATIOS) // 2]
    shifted = _rates(equal, np.quantile(equal, np.linspace(1, 0, 101)))  # FP rising
    return (RATIOS, *np.transpose([_rates(y) for y in ys])), shifted


class CostsExplorer(PointsExplorer):
    """Veropoulos et al.: a price of its own for the errors of each class."""

    title = "Costs by class"
    source = staticmethod(datasets.overlapping)
    size = 7.6, 4.1
    most_points = 120

    def first_state(self):
        return CostsState()

    def make_view(self, sheet):
        return CostTrade(*sheet.subplots(1, 2, width_ratios=(1.5, 1)))

    def make_controls(self):
        return {
            "ratio": log_slider("C₊ / C₋", 1 / MOST_UNEQUAL, MOST_UNEQUAL),
            "C": log_slider("C", 0.1, 100.0),
        }

    @staticmethod
    def compute(state):
        need_both_classes(state.t)
        gram, K_test = _kernels(state.X)
        trade, shifted = _trade(state.X, state.t, state.C)
        problem, solution = _unequal(gram, state.t, state.C, state.ratio)
        predicted = np.where(gram.times(solution.v) + solution.b > 0, 1.0, -1.0)
        fp, fn = _rates(K_test @ solution.v + solution.b)
        fn_shifted = np.interp(fp, *shifted)
        facts = {
            "C₊, C₋": f"{state.C * state.ratio**0.5:.3g}, {state.C / state.ratio**0.5:.3g}",
            "training: FP, FN": f"{np.sum(predicted > state.t)}, {np.sum(predicted < state.t)}",
            "test: false positives": f"{fp:.1%}",
            "test: false negatives": f"{fn:.1%}",
            "…if only b had moved": f"{fn_shifted:.1%}",
            "test error": f"{(fp + fn) / 2:.1%}",
            "support vectors": f"{len(solution.support)} of {len(state.t)}",
            "KKT violation": certificate(kkt(problem, solution).violation),
        }
        description = (
            f"With C+/C- = {state.ratio:.3g} the machine calls {fp:.1%} of the test squares circles and {fn:.1%} of "
            f"the test circles squares."
        )
        support = solution.support
        Y = Gaussian(GAMMA).on_grid(*GRID, state.X[support], solution.v[support]) + solution.b
        wrong = np.flatnonzero(predicted != state.t)
        return CostsPicture(facts, description, Y, wrong, trade, shifted, (fp, fn))

    def draw(self, view, state, picture):
        view.update(
            state.X,
            state.t,
            GRID,
            picture.Y,
            picture.wrong,
            picture.trade,
            picture.shifted,
            state.ratio,
            picture.now,
        )

    def draw_stale(self, view, state):
        view.points.update(state.X, state.t)
        view.wrong.update([])


def class_costs():
    """Make the errors of one class dearer than those of the other and watch one kind turn into the other."""
    return CostsExplorer()


# ---- an outlier -----------------------------------------------------------------------------------------
PLACES = np.linspace(-8, 8, 17)  # along the line through the middle and the outlier


@dataclass(frozen=True)
class OutlierState:
    """C; outlier: where the point of class +1 is; drawn: which clouds it has left."""

    C: float = 0.1
    outlier: tuple = (-2.9, -4.8)
    drawn: int = 0


@dataclass(frozen=True)
class OutlierPicture(Picture):
    """X, t: the data; the rest as `OutlierPull.update` has it, with the outlier at the last of the places."""

    X: np.ndarray
    t: np.ndarray
    middle: np.ndarray
    along: np.ndarray
    places: np.ndarray
    soft: Lines
    squares: Lines


@remembered()
def _clouds(drawn):
    return datasets.clouds(60, **({"seed": 100 + drawn} if drawn else {}))


def track_through(X, t, outlier):
    """The middle between the class means, a unit vector towards the outlier or away from it, and its place along that.

    The vector points to the side of class -1, so that places are positive where the outlier is misplaced.
    """
    plus, minus = X[t > 0].mean(axis=0), X[t < 0].mean(axis=0)
    middle = (plus + minus) / 2
    away = np.asarray(outlier) - middle
    if np.linalg.norm(away) < 1e-6:
        away = minus - plus
    along = away / np.linalg.norm(away)
    if along @ (minus - plus) < 0:
        along = -along
    return middle, along, float(along @ (outlier - middle))


class OutlierExplorer(Explorer):
    """One point in the wrong place: how loud may it be?"""

    title = "An outlier"
    size = 7.6, 4.1

    def first_state(self):
        return OutlierState()

    def make_view(self, sheet):
        return OutlierPull(*sheet.subplots(1, 2))

    def make_controls(self):
        return {"C": log_slider("C", 0.01, 100.0)}

    def check(self, state):
        left, right, bottom, top = AROUND
        x, y = state.outlier
        if not (left <= x <= right and bottom <= y <= top):
            raise ValueError(f"outlier must lie between {left:g} and {right:g} both ways, got ({x:g}, {y:g})")

    @staticmethod
    def compute(state):
        X, t = _clouds(state.drawn)
        outlier = np.array(state.outlier)
        middle, along, place = track_through(X, t, outlier)
        places = np.append(PLACES, place)
        where = middle + np.outer(places, along)
        soft, squares = (
            soft_margin_with_outlier(X, t, state.C, where),
            least_squares_with_outlier(X, t, where),
        )
        share = soft.a[-1] / state.C
        y, y_squares = (lines.w[-1] @ outlier + lines.b[-1] for lines in (soft, squares))
        points = np.vstack([X, outlier])
        problem = soft_margin(points @ points.T, np.append(t, 1.0), state.C)
        facts = {
            "place on its line": f"{place:.2f}",
            "soft margin: y(x)": f"{y:.3f}",
            "its slack ξ": f"{max(0.0, 1 - y):.3f}",
            "its pull aₙ / C": f"{share:.3f}",
            "soft margin moved by": f"{soft.moved[-1]:.3f}",
            "least squares: y(x)": f"{y_squares:.3f}",
            "its pull, 1 − y(x)": f"{1 - y_squares:.3f}",
            "least squares moved by": f"{squares.moved[-1]:.3f}",
            "KKT violation": certificate(kkt(problem, soft.solutions[-1]).violation),
        }
        description = (
            f"An outlier {place:.1f} along its line, with multiplier {share:.2f} C and slack {max(0.0, 1 - y):.2f}, "
            f"moves the soft margin's boundary by {soft.moved[-1]:.3f} and that of least squares by "
            f"{squares.moved[-1]:.3f}."
        )
        return OutlierPicture(facts, description, X, t, middle, along, places, soft, squares)

    def draw(self, view, state, picture):
        view.update(
            picture.X,
            picture.t,
            picture.middle,
            picture.along,
            picture.places,
            picture.soft,
            picture.squares,
            -1,
        )

    def handles(self, view, state):
        return [Handle("outlier", view.axes[0], *state.outlier, self.figure.palette.plus)]

    def moved(self, state, name, x, y):
        return {"outlier": (x, y)}

    def make_buttons(self):
        return [self.button("Draw again", "new points from the same source", self.draw_again)]

    def draw_again(self):
        """New clouds; the outlier stays."""
        self.set(drawn=self.state.drawn + 1)


def outlier():
    """Drag one circle away from its class: the soft margin shrugs, least squares follows."""
    return OutlierExplorer()
