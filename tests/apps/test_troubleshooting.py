"""The page docs/troubleshooting.md quotes what the program says: each message is provoked, or where that would take a machine
without memory or the like, looked up in the sources."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = os.environ["ABUT_PROGRAM"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENTRY = re.compile(r"^### (?P<title>[^\n]+)\n+```text\n(?P<message>.*?)^```$", re.DOTALL | re.MULTILINE)
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
QUOTED = {match["title"]: match["message"] for match in ENTRY.finditer(PAGE)}

FLOOR = [{"point": [0, 0, 0], "normal": [0, 1, 0]}]
TORN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv -1 0 0\nv 0 -1 0\nf 1 2 3\nf 4 5 6\n"
FAN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0.5 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"
LOOSE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n"
SHEET = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n"


def abut(folder, *arguments):
    result = subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, timeout=120, cwd=folder)
    return result.stderr


def box(name="cube", size=0.2, at=(0, 0.15, 0), **keys):
    return {"name": name, "geometry": {"generate": "tet_box", "size": [size] * 3, "subdivisions": [1, 1, 1]},
            "transform": {"translate": list(at)}} | keys


def run(folder, *arguments, **keys):
    """What a scene of these keys says; of a cube above a floor where there are none."""
    scene = {"format": 1, "planes": FLOOR, "objects": [box()], "time": {"steps": 12}} | keys
    (folder / "scene.json").write_text(json.dumps(scene))
    return abut(folder, "run", "scene.json", "-o", "out", "--quiet", *arguments)


def run_mesh(folder, name, text, **keys):
    (folder / f"{name}.obj").write_text(text)
    return run(folder, objects=[{"name": name, "geometry": {"file": f"{name}.obj"}} | keys])


def run_impact(folder, **keys):
    """A hard cube hits the floor."""
    return run(folder, objects=[box(velocity=[0, -1, 0], material={"youngs_modulus": 1e9})], **keys)


def press(folder):
    plate = {"name": "press", "kind": "obstacle", "geometry": {"generate": "plane_grid", "size": [0.5, 0.5], "cells": [2, 2]},
             "transform": {"translate": [0, 0.2005, 0]}}
    return run(folder, objects=[box(at=(0, 0.1001, 0), material={"youngs_modulus": 1e9}), plate],
               scripts=[{"object": "press", "keyframes": [{"time": 0}, {"time": 1, "translate": [0, -0.02, 0]}]}],
               solver={"max_blocked_steps": 4})


def broken_json(folder):
    (folder / "scene.json").write_text('{"format": 1,}')
    return abut(folder, "run", "scene.json")


def binary_msh(folder):
    (folder / "solid.msh").write_text("$MeshFormat\n4.1 1 8\n")
    return abut(folder, "check", "solid.msh")


def ran_before(folder):
    run(folder, "--steps", "1")
    return run(folder)


def other_settings(folder):
    run(folder, "--steps", "1")
    return abut(folder, "resume", "out", "--set", "contact.dhat=1e-3")


def other_mesh(folder):
    (folder / "sheet.obj").write_text(SHEET)
    sheet = {"name": "sheet", "geometry": {"file": "sheet.obj"}, "transform": {"translate": [0, 1, 0]}}
    run(folder, "--steps", "1", objects=[sheet])
    kept = next((folder / "out" / "meshes").iterdir())
    kept.write_text(kept.read_text().replace("v 1 0 0", "v 1.5 0 0", 1))
    return abut(folder, "resume", "out")


class Running:
    """A run without an end, which a signal ends."""

    def __init__(self, folder):
        scene = {"format": 1, "objects": [box()], "time": {"steps": 10_000_000}, "output": {"every": 10_000_000}}
        (folder / "scene.json").write_text(json.dumps(scene))
        self.process = subprocess.Popen([PROGRAM, "run", "scene.json", "-o", "out", "--quiet"], cwd=folder, text=True,
                                        stderr=subprocess.PIPE)
        until = time.monotonic() + 60
        while not (folder / "out" / "stats.jsonl").exists() and time.monotonic() < until:
            time.sleep(0.02)

    def __enter__(self):
        return self

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=60)[1]

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def interrupted(folder):
    with Running(folder) as running:
        return running.end()


def run_twice_at_once(folder):
    with Running(folder):
        return abut(folder, "resume", "out")


PROVOKED = {
    "Python does not find the module":
        lambda folder: subprocess.run([sys.executable, "-I", "-S", "-c", "import abut"], text=True, capture_output=True).stderr,
    "Bodies intersect":
        lambda folder: run(folder, objects=[box("a"), box("b", at=(0.15, 0.16, 0.01))]),
    "Vertices at the same place": lambda folder: run_mesh(folder, "dup", TORN),
    "Bodies touch": lambda folder: run(folder, objects=[box(at=(0, 0.1, 0))]),
    "A key is unknown": lambda folder: run(folder, contact={"dhatt": 1e-3}),
    "The file is no JSON": broken_json,
    "A file is not found": lambda folder: run(folder, objects=[{"geometry": {"file": "missing.obj"}}]),
    "A solid has no tetrahedra": lambda folder: run_mesh(folder, "sheet", SHEET, kind="solid"),
    "A key does not fit the object":
        lambda folder: run_mesh(folder, "sheet", SHEET, kind="obstacle", material={"density": 1}),
    "A selection is empty": lambda folder: run(folder, objects=[box(fix={"box": {"min": [5, 5, 5]}})]),
    "An edge with three faces": lambda folder: run_mesh(folder, "fan", FAN),
    "A vertex in no triangle": lambda folder: run_mesh(folder, "loose", LOOSE),
    "An MSH file is binary": binary_msh,
    "The folder is not empty": ran_before,
    "Another run is writing": run_twice_at_once,
    "A setting cannot change in a run that goes on": other_settings,
    "The mesh is another one": other_mesh,
    "Inaccurate: contact is too short": lambda folder: run_impact(folder, contact={"dhat": 1e-7}),
    "Inaccurate: the tolerance is too large": lambda folder: run_impact(folder, solver={"tolerance": 0.2}),
    "Not good: something intersects": lambda folder: run_impact(folder, contact={"model": "none"}),
    "A step does not converge":
        lambda folder: run(folder, solver={"max_iterations": 3, "tolerance": 1e-9}, time={"steps": 100},
                           objects=[box(at=(0, 0.16, 0), velocity=[0.3, -1, 0.2])]),
    "A step takes too long": lambda folder: run(folder, solver={"max_seconds": 1e-9}),
    "A script is blocked": press,
    "Interrupted": interrupted,
    "dhat is larger than a body": lambda folder: run(folder, contact={"dhat": 2}, planes=[], time={"steps": 0}),
    "Sizes differ by more than a hundred times":
        lambda folder: run(folder, objects=[box("tiny", 1e-3), box("large", 1, (2, 1, 0))], time={"steps": 0}),
}

# What cannot be provoked here: where its words are.
IN_SOURCES = {
    "Packages cannot be installed": "scripts/install-deps",
    "The CPU is older than the build": "python/abut/__init__.py",
    "Memory is over": "apps/abut/main.cpp",
    "A bug in Abut": "apps/abut/main.cpp",
}


def pattern_of(message):
    """`…` is any text within a line, and any number of lines where it stands alone."""
    lines = [r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
             for line in message.splitlines()]
    return re.compile("".join(lines))


def words_of(source):
    """The text of a source with the breaks within its literals undone, and what is filled in as `…`."""
    text = re.sub(r'"\s*\n\s*f?"', "", source)
    text = text.replace("\\n", "\n").replace("%s", "…")
    return re.sub(r"\{[^{}\n]*\}", "…", text)


def test_every_message_of_the_page_has_a_case():
    assert len(QUOTED) == len(ENTRY.findall(PAGE)), "two entries have the same title"
    assert set(QUOTED) == set(PROVOKED) | set(IN_SOURCES)
    assert len(QUOTED) == PAGE.count("```text"), "a message has no title of its own"


@pytest.mark.parametrize("title", PROVOKED)
def test_the_program_says_what_the_page_quotes(tmp_path, title):
    said = PROVOKED[title](tmp_path)
    assert pattern_of(QUOTED[title]).search(said), f"\nsaid\n{said}\ninstead of\n{QUOTED[title]}"


@pytest.mark.parametrize("title", IN_SOURCES)
def test_the_sources_have_what_the_page_quotes(title):
    words = words_of((ROOT / IN_SOURCES[title]).read_text(encoding="utf-8"))
    for line in QUOTED[title].splitlines():
        for part in filter(None, (part.strip() for part in re.split("…|: not root", line))):
            assert part in words, part


@pytest.mark.parametrize("said", ["abut: another text\n", ""])
def test_a_message_that_changes_is_noticed(said):
    for message in QUOTED.values():
        assert not pattern_of(message).search(said)
