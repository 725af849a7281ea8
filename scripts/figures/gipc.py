#!/usr/bin/env python3
"""Draws the eigenvalues of the Hessians of a pair of points over their gap: docs/images/gipc-eigenvalues.svg.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/gipc.py
"""

import abut
import numpy as np
from support.plot import BLUE, GREY, ORANGE, RED, Panel, legend, text, write

DHAT = 1e-3
NAMES = [
    ("exact, along the gap", BLUE, ""),
    ("exact, across it", RED, ""),
    ("clamped, across it", RED, "2 5"),
    ("GIPC, along the gap", ORANGE, "9 5"),
    ("Gauss-Newton of IPC", GREY, "5 3"),
]


def eigenvalues(law, mode, projection, gap):
    """Along the gap and across it, of moving one point: over 2, the squared norm of the weights."""
    mesh = abut.CollisionMesh([[0, 0, 0], [gap, 0, 0]])
    collisions = abut.NormalCollisions()
    collisions.build(mesh, mesh.rest_positions, DHAT)
    barrier = abut.BarrierPotential(DHAT, law=law, hessian_mode=mode)
    H = barrier.hessian(collisions, mesh, mesh.rest_positions, projection).toarray()
    return H[0, 0], H[1, 1]


def spectrum(law):
    """For every name, over the gap, in units of the law over dhat²: numbers without a unit for a law of D."""
    exact, analytic, gauss_newton = abut.HessianMode
    none, clamp, _ = abut.PSDProjectionMethod
    gaps = np.concatenate([np.linspace(0.004, 0.2, 300), np.linspace(0.2, 0.999, 200)]) * DHAT
    rows = [(*eigenvalues(law, exact, none, g), eigenvalues(law, exact, clamp, g)[1],
             eigenvalues(law, analytic, none, g)[0], eigenvalues(law, gauss_newton, none, g)[0]) for g in gaps]
    return gaps / DHAT, np.array(rows).T / DHAT**2


shapes = [text(28, 26, "Two points: eigenvalues of the Hessian over their gap, in units of κ dhat²", size=15)]
for column, (law, top) in enumerate((("clamped_log", 500), ("clamped_log_squared", 7500))):
    panel = Panel(92 + 372 * column, 66, 280, 250, (0, 0.6), (-0.4 * top, top))
    gaps, curves = spectrum(law)
    panel.line((0.1, -top), (0.1, top), GREY, dash="3 4")
    for (name, color, dash), values in zip(NAMES, curves):
        panel.curve(gaps, values, color, dash, 2.6 if dash else 2)
    panel.axes([0, 0.1, 0.2, 0.4, 0.6], [-0.4 * top, 0, 0.4 * top, 0.8 * top], "gap / dhat", "eigenvalue", law)
    shapes += panel.shapes
shapes += legend(92, 386, NAMES[:3], 215) + legend(92, 410, NAMES[3:], 215)
write("gipc-eigenvalues.svg", 780, 430, shapes)
