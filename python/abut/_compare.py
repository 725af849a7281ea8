"""abut.compare: variants of a scene side by side."""

import csv
import importlib
import io
import json
import pathlib
import sys

import numpy

_abut = importlib.import_module("abut._abut")  # type checkers do not see what is compiled


def _text(value):
    """A value as after --set KEY=: words as they are, anything else as JSON."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    return json.dumps(value)


def _rows_as_csv(rows):
    keys = list(dict.fromkeys(key for row in rows for key in row))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(keys)
    for row in rows:
        writer.writerow([_text(row[key]) if key in row else "" for key in keys])
    return out.getvalue()


def varied(vary):
    """The keys with their values, and None; or nothing, and the rows as CSV."""
    is_table = not isinstance(vary, dict)
    if not vary or any(not isinstance(row, dict) for row in (vary if is_table else [])):
        raise _abut.InvalidInput("vary: expected a dict of keys and their values, or a list of dicts")
    if is_table:
        return [], _rows_as_csv(vary)
    return [(key, [_text(value) for value in _values(key, values)]) for key, values in vary.items()], None


def _values(key, values):
    """Several values; a text is one, though it can be looped over."""
    if isinstance(values, (str, bytes, dict)) or not hasattr(values, "__iter__"):
        raise _abut.InvalidInput(f"vary: {key}: expected a list of values, got {values!r}; write [{values!r}]")
    return values


def _parsed(text):
    """The number or truth value that a setting is; else its text."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return text
    return value if isinstance(value, (bool, int, float)) else text


def _array(values):
    """An array of numbers, NaN where there is none, or of truth values; else the list."""
    if all(isinstance(value, bool) for value in values):
        return numpy.array(values, dtype=bool)
    if all(value is None or isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        return numpy.array([float("nan") if value is None else value for value in values])
    return values


def columns(rows, names, keys):
    """The columns of a table as arrays or lists; those of `keys` are values of scenes."""
    table = {}
    for name in names:
        values = [row[name] for row in rows]
        table[name] = _array([_parsed(value) for value in values] if name in keys else values)
    return table


def _distances(rows, what):
    return numpy.array([[float("nan") if value is None else value for value in row[what]] for row in rows])


def _table(comparison):
    rows = comparison["rows"]
    table = columns([row["table"] for row in rows], [column["key"] for column in comparison["columns"]], comparison["keys"])
    table["times"] = numpy.array(comparison["times"])
    measured = [row["distance"] for row in rows if "distance" in row]
    if measured:
        table["distance"] = {what: _distances(measured, what) for what in ("rms", "largest")}
        table["distance"]["bodies"] = {
            body: {what: _distances([row["bodies"][body] for row in measured], what) for what in ("rms", "largest")}
            for body in measured[0]["bodies"]
        }
    return table


def compare(scene, vary, *, output, reference=None, repeat=1, at=(), threads=0, force=False):
    """compare(scene, vary, *, output, reference=None, repeat=1, at=(), threads=0, force=False) -> dict

    Runs variants of a scene as the program's `abut compare` does, and returns the table as a dict of arrays.

    scene: a Scene, or the path of a JSON file.
    vary: a dict of keys and the values of each, for every combination; or a list of dicts, one for each variant.
    output: the folder. One that holds the same comparison is continued; anything else in it raises InvalidInput.
    reference: a dict of settings for the run that others are measured by; None: a hundredth of the scene's
    solver.tolerance; False: no reference.
    repeat: runs of each variant, in turns.
    at: times at which the table has distances; none: a quarter, half and the end.
    threads: of each run; 0 for all.
    force: replace another comparison in the folder.

    The dict has a list or array for each column, with the reference in the last place; "times" of the frames; and
    "distance": arrays "rms" and "largest", a row for each variant and a column for each frame, and the same for each of
    "bodies". Numbers that there are none of are NaN. Runs are processes of this interpreter; Ctrl-C ends them, and the
    same call continues.
    """
    if repeat < 1:
        raise _abut.InvalidInput(f"repeat: {repeat} is below 1")
    keys, table = varied(vary)
    settings = None if reference is False else [f"{key}={_text(value)}" for key, value in (reference or {}).items()]
    command = [sys.executable, str(pathlib.Path(__file__).with_name("_run_scene.py"))]
    text = _abut._compare(scene, keys, table, settings, repeat, [float(t) for t in at],
                          threads, output, force, command)
    return _table(json.loads(text))


compare.__module__ = "abut"
