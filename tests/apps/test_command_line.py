"""The program as a user meets it: what it prints, what it returns, what it leaves behind."""

import json
import os
import pathlib
import re
import subprocess

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = sorted((pathlib.Path(__file__).parents[2] / "scenes").glob("*.json"))


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=120, **options)


def test_version_and_help_succeed():
    version = abut("--version")
    assert version.returncode == 0
    assert re.fullmatch(r"abut \d+\.\d+\.\d+\n", version.stdout)
    for arguments in (["--help"], ["demo", "--help"]):
        result = abut(*arguments)
        assert result.returncode == 0
        assert "Usage" in result.stdout and result.stderr == ""


def test_help_lists_commands_and_exit_codes():
    text = abut("--help").stdout
    assert "demo" in text and "130 interrupted" in text


def test_bad_usage_returns_2_and_says_what_to_do():
    for arguments in ([], ["--unknown"], ["demo", "--steps", "x"], ["demo", "--steps", "-1"], ["demo", "--threads", "-1"],
                      ["demo", "--threads", "1000000"], ["demo", "arch", "extra"]):
        result = abut(*arguments)
        assert result.returncode == 2, arguments
        assert "abut --help" in result.stderr


def test_unknown_command_is_answered_with_the_nearest():
    result = abut("dmeo")
    assert result.returncode == 2
    assert "unknown command 'dmeo'; did you mean 'demo'?" in result.stderr
    assert "did you mean" not in abut("xyzzy" * 1000).stderr


def test_demos_are_listed_and_are_the_scenes():
    result = abut("demo")
    assert result.returncode == 0, result.stderr
    rows = [line.split(maxsplit=3) for line in result.stdout.splitlines()[1:] if " s " in line]
    assert [row[0] for row in rows] == [path.stem for path in SCENES]
    for path, row in zip(SCENES, rows):
        assert float(row[1]) > 0 and row[3] == json.loads(path.read_text())["name"]


def test_a_demo_leaves_results_a_picture_and_an_animation_anywhere(tmp_path):
    result = abut("demo", "arch", "--steps", "3", env={}, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    out = tmp_path / "out" / "demo" / "arch"
    assert "verified: 0 intersections" in result.stdout
    for name in ("picture.png", "arch.glb"):
        assert (out / name).stat().st_size > 0 and str(out / name) in result.stdout
    assert [path.name for path in (tmp_path / "out" / "demo").iterdir()] == ["arch"], "nothing else is left"
    assert abut("demo", "arch", "--steps", "2", cwd=tmp_path).returncode == 0, "a demo replaces what it left earlier"
    assert len(list((out / "frames").iterdir())) == 3
    assert abut("verify", out).returncode == 0


def test_a_demo_replaces_results_in_a_folder_that_was_named_only_by_force(tmp_path):
    out = tmp_path / "mine"
    assert abut("demo", "arch", "--steps", "1", "-o", f"{out}/").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine"], "nothing is left beside it"
    before = (out / "stats.jsonl").read_bytes()
    refused = abut("demo", "blocks_2d", "--steps", "2", "-o", out)
    assert refused.returncode == 3 and "--force" in refused.stderr
    assert (out / "stats.jsonl").read_bytes() == before and not (out / "blocks_2d.glb").exists()
    assert abut("demo", "blocks_2d", "--steps", "2", "-o", out, "--force").returncode == 0
    assert len((out / "stats.jsonl").read_text().splitlines()) == 2


def test_demos_that_cannot_be_are_refused(tmp_path):
    result = abut("demo", "ach")
    assert result.returncode == 2 and "did you mean 'arch'?" in result.stderr
    result = abut("demo", "arch", "-o", "/proc/no/such/place")
    assert result.returncode == 7 and "/proc/no/such" in result.stderr
    (tmp_path / "mine.txt").write_text("mine")
    result = abut("demo", "arch", "-o", tmp_path, "--steps", "1")
    assert result.returncode == 3 and (tmp_path / "mine.txt").read_text() == "mine"


TWO_CROSSING = """v 0 0 0
v 1 0 0
v 0 1 0
v 0.2 0.2 -1
v 0.2 0.3 1
v 0.4 0.2 1
f 1 2 3
f 4 5 6
"""


def obj(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_check_of_a_clean_mesh_returns_0_and_suggests_dhat(tmp_path):
    result = abut("check", obj(tmp_path, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"))
    assert result.returncode == 0, result.stdout
    assert "4 vertices, 6 edges, 4 faces in 1 parts, 1 of them closed and oriented; 0 boundary loops" in result.stdout
    assert "intersections   none, by exact arithmetic" in result.stdout
    assert "suggested: a thousandth of the bounding box's diagonal" in result.stdout
    assert result.stdout.endswith("clean\n")


def test_check_reports_intersections_with_location_and_writes_them(tmp_path):
    mesh, written = obj(tmp_path, "a.obj", TWO_CROSSING), tmp_path / "crossing.obj"
    result = abut("check", mesh, "--write", written)
    assert result.returncode == 1
    assert "2 intersections, by exact arithmetic" in result.stdout
    assert "edge 3 - face 0 at (0.2, 0.25, 0)" in result.stdout
    assert written.read_text().count("\nl ") == 2 and written.read_text().count("\nf ") == 1
    again = abut("check", mesh, "--write", written)
    assert again.returncode == 3 and "--force" in again.stderr
    assert abut("check", mesh, "--write", written, "--force").returncode == 1


def test_check_of_several_meshes_finds_what_they_do_together(tmp_path):
    first = obj(tmp_path, "first.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    second = obj(tmp_path, "second.obj", "v 0.2 0.2 -1\nv 0.2 0.3 1\nv 0.4 0.2 1\nf 1 2 3\n")
    assert abut("check", first).returncode == 0
    result = abut("check", first, second)
    assert result.returncode == 1
    assert "second.obj: edge 0 - first.obj: face 0" in result.stdout


def test_check_reports_duplicates_and_degenerate_elements(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 9 9 9\nv 9 9 9\nf 1 2 3\nf 2 3 1\nf 1 4 2\n"
    result = abut("check", obj(tmp_path, "a.obj", text))
    assert result.returncode == 1
    for finding in ("1 duplicate faces (1 = 0)", "1 zero-area faces (1)", "1 coincident vertices (5)", "2 vertices in no edge"):
        assert finding in result.stdout, result.stdout


def test_check_as_json_has_the_same_facts(tmp_path):
    result = abut("check", "--json", obj(tmp_path, "a.obj", TWO_CROSSING))
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert report["intersections"]["count"] == 2 and not report["clean"]
    assert report["files"][0]["faces"] == 2 and report["files"][0]["boundary_loops"] == 2
    assert report["suggested_dhat"]["value"] > 0 and report["suggested_dhat"]["reason"]


def test_check_of_unusable_input_returns_3(tmp_path):
    for path in (tmp_path / "missing.obj", tmp_path, obj(tmp_path, "empty.obj", ""), obj(tmp_path, "bad.obj", "v 0 0 x\n"),
                 obj(tmp_path, "point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n"), "/dev/zero"):
        result = abut("check", path)
        assert result.returncode == 3, (path, result.stderr)
        assert result.stderr.startswith("abut: ")


def test_bench_times_the_operations(tmp_path):
    start = obj(tmp_path, "t0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\nf 4 5 6\n")
    end = obj(tmp_path, "t1.obj", "v 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\nf 4 5 6\n")
    result = abut("bench", start, end, "--dhat", "0.1", "--repetitions", "1", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    names = [operation["name"] for operation in report["operations"]]
    assert "collision-free step size" in names and "has_intersections" in names and report["triad_GB_per_s"] > 0
    assert "GCP gradient" in names and "GCP toolkit Hessian, clamped, warm" in names
    table = abut("bench", start, "--dhat", "0.1", "--repetitions", "1")
    assert table.returncode == 0 and "candidates, still" in table.stdout and "step size" not in table.stdout
    assert abut("bench", start).returncode == 2, "dhat is required"
    assert abut("bench", start, "--dhat", "-1").returncode == 2
    other = obj(tmp_path, "t2.obj", "v 0 0 0\n")
    assert abut("bench", start, other, "--dhat", "0.1").returncode == 3


def program(folder, name, lines):
    path = folder / name
    path.write_text("#!/bin/sh\n" + lines)
    path.chmod(0o755)
    return path


def test_bench_compares_two_programs_in_turns(tmp_path):
    start = obj(tmp_path, "t0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\nf 4 5 6\n")
    arguments = ["bench", start, "--dhat", "0.1", "--repetitions", "2", "--rounds", "3", "--threads", "1"]
    # The other is this program, which notes what it is asked.
    other = program(tmp_path, "other", f'echo "$@" >> {tmp_path}/asked\nexec {PROGRAM} "$@"\n')
    result = abut(*arguments, "--compare", other, "--only", "barrier", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    names = [operation["name"] for operation in report["operations"]]
    assert "barrier value" in names and all("barrier" in name for name in names)
    assert report["rounds"] == 3 and report["only_own"] == report["only_other"] == []
    for operation in report["operations"]:
        assert operation["same_result"] and 0 < operation["lowest_ratio"] <= operation["ratio"] <= operation["highest_ratio"]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == [f"bench {start} --dhat 0.1 --repetitions 2 --threads 1 --json --only barrier"] * 3
    table = abut(*arguments, "--compare", other, "--only", "barrier value")
    assert table.returncode == 0 and re.search(r"^barrier value +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+.* same$", table.stdout, re.M)


def test_bench_tells_of_other_programs_that_do_not_serve(tmp_path):
    start = obj(tmp_path, "t0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    arguments = ["bench", start, "--dhat", "0.1", "--repetitions", "1", "--rounds", "1", "--only", "CollisionMesh", "--compare"]
    for other, message in ((tmp_path / "missing", "cannot be started"),
                           (program(tmp_path, "silent", "exit 0\n"), "printed no JSON; is it a program of Abut?"),
                           (program(tmp_path, "failing", "echo 'abut: no such thing' >&2; exit 3\n"), "no such thing"),
                           (program(tmp_path, "strange", "echo '{}'\n"), "no times of 'abut bench --json'")):
        result = abut(*arguments, other)
        assert result.returncode == 3 and message in result.stderr, (other, result.stderr)
        assert "--compare" in result.stderr
    assert abut("bench", start, "--dhat", "0.1", "--rounds", "3").returncode == 2, "rounds are of --compare"
