"""Kernel parameters by evidence: the widths that make the data most probable (Tipping 2001, section 4.4, appendix C).

    maximise over eta, alpha, beta   ln p(t | eta, alpha, beta),   Phi_nm = k(x_n, x_m; eta)                  (7.85)

No validation set, and as many parameters as the kernel has: a width per feature finds out which features matter.

Two optimisations take turns. With eta fixed, alpha and beta are learned as ever, which also decides which functions are
in the model; with these fixed, a few gradient steps climb in ln eta. They are interleaved because the best alpha, most
of them infinite, are soon wrong when eta moves: to climb to the very top under the old ones would be a waste. And with
alpha learned anew at every eta there is no smooth hill to climb, because the evidence jumps when functions come or go,
by a nat or two between gammas 10 % apart in `datasets.sinc(noise=0.1)`, and by dozens where there is no noise.

The gradient. With alpha and beta fixed, ln N(t | 0, C), C = beta^-1 I + Phi A^-1 Phi', has the derivatives

    d ln p / d Phi = (C^-1 t t' C^-1 - C^-1) Phi A^-1 = beta { (t - y) m' - Phi Sigma },    y = Phi m,

since C^-1 t = beta (t - y), C^-1 Phi A^-1 = beta Phi Sigma and A^-1 Phi' C^-1 t = m. In classification B = diag(b_n)
takes the place of beta: `evidence_by_basis`. Times d Phi / d ln eta, by differences of the kernel itself, and summed,
that is the derivative with respect to ln eta; where alpha and beta are at their best it is that of the evidence with
alpha and beta learned anew as well, as long as the same functions stay in the model. (In classification (7.116) is
only near the best alpha, so there it is only nearly so.)

Where the code leaves the paper:
  - After each climb the model is learned afresh. If the evidence is higher, we go on in the same direction for as far
    as it rises; if not, steps up and down along each parameter look for what a gradient cannot see because of the
    jumps. No move that lowers the evidence is accepted, and the steps shrink where none is found.
  - With a precision for every weight the evidence can be deceived. Where kernels are narrower than the gaps between
    points, they explain noise one point at a time, and the evidence often has its highest peak there. So no move may
    leave most points without a neighbour (for a Gaussian: one within its standard deviation) that had one at the start.
"""

import warnings
from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from sparsekm_edu.complaints import warn
from sparsekm_edu.kernels import Kernel, as_kernel
from sparsekm_edu.models.progress import progress_bar
from sparsekm_edu.models.rvm import RVC, RVR
from sparsekm_edu.solvers.bayes.evidence import log_evidence, posterior
from sparsekm_edu.solvers.bayes.laplace import laplace_fit
from sparsekm_edu.validation import real_number, whole_number

RADIUS = 2.0  # of the first steps, in ln eta: a factor of 7
GRADIENT_STEPS = 5  # with alpha and beta fixed, before they are learned again
FARTHEST = 8.0  # no parameter changes by more than a factor of e^8, some thousands, in a round
WORTHWHILE = 0.01  # nats: a move that brings less is not made; where there are none, steps become smaller
DIFFERENCE = 1e-4  # in ln eta, for the derivatives of the kernel: their error is of the order of its square
NEIGHBOUR = np.exp(
    -0.5
)  # k(x, z) / k(x, x) of neighbours, at least; for a Gaussian at one standard deviation
STRANGER = 0.999  # and of strangers, at most
ENOUGH = 0.5  # of all points must have a neighbour, and as many a stranger


@dataclass(frozen=True)
class KernelState:
    """An accepted state: parameters (name -> number or tuple of numbers), log_evidence, n_relevance vectors."""

    parameters: dict
    log_evidence: float
    n_relevance: int


@dataclass(frozen=True, eq=False)
class OptimisedKernel:
    """What `optimise_kernel` found.

    kernel with the best parameters; model, the RVR or RVC fitted with it; log_evidence of that; path: a KernelState for
    the start and every accepted move, each with more evidence than the one before; n_iter rounds; converged.
    """

    kernel: Kernel
    model: RVR | RVC
    log_evidence: float
    path: tuple
    n_iter: int
    converged: bool


def optimise_kernel(kernel, X, t, estimator=None, only=None, tol=0.02, max_iter=100, progress=None):
    """Choose the parameters of a kernel by the evidence of the relevance vector machine that uses it.

    Parameters
    ----------
    kernel : where to start: a Kernel or a name; it is not changed. What is learned are its positive parameters, numbers
        or arrays of them, in sums and products too (gamma, left__gamma, ...), but not those that must be whole.
    X, t : (N, D), (N,) what the machine is to learn from.
    estimator : RVR or RVC, for everything but the kernel (bias, extra, method, ...); None means RVR().
    only : name or names of the parameters to learn, the others stay; None: all.
    tol : steps in ln eta smaller than this are not tried: about the relative error of the parameters.
    max_iter : rounds of climbing and learning afresh at most.
    progress : whether to show a progress bar; None: if it takes more than two seconds.

    Returns: OptimisedKernel. Warns if tol was not reached, and of whatever the best machine has to complain about.

    The evidence has many maxima: the start matters, and too wide a kernel is a better one than too narrow. A factor
    that multiplies the whole kernel cannot be learned, as alpha makes up for it.

    >>> from sparsekm_edu import Gaussian, datasets
    >>> from sparsekm_edu.models import optimise_kernel
    >>> found = optimise_kernel(Gaussian(gamma=5.0), *datasets.sinusoid())
    >>> print(f"log evidence {found.path[0].log_evidence:.1f} -> {found.log_evidence:.1f}")
    log evidence -7.2 -> -3.2
    """
    kernel = _checked_kernel(kernel, X)
    estimator = RVR() if estimator is None else estimator
    if not isinstance(estimator, RVR | RVC):
        raise ValueError(f"estimator must be an RVR or an RVC, got {estimator!r}.")
    tol = real_number("tol", tol, above=0)
    max_iter = whole_number("max_iter", max_iter, at_least=1)
    if np.shape(t) != np.shape(X)[:1]:
        raise ValueError(
            f"t must hold one target per row of X, got shape {np.shape(t)} for X of shape {np.shape(X)}."
        )

    search = _Search(kernel, X, t, estimator, _positive_parameters(kernel, only, X))
    path = [search.start]
    radius, n_iter, converged = RADIUS, 0, False
    with progress_bar(max_iter, "round", progress) as bar:
        while not converged and n_iter < max_iter:
            moves = search.round(path[-1], radius)
            gain = moves[-1].log_evidence - path[-1].log_evidence if moves else 0.0
            path += moves
            if not moves:
                radius /= 2
            n_iter, converged = n_iter + 1, radius < tol
            bar.set_postfix_str(f"log evidence {path[-1].log_evidence:.2f}", refresh=False)
            bar.update()

    best = path[-1]
    for complaint in best.complaints:
        warn(complaint.message, complaint.category)
    for share, missing, fault in zip(
        search.acquainted(best.model.kernel), ("neighbour", "stranger"), ("narrow", "wide"), strict=True
    ):
        if share < ENOUGH:
            warn(
                f"most points have no {missing}: kernel = {best.model.kernel!r} is too {fault} for them, and the "
                "evidence did not lead away from there; start from another.",
            )
    if not converged:
        warn(
            f"not converged after max_iter = {max_iter} rounds: the last brought {gain:.2g} nats, to a log evidence of "
            f"{best.log_evidence:.6g} at {best.parameters(search.parameters)}. Raise max_iter or tol.",
            ConvergenceWarning,
        )
    return OptimisedKernel(
        kernel=clone(best.model.kernel),
        model=best.model,
        log_evidence=best.log_evidence,
        path=tuple(
            KernelState(state.parameters(search.parameters), state.log_evidence, state.model.n_relevance_)
            for state in path
        ),
        n_iter=n_iter,
        converged=converged,
    )


@dataclass(frozen=True, eq=False)
class _State:
    """Parameters ln_eta (P,), the machine learned with them, and its warnings."""

    ln_eta: np.ndarray
    model: RVR | RVC
    complaints: list

    @property
    def log_evidence(self):
        return self.model.log_evidence_

    def parameters(self, names):
        values = self.model.kernel.get_params()
        return {name: values[name] for name in names}


class _Search:
    """Moves in ln eta (P,), the logarithms of all parameters to learn, one after the other."""

    def __init__(self, kernel, X, t, estimator, parameters):
        self.kernel, self.X, self.t, self.estimator, self.parameters = kernel, X, t, estimator, parameters
        ln_eta = np.log(np.concatenate([np.ravel(value) for value in parameters.values()]))
        self.start = self.learned(ln_eta, kernel)  # which also looks at what X and t are
        self.points, self.targets = np.asarray(X, dtype=float), np.asarray(t)
        if isinstance(estimator, RVC):
            classes = self.start.model.classes_
            if len(classes) > 2:
                raise ValueError(f"t must hold two classes, got {len(classes)}.")
            self.targets = self.targets == classes[1]
        self.targets = self.targets.astype(float)
        self.distinct = np.unique(self.points, axis=0)
        self.limits = np.minimum(ENOUGH, self.acquainted(kernel))  # whoever starts outside may stay there

    def values(self, ln_eta):
        """The parameters by name, numbers or tuples of numbers."""
        eta, values = iter(np.exp(ln_eta).tolist()), {}
        for name, value in self.parameters.items():
            values[name] = tuple(next(eta) for _ in value) if np.ndim(value) else next(eta)
        return values

    def kernel_at(self, ln_eta):
        return clone(self.kernel).set_params(**self.values(ln_eta))

    def learned(self, ln_eta, kernel):
        """The machine with this kernel, learned from nothing."""
        with warnings.catch_warnings(record=True) as complaints:
            warnings.simplefilter("always")
            model = clone(self.estimator).set_params(kernel=kernel).fit(self.X, self.t)
        return _State(ln_eta, model, complaints)

    def acquainted(self, kernel):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the kernel's own, when it is degenerate
            return acquaintances(kernel(self.distinct))

    def better(self, ln_eta, best):
        """The state at ln_eta, or None if it is not worthwhile, or its kernel is too narrow or too wide."""
        kernel = self.kernel_at(ln_eta)
        if np.any(self.acquainted(kernel) < self.limits):
            return None
        state = self.learned(ln_eta, kernel)
        return state if state.log_evidence > best.log_evidence + WORTHWHILE else None

    def round(self, start, radius):
        """One climb by the gradient, or, where it is in vain, a step along each parameter; returns better states."""
        moves, best = [], start
        step, stride = self.climb(start, radius) - start.ln_eta, 1.0
        while 0 < stride * np.abs(step).max() <= FARTHEST and (
            state := self.better(start.ln_eta + stride * step, best)
        ):
            moves.append(best := state)
            stride *= 2
        if moves:
            return moves
        for unit in np.eye(len(step)):
            first = 1.0 if unit @ step >= 0 else -1.0
            for side in (first, -first):
                if state := self.better(best.ln_eta + side * radius * unit, best):
                    moves.append(best := state)
                    break
        return moves

    def climb(self, state, radius):
        """Where a few gradient steps lead, with alpha and beta fixed, no parameter by more than the radius."""

        def downhill(ln_eta):
            height, gradient = self.height(ln_eta, state.model)
            return -height, -gradient

        box = [(x - radius, x + radius) for x in state.ln_eta]
        options = {"maxiter": GRADIENT_STEPS}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is tried on the way
            return minimize(
                downhill, state.ln_eta, jac=True, method="L-BFGS-B", bounds=box, options=options
            ).x

    def height(self, ln_eta, model):
        """Log evidence at ln_eta (P,) with the functions, alpha and beta of the model; its gradient (P,)."""
        Phi = model._through_features(self.X, np.copy)  # those beside the kernels do not depend on eta
        R = model.n_relevance_

        def columns(ln_eta):
            return self.kernel_at(ln_eta)(self.points, model.relevance_vectors_)

        Phi[:, :R] = columns(ln_eta)
        height, by_Phi = evidence_by_basis(
            Phi, self.targets - model._origin, model.alpha_, model.solution_.beta
        )
        gradient = np.empty(len(ln_eta))
        for p, unit in enumerate(np.eye(len(ln_eta))):
            change = columns(ln_eta + DIFFERENCE * unit) - columns(ln_eta - DIFFERENCE * unit)
            gradient[p] = np.sum(by_Phi[:, :R] * change) / (2 * DIFFERENCE)
        return height, gradient


def evidence_by_basis(Phi, t, alpha, beta):
    """Log evidence, and its derivatives with respect to the entries of Phi (N, R), with alpha and beta fixed.

    Parameters: Phi (N, R); t (N,); alpha (R,) finite; beta > 0, or None for classification, where t is 0 or 1.
    Returns: ln p(t | alpha, beta), (7.85) or by Laplace (7.114); d ln p / d Phi (N, R).

    In classification Phi moves the mode w*, with it b_n = y_n (1 - y_n), and so the determinant in (7.114); all of this
    is in the derivative. Only alpha is held fixed.
    """
    if beta is not None:
        m, Sigma = posterior(Phi, t, alpha, beta)
        return log_evidence(Phi, t, alpha, beta), beta * (np.outer(t - Phi @ m, m) - Phi @ Sigma)
    fit = laplace_fit(Phi, t, alpha)
    w, b, error, spread = fit.w, fit.b, t - fit.y, Phi @ fit.Sigma
    with_b_fixed = np.outer(error, w) - b[:, None] * spread
    # by way of b_n, d ln |H| / d b_n = phi_n' Sigma phi_n and d b_n / d a_n = b_n (1 - 2 y_n), where a = Phi w*
    by_output = -0.5 * np.sum(spread * Phi, axis=1) * b * (1 - 2 * fit.y)
    # Phi moves a directly, and by way of w*: dw* = Sigma { dPhi'(t - y) - Phi'B dPhi w* }
    by_mode = spread.T @ by_output
    by_b = np.outer(by_output - b * (Phi @ by_mode), w) + np.outer(error, by_mode)
    return fit.log_evidence, with_b_fixed + by_b


def acquaintances(K):
    """Which share of points has a neighbour, and which a stranger, in the Gram matrix K (N, N) -> (2,).

    A neighbour of x is another point z with k(x, z) >= e^-1/2 k(x, x), a stranger one with k(x, z) < 0.999 k(x, x).
    Without neighbours a kernel is too narrow for these points, without strangers too wide.
    """
    own, others = np.diagonal(K), K.copy()
    np.fill_diagonal(others, -np.inf)
    neighbour, stranger = others.max(axis=1) >= NEIGHBOUR * own, K.min(axis=1) < STRANGER * own
    return np.array([neighbour.mean(), stranger.mean()])


# ------------------------------------------------------------------ what users type


def _checked_kernel(kernel, X):
    if isinstance(kernel, str) and kernel == "precomputed":
        raise ValueError("kernel must be a kernel with parameters, got 'precomputed': a matrix has none.")
    kernel = as_kernel(kernel)
    if kernel.takes != "vectors":
        raise ValueError(
            f"kernel must take vectors, got {kernel!r} for {kernel.takes}; GridSearchCV chooses its parameters."
        )
    return kernel.adapted_to(X)


def _positive_parameters(kernel, only, X):
    """The parameters to learn, name -> value: positive numbers and arrays of them; those in `only` if it is given."""
    values = {
        name: value
        for name, value in kernel.get_params().items()
        if _is_positive(value) and _may_be_broken(kernel, name, value, X)
    }
    if only is None:
        if not values:
            raise ValueError(f"kernel must have positive parameters to learn, got {kernel!r}.")
        return values
    names = [only] if isinstance(only, str) else only
    if not isinstance(names, list | tuple) or not names or any(name not in values for name in names):
        raise ValueError(f"only must name positive parameters of the kernel, {sorted(values)}, got {only!r}.")
    return {name: values[name] for name in values if name in names}


def _is_positive(value):
    if isinstance(value, list | tuple | np.ndarray):
        return np.ndim(value) == 1 and len(value) > 0 and all(_is_positive(part) for part in value)
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and 0 < value < np.inf


def _may_be_broken(kernel, name, value, X):
    """Whether a parameter may be other than a whole number, as gamma may, but not a degree."""
    try:
        clone(kernel).set_params(**{name: np.add(value, 0.5).tolist()})(np.asarray(X, dtype=float)[:1])
    except ValueError as refusal:
        return "whole number" not in str(refusal)
    return True
