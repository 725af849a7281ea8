#!/usr/bin/env python3
"""Draws docs/images/gcp-functions.svg: the barrier and the smoothed step of the Geometric Contact Potential;
docs/images/gcp-sets.svg: which places around a thin body push a probe, and how much, with and without its two tests; and
docs/images/gcp-extents.svg: how far the potential may reach on a shape with close parts.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/gcp.py
"""

import abut
import numpy as np
from support.plot import BLUE, DARK, GREEN, GREY, ORANGE, RED, Panel, legend, text, write


# --- Functions ---


def localization(z, eps):
    """h_eps: 3/2 of the cubic B-spline at 2 z / eps."""
    v = np.abs(2 * z / eps)
    return 1.5 * np.where(v < 1, 2 / 3 - v**2 + v**3 / 2, np.clip(2 - v, 0, None) ** 3 / 6)


def step(z, alpha, beta):
    """From 0 at -alpha to 1 at beta."""
    t = np.clip(3 * (z - beta) / (alpha + beta), -3, 0)
    middle = (3 - 9 * t - 9 * t**2 - 2 * t**3) / 6
    return np.where(t <= -2, (3 + t) ** 3 / 6, np.where(t <= -1, middle, 1 + t**3 / 6))


def log_barrier(z, eps):
    """IPC's, of the plain distance."""
    inside = np.clip(z / eps, 1e-9, 1)
    return -((1 - inside) ** 2) * np.log(inside)


def draw_functions():
    z = np.linspace(1e-3, 1.2, 1200)
    h = localization(z, 1)
    left = Panel(76, 66, 420, 290, (0, 1.2), (0, 3))
    left.curve(z, h, GREEN)
    left.curve(z, h / z, BLUE)
    left.curve(z, h / z**2, BLUE, "7 4")
    left.curve(z, log_barrier(z, 1), ORANGE)
    left.axes([0, 0.5, (1, "ε")], [0, 1, 2, 3], "distance z", "", "barrier, ε = 1")
    right = Panel(560, 66, 420, 290, (-1, 0.6), (0, 1.15))
    c = np.linspace(-1, 0.6, 1200)
    right.curve(c, step(c, 0.5, 0), RED)
    right.curve(c, step(c, 0.5, 0.2), RED, "7 4")
    right.curve(c, step(c, 0.5, -0.2), RED, "2 3")
    right.axes([-1, (-0.5, "−α"), -0.2, 0, 0.2, 0.5], [0, 0.5, 1], "cosine", "", "smoothed step H, α = 0.5")
    shapes = [text(28, 28, "What the Geometric Contact Potential is made of", size=15)] + left.shapes + right.shapes
    shapes += legend(76, 424, [("h", GREEN, ""), ("p = h / z", BLUE, ""), ("p = h / z²", BLUE, "7 4")], 118)
    shapes += legend(430, 424, [("IPC's log", ORANGE, "")], 100)
    shapes += legend(560, 424, [("β = 0", RED, ""), ("β = 0.2", RED, "7 4"), ("β = −0.2", RED, "2 3")], 130)
    write("gcp-functions.svg", 1010, 446, shapes)


# --- Sets ---


def ribbon():
    """A thin closed curve, counter-clockwise: a bar with a bend."""
    s = np.linspace(0, 1, 91)
    middle = np.column_stack([2.6 * s, 0.75 * np.exp(-(((s - 0.5) / 0.16) ** 2))])
    tangent = np.gradient(middle, axis=0)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]]) / np.linalg.norm(tangent, axis=1)[:, None]
    half = 0.05
    points = np.vstack([middle - half * normal, (middle + half * normal)[::-1]])
    n = len(points)
    return points, np.column_stack([np.arange(n), (np.arange(n) + 1) % n])


def heat(share):
    """From yellow over orange to dark red."""
    stops = np.array([[255, 236, 150], [253, 200, 110], [226, 110, 60], [140, 20, 40]])
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    r, g, b = stops[k] + (place - k) * (stops[k + 1] - stops[k])
    return f"#{int(r):02x}{int(g):02x}{int(b):02x}"


SOURCE = np.array([1.3, 0.34])
EXTENT = 0.62


def probe_shares(points, edges, evaluate):
    """Of each vertex of the curve, its share in the energy of a loose point at SOURCE, and how hard it is pushed away from there;
    along the curve, forces of neighbouring pairs cancel."""
    mesh = abut.CollisionMesh(np.vstack([points, SOURCE]), edges)
    X = mesh.rest_positions
    probe = len(points)
    collisions, energies, forces = evaluate(mesh, X)
    offsets = collisions.stencil_offsets
    energy, push = np.zeros(len(X)), np.zeros_like(X)
    for k, c in enumerate(collisions):
        if probe in c.vertices:
            others = [v for v in c.vertices if v != probe]
            energy[others] += energies[k] / len(others)
            rows = slice(offsets[k], offsets[k + 1])
            away = X[others].mean(axis=0) - SOURCE
            away /= np.linalg.norm(away)
            on_probe = forces[rows][collisions.stencil_vertices[rows] == probe].sum(axis=0)
            push[others] += max(0, -on_probe @ away) * away / len(others)
    return energy[:-1], push[:-1]


def ipc(mesh, X):
    collisions = abut.NormalCollisions()
    collisions.build(mesh, X, EXTENT, use_area_weighting=True)
    barrier = abut.BarrierPotential(EXTENT)
    return collisions, barrier.energies(collisions, mesh, X), barrier.forces(collisions, mesh, X)


def gcp(use_exterior_test):
    params = abut.SmoothContactParameters(EXTENT, 0.4)
    params.use_exterior_test = use_exterior_test

    def evaluate(mesh, X):
        collisions = abut.SmoothCollisions()
        collisions.build(mesh, X, params)
        potential = abut.SmoothContactPotential(params)
        return collisions, potential.energies(collisions, mesh, X), potential.forces(collisions, mesh, X)

    return evaluate


def arrow(panel, start, vector, color):
    """From a point of the data, by a vector in pixels."""
    (x0, y0), (dx, dy) = panel.at(*start), (vector[0], -vector[1])
    length = np.hypot(dx, dy)
    if length < 3:
        return
    x1, y1 = x0 + dx, y0 + dy
    ux, uy = dx / length, dy / length
    head = " ".join(f"{x1 - 6 * ux + s * 2.6 * uy:.1f},{y1 - 6 * uy - s * 2.6 * ux:.1f}" for s in (1, -1))
    panel.data.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1 - 4 * ux:.1f}" y2="{y1 - 4 * uy:.1f}" '
                      f'stroke="{color}" stroke-width="1.3"/>')
    panel.data.append(f'<polygon points="{x1:.1f},{y1:.1f} {head}" fill="{color}"/>')


def draw_sets():
    points, edges = ribbon()
    n = len(points) // 2
    cases = (("IPC: all that is near", ipc), ("GCP, local minima only", gcp(False)), ("GCP, local minima, outside", gcp(True)))
    shapes = [text(28, 28, "Which parts of a thin body a point (red) is in contact with, and how hard it pushes them", size=15)]
    for k, (title, evaluate) in enumerate(cases):
        panel = Panel(30 + 320 * k, 66, 300, 290, (0.35, 2.25), (-0.62, 1.2167))
        energy, push = probe_shares(points, edges, evaluate)
        outline = " ".join("{:.1f},{:.1f}".format(*panel.at(*p)) for p in points)
        panel.data.append(f'<polygon points="{outline}" fill="#eef1f4" clip-path="url(#{panel.clip})"/>')
        px, py = panel.at(*SOURCE)
        radius = panel.width * EXTENT / (panel.x_range[1] - panel.x_range[0])
        panel.data.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{radius:.1f}" fill="none" stroke="{GREY}" '
                          f'stroke-dasharray="3 4" clip-path="url(#{panel.clip})"/>')
        for a, b in edges:
            share = np.sqrt((energy[a] + energy[b]) / (2 * energy.max()))
            panel.line(points[a], points[b], heat(share) if share > 0 else GREY, 4.5 if share > 0 else 1.2)
        longest = np.linalg.norm(push, axis=1).max()
        for point, vector in [*zip(points[:n:3], push[:n:3]), *zip(points[n::3], push[n::3])]:  # the two sides alike
            size = np.linalg.norm(vector)
            if size > 1e-4 * longest:
                arrow(panel, point, vector / size * 34 * np.sqrt(size / longest), BLUE)
        panel.dot(*SOURCE, RED, 5)
        panel.axes([], [], "", "", title)
        shapes += panel.shapes
    shapes.append(text(30, 384, "Colour: energy, from none (grey line) to the panel's largest; arrows: push away from the point, by the root "
                       "of its size; dashed: dhat around the point.", size=12))
    write("gcp-sets.svg", 990, 400, shapes)


# --- Extents ---


def fork():
    """A closed surface around cells of a grid: a handle and four prongs with gaps of different widths. Metres."""
    # Columns: a prong, a gap, a prong, ...; each several cells wide.
    widths = [*[0.02] * 3, *[0.007] * 2, *[0.02] * 3, *[0.03] * 2, *[0.02] * 3, *[0.004] * 2, *[0.02] * 3]
    is_prong = [1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1]
    heights = [*[0.02] * 4, *[0.01] * 16]
    depths = [0.02] * 3
    full = np.zeros((len(widths), len(heights), len(depths)), bool)
    full[:, :4, :] = True
    full[np.array(is_prong, bool), :, :] = True
    grid = [np.concatenate([[0], np.cumsum(sizes)]) for sizes in (widths, heights, depths)]
    padded = np.pad(full, 1)
    numbers, vertices, faces = {}, [], []

    def vertex(i, j, k):
        if (i, j, k) not in numbers:
            numbers[i, j, k] = len(vertices)
            vertices.append([grid[0][i], grid[1][j], grid[2][k]])
        return numbers[i, j, k]

    for cell in np.argwhere(full):
        for axis in range(3):
            for side in (0, 1):
                neighbour = cell + 1
                neighbour[axis] += 2 * side - 1
                if padded[tuple(neighbour)]:
                    continue
                u, v = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    corner = cell.copy()
                    corner[axis] += side
                    corner[u] += a
                    corner[v] += b
                    corners.append(vertex(*corner))
                if side == 0:  # seen from outside, counter-clockwise
                    corners = corners[::-1]
                if cell.sum() % 2:  # diagonals both ways
                    corners = corners[1:] + corners[:1]
                faces += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return abut.CollisionMesh(np.array(vertices), faces=np.array(faces))


def around_vertices(mesh, vertex_extents, edge_extents, face_extents):
    """The smallest extent of a vertex and the elements that meet there."""
    smallest = vertex_extents.copy()
    for elements, extents in ((mesh.edges, edge_extents), (mesh.faces, face_extents)):
        for column in elements.T:
            np.minimum.at(smallest, column, extents)
    return smallest


def spectrum(share):
    """From dark red, short, to light blue, long."""
    stops = np.array([[150, 20, 40], [236, 130, 60], [246, 222, 140], [170, 205, 235]])
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    return stops[k] + (place - k) * (stops[k + 1] - stops[k])


def draw_surface(panel, mesh, values, colour, turn):
    """Faces from back to front, seen along -z after the turn."""
    X = mesh.rest_positions @ turn.T
    normals = np.cross(X[mesh.faces[:, 1]] - X[mesh.faces[:, 0]], X[mesh.faces[:, 2]] - X[mesh.faces[:, 0]])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    light = np.array([0.35, 0.55, 0.76])
    order = np.argsort(X[mesh.faces][:, :, 2].mean(axis=1))
    for f in order:
        if normals[f, 2] <= 0:
            continue
        shade = 0.62 + 0.38 * max(0, normals[f] @ light)
        r, g, b = np.clip(shade * colour(values[mesh.faces[f]].mean()), 0, 255)
        points = " ".join("{:.1f},{:.1f}".format(*panel.at(x, y)) for x, y, _ in X[mesh.faces[f]])
        panel.data.append(f'<polygon points="{points}" fill="#{int(r):02x}{int(g):02x}{int(b):02x}" '
                          f'stroke="#555" stroke-width="0.25"/>')


def draw_extents():
    mesh, dhat, ratio = fork(), 0.02, 0.5
    X = mesh.rest_positions
    params = abut.SmoothContactParameters(dhat)
    extents = abut.adaptive_extents(mesh, X, params, ratio)
    ours = around_vertices(mesh, extents.vertices, extents.edges, extents.faces)
    # IPC counts all pairs that share no vertex.
    region = abut.TrustRegion(mesh, dhat, query_radius=2 * dhat / ratio)
    region.update(X)
    distances = around_vertices(mesh, region.vertex_distances, region.edge_distances, region.face_distances)
    theirs = np.minimum(dhat, ratio * distances)
    smallest = min(ours.min(), theirs.min())

    def colour(value):
        return spectrum(np.log(value / smallest) / np.log(dhat / smallest))

    a, b = np.radians(-28), np.radians(22)
    about_y = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    turn = about_x @ about_y
    shapes = [text(28, 28, f"How far the potential reaches at rest, at most {1000 * dhat:g} mm, so that nothing acts there", size=15)]
    seen = X @ turn.T
    (x0, y0, _), (x1, y1, _) = seen.min(axis=0), seen.max(axis=0)
    scale = 390 / (x1 - x0 + 0.02)
    height = int(scale * (y1 - y0 + 0.02))
    for k, (title, values) in enumerate((("IPC: every pair that shares no vertex", theirs), ("GCP: pairs that could come into contact", ours))):
        panel = Panel(30 + 420 * k, 66, 390, height, (x0 - 0.01, x1 + 0.01), (y0 - 0.01, y1 + 0.01))
        draw_surface(panel, mesh, values, colour, turn)
        panel.axes([], [], "", "", title)
        shapes += panel.shapes
    for k in range(40):
        r, g, b = spectrum(k / 39)
        y = 66 + height * (1 - (k + 1) / 40)
        shapes.append(f'<rect x="870" y="{y:.1f}" width="22" height="{height / 40 + 0.5:.1f}" fill="#{int(r):02x}{int(g):02x}{int(b):02x}"/>')
    for value in (0.002, 0.005, 0.01, 0.02):
        share = np.log(value / smallest) / np.log(dhat / smallest)
        if 0 <= share <= 1:
            shapes.append(text(898, 66 + height * (1 - share) + 4, f"{1000 * value:g} mm", size=12))
    write("gcp-extents.svg", 960, 66 + height + 24, shapes)


draw_functions()
draw_sets()
draw_extents()
