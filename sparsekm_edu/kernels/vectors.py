"""Kernels on vectors: linear, polynomial, Gaussian with one width or many, Matern, cosine, linear spline, sigmoid."""

import numpy as np

from sparsekm_edu.complaints import warn
from sparsekm_edu.kernels._exp import exp_in_place
from sparsekm_edu.kernels._matern import matern
from sparsekm_edu.kernels.base import Kernel
from sparsekm_edu.kernels.inputs import vectors
from sparsekm_edu.validation import real_number, whole_number


def _pair(X, Z):
    """Both sides of k(X, Z) as float arrays with the same number of columns; Z is X itself when None."""
    X = vectors(X)
    Z = X if Z is None else vectors(Z, "Z")
    if X.shape[1] != Z.shape[1]:
        raise ValueError(f"X and Z must have equally many columns, got {X.shape[1]} and {Z.shape[1]}.")
    return X, Z


def _squares(X):
    """x_n'x_n, (N,), for X (N, D)."""
    return np.einsum("nd,nd->n", X, X)


class Linear(Kernel):
    """k(x, z) = x'z: the feature space is the input space.

    >>> from sparsekm_edu import Linear
    >>> print(Linear()([(1.0, 2.0), (3.0, 4.0)]))
    [[ 5. 11.]
     [11. 25.]]
    """

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return X @ Z.T

    def diag(self, X):
        X = vectors(X)
        return _squares(X)


class Polynomial(Kernel):
    """k(x, z) = (offset + x'z)^degree, (7.42): all monomials up to that degree as features.

    A Mercer kernel for offset >= 0. Degree 0 is the constant kernel. kernel="poly" is Polynomial(), with the book's
    degree 2 and offset 1; scikit-learn's has degree 3 and offset 0, and a factor gamma on x'z.

    >>> from sparsekm_edu import Polynomial
    >>> print(Polynomial(degree=2)([(1.0, 2.0), (3.0, 4.0)]))
    [[ 36. 144.]
     [144. 676.]]
    """

    def __init__(self, degree=2, offset=1.0):
        self.degree = degree
        self.offset = offset

    @property
    def is_mercer(self):
        return real_number("offset", self.offset) >= 0

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return self._power(X @ Z.T)

    def diag(self, X):
        X = vectors(X)
        return self._power(_squares(X))

    def _power(self, inner):
        degree = whole_number("degree", self.degree, at_least=0)
        base = real_number("offset", self.offset) + inner
        with np.errstate(over="ignore"):
            K = base**degree  # (7.42)
        if not np.isfinite(K).all():
            raise ValueError(
                f"degree = {degree} overflows: the maximum of K would be {np.abs(base).max():g}^{degree}; "
                "lower the degree or rescale X."
            )
        return K


class Gaussian(Kernel):
    """k(x, z) = exp(-gamma |x - z|^2), (6.23) with gamma = 1 / (2 sigma^2).

    Small gamma: wide bumps, all points look alike. Large gamma: narrow bumps, each point stands alone.

    Two names leave it to the D features of the data, as in scikit-learn: gamma="scale" is 1 / (D times the variance of
    all entries of X), where that is 0 it is 1; gamma="auto" is 1 / D. A machine takes the number from the points that
    it is fitted to, `Gaussian("scale")(X)` from X. kernel=None, "gaussian" and "rbf" mean gamma="scale".

    >>> from sparsekm_edu import Gaussian
    >>> Gaussian(gamma="scale").adapted_to([[0.0], [2.0], [4.0]])
    Gaussian(gamma=0.375)
    >>> print(Gaussian(gamma=0.5)([[0.0], [1.0], [2.0]]).round(2))
    [[1.   0.61 0.14]
     [0.61 1.   0.61]
     [0.14 0.61 1.  ]]
    """

    def __init__(self, gamma=1.0):
        self.gamma = gamma

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        gamma = self._gamma(X if Z is X else None)
        return _gaussian(X, Z, gamma, gamma)

    def adapted_to(self, X, weight=None):
        copy = super().adapted_to(X, weight)
        if isinstance(self.gamma, str):
            copy.gamma = self._gamma(vectors(X), weight)
        return copy

    def diag(self, X):
        X = vectors(X)
        self._gamma(X)
        return np.ones(len(X))

    def on_grid(self, x1, x2, Z, v):
        """As `Kernel.on_grid`, but much faster: exp(-gamma |x - z|^2) is a product over the two coordinates,
        so two small matrices and one matrix product replace n1 * n2 * M exponentials."""
        gamma = self._gamma()
        return _gaussian_on_grid(x1, x2, vectors(Z, "Z"), v, gamma, gamma)

    def _gamma(self, X=None, weight=None):
        """gamma as a number, from the data X (N, D) and their weight (N,) if it is left to them."""
        if not isinstance(self.gamma, str):
            return real_number("gamma", self.gamma, above=0)
        if self.gamma not in FROM_DATA:
            names = " or ".join(map(repr, FROM_DATA))
            raise ValueError(f"gamma must be a number > 0, {names}, got {self.gamma!r}.")
        if X is None:
            raise ValueError(
                f"gamma must be a number > 0 for k(x, z) between data and other points, got {self.gamma!r}; "
                f"{self!r}.adapted_to(X) is the kernel with the number for the data X."
            )
        return FROM_DATA[self.gamma](X, weight)


def _scale(X, weight):
    """1 / (D var), where var is the variance of all entries of X (N, D), a row counting weight times; 1 if var is 0."""
    X = X - X[:1, :1]  # so that rounding leaves no variance where all entries are the same
    mean = np.average(X.mean(axis=1), weights=weight)
    variance = np.average(np.square(X - mean).mean(axis=1), weights=weight)
    return 1.0 if variance < np.finfo(float).tiny else float(1.0 / (X.shape[1] * variance))


def _auto(X, weight):
    """1 / D."""
    return 1.0 / X.shape[1]


FROM_DATA = {"scale": _scale, "auto": _auto}  # what gamma may be beside a number


class ARD(Kernel):
    """k(x, z) = exp(-sum_d gamma_d (x_d - z_d)^2): a Gaussian with a width of its own along each feature.

    gamma holds one number > 0 per feature; a single number counts for all of them. Where gamma_d is almost 0 the
    feature does not matter, so learning the gamma_d (automatic relevance determination) tells which features do.
    Tipping's eta_1, eta_2 (2001, section 4.4); (6.71) without its amplitudes.

    >>> from sparsekm_edu import ARD
    >>> k = ARD(gamma=(1.0, 1e-6))
    >>> print(k([(0.0, 0.0)], [(1.0, 0.0), (0.0, 1.0)]).round(2))
    [[0.37 1.  ]]
    """

    def __init__(self, gamma=(1.0, 1.0)):
        self.gamma = gamma

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        gamma = self._gamma(X.shape[1])
        # stretched along each feature the kernel is an ordinary Gaussian; stretching by at most 1 cannot overflow
        largest = gamma.max(initial=0.0)
        stretch = np.sqrt(gamma / largest)
        S = X * stretch
        return _gaussian(S, S if Z is X else Z * stretch, largest, self.gamma)

    def diag(self, X):
        X = vectors(X)
        self._gamma(X.shape[1])
        return np.ones(len(X))

    def on_grid(self, x1, x2, Z, v):
        """As `Kernel.on_grid`, but much faster: a product over the two coordinates, as for Gaussian."""
        return _gaussian_on_grid(x1, x2, vectors(Z, "Z"), v, *self._gamma(2))

    def _gamma(self, n_features):
        """gamma as an array, (n_features,)."""
        gamma = self.gamma.tolist() if isinstance(self.gamma, np.ndarray) else self.gamma
        if not isinstance(gamma, list | tuple):
            return np.full(n_features, real_number("gamma", gamma, above=0))
        gamma = np.array([real_number(f"gamma[{d}]", value, above=0) for d, value in enumerate(gamma)])
        if len(gamma) != n_features:
            raise ValueError(
                f"gamma must hold one number per feature: got {len(gamma)} for points with {n_features} features."
            )
        return gamma


class Matern(Kernel):
    """k(x, z) = 2^(1 - nu) / Gamma(nu) s^nu K_nu(s), s = sqrt(2 nu) |x - z| / length, (14.20): bumps of any roughness.

    length > 0 is the distance over which values stay alike; nu > 0 says how smooth they are. K_nu is a Bessel
    function, which nobody has to know: with r = |x - z| / length the kernel is

        nu = 1/2        exp(-r), (14.21), whose functions are continuous and have no slope anywhere
        nu = 3/2        (1 + s) exp(-s), s = sqrt(3) r: their slope is continuous
        nu = 5/2        (1 + s + s^2/3) exp(-s), s = sqrt(5) r: and so is their curvature
        nu = infinity   exp(-r^2/2), the Gaussian with sigma = length: as smooth as can be

    For other nu Bessel's function is computed, for nu > 20 by its asymptotic series, for many points at once by
    polynomials in between: correct to 12 digits, and the faster the more points there are.

    >>> from sparsekm_edu import Matern
    >>> print(Matern(nu=0.5)([[0.0], [1.0], [2.0]]).round(2))
    [[1.   0.37 0.14]
     [0.37 1.   0.37]
     [0.14 0.37 1.  ]]
    """

    def __init__(self, nu=1.5, length=1.0):
        self.nu = nu
        self.length = length

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return matern(X, Z, *self._parameters())

    def diag(self, X):
        self._parameters()
        return np.ones(len(vectors(X)))

    def _parameters(self):
        nu = real_number("nu", self.nu, above=0, infinite=True)
        return nu, real_number("length", self.length, above=0)


class Cosine(Kernel):
    """k(x, z) = x'z / (|x| |z|), (14.4): the cosine of the angle between two vectors, whatever their lengths.

    The vector 0 has no direction: with it k is 0.

    >>> from sparsekm_edu import Cosine
    >>> print(Cosine()([(1.0, 0.0), (3.0, 4.0), (0.0, 0.0)]))
    [[1.  0.6 0. ]
     [0.6 1.  0. ]
     [0.  0.  0. ]]
    """

    def __call__(self, X, Z=None):
        gram = Z is None
        X, Z = _pair(X, Z)
        K = np.clip(_directions(X) @ _directions(Z).T, -1.0, 1.0)
        if gram:
            np.fill_diagonal(K, X.any(axis=1))
        return K

    def diag(self, X):
        return vectors(X).any(axis=1).astype(float)


def _directions(X):
    """The rows of X (N, D) at length 1; rows of zeros stay."""
    largest = np.abs(X).max(axis=1, keepdims=True, initial=0.0)
    X = X / np.where(largest > 0.0, largest, 1.0)  # so that the squares of tiny numbers do not vanish
    length = np.sqrt(_squares(X))[:, None]
    return X / np.where(length > 0.0, length, 1.0)


class Sigmoid(Kernel):
    """k(x, z) = tanh(scale x'z + offset), scale > 0, (14.17): a hidden unit of a neural network. Not a Mercer kernel.

    Two points are enough to see it. At x = 1, 2 with tanh(x z - 1) the Gram matrix has an eigenvalue -0.412: no
    features phi have phi(x)'phi(z) = k(x, z), since |v_1 phi(1) + v_2 phi(2)|^2 would have to be negative.

    >>> import numpy as np
    >>> from sparsekm_edu import Sigmoid
    >>> K = Sigmoid(scale=1.0, offset=-1.0)([[1.0], [2.0]])
    >>> print(K.round(3), np.linalg.eigvalsh(K).round(3))
    [[0.    0.762]
     [0.762 0.995]] [-0.412  1.407]
    """

    is_mercer = False

    def __init__(self, scale=1.0, offset=0.0):
        self.scale = scale
        self.offset = offset

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        return self._tanh(X @ Z.T)

    def diag(self, X):
        return self._tanh(_squares(vectors(X)))

    def _tanh(self, inner):
        scale, offset = real_number("scale", self.scale, above=0), real_number("offset", self.offset)
        with np.errstate(over="ignore"):
            return np.tanh(scale * inner + offset)  # (14.17)


class LinearSpline(Kernel):
    """Splines made of cubic pieces, Tipping's kernel (2001, section 4.1; Vapnik's "linear spline"):

        k(x, z) = prod_d 1 + x z + x z min(x, z) - (x + z)/2 min(x, z)^2 + min(x, z)^3/3,   x = x_d, z = z_d

    For x, z >= 0 each factor is 1 + x z + the integral over u > 0 of (x - u)+ (z - u)+, an inner product: a Mercer
    kernel. With points on both sides of 0 it is not: on [-10, 10], where Tipping uses it, Gram matrices have negative
    eigenvalues. Relevance vector machines do not mind; for support vector machines shift the points to x >= 0 first.

    >>> from sparsekm_edu import LinearSpline
    >>> print(LinearSpline()([[0.0], [1.0], [2.0]]).round(2))
    [[1.   1.   1.  ]
     [1.   2.33 3.83]
     [1.   3.83 7.67]]
    """

    is_mercer = None  # it depends on the points

    def __call__(self, X, Z=None):
        X, Z = _pair(X, Z)
        with np.errstate(over="ignore", invalid="ignore"):
            K = np.ones((len(X), len(Z)))
            for d in range(X.shape[1]):
                K *= self._factor(X[:, d, None], Z[:, d])
        return self._finite(K)

    def diag(self, X):
        X = vectors(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self._factor(X, X).prod(axis=1))

    def on_grid(self, x1, x2, Z, v):
        """As `Kernel.on_grid`, but much faster: a product over the two coordinates, as for Gaussian."""
        K1, K2 = (self(np.asarray(x)[:, None], Z[:, d, None]) for d, x in enumerate((x1, x2)))
        return (K2 * v) @ K1.T

    @staticmethod
    def _factor(x, z):
        """The kernel along one feature, for numbers x and z of any shape, with its three last terms made one."""
        lower, upper = np.minimum(x, z), np.maximum(x, z)
        return 1.0 + x * z + lower**2 * (upper / 2 - lower / 6)

    @staticmethod
    def _finite(K):
        if not np.isfinite(K).all():
            raise ValueError("The linear spline overflows on these points: rescale X.")
        return K


def _gaussian(X, Z, gamma, shown):
    """Matrix of exp(-gamma |x - z|^2), (N, M), the Gram matrix if Z is X; `shown` is gamma as the user gave it."""
    # -|x - z|^2 = 2 x'z - x'x - z'z is one matrix product, but it cancels badly far from the origin:
    # centre first; and what rounding makes positive counts as 0.
    gram = Z is X
    centre = Z.mean(axis=0) if len(Z) else 0.0
    X, Z = X - centre, Z - centre
    left = np.concatenate([2.0 * X, _squares(X)[:, None], np.ones((len(X), 1))], axis=1)
    right = np.concatenate([Z, np.full((len(Z), 1), -1.0), -_squares(Z)[:, None]], axis=1)
    K = left @ right.T
    if gram:
        np.fill_diagonal(K, 0.0)
    exp_in_place(K, gamma)
    if gram:
        _warn_if_degenerate(K, X, shown)
    return K


def _gaussian_on_grid(x1, x2, Z, v, gamma_1, gamma_2):
    """sum_m v_m exp(-gamma_1 (x1 - z_m1)^2) exp(-gamma_2 (x2 - z_m2)^2) on a grid, (n2, n1)."""
    E1 = -((np.asarray(x1)[:, None] - Z[:, 0]) ** 2)
    E2 = -((np.asarray(x2)[:, None] - Z[:, 1]) ** 2)
    exp_in_place(E1, gamma_1)  # (n1, M)
    exp_in_place(E2, gamma_2)  # (n2, M)
    return (E2 * v) @ E1.T


def _warn_if_degenerate(K, X, gamma):
    far = K[0, 1:]  # a look at one row tells almost every healthy matrix
    if len(far) == 0 or (far.max() > 0.0 and far.min() < 1.0) or not np.ptp(X, axis=0).any():
        return
    if K.min() == 1.0:
        what = "all entries are 1 (every point looks the same): gamma is too small"
    elif np.count_nonzero(K) == len(K):
        what = "it is the identity (every point stands alone): gamma is too large"
    else:
        return
    shown = f"{gamma:g}" if np.ndim(gamma) == 0 else f"{gamma!r}"
    warn(f"degenerate Gram matrix for gamma = {shown}: {what} for these points.")
