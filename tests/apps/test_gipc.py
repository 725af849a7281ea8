"""The switches of contact that `abut compare` varies one by one, and what GIPC promises on small scenes."""

import json
import os
import pathlib
import struct
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = pathlib.Path(__file__).parents[2] / "scenes"


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120)


def solid(name, geometry, height, velocity=0, E=1e6, density=1000, **transform):
    return {"name": name, "geometry": geometry, "velocity": [0, velocity, 0], "transform": {"translate": [0, height, 0], **transform},
            "material": {"youngs_modulus": E, "poisson_ratio": 0.4, "density": density}}


def box(name, height, velocity=0, cells=2, **more):
    return solid(name, {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [cells] * 3}, height, velocity, **more)


def scene_of(objects, steps=12, contact=None, dt=0.01):
    return {"format": 1, "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}], "objects": objects, "contact": contact or {},
            "time": {"dt": dt, "steps": steps}, "verify": "step"}


def records(folder):
    lines = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    return [line for line in lines if "iterations" in line]


def run(folder, scene, *settings):
    """The records of a run that must be good at every step."""
    path = scene
    if isinstance(scene, dict):
        path = folder / "scene.json"
        path.write_text(json.dumps(scene))
    words = [word for setting in settings for word in ("--set", setting)]
    done = abut("run", path, "-o", folder / "out", "--force", "--quiet", "--no-report", *words)
    assert done.returncode == 0, done.stderr
    steps = records(folder / "out")
    assert all(step["outcome"] == "converged" for step in steps)
    assert all(step["verification"]["intersections"] == step["verification"]["inverted"] == 0 for step in steps)
    return steps


def iterations(steps):
    return sum(step["iterations"] for step in steps)


def test_compare_varies_every_switch(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(scene_of([box("box", 0.101, -1, cells=1)], steps=3)))
    for name, values in {
        "contact.law": "clamped_log,clamped_log_squared",
        "contact.hessian": "clamped,absolute,gauss_newton,analytic_unmollified,analytic,hybrid",
        "contact.hessian_filter": "0,0.1",
    }.items():
        analytic = ["--set", "contact.hessian=analytic"] if name == "contact.hessian_filter" else []
        done = abut("compare", scene, "--set", "contact.model=gipc", *analytic, "--vary", f"{name}={values}", "--no-reference", "-o", tmp_path / name,
                    "--quiet")
        assert done.returncode == 0, done.stderr
        table = json.loads((tmp_path / name / "compare.json").read_text())
        assert len(table["rows"]) == values.count(",") + 1


def test_a_switch_that_makes_no_sense_is_an_error_that_says_what_to_do(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(scene_of([box("box", 0.11, cells=1)])))
    done = abut("run", scene, "-o", tmp_path / "out", "--set", "contact.hessian_filter=0.1")
    assert done.returncode == 3 and '/contact/hessian_filter: only analytic Hessians are filtered; set "hessian" to one' in done.stderr
    done = abut("run", scene, "-o", tmp_path / "out", "--set", "contact.model=gcp", "--set", "contact.law=clamped_log")
    assert done.returncode == 3 and "/contact/law: the model 'gcp' leaves no choice" in done.stderr
    done = abut("run", scene, "-o", tmp_path / "out", "--set", "contact.model=ogc", "--set", "contact.law=clamped_log_squared")
    assert done.returncode == 3 and "/contact/law: 'clamped_log_squared' is no law of the model 'ogc'" in done.stderr


def boxes_on_an_edge(stiffness):
    """The first rows of `scripts/gipc-study boxes`."""
    scene = scene_of([box("low", 0.105, cells=4), box("high", 0.36, -2, cells=4)], contact={"dhat": 0.004, "stiffness": stiffness})
    scene["objects"][1]["transform"] = {"rotate": {"axis": [0.2, 1, 0.3], "degrees": 30}, "translate": [0.05, 0.36, 0.03]}
    return scene


@pytest.mark.parametrize("stiffness", [1e6, 1e8, 1e10])
def test_a_box_that_falls_on_an_edge_takes_at_most_the_iterations_of_ipc_however_deep_in_the_barrier(tmp_path, stiffness):
    scene = boxes_on_an_edge(stiffness)
    ipc, gipc = (iterations(run(tmp_path, scene, f"contact.model={model}")) for model in ("ipc", "gipc"))
    assert gipc <= ipc


@pytest.mark.long
@pytest.mark.parametrize("E", [1e5, 1e6])
def test_two_shapes_that_collide_take_the_fewest_iterations_with_gipc(tmp_path, E):
    scene = json.loads((SCENES / "colliding_shapes.json").read_text())
    for each in scene["objects"]:
        each["material"]["youngs_modulus"] = E
    scene["verify"] = "step"
    ipc, gipc = (iterations(run(tmp_path, scene, f"contact.model={model}")) for model in ("ipc", "gipc"))
    assert gipc <= ipc


@pytest.mark.long
@pytest.mark.parametrize("share", [0.1, 0.01])
def test_a_stiffness_that_is_far_too_small_takes_fewer_iterations_than_with_ipc(tmp_path, share):
    """Two shapes at 1e7 Pa, of which IPC chooses 1.2e11."""
    scene = json.loads((SCENES / "colliding_shapes.json").read_text())
    for each in scene["objects"]:
        each["material"]["youngs_modulus"] = 1e7
    scene.update(verify="step", contact={"stiffness": 1.2e11 * share})
    ipc, gipc = (iterations(run(tmp_path, scene, f"contact.model={model}")) for model in ("ipc", "gipc"))
    assert gipc < ipc


def test_the_step_that_is_halved_is_counted(tmp_path):
    steps = run(tmp_path, boxes_on_an_edge(1e6), "contact.model=gipc", "contact.hessian=analytic", "contact.hessian_filter=0.1")
    assert sum(step["cut_by_line_search"] for step in steps) > 0
    assert sum(step["cut_by_guard"] for step in steps) > 0
    assert all(step["cut_by_line_search"] <= step["iterations"] for step in steps)


@pytest.mark.parametrize("name", ["point on triangle", "crossing edges", "parallel edges", "point on edge", "point on point"])
def test_single_pairs_of_every_kind_hold(tmp_path, name):
    """Two solids of a few tetrahedra fall on each other so that one pair meets first (supplement, figure 6)."""
    cone = {"generate": "tet_cone", "radius": 0.1, "height": 0.1, "segments": 4, "subdivisions": 1}
    wedge = {"generate": "tet_prism", "corners": [[-0.1, 0], [0.1, 0], [0, 0.1]], "depth": 0.2}
    cube = {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]}
    upside_down = {"axis": [1, 0, 0], "degrees": 180}
    low, high, turn = {
        "point on triangle": (cube, cone, upside_down),
        "crossing edges": (wedge, wedge, {"axis": [1, 0, 1], "degrees": 180}),
        "parallel edges": (wedge, wedge, upside_down),
        "point on edge": (wedge, cone, upside_down),
        "point on point": (cone, cone, upside_down),
    }[name]
    objects = [solid("low", low, 0.101 if low is cube else 0.001), solid("high", high, 0.35, -1, rotate=turn)]
    if low is not cube:
        objects[1]["transform"]["translate"][1] = 0.25
    objects[0]["fix"] = "all"
    steps = run(tmp_path, scene_of(objects, steps=20), "contact.model=gipc")
    assert sum(step["contacts"] > 0 for step in steps) > 0


def test_a_point_that_rests_on_a_triangle_does_not_drift_as_it_does_with_the_exact_hessian(tmp_path):
    def point(frame):
        data = frame.read_bytes()
        mark = b'<AppendedData encoding="raw">\n_'
        start = data.index(mark) + len(mark)
        offset = int(data[:start].decode().split('Name="points"')[1].split('offset="')[1].split('"')[0])
        return struct.unpack_from("<3d", data, start + offset + 8)

    def sideways(one, other):
        return max(abs(one[0] - other[0]), abs(one[2] - other[2]))

    drift, at_rest = {}, {}
    for model in "ipc", "gipc":
        steps = run(tmp_path, SCENES / "point_on_triangle.json", f"contact.model={model}", "verify=step")
        assert steps[50]["contacts"] > 0 and steps[-1]["contacts"] > 0
        first, middle, last = (point(sorted((tmp_path / "out" / "frames").glob("*.vtu"))[k]) for k in (0, 50, -1))
        drift[model], at_rest[model] = sideways(first, last), sideways(middle, last)
    # The triangle was turned by a quarter, so that its normal is upright to rounding only.
    assert drift["gipc"] < 1e-12 and at_rest["gipc"] == 0
    assert drift["ipc"] > 1e-8 and at_rest["ipc"] > 1e-8


def wide_box(name, height, **more):
    return solid(name, {"generate": "tet_box", "size": [0.3, 0.2, 0.3], "subdivisions": [2, 2, 2]}, height, **more)


@pytest.mark.parametrize("name, objects, dt, mu", [
    ("stiff", [box("low", 0.105, E=1e9), box("high", 0.31, -2, E=1e9)], 0.01, 0),
    ("light under heavy", [wide_box("low", 0.105, density=10), box("high", 0.31, -1, density=1e5)], 0.01, 0),
    # It is squirted out from below, edge on edge, where Hessians in closed form alone may need a thousand iterations.
    ("light under heavy, of one width", [box("low", 0.105, density=10), box("high", 0.31, -1, density=1e5)], 0.01, 0),
    ("light under heavy, with friction", [box("low", 0.105, density=10), box("high", 0.31, -1, density=1e5)], 0.01, 0.5),
    ("long steps", [box("low", 0.105), box("high", 0.31, -2)], 0.05, 0),
    ("stiff, long steps", [box("low", 0.105, E=1e9), box("high", 0.31, -2, E=1e9)], 0.05, 0),
])
def test_needs_no_tuning_for(tmp_path, name, objects, dt, mu):
    steps = run(tmp_path, scene_of(objects, dt=dt, contact={"friction": {"mu": mu}}), "contact.model=gipc")
    assert max(step["contacts"] for step in steps) > 0
