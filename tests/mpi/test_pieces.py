"""Frames in pieces, of which each rank writes its own."""

import hashlib

from runs import mpi, records, serial, write
from test_answers import scene_of


def stresses(out):
    """What a reader makes of the last frame, as one file."""
    result = serial("export", out, "--stress")
    assert result.returncode == 0, result.stderr
    return hashlib.sha256(sorted((out / "stress").glob("*.vtu"))[-1].read_bytes()).hexdigest()


def test_pieces_of_ranks_make_the_frame_that_one_rank_writes(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 6))
    for name, pieces in (("whole", 0), ("pieces", 1)):
        result = mpi(2, "run", path, "-o", tmp_path / name, "--quiet", "--no-report", "--set", f"output.pieces={pieces}")
        assert result.returncode == 0, result.stderr
    frames = tmp_path / "pieces" / "frames"
    assert not list(frames.glob("*.vtu"))
    assert sorted(path.stem for path in frames.glob("*.pvtu")) == sorted(
        path.stem for path in (tmp_path / "whole" / "frames").glob("*.vtu"))
    assert sorted(each.name for each in (frames / "frame_00000006").iterdir()) == ["piece_0000.vtu", "piece_0001.vtu"]
    assert serial("verify", tmp_path / "pieces").returncode == 0
    assert stresses(tmp_path / "whole") == stresses(tmp_path / "pieces")


def test_a_run_goes_on_from_pieces_of_another_number_of_ranks(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 6))
    out = tmp_path / "out"
    assert mpi(2, "run", path, "-o", out, "--quiet", "--no-report", "--set", "output.pieces=1", "--steps", "3").returncode == 0
    result = mpi(1, "resume", out, "--quiet", "--no-report")
    assert result.returncode == 0, result.stderr
    assert [record["step"] for record in records(out)] == list(range(1, 7))
    assert len(list((out / "frames" / "frame_00000003").iterdir())) == 2
    assert len(list((out / "frames" / "frame_00000006").iterdir())) == 1
    assert serial("verify", out).returncode == 0
    # And from pieces of one rank by the serial program
    assert serial("resume", out, "--quiet", "--set", "time.steps=8", "--set", "output.pieces=0").returncode == 0
    assert serial("verify", out).returncode == 0
