"""Tetrahedra for claims_scenes.py that abut.generate does not have, and a way to give them to a scene."""

import pathlib

import abut
import numpy as np
from abut import MeshData


def write_msh(path, mesh):
    """Tetrahedra as Gmsh's MSH 2.2, with coordinates that are read back exactly."""
    nodes = [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(mesh.vertices.tolist(), start=1)]
    elements = [f"{i} 4 0 {a} {b} {c} {d}" for i, (a, b, c, d) in enumerate((mesh.tets + 1).tolist(), start=1)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes)), *nodes, "$EndNodes"]
    lines += ["$Elements", str(len(elements)), *elements, "$EndElements"]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def layered(layers, faces):
    """Tetrahedra between copies of a surface: three in each prism, cut by the order of vertices so that neighbours fit."""
    n, vertices, tets = len(layers[0]), np.vstack(layers), []
    for start in range(0, n * (len(layers) - 1), n):
        for a, b, c in np.sort(faces, axis=1) + start:
            tets += [(a, b, c, c + n), (a, b, c + n, b + n), (a, b + n, c + n, a + n)]
    tets = np.array(tets)
    a, b, c, d = (vertices[tets[:, k]] for k in range(4))
    is_inverted = (np.cross(b - a, c - a) * (d - a)).sum(axis=1) < 0
    tets[is_inverted] = tets[is_inverted][:, [1, 0, 2, 3]]
    return MeshData(vertices, tets=tets)


def hollow_ball(inner, outer, subdivisions, layers):
    """Vertices by layer, the innermost first, in the order of the icosphere's."""
    ball = abut.generate.icosphere(radius=1, subdivisions=subdivisions)
    return layered([r * ball.vertices for r in np.linspace(inner, outer, layers + 1)], ball.faces)


def grid(a, b, c, d, m, n):
    """The quadrilateral a b c d as m x n cells, m of them from a to b: points, and two triangles of each cell, with
    diagonals that alternate."""
    u, v = np.linspace(0, 1, m + 1)[None, :, None], np.linspace(0, 1, n + 1)[:, None, None]
    a, b, c, d = (np.array(corner, float) for corner in (a, b, c, d))
    points = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c)
    i = np.arange((m + 1) * (n + 1)).reshape(n + 1, m + 1)
    a, b, c, d = i[:-1, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel(), i[1:, :-1].ravel()
    odd = np.add.outer(np.arange(n), np.arange(m)).ravel() % 2 == 1
    first, second = np.column_stack([a, b, np.where(odd, d, c)]), np.column_stack([np.where(odd, b, a), c, d])
    return points.reshape(-1, 2), np.vstack([first, second])


def cross(thickness=0.2, height=1.0, depth=0.2, cells=4):
    """Two bars that cross at a right angle, an X that stands on two feet. The corners where it is concave to the
    sides are at x = -thickness / sqrt(2) and x = thickness / sqrt(2), with y = 0."""
    x, h = thickness / np.sqrt(2), height / 2
    right, top, left, bottom = (x, 0), (0, x), (-x, 0), (0, -x)
    length = int(2.5 * cells)
    patches = [
        grid(bottom, right, top, left, cells, cells),
        grid(top, right, (x + h, h), (h - x, h), cells, length),
        grid(left, top, (x - h, h), (-x - h, h), cells, length),
        grid(bottom, left, (-x - h, -h), (x - h, -h), cells, length),
        grid(right, bottom, (h - x, -h), (x + h, -h), cells, length),
    ]
    starts = np.cumsum([0] + [len(points) for points, _ in patches])
    points = np.vstack([points for points, _ in patches])
    faces = np.vstack([faces + start for (_, faces), start in zip(patches, starts)])
    # Patches share their sides
    _, first, merged = np.unique(np.round(points, 9), axis=0, return_index=True, return_inverse=True)
    points, faces = points[first], merged.reshape(-1)[faces]
    return layered([np.column_stack([points, np.full(len(points), z)]) for z in (-depth / 2, 0, depth / 2)], faces)


def fillet_block(radius=0.1, arc=3, straight=2):
    """A cube of 1 m whose edges and corners are rounded: 2 arc cells around each edge, `straight` along a side."""
    core = 0.5 - radius
    rounded = core + radius * np.tan(np.pi / 4 * np.arange(1, arc + 1) / arc)  # equal angles once they are on the arc
    coordinates = np.concatenate([-rounded[::-1], np.linspace(-core, core, straight + 1), rounded])
    n = len(coordinates) - 1
    box = abut.generate.tet_box(size=(n, n, n), subdivisions=(n, n, n))
    x = coordinates[np.rint(box.vertices + n / 2).astype(int)]
    # What is beyond the core goes from cubes around its nearest point of the core to spheres around it
    centre = np.clip(x, -core, core)
    beyond = x - centre
    cube, sphere = np.abs(beyond).max(axis=1), np.linalg.norm(beyond, axis=1)
    scale = np.divide(cube, sphere, out=np.ones(len(x)), where=sphere > 0)
    return MeshData(centre + scale[:, None] * beyond, tets=box.tets)
