"""Every scene of vertex block descent loads, runs a few steps and stays free of intersections and inversions."""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = sorted((pathlib.Path(__file__).parents[2] / "scenes/vbd").glob("*.json"))


def run(scene, out, *arguments, timeout):
    """Records of the steps of a run that is verified at every step."""
    result = subprocess.run(
        [PROGRAM, "run", scene, "-o", out, "--set", "verify=step", *arguments], text=True, capture_output=True, timeout=timeout)
    lines = [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]
    assert {line["outcome"] for line in lines} <= {"converged", "not_converged"}, result.stderr
    assert result.returncode == (1 if any(line["outcome"] == "not_converged" for line in lines) else 0), result.stderr
    assert all(line["verification"]["intersections"] == line["verification"]["inverted"] == 0 for line in lines)
    return lines


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_runs_three_steps(scene, tmp_path):
    assert len(run(scene, tmp_path / "out", "--steps", "3", "--set", "solver.iterations=5", timeout=120)) == 3


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_runs_to_its_end(scene, tmp_path):
    steps = json.loads(scene.read_text())["time"]["steps"]
    assert len(run(scene, tmp_path / "out", timeout=1200)) == steps
