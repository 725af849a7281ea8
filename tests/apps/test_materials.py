"""Named materials, woven cloth and limits to stretch, from scene to result."""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

from export_readers import vtu_array

PROGRAM = os.environ["ABUT_PROGRAM"]
DOCS = pathlib.Path(__file__).parents[2] / "docs"

STRIP = {"name": "strip", "geometry": {"generate": "plane_grid", "size": [1, 0.25], "cells": [8, 2]}}
BLOCK = {"name": "block", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}}


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=300)


def scene_of(object, material, **parts):
    return {"format": 1, "objects": [object | {"material": material}], "time": {"steps": 1}, "gravity": [0, 0, 0],
            "contact": {"model": "none"}} | parts


def run(tmp_path, scene, name="out", *options):
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(scene))
    return abut("run", path, "-o", tmp_path / name, "--quiet", *options), tmp_path / name


def points(out, step):
    return np.array(vtu_array(out / "frames" / f"frame_{step:08d}.vtu", "points"))


def triangles(out):
    return np.array(vtu_array(out / "frames" / "frame_00000000.vtu", "connectivity")).reshape(-1, 3)


def largest_stretches(out, step):
    """The larger singular value of each triangle's deformation gradient."""
    faces, rest, now = triangles(out), points(out, 0), points(out, step)
    stretches = []
    for a, b, c in faces:
        edges = np.column_stack([rest[b] - rest[a], rest[c] - rest[a]])
        frame, _ = np.linalg.qr(edges)
        gradient = np.column_stack([now[b] - now[a], now[c] - now[a]]) @ np.linalg.inv(frame.T @ edges)
        stretches.append(np.linalg.svd(gradient, compute_uv=False)[0])
    return np.array(stretches)


def pulled(material, steps=30, speed=0.5, **parts):
    """The strip, held at one end and pulled at the other by 15 % of its length."""
    scripts = [{"object": "strip", "select": {"box": {"min": [0.49, -1, -1]}}, "velocity": [speed, 0, 0]}]
    strip = STRIP | {"fix": {"box": {"max": [-0.49, 1, 1]}}}
    return scene_of(strip, material, scripts=scripts, time={"dt": 0.01, "steps": steps}) | parts


def test_no_triangle_is_stretched_up_to_its_limit(tmp_path):
    result, out = run(tmp_path, pulled({"strain_limit": {"stretch": 1.1}}))
    assert result.returncode in (0, 1), result.stderr
    for step in range(31):
        assert largest_stretches(out, step).max() < 1.1, step
    assert np.mean(largest_stretches(out, 30)) > 1.05, "it is pulled all the same"
    result, free = run(tmp_path, pulled({}), "free")
    assert result.returncode == 0, result.stderr
    assert largest_stretches(free, 30).max() > 1.12


def test_a_limit_that_is_never_reached_changes_nothing(tmp_path):
    ends = []
    for name, material in (("without", {}), ("with", {"strain_limit": {"stretch": 3, "from": 2}})):
        result, out = run(tmp_path, pulled(material, steps=5), name)
        assert result.returncode == 0, result.stderr
        ends.append(points(out, 5))
    assert np.abs(ends[0] - ends[1]).max() < 1e-12


@pytest.mark.parametrize("material", [
    {"model": "baraff_witkin", "warp": 2e5, "weft": 5e4, "shear": 1e4, "strain_limit": {"stretch": 1.12, "from": 1.02}},
    {"preset": "cotton"}], ids=["woven", "cotton"])
def test_threads_and_resuming_change_no_bit(tmp_path, material):
    frames = []
    scene = pulled(material, steps=12, gravity=[0, -9.81, 0])
    for name, threads in (("one", 1), ("two", 2)):
        result, out = run(tmp_path, scene, name, "--threads", threads)
        assert result.returncode in (0, 1), result.stderr
        frames.append((out / "frames" / "frame_00000012.vtu").read_bytes())
    result, out = run(tmp_path, scene, "parts", "--steps", 5)
    assert result.returncode in (0, 1), result.stderr
    result = abut("resume", out, "--steps", 12, "--quiet")
    assert result.returncode in (0, 1), result.stderr
    frames.append((out / "frames" / "frame_00000012.vtu").read_bytes())
    assert frames[0] == frames[1] == frames[2]


WAX = {"youngs_modulus": 1e5, "plasticity": {"yield_stress": 2e3, "hardening": 1e4, "viscosity": 20}}
FLOWING = {
    "solid": {"geometry": {"generate": "tet_box", "size": [0.1, 0.1, 0.1], "subdivisions": [2, 2, 2]},
              "transform": {"translate": [0, 0.053, 0]}, "material": WAX, "velocity": [0.3, -3, 0]},
    "shell": {"geometry": {"generate": "plane_grid", "size": [0.2, 0.2], "cells": [4, 4]},
              "transform": {"translate": [0, 0.1, 0], "rotate": {"axis": [0, 0, 1], "degrees": 60}},
              "material": WAX | {"thickness": 2e-3, "plasticity": {"yield_stress": 100}}, "velocity": [0, -3, 0]},
    "rod": {"geometry": {"generate": "rod", "length": 0.2, "segments": 8}, "kind": "rod",
            "transform": {"translate": [0, 0.1, 0], "rotate": {"axis": [0, 0, 1], "degrees": 60}},
            "material": WAX | {"radius": 2e-3}, "velocity": [0, -3, 0]},
}


@pytest.mark.parametrize("method", ["newton", "vbd"])
@pytest.mark.parametrize("kind", FLOWING)
def test_a_run_that_is_broken_off_while_it_flows_goes_on_with_the_same_bits(tmp_path, kind, method):
    scene = {"format": 1, "objects": [{"name": kind} | FLOWING[kind]], "time": {"dt": 2e-3, "steps": 24},
             "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}], "output": {"every": 4},
             "contact": {"model": "ogc", "dhat": 2e-3, "friction": {"mu": 0.3}, "adhesion": {"critical_strain": 0.05}},
             "solver": {"method": method} | ({"iterations": 20} if method == "vbd" else {})}
    result, whole = run(tmp_path, scene, "whole", "--threads", 1)
    assert result.returncode in (0, 1), result.stderr
    strain = {step: np.nanmax(vtu_array(whole / "frames" / f"frame_{step:08d}.vtu", "plastic_strain")) for step in (0, 8, 24)}
    assert strain[0] == 0 and 0 < strain[8] < strain[24]
    result, parts = run(tmp_path, scene, "parts", "--steps", 8)
    assert result.returncode in (0, 1), result.stderr
    result = abut("resume", parts, "--steps", 24, "--quiet")
    assert result.returncode in (0, 1), result.stderr
    last = [(out / "frames" / "frame_00000024.vtu").read_bytes() for out in (whole, parts)]
    assert last[0] == last[1]


def hanging(material, **parts):
    """A square cloth that hangs from its upper edge, in equilibrium."""
    sheet = {"name": "sheet", "geometry": {"generate": "plane_grid", "size": [1, 1], "cells": [4, 4]},
             "transform": {"rotate": {"axis": [1, 0, 0], "degrees": 90}}, "fix": {"half_space": {"point": [0, 0.49, 0]}}}
    return scene_of(sheet, material, gravity=[0, -9.81, 0], time={"steps": 1, "integrator": "quasi_static"}) | parts


def drop(tmp_path, name, material, **parts):
    result, out = run(tmp_path, hanging(material, **parts), name)
    assert result.returncode == 0, result.stderr
    rest, now = points(out, 0), points(out, 1)
    low = rest[:, 1] < -0.49
    half = np.where(np.abs(rest[low, 0]) > 0.49, 0.5, 1)  # corners have half an edge
    return np.average((rest - now)[low, 1], weights=half)


def test_cloth_hangs_by_the_threads_that_hold_it(tmp_path):
    """Cloth under its weight becomes longer by rho g L² / (2 k), in the mean over its lower edge."""
    material = {"model": "baraff_witkin", "warp": 4e5, "weft": 1e5, "shear": 1e4, "density": 500}
    # The sheet is generated in x and z and turned about x: its z hangs down, and the warp turns with it.
    warp = drop(tmp_path, "warp", material | {"warp_direction": [0, 0, 1]})
    weft = drop(tmp_path, "weft", material | {"warp_direction": [1, 0, 0]})
    assert warp == pytest.approx(500 * 9.81 / (2 * 4e5), rel=1e-3)
    assert weft == pytest.approx(500 * 9.81 / (2 * 1e5), rel=1e-3)


def test_presets_are_spelled_out_in_results_which_repeat_the_run(tmp_path):
    scene = pulled({"preset": "denim", "density": 700}, steps=3)
    result, out = run(tmp_path, scene)
    assert result.returncode in (0, 1), result.stderr
    written = json.loads((out / "scene.json").read_text())
    assert written["objects"][0]["material"] == {
        "preset": "denim", "model": "baraff_witkin", "youngs_modulus": 4.79e6, "poisson_ratio": 0.0, "density": 700,
        "thickness": 0.66e-3, "warp": 4.79e6, "weft": 9.03e6, "shear": 1.22e6}
    ends = [(out / "frames" / "frame_00000003.vtu").read_bytes()]
    explicit = json.loads(json.dumps(written))
    del explicit["objects"][0]["material"]["preset"]
    for name, each in (("again", written), ("explicit", explicit)):
        result, again = run(tmp_path, each, name)
        assert result.returncode in (0, 1), result.stderr
        ends.append((again / "frames" / "frame_00000003.vtu").read_bytes())
    assert ends[0] == ends[1] == ends[2]


def presets():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `(\w+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|([^|]*)\|",
                      (DOCS / "materials.md").read_text(), re.M)
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize("name", ["rubber", "silicone", "paper", "cotton", "denim", "silk", "wood", "steel", "skin"])
def test_presets_are_those_of_the_docs(tmp_path, name):
    model, modulus, ratio, density, thickness = presets()[name]
    is_woven = model == "baraff_witkin"
    result, out = run(tmp_path, scene_of(STRIP if is_woven else BLOCK, {"preset": name}))
    assert result.returncode in (0, 1), result.stderr
    material = json.loads((out / "scene.json").read_text())["objects"][0]["material"]
    assert material["model"] == model
    assert material["youngs_modulus"] == pytest.approx(float(modulus))
    assert material["poisson_ratio"] == pytest.approx(float(ratio))
    assert material["density"] == pytest.approx(float(density))
    assert material.get("thickness") == (float(thickness) if is_woven else None)


@pytest.mark.parametrize("name", ["rubber", "steel", "wood"])
def test_solids_of_a_preset_that_flow_are_of_hencky_and_results_say_so(tmp_path, name):
    result, out = run(tmp_path, scene_of(BLOCK, {"preset": name, "plasticity": {"yield_stress": 1e3}}))
    assert result.returncode in (0, 1), result.stderr
    assert json.loads((out / "scene.json").read_text())["objects"][0]["material"]["model"] == "hencky"


@pytest.mark.parametrize("object, material, words", [
    (BLOCK, {"preset": "ruber"}, ["/objects/0/material/preset", "did you mean 'rubber'?"]),
    (BLOCK, {"preset": "denim"}, ["/objects/0/material/preset", "is cloth", "no shell"]),
    (BLOCK, {"preset": "denim", "plasticity": {"yield_stress": 1}}, ["/objects/0/material/preset", "is cloth", "no shell"]),
    (BLOCK, {"model": "baraff_witkin"}, ["/objects/0/material/model", "is cloth", "another model"]),
    (BLOCK, {"strain_limit": {"stretch": 1.1}}, ["/objects/0/material/strain_limit", "'solid' has none"]),
    (BLOCK, {"plasticity": {"yield_stress": 0}}, ["/objects/0/material/plasticity/yield_stress: 0 is not a stress above 0", "leave"]),
    (BLOCK, {"plasticity": {"yield_stress": -5}}, ["/material/plasticity/yield_stress: -5 is not a stress above 0", "leave"]),
    (BLOCK, {"plasticity": {"yield_stress": 1, "hardening": -5}}, ["/material/plasticity/hardening", "-5"]),
    (BLOCK, {"plasticity": {"yield_stress": 1, "viscosity": -5}}, ["/material/plasticity/viscosity", "-5"]),
    (BLOCK, {"plasticity": {"yield_stres": 1}}, ["/material/plasticity", "did you mean 'yield_stress'?"]),
    (BLOCK, {"model": "neo_hookean", "plasticity": {"yield_stress": 1}}, ["/objects/0/material/model", "neo_hookean", "hencky"]),
    (BLOCK, {"model": "stvk", "plasticity": {"yield_stress": 1}}, ["/objects/0/material/model", "stvk", "hencky"]),
    (STRIP, {"warp": 1e5}, ["/objects/0/material/warp", "baraff_witkin"]),
    (STRIP, {"model": "baraff_witkin", "warp": -1}, ["/objects/0/material/warp", "-1"]),
    (STRIP, {"model": "baraff_witkin", "shear": -1}, ["/objects/0/material/shear", "-1"]),
    (STRIP, {"model": "baraff_witkin", "warp_direction": [0, 0, 0]}, ["/material/warp_direction", "no length"]),
    (STRIP, {"model": "baraff_witkin", "warp_direction": [0, 1, 0]}, ["'strip'", "normal to row 0"]),
    (STRIP, {"strain_limit": {}}, ["/objects/0/material/strain_limit/stretch", "missing"]),
    (STRIP, {"strain_limit": {"stretch": 1}}, ["/objects/0/material/strain_limit/stretch", "1"]),
    (STRIP, {"strain_limit": {"stretch": 1.1, "from": 1.2}}, ["/strain_limit/from", "not below the stretch 1.1"]),
    (STRIP, {"strain_limit": {"stretch": 1.1, "from": 0.9}}, ["/strain_limit/from", "0.9"]),
    (STRIP, {"strain_limit": {"stretch": 1.0000001}}, ["strain_limit.stretch", "millionth"]),
    (STRIP, {"strain_limit": {"stretch": 1.1, "stiffness": 0}}, ["/strain_limit/stiffness", "0"]),
    (STRIP, {"strain_limit": {"stretch": 1.1, "strech": 2}}, ["/strain_limit", "strech"]),
])
def test_bad_materials_name_the_place_and_the_cure(tmp_path, object, material, words):
    result, _ = run(tmp_path, scene_of(object, material))
    assert result.returncode == 3, result.stderr
    for word in words:
        assert word in result.stderr, result.stderr
