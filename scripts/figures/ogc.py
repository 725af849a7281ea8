#!/usr/bin/env python3
"""Draws docs/images/ogc-blocks.svg: what a vertex is in contact with, place by place around a curve in the plane, in OGC's
set and in IPC's; and docs/images/ogc-bounds.svg: how far the vertices of a cloth above a ball may move.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/ogc.py
"""

import abut
import numpy as np
from support.plot import BLUE, DARK, GREY, Panel, text, write

RADIUS = 0.35
CURVE = np.array([[0.0, 0.55], [0.75, 1.0], [1.5, 0.45], [2.2, 1.0], [2.75, 0.7]])
KINDS = {
    "edge": ("#a9c3e6", "an edge"),
    "vertex": ("#f6c98a", "a vertex"),
    "two": ("#5b86c0", "two edges"),
    "more": ("#d98f8f", "several, or one of them twice"),
}


def kind_of(collisions):
    """What the last vertex is in contact with."""
    edges = [c for c in collisions if c.kind == abut.PairKind.edge_vertex]
    if len(collisions) == 1:
        return "edge" if edges else "vertex"
    return "two" if len(edges) == len(collisions) == 2 else "more"


def draw_blocks():
    n = len(CURVE)
    edges = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    shapes = [text(28, 28, "A vertex at each place around a curve is in contact with ...", size=15)]
    width, height = 150, 84
    x_range, y_range = (-0.45, 3.2), (0.0, 1.45)
    xs, ys = np.linspace(*x_range, width + 1), np.linspace(*y_range, height + 1)
    rest = np.vstack([CURVE, [[0, 0]]])
    mesh = abut.CollisionMesh(rest, edges)
    panels = (
        (Panel(40, 66, 660, 262, x_range, y_range), abut.CollisionSetType.OGC, "OGC: one element per layer"),
        (Panel(40, 376, 660, 262, x_range, y_range), abut.CollisionSetType.IPC, "IPC: all that are near"),
    )
    for panel, set_type, title in panels:
        for j in range(height):
            kinds = []
            for i in range(width):
                X = rest.copy()
                X[-1] = (xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2
                collisions = abut.NormalCollisions()
                collisions.build(mesh, X, RADIUS, set_type=set_type)
                found = [c for c in collisions if n in c.vertices]
                # Two edges near their common end are one pair of vertices of weight 2 for IPC.
                kinds.append("more" if found and found[0].weight > 1 else kind_of(found) if found else None)
            begin = 0
            for i in range(1, width + 1):
                if i < width and kinds[i] == kinds[begin]:
                    continue
                if kinds[begin] is not None:
                    (x0, y0), (x1, y1) = panel.at(xs[begin], ys[j + 1]), panel.at(xs[i], ys[j])
                    panel.data.append(
                        f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0 + 0.6:.1f}" height="{y1 - y0 + 0.6:.1f}" '
                        f'fill="{KINDS[kinds[begin]][0]}"/>')
                begin = i
        for a, b in zip(CURVE, CURVE[1:]):
            panel.line(a, b, DARK, 2.5)
        for point in CURVE:
            px, py = panel.at(*point)
            panel.data.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{DARK}"/>')
        panel.axes([], [], "", "", title)
        shapes += panel.shapes
    x = 40
    for color, words in KINDS.values():
        shapes.append(f'<rect x="{x}" y="660" width="16" height="16" fill="{color}"/>')
        shapes.append(text(x + 23, 673, words))
        x += 55 + 7 * len(words)
    write("ogc-blocks.svg", 740, 696, shapes)


def cloth_above_ball(cells=20):
    """A sheet that hangs over a ball, from 10 mm to far above it."""
    cloth = abut.generate.cloth(size=(2.4, 2.4), cells=(cells, cells))
    V = np.array(cloth.vertices)
    rho = np.hypot(V[:, 0], V[:, 2])
    V[:, 1] = 1.01 - 0.32 * rho**2 + 0.02 * np.sin(6 * V[:, 0]) * rho
    ball = abut.generate.icosphere(radius=1.0, subdivisions=4)
    return cells, V, abut.CollisionMesh(np.vstack([V, ball.vertices]), faces=np.vstack([cloth.faces, ball.faces + len(V)]))


def colour(share):
    """From dark blue to light yellow."""
    stops = np.array([[38, 62, 118], [76, 140, 160], [150, 200, 150], [250, 230, 150]])
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    r, g, b = stops[k] + (place - k) * (stops[k + 1] - stops[k])
    return f"#{int(r):02x}{int(g):02x}{int(b):02x}"


def draw_bounds():
    cells, V, mesh = cloth_above_ball()
    X = mesh.rest_positions
    region = abut.TrustRegion(mesh, 0.05, query_radius=0.25)
    region.update(X)
    bounds = region.bounds
    largest = bounds[: len(V)].max()
    side = Panel(60, 60, 660, 262, (-1.26, 1.26), (0.25, 1.25))
    row = np.flatnonzero(np.abs(V[:, 2]) < 1e-9)
    row = row[np.argsort(V[row, 0])]
    angles = np.linspace(0, np.pi, 181)
    side.curve(np.cos(angles), np.sin(angles), GREY)
    side.curve(V[row, 0], V[row, 1], DARK, width=1.2)
    for v in row:
        px, py = side.at(V[v, 0], V[v, 1])
        rx = side.width * bounds[v] / (side.x_range[1] - side.x_range[0])
        side.data.append(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{rx:.2f}" fill="{colour(bounds[v] / largest)}" fill-opacity="0.45" '
            f'stroke="{BLUE}" stroke-width="0.8"/>')
    side.axes([], [], "", "", "cut through the middle: the ball, the cloth, and the regions of its vertices")
    top = Panel(220, 380, 340, 340, (-1.25, 1.25), (-1.25, 1.25))
    for f in mesh.faces:
        if f.max() >= len(V):
            continue
        points = " ".join("{:.1f},{:.1f}".format(*top.at(V[v, 0], V[v, 2])) for v in f)
        fill = colour(bounds[f].mean() / largest)
        top.data.append(f'<polygon points="{points}" fill="{fill}" stroke="{fill}" stroke-width="0.5"/>')
    top.axes([], [], "", "", "the cloth from above")
    shapes = [text(28, 28, "How far each vertex may move in any direction", size=15)] + side.shapes + top.shapes
    for k in range(24):
        shapes.append(f'<rect x="600" y="{380 + 340 - 14.17 * (k + 1):.1f}" width="22" height="14.5" fill="{colour(k / 23)}"/>')
    for k in range(4):
        value = 1000 * largest * k / 3
        shapes.append(text(630, 380 + 340 * (1 - k / 3) + 4, f"{value:.0f} mm", size=12))
    write("ogc-bounds.svg", 760, 744, shapes)


draw_blocks()
draw_bounds()
