"""Table 14.1 of MLaPP, measured: five ways to make a classifier of a kernel.

L2VM, L1VM, RVM and SVM are this library's, the Gaussian process is scikit-learn's `GaussianProcessClassifier`
(Laplace's approximation). What somebody has to choose, lam or C, is chosen by cross-validation; RVM and Gaussian
process learn from the evidence.
"""

import warnings

import numpy as np
from scipy.special import expit, xlogy
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process import kernels as processes
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier

from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models.calibration import PlattScaling
from sparsekm_edu.models.kernel_learning import optimise_kernel
from sparsekm_edu.models.rvm import RVC
from sparsekm_edu.models.svm import SVC
from sparsekm_edu.models.vector_machines import L1VMClassifier, L2VMClassifier

#: Table 14.1: machine -> what the book says
HEADER = "optimise w", "kernel", "sparse", "probabilities", "many classes", "non-Mercer"
CLAIMS = {
    "L2VM": ("convex", "EB", "no", "yes", "yes", "yes"),
    "L1VM": ("convex", "CV", "yes", "yes", "yes", "yes"),
    "RVM": ("not convex", "EB", "yes", "yes", "yes", "yes"),
    "SVM": ("convex", "CV", "yes", "no", "indirectly", "no"),
    "GP": ("N/A", "EB", "no", "yes", "yes", "no"),
}
LAMS = 0.01, 0.03, 0.1, 0.3, 1.0, 3.0  # prices to choose from
CS = 0.1, 0.3, 1.0, 3.0, 10.0, 30.0
FOLDS = 5
AMPLITUDE = processes.ConstantKernel(1.0, (1e-3, 1e5))  # of the Gaussian process, where to start and to stop


class Given(processes.Kernel):
    """Any kernel of this library as one of scikit-learn's for Gaussian processes, without parameters to learn.

    >>> from sparsekm_edu import Gaussian
    >>> from sparsekm_edu.models.comparison import Given
    >>> (2.0 * Given(Gaussian(gamma=0.5)))([[0.0], [1.0]]).round(2)
    array([[2.  , 1.21],
           [1.21, 2.  ]])
    """

    def __init__(self, kernel):
        self.kernel = kernel

    def __call__(self, X, Y=None, eval_gradient=False):
        K = self.kernel(X) if Y is None else self.kernel(X, Y)
        return (K, np.empty((*K.shape, 0))) if eval_gradient else K

    def diag(self, X):
        return self.kernel.diag(X)

    def is_stationary(self):
        return False


def machines(kernel, chosen=True):
    """The five, unfitted: name -> estimator, all with the same kernel.

    With chosen=True lam and C are chosen by cross-validation, lam by log loss, C by errors (an SVM has no
    probabilities); else they are 0.3 and 1. The amplitude of the process is always learned.
    """

    def tuned(machine, name, values, scoring=None):
        return GridSearchCV(machine, {name: values}, scoring=scoring, cv=FOLDS) if chosen else machine

    return {
        "L2VM": tuned(L2VMClassifier(kernel, lam=0.3), "lam", LAMS, "neg_log_loss"),
        "L1VM": tuned(L1VMClassifier(kernel, lam=0.3), "lam", LAMS, "neg_log_loss"),
        "RVM": RVC(kernel),
        "SVM": tuned(SVC(kernel=kernel), "C", CS),
        "GP": GaussianProcessClassifier(AMPLITUDE * Given(kernel)),
    }


def kept(model, N):
    """How many of the N points a fitted machine needs to predict: as many kernels are evaluated for each new point."""
    model = getattr(model, "best_estimator_", model)
    points = getattr(model, "relevance_", getattr(model, "support_", None))
    return N if points is None else len(points)


def probability(model, X):
    """p(t = 1 | x) of a fitted machine, (M,); for an SVM sigma(y), as if y were log odds, which nobody promised."""
    model = getattr(model, "best_estimator_", model)
    return (
        model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else expit(model.decision_function(X))
    )


def nats_lost(p, q):
    """The mean Kullback-Leibler divergence from the true probabilities p (M,) to q: 0 if they are equal."""
    q = np.clip(q, 1e-12, 1 - 1e-12)
    divergence = xlogy(p, p) + xlogy(1 - p, 1 - p) - p * np.log(q) - (1 - p) * np.log(1 - q)
    return float(np.mean(divergence))


def measured(kernel, draws, X, p):
    """Points kept, nats lost and true error of every machine, and of the SVM with Platt's sigmoid, on every draw.

    Parameters: draws, a list of (X, t) to learn from; X (M, D) where the probabilities p (M,) of class +1 are known.
    Returns: name -> array (draws, 3).
    """
    rows = {}
    for train_X, t in draws:
        fitted = {name: model.fit(train_X, t) for name, model in machines(kernel).items()}
        fitted["SVM, Platt"] = PlattScaling(fitted["SVM"].best_estimator_).fit(train_X, t)
        for name, model in fitted.items():
            q = probability(model, X)
            count = kept(getattr(model, "estimator_", model), len(t))
            rows.setdefault(name, []).append((count, nats_lost(p, q), np.mean(np.where(q > 0.5, 1 - p, p))))
    return {name: np.array(each) for name, each in rows.items()}


def widths_by_evidence(gamma, draws, X, p):
    """The gamma of a Gaussian kernel that the evidence of RVM and Gaussian process chooses, and the nats then lost.

    Parameters: gamma, where the search starts; draws, X and p as for `measured`.
    Returns: name -> array (draws, 2).
    """
    rows = {"RVM": [], "GP": []}
    start = processes.RBF((2 * gamma) ** -0.5, (1e-2, 1e2))
    for train_X, t in draws:
        found = optimise_kernel(Gaussian(gamma), train_X, t, RVC(), progress=False)
        rows["RVM"].append((found.kernel.gamma, nats_lost(p, probability(found.model, X))))
        process = GaussianProcessClassifier(AMPLITUDE * start).fit(train_X, t)
        width = process.kernel_.k2.length_scale
        rows["GP"].append((1 / (2 * width**2), nats_lost(p, probability(process, X))))
    return {name: np.array(each) for name, each in rows.items()}


def tried(kernel, X, t, new_X, new_t):
    """What each machine does with a kernel, on two classes or more: name -> a sentence and its error on new points.

    The error is None where the machine refused. lam and C are not tuned. For more than two classes the SVM is wrapped
    in scikit-learn's OneVsOneClassifier; the process of scikit-learn is one against the rest by itself.
    """
    out = {}
    for name, model in machines(kernel, chosen=False).items():
        indirect = len(np.unique(t)) > 2 and name in ("SVM", "GP")
        if indirect and name == "SVM":
            model = OneVsOneClassifier(model)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                model.fit(X, t)
            except np.linalg.LinAlgError:
                out[name] = "breaks down", None
                continue
        word = "fits, and warns" if caught else "several machines" if indirect else "fits"
        out[name] = word, float(np.mean(model.predict(new_X) != new_t))
    return out


def in_words(word, error):
    """A result of `tried` as text."""
    return word if error is None else f"{word}, error {100 * error:.1f} %"


def beside_claims(found):
    """Rows for `table`: the book's claims on each machine, and below them what was found.

    found: machine -> as many texts as HEADER has.
    """
    rows = {}
    for name, claims in CLAIMS.items():
        rows[name] = claims
        rows[f"  {name}, found"] = found[name]
    return rows
