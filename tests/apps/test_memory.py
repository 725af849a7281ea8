"""Where memory is short, the program ends at once and says what was missing; it never hangs."""

import json
import os
import pathlib
import resource
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
TWO_CUBES = str(pathlib.Path(__file__).parents[2] / "scenes" / "two_cubes.json")
LIMIT_REACHED = 6


def abut_within(megabytes, *arguments):
    def limit():
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000,) * 2)

    # A hang ends in TimeoutExpired.
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60, preexec_fn=limit)


def skip_where_memory_cannot_be_limited():
    if abut_within(10_000, "--version").returncode != 0:
        pytest.skip("the address sanitizer needs more than there is")


def test_every_limit_ends_a_run_or_lets_it_through(tmp_path):
    skip_where_memory_cannot_be_limited()
    codes = []
    for megabytes in range(75, 1001, 25):
        out = tmp_path / str(megabytes)
        result = abut_within(megabytes, "run", TWO_CUBES, "--set", "time.steps=2", "-o", out)
        codes.append(result.returncode)
        if result.returncode != 0:
            assert result.returncode == LIMIT_REACHED, (megabytes, result.stderr)
            assert "are left of the limit of" in result.stderr
    assert codes[0] == LIMIT_REACHED and codes[-1] == 0
    assert codes == sorted(codes, reverse=True), "more memory is never worse"


def test_too_little_to_load_the_libraries_is_an_error_at_once():
    skip_where_memory_cannot_be_limited()
    for megabytes in (5, 20, 40, 60, 75, 90, 120):
        result = abut_within(megabytes, "--version")
        assert result.returncode != 0 or result.stdout.startswith("abut "), megabytes
    assert abut_within(75, "--version").returncode == 0


def test_results_can_be_resumed_once_there_is_memory(tmp_path):
    skip_where_memory_cannot_be_limited()
    out = tmp_path / "out"
    assert abut_within(0, "run", TWO_CUBES, "--set", "time.steps=4", "--steps", "2", "-o", out).returncode == 0
    refused = abut_within(150, "resume", out)
    assert refused.returncode == LIMIT_REACHED and "OpenBLAS' buffer needs" in refused.stderr
    assert abut_within(0, "resume", out).returncode == 0
    assert abut_within(0, "run", TWO_CUBES, "--set", "time.steps=4", "-o", tmp_path / "whole").returncode == 0
    frames = [sorted((folder / "frames").iterdir()) for folder in (out, tmp_path / "whole")]
    assert [f.name for f in frames[0]] == [f.name for f in frames[1]]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(*frames))


def test_a_factor_that_does_not_fit_is_refused_before_it_is_made(tmp_path):
    skip_where_memory_cannot_be_limited()
    scene = tmp_path / "ball.json"
    scene.write_text(json.dumps({
        "format": 1, "time": {"steps": 1}, "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [{"geometry": {"generate": "tet_ball", "radius": 0.1, "shells": 16},
                     "transform": {"translate": [0, 0.11, 0]}}]}))
    for megabytes in (300, 500, 600):
        result = abut_within(megabytes, "run", scene, "-o", tmp_path / str(megabytes), "--set", "solver.linear=direct")
        assert result.returncode == LIMIT_REACHED, (megabytes, result.stderr)
    assert "the factor of 44979 unknowns needs 358 MB" in result.stderr
