"""Derivatives by central differences."""

import numpy as np


def jacobian(function, points, step=1e-5):
    """d function / d points, one column per coordinate, flat by point."""
    x = np.array(points, dtype=float)
    columns = []
    for i in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[i] += step
        behind[i] -= step
        difference = np.asarray(function(*ahead)) - np.asarray(function(*behind))
        columns.append(difference.ravel(order="F") / (2 * step))
    return np.array(columns).T
