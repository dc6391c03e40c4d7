"""Reading a figure: where its marks are."""

import numpy as np


def offsets(layer):
    """The places of the markers of a layer, all collections together."""
    return np.concatenate([artist.get_offsets() for artist in layer.artists])


def pieces(layer):
    """The straight pieces of a layer, (S, 2, 2)."""
    return np.array(layer.artists[0].get_segments())


def distance_to_line(point, piece):
    """Of a point from the straight line through a piece."""
    start, end = piece
    along = (end - start) / np.linalg.norm(end - start)
    away = point - start
    return abs(along[0] * away[1] - along[1] * away[0])
