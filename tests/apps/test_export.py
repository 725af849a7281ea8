"""Animations of runs: well-formed GLB files with the frames at their times; what cannot be written is refused."""

import json
import os
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
