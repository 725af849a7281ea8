"""Abut under the names of ipc-toolkit, where the meaning is the same.

    import abut.ipctk as ipctk

Everything of abut is here; what has another form in ipc-toolkit's listings has
that form. docs/from-ipc-toolkit.md has a table of names.
"""

from . import *  # noqa: F403
from . import SmoothCollisions as _SmoothCollisions
from . import SmoothExtents, adaptive_extents


class SmoothCollisions(_SmoothCollisions):  # type: ignore[no-redef]
    """SmoothCollisions that remember the extents they were asked to compute."""

    def __init__(self):
        super().__init__()
        self._extents = None

    def compute_adaptive_dhat(self, mesh, vertices, params, broad_phase="bvh", ratio=0.5):
        """Finds extents with which nothing acts at these positions: as a rule the rest shape."""
        self._extents = adaptive_extents(mesh, vertices, params, ratio, broad_phase=broad_phase)

    def build(self, *arguments, **options):
        """As abut's, with use_adaptive_dhat, a boolean, in place of extents."""
        arguments = list(arguments)
        asked = options.pop("use_adaptive_dhat", False)
        if arguments and isinstance(arguments[-1], bool):
            asked = arguments.pop()
        if asked and self._extents is None:
            raise ValueError("use_adaptive_dhat: call compute_adaptive_dhat() for this mesh, at its rest positions, first")
        super().build(*arguments, extents=self._extents if asked else None, **options)

    @property
    def extents(self) -> SmoothExtents | None:
        """Those of compute_adaptive_dhat(); None before it."""
        return self._extents
