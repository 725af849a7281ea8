"""Frames in pieces as VTK's readers see them, which are those of ParaView; skipped where Debian's python3-vtk9 is missing."""

import re

import pytest

from runs import mpi, serial, write
from test_answers import FLOOR, cube

vtk = pytest.importorskip("vtkmodules.vtkIOXML", reason="VTK is missing: apt install python3-vtk9")

CLOTH = {"geometry": {"generate": "cloth", "size": [0.3, 0.3], "cells": [6, 6]}, "transform": {"translate": [0, 0.5, 0]}}
SCENE = {"format": 1, "planes": FLOOR, "objects": [cube(0.103), cube(0.365, turned=True), CLOTH],
         "time": {"dt": 0.01, "steps": 4}, "output": {"every": 2}}


def read(path):
    reader = vtk.vtkXMLPUnstructuredGridReader() if path.suffix == ".pvtu" else vtk.vtkXMLUnstructuredGridReader()
    assert reader.CanReadFile(str(path))
    wrong = []
    reader.AddObserver("ErrorEvent", lambda *_: wrong.append(path))
    reader.AddObserver("WarningEvent", lambda *_: wrong.append(path))
    reader.SetFileName(str(path))
    reader.Update()
    assert not wrong
    return reader.GetOutput()


def rows_of(data):
    """The arrays by their names, each a list with the numbers of every point or cell."""
    arrays = [data.GetArray(k) for k in range(data.GetNumberOfArrays())]
    return {array.GetName(): [array.GetTuple(i) for i in range(array.GetNumberOfTuples())] for array in arrays}


def whole_grid(grid):
    """Points and cells by their numbers in the whole frame, each with what it carries; equal where pieces repeat them."""
    at_points, at_cells = rows_of(grid.GetPointData()), rows_of(grid.GetCellData())
    vertex_ids = at_points.pop("vertex_id", [(k,) for k in range(grid.GetNumberOfPoints())])
    cell_ids = at_cells.pop("cell_id", [(k,) for k in range(grid.GetNumberOfCells())])
    points, cells = {}, {}
    for k, (number,) in enumerate(vertex_ids):
        found = (grid.GetPoint(k), {name: rows[k] for name, rows in at_points.items()})
        assert points.setdefault(int(number), found) == found
    for k, (number,) in enumerate(cell_ids):
        corners = [grid.GetCell(k).GetPointId(i) for i in range(grid.GetCell(k).GetNumberOfPoints())]
        assert int(number) not in cells
        cells[int(number)] = (grid.GetCellType(k), [int(vertex_ids[corner][0]) for corner in corners],
                              {name: rows[k] for name, rows in at_cells.items()})
    return points, cells


@pytest.mark.parametrize("ranks", [2, 3])
def test_vtk_reads_from_pieces_what_it_reads_from_the_whole_frame(ranks, tmp_path):
    path = write(tmp_path / "scene.json", SCENE)
    for name, pieces in (("whole", 0), ("pieces", 1)):
        result = mpi(ranks, "run", path, "-o", tmp_path / name, "--quiet", "--no-report", "--set", f"output.pieces={pieces}")
        assert result.returncode in (0, 1), result.stderr
    listed = {name: re.findall(r'timestep="([^"]+)"[^>]* file="([^"]+)"', (tmp_path / name / "result.pvd").read_text())
              for name in ("whole", "pieces")}
    assert [time for time, _ in listed["pieces"]] == [time for time, _ in listed["whole"]] and len(listed["whole"]) == 3
    for (_, whole), (_, pieces) in zip(listed["whole"], listed["pieces"]):
        assert whole.endswith(".vtu") and pieces.endswith(".pvtu")
        expected, found = whole_grid(read(tmp_path / "whole" / whole)), whole_grid(read(tmp_path / "pieces" / pieces))
        assert "velocity" in expected[0][0][1]
        assert found == expected


def test_vtk_reads_pieces_of_every_kind_that_the_serial_program_writes(tmp_path):
    # Solids, sheets, rods, loose points and obstacles, with forces between bodies beside them
    from test_answers import REPOSITORY
    words = ["run", REPOSITORY / "scenes" / "everything.json", "--no-report", "--quiet", "--steps", "1", "--set", "output.every=1"]
    for name, pieces in (("whole", 0), ("pieces", 3)):
        assert serial(*words, "-o", tmp_path / name, "--set", f"output.pieces={pieces}").returncode in (0, 1)
    whole = read(tmp_path / "whole" / "frames" / "frame_00000001.vtu")
    pieces = read(tmp_path / "pieces" / "frames" / "frame_00000001.pvtu")
    assert whole_grid(pieces) == whole_grid(whole)
    assert len({whole.GetCellType(k) for k in range(whole.GetNumberOfCells())}) > 2
