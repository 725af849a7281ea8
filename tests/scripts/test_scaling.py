"""What docs/scaling.md stands on: the counts of partitions, and tables that are those of the data in the repository."""

import ctypes.util
import importlib.util
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

needs_numpy = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is not installed")


def run(script, *words):
    return subprocess.run([sys.executable, ROOT / "scripts" / script, *words], text=True, capture_output=True, timeout=120)


@needs_numpy
@pytest.mark.skipif(ctypes.util.find_library("metis") is None, reason="METIS is not installed")
def test_a_partition_is_counted_as_one_counts_it_by_hand():
    result = run("partition-study", "--check")
    assert result.returncode == 0, result.stderr
    assert "the counts agree" in result.stdout


@needs_numpy
@pytest.mark.parametrize("words", [("partition-study", "--docs", "--check"), ("scaling-model", "docs", "--check")])
def test_the_tables_of_the_page_are_those_of_the_data(words):
    result = run(*words)
    assert result.returncode == 0, result.stderr


def test_the_model_gives_one_process_all_of_the_work_and_more_processes_less():
    sys.path.insert(0, str(ROOT / "scripts" / "figures"))
    try:
        from support import scaling
    finally:
        sys.path.pop(0)
    constants = scaling.constants()
    row = scaling.measured()["serial"][-1]
    alone = scaling.newton_time(row["tets"], 1, constants)
    terms, linear = scaling.seconds_of(row)
    assert alone["messages"] == alone["sums"] == alone["vectors"] == 0
    assert abs(alone["terms"] / (terms / row["iterations"]) - 1) < 1e-9
    # The model has as many vertices for each tetrahedron as large boxes; the ball has about as many.
    assert abs(alone["linear"] / (linear / row["iterations"]) - 1) < 0.1
    for tets in (1e5, 1e6, 1e7):
        times = [sum(scaling.newton_time(tets, n, constants).values()) for n in (1, 2, 4, 8)]
        assert times == sorted(times, reverse=True)
        memory = [scaling.memory(tets, n, constants) for n in (1, 2, 4, 8, 16, 64, 256, 1024)]
        assert memory == sorted(memory, reverse=True)
        assert all(n * each >= memory[0] for n, each in zip((1, 2, 4, 8), memory)), "no more is saved than is there"
