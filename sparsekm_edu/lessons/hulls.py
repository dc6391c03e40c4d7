"""Convex hulls in the plane: all weighted means of some points, with weights that are not negative and add up to 1.

The dual of the maximum margin asks for the two points, one in the hull of each class, that are nearest to each other.
"""

import numpy as np


def corners(points):
    """The corners of the convex hull of `points` (N, 2), against the clock, (M, 2); N >= 1.

    Two corners for points on a line, one if they are all in one place.
    """
    points = np.unique(points, axis=0)  # sorted by the first coordinate, then by the second
    if len(points) < 3:
        return points

    def chain(ordered):
        """The lower side, from left to right: drop whoever makes it turn to the right."""
        side = []
        for point in ordered:
            while len(side) > 1 and turn(side[-2], side[-1], point) <= 0:
                side.pop()
            side.append(point)
        return side[:-1]  # the last one begins the other side

    return np.array(chain(points) + chain(points[::-1]))


def turn(a, b, c):
    """Positive if the way from a over b to c turns to the left, 0 if it is straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def into_hull(x, hull):
    """The point of a hull, given by its corners (M, 2), that is nearest to x (2,): x itself if it is inside."""
    x = np.asarray(x, float)
    start, along = hull, np.roll(hull, -1, axis=0) - hull
    away = x - start
    if len(hull) > 2 and (along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0] >= 0).all():
        return x  # on the left of every side
    squares = (along**2).sum(axis=1)
    share = np.clip((away * along).sum(axis=1) / np.where(squares, squares, 1.0), 0, 1)
    feet = start + share[:, None] * along  # the nearest point of every side
    return feet[((feet - x) ** 2).sum(axis=1).argmin()]
