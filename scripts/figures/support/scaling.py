"""The model of docs/scaling.md: memory and time of a step against the number of processes, from what was measured.

Its letters: T tetrahedra, V vertices, N processes. All quantities are of one process unless said otherwise."""

import json
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "scripts" / "figures" / "data"
VERTICES_PER_TET = 0.17  # of large boxes and balls: partitions.json and scaling.json have 0.17 to 0.2

# Of a cluster, assumed and not measured: a network of 100 Gbit/s.
LATENCY = 2e-6  # of a message [s]
BANDWIDTH = 10e9  # of a process [B/s]


def read(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def measured():
    return read("scaling.json")


def partitions():
    return read("partitions.json")


PARTS = ("terms", "linear", "everywhere", "messages", "sums", "vectors")  # of an iteration of Newton's method


def seconds_of(row):
    """Of a run of one process: what is done for terms, and by the linear solver."""
    seconds = row["seconds"]
    return (sum(seconds[key] for key in ("assemble", "evaluate", "guard", "line_search", "update")),
            seconds["factorize"] + seconds["symbolic"])


def vectors_of(row, data):
    """As how many vectors of all vertices, each summed over the processes, what a process sends in an iteration of Newton's method
    counts. Such a sum sends ranges to all others, and then the sums of the own range."""
    return 1e3 * float(row["kB sent per Newton iteration"]) / (48 * data["mpi_vertices"] * (1 - 1 / int(row["ranks"])))


def constants():
    """What the model takes from measurements: of the largest run of one process, and of runs over several where there are any."""
    data = measured()
    row = data["serial"][-1]
    terms, linear = seconds_of(row)
    found = {
        "seconds_per_tet": terms / row["iterations"] / row["tets"],
        "seconds_per_vertex_and_cg": linear / row["cg_iterations"] / row["vertices"],
        "cg_iterations": row["cg_iterations"] / row["iterations"],
        "seconds_everywhere_per_vertex": data["points"]["seconds_per_iteration"] / data["points"]["vertices"],
    }
    # Of a process with a few neighbours, which all others are
    traffic = data["mpi_traffic"]
    mean = lambda value: sum(map(value, traffic)) / len(traffic)
    found["exchanges"] = mean(lambda each: each["messages"] / (each["ranks"] - 1))
    found["setup_exchanges"] = mean(lambda each: each["setup_messages"] / (each["ranks"] - 1))
    found["sums"] = mean(lambda each: each["reductions"])
    found["setup_sums"] = mean(lambda each: each["setup_reductions"])
    if "mpi_memory" not in data:  # what the lists of docs/mpi.md add up to, and the memory of one process
        everywhere = 300 * VERTICES_PER_TET
        return found | {"vectors": 5, "bytes_everywhere_per_tet": everywhere,
                        "bytes_shared_per_tet": row["bytes"] / row["tets"] - everywhere}
    fitted = [each for each in data["mpi_memory"] if int(each["ranks"]) <= 2]  # docs/scaling.md says why no more
    sent = [vectors_of(each, data) for each in fitted if int(each["ranks"]) > 1]
    found["vectors"] = sum(sent) / len(sent)
    # Least squares over 1 / N: what is on every process, and what is shared.
    tets = data["mpi_tets"]
    points = [(1 / int(each["ranks"]), 1e6 * float(each["MB per rank at most"])) for each in fitted]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    shared = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return found | {"bytes_shared_per_tet": shared / tets, "bytes_everywhere_per_tet": (mean_y - shared * mean_x) / tets}


def by_parts(parts, value):
    """A number of the cubes in partitions.json for any number of processes: the mean over those with at least 300 vertices each,
    interpolated."""
    rows = [row for row in partitions() if row["shape"] == "cube" and row["vertices"] / row["parts"] >= 300]
    known = sorted({row["parts"] for row in rows})
    at = lambda n: (lambda found: sum(found) / len(found))([value(row) for row in rows if row["parts"] == n])
    low, high = max((n for n in known if n <= parts), default=known[0]), min((n for n in known if n >= parts), default=known[-1])
    share = 0 if high == low else math.log(parts / low) / math.log(high / low)
    return at(low) + share * (at(high) - at(low))


def halo(own, parts):
    """Vertices of others that a process reads, for so many of its own: they lie about its surface, own^(2/3)."""
    return by_parts(parts, lambda row: row["halo_mean"] * (row["vertices"] / row["parts"]) ** (1 / 3)) * own ** (2 / 3)


def neighbours(parts):
    """Processes that one exchanges values with."""
    return by_parts(parts, lambda row: row["neighbours_mean"])


def imbalance(tets, parts):
    """Most tetrahedra of a process over the mean: by the measured one with the nearest number for each process."""
    rows = [row for row in partitions() if row["shape"] == "cube"]
    if parts == 1:
        return 1
    return min(rows, key=lambda row: abs(math.log(row["tets"] / row["parts"] / (tets / parts))))["imbalance"]


def newton_time(tets, parts, constants):
    """Seconds of an iteration of Newton's method, by what it consists of."""
    vertices = VERTICES_PER_TET * tets
    k = constants["cg_iterations"]
    uneven = imbalance(tets, parts)
    work = tets * constants["seconds_per_tet"] * uneven / parts
    linear = k * vertices * constants["seconds_per_vertex_and_cg"] * uneven / parts
    everywhere = vertices * constants["seconds_everywhere_per_vertex"]
    if parts == 1:
        return {"terms": work, "linear": linear, "everywhere": everywhere, "messages": 0, "sums": 0, "vectors": 0}
    steps = math.ceil(math.log2(parts))
    near = neighbours(parts)
    exchange = near * LATENCY + 24 * halo(vertices / parts, parts) / BANDWIDTH
    return {
        "terms": work, "linear": linear, "everywhere": everywhere,
        "messages": (k * constants["exchanges"] + constants["setup_exchanges"]) * exchange,
        "sums": (k * constants["sums"] + constants["setup_sums"]) * 2 * steps * LATENCY,
        # Each process sends a range to every other one, and then the sums of its own range.
        "vectors": constants["vectors"] * 2 * (24 * vertices / BANDWIDTH + (parts - 1) * LATENCY),
    }


def memory(tets, parts, constants):
    """Bytes, less an empty process."""
    return constants["bytes_everywhere_per_tet"] * tets + constants["bytes_shared_per_tet"] * tets * imbalance(tets, parts) / parts
