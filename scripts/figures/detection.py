#!/usr/bin/env python3
"""Draws docs/images/candidates.svg and docs/images/swept-step.svg, in two dimensions so that everything can be seen.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/detection.py
"""

import pathlib

import abut
import numpy as np

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "images"
WIDTH, HEIGHT, SCALE = 720, 420, 200
BLUE, GREY, ORANGE, RED = "#33609a", "#9aa5b1", "#e07b00", "#c8102e"


def at(p):
    return WIDTH / 2 + SCALE * p[0], HEIGHT / 2 - SCALE * p[1]


def line(p, q, color, width=1.5, dash=""):
    (x0, y0), (x1, y1) = at(p), at(q)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}" stroke-width="{width}"{dashes}/>'


def dot(p, color, radius=3):
    x, y = at(p)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}"/>'


def box(lo, hi, color):
    (x0, y1), (x1, y0) = at(lo), at(hi)
    return (f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}" fill="{color}" '
            f'fill-opacity="0.07" stroke="{color}" stroke-opacity="0.35" stroke-width="0.8"/>')


def text(x, y, words, color="#222"):
    return f'<text x="{x}" y="{y}" font-size="15" fill="{color}">{words}</text>'


def write(name, shapes):
    body = "\n".join(shapes)
    (IMAGES / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')


def two_curves():
    """A wavy floor, and above it a polygon that will fall; positions and edges."""
    x = np.linspace(-1.6, 1.6, 17)
    floor = np.column_stack([x, -0.45 + 0.12 * np.sin(4 * x)])
    ring = abut.generate.squircle(radius=0.42, exponent=2.5, segments=14)
    shape = ring.vertices + [0.15, 0.33]
    edges = np.vstack([np.column_stack([np.arange(16), np.arange(1, 17)]), ring.edges + 17])
    return np.vstack([floor, shape]), edges


def candidates_picture():
    X, E = two_curves()
    X = X - [0, 0] + np.where(np.arange(len(X))[:, None] >= 17, [0, -0.12], [0, 0])
    mesh = abut.CollisionMesh(X, E)
    inflation = 0.1
    candidates = abut.Candidates()
    candidates.build(mesh, X, inflation=inflation)
    shapes = [box(X[e].min(0) - inflation, X[e].max(0) + inflation, BLUE if e[0] >= 17 else GREY) for e in E]
    shapes += [line(X[a], X[b], BLUE if a >= 17 else "#444", 2.2) for a, b in E]
    between = [(e, v) for e, v in candidates.ev if (E[e][0] >= 17) != (v >= 17)]
    for e, v in between:
        u = abut.point_edge_coordinate(X[v], X[E[e][0]], X[E[e][1]])
        shapes.append(line(X[v], X[E[e][0]] + u * (X[E[e][1]] - X[E[e][0]]), ORANGE, 1.2))
    shapes += [dot(p, "#222", 2.2) for p in X]
    shapes.append(text(16, 28, f"Boxes grown by the inflation, and the {len(between)} edge-vertex candidates between the bodies"))
    write("candidates.svg", shapes)


def swept_step_picture():
    X0, E = two_curves()
    X1 = X0 + np.where(np.arange(len(X0))[:, None] >= 17, [0.35, -0.95], [0, 0])
    mesh = abut.CollisionMesh(X0, E)
    limit = abut.find_collision_free_stepsize(mesh, X0, X1)
    X = X0 + limit.step * (X1 - X0)
    shapes = []
    for a, b in E[16:]:
        lo, hi = np.minimum(X0, X1)[[a, b]].min(0), np.maximum(X0, X1)[[a, b]].max(0)
        shapes.append(box(lo, hi, BLUE))
    for positions, color, dash in ((X0, BLUE, ""), (X1, GREY, "5 4"), (X, ORANGE, "")):
        shapes += [line(positions[a], positions[b], color, 2.2, dash) for a, b in E[16:]]
    shapes += [line(X0[a], X0[b], "#444", 2.2) for a, b in E[:16]]
    e, v = limit.pair
    shapes += [line(X[E[e][0]], X[E[e][1]], RED, 4), dot(X[v], RED, 5)]
    shapes.append(text(16, 28, "Start (blue), wanted end (grey) and safe end (orange) of a step, with the swept boxes"))
    shapes.append(text(16, 50, f"safe step {limit.step:.3f}, limited by edge {e} and vertex {v}", RED))
    write("swept-step.svg", shapes)


IMAGES.mkdir(exist_ok=True)
candidates_picture()
swept_step_picture()
