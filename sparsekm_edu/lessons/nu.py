"""What nu promises: at most so many points outside, at least so many support vectors."""

import numpy as np

from sparsekm_edu.solvers.dual.formulations import one_class
from sparsekm_edu.solvers.dual.smo import smo

EXACT = 1e-9  # of the solver, in units of the largest K_nn
ON_THE_EDGE = (
    1e-6  # y closer to 0 than this part of the largest K_nn is on the boundary, which counts as inside
)


def nu_fractions(K, nus):
    """The fractions of support vectors and of points outside for the plane of `one_class(K, nu)`, each (len(nus),).

    Parameters: K (N, N) Gram matrix; nus, values in (0, 1].
    """
    unit = np.diag(K).max()
    supports, outsides = [], []
    for nu in nus:
        solution = smo(one_class(K, nu), tol=EXACT * unit)
        y = K @ solution.v + solution.b
        supports.append(np.mean(solution.v > 0))
        outsides.append(np.mean(y < -ON_THE_EDGE * unit))
    return np.array(supports), np.array(outsides)
