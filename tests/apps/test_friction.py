"""Friction with memory, by the program: what sticks holds, what slides does so by Coulomb's law, and nothing is gained."""

import json
import math
import os
import pathlib
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
G = 9.81


def abut(*arguments, code=0):
    result = subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=3000)
    assert result.returncode == code, result.stdout + result.stderr
    return result


def steps_of(folder, scene, *options):
    """Runs a scene; the lines of its statistics."""
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps({"format": 1, **scene}), encoding="utf-8")
    abut("run", path, "-o", pathlib.Path(folder) / "out", "--quiet", "--threads", 1, *options)
    with open(pathlib.Path(folder) / "out" / "stats.jsonl", encoding="utf-8") as lines:
        return [step for step in map(json.loads, lines) if "step" in step]


def block(angle, steps, model="ipc", friction="anchored", dt=0.01, mu=0.5, **keys):
    """A cube of 0.2 m and 8 kg on a slope, as gravity that leans."""
    contact = {"model": model, "dhat": 4e-4, "friction": {"mu": mu, "model": friction}}
    if model == "gcp":
        contact["adaptive_dhat"] = False
    return {
        "gravity": [G * math.sin(angle), -G * math.cos(angle), 0],
        "planes": [{}],
        "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
                     "transform": {"translate": [0, 0.1002, 0]}, "material": {"youngs_modulus": 1e7, "poisson_ratio": 0.3}}],
        "contact": contact, "time": {"dt": dt, "steps": steps}, "output": {"every": steps}, "verify": "off", **keys}


def slid(steps, first, last, angle):
    """How far the block went down between two steps [m], by the weight that it gave up."""
    return (steps[first]["energy"]["gravity"] - steps[last]["energy"]["gravity"]) / (8 * G * math.sin(angle))


@pytest.mark.parametrize("model", ["ipc", "convergent_ipc", "ogc", "gipc", "gcp"])
def test_a_block_below_the_critical_angle_holds(model, tmp_path):
    angle = 0.4  # tan 0.4 = 0.42
    steps = steps_of(tmp_path, block(angle, 100, model))
    assert abs(slid(steps, 49, 99, angle)) < 0.5e-6  # in 0.5 s


def test_smoothed_friction_creeps_where_the_other_holds(tmp_path):
    angle = 0.4
    steps = steps_of(tmp_path, block(angle, 100, friction="smoothed"))
    assert slid(steps, 49, 99, angle) > 10e-6


@pytest.mark.parametrize("model", ["ipc", "ogc", "gcp"])
def test_above_it_slides_as_coulomb_has_it(model, tmp_path):
    angle, mu, dt = 0.6, 0.5, 0.005
    steps = steps_of(tmp_path, block(angle, 100, model, dt=dt, mu=mu))
    # Its speed grows by (sin - mu cos) g dt a step, once it slides.
    momentum = [step["momentum"][0] for step in steps]
    assert (momentum[99] - momentum[59]) / (8 * 40 * dt) == pytest.approx(G * (math.sin(angle) - mu * math.cos(angle)), rel=0.01)


def test_what_stops_stays_and_nothing_is_gained(tmp_path):
    scene = block(0, 120, dt=0.005, mu=0.3)
    scene["objects"][0]["velocity"] = [0.5, 0, 0]
    steps = steps_of(tmp_path, scene)
    heat = sum(step["energy"]["friction_loss"] for step in steps)
    gained = max(step["energy"]["gain"] for step in steps)
    assert 0.5 < heat < 8 * 0.5**2 / 2  # implicit Euler takes the rest
    assert gained < 1e-3 * heat
    assert abs(steps[-1]["momentum"][0]) < 8e-6  # below 1 um/s


def test_what_slides_has_the_kinetic_coefficient(tmp_path):
    angle = 0.4
    scene = block(angle, 60)
    scene["contact"]["friction"].update(mu=0.5, mu_k=0.2)
    scene["objects"][0]["velocity"] = [0.2, 0, 0]
    momentum = [step["momentum"][0] for step in steps_of(tmp_path, scene)]
    assert (momentum[59] - momentum[39]) / (8 * 20 * 0.01) == pytest.approx(
        G * (math.sin(angle) - 0.2 * math.cos(angle)), rel=0.01)


def dragged(model, friction="anchored"):
    """A coarse block that a smooth wall pushes slowly over a fine floor: what touches passes from face to face, 1 mm
    beyond which lies the next edge."""
    return {
        "objects": [
            {"name": "block", "geometry": {"generate": "tet_box", "size": [0.04, 0.02, 0.04], "subdivisions": [2, 1, 2]},
             "transform": {"translate": [0, 0.0102, 0.0003]},
             "material": {"name": "wood", "mu": 0.4, "youngs_modulus": 1e7, "density": 2000}},
            {"name": "floor", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.08, 0.06], "cells": [40, 30]},
             "material": {"mu": 0.4}},
            {"name": "wall", "kind": "obstacle", "geometry": {"generate": "box", "size": [0.01, 0.008, 0.06]},
             "transform": {"translate": [-0.0251, 0.008, 0]}, "material": {"name": "glass", "mu": 0}}],
        "scripts": [{"object": "wall", "velocity": [0.01, 0, 0]}],
        "contact": {"model": model, "dhat": 4e-4, "friction": {"mu": 0.4, "model": friction, "blend": "minimum"}},
        "solver": {"friction_iterations": 2},  # OGC's contacts come and go within a step
        "time": {"dt": 0.01, "steps": 100}, "output": {"every": 100}, "verify": "off"}


@pytest.mark.parametrize("model", ["ipc", "ogc"])
def test_dragged_over_a_fine_mesh_the_force_is_constant(model, tmp_path):
    steps = steps_of(tmp_path, dragged(model))
    forces = [force["friction"][0] for step in steps[50:] for force in step["forces"] if (force["on"], force["by"]) == ("block", "floor")]
    weight = 0.04 * 0.02 * 0.04 * 2000 * G
    assert len(forces) == 50
    assert all(force == pytest.approx(-0.4 * weight, rel=0.02) for force in forces)


@pytest.mark.parametrize("model", ["ipc", "gcp"])
def test_threads_and_resume_change_no_bit(model, tmp_path):
    scene = {"format": 1, **block(0.4, 24, model), "output": {"every": 8}}
    scene["objects"].append(json.loads(json.dumps(scene["objects"][0])))
    scene["objects"][1].update(name="upper", transform={"translate": [0.013, 0.3006, 0.021]}, angular_velocity=[0, 1, 0])
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    abut("run", path, "-o", tmp_path / "one", "--quiet", "--threads", 1)
    abut("run", path, "-o", tmp_path / "two", "--quiet", "--threads", 2)
    abut("run", path, "-o", tmp_path / "cut", "--quiet", "--steps", 8)
    abut("resume", tmp_path / "cut", "--quiet", "--set", "time.steps=24")
    frames = [sorted((tmp_path / name / "frames").iterdir())[-1].read_bytes() for name in ("one", "two", "cut")]
    assert frames[0] == frames[1] == frames[2]
    assert b"history.friction.slips" in frames[0]


def test_what_sticks_to_a_turntable_turns_with_it(tmp_path):
    """The spring of a contact turns with the bodies: pushed outwards on a table that turns once, the block stays where it
    was on the table."""
    scene = block(0, 100, mu=0.5)
    scene.pop("planes")
    scene["objects"][0]["transform"] = {"translate": [0.3, 0.1002, 0]}
    scene["objects"].append({"name": "table", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [1.2, 1.2], "cells": [7, 7]}})
    turn = math.pi  # rad/s; needs a mu of 0.3 turn^2 / g = 0.3
    scene["scripts"] = [{"object": "table", "rotate": {"axis": [0, 1, 0], "degrees_per_second": math.degrees(turn)}}]
    scene["objects"][0].update(velocity=[0, 0, -0.3 * turn], angular_velocity=[0, turn, 0])
    steps = steps_of(tmp_path, scene)
    speed = [math.hypot(step["momentum"][0], step["momentum"][2]) / 8 for step in steps]
    # On its circle still: thrown outwards by a slip it would be faster.
    assert speed[-1] == pytest.approx(speed[20], rel=1e-3)


@pytest.mark.parametrize("change, words", [
    (lambda friction: friction.update(model="anchored", slip=0), "/contact/friction/slip: "),
    (lambda friction: friction.update(model="smoothed", slip=1e-5), "/contact/friction/slip: only the model 'anchored' has it"),
    (lambda friction: friction.update(eps_v=1e-3), "/contact/friction/eps_v: the model 'anchored' knows no speed"),
    (lambda friction: friction.update(model="anchord"), "/contact/friction/model: "),
])
def test_bad_input_names_the_place_and_a_cure(change, words, tmp_path):
    scene = {"format": 1, **block(0, 1)}
    change(scene["contact"]["friction"])
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    assert words in abut("run", path, "-o", tmp_path / "out", code=3).stderr


def test_the_default_of_slip_is_printed(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"format": 1, **block(0, 1)}), encoding="utf-8")
    assert "contact.friction.slip = " in abut("run", path, "-o", tmp_path / "out").stdout


def leaning(friction, **solver):
    """A block that tips over its front edge while bonds and friction hold its foot: what presses changes within a step."""
    scene = block(0.5, 15, friction=friction, dt=0.02, mu=0.8, solver={"tolerance": 1e-5, **solver})
    scene["objects"][0]["angular_velocity"] = [0, 0, -1]
    scene["contact"]["adhesion"] = {"strength": 2000, "mu_a": 0.5}
    return scene


@pytest.mark.parametrize("friction", ["smoothed", "anchored"])
def test_friction_and_bonds_are_lagged_anew_until_they_agree(friction, tmp_path):
    once = steps_of(tmp_path, leaning(friction))
    assert all(step["lags"] == 1 for step in once)
    assert max(step["lag_residual"] for step in once) > 0.02
    often = steps_of(tmp_path, leaning(friction, friction_iterations=30, friction_tolerance=1e-3), "--force")
    assert all(step["lag_residual"] <= 1e-3 for step in often)
    assert 1 < max(step["lags"] for step in often) < 30
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "of the most it can be on average" in report


def test_a_tolerance_that_nothing_is_lagged_anew_for_is_an_error(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"format": 1, **block(0, 1, solver={"friction_tolerance": 0.01})}), encoding="utf-8")
    assert "/solver/friction_tolerance: nothing is lagged anew to meet it" in abut("run", path, "-o", tmp_path / "out", code=3).stderr


def pinched(friction):
    """A cloth of 0.2 m and 8 g that hangs by its upper rim, between two jaws."""
    jaws = [{"name": name, "kind": "obstacle", "geometry": {"generate": "box", "size": [0.3, 0.02, 0.04]},
             "transform": {"translate": [0, 0.1, z]}} for name, z in (("front", 0.02015), ("back", -0.02015))]
    return {
        "objects": [{"name": "cloth", "kind": "shell", "geometry": {"generate": "cloth", "size": [0.2, 0.2], "cells": [16, 16]},
                     "transform": {"rotate": {"axis": [1, 0, 0], "degrees": 90}}, "material": {"youngs_modulus": 1e6, "density": 200, "thickness": 1e-3}},
                    *jaws],
        "contact": {"dhat": 4e-4, "friction": {"mu": 0.5, "model": friction}},
        "solver": {"tolerance": 1e-8}, "time": {"dt": 0.05, "steps": 2000}, "output": {"every": 2000}, "verify": "off"}


@pytest.mark.long
@pytest.mark.parametrize("model", ["ipc", "gcp"])
def test_for_a_hundred_seconds_a_block_creeps_by_less_than_a_micrometre_a_second(model, tmp_path):
    angle = 0.4
    creep = {}
    for friction in ("anchored", "smoothed"):
        steps = steps_of(tmp_path, block(angle, 2000, model, friction, dt=0.05), "--force")
        creep[friction] = abs(slid(steps, 199, 1999, angle)) / 90
    print(f"{model}: creep of a block, anchored {creep['anchored']:.2g} m/s, smoothed {creep['smoothed']:.2g} m/s")
    assert creep["anchored"] < 1e-6 < creep["smoothed"]


@pytest.mark.long
def test_for_a_hundred_seconds_a_pinched_cloth_creeps_by_less_than_a_micrometre_a_second(tmp_path):
    creep = {}
    for friction in ("anchored", "smoothed"):
        steps = steps_of(tmp_path, pinched(friction), "--force")
        # Of all vertices, the pinched ones among them: what creeps out of the jaws takes the rest along.
        creep[friction] = abs(steps[199]["energy"]["gravity"] - steps[1999]["energy"]["gravity"]) / (0.008 * G) / 90
    print(f"creep of a pinched cloth, anchored {creep['anchored']:.2g} m/s, smoothed {creep['smoothed']:.2g} m/s")
    assert creep["anchored"] < 1e-6 < creep["smoothed"]
