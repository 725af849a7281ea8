"""The program as a user meets it: what it prints, what it returns, what it leaves behind."""

import os
import re
import subprocess
import xml.etree.ElementTree

PROGRAM = os.environ["ABUT_PROGRAM"]


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
    for arguments in ([], ["--unknown"], ["demo", "--cells", "x"], ["demo", "--cells", "65"], ["demo", "--threads", "-1"],
                      ["demo", "--threads", "1000000"], ["demo", "extra"]):
        result = abut(*arguments)
        assert result.returncode == 2, arguments
        assert "abut --help" in result.stderr


def test_unknown_command_is_answered_with_the_nearest():
    result = abut("dmeo")
    assert result.returncode == 2
    assert "unknown command 'dmeo'; did you mean 'demo'?" in result.stderr
    assert "did you mean" not in abut("xyzzy" * 1000).stderr


def test_demo_draws_without_intersection_and_repeats_itself(tmp_path):
    first, second = abut("demo", "-o", tmp_path / "a"), abut("demo", "-o", tmp_path / "b", "--threads", "1")
    assert first.returncode == 0, first.stderr
    picture = (tmp_path / "a" / "sheets.svg").read_bytes()
    assert xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")
    assert picture == (tmp_path / "b" / "sheets.svg").read_bytes()
    rows = [line.split() for line in first.stdout.splitlines() if re.match(r"\s+\d+ ", line)]
    distances = [float(row[2]) for row in rows]
    assert len(rows) > 5 and distances == sorted(distances, reverse=True) and 0 < distances[-1] < 1e-4
    assert all(row[-1] == "0" for row in rows)


def test_unwritable_output_returns_7():
    result = abut("demo", "-o", "/proc/no/such/place")
    assert result.returncode == 7
    assert "/proc/no/such/place" in result.stderr


def test_odd_environments_do_not_matter(tmp_path):
    result = abut("demo", "-o", tmp_path / "out", "--cells", "2", env={}, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
