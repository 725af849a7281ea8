#!/usr/bin/env python3
"""Draws adhesion beside barrier and friction, from the functions of abut.laws: docs/images/adhesion.svg.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/adhesion.py
"""

import abut
import numpy as np
from support.plot import BLUE, GREY, ORANGE, RED, Panel, legend, text, write

LEFT, RIGHT, TOP, BOTTOM, WIDTH, HEIGHT = 96, 470, 66, 350, 290, 200


def normal(shapes):
    """Energy and stress of a barrier that begins at dhat = 1 mm and of adhesion with the usual thresholds, in units of
    the strength Y eps_c; the barrier is physical, of the plain distance, with a stiffness of three times the strength."""
    dhat, stiffness = 1.0, 3.0
    dhat_p, dhat_a = dhat, 2 * dhat
    d = np.linspace(0.02, 2.4, 1200)
    barrier = [stiffness * part / dhat for part in abut.laws.clamped_log(d, dhat)]  # dhat / unit, unit = dhat²
    well = abut.laws.normal_adhesion(d, dhat_p, dhat_a, 1 / (2 * (dhat_p - dhat_a)))
    energy = Panel(LEFT, TOP, WIDTH, HEIGHT, (0, 2.4), (-1.2, 0.8))
    stress = Panel(RIGHT, TOP, WIDTH, HEIGHT, (0, 2.4), (-2.5, 1.5))
    for order, panel in ((0, energy), (1, stress)):
        panel.line((0, 0), (2.4, 0), GREY)
        panel.curve(d, barrier[order], BLUE)
        panel.curve(d, well[order], ORANGE)
        panel.curve(d, barrier[order] + well[order], RED, "7 4")
    total = barrier[1] + well[1]
    rest = np.interp(0, total[d < dhat_p], d[d < dhat_p])  # rises there
    energy.dot(rest, np.interp(rest, d, barrier[0] + well[0]), RED)
    energy.note(rest, np.interp(rest, d, barrier[0] + well[0]), "at rest", RED, dx=10, dy=14)
    stress.dot(dhat_p, 1, RED)
    stress.note(dhat_p, 1, "largest: Y ε_c", RED, dx=4, dy=-9)
    stress.dot(rest, 0, RED)
    ticks = [0, (1, "dhat = dhat_p"), (2, "dhat_a")]
    energy.axes(ticks, [-1, -0.5, 0, 0.5], "distance d", "energy per area / (Y ε_c dhat)", "normal: energy")
    stress.axes(ticks, [-2, -1, 0, 1], "distance d", "pull per area / (Y ε_c)", "normal: pull, negative where it pushes")
    shapes += energy.shapes + stress.shapes
    shapes += legend(LEFT, TOP + HEIGHT + 62, [("barrier", BLUE, ""), ("adhesion", ORANGE, ""), ("sum", RED, "7 4")], 150)


def tangential(shapes):
    """Force of a contact that is pressed with N and bonded with lambda, over the speed, for eps_a = eps_v."""
    eps, mu, pressed, mu_a, bonded = 1.0, 0.4, 1.0, 1.0, 1.0
    y = np.linspace(0, 3, 900)
    friction, adhesion = abut.laws.friction(y, mu, mu, eps), abut.laws.tangential_adhesion(y, eps)
    top = BOTTOM + 16
    force = Panel(LEFT, top, WIDTH, HEIGHT, (0, 3), (0, 1.6))
    slope = Panel(RIGHT, top, WIDTH, HEIGHT, (0, 3), (-2.4, 3.2))
    parts = [(pressed, friction, BLUE, ""), (mu_a * bonded, adhesion, ORANGE, "")]
    for panel, order in ((force, 1), (slope, 2)):
        panel.line((0, 0), (3, 0), GREY)
        for scale, law, color, dash in parts:
            panel.curve(y, scale * law[order], color, dash)
        panel.curve(y, sum(scale * law[order] for scale, law, _, _ in parts), RED, "7 4")
    force.dot(1, 1.4, RED)
    force.note(1, 1.4, "holds up to here", RED, dx=6, dy=-6)
    force.note(2, 0.4, "friction is left", BLUE, dx=8, dy=-8)
    ticks = [0, (1, "eps_v = eps_a"), (2, "2 eps_a")]
    force.axes(ticks, [0, (0.4, "μ N"), (1, "μ_a λ"), (1.4, "both")], "sliding speed y", "", "tangential: force")
    slope.axes(ticks, [-2, 0, 2], "sliding speed y", "d force / dy, times eps / λ", "tangential: slope, negative where it lets go")
    shapes += force.shapes + slope.shapes
    shapes += legend(LEFT, top + HEIGHT + 62, [("friction", BLUE, ""), ("adhesion", ORANGE, ""), ("sum", RED, "7 4")], 150)


shapes = [text(28, 26, "Adhesion beside what it acts with: a barrier across the contact, friction along it", size=15)]
normal(shapes)
tangential(shapes)
write("adhesion.svg", 790, 652, shapes)
