"""`abut schema` prints the schema that is shipped, and the tables of docs/scenes.md are those of the program."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROGRAM = os.environ["ABUT_PROGRAM"]
ROOT = pathlib.Path(__file__).parents[2]


def abut(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], encoding="utf-8", capture_output=True, timeout=120, **options)


def scene_tables(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts" / "scene-tables", *arguments], text=True, capture_output=True,
                          timeout=120)


def test_prints_the_schema_that_is_shipped():
    result = abut("schema")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (ROOT / "schema" / "scene.schema.json").read_text(encoding="utf-8"), "run scripts/scene-tables"
    schema = json.loads(result.stdout)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["additionalProperties"] is False
    dhat = schema["properties"]["contact"]["properties"]["dhat"]
    assert dhat["exclusiveMinimum"] == 0
    assert "Unit: m." in dhat["description"] and "Default: 1e-3 of the bodies' extent." in dhat["description"]
    assert schema["properties"]["time"]["properties"]["dt"]["default"] == 0.01


def test_tables_of_the_docs_are_up_to_date():
    result = scene_tables("--check")
    assert result.returncode == 0, result.stderr


def test_tables_that_are_out_of_date_are_found_and_written(tmp_path):
    for name in ("docs/scenes.md", "schema/scene.schema.json"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(ROOT / name, tmp_path / name)
    assert scene_tables("--check", tmp_path).returncode == 0
    page = tmp_path / "docs" / "scenes.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("| `time.steps` | whole number ≥ 0 | `100` |", "| `time.steps` | whole number ≥ 0 | `200` |"),
                    encoding="utf-8")
    result = scene_tables("--check", tmp_path)
    assert result.returncode == 1 and "scenes.md is not what the table of scene keys says" in result.stderr
    assert scene_tables(tmp_path).returncode == 0
    assert page.read_text(encoding="utf-8") == text
    (tmp_path / "schema" / "scene.schema.json").write_text("{}")
    assert scene_tables("--check", tmp_path).returncode == 1
    page.write_text(text.replace("<!-- table: contact -->", ""), encoding="utf-8")
    result = scene_tables("--check", tmp_path)
    assert result.returncode == 1 and "must have markers" in result.stderr


def test_a_scene_may_name_its_schema(tmp_path):
    """The example of docs/scenes.md runs."""
    text = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)[1]
    assert '"$schema": "../schema/scene.schema.json"' in example
    (tmp_path / "scene.json").write_text(example)
    result = abut("run", tmp_path / "scene.json", "-o", tmp_path / "out", "--steps", "1")
    assert result.returncode == 0, result.stderr
    assert "contact.friction.eps_v" in result.stdout
    result = abut("run", tmp_path / "scene.json", "-o", tmp_path / "out2", "--set", "$schema=3")
    assert result.returncode == 3 and "/$schema: expected a string, got 3" in result.stderr
