"""What is compiled once serves every array: nobody waits for numba because of where an array comes from."""

import importlib
import pkgutil

import numpy as np
import pytest

import sparsekm_edu
from sparsekm_edu.kernels import ARD, Gaussian
from sparsekm_edu.kernels.windows import EPANECHNIKOV, log_sums
from sparsekm_edu.solvers import (
    DualProblem,
    Gram,
    c_path,
    decomposition,
    epsilon_regression,
    nu_classification,
    nu_regression,
    one_class,
    sequential,
    sequential_steps,
    smo,
    smo_steps,
    soft_margin,
)

N = 30
RNG = np.random.default_rng(3)
X = RNG.normal(size=(N, 2))
T = np.where(X[:, 0] + 0.5 * RNG.normal(size=N) > 0, 1.0, -1.0)
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=N)
ONE_OF_3 = np.eye(3)[np.arange(N) % 3]
K = np.exp(-((X[:, None, :] - X) ** 2).sum(axis=2))

#: Every way from Python into compiled code: a name, and a function of `given`, which hands it its arrays.
ENTRIES = {
    "smo": lambda given: smo(soft_margin(given(K), given(T), given(np.full(N, 2.0)))),
    "smo with a start": lambda given: smo(soft_margin(given(K), given(T), 1.0), v=given(np.zeros(N))),
    "smo by random pairs": lambda given: smo(soft_margin(given(K), given(T), 1.0), rule="random"),
    "smo_steps": lambda given: list(smo_steps(soft_margin(given(K), given(T), 1.0))),
    "smo on rows": lambda given: smo(
        soft_margin(Gram(given(np.ones(N)), lambda rows: given(K)[rows]), T, 1.0)
    ),
    "smo on a known matrix": lambda given: smo(soft_margin(Gram.of_matrix(given(K)), T, 1.0)),
    "one class": lambda given: smo(one_class(given(K), 0.3)),
    "nu-SVC": lambda given: smo(nu_classification(given(K), given(T), 0.3)),
    "tube": lambda given: smo(epsilon_regression(given(K), given(Y), 1.0, 0.1)),
    "nu-SVR": lambda given: smo(nu_regression(given(K), given(Y), 1.0, 0.3)),
    "any problem": lambda given: smo(
        DualProblem(
            given(K),
            given(Y),
            given(-np.ones(N)),
            given(np.ones(N)),
            group=given(1.0 * (T > 0)),
            total=[0.0, 0.0],
        )
    ),
    "decomposition": lambda given: decomposition(soft_margin(given(K), given(T), 1.0), size=6),
    "c_path": lambda given: c_path(given(K), given(T), 10.0),
    "sequential, gaussian": lambda given: sequential(given(K), given(Y)),
    "sequential, bernoulli": lambda given: sequential(given(K), given((T + 1) / 2), "bernoulli"),
    "sequential, softmax": lambda given: sequential(given(K), given(ONE_OF_3), "softmax"),
    "sequential_steps": lambda given: list(sequential_steps(given(K), given(Y), max_iter=20)),
    "Gaussian": lambda given: Gaussian()(given(X), given(X[:5])),
    "ARD": lambda given: ARD([1.0, 2.0])(given(X)),
    "compact windows": lambda given: log_sums(EPANECHNIKOV, given(X), given(X[:5]), 1),
    "on a grid": lambda given: Gaussian().on_grid(given(X[:, 0]), given(X[:, 1]), given(X), given(Y)),
}


def frozen(array):
    """A copy that nobody may write to."""
    array = array.copy()
    array.setflags(write=False)
    return array


def shifted(array):
    """A copy whose numbers do not begin where numbers like to begin."""
    room = np.empty(array.nbytes + 1, dtype=np.uint8)[1:].view(float).reshape(array.shape)
    room[...] = array
    return room


def mapped(tmp_path):
    """How arrays come from a file, of which no more is read than is needed; nobody may write to these either."""

    def mapped(array):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npy"
        np.save(path, array)
        return np.load(path, mmap_mode="r")

    return mapped


def compiled():
    """Every compiled function of the package, and the types of arguments that it was compiled for."""
    modules = [
        importlib.import_module(found.name)
        for folder in (sparsekm_edu.solvers, sparsekm_edu.kernels)
        for found in pkgutil.walk_packages(folder.__path__, folder.__name__ + ".")
    ]
    functions = {
        id(value): value for module in modules for value in vars(module).values() if hasattr(value, "py_func")
    }
    return {f"{f.py_func.__module__}.{f.__name__}": tuple(f.signatures) for f in functions.values()}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_nothing_is_compiled_for_arrays_of_another_kind(entry, tmp_path):
    pytest.importorskip("numba")
    entry(np.array)
    known = compiled()
    assert len(known) > 30
    assert any(known.values())
    for given in (frozen, np.asfortranarray, shifted, mapped(tmp_path)):
        entry(given)
        assert compiled() == known
    types = [kind for signatures in known.values() for signature in signatures for kind in signature]
    arrays = [kind for kind in types if hasattr(kind, "layout")]
    assert all(array.mutable for array in arrays)  # else an earlier call had compiled for both
