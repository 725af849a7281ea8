"""Linear solvers as scenes choose them: keys, errors, the same bits after a break, and what runs tell of it."""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def write_scene(folder, **solver):
    """Two cubes fall on each other and on a floor."""
    cube = {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [3, 3, 3]}, "velocity": [0.2, -1, 0]}
    scene = {
        "format": 1,
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [
            {"name": "lower", **cube, "transform": {"translate": [0, 0.11, 0]}},
            {"name": "upper", **cube, "transform": {"translate": [0.05, 0.33, 0.03]}},
        ],
        "contact": {"friction": {"mu": 0.3}},
        "time": {"steps": 8},
        "solver": solver,
    }
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def frames(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "frames").glob("*.vtu"))}


def records(folder):
    lines = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    return [line for line in lines if "iterations" in line]


@pytest.mark.parametrize("preconditioner", ["auto", "contact"])
def test_a_run_has_the_same_bits_for_any_threads_and_after_a_break(tmp_path, preconditioner):
    scene = write_scene(tmp_path, linear="pcg", preconditioner=preconditioner)
    for name, threads in ("one", 1), ("two", 2):
        assert abut("run", scene, "-o", tmp_path / name, "--threads", threads, "--quiet").returncode == 0
    assert frames(tmp_path / "one") == frames(tmp_path / "two")
    assert abut("run", scene, "-o", tmp_path / "cut", "--quiet", "--set", "time.steps=3").returncode == 0
    done = abut("resume", tmp_path / "cut", "--quiet", "--set", "time.steps=8")
    assert done.returncode == 0, done.stderr
    assert frames(tmp_path / "cut") == frames(tmp_path / "one")


def test_auto_that_takes_conjugate_gradients_has_the_same_bits_for_any_threads_and_after_a_break(tmp_path):
    scene = json.loads(write_scene(tmp_path).read_text())
    geometry = {"generate": "tet_ball", "radius": 0.2, "shells": 8}
    scene["objects"] = [{"name": "ball", "geometry": geometry, "velocity": [0.2, -1, 0], "transform": {"translate": [0, 0.205, 0]}}]
    path = tmp_path / "ball.json"
    path.write_text(json.dumps(dict(scene, time={"steps": 5})))
    for name, threads in ("one", 1), ("two", 2):
        assert abut("run", path, "-o", tmp_path / name, "--threads", threads, "--quiet").returncode == 0
    assert all(record["linear"].startswith("conjugate gradients") for record in records(tmp_path / "one"))
    assert frames(tmp_path / "one") == frames(tmp_path / "two")
    for steps in 1, 3:
        cut = tmp_path / f"cut {steps}"
        assert abut("run", path, "-o", cut, "--quiet", "--set", f"time.steps={steps}").returncode == 0
        done = abut("resume", cut, "--quiet", "--set", "time.steps=5")
        assert done.returncode == 0, done.stderr
        assert frames(cut) == frames(tmp_path / "one")


def test_a_run_tells_how_linear_systems_were_solved_and_why(tmp_path):
    assert abut("run", write_scene(tmp_path), "-o", tmp_path / "few", "--quiet").returncode == 0
    last = records(tmp_path / "few")[-1]
    assert last["linear_iterations"] == 0 and "unknowns are few" in last["linear"] and "linear_fallbacks" not in last
    assert "unknowns are few" in (tmp_path / "few" / "report.html").read_text()

    scene = write_scene(tmp_path, linear="pcg", preconditioner="schwarz")
    done = abut("run", scene, "-o", tmp_path / "pcg")
    assert done.returncode == 0 and "linear systems: 8 steps by conjugate gradients, schwarz" in done.stdout, done.stdout
    assert all(record["linear_iterations"] > 0 for record in records(tmp_path / "pcg"))
    assert "conjugate gradients, schwarz" in abut("info", tmp_path / "pcg").stdout
    assert "conjugate gradients, schwarz" in json.loads(abut("info", tmp_path / "pcg", "--json").stdout)["linear"]


def test_systems_that_are_left_to_the_direct_method_are_counted(tmp_path):
    scene = write_scene(tmp_path, linear="pcg", linear_tolerance=1e-30)
    assert abut("run", scene, "-o", tmp_path / "out", "--quiet", "--set", "time.steps=2").returncode == 0
    assert all(record["linear_fallbacks"] > 0 for record in records(tmp_path / "out"))
    assert "left to the direct method" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    "solver, message",
    [
        ({"linear": "direct", "preconditioner": "schwarz"}, "/solver/preconditioner: counts only with conjugate gradients"),
        ({"linear": "direct", "linear_tolerance": 1e-3}, "/solver/linear_tolerance: counts only with conjugate gradients"),
        ({"linear": "eigen", "preconditioner": "auto"}, "/solver/preconditioner: counts only with conjugate gradients"),
        ({"preconditioner": "jacobi"}, "/solver/preconditioner"),
        ({"linear_tolerance": 1}, "/solver/linear_tolerance"),
        ({"linear_tolerance": 0}, "/solver/linear_tolerance"),
        ({"linear": "cg"}, "/solver/linear"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, solver, message):
    done = abut("run", write_scene(tmp_path, **solver), "-o", tmp_path / "out", "--quiet")
    assert done.returncode == 3 and message in done.stderr, done.stderr
