"""Loads through the program: what is wrong is said with place and cure, what is filtered is counted, results verify and resume."""

import json
import os
import subprocess

PROGRAM = os.environ["ABUT_PROGRAM"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=300)


def write(folder, scene):
    path = folder / "scene.json"
    path.write_text(json.dumps({"format": 1, "time": {"dt": 0.01, "steps": 6}, **scene}))
    return path


def sewn(gap):
    sheet = {"generate": "cloth", "size": [0.4, 0.4], "cells": [4, 4]}
    return {
        "objects": [
            {"name": "left", "geometry": sheet, "transform": {"translate": [-0.2 - gap / 2, 0, 0]},
             "fix": {"box": {"max": [-0.39, 1, 1]}}},
            {"name": "right", "geometry": sheet, "transform": {"translate": [0.2 + gap / 2, 0, 0]}}],
        "stitches": [{"objects": ["left", "right"], "nearest": 0.05, "stiffness": 100}]}


def test_pressure_in_an_open_surface_is_an_error_with_place_and_cure(tmp_path):
    scene = write(tmp_path, {"objects": [{"name": "cup", "geometry": {"generate": "revolved"}, "pressure": {"value": 10}}]})
    result = run("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 3
    assert "objects[0].pressure: of 'cup' the surface is open: 64 of its edges belong to one triangle only" in result.stderr
    assert "fill the holes" in result.stderr


def test_stitches_are_counted_and_their_results_verify_and_resume(tmp_path):
    scene = write(tmp_path, sewn(0))
    whole = run("run", scene, "-o", tmp_path / "whole", "--set", "verify=step")
    assert whole.returncode == 0, whole.stderr
    assert "stitches = " in whole.stdout + whole.stderr
    assert "pairs of elements that 5 stitches make neighbours" in whole.stdout + whole.stderr
    assert run("verify", tmp_path / "whole").returncode == 0
    part = run("run", scene, "-o", tmp_path / "part", "--steps", "3", "--set", "verify=step")
    assert part.returncode == 0, part.stderr
    assert run("resume", tmp_path / "part", "--set", "time.steps=6").returncode == 0
    last = sorted(path.name for path in (tmp_path / "whole" / "frames").iterdir())[-1]
    assert (tmp_path / "part" / "frames" / last).read_bytes() == (tmp_path / "whole" / "frames" / last).read_bytes()


def test_stitches_through_an_obstacle_are_an_error(tmp_path):
    scene = sewn(0.03)
    scene["objects"].append({"name": "wall", "kind": "obstacle", "geometry": {"generate": "box", "size": [0.01, 1, 1]}})
    result = run("run", write(tmp_path, scene), "-o", tmp_path / "out")
    assert result.returncode == 3
    assert "/stitches/0: the stitch from" in result.stderr
    assert "goes through the obstacle 'wall'; place the objects" in result.stderr


def test_damping_and_air_are_a_column_of_the_statistics(tmp_path):
    scene = write(tmp_path, {"objects": [{
        "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]}, "velocity": [1, 0, 0],
        "damping": {"mass": 3}, "drag": {}}]})
    result = run("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "stats.jsonl").read_text().splitlines()]
    assert all(line["energy"]["damping_loss"] > 0 for line in lines)
    assert all(line["momentum_defect"] < 1e-6 for line in lines)
