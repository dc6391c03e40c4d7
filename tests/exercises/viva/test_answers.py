"""What a card says is true: its numbers stand in its picture, its formula agrees with the library."""

import re
from math import comb

import nbformat
import numpy as np
import pytest
from execute import NOTEBOOKS
from scipy import integrate, optimize, stats
from scipy.special import expit, log_expit
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR as LibSVR

from sparsekm_edu import (
    RVR,
    SVC,
    Gaussian,
    KernelPCA,
    KernelRidge,
    L1VMRegressor,
    LinearSpline,
    LocallyWeightedRegression,
    NadarayaWatson,
    NuSVC,
    NuSVR,
    OneClassSVM,
    Polynomial,
    Sigmoid,
    Spectrum,
    datasets,
    explorers,
    kernels,
)
from sparsekm_edu.exercises.viva.catalogue import CARDS
from sparsekm_edu.kernels.windows import WINDOWS
from sparsekm_edu.lessons import bounds, capacity, losses
from sparsekm_edu.lessons.optimism import least_of_binomials
from sparsekm_edu.lessons.outliers import soft_margin_with_outlier
from sparsekm_edu.lessons.sparsity import noise_of_equal_determinant
from sparsekm_edu.live.canvas import Stage
from sparsekm_edu.solvers import (
    averaged_probability,
    bic,
    decomposition,
    em_steps,
    em_svm,
    epsilon_regression,
    evidence_gradient,
    hard_margin,
    hinge_mixture,
    irls,
    kkt,
    laplace,
    laplace_fit,
    log_evidence,
    posterior,
    reestimate_steps,
    smo,
    smo_steps,
    soft_margin,
    sparsity_quality,
)

REFERENCE = re.compile(r"\$[^$]+\$|\(\d+\.\d+\)|figure \d+\.\d+|\d\d, section \d+")
NUMBER = re.compile(r"(?<![\w.-])[−+-]?\d+(?: \d{3})*(?:\.\d+)?")

# Card -> the facts of its picture that it quotes
QUOTED = {
    "svm-margin": ["your margin", "largest margin"],
    "svm-dual": ["your distance", "smallest distance", "widest street, 2/|w|"],
    "svm-support-vectors": ["support vectors"],
    "svm-soft": ["ξ > 1, misclassified"],
    "svm-box": ["aₙ = 0 | between | = C"],
    "svm-nu": ["margin errors / N", "support vectors / N", "misclassified / N"],
    "svm-outlier": ["soft margin moved by", "least squares moved by"],
    "svm-solvers": ["step"],
    "svm-smo": ["aᵢ", "aⱼ"],
    "svm-converged": ["breakpoints"],
    "svm-hinge": ["points the hinge sees"],
    "svm-probabilities": ["log loss, held out", "log loss, training", "log loss, always ½"],
    "svm-many-classes": ["nobody claims", "two or three claim", "votes tied"],
    "svm-one-class": ["outside", "support vectors", "outside, 2000 new"],
    "svm-regression": ["support vectors"],
    "svm-count": ["support vectors"],
    "rvm-model": ["relevance vectors", "support vectors"],
    "rvm-evidence": ["ln evidence"],
    "rvm-climbs": ["steps to rest"],
    "rvm-error-bars": ["σ of the noise alone", "largest σ", "σ under the probe", "kernels used"],
    "rvm-all-data": ["median draw, RVM"],
    "rvm-quality": ["q²", "s"],
    "rvm-sparsity": ["α*", "λ(α*)"],
    "rvm-sequential": ["step", "in the model"],
    "rvm-disguise": ["q = Σ φₙ(tₙ − yₙ)", "q²", "s"],
    "rvm-noise": ["ln p(t), α = ∞", "ln p(t), same β", "ln p(t), same |C|"],
    "rvm-classifier": ["small step", "functions in the model"],
    "rvm-archetypes": [],
    "rvm-ripley": [
        "median so far: SVM",
        "median so far: RVM",
        "least possible error",
        "RVM errs less in",
    ],
    "kernel-mercer": ["v′Kv"],
    "kernel-polynomial": ["rank of Φ, all points", "rank of ∂φ/∂x, each"],
    "kernel-strings": ["κ(x, x′)", "cosine of the angle"],
    "kernel-models": ["|x − z|", "area, summed"],
    "kernel-prototypes": ["training errors", "y(00) + y(11)", "y(01) + y(10)"],
    "kernel-zeros": ["L2VM: kept, RMS", "L1VM: kept, RMS", "SVM: kept, RMS", "RVM: kept, RMS"],
    "kernel-trick": ["wrong neighbours"],
    "kernel-ridge": ["error, left out", "error at the points"],
    "kernel-pca": ["shares of 1 and 2"],
    "kernel-window": [],
    "kernel-bumps": ["N_c(x)  ● ■ ▲", "p(c|x)  ● ■ ▲"],
    "kernel-line": ["least weights", "best h by it, about"],
    "theory-pac": ["error > ε", "N that VC asks for"],
    "theory-shatter": ["a line can do", "labellings"],
    "theory-leave-one-out": [
        "compression, 3 SVs",
        "VC bound",
        "PAC-Bayes, Gibbs",
        "hold-out, 1 missed",
        "true error, left",
    ],
    "theory-no-likelihood": ["at f = ±1", "largest / smallest"],
    "theory-descent": ["their ratio", "rate limit"],
    "theory-laplace": [],
    "theory-bic": ["true degree", "chosen: Laplace", "chosen: BIC", "KL: evidence | BIC"],
    "theory-winner": ["40 draws: winner's score", "true error, mean", "nested score, mean"],
    "theory-evidence": ["ln evidence", "RMS error, RVM"],
    "theory-wide-street": ["angle to max. margin"],
    "theory-dials": ["true error"],
    "theory-which": ["SVM: kept, RMS", "RVM: kept, RMS", "GP: kept, RMS"],
}


def moved(**fields):
    """Facts of the card's explorer in another state: function of the explorer."""
    return lambda explorer: open_line(explorer.code, **fields).picture.facts


def open_line(line, **fields):
    explorer = eval(line, {"explorers": explorers})
    if fields:
        explorer.set(**fields)
    return explorer


def of(facts, *labels):
    return [number for label in labels for number in numbers(f"{facts[label]}")]


def slack(explorer):
    """Points that pay are those inside the street and those misclassified."""
    facts = explorer.picture.facts
    return [sum(of(facts, "0 < ξ ≤ 1, inside", "ξ > 1, misclassified"))]


def libsvm_counts(explorer):
    """LIBSVM with its usual tolerance and with a strict one, on inputs where the spline is a kernel."""
    X, t = datasets.sinc()
    K = LinearSpline()(X + 10)
    fits = (LibSVR(kernel="precomputed", C=1.0, epsilon=0.01, tol=tol).fit(K, t) for tol in (1e-3, 1e-6))
    usual, strict = (len(fit.support_) for fit in fits)
    single = smo(epsilon_regression(K.astype(np.float32).astype(float), t, 1.0, 0.01), tol=1e-10)
    assert np.count_nonzero(single.v) == strict  # rounded kernel values explain it
    return [usual, strict]


def outlier_far_out(explorer):
    """By how many degrees the outlier of the picture turns the soft margin, ten times as far out."""
    X, t = datasets.clouds(60)
    middle = (X[t > 0].mean(axis=0) + X[t < 0].mean(axis=0)) / 2
    along = np.array(explorer.state.outlier) - middle
    places = middle + np.outer([10, 60 / np.linalg.norm(along)], along)  # place 60: notebook 02, section 7
    lines = soft_margin_with_outlier(X, t, 0.1, places)
    assert np.allclose(np.sum(places * lines.w, axis=1) + lines.b, 1, atol=1e-6)  # on its margin
    assert (lines.a < 0.1).all()
    before = lines.before[0] / np.linalg.norm(lines.before[0])
    angles = np.degrees(np.arccos(lines.w @ before / np.linalg.norm(lines.w, axis=1)))
    assert np.allclose(angles, 74, atol=0.5)
    return angles[:1]


def best_of_each(explorer):
    """beta of equal |C|, ln p(t) of noise alone at it, and both models at their best."""
    t, alpha = np.array(explorer.state.t), explorer.state.alpha
    angle = np.radians(explorer.state.angle)
    phi = 1.3 * np.array([np.cos(angle), np.sin(angle)])
    beta = noise_of_equal_determinant(phi, alpha, 1.0)

    def alone(beta):
        return stats.multivariate_normal.logpdf(t, np.zeros(2), np.eye(2) / beta)

    def both(logs):
        beta, alpha = np.exp(logs)
        return stats.multivariate_normal.logpdf(t, np.zeros(2), np.eye(2) / beta + np.outer(phi, phi) / alpha)

    best = optimize.minimize(lambda logs: -both(logs), np.zeros(2))
    assert both(np.log([beta, alpha])) < alone(beta)
    return [beta, alone(beta), -best.fun, alone(2 / (t @ t))]


def pulls_in_units(explorer):
    """The bars of the picture: pulls in units of sqrt(s)."""
    facts = explorer.picture.facts
    up, down, s = of(facts, "pull of ●, up", "pull of ■, down", "s")
    assert (up + down) ** 2 < s
    return [up / s**0.5, down / s**0.5, (up + down) / s**0.5]


def draw_by_draw(explorer):
    """Draws; the mean difference of the errors, its standard error, in points; and with C by cross-validation."""
    differences = 100 * (explorer.picture.rvm[:, 1] - explorer.picture.svm[:, 1])
    by_folds = told("11_rvm_classification", r"the RVM errs less in (\d+) of 25 draws")
    return [25, differences.mean(), differences.std(ddof=1) / 25**0.5, *by_folds]


def told(notebook, pattern):
    """Numbers that a notebook prints, for what would take too long here."""
    cells = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4).cells
    printed = "".join(output.get("text", "") for cell in cells for output in cell.get("outputs", []))
    (found,) = re.finditer(pattern, printed)
    return [float(number) for number in found.groups()]


def by_evidence(explorer):
    """The same curve with a better width; then 20 draws of notebook 15: how often narrower, better, and errors."""
    better = moved(width=0.15)(explorer)
    lesson = "15_choosing_hyperparameters"
    narrower, wider = told(lesson, r"gamma of the evidence +(\d+) +\d+ +(\d+)")
    assert wider == 0
    worse, better_draws = told(lesson, r"its true error +(\d+) +\d+ +(\d+)")
    errors = told(lesson, r"mean: by the evidence +([\d.]+)\nby five folds +([\d.]+)")
    return [0.15, *of(better, "ln evidence", "RMS error, RVM"), narrower, 20, better_draws, worse, *errors]


def along_the_valley(explorer):
    """gamma a tenth, then C a hundred times."""
    off, down = (moved(**fields)(explorer) for fields in ({"gamma": 0.1}, {"gamma": 0.1, "C": 100.0}))
    return of(off, "true error") + of(down, "true error")


def nats_lost(explorer):
    rows = (rf"{name} +[\d.]+ of 100 +([\d.]+) +[\d.]+%" for name in ("\nSVM", "RVM", "GP", "SVM, Platt"))
    return [number for row in rows for number in told("13_kernel_machines", row)]


def sinc_of_25(explorer):
    facts = moved(n=25)(explorer)
    return [25, 200, *of(facts, "median draw, RVM")]


def two_widths(explorer):
    """A window of width 15 and a Mercer kernel of width 15 on the points of the picture, off the truth."""
    X, y = datasets.rising_wave()
    x = np.linspace(0, 100, 401)[:, None]
    window = NadarayaWatson(15.0).fit(X, y).predict(x)
    mercer = KernelRidge(Gaussian(gamma=1 / (2 * 15**2)), lam=0.1).fit(X, y).predict(x)
    truth = datasets.rising_curve(x[:, 0])
    off = [np.sqrt(np.mean((f - truth) ** 2)) for f in (window, mercer)]
    assert explorer.state.h == 15
    return [15, *off]


# Card -> what else it quotes: function of its explorer
COMPUTED = {
    "svm-soft": slack,
    "svm-solvers": lambda explorer: [100_000, 100_000**2 * 8 / 1e9],  # eight bytes a number, in gigabytes
    "svm-one-class": lambda explorer: [2000],  # in the name of the fact
    "svm-outlier": outlier_far_out,
    "svm-count": libsvm_counts,
    "rvm-all-data": sinc_of_25,
    "rvm-noise": best_of_each,
    "rvm-archetypes": pulls_in_units,
    "rvm-ripley": draw_by_draw,
    "rvm-classifier": lambda explorer: of(moved(step=141)(explorer), "functions in the model"),
    "kernel-prototypes": lambda explorer: [2, 4],  # tried in `prototypes_that_do` below
    "kernel-trick": lambda explorer: of(moved(normalised=True)(explorer), "wrong neighbours"),
    "kernel-window": two_widths,
    "theory-laplace": lambda explorer: [
        -value for value in of(explorer.picture.facts, "difference")
    ],  # too small by
    "theory-winner": lambda explorer: [explorer.state.candidates, 40],  # the latter in the name of the fact
    "theory-evidence": by_evidence,
    "theory-wide-street": lambda explorer: [explorer.state.sigma2],
    "theory-dials": along_the_valley,
    "theory-which": nats_lost,
}


def numbers(text):
    """All numbers of a text, without formulas and references."""
    found = NUMBER.findall(REFERENCE.sub(" ", text))
    return [float(number.replace("−", "-").replace(" ", "")) for number in found]


def written(text):
    """The numbers as they are written: 0.25 has two digits behind the point."""
    return NUMBER.findall(REFERENCE.sub(" ", text))


def says(number, value):
    """Is the value, rounded as the number is written, this number?"""
    digits = len(number.partition(".")[2])
    return abs(round(value, digits) - numbers(number)[0]) < 1e-9


@pytest.fixture
def unpainted(monkeypatch):
    """Everything is computed and drawn, but no pixel painted, for speed."""
    monkeypatch.setattr(Stage, "pixels", lambda self: np.zeros((2, 2, 4), np.uint8))


@pytest.mark.usefixtures("unpainted")
@pytest.mark.parametrize("name", [card.id for card in CARDS.values() if card.show])
def test_picture_opens_and_holds_the_numbers_of_the_answer(name):
    card = CARDS[name]
    explorer = open_line(card.show)
    assert explorer.message == ""
    facts = explorer.picture.facts
    quoted = {label: of(facts, label) for label in QUOTED[name]}
    known = [*sum(quoted.values(), []), *(COMPUTED[name](explorer) if name in COMPUTED else [])]
    said = written(card.answer)
    for number in said:
        assert any(says(number, value) for value in known), f"{number} is not in {known}"
    for label, values in quoted.items():
        assert any(says(number, value) for number in said for value in values), f"{label}: nobody quotes it"


def test_a_card_without_a_picture_quotes_no_numbers():
    assert set(QUOTED) == {card.id for card in CARDS.values() if card.show}
    assert not [card.id for card in CARDS.values() if not card.show and written(card.answer)]


def test_a_wrong_number_would_be_noticed():
    assert says("0.25", 0.2511)
    assert not says("0.25", 0.26)
    assert says("−3.7876", -3.78759)
    assert not says("3.7876", -3.78759)
    assert not says("100 000", 10_000.0)
    assert written("at $x=3$ (7.10), figure 7.11: 100 000 and 5 %, type-2") == ["100 000", "5"]


# formulas

FORMULA = {}


def checks(name):
    """This function checks the formula of the card, and the claims of its answer that a number can decide."""

    def register(function):
        assert name not in FORMULA
        FORMULA[name] = function
        return function

    return register


@pytest.mark.usefixtures("unpainted")
@pytest.mark.parametrize("name", CARDS)
def test_formula_agrees_with_the_library(name):
    FORMULA[name]()


def dual_value(a, t, K):
    return a.sum() - 0.5 * (a * t) @ K @ (a * t)  # (7.10)


def design(seed=0, N=7, M=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, M)), rng.normal(size=N), rng.uniform(0.3, 3, M), 1.7


def covariance(Phi, alpha, beta):
    return np.eye(len(Phi)) / beta + Phi / alpha @ Phi.T  # (7.86)


@checks("svm-margin")
def svm_margin():
    X, t = datasets.separable()
    solution = smo(hard_margin(X @ X.T, t), tol=1e-10)
    w, b = solution.v @ X, solution.b
    assert np.isclose(np.min(t * (X @ w + b)), 1, atol=1e-8)  # (7.4)
    angles = np.linspace(0, 2 * np.pi, 100_000)
    along = X @ np.array([np.cos(angles), np.sin(angles)])
    widest = np.max(along[t > 0].min(axis=0) - along[t < 0].max(axis=0)) / 2  # (7.3), direction by direction
    assert np.isclose(1 / np.linalg.norm(w), widest, rtol=1e-4)  # as fine as the angles


@checks("svm-dual")
def svm_dual():
    X, t = datasets.separable()
    K = X @ X.T
    solution = smo(hard_margin(K, t), tol=1e-10)
    best = 0.5 * (solution.v @ X) @ (solution.v @ X)
    assert np.isclose(dual_value(solution.a, t, K), best)
    rng = np.random.default_rng(0)
    for _ in range(50):
        a = rng.exponential(size=len(t))
        a[t > 0] *= a[t < 0].sum() / a[t > 0].sum()  # (7.9)
        assert dual_value(rng.uniform(0, 0.3) * a, t, K) < best


@checks("svm-support-vectors")
def svm_support_vectors():
    X, t = datasets.curved()
    full = SVC(C=np.inf, kernel=Gaussian(0.5), tol=1e-10).fit(X, t)
    keep = full.support_
    y = full.decision_function(X)
    assert np.allclose(t[keep] * y[keep], 1, atol=1e-6)  # (7.16)
    assert (np.delete(t * y, keep) > 1).all()
    again = SVC(C=np.inf, kernel=Gaussian(0.5), tol=1e-10).fit(X[keep], t[keep])
    assert np.allclose(again.decision_function(X), y, atol=1e-6)
    assert len(SVC(C=np.inf, kernel=Gaussian(50.0)).fit(X, t).support_) == len(t)  # narrow: all of them
    X, t = np.array([[1.0, 0.0], [1.0, 5.0], [-1.0, 0.0]]), np.array([1, 1, -1.0])
    corner = smo(hard_margin(X @ X.T, t), tol=1e-10)
    assert np.allclose(t * (X @ (corner.v @ X) + corner.b), 1)  # all touch,
    assert np.allclose(corner.a, [0.5, 0, 0.5])  # one of them for nothing


@checks("svm-soft")
def svm_soft():
    X, t = datasets.clouds()
    solution = smo(soft_margin(X @ X.T, t, 1.0), tol=1e-10)
    w, b = solution.v @ X, solution.b

    def cost(w, b):
        return np.maximum(0, 1 - t * (X @ w + b)).sum() + 0.5 * w @ w  # (7.21) with the least slack of (7.20)

    rng = np.random.default_rng(0)
    assert np.isclose(cost(w, b), solution.objective)
    assert all(cost(w + dw, b + db) > cost(w, b) for *dw, db in rng.normal(scale=0.05, size=(100, 3)))
    Xo, to = datasets.overlapping()
    fresh = datasets.overlapping(1000, seed=1000)
    small, large = (SVC(C=C, kernel=Gaussian(0.05)).fit(Xo, to).score(*fresh) for C in (0.1, 1000))
    assert large > small  # wide kernels: a large C is the cure


@checks("svm-box")
def svm_box():
    X, t = datasets.clouds()
    C = 0.1
    solution = smo(soft_margin(X @ X.T, t, C), tol=1e-10)
    a, y = solution.a, X @ (solution.v @ X) + solution.b
    xi = np.maximum(0, 1 - t * y)
    mu = C - a  # (7.31)
    for each in (a, mu, t * y - 1 + xi):
        assert each.min() > -1e-8
    assert np.abs(a * (t * y - 1 + xi)).max() < 1e-8  # (7.25)
    assert np.abs(mu * xi).max() < 1e-8  # (7.28)


@checks("svm-nu")
def svm_nu():
    X, t = datasets.overlapping()
    for nu in (0.1, 0.3, 0.6):
        model = NuSVC(nu=nu, kernel=Gaussian(0.45), tol=1e-8).fit(X, t)
        a, rho = model.solution_.a, model.solution_.rho
        assert a.max() <= 1 / len(t) + 1e-12
        assert np.isclose(a.sum(), nu)
        y = model.decision_function(X) * rho  # scikit-learn's habit: divided by rho
        short = np.mean(t * y < rho - 1e-8)
        assert short <= nu <= np.mean(a > 1e-12)
        same = SVC(C=1 / (len(t) * rho), kernel=Gaussian(0.45), tol=1e-8).fit(X, t)
        assert np.allclose(same.decision_function(X), model.decision_function(X), atol=1e-4)


@checks("svm-outlier")
def svm_outlier():
    facts = explorers.outlier(C=0.1).picture.facts
    assert of(facts, "its pull aₙ / C") == [1.0]  # the ceiling (7.33)
    own = explorers.outlier(C=0.1, outlier=(3.0, 5.0)).picture.facts
    assert of(own, "its pull aₙ / C") == of(own, "soft margin moved by") == [0.0]
    assert of(own, "least squares moved by")[0] > 0.05
    X, t = datasets.clouds(60)
    rings = np.array([-2.9, -4.8]) * np.array([[1.0], [5.0], [200.0]])
    shifts = []
    alone = SVC(C=0.1, kernel=Gaussian(0.45), tol=1e-8).fit(X, t).decision_function(X)
    for place in rings:
        one_more = SVC(C=0.1, kernel=Gaussian(0.45), tol=1e-8).fit(np.vstack([X, place]), np.append(t, 1.0))
        shifts.append(np.abs(one_more.decision_function(X) - alone).max())
    assert max(shifts) < 0.05  # bounded, however far
    lines = soft_margin_with_outlier(X, t, 0.1, rings[:2])
    points, solution = np.vstack([X, rings[1]]), lines.solutions[1]
    assert np.allclose(lines.w[1], (solution.a * np.append(t, 1.0)) @ points)  # (7.29)
    cheap, dear = (
        of(explorers.class_costs(ratio=ratio).picture.facts, "training: FP, FN") for ratio in (1.0, 10.0)
    )
    assert dear[0] > cheap[0]
    assert dear[1] < cheap[1]


@checks("svm-solvers")
def svm_solvers():
    X, t = datasets.overlapping(60)
    problem = soft_margin(Gaussian(1.0)(X), t, 2.0)
    ends = [solve(problem, tol=1e-8).objective for solve in (smo, decomposition)]
    assert np.ptp(ends) < 1e-6
    assert np.isclose(dual_value(smo(problem, tol=1e-8).a, t, Gaussian(1.0)(X)), ends[0])


@checks("svm-smo")
def svm_smo():
    explorer = explorers.smo_player(step=5)
    X, t, C = explorer.state.X, explorer.state.t, explorer.state.C
    i, j = (int(n) for n in of(explorer.picture.facts, "pair i, j"))
    K = Gaussian(0.5)(X)
    before, after = [step.v * t for step in smo_steps(soft_margin(K, t, C))][4:6]
    assert {i, j} == set(np.flatnonzero(before != after))
    E = K @ (before * t) - t  # b cancels
    top = before[j] + t[j] * (E[i] - E[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    assert top < 0  # outside the box
    assert np.isclose(after[j], 0)
    assert np.isclose(after[i], C)
    line = [a[i] * t[i] + a[j] * t[j] for a in (before, after)]
    assert np.isclose(*line)
    steps = np.linspace(-0.5, 0.5, 11)  # along the line, around the top: a parabola with its top there
    values = []
    for step in steps:
        a = before.copy()
        a[j], a[i] = top + step, t[i] * (line[0] - (top + step) * t[j])
        values.append(dual_value(a, t, K))
    assert np.argmax(values) == 5


@checks("svm-converged")
def svm_converged():
    X, t = datasets.overlapping(40)
    problem = soft_margin(Gaussian(1.0)(X), t, 2.0)
    for tol in (1e-2, 1e-6):
        solution = smo(problem, tol=tol)
        a, E = solution.a, Gaussian(1.0)(X) @ solution.v - t
        rise = np.where(t > 0, a < 2.0 - 1e-12, a > 1e-12)
        fall = np.where(t > 0, a > 1e-12, a < 2.0 - 1e-12)
        gap = E[fall].max() - E[rise].min()
        assert gap <= tol
        assert np.isclose(max(gap, 0), kkt(problem, solution).violation, atol=1e-9)
    start = explorers.path(C=0.01).picture.facts
    assert of(start, "a = C, inside") == [18]  # all of them


@checks("svm-hinge")
def svm_hinge():
    z = np.linspace(-4, 4, 81)
    assert np.allclose(losses.hinge(z), np.maximum(0, 1 - z))  # (7.45)
    assert np.allclose(losses.logistic(z) * np.log(2), -log_expit(z))  # (7.48)
    X, t = datasets.clouds()
    solution = smo(soft_margin(X @ X.T, t, 2.0), tol=1e-10)
    y, w = X @ (solution.v @ X) + solution.b, solution.v @ X
    lam = 1 / (2 * 2.0)
    assert np.isclose(np.maximum(0, 1 - t * y).sum() + lam * w @ w, solution.objective / 2.0)  # (7.44)
    assert np.argmin(losses.squared(z)) == np.argmin(np.abs(z - 1))


@checks("svm-probabilities")
def svm_probabilities():
    y = np.linspace(-1, 1, 9)
    assert np.allclose(0.5 * losses.hinge(y) + 0.5 * losses.hinge(-y), 1)  # the hinge does not care
    facts = explorers.platt(D=50, held=60).picture.facts
    assert of(facts, "log loss, held out") < of(facts, "log loss, always ½") < of(facts, "log loss, training")


@checks("svm-many-classes")
def svm_many_classes():
    for K in (10, 100):
        N = 50 * K
        assert pytest.approx(2 * N**2, rel=1.01 / K) == K * (K - 1) / 2 * (2 * N / K) ** 2
    assert of(explorers.ambiguity().picture.facts, "left by (7.49)")[0] == 0
    assert [K for K in range(2, 9) if K * (K - 1) / 2 > K] == [4, 5, 6, 7, 8]


@checks("svm-one-class")
def svm_one_class():
    X = explorers.one_class().state.X
    for nu in (0.1, 0.2, 0.5):
        model = OneClassSVM(nu=nu, kernel=Gaussian(1.0), tol=1e-8).fit(X)
        assert np.mean(model.decision_function(X) < -1e-8) <= nu <= np.mean(model.solution_.v > 1e-12)
        share = model.solution_.v / model.solution_.v.sum()
        assert share.max() <= 1 / (nu * len(X)) + 1e-9


@checks("svm-regression")
def svm_regression():
    X, t = datasets.sinusoid()
    K, C, epsilon = Gaussian(5.0)(X), 1.6, 0.1
    solution = smo(epsilon_regression(K, t, C, epsilon), tol=1e-10)
    v = solution.v  # a - a-hat; of the two at most one is not 0
    a, a_hat = np.maximum(v, 0), np.maximum(-v, 0)
    dual = -0.5 * v @ K @ v - epsilon * (a + a_hat).sum() + v @ t  # (7.61)
    y = K @ v + solution.b
    primal = C * np.maximum(0, np.abs(y - t) - epsilon).sum() + 0.5 * v @ K @ v  # (7.55)
    assert np.isclose(dual, primal)
    assert np.isclose(v.sum(), 0, atol=1e-9)  # (7.58)
    assert np.allclose(a[t - y > epsilon + 1e-6], C)
    assert np.allclose(a_hat[y - t > epsilon + 1e-6], C)
    assert np.allclose(v[np.abs(y - t) < epsilon - 1e-6], 0)


@checks("svm-count")
def svm_count():
    X, t = datasets.sinusoid()
    for nu in (0.2, 0.5, 0.7):
        model = NuSVR(C=1.0, nu=nu, kernel=Gaussian(1 / (2 * 0.15**2)), tol=1e-10).fit(X, t)
        epsilon = model.epsilon_
        assert epsilon > 0
        outside = np.sum(np.abs(model.predict(X) - t) > epsilon + 1e-6)
        assert outside <= nu * len(t) <= len(model.support_)
        assert np.isclose(
            np.abs(model.dual_coef_).sum(), nu * len(t) * 1.0
        )  # (7.74): the book's C is N times ours
    wide = explorers.sinc_tube(noise=0.2, epsilon=0.5).picture.facts
    good = explorers.sinc_tube(noise=0.2, epsilon=0.17).picture.facts
    assert of(wide, "support vectors")[0] < of(good, "support vectors")[0]
    assert of(wide, "RMS error")[0] > of(good, "RMS error")[0]
    X, _ = datasets.sinc()
    K, H = LinearSpline()(X), np.eye(len(X)) - 1 / len(X)
    assert np.linalg.eigvalsh(K)[0] < -1
    assert np.linalg.eigvalsh(H @ K @ H)[0] < -1  # not concave, even where the multipliers have sum zero
    assert np.linalg.eigvalsh(LinearSpline()(X + 10))[0] > 0  # shifted


@checks("rvm-model")
def rvm_model():
    Phi, t, alpha, beta = design()
    w = np.array([0.3, -0.5, 0.8])
    m, Sigma = posterior(Phi, t, alpha, beta)
    likelihood = stats.norm.logpdf(t, Phi @ w, beta**-0.5).sum()  # (7.76)
    prior = stats.norm.logpdf(w, 0, alpha**-0.5).sum()  # (7.80)
    after = stats.multivariate_normal.logpdf(w, m, Sigma)
    assert np.isclose(likelihood + prior - after, log_evidence(Phi, t, alpha, beta))  # Bayes' rule


@checks("rvm-evidence")
def rvm_evidence():
    Phi, t, alpha, beta = design()
    C = covariance(Phi, alpha, beta)
    by_hand = -0.5 * (len(t) * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + t @ np.linalg.solve(C, t))
    assert np.isclose(by_hand, log_evidence(Phi, t, alpha, beta))
    m, Sigma = posterior(Phi, t, alpha, beta)
    assert np.allclose(Sigma, np.linalg.inv(np.diag(alpha) + beta * Phi.T @ Phi))  # (7.83)
    assert np.allclose(m, beta * Sigma @ Phi.T @ t)  # (7.82)
    for w in np.random.default_rng(1).normal(size=(3, 3)):
        left = beta / 2 * np.sum((t - Phi @ w) ** 2) + 0.5 * w @ (alpha * w)
        right = 0.5 * (w - m) @ np.linalg.solve(Sigma, w - m) + 0.5 * t @ np.linalg.solve(C, t)
        assert np.isclose(left, right)  # the square completed


@checks("rvm-prior")
def rvm_prior():
    Phi, _, alpha, _ = design()
    y = np.random.default_rng(0).normal(scale=alpha**-0.5, size=(200_000, 3)) @ Phi.T
    assert np.allclose(np.cov(y.T), Phi / alpha @ Phi.T, atol=0.05)  # weights drawn from (7.80)
    assert np.linalg.matrix_rank(Phi / alpha @ Phi.T) == 3
    far = Gaussian(5.0)(np.array([[50.0]]), np.zeros((1, 1)))
    assert far[0, 0] < 1e-12  # no basis function, no variance
    X, t = datasets.sinusoid()
    Phi = Gaussian(1 / (2 * 0.15**2))(X)
    *_, best = reestimate_steps(Phi, t, rule="printed", tol=1e-10)

    def height(i, value):
        changed = best.alpha.copy()
        changed[i] = value
        return log_evidence(Phi, t, changed, best.beta)

    values = np.geomspace(0.01, 1e6, 33)
    out, inside = np.flatnonzero(np.isinf(best.alpha)), np.flatnonzero(np.isfinite(best.alpha))
    assert (len(out), len(inside)) == (7, 3)
    for i in out:
        assert max(height(i, value) for value in values) < height(i, np.inf)  # infinity is the best
    for i in inside:
        assert max(height(i, value) for value in values) > height(i, np.inf)
    together = optimize.minimize(
        lambda logs: -log_evidence(Phi, t, np.full(10, np.exp(logs[0])), np.exp(logs[1])), np.zeros(2)
    )
    m, _ = posterior(Phi, t, np.full(10, np.exp(together.x[0])), np.exp(together.x[1]))
    assert np.abs(m).min() > 1e-3  # with one alpha for all of them no weight is zero


@checks("rvm-climbs")
def rvm_climbs():
    X, t = datasets.sinusoid()
    Phi = Gaussian(1 / (2 * 0.15**2))(X)[:, [2, 7, 9]]
    ends = []
    for steps in (reestimate_steps(Phi, t, rule="printed", tol=1e-10), em_steps(Phi, t, tol=1e-10)):
        *_, end = steps
        alpha, beta = end.alpha, end.beta
        m, Sigma = posterior(Phi, t, alpha, beta)
        gamma = 1 - alpha * np.diag(Sigma)  # (7.89)
        assert np.allclose(alpha, gamma / m**2, rtol=1e-3)  # (7.87)
        assert np.allclose(alpha, 1 / (m**2 + np.diag(Sigma)), rtol=1e-3)  # (9.67): the same resting place
        assert np.isclose(1 / beta, np.sum((t - Phi @ m) ** 2) / (len(t) - gamma.sum()), rtol=1e-3)  # (7.88)
        ends.append(end.log_evidence)
    assert np.isclose(*ends, atol=1e-4)
    Phi, t, alpha, beta = design()
    m, Sigma = posterior(Phi, t, alpha, beta)
    slope = 0.5 * (1 - alpha * (np.diag(Sigma) + m**2))  # what (7.87) sets to zero
    assert np.allclose(slope, evidence_gradient(Phi, t, alpha, beta)[0])


@checks("rvm-error-bars")
def rvm_error_bars():
    X, t = datasets.sinusoid()
    model = RVR(kernel=Gaussian(1 / (2 * 0.15**2)), bias=False).fit(X, t)
    places = np.array([X[7], [2.0]])  # a relevance vector, and far away
    phi = model.kernel(places, model.relevance_vectors_)
    sigma = np.sqrt(1 / model.beta_ + np.sum(phi @ model.sigma_ * phi, axis=1))  # (7.91)
    assert np.allclose(sigma, model.predict(places, return_std=True)[1])
    assert np.isclose(sigma[1], model.beta_**-0.5)  # the noise alone
    assert sigma[0] > sigma[1]


@checks("rvm-all-data")
def rvm_all_data():
    Phi, t, alpha, beta = design()
    m, _ = posterior(Phi, t, alpha, beta)
    changed, _ = posterior(Phi, t + np.eye(len(t))[3], alpha, beta)
    assert Phi.shape == (7, 3)
    assert np.abs(changed - m).min() > 1e-3  # any target moves all weights
    X, t = datasets.sinusoid()
    tube = [t, t + 0.01 * (np.arange(10) == 1)]  # point 1 lies strictly inside
    v, still = (smo(epsilon_regression(Gaussian(5.0)(X), each, 1.6, 0.1), tol=1e-10).v for each in tube)
    assert v[1] == 0
    assert np.allclose(v, still, atol=1e-8)


@checks("rvm-quality")
def rvm_quality():
    Phi, t, alpha, beta = design()
    q, s, *_ = sparsity_quality(Phi, t, np.ones(3, bool), alpha, beta)
    for i in range(3):
        others = np.arange(3) != i
        C = covariance(Phi[:, others], alpha[others], beta)
        phi = Phi[:, i]
        assert np.isclose(s[i], phi @ np.linalg.solve(C, phi))  # (7.98)
        assert np.isclose(q[i], phi @ np.linalg.solve(C, t))  # (7.99)
        m, _ = posterior(Phi[:, others], t, alpha[others], beta)
        assert np.isclose(q[i], beta * phi @ (t - Phi[:, others] @ m))
        assert s[i] < beta * phi @ phi  # overlap makes it smaller


@checks("rvm-sparsity")
def rvm_sparsity():
    def lam(alpha, q2, s):
        return 0.5 * (np.log(alpha / (alpha + s)) + q2 / (alpha + s))  # (7.97)

    Phi, t, alpha, beta = design()
    q, s, *_ = sparsity_quality(Phi, t, np.ones(3, bool), alpha, beta)
    for i in range(3):
        others = np.arange(3) != i
        gain = log_evidence(Phi, t, alpha, beta) - log_evidence(Phi[:, others], t, alpha[others], beta)
        assert np.isclose(gain, lam(alpha[i], q[i] ** 2, s[i]))  # (7.96)
    grid = np.geomspace(1e-3, 1e6, 200_001)
    assert grid[lam(grid, 4.0, 1.0).argmax()] == pytest.approx(1 / (4 - 1), rel=1e-3)  # (7.101)
    assert (np.diff(lam(grid, 1.0, 2.0)) > 0).all()  # q^2 <= s: uphill to infinity
    assert (np.log(grid / (grid + 1.0)) < 0).all()


@checks("rvm-letters")
def rvm_letters():
    Phi, t, alpha, beta = design()
    active = np.array([True, True, False])
    alpha = np.where(active, alpha, np.inf)
    C, F = covariance(Phi, alpha, beta), Phi[:, active]
    m, Sigma = posterior(F, t, alpha[active], beta)
    assert np.allclose(np.linalg.inv(C), beta * np.eye(7) - beta**2 * F @ Sigma @ F.T)  # Woodbury
    for i, phi in enumerate(Phi.T):
        Q, S = (phi @ np.linalg.solve(C, z) for z in (t, phi))  # (7.102), (7.103)
        assert np.isclose(Q, beta * phi @ (t - F @ m))  # (7.106)
        assert np.isclose(S, beta * phi @ phi - beta**2 * phi @ F @ Sigma @ F.T @ phi)  # (7.107)
        without = C - np.outer(phi, phi) / alpha[i]  # (7.93)
        q, s = (phi @ np.linalg.solve(without, z) for z in (t, phi))  # (7.99), (7.98)
        if active[i]:
            a = alpha[i]
            assert np.isclose(S, s - s**2 / (a + s))
            assert np.allclose([S, Q], [a * s / (a + s), a * q / (a + s)])
            assert np.isclose(a - S, a**2 / (a + s))
            assert np.allclose([q, s], [a * Q / (a - S), a * S / (a - S)])  # (7.104), (7.105)
        else:
            assert np.allclose([q, s], [Q, S])


@checks("rvm-sequential")
def rvm_sequential():
    Phi, t, alpha, beta = design()
    active = np.array([True, True, False])
    q, s, Q, S = sparsity_quality(Phi, t, active, np.where(active, alpha, np.inf), beta)
    F = Phi[:, active]
    m, Sigma = posterior(F, t, alpha[active], beta)
    assert np.allclose(Q, beta * Phi.T @ (t - F @ m))  # (7.106)
    assert np.allclose(
        S, beta * np.sum(Phi**2, axis=0) - beta**2 * np.sum((Phi.T @ F @ Sigma) * (Phi.T @ F), axis=1)
    )
    assert np.allclose(q[active], alpha[active] * Q[active] / (alpha[active] - S[active]))  # (7.104)
    assert np.allclose(s[active], alpha[active] * S[active] / (alpha[active] - S[active]))  # (7.105)
    assert np.isclose(q[2], Q[2])
    assert np.isclose(s[2], S[2])


@checks("rvm-noise")
def rvm_noise():
    angle, length, alpha, t = np.radians(57.0), 1.3, 2.0, np.array([0.9, 0.45])
    phi = length * np.array([np.cos(angle), np.sin(angle)])

    def value(alpha, beta):
        C = np.eye(2) / beta + np.outer(phi, phi) / alpha  # (7.92)
        return stats.multivariate_normal.logpdf(t, np.zeros(2), C), np.linalg.det(C)

    alone, volume = value(np.inf, 1.0)
    betas = np.linspace(1.0, 3.0, 20_001)
    less_noise = betas[np.argmin([abs(value(alpha, beta)[1] - volume) for beta in betas[::20]]) * 20]
    assert value(alpha, 1.0)[0] < alone < value(alpha, less_noise)[0]
    assert less_noise > 1


@checks("rvm-classifier")
def rvm_classifier():
    Phi, _, alpha, _ = design(N=12)
    t = (np.arange(12) % 3 > 0).astype(float)
    fit = laplace_fit(Phi, t, alpha, tol=1e-10)
    y = expit(Phi @ fit.w)
    assert np.allclose(Phi.T @ (t - y) - alpha * fit.w, 0, atol=1e-6)  # (7.110)
    B = np.diag(y * (1 - y))
    assert np.allclose(fit.Sigma, np.linalg.inv(Phi.T @ B @ Phi + np.diag(alpha)), rtol=1e-4)  # (7.113)
    height = np.sum(t * np.log(y) + (1 - t) * np.log(1 - y)) + stats.norm.logpdf(fit.w, 0, alpha**-0.5).sum()
    by_hand = height + 1.5 * np.log(2 * np.pi) + 0.5 * np.linalg.slogdet(fit.Sigma)[1]
    assert np.isclose(by_hand, fit.log_evidence, rtol=1e-6)  # (7.114)


@checks("rvm-disguise")
def rvm_disguise():
    Phi, _, alpha, _ = design(N=12)
    t = (np.arange(12) % 3 > 0).astype(float)
    fit = laplace_fit(Phi, t, alpha, tol=1e-12)
    y = expit(Phi @ fit.w)
    b = y * (1 - y)
    t_hat = Phi @ fit.w + (t - y) / b  # (7.117)
    m, Sigma = posterior(Phi, t_hat, alpha, b)  # a noise precision for each point
    assert np.allclose(m, fit.w, atol=1e-6)
    assert np.allclose(Sigma, fit.Sigma, rtol=1e-4)
    C = np.diag(1 / b) + Phi / alpha @ Phi.T  # (7.119), mended
    assert np.allclose(np.linalg.solve(C, t_hat), t - y, atol=1e-6)
    as_printed = np.diag(b) + Phi * alpha @ Phi.T
    assert not np.allclose(np.linalg.solve(as_printed, t_hat), t - y, atol=0.1)
    assert abs(log_evidence(Phi, t_hat, alpha, b) - fit.log_evidence) > 1  # (7.118) is not (7.114)
    gamma = 1 - alpha * np.diag(fit.Sigma)
    slopes, _ = evidence_gradient(Phi, t_hat, alpha, b)  # along ln alpha: zero where (7.116) rests
    assert np.allclose(slopes, 0.5 * (gamma - alpha * fit.w**2), atol=1e-4)


@checks("rvm-archetypes")
def rvm_archetypes():
    rng = np.random.default_rng(0)
    phi, t = rng.uniform(size=30), (rng.uniform(size=30) < 0.4).astype(float)
    q, s = phi @ (t - 0.5), phi @ phi / 4
    cos = phi @ (t - 0.5) / np.linalg.norm(phi) / np.linalg.norm(t - 0.5)
    assert np.isclose(q**2 / s, 30 * cos**2)
    wide, narrow = (
        of(explorers.placing(gamma=gamma).picture.facts, "plane with q² > s") for gamma in (0.45, 4.9)
    )
    assert narrow > wide


@checks("rvm-ripley")
def rvm_ripley():
    picture = explorers.ripley_draws(draw=25).picture
    d = picture.rvm[:, 1] - picture.svm[:, 1]
    assert d.mean() / (d.std(ddof=1) / 25**0.5) == pytest.approx(stats.ttest_1samp(d, 0).statistic)
    assert stats.binomtest(int(np.sum(d < 0)), 25).pvalue < 0.001  # not a matter of luck


@checks("kernel-mercer")
def kernel_mercer():
    names = ["ada", "adam", "dana", "mina"]
    K = Spectrum(k=2)(names)
    values, U = np.linalg.eigh(K)
    root = U * np.sqrt(np.maximum(values, 0))
    assert np.allclose(root @ root.T, K)  # (14.12)
    assert np.allclose(kernels.mercer_features(K) @ kernels.mercer_features(K).T, K)
    x = np.linspace(-3, 3, 61)[:, None]
    state = explorers.kernel_lab(kernel="sigmoid").state
    K = Sigmoid(scale=1.0, offset=state.offset)(x)
    witness = np.linalg.eigh(K)[1][:, 0]
    assert witness @ K @ witness < 0
    K1, K2 = Gaussian(1.0)(x), Polynomial(degree=2)(x)
    for joined in (K1 + K2, K1 * K2):
        assert np.linalg.eigvalsh(joined)[0] > -1e-8 * np.abs(joined).max()
    K, H = -np.abs(x - x.T), np.eye(len(x)) - 1 / len(x)
    assert np.linalg.eigvalsh(K)[0] < -1  # no Mercer kernel,
    assert np.linalg.eigvalsh(H @ K @ H)[0] > -1e-9  # but concave where the multipliers have sum zero


@checks("kernel-polynomial")
def kernel_polynomial():
    X = np.random.default_rng(0).normal(size=(9, 2))
    x1, x2 = X.T
    r = np.sqrt(2)
    Phi = np.column_stack([np.ones(9), r * x1, r * x2, x1**2, r * x1 * x2, x2**2])  # (7.42)
    assert np.allclose(Phi @ Phi.T, (1 + X @ X.T) ** 2)
    assert np.allclose(Phi @ Phi.T, Polynomial(degree=2)(X))
    assert np.linalg.matrix_rank(Phi) == 6


@checks("kernel-strings")
def kernel_strings():
    x, z = "abracadabra", "abrazadabra"
    pieces = {x[i : i + 2] for i in range(10)} | {z[i : i + 2] for i in range(10)}

    def count(piece, word):
        return sum(word[i : i + 2] == piece for i in range(len(word) - 1))

    by_hand = sum(count(piece, x) * count(piece, z) for piece in pieces)  # (14.22), w = 1
    assert by_hand == Spectrum(k=2)([x], [z])[0, 0] == 14
    twice = [piece for piece in sorted(pieces) if count(piece, x) == count(piece, z) == 2]
    once = [piece for piece in sorted(pieces) if count(piece, x) == count(piece, z) == 1]
    assert (twice, once) == (["ab", "br", "ra"], ["ad", "da"])


@checks("kernel-models")
def kernel_models():
    x, z, sigma = 0.4, 1.9, 0.8
    for rho in (0.5, 1.0, 2.0):

        def both(u, rho=rho):
            return (stats.norm.pdf(u, x, sigma) * stats.norm.pdf(u, z, sigma)) ** rho

        overlap, _ = integrate.quad(both, -10, 10)  # (14.23)
        itself = integrate.quad(lambda u, rho=rho: stats.norm.pdf(u, x, sigma) ** (2 * rho), -10, 10)[0]
        assert overlap / itself == pytest.approx(np.exp(-rho / (4 * sigma**2) * (x - z) ** 2))
        assert overlap == pytest.approx(kernels.ProbabilityProduct(rho, sigma)([[x]], [[z]])[0, 0])
    X = np.random.default_rng(0).normal(size=(6, 2))
    centred = X - X.mean(axis=0)
    K = kernels.Fisher(kernels.GaussianMean(sigma=sigma).fitted_to(X))(X)  # (14.25)
    assert np.allclose(K, centred @ centred.T / sigma**2)
    assert np.linalg.eigvalsh(K)[0] > -1e-12


@checks("kernel-prototypes")
def prototypes_that_do():
    rng = np.random.default_rng(0)
    g, h = rng.normal(size=(2, 2))
    assert np.isclose(g[0] + h[0] + g[1] + h[1], (g[0] + h[1]) + (g[1] + h[0]))
    monomials = explorers.prototypes(features="all monomials", degree=2).picture.facts
    bumps = explorers.prototypes().picture.facts
    assert of(monomials, "training errors") == of(bumps, "training errors") == [0, 80]
    assert of(bumps, "how many features") == [4]


@checks("kernel-zeros")
def kernel_zeros():
    X, t = datasets.sinc(noise=0.1, distribution="gaussian")
    kernel, lam = Gaussian(1 / (2 * (0.3 * X.std()) ** 2)), 0.5
    model = L1VMRegressor(kernel=kernel, lam=lam).fit(X, t)
    G = -2 * kernel(X).T @ (t - model.predict(X))  # of the sum of squares
    w = np.zeros(len(t))
    w[model.support_] = model.coef_
    assert (np.abs(G[w == 0]) <= lam + 1e-4).all()
    assert np.allclose(-G[w != 0], lam * np.sign(w[w != 0]), atol=1e-4)
    assert 0 < np.sum(w != 0) < 100


@checks("kernel-trick")
def kernel_trick():
    words = ["abracadabra", "abrazadabra"]
    K = Spectrum(k=1)(words)
    letters = sorted(set("".join(words)))
    phi = np.array([[word.count(letter) for letter in letters] for word in words])
    assert K[0, 0] + K[1, 1] - 2 * K[0, 1] == np.sum((phi[0] - phi[1]) ** 2)  # (14.30)
    (of_neighbours,), (of_all,) = (
        of(explorers.neighbours().picture.facts, f"letters of {who}") for who in ("neighbours", "all")
    )
    assert of_neighbours < 0.8 * of_all  # the shortest strings are everybody's neighbours


@checks("kernel-ridge")
def kernel_ridge():
    rng = np.random.default_rng(0)
    X, y, lam = rng.normal(size=(8, 3)), rng.normal(size=8), 0.7
    w = np.linalg.solve(X.T @ X + lam * np.eye(3), X.T @ y)  # (14.34)
    Q = np.linalg.inv(X @ X.T + lam * np.eye(8))
    alpha = Q @ y  # (14.36)
    assert np.allclose(w, X.T @ alpha)  # (14.37)
    for n in range(8):
        rest = np.arange(8) != n
        without = np.linalg.solve(X[rest].T @ X[rest] + lam * np.eye(3), X[rest].T @ y[rest])
        assert np.isclose(y[n] - X[n] @ without, alpha[n] / Q[n, n])
        assert abs(alpha[n] / Q[n, n]) >= abs(lam * alpha[n])


@checks("kernel-pca")
def kernel_pca():
    X, _ = datasets.three_clusters()
    k = Gaussian(10.0)
    N = len(X)
    H = np.eye(N) - 1 / N
    values, U = np.linalg.eigh(H @ k(X) @ H)  # (14.44)
    new = np.array([[0.1, -0.4], [0.6, 0.2]])
    K = k(X)
    centred = (H @ (k(X, new) - (K @ np.ones(N) / N)[:, None])).T  # new points lose the training mean
    by_hand = centred @ U[:, [-1, -2]] / np.sqrt(values[[-1, -2]])  # (14.40)
    model = KernelPCA(k, n_components=2).fit(X)
    assert np.allclose(np.abs(by_hand), np.abs(model.transform(new)), atol=1e-8)
    assert np.allclose(H @ k(X) @ H @ np.ones(N), 0)  # at most N - 1
    own = k(new[:1], X) - k(new[:1], X).mean(axis=0)  # a single point that loses its own mean
    assert not own.any()


@checks("kernel-window")
def kernel_window():
    for window in WINDOWS.values():
        area, mean, second = (
            integrate.quad(lambda x, p=p, w=window: x**p * w(x), -12, 12, points=[-1, 1])[0] for p in range(3)
        )
        assert (area, mean) == pytest.approx((1, 0), abs=1e-7)  # (14.69)
        assert second > 0
    places = np.subtract.outer([0, 0.8, 1.6], [0, 0.8, 1.6])
    assert np.linalg.eigvalsh(WINDOWS["boxcar"](places))[0] < -0.2  # no inner product
    assert np.linalg.eigvalsh(WINDOWS["gaussian"](places))[0] > 0
    X, y = datasets.rising_wave()
    k = Gaussian(gamma=1 / (2 * 15**2))
    weights = k(np.array([[50.0]]), X) @ np.linalg.inv(k(X) + 0.1 * np.eye(len(y)))
    assert weights.min() < 0
    assert abs(weights.sum() - 1) > 1e-3


@checks("kernel-bumps")
def kernel_bumps():
    X, y = datasets.rising_wave()
    x, h = np.array([10.0, 52.0, 97.0]), 3.5
    kappa = stats.norm.pdf((x[:, None] - X[:, 0]) / h) / h
    assert np.allclose(
        kappa @ y / kappa.sum(axis=1), NadarayaWatson(h).fit(X, y).predict(x[:, None])
    )  # (14.85)
    area, _ = integrate.quad(lambda z: np.mean(stats.norm.pdf((z - X[:, 0]) / h) / h), -40, 140, limit=400)
    assert area == pytest.approx(1, abs=1e-6)  # (14.78)
    here, of_class, V, N = np.array([1, 4, 2]), np.array([10, 20, 10]), 0.3, 40
    joint = here / (of_class * V) * of_class / N
    assert np.allclose(joint / joint.sum(), here / 7)  # (14.81)


@checks("kernel-line")
def kernel_line():
    X, y = datasets.rising_wave()
    x, h = X[:, 0], 4.0
    model = LocallyWeightedRegression(h)
    W = model.fit(X, y).weights(X)
    for n in (0, 17, 59):
        d = x - x[n]
        Phi, D = np.column_stack([np.ones_like(d), d]), np.diag(stats.norm.pdf(d / h))
        beta = np.linalg.solve(Phi.T @ D @ Phi, Phi.T @ D @ y)  # (14.95)
        assert np.isclose(beta[0], W[n] @ y)
        assert np.isclose(W[n].sum(), 1)
        assert np.isclose(W[n] @ d, 0, atol=1e-8)
        rest = np.arange(len(x)) != n
        without = LocallyWeightedRegression(h).fit(X[rest], y[rest]).predict(X[n : n + 1])[0]
        assert np.isclose(y[n] - without, (y[n] - W[n] @ y) / (1 - W[n, n]))


@checks("theory-pac")
def theory_pac():
    M, epsilon, N = 12, 0.2, 20
    rng = np.random.default_rng(0)
    wrong = rng.uniform(size=(4000, N, M)) < epsilon  # M functions that err with probability epsilon
    survives = np.mean((~wrong).all(axis=1).any(axis=1))
    assert survives <= M * (1 - epsilon) ** N
    assert survives == pytest.approx(1 - (1 - (1 - epsilon) ** N) ** M, abs=0.02)


@checks("theory-shatter")
def theory_shatter():
    for N in range(1, 6):
        X = np.random.default_rng(N).normal(size=(N, 2))
        done = sum(line is not None for line in capacity.dichotomies(X))
        assert done == 2 * sum(comb(N - 1, k) for k in range(3)) == capacity.cover_count(N, D=2)


@checks("theory-leave-one-out")
def theory_leave_one_out():
    X, t = datasets.noise_free(40, seed=3)
    lines = [capacity.widest_line(np.delete(X, n, axis=0), np.delete(t, n)) for n in range(40)]
    wrong = sum(t[n] * (X[n] @ line.w + line.b) <= 0 for n, line in enumerate(lines))
    assert wrong <= len(capacity.widest_line(X, t).support)
    k, N, delta = 3, 40, 0.05
    menu = N * np.exp(np.sum(np.log(np.arange(N - k + 1, N + 1))) - np.log(6))
    assert 1 - (delta / menu) ** (1 / (N - k)) == pytest.approx(bounds.compression_bound(N, k, delta))


@checks("theory-no-likelihood")
def theory_no_likelihood():
    for C in (0.3, np.log(2), 2.0):
        total = [np.exp(-C * losses.hinge(f)) + np.exp(-C * losses.hinge(-f)) for f in (0.0, 1.0, 60.0)]
        assert np.allclose(total, [2 * np.exp(-C), 1 + np.exp(-2 * C), 1])
    f = np.linspace(-5, 5, 11)
    prices, wide = np.linspace(0.1, 2, 191), np.append(f, 1000.0)
    sums = [np.exp(-C * losses.hinge(wide)) + np.exp(-C * losses.hinge(-wide)) for C in prices]
    ratio = np.max(sums, axis=1) / np.min(sums, axis=1)
    assert prices[ratio.argmin()] == pytest.approx(np.log(2), abs=0.01)  # comes closest
    logistic = np.exp(-np.log(2) * losses.logistic(f)) + np.exp(-np.log(2) * losses.logistic(-f))
    assert np.allclose(logistic, 1)
    m = np.array([-0.5, 0.7, 2.0])
    assert np.allclose(hinge_mixture(m), np.exp(-2 * np.maximum(0, 1 - m)), atol=1e-8)  # (14.68)
    X, t = datasets.clouds()
    ours, theirs = em_svm(X @ X.T, t, 1.0, tol=1e-9), smo(soft_margin(X @ X.T, t, 1.0))
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-5)
    assert np.all(ours.v != 0)
    assert np.sum(theirs.v == 0) > 10


@checks("theory-descent")
def theory_descent():
    Phi, _, _, _ = design(N=9, M=2)
    t = (np.arange(9) % 2).astype(float)

    def E(w):
        y = expit(Phi @ w)
        return -np.sum(t * np.log(y) + (1 - t) * np.log(1 - y))

    w, eye = np.array([0.3, -0.8]), 1e-4 * np.eye(2)
    y = expit(Phi @ w)
    slope = [(E(w + e) - E(w - e)) / 2e-4 for e in eye]
    bend = [[(E(w + e + f) - E(w + e - f) - E(w - e + f) + E(w - e - f)) / 4e-8 for f in eye] for e in eye]
    assert np.allclose(Phi.T @ (y - t), slope, atol=1e-6)
    assert np.allclose(Phi.T @ np.diag(y * (1 - y)) @ Phi, bend, atol=1e-5)  # (7.111)
    curvature = of(explorers.descent().picture.facts, "curvatures of E/N")
    assert 2 / max(curvature) == pytest.approx(3.63, abs=0.005)  # of E/N; that of E is a sixteenth
    X, passed = datasets.hours()
    Phi, t = np.column_stack([np.ones(16), X[:, 0]]), (passed > 0).astype(float)
    bottom = irls(Phi, t, 0.0).w
    for rate, arrives in (
        (3.5, True),
        (3.8, False),
        (3.5 * 16, False),
    ):  # the last is the sum instead of the mean
        w = bottom + 1e-3
        for _ in range(5000):
            w = w - rate * Phi.T @ (expit(Phi @ w) - t) / 16
        assert np.allclose(w, bottom, atol=1e-3) is arrives
    Phi, t = np.array([[1.0, 1.0, 1.0], [2.0, 3.0, 1.0]]), np.array([-1.0, 1.0])  # the bias is a weight
    w = np.zeros(3)
    for _ in range(20_000):
        w += 0.2 * Phi.T @ (t * expit(-t * (Phi @ w)))
    a = np.linalg.solve(np.outer(t, t) * (Phi @ Phi.T), np.ones(2))  # both touch a plane through the origin
    assert (a > 0).all()
    origin, free = (a * t) @ Phi, np.array([1.0, 2.0])
    cosines = [w @ origin / np.linalg.norm(w) / np.linalg.norm(origin)]
    cosines += [v[:2] @ free / np.linalg.norm(v[:2]) / np.linalg.norm(free) for v in (w, origin)]
    turned = np.degrees(np.arccos(cosines))
    assert turned[0] < 2
    assert turned[1:] == pytest.approx([42, 42], abs=1)  # degrees from the SVM, which leaves b free
    early, late = (explorers.runaway(step=step).picture.facts for step in (10, 20))
    assert of(late, "|w|, no prior")[0] > of(early, "|w|, no prior")[0] + 10
    assert of(late, "|w|, with α") == of(early, "|w|, with α")


@checks("theory-laplace")
def theory_laplace():
    found = laplace(lambda z: np.log(z) - z if z > 0 else -np.inf, start=1.5)  # f = z exp(-z)
    assert (found.mode, found.A) == pytest.approx((1, 1), abs=1e-5)
    assert found.log_Z == pytest.approx(-1 + 0.5 * np.log(2 * np.pi), abs=1e-5)
    for a, variance in ((1.0, 0.5), (-3.0, 4.0), (8.0, 20.0)):
        kappa = (1 + np.pi * variance / 8) ** -0.5  # (4.154)
        assert np.isclose(averaged_probability(np.array([a]), np.array([variance]))[0], expit(kappa * a))
        exact, _ = integrate.quad(lambda z, a=a, v=variance: expit(z) * stats.norm.pdf(z, a, v**0.5), -60, 60)
        assert expit(kappa * a) == pytest.approx(exact, abs=0.02)
        assert abs(expit(kappa * a) - 0.5) < abs(expit(a) - 0.5)
    small = [
        of(explorers.laplace(density="two equal peaks", n=n).picture.facts, "difference")[0]
        for n in (1.0, 3.0, 10.0, 100.0)
    ]
    assert max(small) < -np.log(2)
    assert small[-1] == pytest.approx(-np.log(2), abs=0.01)


@checks("theory-bic")
def theory_bic():
    X, t = datasets.wavy_odds(60, degree=3, steepness=3.0, seed=1)
    x, t = X[:, 0], (t > 0).astype(float)
    basis = np.polynomial.legendre.legvander(x, 5)
    fit = laplace_fit(basis, t, 1.0, tol=1e-10)
    height = np.sum(np.log(np.where(t > 0, fit.y, 1 - fit.y)))
    prior = stats.norm.logpdf(fit.w).sum()
    A = np.linalg.inv(fit.Sigma)
    by_hand = height + prior + 3 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(A)[1]
    assert by_hand == pytest.approx(fit.log_evidence, rel=1e-6)  # (7.114)
    assert bic(height, n_parameters=6, n_points=60) == pytest.approx(height - 3 * np.log(60))
    many = laplace_fit(np.tile(basis, (100, 1)), np.tile(t, 100), 1.0)
    grown = np.linalg.eigvalsh(np.linalg.inv(many.Sigma)) / np.linalg.eigvalsh(A)
    assert (grown > 5).all()  # like N
    rows = r"N = 20, BIC +(\d+) +(\d+) +\d+ +([\d.]+)", r"N = 20, Laplace +(\d+) +(\d+) +\d+ +([\d.]+)"
    (missed, _, dear), (_, _, cheap) = (told("08_bayesian_foundations", row) for row in rows)
    assert missed == 40  # of 100: too early
    assert dear > cheap
    (by_bic,), (by_evidence,) = (
        told("08_bayesian_foundations", rf"N = 60, {name} +\d+ +(\d+)") for name in ("BIC", "Laplace")
    )
    assert by_bic > by_evidence


@checks("theory-winner")
def theory_winner():
    least = least_of_binomials(m=100, N=60, p=0.5) / 60
    scores = np.random.default_rng(0).binomial(60, 0.5, (4000, 100)).min(axis=1) / 60
    assert np.mean(scores) == pytest.approx(least, abs=0.005)
    assert least < 0.5


@checks("theory-prepare")
def theory_prepare():
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(40, 2000)), np.repeat([-1.0, 1.0], 20)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)

    def best(X, t):
        return np.argsort(-np.abs(t @ X))[:20]

    machine = SVC(C=1.0, kernel=Gaussian(0.02))
    outside = cross_val_score(machine, X[:, best(X, t)], t, cv=folds).mean()
    inside = np.mean(
        [
            machine.fit(X[a][:, chosen], t[a]).score(X[b][:, chosen], t[b])
            for a, b in folds.split(X, t)
            for chosen in [best(X[a], t[a])]
        ]
    )
    assert outside > 0.85
    assert 0.25 < inside < 0.75
    rows = X[:32]
    by_hand = (X - rows.mean(axis=0)) / rows.std(axis=0)
    assert np.allclose(by_hand, StandardScaler().fit(rows).transform(X))


@checks("theory-evidence")
def theory_evidence():
    narrow, good = (explorers.rvm_regression(width=width).picture.facts for width in (0.054, 0.15))
    assert of(narrow, "ln evidence")[0] > of(good, "ln evidence")[0]  # confident, and wrong:
    assert of(narrow, "RMS error, RVM")[0] > of(good, "RMS error, RVM")[0]


@checks("theory-wide-street")
def theory_wide_street():
    X, t = datasets.separable()
    solution = smo(hard_margin(X @ X.T, t), tol=1e-10)
    rho = np.min(t * (X @ (solution.v @ X) + solution.b)) / np.linalg.norm(solution.v @ X)
    w2 = (solution.v @ X) @ (solution.v @ X)
    assert 1 / rho**2 == pytest.approx(solution.a.sum()) == pytest.approx(w2)  # (7.123), (7.125)
    rng = np.random.default_rng(0)
    X, coins = rng.uniform(size=(60, 2)), rng.choice([-1.0, 1.0], 60)
    for gamma, N in ((2000.0, 60), (1.0, 6)):  # any labels, with narrow kernels and with wide ones
        machine = SVC(C=np.inf, kernel=Gaussian(gamma)).fit(X[:N], coins[:N])
        assert machine.score(X[:N], coins[:N]) == 1
    corners, labels = np.eye(6), np.array([1, -1, 1, -1, 1, -1.0])  # R = 1; the labels with the least margin
    bound = smo(hard_margin(corners @ corners.T, labels), tol=1e-10).a.sum() + 1
    assert bound == pytest.approx(7)  # R^2 / rho^2 + 1, and 6 points are shattered


@checks("theory-dials")
def theory_dials():
    X, t = datasets.mixture(100)
    d = np.linspace(0, 3, 7)
    assert np.allclose(np.exp(-1e-3 * d**2), 1 - 1e-3 * d**2 + 0.5e-6 * d**4, atol=1e-6)
    linear = SVC(C=1.0, kernel="linear", tol=1e-9).fit(X, t).decision_function(X)
    off = []
    for gamma in (1e-2, 1e-3, 1e-4):
        wide = SVC(C=1 / (2 * gamma), kernel=Gaussian(gamma), tol=1e-9).fit(X, t)  # price 2 gamma C = 1
        v = wide.solution_.v
        assert np.isclose(v.sum(), 0, atol=1e-6)  # (7.34)
        y = wide.decision_function(X)
        off.append((np.abs(y - linear).max(), np.ptp(y - X @ (2 * gamma * v @ X))))
    assert (np.array(off[:2]) > 5 * np.array(off[1:])).all()  # the next order: about a tenth each time


@checks("theory-which")
def theory_which():
    X, t = datasets.sinusoid()
    width, beta = 0.15, 12.0
    process = GaussianProcessRegressor(RBF(width), alpha=1 / beta, optimizer=None).fit(X, t)
    C = np.eye(10) / beta + Gaussian(1 / (2 * width**2))(X)
    assert stats.multivariate_normal.logpdf(t, np.zeros(10), C) == pytest.approx(
        process.log_marginal_likelihood_value_
    )
    root = np.linalg.cholesky(Gaussian(1 / (2 * width**2))(X) + 1e-10 * np.eye(10))
    assert log_evidence(root, t, np.ones(10), beta) == pytest.approx(
        process.log_marginal_likelihood_value_, abs=1e-6
    )  # (7.86) with Phi A^-1 Phi' = K
