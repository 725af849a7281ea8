"""abut.compare: the table as arrays, continuing, and what it refuses."""

import json

import numpy as np
import pytest

import abut

SCENE = {"format": 1, "name": "tiny", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
         "objects": [{"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                      "transform": {"translate": [0, 0.102, 0]}}],
         "time": {"dt": 0.01, "steps": 12}}


def test_the_table_is_a_dict_of_arrays(tmp_path):
    scene = abut.Scene.from_json(SCENE)
    vary = {"contact.model": ["ipc", "ogc"], "time.dt": np.array([0.01, 0.005])}
    table = abut.compare(scene, vary, output=tmp_path / "out", repeat=2)
    assert table["contact.model"] == ["ipc", "ipc", "ogc", "ogc", None] and table["verdict"] == ["good"] * 5
    assert table["good"].dtype == bool and table["good"].all()
    np.testing.assert_array_equal(table["time.dt"], [0.01, 0.005, 0.01, 0.005, np.nan])
    assert table["iterations"].dtype == np.int64 and (table["iterations"] > 0).all()
    assert table["times"].shape == (12,) and table["distance"]["rms"].shape == (4, 12)
    np.testing.assert_array_equal(table["distance"]["bodies"]["cube"]["rms"], table["distance"]["rms"])
    np.testing.assert_array_equal(table["distance"]["rms"][:, -1], table["rms_at_0.12"][:4])
    assert np.isnan(table["rms_at_0.12"][4])


def test_a_list_of_dicts_is_a_variant_each_and_a_second_call_runs_nothing(tmp_path):
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(SCENE))
    vary = [{"gravity": [0, -1, 0]}, {"contact.model": "ogc"}]
    first = abut.compare(path, vary, output=tmp_path / "out", reference=False)
    assert first["contact.model"] == [None, "ogc"] and first["gravity"] == ["[0, -1, 0]", None] and "distance" not in first
    again = abut.compare(path, vary, output=tmp_path / "out", reference=False)
    np.testing.assert_array_equal(first["cpu_seconds"], again["cpu_seconds"])
    with pytest.raises(abut.InvalidInput, match="/repeat: 1 there, 2 here"):
        abut.compare(path, vary, output=tmp_path / "out", reference=False, repeat=2)


def test_a_failing_variant_is_a_row(tmp_path):
    table = abut.compare(abut.Scene.from_json(SCENE), {"solver.max_iterations": [1, 1000]}, output=tmp_path / "out",
                         reference={"time.dt": 0.005}, at=[0.12])
    assert table["verdict"] == ["failed", "good", "good"] and "iteration_limit" in table["message"][0]
    assert np.isnan(table["largest_at_0.12"][0]) and table["largest_at_0.12"][1] > 0


@pytest.mark.parametrize("vary", [{}, [], "contact.model", [1], {"contact.modl": ["ipc"]}, {"time.dt": [0.007]}, {"time.dt": []}])
def test_what_cannot_be_right_is_refused(tmp_path, vary):
    with pytest.raises(abut.InvalidInput):
        abut.compare(abut.Scene.from_json(SCENE), vary, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
