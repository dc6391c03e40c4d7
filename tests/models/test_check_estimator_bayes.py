"""scikit-learn's own checks on the relevance vector machines.

There is no sample_weight in the theory, so there are fewer checks than for support vector machines. Nothing is excused:
no check may fail, and only the one for array libraries, which we do not support, may be skipped. Where max_iter is
small it is only to save time. RVC(kernel="precomputed") is not here: one check hands data that are not square to every
machine with probabilities, whatever it has said it needs.
"""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from sparsekm_edu.kernels import Gaussian
from sparsekm_edu.models.rvm import RVC, RVR


@pytest.mark.filterwarnings(
    "ignore"
)  # the checks' data are noise-free, constant, and whatever else deserves warnings
@pytest.mark.parametrize(
    ("estimator", "checks"),
    [
        (RVR(), 50),
        (RVR(method="reestimate", max_iter=50), 50),
        (RVR(method="em", max_iter=20), 50),
        (RVR(kernel="linear"), 50),
        (RVR(kernel=Gaussian(0.1), bias=False), 50),
        (RVR(extra="linear", beta=1.0), 50),
        (RVR(kernel="precomputed"), 50),
        (RVC(), 53),
        (RVC(method="reestimate", max_iter=3), 53),
        (RVC(kernel="linear", max_iter=50), 53),
        (RVC(kernel=Gaussian(0.1), bias=False, probability="plug-in"), 53),
        (RVC(extra="quadratic", max_iter=50), 53),
    ],
    ids=repr,
)
def test_scikit_learns_own_checks(estimator, checks):
    """A wrong order of base classes would silently drop a third of them: hence the count."""
    results = check_estimator(estimator, on_skip=None)
    passed = [result for result in results if result["status"] == "passed"]
    skipped = [result["check_name"] for result in results if result["status"] != "passed"]
    assert len(passed) >= checks
    assert set(skipped) <= {"check_array_api_input"}
