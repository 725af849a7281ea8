"""Runs for other programs: well-formed files with the frames at their places and times; what cannot be written is refused."""

import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess

import pytest
from export_readers import Usda, read_obj, read_pc2, read_ply, shown, single, vtu_array

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


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60, **options)


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
    rows = vtu_array(path, name)
    return rows if isinstance(rows[0], tuple) else [(value,) for value in rows]


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


# --- Shapes for other programs ---

NAMES = ['my "cube"', "布 & sheet", "a-b", "../points\\"]
MIXED = {
    "format": 1,
    "planes": [{"point": [0, -1, 0], "normal": [0, 1, 0]}],
    "objects": [
        {"name": NAMES[0], "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
         "transform": {"translate": [0, 0.15, 0]}},
        {"name": NAMES[1], "kind": "shell", "geometry": {"generate": "cloth", "cells": [3, 2]}, "transform": {"translate": [0, 1, 0]}},
        {"name": NAMES[2], "kind": "obstacle", "geometry": {"file": "curve.obj"}},
        {"name": NAMES[3], "kind": "points", "geometry": {"file": "points.obj"}},
    ],
    "time": {"dt": 0.02, "steps": 6},
}


def simulate(folder, scene):
    (folder / "curve.obj").write_text("v -1 -0.5 0\nv 0 -0.5 0.25\nv 1 -0.5 0\nl 1 2\nl 3 2\n")
    (folder / "points.obj").write_text("v 5 1 0\nv 5.5 1 0\n")
    (folder / "scene.json").write_text(json.dumps(scene))
    result = abut("run", folder / "scene.json", "-o", folder / "out", "--quiet")
    assert result.returncode == 0, result.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return simulate(tmp_path_factory.mktemp("mixed"), MIXED)


@pytest.fixture(scope="module")
def flat(tmp_path_factory):
    bodies = [{"name": "block", "geometry": {"generate": "rectangle", "size": [0.4, 0.2], "cells": [2, 1]},
               "transform": {"translate": [0, 0.2]}}]
    return simulate(tmp_path_factory.mktemp("flat"), {
        "format": 1, "planes": [{"point": [0, 0], "normal": [0, 1]}], "objects": bodies, "time": {"steps": 3}})


def frames_of(run):
    return sorted((run / "frames").iterdir())


def positions(frame, vertices):
    points = vtu_array(frame, "points")
    return [points[v] for v in vertices]


def test_obj_files_have_the_bits_of_the_frames(mixed, tmp_path):
    result = abut("export", mixed, "-o", tmp_path / "objs", "--format", "obj")
    assert result.returncode == 0, result.stderr
    assert f"7 of 7 frames, 4 objects, 0.12 s: {tmp_path / 'objs'}" in result.stdout
    files = sorted((tmp_path / "objs").iterdir())
    assert [file.name for file in files] == [f"frame_{k:06d}.obj" for k in range(7)]
    for frame, file in zip(frames_of(mixed), files):
        objects = read_obj(file)
        assert [name for name, _, _ in objects] == [NAMES[0], NAMES[1], NAMES[2], "../points"], "no backslash ends a line"
        for (_, vertices, elements), parts in zip(objects, shown(frame)):
            assert vertices == positions(frame, parts.vertices)
            assert sum(letter == "f" for letter, _ in elements) == parts.faces
            assert sum(letter == "l" for letter, _ in elements) == parts.edges
            assert all(0 <= v < len(vertices) for _, corners in elements for v in corners)
        assert len(objects[0][1]) == 26, "the vertex inside is left out"
        assert [letter for letter, _ in objects[3][2]] == ["p", "p"]
    assert f"step 6, time {vtu_array(frames_of(mixed)[-1], 'TimeValue')[0]} s" in files[-1].read_text().splitlines()[0]


def test_ply_files_have_positions_velocities_forces_and_objects(mixed, tmp_path):
    assert abut("export", mixed, "-o", tmp_path / "p", "--format", "ply", "--frames", 3).returncode == 0
    chosen = [frames_of(mixed)[k] for k in (0, 3, 6)]
    for frame, file in zip(chosen, sorted((tmp_path / "p").iterdir())):
        comment, rows = read_ply(file)
        assert "time" in comment
        parts = shown(frame)
        expected = [(v, k) for k, part in enumerate(parts) for v in part.vertices]
        arrays = {name: vtu_array(frame, name) for name in ("points", "velocity", "contact_force")}
        assert len(rows["vertex"]) == len(expected)
        for row, (v, k) in zip(rows["vertex"], expected):
            assert (row["x"], row["y"], row["z"]) == single(arrays["points"][v]) and row["object"] == k
            for name in ("velocity", "contact_force"):
                assert tuple(row[f"{name}_{axis}"] for axis in "xyz") == single(arrays[name][v])
        assert len(rows["face"]) == sum(part.faces for part in parts) and len(rows["edge"]) == 2
        assert all(rows["vertex"][v]["object"] == 0 for face in rows["face"][:48] for v in face["vertex_indices"])
    assert any(any(velocity) for velocity in vtu_array(chosen[-1], "velocity")), "something moves"


def test_point_caches_move_the_mesh_beside_them(mixed, tmp_path):
    assert abut("export", mixed, "-o", tmp_path / "c", "--format", "pc2", "--fps", 25).returncode == 0
    names = ["my _cube_", "布 & sheet", "a-b", "_.._points_"]
    assert {file.name for file in (tmp_path / "c").iterdir()} == {name + end for name in names for end in (".obj", ".pc2")}
    frames = frames_of(mixed)
    for name, parts in zip(names, shown(frames[0])):
        ((_, vertices, elements),) = read_obj(tmp_path / "c" / f"{name}.obj")
        assert vertices == positions(frames[0], parts.vertices) and elements
        start, rate, samples = read_pc2(tmp_path / "c" / f"{name}.pc2")
        assert start == 0 and rate == pytest.approx(0.5), "0.02 s at 25 frames per second"
        assert samples == [[single(x) for x in positions(frame, parts.vertices)] for frame in frames]


def test_usd_has_every_object_with_its_motion(mixed, tmp_path):
    result = abut("export", mixed, "-o", tmp_path / "a.usda", "--fps", 50)
    assert result.returncode == 0, result.stderr
    usd = Usda(tmp_path / "a.usda")
    expected = {"defaultPrim": "simulation", "timeCodesPerSecond": 50, "framesPerSecond": 50, "metersPerUnit": 1, "upAxis": "Y",
                "startTimeCode": 0, "endTimeCode": 6}
    assert {key: usd.metadata[key] for key in expected} == expected
    (root,) = usd.prims
    assert (root["kind"], root["name"]) == ("Xform", "simulation")
    assert [prim["metadata"]["displayName"] for prim in root["children"]] == [*NAMES, "plane 0"]
    assert [prim["metadata"]["customData"]["abut:name"] for prim in root["children"]] == [*NAMES, "plane 0"]
    assert [prim["name"] for prim in root["children"]] == ["my__cube_", "____sheet", "a_b", "___points_", "plane_0"]
    assert [[child["kind"] for child in prim["children"]] for prim in root["children"]] == [
        ["Mesh"], ["Mesh"], ["BasisCurves"], ["Points"], ["Mesh"]]
    frames = frames_of(mixed)
    for k, (prim, parts) in enumerate(zip(root["children"], shown(frames[0]))):
        attributes = prim["children"][0]["attributes"]
        order = [parts.vertices[0], parts.vertices[1], parts.vertices[2]] if k == 2 else parts.vertices
        wanted = [[single(x) for x in positions(frame, order)] for frame in frames]
        if k == 2:  # an obstacle stands still
            found = [[single(x) for x in attributes["points"]]] * len(frames)
        else:
            samples = attributes["points.timeSamples"]
            assert list(samples) == pytest.approx(range(7))
            found = [[single(x) for x in points] for points in samples.values()]
            for points, (low, high) in zip(found, attributes["extent.timeSamples"].values()):
                assert single(low) == tuple(map(min, zip(*points))) and single(high) == tuple(map(max, zip(*points)))
        assert found == wanted
        (color,) = attributes["primvars:displayColor"]
        assert len(color) == 3 and all(0 <= c <= 1 for c in color)
    cube = root["children"][0]["children"][0]["attributes"]
    assert cube["faceVertexCounts"] == [3] * 48 and max(cube["faceVertexIndices"]) == 25
    assert cube["subdivisionScheme"] == "none"
    assert root["children"][2]["children"][0]["attributes"]["curveVertexCounts"] == [3], "two edges are one line"


def test_up_in_usd_is_against_gravity(tmp_path):
    ball = {"geometry": {"generate": "tet_box"}, "transform": {"translate": [0, 0, 3]}}
    out = simulate(tmp_path, {"format": 1, "gravity": [0, 0, -9.81], "objects": [ball], "time": {"steps": 1}})
    assert abut("export", out, "--format", "usda").returncode == 0
    assert Usda(out / "animation.usda").metadata["upAxis"] == "Z"


def test_runs_in_the_plane_get_z_zero(flat, tmp_path):
    for name in ("o", "p", "c"):
        assert abut("export", flat, "-o", tmp_path / name, "--format", {"o": "obj", "p": "ply", "c": "pc2"}[name]).returncode == 0
    frame = frames_of(flat)[-1]
    ((_, vertices, elements),) = read_obj(sorted((tmp_path / "o").iterdir())[-1])
    assert vertices == positions(frame, range(6)) and all(z == 0 for _, _, z in vertices) and len(elements) == 4
    assert read_pc2(tmp_path / "c" / "block.pc2")[2][-1] == [single(x) for x in vertices]
    assert all(row["z"] == 0 for row in read_ply(sorted((tmp_path / "p").iterdir())[-1])[1]["vertex"])
    assert abut("export", flat, "-o", tmp_path / "a.usda").returncode == 0
    block, plane = Usda(tmp_path / "a.usda").prims[0]["children"]
    assert plane["children"][0]["kind"] == "BasisCurves" and block["children"][0]["kind"] == "Mesh"


def test_numbers_go_where_the_name_says(mixed, tmp_path):
    assert abut("export", mixed, "-o", tmp_path / "a_##.obj").returncode == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"a_{k:02d}.obj" for k in range(7)]
    again = abut("export", mixed, "-o", tmp_path / "a_##.obj", "--frames", 2)
    assert again.returncode == 3 and "--force" in again.stderr
    (tmp_path / "a_0x.obj").write_text("mine")
    assert abut("export", mixed, "-o", tmp_path / "a_##.obj", "--frames", 2, "--force").returncode == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a_00.obj", "a_01.obj", "a_0x.obj"], "no frames of two exports"
    assert abut("export", mixed, "-o", tmp_path / "last.ply", "--frames", 1).returncode == 0
    assert "step 6" in read_ply(tmp_path / "last.ply")[0]


def test_formats_have_a_usual_place(mixed):
    for name, place in (("usda", "animation.usda"), ("obj", "obj"), ("ply", "ply"), ("pc2", "pc2")):
        for _ in range(2):
            assert abut("export", mixed, "--format", name, "--frames", 2).returncode == 0
        assert (mixed / place).exists()
    assert abut("verify", mixed).returncode == 0


@pytest.mark.parametrize("options, code, words", [
    (["-o", "a.xyz"], 3, "'.xyz' is none of the endings"), (["-o", "a.objj"], 3, "did you mean .obj?"),
    (["-o", "a"], 3, "--format obj"), (["-o", "a.usd"], 3, ".usda"), (["-o", "a.abc"], 3, ".usda"), (["-o", "a.mov"], 3, ".mp4"),
    (["-o", "a.obj"], 3, "a_####.obj"), (["-o", "a.pc2"], 3, "name a folder and add --format pc2"),
    (["-o", "a.obj", "--format", "glb"], 3, "end it in .glb"), (["-o", "a", "--format", "usda"], 3, "end it in .usda"),
    (["-o", "a#b#.obj"], 3, "one place"), (["-o", "a", "--format", "objj"], 2, "did you mean obj?"),
    (["-o", "a", "--format", "obj", "--fps", "20"], 2, "--fps"), (["-o", "a.glb", "--speed", "2"], 2, "--speed"),
    (["-o", "a.usda", "--zoom", "2"], 2, "files are no pictures"), (["-o", "a.mp4", "--frames", "5"], 2, "--fps"),
    (["-o", "a", "--format", "png", "--frames", "5", "--fps", "3"], 2, "leave one out"),
    (["-o", "a.mp4", "--size", "4"], 2, "480x360"), (["--stress", "--format", "obj"], 2, "--stress"),
    (["-o", "absent/a.usda"], 7, "absent"), (["-o", "absent/a_#.obj"], 7, "absent"), (["-o", "a.usda", "--speed", "0"], 2, "--speed"),
    (["-o", "kept", "--format", "obj"], 3, "not empty"), (["-o", "kept/precious", "--format", "obj"], 3, "is no folder")])
def test_names_that_cannot_be_are_refused_with_the_cure(mixed, tmp_path, options, code, words):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "precious").write_text("precious")
    result = abut("export", mixed, *options, cwd=tmp_path)
    assert result.returncode == code and words in result.stderr, result.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["kept", "precious"]


# --- Pictures and videos ---

SMALL = ("--size", "64x48")


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack_from(">II", data, 16)


def test_pictures_are_at_the_times_of_the_video(mixed, tmp_path):
    result = abut("export", mixed, "-o", tmp_path / "p", "--format", "png", "--fps", 50, *SMALL)
    assert result.returncode == 0, result.stderr
    assert "7 pictures of 64 x 48 pixels, 0.12 s" in result.stdout
    files = sorted((tmp_path / "p").iterdir())
    assert [file.name for file in files] == [f"frame_{k:06d}.png" for k in range(7)]
    assert all(png_size(file) == (64, 48) for file in files)
    # At these times pictures are the run's own frames.
    assert abut("export", mixed, "-o", tmp_path / "own", "--format", "png", "--frames", 7, *SMALL).returncode == 0
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in sorted((tmp_path / "own").iterdir())]
    slow = abut("export", mixed, "-o", tmp_path / "s", "--format", "png", "--fps", 50, "--speed", 0.5, *SMALL)
    assert "13 pictures" in slow.stdout
    assert [(tmp_path / "s" / f"frame_{2 * k:06d}.png").read_bytes() for k in range(7)] == [file.read_bytes() for file in files]
    assert len({file.read_bytes() for file in (tmp_path / "s").iterdir()}) == 13, "between frames things move on"


def test_the_camera_of_render_is_that_of_pictures(mixed, tmp_path):
    for name, options in (("a", ()), ("b", ("--camera", "0,5,9")), ("c", ("--zoom", 2))):
        assert abut("export", mixed, "-o", tmp_path / f"{name}.png", "--frames", 1, *SMALL, *options).returncode == 0
        assert abut("render", mixed, "-o", tmp_path / f"r{name}.png", "--frames", 1, *SMALL, *options).returncode == 0
        if name != "a":
            assert (tmp_path / f"{name}.png").read_bytes() != (tmp_path / "a.png").read_bytes()
    refused = abut("export", mixed, "-o", tmp_path / "d.mp4", "--camera", "1,2")
    assert refused.returncode == 2 and "give 3 numbers" in refused.stderr


def test_without_ffmpeg_there_are_pictures_and_the_command_for_the_video(mixed, tmp_path):
    result = abut("export", mixed, "-o", tmp_path / "my video.mp4", *SMALL, env={"PATH": str(tmp_path)})
    assert result.returncode == 0, result.stderr
    assert len(list((tmp_path / "my video_frames").iterdir())) == 4 and not (tmp_path / "my video.mp4").exists()
    command = result.stdout.splitlines()[-1]
    assert command.startswith("ffmpeg -framerate 30 -i") and f"'{tmp_path / 'my video.mp4'}'" in command
    if shutil.which("ffmpeg"):
        assert subprocess.run(["sh", "-c", command.replace("ffmpeg", "ffmpeg -loglevel error", 1)]).returncode == 0
        assert (tmp_path / "my video.mp4").stat().st_size > 0
    again = abut("export", mixed, "-o", tmp_path / "my video.mp4", *SMALL, env={"PATH": str(tmp_path)})
    assert again.returncode == 3


def fake_ffmpeg(folder, text):
    folder.mkdir()
    (folder / "ffmpeg").write_text("#!/bin/sh\n" + text)
    (folder / "ffmpeg").chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_what_ffmpeg_says_is_told_and_nothing_is_left(mixed, tmp_path):
    for name, text in (("a", "echo no encoder >&2\nexit 1"), ("b", "cat >/dev/null\necho no encoder >&2\nexit 1"),
                       ("c", "head -c 100000 /dev/zero >&2\necho no encoder >&2\nkill -9 $$")):
        environment = fake_ffmpeg(tmp_path / name, text)
        result = abut("export", mixed, "-o", tmp_path / "v.mp4", *SMALL, env=environment)
        assert result.returncode == 7 and "no encoder" in result.stderr and "--format png" in result.stderr
        assert not list(tmp_path.glob("v.mp4*"))


def test_ffmpeg_gets_every_picture(mixed, tmp_path):
    environment = fake_ffmpeg(tmp_path / "bin", 'for last; do :; done\nprintf "%s\\n" "$@" >"$0.words"\ncat >"${last#file:}"')
    result = abut("export", mixed, "-o", tmp_path / "v.mp4", "--size", "640x480", env=environment)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "v.mp4").stat().st_size == 4 * 640 * 480 * 3
    words = (tmp_path / "bin" / "ffmpeg.words").read_text().split("\n")
    assert words[words.index("-framerate") + 1] == "30" and words[words.index("-video_size") + 1] == "640x480"


@pytest.mark.skipif(not (shutil.which("ffmpeg") and shutil.which("ffprobe")), reason="there is no ffmpeg")
def test_videos_have_their_pictures_and_length(mixed, tmp_path):
    for name, size in (("v.mp4", "65x49"), ("v.gif", "64x48")):
        result = abut("export", mixed, "-o", tmp_path / name, "--size", size, "--fps", 25, "--speed", 0.25)
        assert result.returncode == 0, result.stderr
        assert "13 pictures" in result.stdout
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=width,height,nb_read_frames:format=duration", "-of", "json", tmp_path / name],
                               capture_output=True, text=True, check=True)
        found = json.loads(probe.stdout)
        (stream,) = found["streams"]
        assert int(stream["nb_read_frames"]) == 13
        assert (stream["width"], stream["height"]) == ((66, 50) if name == "v.mp4" else (64, 48))
        assert float(found["format"]["duration"]) == pytest.approx(13 / 25, abs=0.03)
    taken = abut("export", mixed, "-o", tmp_path / "v.mp4")
    assert taken.returncode == 3 and "--force" in taken.stderr


def test_a_run_of_one_frame_is_no_video(tmp_path):
    cube = {"geometry": {"generate": "tet_box"}}
    out = simulate(tmp_path, {"format": 1, "gravity": [0, 0, 0], "objects": [cube], "time": {"steps": 0}})
    result = abut("export", out, "-o", tmp_path / "v.mp4")
    assert result.returncode == 3 and "abut render" in result.stderr
    for name in ("obj", "ply", "pc2", "png"):
        assert abut("export", out, "-o", tmp_path / name, "--format", name, *(SMALL if name == "png" else ())).returncode == 0
    assert read_pc2(tmp_path / "pc2" / "object0.pc2")[1] == 1


def test_short_runs_are_to_be_slowed_down_and_long_ones_sped_up(tmp_path):
    cube = {"geometry": {"generate": "tet_box"}}
    scene = {"format": 1, "gravity": [0, 0, 0], "objects": [cube], "time": {"steps": 2, "dt": 1e-5}}
    out = simulate(tmp_path, scene)
    result = abut("export", out, "-o", tmp_path / "v.mp4")
    assert result.returncode == 3 and "--speed 4e-06" in result.stderr
    scene["time"]["dt"] = 1e4
    (tmp_path / "long").mkdir()
    out = simulate(tmp_path / "long", scene)
    result = abut("export", out, "-o", tmp_path / "v.mp4")
    assert result.returncode == 6 and "--speed" in result.stderr


def test_many_objects_are_all_there(tmp_path):
    bodies = [{"name": f"body {k // 2}" if k % 2 else f"body-{k // 2}", "kind": "points", "geometry": {"file": "points.obj"},
               "transform": {"translate": [0, 0, k]}} for k in range(300)]
    out = simulate(tmp_path, {"format": 1, "objects": bodies, "time": {"steps": 2}})
    assert abut("export", out, "-o", tmp_path / "a.usda").returncode == 0
    names = [prim["name"] for prim in Usda(tmp_path / "a.usda").prims[0]["children"]]
    assert len(set(names)) == 300
    assert abut("export", out, "-o", tmp_path / "c", "--format", "pc2").returncode == 0
    assert len(list((tmp_path / "c").iterdir())) == 600


# --- Khronos' validator ---

MODULES = pathlib.Path(os.environ.get("ABUT_NODE_MODULES", pathlib.Path(__file__).parents[2] / "viewer" / "node_modules"))
VALIDATE = """
const validator = require(process.argv[1] + "/gltf-validator");
validator.validateBytes(new Uint8Array(require("fs").readFileSync(process.argv[2])))
    .then(report => console.log(JSON.stringify(report.issues)));
"""


def test_khronos_validator_finds_nothing_in_gltf(run, mixed, flat, tmp_path):
    if not (shutil.which("node") and (MODULES / "gltf-validator").exists()):
        assert os.environ.get("CI") != "true", "gltf-validator is to be installed where this is CI"
        pytest.skip("there is no node with gltf-validator")
    for k, folder in enumerate((run, mixed, flat)):
        for frames in (1, 2, 120):
            file = tmp_path / f"{k}_{frames}.glb"
            assert abut("export", folder, "-o", file, "--frames", frames).returncode == 0
            checked = subprocess.run(["node", "-e", VALIDATE, MODULES, file], capture_output=True, text=True, check=True)
            issues = json.loads(checked.stdout)
            assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"]
