"""One simulation over several processes gives the answers of the serial program."""

import pathlib

import pytest

from runs import distance, frame, mpi, positions, records, serial, write

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FLOOR = [{"point": [0, 0, 0], "normal": [0, 1, 0]}]


def cube(height, turned=False):
    """Turned, so that it meets others with a corner: edges that lie along each other may slip to either side."""
    turn = {"rotate": {"axis": [0.2, 1, 0.3], "degrees": 30}} if turned else {}
    return {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [3, 3, 3]},
            "transform": {"translate": [0.01 * height, height, 0], **turn}}


PILE = [cube(0.103), cube(0.365, turned=True)]
SCENES = {
    "solids with friction": {"planes": FLOOR, "objects": PILE, "contact": {"friction": {"mu": 0.4}}},
    "convergent barrier": {"planes": FLOOR, "objects": PILE, "contact": {"model": "convergent_ipc"}},
    "gipc": {"planes": FLOOR, "objects": PILE, "contact": {"model": "gipc"}},
    "gcp": {"planes": FLOOR, "objects": PILE, "contact": {"model": "gcp"}},
    "ogc by newton": {"planes": FLOOR, "objects": PILE, "contact": {"model": "ogc"},
                      "solver": {"method": "newton"}},
}


# A hundredth of the default tolerance, so that solvers which differ agree
TIGHT = {"tolerance": 1e-5, "norm": "relative", "linear_tolerance": 1e-9}


def scene_of(name, steps, more=None):
    scene = {"format": 1, "name": name, "time": {"dt": 0.01, "steps": steps}, "output": {"every": steps}, **SCENES[name]}
    scene["solver"] = {**scene.get("solver", {}), **(more or {})}
    return scene


@pytest.mark.parametrize("name", SCENES)
def test_ranks_agree_with_the_serial_program(name, tmp_path):
    steps = 12
    path = write(tmp_path / "scene.json", scene_of(name, steps, TIGHT))
    done = serial("run", path, "-o", tmp_path / "serial", "--quiet", "--no-report")
    assert done.returncode in (0, 1), done.stderr
    expected = positions(frame(tmp_path / "serial", steps))
    for ranks in (1, 2):
        out = tmp_path / str(ranks)
        result = mpi(ranks, "run", path, "-o", out, "--no-report")
        assert result.returncode == done.returncode, result.stdout + result.stderr
        assert distance(positions(frame(out, steps)), expected) < 1e-6
        last = records(out)[-1]
        assert last["contacts"] > 0
        assert "ranks" in result.stdout


# A scene of each kind, and steps that show it: cloth, rods, scripts, enclosed gas, the plane, wire that flows, tape
SCENE_FILES = {"cloth_on_sphere": 2, "spring_on_hook": 3, "rod_twist": 3, "balloon_between_plates": 2, "blocks_2d": 8,
               "bent_wire": 2, "tape_peel": 2}


@pytest.mark.parametrize("name", SCENE_FILES)
def test_scenes_of_every_kind_agree(name, tmp_path):
    steps = SCENE_FILES[name]
    words = ["run", REPOSITORY / "scenes" / f"{name}.json", "--no-report", "--quiet", "--steps", str(steps), "--set",
             f"output.every={steps}", *(word for key, value in TIGHT.items() for word in ("--set", f"solver.{key}={value}"))]
    assert serial(*words, "-o", tmp_path / "serial").returncode in (0, 1)
    result = mpi(2, *words, "-o", tmp_path / "mpi")
    assert result.returncode in (0, 1), result.stderr
    # Flow follows the path of each solver: what it remembers differs by the tolerance.
    allowed = 1e-4 if name == "bent_wire" else 1e-6
    assert distance(positions(frame(tmp_path / "mpi", steps)), positions(frame(tmp_path / "serial", steps))) < allowed


def test_ranks_write_frames_in_pieces(tmp_path):
    scene = scene_of("solids with friction", 4)
    scene["output"] = {"every": 2, "pieces": 2}
    out = tmp_path / "out"
    assert mpi(2, "run", write(tmp_path / "scene.json", scene), "-o", out, "--quiet", "--no-report").returncode == 0
    assert (out / "frames" / "frame_00000004.pvtu").exists()
    assert len(list((out / "frames" / "frame_00000004").glob("*.vtu"))) == 2
    assert serial("verify", out).returncode == 0
    assert mpi(1, "resume", out, "--steps", "5", "--set", "time.steps=5", "--quiet", "--no-report").returncode == 0


def test_repeated_runs_have_the_same_bits(tmp_path):
    path = write(tmp_path / "scene.json", scene_of("solids with friction", 10))
    frames = []
    for k in range(2):
        assert mpi(2, "run", path, "-o", tmp_path / str(k), "--quiet", "--no-report").returncode == 0
        assert not any("MUMPS" in str(record) for record in records(tmp_path / str(k)))
        frames.append(frame(tmp_path / str(k), 10).read_bytes())
    assert frames[0] == frames[1]
