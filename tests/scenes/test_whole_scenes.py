"""Every scene of the repository from start to end: it converges, nothing intersects, and it shows what its name says."""

import json
import math
import os
import pathlib
import struct
import subprocess

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SCENES = {path.stem: path for path in sorted((pathlib.Path(__file__).parents[2] / "scenes").glob("*.json"))}


class Run:
    def __init__(self, name, folder, *settings):
        self.folder = folder
        settings = [word for setting in ("verify=step", *settings) for word in ("--set", setting)]
        result = subprocess.run(
            [PROGRAM, "run", SCENES[name], "-o", folder, *settings],
            text=True, capture_output=True, timeout=1800,
        )
        assert result.returncode == 0, result.stderr
        assert "verified: 0 intersections, 0 inverted elements" in result.stdout
        verify = subprocess.run([PROGRAM, "verify", folder], text=True, capture_output=True, timeout=1800)
        assert verify.returncode == 0, verify.stdout
        self.stats = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
        assert all(line["outcome"] == "converged" for line in self.stats)
        assert all(line["verification"]["intersections"] == line["verification"]["inverted"] == 0 for line in self.stats)
        self.frames = sorted((folder / "frames").glob("*.vtu"))

    def array(self, frame, name, kind, width):
        data = self.frames[frame].read_bytes()
        start = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
        header = data[:start].decode()
        offset = int(header.split(f'Name="{name}"')[1].split('offset="')[1].split('"')[0])
        (size,) = struct.unpack_from("<Q", data, start + offset)
        values = struct.unpack_from(f"<{size // struct.calcsize(kind)}{kind}", data, start + offset + 8)
        return [values[k : k + width] for k in range(0, len(values), width)]

    def points(self, frame, k):
        """Of object k."""
        objects = [value for (value,) in self.array(frame, "object", "i", 1)]
        return [x for x, each in zip(self.array(frame, "points", "d", 3), objects) if each == k]

    def centre(self, frame, k):
        points = self.points(frame, k)
        return [sum(x[c] for x in points) / len(points) for c in range(3)]


def slides_with_the_acceleration_of_coulomb(run):
    g, mu = (3.82, 9.036), 0.2
    time = run.stats[-1]["time"]
    way = run.centre(-1, 0)[0] - run.centre(0, 0)[0]
    # Implicit Euler adds dt / time; the cube also needs a moment to settle.
    assert way == pytest.approx((g[0] - mu * g[1]) * time**2 / 2, rel=0.05)


def stays(run):
    assert math.dist(run.centre(-1, 0), run.centre(0, 0)) < 2e-3


def stands(run, settles=5e-3):
    for k in range(11):
        assert math.dist(run.centre(-1, k), run.centre(0, k)) < settles
    speed = max(map(math.hypot, *zip(*run.array(-1, "velocity", "d", 3))))
    assert speed < 0.01


def keeps_its_links(run):
    for frame in range(0, len(run.frames), 10):
        centres = [run.centre(frame, k) for k in range(9)]
        # Rings of radius 0.1 m whose tubes of 0.022 m hold each other, with some room for stretch.
        assert all(math.dist(a, b) < 2 * (0.1 - 0.022) * 1.1 for a, b in zip(centres, centres[1:]))
    assert min(run.centre(frame, 8)[1] for frame in range(len(run.frames))) < -0.9, "it swings through the lowest point"


def comes_out(run):
    assert min(x[0] for x in run.points(-1, 0)) > 0.4


def falls_off(run):
    assert max(x[1] for x in run.points(-1, 1)) < 0.6 and min(x[0] for x in run.points(-1, 1)) > 0


def does_not_stumble(run):
    heights = [run.centre(frame, 1)[1] for frame in range(10, len(run.frames))]
    assert max(heights) - min(heights) < 1e-3, "within half of dhat"
    # IPC counts a contact once for each feature nearby, so inner edges push a little sideways: 0.14 % of the way here.
    assert run.centre(-1, 1)[0] - run.centre(0, 1)[0] == pytest.approx(1.5 * run.stats[-1]["time"], rel=5e-3)


def rests_in_the_pit(run):
    assert max(x[1] for x in run.points(-1, 3)) < 0.27
    assert max(x[1] for x in run.points(-1, 1)) < 0.6, "the other one fell off the tip"


def drags_its_tip(run):
    assert run.centre(-1, 1)[0] - run.centre(0, 1)[0] == pytest.approx(1, abs=0.05)
    assert min(line["contacts"] for line in run.stats[20:]) > 0


def solid_angle(a, b, c):
    """Of a triangle, seen from the origin (Van Oosterom and Strackee 1983)."""
    dot = lambda u, v: sum(x * y for x, y in zip(u, v))
    cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    x, y, z = (math.hypot(*u) for u in (a, b, c))
    return 2 * math.atan2(dot(a, cross), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y)


def linking_number(a, b):
    """Of closed polylines: the solid angles of all parallelograms of differences, over 4 pi."""
    total = 0
    for p, q in zip(a, a[1:] + a[:1]):
        for r, s in zip(b, b[1:] + b[:1]):
            minus = lambda u, v: tuple(x - y for x, y in zip(u, v))
            far = minus(q, s)
            total += solid_angle(minus(p, r), far, minus(q, r)) + solid_angle(minus(p, r), minus(p, s), far)
    assert total / (4 * math.pi) == pytest.approx(round(total / (4 * math.pi)), abs=1e-6)
    return round(total / (4 * math.pi))


def keeps_its_mail(run):
    rows, columns, segments = 9, 4, 12

    def links(frame):
        points = run.points(frame, 0)
        rings = [points[k : k + segments] for k in range(0, len(points), segments)]
        near = [(a, b) for a in range(len(rings)) for b in range(a + 1, min(a + 2 * columns, len(rings)))]
        return {pair: n for pair in near if (n := linking_number(rings[pair[0]], rings[pair[1]]))}

    before = links(0)
    assert len(before) == (rows - 1) * (2 * columns - 1)
    assert links(-1) == before


def pulls_its_knot_tight(run):
    extent = lambda frame: max(x[1] for x in run.points(frame, 0)) - min(x[1] for x in run.points(frame, 0))
    assert extent(-1) < 0.6 * extent(0)


def is_caught(run):
    lowest = min(run.centre(frame, 1)[1] for frame in range(len(run.frames)))
    assert -0.45 < lowest < -0.05, "the web gives, and holds"


def hangs(run):
    heights = [run.centre(frame, 2)[1] for frame in range(len(run.frames))]
    assert min(heights) > heights[0] - 0.6, "the ring is carried"
    assert max(x[1] for x in run.points(-1, 0)) > 0.35, "the spring is on its hook"


def keeps_its_roots(run):
    ball = run.centre(-1, 1)
    assert all(math.dist(x, ball) == pytest.approx(0.104, abs=1e-3) for x in run.points(-1, 0)[:120])


def lies_in_the_dish(run):
    for k in range(1, 7):
        assert all(math.hypot(x[0], x[2]) < 0.4 and x[1] > -0.01 for x in run.points(-1, k)), k


def keeps_the_print(run):
    # The surface under the stamp's middle stays below that beside it, and the stamp is gone.
    top = [x for x, rest in zip(run.points(-1, 0), run.points(0, 0)) if rest[1] > 0.0081]
    middle = [x[1] for x in top if math.hypot(x[0], x[2]) < 0.003]
    beside = [x[1] for x in top if math.hypot(x[0], x[2]) > 0.014]
    assert max(middle) < min(beside) - 0.0015
    assert min(x[1] for x in run.points(-1, 1)) > max(x[1] for x in top)
    # It is sticky: on its way up the stamp carries the wax, of 0.08 N, before it lets go.
    pulls = [force["contact"][1] for line in run.stats[21:] for force in line["forces"] if (force["on"], force["by"]) == ("wax", "stamp")]
    assert max(pulls) > 0.05
    assert not any(force["by"] == "stamp" for force in run.stats[-1]["forces"]), "it has let go"
    assert sum(line["energy"]["plastic_loss"] for line in run.stats) > 0
    # It is plastic: frames, from which runs resume, have F_p of each element, with the determinant 1.
    for (a, b, c, d, e, f, g, h, i) in run.array(-1, "history.plastic.deformation", "d", 9):
        assert a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) == pytest.approx(1, abs=1e-8)
    assert max(strain for (strain,) in run.array(-1, "history.plastic.strain", "d", 1)) > 0.3


def stays_flat(run):
    height = lambda frame: max(x[1] for x in run.points(frame, 0) if abs(x[0]) < 0.03)
    assert height(-1) < 0.85 * height(0)
    length = lambda frame: max(x[0] for x in run.points(frame, 0)) - min(x[0] for x in run.points(frame, 0))
    assert length(-1) > 1.05 * length(0)


def keeps_its_dent(run):
    rest, end = run.points(0, 0), run.points(-1, 0)
    assert max(a[0] - b[0] for a, b in zip(rest, end)) > 0.003
    assert min(x[0] for x in run.points(-1, 1)) > 0.045, "the ball is gone"


def keeps_its_crease(run):
    # After the release it opens, but not to where it came from.
    end = [x for x, rest in zip(run.points(-1, 0), run.points(0, 0)) if rest[0] > 0.045]
    angle = math.degrees(math.atan2(sum(x[1] for x in end) / len(end), sum(x[0] for x in end) / len(end)))
    assert 40 < angle < 160


def keeps_its_bend(run):
    x = run.points(-1, 0)
    turn = lambda a, b, c: math.acos(sum((q - p) * (r - q) for p, q, r in zip(a, b, c)) / (math.dist(a, b) * math.dist(b, c)))
    first, last = (sum(turn(*x[k - 1 : k + 2]) for k in half) for half in (range(1, 40), range(40, 80)))
    assert all(math.radians(60) < each < math.radians(125) for each in (first, last))


def bonded_share(run):
    areas = [sum(force.get("bonded_area", 0) for force in line["forces"]) for line in run.stats]
    return [area / max(areas) for area in areas]


def peels_off(run):
    share = bonded_share(run)
    assert all(a > b for a, b in zip(share[::30], share[30::30])) and 0 < share[-1] < 0.3
    assert max(x[1] for x in run.points(-1, 0)) > 0.15, "its end is up"


def comes_off_at_once(run):
    share = bonded_share(run)
    pull = [sum(abs(force["friction"][0]) for force in line["forces"]) for line in run.stats]
    hardest = pull.index(max(pull))
    assert pull[hardest] > 5 and share[hardest] > 0.2, "it holds"
    assert max(pull[hardest + 6 : hardest + 16]) < 0.1 * pull[hardest], "it lets go"
    assert share[-1] == 0


def comes_apart(run):
    assert bonded_share(run)[0] > 0.9 and not run.stats[-1]["forces"]
    return max(abs(force["contact"][1]) for line in run.stats for force in line["forces"])


def is_pulled_off(run):
    assert comes_apart(run) > 150


def is_peeled_off(run):
    assert comes_apart(run) < 100, "with less force than where all bonds go at once"


def falls_slides_turns_and_sticks(run):
    down = [run.centre(0, k)[1] - run.centre(-1, k)[1] for k in range(12)]
    free = 9.81 * run.stats[-1]["time"] ** 2 / 2
    assert all(abs(each / free - 1) < 0.05 for each in down[:3])
    assert all(0.4 * free < each < 1.05 * free for each in down[3:9])
    assert max(down[9:]) < 0.01


def keeps_some_folds(run):
    assert run.stats[-1]["contacts"] > 0
    middle = [x[0] for x, rest in zip(run.points(-1, 0), run.points(0, 0)) if abs(rest[1]) < 0.01]
    assert 0.1 < max(middle) - min(middle) < 0.29, "it was 0.3 m wide"


def hangs_by_one_tape(run):
    assert math.dist(run.centre(-1, 0), run.centre(0, 0)) < 0.02, "the doll is where it was"
    assert max(x[2] for x in run.points(-1, 1)) > 0.1, "one tape is pulled away"
    assert max(x[2] for x in run.points(-1, 2)) < 0.02, "the other is not"


def lifts_crumbs(run):
    assert sum(x[1] > 0.015 for x in run.points(-1, 1)) > 50
    assert any(x[1] < 0.015 for x in run.points(-1, 1)), "some are left"


def holds_the_ball(run):
    assert math.dist(run.centre(-1, 1), run.centre(0, 1)) < 0.3
    assert run.stats[-1]["forces"][0]["bonded_area"] > 0


def stays_rolled(run):
    x = [point[0] for point in run.points(-1, 0)]
    assert max(x) - min(x) < 0.07, "it was 0.12 m wide"
    assert all(abs(point[0]) < 0.05 and point[1] < 0.05 for point in run.points(-1, 1)), "the rice is inside"


def is_open_and_full(run):
    rim = [x for x, rest in zip(run.points(-1, 0), run.points(0, 0)) if rest[1] > 0.075]
    assert max(x[2] for x in rim) - min(x[2] for x in rim) > 0.05
    assert min(max(x[2] for x in run.points(k, 0)) for k in range(len(run.frames))) < 0.06
    assert all(math.hypot(x[0], x[2]) < 0.06 and x[1] < 0.06 for k in range(3, 12) for x in run.points(-1, k))


CHECKS = {
    "tape_peel": peels_off,
    "tape_to_the_right": comes_off_at_once,
    "plates_pull": is_pulled_off,
    "plates_peel": is_peeled_off,
    "cubes_on_wall": falls_slides_turns_and_sticks,
    "twisted_sheet": keeps_some_folds,
    "taped_doll": hangs_by_one_tape,
    "cleaning_gel": lifts_crumbs,
    "sticky_web": holds_the_ball,
    "sushi": stays_rolled,
    "chips_bag": is_open_and_full,
    "wax_seal": keeps_the_print,
    "dough_roller": stays_flat,
    "dented_can": keeps_its_dent,
    "folded_paper": keeps_its_crease,
    "bent_wire": keeps_its_bend,
    "chain_mail": keeps_its_mail,
    "rope_knot": pulls_its_knot_tight,
    "web_catches_ball": is_caught,
    "spring_on_hook": hangs,
    "fur_ball": keeps_its_roots,
    "everything": lies_in_the_dish,
    "slope_slides": slides_with_the_acceleration_of_coulomb,
    "slope_holds": stays,
    "arch": stands,
    "chain": keeps_its_links,
    "funnel": comes_out,
    "erleben_cliff_edge": falls_off,
    "erleben_internal_edges": does_not_stumble,
    "erleben_spikes": rests_in_the_pit,
    "erleben_sliding_spike": drags_its_tip,
}


@pytest.mark.parametrize("name", SCENES)
def test_scene(name, tmp_path):
    run = Run(name, tmp_path / "out")
    if name in CHECKS:
        CHECKS[name](run)


def stands_with_gcp(run):
    # Its barrier is softer than IPC's: the arch settles by a part of the 12 gaps of 1 mm that it starts with.
    stands(run, settles=12e-3)


# Where a ball slides over edges, wide tests of the local minimum push against its way: with 0.5, the
# default, it needs more time than its script has.
GCP_SETTINGS = {"funnel": ["contact.alpha_t=0.1"]}


# It has no adhesion, and says so.
WITHOUT_ADHESION = [name for name, path in SCENES.items() if '"adhesion"' not in path.read_text()]


@pytest.mark.parametrize("name", WITHOUT_ADHESION)
def test_scene_with_gcp(name, tmp_path):
    run = Run(name, tmp_path / "out", "contact.model=gcp", *GCP_SETTINGS.get(name, []))
    checks = dict(CHECKS, arch=stands_with_gcp)
    if name in checks:
        checks[name](run)
