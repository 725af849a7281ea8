#!/usr/bin/env python3
"""Draws the tables of docs/linear.md, which `scripts/linear-study` printed: docs/images/linear-iterations.svg and
linear-border.svg.

    /usr/bin/python3 scripts/figures/linear.py
"""

import math

from support.plot import BLUE, GREEN, IMAGES, ORANGE, RED, Panel, legend, text, write

PRECONDITIONERS = {"block_jacobi": RED, "incomplete_cholesky": ORANGE, "schwarz": BLUE, "contact": GREEN}
DIRECT, PCG = RED, BLUE


def tables():
    """The tables of the page, each as a list of dicts by column."""
    found, rows = [], []
    for line in [*(IMAGES.parent / "linear.md").read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append([dict(zip(rows[0], row)) for row in rows[2:]])
            rows = []
    return found


def table_with(*columns):
    return next(table for table in tables() if set(columns) <= set(table[0]))


def log_ticks(low, high):
    return [(k, f"{10**k:g}" if k < 4 else f"1e{k}") for k in range(low, high + 1)]


def logs(panel, rows, x, y, color, dash=""):
    points = [(math.log10(float(row[x])), math.log10(float(row[y].split(" (")[0]))) for row in rows]
    panel.curve(*zip(*points), color, dash)
    for point in points:
        panel.dot(*point, color)


def iterations():
    refined, stiffness = table_with("unknowns", "E [Pa]", "schwarz"), table_with("E [Pa]", "Newton, schwarz")
    by_size = Panel(80, 66, 300, 220, (4.3, 5.6), (0.8, 2.6))
    by_modulus = Panel(470, 66, 300, 220, (3.8, 9.2), (0, 2.6))
    for name, color in PRECONDITIONERS.items():
        if name != "contact":  # the same as schwarz on these scenes
            for E, dash in ("1e+05", "6 4"), ("1e+07", ""):
                logs(by_size, [row for row in refined if row["E [Pa]"] == E], "unknowns", name, color, dash)
            logs(by_modulus, stiffness, "E [Pa]", name, color)
    counts = [(math.log10(n), f"{n}") for n in (1, 3, 10, 30, 100, 300)]
    by_size.axes([(math.log10(n), f"{n // 1000}k") for n in (30000, 100000, 300000)], counts[2:], "unknowns", "iterations per system",
                 "a ball refined; dashed E = 1e5, full 1e7 Pa")
    by_modulus.axes(log_ticks(4, 9), counts, "E [Pa]", "iterations per system", "12k unknowns, soft to stiff")
    shapes = [text(28, 26, "Conjugate gradients: iterations until the residual is 1e-3 of the right side", size=15)]
    shapes += by_size.shapes + by_modulus.shapes
    shapes += legend(80, 360, [(name, color, "") for name, color in PRECONDITIONERS.items() if name != "contact"], 200)
    write("linear-iterations.svg", 800, 386, shapes)


def border():
    rows = table_with("direct [ms]", "pcg [ms]")
    shapes = [text(28, 26, "One iteration of Newton's method, one thread", size=15)]
    for k, scene in enumerate(("ball", "cloth", "mat")):
        panel = Panel(80 + 250 * k, 66, 190, 220, (3.2, 5.0), (0.2, 3.0))
        of_scene = [row for row in rows if row["scene"] == scene]
        logs(panel, of_scene, "unknowns", "direct [ms]", DIRECT)
        logs(panel, of_scene, "unknowns", "pcg [ms]", PCG)
        panel.axes([(math.log10(n), f"{n // 1000}k") for n in (2000, 10000, 50000)], [(k, f"{10**k:g}") for k in (1, 2, 3)],
                   "unknowns", "ms" if k == 0 else "", scene)
        shapes += panel.shapes
    shapes += legend(80, 360, [("direct", DIRECT, ""), ("conjugate gradients", PCG, "")], 150)
    write("linear-border.svg", 800, 386, shapes)


iterations()
border()
