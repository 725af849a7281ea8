"""Every scene of vertex block descent loads, runs a few steps and stays free of intersections and inversions."""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = sorted((pathlib.Path(__file__).parents[2] / "scenes/vbd").glob("*.json"))


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_runs_three_steps(scene, tmp_path):
    out = tmp_path / "out"
    result = subprocess.run(
        [PROGRAM, "run", scene, "-o", out, "--steps", "3", "--set", "verify=step", "--set", "solver.iterations=5"],
        text=True, capture_output=True, timeout=120,
    )
    lines = [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]
    assert len(lines) == 3, result.stderr
    assert {line["outcome"] for line in lines} <= {"converged", "not_converged"}
    assert result.returncode == (1 if any(line["outcome"] == "not_converged" for line in lines) else 0), result.stderr
    assert all(line["verification"]["intersections"] == line["verification"]["inverted"] == 0 for line in lines)
