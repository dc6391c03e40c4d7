"""Kernels as objects: algebra, parameters, grids, functions in disguise."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import pairwise

from sparsekm_edu.kernels import (
    ARD,
    Cosine,
    Function,
    Gaussian,
    Kernel,
    Linear,
    LinearSpline,
    Matern,
    Normalised,
    Polynomial,
    Sigmoid,
    TfIdf,
    as_kernel,
)

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(7, 2)), rng.normal(size=(5, 2))
KERNELS = [
    Linear(),
    Polynomial(3, 0.5),
    Gaussian(0.7),
    Linear() + Gaussian(2.0),
    Polynomial() * Gaussian(0.1),
    2.5 * Gaussian(0.7),
    Linear() + 2.0 * (Gaussian(0.5) * Polynomial(1)),
    Function(np.inner),
    ARD((0.3, 2.0)),
    ARD(0.7) * Linear(),
    Cosine(),
    *(Matern(nu, 0.8) for nu in (0.5, 1.5, 2.5, 1.2, 30.0, np.inf)),
    Normalised(Polynomial()),
    Cosine() + Normalised(Matern(2.5) * Linear()),
]
MERCER_OR_NOT = [*KERNELS, LinearSpline(), Linear() + LinearSpline(), Sigmoid(0.5, -1.0)]
every_kernel = pytest.mark.parametrize(
    "kernel", MERCER_OR_NOT, ids=lambda kernel: repr(kernel).split(" at ")[0]
)


def laplace(X, Z):
    return np.exp(-np.abs(X[:, None] - Z).sum(axis=2))


@every_kernel
def test_shapes_symmetry_and_one_argument_form(kernel):
    assert kernel(X, Z).shape == (7, 5)
    np.testing.assert_allclose(kernel(X), kernel(X, X), rtol=1e-13)
    np.testing.assert_allclose(kernel(X, Z), kernel(Z, X).T, rtol=1e-13)


@every_kernel
def test_diag_is_the_diagonal(kernel):
    np.testing.assert_allclose(kernel.diag(X), np.diag(kernel(X)), rtol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: repr(kernel).split(" at ")[0])
def test_gram_matrix_is_positive_semidefinite(kernel):
    K = kernel(np.vstack([X, X[:2]]))  # duplicates too
    eigenvalues = np.linalg.eigvalsh(K)
    assert eigenvalues[0] >= -10 * len(K) * np.finfo(float).eps * eigenvalues[-1]


@every_kernel
def test_on_grid_is_the_expansion_at_every_grid_point(kernel):
    x1, x2, v = np.linspace(-2, 2, 9), np.linspace(-1, 1, 6), rng.normal(size=5)
    expected = np.array([[kernel(np.array([[p, q]]), Z)[0] @ v for p in x1] for q in x2])
    assert kernel.on_grid(x1, x2, Z, v).shape == (6, 9)
    np.testing.assert_allclose(kernel.on_grid(x1, x2, Z, v), expected, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(Kernel.on_grid(kernel, x1, x2, Z, v), expected, rtol=1e-11, atol=1e-13)


@every_kernel
def test_clone_and_pickle(kernel):
    for copy in (clone(kernel), pickle.loads(pickle.dumps(kernel))):
        assert copy is not kernel
        np.testing.assert_array_equal(copy(X, Z), kernel(X, Z))


def test_algebra():
    a, b = Linear(), Gaussian(0.5)
    np.testing.assert_allclose((a + b)(X, Z), a(X, Z) + b(X, Z))
    np.testing.assert_allclose((a * b)(X, Z), a(X, Z) * b(X, Z))
    for scaled in (3.0 * b, b * 3.0, 3 * b, np.float64(3.0) * b):
        assert isinstance(scaled, Kernel)
        np.testing.assert_allclose(scaled(X, Z), 3 * b(X, Z))


@pytest.mark.parametrize("other", ["2", None, np.ones(3)])
def test_algebra_refuses_what_is_neither_kernel_nor_number(other):
    with pytest.raises(TypeError):
        Gaussian() + other
    with pytest.raises(TypeError):
        other * Gaussian()


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_scale_must_be_positive(scale):
    with pytest.raises(ValueError, match="scale must be a number > 0"):
        (scale * Gaussian())(X)


def test_parameters_of_parts_are_reachable():
    kernel = Linear() + 2.0 * Gaussian(0.5)
    assert kernel.get_params()["right__kernel__gamma"] == 0.5
    kernel.set_params(right__kernel__gamma=3.0, right__scale=1.0)
    np.testing.assert_allclose(kernel(X), Linear()(X) + Gaussian(3.0)(X))


def test_is_mercer():
    assert Linear().is_mercer
    assert Polynomial(offset=0.0).is_mercer
    assert not Polynomial(offset=-1.0).is_mercer
    assert (Gaussian() + Polynomial(offset=-1.0)).is_mercer is None
    assert (2.0 * (Gaussian() * Polynomial(offset=-1.0))).is_mercer is None
    assert (Gaussian() + Linear() * Polynomial()).is_mercer is True
    assert as_kernel(laplace).is_mercer is None
    assert ARD().is_mercer
    assert LinearSpline().is_mercer is None
    assert Matern().is_mercer
    assert Cosine().is_mercer
    assert Sigmoid().is_mercer is False
    assert Normalised(Gaussian()).is_mercer
    assert Normalised(LinearSpline()).is_mercer is None
    assert Normalised(Sigmoid()).is_mercer is False


def test_base_class_says_what_to_define():
    with pytest.raises(NotImplementedError, match="Kernel does not define __call__"):
        Kernel()(X)


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, Gaussian("scale")), ("gaussian", Gaussian("scale")), ("rbf", Gaussian("scale")), ("linear", Linear()),
     ("polynomial", Polynomial()), ("poly", Polynomial()), ("spline", LinearSpline()), ("matern", Matern()),
     ("cosine", Cosine()), ("sigmoid", Sigmoid()), (laplace, Function(laplace))],
)  # fmt: skip
def test_as_kernel(given, expected):
    kernel = as_kernel(given)
    assert repr(kernel) == repr(expected)
    np.testing.assert_array_equal(kernel(X), expected(X))
    if isinstance(given, str):
        assert as_kernel(given) is not kernel  # nobody changes the parameters of somebody else's


def test_as_kernel_keeps_kernels():
    kernel = Gaussian(3.0)
    assert as_kernel(kernel) is kernel


def test_row_39_unknown_kernel_name():
    with pytest.raises(
        ValueError,
        match=r"'cosine', 'gaussian', 'linear', 'matern', 'poly', 'polynomial', 'rbf', 'sigmoid', 'spline'.*'rbf'\?",
    ):
        as_kernel("rfb")
    with pytest.raises(ValueError, match="got 'zzz'"):
        as_kernel("zzz")
    with pytest.raises(ValueError, match="kernel must be a name, a Kernel or a function"):
        as_kernel(3.0)


@pytest.mark.parametrize("name", ["laplacian", "chi2", "additive_chi2"])
def test_names_of_scikit_learn_lead_to_functions_that_work(name):
    with pytest.raises(ValueError, match=rf"got '{name}'.*kernel=sklearn.metrics.pairwise.\w+\.$") as error:
        as_kernel(name)
    function = getattr(pairwise, str(error.value).removesuffix(".").rpartition(".")[2])
    assert as_kernel(function)(np.abs(X), np.abs(Z)).shape == (7, 5)


def test_row_49_functions_as_kernels():
    with pytest.raises(ValueError, match=r"laplace must return shape \(7, 5\), got \(7,\)"):
        as_kernel(lambda_named("laplace", lambda X, Z: np.ones(len(X))))(X, Z)
    with pytest.raises(ValueError, match="The kernel broken raised ZeroDivisionError") as error:
        as_kernel(lambda_named("broken", lambda X, Z: 1 / 0))(X, Z)
    assert isinstance(error.value.__cause__, ZeroDivisionError)
    with pytest.raises(ValueError, match="The kernel holes returned NaN"):
        as_kernel(lambda_named("holes", lambda X, Z: np.full((7, 5), np.nan)))(X, Z)
    integers = as_kernel(lambda X, Z: np.ones((len(X), len(Z)), dtype=int))(X, Z)
    assert integers.dtype == float


def lambda_named(name, function):
    function.__name__ = name
    return function


def same(one, other):
    """The same kernel, made of the same parts in the same way."""
    if not isinstance(one, Kernel):
        return one == other
    if type(one) is not type(other):
        return False
    ours, theirs = one.get_params(deep=False), other.get_params(deep=False)
    return ours.keys() == theirs.keys() and all(same(ours[name], theirs[name]) for name in ours)


A, B, C = Linear(), Gaussian(gamma=0.5), Polynomial(degree=3)


@pytest.mark.parametrize(
    ("kernel", "written"),
    [
        (A + 2.0 * B, "Linear() + 2.0 * Gaussian(gamma=0.5)"),
        (2.0 * B + A, "2.0 * Gaussian(gamma=0.5) + Linear()"),
        ((A + B) * C, "(Linear() + Gaussian(gamma=0.5)) * Polynomial(degree=3)"),
        (A + B * C, "Linear() + Gaussian(gamma=0.5) * Polynomial(degree=3)"),
        (A + B + C, "Linear() + Gaussian(gamma=0.5) + Polynomial(degree=3)"),
        (A + (B + C), "Linear() + (Gaussian(gamma=0.5) + Polynomial(degree=3))"),
        (A * B * C, "Linear() * Gaussian(gamma=0.5) * Polynomial(degree=3)"),
        (A * (B * C), "Linear() * (Gaussian(gamma=0.5) * Polynomial(degree=3))"),
        (3 * (A + B), "3 * (Linear() + Gaussian(gamma=0.5))"),
        (2.0 * (B * C), "2.0 * (Gaussian(gamma=0.5) * Polynomial(degree=3))"),
        ((2.0 * B) * C, "2.0 * Gaussian(gamma=0.5) * Polynomial(degree=3)"),
        (C * (2.0 * B), "Polynomial(degree=3) * (2.0 * Gaussian(gamma=0.5))"),
        (2.0 * (3.0 * B), "2.0 * (3.0 * Gaussian(gamma=0.5))"),
        (np.float64(2.0) * B, "2.0 * Gaussian(gamma=0.5)"),
    ],
    ids=repr,
)
def test_composed_kernels_are_written_as_they_are_typed(kernel, written):
    assert repr(kernel) == written
    again = eval(written, {"Linear": Linear, "Gaussian": Gaussian, "Polynomial": Polynomial})
    assert same(again, kernel)
    assert repr(clone(kernel)) == written


# ------------------------------------------------------------------ every input at length 1


def test_normalised_formula():
    kernel = Polynomial(3, 0.5)
    K = kernel(X, Z) / np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z)))
    np.testing.assert_allclose(Normalised(kernel)(X, Z), K, rtol=1e-13)
    np.testing.assert_array_equal(np.diag(Normalised(kernel)(X)), 1.0)
    np.testing.assert_allclose(Normalised(Linear())(X, Z), Cosine()(X, Z), atol=1e-15)
    np.testing.assert_array_equal(Normalised(Gaussian(0.3))(X, Z), Gaussian(0.3)(X, Z))


def test_normalised_is_zero_where_there_is_no_length():
    with_zero = np.vstack([X, np.zeros(2)])
    kernel = Normalised(Linear())
    np.testing.assert_array_equal(kernel(with_zero)[-1], 0.0)
    np.testing.assert_array_equal(kernel(Z, with_zero)[:, -1], 0.0)
    np.testing.assert_array_equal(kernel.diag(with_zero), [1.0] * 7 + [0.0])
    documents = ["", "a cat and a dog", "the dog"]
    np.testing.assert_array_equal(Normalised(TfIdf("scikit-learn"))(documents)[0], 0.0)


def test_normalised_does_not_overflow():
    huge = Function(lambda X, Z: 1e300 * Linear()(X, Z))
    np.testing.assert_allclose(Normalised(huge)(X, Z), Cosine()(X, Z), atol=1e-15)


def test_normalised_needs_squares_that_are_not_negative():
    kernel = Normalised(Sigmoid(1.0, -1.0))
    points = np.array([[2.0], [0.1]])
    for call in (lambda: kernel(points), lambda: kernel(points[:1], points), lambda: kernel.diag(points)):
        with pytest.raises(ValueError, match=r"k\(x, x\) >= 0, got -0.75\d* from Sigmoid\(offset=-1.0\)"):
            call()
    with pytest.raises(ValueError, match="the input at index 1"):
        kernel.diag(points)


def test_normalised_takes_and_learns_what_its_kernel_does():
    kernel = Normalised(2.0 * Gaussian("scale"))
    assert kernel.takes == "vectors"
    adapted = kernel.adapted_to(X)
    assert adapted.kernel.kernel.gamma == Gaussian("scale").adapted_to(X).gamma
    assert kernel.kernel.kernel.gamma == "scale"
    assert repr(Normalised(Gaussian(0.5))) == "Normalised(kernel=Gaussian(gamma=0.5))"
    assert clone(kernel).set_params(kernel__kernel__gamma=3.0)(X)[0, 1] == pytest.approx(
        Gaussian(3.0)(X)[0, 1]
    )
    texts = Normalised(TfIdf())
    assert texts.takes == "strings"
    documents = ["cold soup", "hot soup", "hot sun"]
    adapted = clone(texts.adapted_to(documents))
    np.testing.assert_allclose(adapted(documents, documents), TfIdf()(documents), rtol=1e-13)
