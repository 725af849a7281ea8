"""Frames in pieces: whatever reads a run finds in .pvtu frames what it finds in .vtu frames of the same run."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]

# It has memory of all kinds: friction that is anchored to contacts, flow of elements, a rod's twist, time steps of BDF2.
SCENE = {
    "format": 1,
    "name": "pieces",
    "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [
        {"name": "cube", "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
         "transform": {"translate": [0, 0.103, 0]}, "velocity": [0.1, -0.5, 0],
         "material": {"youngs_modulus": 1e5, "plasticity": {"yield_stress": 500}}},
        {"name": "rod", "kind": "rod", "geometry": {"generate": "rod", "length": 0.3, "segments": 4},
         "material": {"youngs_modulus": 1e7, "density": 1000, "radius": 0.005}, "transform": {"translate": [0, 0.23, 0]}},
    ],
    "contact": {"friction": {"mu": 0.3, "model": "anchored"}},
    "time": {"steps": 12, "integrator": "bdf2"},
}


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120, **options)


def index(folder, step):
    return folder / "frames" / f"frame_{step:08d}.pvtu"


def piece(folder, step, number):
    return folder / "frames" / f"frame_{step:08d}" / f"piece_{number:04d}.vtu"


def vtu(folder, step):
    return folder / "frames" / f"frame_{step:08d}.vtu"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same run with whole frames and with frames in pieces."""
    folder = tmp_path_factory.mktemp("runs")
    scene = folder / "scene.json"
    scene.write_text(json.dumps(SCENE))
    for name, options in (("whole", []), ("pieces", ["--set", "output.pieces=3"])):
        result = abut("run", scene, "-o", folder / name, "--quiet", *options)
        assert result.returncode == 0, result.stderr
    return folder / "whole", folder / "pieces"


@pytest.fixture
def copies(runs, tmp_path):
    return [shutil.copytree(run, tmp_path / run.name) for run in runs]


def test_a_frame_is_an_index_and_its_pieces(runs):
    whole, pieces = runs
    assert len(list((whole / "frames").iterdir())) == 13
    assert sorted(path.name for path in (pieces / "frames").glob("*.vtu")) == []
    assert len(list((pieces / "frames").glob("*.pvtu"))) == 13
    assert (pieces / "result.pvd").read_text() == (whole / "result.pvd").read_text().replace(".vtu", ".pvtu")
    root = xml.etree.ElementTree.parse(index(pieces, 12)).getroot()
    assert root.get("type") == "PUnstructuredGrid"
    grid = root.find("PUnstructuredGrid")
    sources = [each.get("Source") for each in grid.findall("Piece")]
    assert sources == [f"frame_00000012/piece_000{k}.vtu" for k in range(3)]
    # Parallel XML wants every array of the pieces named, in their order.
    for source in sources:
        header = (pieces / "frames" / source).read_bytes().split(b"<AppendedData")[0].decode() + "</VTKFile>"
        part = xml.etree.ElementTree.fromstring(header).find("UnstructuredGrid/Piece")
        for kind in ("PointData", "CellData", "Points"):
            names = [(array.get("Name"), array.get("type"), array.get("NumberOfComponents")) for array in part.find(kind)]
            assert names == [(array.get("Name"), array.get("type"), array.get("NumberOfComponents"))
                             for array in grid.find("P" + kind)]
            assert part.find(kind).get("GlobalIds") == grid.find("P" + kind).get("GlobalIds")


def test_verify_info_render_export_and_report_find_what_they_find_in_whole_frames(copies, tmp_path):
    whole, pieces = copies

    def same(*arguments, code=0):
        results = [abut(*[str(word).replace("RUN", str(run)) for word in arguments]) for run in copies]
        assert [result.returncode for result in results] == [code, code], [result.stderr for result in results]
        texts = [result.stdout.replace(str(run), "RUN") for result, run in zip(results, copies)]
        return texts

    for words in (["verify", "RUN"], ["verify", "RUN", "--json"]):
        assert len(set(same(*words))) == 1
    # Seconds of solves differ from run to run.
    assert len({re.sub(r"[\d.]+ s of solves", "", text) for text in same("info", "RUN")}) == 1
    same("render", "RUN", "-o", "RUN.png")
    assert digest(tmp_path / "whole.png") == digest(tmp_path / "pieces.png")
    for end in ("glb", "usda"):
        same("export", "RUN", "-o", f"RUN.{end}")
        assert digest(tmp_path / f"whole.{end}") == digest(tmp_path / f"pieces.{end}"), end
    same("export", "RUN", "--stress")
    for run in copies:
        assert len(list((run / "stress").glob("*.vtu"))) == 13
    assert digest(whole / "stress" / "frame_00000012.vtu") == digest(pieces / "stress" / "frame_00000012.vtu")
    same("report", "RUN")
    frames = [re.findall(r'-chunk-\d+"[^>]*>([^<]*)<', (run / "report.html").read_text()) for run in copies]
    assert frames[0] and frames[0] == frames[1], "the frames that the page plays"


@pytest.mark.repeats
def test_a_run_that_resumes_from_pieces_goes_on_with_the_same_bits(copies):
    whole, pieces = copies
    for step in range(7, 13):
        vtu(whole, step).unlink()
        index(pieces, step).unlink()  # and leaves its pieces, as a kill does
    last = []
    # Both ways: from pieces to whole frames, and from whole frames to another number of pieces
    for run, now in ((pieces, 0), (whole, 5)):
        result = abut("resume", run, "--quiet", "--set", f"output.pieces={now}")
        assert result.returncode == 0, result.stderr
        assert abut("verify", run).returncode == 0
        assert not list((run / "frames").glob("*.tmp*"))
        assert {path.stem for path in (run / "frames").iterdir() if path.is_dir()} == {
            path.stem for path in (run / "frames").glob("*.pvtu")}, "no pieces without an index are left"
        exported = abut("export", run, "--stress")
        assert exported.returncode == 0, exported.stderr
        last.append(digest(run / "stress" / "frame_00000012.vtu"))
    assert len(set(last)) == 1


@pytest.mark.repeats
def test_resumed_runs_end_with_the_bits_of_the_run_that_was_not_interrupted(runs, copies):
    whole, pieces = copies
    for step in range(5, 13):
        index(pieces, step).unlink()
    assert abut("resume", pieces, "--quiet", "--set", "output.pieces=0").returncode == 0
    assert digest(vtu(pieces, 12)) == digest(vtu(runs[0], 12))


def test_a_missing_or_damaged_piece_is_named_with_a_cure(copies):
    _, pieces = copies
    piece(pieces, 3, 1).unlink()
    result = abut("verify", pieces)
    assert result.returncode == 3
    assert "frame_00000003.pvtu: its piece frame_00000003/piece_0001.vtu is not there; bring the folder frame_00000003 here" \
        in result.stderr
    bytes_ = piece(pieces, 12, 2).read_bytes()
    piece(pieces, 12, 2).write_bytes(bytes_[:len(bytes_) // 2])
    result = abut("export", pieces, "--stress")
    assert result.returncode == 3 and "piece_0001.vtu" in result.stderr
    result = abut("resume", pieces)
    assert result.returncode == 0
    assert "piece_0002.vtu: the file was cut short; use an earlier frame. The frame was removed." in result.stderr
    assert "continuing from frame 11" in result.stderr


def test_nothing_is_removed_where_no_frame_is_whole(copies):
    _, pieces = copies
    for step in range(13):
        piece(pieces, step, 0).unlink()
    result = abut("resume", pieces)
    assert result.returncode == 3 and "no frame to continue from" in result.stderr
    assert "The frame was removed" not in result.stderr
    assert len(list((pieces / "frames").glob("*.pvtu"))) == 13


def test_a_piece_is_no_frame(copies):
    _, pieces = copies
    shutil.copy(piece(pieces, 12, 0), vtu(pieces, 20))
    result = abut("verify", pieces)
    assert result.returncode == 3 and "a piece of a frame; open the .pvtu file that lists it" in result.stderr


@pytest.mark.repeats
def test_a_kill_while_frames_are_written_loses_at_most_one(runs, tmp_path):
    moments = random.Random(7)
    scene = tmp_path / "scene.json"
    # Many pieces, so that most of the time goes into writing them
    scene.write_text(json.dumps(SCENE | {"output": {"pieces": 150}, "time": SCENE["time"] | {"steps": 40}}))
    unfinished = 0
    for attempt in range(4):
        out = tmp_path / f"out{attempt}"
        process = subprocess.Popen([PROGRAM, "run", scene, "-o", out, "--quiet"])
        wanted, deadline = moments.randint(1, 25), time.time() + 100
        while not index(out, wanted).exists():
            assert process.poll() is None and time.time() < deadline
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.05))
        process.kill()
        assert process.wait() == -signal.SIGKILL
        frames = {path.stem for path in (out / "frames").glob("*.pvtu")}
        unfinished += len({path.name for path in (out / "frames").iterdir() if path.is_dir()} - frames)
        lines = (out / "stats.jsonl").read_text().count("\n")
        assert lines <= len(frames), "at most the frame in work is lost"
        assert abut("verify", out).returncode == 0, "what is there is whole"
        result = abut("resume", out, "--quiet", "--set", "output.pieces=2", "--steps", len(frames) + 1)
        assert result.returncode == 0, result.stderr
        assert result.stderr == "", "no frame was damaged"
        folders = {path.name for path in (out / "frames").iterdir() if path.is_dir()}
        assert folders == {path.stem for path in (out / "frames").glob("*.pvtu")}
    assert unfinished > 0, "some were killed while they wrote a frame"


def test_a_scene_says_how_many_pieces(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(SCENE | {"output": {"pieces": -1}}))
    result = abut("run", scene, "-o", tmp_path / "out")
    assert result.returncode == 3 and "/output/pieces" in result.stderr
