"""Pictures of runs: well-formed, of the right size, telling frames and objects apart, the same every time."""

import json
import os
import struct
import subprocess
import zlib

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
WIDTH, HEIGHT = 96, 72

FALLING = {
    "format": 1,
    "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
    "objects": [
        {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [0, 0.15, 0]}},
        {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [0.05, 0.5, 0]}},
    ],
    "time": {"steps": 10},
}
FLAT = {
    "format": 1,
    "planes": [{"point": [0, 0], "normal": [0, 1]}],
    "objects": [{"geometry": {"generate": "rectangle", "size": [0.4, 0.2], "cells": [4, 2]},
                 "transform": {"translate": [0, 0.2]}}],
    "time": {"steps": 2},
}


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=60)


def simulate(scene, folder):
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    result = abut("run", path, "-o", folder / "out", "--quiet")
    assert result.returncode == 0, result.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def falling(tmp_path_factory):
    return simulate(FALLING, tmp_path_factory.mktemp("falling"))


def unfiltered(kind, line, above):
    """The bytes of a row that is stored as differences to its neighbours: those at the left, above, and left above."""
    def paeth(left, up, corner):
        return min((left, up, corner), key=lambda near: abs(left + up - corner - near))

    if kind == 0:
        return line
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(above, line))
    predicted = {
        1: lambda left, up, corner: left,
        3: lambda left, up, corner: (left + up) // 2,
        4: paeth,
    }[kind]
    row = bytearray(line)
    for k, up in enumerate(above):
        left, corner = (row[k - 3], above[k - 3]) if k >= 3 else (0, 0)
        row[k] = (row[k] + predicted(left, up, corner)) & 255
    return bytes(row)


def decode(path):
    """Rows of (red, green, blue), by the format's definition rather than by the library that wrote them."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        content = data[at + 4 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(content)
        chunks[content[:4]] = chunks.get(content[:4], b"") + content[4:]
        at += size + 12
    assert list(chunks) == [b"IHDR", b"sRGB", b"IDAT", b"IEND"]
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind == [8, 2, 0, 0, 0]
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (3 * width + 1)
    rows, above = [], bytes(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1) : (y + 1) * (3 * width + 1)]
        above = unfiltered(line[0], line[1:], above)
        rows.append([tuple(above[3 * x : 3 * x + 3]) for x in range(width)])
    return rows


def panel(rows, column, row):
    """A frame's part of the picture without the rules and the time in its corner."""
    return [line[column * WIDTH + 1 : (column + 1) * WIDTH] for line in rows[row * HEIGHT + 14 : (row + 1) * HEIGHT]]


def blue(pixel):
    return pixel[2] > pixel[0] + 50


def orange(pixel):
    return pixel[0] > pixel[2] + 50


def middle(part, is_wanted):
    """Mean row of the pixels of a colour."""
    found = [y for y, line in enumerate(part) for pixel in line if is_wanted(pixel)]
    assert len(found) > 50
    return sum(found) / len(found)


def test_frames_stand_side_by_side_and_show_the_motion(falling, tmp_path):
    picture = tmp_path / "picture.png"
    result = abut("render", falling, "-o", picture, "--frames", 6, "--size", f"{WIDTH}x{HEIGHT}")
    assert result.returncode == 0, result.stderr
    assert "6 of 11 frames" in result.stdout
    rows = decode(picture)
    assert (len(rows[0]), len(rows)) == (3 * WIDTH, 2 * HEIGHT)
    parts = [panel(rows, k % 3, k // 3) for k in range(6)]
    assert all(a != b for a, b in zip(parts, parts[1:]))
    for is_wanted in (blue, orange):
        heights = [middle(part, is_wanted) for part in parts]
        assert heights[0] < heights[-1] - 1, "both fall"
    assert all(middle(part, orange) < middle(part, blue) for part in parts), "the second cube is above the first"


def test_the_same_frames_give_the_same_bytes(falling, tmp_path):
    pictures = [tmp_path / "a.png", tmp_path / "b.png"]
    for picture in pictures:
        assert abut("render", falling, "-o", picture, "--frames", 2, "--size", "64x48").returncode == 0
    assert pictures[0].read_bytes() == pictures[1].read_bytes()


def test_a_file_that_was_named_is_replaced_only_by_force(falling, tmp_path):
    for command, name in (("render", "a.png"), ("export", "a.glb")):
        kept = tmp_path / name
        kept.write_text("precious")
        refused = abut(command, falling, "-o", kept, "--frames", 1)
        assert refused.returncode == 3 and "--force" in refused.stderr and kept.read_text() == "precious"
        assert abut(command, falling, "-o", kept, "--frames", 1, "--force").returncode == 0
        assert kept.read_bytes()[:8] != b"precious"
        for _ in range(2):
            assert abut(command, falling, "--frames", 1).returncode == 0, "the usual place is replaced"


def test_the_picture_goes_to_the_results_and_is_no_part_of_them(falling):
    assert abut("render", falling).returncode == 0
    rows = decode(falling / "picture.png")
    assert (len(rows[0]), len(rows)) == (3 * 480, 2 * 360)
    assert abut("verify", falling).returncode == 0


@pytest.mark.parametrize("asked, columns, lines", [(1, 1, 1), (2, 2, 1), (5, 3, 2), (100, 4, 3)])
def test_any_number_of_frames(falling, tmp_path, asked, columns, lines):
    picture = tmp_path / "picture.png"
    assert abut("render", falling, "-o", picture, "--frames", asked, "--size", "32x24").returncode == 0
    rows = decode(picture)
    assert (len(rows[0]), len(rows)) == (32 * columns, 24 * lines)


def test_bodies_in_the_plane_are_filled(tmp_path):
    out = simulate(FLAT, tmp_path)
    assert abut("render", out, "--frames", 1, "--size", f"{WIDTH}x{HEIGHT}").returncode == 0
    rows = decode(out / "picture.png")
    share = sum(blue(pixel) for line in rows for pixel in line) / (WIDTH * HEIGHT)
    assert 0.3 < share < 0.8, "a rectangle twice as wide as high fills its frame's width"
    assert blue(rows[HEIGHT // 2][WIDTH // 2])


def test_points_and_curves_are_seen(tmp_path):
    scene = {
        "format": 1,
        "objects": [{"kind": "points", "geometry": {"file": "points.obj"}},
                    {"kind": "obstacle", "geometry": {"file": "curve.obj"}}],
        "time": {"steps": 1},
    }
    (tmp_path / "points.obj").write_text("v 0 1 0\nv 0.5 1 0\n")
    (tmp_path / "curve.obj").write_text("v -1 0 0\nv 1 0 0\nl 1 2\n")
    out = simulate(scene, tmp_path)
    assert abut("render", out, "--frames", 1, "--size", f"{WIDTH}x{HEIGHT}").returncode == 0
    rows = decode(out / "picture.png")
    assert sum(blue(pixel) for line in rows for pixel in line) > 20, "the points"
    assert sum(max(pixel) < 210 for line in rows[HEIGHT // 2 :] for pixel in line) > 50, "the curve"


STILL = {
    "format": 1,
    "gravity": [0, 0, 0],
    "objects": [
        {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [0, 0, 0]}},
        {"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2]}, "transform": {"translate": [1, 0.5, 0]}},
    ],
    "time": {"steps": 0},
}


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    return simulate(STILL, tmp_path_factory.mktemp("still"))


def seen(out, folder, *options):
    """Of the blue and of the orange cube: how many pixels, mean column, mean row."""
    picture = folder / "seen.png"
    result = abut("render", out, "-o", picture, "--force", "--frames", 1, "--size", f"{WIDTH}x{HEIGHT}", *options)
    assert result.returncode == 0, result.stderr
    part = decode(picture)
    found = []
    for is_wanted in (blue, orange):
        places = [(x, y) for y, line in enumerate(part) for x, pixel in enumerate(line) if is_wanted(pixel)]
        count = len(places)
        found.append((count, sum(x for x, _ in places) / max(1, count), sum(y for _, y in places) / max(1, count)))
    return found


def test_the_camera_sees_from_where_it_is_put(still, tmp_path):
    (_, x0, y0), (_, x1, y1) = seen(still, tmp_path, "--camera", "0.5,0.25,9")
    assert x0 < x1 - 20 and y0 > y1 + 10, "the orange cube is at the right and above"
    (_, x0, y0), (_, x1, y1) = seen(still, tmp_path, "--camera", "0.5,0.25,-9")
    assert x0 > x1 + 20 and y0 > y1 + 10, "from behind at the left"
    (_, x0, y0), (_, x1, y1) = seen(still, tmp_path, "--camera", "0.5,0.25,9", "--up", "0,-1,0")
    assert x0 > x1 + 20 and y0 < y1 - 10, "upside down"
    (_, x0, y0), (_, x1, y1) = seen(still, tmp_path, "--camera", "0.5,9,0")
    assert x0 < x1 - 20 and abs(y0 - y1) < 2, "from straight above, where no direction is up"
    (n0, _, _), (n1, _, _) = seen(still, tmp_path, "--camera", "-1,-0.5,0")
    assert n0 > 50 and n1 == 0, "the near one hides the other, which is in line with it"
    (n0, _, _), (n1, _, _) = seen(still, tmp_path, "--camera", "2,1,0")
    assert n0 == 0 and n1 > 50


def test_the_point_that_is_looked_at_is_in_the_middle(still, tmp_path):
    for options in ((), ("--camera", "3,2,1"), ("--zoom", "3")):
        (_, x, y), _ = seen(still, tmp_path, "--look-at", "0,0,0", *options)
        assert abs(x - WIDTH / 2) < 2 and abs(y - HEIGHT / 2) < 2, options
        _, (_, x, y) = seen(still, tmp_path, "--look-at", "1,0.5,0", *options)
        assert abs(x - WIDTH / 2) < 2 and abs(y - HEIGHT / 2) < 2, options


def test_zoom_enlarges(still, tmp_path):
    camera = ("--camera", "0,0,9", "--look-at", "0,0,0")
    (once, _, _), _ = seen(still, tmp_path, *camera)
    (twice, _, _), _ = seen(still, tmp_path, *camera, "--zoom", 2)
    assert 3.5 < twice / once < 4.5
    (near, _, _), (far, _, _) = seen(still, tmp_path, *camera, "--zoom", 20)
    assert near == WIDTH * HEIGHT or near > 0.9 * WIDTH * HEIGHT
    assert far == 0


def test_a_camera_amid_things_sees_what_is_in_front_of_it(still, tmp_path):
    (n0, _, _), (n1, _, _) = seen(still, tmp_path, "--camera", "0.5,0.25,0", "--look-at", "1,0.5,0")
    assert n0 == 0 and n1 > 20, "the blue cube is behind it"
    (n0, _, _), (n1, _, _) = seen(still, tmp_path, "--camera", "0,0,0", "--look-at", "-1,0,0")
    assert n0 > 0.7 * WIDTH * HEIGHT and n1 == 0, "from inside a cube, whose sides pass the camera"


@pytest.mark.parametrize("options, words", [
    (["--camera", "1,2"], "give 3 numbers"), (["--camera", "1,2,3,4"], "give 3 numbers"), (["--up", "a,b,c"], "give 3"),
    (["--look-at", "1,nan,2"], "give 3 numbers"), (["--camera", "1,,2"], "give 3 numbers"),
    (["--camera", "0,0,1e300"], "below 1e100"),
    (["--camera", "1,2,3", "--look-at", "1,2,3"], "--camera, --look-at: they are the same point"),
    (["--camera", "0.5,0.25,0"], "--camera: it is in the middle of the scene"),
    (["--camera", "0,1,0", "--look-at", "0,0,0", "--up", "0,-2,0"], "--up: it points along the view"),
    (["--up", "0,0,0"], "--up: it has no length"),
    (["--camera", "5,0,0", "--look-at", "9,0,0"], "--camera: nothing is in front of it"),
    (["--zoom", "0"], "--zoom"), (["--zoom", "-1"], "--zoom")])
def test_views_that_cannot_be_are_refused_as_bad_usage(still, tmp_path, options, words):
    picture = tmp_path / "picture.png"
    result = abut("render", still, "-o", picture, *options)
    assert result.returncode == 2 and words in result.stderr and not picture.exists()


def test_the_plane_is_seen_straight_on(tmp_path):
    out = simulate(FLAT, tmp_path)
    (whole, _, _), _ = seen(out, tmp_path)
    (half, _, _), _ = seen(out, tmp_path, "--zoom", 0.5)
    assert 3.5 < whole / half < 4.5
    (_, x, y), _ = seen(out, tmp_path, "--look-at", "-0.2,0.2", "--zoom", 0.3)
    assert x > WIDTH / 2 + 5 and abs(y - HEIGHT / 2) < 3, "its left side is in the middle"
    for option in ("--camera", "--up"):
        result = abut("render", out, option, "0,0,1")
        assert result.returncode == 2 and "the run is in the plane" in result.stderr
    assert "give 2 numbers" in abut("render", out, "--look-at", "0,0,1").stderr


def test_what_cannot_be_drawn_is_refused(falling, tmp_path):
    picture = tmp_path / "picture.png"
    result = abut("render", tmp_path / "nothing", "-o", picture)
    assert result.returncode == 3 and "no results" in result.stderr
    empty = tmp_path / "empty"
    (empty / "frames").mkdir(parents=True)
    (empty / "scene.json").write_text(json.dumps(FALLING))
    result = abut("render", empty, "-o", picture)
    assert result.returncode == 3 and "no frames" in result.stderr
    for size in ("480", "0x100", "480x360x2", "-5x100", "99999x99999", "wide"):
        result = abut("render", falling, "-o", picture, f"--size={size}")
        assert result.returncode == 2 and "480x360" in result.stderr, size
    assert abut("render", falling, "-o", picture, "--frames", 0).returncode == 2
    assert abut("render", falling, "-o", picture, "--size", "8192x8192").returncode == 6
    assert abut("render", falling, "-o", tmp_path / "picture.jpg").returncode == 3
    assert abut("render", falling, "-o", tmp_path / "absent" / "picture.png").returncode == 7
    assert not picture.exists()
    frame = falling / "frames" / "frame_00000010.vtu"
    whole = frame.read_bytes()
    frame.write_bytes(whole[: len(whole) // 2])
    try:
        result = abut("render", falling, "-o", picture)
        assert result.returncode == 3 and "frame_00000010.vtu" in result.stderr
    finally:
        frame.write_bytes(whole)
