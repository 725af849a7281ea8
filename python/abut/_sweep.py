"""abut.sweep: many variants of a scene side by side, by Snakemake."""

import importlib
import json
import os
import pathlib
import sys

from ._compare import columns, varied

_abut = importlib.import_module("abut._abut")  # type checkers do not see what is compiled


def sweep(scene, vary, *, output, collect=(), jobs=0, threads=1, group=0, time_limit=0, profile=None, dry_run=False,
          force=False):
    """sweep(scene, vary, *, output, collect=(), jobs=0, threads=1, group=0, time_limit=0, profile=None, dry_run=False, \
force=False) -> dict

    Runs many variants of a scene as the program's `abut sweep` does, and returns the table as a dict of arrays.

    scene: a Scene, or the path of a JSON file.
    vary: a dict of keys and the values of each, for every combination; or a list of dicts, one for each point.
    output: the folder. One that holds the same sweep is continued; anything else in it raises InvalidInput.
    collect: numbers of each run, such as "max(contact_force)": max, min, mean, sum, first or last of a quantity.
    jobs: cores to use, or with a profile jobs at once; 0 for all, or what the profile says.
    threads: of each run.
    group: points that a job runs one after the other; 0: chosen by their number.
    time_limit: wall time of a run [s]; 0 for none.
    profile: of Snakemake, by name or folder, such as output + "/slurm".
    dry_run: lay out the folder, run nothing.
    force: replace another sweep in the folder.

    The dict has a list or array for each column of results.csv. Numbers that there are none of are NaN. Points that fail
    are rows with a message, and no error. Runs are processes of this interpreter; Ctrl-C ends them, and the same call
    continues. Without Snakemake it raises OSError, which says how to install it.
    """
    for name, value, least in (("jobs", jobs, 0), ("threads", threads, 1), ("group", group, 0), ("time_limit", time_limit, 0)):
        if not value >= least:
            raise _abut.InvalidInput(f"{name}: {value} is below {least}")
    if isinstance(collect, str):
        raise _abut.InvalidInput("collect: expected a list of texts")
    keys, table = varied(vary)
    folder = "." if isinstance(scene, _abut.Scene) else pathlib.Path(os.fsdecode(scene)).parent
    job_command = [sys.executable, str(pathlib.Path(__file__).with_name("_sweep_job.py"))]
    text = _abut._sweep(scene, keys, table, folder, output, list(collect), jobs, threads, group, float(time_limit),
                        os.fsdecode(profile) if profile is not None else "", dry_run, force, job_command)
    results = json.loads(text)
    return columns(results["rows"], [column["key"] for column in results["columns"]], results["keys"])


sweep.__module__ = "abut"
