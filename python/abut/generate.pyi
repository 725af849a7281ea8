from numpy.typing import ArrayLike

from . import MeshData

def box(*, size: ArrayLike = ..., subdivisions: ArrayLike = ...) -> MeshData: ...
def plane_grid(*, size: ArrayLike = ..., cells: ArrayLike = ...) -> MeshData: ...
def cloth(*, size: ArrayLike = ..., cells: ArrayLike = ...) -> MeshData: ...
def icosphere(*, radius: float = ..., subdivisions: int = ...) -> MeshData: ...
def cylinder(
    *,
    radius: float = ...,
    height: float = ...,
    segments: int = ...,
    rings: int = ...,
    closed: bool = ...,
    cap_rings: int = ...,
) -> MeshData: ...
def torus(
    *,
    major_radius: float = ...,
    minor_radius: float = ...,
    major_segments: int = ...,
    minor_segments: int = ...,
) -> MeshData: ...
def revolved(*, profile: ArrayLike = ..., segments: int = ...) -> MeshData: ...
def polygon(*, corners: ArrayLike = ..., subdivisions: int = ...) -> MeshData: ...
def rod(*, length: float = ..., segments: int = ...) -> MeshData: ...
def helix(
    *, radius: float = ..., pitch: float = ..., turns: float = ..., segments: int = ...
) -> MeshData: ...
def torus_knot(
    *,
    p: int = ...,
    q: int = ...,
    major_radius: float = ...,
    minor_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def squircle(
    *, radius: float = ..., exponent: float = ..., segments: int = ...
) -> MeshData: ...
def ring(*, radius: float = ..., segments: int = ...) -> MeshData: ...
def spring(
    *,
    radius: float = ...,
    pitch: float = ...,
    turns: int = ...,
    hook_radius: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def knot(
    *,
    half_turns: int = ...,
    loop_radius: float = ...,
    length: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def rope(
    *,
    length: float = ...,
    strands: int = ...,
    radius: float = ...,
    turns: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def knit(
    *,
    rows: int = ...,
    columns: int = ...,
    stitch_width: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def grains(*, size: ArrayLike = ..., counts: ArrayLike = ...) -> MeshData: ...
def net(*, size: ArrayLike = ..., meshes: ArrayLike = ..., segments: int = ...) -> MeshData: ...
def web(
    *,
    radius: float = ...,
    hub_radius: float = ...,
    spokes: int = ...,
    turns: int = ...,
    segments: int = ...,
) -> MeshData: ...
def fur(
    *,
    radius: float = ...,
    gap: float = ...,
    hairs: int = ...,
    length: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def chain_mail(
    *,
    rows: int = ...,
    columns: int = ...,
    ring_radius: float = ...,
    strand_radius: float = ...,
    segments: int = ...,
) -> MeshData: ...
def tet_box(*, size: ArrayLike = ..., subdivisions: ArrayLike = ...) -> MeshData: ...
def mat(
    *, width: float = ..., thickness: float = ..., cells: int = ..., layers: int = ...
) -> MeshData: ...
def tet_ball(*, radius: float = ..., shells: int = ...) -> MeshData: ...
def tet_cone(
    *, radius: float = ..., height: float = ..., segments: int = ..., subdivisions: int = ...
) -> MeshData: ...
def tet_torus(
    *,
    major_radius: float = ...,
    minor_radius: float = ...,
    major_segments: int = ...,
    minor_segments: int = ...,
    rings: int = ...,
) -> MeshData: ...
def tet_prism(
    *,
    corners: ArrayLike = ...,
    depth: float = ...,
    subdivisions: int = ...,
    layers: int = ...,
) -> MeshData: ...
