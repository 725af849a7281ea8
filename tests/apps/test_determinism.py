"""The same scene gives the same bits, every time and for any number of threads."""

import hashlib
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = pathlib.Path(__file__).parents[2] / "scenes"

# Steps that reach contact.
STEPS = {"two_cubes": 40, "blocks_2d": 60, "slope_slides": 30, "cloth_on_sphere": 12}


def final_hash(name, out, threads):
    steps = STEPS[name]
    result = subprocess.run(
        [PROGRAM, "run", SCENES / f"{name}.json", "-o", out, "--quiet", "--steps", str(steps), "--threads", str(threads),
         "--set", f"output.every={steps}"], text=True, capture_output=True, timeout=300)
    assert result.returncode == 0, result.stderr
    return hashlib.sha256((out / "frames" / f"frame_{steps:08d}.vtu").read_bytes()).hexdigest()


@pytest.mark.repeats
@pytest.mark.parametrize("name", STEPS)
def test_threads_change_no_bit(name, tmp_path):
    hashes = {final_hash(name, tmp_path / str(threads), threads) for threads in (1, 2, 4)}
    assert len(hashes) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", STEPS)
def test_ten_runs_of_ten_are_the_same(name, tmp_path):
    hashes = {final_hash(name, tmp_path / str(run), threads) for run, threads in enumerate((1, 2, 4, 2, 1, 4, 2, 4, 1, 2))}
    assert len(hashes) == 1
