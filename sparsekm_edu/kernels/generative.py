"""Kernels out of probabilistic models (MLaPP 14.2.8).

`ProbabilityProduct` asks how much two densities overlap, one around each point. `Fisher` asks into which direction each
input would pull the parameters of one model of all the data. Its models are `GaussianMean` for vectors, `Multinomial`
for counts, `MarkovChain` for strings.
"""

import math
from abc import ABC, abstractmethod
from copy import deepcopy

import numpy as np
from sklearn.base import BaseEstimator

from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.inputs import as_inputs, vectors
from sparsekm_edu.kernels.vectors import Gaussian
from sparsekm_edu.validation import real_number, shown, whole_number


class ProbabilityProduct(Kernel):
    """k(x, z) = integral of p(u|x)^rho p(u|z)^rho du with p(u|x) = N(u|x, sigma^2 I), (14.23) (Jebara et al. 2004).

    Around each of the two points stands a Gaussian of width sigma; k is large where they overlap. In D dimensions

        k(x, z) = (2 pi sigma^2)^(-rho D) (pi sigma^2 / rho)^(D/2) exp(-rho |x - z|^2 / (4 sigma^2)),

    a Gaussian kernel times a constant. rho = 1 is (14.24), the expected likelihood; rho = 1/2 is Bhattacharyya's
    affinity, where the constant is 1: every density overlaps with itself by 1.

    >>> from sparsekm_edu import ProbabilityProduct
    >>> print(ProbabilityProduct(rho=0.5)([[0.0], [2.0]]).round(3))
    [[1.    0.607]
     [0.607 1.   ]]
    """

    def __init__(self, rho=1.0, sigma=1.0):
        self.rho = rho
        self.sigma = sigma

    def __call__(self, X, Z=None):
        X = vectors(X)
        gaussian, constant = self._parts(X.shape[1])
        return constant * gaussian(X, Z)

    def diag(self, X):
        X = vectors(X)
        return np.full(len(X), self._parts(X.shape[1])[1])

    def on_grid(self, x1, x2, Z, v):
        gaussian, constant = self._parts(2)
        return constant * gaussian.on_grid(x1, x2, Z, v)

    def _parts(self, D):
        """The Gaussian kernel, and the constant in front of it for points with D coordinates."""
        rho, sigma = real_number("rho", self.rho, above=0), real_number("sigma", self.sigma, above=0)
        variance = sigma * sigma
        if 0.0 < variance < math.inf and 0.0 < (gamma := rho / (4.0 * variance)) < math.inf:
            log = -rho * D * math.log(2 * math.pi * variance) + 0.5 * D * math.log(math.pi * variance / rho)
            if abs(log) < 700.0:  # beyond this the exponential overflows, or is 0
                return Gaussian(gamma), math.exp(log)  # (14.24) if rho = 1
        raise ValueError(
            f"rho = {rho:g} and sigma = {sigma:g} give a kernel out of the range of numbers for points with {D} "
            "coordinates; take both nearer to 1, or rescale X."
        )


class Fisher(Kernel):
    """k(x, z) = g(x)' F^-1 g(z), (14.25), with the score g(x) = d log p(x|theta) / d theta at theta-hat, (14.26).

    One model is fitted to all the data. The score of x is the direction into which x alone would move the parameters;
    two inputs are alike if they pull the same way. F, the Fisher information, is the metric that makes k
    independent of how theta is written down:

        F = E[g(x) g(x)'] = -E[d^2 log p(x|theta) / d theta^2],   x drawn from the model at theta-hat

    (14.27) lacks the minus sign, and the expectation.

    Parameters: model, `GaussianMean()`, `Multinomial()` or `MarkovChain()`. Unless its theta is given it is learned:
    a machine takes theta-hat from what it is fitted to, `Fisher(model)(X)` and `Fisher(model).adapted_to(X)` from X.

    The code multiplies the vectors F^(-1/2) g(x), which each model knows in closed form (`model.whitened`).

    >>> from sparsekm_edu import Fisher
    >>> from sparsekm_edu.kernels import GaussianMean, MarkovChain
    >>> print(Fisher(GaussianMean())([[1.0], [2.0], [6.0]]))  # the mean is 3
    [[ 4.  2. -6.]
     [ 2.  1. -3.]
     [-6. -3.  9.]]
    >>> kernel = Fisher(MarkovChain()).adapted_to(["abab", "baba", "aabb"])
    >>> print(kernel(["abab"], ["baba", "aabb"]).round(1))
    [[ 3.6 -4.4]]
    """

    def __init__(self, model):
        self.model = model

    @property
    def takes(self):
        return self._checked().takes

    def __call__(self, X, Z=None):
        model = self._fitted(X if Z is None else None)
        phi = model.whitened(X)
        return phi @ (phi if Z is None else model.whitened(Z, "Z")).T  # (14.25)

    def diag(self, X):
        phi = self._fitted(X).whitened(X)
        return np.einsum("np,np->n", phi, phi)

    def adapted_to(self, X, weight=None):
        copy = deepcopy(self)
        copy.model = self._fitted(X, weight)
        return copy

    def _checked(self):
        if not isinstance(self.model, GenerativeModel):
            raise ValueError(
                "model must be one of GaussianMean(), Multinomial() and MarkovChain(), or another GenerativeModel, got "
                f"{shown(self.model)}."
            )
        return self.model

    def _fitted(self, X=None, weight=None):
        """The model with its theta, from N inputs X if it is left to them."""
        model = self._checked()
        if model.theta is not None:
            return model
        if X is None:
            raise ValueError(
                f"theta of {model!r} must be known for k(x, z) between data and other inputs; "
                f"{self!r}.adapted_to(X) is the kernel with the theta-hat of the data X."
            )
        return model.fitted_to(X, weight)


class GenerativeModel(BaseEstimator, ABC):
    """A model p(x|theta) of one input, for the Fisher kernel. theta=None is to be learned."""

    takes = "vectors"

    @abstractmethod
    def fitted_to(self, X, weight=None):
        """A copy with the theta-hat of N inputs X, which count weight (N,) times each (None: once)."""

    @abstractmethod
    def score(self, X):
        """g(x_n), (N, P), the gradient of log p(x_n|theta) in the P parameters, (14.26)."""

    @abstractmethod
    def information(self):
        """F = E[g g'], (P, P); not invertible where more parameters are written down than are free."""

    @abstractmethod
    def whitened(self, X, name="X"):
        """Vectors (N, P) whose inner products are g(x)' F^+ g(z); F^+ is the (pseudo-)inverse of F."""

    def _copy(self, **learned):
        copy = deepcopy(self)
        for parameter, value in learned.items():
            setattr(copy, parameter, value)
        return copy


class GaussianMean(GenerativeModel):
    """x is N(theta, sigma^2 I): g(x) = (x - theta) / sigma^2 and F = I / sigma^2, the linear kernel of centred points.

    Fisher(GaussianMean())(x, z) = (x - theta)'(z - theta) / sigma^2. With theta = 0 and sigma = 1 it is `Linear()`.

    Parameters: sigma > 0; theta (D,), the mean, or one number for all coordinates; None: the mean of the data.

    >>> from sparsekm_edu.kernels import GaussianMean
    >>> model = GaussianMean(sigma=2.0).fitted_to([[1.0], [3.0]])
    >>> print(model.theta, model.score([[6.0]]))
    [2.] [[1.]]
    """

    def __init__(self, sigma=1.0, theta=None):
        self.sigma = sigma
        self.theta = theta

    def fitted_to(self, X, weight=None):
        X = vectors(X)
        if len(X) == 0:
            raise ValueError("theta of GaussianMean() needs at least one point, got none.")
        return self._copy(theta=np.average(X, axis=0, weights=weight))

    def score(self, X):
        return self._centred(X) / self._sigma() ** 2

    def information(self):
        return np.eye(np.size(self.theta)) / self._sigma() ** 2

    def whitened(self, X, name="X"):
        return self._centred(X, name) / self._sigma()

    def _sigma(self):
        return real_number("sigma", self.sigma, above=0)

    def _centred(self, X, name="X"):
        X = vectors(X, name)
        theta = np.asarray(self.theta, dtype=float)
        if theta.ndim and theta.shape != X.shape[1:]:
            raise ValueError(
                f"theta must hold one number per column of {name}, got shape {theta.shape} for {X.shape[1]} columns."
            )
        return X - theta


class Multinomial(GenerativeModel):
    """x counts how often each of D things was drawn, theta_d is the probability of thing d; n_x = sum_d x_d draws.

    With theta = softmax(eta) the score in eta is g(x) = x - n_x theta: counts beyond what was to be expected. The
    information of one draw is F = diag(theta) - theta theta'. It is singular, since adding a constant to all eta_d
    changes nothing; g has no part in that direction, and diag(1/theta) serves as inverse. So

        Fisher(Multinomial())(x, z) = sum_d x_d z_d / theta_d - n_x n_z.

    To share a rare thing counts more than to share a common one. Any other way to write theta gives the same kernel.

    Parameters: pseudo_count >= 0, added to the count of each thing, so that what the data lack is not impossible;
    theta (D,) > 0 with sum 1; None: the shares in all the data together.

    >>> from sparsekm_edu import Fisher
    >>> from sparsekm_edu.kernels import Multinomial
    >>> print(Fisher(Multinomial(theta=(0.5, 0.25, 0.25)))([(1, 0, 0), (0, 1, 0), (0, 0, 1)]))
    [[ 1. -1. -1.]
     [-1.  3. -1.]
     [-1. -1.  3.]]
    """

    def __init__(self, pseudo_count=1.0, theta=None):
        self.pseudo_count = pseudo_count
        self.theta = theta

    def fitted_to(self, X, weight=None):
        X = self._counts(X)
        return self._copy(
            theta=_shares(X if weight is None else X * np.asarray(weight)[:, None], self.pseudo_count)
        )

    def score(self, X):
        return self._excess(X)

    def information(self):
        theta = np.asarray(self.theta, dtype=float)
        return np.diag(theta) - np.outer(theta, theta)

    def whitened(self, X, name="X"):
        excess = self._excess(X, name)
        return excess / np.sqrt(np.asarray(self.theta, dtype=float))

    def _excess(self, X, name="X"):
        """x - n_x theta, (N, D)."""
        X = self._counts(X, name)
        theta = _probabilities(self.theta, (X.shape[1],))
        return X - X.sum(axis=1, keepdims=True) * theta

    @staticmethod
    def _counts(X, name="X"):
        X = vectors(X, name)
        if X.min(initial=0.0) < 0:
            raise ValueError(f"{name} must hold counts >= 0, got {X.min():g}.")
        return X


class MarkovChain(GenerativeModel):
    """Strings whose next letter depends on the last `order` letters: p(x|theta) = prod_t theta[c_t, x_t].

    The context c_t is the `order` letters before x_t; the first `order` letters of a string are taken as given. A
    string pulls at the distribution of the next letter in every context that it visits. With n_ca = how often letter a
    follows context c, n_c = sum_a n_ca, and each row of theta written as a softmax,

        g(x)_ca = n_ca - n_c theta_ca
        Fisher(MarkovChain())(x, z) = sum_c (sum_a n_ca m_ca / theta_ca - n_c m_c) / pi_c

    where m counts in z, and pi_c is how often the chain visits context c in the long run. F is the information of one
    letter of an endless string. It has a block pi_c (diag(theta_c) - theta_c theta_c') for each context, singular as in
    `Multinomial`; order 0 is `Multinomial` on the counts of letters.

    Is this a string kernel (MLaPP 14.2.8.2)? If all letters are equally likely, theta = 1/A, it is

        A^(order + 1) Spectrum(order + 1)(x, z) - A^order Spectrum(order)(x, z without their last letters).

    The first term alone, the spectrum kernel, comes out if one forgets that the rows of theta sum to 1 and puts F = I,
    up to a factor: then g_ca = n_ca / theta_ca = A n_ca. This is the case of Saunders et al. (2003).

    Parameters: alphabet, a string of all A letters; None: the letters of the data. order >= 0. pseudo_count >= 0, added
    to every n_ca of the data, so that what the data lack is not impossible. theta, (A^order, A) > 0, one row per
    context in the order of the alphabet, each with sum 1; None: from the data.

    >>> from sparsekm_edu.kernels import MarkovChain
    >>> model = MarkovChain(pseudo_count=0).fitted_to(["aaabba"])
    >>> print(model.alphabet, model.theta.round(2).tolist())
    ab [[0.67, 0.33], [0.5, 0.5]]
    >>> print(model.score(["ab"]).round(2))
    [[-0.67  0.67  0.    0.  ]]
    """

    takes = "strings"

    LARGEST = 10_000  # number of parameters

    def __init__(self, alphabet=None, order=1, pseudo_count=1.0, theta=None):
        self.alphabet = alphabet
        self.order = order
        self.pseudo_count = pseudo_count
        self.theta = theta

    def fitted_to(self, X, weight=None):
        strings = as_inputs(X, "strings")
        found = "".join(sorted(set().union(*strings))) if self.alphabet is None else self.alphabet
        model = self._copy(alphabet=found)
        counts = model._counts(strings)
        if weight is not None:
            counts = counts * np.asarray(weight)[:, None, None]
        model.theta = _shares(counts, self.pseudo_count)
        return model

    def score(self, X):
        excess, theta = self._excess(X)
        return excess.reshape(len(excess), theta.size)

    def information(self):
        A, contexts = self._sizes()
        theta = _probabilities(self.theta, (contexts, A))
        F = np.zeros((contexts, A, contexts, A))
        for c, (row, often) in enumerate(zip(theta, self._visits(theta), strict=True)):
            F[c, :, c, :] = often * (np.diag(row) - np.outer(row, row))
        return F.reshape(contexts * A, contexts * A)

    def whitened(self, X, name="X"):
        excess, theta = self._excess(X, name)
        phi = excess / np.sqrt(self._visits(theta)[:, None] * theta)
        return phi.reshape(len(phi), theta.size)

    def _excess(self, X, name="X"):
        """n_ca - n_c theta_ca, (N, contexts, A), and theta as an array."""
        counts = self._counts(as_inputs(X, "strings", name), name)
        theta = _probabilities(self.theta, counts.shape[1:])
        return counts - counts.sum(axis=2, keepdims=True) * theta, theta

    def _counts(self, strings, name="X"):
        """n_ca of each string, (N, contexts, A)."""
        A, contexts = self._sizes()
        order, number = self.order, {letter: a for a, letter in enumerate(self.alphabet)}
        counts = np.zeros((len(strings), contexts * A))
        powers = A ** np.arange(order, -1, -1)  # a context and its letter are the digits of a number
        for n, string in enumerate(strings):
            try:
                letters = np.array([number[letter] for letter in string], dtype=int)
            except KeyError as missing:
                raise ValueError(
                    f"{name} must hold letters of the alphabet {self.alphabet!r}, got {missing.args[0]!r} in the "
                    f"string at index {n}; give alphabet= with all letters that can occur."
                ) from None
            if len(letters) > order:
                words = np.lib.stride_tricks.sliding_window_view(letters, order + 1) @ powers
                counts[n] = np.bincount(words, minlength=contexts * A)
        return counts.reshape(len(strings), contexts, A)

    def _sizes(self):
        """The number of letters A, and of contexts, A^order."""
        order = whole_number("order", self.order, at_least=0)
        if not isinstance(self.alphabet, str) or len(set(self.alphabet)) < len(self.alphabet):
            raise ValueError(f"alphabet must be a string of different letters, got {shown(self.alphabet)}.")
        A = len(self.alphabet)
        if A == 0:
            raise ValueError(
                "alphabet must hold a letter; strings without letters have nothing to learn from."
            )
        if A > 1 and (order + 1) * math.log(A) > math.log(self.LARGEST):
            raise ValueError(
                f"order must be so small that {A} letters have at most {self.LARGEST} parameters, got {order} with "
                f"{A}^{order + 1}."
            )
        return A, A**order

    def _visits(self, theta):
        """pi, (contexts,): how often the chain visits each context in the long run."""
        contexts, A = theta.shape
        P = np.zeros((contexts, contexts))
        here = np.arange(contexts)
        for a in range(A):  # a letter later the context has lost its first letter and has a at its end
            np.add.at(P, (here, (A * here + a) % contexts), theta[:, a])
        return np.linalg.solve((np.eye(contexts) - P + 1.0).T, np.ones(contexts))  # pi = pi P, sum 1


def _shares(counts, pseudo_count):
    """Counts (N, ..., A), summed over the data and divided by their sum over the last axis: shares of each thing."""
    total = counts.sum(axis=0) + real_number("pseudo_count", pseudo_count, at_least=0)
    if (total <= 0).any():
        raise ValueError(
            f"pseudo_count must be > 0 where the data lack something, got {pseudo_count!r}: it would be impossible."
        )
    return total / total.sum(axis=-1, keepdims=True)


def _probabilities(theta, shape):
    """theta as an array of this shape, checked: all > 0, rows with sum 1."""
    given = np.asarray(theta, dtype=float)
    if (
        given.shape != shape
        or not (given > 0).all()
        or not np.allclose(given.sum(axis=-1), 1.0, rtol=0, atol=1e-9)
    ):
        raise ValueError(
            f"theta must hold probabilities > 0 with sum 1 along the last axis, in shape {shape}, got {shown(theta)}."
        )
    return given
