"""A job of abut.sweep, which Snakemake starts: takes the folder of the sweep and the name of the job."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# As a script, its own folder comes first in the path, which is inside of the package.
if __name__ == "__main__":
    sys.path[0] = str(HERE.parent)

import abut  # noqa: E402


def main():
    run = [sys.executable, str(HERE / "_run_scene.py")]
    try:
        return 0 if abut._abut._sweep_job(sys.argv[1], sys.argv[2], run, [*run, "--resume"]) else 1
    except (ValueError, OSError) as error:
        sys.stderr.write(f"abut: {error}\n")
        return 3


if __name__ == "__main__":
    sys.exit(main())
