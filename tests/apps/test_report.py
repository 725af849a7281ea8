"""The page that sums a run up: self-contained, well-formed, and saying what the statistics say."""

import base64
import io
import json
import os
import re
import subprocess
import zipfile
import zlib
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
SVG = "{http://www.w3.org/2000/svg}"


def abut(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=120)


def cube(name="cube", y=0.11, **changes):
    return {"name": name, "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
            "transform": {"translate": [0, y, 0]}, **changes}


def scene(**changes):
    return {"format": 1, "name": "two <cubes> & a floor", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
            "objects": [cube("lower"), cube("upper", 0.33)], "contact": {"friction": {"mu": 0.3}},
            "time": {"steps": 30}, **changes}


def simulate(folder, data, *options, code=0):
    path = folder / "scene.json"
    path.write_text(json.dumps(data))
    result = abut("run", path, "-o", folder / "out", "--quiet", *options)
    assert result.returncode == code, result.stderr
    return folder / "out"


def without_scripts(html):
    return re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)


def data_of(html, name):
    """What an element that holds data has in it."""
    (found,) = re.findall(rf'<script type="application/[a-z-]+" id="{re.escape(name)}">(.*?)</script>', html, re.DOTALL)
    return found


def manifest_of(out):
    return json.loads(data_of((out / "report.html").read_text(), "run-manifest"))


class Page(HTMLParser):
    """Checks that tags are closed in order, and keeps text and pictures."""

    EMPTY = {"meta", "img"}

    def __init__(self, html):
        super().__init__()
        self.open, self.words, self.attributes = [], [], []
        self.feed(html)
        self.close()
        assert not self.open
        self.text = " ".join("".join(self.words).split())
        self.svgs = [ElementTree.fromstring(each)
                     for each in re.findall(r"<svg.*?</svg>", without_scripts(html), re.DOTALL)]

    def handle_starttag(self, tag, attributes):
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.attributes += attributes

    def handle_startendtag(self, tag, attributes):
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in {"style", "script"}:
            self.words.append(data)

    def plot(self, title):
        (found,) = [svg for svg in self.svgs if svg.find(f"{SVG}text").text.startswith(title)]
        return found

    def titles(self):
        return [svg.find(f"{SVG}text").text for svg in self.svgs]


def page(out):
    return Page((out / "report.html").read_text())


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return simulate(tmp_path_factory.mktemp("good"), scene())


def test_a_good_run_is_called_good(good):
    text = page(good).text
    assert "two <cubes> & a floor" in text, "names are escaped"
    assert "Good. 30 of 30 steps" in text
    assert "intersections0" in text.replace(" ", "") and "invertedelements0" in text.replace(" ", "")
    for choice in json.loads((good / "choices.json").read_text()):
        assert choice["name"] in text and choice["reason"] in text
    shares = [int(share) for share in re.findall(r"s(\d+) %", text.replace("s ", "s"))]
    assert len(shares) == 7 and abs(sum(shares) - 100) <= 3


def test_the_page_needs_nothing_else(good):
    html = (good / "report.html").read_text()
    assert set(re.findall(r"\w+://[^\s\"<]*", without_scripts(html))) == {"http://www.w3.org/2000/svg"}
    attributes = page(good).attributes
    assert not {name for name, _ in attributes} & {"href", "srcset", "data", "onload"}
    assert all(value.startswith("data:") for name, value in attributes if name == "src")
    assert "url(" not in without_scripts(html)
    assert not re.search(r"<script[^>]*src", html)


def test_all_frames_are_there_to_play(good):
    manifest = manifest_of(good)
    assert manifest["playback"] == 1 and manifest["name"] == "two <cubes> & a floor"
    assert [frame["step"] for frame in manifest["frames"]] == list(range(31)) and manifest["frames_of_run"] == 31
    assert [body["name"] for body in manifest["bodies"]] == ["lower", "upper"]
    assert [field["name"] for field in manifest["fields"]] == ["speed", "contact_force", "stress", "strain"]
    assert not manifest["marks"] and not manifest["is_running"]
    html = (good / "report.html").read_text()
    assert sum(chunk["count"] for chunk in manifest["chunks"]) == 31
    for k in range(len(manifest["chunks"])):
        assert zlib.decompress(base64.b64decode(data_of(html, f"run-chunk-{k}")))
    assert "31 of 31 frames, positions rounded to 0.0001 of each body's extent" in page(good).text


def test_frames_are_left_out_where_the_size_is_limited(good, tmp_path):
    assert abut("report", good, "--size", "0.02").returncode == 0
    html = (good / "report.html").read_text()
    steps = [frame["step"] for frame in manifest_of(good)["frames"]]
    assert 2 <= len(steps) < 31 and steps[0] == 0 and steps[-1] == 30
    assert f"{len(steps)} of 31 frames, to keep this page within 0.02 MB" in page(good).text
    chunks = range(len(manifest_of(good)["chunks"]))
    assert sum(len(data_of(html, f"run-chunk-{k}")) for k in chunks) < 20_100
    assert abut("report", good, "--size", "0").returncode == 0
    assert "run-manifest" not in without_viewer((good / "report.html").read_text())
    assert "The frames are not in this page" in page(good).text and "<img" in (good / "report.html").read_text()
    for size in ["-1", "much", "1e9"]:
        assert abut("report", good, "--size", size).returncode == 2
    assert abut("report", good).returncode == 0


def without_viewer(html):
    return re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)


def test_a_run_can_leave_the_page_out(tmp_path):
    out = simulate(tmp_path, scene(), "--no-report", "--steps", "3")
    assert not (out / "report.html").exists()
    assert abut("report", out).returncode == 0 and (out / "report.html").exists()


def unpacked(out, folder):
    html = (out / "report.html").read_text()
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(data_of(html, "download-repro.zip")))) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    return folder / "repro"


def frame_bytes(out):
    return {path.name: path.read_bytes() for path in (out / "frames").iterdir()}


def test_the_scene_of_the_page_gives_the_same_bits(good, tmp_path):
    repro = unpacked(good, tmp_path)
    assert abut("run", repro / "scene.json", "-o", tmp_path / "again", "--quiet", "--no-report").returncode == 0
    assert frame_bytes(tmp_path / "again") == frame_bytes(good)


def test_a_failing_step_is_in_the_page_to_take_away(tmp_path):
    out = simulate(tmp_path, scene(solver={"max_iterations": 3, "tolerance": 1e-9}), code=5)
    line = json.loads((out / "stats.jsonl").read_text().splitlines()[-1])
    repro = unpacked(out, tmp_path / "unpacked")
    assert abut("resume", repro, "--quiet").returncode == 5
    again = json.loads((repro / "stats.jsonl").read_text().splitlines()[-1])
    assert again["message"] == line["message"]
    last = f"{line['step']:06d}.vtu"
    (mine,) = [path for path in (out / "frames").iterdir() if path.name.endswith(last)]
    assert (repro / "frames" / mine.name).read_bytes() == mine.read_bytes()


def test_what_limited_a_step_is_marked(tmp_path):
    """A cube thrown at another, with too few iterations for the step in which they meet."""
    data = scene(objects=[cube("lower"), cube("upper", 0.33, velocity=[0, -20, 0])], solver={"max_iterations": 2})
    out = simulate(tmp_path, data, code=5)
    line = json.loads((out / "stats.jsonl").read_text().splitlines()[-1])
    assert line["limiting_vertices"] and "limited by" in line["message"]
    manifest = manifest_of(out)
    (mark,) = manifest["marks"]
    assert mark["label"] == f"what limited step {line['step']}"
    assert len(mark["points"]) == len(line["limiting_vertices"])
    assert manifest["look_at"]["frame"] == len(manifest["frames"]) - 1 and manifest["look_at"]["radius"] > 0


def test_warnings_are_in_the_page(tmp_path):
    data = scene(objects=[cube("lower"), cube("far", 1e9)], planes=[], gravity=[0, 0, 0], time={"steps": 1})
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(data))
    result = abut("run", path, "-o", tmp_path / "out")
    (warning,) = json.loads((tmp_path / "out" / "warnings.json").read_text())
    assert f"warning: {warning}" in result.stderr
    assert f"Warnings {warning}" in page(tmp_path / "out").text


def test_plots_have_titles_with_units_and_ticks(good):
    titles = page(good).titles()
    assert [title.split(" [")[0].split(";")[0] for title in titles] == [
        "Energies", "Energy gained by each step", "Newton iterations of each step", "Contacts",
        "Smallest distance of contacts", "Forces between bodies, contact and friction"]
    for title, svg in zip(titles, page(good).svgs):
        words = [text.text for text in svg.iter(f"{SVG}text")]
        assert "time [s]" in words, title
        ticks = [word for word in words if re.fullmatch(r"-?[\d.]+(e-?\d+)?", word)]
        assert len(ticks) >= 5, title
        width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
        for line in svg.iter(f"{SVG}polyline"):
            for point in line.attrib["points"].split():
                x, y = map(float, point.split(","))
                assert 0 <= x <= width and 0 <= y <= height, title


def test_lines_follow_the_statistics(good):
    lines = [json.loads(line) for line in (good / "stats.jsonl").read_text().splitlines()]
    contacts = [line["contacts"] for line in lines]
    (drawn,) = page(good).plot("Contacts").iter(f"{SVG}polyline")
    heights = [-float(point.split(",")[1]) for point in drawn.attrib["points"].split()]
    assert len(heights) == len(contacts) == 30
    lowest, highest = min(heights), max(heights)
    for height, count in zip(heights, contacts):
        share = (count - min(contacts)) / (max(contacts) - min(contacts))
        assert (height - lowest) / (highest - lowest) == pytest.approx(share, abs=1e-3)
    legend = [text.text for text in page(good).plot("Forces").iter(f"{SVG}text")]
    assert "lower – plane 0" in legend and "lower – upper" in legend


def test_a_failure_is_told_with_its_message(tmp_path):
    out = simulate(tmp_path, scene(solver={"max_iterations": 3, "tolerance": 1e-9}), code=5)
    line = json.loads((out / "stats.jsonl").read_text().splitlines()[-1])
    text = page(out).text
    assert f"Failed. Step {line['step']} ended in iteration_limit: {' '.join(line['message'].split())}" in text
    marks = [each for each in page(out).plot("Contacts").iter(f"{SVG}line") if each.attrib["stroke"] == "#c00000"]
    assert len(marks) == 1, "the failing step is marked"


def test_runs_that_are_not_whole_or_not_verified_are_called_so(tmp_path):
    out = simulate(tmp_path, scene(), "--steps", "5")
    assert "Good so far. 5 of 30 steps" in page(out).text
    assert abut("resume", out, "--quiet").returncode == 0
    assert "Good. 30 of 30 steps" in page(out).text, "a resume writes it anew"
    other = tmp_path / "other"
    other.mkdir()
    assert "Not verified." in page(simulate(other, scene(verify="off"))).text
    none = tmp_path / "none"
    none.mkdir()
    assert "Nothing yet. 0 of 30 steps" in page(simulate(none, scene(), "--steps", "0")).text


def test_findings_are_not_hidden(good, tmp_path):
    """A line that says something intersects makes the run not good."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "scene.json").write_text((good / "scene.json").read_text())
    lines = [json.loads(line) for line in (good / "stats.jsonl").read_text().splitlines()]
    lines[7]["verification"]["intersections"] = 3
    (out / "stats.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = abut("report", out)
    assert result.returncode == 0 and result.stdout.strip().endswith("report.html")
    assert "Not good. 30 of 30 steps; the exact tests found 3 intersections and 0 inverted" in page(out).text


@pytest.mark.parametrize("defects, is_off", [([0.002] * 30, False), ([0.05] + [0.001] * 29, False),
                                             ([0.02] * 3 + [0.001] * 27, True), ([0.25] + [0.001] * 29, True)])
@pytest.mark.parametrize("integrator", ["implicit_euler", "quasi_static"])
def test_a_run_whose_momentum_is_off_is_not_called_good(good, tmp_path, defects, is_off, integrator):
    out = tmp_path / "out"
    out.mkdir()
    data = json.loads((good / "scene.json").read_text())
    data["time"]["integrator"] = integrator
    (out / "scene.json").write_text(json.dumps(data))
    lines = [json.loads(line) for line in (good / "stats.jsonl").read_text().splitlines()]
    assert len(lines) == len(defects)
    (out / "stats.jsonl").write_text(
        "".join(json.dumps(line | {"momentum_defect": defect}) + "\n" for line, defect in zip(lines, defects)))
    assert abut("report", out).returncode == 0
    note = f"momentum balance is off by {100 * max(defects):.2g} %: give solver.tolerance a thousandth"
    is_noted = is_off and integrator != "quasi_static"
    assert (note in page(out).text) == is_noted
    assert ("Good." in page(out).text) == (not is_noted)


def test_script_lag_is_drawn_where_there_is_one(tmp_path):
    data = scene(scripts=[{"object": "upper", "velocity": [0.1, 0, 0]}])
    assert page(simulate(tmp_path, data)).titles()[-1] == "How far scripted vertices are behind [m]"


def test_long_runs_keep_the_page_small_and_their_peaks(good, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "scene.json").write_text((good / "scene.json").read_text())
    line = json.loads((good / "stats.jsonl").read_text().splitlines()[-1])
    count, peak = 20_000, 12_361
    with open(out / "stats.jsonl", "w") as file:
        start, end = json.dumps(line | {"step": 0, "time": 0, "iterations": 0}).split('"iterations": 0')
        assert '"time": 0' in start + end
        for k in range(count):
            text = start + f'"iterations": {900 if k == peak else 2}' + end
            file.write(text.replace('"time": 0', f'"time": {0.01 * k}') + "\n")
        file.write('{"step": 20001, "ti')  # a run that was killed
    assert abut("report", out).returncode == 0
    assert (out / "report.html").stat().st_size < 1_000_000
    (drawn,) = page(out).plot("Newton").iter(f"{SVG}polyline")
    points = [tuple(map(float, point.split(","))) for point in drawn.attrib["points"].split()]
    assert len(points) <= 1001
    top = min(points, key=lambda point: point[1])
    assert (top[0] - points[0][0]) / (points[-1][0] - points[0][0]) == pytest.approx(peak / count, abs=2e-3)
    assert sum(point[1] < top[1] + 50 for point in points) == 1


def test_what_is_always_zero_is_drawn_from_zero(tmp_path):
    out = simulate(tmp_path, scene(objects=[cube(y=5)], time={"steps": 3}))
    plots = page(out)
    words = [text.text for text in plots.plot("Contacts").iter(f"{SVG}text")]
    assert {"0", "1", "Contacts"} <= set(words) and "-1" not in words
    assert not any(title.startswith(("Smallest", "Forces")) for title in plots.titles()), "nothing to draw"
    assert "no contact" in plots.text


def test_old_or_odd_statistics_do_no_harm(good, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "scene.json").write_text((good / "scene.json").read_text())
    (out / "stats.jsonl").write_text('{"step": 1, "time": 0.01, "outcome": "converged"}\n[1]\nnonsense\n'
                                     '{"step": 2, "energy": 3, "forces": {}}\n{"step": 3, "seconds": null}\n')
    result = abut("report", out)
    assert result.returncode == 0, result.stderr
    assert [f"line {n}: " in result.stderr for n in range(1, 6)] == [False, True, True, False, True]
    assert "2 of 30 steps" in page(out).text
