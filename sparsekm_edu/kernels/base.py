"""What every kernel can do: be called on inputs, be added and multiplied, be searched over.

A kernel is a small scikit-learn estimator without `fit`: its parameters are constructor arguments, checked
when it is called. `Gaussian(gamma=0.5)(X, Z)` is the (N, M) matrix of k(x_n, z_m). Sums and products of
kernels are kernels again, so `Linear() + 2.0 * Gaussian(0.5)` can be called, cloned, and tuned by its parts
(`kernel__right__kernel__gamma`). It is written as one would type it.

Inputs are vectors, the rows of X (N, D); or strings, documents, sets of vectors: then X is a list of them, and
`kernel.takes` says which.

A parameter may be left to the data, `Gaussian(gamma="scale")`. `kernel.adapted_to(X)` is the kernel with the number
that the points X give; machines do this when they are fitted, and keep it as `kernel_`.
"""

from copy import deepcopy
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator

from sparsekm_edu.kernels.inputs import as_inputs
from sparsekm_edu.validation import real_number


class Kernel(BaseEstimator):
    """A function k(x, z) of two points. Subclasses define `__call__`; the rest has working defaults.

    >>> import numpy as np
    >>> from sparsekm_edu.kernels import Kernel
    >>> class Cosine(Kernel):
    ...     def __call__(self, X, Z=None):
    ...         Z = X if Z is None else Z
    ...         return X @ Z.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))
    >>> X = np.array([(1.0, 0.0), (3.0, 4.0)])
    >>> print((Cosine() + 2.0 * Cosine())(X))
    [[3.  1.8]
     [1.8 3. ]]
    """

    __array_ufunc__ = None  # so that np.float64(2.0) * kernel reaches __rmul__ below

    #: What one input is: "vectors", "strings" (documents are strings) or "sets" of vectors; see kernels/inputs.py.
    takes = "vectors"

    #: True if every Gram matrix of this kernel is positive semi-definite, None if nobody knows.
    is_mercer = True

    def __call__(self, X, Z=None):
        """Matrix of k(x_n, z_m), (N, M), for N inputs X and M inputs Z; the Gram matrix of X if Z is None."""
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(X, Z=None).")

    def adapted_to(self, X, weight=None):
        """A copy with a number wherever a parameter, of this kernel or of its parts, was left to the data.

        Parameters: N inputs X; weight (N,) > 0, how many inputs each one counts for (None: one each).
        """
        copy = deepcopy(self)
        for name, part in self.get_params(deep=False).items():
            if isinstance(part, Kernel):
                setattr(copy, name, part.adapted_to(X, weight))
        return copy

    def diag(self, X):
        """The values k(x_n, x_n), (N,), for N inputs X."""
        # some points at a time: the diagonal must not take the memory of the whole matrix
        blocks = [X[start : start + 100] for start in range(0, len(X), 100)]
        return np.concatenate([np.diagonal(self(block)) for block in blocks]) if blocks else np.empty(0)

    def on_grid(self, x1, x2, Z, v):
        """sum_m v_m k(x, z_m) at every point x = (x1[i], x2[j]) of a grid: what contour plots draw.

        Parameters: x1 (n1,), x2 (n2,) the axes of the grid; Z (M, 2); v (M,).
        Returns: (n2, n1), rows along x2, as `contour(x1, x2, ...)` expects.
        """
        points = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        return (self(points, Z) @ v).reshape(len(x2), len(x1))

    def __add__(self, other):
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, Kernel):
            return Product(self, other)
        return Scaled(other, self) if isinstance(other, Real) else NotImplemented

    __rmul__ = __mul__


class Pair(Kernel):
    """A kernel made of two, which are Mercer kernels or not; `Sum` and `Product` say how they are joined."""

    def __init__(self, left, right):
        self.left = left
        self.right = right

    @property
    def takes(self):
        if self.left.takes != self.right.takes:
            raise ValueError(
                f"kernels can be joined if they take the same inputs, got {self.left!r} for {self.left.takes} and "
                f"{self.right!r} for {self.right.takes}."
            )
        return self.left.takes

    def _inputs(self, X, Z):
        """X and Z as both parts take them, Z None if it was."""
        return as_inputs(X, self.takes), None if Z is None else as_inputs(Z, self.takes, "Z")

    @property
    def is_mercer(self):
        """True if both are; else nobody knows: what one has too little of, the other may have to spare."""
        return True if self.left.is_mercer and self.right.is_mercer else None


class Sum(Pair):
    """k(x, z) = left(x, z) + right(x, z), valid by (6.17).

    >>> from sparsekm_edu import Gaussian, Linear
    >>> print((Linear() + Gaussian())([[0.0], [1.0]]).round(2))
    [[1.   0.37]
     [0.37 2.  ]]
    """

    def __repr__(self, N_CHAR_MAX=700):  # scikit-learn passes its limit
        return f"{self.left} + {_in_brackets(self.right, Sum)}"

    def __call__(self, X, Z=None):
        X, Z = self._inputs(X, Z)
        return self.left(X, Z) + self.right(X, Z)

    def diag(self, X):
        return self.left.diag(X) + self.right.diag(X)

    def on_grid(self, x1, x2, Z, v):
        return self.left.on_grid(x1, x2, Z, v) + self.right.on_grid(x1, x2, Z, v)


class Product(Pair):
    """k(x, z) = left(x, z) right(x, z), valid by (6.18).

    >>> from sparsekm_edu import Gaussian, Linear
    >>> print((Linear() * Gaussian())([[1.0], [2.0]]).round(2))
    [[1.   0.74]
     [0.74 4.  ]]
    """

    def __repr__(self, N_CHAR_MAX=700):  # scikit-learn passes its limit
        return f"{_in_brackets(self.left, Sum)} * {_in_brackets(self.right, Sum | Product | Scaled)}"

    def __call__(self, X, Z=None):
        X, Z = self._inputs(X, Z)
        return self.left(X, Z) * self.right(X, Z)

    def diag(self, X):
        return self.left.diag(X) * self.right.diag(X)


class Scaled(Kernel):
    """k(x, z) = scale * kernel(x, z) with scale > 0, valid by (6.13).

    >>> from sparsekm_edu import Gaussian
    >>> print((3.0 * Gaussian())([[0.0], [1.0]]).round(2))
    [[3.  1.1]
     [1.1 3. ]]
    """

    def __init__(self, scale, kernel):
        self.scale = scale
        self.kernel = kernel

    def __repr__(self, N_CHAR_MAX=700):  # scikit-learn passes its limit
        scale = self.scale.item() if isinstance(self.scale, np.generic) else self.scale
        return f"{scale!r} * {_in_brackets(self.kernel, Sum | Product | Scaled)}"

    @property
    def takes(self):
        return self.kernel.takes

    @property
    def is_mercer(self):
        return self.kernel.is_mercer

    def __call__(self, X, Z=None):
        return real_number("scale", self.scale, above=0) * self.kernel(X, Z)

    def diag(self, X):
        return real_number("scale", self.scale, above=0) * self.kernel.diag(X)

    def on_grid(self, x1, x2, Z, v):
        return real_number("scale", self.scale, above=0) * self.kernel.on_grid(x1, x2, Z, v)


class Normalised(Kernel):
    """k(x, z) / sqrt(k(x, x) k(z, z)): every input at length 1 in the feature space, so that long ones do not win.

    Where k(x, x) = 0, as for an empty string, the value is 0. A Mercer kernel if the given one is.

    >>> from sparsekm_edu import Linear, Normalised
    >>> print(Normalised(Linear())([(1.0, 0.0), (3.0, 4.0)]))
    [[1.  0.6]
     [0.6 1. ]]
    """

    def __init__(self, kernel):
        self.kernel = kernel

    @property
    def takes(self):
        if not isinstance(self.kernel, Kernel):
            raise ValueError(f"Normalised takes a kernel object, got {self.kernel!r}.")
        return self.kernel.takes

    @property
    def is_mercer(self):
        return self.kernel.is_mercer

    def __call__(self, X, Z=None):
        X = as_inputs(X, self.takes)
        K = self.kernel(X, Z)
        if Z is None:
            squares = np.diagonal(K).copy()
            lengths = other_lengths = self._lengths(squares)
        else:
            lengths, other_lengths = self._lengths(self.kernel.diag(X)), self._lengths(self.kernel.diag(Z))
        K = K / lengths[:, None] / other_lengths  # not by their product, which may overflow
        if Z is None:
            np.fill_diagonal(K, squares > 0.0)  # exactly 1
        return K

    def diag(self, X):
        squares = self.kernel.diag(X)
        self._lengths(squares)
        return (squares > 0.0).astype(float)

    def _lengths(self, squares):
        """sqrt(k(x, x)), (N,), and infinity where it is 0, so that what is divided by it is 0."""
        if (negative := np.flatnonzero(~(squares >= 0.0))).size:
            n = negative[0]
            raise ValueError(
                f"a kernel can be normalised where k(x, x) >= 0, got {squares[n]:g} from {self.kernel!r} for the input "
                f"at index {n}."
            )
        return np.where(squares > 0.0, np.sqrt(squares), np.inf)


def _in_brackets(part, kinds):
    """A part of a kernel as Python would have to read it: in brackets if it is of these kinds."""
    return f"({part})" if isinstance(part, kinds) else f"{part}"


class Function(Kernel):
    """A plain Python function f(X, Z) -> (N, M) as a kernel; its answers are checked, its errors named.

    takes : what X and Z hold, "vectors", "strings" or "sets".

    >>> import numpy as np
    >>> from sparsekm_edu.kernels import Function
    >>> k = Function(lambda X, Z: np.minimum(X, Z.T))
    >>> print(k(np.array([[1.0], [2.0]])))
    [[1. 1.]
     [1. 2.]]
    """

    is_mercer = None

    def __init__(self, function, takes="vectors"):
        self.function = function
        self.takes = takes

    def __call__(self, X, Z=None):
        Z = X if Z is None else Z
        if len(X) == 0 or len(Z) == 0:
            return np.empty((len(X), len(Z)))  # many functions refuse what is empty
        name = getattr(self.function, "__name__", repr(self.function))
        try:
            K = np.asarray(self.function(X, Z), dtype=float)
        except Exception as error:
            raise ValueError(f"The kernel {name} raised {type(error).__name__}: {error}") from error
        if K.shape != (len(X), len(Z)):
            raise ValueError(f"The kernel {name} must return shape {(len(X), len(Z))}, got {K.shape}.")
        if not np.isfinite(K).all():
            raise ValueError(f"The kernel {name} returned NaN or infinity.")
        return K
