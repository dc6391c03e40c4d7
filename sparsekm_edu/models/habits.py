"""What users of scikit-learn's machines write out of habit, and how it is written here."""

from functools import wraps
from inspect import signature

#: parameters of scikit-learn's support vector machines that ours do not have: how to get what they stand for
INSTEAD = {
    "gamma": "it belongs to the kernel, kernel=Gaussian(gamma=0.1)",
    "degree": "it belongs to the kernel, kernel=Polynomial(degree=3)",
    "coef0": "it belongs to the kernel, kernel=Polynomial(degree=3, offset=1.0)",
    "probability": "PlattScaling(SVC()) gives probabilities, and so does RVC()",
    "random_state": "nothing in it is random",
    "verbose": "after fit n_iter_, converged_ and solution_ tell how it went",
    "cache_size": "solver='decomposition' computes only the rows of the Gram matrix that it needs",
    "shrinking": "no solver here leaves points out for a while",
    "decision_function_shape": "OneVsOneClassifier or OneVsRestClassifier of sklearn.multiclass goes around it",
    "break_ties": "OneVsOneClassifier of sklearn.multiclass goes around it, and breaks ties by the outputs",
}


def explaining(init):
    """A constructor that also says what to write instead of a parameter of scikit-learn's; its signature stays."""
    own = signature(init).parameters

    @wraps(init)
    def __init__(self, *args, **kwargs):
        for name in kwargs:
            if name in INSTEAD and name not in own:
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}: {INSTEAD[name]}.")
        init(self, *args, **kwargs)

    return __init__
