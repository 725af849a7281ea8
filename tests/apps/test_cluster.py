"""The Slurm script of docs/cluster.md, by a stand-in for Slurm. It runs abut-mpi where $ABUT_MPI_PROGRAM names it, else abut
as a run of one process."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest
import slurm_stand_in

PROGRAM = os.environ["ABUT_PROGRAM"]
MPI_PROGRAM = os.environ.get("ABUT_MPI_PROGRAM", "")
PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "cluster.md"
SCENE = {"format": 1, "name": "tiny", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
         "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
                      "transform": {"translate": [0, 0.102, 0]}}],
         "time": {"dt": 0.01, "steps": 60}}


def script_of_the_page():
    return re.search(r"<!-- file: abut-mpi\.sh -->\n```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[1]


@pytest.fixture
def cluster(tmp_path):
    """A folder with the script and a scene, the environment of a cluster, and the folder of its states."""
    work = tmp_path / "work folder"
    work.mkdir()
    (work / "abut-mpi.sh").write_text(script_of_the_page())
    (work / "scene.json").write_text(json.dumps(SCENE))
    mpirun = ["mpirun", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
    environment, state = slurm_stand_in.install(
        tmp_path, {"abut-mpi": MPI_PROGRAM or PROGRAM}, mpirun if MPI_PROGRAM else [])
    return work, environment, state


def submit(cluster, *words, until=None):
    """Submits the script, waits until the job is over, and returns its exit code and what it wrote. `until`: the file that
    ends its time."""
    work, environment, state = cluster
    if until is not None:
        environment = environment | {"STAND_IN_UNTIL": str(until)}
    result = subprocess.run(["sbatch", *words], cwd=work, env=environment, text=True, capture_output=True, timeout=60)
    if result.returncode != 0:
        return result.returncode, result.stderr
    number = result.stdout.split()[-1]
    end = time.monotonic() + 300
    while not (state / f"{number}.state").exists():
        assert time.monotonic() < end, "the job takes too long"
        time.sleep(0.02)
    return int((state / f"{number}.code").read_text()), (work / f"abut-{number}.txt").read_text()


def digest(work, out, step):
    return hashlib.sha256((work / out / "frames" / f"frame_{step:08d}.vtu").read_bytes()).hexdigest()


def steps_of(work, out):
    path = work / out / "stats.jsonl"
    return [json.loads(line)["step"] for line in path.read_text().splitlines()] if path.exists() else []


def test_the_script_runs_a_scene_with_the_options_it_asks_for(cluster):
    work, _, state = cluster
    code, text = submit(cluster, "--ntasks=2", "abut-mpi.sh", "scene.json", "out")
    assert code == 0, text
    assert steps_of(work, "out") == list(range(1, 61))
    options = (state / "1.options").read_text().split()
    assert "--ntasks=2" in options and "--signal=TERM@300" in options and "--mem-per-cpu=2G" in options
    assert len(list((state / "1.job").glob("step-*"))) == 1, "srun started one step"
    assert subprocess.run([PROGRAM, "verify", work / "out"], capture_output=True, timeout=120).returncode == 0


def test_a_job_that_reaches_its_time_goes_on_when_it_is_submitted_again(cluster):
    work, _, _ = cluster
    def set_steps(path, steps):
        scene = json.loads(path.read_text())
        path.write_text(json.dumps(scene | {"time": scene["time"] | {"steps": steps}}))

    set_steps(work / "scene.json", 1_000_000)  # it ends by the limit of time
    words = ["--ntasks=1", "abut-mpi.sh", "scene.json"]
    for step in (20, 60):
        code, text = submit(cluster, *words, "out", until=work / "out" / "frames" / f"frame_{step:08d}.vtu")
        assert code == 130, text
        done = steps_of(work, "out")
        assert done[-1] >= step
        assert (work / "out" / "frames" / f"frame_{done[-1]:08d}.vtu").exists(), "its last state is a frame"
    last = done[-1] + 20
    set_steps(work / "out" / "scene.json", last)
    code, text = submit(cluster, *words, "out")
    assert code == 0, text
    assert steps_of(work, "out") == list(range(1, last + 1)), "no step is lost or doubled"
    set_steps(work / "scene.json", last)
    code, text = submit(cluster, *words, "whole")
    assert code == 0, text
    assert digest(work, "out", last) == digest(work, "whole", last)


def test_the_stand_in_refuses_what_slurm_refuses(cluster):
    work, _, _ = cluster
    (work / "wrong.sh").write_text("#!/bin/sh\n#SBATCH --tasks-in-all=2\ntrue\n")
    code, text = submit(cluster, "wrong.sh")
    assert code != 0 and "unrecognized option '--tasks-in-all'" in text
    (work / "bare.sh").write_text("true\n")
    code, text = submit(cluster, "bare.sh")
    assert code != 0 and "does not look like a batch script" in text
    (work / "late.sh").write_text("#!/bin/sh\n#SBATCH --output=abut-%j.txt\ntrue\n#SBATCH --ntasks=7\nexit $SLURM_NTASKS\n")
    assert submit(cluster, "late.sh")[0] == 1, "options behind the first command do not count"


def test_a_run_that_fails_is_a_job_that_fails(cluster):
    work, _, _ = cluster
    (work / "scene.json").write_text(json.dumps(SCENE | {"planes": [{"point": [0, 0.05, 0], "normal": [0, 1, 0]}]}))
    code, text = submit(cluster, "--ntasks=1", "abut-mpi.sh", "scene.json", "out")
    assert code == 4 and "intersect" in text, text
    shutil.rmtree(work / "out", ignore_errors=True)
