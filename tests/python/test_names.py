"""The fields of structs have the same names in C++ and in Python."""

import pathlib
import re

import abut
import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src" / "abut"

SCENE = {
    "format": 1,
    "planes": [{}],
    "objects": [{"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
                 "transform": {"translate": [0, 0.1001, 0]}}],
    "time": {"steps": 2},
}


def fields_of(header, struct):
    """The members of a struct that are data, by the text of its header."""
    text = (SOURCES / header).read_text()
    body = re.search(rf"struct {struct} {{\n(.*?)\n}};", text, re.DOTALL)[1]
    fields = []
    for line in re.sub(r"///?.*", "", body).split(";"):
        if "operator" in line:
            continue
        line = re.sub(r"<[^;]*>", "", line)  # arguments of templates
        line = re.sub(r"\s*(=[^,]*|\{[^}]*\})(?=,|$)", "", line.strip())
        if line and "(" not in line and "}" not in line:
            fields += [part.split()[-1] for part in line.split(",")]
    return fields


@pytest.fixture(scope="module")
def simulation():
    made = abut.Simulation(abut.Scene.from_json(SCENE))
    made.step()
    return made


def test_the_headers_are_read_as_they_are_written():
    assert fields_of("sim/balance.hpp", "Balance") == [
        "kinetic", "elastic", "contact", "gravity", "script_work", "friction_loss", "damping_loss", "plastic_loss",
        "gain", "momentum", "momentum_defect"]
    assert fields_of("sim/body_forces.hpp", "BodyForce") == ["body", "other", "contact", "friction", "adhesion", "bonded_area"]


def test_reports_of_steps_have_the_names_of_cpp(simulation):
    report = simulation.step()
    parts = [("sim/step.hpp", "StepReport", report), ("sim/balance.hpp", "Balance", report.balance),
             ("sim/verification.hpp", "Verification", report.verification),
             ("sim/body_forces.hpp", "BodyForce", report.forces[0]),
             ("sim/contact_arrows.hpp", "ContactArrow", report.arrows[0]),
             ("sim/contact_list.hpp", "ContactList", simulation.contacts()),
             ("sim/model.hpp", "Choice", simulation.choices[0])]
    for header, struct, value in parts:
        missing = [name for name in fields_of(header, struct) if not hasattr(value, name)]
        assert missing == [], struct
    assert sorted(report.iterations[0]) == sorted(fields_of("solver/solver.hpp", "IterationRecord"))
    assert sorted(report.times) == sorted(fields_of("solver/solver.hpp", "SolveTimes"))


def test_reports_of_runs_have_the_names_of_cpp(tmp_path):
    report = abut.run(abut.Scene.from_json(SCENE), tmp_path / "out")
    for name in ("end", "seconds", "verdict", "explanation", "exit_code"):
        assert re.search(rf"\b{name}\b", (SOURCES / "run" / "run.hpp").read_text()) and hasattr(report, name)
    sums = fields_of("run/run_summary.hpp", "RunSummary")
    for name in ("steps", "iterations", "num_intersections", "num_inverted", "smallest_distance"):
        assert name in sums and hasattr(report, name)
