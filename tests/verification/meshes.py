"""Meshes that are fine where bodies touch."""

import numpy as np
from scipy.spatial import Delaunay

import abut


def is_left(triangles, points):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]


def walk(start, end, size):
    """Parameters from start to end whose spacing is near size(s), both ends included."""
    places = [start]
    while places[-1] < end:
        places.append(places[-1] + size(places[-1]))
    places = np.array(places)
    return start + (places - start) * (end - start) / (places[-1] - start)


def disc(radius, h, contact, growth=0.3, coarsest=0.12):
    """A disc about (0, radius) with edges of length h within `contact` of its lowest point, growing with the distance from
    there. Its first vertex is the centre, those on the circle follow, counter-clockwise from the highest."""

    def size(points):
        distance = np.linalg.norm(np.atleast_2d(points), axis=1)
        return np.minimum(h + growth * np.maximum(distance - contact, 0), coarsest * radius)

    # The circle, by the angle from its lowest point
    at = lambda angle: radius * np.array([np.sin(angle), 1 - np.cos(angle)])
    right = walk(0, np.pi, lambda angle: size(at(angle))[0] / radius)
    circle = np.array([at(angle) for angle in np.concatenate([-right[:0:-1], right[:-1]])])
    # Corners and centres of a tree of squares that are as large as the edges shall be
    squares = [(np.array([i * radius, j * radius], float), radius) for i in (-1, 0) for j in (0, 1)]
    inner = []
    while squares:
        corner, width = squares.pop()
        if width > 1.4 * size([corner + width / 2])[0]:
            half = width / 2
            squares += [(corner + half * np.array([i, j]), half) for i in (0, 1) for j in (0, 1)]
        else:
            inner += [corner, corner + width / 2]
    inner = np.unique(np.round(np.array(inner) / h * 1e6) * h * 1e-6, axis=0)
    from_centre = np.linalg.norm(inner - [0, radius], axis=1)
    inner = inner[(radius - from_centre > 0.5 * size(inner)) & (from_centre > 1e-3 * h)]
    points = np.vstack([[0, radius], circle, inner])
    triangles = Delaunay(points).simplices
    triangles = triangles[np.abs(is_left(triangles, points)) > 1e-9 * h * h]
    flip = is_left(triangles, points) < 0
    triangles[flip] = triangles[flip][:, [0, 2, 1]]
    return abut.MeshData(points, faces=triangles)


def graded_ball(radius, shells, grading):
    """A ball about (0, radius, 0) whose elements are (1 - grading) / (1 + grading) times as large at its lowest point as those
    of a uniform one: a conformal map of the ball to itself (a translation of hyperbolic space), which keeps the shapes
    of elements."""
    mesh = abut.generate.tet_ball(radius=1, shells=shells)
    x, b = mesh.vertices, np.array([0, -grading, 0])
    dots, squares = x @ b, (x**2).sum(axis=1)
    mapped = ((1 + 2 * dots + squares)[:, None] * b + (1 - b @ b) * x) / (1 + 2 * dots + (b @ b) * squares)[:, None]
    return abut.MeshData(radius * mapped + [0, radius, 0], tets=mesh.tets)
