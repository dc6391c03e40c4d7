"""Explorers of the Laplace approximation: one density, the degree of a polynomial, the predictions of a classifier."""

from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np
from scipy.special import expit

from sparsekm_edu import datasets
from sparsekm_edu.explorers.common import need_both_classes
from sparsekm_edu.figures.rvm.laplace import (
    MOST_DATA,
    RANGE,
    ROWS,
    SPAN,
    DegreeChoice,
    DensityAndGaussian,
    Predictions,
)
from sparsekm_edu.lessons.densities import (
    DENSITIES,
    against_power,
    compare,
    laplace_of,
    log_curves,
    power,
)
from sparsekm_edu.lessons.integration import (
    four_ways,
    grid_posterior,
    log_joint,
    mean_divergence,
    sampled_evidence,
)
from sparsekm_edu.live.canvas import Handle
from sparsekm_edu.live.controls import four, log_slider, slider
from sparsekm_edu.live.explorer import Explorer, Picture, factory
from sparsekm_edu.live.memory import remembered
from sparsekm_edu.live.points import DrawAgain
from sparsekm_edu.live.rails import TwoRowsExplorer
from sparsekm_edu.solvers import bic, laplace_fit
from sparsekm_edu.solvers.bayes.laplace import kappa

# ---- one density ----------------------------------------------------------------------------------------
LINE = np.linspace(*SPAN, 801)
POWERS = np.geomspace(1, MOST_DATA, 21)


@dataclass(frozen=True, eq=False)
class LaplaceState:
    """density: a name in DENSITIES; n: its power; start: where the search for the mode begins."""

    density: str = "cut Gaussian"
    n: float = 1.0
    start: float = 1.5


@dataclass(frozen=True, eq=False)
class LaplacePicture(Picture):
    """log_p (801,) cut off far below, log_q (801,); mode; errors, distances (21,) for all POWERS."""

    log_p: np.ndarray
    log_q: np.ndarray
    mode: float
    errors: np.ndarray
    distances: np.ndarray


@remembered(maxsize=32)
def _around_mode(name, mode):
    """The approximation and how wrong it is for all powers: the same for every n and all starts that lead here."""
    density = DENSITIES[name]
    approximation = laplace_of(density, mode)
    return approximation, against_power(density, approximation, POWERS)


def three(number):
    """Three decimals, and no minus sign on what rounds to zero."""
    return f"{round(number, 3) + 0.0:.3f}"


class LaplaceExplorer(Explorer):
    """Put a Gaussian in the place of a density; choose one that resists, or raise it to a power until it yields."""

    title = "Laplace approximation of a density"
    State = LaplaceState

    def make_view(self, sheet):
        grid = sheet.add_gridspec(2, 2, width_ratios=(6, 4))
        places = grid[0, 0], grid[1, 0], grid[:, 1]
        upper, lower, right = (sheet.add_subplot(place) for place in places)
        view = DensityAndGaussian(upper, lower, right)
        upper.set_xlabel("")  # the same as below
        upper.tick_params(labelbottom=False)
        return view

    def make_controls(self):
        return {
            "density": widgets.Dropdown(description="density f", options=list(DENSITIES)),
            "n": log_slider("n, of fⁿ", 1.0, MOST_DATA),
            "start": slider("start", *SPAN, 0.05),
        }

    @staticmethod
    def compute(state):
        density = DENSITIES[state.density]
        found = laplace_of(density, state.start).mode
        first, (errors, distances) = _around_mode(state.density, round(found, 6))
        q = power(first, state.n)
        exact = compare(density, state.n, q)
        log_p, log_q = log_curves(density, state.n, q, LINE)
        facts = {
            "mode z₀": four(q.mode),
            "A = −(ln fⁿ)″ at z₀": f"{q.A:.4g}",
            "ln Z, Laplace": four(q.log_Z),
            "ln Z, quadrature": four(exact.log_Z),
            "difference": f"{q.log_Z - exact.log_Z:+.4f}",
            "total variation": f"{exact.distance:.4f}",
            "mean: Laplace | true": f"{three(q.mode)} | {three(exact.mean)}",
            "sd: Laplace | true": f"{q.A**-0.5:.3f} | {exact.sd:.3f}",
            "q where p = 0": f"{100 * exact.outside:.1f} %",
        }
        description = (
            f"The density called {state.density}, to the power {state.n:.3g}: around its mode {three(q.mode)} Laplace "
            f"finds ln Z = {q.log_Z:.3f}; the truth is {exact.log_Z:.3f}. Total variation {exact.distance:.3f}."
        )
        # -inf outside the support would be no number to compare pictures by
        return LaplacePicture(facts, description, np.maximum(log_p, -1e6), log_q, q.mode, errors, distances)

    def draw(self, view, state, picture):
        log_p = np.where(picture.log_p > -1e6, picture.log_p, -np.inf)
        view.update(
            state.density,
            LINE,
            log_p,
            picture.log_q,
            picture.mode,
            state.n,
            POWERS,
            picture.errors,
            picture.distances,
            state.start,
        )

    def draw_stale(self, view, state):
        view.grip.update([(state.start, 0.0)])

    def handles(self, view, state):
        return [Handle("start", view.axes[0], state.start, 0.0, self.figure.palette.own, "diamond")]

    def moved(self, state, name, x, y):
        return {"start": x}


laplace = factory("laplace", LaplaceExplorer)


# ---- the degree of a polynomial -------------------------------------------------------------------------
DEGREES = np.arange(9)
ACROSS = np.linspace(-1, 1, 121)
DRAWS = 256  # of importance sampling


def legendre(x, degree=DEGREES[-1]):
    """Legendre's polynomials of degrees 0 to `degree` at x (N,), of mean square 1 on [-1, 1]: (N, degree + 1)."""
    return np.polynomial.legendre.legvander(x, degree) * np.sqrt(2 * np.arange(degree + 1) + 1)


BASIS = legendre(ACROSS)


@dataclass(frozen=True, eq=False)
class DegreeState:
    """N points; true: the degree of the true log odds; steepness: their size; alpha of the prior; drawn: the seed."""

    N: int = 60
    true: int = 3
    steepness: float = 3.0
    alpha: float = 1.0
    drawn: int = 1


@dataclass(frozen=True, eq=False)
class DegreePicture(Picture):
    """x, t (N,): inputs, labels 0 or 1; truth, by_laplace, by_bic on ACROSS; scores: criterion -> (9,)."""

    x: np.ndarray
    t: np.ndarray
    truth: np.ndarray
    by_laplace: np.ndarray
    by_bic: np.ndarray
    scores: dict


def degree_scores(x, t, alpha, draws=DRAWS):
    """Laplace fits of all DEGREES, and what each criterion says of them: name -> (9,)."""
    Phi, fits, rows = legendre(x), [], []
    for degree in DEGREES:
        Phi_d = np.ascontiguousarray(Phi[:, : degree + 1])
        before = np.append(fits[-1].w, 0.0) if fits else None  # a good place to start from
        fit = laplace_fit(Phi_d, t, alpha, before)
        prior = 0.5 * len(fit.w) * np.log(alpha / (2 * np.pi)) - 0.5 * alpha * fit.w @ fit.w
        log_likelihood = float(log_joint(Phi_d, t, alpha, fit.w[None])[0] - prior)
        sampled = sampled_evidence(Phi_d, t, alpha, fit, draws)
        rows.append((log_likelihood, fit.log_evidence, sampled, bic(log_likelihood, len(fit.w), len(t))))
        fits.append(fit)
    return fits, dict(zip(DegreeChoice.LOOKS, np.transpose(rows), strict=True))


class DegreeExplorer(DrawAgain):
    """More labels, more noise, another prior: which degree do the evidence and BIC choose, and which is better?"""

    title = "Choosing a degree"
    State = DegreeState
    size = 7.6, 4.2

    def make_view(self, sheet):
        return DegreeChoice(*sheet.subplots(1, 2), DEGREES)

    def make_controls(self):
        return {
            "N": widgets.IntSlider(description="N", min=5, max=120),
            "true": widgets.IntSlider(description="true degree", min=0, max=6),
            "steepness": slider("steepness", 0.0, 8.0, 0.1),
            "alpha": log_slider("prior α", 0.01, 100.0),
        }

    @staticmethod
    def compute(state):
        X, t = datasets.wavy_odds(state.N, state.true, state.steepness, state.drawn)
        x, t = X[:, 0], (t > 0).astype(float)
        fits, scores = degree_scores(x, t, state.alpha)
        truth = expit(datasets.wavy_log_odds(ACROSS, state.true, state.steepness))
        curves = [expit(BASIS[:, : len(fit.w)] @ fit.w) for fit in fits]
        chosen = {name: int(scores[name].argmax()) for name in ("Laplace", "sampled", "BIC")}
        loss = {name: mean_divergence(truth, curves[degree]) for name, degree in chosen.items()}
        off = {name: np.abs(scores[name] - scores["sampled"]).max() for name in ("Laplace", "BIC")}
        best = chosen["Laplace"]
        facts = {
            "true degree": f"{state.true}",
            "chosen: Laplace": f"{chosen['Laplace']}",
            "chosen: sampled": f"{chosen['sampled']}",
            "chosen: BIC": f"{chosen['BIC']}",
            "ln evidence, Laplace": f"{scores['Laplace'][best]:.2f}",
            "ln evidence, sampled": f"{scores['sampled'][best]:.2f}",
            "largest error, Laplace": f"{off['Laplace']:.2f}",
            "largest error, BIC": f"{off['BIC']:.2f}",
            "KL: evidence | BIC": f"{loss['Laplace']:.3f} | {loss['BIC']:.3f}",
        }
        description = (
            f"{state.N} labels with log odds of degree {state.true} and size {state.steepness:.1f}. Evidence chooses "
            f"degree {chosen['Laplace']}, BIC degree {chosen['BIC']}."
        )
        return DegreePicture(
            facts, description, x, t, truth, curves[chosen["Laplace"]], curves[chosen["BIC"]], scores
        )

    def draw(self, view, state, picture):
        view.update(
            picture.x, picture.t, ACROSS, picture.truth, picture.by_laplace, picture.by_bic, picture.scores
        )


degree = factory("degree", DegreeExplorer)


# ---- predictions ----------------------------------------------------------------------------------------
FIRST_X, FIRST_T = datasets.on_a_line(10, 75)
ALONG = np.linspace(*RANGE, 161)


def straight(x):
    """The design matrix of w1 x + w0: (N,) -> (N, 2)."""
    return np.column_stack([x, np.ones_like(x)])


@dataclass(frozen=True, eq=False)
class PredictiveState:
    """alpha of the prior; place: x at which the readout looks; X (N, 1), t: the data."""

    alpha: float = 0.1
    place: float = 2.5
    X: np.ndarray = field(default_factory=lambda: FIRST_X)
    t: np.ndarray = field(default_factory=lambda: FIRST_T)
    drawn: int = 0


@dataclass(frozen=True, eq=False)
class PredictivePicture(Picture):
    """ways: name -> probabilities on ALONG; contours of the posterior as `Predictions` takes them."""

    ways: dict
    contours: tuple


@remembered()
def _posterior(X, t, alpha):
    """Laplace fit, exact posterior and predictions on ALONG: the same wherever the probe is."""
    need_both_classes(t)
    Phi, label = straight(X[:, 0]), (t > 0).astype(float)
    fit = laplace_fit(Phi, label, alpha)
    posterior = grid_posterior(Phi, label, alpha, fit)
    return fit, posterior, four_ways(straight(ALONG), fit, posterior)


class PredictiveExplorer(TwoRowsExplorer):
    """Drag points, loosen the prior: compare plug-in, probit formula and exact integration over the posterior."""

    title = "Predictions of Bayesian logistic regression"
    State = PredictiveState
    View = Predictions
    panels = {"ncols": 2, "width_ratios": (6, 4)}
    source = staticmethod(lambda seed: datasets.on_a_line(10, seed))
    most_points = 40
    rows = ROWS

    def make_controls(self):
        return {"alpha": log_slider("prior α", 0.01, 10.0), "place": slider("look at x", *RANGE, 0.05)}

    @staticmethod
    def compute(state):
        fit, posterior, ways = _posterior(state.X, state.t, float(state.alpha))
        phi = straight(np.array([state.place]))
        at = {name: float(p[0]) for name, p in four_ways(phi, fit, posterior).items()}
        mean, variance = float(phi[0] @ fit.w), float(phi[0] @ fit.Sigma @ phi[0])

        def apart(one, other):
            return f"{np.abs(ways[one] - ways[other]).max():.4f}"

        facts = {
            "μₐ, σₐ at x": f"{mean:.2f}, {variance**0.5:.2f}",
            "κ(σₐ²)": f"{kappa(variance):.3f}",
            "p: plug-in | probit": f"{at['plug-in']:.3f} | {at['probit']:.3f}",
            "p: Laplace | exact": f"{at['Laplace']:.3f} | {at['exact']:.3f}",
            "max |probit − Laplace|": apart("probit", "Laplace"),
            "max |Laplace − exact|": apart("Laplace", "exact"),
            "max |probit − exact|": apart("probit", "exact"),
            "max |plug-in − exact|": apart("plug-in", "exact"),
            "ln p(t): L. | exact": f"{fit.log_evidence:.2f} | {posterior.log_evidence:.2f}",
        }
        description = (
            f"{len(state.t)} points, prior precision {state.alpha:.3g}. At x = {state.place:.2f} the probability of "
            f"class 1 is {at['exact']:.3f}; the plug-in says {at['plug-in']:.3f}, the probit formula "
            f"{at['probit']:.3f}."
        )
        return PredictivePicture(facts, description, ways, posterior.contours)

    def draw(self, view, state, picture):
        view.update(state.X[:, 0], state.t, ALONG, picture.ways, picture.contours, state.place)

    def draw_stale(self, view, state):
        view.points.update(self.places(state), state.t)

    def handles(self, view, state):
        exact = np.interp(state.place, ALONG, self.picture.ways["exact"])
        own = self.figure.palette.own
        return [
            *super().handles(view, state),
            Handle("place", view.axes[0], state.place, exact, own, "diamond"),
        ]

    def moved(self, state, name, x, y):
        return {"place": x} if name == "place" else super().moved(state, name, x, y)


predictive = factory("predictive", PredictiveExplorer)
