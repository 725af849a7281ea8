"""Bonds of an intensity that changes in time (contact.adhesion.model: rcc), by the program: they hold and let go, grow under
pressure, are resumed bit by bit, and errors name the place."""

import json
import math
import os
import pathlib
import re
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
HEAVY = 9.81 / 0.01  # of a cube of 0.1 m and 1 kg, over its face [Pa]


def abut(*arguments, code=0):
    result = subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=600)
    assert result.returncode == code, result.stdout + result.stderr
    return result


def write(folder, scene):
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps({"format": 1, **scene}), encoding="utf-8")
    return path


def steps_of(folder, scene, *options):
    abut("run", write(folder, scene), "-o", folder / "out", "--quiet", "--threads", 1, "--force", *options)
    with open(folder / "out" / "stats.jsonl", encoding="utf-8") as lines:
        return [step for step in map(json.loads, lines) if "step" in step]


def bonds(peak, stretch, **keys):
    """Bonds that pull with `peak` [Pa] at most, when they are stretched by `stretch` [m]."""
    return {"model": "rcc", "c_n": peak / stretch, "w": peak * stretch, **keys}


def hanging(adhesion, steps=30, gap=5e-4, model="ipc", cells=4, **contact):
    """A cube below a plate that it may stick to, and a slow pull on top of its weight."""
    return {
        "objects": [
            {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.1, 0.1, 0.1], "subdivisions": [cells] * 3},
             "transform": {"translate": [0, -0.05 - gap, 0]}, "material": {"name": "gum", "youngs_modulus": 1e6}},
            {"name": "plate", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.3, 0.3], "cells": [5, 5]},
             "material": {"name": "glass"}}],
        "contact": {"model": model, "dhat": 1e-3, "adhesion": adhesion, **contact},
        "time": {"dt": 0.01, "steps": steps}, "output": {"every": steps}}


@pytest.mark.parametrize("model", ["ipc", "convergent_ipc", "ogc", "gipc"])
def test_whole_bonds_hold_what_is_lighter_and_let_go_of_more(model, tmp_path):
    held = steps_of(tmp_path, hanging(bonds(4 * HEAVY, 1e-3, intensity=1), model=model))[-1]
    assert abs(held["momentum"][1]) < 0.01
    assert held["forces"][0]["contact"][1] == pytest.approx(9.81, rel=0.02)
    assert held["forces"][0]["adhesion"][1] > 9.8
    fallen = steps_of(tmp_path, hanging(bonds(0.3 * HEAVY, 1e-3, intensity=1), model=model))[-1]
    assert fallen["momentum"][1] < -1 and not fallen["forces"]


def test_a_slower_viscosity_holds_longer_and_then_lets_go(tmp_path):
    # Of half the weight over a face, with rims that hold more: with a viscosity of 1, 10 and 100 times W times 0.01 s
    bonded = []
    for eta in (1, 10, 100):
        keys = bonds(0.5 * HEAVY, 1e-3, intensity=1)
        steps = steps_of(tmp_path, hanging({**keys, "eta": eta * keys["w"] * 0.01}, 100))
        bonded.append(sum(any(force.get("bonded_area", 0) > 0 for force in step["forces"]) for step in steps))
    assert 0 < bonded[0] < bonded[1] < bonded[2] < 100


def test_what_is_pressed_bonds_by_its_rate(tmp_path):
    # Lying on the floor, from nothing: beta grows to p / p_0 by exp(-r p_0 t), and the bond pulls as it does.
    keys = bonds(4 * HEAVY, 1e-3, p_0=2 * HEAVY, r=1 / (2 * HEAVY) / 0.1)
    scene = hanging(keys, 60)
    scene["objects"][0]["transform"]["translate"][1] = 0.0506
    steps = steps_of(tmp_path, scene)
    assert not any(force.get("bonded_area", 0) > 0 for force in steps[0]["forces"])
    betas = [math.sqrt(abs(step["forces"][0].get("adhesion", [0, 0, 0])[1])) for step in steps]  # but for a factor
    for k in range(10, 60):  # at the gap of the end, which the first steps have not yet
        assert betas[k] / betas[-1] == pytest.approx((1 - math.exp(-k / 10)) / (1 - math.exp(-5.9)), rel=0.05)


def test_what_hits_a_plate_sticks_to_it_only_if_it_can_bond(tmp_path):
    for rate, holds in ((1e-2, True), (0, False)):
        scene = hanging(bonds(20 * HEAVY, 1e-3, r=rate), 60, gap=0.01)
        scene["objects"][0]["velocity"] = [0, 1, 0]
        last = steps_of(tmp_path, scene)[-1]
        assert (last["momentum"][1] > -0.5) == holds


def test_along_the_contact_bonds_are_springs_that_hold_for_good(tmp_path):
    # A cube that is glued to a wall without friction: it hangs by C_T s, and does not creep.
    scene = hanging(bonds(4 * HEAVY, 1e-3, intensity=1, c_t=1e6), 150)
    scene["gravity"] = [9.81, 0, 0]
    steps = steps_of(tmp_path, scene)
    sunk = [(steps[0]["energy"]["gravity"] - step["energy"]["gravity"]) / 9.81 for step in steps]
    assert 0.3 * HEAVY / 1e6 < sunk[-1] < 2 * HEAVY / 1e6
    assert abs(sunk[149] - sunk[119]) < 1e-3 * sunk[149]  # in 0.3 s
    assert abs(steps[-1]["forces"][0]["friction"][0]) == pytest.approx(9.81, rel=0.01)
    # With a tenth of the energy, sliding lets go of the bonds.
    scene = hanging({**bonds(4 * HEAVY, 1e-3, intensity=1, c_t=1e6), "w": 0.01}, 60)
    scene["gravity"] = [9.81, 0, 0]
    assert steps_of(tmp_path, scene)[-1]["momentum"][0] > 0.5


@pytest.mark.parametrize("model", ["ipc", "ogc"])
def test_threads_and_resume_change_no_bit(model, tmp_path):
    scene = hanging(bonds(1.5 * HEAVY, 1e-3, intensity=0.9, eta=3e-2), 12, model=model, friction={"mu": 0.3})
    scene["gravity"] = [2, -9.81, 1]
    scene["output"]["every"] = 4
    path = write(tmp_path, scene)
    abut("run", path, "-o", tmp_path / "one", "--quiet", "--threads", 1)
    abut("run", path, "-o", tmp_path / "two", "--quiet", "--threads", 2)
    abut("run", path, "-o", tmp_path / "cut", "--quiet", "--steps", 4)
    abut("resume", tmp_path / "cut", "--quiet", "--set", "time.steps=12")
    frames = [sorted((tmp_path / name / "frames").iterdir())[-1].read_bytes() for name in ("one", "two", "cut")]
    assert frames[0] == frames[1] == frames[2]
    assert b"history.adhesion.bonds" in frames[0]


def test_pairs_have_bonds_of_their_own(tmp_path):
    own = {"c_n": 4 * HEAVY / 1e-3, "w": 4 * HEAVY * 1e-3}
    pairs = [{"materials": ["gum", "glass"], "adhesion": own}]
    held = steps_of(tmp_path, hanging({"model": "rcc", "c_n": 0, "intensity": 1}, pairs=pairs))[-1]
    assert abs(held["momentum"][1]) < 0.01 and held["forces"][0]["bonded_area"] > 0
    # The other way round: all stick but these two
    none = [{"materials": ["gum", "glass"], "adhesion": {"c_n": 0}}]
    fallen = steps_of(tmp_path, hanging({"model": "rcc", **own, "intensity": 1}, pairs=none))[-1]
    assert fallen["momentum"][1] < -1


@pytest.mark.parametrize("adhesion, words", [
    ({"model": "rc"}, "/contact/adhesion/model: "),
    ({"model": "rcc", "w": 1}, "/contact/adhesion/c_n: missing; the model 'rcc' needs the stiffness of a whole bond [Pa/m]"),
    ({"model": "rcc", "c_n": 1e6}, "/contact/adhesion/w: missing"),
    ({"model": "rcc", "c_n": 1e6, "w": 0}, "/contact/adhesion/w: "),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "eta": -1}, "/contact/adhesion/eta: "),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "p_0": 0}, "/contact/adhesion/p_0: "),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "intensity": 1.1}, "/contact/adhesion/intensity: "),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "critical_strain": 0.1},
     "/contact/adhesion/critical_strain: only the adhesion model 'variational' has it"),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "dhat_p": 1e-3}, "/contact/adhesion/dhat_p: only the adhesion model 'variational' has it"),
    ({"c_n": 1e6}, "/contact/adhesion/c_n: only the adhesion model 'rcc' has it, and contact.adhesion.model is 'variational'"),
    ({"strength": 100, "intensity": 1}, "/contact/adhesion/intensity: only the adhesion model 'rcc' has it"),
    ({"model": "rcc", "c_n": 1e6, "w": 1, "dhat_a": 5e-4}, "contact.adhesion.dhat_a: 0.0005 m is not above contact.dhat, 0.001 m"),
    ({"model": "rcc", "c_n": 1, "w": 1}, "contact.adhesion.c_n: bonds of 1 Pa/m stretch by"),
    ({"model": "rcc", "c_n": 0}, "contact.adhesion.c_n: 0, and no pair of contact.pairs has another"),
])
def test_bad_input_names_the_place_and_a_cure(adhesion, words, tmp_path):
    assert words in abut("run", write(tmp_path, hanging(adhesion, 1)), "-o", tmp_path / "out", code=3).stderr


@pytest.mark.parametrize("usual, own, words", [
    ({"model": "rcc", "c_n": 1e6, "w": 1}, {"strength": 3},
     "/contact/pairs/0/adhesion/strength: only the adhesion model 'variational' has it, and contact.adhesion.model is 'rcc'"),
    (None, {"c_n": 3}, "/contact/pairs/0/adhesion/c_n: only the adhesion model 'rcc' has it"),
    ({"model": "rcc", "c_n": 0}, {"c_n": 1e6}, "contact.pairs[0].adhesion.w: missing"),
])
def test_bad_pairs_are_named(usual, own, words, tmp_path):
    scene = hanging(usual, 1, pairs=[{"materials": ["gum", "glass"], "adhesion": own}])
    if usual is None:
        scene["contact"].pop("adhesion")
    assert words in abut("run", write(tmp_path, scene), "-o", tmp_path / "out", code=3).stderr


def test_what_is_left_out_is_printed_and_bonds_cut_short_are_warned_of(tmp_path):
    said = abut("run", write(tmp_path, hanging(bonds(4 * HEAVY, 1e-3), 1)), "-o", tmp_path / "out").stdout
    for name in ("c_t", "eta", "p_0", "r", "dhat_a"):
        assert f"contact.adhesion.{name} = " in said
    said = abut("run", write(tmp_path, hanging(bonds(4 * HEAVY, 1e-3, dhat_a=1.1e-3), 1)), "-o", tmp_path / "out", "--force")
    assert "contact.adhesion.dhat_a: bonds end" in said.stdout + said.stderr


def test_no_number_leads_to_a_message_of_what_is_no_number(tmp_path):
    keys = {"model": "rcc", "c_n": 1e6, "w": 1, "c_t": 1e6, "eta": 0.01, "r": 1e-2, "p_0": 1e3, "intensity": 1}
    path = write(tmp_path, hanging(keys, 1, cells=1))
    for key in ("c_n", "c_t", "eta", "w", "r", "p_0"):
        for value in ("1e300", "-1e300", "1e-320", "1e30", "1e-30"):
            result = subprocess.run([PROGRAM, "run", path, "-o", tmp_path / "out", "--quiet", "--force", "--set", f"contact.adhesion.{key}={value}"],
                                    text=True, capture_output=True, timeout=600)
            assert result.returncode in (0, 1, 3, 5), (key, value, result.stderr)
            assert not re.search(r"(?<![a-z])-?(nan|inf)(?![a-z])", result.stderr), (key, value, result.stderr)
