"""Runs that fail: what they say, what they leave, and that the failing step can be tried again."""

import json
import os
import re
import shutil
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]

SOLVER = {"max_iterations": 3, "tolerance": 1e-9}  # enough in free flight, too few in contact
FLOOR = [{"point": [0, 0, 0], "normal": [0, 1, 0]}]


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def last_line(folder):
    return json.loads((folder / "stats.jsonl").read_text().splitlines()[-1])


def failure(result):
    """Step, outcome and message of a failed run, as it printed them."""
    assert result.returncode == 5, result.stderr
    found = re.search(r"abut: step (\d+) ended in (\w+): (.*)\. The states before", result.stderr, re.DOTALL)
    assert found, result.stderr
    return int(found[1]), found[2], found[3]


def cube():
    return {
        "format": 1,
        "planes": FLOOR,
        "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2],
                                                  "subdivisions": [2, 2, 2]},
                     "transform": {"translate": [0, 0.16, 0], "rotate": {"axis": [1, 0.3, 0], "degrees": 20}}}],
        "solver": SOLVER,
    }


def write(path, scene):
    path.write_text(json.dumps(scene))
    return path


def test_a_step_that_does_not_converge_returns_5_and_keeps_its_state(tmp_path):
    out = tmp_path / "out"
    step, outcome, message = failure(abut("run", write(tmp_path / "scene.json", cube()), "-o", out))
    assert outcome == "iteration_limit" and step > 1
    assert "3 iterations" in message and "inertia" in message and "contact" in message
    line = last_line(out)
    assert (line["step"], line["outcome"], line["message"]) == (step, outcome, message)
    assert abut("verify", out).returncode == 0
    assert len(list((out / "frames").glob("*.vtu"))) == step + 1, "the state after the step is kept too"


def test_the_failing_step_can_be_tried_again(tmp_path):
    out = tmp_path / "out"
    result = abut("run", write(tmp_path / "scene.json", cube()), "-o", out)
    step, outcome, message = failure(result)
    repro = out / "repro"
    assert f"'abut resume {repro}' reproduces the failure" in result.stderr
    assert [path.name for path in (repro / "frames").glob("*")] == [f"frame_{step - 1:08d}.vtu"]
    assert failure(abut("resume", repro)) == (step, outcome, message)
    assert (repro / "frames" / f"frame_{step:08d}.vtu").read_bytes() == (
        out / "frames" / f"frame_{step:08d}.vtu").read_bytes(), "with the same bits"


def test_a_cured_scene_goes_on_from_the_failing_step(tmp_path):
    out = tmp_path / "out"
    step, _, _ = failure(abut("run", write(tmp_path / "scene.json", cube()), "-o", out))
    scene = json.loads((out / "repro" / "scene.json").read_text())
    scene["solver"]["max_iterations"] = 200
    write(out / "repro" / "scene.json", scene)
    result = abut("resume", out / "repro", "--steps", step + 3)
    assert result.returncode == 0, result.stderr
    assert last_line(out / "repro")["step"] == step + 3


def test_the_cure_that_a_failure_names_works(tmp_path):
    out = tmp_path / "out"
    result = abut("run", write(tmp_path / "scene.json", cube()), "-o", out)
    step, _, _ = failure(result)
    assert f"'abut resume {out / 'repro'} --set KEY=VALUE'" in result.stderr
    for wrong in ("objects.0.material.density=1", "contact.dhat=1", "time.dt=1", "solver.max_iterations=0", "solver.x=1"):
        before = (out / "repro" / "scene.json").read_text()
        refused = abut("resume", out / "repro", "--set", wrong)
        assert refused.returncode == 3, refused.stderr
        assert (out / "repro" / "scene.json").read_text() == before
    cured = abut("resume", out / "repro", "--set", "solver.max_iterations=200", "--set", f"time.steps={step + 3}")
    assert cured.returncode == 0, cured.stderr
    assert last_line(out / "repro")["step"] == step + 3


def off_balance(tmp_path, **changes):
    """The words about momentum of a stiff cube that hits a floor, and its scene."""
    scene = cube() | {"solver": {}, "time": {"steps": 12}} | changes
    scene["objects"][0] |= {"material": {"youngs_modulus": 1e9}, "velocity": [0, -1, 0],
                            "transform": {"translate": [0, 0.15, 0]}}
    result = abut("run", write(tmp_path / "scene.json", scene), "-o", tmp_path / "out", "--quiet")
    assert result.returncode == 1, result.stderr
    note = re.search(r"momentum balance is off by .* %: (.*)\.\n", result.stderr)[1]
    assert note in (tmp_path / "out" / "report.html").read_text(), "the report says the same"
    return note, scene


def is_good(tmp_path, scene):
    result = abut("run", write(tmp_path / "scene.json", scene), "-o", tmp_path / "out", "--quiet", "--force")
    return result.returncode == 0


@pytest.mark.parametrize("changes", [{"contact": {"dhat": 1e-7}},
                                     {"contact": {"dhat": 1e-11}, "solver": {"tolerance": 1e-11}}])
def test_where_contact_is_too_short_the_cure_is_a_longer_one(tmp_path, changes):
    note, scene = off_balance(tmp_path, **changes)
    cure = re.fullmatch(r"raise contact.dhat, which is (\S+) m; left out, it is (\S+) m", note)
    assert cure and float(cure[1]) == changes["contact"]["dhat"], note
    assert is_good(tmp_path, scene | {"contact": {"dhat": float(cure[2])}})


def test_where_the_tolerance_is_too_large_the_cure_is_to_leave_it_out(tmp_path):
    note, scene = off_balance(tmp_path, solver={"tolerance": 0.2})
    assert note == "leave solver.tolerance out, which is 0.2"
    assert is_good(tmp_path, scene | {"solver": {}})


def test_where_the_tolerance_is_small_but_not_enough_the_cure_is_a_smaller_one(tmp_path):
    note, scene = off_balance(tmp_path, solver={"tolerance": 3e-4})
    assert note == "lower solver.tolerance, which is 0.0003, by a thousand times"
    assert is_good(tmp_path, scene | {"solver": {"tolerance": 3e-7}})


def test_what_is_needed_to_try_again_can_be_moved(tmp_path):
    """With a mesh from a file: the copy does not need the original, nor the folder where it was."""
    source, work = tmp_path / "source", tmp_path / "work"
    source.mkdir()
    work.mkdir()
    lines = [f"v {0.1 * i} {0.02 * ((i + j) % 2)} {0.1 * j}" for j in range(3) for i in range(3)]
    for j in range(2):
        for i in range(2):
            a = 3 * j + i + 1
            lines += [f"f {a} {a + 3} {a + 1}", f"f {a + 1} {a + 3} {a + 4}"]
    (source / "sheet.obj").write_text("\n".join(lines) + "\n")
    scene = {"format": 1, "planes": FLOOR, "solver": SOLVER,
             "objects": [{"name": "sheet", "kind": "shell", "geometry": {"file": "sheet.obj"},
                          "transform": {"translate": [0, 0.02, 0]}}]}
    out = work / "out"
    expected = failure(abut("run", write(source / "scene.json", scene), "-o", out))
    shutil.rmtree(source)
    moved = tmp_path / "elsewhere" / "moved"
    moved.parent.mkdir()
    shutil.move(out, moved)
    for folder in (work, tmp_path, moved):  # wherever it is called from
        again = abut("resume", moved / "repro", cwd=folder)
        assert failure(again) == expected
        # From where it failed, and not from its last frame, which is the state after the failure
        (moved / "repro" / "frames" / f"frame_{expected[0]:08d}.vtu").unlink()
    assert failure(abut("resume", moved / "repro" / "repro")) == expected, "it leaves the same of its own"


def test_a_script_that_is_blocked_says_so(tmp_path):
    scene = {
        "format": 1,
        "planes": FLOOR,
        "objects": [
            {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
             "transform": {"translate": [0, 0.1001, 0]}, "material": {"youngs_modulus": 1e9}},
            {"name": "press", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.5, 0.5],
                                                               "cells": [2, 2]},
             "transform": {"translate": [0, 0.2005, 0]}},
        ],
        "scripts": [{"object": "press", "keyframes": [{"time": 0}, {"time": 1, "translate": [0, -0.02, 0]}]}],
        "solver": {"max_blocked_steps": 4},
    }
    out = tmp_path / "out"
    step, outcome, message = failure(abut("run", write(tmp_path / "scene.json", scene), "-o", out))
    assert outcome == "script_blocked" and step >= 4
    assert "/scripts/0 by" in message and "of 'press', held by 'cube' with" in message
    assert last_line(out)["script_lag"] > 0
    assert abut("verify", out).returncode == 0
    # The steps that it was blocked before count after a resume too.
    assert failure(abut("resume", out / "repro")) == (step, outcome, message)
