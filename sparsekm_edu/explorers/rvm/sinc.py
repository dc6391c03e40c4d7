"""Explorers of Tipping's experiments: the sinc over many draws, and two kernel widths on their evidence surface."""

import warnings
from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np
from contourpy import LineType, contour_generator

from sparsekm_edu import datasets
from sparsekm_edu.figures.curves import SINC_X
from sparsekm_edu.figures.rvm.sinc import SincAndDraws, Widths, slices
from sparsekm_edu.jit import COMPILED
from sparsekm_edu.kernels import ARD, LinearSpline
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import limits, log_slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.models import RVR, optimise_kernel
from sparsekm_edu.models.kernel_learning import ENOUGH, acquaintances
from sparsekm_edu.solvers import epsilon_regression, reestimate, sequential, smo
from sparsekm_edu.validation import Impossible

BUDGET = (
    500  # max_iter of sequential learning, a twentieth of the usual: so many machines are learned at once
)

# ---- the sinc over many draws ---------------------------------------------------------------------------
NOISES = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
SIZES = [25, 50, 100, 200]
DRAWS = 16  # of the noise in the cloud
LAST = 99  # draw that can be chosen
PRECISION = 1 / 0.01**2  # of the noise that Tipping assumes where there is none
PAPER = [(6, 0.0245), (29, 0.0291)]  # vectors and RMS error of RVM and SVM for the first state below
IN_PRINT = {0.2: ("6 (RMS 0.0245)", "29 (RMS 0.0291)"), 0.0: ("9 (max 0.0070)", "36 (max 0.0100)")}
# kind of noise -> C, and epsilon in units of the noise: what cross-validation chooses most often at noise 0.2
TUBES = {"uniform": (1.0, 0.75), "gaussian": (0.3, 0.25)}
SINC_TRUTH = np.sinc(SINC_X / np.pi)


@dataclass(frozen=True, eq=False)
class SincRelevanceState:
    """noise in t: at most so much if it is uniform, of the same variance if it is Gaussian; n points; drawn: which."""

    noise: float = 0.2
    distribution: str = "uniform"
    n: int = 100
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class SincRelevancePicture(Picture):
    """X, t: the data; mean, sd at SINC_X; relevant (R,); draws: machine -> (D, 2) vectors and errors; here (1, 2)."""

    X: np.ndarray
    t: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    relevant: np.ndarray
    draws: dict
    here: np.ndarray


@remembered(len(SIZES))
def _basis(n):
    """Linear splines and a bias at the n points and at SINC_X; and the same kernel where it is one, on [0, 20]."""
    X, spline = datasets.sinc(n)[0], LinearSpline()
    Phi, Phi_curve = (np.hstack([spline(x, X), np.ones((len(x), 1))]) for x in (X, SINC_X[:, None]))
    return Phi, Phi_curve, spline(X + 10), spline(SINC_X[:, None] + 10, X + 10)


def _rms(y):
    return np.sqrt(np.mean((y - SINC_TRUTH) ** 2))


def _targets(noise, distribution, n, seed):
    """t (n,); noise that is uniform in [-noise, noise] has the standard deviation noise / sqrt(3)."""
    size = noise if distribution == "uniform" else noise / np.sqrt(3)
    return datasets.sinc(n, size, distribution, seed)[1]


@remembered(2 * len(SIZES))
def _relevance_fit(t, noisy):
    """The machine for the targets t, its mean at SINC_X, and its relevance vectors.

    Without noise it is learned by re-estimation, as in the paper. There many models are maxima of almost the same
    evidence, and at which of them sequential learning ends is decided by the rounding errors of the computer.
    """
    Phi, Phi_curve, _, _ = _basis(len(t))
    fit = sequential(Phi, t, max_iter=BUDGET) if noisy else reestimate(Phi, t, beta=PRECISION)
    return fit, Phi_curve[:, fit.support] @ fit.m, fit.support[fit.support < len(t)]


@remembered(len(NOISES) * len(TUBES) * len(SIZES))
def _many_draws(noise, distribution, n):
    """Machine -> (D, 2): vectors and RMS error for DRAWS draws, or the only one there is without noise."""
    _, _, K, K_curve = _basis(n)
    C, share = TUBES[distribution]
    found = {"RVM": [], "SVM": []}
    for seed in range(DRAWS if noise > 0 else 1):
        t = _targets(noise, distribution, n, seed)
        _, mean, relevant = _relevance_fit(t, noise > 0)
        found["RVM"].append((len(relevant), _rms(mean)))
        support = smo(epsilon_regression(K, t, C, max(0.01, share * noise)))
        found["SVM"].append((np.count_nonzero(support.v), _rms(K_curve @ support.v + support.b)))
    return {name: np.array(cloud, float) for name, cloud in found.items()}


class SincRelevanceExplorer(Explorer):
    """Tipping's sinc: choose the noise, draw again, and see where one draw stands among many."""

    title = "sinc by relevance vectors"
    State = SincRelevanceState
    View = SincAndDraws
    panels = {"ncols": 2, "width_ratios": (1.35, 1)}
    size = 7.6, 4.1

    def make_controls(self):
        return {
            "noise": widgets.SelectionSlider(
                options=[(f"±{noise:g}", noise) for noise in NOISES], description="noise"
            ),
            "distribution": widgets.ToggleButtons(
                options=[("uniform", "uniform"), ("Gaussian", "gaussian")], description="kind"
            ),
            "n": widgets.SelectionSlider(options=SIZES, description="points N"),
            "drawn": widgets.IntSlider(description="draw", min=0, max=LAST),
        }

    def make_buttons(self):
        return [
            self.button(
                "Draw again", "new noise", lambda: self.set(drawn=(self.state.drawn + 1) % (LAST + 1))
            )
        ]

    @staticmethod
    def compute(state):
        noise, n = state.noise, state.n
        X, t = datasets.sinc(n)[0], _targets(noise, state.distribution, n, state.drawn)
        fit, mean, relevant = _relevance_fit(t, noise > 0)
        Phi = _basis(n)[1][:, fit.support]
        sd = np.sqrt(1 / fit.beta + np.sum(Phi @ fit.Sigma * Phi, axis=1))  # (7.91)
        draws, kept = _many_draws(noise, state.distribution, n), len(relevant)
        rms, worst = _rms(mean), np.abs(mean - SINC_TRUTH).max()
        (rvs, error), (svs, their_error) = (np.median(cloud, axis=0) for cloud in draws.values())
        as_in_paper = n == 100 and (state.distribution == "uniform" or noise == 0)
        paper_rvm, paper_svm = IN_PRINT.get(noise, ("–", "–")) if as_in_paper else ("–", "–")
        facts = {
            "relevance vectors": f"{kept} of {n}",
            "RMS error": f"{rms:.4f}",
            "largest error": f"{worst:.4f}",
            "σ of the noise": f"{fit.beta**-0.5:.4f}" if noise > 0 else "0.0100, given",
            "its true value": f"{noise / np.sqrt(3):.4f}",
            "paper, RVM": paper_rvm,
            "paper, SVM": paper_svm,
            "median draw, RVM": f"{rvs:g}, {error:.4f}",
            "median draw, SVM": f"{svs:g}, {their_error:.4f}",
        }
        description = (
            f"sinc at {n} points with {state.distribution} noise of standard deviation {noise / np.sqrt(3):.3f}: this "
            f"draw has {kept} relevance vectors and a root mean square error of {rms:.4f}. Medians over the draws: "
            f"{rvs:g} relevance vectors and {error:.4f}, {svs:g} support vectors and {their_error:.4f}."
        )
        here = np.array([[kept, rms]])
        return SincRelevancePicture(facts, description, X, t, mean, sd, relevant, draws, here)

    def draw(self, view, state, picture):
        view.fit.update(picture.X, picture.t, picture.mean, picture.sd, picture.relevant)
        first = self.State()
        as_in_paper = (state.noise, state.distribution, state.n) == (first.noise, first.distribution, first.n)
        view.draws.update(picture.draws, PAPER if as_in_paper else (), picture.here)


rvm_sinc = factory("rvm_sinc", SincRelevanceExplorer)


# ---- two widths on their evidence surface ---------------------------------------------------------------
SIDE = (
    13 if COMPILED else 5
)  # places each way for which a machine is learned; 169 take minutes in plain Python
ETA1, ETA2 = np.geomspace(0.01, 10, SIDE), np.geomspace(1e-5, 1, SIDE)
SEEDS = [0, 3, 2]  # of the draws that can be chosen
FIRST = (0.1, 0.1)  # where a climb begins unless another place was asked for
MIDDLES = np.linspace(-9.75, 9.75, 40)  # of forty equal parts of [-10, 10]
TEST = np.stack(np.meshgrid(MIDDLES, MIDDLES), axis=-1).reshape(-1, 2)
TEST_TRUTH = np.sinc(TEST[:, 0] / np.pi) + 0.1 * TEST[:, 1]
FUNCTIONS = {  # extra basis functions -> what they are called
    "none": (),
    "linear": ("x₁", "x₂"),
    "quadratic": ("x₁", "x₂", "x₁²", "x₁x₂", "x₂²"),
}


@dataclass(frozen=True, eq=False)
class WidthsState:
    """eta1, eta2 of the kernel; extra basis functions; seed of the draw; start of the last climb that was asked for.

    That climb was on the surface (extra, seed) = climbed; on the others it begins at FIRST.
    """

    eta1: float = 2.0
    eta2: float = 0.02
    extra: str = "quadratic"
    seed: int = 0
    start: tuple = FIRST
    climbed: tuple = ("quadratic", 0)

    @property
    def beginning(self):
        """The widths at which the climb on this surface begins."""
        return self.start if self.climbed == (self.extra, self.seed) else FIRST


@dataclass(frozen=True, eq=False)
class WidthsPicture(Picture):
    """evidence (SIDE, SIDE), highest where kernels are not too narrow; border, path (., 2); fits: `slices`."""

    evidence: np.ndarray
    highest: float
    border: np.ndarray
    path: np.ndarray
    fits: list


def _machine(extra, **parameters):
    """A machine in a hurry: with the usual budget the surface takes three times as long, above all where kernels are
    too narrow and nearly all of them are kept. Elsewhere 9 machines of 10 end within half a nat of what it brings."""
    return RVR(extra=None if extra == "none" else extra, max_iter=BUDGET, **parameters)


def _learn(eta1, eta2, extra, seed):
    """The machine with these widths, learned from nothing; its warnings are what the surface shows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _machine(extra, kernel=ARD((eta1, eta2))).fit(*datasets.sinc_plane(seed=seed))


@remembered(len(SEEDS) * len(FUNCTIONS))
def _surface(extra, seed):
    """Log evidence for all pairs of widths, (SIDE, SIDE)."""
    return np.array([[_learn(eta1, eta2, extra, seed).log_evidence_ for eta1 in ETA1] for eta2 in ETA2])


@remembered(len(SEEDS))
def _too_narrow(seed):
    """Which pairs of widths leave most points without a neighbour, (SIDE, SIDE), and their border, (B, 2)."""
    X = datasets.sinc_plane(seed=seed)[0]
    share = np.array([[acquaintances(ARD((eta1, eta2))(X))[0] for eta1 in ETA1] for eta2 in ETA2])
    contours = contour_generator(np.log(ETA1), np.log(ETA2), share, line_type=LineType.Separate)
    return share < ENOUGH, np.exp(max(contours.lines(ENOUGH), key=len))


@remembered(32)
def _climb(extra, seed, start):
    """The way (P, 2) of `optimise_kernel` from the widths `start`, and the log evidence at its end."""
    X, t = datasets.sinc_plane(seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = optimise_kernel(ARD(start), X, t, _machine(extra), progress=False)
    return np.array([state.parameters["gamma"] for state in best.path]), best.log_evidence


class WidthsExplorer(Explorer):
    """Drag two kernel widths over their evidence surface; an optimiser climbs from wherever you say."""

    title = "Two widths by evidence"
    State = WidthsState
    size = 7.6, 4.5

    def make_view(self, sheet):
        grid = sheet.add_gridspec(2, 2, width_ratios=(1.25, 1))
        axes = [sheet.add_subplot(place) for place in (grid[:, 0], grid[0, 1], grid[1, 1])]
        return Widths(*axes, ETA1, ETA2)

    def make_controls(self):
        return {
            "eta1": log_slider("η₁", ETA1[0], ETA1[-1]),
            "eta2": log_slider("η₂", ETA2[0], ETA2[-1]),
            "extra": widgets.ToggleButtons(options=list(FUNCTIONS), description="extra"),
            "seed": widgets.ToggleButtons(options=SEEDS, description="draw"),
        }

    def make_buttons(self):
        return [
            self.button("Climb from here", "start the optimiser at the diamond", self.climb_from_here),
        ]

    def climb_from_here(self):
        """Start the optimiser at the widths under the hand."""
        state = self.state
        self.set(start=(state.eta1, state.eta2), climbed=(state.extra, state.seed))

    def ends(self):
        """The smallest and the largest width each way."""
        return [limits(self.widgets[field]) for field in ("eta1", "eta2")]

    def check(self, state):
        (low1, high1), (low2, high2) = self.ends()
        if not (low1 <= state.start[0] <= high1 and low2 <= state.start[1] <= high2):
            raise Impossible(
                f"start must be two widths, one between {low1:g} and {high1:g}, one between {low2:g} and {high2:g}, "
                f"got {state.start}"
            )

    @staticmethod
    def compute(state):
        X, t = datasets.sinc_plane(seed=state.seed)
        model = _learn(state.eta1, state.eta2, state.extra, state.seed)
        path, best = _climb(state.extra, state.seed, state.beginning)
        error = model.predict(TEST) - TEST_TRUTH
        mean_square, functions = np.mean(error**2), len(model.alpha_)
        columns = np.flatnonzero(model.solution_.active)
        names = [*FUNCTIONS[state.extra], "1"]
        kept = [names[column - len(t)] for column in columns if column >= len(t)]
        facts = {
            "log evidence": f"{model.log_evidence_:.2f}",
            "best of the climb": f"{best:.2f}",
            "found at η₁, η₂": ", ".join(f"{eta:.2g}" for eta in path[-1]),
            "kernels": f"{model.n_relevance_} of {len(t)}",
            "others kept": " ".join(kept) or "none",
            "functions (paper: 8)": f"{functions}",
            "RMS error": f"{np.sqrt(mean_square):.4f}",
            "its square": f"{mean_square:.4f}",
            "σ found (true: 0.1)": f"{model.beta_**-0.5:.4f}",
        }
        description = (
            f"With widths {state.eta1:.3g} and {state.eta2:.3g} the log evidence is {model.log_evidence_:.2f}, "
            f"{functions} functions are kept and the root mean square error is {np.sqrt(mean_square):.4f}; the "
            f"optimiser reaches {best:.2f} at {facts['found at η₁, η₂']}."
        )
        evidence, (narrow, border) = _surface(state.extra, state.seed), _too_narrow(state.seed)
        fits, highest = slices(model.predict, X, t), evidence[~narrow].max()
        return WidthsPicture(facts, description, evidence, highest, border, path, fits)

    def draw(self, view, state, picture):
        here = state.eta1, state.eta2
        view.update(picture.evidence, picture.highest, picture.border, picture.path, here, picture.fits)

    def handles(self, view, state):
        return [Handle("widths", view.axes[0], state.eta1, state.eta2, self.figure.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        eta1, eta2 = (float(np.clip(value, *end)) for value, end in zip((x, y), self.ends(), strict=True))
        return {"eta1": eta1, "eta2": eta2}


ard_widths = factory("ard_widths", WidthsExplorer)
