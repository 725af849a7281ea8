"""Curves in a frame with axes, as SVG: what the figures of laws and collision sets share.

A Panel maps data to pixels, cuts curves at its frame and writes its labels outside of it."""

import pathlib

import numpy as np

IMAGES = pathlib.Path(__file__).resolve().parents[3] / "docs" / "images"
BLUE, GREY, ORANGE, RED = "#33609a", "#9aa5b1", "#e07b00", "#c8102e"
GREEN, DARK = "#2e8b57", "#222"


def text(x, y, words, color=DARK, size=13, anchor="start", angle=0):
    turn = f' transform="rotate({angle} {x:.1f} {y:.1f})"' if angle else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{turn}>{words}</text>'


def write(name, width, height, shapes):
    body = "\n".join(shapes)
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n', encoding="utf-8")


def without_straight_points(points, tolerance=0.05):
    """The points of a polyline without those that lie on the line from the last one kept to one that follows [pixels]."""
    kept, start = [points[0]], 0
    for end in range(2, len(points)):
        (x0, y0), (x1, y1) = points[start], points[end]
        length = max(np.hypot(x1 - x0, y1 - y0), 1e-12)
        between = points[start + 1:end]
        if any(abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) > tolerance * length for x, y in between):
            start = end - 1
            kept.append(points[start])
    return [*kept, points[-1]]


class Panel:
    """A frame at (left, top) of the given size in pixels, over x_range and y_range of the data."""

    count = 0

    def __init__(self, left, top, width, height, x_range, y_range):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_range, self.y_range = x_range, y_range
        Panel.count += 1
        self.clip = f"frame{Panel.count}"
        self.grid = [f'<clipPath id="{self.clip}"><rect x="{left}" y="{top}" width="{width}" height="{height}"/></clipPath>']
        self.data = []

    @property
    def shapes(self):
        return self.grid + self.data

    def at(self, x, y):
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        return self.left + self.width * (x - x0) / (x1 - x0), self.top + self.height * (1 - (y - y0) / (y1 - y0))

    def axes(self, x_ticks, y_ticks, x_label, y_label, title=""):
        """Ticks are numbers, or (number, words)."""
        bottom, right = self.top + self.height, self.left + self.width
        for x, words in (tick if isinstance(tick, tuple) else (tick, f"{tick:g}") for tick in x_ticks):
            px, _ = self.at(x, 0)
            self.grid.append(f'<line x1="{px:.1f}" y1="{self.top}" x2="{px:.1f}" y2="{bottom}" stroke="#e6e9ed"/>')
            self.data.append(text(px, bottom + 17, words, size=12, anchor="middle"))
        for y, words in (tick if isinstance(tick, tuple) else (tick, f"{tick:g}") for tick in y_ticks):
            _, py = self.at(0, y)
            self.grid.append(f'<line x1="{self.left}" y1="{py:.1f}" x2="{right}" y2="{py:.1f}" stroke="#e6e9ed"/>')
            self.data.append(text(self.left - 7, py + 4, words, size=12, anchor="end"))
        self.data.append(f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" '
                           f'fill="none" stroke="{GREY}"/>')
        self.data.append(text(self.left + self.width / 2, bottom + 37, x_label, anchor="middle"))
        self.data.append(text(self.left - 46, self.top + self.height / 2, y_label, anchor="middle", angle=-90))
        self.data.append(text(self.left + self.width / 2, self.top - 9, title, size=14, anchor="middle"))

    def curve(self, x, y, color, dash="", width=2):
        """Cut at the frame: points far outside are moved to just outside of it, or have no place in a picture."""
        y0, y1 = self.y_range
        points = [self.at(a, b) for a, b in zip(x, np.clip(y, y0 - (y1 - y0), y1 + (y1 - y0)))]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in without_straight_points(points))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.data.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dashes} '
                           f'clip-path="url(#{self.clip})"/>')

    def line(self, p, q, color, width=1.2, dash=""):
        (x0, y0), (x1, y1) = self.at(*p), self.at(*q)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.data.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}" '
                           f'stroke-width="{width}"{dashes} clip-path="url(#{self.clip})"/>')

    def dot(self, x, y, color, radius=3.5):
        px, py = self.at(x, y)
        self.data.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{radius}" fill="{color}"/>')

    def note(self, x, y, words, color=DARK, dx=0, dy=0, anchor="start"):
        """Words beside a point of the data."""
        px, py = self.at(x, y)
        self.data.append(text(px + dx, py + dy, words, color, anchor=anchor))


def legend(x, y, entries, step):
    """Lines with names in a row; entries are (name, color, dash)."""
    shapes = []
    for k, (name, color, dash) in enumerate(entries):
        left = x + k * step
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        shapes.append(f'<line x1="{left}" y1="{y}" x2="{left + 28}" y2="{y}" stroke="{color}" stroke-width="2.4"{dashes}/>')
        shapes.append(text(left + 35, y + 4, name))
    return shapes
