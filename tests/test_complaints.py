"""Warnings point at the line that the user wrote, whichever way leads from there to the trouble."""

import numpy as np
import pytest

from sparsekm_edu.kernels import Gaussian, Linear
from sparsekm_edu.models import (
    DAGSVM,
    SVC,
    SVDD,
    SVR,
    BayesianLogisticRegression,
    L1VMClassifier,
    L2VMClassifier,
    LeeSVC,
    LogisticRegression,
    NuSVC,
    NuSVR,
    OneClassSVM,
    PlattScaling,
    PolsonScottSVM,
    WestonWatkinsSVC,
    optimise_kernel,
)
from sparsekm_edu.solvers import chunking, decomposition, qp, smo, soft_margin

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
T = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1, -1)
PROBLEM = soft_margin(X @ X.T, T, C=1e4)
TOO_NARROW = Gaussian(gamma=1e300)
HALVES = np.arange(20), np.arange(20, 40)
REVERSED = np.where(np.arange(40) < 20, T, -T)  # what one half teaches is wrong in the other
SHORT = {"max_iter": 1, "tol": 1e-9, "kernel": Linear()}


def sigmoid(X, Z):
    return np.tanh(X @ Z.T - 1.0)


def fitting(machine, t=T):
    return lambda: machine.fit(X, t)


#: what is wrong: words of the warning, and a call that provokes it
COMPLAINTS = {
    "degenerate kernel": ("degenerate Gram matrix", lambda: TOO_NARROW(X)),
    "sum of degenerate kernels": ("degenerate Gram matrix", lambda: (Linear() + 2.0 * TOO_NARROW)(X)),
    "degenerate, SVC": ("degenerate Gram matrix", fitting(SVC(kernel=TOO_NARROW))),
    "degenerate, L2VM": ("degenerate Gram matrix", fitting(L2VMClassifier(kernel=TOO_NARROW))),
    "no Mercer kernel, SVC": ("not positive semi-definite", fitting(SVC(kernel=sigmoid))),
    "no Mercer kernel, Lee": ("Negative eigenvalues are taken as 0", fitting(LeeSVC(kernel=sigmoid))),
    "smo": ("not converged", lambda: smo(PROBLEM, max_iter=1)),
    "qp": ("not converged", lambda: qp(PROBLEM, tol=1e-300)),
    "chunking": ("not converged", lambda: chunking(PROBLEM, tol=1e-300)),
    "decomposition": ("not converged", lambda: decomposition(PROBLEM, max_iter=1)),
    "SVC": ("not converged", fitting(SVC(C=1e9, **SHORT))),
    "SVC, qp": ("not converged", fitting(SVC(solver="qp", tol=1e-300))),
    "SVC, chunking": ("not converged", fitting(SVC(C=1e9, solver="chunking", **SHORT))),
    "SVC, decomposition": ("not converged", fitting(SVC(C=1e9, solver="decomposition", **SHORT))),
    "NuSVC": ("not converged", fitting(NuSVC(**SHORT))),
    "NuSVC, no margin": ("rho = .* is too small", fitting(NuSVC(nu=0.1, kernel="linear"))),
    "SVR": ("not converged", fitting(SVR(**SHORT))),
    "SVR, wide tube": ("no support vectors", fitting(SVR(epsilon=10.0))),
    "NuSVR": ("not converged", fitting(NuSVR(**SHORT))),
    "OneClassSVM": ("not converged", fitting(OneClassSVM(**SHORT))),
    "SVDD": ("not converged", fitting(SVDD(**SHORT))),
    # with a smaller C the last, exact step makes up for one iteration, and rounding decides
    "Weston and Watkins": ("not converged", fitting(WestonWatkinsSVC(C=1e9, **SHORT))),
    "Lee, qp": ("not converged", fitting(LeeSVC(C=1e6, solver="qp", tol=1e-300))),
    "EM": ("not converged", fitting(PolsonScottSVM(**SHORT))),
    "L1VM, dear weights": ("no support vectors", fitting(L1VMClassifier(lam=1e9))),
    "L1VM": ("not converged", fitting(L1VMClassifier(lam=0.1, **SHORT))),
    "logistic regression": ("not converged", fitting(LogisticRegression(max_iter=1))),
    "Bayesian logistic regression": ("not converged", fitting(BayesianLogisticRegression(max_iter=1))),
    "DAGSVM": ("not converged", fitting(DAGSVM(SVC(**SHORT)))),
    "Platt, classifier": ("not converged", fitting(PlattScaling(SVC(**SHORT)))),
    "Platt, sigmoid": ("not converged", fitting(PlattScaling(max_iter=1))),
    "Platt, reversed": ("slope A = -", fitting(PlattScaling(cv=[HALVES]), REVERSED)),
    "kernel learning": ("not converged", lambda: optimise_kernel("rbf", X, T, max_iter=1)),
}


@pytest.mark.parametrize("what", COMPLAINTS)
def test_warnings_point_at_the_users_line(what):
    words, call = COMPLAINTS[what]
    with pytest.warns(UserWarning, match=words) as record:
        call()
    (complaint, *_) = [warning for warning in record if words.partition(".*")[0] in str(warning.message)]
    assert complaint.filename == __file__
