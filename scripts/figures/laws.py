#!/usr/bin/env python3
"""Draws the laws of contact from the functions of abut.laws: docs/images/barrier-laws.svg, adhesion-law.svg,
friction-law.svg and tangential-adhesion-law.svg.

    PYTHONPATH=build/release/python /usr/bin/python3 scripts/figures/laws.py
"""

import abut
import numpy as np
from support.plot import BLUE, GREEN, GREY, ORANGE, RED, Panel, legend, text, write

BARRIERS = [  # name, unit of the value for x_hat, colour, dash
    ("clamped_log", lambda x_hat: x_hat**2, BLUE, ""),
    ("normalized_clamped_log", lambda x_hat: 1, "#8fb4e0", "2 6"),
    ("clamped_log_squared", lambda x_hat: x_hat**2, ORANGE, ""),
    ("cubic", lambda x_hat: x_hat**2, GREY, ""),
    ("two_stage", lambda x_hat: x_hat**2, RED, ""),
]


def barrier_laws():
    """Energy and force of a pair with a physical barrier, over the gap: b / unit, and -db/dd dhat / unit."""
    dhat = 1e-3
    d = np.linspace(0.002, 1.25, 1000) * dhat
    shapes = [text(28, 26, "Barrier laws with dhat = 1 mm, each divided by its unit, as a physical barrier does", size=15)]
    for column, (title, x, x_hat, dx_dd) in enumerate([
            ("of the distance, x = d", d, dhat, np.ones_like(d)),
            ("of the squared distance, x = d²", d**2, dhat**2, 2 * d)]):
        left = 72 + 372 * column
        energy = Panel(left, 66, 300, 190, (0, 1.2), (0, 1.2))
        force = Panel(left, 328, 300, 190, (0, 1.2), (0, 6))
        for name, unit, color, dash in BARRIERS:
            value, first, _ = getattr(abut.laws, name)(x, x_hat)
            width = 4 if dash else 2
            energy.curve(d / dhat, value / unit(x_hat), color, dash, width)
            force.curve(d / dhat, -first * dx_dd * dhat / unit(x_hat), color, dash, width)
        ticks = [0, 0.25, 0.5, 0.75, (1, "dhat")]
        energy.axes(ticks, [0, 0.5, 1], "gap d [mm]", "energy / (κ w dhat) [J/J]", title)
        force.axes(ticks, [0, 2, 4, 6], "gap d [mm]", "force / (κ w) [N/N]")
        shapes += energy.shapes + force.shapes
    names = [(name, color, dash) for name, _, color, dash in BARRIERS]
    shapes += legend(72, 592, names[:3], 215) + legend(72, 616, names[3:], 215)
    write("barrier-laws.svg", 760, 636, shapes)


def adhesion_law():
    """Energy and pull per area with Y eps_c = 1 Pa, dhat_p = 1 mm, dhat_a = 2 mm."""
    stress, dhat_p, dhat_a = 1.0, 1e-3, 2e-3
    d = np.linspace(0, 2.4e-3, 600)
    plain = abut.laws.normal_adhesion(d, dhat_p, dhat_a, stress / (2 * (dhat_p - dhat_a)))
    squared = abut.laws.normal_adhesion(d**2, dhat_p**2, dhat_a**2, stress / (4 * dhat_p * (dhat_p**2 - dhat_a**2)))
    energy = Panel(88, 70, 270, 220, (0, 2.4), (-1.25, 0.25))
    pull = Panel(456, 70, 270, 220, (0, 2.4), (0, 1.25))
    for (value, first, _), dx_dd, color, dash in ((plain, 1, BLUE, ""), (squared, 2 * d, ORANGE, "7 4")):
        energy.curve(d * 1e3, value * 1e3, color, dash)
        pull.curve(d * 1e3, first * dx_dd, color, dash)
    ticks = [0, 0.5, (1, "dhat_p"), 1.5, (2, "dhat_a")]
    energy.axes(ticks, [-1, -0.5, 0], "distance d [mm]", "energy per area [mJ/m²]", "well")
    pull.axes(ticks, [0, 0.5, (1, "Y ε_c")], "distance d [mm]", "pull per area [Pa]", "pull, da/dd")
    pull.dot(1, 1, RED)
    pull.note(1, 1, "both at dhat_p", RED, dx=-8, dy=-8, anchor="end")
    shapes = [text(28, 26, "Normal adhesion with Y ε_c = 1 Pa, dhat_p = 1 mm, dhat_a = 2 mm", size=15)]
    shapes += energy.shapes + pull.shapes
    shapes += legend(88, 352, [("of the distance", BLUE, ""), ("of the squared distance", ORANGE, "7 4")], 215)
    write("adhesion-law.svg", 760, 372, shapes)


def friction_law():
    """Force and potential per unit of normal force over the sliding speed."""
    eps_v = 1e-3
    y = np.linspace(0, 2e-3, 600)
    force = Panel(88, 70, 270, 220, (0, 2), (0, 0.65))
    potential = Panel(456, 70, 270, 220, (0, 2), (-0.2, 1.1))
    cases = [(0.5, 0.5, BLUE, ""), (0.5, 0.3, ORANGE, ""), (1.0, 0.3, GREEN, "7 4")]
    for mu_s, mu_k, color, dash in cases:
        value, first, _, _ = abut.laws.friction(y, mu_s, mu_k, eps_v)
        force.curve(y * 1e3, first, color, dash)
        potential.curve(y * 1e3, value * 1e3, color, dash)
    ticks = [0, 0.5, (1, "eps_v"), 1.5, 2]
    force.axes(ticks, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "sliding speed y [mm/s]", "force / N = μ f₁ [N/N]", "force")
    potential.axes(ticks, [0, 0.5, 1], "sliding speed y [mm/s]", "potential / N = g₀ [mm/s]", "potential")
    shapes = [text(28, 26, "Smoothed friction with eps_v = 1 mm/s", size=15)]
    shapes += force.shapes + potential.shapes
    shapes += legend(88, 352, [(f"μ_s = {s}, μ_k = {k}", color, dash) for s, k, color, dash in cases], 215)
    write("friction-law.svg", 760, 372, shapes)


def tangential_adhesion_law():
    eps_a = 1e-3
    y = np.linspace(0, 2.8e-3, 600)
    value, first, _, _ = abut.laws.tangential_adhesion(y, eps_a)
    force = Panel(88, 70, 270, 220, (0, 2.8), (0, 1.25))
    potential = Panel(456, 70, 270, 220, (0, 2.8), (0, 1.6))
    force.curve(y * 1e3, first, BLUE)
    potential.curve(y * 1e3, value * 1e3, BLUE)
    ticks = [0, (1, "eps_a"), (2, "2 eps_a")]
    force.axes(ticks, [0, 0.5, 1], "sliding speed y [mm/s]", "force, of its largest [N/N]", "force f_t")
    potential.axes(ticks, [0, 0.5, 1, (4 / 3, "4/3")], "sliding speed y [mm/s]", "potential [mm/s]", "potential")
    force.dot(1, 1, RED)
    force.note(1, 1, "largest", RED, dx=0, dy=-8, anchor="middle")
    force.dot(2, 0, RED)
    force.note(2, 0, "lets go", RED, dx=6, dy=-12)
    shapes = [text(28, 26, "Tangential adhesion with eps_a = 1 mm/s", size=15)] + force.shapes + potential.shapes
    write("tangential-adhesion-law.svg", 760, 346, shapes)


barrier_laws()
adhesion_law()
friction_law()
tangential_adhesion_law()
