"""One run of abut.compare or abut.sweep, in a process of its own: takes the arguments of `abut run` and `abut resume`
that these use."""

import argparse
import pathlib
import sys

# As a script, its own folder comes first in the path, which is inside of the package.
if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

import abut  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scene", help="with --resume: a folder of results")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--output")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--no-report", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    abut.set_num_threads(arguments.threads)
    if arguments.resume:
        report = abut.resume(arguments.scene, report=not arguments.no_report)
    else:
        report = abut.run(abut.Scene.from_file(arguments.scene, settings=arguments.set), arguments.output,
                          report=not arguments.no_report)
    if report.exit_code != 0:
        sys.stderr.write(report.explanation + "\n")
    return report.exit_code


def exit_code():
    try:
        return main()
    except (ValueError, OSError) as error:  # what the program says too
        sys.stderr.write(f"abut: {error}\n")
        return 3 if isinstance(error, ValueError) else 7


if __name__ == "__main__":
    sys.exit(exit_code())
