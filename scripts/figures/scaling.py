#!/usr/bin/env python3
"""Draws what docs/scaling.md says of partitions (measured by `scripts/partition-study`) and of memory and time (the model in
support/scaling.py): docs/images/scaling-partitions.svg and scaling-model.svg.

    /usr/bin/python3 scripts/figures/scaling.py
"""

import math

from support import scaling
from support.plot import BLUE, GREEN, ORANGE, RED, Panel, legend, text, write

COLORS = ((1e5, "1e5", RED), (1e6, "1e6", ORANGE), (1e7, "1e7", BLUE), (1e8, "1e8", GREEN))
COUNTS = [2**k for k in range(11)]
TICKS = [(2 * k, f"{4**k}") for k in range(6)]


def log_ticks(values, unit=1):
    """Labels are in units of `unit`."""
    return [(math.log10(value), f"{value / unit:g}") for value in values]


def partitions():
    halo = Panel(80, 66, 300, 220, (0.5, 10.5), (-2.3, 0.7))
    sent = Panel(470, 66, 300, 220, (0.5, 10.5), (2.8, 5.8))
    for shape, dash in (("cube", ""), ("mat", "6 4")):
        for size, _, color in COLORS:
            rows = [row for row in scaling.partitions() if row["shape"] == shape and abs(math.log10(row["tets"] / size)) < 0.2]
            if not rows:
                continue
            at = [math.log2(row["parts"]) for row in rows]
            halo.curve(at, [math.log10(row["halo_mean"]) for row in rows], color, dash)
            sent.curve(at, [math.log10(row["sent_most"]) for row in rows], color, dash)
    halo.axes(TICKS, log_ticks((0.01, 0.1, 1)), "N", "halo over own vertices", "what rows of a process read of others")
    sent.axes(TICKS, log_ticks((1e3, 1e4, 1e5), 1e3), "N", "kB", "sent in an exchange, the most of a process")
    shapes = [text(28, 26, "Boxes of 1e5 to 1e7 tetrahedra, cut by METIS; full: cubes, dashed: mats", size=15), *halo.shapes, *sent.shapes]
    shapes += legend(80, 360, [(f"{name} tetrahedra", color, "") for _, name, color in COLORS[:3]], 170)
    write("scaling-partitions.svg", 800, 386, shapes)


def model():
    constants = scaling.constants()
    memory = Panel(80, 66, 300, 220, (0, 10), (-2.5, 2.7))
    time = Panel(470, 66, 300, 220, (0, 10), (0.8, 4.6))
    at = [math.log2(n) for n in COUNTS]
    for size, _, color in COLORS:
        memory.curve(at, [math.log10(scaling.memory(size, n, constants) / 1e9) for n in COUNTS], color)
        memory.line((0, math.log10(scaling.memory(size, 1, constants) / 1e9)), (10, math.log10(scaling.memory(size, 1, constants) / 1e9 / 1024)),
                    color, 1, "2 3")
        if size < 1e8:
            times = [1e3 * sum(scaling.newton_time(size, n, constants).values()) for n in COUNTS]
            time.curve(at, [math.log10(each) for each in times], color)
            time.line((0, math.log10(times[0])), (10, math.log10(times[0] / 1024)), color, 1, "2 3")
    memory.axes(TICKS, log_ticks((0.01, 0.1, 1, 10, 100)), "N", "GB", "memory of a process")
    time.axes(TICKS, log_ticks((10, 100, 1e3, 1e4), 1e3), "N", "s", "an iteration of Newton's method")
    shapes = [text(28, 26, "The model; dotted: if all were shared, and messages cost nothing", size=15), *memory.shapes, *time.shapes]
    shapes += legend(80, 360, [(f"{name} tetrahedra", color, "") for _, name, color in COLORS], 170)
    write("scaling-model.svg", 800, 386, shapes)


partitions()
model()
