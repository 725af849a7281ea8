"""Time in scenes: integrators, smaller steps, and until."""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def write_scene(folder, **time):
    """A cube that falls on a floor, slides, and is held for a while by its top."""
    cube = {
        "name": "cube",
        "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
        "transform": {"translate": [0, 0.13, 0], "rotate": {"axis": [1, 0.3, 0], "degrees": 20}},
        "velocity": [0.5, -1, 0],
    }
    scene = {
        "format": 1,
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [cube],
        "scripts": [{"object": "cube", "select": {"indices": [0]}, "velocity": [0.3, 0, 0], "release": 0.06}],
        "contact": {"friction": {"mu": 0.3}},
        "time": {"steps": 16, **time},
    }
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def frames(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "frames").glob("*.vtu"))}


def records(folder):
    return [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("integrator", ["implicit_euler", "bdf2", "newmark", "quasi_static"])
@pytest.mark.parametrize("is_adaptive", [False, True])
def test_a_run_has_the_same_bits_for_any_threads_and_after_a_break(tmp_path, integrator, is_adaptive):
    more = {"adaptive": True, "max_motion": 0.006} if is_adaptive else {}
    scene = write_scene(tmp_path, integrator=integrator, **more)
    whole, other, parts = tmp_path / "whole", tmp_path / "other", tmp_path / "parts"
    for out, threads in ((whole, 1), (other, 2)):
        result = abut("run", scene, "-o", out, "--quiet", "--threads", threads)
        assert result.returncode in (0, 1) and "runtime error" not in result.stderr, result.stderr
    assert frames(whole) == frames(other)
    assert abut("run", scene, "-o", parts, "--quiet", "--steps", 5).returncode in (0, 1)
    result = abut("resume", parts, "--quiet")
    assert result.returncode in (0, 1) and "runtime error" not in result.stderr, result.stderr
    assert frames(whole) == frames(parts)
    if is_adaptive and integrator != "quasi_static":
        assert any(record.get("substeps", 1) > 1 for record in records(whole))
    times = [record["time"] for record in records(whole)]
    assert times == pytest.approx([0.01 * (k + 1) for k in range(16)]), "frames stay where they are"


def test_smaller_steps_are_told_of(tmp_path):
    scene = write_scene(tmp_path, adaptive=True, max_motion=0.004)
    out = tmp_path / "out"
    result = abut("run", scene, "-o", out)
    assert result.returncode == 0, result.stderr
    divided = [record for record in records(out) if "substeps" in record]
    sentence = f"{len(divided)} steps were taken as {sum(record['substeps'] for record in divided)} smaller ones"
    assert sentence in result.stdout
    assert sentence in (out / "report.html").read_text()
    assert sentence in abut("info", out).stdout
    assert json.loads(abut("info", out, "--json").stdout)["divided_steps"] == len(divided)


def test_a_run_ends_at_a_time(tmp_path):
    scene = write_scene(tmp_path, until=0.055)
    text = json.loads(scene.read_text())
    del text["time"]["steps"]
    scene.write_text(json.dumps(text))
    out = tmp_path / "out"
    assert abut("run", scene, "-o", out, "--quiet").returncode == 0
    assert [record["step"] for record in records(out)] == [1, 2, 3, 4, 5, 6], "0.06 s is the first end after it"
    # What is set replaces the other way to say it, also in a run that goes on
    assert abut("resume", out, "--quiet", "--set", "time.steps=8").returncode == 0
    assert len(records(out)) == 8
    assert abut("resume", out, "--quiet", "--set", "time.until=0.1").returncode == 0
    assert len(records(out)) == 10
    result = abut("compare", scene, "--vary", "time.dt=0.01,0.005", "-o", tmp_path / "compare", "--quiet")
    assert result.returncode in (0, 1), result.stderr


@pytest.mark.parametrize(
    "time, message",
    [
        ({"until": 0.1}, "/time/until: the scene has 'steps' too; remove one of them"),
        ({"max_motion": 0.1}, '/time/max_motion: counts only with "adaptive": true; add that, or remove this'),
        ({"adaptive": True, "max_substeps": 1}, "/time/max_substeps"),
        ({"adaptive": True, "max_motion": 0}, "/time/max_motion"),
        ({"adaptive": "yes"}, "/time/adaptive"),
        ({"integrator": "bdf3"}, "did you mean 'bdf2'?"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, time, message):
    result = abut("run", write_scene(tmp_path, **time), "-o", tmp_path / "out")
    assert result.returncode == 3
    assert message in result.stderr


def test_an_end_that_needs_too_many_steps_is_refused(tmp_path):
    scene = write_scene(tmp_path)
    result = abut("run", scene, "-o", tmp_path / "out", "--set", "time.until=1e9", "--set", "time.dt=1e-6")
    assert result.returncode == 3
    assert "/time/until: 1e+09 s are 1e+15 steps of 1e-06 s, more than 100000000; end earlier, or make dt longer" in result.stderr
