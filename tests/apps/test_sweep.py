"""`abut sweep`: rows, refusals before anything runs, failures as rows, kills at any moment, locks, clusters."""

import csv
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest
import slurm_stand_in

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENE = {"format": 1, "name": "tiny", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
         "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                      "transform": {"translate": [0, 0.102, 0]}}],
         "time": {"dt": 0.01, "steps": 12}}

needs_snakemake = pytest.mark.skipif(shutil.which("snakemake") is None and "CI" not in os.environ,
                                     reason="Snakemake is not installed, and only CI must have it")


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SCENE))
    return path


def command(scene, out, *options):
    return [PROGRAM, "sweep", str(scene), *(["-o", str(out)] if out else []), *(option if isinstance(option, bytes) else str(option) for option in options)]


def sweep(*arguments, **options):
    return subprocess.run(command(*arguments), text=True, capture_output=True, timeout=600, **options)


def rows(out):
    with open(out / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def records(out, row):
    lines = (out / "points" / row["folder"] / "run" / "stats.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def results(out):
    """What must be the same after any interruption: the last frame of each point, and all but times."""
    frames = {}
    for row in rows(out):
        run = out / "points" / row["folder"] / "run"
        frames[row["folder"]] = sorted((path.name, path.read_bytes()) for path in (run / "frames").iterdir())
    without = [{key: value for key, value in row.items() if "seconds" not in key and key not in ("memory", "resumed")}
               for row in rows(out)]
    return frames, without


def processes_in(folder):
    """Processes that work in a folder, or name it."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace")
                if str(folder) in words or os.readlink(entry / "cwd") == str(folder):
                    found.append(int(entry.name))
            except OSError:
                pass
    return [process for process in found if process != os.getpid()]


def wait_until(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


# --- what needs no Snakemake ---


def test_a_dry_run_lays_out_and_runs_nothing(scene, tmp_path):
    out = tmp_path / "out"
    result = sweep(scene, out, "--vary", "gravity=[0,-9.81,0],[0,-1.62,0]", "--vary", "time.dt=0.01,0.005", "--dry-run")
    assert result.returncode == 0 and "4 points" in result.stdout, result.stderr
    assert sorted(path.name for path in (out / "points").iterdir()) == [
        "01-gravity__0_-9.81_0_-time.dt_0.01", "02-gravity__0_-9.81_0_-time.dt_0.005",
        "03-gravity__0_-1.62_0_-time.dt_0.01", "04-gravity__0_-1.62_0_-time.dt_0.005"]
    assert (out / "Snakefile").exists() and not list(out.glob("points/*/run")) and not (out / "results.csv").exists()
    assert str(tmp_path) not in (out / "sweep.json").read_text() + (out / "scene.json").read_text(), "it can be moved"
    assert os.access(out / "slurm" / "status.sh", os.X_OK)


def test_all_refusals_are_named_before_anything_runs(scene, tmp_path):
    out = tmp_path / "out"
    result = sweep(scene, out, "--vary", "contact.modl=ipc,ogc", "--vary", "time.dt=0.01,-1", "--vary", "solver.tolerance=x")
    assert result.returncode == 3 and not out.exists()
    for place in ("/contact/modl", "/time/dt", "/solver/tolerance"):
        assert result.stderr.count(place) == 1, result.stderr


@pytest.mark.parametrize("vary, says", [
    ("name=a/b", "characters of a path"), ("name=..", "characters of a path"), ("name=\"a\\\\b\"", "characters of a path"),
    ("name=\"a\\nb\"", "characters of a path"), ("time.dt=0.01,0.01", "comes twice"), ("time.dt=0.01,1e-2", "are the same"),
    (b"name=\xff", "no UTF-8"), ("objects.0.geometry.file=missing.obj", "missing.obj"), ("time.dt=", "empty"), ("time.dt=0.01,,0.02", "empty")])
def test_a_value_that_cannot_be_right_is_refused(scene, tmp_path, vary, says):
    result = sweep(scene, tmp_path / "out", "--vary", vary)
    assert result.returncode == 3 and says in result.stderr and not (tmp_path / "out").exists(), result.stderr


@pytest.mark.parametrize("text, says", [
    ("", "a row of keys"), ("time.dt\n", "a row of keys"), ("time.dt\n0.01\n0.01\n", "the same as line 2"),
    ("time.dt\n0.01\n1e-2\n", "points 1 and 2 are the same"), ("time.dt,time.dt\n1,2\n", "comes twice"),
    ("time.dt;name\n0.01;a\n", "separated by commas"), ("time.dt\tname\n0.01\ta\n", "separated by commas"),
    ("time.dt\n0.01,2\n", "2 cells"), ("time.dt\n\"0.01\n", "do not end"), ("a=b\n1\n", "is no key")])
def test_a_table_that_cannot_be_right_is_refused(scene, tmp_path, text, says):
    table = tmp_path / "runs.csv"
    table.write_text(text)
    result = sweep(scene, tmp_path / "out", "--table", table)
    assert result.returncode == 3 and says in result.stderr and not (tmp_path / "out").exists(), result.stderr


@pytest.mark.parametrize("collect, says", [
    ("max", "expected FUNCTION"), ("max(", "expected FUNCTION"), ("max()", "expected FUNCTION"), ("(contacts)", "expected FUNCTION"),
    ("maxi(contacts)", "did you mean 'max'"), ("max(contact_forse)", "did you mean 'contact_force'"),
    ("max(force:cube-ball)", "no such bodies"), ("nonsense(contacts)", "max, min, mean")])
def test_an_observable_that_cannot_be_right_is_refused(scene, tmp_path, collect, says):
    result = sweep(scene, tmp_path / "out", "--vary", "time.dt=0.01,0.02", "--collect", collect)
    assert result.returncode == 3 and says in result.stderr and not (tmp_path / "out").exists(), result.stderr


@pytest.mark.parametrize("options", [[], ["--vary", "a"], ["--vary", "=1"], ["--vary", "a=1", "--table", "x.csv"],
                                     ["--vary", "a=1", "--jobs", "0"], ["--vary", "a=1", "--threads", "0"],
                                     ["--vary", "a=1", "--group", "0"], ["--vary", "a=1", "--time-limit", "-1"],
                                     ["--vary", "a=1", "--set", "b"]])
def test_wrong_options_are_bad_usage(scene, tmp_path, options):
    assert sweep(scene, tmp_path / "out", *options).returncode == 2


def test_a_setting_of_a_key_that_varies_is_refused(scene, tmp_path):
    result = sweep(scene, tmp_path / "out", "--vary", "time.dt=0.01,0.02", "--set", "time.dt=0.03")
    assert result.returncode == 3 and "time.dt varies" in result.stderr and not (tmp_path / "out").exists(), result.stderr
    # In a table it counts where a cell is empty.
    table = tmp_path / "runs.csv"
    table.write_text("time.dt,time.steps\n0.01,1\n,2\n")
    assert sweep(scene, tmp_path / "out", "--table", table, "--set", "time.dt=0.03", "--dry-run").returncode == 0


def test_a_folder_that_is_no_sweep_is_told_from_a_scene(tmp_path):
    result = sweep(tmp_path, None)
    assert result.returncode == 3 and "no folder of a sweep" in result.stderr, result.stderr


def test_another_sweep_in_the_folder_is_refused_and_replaced_by_force(scene, tmp_path):
    out = tmp_path / "out"
    assert sweep(scene, out, "--vary", "time.dt=0.01,0.02", "--dry-run").returncode == 0
    result = sweep(scene, out, "--vary", "time.dt=0.01,0.03", "--dry-run")
    assert result.returncode == 3 and "/points/1" in result.stderr and "0.03" in result.stderr, result.stderr
    scene.write_text(json.dumps({**SCENE, "gravity": [0, -1, 0]}))  # a scene that changed meanwhile
    result = sweep(scene, out, "--vary", "time.dt=0.01,0.02", "--dry-run")
    assert result.returncode == 3 and "/scene/gravity" in result.stderr, result.stderr
    assert sweep(scene, out, "--vary", "time.dt=0.01,0.03", "--dry-run", "--force").returncode == 0
    # How points are run is no other sweep.
    assert sweep(scene, out, "--vary", "time.dt=0.01,0.03", "--dry-run", "--group", 2, "--threads", 2).returncode == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    result = sweep(scene, tmp_path / "other", "--vary", "time.dt=0.01,0.02", "--dry-run", "--force")
    assert result.returncode == 3 and [path.name for path in (tmp_path / "other").iterdir()] == ["thesis.tex"]


def test_a_folder_that_cannot_be_written_is_an_error(scene):
    result = sweep(scene, "/proc/sweep", "--vary", "time.dt=0.01,0.02")
    assert result.returncode == 7 and "cannot create the folder" in result.stderr, result.stderr


def test_without_snakemake_the_error_says_how_to_install_it(scene, tmp_path):
    result = sweep(scene, tmp_path / "out", "--vary", "time.dt=0.01,0.02", env={**os.environ, "PATH": str(tmp_path)})
    assert result.returncode == 7 and "apt install snakemake" in result.stderr, result.stderr


# --- runs ---


@needs_snakemake
def test_every_point_is_a_row_with_what_was_collected(scene, tmp_path):
    out = tmp_path / "out"
    options = ["--vary", "gravity=[0,-9.81,0],[0,-4,0]", "--vary", "time.dt=0.01,0.005", "--collect", "max(contact_force)",
               "--collect", "last(energy:kinetic)", "--collect", "max(force:plane 0-cube)", "--collect", "mean(contacts)"]
    result = sweep(scene, out, *options)
    assert result.returncode == 0, result.stderr
    table = rows(out)
    assert [(row["point"], row["gravity"], row["time.dt"]) for row in table] == [
        ("1", "[0,-9.81,0]", "0.01"), ("2", "[0,-9.81,0]", "0.005"), ("3", "[0,-4,0]", "0.01"), ("4", "[0,-4,0]", "0.005")]
    assert all(row["verdict"] == "good" and row["good"] == "true" and row["message"] == "" for row in table)
    for row in table:
        lines = records(out, row)
        assert [line["step"] for line in lines] == list(range(1, 13)) and row["steps"] == "12"
        forces = [sum(sum((c + f)**2 for c, f in zip(force["contact"], force["friction"]))**0.5 for force in line["forces"])
                  for line in lines]
        assert float(row["max(contact_force)"]) == pytest.approx(max(forces), rel=1e-12) and max(forces) > 0
        assert float(row["max(force:plane 0-cube)"]) == pytest.approx(max(forces), rel=1e-12)
        assert float(row["last(energy:kinetic)"]) == lines[-1]["energy"]["kinetic"]
        assert float(row["mean(contacts)"]) == pytest.approx(sum(line["contacts"] for line in lines) / 12)
        assert float(row["wall_seconds"]) > 0
    page = (out / "results.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "") and page.count("data:image/png;base64,") == 4
    assert page.count("<svg") == 5, "four observables and the time, against time.dt"
    # A second call runs nothing; other observables need no run either.
    times = {path: path.stat().st_mtime_ns for path in out.glob("points/*/report.json")}
    again = sweep(scene, out, *options[:4], "--collect", "min(contacts)")
    assert again.returncode == 0 and "min(contacts)" in rows(out)[0], again.stderr
    assert times == {path: path.stat().st_mtime_ns for path in out.glob("points/*/report.json")}


@needs_snakemake
def test_points_that_fail_are_rows_with_their_message(scene, tmp_path):
    out, table = tmp_path / "out", tmp_path / "runs.csv"
    # A byte order mark, line ends of Windows, blank lines, spaces, quotes, letters beyond ASCII
    table.write_bytes("\ufeffname, solver.max_iterations ,objects.0.transform.translate\r\n\r\nfine,,\r\n"
                      "\"fails, ünd \"\"how\"\"\",1,\r\n\r\nintersects,,\"[0, -0.05, 0]\"\r\n'-3',,\r\n".encode())
    result = sweep(scene, out, "--table", table)
    assert result.returncode == 1, result.stderr
    fine, fails, intersects, last = rows(out)
    assert fine["verdict"] == last["verdict"] == "good" and last["name"] == "'-3'"
    assert fails["name"] == "fails, ünd \"how\"" and fails["verdict"] == "failed" and "iteration_limit" in fails["message"]
    assert intersects["verdict"] == "not_started" and intersects["message"] and intersects["steps"] == "0"
    assert "2 of 4 points are good" in result.stdout
    # Failures are results: they are not tried again.
    times = {path: path.stat().st_mtime_ns for path in out.glob("points/*/report.json")}
    assert sweep(scene, out, "--table", table).returncode == 1
    assert times == {path: path.stat().st_mtime_ns for path in out.glob("points/*/report.json")}


@needs_snakemake
def test_a_run_that_takes_too_long_is_a_row_and_a_longer_limit_continues_it(scene, tmp_path):
    out = tmp_path / "out"
    options = ["--vary", "name=a,b", "--set", "time.steps=1000000", "--jobs", 2, "--group", 1]
    assert sweep(scene, out, *options, "--time-limit", 3).returncode == 1
    first = rows(out)
    assert all(row["verdict"] == "time_limit" and "--time-limit" in row["message"] and row["good"] == "false" for row in first)
    assert sweep(scene, out, *options, "--time-limit", 2).returncode == 1
    assert rows(out) == first, "a shorter limit changes nothing"
    assert sweep(scene, out, *options, "--time-limit", 5).returncode == 1
    for before, after in zip(first, rows(out)):
        steps = int(after["steps"])
        assert after["verdict"] == "time_limit" and after["message"] != before["message"]
        assert int(before["steps"]) == 0 or after["resumed"] == "true"
        assert steps == 0 or [line["step"] for line in records(out, after)] == list(range(1, steps + 1))


@needs_snakemake
def test_a_run_that_is_killed_or_crashes_is_a_row(scene, tmp_path):
    out = tmp_path / "out"
    options = ["--vary", "time.steps=100000", "--vary", "name=a,b", "--jobs", 2, "--group", 1]
    process = subprocess.Popen(command(scene, out, *options), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_of(name):
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if len(words) > 2 and words[1] in (b"run", b"resume") and f"name={name}".encode() in words:
                    return int(entry.name)
        return None

    def has_begun():
        points = list(out.glob("points/*"))
        return len(points) == 2 and all(len(list(point.glob("run/frames/*.vtu"))) > 2 for point in points)

    wait_until(lambda: has_begun() and run_of("a") and run_of("b"))
    os.kill(run_of("a"), signal.SIGABRT)  # which sanitizers leave alone
    os.kill(run_of("b"), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 1, stderr
    crashed, killed = rows(out)
    assert crashed["verdict"] == "crashed" and "signal 6" in crashed["message"]
    assert killed["verdict"] == "crashed" and "signal 9" in killed["message"] and "1 points did not come to their end" in stderr
    # A crash is a result; what was killed from outside is continued.
    again = subprocess.Popen(command(scene, out, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: any(b"resume" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() for pid in processes_in(out)
                           if pathlib.Path(f"/proc/{pid}").exists()))
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=300)
    assert again.returncode == 130 and rows(out)[0]["message"] == crashed["message"] and rows(out)[1]["verdict"] == "not_run"


def kill_tree(process, how):
    """Kills the sweep, or some process of it, at this moment."""
    if how == "driver":
        process.kill()
    elif how == "interrupt":
        process.send_signal(signal.SIGINT)
    else:  # the group of Snakemake with all of its jobs, or Snakemake alone
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], text=True, capture_output=True).stdout.split()
        for child in children:
            try:
                os.killpg(int(child), signal.SIGKILL) if how == "group" else os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass
    process.wait(timeout=300)


def run_with_kills(scene, out, options, kills, seed, most_points):
    """Kills the same sweep at random moments, then lets it end. Returns how many points had ended at each kill."""
    rng = random.Random(seed)
    done = [0]
    ended = {}  # when each point ended
    for _ in range(kills):
        process = subprocess.Popen(command(scene, out, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        target = done[-1] + rng.randrange(most_points + 1)
        wait_until(lambda: len(list(out.glob("points/*/report.json"))) >= target or process.poll() is not None)
        time.sleep(rng.uniform(0, 0.4))
        kill_tree(process, rng.choice(["driver", "driver", "group", "snakemake", "interrupt"]))
        done.append(len(list(out.glob("points/*/report.json"))))
        ended |= {path: path.stat().st_mtime_ns for path in out.glob("points/*/report.json")
                  if path not in ended and json.loads(path.read_text())["good"]}
    result = sweep(scene, out, *options)
    assert result.returncode == 0, result.stderr
    assert all(path.stat().st_mtime_ns == time for path, time in ended.items()), "no point was run again"
    assert not list(out.glob("*.tmp-*"))
    return done


@needs_snakemake
def test_a_sweep_that_is_killed_again_and_again_ends_with_the_same_bits(scene, tmp_path):
    options = ["--vary", "gravity=" + ",".join(f"[0,-{k},0]" for k in range(1, 13)), "--collect", "max(contact_force)"]
    assert sweep(scene, tmp_path / "whole", *options).returncode == 0
    done = run_with_kills(scene, tmp_path / "killed", options, 6, seed=1, most_points=2)
    assert results(tmp_path / "whole") == results(tmp_path / "killed"), done


@needs_snakemake
@pytest.mark.long
def test_two_hundred_points_killed_ten_times_none_lost_none_doubled(scene, tmp_path):
    options = ["--vary", "gravity=" + ",".join(f"[0,-{k / 10},0]" for k in range(1, 201)), "--collect", "max(contact_force)"]
    assert sweep(scene, tmp_path / "whole", *options).returncode == 0
    done = run_with_kills(scene, tmp_path / "killed", options, 10, seed=2, most_points=25)
    assert len(set(done)) > 5, f"the kills came between the points: {done}"
    assert len(rows(tmp_path / "killed")) == len({row["folder"] for row in rows(tmp_path / "killed")}) == 200
    for row in rows(tmp_path / "killed"):
        assert [line["step"] for line in records(tmp_path / "killed", row)] == list(range(1, 13))
    assert results(tmp_path / "whole") == results(tmp_path / "killed"), done


@needs_snakemake
def test_a_second_sweep_on_the_folder_is_refused_and_says_whose_it_is(scene, tmp_path):
    out = tmp_path / "out"
    options = ["--vary", "time.steps=100000", "--vary", "name=a,b"]
    processes = [subprocess.Popen(command(scene, out, *options), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                 for _ in range(2)]  # in the same moment: one of them comes first
    wait_until(lambda: any(process.poll() is not None for process in processes))
    first, second = sorted(processes, key=lambda process: process.poll() is not None)
    _, stderr = second.communicate(timeout=300)
    assert second.returncode == 3 and f"process {first.pid} on {os.uname().nodename}" in stderr, stderr
    # Snakemake by hand is refused as well.
    wait_until(lambda: list(out.glob("points/*/run/frames")))
    (out / ".snakemake" / "locks").exists() and shutil.rmtree(out / ".snakemake" / "locks")
    by_hand = subprocess.run(["snakemake", "--cores", "1"], cwd=out, text=True, capture_output=True, timeout=300)
    assert by_hand.returncode != 0 and f"process {first.pid} on" in by_hand.stderr, by_hand.stderr
    first.send_signal(signal.SIGINT)
    _, stderr = first.communicate(timeout=300)
    assert first.returncode == 130 and "the same command continues" in stderr
    wait_until(lambda: not processes_in(out))


@needs_snakemake
def test_a_folder_is_moved_and_continued_with_its_meshes(scene, tmp_path):
    # Two surfaces; the points name them relative to the scene.
    for name, size in (("a", 0.1), ("b", 0.2)):
        (tmp_path / f"{name}.obj").write_text(f"v 0 0 0\nv {size} 0 0\nv 0 0 {size}\nf 1 3 2\n")
    shell = {**SCENE, "objects": [{"name": "sheet", "kind": "shell", "geometry": {"file": "a.obj"},
                                   "transform": {"translate": [0, 1, 0]}}]}
    scene.write_text(json.dumps(shell))
    table = tmp_path / "runs.csv"
    table.write_text("objects.0.geometry.file,gravity\n,\nb.obj,\na.obj,\"[0, -1, 0]\"\n")
    out, elsewhere = tmp_path / "out", tmp_path / "a folder, with {braces} 'quotes' and ünicode"
    result = sweep(scene, out, "--table", table, "--dry-run")
    assert result.returncode == 0, result.stderr
    out.rename(elsewhere)
    for path in tmp_path.glob("*.obj"):
        path.unlink()
    scene.unlink()
    result = sweep(elsewhere, None)
    assert result.returncode == 0, result.stderr
    assert [row["verdict"] for row in rows(elsewhere)] == ["good"] * 3
    scenes = [json.loads((elsewhere / "points" / row["folder"] / "run" / "scene.json").read_text()) for row in rows(elsewhere)]
    sizes = [(elsewhere / "points" / row["folder"] / "run" / each["objects"][0]["geometry"]["file"]).read_text().split()[5]
             for row, each in zip(rows(elsewhere), scenes)]
    assert sizes == ["0.1", "0.2", "0.1"]
    assert sweep(elsewhere, None, "--vary", "time.dt=0.01").returncode == 2


@needs_snakemake
def test_results_that_were_removed_or_damaged_are_made_again(scene, tmp_path):
    out = tmp_path / "out"
    options = ["--vary", "name=a,b,c,d"]
    assert sweep(scene, out, *options).returncode == 0
    whole = results(out)
    points = sorted((out / "points").iterdir())
    shutil.rmtree(points[0] / "run")
    (points[1] / "report.json").write_text("{\"verd")
    shutil.rmtree(points[2])
    (points[3] / "report.json").unlink()
    frame = sorted((points[3] / "run" / "frames").iterdir())[-1]
    frame.write_bytes(frame.read_bytes()[:100])
    (out / "results.csv.tmp-1-1").write_text("half")  # as of one that was killed while it wrote
    assert sweep(scene, out, *options).returncode == 0
    assert results(out) == whole and not list(out.glob("*.tmp-*"))


@needs_snakemake
def test_a_full_disk_is_an_error_and_the_sweep_can_be_continued(scene, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk], capture_output=True).returncode != 0:
        pytest.skip("no right to mount a small disk here")
    try:
        options = ["--vary", "gravity=" + ",".join(f"[0,-{k},0]" for k in range(1, 13)), "--jobs", 1, "--group", 4]
        result = sweep(scene, disk / "out", *options)
        assert result.returncode == 7 and result.stderr, result.stdout
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        result = sweep(scene, disk / "out", *options)
        assert result.returncode == 0, result.stderr
        assert sweep(scene, tmp_path / "whole", *options).returncode == 0
        assert results(disk / "out") == results(tmp_path / "whole")
    finally:
        subprocess.run(["umount", "-l", disk], check=False)


# --- clusters ---


@pytest.fixture
def slurm(tmp_path):
    """A PATH with a stand-in for Slurm, and the folder of its states."""
    environment, state = slurm_stand_in.install(tmp_path)
    return {**environment, "ABUT": PROGRAM}, state


@needs_snakemake
def test_slurm_runs_the_same_snakefile(scene, tmp_path, slurm):
    environment, state = slurm
    out = tmp_path / "out"
    options = ["--vary", "gravity=" + ",".join(f"[0,-{k},0]" for k in range(1, 7)), "--group", 3, "--threads", 2]
    assert sweep(scene, out, *options, "--dry-run").returncode == 0
    result = sweep(out, None, "--group", 3, "--profile", out / "slurm", env=environment)
    assert result.returncode == 0, result.stderr
    assert [row["verdict"] for row in rows(out)] == ["good"] * 6
    asked = [path.read_text() for path in sorted(state.glob("*.options"))]
    assert len(asked) == 2 and all("--cpus-per-task=2" in text and "--time=120" in text and "--mem=4000" in text for text in asked)
    assert len(list((out / "slurm" / "log").iterdir())) == 2


@needs_snakemake
def test_the_script_for_sbatch_runs_the_sweep_as_a_job_of_its_own(scene, tmp_path, slurm):
    environment, state = slurm
    out = tmp_path / "out"
    assert sweep(scene, out, "--vary", "name=a,b", "--group", 1, "--dry-run").returncode == 0
    subprocess.run(["sbatch", "slurm/submit.sh"], cwd=out, env=environment, check=True, capture_output=True)
    wait_until(lambda: (state / "1.state").exists())
    assert (state / "1.state").read_text() == "COMPLETED", (out / "slurm-1.out").read_text()
    assert [row["verdict"] for row in rows(out)] == ["good"] * 2 and len(list(state.glob("*.options"))) >= 2


@needs_snakemake
def test_an_interrupt_cancels_the_jobs_of_the_cluster(scene, tmp_path, slurm):
    environment, state = slurm
    out = tmp_path / "out"
    assert sweep(scene, out, "--vary", "name=a,b", "--set", "time.steps=1000000", "--group", 1, "--dry-run").returncode == 0
    process = subprocess.Popen(command(out, None, "--group", 1, "--profile", out / "slurm"), env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: len(list(out.glob("points/*/run/frames"))) == 2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == 130, stderr
    assert sorted((state / "cancelled").read_text().split()) == ["1", "2"]
    wait_until(lambda: not processes_in(out))


@needs_snakemake
def test_snakemake_by_hand_leaves_points_that_the_program_gathers(scene, tmp_path):
    out = tmp_path / "out"
    assert sweep(scene, out, "--vary", "name=a,b", "--dry-run").returncode == 0
    subprocess.run(["snakemake", "--cores", "all", "--rerun-triggers", "mtime", "--rerun-incomplete", "--keep-going"], cwd=out,
                   check=True, capture_output=True, timeout=300)
    result = sweep(out, None, env={**os.environ, "PATH": str(tmp_path)})  # without Snakemake: there is nothing to run
    assert result.returncode == 0 and [row["verdict"] for row in rows(out)] == ["good"] * 2, result.stderr
