#!/usr/bin/env python3
"""Draws docs/images/collision-sets.svg: what a vertex that slides over a triangulated sheet weighs and how much energy it
has, with the set of IPC and with the convergent one.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/collision_sets.py
"""

import abut
import numpy as np
from support.plot import BLUE, DARK, GREY, ORANGE, Panel, legend, text, write

HEIGHT, DHAT = 0.2, 0.35
SETS = (("ipc", abut.CollisionSetType.IPC, ORANGE), ("convergent", abut.CollisionSetType.CONVERGENT, BLUE))


def main():
    sheet = abut.generate.cloth(size=(3, 3), cells=(3, 3)).translated([1.5, 0, 1.5])
    # Along the row of vertices z = 1, from outside over the border and out again.
    xs = np.linspace(-0.4, 3.4, 1521)
    barrier = abut.BarrierPotential(DHAT)
    one_pair = abut.laws.clamped_log(HEIGHT**2, DHAT**2)[0]
    weights = {name: [] for name, _, _ in SETS}
    energies = {name: [] for name, _, _ in SETS}
    rest = np.vstack([sheet.vertices, [[0, HEIGHT, 1]]])
    mesh = abut.CollisionMesh(rest, faces=sheet.faces)
    for x in xs:
        X = rest.copy()
        X[-1, 0] = x
        for name, set_type, _ in SETS:
            collisions = abut.NormalCollisions()
            collisions.build(mesh, X, DHAT, set_type=set_type)
            weights[name].append(sum(collision.weight for collision in collisions))
            energies[name].append(barrier(collisions, mesh, X) / one_pair)

    top = Panel(72, 66, 660, 130, (-0.4, 3.4), (0.55, 1.45))
    weight = Panel(72, 262, 660, 150, (-0.4, 3.4), (0, 9))
    energy = Panel(72, 478, 660, 150, (-0.4, 3.4), (0, 9))
    for f in sheet.faces:
        corners = sheet.vertices[f][:, [0, 2]]
        for k in range(3):
            top.line(corners[k], corners[(k + 1) % 3], GREY, 1.2)
    top.line((-0.4, 1), (3.4, 1), DARK, 1.6, "6 4")
    for name, _, color in SETS:
        weight.curve(xs, weights[name], color)
        energy.curve(xs, energies[name], color)
    ticks = [(0, "0 (border)"), 1, 2, (3, "3 (border)")]
    top.axes([], [(1, "z = 1")], "", "", "the sheet from above, and the way of the vertex, 0.2 m over it")
    weight.axes(ticks, [0, 1, 2, 4, 6, 8], "", "total weight", "sum of the weights of its terms")
    energy.axes(ticks, [0, 1, 2, 4, 6, 8], "position x of the vertex [m]", "energy [J/J]",
                "its energy, of that of one pair 0.2 m apart")
    shapes = [text(28, 26, "A vertex slides over a sheet of 3 x 3 squares, dhat = 0.35 m", size=15)]
    shapes += top.shapes + weight.shapes + energy.shapes
    shapes += legend(72, 700, [(name, color, "") for name, _, color in SETS], 140)
    write("collision-sets.svg", 760, 720, shapes)


main()
