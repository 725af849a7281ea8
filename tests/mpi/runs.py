"""Runs of abut and of abut-mpi, and the positions that they end with."""

import json
import os
import pathlib
import re
import struct
import subprocess

PROGRAM = os.environ["ABUT_PROGRAM"]
MPI_PROGRAM = os.environ["ABUT_MPI_PROGRAM"]
MPIRUN = os.environ.get("ABUT_MPIRUN", "mpirun")

# Also as root and on machines with fewer cores than ranks; others than Open MPI pass over these variables.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMPI_MCA_orte_base_help_aggregate": "1", "OPENBLAS_NUM_THREADS": "1"}


def command(ranks, *words):
    return [MPIRUN, "-n", str(ranks), MPI_PROGRAM, *words, "--threads", "1"]


def mpi(ranks, *words, timeout=600):
    return subprocess.run(command(ranks, *words), text=True, capture_output=True, timeout=timeout, env=ENVIRONMENT)


def serial(*words, timeout=600):
    return subprocess.run([PROGRAM, *words], text=True, capture_output=True, timeout=timeout)


def write(path, scene):
    path.write_text(json.dumps(scene))
    return path


def frame(out, step):
    return pathlib.Path(out) / "frames" / f"frame_{step:08d}.vtu"


def positions(path):
    data = path.read_bytes()
    mark = b'<AppendedData encoding="raw">\n_'
    start = data.index(mark) + len(mark)
    found = re.search(rb'<DataArray type="Float64" Name="points"[^>]* offset="(\d+)"', data[:start])
    at = start + int(found[1])
    (size,) = struct.unpack_from("<Q", data, at)
    values = struct.unpack_from(f"<{size // 8}d", data, at + 8)
    return [values[k : k + 3] for k in range(0, len(values), 3)]


def extent(points):
    return max(max(p[a] for p in points) - min(p[a] for p in points) for a in range(3))


def distance(first, second):
    """The largest of any vertex, over the extent."""
    assert len(first) == len(second)
    return max(abs(p[a] - q[a]) for p, q in zip(first, second) for a in range(3)) / extent(first)


def records(out):
    return [json.loads(line) for line in (pathlib.Path(out) / "stats.jsonl").read_text().splitlines()]
