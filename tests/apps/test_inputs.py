"""What the program reads and is told: nothing that it reads is replaced, and what is most likely not meant is told."""

import json
import os
import re
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]

CROSSING = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.2 0.3 1\nv 0.4 0.2 1\nf 1 2 3\nf 4 5 6\n"


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def box(**changes):
    return {"name": "box", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}} | changes


def write_scene(tmp_path, **parts):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"format": 1, "objects": [box()], "time": {"steps": 2}} | parts))
    return path


@pytest.mark.parametrize("kind", ["itself", "symbolic link", "hard link", "other spelling"])
def test_check_never_writes_over_what_it_reads(tmp_path, kind):
    mesh, other = tmp_path / "a.obj", tmp_path / "b.obj"
    mesh.write_text(CROSSING)
    if kind == "itself":
        other = mesh
    elif kind == "symbolic link":
        other.symlink_to(mesh)
    elif kind == "hard link":
        other.hardlink_to(mesh)
    else:
        (tmp_path / "deep").mkdir()
        other = f"{tmp_path}/deep/.././a.obj"
    result = abut("check", mesh, "--write", other, "--force")
    assert result.returncode == 3 and "which is read; choose another name" in result.stderr
    assert mesh.read_text() == CROSSING and os.path.samefile(mesh, other)


def test_an_empty_name_is_bad_usage(tmp_path):
    scene, out, mesh = write_scene(tmp_path), tmp_path / "out", tmp_path / "a.obj"
    mesh.write_text(CROSSING)
    assert abut("run", scene, "-o", out, "--quiet").returncode == 0
    before = sorted(tmp_path.rglob("*"))
    for arguments in (["run", scene, "-o", ""], ["run", scene, "--output="], ["demo", "arch", "-o", ""],
                      ["render", out, "-o", ""], ["export", out, "-o", ""], ["check", mesh, "--write", ""]):
        result = abut(*arguments, cwd=tmp_path)
        assert result.returncode == 2, (arguments, result.stderr)
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


def test_set_is_a_key_and_a_value_and_may_be_repeated(tmp_path):
    scene, out = write_scene(tmp_path), tmp_path / "out"
    line = next(line for line in abut("run", "--help").stdout.splitlines() if "--set" in line)
    assert line.split()[:2] == ["--set", "KEY=VALUE"] and "..." not in line and "TEXT" not in line
    assert abut("run", "--set", "time.steps=1", "--set", "name=two words", scene, "-o", out, "--quiet").returncode == 0
    saved = json.loads((out / "scene.json").read_text())
    assert saved["time"]["steps"] == 1 and saved["name"] == "two words"


@pytest.mark.parametrize("offset, is_far", [(0, False), (1e5, False), (1e9, True)])
def test_bodies_far_from_the_origin_are_told_of(tmp_path, offset, is_far):
    far = box(name="far", transform={"translate": [offset, 0, 0]})
    scene = write_scene(tmp_path, objects=[box(transform={"translate": [0, 0.5, 0]}), far], contact={"dhat": 1e-3})
    result = abut("run", scene, "-o", tmp_path / "out", "--quiet", "--steps", 0)
    assert result.returncode == 0, result.stderr
    assert ("warning: 'far' is 1e+09 m from the origin" in result.stderr) == is_far
    assert ("move the scene near the origin" in result.stderr) == is_far


def test_a_start_that_intersects_names_each_pair_once_and_leaves_a_mesh_of_them(tmp_path):
    unit = {"generate": "tet_box", "subdivisions": [1, 1, 1]}
    scene = write_scene(tmp_path, objects=[{"name": "a", "geometry": unit},
                                           {"name": "b", "geometry": unit, "transform": {"translate": [0.9, 0.1, 0.05]}}])
    out = tmp_path / "deep" / "out"
    result = abut("run", scene, "-o", out)
    assert result.returncode == 4 and "the start intersects in " in result.stderr
    pairs = [line.split(", at")[0] for line in result.stderr.splitlines() if line.startswith("  face")]
    assert 0 < len(pairs) <= 10 and len(set(pairs)) == len(pairs)
    assert all("of 'a' and face (" in pair and pair.endswith("of 'b'") for pair in pairs)
    mesh = tmp_path / "deep" / "out.intersections.obj"
    assert str(mesh) in result.stderr and not out.exists()
    assert abut("check", mesh).returncode == 1, "it is a mesh, which intersects"
    assert f"They were written as a mesh: {mesh}" in result.stderr
    again = abut("run", scene, "-o", out)
    assert again.returncode == 4 and f"written as a mesh, in place of the earlier one: {mesh}" in again.stderr


def test_the_mesh_of_a_start_that_intersects_replaces_no_file_of_others(tmp_path):
    unit = {"generate": "tet_box", "subdivisions": [1, 1, 1]}
    mesh, out = tmp_path / "out.intersections.obj", tmp_path / "out"
    mesh.write_text("v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n")
    objects = [{"name": "a", "geometry": unit}, {"name": "b", "geometry": unit, "transform": {"translate": [0.9, 0.1, 0]}}]
    scene = write_scene(tmp_path, objects=objects)
    kept = mesh.read_text()
    result = abut("run", scene, "-o", out)
    assert result.returncode == 4 and f"not written as a mesh: {mesh}: exists; " in result.stderr
    assert "add --force" in result.stderr and mesh.read_text() == kept
    reading = write_scene(tmp_path, objects=objects + [{"name": "c", "geometry": {"file": mesh.name}}])
    result = abut("run", reading, "-o", out, "--force")
    assert result.returncode == 4 and "which is read" in result.stderr and mesh.read_text() == kept
    result = abut("run", write_scene(tmp_path, objects=objects), "-o", out, "--force")
    assert result.returncode == 4 and f"written as a mesh: {mesh}" in result.stderr and mesh.read_text() != kept


def test_a_body_with_vertices_at_one_place_is_told_to_merge_them(tmp_path):
    (tmp_path / "dup.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv -1 0 0\nv 0 -1 0\nf 1 2 3\nf 4 5 6\n")
    scene = write_scene(tmp_path, objects=[{"name": "dup", "geometry": {"file": "dup.obj"}}])
    result = abut("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 4
    assert "'dup' has vertices at the same place, 0 and 3 among them: merge them" in result.stderr


@pytest.mark.parametrize("height, contact, words", [
    (0.1, {}, "plane 0 and vertex 0 of 'box'"), (0.11, {"dmin": 0.02}, "contact.dmin = 0.02 m")])
def test_a_start_that_touches_is_told_by_the_names_of_the_scene(tmp_path, height, contact, words):
    scene = write_scene(tmp_path, objects=[box(transform={"translate": [0, height, 0]})], contact=contact,
                        planes=[{"point": [0, 0, 0], "normal": [0, 1, 0]}])
    result = abut("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 4 and "the start is in contact: " in result.stderr and words in result.stderr
    assert "has_intersections" not in result.stderr and "X:" not in result.stderr


def shell(tmp_path, text, **changes):
    (tmp_path / "mesh.obj").write_text(text)
    return write_scene(tmp_path, objects=[{"name": "fan", "kind": "shell", "geometry": {"file": "mesh.obj"}} | changes])


def test_check_and_run_agree_on_vertices_in_no_face(tmp_path):
    scene = shell(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n")
    result = abut("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 3 and "vertex 3 is in no element" in result.stderr
    check = abut("check", tmp_path / "mesh.obj")
    assert check.returncode == 1 and "FINDING   1 vertices in no edge or face (3): a run refuses them" in check.stdout


def test_an_edge_of_three_faces_names_the_shell_and_the_cure(tmp_path):
    three = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0.5 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"
    result = abut("run", shell(tmp_path, three), "-o", tmp_path / "out")
    assert result.returncode == 3 and "vertices 0 and 1 of 'fan' belongs to 3 faces" in result.stderr
    assert '"bending": false' in result.stderr
    cured = abut("run", shell(tmp_path, three, material={"bending": False}), "-o", tmp_path / "out", "--quiet")
    assert cured.returncode == 0, cured.stderr


def test_a_solid_without_tetrahedra_is_told_how_to_get_them(tmp_path):
    result = abut("run", shell(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", kind="solid"), "-o", tmp_path / "out")
    assert result.returncode == 3
    for word in ("fTetWild", "Gmsh", "generate", "'shell'"):
        assert word in result.stderr


@pytest.mark.parametrize("setting", ["time.dt=1e300", "time.dt=1e-300", "objects.0.velocity=[1e300,0,0]",
                                     "objects.0.material={\"density\":1e308}", "gravity=[0,1e308,0]",
                                     "objects.0.material={\"youngs_modulus\":1e308}", "contact.dhat=1e308"])
def test_messages_are_free_of_what_no_user_wrote(tmp_path, setting):
    result = abut("run", write_scene(tmp_path), "-o", tmp_path / "out", "--quiet", "--set", setting)
    assert result.returncode in (3, 5), result.stderr
    assert not any(word in result.stderr for word in ("nan", "inf ", "inf.", "X:")), result.stderr


@pytest.mark.parametrize("setting, words", [
    ("objects.0.transform.scale=1e200", "/objects/0/transform/scale: 1e+200 is too large to compute with; give at most 1e+30"),
    ("objects.0.transform.scale=1e-320", "/objects/0/transform/scale: 1e-320 is too small to compute with; give at least 1e-30"),
    ("contact.dhat=1e-320", "/contact/dhat: 1e-320 is too small to compute with; give at least 1e-30 m"),
    ("gravity=[0,-1e200,0]", "/gravity: -1e+200 is too large to compute with; give at least -1e+30 m/s²"),
    ("objects.0.transform={\"rotate\":{\"degrees\":1e308}}", "/rotate/degrees: 1e+308 is too large to compute with")])
def test_numbers_that_no_computation_survives_name_the_key_and_the_limit(tmp_path, setting, words):
    result = abut("run", write_scene(tmp_path), "-o", tmp_path / "out", "--quiet", "--set", setting)
    assert result.returncode == 3 and words in result.stderr, result.stderr


def numbers(value, path=""):
    """The places of all numbers of a scene, as --set names them."""
    if isinstance(value, (dict, list)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def test_no_number_of_a_scene_leads_to_a_message_of_what_is_no_number(tmp_path):
    scene = {
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "gravity": [0, -9.81, 0],
        "objects": [
            box(transform={"translate": [0, 0.1005, 0], "scale": 1, "rotate": {"axis": [0, 1, 0], "degrees": 10}},
                material={"youngs_modulus": 1e5, "poisson_ratio": 0.4, "density": 1000}, velocity=[0, 0, 0]),
            {"name": "sheet", "geometry": {"generate": "cloth", "size": [0.2, 0.2], "cells": [2, 2]},
             "transform": {"translate": [0, 0.3, 0]}, "material": {"thickness": 1e-3}},
            {"name": "dot", "kind": "points", "geometry": {"generate": "rod", "length": 0.1, "segments": 1},
             "transform": {"translate": [0, 0.5, 0]}, "material": {"point_mass": 1e-3}}],
        "scripts": [{"object": "sheet", "keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0.1, 0], "degrees": 3}],
                     "rotate": {"axis": [0, 1, 0], "centre": [0, 0, 0]}, "release": 0.5}],
        "contact": {"dhat": 1e-3, "dmin": 1e-5, "stiffness": 1e4, "friction": {"mu": 0.1, "mu_k": 0.1, "eps_v": 1e-3},
                    "adhesion": {"critical_strain": 0.1, "youngs_modulus": 1e4, "dhat_p": 1e-3, "dhat_a": 2e-3, "mu_a": 0.1,
                                 "eps_a": 1e-3}},
        "time": {"dt": 0.01, "steps": 1},
        "solver": {"tolerance": 1e-3, "max_iterations": 20, "max_seconds": 5},
    }
    path, out = write_scene(tmp_path, **scene), tmp_path / "out"
    settings = [f"{key}={value}" for key in numbers(scene) for value in ("1e300", "-1e300", "1e-320", "1e30", "1e-30")]
    assert len(settings) > 200
    for setting in settings:
        result = abut("run", path, "-o", out, "--quiet", "--force", "--set", setting)
        assert result.returncode in (0, 1, 3, 4, 5, 6), (setting, result.stderr)
        odd = re.search(r"(?<![a-z])-?(nan|inf)(?![a-z])|\d{30}|determinant", result.stderr)
        assert not odd, (setting, result.stderr)


def test_ranges_in_messages_are_short(tmp_path):
    mesh = tmp_path / "a.obj"
    mesh.write_text(CROSSING)
    for dhat in ("-1", "0", "x", "nan"):
        result = abut("bench", mesh, "--dhat", dhat)
        assert result.returncode == 2 and len(result.stderr) < 200, result.stderr


TET = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0.2 0.2 0.2
$EndNodes
$Elements
4
1 4 0 1 2 3 5
2 4 0 1 4 2 5
3 4 0 1 3 4 5
4 4 0 2 4 3 5
$EndElements
"""


def test_check_reads_msh_files_and_checks_their_surface(tmp_path):
    mesh = tmp_path / "tet.msh"
    mesh.write_text(TET)
    result = abut("check", mesh)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "4 vertices, 6 edges, 4 faces in 1 parts, 1 of them closed and oriented" in result.stdout
    (tmp_path / "a.obj").write_text("v 0.1 0.1 -1\nv 0.1 0.15 1\nv 0.15 0.1 1\nf 1 2 3\n")
    both = abut("check", mesh, tmp_path / "a.obj")
    assert both.returncode == 1 and "tet.msh: face" in both.stdout
