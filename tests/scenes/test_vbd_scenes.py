"""The scenes of vertex block descent from start to end: no step intersects or inverts anything, converged or not, and each shows what its
name says. The same with one iteration per step, which is far from converged and as safe."""

import json
import math
import os
import pathlib
import subprocess

import pytest
from test_whole_scenes import Run

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = {path.stem: path for path in sorted((pathlib.Path(__file__).parents[2] / "scenes/vbd").glob("*.json"))}


class Descent(Run):
    def __init__(self, name, folder, *settings):
        self.folder = folder
        words = [word for setting in ("verify=step", *settings) for word in ("--set", setting)]
        result = subprocess.run(
            [PROGRAM, "run", SCENES[name], "-o", folder, *words], text=True, capture_output=True, timeout=1800,
        )
        self.stats = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
        assert len(self.stats) == json.loads(SCENES[name].read_text())["time"]["steps"]
        assert {line["outcome"] for line in self.stats} <= {"converged", "not_converged"}
        unconverged = sum(line["outcome"] == "not_converged" for line in self.stats)
        assert result.returncode == (1 if unconverged else 0), result.stderr
        assert all(line["verification"]["intersections"] == line["verification"]["inverted"] == 0 for line in self.stats)
        self.frames = sorted((folder / "frames").glob("*.vtu"))


def extent(points, axis):
    return max(x[axis] for x in points) - min(x[axis] for x in points)


def is_wound_up(run):
    middle = [x for x, rest in zip(run.points(-1, 0), run.points(0, 0)) if abs(rest[0]) < 0.06]
    assert max(math.hypot(x[1], x[2]) for x in middle) < 0.35, "it was 0.5 m from the axis"
    assert run.stats[-1]["contacts"] > 0


def keeps_its_order(run):
    centre = lambda k: min(zip(run.points(0, k), run.points(-1, k)), key=lambda pair: math.hypot(pair[0][0], pair[0][2]))[1]
    heights = [centre(k)[1] for k in range(1, 6)]
    assert heights == sorted(heights)


def lies_on_the_sphere(run):
    assert run.stats[-1]["contacts"] > 0
    assert max(x[1] for x in run.points(-1, 0)) > -0.03, "its middle is held"
    assert min(x[1] for x in run.points(-1, 0)) < -0.2, "its corners hang"


def is_stopped(run):
    ball = run.centre(-1, 1)
    before = 0.3 - 20 * run.stats[-1]["time"]
    assert ball[2] > before + 0.5, "it would be far behind the cloth"
    near = min(run.points(-1, 0), key=lambda x: math.dist(x[:2], ball[:2]))
    assert ball[2] > near[2]


def flies(run):
    time = run.stats[-1]["time"]
    assert run.centre(-1, 0)[0] == pytest.approx(50 * time, rel=1e-6)
    assert all(line["detections"] == 1 for line in run.stats)


def pulls_its_knot_tight(run):
    assert extent(run.points(-1, 0), 1) < 0.6 * extent(run.points(0, 0), 1)


CHECKS = {
    "cloth_twist": is_wound_up,
    "cloth_on_sphere": lies_on_the_sphere,
    "three_cloths_on_sphere": lies_on_the_sphere,
    "layers_on_cylinder": keeps_its_order,
    "ball_into_cloth": is_stopped,
    "ball_through_nothing": flies,
    "rope_knot": pulls_its_knot_tight,
}


@pytest.mark.parametrize("name", SCENES)
def test_scene(name, tmp_path):
    run = Descent(name, tmp_path / "out")
    if name in CHECKS:
        CHECKS[name](run)


@pytest.mark.parametrize("name", SCENES)
def test_scene_with_one_iteration(name, tmp_path):
    # Scripts lag behind then, for as long as they run.
    Descent(name, tmp_path / "out", "solver.iterations=1", "solver.max_blocked_steps=10000")
