"""A table with columns of several kinds, as data mostly come: a category, and measurements in units of their own."""

import numpy as np
from scipy.special import expit

APPLE_VARIETIES = "Amber", "Brook", "Cinder", "Dale", "Ember", "Fern", "Grove", "Heath"
TASTE = 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0  # of each variety: the alphabet knows nothing of it
UNITS = {"sugar": (0.12, 0.015), "acid": (6.0, 1.5), "diameter": (72.0, 8.0)}  # mean and standard deviation


def apples(n=200, seed=0):
    """Apples, and whether somebody liked them: a made-up table of mixed columns.

    Parameters: n number of rows; seed of the random numbers.
    Returns: columns, a dict of arrays (n,), and t (n,), +1 for liked and -1 for not.
        variety: a name of APPLE_VARIETIES, each equally often on average;
        sugar, in kilograms per litre of juice, 0.12 with standard deviation 0.015;
        acid, in grams per litre, 6 with standard deviation 1.5;
        diameter, in millimetres, 72 with standard deviation 8, which has nothing to do with the taste.

    Whom they please is drawn from `apple_log_odds`.

    >>> from sparsekm_edu import datasets
    >>> columns, t = datasets.apples()
    >>> print(columns["variety"][:3], columns["acid"][:3].round(1), t[:3])
    ['Grove' 'Fern' 'Ember'] [4.1 7.2 7.8] [-1. -1. -1.]
    """
    rng = np.random.default_rng(seed)
    variety, measured = rng.integers(len(APPLE_VARIETIES), size=n), rng.normal(size=(len(UNITS), n))
    columns = {"variety": np.array(APPLE_VARIETIES)[variety]}
    for (name, (mean, spread)), column in zip(UNITS.items(), measured, strict=True):
        columns[name] = mean + spread * column
    t = np.where(rng.random(n) < expit(apple_log_odds(columns)), 1.0, -1.0)
    return columns, t


def apple_log_odds(columns):
    """The log odds (n,) that an apple is liked, from the columns of `apples`.

    With sugar s and acid a in standard deviations from their means they are 2.5 taste + 2 s - 2 a^2 + 2: sweet, neither
    too sour nor too mild, and of a variety whose taste is +1 and not -1.

    >>> import numpy as np
    >>> from sparsekm_edu import datasets
    >>> ordinary = {"variety": np.array(["Amber", "Brook"]), "sugar": np.full(2, 0.12), "acid": np.full(2, 6.0)}
    >>> print(datasets.apple_log_odds(ordinary))
    [ 4.5 -0.5]
    """
    sugar, acid = ((columns[name] - UNITS[name][0]) / UNITS[name][1] for name in ("sugar", "acid"))
    taste = np.array(TASTE)[np.searchsorted(APPLE_VARIETIES, columns["variety"])]
    return 2.5 * taste + 2.0 * sugar - 2.0 * acid**2 + 2.0
