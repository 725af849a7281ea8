"""Abut: contact simulation in which nothing passes through anything.

Arrays have one row per element: vertices are ``#V x dim`` float64 [m], edges,
faces and tets ``#E x 2``, ``#F x 3`` and ``#T x 4`` integers. Any array or
sequence that numpy can read is accepted and copied; what cannot be right is
rejected by an exception that names the argument. Derivatives are flat by
point: x0, y0, z0, x1, ...
"""

import pathlib as _pathlib
import platform as _platform

from . import _build_info

__version__ = _build_info.VERSION

# What the compiler may use, by architecture, in the words of /proc/cpuinfo.
_CPU_FLAGS = {"x86-64-v3": {"avx2", "bmi2", "fma"}}


def _missing_cpu_flags(arch, cpuinfo):
    """Flags that code for `arch` needs and the CPU lacks; none if unknown."""
    for line in cpuinfo.splitlines():
        key, _, flags = line.partition(":")
        if key.strip() == "flags":
            return sorted(_CPU_FLAGS.get(arch, set()) - set(flags.split()))
    return []


def _check_cpu():
    """An ImportError with the cure is better than an illegal instruction."""
    if _platform.machine() != "x86_64":
        return
    try:
        cpuinfo = _pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return
    missing = _missing_cpu_flags(_build_info.ARCH, cpuinfo)
    if missing:
        raise ImportError(
            f"abut was built for {_build_info.ARCH}, but this CPU lacks "
            f"{', '.join(missing)}. Rebuild it with -DABUT_NATIVE=ON on this "
            "machine, or with -DABUT_ARCH=x86-64 for any x86-64 CPU."
        )


_check_cpu()

from . import _abut  # noqa: E402
from ._abut import *  # noqa: E402, F401, F403
from ._compare import compare  # noqa: E402, F401
from ._sweep import sweep  # noqa: E402, F401
from ._result import Result, report_in_cell as _report_in_cell  # noqa: E402, F401

# A notebook shows what a run returns.
_abut.RunReport._repr_html_ = lambda self: _report_in_cell(self.folder)
_abut.RunReport.report = property(lambda self: Result(self.folder).report, doc="The page that sums the run up.")

__all__ = sorted(name for name in dir(_abut) if not name.startswith("_"))
__all__ += ["__version__", "Result", "compare", "sweep"]
