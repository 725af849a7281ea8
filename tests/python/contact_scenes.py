"""Scenes in which every kind of pair is in contact."""

import abut
import numpy as np

DHAT = 0.12
KINDS = ("vv", "ev", "ee", "fv", "pv")
STENCIL_SIZES = (2, 3, 4, 4, 1)


def turn(angle):
    """By an angle about y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def space(angle=0.4, **options):
    """Two uneven sheets one above the other, loose points above them, a floor below."""
    cloth = abut.generate.cloth(cells=(3, 3))
    data = cloth.joined(cloth.transformed(turn(angle)).translated([0.1, 0.07, 0.06]))
    noise = np.random.default_rng(5).uniform(-0.01, 0.01, size=data.vertices.shape)
    points = [[0.1, 0.13, 0.05], [0.13, 0.2, 0.02], [0.15, 0.21, 0.08]]
    return abut.CollisionMesh(
        np.vstack([data.vertices + noise, points]), faces=data.faces, planes=[([0, -0.06, 0], [0, 1, 0])], **options
    )


def plane(**options):
    """Two closed curves, loose points beside them, and a line below."""
    curve = abut.generate.squircle(segments=12)
    data = curve.joined(curve.translated([0.02, 2.05]))
    noise = np.random.default_rng(6).uniform(-0.005, 0.005, size=data.vertices.shape)
    points = [[1.07, 1.0], [1.1, 1.07]]
    return abut.CollisionMesh(
        np.vstack([data.vertices + noise, points]), data.edges, planes=[([0, -1.05], [0, 1])], **options
    )


SCENES = {"space": space, "plane": plane}


def large(cells=100, gap=0.004):
    """Two wavy sheets with many pairs in contact."""
    cloth = abut.generate.cloth(cells=(cells, cells))
    data = cloth.joined(cloth.translated([0.3 / cells, gap, 0.2 / cells]))
    noise = np.random.default_rng(7).normal(scale=0.1 * gap, size=data.vertices.shape)
    return abut.CollisionMesh(data.vertices + noise, faces=data.faces)


def built(mesh, X=None, dhat=DHAT, *arguments, **options):
    collisions = abut.NormalCollisions()
    collisions.build(mesh, mesh.rest_positions if X is None else X, dhat, *arguments, **options)
    return collisions


def touching():
    """A vertex on a face."""
    return abut.CollisionMesh([[0, 0, 0], [3, 0, 0], [0, 0, 3], [1, 0, 1]], faces=[[0, 1, 2]])
