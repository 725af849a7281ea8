"""Runs from Python: results as the program leaves them, callbacks, what is refused, interruptions."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import abut
import pytest
from other_threads import assert_others_run_during


def scene(**changes):
    """A cube that falls on a plane, six steps, a frame every two."""
    return {
        "format": 1,
        "name": "cube",
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [
            {
                "name": "cube",
                "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                "transform": {"translate": [0, 0.101, 0]},
            }
        ],
        "time": {"steps": 6},
        "output": {"every": 2},
        **changes,
    }


def cube(**changes):
    return abut.Scene.from_json(scene(**changes))


def frames(out):
    return {path.name: path.read_bytes() for path in (out / "frames").iterdir()}


def statistics(out):
    return [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]


def steps_of(out):
    return [line["step"] for line in statistics(out)]


def test_a_run_leaves_a_folder_of_results(tmp_path):
    out = tmp_path / "out"
    seen = []
    report = abut.run(cube(), out, callback=seen.append)
    assert (report.steps, report.end, report.verdict, report.exit_code) == (6, "finished", "good", 0)
    assert report.folder == str(out) and report.explanation.startswith("Good. 6 of 6 steps")
    assert report.num_intersections == report.num_inverted == 0 and report.seconds > 0 and report.warnings == []
    assert repr(report) == "<abut.RunReport: finished after 6 steps, good>"
    assert [step.step for step in seen] == [1, 2, 3, 4, 5, 6]
    assert [step.num_intersections for step in seen] == [None, 0, None, 0, None, 0]
    assert report.iterations == sum(len(step.iterations) for step in seen)
    assert sorted(frames(out)) == [f"frame_{step:08d}.vtu" for step in (0, 2, 4, 6)]
    names = {"scene.json", "choices.json", "meshes.json", "frames", "result.pvd", "stats.jsonl", "report.html", "lock"}
    assert {path.name for path in out.iterdir()} == names
    assert [line["iterations"] for line in statistics(out)] == [len(step.iterations) for step in seen]


def test_a_run_has_the_bits_of_a_simulation(tmp_path):
    energies = []
    abut.run(cube(), tmp_path / "out", callback=lambda report: energies.append(report.balance.kinetic))
    simulation = abut.Simulation(cube())
    assert energies == [simulation.step().balance.kinetic for _ in range(6)]


def test_a_file_is_run_as_the_scene_that_it_holds(tmp_path):
    file = tmp_path / "cube.json"
    file.write_text(json.dumps(scene()))
    for name, what in (("text", str(file)), ("path", file), ("scene", abut.Scene.from_file(file))):
        assert abut.run(what, tmp_path / name).end == "finished"
    assert frames(tmp_path / "text") == frames(tmp_path / "path") == frames(tmp_path / "scene")
    stated = scene()
    stated["objects"][0]["kind"] = "solid"  # results say what each object was taken for
    assert json.loads((tmp_path / "path" / "scene.json").read_text()) == stated


def test_settings_and_meshes_are_part_of_the_results(tmp_path, monkeypatch):
    mesh = abut.generate.icosphere()
    abut.write_obj(tmp_path / "ball.obj", mesh)
    data = scene(objects=[{"geometry": {"file": "ball.obj"}, "transform": {"translate": [0, 2, 0]}}])
    read = abut.Scene.from_json(data, folder=tmp_path, settings=["time.steps=1"])
    monkeypatch.chdir("/")
    out = tmp_path / "out"
    assert abut.run(read, out).steps == 1
    saved = json.loads((out / "scene.json").read_text())
    assert saved["time"]["steps"] == 1
    assert saved["objects"][0]["geometry"]["file"] == "meshes/ball.obj"
    (tmp_path / "ball.obj").unlink()
    assert abut.resume(out, steps=2).steps == 1, "found from anywhere"


@pytest.mark.parametrize("answer", [False, 0])
def test_a_callback_ends_the_run_which_resumes_with_the_same_bits(tmp_path, answer):
    whole, out = tmp_path / "whole", tmp_path / "out"
    abut.run(cube(), whole)
    report = abut.run(cube(), out, callback=lambda step: answer if step.step == 3 else None)
    assert (report.end, report.steps, report.verdict, report.exit_code) == ("interrupted", 3, "unfinished", 130)
    assert "frame_00000003.vtu" in frames(out) and "Good so far" in (out / "report.html").read_text()
    rest = abut.resume(out)
    assert (rest.end, rest.steps) == ("finished", 3)
    assert frames(out).items() >= frames(whole).items() and steps_of(out) == [1, 2, 3, 4, 5, 6]


def test_what_a_callback_raises_ends_the_run_and_is_raised(tmp_path):
    out = tmp_path / "out"

    class Enough(Exception):
        pass

    def callback(report):
        if report.step == 3:
            raise Enough("of it")

    with pytest.raises(Enough, match="of it"):
        abut.run(cube(), out, callback=callback)
    assert steps_of(out) == [1, 2, 3] and (out / "report.html").exists()
    assert abut.resume(out).steps == 3


def test_steps_say_where_to_end(tmp_path):
    out = tmp_path / "out"
    assert abut.run(cube(), out, steps=0).verdict == "nothing_yet"
    assert abut.resume(out, steps=4).steps == 4
    assert abut.resume(out, steps=2).steps == 0
    assert abut.resume(out).steps == 2


def test_a_step_that_does_not_converge_is_an_outcome(tmp_path):
    out = tmp_path / "out"
    report = abut.run(cube(solver={"max_iterations": 1, "tolerance": 1e-12}), out)
    assert (report.end, report.verdict, report.exit_code) == ("failed", "failed", 5)
    assert "ended in iteration_limit" in report.explanation and (out / "repro" / "scene.json").exists()


def test_a_failure_names_what_reproduces_it_and_what_goes_on(tmp_path):
    out = tmp_path / "out"
    report = abut.run(cube(solver={"max_iterations": 1, "tolerance": 1e-12}), out)
    for text in (report.explanation, (out / "report.html").read_text().replace("&apos;", "'").replace("&#39;", "'")):
        assert "'abut resume OUT/repro' reproduces the failure" in text
        assert "'abut resume OUT/repro --set KEY=VALUE' tries the step with another value of solver, and goes on" in text
    shutil.copytree(out / "repro", tmp_path / "again")
    assert abut.resume(tmp_path / "again").end == "failed"
    cured = abut.resume(out / "repro", settings=["solver.max_iterations=100"])
    assert (cured.end, cured.verdict) == ("finished", "good"), cured.explanation
    with pytest.raises(abut.InvalidInput, match="can change solver, output, time.steps, time.until and verify only"):
        abut.resume(out / "repro", settings=["contact.dhat=1"])


def test_folders_that_hold_something_are_refused(tmp_path):
    out = tmp_path / "out"
    abut.run(cube(), out, steps=1)
    with pytest.raises(abut.InvalidInput, match="choose another with the argument out, or replace it with force=True"):
        abut.run(cube(), out)
    assert abut.run(cube(), out, steps=2, force=True).steps == 2
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(abut.InvalidInput):
            abut.run(cube(), tmp_path, force=force)
    file = out / "other.json"
    file.write_text(json.dumps(scene()))
    with pytest.raises(abut.InvalidInput, match="which is in this folder"):
        abut.run(file, out, force=True)
    assert file.exists()


def test_arguments_that_cannot_be_are_refused(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(abut.InvalidInput, match="steps: -1 is below 0"):
        abut.run(cube(), out, steps=-1)
    with pytest.raises(TypeError, match="callback: expected None or what can be called"):
        abut.run(cube(), out, callback=1)
    with pytest.raises(TypeError):
        abut.run(scene(), out)
    with pytest.raises(abut.InvalidInput, match="no results"):
        abut.resume(out)
    with pytest.raises(abut.InvalidStart):
        abut.run(cube(planes=[{"point": [0, 0.1, 0]}]), out)
    assert not out.exists()


def test_warnings_come_back(tmp_path):
    out = tmp_path / "out"
    abut.run(cube(), out, steps=4)
    with open(out / "stats.jsonl", "a") as file:
        file.write("nonsense\n")
    (out / "frames" / "frame_00000004.vtu").write_text("broken")
    report = abut.resume(out)
    assert len(report.warnings) == 3 and report.steps == 4
    for words, warning in zip(("line 5: not the statistics", "was removed", "from frame 2"), report.warnings):
        assert words in warning


def test_two_runs_do_not_share_a_folder(tmp_path):
    out = tmp_path / "out"

    def callback(report):
        with pytest.raises(abut.InvalidInput, match=r"another run \(process \d+ on .+\) is writing"):
            abut.resume(out)
        return False

    assert abut.run(cube(), out, callback=callback).steps == 1
    assert abut.resume(out).end == "finished"


def test_other_threads_run_during_it(tmp_path):
    assert_others_run_during(lambda: abut.run(cube(), tmp_path / "out", steps=200, force=True))


def test_ctrl_c_ends_the_run_between_steps(tmp_path):
    out = tmp_path / "out"
    program = textwrap.dedent(
        f"""
        import abut
        scene = abut.Scene.from_json({scene()!r}, settings=["time.steps=1000000"])
        try:
            abut.run(scene, {str(out)!r})
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    path = str(pathlib.Path(abut.__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONPATH=path)
    )
    deadline = time.time() + 60
    while not (out / "stats.jsonl").exists() and time.time() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n"
    done = len(steps_of(out))
    assert done > 0 and abut.resume(out, steps=done + 2).steps == 2
