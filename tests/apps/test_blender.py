"""Blender opens what `abut export` writes and sees every vertex where the frames have it."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from export_readers import shown, single, vtu_array

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENE = {
    "format": 1,
    "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [
        {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
         "transform": {"translate": [0, 0.15, 0]}},
        {"name": "my sheet", "kind": "shell", "geometry": {"generate": "cloth", "cells": [4, 3]},
         "transform": {"translate": [1, 0.5, 0]}},
    ],
    "time": {"dt": 0.02, "steps": 6},
}


def abut(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60)
    assert result.returncode == 0, result.stderr


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("blender"), reason="there is no Blender")
def test_blender_sees_the_positions_of_the_frames(tmp_path):
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    out, folder = tmp_path / "out", tmp_path / "files"
    abut("run", tmp_path / "scene.json", "-o", out, "--quiet")
    abut("export", out, "-o", folder, "--format", "pc2")
    for name in ("frame.obj", "frame.ply"):
        abut("export", out, "-o", folder / name, "--frames", 1)
    abut("export", out, "-o", folder / "animation.glb")
    script = pathlib.Path(__file__).with_name("blender_positions.py")
    result = subprocess.run(["blender", "-b", "--factory-startup", "-P", script, "--", folder], text=True, capture_output=True,
                            timeout=300)
    lines = [line for line in result.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, result.stdout[-2000:] + result.stderr[-2000:]
    found = json.loads(lines[0][len("FOUND "):])

    frames = [out / "frames" / f"frame_{step:08d}.vtu" for step in (0, 3, 6)]
    parts = shown(frames[0])
    expected = {name: [[vtu_array(frame, "points")[v] for v in part.vertices] for frame in frames]
                for name, part in zip(("cube", "my sheet"), parts)}

    def assert_same(seen, wanted, tolerance):
        assert len(seen) == len(wanted)
        assert max(abs(a - b) for x, y in zip(seen, wanted) for a, b in zip(x, y)) <= tolerance

    rounding = 1.2e-7 * 2  # of single precision, for coordinates below 2 m
    for name in expected:
        assert_same(found["obj"][name], expected[name][2], rounding)
        for seen, wanted in zip(found["pc2"][name], expected[name]):
            assert [single(x) for x in seen] == [single(x) for x in wanted], "the cache's own bits"
    (ply,) = found["ply"]
    assert_same(ply, expected["cube"][2] + expected["my sheet"][2], rounding)
    for name in expected:
        for seen, wanted in zip(found["glb"][name], expected[name]):
            # Blender turns y up into z up; vertices at creases are there more than once.
            back = [(x, z, -y) for x, y, z in seen]
            for some, others in ((back, wanted), (wanted, back)):
                for x in some:
                    assert min(max(abs(a - b) for a, b in zip(x, y)) for y in others) <= 4 * rounding
