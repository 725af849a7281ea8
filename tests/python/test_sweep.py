"""abut.sweep: the table as arrays, continuing, and what it refuses."""

import json
import os
import shutil

import numpy as np
import pytest

import abut

SCENE = {"format": 1, "name": "tiny", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
         "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                      "transform": {"translate": [0, 0.102, 0]}}],
         "time": {"dt": 0.01, "steps": 12}}

needs_snakemake = pytest.mark.skipif(shutil.which("snakemake") is None and "CI" not in os.environ,
                                     reason="Snakemake is not installed, and only CI must have it")


@needs_snakemake
def test_the_table_is_a_dict_of_arrays_and_a_second_call_runs_nothing(tmp_path):
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SCENE))
    vary = [{"gravity": [0, -9.81, 0]}, {"time.dt": np.float64(0.005)}, {"solver.max_iterations": 1}]
    table = abut.sweep(path, vary, output=tmp_path / "out", collect=["max(contact_force)"])
    assert table["verdict"] == ["good", "good", "failed"] and "iteration_limit" in table["message"][2]
    np.testing.assert_array_equal(table["time.dt"], [np.nan, 0.005, np.nan])
    np.testing.assert_array_equal(table["good"], [True, True, False])
    assert table["gravity"] == ["[0, -9.81, 0]", None, None] and (table["max(contact_force)"][:2] > 0).all()
    assert (tmp_path / "out" / "results.csv").exists() and (tmp_path / "out" / "results.html").exists()
    # What was cut off is continued by this interpreter as well.
    point = tmp_path / "out" / "points" / table["folder"][0]
    (point / "report.json").unlink()
    for frame in sorted((point / "run" / "frames").iterdir())[5:]:
        frame.unlink()
    again = abut.sweep(path, vary, output=tmp_path / "out", collect=["max(contact_force)"])
    np.testing.assert_array_equal(again["max(contact_force)"], table["max(contact_force)"])
    assert list(again["resumed"]) == [True, False, False] and again["steps"][0] == 12
    assert again["wall_seconds"][1] == table["wall_seconds"][1]


def test_a_dry_run_lays_out(tmp_path):
    table = abut.sweep(abut.Scene.from_json(SCENE), {"time.dt": [0.01, 0.005]}, output=tmp_path / "out", dry_run=True)
    assert table["verdict"] == ["not_run", "not_run"] and (tmp_path / "out" / "Snakefile").exists()
    with pytest.raises(abut.InvalidInput, match="choose another with output, or replace it with force=True"):
        abut.sweep(abut.Scene.from_json(SCENE), {"time.dt": [0.01, 0.002]}, output=tmp_path / "out", dry_run=True)


def test_without_snakemake_the_error_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OSError, match="apt install snakemake"):
        abut.sweep(abut.Scene.from_json(SCENE), {"time.dt": [0.01, 0.005]}, output=tmp_path / "out")


@pytest.mark.parametrize("vary, options", [
    ({}, {}), ([], {}), ([1], {}), ({"time.steps": 3}, {}), ({"name": "abc"}, {}), ({"name": {"a": 1}}, {}), ({"contact.modl": ["ipc"]}, {}), ({"time.dt": []}, {}), ({"name": ["a/b"]}, {}),
    ({"time.dt": [0.01, 0.01]}, {}), ({"time.dt": [0.01]}, {"collect": ["max(nothing)"]}), ({"time.dt": [0.01]}, {"jobs": -1}),
    ({"time.dt": [0.01]}, {"threads": 0}), ({"time.dt": [0.01]}, {"collect": "max(contacts)"}),
    ({"time.dt": [0.01]}, {"time_limit": float("nan")})])
def test_what_cannot_be_right_is_refused(tmp_path, vary, options):
    with pytest.raises(abut.InvalidInput):
        abut.sweep(abut.Scene.from_json(SCENE), vary, output=tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_an_output_without_a_name_is_refused():
    with pytest.raises(abut.InvalidInput, match="empty name"):
        abut.sweep(abut.Scene.from_json(SCENE), {"time.dt": [0.01]}, output="")
