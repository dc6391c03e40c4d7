"""A straight line fitted around one place: weighted least squares, and what leaving one point out does to it."""

import numpy as np


def local_line(d, y, kappa):
    """Intercept and slope of the line that fits weighted points best, (14.94) and (14.95), in one dimension.

    Parameters: d (N,) = x_i - x*, so that the intercept is the prediction at x*; y (N,); kappa (N,), the weights, >= 0.
    Returns: beta (2,), the least of all solutions if all points of weight > 0 share one place: then the slope is as
    small as can be.

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.local_lines import local_line
    >>> print(local_line(np.array([-1.0, 0.0, 2.0]), np.array([1.0, 3.0, 7.0]), np.array([0.2, 1.0, 0.1])).round(6))
    [3. 2.]
    """
    root = np.sqrt(kappa)
    Phi = np.column_stack([np.ones_like(d), d])
    return np.linalg.lstsq(root[:, None] * Phi, root * y)[0]
