"""Quantities of runs over time: as pictures and tables."""

import csv
import json
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SVG = "{http://www.w3.org/2000/svg}"


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60, **options)


def simulate(folder, name, steps):
    cube = {"name": name, "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [0, 0.11, 0]}}
    scene = {"format": 1, "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}], "objects": [cube], "time": {"dt": 0.01, "steps": steps}}
    (folder / "scene.json").write_text(json.dumps(scene))
    assert abut("run", folder / "scene.json", "-o", folder / "out", "--quiet").returncode == 0
    return folder / "out"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return simulate(tmp_path_factory.mktemp("plot"), 'a <b>, "c"', 20)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return simulate(tmp_path_factory.mktemp("other"), "cube", 30)


def records(run):
    return [json.loads(line) for line in (run / "stats.jsonl").read_text().splitlines()]


def table(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def texts(path):
    return [node.text for node in xml.etree.ElementTree.parse(path).iter(f"{SVG}text")]


def lines(path):
    return list(xml.etree.ElementTree.parse(path).iter(f"{SVG}polyline"))


def test_a_table_has_the_numbers_of_the_run(run, tmp_path):
    pair = 'force:a <b>, "c"-plane 0'
    result = abut("plot", run, "--what", "energy:kinetic,contacts,smallest_distance,residual,seconds:guard,momentum:y", "--what", pair,
                  "-o", tmp_path / "a.csv")
    assert result.returncode == 0, result.stderr
    assert f"7 quantities of 1 run: {tmp_path / 'a.csv'}" in result.stdout
    header, *rows = table(tmp_path / "a.csv")
    assert header == ["step", "time [s]", "energy:kinetic [J]", "contacts", "smallest_distance [m]", "residual [N]",
                      "seconds:guard [s]", "momentum:y [kg m/s]", f"{pair} [N]"]
    assert len(rows) == 20
    touched = 0
    for row, record in zip(rows, records(run)):
        assert [int(row[0]), float(row[1]), float(row[2]), int(row[3])] == [
            record["step"], record["time"], record["energy"]["kinetic"], record["contacts"]]
        assert row[4] == "" if record["smallest_distance"] is None else float(row[4]) == record["smallest_distance"]
        assert float(row[5]) == record["residual"] and float(row[6]) == record["seconds"]["guard"]
        assert float(row[7]) == record["momentum"][1]
        force = [sum(parts) for parts in zip(*(f[k] for f in record["forces"] for k in ("contact", "friction")))] or [0]
        touched += bool(record["forces"])
        assert float(row[8]) == pytest.approx(sum(x * x for x in force) ** 0.5)
    assert 0 < touched < 20


def test_pictures_have_titles_with_units_and_a_line_for_each_quantity(run, tmp_path):
    assert abut("plot", run, "-o", tmp_path / "a.svg").returncode == 0
    assert "Energies [J]" in texts(tmp_path / "a.svg") and "time [s]" in texts(tmp_path / "a.svg")
    assert abut("plot", run, "--what", "contacts,iterations,forces,momentum:x,momentum:y", "-o", tmp_path / "b.svg").returncode == 0
    found = texts(tmp_path / "b.svg")
    for title in ("Contacts", "Newton iterations of each step", 'Force between a <b>, "c" and plane 0 [N]', "Momentum [kg m/s]"):
        assert title in found, found
    assert "momentum along x" in found, "two lines share an axis and have a legend"
    panels = xml.etree.ElementTree.parse(tmp_path / "b.svg").getroot().findall(f"{SVG}svg")
    tops, heights = [int(panel.get("y")) for panel in panels], [int(panel.get("height")) for panel in panels]
    assert len(panels) == 4 and tops == [sum(heights[:k]) for k in range(4)], "one below the other"


def test_several_runs_are_drawn_over_each_other(run, other, tmp_path):
    result = abut("plot", run, other, "--what", "energy:kinetic", "-o", tmp_path / "a.svg")
    assert result.returncode == 0 and "1 quantity of 2 runs" in result.stdout
    names = [f"{folder.parent.name}/out" for folder in (run, other)]
    assert set(names) <= set(texts(tmp_path / "a.svg")), "folders of the same name are told apart by their parents"
    assert abut("plot", run, other, "--what", "contacts,force:cube-plane 0", "-o", tmp_path / "a.csv").returncode == 0
    header, *rows = table(tmp_path / "a.csv")
    assert header[:3] == ["run", "step", "time [s]"]
    assert [row[0] for row in rows] == names[:1] * 20 + names[1:] * 30
    assert all(float(row[4]) == 0 for row in rows[:20]) and any(float(row[4]) > 0 for row in rows[20:])
    assert abut("plot", run, other).returncode == 2, "where would it go?"


def test_the_list_has_every_name_that_can_be_drawn(run, tmp_path):
    result = abut("plot", run, "--list")
    assert result.returncode == 0
    names = [re.split(r"\s{2,}", line)[0] for line in result.stdout.splitlines()]
    assert {"energies", "iterations", "contacts", "smallest_distance", "momentum", "residual", "seconds:factorize",
            'force:a <b>, "c"-plane 0'} <= set(names)
    for k, name in enumerate(names):
        drawn = abut("plot", run, "--what", name, "-o", tmp_path / f"{k}.csv")
        assert drawn.returncode == 0, (name, drawn.stderr)


def test_powers_of_ten(run, tmp_path):
    assert abut("plot", run, "--what", "residual", "--log", "-o", tmp_path / "a.svg").returncode == 0
    assert abut("plot", run, "--what", "residual", "-o", tmp_path / "b.svg").returncode == 0
    assert lines(tmp_path / "a.svg")[-1].get("points") != lines(tmp_path / "b.svg")[-1].get("points")
    result = abut("plot", run, "--what", "script_lag", "--log", "-o", tmp_path / "c.svg")
    assert result.returncode == 3 and "leave --log out" in result.stderr and not (tmp_path / "c.svg").exists()


def test_the_usual_place_is_replaced_and_others_only_by_force(run, tmp_path):
    for _ in range(2):
        assert abut("plot", run).returncode == 0
    assert (run / "plot.svg").exists()
    (tmp_path / "a.svg").write_text("precious")
    assert abut("plot", run, "-o", tmp_path / "a.svg").returncode == 3
    assert (tmp_path / "a.svg").read_text() == "precious"
    assert abut("plot", run, "-o", tmp_path / "a.svg", "--force").returncode == 0


@pytest.mark.parametrize("options, code, words", [
    (["--what", "contcats"], 2, "did you mean 'contacts'"), (["--what", "kinetic"], 2, "energy:kinetic"),
    (["--what", "force:cube-ball"], 2, "--list"), (["--what", ""], 2, "--list"), (["-o", "a.png"], 3, ".svg or .csv"),
    (["-o", "a.csv", "--log"], 2, "--log"), (["-o", "absent/a.svg"], 7, "absent")])
def test_what_cannot_be_drawn_is_refused(run, tmp_path, options, code, words):
    arguments = options if "-o" in options else [*options, "-o", "a.svg"]
    result = abut("plot", run, *arguments, cwd=tmp_path)
    assert result.returncode == code and words in result.stderr, result.stderr
    assert not list(tmp_path.iterdir())


def test_runs_without_steps_are_refused(tmp_path):
    out = simulate(tmp_path, "cube", 0)
    result = abut("plot", out)
    assert result.returncode == 3 and "no step" in result.stderr
    assert abut("plot", tmp_path / "nothing").returncode == 3
    assert abut("plot", out, "--what", "forces").returncode == 3
