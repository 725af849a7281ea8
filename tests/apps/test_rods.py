"""Rods through the program: what they are is written down, what branches is said, what is wrong is named; results verify and resume."""

import json
import os
import subprocess

PROGRAM = os.environ["ABUT_PROGRAM"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=300)


def write(folder, scene):
    path = folder / "scene.json"
    path.write_text(json.dumps({"format": 1, "time": {"dt": 0.01, "steps": 6}, **scene}))
    return path


def wire(**more):
    return {"name": "wire", "geometry": {"generate": "rod", "length": 1, "segments": 20},
            "material": {"radius": [0.01, 0.006], "youngs_modulus": 1e7, **more.pop("material", {})}, **more}


def star(folder):
    (folder / "star.obj").write_text(
        "v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nv -0.05 0.09 0\nv -0.1 0.18 0\nv -0.05 -0.09 0\n"
        "l 1 2\nl 2 3\nl 1 4\nl 4 5\nl 1 6\n")
    return {"name": "star", "geometry": {"file": "star.obj"}}


def test_edges_are_a_rod_and_results_say_so(tmp_path):
    scene = write(tmp_path, {"objects": [wire(), {"geometry": {"generate": "tet_box"}, "transform": {"translate": [0, 5, 0]}}]})
    result = run("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    written = json.loads((tmp_path / "out" / "scene.json").read_text())
    assert [each["kind"] for each in written["objects"]] == ["rod", "solid"]
    frame = (tmp_path / "out" / "frames" / sorted(os.listdir(tmp_path / "out" / "frames"))[-1]).read_bytes()
    assert all(name in frame for name in (b'"twist"', b'"radius"', b'"director"'))


def test_twisted_rods_verify_and_resume_with_the_same_bytes(tmp_path):
    scene = write(tmp_path, {
        "objects": [wire(fix={"indices": [0, 1]}, damping={"stiffness": 1e-3})],
        "scripts": [{"object": "wire", "select": {"indices": [19, 20]},
                     "rotate": {"axis": [1, 0, 0], "degrees_per_second": 720}, "velocity": [-0.1, 0, 0]}],
        "planes": [{"point": [0, -0.1, 0]}]})
    whole = run("run", scene, "-o", tmp_path / "whole", "--set", "verify=step")
    assert whole.returncode == 0, whole.stderr
    assert run("verify", tmp_path / "whole").returncode == 0
    part = run("run", scene, "-o", tmp_path / "part", "--steps", "3", "--set", "verify=step")
    assert part.returncode == 0, part.stderr
    assert run("resume", tmp_path / "part", "--set", "time.steps=6", "--threads", "1").returncode == 0
    last = sorted(path.name for path in (tmp_path / "whole" / "frames").iterdir())[-1]
    assert (tmp_path / "part" / "frames" / last).read_bytes() == (tmp_path / "whole" / "frames" / last).read_bytes()


def test_branches_are_said_and_have_no_twist(tmp_path):
    scene = write(tmp_path, {"objects": [star(tmp_path)]})
    result = run("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert "'star' has 1 branching point, the first at vertex 0 of 'star'" in result.stdout + result.stderr
    choices = json.loads((tmp_path / "out" / "choices.json").read_text())
    assert [each["value"] for each in choices if each["name"] == "objects[0].twist"] == ["none"]
    asked = dict(star(tmp_path), fix={"indices": [1, 2]}, fix_frame=True)
    refused = run("run", write(tmp_path, {"objects": [asked]}), "-o", tmp_path / "no")
    assert refused.returncode == 3
    assert "/objects/0/fix: the edge of the vertices 1 and 2 of 'star' hangs together with a branching point" in refused.stderr
    assert 'part the mesh where it branches' in refused.stderr


def test_what_is_no_rod_is_named_with_a_cure(tmp_path):
    def message(obj, **more):
        (tmp_path / "mesh.obj").write_text(obj)
        result = run("run", write(tmp_path, {"objects": [{"name": "it", "geometry": {"file": "mesh.obj"}, **more}]}),
                     "-o", tmp_path / "out")
        assert result.returncode == 3, result.stderr
        return result.stderr

    assert "edge 1 of 'it' has no length, as its vertices 1 and 2 are in the same place; merge them" in message(
        "v 0 0 0\nv 1 0 0\nv 1 0 0\nl 1 2\nl 2 3\n")
    assert "at vertex 1 the rod turns by 180 degrees, from vertex 0 to vertex 2, and folds back on itself" in message(
        "v 0 0 0\nv 1 0 0\nv 0.5 0 0\nl 1 2\nl 2 3\n")
    assert "/objects/0/material/radius: 0 is out of range; it must be > 0" in message("v 0 0 0\nv 1 0 0\nl 1 2\n", material={"radius": 0})
