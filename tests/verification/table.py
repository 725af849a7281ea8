"""The table of docs/verification.md: cases, each a function that simulates something with a closed form and returns what it
measured. scripts/verification prints them, test_verification.py asserts them."""

import dataclasses
import math

CASES = {}


@dataclasses.dataclass(frozen=True)
class Row:
    """One number of a case. With a bound it is asserted, without one it is reported only."""

    what: str
    measured: float
    expected: float
    error: float
    bound: float | None = None
    unit: str = ""
    is_relative: bool = True
    cause: str = ""  # why the error is what it is

    @property
    def holds(self):
        return self.bound is None or (math.isfinite(self.error) and self.error <= self.bound)


def relative(what, measured, expected, bound=None, unit="", cause=""):
    """The error is that share of the expected value."""
    return Row(what, measured, expected, abs(measured / expected - 1), bound, unit, True, cause)


def absolute(what, measured, expected, bound=None, unit="", cause=""):
    """The error is the difference."""
    return Row(what, measured, expected, abs(measured - expected), bound, unit, False, cause)


@dataclasses.dataclass(frozen=True)
class Curve:
    name: str
    x: list
    y: list
    is_closed_form: bool = False  # a dashed line; else dots with a line between them
    has_line: bool = True


@dataclasses.dataclass(frozen=True)
class Plot:
    name: str  # of the file: docs/images/verification-NAME.svg
    title: str
    x_label: str
    y_label: str
    curves: list
    is_logarithmic: bool = False


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    title: str
    run: object  # () -> rows, plots
    is_long: bool
    words: str  # what is simulated and where the closed form is from


def case(title, long=False):
    """Adds a function () -> (rows, plots) to the table; its docstring is printed on the page."""

    def add(function):
        words = " ".join(function.__doc__.split())
        CASES[function.__name__] = Case(function.__name__, title, function, long, words)
        return function

    return add


def order(errors, ratio=2):
    """By which power errors fall, from the last two of steps or edges that are `ratio` times shorter each time."""
    return math.log(errors[-2] / errors[-1]) / math.log(ratio)
