"""Large data: a sentence before the memory is exhausted, predictions in blocks, and fits in bounded memory."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

from sparsekm_edu import (
    RVC,
    RVR,
    SVC,
    SVDD,
    SVR,
    Gaussian,
    L1VMClassifier,
    L2VMRegressor,
    LeeSVC,
    NuSVC,
    NuSVR,
    OneClassSVM,
    PolsonScottSVM,
)
from sparsekm_edu.kernels import Kernel
from sparsekm_edu.models import memory

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] + 0.3 * RNG.normal(size=60) > 0, 1.0, -1.0)
NEW = RNG.normal(size=(101, 2))

SUPPORT = [SVC(), NuSVC(nu=0.3), SVR(), NuSVR(), OneClassSVM(), SVDD()]
OTHERS = [LeeSVC(), LeeSVC(solver="qp"), PolsonScottSVM(), RVR(), RVC(), L1VMClassifier(), L2VMRegressor()]


def name(machine):
    return type(machine).__name__


# ------------------------------------------------------------------ a word before


@pytest.fixture
def little_memory(monkeypatch):
    """3 GB, whatever the machine has; and a kernel that must not be called on all points at once."""
    monkeypatch.setattr(memory, "memory_at_hand", lambda: 3e9)


class Untouched(Gaussian):
    def __call__(self, X, Z=None):
        raise AssertionError("the matrix must not be computed")


MANY = np.zeros((60_000, 1))
MANY[::2] = 1.0
LABELS = MANY[:, 0]


@pytest.mark.parametrize("machine", SUPPORT, ids=name)
@pytest.mark.parametrize("solver", ["smo", "qp"])
def test_a_gram_matrix_too_large_is_refused_with_advice(little_memory, machine, solver):
    said = (
        r"The kernel matrix of 60000 points takes 28\.8 GB, and only 3\.0 GB of memory are at hand: "
        "take solver='decomposition', which keeps only some rows of it, or fewer points"
    )
    with pytest.raises(MemoryError, match=said):
        clone(machine).set_params(kernel=Untouched(), solver=solver).fit(MANY, LABELS)


@pytest.mark.parametrize("machine", OTHERS, ids=name)
def test_machines_without_another_solver_ask_for_fewer_points(little_memory, machine):
    with pytest.raises(
        MemoryError, match=r"60000 points takes .* GB of memory are at hand: take fewer points\."
    ):
        clone(machine).set_params(kernel=Untouched()).fit(MANY, LABELS)


def test_two_copies_are_told(little_memory):
    with pytest.raises(MemoryError, match=r"takes 57\.6 GB \(2 times 28\.8\), and only 3\.0 GB"):
        RVR(kernel=Untouched()).fit(MANY, LABELS)


@pytest.mark.parametrize("solver", ["smo", "decomposition"])
def test_a_kernel_of_which_nobody_knows_is_computed_as_a_whole(little_memory, solver):
    """It has to be checked for symmetry, which takes all of it."""

    def unknown(X, Z):
        raise AssertionError("the matrix must not be computed")

    with pytest.raises(MemoryError, match="take fewer points, or a Mercer kernel and solver='decomposition'"):
        SVC(kernel=unknown, solver=solver).fit(MANY, LABELS)


@pytest.mark.parametrize("machine", SUPPORT, ids=name)
def test_rows_on_demand_ask_for_no_matrix(monkeypatch, machine):
    monkeypatch.setattr(memory, "MODEST", 0)
    monkeypatch.setattr(memory, "memory_at_hand", lambda: 1000)
    with pytest.raises(MemoryError, match="of 60 points"):
        clone(machine).fit(X, Y)
    for solver in ("chunking", "decomposition"):
        assert clone(machine).set_params(solver=solver).fit(X, Y).converged_


def test_unknown_memory_and_small_matrices_are_left_alone(monkeypatch):
    monkeypatch.setattr(memory, "memory_at_hand", lambda: None)
    memory.check_room(10**7, "")
    monkeypatch.setattr(memory, "memory_at_hand", lambda: 1)
    memory.check_room(3000, "")
    with pytest.raises(MemoryError):
        memory.check_room(4000, "")


def test_memory_at_hand_is_the_least_that_the_system_tells(monkeypatch, tmp_path):
    files = {
        "/proc/meminfo": "MemTotal: 9000000 kB\nMemAvailable: 5000000 kB\n",
        "/sys/fs/cgroup/memory.max": "max\n",
        "/sys/fs/cgroup/memory.current": "700000000\n",
        "/sys/fs/cgroup/memory.stat": "anon 1\nactive_file 100000000\ninactive_file 200000000\n",
    }

    def read(path):
        if str(path) not in files:
            raise FileNotFoundError(path)
        return files[str(path)]

    monkeypatch.setattr(Path, "read_text", read)
    assert memory.memory_at_hand() == 5_000_000 * 1024  # of "max" no limit follows
    files["/sys/fs/cgroup/memory.max"] = "1000000000\n"
    assert memory.memory_at_hand() == 600_000_000  # the limit, less what is in use and cannot be dropped
    files.clear()
    monkeypatch.setattr(
        memory.os, "sysconf", {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}.get, raising=False
    )
    assert memory.memory_at_hand() == 4_096_000
    monkeypatch.delattr(memory.os, "sysconf")
    assert memory.memory_at_hand() is None


# ------------------------------------------------------------------ predictions in blocks


def values(model, points):
    return model.predict(points) if is_regressor(model) else model.decision_function(points)


@pytest.mark.parametrize("machine", [*SUPPORT, *OTHERS], ids=name)
@pytest.mark.parametrize("precomputed", [False, True])
def test_predictions_in_blocks_are_the_same(monkeypatch, machine, precomputed):
    if precomputed and isinstance(machine, SVDD):
        pytest.skip("has to know k(x, x)")
    kernel = Gaussian(0.7)
    model = clone(machine).set_params(kernel="precomputed" if precomputed else kernel)
    points = kernel(NEW, X) if precomputed else NEW
    model.fit(kernel(X) if precomputed else X, Y)
    at_once = values(model, points)
    sizes = []
    monkeypatch.setattr(memory, "BLOCK", 100)  # fewer than all points, even of a single column
    monkeypatch.setattr(Gaussian, "__call__", counting(Gaussian.__call__, sizes))
    np.testing.assert_allclose(values(model, points), at_once, rtol=1e-14, atol=1e-14)
    assert precomputed or (len(sizes) > 1 and max(sizes) <= 100)


def counting(call, sizes):
    def counted(self, X, Z=None):
        K = call(self, X, Z)
        sizes.append(K.size)
        return K

    return counted


def test_memory_of_a_prediction_does_not_grow_with_the_points():
    """100 000 points and 500 support vectors would be a matrix of 400 MB."""
    model = SVC(C=1e-3).fit(np.repeat(X, 10, axis=0), np.tile(Y, (10, 1)).T.ravel())
    many = np.random.default_rng(1).normal(size=(100_000, 2))
    assert len(model.support_) > 400
    tracemalloc.start()
    y = model.decision_function(many)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200e6
    np.testing.assert_allclose(y[-3:], model.decision_function(many[-3:]), rtol=1e-13)


def test_the_diagonal_of_any_kernel_takes_no_matrix():
    """For kernels that only say how to be called; SVDD and rows on demand ask for it."""
    sizes = []

    class Plain(Gaussian):
        diag = Kernel.diag
        __call__ = counting(Gaussian.__call__, sizes)

    points = np.random.default_rng(2).normal(size=(1030, 2))
    np.testing.assert_array_equal(Plain().diag(points), np.ones(1030))
    assert max(sizes) <= 100**2
    assert Plain().diag(points[:0]).shape == (0,)


# ------------------------------------------------------------------ the whole process

FIT = """
from pathlib import Path
import numpy as np
from sparsekm_edu import SVC, Gaussian

rng = np.random.default_rng(0)
t = np.where(np.arange(20_000) % 2, 1.0, -1.0)
X = rng.normal(size=(20_000, 10))
X[:, 0] += t
model = SVC(kernel=Gaussian(0.1), solver="decomposition").fit(X, t)
assert model.converged_ and model.kkt_violation_ <= 1e-3
print(*(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_decomposition_of_20000_points_stays_within_a_gigabyte():
    """Python and all libraries included; all of K alone would take 3.2 GB."""
    run = subprocess.run([sys.executable, "-c", FIT], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    peak, unit = run.stdout.split()[1:]
    assert unit == "kB"
    assert 1024 * int(peak) < 1e9
