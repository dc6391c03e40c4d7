"""The benchmarks run: a few small cells, one seed, every table with its verdicts; and what they check by is right."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import multivariate_normal

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results.md"
MISSING = [name for name in ("fastrvm", "kmedoids", "sklearn_rvm") if find_spec(name) is None]


def quick_run(name):
    """What `--quick` prints; it must not write anything."""
    before = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else None
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / name, "--quick"], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert "not to be quoted" in run.stdout
    assert (RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else None) == before
    return run.stdout


@pytest.mark.slow
def test_quick_run_of_the_support_vector_machines():
    report = quick_run("svm.py")
    assert report.count("\n## ") == 6
    (large,) = (line for line in report.splitlines() if line.startswith("| 1000 | 10 |"))
    assert all(
        40 < float(large.split("|")[n].strip("* mise")) < 1000 for n in (5, 8, 10)
    )  # MB, of a whole process


@pytest.mark.slow
@pytest.mark.skipif(
    bool({"fastrvm", "sklearn_rvm"} & set(MISSING)),
    reason=f"rivals not installed: {', '.join(MISSING)} (extra `rivals`)",
)
def test_quick_run_of_the_relevance_vector_machines():
    report = quick_run("rvm.py")
    assert report.count("\n## ") == 5
    rows = [line for line in report.splitlines() if line.startswith("| 100 |")]
    assert len(rows) == 4
    assert all(
        re.fullmatch(r"\d+", entry.strip()) for row in rows for entry in row.split("|")[-4:-1]
    )  # all have fitted
    # whoever stores weights stores the alpha (and noise) that belong to them, as we read them
    differences = re.findall(r"([\d.e+-]+) \((ours|fastrvm|sklearn-rvm)\)", report)
    assert len(differences) == 3 * 4
    assert max(float(number) for number, _ in differences) < 1e-2


@pytest.mark.slow
@pytest.mark.skipif("fastrvm" in MISSING, reason="fastrvm is not installed (extra `rivals`)")
def test_quick_run_of_the_map_of_widths():
    report = quick_run("rvm_map.py")
    assert report.count("\n## ") == 2
    assert report.count("0 of 1 cells miss that, 0 are more than 2 nats below the best") == 2


@pytest.mark.slow
def test_quick_run_of_the_kernels():
    report = quick_run("kernels.py")
    (line,) = re.findall(r"^\| 30 \| 50 \| 3 \|(.*)\|$", report, re.M)  # Spectrum beside CountVectorizer
    ours, theirs, _, difference = line.split("|")
    assert 0 < float(ours) < 1000
    assert 0 < float(theirs) < 1000
    assert float(difference) == 0
    assert report.count("ns for each letter") == 6  # the head and the summary of three tables
    assert report.count("ns for each point of each pair of sets") == 2


@pytest.mark.slow
def test_quick_run_of_the_kernel_machines():
    report = quick_run("kernel_machines.py")
    assert report.count("\n## ") == 4
    assert report.count("Exponents of N between the two largest sizes") == 4
    (kept,) = re.findall(r"^\| 100 \| 100 \| (\d+) \| (\d+) \| (\d+) \| 100 \|$", report, flags=re.M)
    l1vm, rvm, svm = map(int, kept)
    assert rvm < l1vm < svm < 100


@pytest.mark.slow
def test_quick_run_of_the_selection():
    report = quick_run("selection.py")
    (line,) = re.findall(r"^\| mixture \| 60 \|(.*)\|$", report, re.M)
    ours, theirs, ratio, differ = line.split("|")
    assert 0 < float(ours) < float(theirs)
    assert float(ratio) < 0.5  # on any machine, however busy
    assert float(differ.strip(" %")) < 5


@pytest.mark.slow
def test_quick_run_of_smoothing():
    report = quick_run("smoothing.py")
    assert report.count("\n## ") == 1
    rows = re.findall(r"^\| (\w+) \| 0.3 \| 100 \| 2 \|(.*)\|$", report, re.M)
    assert [window for window, _ in rows] == ["gaussian", "boxcar", "epanechnikov"]
    for _, numbers in rows:
        ours, theirs, _, difference = numbers.split("|")
        assert 0 < float(ours) < 1000
        assert 0 < float(theirs) < 1000
        assert float(difference) < 1e-12


@pytest.mark.slow
@pytest.mark.skipif("kmedoids" in MISSING, reason="kmedoids is not installed (extra `rivals`)")
def test_quick_run_of_the_kernel_trick():
    report = quick_run("kernel_trick.py")
    assert report.count("\n## ") == 3
    differences = re.findall(r"^\| 60 \| \d+ \|.*\| (\S+) \|$", report, re.M)
    assert len(differences) == 2 + 3 + 3
    assert max(map(float, differences[:5])) < 1e-9  # of predictions and coordinates
    assert max(map(float, differences[5:])) <= 0  # of costs: not above those of FasterPAM


@pytest.fixture
def benchmark_module(monkeypatch):
    """import_module for the folder of benchmarks, which set the number of threads when they are imported."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return import_module


def test_evidence_of_a_regression_is_the_density_of_the_targets(benchmark_module):
    rng = np.random.default_rng(0)
    Phi, t = rng.normal(size=(30, 4)), rng.normal(size=30)
    alpha, beta = np.array([0.1, 1.0, 5.0, 1e-3]), 2.5
    evidence, mean = benchmark_module("rvm").gaussian_evidence(Phi, t, alpha, beta)
    C = np.eye(30) / beta + Phi / alpha @ Phi.T
    assert evidence == pytest.approx(multivariate_normal(np.zeros(30), C).logpdf(t), rel=1e-10)
    np.testing.assert_allclose(
        mean, np.linalg.solve(np.diag(alpha) + beta * Phi.T @ Phi, beta * Phi.T @ t), rtol=1e-9
    )


def test_evidence_of_a_classification_is_laplaces(benchmark_module):
    rng = np.random.default_rng(1)
    Phi = rng.normal(size=(40, 3))
    t = (Phi[:, 0] + rng.normal(size=40) > 0).astype(float)
    alpha = np.array([0.3, 2.0, 20.0])

    def log_joint(w):  # ln p(t | w) + ln p(w | alpha), (7.109) with its constants
        y = expit(Phi @ w)
        prior = 0.5 * np.sum(np.log(alpha / (2 * np.pi)) - alpha * w**2)
        return np.sum(t * np.log(y) + (1 - t) * np.log(1 - y)) + prior

    mode = minimize(
        lambda w: -log_joint(w), np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
    ).x
    y = expit(Phi @ mode)
    precision = np.diag(alpha) + Phi.T @ np.diag(y * (1 - y)) @ Phi
    by_the_book = log_joint(mode) + 1.5 * np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(precision)[1]  # (7.114)
    evidence, found = benchmark_module("rvm").laplace_evidence(Phi, t, alpha)
    np.testing.assert_allclose(found, mode, atol=1e-6)
    assert evidence == pytest.approx(by_the_book, abs=1e-6)


def test_a_report_replaces_its_own_part_of_the_results(benchmark_module, monkeypatch, tmp_path):
    shared = benchmark_module("_shared")
    monkeypatch.setattr(shared, "RESULTS", tmp_path / "results.md")
    for report in ("# A\n\n## table\none\n", "# B\n\n## table\ntwo\n", "# A\n\n## table\nthree\n"):
        shared.store(report)
    assert shared.RESULTS.read_text() == "# A\n\n## table\nthree\n\n# B\n\n## table\ntwo\n"


def test_a_call_that_takes_too_long_is_stopped(benchmark_module):
    rvm = benchmark_module("rvm")

    def forever():
        while True:
            np.linalg.norm(np.ones(10))

    with pytest.raises(rvm.TooSlow):
        rvm.stopped_after(0.05, forever)
    assert rvm.stopped_after(5.0, lambda: "done") == "done"
