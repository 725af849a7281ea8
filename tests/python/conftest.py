"""Fails at once, with the cure, where the module is not importable."""

import pytest

try:
    import abut
except ImportError as error:
    pytest.exit(
        f"cannot import abut ({error}); build it (cmake --build build/release) "
        "and run with PYTHONPATH=build/release/python under /usr/bin/python3",
        returncode=pytest.ExitCode.USAGE_ERROR,
    )


@pytest.fixture(autouse=True)
def _restore_num_threads():
    yield
    abut.set_num_threads(0)
