"""Algorithms that know their data through inner products only, with a kernel in their place (MLaPP 14.4)."""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackError, eigsh
from scipy.spatial.distance import cdist
from sklearn.base import (
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils import check_array, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sparsekm_edu.complaints import warn
from sparsekm_edu.kernels import Gaussian, Linear, as_kernel
from sparsekm_edu.kernels.mercer import directed
from sparsekm_edu.models.base import KernelEstimator
from sparsekm_edu.models.documentation import spelled_out
from sparsekm_edu.models.memory import check_room, in_blocks
from sparsekm_edu.solvers import k_medoids, ridge_dual, ridge_leave_one_out
from sparsekm_edu.solvers.dual.gram import as_gram
from sparsekm_edu.validation import real_number, whole_number


@spelled_out
class KernelKNN(ClassifierMixin, KernelEstimator):
    """Nearest neighbours in the feature space of a kernel: the neighbours of x vote (MLaPP 14.4.1).

        |phi(x) - phi(x_n)|^2 = k(x, x) - 2 k(x, x_n) + k(x_n, x_n)                                       (14.30)

    Parameters
    ----------
    n_neighbors : how many training points have a vote, >= 1.
    kernel : a Kernel, a name ("linear", "gaussian", ...), a function f(X, Z), or "precomputed" (then X is the matrix of
        k(x_n, x_m)); None means Gaussian(gamma="scale"). X holds what the kernel takes: vectors (N, D), or a list of
        strings or sets.

    Fitted: classes_ (K,); kernel_, the kernel in use, None for "precomputed".

    Where votes are equal, the class that comes first in classes_ wins; where distances are, the point that comes first.

    >>> from sparsekm_edu.kernels import Linear
    >>> from sparsekm_edu.models import KernelKNN
    >>> model = KernelKNN(kernel=Linear()).fit([[0.0], [1.0], [5.0]], ["low", "low", "high"])
    >>> print(model.predict([[2.0], [4.0]]))
    ['low' 'high']
    """

    def __init__(self, n_neighbors=1, kernel=None):
        self.n_neighbors = n_neighbors
        self.kernel = kernel

    def fit(self, X, y):
        """Remember X (N, D) and its labels y (N,)."""
        n_neighbors = whole_number("n_neighbors", self.n_neighbors, at_least=1)
        X, y = self._checked_data(X, y)
        check_classification_targets(y)
        if n_neighbors > len(X):
            raise ValueError(f"n_neighbors must be at most n_samples = {len(X)}, got {n_neighbors}.")
        self.classes_, self._label = np.unique(y, return_inverse=True)
        if self._precomputed:
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            self.kernel_, self._points, self._own = None, None, np.diagonal(X).copy()
        else:
            self.kernel_ = as_kernel(self.kernel).adapted_to(X)
            self._points, self._own = X, self.kernel_.diag(X)
        return self

    def kneighbors(self, X):
        """Indices of the nearest training points of X (M, D), the nearest first, (M, n_neighbors)."""
        X = self._new_points(X)

        def nearest(X):
            K = X if self.kernel_ is None else self.kernel_(X, self._points)
            distance = self._own - 2 * K  # (14.30) without k(x, x), which is the same for all n
            return np.argsort(distance, axis=1, kind="stable")[:, : self.n_neighbors]

        return in_blocks(nearest, X, len(self._own))

    def predict_proba(self, X):
        """The share of each class among the neighbours of X (M, D), (M, K)."""
        neighbours = self.kneighbors(X)
        votes = self._label[neighbours]
        return (votes[:, :, None] == np.arange(len(self.classes_))).mean(axis=1)

    def predict(self, X):
        """The class with the most neighbours of X (M, D), (M,)."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


class GramMethod(KernelEstimator):
    """A method that is fitted to the matrix of k(x_n, x_m), and asks new inputs for their kernels with the old ones."""

    def _gram(self, X):
        """The Gram matrix of the inputs X, (N, N), not to be written to; remembers the kernel, and the inputs."""
        if self._precomputed:
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"A precomputed kernel must be a square matrix, got shape {X.shape}.")
            self.kernel_, self._points, K = None, None, X
        else:
            self.kernel_, self._points = as_kernel(self.kernel).adapted_to(X), X
            check_room(len(X), "take fewer points", copies=2)
            K = self.kernel_(X)
        known_to_be_symmetric = self.kernel_ and self.kernel_.is_mercer
        if not known_to_be_symmetric:
            as_gram(K)  # refuses a matrix that is not
        return K

    def _through_kernel(self, X, function):
        """function(K) for K (M, N), the kernels of new inputs X with all old ones; some inputs at a time."""
        X = self._new_points(X)
        if self.kernel_ is None:
            return function(X)
        return in_blocks(lambda part: function(self.kernel_(part, self._points)), X, len(self._points))


class MedoidMethod(GramMethod):
    """A method that measures how far inputs are from some of the old ones, the medoids.

    Parameters
    ----------
    kernel : None: the distances are |x - x'|, Euclidean and not squared, as is usual for medoids. Else a Kernel, a name
        ("linear", "gaussian", ...), a function f(X, Z), or "precomputed" (then X is the matrix of k(x_n, x_m)): the
        distances are the book's (14.32), squares in feature space, k(x, x) - 2 k(x, x') + k(x', x') by (14.30). X holds
        what the kernel takes: vectors (N, D), or a list of strings or sets.

    Fitted: medoid_indices_ (K,), which inputs are the medoids; kernel_, the kernel in use, None for distances |x - x'|
    and for "precomputed".
    """

    def _distances(self, X):
        """The distances between the inputs X, (N, N); remembers the kernel."""
        if self.kernel is None:
            self.kernel_, self._own = None, None
            check_room(len(X), "take fewer points", copies=2)
            return cdist(X, X)
        K = self._gram(X)
        self._own = np.diagonal(K).copy()
        # (14.30); rounding, or a kernel that is not Mercer's, could make it negative
        return np.maximum(self._own[:, None] - 2 * K + self._own, 0.0)

    def _keep(self, X, medoids):
        """Remember which of the inputs X are the medoids, indices (K,)."""
        self.medoid_indices_ = medoids
        self._points = None if self._precomputed else X[medoids]
        self._own = None if self._own is None else self._own[medoids]

    def _nearest(self, X):
        """Which medoid is nearest to the new inputs X, (M,); the first of several."""
        X = self._new_points(X)

        def of_part(X):
            if self._own is None:
                return cdist(X, self._points).argmin(axis=1)
            K = X[:, self.medoid_indices_] if self.kernel_ is None else self.kernel_(X, self._points)
            return (self._own - 2 * K).argmin(axis=1)  # (14.30) without k(x, x), which is the same for all

        return in_blocks(of_part, X, len(self.medoid_indices_))


@spelled_out
class KMedoids(ClusterMixin, MedoidMethod):
    """Clusters around K of the inputs themselves, so that the sum of distances to them is small (MLaPP 14.4.2).

    Found by `solvers.k_medoids`, from several random starts: swaps of a medoid for another point, until none helps.
    They go on where Algorithm 14.1 stands still, see `solvers.k_medoids_steps`.

    Parameters
    ----------
    n_clusters : K, the number of medoids, at most the number of inputs.
    kernel : see MedoidMethod.
    n_init : how many random starts; the best end is kept.
    random_state : an integer, for the same starts every time; None for others, or a numpy RandomState.

    Fitted: labels_ (N,), the cluster of every input, 0, ..., K - 1; inertia_, the sum of the distances to the medoids;
    n_iter_, swaps of the best start; the others as in MedoidMethod.

    >>> from sparsekm_edu import KMedoids, Normalised, Spectrum
    >>> words = ["banana", "bandana", "anna", "pepper", "peppers", "step"]
    >>> model = KMedoids(2, kernel=Normalised(Spectrum(2)), random_state=0).fit(words)
    >>> print(model.labels_, [words[n] for n in model.medoid_indices_])
    [0 0 0 1 1 1] ['banana', 'pepper']
    """

    def __init__(self, n_clusters=8, kernel=None, n_init=10, random_state=None):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the medoids of X (N, D)."""
        n_clusters = whole_number("n_clusters", self.n_clusters, at_least=1)
        n_init = whole_number("n_init", self.n_init, at_least=1)
        X = self._checked_data(X)
        if n_clusters > len(X):
            raise ValueError(f"n_clusters must be at most n_samples = {len(X)}, got {n_clusters}.")
        D = self._distances(X)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        found = k_medoids(D, n_clusters, n_init, seed)
        self._keep(X, found.medoids)
        self.labels_, self.inertia_, self.n_iter_ = found.labels, found.cost, found.n_iter
        between = D[np.ix_(found.medoids, found.medoids)] + np.eye(n_clusters)
        if not between.all():  # else a swap would have lowered the cost
            warn(
                f"n_clusters = {n_clusters} is more than there are different inputs: some medoids are at distance 0 "
                "from each other.",
            )
        return self

    def predict(self, X):
        """The cluster whose medoid is nearest to X (M, D), (M,)."""
        return self._nearest(X)


@spelled_out
class NearestMedoid(ClassifierMixin, MedoidMethod):
    """One medoid for each class, the member with the smallest sum of distances to the others; the nearest wins.

    "Nearest medoid classification" of MLaPP 14.4.2: (14.31) with the classes as clusters. Of several members with the
    same sum the first is the medoid; of several medoids equally near, the class that comes first in classes_ wins.

    Parameters
    ----------
    kernel : see MedoidMethod.

    Fitted: classes_ (K,); medoid_indices_ is in the order of the classes; the others as in MedoidMethod.

    >>> from sparsekm_edu import NearestMedoid, Spectrum
    >>> words = ["banana", "bandana", "anna", "pepper", "peppers", "step"]
    >>> model = NearestMedoid(kernel=Spectrum(2)).fit(words, ["a", "a", "a", "e", "e", "e"])
    >>> print([words[n] for n in model.medoid_indices_], model.predict(["ana", "steps"]))
    ['banana', 'pepper'] ['a' 'e']
    """

    def __init__(self, kernel=None):
        self.kernel = kernel

    def fit(self, X, y):
        """Find the medoids of the classes y (N,) of X (N, D)."""
        X, y = self._checked_data(X, y)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        D = self._distances(X)
        members = [np.flatnonzero(label == k) for k in range(len(self.classes_))]
        self._keep(X, np.array([c[D[np.ix_(c, c)].sum(axis=0).argmin()] for c in members]))  # (14.31)
        return self

    def predict(self, X):
        """The class whose medoid is nearest to X (M, D), (M,)."""
        nearest = self._nearest(X)
        return self.classes_[nearest]


@spelled_out
class KernelRidge(RegressorMixin, GramMethod):
    """Ridge regression in the feature space of a kernel (MLaPP 14.4.3).

        minimise over w   sum_n (y_n - w'phi(x_n))^2 + lam |w|^2                                          (14.33)
        y(x) = sum_n a_n k(x, x_n),   a = (K + lam I)^-1 y                                         (14.36), (14.38)

    There is no bias, as in the book: who wants one centres y, or adds a constant kernel, Polynomial(degree=0).

    Parameters
    ----------
    kernel : a Kernel, a name ("linear", "gaussian", ...), a function f(X, Z), or "precomputed" (then X is the Gram
        matrix); None means Gaussian(gamma="scale"). X holds what the kernel takes: vectors (N, D), or a list of strings
        or sets.
    lam : price of the penalty, > 0; scikit-learn calls it alpha.

    Fitted: dual_coef_ (N,), the a_n; leave_one_out_ (N,), what the machine would predict for every y_n without point n,
    in closed form, see `solvers.ridge_leave_one_out`; kernel_, the kernel in use, None for "precomputed".

    >>> import numpy as np
    >>> from sparsekm_edu import Gaussian, KernelRidge, datasets
    >>> X, t = datasets.sinc(noise=0.1)
    >>> model = KernelRidge(kernel=Gaussian(gamma=0.1), lam=0.1).fit(X, t)
    >>> print(round(np.sqrt(np.mean((t - model.leave_one_out_) ** 2)), 3))
    0.062
    """

    def __init__(self, kernel=None, lam=1.0):
        self.kernel = kernel
        self.lam = lam

    def fit(self, X, y):
        """Fit to X (N, D) and targets y (N,)."""
        lam = real_number("lam", self.lam, above=0)
        X, y = self._checked_data(X, y, y_numeric=True)
        y = np.asarray(y, dtype=float)
        K = self._gram(X)
        self.dual_coef_ = ridge_dual(K, y, lam)  # (14.36)
        self._problem = (K.copy() if self._precomputed else None, y, lam)
        return self

    @property
    def leave_one_out_(self):
        """What the machine would predict at x_n, had it been fitted without point n, for all n, (N,)."""
        check_is_fitted(self)
        K, y, lam = self._problem
        return ridge_leave_one_out(self.kernel_(self._points) if K is None else K, y, lam)

    def predict(self, X):
        """y(x) for X (M, D) -> (M,)."""
        return self._through_kernel(X, lambda K: K @ self.dual_coef_)  # (14.38)


@spelled_out
class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GramMethod):
    """Principal components in the feature space of a kernel (MLaPP 14.4.4).

        K~ = HKH,   H = I - 11'/N        inner products of phi(x_n) minus their mean                         (14.44)
        K~ U = U Lambda                  eigenvectors, the largest eigenvalue first
        z(x) = k~(x) U Lambda^(-1/2)     coordinates of x along the components                               (14.40)

    k~(x) are the inner products of phi(x) with the phi(x_n), all minus the mean of the *training* data, as in (14.43).
    Algorithm 14.2 writes this in line 8 as K_* - O_* K_* - K_* O_* + O_* K_* O_*, whose matrices do not fit: O_* and
    K_* are both N_* x N. Meant is K_* - O_* K - K_* O + O_* K O. Each component has two directions; we take the one in
    which the largest entry of u is positive.

    Parameters
    ----------
    kernel : a Kernel, a name ("linear", "gaussian", ...), a function f(X, Z), or "precomputed" (then X is the Gram
        matrix); None means Gaussian(gamma="scale"). X holds what the kernel takes: vectors (N, D), or a list of strings
        or sets.
    n_components : how many, at most N are there; where an eigenvalue is 0, within rounding, or negative, the coordinate
        is 0. None: as many as have an eigenvalue above 0.

    Fitted: eigenvalues_ (L,), lambda; eigenvectors_ (N, L), U; explained_variance_ratio_ (L,), their shares of the
    variance in feature space; n_components_, L; kernel_, the kernel in use, None for "precomputed".

    >>> from sparsekm_edu import Gaussian, KernelPCA, datasets
    >>> X, _ = datasets.clouds()
    >>> model = KernelPCA(kernel=Gaussian(gamma=0.5), n_components=2).fit(X)
    >>> print(model.transform(X).shape, model.explained_variance_ratio_.round(2))
    (30, 2) [0.35 0.18]
    """

    def __init__(self, kernel=None, n_components=2):
        self.kernel = kernel
        self.n_components = n_components

    def fit(self, X, y=None):
        """Find the components of X (N, D)."""
        L = None if self.n_components is None else whole_number("n_components", self.n_components, at_least=1)
        X = self._checked_data(X)
        K = self._gram(X)
        rounding = 10 * len(K) * np.finfo(float).eps * np.abs(np.diagonal(K)).max()
        self._means = K.mean(axis=0)  # inner products of phi(x_n) with the mean of all phi
        K = self._centred(K)
        values, U = _largest_eigenvectors(K, min(L or len(K), len(K)))
        values[values <= rounding] = 0.0
        if L is None:
            kept = max(1, np.count_nonzero(values))
            values, U = values[:kept], U[:, :kept]
        self.eigenvalues_, self.eigenvectors_ = values, directed(U)
        total = np.trace(K)
        self.explained_variance_ratio_ = values / total if total > 0 else np.zeros(len(values))
        self.n_components_ = self._n_features_out = len(values)
        return self

    def _centred(self, K):
        """Kernels K (M, N) with the training inputs -> inner products of features minus the training mean, (14.43)."""
        K = K - K.mean(axis=1, keepdims=True)
        K += self._means.mean() - self._means
        return K

    @property
    def _directions(self):
        """V (N, L) = U Lambda^(-1/2): component l is sum_n V_nl phi(x_n). Its columns sum to 0, as those of U do."""
        length = np.sqrt(self.eigenvalues_)
        return np.divide(self.eigenvectors_, length, out=np.zeros_like(self.eigenvectors_), where=length > 0)

    def transform(self, X):
        """The coordinates of X (M, D) along the components, (M, L)."""
        return self._through_kernel(X, lambda K: self._centred(K) @ self._directions)  # (14.40)

    def fit_transform(self, X, y=None):
        """`fit`, and the coordinates of X itself, (N, L)."""
        self.fit(X)
        return self.eigenvectors_ * np.sqrt(self.eigenvalues_)  # K~ U Lambda^(-1/2) = U Lambda^(1/2)

    def pre_image(self, Z):
        """Inputs whose features are as near as possible to the points with coordinates Z (M, L): (M, D).

        The point with coordinates z is

            mean + sum_l z_l v_l = sum_n g_n phi(x_n),    g_n = 1/N + sum_l z_l V_nl

        where the mean adds the 1/N, and nothing else, as the columns of V sum to 0. For the linear kernel this is an
        input, the one that PCA reconstructs. For the Gaussian kernel it hardly ever is one. Of all x we want that with
        the smallest |phi(x) - sum_n g_n phi(x_n)|^2, and since |phi(x)| = 1, that with the largest

            f(x) = sum_n g_n k(x, x_n),    grad f = 2 gamma sum_n g_n k(x, x_n) (x_n - x)

        The gradient is 0 where x = sum_n g_n k(x, x_n) x_n / f(x). We go there (Mika et al., 1999), again and again,
        from the training point with the largest f, half as far whenever f would fall. Where f is not even positive
        there, that point is the answer. Other kernels have no such formula, and are refused.
        """
        check_is_fitted(self)
        Z = check_array(Z, dtype=np.float64, input_name="Z")
        if Z.shape[1] != self.n_components_:
            raise ValueError(f"Z must have n_components_ = {self.n_components_} columns, got {Z.shape[1]}.")
        if not isinstance(self.kernel_, Gaussian | Linear):
            raise ValueError(
                "pre_image is there for the kernels Gaussian and Linear, which say how to come back, got kernel = "
                f"{self.kernel!r}."
            )
        V = self._directions
        g = 1 / len(V) + Z @ V.T
        if isinstance(self.kernel_, Linear):
            return g @ self._points
        # f(x_n) = <phi(x_n), mean> + sum_l z_l <phi(x_n), v_l>, and <phi(x_n), v_l> is z_nl + <mean, v_l>
        coordinates = self.eigenvectors_ * np.sqrt(self.eigenvalues_) + self._means @ V
        start = (self._means + Z @ coordinates.T).argmax(axis=1)
        return _gaussian_pre_image(self.kernel_, self._points, g, self._points[start])

    inverse_transform = pre_image


FEW = 0.05  # of the eigenvectors: then they are found one after the other, by products with the matrix
SMALL = 200  # up to so many rows it does not pay


def _largest_eigenvectors(K, L):
    """The L largest eigenvalues of K (N, N), falling, and their eigenvectors, (N, L)."""
    N = len(K)
    if N > SMALL and L <= FEW * N:
        try:
            values, U = eigsh(K, L, which="LA", v0=np.random.default_rng(0).normal(size=N))
        except ArpackError:  # a matrix of zeros, say
            pass
        else:
            order = np.argsort(values)[::-1]
            return values[order], U[:, order]
    values, U = eigh(K, subset_by_index=(N - L, N - 1), check_finite=False)
    return values[::-1].copy(), U[:, ::-1]


def _gaussian_pre_image(kernel, points, g, x, tol=1e-8, max_iter=500):
    """Climb f(x) = sum_n g_n k(x, x_n) from x (M, D), for each row of g (M, N) on its own; see `pre_image`."""
    x, step = x.copy(), np.ones((len(x), 1))
    near = tol * np.sqrt(points.var(axis=0).sum())
    weight = g * kernel(x, points)
    f = weight.sum(axis=1)
    climbing = np.flatnonzero(f > 0)
    for _ in range(max_iter):
        if not len(climbing):
            break
        move = weight[climbing] @ points / f[climbing, None] - x[climbing]
        there = x[climbing] + step[climbing] * move
        arrived = np.linalg.norm(there - x[climbing], axis=1) <= near
        weight_there = g[climbing] * kernel(there, points)
        f_there = weight_there.sum(axis=1)
        higher = f_there >= f[climbing]
        up = climbing[higher]
        x[up], weight[up], f[up] = there[higher], weight_there[higher], f_there[higher]
        step[up] = np.minimum(1.0, 2 * step[up])
        step[climbing[~higher]] /= 2
        climbing = climbing[~arrived]
    return x
