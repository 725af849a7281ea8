"""Surfaces that stick, by the program: by pairs of materials, what is an error, and what is told of bonds."""

import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def abut(*arguments, code=0):
    result = subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=600)
    assert result.returncode == code, result.stdout + result.stderr
    return result


def write(folder, scene):
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps({"format": 1, **scene}), encoding="utf-8")
    return path


def hanging(adhesion, steps=30, cells=4, **contact):
    """A cube of 0.1 m and 1 kg below a plate that it may stick to."""
    return {
        "objects": [
            {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.1, 0.1, 0.1], "subdivisions": [cells] * 3},
             "transform": {"translate": [0, -0.0505, 0]}, "material": {"name": "gum", "youngs_modulus": 1e5}},
            {"name": "plate", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.3, 0.3], "cells": [5, 5]},
             "material": {"name": "glass"}}],
        "contact": {"dhat": 1e-3, "pairs": [{"materials": ["gum", "glass"], "adhesion": adhesion}], **contact},
        "time": {"dt": 0.01, "steps": steps}, "output": {"every": steps}}


def last_step(folder, scene, *options):
    abut("run", write(folder, scene), "-o", folder / "out", "--quiet", "--threads", 1, "--force", *options)
    return json.loads((folder / "out" / "stats.jsonl").read_text(encoding="utf-8").splitlines()[-1])


def test_a_strength_holds_what_is_lighter_and_no_more(tmp_path):
    # 9.81 N over 0.01 m² are 981 Pa.
    held = last_step(tmp_path, hanging({"strength": 3000}))
    assert abs(held["momentum"][1]) < 0.01
    bonds, = held["forces"]
    assert bonds["adhesion"][1] > 9.81
    assert bonds["contact"][1] == pytest.approx(9.81, rel=0.02)  # of bonds and barrier together: the weight
    assert 0.009 < bonds["bonded_area"] < 0.016
    fallen = last_step(tmp_path, hanging({"strength": 500}))
    assert fallen["momentum"][1] < -1 and not fallen["forces"]


def test_a_critical_strain_is_one_of_the_softer_body(tmp_path):
    # 3 % of 1e5 Pa is 3000 Pa; the plate has no modulus, and a soft body elsewhere does not count.
    scene = hanging({"critical_strain": 0.03})
    same = last_step(tmp_path, scene)
    assert same["forces"] == last_step(tmp_path, hanging({"strength": 3000}))["forces"]
    scene["objects"].append({"name": "foam", "geometry": {"generate": "tet_box", "size": [0.1, 0.1, 0.1], "subdivisions": [1, 1, 1]},
                             "transform": {"translate": [0, 3, 0]}, "material": {"name": "foam", "youngs_modulus": 50}})
    scene["contact"]["stiffness"] = same["stiffness"]
    assert abs(last_step(tmp_path, scene, "--steps", 10)["forces"][0]["adhesion"][1]) > 5


@pytest.mark.parametrize("change, words", [
    (lambda s: s["contact"]["pairs"][0]["adhesion"].update(critical_strain=0.1), "/contact/pairs/0/adhesion/strength: there is critical_strain beside it"),
    (lambda s: s["contact"].update(adhesion={"strength": 5, "youngs_modulus": 1e5}), "/contact/adhesion/strength: there is youngs_modulus beside it"),
    (lambda s: s["contact"]["pairs"][0]["adhesion"].update(strength=-1), "/contact/pairs/0/adhesion/strength: "),
    (lambda s: s["contact"]["pairs"][0].update(materials=["gum", "glas"]), "/contact/pairs/0/materials/1: no material is called 'glas'"),
    (lambda s: s["contact"].update(model="gcp"), "/contact/pairs/0/adhesion: there is none with the model 'gcp'"),
    (lambda s: s["contact"].update(adhesion={"dhat_p": 2e-3, "dhat_a": 1e-3}),
     "contact.adhesion.dhat_p: 0.002 m is not below contact.adhesion.dhat_a, 0.001 m"),
    (lambda s: s["contact"].update(model="gcp", pairs=[], adhesion={"strength": 5}), "/contact/adhesion: there is none with the model 'gcp'"),
    (lambda s: (s["objects"][0].update(kind="obstacle", material={"name": "gum"}),
                s["objects"][0]["geometry"].update(generate="box"), s["objects"][0]["geometry"].pop("subdivisions"),
                s["objects"].append({"name": "dust", "kind": "points", "geometry": {"generate": "box"}, "transform": {"translate": [0, 5, 0]}}),
                s["contact"]["pairs"][0].update(adhesion={"critical_strain": 0.1})), "contact.pairs[0].adhesion.strength: neither 'gum' nor 'glass' has a modulus"),
])
def test_bad_input_names_the_place_and_a_cure(change, words, tmp_path):
    scene = hanging({"strength": 3000}, 1)
    change(scene)
    assert words in abut("run", write(tmp_path, scene), "-o", tmp_path / "out", code=3).stderr


def hangs(model, method, **adhesion):
    """A solid, a shell, a rod and loose points of another material below a plate."""
    below = [
        ("solid", {"generate": "tet_box", "size": [0.1, 0.1, 0.1], "subdivisions": [4] * 3}, [0, -0.0505, 0], {"youngs_modulus": 1e5}),
        ("shell", {"generate": "plane_grid", "size": [0.1, 0.1], "cells": [4, 4]}, [0.15, -5e-4, 0], {"youngs_modulus": 1e5}),
        ("rod", {"generate": "rod", "length": 0.1, "segments": 5}, [0.15, -1.5e-3, 0.1], {"youngs_modulus": 1e6}),
        ("points", {"generate": "plane_grid", "size": [0.05, 0.05], "cells": [2, 2]}, [0, -5e-4, 0.15], {})]
    objects = [{"name": kind, "kind": kind, "geometry": geometry, "transform": {"translate": place}, "material": {"name": kind, **material}}
               for kind, geometry, place, material in below]
    objects.append({"name": "plate", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.6, 0.6], "cells": [7, 7]},
                    "material": {"name": "glass"}})
    # Per area, of rods per length: some times their weights
    strengths = {"solid": 5e3, "shell": 100, "rod": 1, "points": 300}
    pairs = [{"materials": [kind, "glass"], "adhesion": {"strength": strength, **adhesion}} for kind, strength in strengths.items()]
    return {"objects": objects, "contact": {"model": model, "dhat": 1e-3, "pairs": pairs}, "time": {"dt": 2e-3, "steps": 40},
            "solver": {"method": method}, "output": {"every": 40}}


@pytest.mark.parametrize("model, method", [
    ("ipc", "newton"), ("convergent_ipc", "newton"), ("gipc", "newton"), ("ogc", "newton"), ("ogc", "vbd")])
def test_every_kind_of_body_hangs_with_every_model_and_solver(model, method, tmp_path):
    # Sweeps of block descent run out in many steps, which exit code 1 says: bonds that a sheet hangs by tie its vertices.
    scene = hangs(model, method)
    result = subprocess.run([PROGRAM, "run", str(write(tmp_path, scene)), "-o", str(tmp_path / "out"), "--quiet", "--threads", "1"],
                            text=True, capture_output=True)
    assert result.returncode in ((0, 1) if method == "vbd" else (0,)), result.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "stats.jsonl").read_text(encoding="utf-8").splitlines()]
    outcomes = {line["outcome"] for line in lines}
    assert len(lines) == 40 and outcomes <= ({"converged", "not_converged"} if method == "vbd" else {"converged"})
    last = lines[-1]
    held = {force["on"] if force["by"] == "plate" else force["by"] for force in last["forces"] if force.get("bonded_area", 0) > 0}
    assert held == {"solid", "shell", "rod", "points"}
    assert abs(last["momentum"][1]) < 0.05  # where free fall has 0.8
    assert last["verification"]["intersections"] == 0


def test_without_bonds_each_of_them_falls(tmp_path):
    scene = hangs("ipc", "newton")
    for pair in scene["contact"]["pairs"]:
        pair["adhesion"]["strength"] = 0
    last = last_step(tmp_path, scene)
    assert not last["forces"] and last["momentum"][1] < -0.7


def test_a_peak_within_the_contact_distance_is_warned_of(tmp_path):
    scene = hanging({"strength": 3000}, 1)
    scene["contact"]["adhesion"] = {"strength": 3000, "dhat_p": 5e-4}
    said = abut("run", write(tmp_path, scene), "-o", tmp_path / "out")
    assert "contact.adhesion.dhat_p: 0.0005 m is below contact.dhat, 0.001 m" in said.stdout + said.stderr


def test_a_coarse_body_is_warned_of_by_its_name_and_cells(tmp_path):
    said = abut("run", write(tmp_path, hanging({"strength": 3000}, 1, cells=2)), "-o", tmp_path / "out")
    assert "the surface of 'cube' has some 2 cells across a face" in said.stdout + said.stderr
    said = abut("run", write(tmp_path, hanging({"strength": 3000}, 1)), "-o", tmp_path / "out", "--force")
    assert "cells across a face" not in said.stdout + said.stderr


@pytest.mark.parametrize("critical_strain, mu, mu_a, what", [
    (0, 0.5, 1, "falls freely"), (0.1, 0.5, 1, "sticks"), (0.02, 0, 0.2, "slides down the wall"), (0.02, 1, 0.2, "turns and lets go")])
def test_a_cube_on_a_wall_has_the_four_regimes_of_the_paper(critical_strain, mu, mu_a, what, tmp_path):
    scene = pathlib.Path(__file__).parents[2] / "scenes" / "cube_on_wall.json"
    abut("run", scene, "-o", tmp_path / "out", "--quiet", "--threads", 1, "--set", f"contact.friction.mu={mu}",
         "--set", f"contact.pairs.0.adhesion.critical_strain={critical_strain}", "--set", f"contact.pairs.0.adhesion.mu_a={mu_a}")
    last = json.loads((tmp_path / "out" / "stats.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    away, down = last["momentum"][0] / 8, -last["momentum"][1] / 8
    is_bonded = any(force.get("bonded_area", 0) > 0 for force in last["forces"])
    seen = ("sticks" if down < 0.05 else "slides down the wall" if away < 0.01 else None) if is_bonded else (
        "turns and lets go" if away > 0.1 else "falls freely")
    assert seen == what


def test_a_tape_comes_off_in_a_steady_front(tmp_path):
    scene = pathlib.Path(__file__).parents[2] / "scenes" / "tape_peel.json"
    abut("run", scene, "-o", tmp_path / "out", "--quiet", "--threads", 1)
    lines = (tmp_path / "out" / "stats.jsonl").read_text(encoding="utf-8").splitlines()
    areas = [sum(force.get("bonded_area", 0) for force in json.loads(line)["forces"]) for line in lines]
    # By about the same in each quarter of the second third of the time
    lost = [areas[k] - areas[k + 50] for k in (60, 110, 160, 210)]
    assert min(lost) > 0.6 * max(lost) > 0


def test_frames_and_plots_have_what_bonds_do(tmp_path):
    abut("run", write(tmp_path, hanging({"strength": 3000}, 4)), "-o", tmp_path / "out", "--quiet")
    frame = sorted((tmp_path / "out" / "frames").iterdir())[-1].read_bytes()
    for name in (b'Name="normal_traction"', b'Name="tangential_traction"', b'Name="bond"'):
        assert name in frame
    listed = abut("plot", tmp_path / "out", "--list").stdout
    assert "adhesion_force" in listed and "bonded_area" in listed
    assert "Area of bonds between bodies" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
