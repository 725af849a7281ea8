"""Results of version 0.1, as it wrote them: four steps of a block that slides on a floor, and the frame of its eighth."""

import os
import pathlib
import re
import shutil
import struct
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
RECORDED = pathlib.Path(__file__).resolve().parent.parent / "data" / "results_0.1"


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120)


def array(path, name):
    """An array of Float64 in a frame."""
    data = path.read_bytes()
    offset = int(re.search(rb'Name="%s"[^>]*offset="(\d+)"' % name.encode(), data)[1])
    begin = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_') + offset
    (size,) = struct.unpack_from("<Q", data, begin)
    return struct.unpack_from(f"<{size // 8}d", data, begin + 8)


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(RECORDED, folder, ignore=shutil.ignore_patterns("whole_*"))
    return folder


@pytest.mark.parametrize("command", ["info", "verify", "report", "render"])
def test_still_open(results, command):
    done = abut(command, results)
    assert done.returncode == 0, done.stderr


def test_go_on_as_they_would_have(results):
    # As Newton's method was then. The usual way now ends elsewhere within the tolerance.
    done = abut("resume", results, "--quiet", "--set", "solver.projection=always")
    assert done.returncode == 0, done.stderr
    now, then = results / "frames" / "frame_00000008.vtu", RECORDED / "whole_00000008.vtu"
    # Of another machine, and so to rounding; the first frames of this version remember the same in another way.
    for name, size in [("points", 0.2), ("velocity", 0.1), ("contact_force", 200)]:
        for a, b in zip(array(now, name), array(then, name), strict=True):
            assert a == pytest.approx(b, abs=1e-7 * size)
    assert array(now, "history.contact.stiffness") == pytest.approx(array(then, "stiffness"), rel=1e-12)
    assert array(now, "history.scripts.blocked_steps") == (0.0,)
    assert abut("verify", results).returncode == 0
