"""Points in a plane or on a line: every generator takes a seed and returns (X, t).

Two classes (`separable`, `curved`, `ring`, `clouds`, `overlapping`, `ripley`, `mixture`): X is (n, 2) float; t is (n,)
float, -1 for the first half of the points and +1 for the rest. All but the last two stay within [-3, 3] x [-2, 2], and
so does `three_classes`, whose t is 0, 1 or 2. `around` puts classes 0, 1, ... where one wants them; `three_clusters`
are three tight ones; `crescent` is one class.
On a line: `uniform_classes`, `on_a_line` and `wavy_odds`, X (n, 1), t as before.
Regression (`sinusoid`, `sinc`, `sinc_plane`): X is (n, D) float, t is (n,) float, a function of X with noise on it.
"""

import numpy as np
from scipy.special import expit, ndtr, ndtri

AMBIGUOUS_MEANS = ((0.0, 1.1), (-1.8, -0.5), (1.6, -0.9))
# the three Gaussians of `overlapping`: two of class -1, one of class +1
OVERLAPPING_MEANS = np.array([(-1.4, 0.0), (1.1, -0.9), (0.4, 0.6)])
OVERLAPPING_SPREADS = np.array([(0.55, 0.65), (0.75, 0.45), (0.85, 0.55)])
RIPLEY_CENTRES = np.array([[(-0.7, 0.3), (0.3, 0.3)], [(-0.3, 0.7), (0.4, 0.7)]])  # of class -1, of class +1
RIPLEY_VARIANCE = 0.03
# Twenty means around (1, 0) and (0, 1), ten for each class, drawn once: they are the problem, the draws are the data
MIXTURE_MEANS = np.array([[[1.0, 0.0]], [[0.0, 1.0]]]) + np.random.default_rng(12).normal(size=(2, 10, 2))
MIXTURE_VARIANCE = 0.2
CLUSTER_CENTRES = ((-0.5, -0.2), (0.0, 0.6), (0.5, 0.0))  # of `three_clusters`


def separable(n=20, seed=4):
    """Two clouds that a straight line can separate, in the style of figure 7.1.

    Parameters: n number of points (half of them in each class); seed of the random numbers.
    Returns: X (n, 2), t (n,).

    Each cloud is a Gaussian whose points stay at least 0.4 away from a slanted line, so the margin is wide
    enough to be seen. With the default seed the widest margin rests on three support vectors.

    >>> from sparsekm_edu import SVC, datasets
    >>> X, t = datasets.separable()
    >>> len(SVC(C=float("inf"), kernel="linear").fit(X, t).support_)
    3
    """
    normal = np.array([np.cos(0.6), np.sin(0.6)])

    def draw(rng, label):
        return label * 1.3 * normal + rng.normal(size=2) * (0.8, 0.7)

    def accept(x, label, _):
        return label * (x @ normal) >= 0.4

    return _draw(n, seed, draw, accept)


def stray():
    """`separable`, and one more point of class -1 close to class +1: still separable, but hardly (MLaPP exercise 14.2).

    Returns: X (21, 2), t (21,), the stray point last.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.stray()
    >>> print(len(t), "points, the last of class", t[-1], "at", X[-1])
    21 points, the last of class -1.0 at [0.4 0.3]
    """
    X, t = separable()
    return np.vstack([X, (0.4, 0.3)]), np.append(t, -1.0)


def curved(n=44, seed=0):
    """Two classes on either side of a wave, in the style of figure 7.2.

    Parameters: n number of points (half of them in each class), up to 150: more do not fit; seed of the random numbers.
    Returns: X (n, 2), t (n,).

    No straight line separates them; a Gaussian kernel does. Points keep 0.3 away (measured along x_2) from
    the wave x_2 = 0.9 sin(1.9 x_1) and 0.2 from each other, so that none sits on top of another.

    >>> from sparsekm_edu import SVC, datasets
    >>> X, t = datasets.curved()
    >>> [round(SVC(C=1000.0, kernel=kernel).fit(X, t).score(X, t), 2) for kernel in ("linear", "gaussian")]
    [0.89, 1.0]
    """
    if n > 150:
        raise ValueError(f"n must be at most 150, got {n}: the points would have to be closer than 0.2.")

    def draw(rng, label):
        return rng.uniform((-2.7, -1.8), (2.7, 1.8))

    def accept(x, label, others):
        height = x[1] - 0.9 * np.sin(1.9 * x[0])
        return label * height >= 0.3 and np.all(np.linalg.norm(others - x, axis=1) >= 0.2)

    return _draw(n, seed, draw, accept)


def ring(n=36, seed=0):
    """One class around the other: no line separates them, an ellipse does, and so does a plane in feature space (7.42).

    Parameters: n number of points (half of them in each class), up to 60; seed of the random numbers.
    Returns: X (n, 2), t (n,).

    Class +1 lies well inside the ellipse (x_1 / 1.3)^2 + x_2^2 = 1, class -1 well outside it, all in the square
    [-1.8, 1.8]^2; points keep 0.2 away from each other.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.ring()
    >>> inside = (X[:, 0] / 1.3) ** 2 + X[:, 1] ** 2 < 1
    >>> print((inside == (t > 0)).all())
    True
    """
    if n > 60:
        raise ValueError(f"n must be at most 60, got {n}: the points would have to be closer than 0.2.")

    def draw(rng, label):
        return rng.uniform(-1.8, 1.8, size=2)

    def accept(x, label, others):
        height = (x[0] / 1.3) ** 2 + x[1] ** 2 - 1
        return -label * height >= 0.2 and np.all(np.linalg.norm(others - x, axis=1) >= 0.2)

    return _draw(n, seed, draw, accept)


def clouds(n=30, seed=4):
    """Two round clouds that overlap, in the style of figure 7.3: a straight line is right, but none is perfect.

    Parameters: n number of points (half of them in each class), up to 100; seed of the random numbers.
    Returns: X (n, 2), t (n,).

    Points keep 0.2 away from each other, so that each can be seen and taken hold of. With the default seed no line
    separates the classes.

    >>> from sparsekm_edu import SVC, datasets
    >>> X, t = datasets.clouds()
    >>> print("a line is right about", round(SVC(kernel="linear").fit(X, t).score(X, t), 2), "of the points")
    a line is right about 0.9 of the points
    """
    if n > 100:
        raise ValueError(f"n must be at most 100, got {n}: the points would have to be closer than 0.2.")
    normal = np.array([np.cos(0.6), np.sin(0.6)])

    def draw(rng, label):
        return label * 0.8 * normal + rng.normal(size=2) * (0.8, 0.7)

    def accept(x, _, others):
        return np.all(np.linalg.norm(others - x, axis=1) >= 0.2)

    return _draw(n, seed, draw, accept)


def overlapping(n=80, seed=2):
    """Two classes that overlap along a bend, in the style of figures 7.4 and 7.12.

    Parameters: n number of points (half of them in each class); seed of the random numbers. Another seed, and any n,
    is a test set from the same source.
    Returns: X (n, 2), t (n,).

    Class -1 is two Gaussians in equal parts, class +1 a third one beside them, all cut off at the frame. Whoever
    knows these densities is still wrong 10.2 % of the time, and no classifier can do better.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.overlapping()
    >>> more, their_t = datasets.overlapping(n=1000, seed=7)
    >>> print(X.shape, more.shape)
    (80, 2) (1000, 2)
    """

    def draw(rng, label):
        k = 2 if label > 0 else rng.integers(2)
        return OVERLAPPING_MEANS[k] + OVERLAPPING_SPREADS[k] * rng.normal(size=2)

    return _draw(n, seed, draw, lambda *_: True)


def on_a_line(n=14, seed=19):
    """Two classes on an axis, around -1.1 and 1.1, that touch or overlap a little, for the losses of figure 7.5.

    Parameters: n number of points (half of them in each class), up to 40: more do not fit; seed of the random numbers.
    Returns: X (n, 1), t (n,), -1 for the first half of the points and +1 for the rest.

    Points of a class keep 0.1 away from each other, so that none hides another. With the default seed one boundary
    separates the classes.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.on_a_line()
    >>> print(X[t < 0].max() < X[t > 0].min())
    True
    """
    if n > 40:
        raise ValueError(f"n must be at most 40, got {n}: the points would have to be closer than 0.1.")
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    x = np.empty(n)
    for row, label in enumerate(t):
        crowd = x[:row][t[:row] == label]
        x[row] = np.inf  # to be drawn
        while abs(x[row]) > 2.8 or np.any(np.abs(crowd - x[row]) < 0.1):
            x[row] = 1.1 * label + 0.8 * rng.normal()
    return x[:, None], t


def hours(n=16, seed=3):
    """Hours of study and whether the exam was passed, +1, or not, -1: invented, for first steps in logistic regression.

    Parameters: n number of students; seed of the random numbers.
    Returns: X (n, 1), t (n,).

    The hours are evenly spaced in [0.3, 4.3]; the log odds of passing are 2 (x - 2.2). With the default seed some of
    those who studied less passed and some who studied more did not, so that there is a best logistic curve.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.hours()
    >>> print(int(sum(t > 0)), "of", len(t), "passed, after", X[t > 0].min().round(1), "hours or more")
    9 of 16 passed, after 1.4 hours or more
    """
    x = np.linspace(0.3, 4.3, n)
    passed = np.random.default_rng(seed).random(n) < 1 / (1 + np.exp(-2 * (x - 2.2)))
    return x[:, None], np.where(passed, 1.0, -1.0)


def three_classes(n=90, seed=0):
    """Three elongated clouds around the origin, 120 degrees apart, that overlap where they meet.

    Parameters: n number of points (a third of them in each class); seed of the random numbers.
    Returns: X (n, 2), t (n,) with labels 0, 1 and 2, in this order.

    >>> import numpy as np
    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.three_classes()
    >>> print(X.shape, np.bincount(t.astype(int)))
    (90, 2) [30 30 30]
    """
    rng = np.random.default_rng(seed)
    t = np.sort(np.arange(n) % 3).astype(float)
    angle = np.pi / 2 + 2 * np.pi / 3 * t
    outwards, sideways = np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])
    X = (0.9 + 0.3 * rng.normal(size=n)) * outwards + 0.6 * rng.normal(size=n) * sideways
    return np.clip(X.T, (-3, -2), (3, 2)), t


def around(means=AMBIGUOUS_MEANS, n=45, spread=0.45, seed=14):
    """One round cloud for each class, whose centre of gravity is exactly where it is asked to be.

    Parameters: means (K, 2) of the classes; n number of points, shared out evenly; spread, the standard deviation of
    the clouds before they are centred; seed of the random numbers.
    Returns: X (n, 2), t (n,) with labels 0 ... K-1, in this order.

    Moved means take their points along: the noise depends on n and the seed only. With the default values, linear
    machines leave large parts of the plane ambiguous (MLaPP figure 14.14).

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.around(means=[(0, 0), (2, 1)], n=20)
    >>> print(X[t == 1].mean(axis=0).round(6))
    [2. 1.]
    """
    means = np.asarray(means, float)
    t = np.sort(np.arange(n) % len(means))
    noise = np.random.default_rng(seed).normal(size=(n, 2))
    for k in np.unique(t):
        noise[t == k] -= noise[t == k].mean(axis=0)
    return means[t] + spread * noise, t.astype(float)


def three_clusters(n=90, seed=0):
    """Three tight round clusters within [-1, 1] x [-1, 1], as in the demonstration behind MLaPP figure 14.7.

    Parameters: n number of points (a third of them in each cluster); seed of the random numbers.
    Returns: X (n, 2), t (n,) with labels 0, 1 and 2, in this order. The standard deviation is 0.1 each way.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.three_clusters()
    >>> print(X.shape, X[t == 1].mean(axis=0).round(6))
    (90, 2) [0.  0.6]
    """
    return around(CLUSTER_CENTRES, n, spread=0.1, seed=seed)


def crescent(n=60, seed=0):
    """One bent cloud above the origin, for novelty detection: no sphere in the plane has its shape.

    Parameters: n number of points; seed of the random numbers.
    Returns: X (n, 2), t (n,), all +1: there are no classes.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.crescent()
    >>> print(X.shape, "and labels", set(t.tolist()))
    (60, 2) and labels {1.0}
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.1 * np.pi, 0.9 * np.pi, size=n)
    X = np.column_stack([1.9 * np.cos(angle), 0.35 + 1.7 * np.sin(angle)]) + 0.2 * rng.normal(size=(n, 2))
    return X, np.ones(n)


def ripley(n=100, seed=0):
    """A draw from Ripley's mixture (1996), on which Tipping compares the machines (2001, figure 2).

    Parameters: n number of points (half of them in each class); seed of the random numbers.
    Returns: X (n, 2), t (n,).

    Each class is two Gaussians in equal parts, with variance 0.03 along both axes, around the rows of RIPLEY_CENTRES.
    The classes overlap: whoever knows the densities is still wrong 8.9 % of the time (8 % is often quoted),
    and no classifier can do better.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.ripley(n=250)
    >>> print(X.shape, "with", int(sum(t > 0)), "points of class +1")
    (250, 2) with 125 points of class +1
    """
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    centres = RIPLEY_CENTRES[(t > 0).astype(int), rng.integers(2, size=n)]
    return centres + np.sqrt(RIPLEY_VARIANCE) * rng.normal(size=(n, 2)), t


def mixture(n=200, seed=0):
    """A draw from two classes that are ten Gaussians each, made as by Hastie et al. (2.3.3, 12.6; MLaPP figure 14.15).

    Parameters: n number of points (half of them in each class); seed of the random numbers. Another seed is another
    draw from the same densities.
    Returns: X (n, 2), t (n,).

    The means, MIXTURE_MEANS (2, 10, 2), are themselves drawn, once and for all: ten from N((1, 0)', I) for class -1,
    ten from N((0, 1)', I) for class +1. A point takes one of its class's ten, and adds noise of covariance I / 5.
    Whoever knows the densities is still wrong 21.0 % of the time, as with the means of Hastie et al., and no classifier
    can do better.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.mixture()
    >>> print(X.shape, "with", int(sum(t > 0)), "points of class +1")
    (200, 2) with 100 points of class +1
    """
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    means = MIXTURE_MEANS[(t > 0).astype(int), rng.integers(10, size=n)]
    return means + np.sqrt(MIXTURE_VARIANCE) * rng.normal(size=(n, 2)), t


def many_features(n=200, D=50, seed=0):
    """Two Gaussian clouds in D dimensions, of which only the first tells the classes apart: easy to overfit.

    Parameters: n number of points (half of them in each class); D number of features; seed of the random numbers.
    Returns: X (n, D), t (n,).

    All variances are 1 and the means differ by 2.5, so that the true log odds are 2.5 x_1 and the least possible error
    is 10.6 %.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.many_features()
    >>> apart = X[t > 0].mean(axis=0) - X[t < 0].mean(axis=0)
    >>> print("feature", apart.argmax(), "of", len(apart), "tells the classes apart")
    feature 0 of 50 tells the classes apart
    """
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    X = np.random.default_rng(seed).normal(size=(n, D))
    X[:, 0] += 1.25 * t
    return X, t


def uniform_classes(n=1000, seed=0):
    """Class -1 uniform on [0, 1], class +1 on [0.5, 1.5]: Tipping's test of probabilities (MLaPP figure 14.13).

    Parameters: n number of points (half of them in each class); seed of the random numbers.
    Returns: X (n, 1), t (n,).

    The log odds are 0 where the classes overlap and infinite elsewhere; nobody can err less than 25 % of the time, and
    whoever puts the boundary anywhere in [0.5, 1] errs no more.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.uniform_classes()
    >>> print("above 1 all points are of class", set(t[X[:, 0] > 1].tolist()))
    above 1 all points are of class {1.0}
    """
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    x = np.random.default_rng(seed).uniform(size=n) + 0.5 * (t > 0)
    return x[:, None], t


def wavy_log_odds(x, degree=3, steepness=3.0):
    """The true log odds of class +1 in `wavy_odds`: steepness T_degree(x), Chebyshev's polynomial, between -1 and 1.

    As x goes from -1 to 1 it swings between -steepness and steepness, with `degree` - 1 turns on the way.

    >>> import numpy as np
    >>> from sparsekm_edu import datasets
    >>> print(datasets.wavy_log_odds(np.array([-1.0, -0.5, 0.5, 1.0])).round(6))
    [-3.  3. -3.  3.]
    """
    return steepness * np.cos(degree * np.arccos(x))


def wavy_odds(n=60, degree=3, steepness=3.0, seed=0):
    """Labels whose log odds are a polynomial of x, for choosing its degree.

    Parameters: n number of points; degree of the polynomial; steepness: its largest value, 0 for labels by coin;
    seed of the random numbers.
    Returns: X (n, 1) uniform on [-1, 1], t (n,).

    Fewer points are the first of more, and a point keeps its label while the odds change little.

    >>> from sparsekm_edu import datasets
    >>> (X, t), (more, _) = datasets.wavy_odds(n=60), datasets.wavy_odds(n=100)
    >>> print((X == more[:60]).all())
    True
    """
    x, luck = np.random.default_rng(seed).uniform(size=(n, 2)).T
    x = 2 * x - 1
    return x[:, None], np.where(luck < expit(wavy_log_odds(x, degree, steepness)), 1.0, -1.0)


def noise_free(n=40, gap=0.0, seed=0):
    """Points whose labels follow from where they are, t = sign(x_1): the world of PRML 7.1.5, where (7.75) is at home.

    Parameters: n number of points; gap, how far all of them stay away from the true line x_1 = 0; seed of the random
    numbers, or a generator of them.
    Returns: X (n, 2), t (n,).

    Each point is drawn from N(0, I) given that |x_1| >= gap, independently of the others: the classes are equally
    likely, but not equally large. `line_error` knows how wrong any other line is here.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.noise_free(n=1000, gap=0.5)
    >>> print((X[:, 0] * t >= 0.5).all())
    True
    """
    rng = np.random.default_rng(seed)
    t = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return np.column_stack([-t * ndtri(rng.random(n) * ndtr(-gap)), rng.normal(size=n)]), t


def sinusoid(seed=None):
    """Ten noisy points of sin(2 pi x), x = 0, 1/9, ..., 1: Bishop's, of PRML figure 1.2, for figures 7.8 and 7.9.

    Parameters: seed of the random numbers for ten others, with noise of standard deviation 0.3; None for Bishop's own.
    Returns: X (10, 1), t (10,).

    With Gaussian kernels of width 0.15, gamma = 1 / (2 0.15^2), a relevance vector machine keeps 3 points and nu-SVR
    (nu = 0.5, C = 1 in the scale of `NuSVR`) 7, as many as in the book's figures.

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.sinusoid()
    >>> print(X[:3, 0].round(2), t[:3].round(2))
    [0.   0.11 0.22] [0.35 0.83 1.01]
    """
    t = (
        0.349486,
        0.830839,
        1.007332,
        0.971507,
        0.133066,
        0.166823,
        -0.848307,
        -0.445686,
        -0.563567,
        0.261502,
    )
    X = np.linspace(0, 1, 10)[:, None]
    if seed is not None:
        t = np.sin(2 * np.pi * X[:, 0]) + 0.3 * np.random.default_rng(seed).normal(size=10)
    return X, np.array(t)


def sinc(n=100, noise=0.0, distribution="uniform", seed=0):
    """sinc(x) = sin(x) / x at n evenly spaced points of [-10, 10]: Tipping's first example (2001, figure 1).

    Parameters: n number of points; noise in t, at most so much for the distribution "uniform" (Tipping: 0.2), of this
    standard deviation for "gaussian"; seed of the random numbers.
    Returns: X (n, 1), t (n,).

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.sinc(noise=0.2)
    >>> clean = datasets.sinc()[1]
    >>> print(X.shape, abs(t - clean).max() <= 0.2)
    (100, 1) True
    """
    rng = np.random.default_rng(seed)
    x = np.linspace(-10, 10, n)
    if distribution == "uniform":
        error = rng.uniform(-noise, noise, size=n)
    elif distribution == "gaussian":
        error = noise * rng.normal(size=n)
    else:
        raise ValueError(f"distribution must be 'uniform' or 'gaussian', got {distribution!r}.")
    return x[:, None], _sinc(x) + error


def sinc_plane(n=100, noise=0.1, seed=0):
    """sinc(x_1) + 0.1 x_2, x uniform on [-10, 10]^2: Tipping's example of relevant directions (2001, section 4.4).

    Parameters: n number of points; noise, standard deviation of the Gaussian noise in t; seed of the random numbers.
    Returns: X (n, 2), t (n,).

    >>> from sparsekm_edu import datasets
    >>> X, t = datasets.sinc_plane(n=50)
    >>> print(X.shape, t.shape)
    (50, 2) (50,)
    """
    rng = np.random.default_rng(seed)
    X = rng.uniform(-10, 10, size=(n, 2))
    return X, _sinc(X[:, 0]) + 0.1 * X[:, 1] + noise * rng.normal(size=n)


def _sinc(x):
    """sin(x) / x, and 1 at 0."""
    return np.sinc(x / np.pi)  # numpy's is sin(pi x) / (pi x)


def _draw(n, seed, draw, accept):
    """Draw points class by class, again and again until `accept(x, label, points so far)` says yes."""
    rng = np.random.default_rng(seed)
    t = np.where(np.arange(n) < n // 2, -1.0, 1.0)
    X = np.empty((n, 2))
    for row, label in enumerate(t):
        x = draw(rng, label)
        while np.any(np.abs(x) > (2.8, 1.8)) or not accept(x, label, X[:row]):
            x = draw(rng, label)
        X[row] = x
    return X, t
