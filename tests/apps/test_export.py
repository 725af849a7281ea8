"""Animations of runs: well-formed GLB files with the frames at their times; what cannot be written is refused."""

import json
import math
import os
import re
import struct
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENE = {
    "format": 1,
    "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [
        {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
         "transform": {"translate": [0, 0.15, 0]}},
        {"name": "wall", "kind": "obstacle", "geometry": {"generate": "box"}, "transform": {"translate": [2, 1, 0]}},
    ],
    "time": {"dt": 0.02, "steps": 10},
}


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    (folder / "scene.json").write_text(json.dumps(SCENE))
    assert abut("run", folder / "scene.json", "-o", folder / "out", "--quiet").returncode == 0
    return folder / "out"


def decode(path):
    """The JSON and the bytes of a GLB file, by the format's definition."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    content = json.loads(data[20 : 20 + size])
    bytes_size, bytes_kind = struct.unpack_from("<I4s", data, 20 + size)
    assert bytes_kind == b"BIN\0" and 28 + size + bytes_size == len(data)
    return content, data[28 + size :]


def scalars(content, binary, accessor):
    accessor = content["accessors"][accessor]
    start = content["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
    return struct.unpack_from(f"<{accessor['count']}f", binary, start)


def test_the_animation_has_every_frame_at_its_time(run):
    result = abut("export", run)
    assert result.returncode == 0, result.stderr
    assert f"11 of 11 frames, 2 objects, 0.2 s: {run / 'animation.glb'}" in result.stdout
    content, binary = decode(run / "animation.glb")
    assert [mesh["name"] for mesh in content["meshes"]] == ["cube", "wall", "plane"]
    assert len(content["meshes"][0]["primitives"][0]["targets"]) == 10
    assert "targets" not in content["meshes"][1]["primitives"][0]
    (animation,) = content["animations"]
    assert scalars(content, binary, animation["samplers"][0]["input"]) == pytest.approx([0.02 * k for k in range(11)])
    assert abut("verify", run).returncode == 0, "it is no part of the results"


def test_frames_are_thinned_out_evenly(run, tmp_path):
    assert abut("export", run, "-o", tmp_path / "a.glb", "--frames", 3).returncode == 0
    content, binary = decode(tmp_path / "a.glb")
    sampler = content["animations"][0]["samplers"][0]
    assert scalars(content, binary, sampler["input"]) == pytest.approx([0, 0.1, 0.2])
    assert abut("export", run, "-o", tmp_path / "one.glb", "--frames", 1).returncode == 0
    assert "animations" not in decode(tmp_path / "one.glb")[0]


def test_what_cannot_be_written_is_refused(run, tmp_path):
    result = abut("export", tmp_path)
    assert result.returncode == 3 and "no results" in result.stderr
    result = abut("export", run, "-o", tmp_path / "a.gltf")
    assert result.returncode == 3 and ".glb" in result.stderr
    assert abut("export", run, "-o", tmp_path / "absent" / "a.glb").returncode == 7
    assert abut("export", run, "--frames", 0).returncode == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "scene.json").write_text(json.dumps(SCENE))
    for command in ("export", "render"):
        result = abut(command, tmp_path / "empty")
        assert result.returncode == 3 and "no frames" in result.stderr


def array(path, name):
    """An array of a VTU file with appended raw data, by the format's definition."""
    data = path.read_bytes()
    start = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
    found = re.search(rb'<DataArray type="Float64" Name="' + name.encode() + rb'" NumberOfComponents="(\d+)"[^>]* offset="(\d+)"',
                      data[:start])
    at = start + int(found[2])
    (size,) = struct.unpack_from("<Q", data, at)
    values = struct.unpack_from(f"<{size // 8}d", data, at + 8)
    width = int(found[1])
    return [values[k : k + width] for k in range(0, len(values), width)]


def test_frames_with_stress_have_that_of_a_bar_that_is_pulled(tmp_path):
    stretch, young = 1.1, 1e5
    bar = {"name": "bar", "geometry": {"generate": "tet_box", "size": [0.4, 0.1, 0.1], "subdivisions": [2, 1, 1]},
           "material": {"youngs_modulus": young, "poisson_ratio": 0}, "fix": {"box": {"max": [-0.19, 1, 1]}}}
    wall = {"name": "wall", "kind": "obstacle", "geometry": {"generate": "plane_grid", "cells": [1, 1]},
            "transform": {"translate": [0, -1, 0]}}
    scene = {"format": 1, "gravity": [0, 0, 0], "objects": [bar, wall], "time": {"dt": 1, "steps": 1, "integrator": "quasi_static"},
             "solver": {"tolerance": 1e-9},
             "scripts": [{"object": "bar", "select": {"box": {"min": [0.19, -1, -1]}},
                          "keyframes": [{"time": 0}, {"time": 1, "translate": [0.4 * (stretch - 1), 0, 0]}]}]}
    path, out = tmp_path / "scene.json", tmp_path / "out"
    path.write_text(json.dumps(scene))
    assert abut("run", path, "-o", out, "--quiet").returncode == 0
    result = abut("export", out, "--stress")
    assert result.returncode == 0 and f"2 of 2 frames with stress and strain: {out / 'stress.pvd'}" in result.stdout
    index = (out / "stress.pvd").read_text()
    files = re.findall(r'timestep="([^"]*)" file="([^"]*)"', index)
    assert [float(time) for time, _ in files] == [0, 1]
    rest, pulled = (out / file for _, file in files)
    elements = len(array(rest, "cauchy_stress")) - 2  # and two triangles of the wall
    assert elements > 0 and all(max(map(abs, cell)) < 1e-9 * young for cell in array(rest, "cauchy_stress")[:elements])
    expected = young / 2 * (stretch**2 - 1) / stretch  # neo-Hookean without a Poisson's ratio
    # A script may lag a little behind, here by 1e-4 of the strain; the formulas are tested to rounding elsewhere.
    for cauchy, (mises,), strain in zip(array(pulled, "cauchy_stress")[:elements], array(pulled, "von_mises_stress"),
                                        array(pulled, "green_strain")):
        assert cauchy == pytest.approx([expected] + 8 * [0], abs=1e-4 * young)
        assert mises == pytest.approx(expected, rel=1e-3)
        assert strain == pytest.approx([(stretch**2 - 1) / 2] + 8 * [0], abs=1e-4)
    assert all(math.isnan(value) for cell in array(pulled, "cauchy_stress")[elements:] for value in cell), "of the wall"
    # They are frames of the run otherwise, and no part of its state.
    assert array(pulled, "velocity") == array(out / "frames" / pulled.name, "velocity")
    assert abut("verify", out).returncode == 0
    assert abut("export", out, "--stress", "-o", tmp_path / "a.glb").returncode == 2
    assert abut("run", path, "-o", out, "--quiet", "--force").returncode == 0 and not (out / "stress").exists()
