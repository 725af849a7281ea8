"""What docs/verification.md says holds: every number with a bound is within it."""

import pathlib

import meshes
import numpy as np
import pytest
import table
from cases import CASES

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "verification.md"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if each.is_long else []) for name, each in CASES.items()]
)
def test_closed_form_is_met(name):
    rows, plots = CASES[name].run()
    assert rows
    missed = [f"{row.what}: {row.measured:.6g} instead of {row.expected:.6g}, error {row.error:.3g} above {row.bound:g}"
              for row in rows if not row.holds]
    assert not missed, "\n".join(missed)
    for plot in plots:
        assert all(len(curve.x) == len(curve.y) > 1 for curve in plot.curves)


def test_the_page_has_every_case():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name, each in CASES.items() if f"## {each.title}\n" not in text] == []


def test_rows_can_fail():
    assert table.relative("", 1.04, 1, bound=0.05).holds
    assert not table.relative("", 1.06, 1, bound=0.05).holds
    assert not table.absolute("", -0.06, 0, bound=0.05).holds
    assert not table.absolute("", float("nan"), 0, bound=0.05).holds
    assert table.absolute("", 1, 0).holds  # reported only
    assert table.order([4, 1]) == pytest.approx(2)


def test_graded_meshes_are_fine_where_they_should_be():
    disc = meshes.disc(1.0, 0.01, 0.1)
    x, faces = disc.vertices, disc.faces
    areas = meshes.is_left(faces, x) / 2
    assert areas.min() > 0 and areas.sum() == pytest.approx(np.pi, rel=0.01)
    circle = np.abs(np.linalg.norm(x - [0, 1], axis=1) - 1) < 1e-9
    low = np.sort(x[circle & (x[:, 1] < 0.004), 0])
    assert np.diff(low).max() < 0.0101
    ball = meshes.graded_ball(1.0, 6, 0.7)
    a, b, c, d = (ball.vertices[ball.tets[:, k]] for k in range(4))
    assert (np.cross(b - a, c - a) * (d - a)).sum(axis=1).min() > 0
    assert np.linalg.norm(ball.vertices - [0, 1, 0], axis=1).max() == pytest.approx(1)
    distances = np.sort(np.linalg.norm(ball.vertices - ball.vertices[ball.vertices[:, 1].argmin()], axis=1))
    assert distances[1] == pytest.approx(1 / 6 * 0.3 / 1.7, rel=0.2)
