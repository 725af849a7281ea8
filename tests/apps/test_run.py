"""Simulations as a user runs them: results, resuming, refusing, failing."""

import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import time
from xml.etree import ElementTree

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]

SCENE = {
    "format": 1,
    "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [
        {
            "name": "cube",
            "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
            "transform": {"translate": [0, 0.13, 0], "rotate": {"axis": [1, 0.3, 0], "degrees": 20}},
        }
    ],
    "contact": {"friction": {"mu": 0.3}},
    "time": {"steps": 40},
}


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(SCENE))
    return path


def frame(folder, step):
    return folder / "frames" / f"frame_{step:08d}.vtu"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_run_leaves_frames_statistics_and_a_verdict(scene, tmp_path):
    out = tmp_path / "out"
    result = abut("run", scene, "-o", out)
    assert result.returncode == 0, result.stderr
    assert "0 intersections, 0 inverted elements" in result.stdout
    assert "contact.dhat = " in result.stdout, "values that were chosen are printed with their reason"
    assert len(list((out / "frames").glob("*.vtu"))) == 41
    lines = [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(1, 41))
    assert all(line["outcome"] == "converged" for line in lines)
    assert max(line["contacts"] for line in lines) > 0
    info = json.loads(abut("info", out, "--json").stdout)
    assert info["steps_done"] == 40 and info["frames"] == 41
    verify = abut("verify", out)
    assert verify.returncode == 0 and "41 frames checked" in verify.stdout
    assert (out / "result.pvd").read_text().count("<DataSet") == 41


def test_frames_are_well_formed_vtu(scene, tmp_path):
    out = tmp_path / "out"
    assert abut("run", scene, "-o", out, "--steps", 2, "--quiet").returncode == 0
    data = frame(out, 2).read_bytes()
    start = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
    header = data[:start].decode()
    offset = int(header.split('Name="points"')[1].split('offset="')[1].split('"')[0])
    (size,) = struct.unpack_from("<Q", data, start + offset)
    points = struct.unpack_from(f"<{size // 8}d", data, start + offset + 8)
    count = int(header.split('NumberOfPoints="')[1].split('"')[0])
    assert len(points) == 3 * count
    assert min(points[1::3]) > 0


@pytest.mark.repeats
def test_the_same_scene_gives_the_same_bits_for_any_number_of_threads(scene, tmp_path):
    hashes = set()
    for threads in (1, 2, 4):
        out = tmp_path / f"out{threads}"
        assert abut("run", scene, "-o", out, "--quiet", "--threads", threads).returncode == 0
        hashes.add(digest(frame(out, 40)))
    assert len(hashes) == 1


LAST = 200  # of the runs that are killed: far behind the frames at which they are


def wait_for(path, process):
    deadline = time.time() + 100
    while not path.exists():
        assert process.poll() is None and time.time() < deadline, f"{path.name} was never written"
        time.sleep(0.001)


def statistics(folder):
    """The lines that are whole."""
    return [json.loads(line) for line in (folder / "stats.jsonl").read_text().split("\n")[:-1]]


def kill_and_resume(scene, out, moments):
    """Kills a run at a random moment and resumes it; nothing but the step in work may be lost."""
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet", "--steps", str(LAST)])
    wanted = moments.randint(0, 120)
    wait_for(frame(out, wanted), process)
    time.sleep(moments.uniform(0, 0.02))
    process.kill()
    assert process.wait() == -signal.SIGKILL, "the run must not have ended before"
    frames = sorted((out / "frames").glob("frame_*.vtu"))
    assert wanted + 1 <= len(frames) <= LAST, "it was killed between its start and its end"
    assert frames[-1] == frame(out, len(frames) - 1)
    lines = statistics(out) if wanted > 0 else []
    assert len(lines) <= len(frames), "at most the frame in work is lost"
    before = {path: path.stat().st_mtime_ns for path in frames}

    result = abut("resume", out, "--quiet", "--steps", LAST)
    assert result.returncode == 0, result.stderr
    assert all(path.stat().st_mtime_ns == changed for path, changed in before.items()), "nothing is done twice"
    assert [line["step"] for line in statistics(out)] == list(range(1, LAST + 1))
    return digest(frame(out, LAST))


@pytest.mark.repeats
@pytest.mark.parametrize("times", [4, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("mu", [0, 0.3])
def test_a_killed_run_resumes_bit_for_bit(scene, tmp_path, times, mu):
    # Two bodies that meet: what is coupled with what changes all the time.
    first = SCENE["objects"][0]
    second = first | {"name": "other", "transform": {"translate": [0.05, 0.36, 0.02]}}
    scene.write_text(json.dumps(SCENE | {"objects": [first, second], "contact": {"friction": {"mu": mu}}}))
    whole = tmp_path / "whole"
    assert abut("run", scene, "-o", whole, "--quiet", "--steps", LAST).returncode == 0
    moments = random.Random(times)
    for attempt in range(times):
        assert kill_and_resume(scene, tmp_path / f"killed{attempt}", moments) == digest(frame(whole, LAST))


def indexed(folder):
    """The files and times that result.pvd lists."""
    sets = [each.attrib for each in ElementTree.parse(folder / "result.pvd").iter("DataSet")]
    times = [float(each["timestep"]) for each in sets]
    assert times == sorted(times)
    return [folder / each["file"] for each in sets]


def test_the_index_lists_every_frame_of_a_run_an_interrupted_run_and_a_resume(scene, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet", "--steps", "100000"],
                               stderr=subprocess.PIPE)
    wait_for(frame(out, 70), process)  # by then the index is written now and then only
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    frames = sorted((out / "frames").glob("*.vtu"))
    assert len(frames) > 70 and indexed(out) == frames
    last = len(frames) + 40
    assert abut("resume", out, "--quiet", "--steps", last).returncode == 0
    assert indexed(out) == [frame(out, step) for step in range(last + 1)]

    every = tmp_path / "every"
    assert abut("run", scene, "-o", every, "--quiet", "--set", "output.every=7").returncode == 0
    assert indexed(every) == [frame(every, step) for step in (0, 7, 14, 21, 28, 35, 40)]


def test_a_damaged_frame_is_passed_over(scene, tmp_path):
    out, whole = tmp_path / "out", tmp_path / "whole"
    assert abut("run", scene, "-o", whole, "--quiet").returncode == 0
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 20).returncode == 0
    damaged = frame(out, 20)
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    result = abut("resume", out, "--quiet")
    assert result.returncode == 0
    assert f"{damaged}: its checksum does not fit its content" in result.stderr
    assert "continuing from frame 19\n" in result.stderr
    assert digest(frame(out, 40)) == digest(frame(whole, 40))


SHEET = "v 0 0 0\nv 0.1 0.01 0\nv 0.1 0 0.1\nv 0 0.02 0.1\nf 1 3 2\nf 1 4 3\n"


def test_a_mesh_that_changed_since_is_noticed(tmp_path):
    scene, out, sheet = tmp_path / "scene.json", tmp_path / "out", tmp_path / "sheet.obj"
    sheet.write_text(SHEET)
    objects = [SCENE["objects"][0],
               {"name": "sheet", "geometry": {"file": "sheet.obj"}, "transform": {"translate": [0.3, 0.2, 0]}}]
    scene.write_text(json.dumps(SCENE | {"objects": objects}))
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 2).returncode == 0
    sheet.unlink()
    sheet = out / "meshes" / "sheet.obj"  # the results have their own
    assert sheet.read_text() == SHEET
    for changed in (SHEET.replace("0.01", "0.010001"), SHEET.replace("f 1 3 2", "f 1 2 3"),
                    SHEET.replace("f 1 3 2\nf 1 4 3\n", "f 1 4 3\nf 1 3 2\n"), SHEET + "v 5 5 5\n"):
        sheet.write_text(changed)
        for command in ("resume", "verify"):
            result = abut(command, out)
            assert result.returncode == 3 and f"the mesh of 'sheet' ({sheet}) is not the one" in result.stderr
    assert len(list((out / "frames").iterdir())) == 3, "nothing was done"
    sheet.write_text("# the same again\n" + SHEET)
    assert abut("verify", out).returncode == 0
    assert abut("resume", out, "--quiet", "--steps", 3).returncode == 0
    known = json.loads((out / "scene.json").read_text())

    heavy = json.loads(json.dumps(known))
    heavy["objects"][0]["material"] = {"density": 2000}
    (out / "scene.json").write_text(json.dumps(heavy))
    result = abut("resume", out)
    assert result.returncode == 3 and "the masses of 'cube' are not those" in result.stderr
    (out / "scene.json").write_text(json.dumps(known | {"objects": known["objects"][:1]}))
    result = abut("resume", out)
    assert result.returncode == 3 and "the scene has 1 objects, but those of the run were 2" in result.stderr


def sheets(tmp_path):
    """A scene with meshes of three objects in two files of one name."""
    source = tmp_path / "source"
    for folder in ("a", "b"):
        (source / folder).mkdir(parents=True)
    (source / "a" / "sheet.obj").write_text(SHEET)
    (source / "b" / "sheet.obj").write_text(SHEET.replace("0.02", "0.03"))
    objects = [{"name": name, "kind": "shell", "geometry": {"file": file}, "transform": {"translate": [0, height, 0]}}
               for name, file, height in (("low", "a/sheet.obj", 0.1), ("mid", "b/sheet.obj", 0.2),
                                          ("high", str(source / "a" / "sheet.obj"), 0.3))]
    (source / "scene.json").write_text(json.dumps(SCENE | {"objects": objects, "time": {"steps": 4}}))
    return source


def test_results_can_be_moved_without_the_meshes_they_were_made_from(tmp_path):
    source, out, moved = sheets(tmp_path), tmp_path / "out", tmp_path / "elsewhere" / "moved"
    assert abut("run", source / "scene.json", "-o", out, "--quiet", "--steps", 2).returncode == 0
    scene = json.loads((out / "scene.json").read_text())
    assert [each["geometry"]["file"] for each in scene["objects"]] == [
        "meshes/sheet.obj", "meshes/sheet-2.obj", "meshes/sheet.obj"], "each file once"
    moved.parent.mkdir()
    out.rename(moved)
    shutil.rmtree(source)
    for command in ("verify", "info", "render", "export", "report"):
        result = abut(command, moved, cwd="/")
        assert result.returncode == 0, result.stderr
    assert abut("resume", moved, "--quiet", cwd="/").returncode == 0
    assert str(source) not in (moved / "report.html").read_text()
    # Its scene can be run again, but not over itself.
    refused = abut("run", moved / "scene.json", "-o", moved, "--force")
    assert refused.returncode == 3 and "the run reads" in refused.stderr
    assert abut("run", moved / "scene.json", "-o", out, "--quiet").returncode == 0
    assert digest(frame(out, 4)) == digest(frame(moved, 4))
    sheets(tmp_path)
    assert abut("run", source / "scene.json", "-o", out, "--quiet", "--force").returncode == 0
    assert sorted(path.name for path in (out / "meshes").iterdir()) == ["sheet-2.obj", "sheet.obj"]


def test_a_run_that_was_killed_before_it_kept_its_meshes_keeps_them_when_it_resumes(tmp_path):
    source, out, whole = sheets(tmp_path), tmp_path / "out", tmp_path / "whole"
    assert abut("run", source / "scene.json", "-o", whole, "--quiet").returncode == 0
    assert abut("run", source / "scene.json", "-o", out, "--quiet", "--steps", 0).returncode == 0
    scene = json.loads((out / "scene.json").read_text())
    for each, file in zip(scene["objects"], ("a", "b", "a")):
        each["geometry"]["file"] = str(source / file / "sheet.obj")
    (out / "scene.json").write_text(json.dumps(scene))
    (out / "meshes" / "sheet-2.obj").unlink()
    (out / "meshes" / "sheet.obj").rename(out / "meshes" / "sheet.obj.part")
    assert abut("verify", out).returncode == 0, "as results of an earlier version"
    assert abut("resume", out, "--quiet").returncode == 0
    shutil.rmtree(source)
    assert abut("verify", out).returncode == 0
    assert digest(frame(out, 4)) == digest(frame(whole, 4))
    assert sorted(path.name for path in (out / "meshes").iterdir()) == ["sheet-2.obj", "sheet.obj"]


def test_control_c_finishes_the_step_and_returns_130(scene, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet", "--set", "time.steps=100000"],
                               stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 60
    while not frame(out, 3).exists() and time.time() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "abut resume" in errors
    assert "Good so far." in (out / "report.html").read_text()
    assert abut("verify", out).returncode == 0


def test_a_second_signal_ends_the_program_at_once(scene, tmp_path):
    """In a step that takes long: the first alone would end it and write a frame and the report."""
    large = SCENE["objects"][0] | {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2],
                                                "subdivisions": [24, 24, 24]}}
    scene.write_text(json.dumps(SCENE | {"objects": [large]}))
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--threads", "1"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    wait_for(out / "result.pvd", process)
    time.sleep(0.2)  # the first step begins
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "\n"
    assert process.stderr.readline() == "abut: finishing the step; interrupt again to end at once\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and errors == ""
    assert not (out / "report.html").exists() and not frame(out, 1).exists()
    assert abut("resume", out, "--steps", 0).returncode == 0, "what is left can be resumed"


def test_a_signal_before_the_first_step_ends_the_run_with_its_start(scene, tmp_path):
    large = SCENE["objects"][0] | {"geometry": {"generate": "tet_box", "subdivisions": [30, 30, 30]},
                                   "transform": {"translate": [0, 2, 0]}}
    scene.write_text(json.dumps(SCENE | {"objects": [large]}))
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet"], stderr=subprocess.PIPE, text=True)
    wait_for(out / "frames", process)  # which is made first
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "abut resume" in errors
    assert frame(out, 0).exists() and abut("verify", out).returncode == 0


def test_a_limit_of_file_sizes_is_an_error_of_output_and_no_signal(scene, tmp_path):
    import resource

    out, whole = tmp_path / "out", tmp_path / "whole"
    result = abut("run", scene, "-o", out,
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, 16_000)))
    assert result.returncode == 7, result.stderr
    assert "stats.jsonl: cannot write: File too large" in result.stderr
    assert frame(out, 5).exists() and not frame(out, 40).exists()
    resumed = abut("resume", out, "--quiet")
    assert resumed.returncode == 0 and resumed.stderr == "", "a line that was cut is no surprise"
    assert abut("run", scene, "-o", whole, "--quiet").returncode == 0
    assert digest(frame(out, 40)) == digest(frame(whole, 40))
    assert [line["step"] for line in statistics(out)] == list(range(1, 41))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_output_that_is_lost_is_an_error(scene, tmp_path):
    for arguments in (["run", scene, "-o", tmp_path / "out", "--steps", 2], ["--help"], ["demo"]):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 7 and "abut: " in result.stderr, arguments


@pytest.mark.parametrize("odd", ['{"step":"x"}', '{"step":1e300}', '{"step":-1}', '{"time":1}', "[]", "nonsense",
                                 '{"step":5,"time":"x"}', '{"step":5,"outcome":1}', '{"step":5,"seconds":[1]}',
                                 '{"step":5,"seconds":{"guard":""}}', '{"step":5,"forces":[1]}'])
def test_an_odd_line_of_the_statistics_is_passed_over(scene, tmp_path, odd):
    out = tmp_path / "out"
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 3).returncode == 0
    stats = out / "stats.jsonl"
    lines = stats.read_text().splitlines(True)
    stats.write_text(lines[0] + odd + "\n" + "".join(lines[1:]))
    message = f"abut: {stats}, line 2: not the statistics of a step; passed over\n"
    for command in ("info", "report", "verify", "resume"):
        options = ["--quiet", "--steps", 4] if command == "resume" else []
        result = abut(command, out, *options)
        assert (result.returncode, result.stderr) == (0, message), command
    assert [line["step"] for line in statistics(out)] == [1, 2, 3, 4], "and removed by a resume"


def test_a_run_whose_momentum_is_off_returns_1(tmp_path):
    cloth = {"geometry": {"generate": "cloth"}, "velocity": [0, -3, 0]}
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps({"format": 1, "planes": [{"point": [0, -0.2, 0], "normal": [0, 1, 0]}],
                                 "objects": [cloth], "time": {"steps": 10}}))
    for tolerance, is_off in ((0.3, True), (1e-6, False)):
        result = abut("run", scene, "-o", tmp_path / "out", "--force", "--set", f"solver.tolerance={tolerance}")
        assert result.returncode == is_off, result.stderr
        assert ("inaccurate. 10 of 10 steps; momentum balance is off by " in result.stderr) == is_off
        assert ("Good. 10 of 10" in (tmp_path / "out" / "report.html").read_text().replace("</b>", "")) != is_off

    # Whether or not anything was verified, and also where only the first part of a resumed run is off
    off = ["--set", "solver.tolerance=0.3", "--set", "verify=off"]
    result = abut("run", scene, "-o", tmp_path / "off", "--quiet", *off)
    assert result.returncode == 1 and "Inaccurate, and not verified." in result.stderr
    assert abut("run", scene, "-o", tmp_path / "good", "--quiet", "--set", "solver.tolerance=1e-6", *off[2:]).returncode == 0
    resumed = abut("resume", tmp_path / "off", "--steps", 10, "--quiet")
    assert resumed.returncode == 1 and "Inaccurate" in resumed.stderr


def test_nothing_is_overwritten_without_force(scene, tmp_path):
    out = tmp_path / "out"
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 1).returncode == 0
    before = digest(frame(out, 1))
    again = abut("run", scene, "-o", out)
    assert again.returncode == 3 and "not empty" in again.stderr
    assert digest(frame(out, 1)) == before
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 2, "--force").returncode == 0
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    for options in ([], ["--force"]):
        refused = abut("run", scene, "-o", other, *options)
        assert refused.returncode == 3
    assert (other / "thesis.tex").read_text() == "years of work"


def test_what_a_run_reads_is_never_replaced(scene, tmp_path):
    text = scene.read_text()
    for options in ([], ["--force"]):
        refused = abut("run", scene, "-o", tmp_path, *options)
        assert refused.returncode == 3 and "choose another with -o" in refused.stderr
    assert scene.read_text() == text and list(tmp_path.iterdir()) == [scene]
    # Nor results that are themselves read, their scene or a mesh among them
    out = tmp_path / "out"
    assert abut("run", scene, "-o", out, "--quiet", "--steps", 1).returncode == 0
    refused = abut("run", out / "scene.json", "-o", out, "--force")
    assert refused.returncode == 3 and f"the run reads {out / 'scene.json'}" in refused.stderr
    (out / "frames" / "point.obj").write_text("v 0 1 0\n")
    point = {"kind": "points", "geometry": {"file": str(out / "frames" / "point.obj")}}
    scene.write_text(json.dumps(SCENE | {"objects": [point]}))
    refused = abut("run", scene, "-o", out, "--force")
    assert refused.returncode == 3 and "point.obj, which is in this folder" in refused.stderr
    assert frame(out, 1).exists()


@pytest.mark.parametrize("names", [["scene.json"], ["scene.json", "frames"], ["lock"], ["lock", "thesis.tex"],
                                   ["stats.jsonl"]])
def test_force_replaces_only_what_a_run_left(scene, tmp_path, names):
    out = tmp_path / "out"
    out.mkdir()
    for name in names:
        (out / name).write_text("mine")
    refused = abut("run", scene, "-o", out, "--quiet", "--steps", 1, "--force")
    if names == ["lock"]:  # as of a run that was killed at once
        assert refused.returncode == 0, refused.stderr
    else:
        assert refused.returncode == 3 and "something else than results" in refused.stderr
        assert sorted(path.name for path in out.iterdir()) == sorted(names)
        assert all((out / name).read_text() == "mine" for name in names)


@pytest.mark.parametrize("name", ["new\nline", "a\x1b[31m", "\x7f", "x" * 5000])
def test_names_that_nothing_handles_well_are_refused(scene, tmp_path, name):
    for command in (["run", scene], ["demo", "arch", "--steps", 1]):
        refused = abut(*command, "-o", tmp_path / "deep" / name)
        assert refused.returncode == 3 and "choose" in refused.stderr
        assert not any(ord(letter) < 32 for letter in refused.stderr.rstrip("\n"))
    assert list(tmp_path.iterdir()) == [scene]


def test_two_runs_do_not_share_a_folder(scene, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet", "--set", "time.steps=100000"])
    deadline = time.time() + 60
    while not frame(out, 1).exists() and time.time() < deadline:
        time.sleep(0.01)
    second = abut("resume", out)
    process.kill()
    process.wait()
    assert second.returncode == 3
    assert re.search(r"another run \(process \d+ on .+\) is writing", second.stderr)


@pytest.mark.parametrize("change, code, words", [
    ({"time": {"dt": "x"}}, 3, "/time/dt"),
    ({"colour": 1}, 3, "/colour: unknown key"),
    ({"time": {"steps": 1e18}}, 6, "/time/steps"),
    ({"objects": []}, 3, "objects: the scene has none"),
    ({"planes": [{"point": [0, 0.1, 0]}]}, 4, "the start intersects"),
])
def test_bad_scenes_have_exit_codes_and_places(scene, tmp_path, change, code, words):
    scene.write_text(json.dumps(SCENE | change))
    result = abut("run", scene, "-o", tmp_path / "out")
    assert result.returncode == code
    assert words in result.stderr
    assert not (tmp_path / "out").exists(), "nothing is written for a scene that cannot run"


def test_a_scene_that_is_not_there_is_named(tmp_path):
    result = abut("run", tmp_path / "nowhere.json")
    assert result.returncode == 3 and "nowhere.json" in result.stderr


def test_results_that_are_none_are_named(tmp_path):
    for command in ("resume", "info", "verify", "report"):
        result = abut(command, tmp_path)
        assert result.returncode == 3 and "no results" in result.stderr


def test_shells_are_neo_hookean_with_gcp_and_the_run_says_so(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps({"format": 1, "objects": [{"geometry": {"generate": "cloth", "cells": [3, 3]}}]}))
    out = tmp_path / "out"
    said = "objects[].material.model = neo_hookean: of shells; the contact model 'gcp' lets"
    result = abut("run", scene, "-o", out, "--steps", 1, "--set", "contact.model=gcp")
    assert result.returncode == 0 and said in result.stdout, result.stderr
    values = {choice["name"]: choice["value"] for choice in json.loads((out / "choices.json").read_text())}
    assert values["objects[].material.model"] == "neo_hookean" and values["contact.dhat"] > 0
    page = (out / "report.html").read_text()
    assert "<code>objects[].material.model</code></td><td class=\"number\">neo_hookean</td>" in page
    given = ("--set", "objects.0.material.model=fixed_corotated")
    for options in (("--set", "contact.model=gcp", *given), ("--set", "contact.model=ipc")):
        result = abut("run", scene, "-o", out, "--force", "--steps", 1, *options)
        assert result.returncode == 0 and "material.model" not in result.stdout, result.stderr


def test_any_scene_runs_with_the_geometric_contact_potential(tmp_path):
    scene = pathlib.Path(__file__).parents[2] / "scenes" / "two_cubes.json"
    out = tmp_path / "out"
    arguments = ["--set", "contact.model=gcp", "--set", "verify=step", "--steps", 60]
    result = abut("run", scene, "-o", out, *arguments)
    assert result.returncode == 0, result.stderr
    assert "verified: 0 intersections, 0 inverted elements" in result.stdout
    assert "contact.stiffness = " in result.stdout and "A pair of stiffness 1 (GCP" in result.stdout
    lines = [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]
    touching = {(force["on"], force["by"]) for line in lines for force in line["forces"]}
    assert ("object0", "plane 0") in touching and len(touching) > 1, "cube on floor and cube on cube"

    # Interrupted and continued, it leaves the same bits: extents are those of the scene's start.
    parts = tmp_path / "parts"
    assert abut("run", scene, "-o", parts, *arguments[:4], "--steps", 35).returncode == 0
    assert abut("resume", parts, "--steps", 60).returncode == 0
    assert digest(frame(parts, 60)) == digest(frame(out, 60))

    refused = abut("run", scene, "-o", tmp_path / "no", *arguments, "--set", "contact.dmin=0.001")
    assert refused.returncode == 3 and "/contact/dmin: the model 'gcp' keeps no distance" in refused.stderr
