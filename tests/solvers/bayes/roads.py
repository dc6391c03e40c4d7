"""Problems on which all roads to the evidence are walked: wide and narrow kernels, with and without bias, classes."""

from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris

from sparsekm_edu import Gaussian, LinearSpline, datasets


def with_bias(K):
    return np.hstack([K, np.ones((len(K), 1))])


def wave(N, seed, kernel, bias=True, scale=2.0):
    """sin(2x) with noise, at normal places of some scale; as an adversary had it."""
    rng = np.random.default_rng(seed)
    X = scale * rng.normal(size=(N, 1))
    K = kernel(X)
    return with_bias(K) if bias else K, np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=N), "gaussian"


def normal(kind, N, D, width, seed=0):
    """A wave along the first of D normal features; width: gamma times D."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D))
    y = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=N)
    t = {"gaussian": y, "bernoulli": (y > 0).astype(float), "softmax": np.eye(3)[np.digitize(y, (-0.5, 0.5))]}
    return with_bias(Gaussian(width / D)(X)), t[kind], kind


def book(data, kernel, bias=True):
    X, t = data
    return with_bias(kernel(X)) if bias else kernel(X), t, "gaussian"


def ripley(N, seed, gamma, bias=True):
    X, t = datasets.ripley(N, seed)
    K = Gaussian(gamma)(X)
    return with_bias(K) if bias else K, (t > 0).astype(float), "bernoulli"


def breast(gamma, bias=True, N=150):
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    some = np.random.default_rng(3).permutation(len(X))[:N]
    K = Gaussian(gamma)(X[some])
    return with_bias(K) if bias else K, y[some].astype(float), "bernoulli"


def iris(gamma):
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return with_bias(Gaussian(gamma)(X[::2])), np.eye(3)[y[::2]], "softmax"


PROBLEMS = {
    f"wave, N = {N}, draw {seed}, gamma = {gamma}": partial(wave, N, seed, Gaussian(gamma))
    for N in (60, 100)
    for seed in (0, 1)
    for gamma in (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
}
PROBLEMS |= {
    f"wave, draw {seed}, gamma = {gamma}, no bias": partial(wave, 80, seed, Gaussian(gamma), False)
    for seed in (0, 1)
    for gamma in (0.1, 1.0)
}
PROBLEMS |= {f"wave, draw {seed}, spline": partial(wave, 80, seed, LinearSpline()) for seed in (0, 1)}
PROBLEMS |= {
    f"sinusoid, gamma = {gamma}": partial(book, datasets.sinusoid(), Gaussian(gamma))
    for gamma in (1.0, 22.0, 200.0)
}
PROBLEMS |= {
    f"sinc, noise {noise}, {kernel!r}": partial(book, datasets.sinc(100, noise), kernel)
    for noise in (0.0, 0.1)
    for kernel in (LinearSpline(), Gaussian(0.01), Gaussian(0.1), Gaussian(1.0))
}
PROBLEMS |= {
    f"{kind}, D = {D}, gamma D = {width}": partial(normal, kind, 60 if kind == "softmax" else 100, D, width)
    for kind in ("gaussian", "bernoulli", "softmax")
    for D in (2, 5)
    for width in (0.1, 1.0, 5.0, 20.0)
}
PROBLEMS |= {
    f"Ripley, draw {seed}, gamma = {gamma}": partial(ripley, 100, seed, gamma)
    for seed in (0, 1)
    for gamma in (0.5, 4.0, 40.0)
}
PROBLEMS |= {
    f"breast cancer, gamma = {gamma}, bias {bias}": partial(breast, gamma, bias)
    for gamma in (0.01, 0.1)
    for bias in (True, False)
}
PROBLEMS |= {f"iris, gamma = {gamma}": partial(iris, gamma) for gamma in (0.03, 0.3, 3.0)}
#: where neither kernels nor data looked doubtful, and re-estimation ended 10 to 20 nats higher
PROBLEMS |= {
    f"sinc, 150 points, draw {seed}, gamma = 0.03": partial(
        book, datasets.sinc(150, 0.1, seed=seed), Gaussian(0.03)
    )
    for seed in (10, 11, 12, 13)
}

#: those that take seconds: the two that an adversary gave at full size
LARGE = {
    f"wave, N = 300, draw {seed}, gamma = {gamma}": partial(wave, 300, seed, Gaussian(gamma))
    for seed in (0, 1)
    for gamma in (0.01, 0.03)
}
LARGE |= {
    f"breast cancer, 398 points, bias {bias}": partial(breast, 0.1, bias, 398) for bias in (True, False)
}
