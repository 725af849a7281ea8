"""Every scene of the repository loads, runs a few steps and stays free of intersections."""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = sorted((pathlib.Path(__file__).parents[2] / "scenes").glob("*.json"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_runs_three_steps(scene, tmp_path):
    result = subprocess.run(
        [PROGRAM, "run", scene, "-o", tmp_path / "out", "--steps", "3", "--set", "verify=step"],
        text=True, capture_output=True, timeout=120,
    )
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "stats.jsonl").read_text().splitlines()]
    assert [line["outcome"] for line in lines] == ["converged"] * 3
    assert all(line["verification"]["intersections"] == line["verification"]["inverted"] == 0 for line in lines)
