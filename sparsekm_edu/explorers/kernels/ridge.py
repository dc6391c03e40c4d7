"""Explorer of kernel ridge regression and its leave-one-out errors."""

from dataclasses import dataclass, field

import numpy as np

from sparsekm_edu import datasets
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.figures.kernels.ridge import PRICES, LeaveOneOut, is_flat
from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.live.controls import log_slider
from sparsekm_edu.live.explorer import Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import CurvePointsExplorer
from sparsekm_edu.solvers import ridge_dual, ridge_leave_one_out
from sparsekm_edu.validation import Impossible

LAM = np.geomspace(*PRICES, 25)  # where the errors are drawn


def noisy_sinc(seed=0):
    """40 points of the sinc with Gaussian noise of standard deviation 0.2."""
    return datasets.sinc(n=40, noise=0.2, distribution="gaussian", seed=seed)


FIRST_X, FIRST_T = noisy_sinc()


@dataclass(frozen=True, eq=False)
class RidgeState:
    """lam: the price of weights; width of the Gaussian kernel; X (N, 1), t (N,): the points."""

    lam: float = 0.1
    width: float = 1.6
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class RidgePicture(Picture):
    """y, without: over SINC_X, the curve of all points and that without the one which the others predict worst;
    predicted (N,) by the others; train, left_out: root mean square errors over LAM."""

    y: np.ndarray
    without: np.ndarray
    predicted: np.ndarray
    train: np.ndarray
    left_out: np.ndarray


def rms(errors):
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(errors))))


def errors(K, t, lam):
    """Root mean square errors at the points, and of each point left out."""
    return rms(lam * ridge_dual(K, t, lam)), rms(t - ridge_leave_one_out(K, t, lam))  # t - Ka = lam a


@remembered()
def over_lambda(K, t):
    """Both errors for all LAM, (25,) each."""
    return np.transpose([errors(K, t, lam) for lam in LAM])


class RidgeExplorer(CurvePointsExplorer):
    """Kernel ridge regression: change the price and the width, and see every point predicted by all the others."""

    title = "Ridge regression, one left out"
    State = RidgeState
    View = LeaveOneOut
    panels = {"ncols": 2, "width_ratios": (1.5, 1)}
    source = staticmethod(noisy_sinc)
    size = 7.6, 3.9
    most_points = 80

    def make_controls(self):
        return {"lam": log_slider("λ", *PRICES), "width": log_slider("width τ", 0.1, 10.0)}

    @staticmethod
    def compute(state):
        X, t, lam = state.X, state.t, state.lam
        if len(t) < 2:
            raise Impossible("leaving one out needs at least two points; add one")
        kernel = Gaussian(1 / (2 * state.width**2))
        K, to_line = kernel(X), kernel(SINC_X[:, None], X)
        y, predicted = to_line @ ridge_dual(K, t, lam), ridge_leave_one_out(K, t, lam)  # (14.38)
        worst = int(np.argmax(np.abs(t - predicted)))
        rest = np.arange(len(t)) != worst
        without = to_line[:, rest] @ ridge_dual(K[np.ix_(rest, rest)], t[rest], lam)
        at_points, left_out = errors(K, t, lam)
        train, others = over_lambda(K, t)
        facts = {
            "error at the points": f"{at_points:.3f}",
            "error, left out": f"{left_out:.3f}",
            "best λ, left out": "none, it is flat" if is_flat(others) else f"{LAM[others.argmin()]:.2g}",
            "its error": f"{others.min():.3f}",
            "RMS to the sinc": f"{rms(y - np.sinc(SINC_X / np.pi)):.3f}",
            "ringed: y": f"{t[worst]:.2f}",
            "predicted by all": f"{t[worst] - lam * ridge_dual(K, t, lam)[worst]:.2f}",
            "by the others": f"{predicted[worst]:.2f}",
        }
        description = (
            f"Ridge regression with a Gaussian kernel of width {state.width:.3g} and price {lam:.3g}: the root mean "
            f"square error is {at_points:.3f} at the {len(t)} points, and {left_out:.3f} if each is left out in turn."
        )
        return RidgePicture(facts, description, y, without, predicted, train, others)

    def draw(self, view, state, picture):
        curves, prices = (picture.y, picture.without), (LAM, picture.train, picture.left_out)
        view.update(state.X, state.t, SINC_X, curves, picture.predicted, prices, state.lam)

    def draw_stale(self, view, state):
        view.points.update(self.places(state), self.labels(state))


ridge = factory("ridge", RidgeExplorer)
