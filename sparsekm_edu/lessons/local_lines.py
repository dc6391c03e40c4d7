"""A straight line fitted around one place: weighted least squares."""

import numpy as np

NO_SPREAD = 1e-100  # weighted variance of places: none but rounding errors


def local_line(d, y, kappa):
    """Intercept and slope of the line that fits weighted points best, (14.94) and (14.95), in one dimension.

    Parameters: d (N,) = x_i - x*, so that the intercept is the prediction at x*; y (N,); kappa (N,), the weights, >= 0.
    Returns: beta (2,). Where all points of weight > 0 share one place, no slope can be found, and the line is level, as
    that of `LocallyWeightedRegression` is.

    >>> import numpy as np
    >>> from sparsekm_edu.lessons.local_lines import local_line
    >>> print(local_line(np.array([-1.0, 0.0, 2.0]), np.array([1.0, 3.0, 7.0]), np.array([0.2, 1.0, 0.1])).round(6))
    [3. 2.]
    """
    w = kappa / kappa.sum()
    from_first = d - d[w.argmax()]  # measured from the heaviest point, small spreads keep all their digits
    mean = w @ from_first
    from_mean = from_first - mean
    spread = w @ from_mean**2
    slope = (w * from_mean) @ y / spread if spread > NO_SPREAD else 0.0
    return np.array([w @ y - slope * (d[w.argmax()] + mean), slope])  # through the means of d and of y
