"""How runs over several processes begin, are stopped, go on and fail."""

import os
import resource
import signal
import subprocess
import time

import pytest

from runs import ENVIRONMENT, command, distance, frame, mpi, positions, records, serial, write
from test_answers import FLOOR, cube, scene_of


def test_a_run_goes_on_with_another_number_of_ranks(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 8))
    assert mpi(2, "run", path, "-o", tmp_path / "whole", "--quiet", "--no-report").returncode == 0
    out = tmp_path / "halves"
    assert mpi(2, "run", path, "-o", out, "--quiet", "--steps", "4", "--no-report").returncode == 0
    result = mpi(1, "resume", out, "--quiet", "--no-report")
    assert result.returncode == 0, result.stderr
    assert [record["step"] for record in records(out)] == list(range(1, 9))
    assert distance(positions(frame(out, 8)), positions(frame(tmp_path / "whole", 8))) < 1e-4
    assert serial("verify", out).returncode == 0


def test_what_is_wrong_is_said_once_with_the_codes_of_abut(tmp_path):
    scene = scene_of("solids with friction", 3)
    path = write(tmp_path / "wrong.json", {**scene, "tiem": {}})
    result = mpi(2, "run", path, "-o", tmp_path / "a")
    assert result.returncode == 3 and result.stderr.count("tiem") == serial("run", path, "-o", tmp_path / "b").stderr.count("tiem")
    path = write(tmp_path / "crossed.json", {**scene, "objects": [cube(0.2), cube(0.25)]})
    result = mpi(2, "run", path, "-o", tmp_path / "c")
    assert result.returncode == 4 and result.stderr.count("the start intersects") == 1
    assert (tmp_path / "c.intersections.obj").exists()
    path = write(tmp_path / "vbd.json", {**scene, "contact": {"model": "ogc"}, "solver": {"method": "vbd"}})
    result = mpi(2, "run", path, "-o", tmp_path / "d")
    assert result.returncode == 3 and "vertex block descent works on one machine" in result.stderr
    assert "newton" in result.stderr
    assert mpi(2, "run").returncode == 2


def test_earlier_results_are_not_replaced(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 2))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")
    result = mpi(2, "run", path, "-o", tmp_path / "out")
    assert result.returncode == 3 and result.stderr.count("the folder is not empty") == 1


def ranks_of(parent):
    """Processes of abut-mpi below mpirun."""
    listed = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(parent)], text=True, capture_output=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "abut-mpi" in line]


def started(tmp_path, out):
    scene = scene_of("solids with friction", 100000)
    scene["output"] = {"every": 1}
    process = subprocess.Popen(command(2, "run", write(tmp_path / "scene.json", scene), "-o", out, "--quiet"), text=True,
                               stderr=subprocess.PIPE, env={**ENVIRONMENT, "OMPI_MCA_odls_base_sigkill_timeout": "60"})
    end = time.monotonic() + 300
    while not frame(out, 2).exists():
        assert process.poll() is None and time.monotonic() < end, process.stderr.read()
        time.sleep(0.05)
    return process


def test_a_rank_that_is_killed_ends_the_run_and_leaves_whole_frames(tmp_path):
    out = tmp_path / "out"
    process = started(tmp_path, out)
    victims = ranks_of(process.pid)
    assert len(victims) == 2
    os.kill(victims[1], signal.SIGKILL)
    words = process.communicate(timeout=300)[1]
    assert process.returncode != 0
    assert "rank 1" in words and "killed" in words.lower() or "signal 9" in words
    assert serial("verify", out).returncode == 0
    done = max(int(path.stem[6:]) for path in (out / "frames").glob("*.vtu"))
    result = mpi(2, "resume", out, "--steps", str(done + 2), "--quiet", "--no-report")
    assert result.returncode == 0, result.stderr


def test_an_interrupt_ends_with_a_saved_step(tmp_path):
    out = tmp_path / "out"
    process = started(tmp_path, out)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode != 0
    last = records(out)[-1]["step"]
    assert frame(out, last).exists()
    assert serial("verify", out).returncode == 0


def test_results_that_cannot_be_written_end_all_ranks(tmp_path):
    out = tmp_path / "out"
    process = started(tmp_path, out)
    (out / "stats.jsonl").unlink()
    (out / "stats.jsonl").mkdir()
    words = process.communicate(timeout=300)[1]
    assert process.returncode == 7, words
    assert words.count("stats.jsonl: cannot write") == 1


def test_the_serial_program_goes_on_with_such_a_run(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 6))
    out = tmp_path / "out"
    assert mpi(2, "run", path, "-o", out, "--quiet", "--steps", "3", "--no-report").returncode == 0
    result = serial("resume", out, "--quiet", "--no-report")
    assert result.returncode == 0, result.stderr
    assert FLOOR and len(records(out)) == 6


def test_a_rank_that_runs_out_of_memory_says_so_and_leaves_whole_frames(tmp_path):
    # Whatever asks next finds none: Abut, PETSc or hypre.
    cloth = {"geometry": {"generate": "cloth", "size": [1, 1], "cells": [119, 119]}}
    path = write(tmp_path / "scene.json", {"format": 1, "objects": [cloth], "time": {"dt": 0.01, "steps": 100000}})
    out = tmp_path / "out"
    process = subprocess.Popen(command(2, "run", path, "-o", out, "--quiet"), text=True, stderr=subprocess.PIPE, env=ENVIRONMENT)
    end = time.monotonic() + 300
    while not frame(out, 2).exists():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.001)
    victim = ranks_of(process.pid)[1]
    resource.prlimit(victim, resource.RLIMIT_AS, (1 << 20, 1 << 20))
    words = process.communicate(timeout=300)[1]
    assert process.returncode == 6, words
    assert "rank 1: " in words and "out of memory: " in words and "the limit of" in words and "go on with 'resume'" in words
    assert serial("verify", out).returncode == 0
    done = max(int(path.stem[6:]) for path in (out / "frames").glob("*.vtu"))
    result = mpi(2, "resume", out, "--steps", str(done + 1), "--quiet", "--no-report")
    assert result.returncode == 0, result.stderr


def test_a_rank_that_is_killed_while_it_writes_loses_that_frame_alone(tmp_path):
    cloth = {"geometry": {"generate": "cloth", "size": [1, 1], "cells": [60, 60]}}
    path = write(tmp_path / "scene.json", {"format": 1, "objects": [cloth], "time": {"dt": 0.01, "steps": 100000},
                                           "output": {"pieces": 1}})
    out = tmp_path / "out"
    process = subprocess.Popen(command(2, "run", path, "-o", out, "--quiet"), text=True, stderr=subprocess.PIPE, env=ENVIRONMENT)
    end = time.monotonic() + 300
    pieces = out / "frames" / "frame_00000003"
    while not pieces.exists():
        assert process.poll() is None and time.monotonic() < end
    os.kill(ranks_of(process.pid)[1], signal.SIGKILL)
    process.communicate(timeout=300)
    assert process.returncode != 0
    # With another number of ranks, and whole frames from here on
    result = mpi(3, "resume", out, "--steps", "5", "--quiet", "--no-report", "--set", "output.pieces=0")
    assert result.returncode == 0, result.stderr
    assert serial("verify", out).returncode == 0
    assert [record["step"] for record in records(out)] == [1, 2, 3, 4, 5]


POINTS = "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "".join(f"p {k}\n" for k in (1, 2, 3))
TETRAHEDRON = ("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
               "$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n")


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("what", ["one tetrahedron", "loose points", "an obstacle alone", "without contact"])
def test_there_may_be_less_to_do_than_there_are_ranks(what, ranks, tmp_path):
    (tmp_path / "points.obj").write_text(POINTS)
    (tmp_path / "one.msh").write_text(TETRAHEDRON)
    scene = {"format": 1, "time": {"dt": 0.01, "steps": 2}, "planes": [{"point": [0, -1e-3, 0], "normal": [0, 1, 0]}]}
    tet = {"geometry": {"file": "one.msh"}}
    points = {"kind": "points", "geometry": {"file": "points.obj"}}
    scene["objects"] = {"one tetrahedron": [tet], "loose points": [points], "an obstacle alone": [{**cube(0.2), "kind": "obstacle"}],
                        "without contact": [cube(0.2)]}[what]
    if what == "without contact":
        scene["contact"] = {"model": "none"}
    path = write(tmp_path / "scene.json", scene)
    expected = serial("run", path, "-o", tmp_path / "serial", "--quiet", "--no-report")
    result = mpi(ranks, "run", path, "-o", tmp_path / "mpi", "--quiet", "--no-report")
    assert result.returncode == expected.returncode, result.stderr + expected.stderr
    assert expected.returncode in (0, 1)
    assert distance(positions(frame(tmp_path / "mpi", 2)), positions(frame(tmp_path / "serial", 2))) < 1e-6
