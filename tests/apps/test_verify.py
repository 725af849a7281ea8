"""What `abut verify` finds, and that a run claims nothing which was not tested."""

import json
import os
import signal
import subprocess
import time

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def falling_cube(**changes):
    return {
        "format": 1,
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]},
                     "transform": {"translate": [0, 0.14, 0]}}],
        "time": {"steps": 20},
    } | changes


def run(tmp_path, scene, *options, code=0):
    path, out = tmp_path / "scene.json", tmp_path / "out"
    path.write_text(json.dumps(scene))
    result = abut("run", path, "-o", out, *options)
    assert result.returncode == code, result.stderr
    return out, result


def frame(folder, step):
    return folder / "frames" / f"frame_{step:08d}.vtu"


def verified_steps(folder):
    lines = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    return [line["step"] for line in lines if "verification" in line]


def test_verify_finds_a_body_that_sinks_into_a_plane(tmp_path):
    out, _ = run(tmp_path, falling_cube())
    assert abut("verify", out).returncode == 0
    scene = json.loads((out / "scene.json").read_text())
    scene["planes"][0]["point"] = [0, 0.02, 0]
    (out / "scene.json").write_text(json.dumps(scene))
    result = abut("verify", out)
    assert result.returncode == 1
    # Its lowest 25 vertices fall 9.81e-4 n (n + 1) / 2 m in n steps: 0.0147 m in 5, 0.0206 m in 6.
    assert [line.split(":")[0] for line in result.stdout.splitlines()[:-1]] == [f"frame {n}" for n in range(6, 21)]
    assert "frame 20: 25 intersections, 0 inverted elements" in result.stdout
    assert result.stdout.endswith("21 frames checked with exact arithmetic, 15 with findings\n")


def test_verify_tells_the_same_as_json(tmp_path):
    out, _ = run(tmp_path, falling_cube())
    good = abut("verify", out, "--json")
    assert good.returncode == 0
    assert json.loads(good.stdout) == {"frames": 21, "findings": [], "missing": [], "running": False, "good": True}
    scene = json.loads((out / "scene.json").read_text())
    scene["planes"][0]["point"] = [0, 0.02, 0]
    (out / "scene.json").write_text(json.dumps(scene))
    frame(out, 3).unlink()
    bad = abut("verify", out, "--json")
    assert bad.returncode == 1
    report = json.loads(bad.stdout)
    assert report["missing"] == [3] and not report["good"] and report["frames"] == 20
    assert report["findings"][-1] == {"step": 20, "intersections": 25, "inverted": 0}
    assert [finding["step"] for finding in report["findings"]] == list(range(6, 21))


def test_overlaps_are_found_where_contact_is_off(tmp_path):
    box = {"geometry": {"generate": "tet_box"}}
    scene = {"format": 1, "contact": {"model": "none"}, "time": {"steps": 30},
             "objects": [box | {"velocity": [1, 0, 0]}, box | {"transform": {"translate": [1.1, 0.01, 0.02]}}]}
    out, result = run(tmp_path, scene, code=1)
    assert "NOT GOOD: " in result.stdout and "verified: " not in result.stdout
    assert "Not good." in (out / "report.html").read_text()
    found = abut("verify", out)
    assert found.returncode == 1 and "frame 30: " in found.stdout and "frame 5: " not in found.stdout


def test_verify_names_frames_that_are_missing(tmp_path):
    out, _ = run(tmp_path, falling_cube())
    for step in (0, 5, 7, 8, 9, 20):
        frame(out, step).unlink()
    result = abut("verify", out)
    assert result.returncode == 1
    assert "not there, so not checked: the frames of step 0, 5, 7 to 9, 20\n" in result.stdout
    assert "15 frames checked with exact arithmetic, 0 with findings, 6 missing" in result.stdout
    # Also where only the rhythm of the frames tells
    (out / "stats.jsonl").unlink()
    (out / "result.pvd").unlink()
    assert "the frames of step 5, 7 to 9\n" in abut("verify", out).stdout
    for path in (out / "frames").glob("*.vtu"):
        path.unlink()
    empty = abut("verify", out)
    assert empty.returncode == 3 and "no frames to verify" in empty.stderr


def test_verify_knows_the_frames_of_a_run_that_does_not_save_every_step(tmp_path):
    out, _ = run(tmp_path, falling_cube(output={"every": 6}))
    assert abut("verify", out).returncode == 0
    frame(out, 12).unlink()
    frame(out, 20).unlink()
    result = abut("verify", out)
    assert result.returncode == 1 and "the frames of step 12, 20\n" in result.stdout


def test_verify_forgives_a_killed_run_the_frame_in_work(tmp_path):
    out, _ = run(tmp_path, falling_cube())
    frame(out, 20).unlink()
    index = out / "result.pvd"
    index.write_text("".join(line for line in index.read_text().splitlines(True) if "00000020" not in line))
    assert abut("verify", out).returncode == 0


def test_verify_is_right_while_frames_appear(tmp_path):
    path, out = tmp_path / "scene.json", tmp_path / "out"
    path.write_text(json.dumps(falling_cube(time={"steps": 100_000})))
    process = subprocess.Popen([PROGRAM, "run", path, "-o", out, "--quiet", "--threads", "1"])
    deadline = time.time() + 100
    try:
        for wanted in (1, 100, 200, 300):
            while not frame(out, wanted).exists() and time.time() < deadline:
                time.sleep(0.001)
            result = abut("verify", out, "--threads", 1)
            assert result.returncode == 0, result.stdout + result.stderr
            assert "missing" not in result.stdout and "the run still goes on" in result.stdout
    finally:
        process.kill()
        process.wait()
    assert "still goes on" not in abut("verify", out).stdout


def test_a_frame_under_another_name_is_refused(tmp_path):
    out, _ = run(tmp_path, falling_cube())
    frame(out, 8).rename(frame(out, 9))
    result = abut("verify", out)
    assert result.returncode == 3 and "it holds step 8" in result.stderr


def test_frames_off_the_rhythm_are_verified_too(tmp_path):
    out, result = run(tmp_path, falling_cube(output={"every": 7}))
    assert verified_steps(out) == [7, 14, 20]
    assert "verified: 0 intersections" in result.stdout


def test_the_frame_of_an_interrupted_run_is_verified(tmp_path):
    path, out = tmp_path / "scene.json", tmp_path / "out"
    path.write_text(json.dumps(falling_cube(output={"every": 1_000_000})))
    process = subprocess.Popen([PROGRAM, "run", path, "-o", out, "--quiet", "--steps", "1000000"],
                               stderr=subprocess.PIPE)
    deadline = time.time() + 100
    while not (out / "stats.jsonl").exists() and time.time() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    last = len((out / "stats.jsonl").read_text().splitlines())
    assert frame(out, last).exists() and verified_steps(out) == [last]


@pytest.mark.parametrize("verify", ["frame", "off"])
def test_a_failure_says_only_what_was_tested(tmp_path, verify):
    scene = falling_cube(solver={"max_iterations": 3, "tolerance": 1e-9}, output={"every": 1000}, verify=verify)
    scene["objects"][0]["transform"]["rotate"] = {"axis": [1, 0.3, 0], "degrees": 20}
    out, result = run(tmp_path, scene, code=5)
    is_claimed = "The states before and after it are free of intersections" in result.stderr
    assert is_claimed == (verify == "frame")
    assert ("were not verified" in result.stderr) == (verify == "off")
    assert ("not verified\n" in result.stdout) == (verify == "off")
    assert len(verified_steps(out)) == (verify == "frame")
