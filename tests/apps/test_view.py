"""The view: shows a run while it computes and the start of a scene, to whoever has its address and to nobody else."""

import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import time
import zlib
from urllib.parse import urlsplit

import numpy as np
import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]


def cube(name, y, size=0.2):
    return {"name": name, "geometry": {"generate": "tet_box", "size": [size] * 3, "subdivisions": [2, 2, 2]},
            "transform": {"translate": [0.01, y, 0]}}


def scene(**changes):
    return {"format": 1, "name": "cubes", "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
            "objects": [cube("lower", 0.101), cube("upper", 0.303)], "contact": {"dhat": 2e-3, "friction": {"mu": 0.3}},
            "time": {"dt": 0.01, "steps": 12}, **changes}


def write(path, data):
    path.write_text(json.dumps(data))
    return path


def run(folder, data, **options):
    out = folder / "out"
    command = [PROGRAM, "run", write(folder / "scene.json", data), "-o", out, "--quiet", "--threads", "1"]
    assert subprocess.run(command, timeout=60, **options).returncode == 0
    return out


class View:
    """A view that is running, and a client of it."""

    def __init__(self, process):
        self.process = process
        self.address = process.stdout.readline().decode().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32,}/", self.address), self.address
        self.port, self.base = urlsplit(self.address).port, urlsplit(self.address).path

    def get(self, name, method="GET", **headers):
        """Of a path below the address; of one that begins with a slash, as it is. Status, body, headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        path = name if name.startswith("/") else self.base + name
        connection.putrequest(method, path, skip_host="Host" in headers)
        for key, value in headers.items():
            connection.putheader(key.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body, response.headers

    def manifest(self, query=""):
        status, body, _ = self.get("manifest.json" + query)
        assert status == 200
        return json.loads(body)

    def until(self, wanted, seconds=20):
        """The first manifest that is as wanted."""
        end = time.monotonic() + seconds
        while not wanted(manifest := self.manifest()):
            assert time.monotonic() < end, manifest
            time.sleep(0.05)
        return manifest

    def raw(self, data, seconds=5):
        """What comes back for some bytes; ends when the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as client:
            with contextlib.suppress(OSError):
                client.sendall(data)
            received = b""
            with contextlib.suppress(OSError):
                while part := client.recv(65536):
                    received += part
            return received

    def status_of(self, data):
        answer = self.raw(data)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else None


@contextlib.contextmanager
def view(what, *options, **settings):
    process = subprocess.Popen([PROGRAM, "view", what, *map(str, options)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, **settings)
    try:
        yield View(process)
        assert process.poll() is None, "it goes on until it is told to end"
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(tmp_path_factory.mktemp("view"), scene())


@pytest.fixture(scope="module")
def shown(results):
    with view(results) as server:
        yield server


# What is shown, read by docs/playback.md alone

class Playback:
    def __init__(self, manifest, topology):
        self.manifest = manifest
        numbers = np.frombuffer(zlib.decompress(topology), "<u4")
        self.vertices, at = [], 0
        for body in manifest["bodies"]:
            at += 3 * body["num_triangles"] + 2 * body["num_edges"] + body["num_points"]
            self.vertices.append(numbers[at:at + body["num_vertices"]])
            at += body["num_vertices"]
        assert at == len(numbers)

    def frame(self, chunk):
        """Positions of each body, fields of each body, and forces, of a chunk with one frame."""
        data, at = zlib.decompress(chunk), 0

        def take(form):
            nonlocal at
            values = struct.unpack_from("<" + form, data, at)
            at += struct.calcsize("<" + form)
            return values

        positions, fields, forces = [], [], []
        for body in self.manifest["bodies"]:
            count, whole = body["num_vertices"], np.zeros(3 * body["num_vertices"], np.uint64)
            shift, (mode, width) = np.array(take("3d")), take("2B")
            assert mode & 3 == 0, "there is no frame before it"
            for k in range(width):
                whole |= np.frombuffer(data, np.uint8, 3 * count, at).astype(np.uint64) << np.uint64(8 * k)
                at += 3 * count
            signed = (whole >> np.uint64(1)).astype(np.int64) ^ -(whole & np.uint64(1)).astype(np.int64)
            q = signed.reshape(3, count)
            if mode & 4:
                q = np.cumsum(q, axis=1)
            positions.append(np.array(body["origin"]) + body["quantum"] * (shift + q.T))
        for field in self.manifest["fields"]:
            fields.append([])
            for body in self.manifest["bodies"]:
                (mode, width), (least, largest) = take("2B"), take("2d")
                b = np.zeros(body["num_vertices"])
                if width == 1:
                    b = np.frombuffer(data, np.uint8, body["num_vertices"], at)
                    at += body["num_vertices"]
                    if mode & 2:
                        b = np.cumsum(b, dtype=np.uint8)
                fields[-1].append(least + (largest - least) * b / 255)
        for _ in range(take("I")[0]):
            forces.append((take("2i"), take("3f"), np.array(take("6d"))))
        assert at == len(data)
        return positions, fields, forces


def points_of_vtu(path, name="points"):
    data = path.read_bytes()
    (offset,) = re.findall(rb'Name="' + name.encode() + rb'"[^>]*offset="(\d+)"', data)
    at = data.index(b"_", data.index(b"<AppendedData")) + 1 + int(offset)
    (size,) = struct.unpack_from("<Q", data, at)
    return np.frombuffer(data, "<f8", size // 8, at + 8).reshape(-1, 3)


def test_frames_are_those_of_the_results(shown, results):
    manifest = shown.manifest()
    assert manifest["playback"] == 1 and manifest["name"] == "cubes" and not manifest["is_running"]
    assert [frame["step"] for frame in manifest["frames"]] == list(range(13)) and manifest["frames_of_run"] == 13
    assert [frame["time"] for frame in manifest["frames"]] == pytest.approx([0.01 * step for step in range(13)])
    playback = Playback(manifest, shown.get("topology")[1])
    records = [json.loads(line) for line in (results / "stats.jsonl").read_text().splitlines()]
    names = [body["name"] for body in manifest["bodies"]]
    compared = 0
    for step in range(13):
        status, chunk, _ = shown.get(f"chunk/{step}")
        assert status == 200
        positions, fields, forces = playback.frame(chunk)
        points = points_of_vtu(results / "frames" / f"frame_{step:08d}.vtu")
        speeds = np.linalg.norm(points_of_vtu(results / "frames" / f"frame_{step:08d}.vtu", "velocity"), axis=1)
        for k, vertices in enumerate(playback.vertices):
            extent = np.linalg.norm(np.ptp(points[vertices], axis=0))
            assert np.abs(positions[k] - points[vertices]).max() < 1e-4 * extent
            assert np.abs(fields[0][k] - speeds[vertices]).max() <= np.ptp(speeds[vertices]) / 500 + 1e-12
        sums = {}
        for (on, by), _, force in forces:
            pair = (names[on], names[by] if by >= 0 else f"plane {-1 - by}")
            sums[pair] = sums.get(pair, 0) + force
        recorded = records[step - 1]["forces"] if step > 0 else []
        assert len(sums) == len(recorded)
        for force in recorded:
            expected = np.array([*force["contact"], *force["friction"]])
            assert sums[force["on"], force["by"]] == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max())
            compared += 1
    assert compared > 5, "bodies touch"


def test_the_page_has_all_it_needs_and_its_safety(shown):
    status, body, headers = shown.get("")
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert b'<div class="abut-viewer" data-play="run" data-live="manifest.json" data-fill></div>' in body and b"<script>" in body
    assert not re.search(rb"(?:src|href)\s*=\s*\"(?!data:)", body), "nothing is loaded from elsewhere"
    for name in ("", "manifest.json", "topology", "chunk/1", "nothing"):
        _, _, headers = shown.get(name)
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        policy = headers["Content-Security-Policy"]
        for part in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"):
            assert part in policy


def test_statistics_and_report_are_those_of_the_results(shown, results):
    lines = (results / "stats.jsonl").read_bytes().splitlines(keepends=True)
    assert shown.get("stats.jsonl")[1] == b"".join(lines)
    assert shown.get("stats.jsonl?from=10")[1] == b"".join(lines[9:])
    assert shown.get("stats.jsonl?from=13")[:2] == (200, b"")
    assert shown.get("report.html")[1] == (results / "report.html").read_bytes()


def test_what_is_known_is_not_sent_again(shown):
    _, body, headers = shown.get("manifest.json")
    assert shown.get("manifest.json", If_None_Match=headers["ETag"])[:2] == (304, b"")
    later = shown.manifest("?after=9")
    assert [frame["step"] for frame in later["frames"]] == [10, 11, 12] and later["frames_of_run"] == 13
    assert shown.manifest("?after=12")["frames"] == []


def test_only_who_knows_the_secret_gets_anything(shown):
    secret = shown.base.strip("/")
    last = "0" if secret[-1] != "0" else "1"
    for path in ("/", "/manifest.json", "/chunk/1", "/favicon.ico", f"/{secret[:-1]}{last}/", f"/{secret[:-1]}/",
                 f"/{secret}0/manifest.json", f"//{secret}/", f"/{secret.upper()}A/", "/../" + secret + "/"):
        status, body, _ = shown.get(path)
        assert status == 403 and b"cubes" not in body, path
    assert shown.get("/" + secret)[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW"])
def test_nothing_but_reading_is_possible(shown, method):
    status, _, headers = shown.get("manifest.json", method)
    assert status == 405 and headers["Allow"] == "GET, HEAD"


def test_head_is_get_without_a_body(shown):
    _, body, headers = shown.get("topology")
    status, nothing, same = shown.get("topology", "HEAD")
    assert status == 200 and nothing == b"" and same["Content-Length"] == headers["Content-Length"] == str(len(body))


def test_other_hosts_and_origins_are_refused(shown):
    port = shown.port
    for host, status in [(f"127.0.0.1:{port}", 200), (f"localhost:{port}", 200), (f"LOCALHOST:{port}", 200),
                         ("127.0.0.1", 403), ("evil.example", 403), (f"evil.example:{port}", 403), ("", 403),
                         (f"127.0.0.1:{port}.evil.example", 403), (f"127.0.0.1:{port + 1}", 403)]:
        assert shown.get("topology", Host=host)[0] == status, host
    for origin, status in [(f"http://127.0.0.1:{port}", 200), (f"http://localhost:{port}", 200), ("null", 403),
                           ("http://evil.example", 403), (f"https://127.0.0.1:{port}", 403), ("http://127.0.0.1", 403)]:
        assert shown.get("topology", Origin=origin)[0] == status, origin
    path = shown.base.encode() + b"topology"
    assert shown.status_of(b"GET " + path + b" HTTP/1.1\r\nConnection: close\r\n\r\n") == 403


TRAVERSALS = ["..", "../", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2fscene.json", "chunk/../../scene.json",
              "chunk/..", "./manifest.json", "/etc/passwd", "//etc/passwd", "%2fetc%2fpasswd", "scene.json", "lock",
              "meshes.json", "frames/frame_00000001.vtu", "chunk/1.vtu", "chunk/00000001%00", "chunk/1/../2", "chunk/-1",
              "chunk/1e1", "chunk/99999999999999999999", "chunk/0x1", "..\\..\\scene.json", "%c0%ae%c0%ae/", "report.html/..",
              "manifest.json%00", "manifest.json/", "file:///etc/passwd", "repro/scene.json", "chunk/%31"]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out(shown, path):
    status, body, _ = shown.get(shown.base + path)
    assert status == 404 and len(body) < 100


def test_what_is_too_large_is_refused(shown):
    start, host = b"GET " + shown.base.encode(), f"Host: 127.0.0.1:{shown.port}\r\n".encode()
    assert shown.get("topology?" + "a" * 3000)[0] == 414
    assert shown.status_of(start + b"a" * 100_000) == 414
    assert shown.status_of(start + b" HTTP/1.1\r\n" + host + b"A: " + b"a" * 100_000 + b"\r\n\r\n") == 431
    assert shown.status_of(start + b" HTTP/1.1\r\n" + host + b"A: b\r\n" * 500 + b"\r\n") == 431
    for body in (b"Content-Length: 5\r\n\r\nhello", b"Content-Length: 99999999999\r\n\r\n" + b"a" * 300_000,
                 b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b"Content-Length: -1\r\n\r\n"):
        assert shown.status_of(start + b"topology HTTP/1.1\r\n" + host + body) == 413, body
    assert shown.status_of(start + b"topology HTTP/2.0\r\n" + host + b"\r\n") == 505
    assert shown.get("topology")[0] == 200


def test_requests_in_one_piece_are_answered_in_order(shown):
    host = f" HTTP/1.1\r\nHost: 127.0.0.1:{shown.port}\r\n".encode()
    get = b"GET " + shown.base.encode()
    answer = shown.raw(get + b"topology" + host + b"\r\n" + get + b"nothing" + host + b"\r\n"
                       + get + b"chunk/1" + host + b"Connection: close\r\n\r\n")
    assert re.findall(rb"HTTP/1\.1 (\d+)", answer) == [b"200", b"404", b"200"]


# Runs that go on, results that change

def test_a_run_is_followed_while_it_computes(tmp_path):
    path = write(tmp_path / "scene.json", scene(time={"dt": 0.005, "steps": 400}))
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "run", path, "-o", out, "--quiet", "--threads", "1", "--steps", "60"])
    try:
        while not (out / "scene.json").exists():
            assert process.poll() is None
            time.sleep(0.01)
        with view(out) as server:
            early = server.until(lambda manifest: len(manifest["frames"]) > 1)
            assert early["is_running"] and len(early["frames"]) < 61
            assert re.match(r"step \d+ of 400, [\d.e-]+ s per step, (smallest gap [\d.e-]+ m|no contact)$", early["status"])
            step = early["frames"][-1]["step"]
            assert server.get(f"chunk/{step}")[0] == 200 and server.get(f"chunk/{step + 1000}")[0] == 404
            assert process.wait(timeout=60) == 0
            last = server.until(lambda manifest: not manifest["is_running"])
            assert [frame["step"] for frame in last["frames"]] == list(range(61)) and last["id"] == early["id"]
            assert last["status"].startswith("step 60 of 400") and "does not go on" in last["status"]
            # It is resumed while it is viewed, which the view must not keep it from.
            resumed = subprocess.run([PROGRAM, "resume", out, "--steps", "65", "--quiet"], capture_output=True, text=True)
            assert resumed.returncode == 0, resumed.stderr
            assert len(server.until(lambda manifest: len(manifest["frames"]) > 61)["frames"]) == 66
    finally:
        process.kill()
        process.wait()


def test_damaged_missing_and_replaced_frames(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results, out)
    with view(out) as server:
        frame = out / "frames" / "frame_00000005.vtu"
        whole = server.get("chunk/5")[1]
        content = frame.read_bytes()
        frame.write_bytes(content[: len(content) // 2])
        assert server.get("chunk/5")[0] == 404
        frame.unlink()
        assert server.get("chunk/5")[0] == 404
        frame.mkdir()
        assert server.get("chunk/5")[0] == 404
        frame.rmdir()
        frame.write_bytes((out / "frames" / "frame_00000006.vtu").read_bytes())
        assert server.get("chunk/5")[1] == server.get("chunk/6")[1]
        frame.write_bytes(content)
        assert server.get("chunk/5")[1] == whole
        for gone in (5, 12):
            (out / "frames" / f"frame_{gone:08d}.vtu").unlink()
        server.until(lambda manifest: len(manifest["frames"]) == 11)


def test_a_folder_that_goes_and_comes_again(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results, out)
    with view(out) as server:
        before = server.manifest()
        shutil.rmtree(out)
        gone = server.until(lambda manifest: not manifest["frames"])
        assert gone["status"] == "the results are gone" and not gone["is_running"]
        assert server.get("")[0] == 200
        for name in ("chunk/1", "topology", "report.html"):
            assert server.get(name)[0] == 404, name
        shutil.copytree(results, out)
        assert server.until(lambda manifest: manifest["frames"])["frames"] == before["frames"]
        # Another run in the same folder: other bodies have another id.
        shutil.rmtree(out)
        run(tmp_path, scene(objects=[cube("lower", 0.101)], time={"steps": 2}))
        other = server.until(lambda manifest: len(manifest["frames"]) == 3)
        assert other["id"] != before["id"] and len(other["bodies"]) == 1
        assert server.get("chunk/2")[0] == 200


def test_a_folder_without_a_frame_waits_for_one(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results, out)
    shutil.move(out / "frames", tmp_path / "frames")
    with view(out) as server:
        assert server.manifest()["frames"] == [] and server.manifest()["status"] == "there is no frame"
        assert server.get("")[0] == 200 and server.get("topology")[0] == 404 and server.get("chunk/0")[0] == 404
        shutil.move(tmp_path / "frames", out / "frames")
        assert len(server.until(lambda manifest: manifest["frames"])["frames"]) == 13


def test_viewing_leaves_the_results_as_they_are(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results, out)

    def state():
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in [out, *out.rglob("*")]}

    before = state()
    with view(out) as server:
        for name in ("", "manifest.json", "topology", "chunk/3", "stats.jsonl", "report.html"):
            assert server.get(name)[0] == 200
    assert state() == before


# Scenes before they run

def test_a_start_that_intersects_is_shown_with_what_does(tmp_path):
    path = write(tmp_path / "scene.json", scene(objects=[cube("a", 0.2), cube("b", 0.35)]))
    refused = subprocess.run([PROGRAM, "run", path, "-o", tmp_path / "out"], capture_output=True, text=True)
    count = int(re.search(r"intersects in (\d+) pairs", refused.stderr)[1])
    assert refused.returncode == 4
    with view(path) as server:
        manifest = server.manifest()
        assert len(manifest["marks"]) == count > 0 and not manifest["is_running"]
        assert f"intersects in {count} pairs" in manifest["status"]
        for mark in manifest["marks"]:
            assert re.match(r"face \(\d+, \d+, \d+\) of 'a' and face \(\d+, \d+, \d+\) of 'b', at .* intersect$", mark["label"])
            assert np.array(mark["triangles"]).shape == (2, 3, 3) and mark["frame"] is None
            # Each triangle is one of the body's at the start, so within its box.
            low, high = np.array(mark["triangles"])[:, :, 1]
            assert low.min() >= 0.1 - 1e-12 and high.max() <= 0.45 + 1e-12
        positions, _, forces = Playback(manifest, server.get("topology")[1]).frame(server.get("chunk/0")[1])
        assert np.abs(positions[0][:, 1] - 0.2).max() == pytest.approx(0.1, abs=1e-4) and forces == []
        assert server.get("stats.jsonl")[0] == server.get("report.html")[0] == server.get("chunk/1")[0] == 404

        # The scene is mended, then broken: a reload shows it.
        write(path, scene())
        mended = server.until(lambda manifest: not manifest["marks"])
        assert mended["status"] == "the start; nothing intersects or touches"
        path.write_text("{")
        broken = server.until(lambda manifest: "wrong now" in manifest["status"])
        assert broken["bodies"] == mended["bodies"]


def test_touching_and_planes_are_shown(tmp_path):
    touching = write(tmp_path / "touching.json", scene(objects=[cube("a", 0.1)]))
    with view(touching) as server:
        (mark,) = server.manifest()["marks"]
        assert "plane 0" in mark["label"] and "of 'a'" in mark["label"] and len(mark["points"]) == 1
        assert "in contact" in server.manifest()["status"]
    below = write(tmp_path / "below.json", scene(objects=[cube("a", 0.05)]))
    with view(below) as server:
        manifest = server.manifest()
        assert len(manifest["marks"]) == 9
        assert all(re.match(r"plane 0 and vertex \d+ of 'a'", mark["label"]) for mark in manifest["marks"])


def test_inverted_elements_are_shown(tmp_path):
    """A tetrahedron, and one below it whose nodes are in the wrong order."""
    (tmp_path / "two.msh").write_text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 1 0\n2 1 1 0\n3 0 2 0\n4 0 1 1\n5 0 1 -1\n$EndNodes\n"
        "$Elements\n2\n1 4 2 0 0 1 2 3 4\n2 4 2 0 0 1 2 3 5\n$EndElements\n")
    body = {"name": "body", "geometry": {"file": "two.msh"}}
    path = write(tmp_path / "scene.json", scene(objects=[body]))
    refused = subprocess.run([PROGRAM, "run", path, "-o", tmp_path / "out"], capture_output=True, text=True)
    assert refused.returncode == 4 and "no positive volume" in refused.stderr
    with view(path) as server:
        manifest = server.manifest()
        (mark,) = manifest["marks"]
        assert mark["label"] == "tetrahedron 1 of 'body' is inverted or has no volume"
        assert np.array(mark["triangles"]).shape == (4, 3, 3) and "1 elements are inverted" in manifest["status"]
        assert server.get("chunk/0")[0] == 200


# The command

def failed(*arguments):
    return subprocess.run([PROGRAM, "view", *map(str, arguments)], capture_output=True, text=True, timeout=30)


def test_what_cannot_be_viewed_is_refused_with_a_cure(results, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    broken, unknown = tmp_path / "broken.json", tmp_path / "unknown.json"
    broken.write_text('{"format": 1,')
    write(unknown, scene(contcat={}))
    for arguments, code, words in [
        ([tmp_path / "nothing"], 3, "no such folder or file"), ([empty], 3, "no results of 'abut run'"),
        ([broken], 3, "broken.json"), ([unknown], 3, "contcat"), ([], 2, "OUT|SCENE"), ([results, "--port", "70000"], 2, "--port"),
        ([""], 2, ""),
    ]:
        result = failed(*arguments)
        assert result.returncode == code and words in result.stderr and result.stdout == "", (arguments, result.stderr)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = failed(results, "--port", taken.getsockname()[1])
    assert result.returncode == 7 and "in use" in result.stderr and "--port" in result.stderr


def test_only_this_machine_is_served(shown):
    listening = [line.split() for line in open("/proc/net/tcp").readlines()[1:]]
    addresses = [words[1] for words in listening if words[3] == "0A" and int(words[1].split(":")[1], 16) == shown.port]
    assert addresses == [f"0100007F:{shown.port:04X}"]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to(results, ending):
    process = subprocess.Popen([PROGRAM, "view", results], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    server = View(process)
    with socket.create_connection(("127.0.0.1", server.port)) as silent:
        silent.sendall(b"GET ")
        assert server.get("manifest.json")[0] == 200
        process.send_signal(ending)
        out, errors = process.communicate(timeout=5)
    assert process.returncode == 0 and out == b"" and errors == b""


def test_a_browser_is_opened_or_missed(results, tmp_path):
    opened = tmp_path / "opened"
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    program.chmod(0o755)
    with view(results, "--open", env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}) as server:
        end = time.monotonic() + 5
        while not opened.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        assert opened.read_text().strip() == server.address
    with view(results, "--open", env={**os.environ, "PATH": "/nowhere"}) as server:
        assert server.get("topology")[0] == 200
        assert b"no browser was opened" in server.process.stderr.readline()


# Clients that are slow, gone or mad

def test_slow_clients_block_nobody(tmp_path):
    data = scene(objects=[{"name": "cloth", "kind": "shell", "geometry": {"generate": "cloth", "cells": [100, 100]},
                           "transform": {"translate": [0, 0.5, 0]}}], planes=[])
    with view(write(tmp_path / "scene.json", data)) as server:
        request = f"GET {server.base}topology HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        readers, writers = [], []
        for k in range(10):
            reader = socket.socket()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", server.port))
            reader.sendall(request)
            assert len(reader.recv(1)) == 1
            readers.append(reader)
            writers.append(socket.create_connection(("127.0.0.1", server.port)))
            writers[-1].sendall(request[: 5 * k])
        begin, count = time.monotonic(), 0
        while time.monotonic() < begin + 1.5:
            for reader in readers:
                reader.recv(1)
            for writer in writers:
                writer.sendall(b"a")
            start = time.monotonic()
            assert server.get("manifest.json")[0] == 200
            assert time.monotonic() - start < 1
            count += 1
            time.sleep(0.05)
        assert count > 5
        for client in readers + writers:
            client.close()
        assert server.get("topology")[0] == 200


def test_many_silent_clients_give_way(shown):
    silent = [socket.create_connection(("127.0.0.1", shown.port)) for _ in range(300)]
    try:
        start = time.monotonic()
        assert shown.get("manifest.json")[0] == 200
        assert time.monotonic() - start < 2
    finally:
        for client in silent:
            client.close()


def bad_request(rng, server):
    """A path, a method and headers of which something is wrong, and the status that it gets."""
    other = "%032x" % rng.getrandbits(128)
    return rng.choice([
        lambda: (server.base + rng.choice(TRAVERSALS), "GET", {}, 404),
        lambda: (f"/{other}/" + rng.choice(["", "manifest.json", "chunk/1", *TRAVERSALS]), "GET", {}, 403),
        lambda: ("/" + rng.choice(TRAVERSALS).lstrip("/"), "GET", {}, 403),
        lambda: (server.base + "topology", rng.choice(["POST", "PUT", "DELETE", "OPTIONS", "FOO"]), {}, 405),
        lambda: (server.base + "topology", "GET", {"Host": rng.choice(["evil.example", "", f"[::1]:{server.port}"])}, 403),
        lambda: (server.base + "topology", "GET", {"Origin": rng.choice(["null", "http://evil.example"])}, 403),
        lambda: (server.base + f"chunk/{rng.randrange(13, 10**9)}", "GET", {}, 404),
        lambda: (server.base + "manifest.json?after=" + rng.choice(["", "-1", "x", "1e9", "9" * 30]), "GET", {}, 400),
        lambda: (server.base + "a" * rng.randrange(2048, 4000), "GET", {}, 414),
    ])()


def good_request(rng, server):
    name = rng.choice(["", "manifest.json", "manifest.json?after=5", "topology", "stats.jsonl?from=3", "report.html",
                       *[f"chunk/{step}" for step in range(13)]])
    return server.base + name, rng.choice(["GET", "HEAD"]), {}, 200


def garbage(rng, server):
    """Bytes that are no request, or only nearly one."""
    whole = f"GET {server.base}topology HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode()
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 5000))
    if kind == 1:
        return whole[: rng.randrange(len(whole))]
    if kind == 2:
        at = rng.randrange(len(whole))
        return whole[:at] + rng.randbytes(rng.randrange(1, 9)) + whole[at + rng.randrange(9):]
    return b"\r\n" * rng.randrange(1, 50) + whole


def test_ten_thousand_requests_good_and_bad(results):
    rng = random.Random(7)
    inner = [(results / name).read_bytes() for name in ("scene.json", "choices.json", "meshes.json")]
    # The address sanitizer keeps up to 256 MB of freed memory, which would count as the server's.
    options = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))
    with view(results, env={**os.environ, "ASAN_OPTIONS": options}) as server:
        expected = {name: server.get(name)[1] for name in ("topology", *[f"chunk/{step}" for step in range(13)])}
        connection, left, counts = None, 0, {}
        half_open = []
        for k in range(10_000):
            if k % 40 == 0:  # beside the others, without waiting for an answer
                client = socket.create_connection(("127.0.0.1", server.port))
                with contextlib.suppress(OSError):
                    client.sendall(garbage(rng, server))
                half_open.append(client)
                if len(half_open) > 30:
                    half_open.pop(0).close()
                continue
            path, method, headers, status = (good_request if rng.random() < 0.5 else bad_request)(rng, server)
            if connection is None or left == 0:
                if connection:
                    connection.close()
                connection, left = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10), rng.randrange(1, 400)
            left -= 1
            try:
                connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
                for key, value in headers.items():
                    connection.putheader(key, value)
                connection.endheaders()
                response = connection.getresponse()
                body = response.read()
            except http.client.InvalidURL:  # of this client
                connection.close()
                connection = None
                continue
            assert response.status == status, (path, method, headers)
            counts[status] = counts.get(status, 0) + 1
            assert body not in inner and (status == 200 or len(body) < 100)
            name = path.removeprefix(server.base)
            if status == 200 and method == "GET" and name in expected:
                assert body == expected[name]
            if response.getheader("Connection") == "close":
                connection.close()
                connection = None
        for client in half_open:
            client.close()
        assert set(counts) == {200, 400, 403, 404, 405, 414} and counts[200] > 4000
        assert server.process.poll() is None and server.get("chunk/3")[1] == expected["chunk/3"]
        # Bytes of the process's memory: caches are bounded.
        peak = int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{server.process.pid}/status").read())[1])
        assert peak < 300_000


def test_frames_in_pieces_are_shown_as_whole_ones_are(tmp_path):
    shown = []
    for pieces in (0, 3):
        folder = tmp_path / str(pieces)
        folder.mkdir()
        out = run(folder, scene(output={"pieces": pieces}, time={"dt": 0.01, "steps": 3}))
        assert len(list((out / "frames").glob("*.pvtu" if pieces else "*.vtu"))) == 4
        with view(out) as client:
            frames = client.manifest()["frames"]
            shown.append([frames, client.get("topology")[1], *(client.get(f"chunk/{each['step']}")[1] for each in frames)])
    assert len(shown[0][0]) == 4 and all(shown[0][1:])
    assert shown[0] == shown[1]
