"""Fails at once, with the cure, where the module is not importable."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

try:
    import abut
except ImportError as error:
    pytest.exit(
        f"cannot import abut ({error}); build it (cmake --build build/release) "
        "and run with PYTHONPATH=build/release/python under /usr/bin/python3",
        returncode=pytest.ExitCode.USAGE_ERROR,
    )


def pytest_configure(config):
    abut.set_num_threads(1)  # scenes are small; bits do not depend on it
    config.addinivalue_line("markers", "long: takes minutes; ctest runs it under the label 'long'")
