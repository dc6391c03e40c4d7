"""Images as sets of local features: scikit-learn's 8 x 8 digits, which come with it and are not downloaded."""

import numpy as np


def digit_sets(n=120, digits=(3, 8), seed=0):
    """Handwritten digits, each as the set of its edges: where they are, and which way the ink grows.

    Parameters: n images, drawn without repetition, as equally as possible from each of the `digits`; seed.
    Returns: X (n,), an array of sets, each (m, 3) floats; y (n,), the digits, in random order.

    Every pixel where the ink (0 to 16) changes by 4 or more from pixel to pixel is a point: its column and its row from
    the top, 0 to 7, and the direction of the steepest growth in eighths of a full turn, in [0, 8), where 0 is to the
    right and 2 is down. All three lie in [0, 8), so that PyramidMatch(levels=4), with bins of side 1, 2, 4 and 8, ends
    with one bin. A 3 or an 8 has 27 to 48 points. Directions go round, bins do not: 0.1 and 7.9 are neighbours that the
    kernel takes for opposites.

    >>> from sparsekm_edu import SVC, PyramidMatch, datasets
    >>> X, y = datasets.digit_sets(n=300)
    >>> print(X[0].shape, X[1].shape, y[:6])
    (41, 3) (35, 3) [3 3 3 3 3 8]
    >>> print(SVC(kernel=PyramidMatch()).fit(X[:100], y[:100]).score(X[100:], y[100:]))
    0.98
    """
    images, y = digit_images(n, digits, seed)
    X = np.empty(len(images), dtype=object)
    for place, image in enumerate(images):
        X[place] = _edges(image)
    return X, y


def digit_images(n=120, digits=(3, 8), seed=0):
    """The images that `digit_sets` takes for sets, in the same order: the ink, (n, 8, 8), from 0 to 16; and y (n,).

    >>> from sparsekm_edu import datasets
    >>> images, y = datasets.digit_images(n=2)
    >>> print(images.shape, images.max(), y)
    (2, 8, 8) 16.0 [8 3]
    """
    from sklearn.datasets import load_digits  # here, because it is slow to import

    every = load_digits()
    digits = list(dict.fromkeys(digits))
    if not digits or not set(digits) <= set(range(10)):
        raise ValueError(f"digits must be some of 0, 1, ..., 9, got {digits!r}.")
    rng = np.random.default_rng(seed)
    shares = [n // len(digits) + (k < n % len(digits)) for k in range(len(digits))]
    chosen = []
    for digit, share in zip(digits, shares, strict=True):
        there = np.flatnonzero(every.target == digit)
        if share > len(there):
            raise ValueError(
                f"n must ask for at most {len(there)} images of the digit {digit}, got {share} with n = {n}."
            )
        chosen.extend(rng.permutation(there)[:share])
    chosen = rng.permutation(chosen)
    return every.images[chosen], every.target[chosen]


def _edges(image, least=4.0):
    """Column, row and direction of every pixel where the ink grows by `least` or more, (m, 3)."""
    down, right = np.gradient(image)
    row, column = np.nonzero(np.hypot(down, right) >= least)
    turn = np.arctan2(down, right)[row, column] / (2 * np.pi) % 1.0
    return np.column_stack([column, row, 8.0 * turn])
