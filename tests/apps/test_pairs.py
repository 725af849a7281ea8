"""What objects have of their own, by the program: loads, materials by pairs, groups that do not collide."""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def box(name, at, **keys):
    return {"name": name, "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
            "transform": {"translate": at}, **keys}


def scene(model="ipc"):
    """Two boxes that overlap and may, a third one that falls on both; all of them slide."""
    return {
        "format": 1,
        "objects": [
            box("one", [0, 0.1004, 0], contact_group="ghosts", velocity=[1, 0, 0],
                material={"name": "ice", "mu": 0.05, "youngs_modulus": 1e6}),
            box("two", [0.05, 0.1204, 0.03], contact_group="walls", force=[0, -20, 5], material={"mu": 0.6, "youngs_modulus": 1e6}),
            box("three", [0.02, 0.3308, 0.01], velocity=[0, -1, 0], angular_velocity=[0, 2, 0], gravity_scale=0.5,
                material={"youngs_modulus": 1e6})],
        "planes": [{"material": {"name": "floor", "mu": 0.4}}],
        "contact": {"model": model, "dhat": 1e-3, "ignore": [["ghosts", "walls"]], "friction": {"mu": 0.3, "blend": "minimum"},
                    "pairs": [{"materials": ["ice", "floor"], "friction": {"mu": 0.02, "mu_k": 0.01}}]},
        "time": {"dt": 0.005, "steps": 24}, "output": {"every": 8}, "verify": "step"}


def abut(*arguments, code=0):
    result = subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=300)
    assert result.returncode == code, result.stdout + result.stderr
    return result


def write(folder, content):
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def last_frame(out):
    return sorted((out / "frames").iterdir())[-1].read_bytes()


@pytest.mark.parametrize("model", ["ipc", "ogc", "gcp"])
def test_threads_and_resume_change_no_bit(model, tmp_path):
    path = write(tmp_path, scene(model))
    abut("run", path, "-o", tmp_path / "one", "--quiet", "--threads", 1)
    abut("run", path, "-o", tmp_path / "two", "--quiet", "--threads", 2)
    abut("run", path, "-o", tmp_path / "cut", "--quiet", "--steps", 8)
    abut("resume", tmp_path / "cut", "--quiet", "--set", "time.steps=24")
    assert last_frame(tmp_path / "one") == last_frame(tmp_path / "two") == last_frame(tmp_path / "cut")
    abut("verify", tmp_path / "one")


def test_the_run_says_what_it_blended_and_who_does_not_meet(tmp_path):
    path = write(tmp_path, scene())
    said = abut("run", path, "-o", tmp_path / "out", "--steps", 1).stdout
    assert "contact.ignore" in said and "1 pairs of bodies never meet" in said
    assert "contact.friction.mu of 'two' and 'floor'" in said
    choices = json.loads((tmp_path / "out" / "choices.json").read_text(encoding="utf-8"))
    assert any("minimum of 0.6 and 0.4" in str(choice) for choice in (choices if isinstance(choices, list) else [choices]))


def test_what_is_not_ignored_is_refused_where_it_overlaps(tmp_path):
    content = scene()
    del content["contact"]["ignore"]
    result = abut("run", write(tmp_path, content), "-o", tmp_path / "out", code=4)
    assert "'one'" in result.stderr and "'two'" in result.stderr


@pytest.mark.parametrize("change, words", [
    (lambda s: s["contact"]["pairs"][0].update(materials=["ice", "flor"]), "/contact/pairs/0/materials/1: no material is called 'flor'"),
    (lambda s: s["contact"]["pairs"].append(s["contact"]["pairs"][0]), "/contact/pairs/1/materials/0: the pair of 'ice' and 'floor' is there already"),
    (lambda s: s["contact"].update(ignore=[["ghost", "walls"]]), "did you mean 'ghosts'?"),
    (lambda s: s["objects"][0].update(force=5), "/objects/0/force: "),
    (lambda s: s["objects"][0].update(gravity_scale=None), "/objects/0/gravity_scale: "),
])
def test_bad_input_names_the_place_and_a_cure(change, words, tmp_path):
    content = scene()
    change(content)
    assert words in abut("run", write(tmp_path, content), "-o", tmp_path / "out", code=3).stderr
