from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from os import PathLike
from typing import Any, ClassVar, Literal, NamedTuple, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

from . import generate as generate
from . import laws as laws

__version__: str
__all__ = [
    "Balance",
    "BarrierPotential",
    "BlendRule",
    "BlockPattern",
    "BodyForce",
    "Candidates",
    "CcdOutcome",
    "CcdResult",
    "Choice",
    "CollisionFilter",
    "CollisionMesh",
    "CollisionSetType",
    "CollisionTerms",
    "Component",
    "ContactArrow",
    "ContactList",
    "DetectedPairs",
    "Detection",
    "DiffWRT",
    "EdgeEdgeFeature",
    "EdgeEdgeTerms",
    "Error",
    "FeatureLength",
    "FrictionPotential",
    "HessianCache",
    "HessianMode",
    "InputOutput",
    "Intersection",
    "IntersectionKind",
    "InvalidInput",
    "InvalidStart",
    "LimitReached",
    "MeshData",
    "MeshDiagnostics",
    "NormalAdhesionPotential",
    "NormalCollision",
    "NormalCollisionGeometry",
    "NormalCollisions",
    "NormalPotential",
    "PSDProjectionMethod",
    "PairKind",
    "PointEdgeFeature",
    "PointTriangleFeature",
    "Result",
    "RunReport",
    "Scene",
    "SharpFeatures",
    "Simulation",
    "SimulationState",
    "SmoothCollision",
    "SmoothCollisions",
    "SmoothContactParameters",
    "SmoothContactPotential",
    "SmoothContactVariant",
    "SmoothExtents",
    "StepLimit",
    "StepReport",
    "StiffnessRange",
    "StiffnessSuggestion",
    "SurfaceTractions",
    "TangentialAdhesionPotential",
    "TangentialCollision",
    "TangentialCollisions",
    "TangentialPotential",
    "TangentialTerms",
    "TruncatedStep",
    "Truncation",
    "TrustRegion",
    "Verification",
    "adaptive_extents",
    "boundary_edges",
    "boundary_faces",
    "candidate_pattern",
    "compare",
    "compute_collision_free_stepsize",
    "compute_minimum_distance",
    "dihedral_angle",
    "edge_edge_ccd",
    "edge_edge_coordinates",
    "edge_edge_cross_squared_norm",
    "edge_edge_feature",
    "edge_edge_mollifier",
    "edge_edge_mollifier_threshold",
    "edge_edge_squared_distance",
    "edge_edge_squared_distances",
    "edge_edge_tangent_basis",
    "edge_length",
    "edge_normal",
    "edges",
    "find_collision_free_stepsize",
    "find_intersections",
    "generate",
    "has_intersections",
    "initial_barrier_stiffness",
    "is_step_collision_free",
    "laws",
    "line_line_coordinates",
    "line_line_squared_distance",
    "linking_number",
    "num_threads",
    "orientation",
    "parse_msh",
    "parse_obj",
    "piercings",
    "point_edge_ccd",
    "point_edge_coordinate",
    "point_edge_feature",
    "point_edge_squared_distance",
    "point_edge_squared_distances",
    "point_edge_tangent_basis",
    "point_in_triangle",
    "point_line_coordinate",
    "point_line_squared_distance",
    "point_plane_ccd",
    "point_plane_coordinates",
    "point_plane_squared_distance",
    "point_point_ccd",
    "point_point_squared_distance",
    "point_point_squared_distances",
    "point_point_tangent_basis",
    "point_triangle_ccd",
    "point_triangle_coordinates",
    "point_triangle_feature",
    "point_triangle_squared_distance",
    "point_triangle_squared_distances",
    "point_triangle_tangent_basis",
    "read_msh",
    "read_obj",
    "resume",
    "run",
    "segment_intersects_triangle",
    "segments_intersect",
    "set_num_threads",
    "signed_tet_volume",
    "signed_triangle_area",
    "suggest_smooth_stiffness",
    "suggest_stiffness",
    "sweep",
    "triangle_area",
    "triangle_normal",
    "update_barrier_stiffness",
    "validate_tets",
    "write_obj",
    "__version__",
]

_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int32]
_Features: TypeAlias = NDArray[np.uint8]
_Path: TypeAlias = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Gradient: TypeAlias = tuple[float, _Floats]
_Hessian: TypeAlias = tuple[float, _Floats, _Floats]
_Jacobian: TypeAlias = tuple[_Floats, _Floats]
_CanCollide: TypeAlias = Callable[[int, int], bool]
_Law: TypeAlias = Union[
    Literal[
        "clamped_log",
        "normalized_clamped_log",
        "clamped_log_squared",
        "cubic",
        "two_stage",
    ],
    Callable[[_Floats, float], tuple[ArrayLike, ArrayLike, ArrayLike]],
]
_Distance: TypeAlias = Literal["squared", "plain"]
_Planes: TypeAlias = Iterable[tuple[ArrayLike, ArrayLike]]

class Error(Exception): ...
class InvalidInput(Error, ValueError): ...
class InvalidStart(Error, ValueError): ...
class LimitReached(Error, RuntimeError): ...
class InputOutput(Error, OSError): ...

def num_threads() -> int: ...
def set_num_threads(count: int) -> None: ...

# Closest features

class PointEdgeFeature(IntEnum):
    e0 = 0
    e1 = 1
    edge = 2

class PointTriangleFeature(IntEnum):
    t0 = 0
    t1 = 1
    t2 = 2
    e0 = 3
    e1 = 4
    e2 = 5
    face = 6

class EdgeEdgeFeature(IntEnum):
    a0_b0 = 0
    a0_b1 = 1
    a1_b0 = 2
    a1_b1 = 3
    a_b0 = 4
    a_b1 = 5
    a0_b = 6
    a1_b = 7
    a_b = 8

def point_edge_feature(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike
) -> PointEdgeFeature: ...
def point_triangle_feature(
    p: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike
) -> PointTriangleFeature: ...
def edge_edge_feature(
    a0: ArrayLike, a1: ArrayLike, b0: ArrayLike, b1: ArrayLike
) -> EdgeEdgeFeature: ...

# Squared distances

@overload
def point_point_squared_distance(
    p: ArrayLike, q: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def point_point_squared_distance(
    p: ArrayLike, q: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def point_point_squared_distance(
    p: ArrayLike, q: ArrayLike, *, order: Literal["hessian"]
) -> _Hessian: ...
@overload
def point_line_squared_distance(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def point_line_squared_distance(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def point_line_squared_distance(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["hessian"]
) -> _Hessian: ...
@overload
def line_line_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def line_line_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def line_line_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    origin: ArrayLike,
    unit_normal: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    origin: ArrayLike,
    unit_normal: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def point_plane_squared_distance(
    p: ArrayLike,
    origin: ArrayLike,
    unit_normal: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def point_edge_squared_distance(
    p: ArrayLike,
    e0: ArrayLike,
    e1: ArrayLike,
    *,
    order: Literal["value"] = ...,
    feature: Optional[PointEdgeFeature] = ...,
) -> float: ...
@overload
def point_edge_squared_distance(
    p: ArrayLike,
    e0: ArrayLike,
    e1: ArrayLike,
    *,
    order: Literal["gradient"],
    feature: Optional[PointEdgeFeature] = ...,
) -> _Gradient: ...
@overload
def point_edge_squared_distance(
    p: ArrayLike,
    e0: ArrayLike,
    e1: ArrayLike,
    *,
    order: Literal["hessian"],
    feature: Optional[PointEdgeFeature] = ...,
) -> _Hessian: ...
@overload
def point_triangle_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["value"] = ...,
    feature: Optional[PointTriangleFeature] = ...,
) -> float: ...
@overload
def point_triangle_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["gradient"],
    feature: Optional[PointTriangleFeature] = ...,
) -> _Gradient: ...
@overload
def point_triangle_squared_distance(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["hessian"],
    feature: Optional[PointTriangleFeature] = ...,
) -> _Hessian: ...
@overload
def edge_edge_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
    feature: Optional[EdgeEdgeFeature] = ...,
) -> float: ...
@overload
def edge_edge_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["gradient"],
    feature: Optional[EdgeEdgeFeature] = ...,
) -> _Gradient: ...
@overload
def edge_edge_squared_distance(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["hessian"],
    feature: Optional[EdgeEdgeFeature] = ...,
) -> _Hessian: ...

# Squared distances of many pairs at once

def point_point_squared_distances(p: ArrayLike, q: ArrayLike) -> _Floats: ...
def point_edge_squared_distances(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike
) -> tuple[_Floats, _Features]: ...
def point_triangle_squared_distances(
    p: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike
) -> tuple[_Floats, _Features]: ...
def edge_edge_squared_distances(
    a0: ArrayLike, a1: ArrayLike, b0: ArrayLike, b1: ArrayLike
) -> tuple[_Floats, _Features]: ...

# Closest points

def point_edge_coordinate(p: ArrayLike, e0: ArrayLike, e1: ArrayLike) -> float: ...
def point_triangle_coordinates(
    p: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike
) -> _Floats: ...
def edge_edge_coordinates(
    a0: ArrayLike, a1: ArrayLike, b0: ArrayLike, b1: ArrayLike
) -> _Floats: ...
@overload
def point_line_coordinate(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def point_line_coordinate(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def point_plane_coordinates(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> _Floats: ...
@overload
def point_plane_coordinates(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["jacobian"],
) -> _Jacobian: ...
@overload
def line_line_coordinates(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> _Floats: ...
@overload
def line_line_coordinates(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["jacobian"],
) -> _Jacobian: ...

# Measures

@overload
def edge_length(
    e0: ArrayLike, e1: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def edge_length(
    e0: ArrayLike, e1: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def edge_length(
    e0: ArrayLike, e1: ArrayLike, *, order: Literal["hessian"]
) -> _Hessian: ...
@overload
def triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["hessian"]
) -> _Hessian: ...
@overload
def signed_triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["value"] = ...
) -> float: ...
@overload
def signed_triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["gradient"]
) -> _Gradient: ...
@overload
def signed_triangle_area(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["hessian"]
) -> _Hessian: ...
@overload
def signed_tet_volume(
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    t3: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def signed_tet_volume(
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    t3: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def signed_tet_volume(
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    t3: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def dihedral_angle(
    e0: ArrayLike,
    e1: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def dihedral_angle(
    e0: ArrayLike,
    e1: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def dihedral_angle(
    e0: ArrayLike,
    e1: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def triangle_normal(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["value"] = ...
) -> _Floats: ...
@overload
def triangle_normal(
    t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, *, order: Literal["jacobian"]
) -> _Jacobian: ...
@overload
def edge_normal(
    e0: ArrayLike, e1: ArrayLike, *, order: Literal["value"] = ...
) -> _Floats: ...
@overload
def edge_normal(
    e0: ArrayLike, e1: ArrayLike, *, order: Literal["jacobian"]
) -> _Jacobian: ...
@overload
def edge_edge_cross_squared_norm(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def edge_edge_cross_squared_norm(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def edge_edge_cross_squared_norm(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def edge_edge_mollifier_threshold(
    rest_a0: ArrayLike,
    rest_a1: ArrayLike,
    rest_b0: ArrayLike,
    rest_b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def edge_edge_mollifier_threshold(
    rest_a0: ArrayLike,
    rest_a1: ArrayLike,
    rest_b0: ArrayLike,
    rest_b1: ArrayLike,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def edge_edge_mollifier_threshold(
    rest_a0: ArrayLike,
    rest_a1: ArrayLike,
    rest_b0: ArrayLike,
    rest_b1: ArrayLike,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def edge_edge_mollifier(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    eps_x: float,
    *,
    order: Literal["value"] = ...,
) -> float: ...
@overload
def edge_edge_mollifier(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    eps_x: float,
    *,
    order: Literal["gradient"],
) -> _Gradient: ...
@overload
def edge_edge_mollifier(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    eps_x: float,
    *,
    order: Literal["hessian"],
) -> _Hessian: ...
@overload
def point_point_tangent_basis(
    p: ArrayLike, q: ArrayLike, *, order: Literal["value"] = ...
) -> _Floats: ...
@overload
def point_point_tangent_basis(
    p: ArrayLike, q: ArrayLike, *, order: Literal["jacobian"]
) -> _Jacobian: ...
@overload
def point_edge_tangent_basis(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["value"] = ...
) -> _Floats: ...
@overload
def point_edge_tangent_basis(
    p: ArrayLike, e0: ArrayLike, e1: ArrayLike, *, order: Literal["jacobian"]
) -> _Jacobian: ...
@overload
def edge_edge_tangent_basis(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> _Floats: ...
@overload
def edge_edge_tangent_basis(
    a0: ArrayLike,
    a1: ArrayLike,
    b0: ArrayLike,
    b1: ArrayLike,
    *,
    order: Literal["jacobian"],
) -> _Jacobian: ...
@overload
def point_triangle_tangent_basis(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["value"] = ...,
) -> _Floats: ...
@overload
def point_triangle_tangent_basis(
    p: ArrayLike,
    t0: ArrayLike,
    t1: ArrayLike,
    t2: ArrayLike,
    *,
    order: Literal["jacobian"],
) -> _Jacobian: ...

# Exact predicates

@overload
def orientation(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> int: ...
@overload
def orientation(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> int: ...
def linking_number(a: ArrayLike, b: ArrayLike) -> int: ...
def piercings(polyline: ArrayLike, loop: ArrayLike) -> tuple[int, int]: ...
def segments_intersect(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike
) -> bool: ...
def segment_intersects_triangle(
    p: ArrayLike, q: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike
) -> bool: ...
def point_in_triangle(
    p: ArrayLike, a: ArrayLike, b: ArrayLike, c: ArrayLike
) -> bool: ...

# Meshes

def edges(faces: ArrayLike) -> _Ints: ...
def boundary_edges(faces: ArrayLike) -> _Ints: ...
def boundary_faces(tets: ArrayLike) -> _Ints: ...
def validate_tets(vertices: ArrayLike, tets: ArrayLike) -> None: ...
def read_msh(path: _Path, *, max_bytes: int = ...) -> MeshData: ...
def parse_msh(text: str, *, name: str = ...) -> MeshData: ...
def read_obj(path: _Path, *, max_bytes: int = ...) -> MeshData: ...
def parse_obj(text: str, *, name: str = ...) -> MeshData: ...
def write_obj(path: _Path, mesh: MeshData) -> None: ...

class MeshData:
    def __init__(
        self,
        vertices: ArrayLike,
        edges: Optional[ArrayLike] = ...,
        faces: Optional[ArrayLike] = ...,
        tets: Optional[ArrayLike] = ...,
    ) -> None: ...
    @property
    def vertices(self) -> _Floats: ...
    @property
    def edges(self) -> _Ints: ...
    @property
    def faces(self) -> _Ints: ...
    @property
    def tets(self) -> _Ints: ...
    def translated(self, offset: ArrayLike) -> MeshData: ...
    def transformed(self, linear: ArrayLike) -> MeshData: ...
    def joined(self, other: MeshData) -> MeshData: ...
    def __getstate__(self) -> tuple[_Floats, _Ints, _Ints, _Ints]: ...
    def __setstate__(self, state: tuple[_Floats, _Ints, _Ints, _Ints]) -> None: ...

class CollisionFilter:
    def __init__(self) -> None: ...
    @staticmethod
    def static_obstacles(is_static: ArrayLike) -> CollisionFilter: ...
    @staticmethod
    def different_bodies(body_ids: ArrayLike) -> CollisionFilter: ...
    @staticmethod
    def patches(patch_ids: ArrayLike, colliding_patches: ArrayLike) -> CollisionFilter: ...
    @staticmethod
    def except_pairs(vertex_pairs: ArrayLike) -> CollisionFilter: ...
    @staticmethod
    def only_pairs(vertex_pairs: ArrayLike) -> CollisionFilter: ...
    @staticmethod
    def callable(can_collide: _CanCollide) -> CollisionFilter: ...
    def __call__(self, vertex_i: int, vertex_j: int) -> bool: ...
    def __and__(self, other: CollisionFilter) -> CollisionFilter: ...
    def __or__(self, other: CollisionFilter) -> CollisionFilter: ...
    def __invert__(self) -> CollisionFilter: ...

class Component:
    @property
    def num_vertices(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
    @property
    def num_faces(self) -> int: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def is_oriented(self) -> bool: ...
    @property
    def is_closed_and_oriented(self) -> bool: ...

class SharpFeatures:
    @property
    def edges(self) -> list[int]: ...
    @property
    def corners(self) -> list[int]: ...

class MeshDiagnostics:
    @property
    def coincident_vertices(self) -> list[tuple[int, int]]: ...
    @property
    def zero_length_edges(self) -> list[int]: ...
    @property
    def zero_area_faces(self) -> list[int]: ...
    @property
    def non_manifold_edges(self) -> list[int]: ...
    @property
    def inconsistent_edges(self) -> list[int]: ...
    @property
    def boundary_edges(self) -> list[int]: ...
    @property
    def unreferenced_vertices(self) -> list[int]: ...
    @property
    def is_clean(self) -> bool: ...
    @property
    def summary(self) -> str: ...

class CollisionMesh:
    @overload
    def __init__(
        self,
        data: MeshData,
        *,
        body_ids: Optional[ArrayLike] = ...,
        material_ids: Optional[ArrayLike] = ...,
        filter: Union[CollisionFilter, _CanCollide, None] = ...,
        displacement_map: Any = ...,
        planes: Optional[_Planes] = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        vertices: ArrayLike,
        edges: Optional[ArrayLike] = ...,
        faces: Optional[ArrayLike] = ...,
        *,
        body_ids: Optional[ArrayLike] = ...,
        material_ids: Optional[ArrayLike] = ...,
        filter: Union[CollisionFilter, _CanCollide, None] = ...,
        displacement_map: Any = ...,
        planes: Optional[_Planes] = ...,
    ) -> None: ...
    @staticmethod
    def build_from_full_mesh(
        vertices: ArrayLike,
        edges: Optional[ArrayLike] = ...,
        faces: Optional[ArrayLike] = ...,
        *,
        body_ids: Optional[ArrayLike] = ...,
        material_ids: Optional[ArrayLike] = ...,
        filter: Union[CollisionFilter, _CanCollide, None] = ...,
        displacement_map: Any = ...,
        planes: Optional[_Planes] = ...,
    ) -> CollisionMesh: ...
    @staticmethod
    def build_from_selection(
        vertices: ArrayLike,
        include_vertex: ArrayLike,
        edges: Optional[ArrayLike] = ...,
        faces: Optional[ArrayLike] = ...,
        *,
        body_ids: Optional[ArrayLike] = ...,
        material_ids: Optional[ArrayLike] = ...,
        filter: Union[CollisionFilter, _CanCollide, None] = ...,
        displacement_map: Any = ...,
        planes: Optional[_Planes] = ...,
    ) -> CollisionMesh: ...
    @property
    def dim(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...
    @property
    def num_edges(self) -> int: ...
    @property
    def num_faces(self) -> int: ...
    @property
    def ndof(self) -> int: ...
    @property
    def full_num_vertices(self) -> int: ...
    @property
    def full_ndof(self) -> int: ...
    @property
    def rest_positions(self) -> _Floats: ...
    @property
    def edges(self) -> _Ints: ...
    @property
    def faces(self) -> _Ints: ...
    @property
    def faces_to_edges(self) -> _Ints: ...
    @property
    def codim_vertices(self) -> _Ints: ...
    @property
    def codim_edges(self) -> _Ints: ...
    @property
    def vertex_areas(self) -> _Floats: ...
    @property
    def edge_areas(self) -> _Floats: ...
    @property
    def body_ids(self) -> _Ints: ...
    @property
    def material_ids(self) -> _Ints: ...
    @property
    def vertex_components(self) -> _Ints: ...
    @property
    def components(self) -> list[Component]: ...
    @property
    def filter(self) -> CollisionFilter: ...
    @property
    def planes(self) -> list[tuple[_Floats, _Floats]]: ...
    def vertex_edges(self, vertex: int) -> _Ints: ...
    def vertex_faces(self, vertex: int) -> _Ints: ...
    def edge_faces(self, edge: int) -> _Ints: ...
    def edge_opposites(self, edge: int) -> _Ints: ...
    def one_ring(self, vertex: int) -> list[tuple[_Ints, bool]]: ...
    def is_on_boundary(self, vertex: int) -> bool: ...
    def can_collide(self, vertex_i: int, vertex_j: int) -> bool: ...
    def to_full_vertex_id(self, vertex: int) -> int: ...
    def vertices(self, full_positions: ArrayLike) -> _Floats: ...
    def map_displacements(self, full_displacements: ArrayLike) -> _Floats: ...
    def displace_vertices(self, full_displacements: ArrayLike) -> _Floats: ...
    def to_full_dof(self, derivative: Any) -> Any: ...
    @property
    def radii(self) -> _Floats: ...
    def with_radii(self, radii: ArrayLike, *, dhat: float, dmin: float = 0.0) -> CollisionMesh: ...
    def diagnose(self) -> MeshDiagnostics: ...
    def sharp_features(self, angle: float = ...) -> SharpFeatures: ...

# Continuous collision detection

class CcdOutcome(IntEnum):
    clear = 0
    hit = 1
    exhausted = 2
    hit_at_zero = 3

class CcdResult:
    @property
    def outcome(self) -> CcdOutcome: ...
    @property
    def toi(self) -> float: ...
    @property
    def intervals(self) -> int: ...
    @property
    def is_clear(self) -> bool: ...

def point_point_ccd(
    p_t0: ArrayLike,
    q_t0: ArrayLike,
    p_t1: ArrayLike,
    q_t1: ArrayLike,
    *,
    dmin: float = ...,
    tmax: float = ...,
    tolerance: float = ...,
    max_intervals: int = ...,
) -> CcdResult: ...
def point_edge_ccd(
    p_t0: ArrayLike,
    e0_t0: ArrayLike,
    e1_t0: ArrayLike,
    p_t1: ArrayLike,
    e0_t1: ArrayLike,
    e1_t1: ArrayLike,
    *,
    dmin: float = ...,
    tmax: float = ...,
    tolerance: float = ...,
    max_intervals: int = ...,
) -> CcdResult: ...
def point_triangle_ccd(
    p_t0: ArrayLike,
    t0_t0: ArrayLike,
    t1_t0: ArrayLike,
    t2_t0: ArrayLike,
    p_t1: ArrayLike,
    t0_t1: ArrayLike,
    t1_t1: ArrayLike,
    t2_t1: ArrayLike,
    *,
    dmin: float = ...,
    tmax: float = ...,
    tolerance: float = ...,
    max_intervals: int = ...,
) -> CcdResult: ...
def edge_edge_ccd(
    a0_t0: ArrayLike,
    a1_t0: ArrayLike,
    b0_t0: ArrayLike,
    b1_t0: ArrayLike,
    a0_t1: ArrayLike,
    a1_t1: ArrayLike,
    b0_t1: ArrayLike,
    b1_t1: ArrayLike,
    *,
    dmin: float = ...,
    tmax: float = ...,
    tolerance: float = ...,
    max_intervals: int = ...,
) -> CcdResult: ...
def point_plane_ccd(
    p_t0: ArrayLike,
    p_t1: ArrayLike,
    origin: ArrayLike,
    unit_normal: ArrayLike,
    *,
    dmin: float = ...,
    tmax: float = ...,
    tolerance: float = ...,
    max_intervals: int = ...,
) -> CcdResult: ...

# Detection

class Candidates:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X: ArrayLike,
        inflation: float,
        *,
        method: Literal["bvh", "brute_force"] = ...,
        max_pairs: int = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X0: ArrayLike,
        X1: ArrayLike,
        inflation: float,
        *,
        method: Literal["bvh", "brute_force"] = ...,
        max_pairs: int = ...,
    ) -> None: ...
    @property
    def vv(self) -> _Ints: ...
    @property
    def ev(self) -> _Ints: ...
    @property
    def ee(self) -> _Ints: ...
    @property
    def fv(self) -> _Ints: ...
    @property
    def pv(self) -> _Ints: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class PairKind(IntEnum):
    none = 0
    vertex_vertex = 1
    edge_vertex = 2
    edge_edge = 3
    face_vertex = 4
    plane_vertex = 5

class StepLimit:
    @property
    def step(self) -> float: ...
    @property
    def kind(self) -> PairKind: ...
    @property
    def pair(self) -> tuple[int, int]: ...
    @property
    def initial_distance(self) -> float: ...
    @property
    def is_cut_by_max_pairs(self) -> bool: ...
    @property
    def num_pairs(self) -> int: ...
    @property
    def num_intervals(self) -> int: ...

def find_collision_free_stepsize(
    mesh: CollisionMesh,
    X0: ArrayLike,
    X1: ArrayLike,
    *,
    dmin: float = ...,
    rescaling: float = ...,
    tolerance: float = ...,
    max_pairs: int = ...,
) -> StepLimit: ...
def compute_collision_free_stepsize(
    mesh: CollisionMesh,
    X0: ArrayLike,
    X1: ArrayLike,
    *,
    dmin: float = ...,
    rescaling: float = ...,
    tolerance: float = ...,
    max_pairs: int = ...,
) -> float: ...
def is_step_collision_free(
    mesh: CollisionMesh, X0: ArrayLike, X1: ArrayLike, *, dmin: float = ...
) -> bool: ...

class IntersectionKind(IntEnum):
    edge_face = 0
    edge_edge = 1
    face_vertex = 2
    edge_vertex = 3
    vertex_vertex = 4
    plane_vertex = 5

class Intersection:
    @property
    def kind(self) -> IntersectionKind: ...
    @property
    def pair(self) -> tuple[int, int]: ...
    @property
    def location(self) -> _Floats: ...

def find_intersections(
    mesh: CollisionMesh, X: ArrayLike, *, max_count: int = ...
) -> list[Intersection]: ...
def has_intersections(mesh: CollisionMesh, X: ArrayLike) -> bool: ...

class DetectedPairs:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def pairs(self) -> _Ints: ...
    @property
    def squared_distances(self) -> _Floats: ...
    @property
    def features(self) -> _Features: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Detection:
    def __init__(
        self, mesh: CollisionMesh, *, range: float, slack: float = ...
    ) -> None: ...
    def update(self, X: ArrayLike) -> None: ...
    @property
    def range(self) -> float: ...
    @property
    def vv(self) -> DetectedPairs: ...
    @property
    def ev(self) -> DetectedPairs: ...
    @property
    def ee(self) -> DetectedPairs: ...
    @property
    def fv(self) -> DetectedPairs: ...
    @property
    def pv(self) -> DetectedPairs: ...
    @property
    def candidates(self) -> Candidates: ...
    @property
    def smallest_distance(self) -> float: ...
    @property
    def num_searches(self) -> int: ...
    def __len__(self) -> int: ...

def compute_minimum_distance(mesh: CollisionMesh, X: ArrayLike) -> float: ...

# Contact

class PSDProjectionMethod(IntEnum):
    NONE = 0
    CLAMP = 1
    ABS = 2

class HessianMode(IntEnum):
    EXACT = 0
    ANALYTIC = 1
    GAUSS_NEWTON = 2
    ABSOLUTE = 3
    ANALYTIC_UNMOLLIFIED = 4
    HYBRID = 5

class CollisionSetType(IntEnum):
    IPC = 0
    CONVERGENT = 1
    OGC = 2

class BlendRule(IntEnum):
    MEAN = 0
    MINIMUM = 1
    MAXIMUM = 2
    PRODUCT = 3
    GEOMETRIC_MEAN = 4

class DiffWRT(IntEnum):
    VELOCITIES = 0
    LAGGED_POSITIONS = 1

class CollisionTerms:
    @property
    def vertices(self) -> _Ints: ...
    @property
    def elements(self) -> _Ints: ...
    @property
    def weights(self) -> _Floats: ...
    def __len__(self) -> int: ...

class EdgeEdgeTerms(CollisionTerms):
    @property
    def features(self) -> _Features: ...
    @property
    def eps_x(self) -> _Floats: ...

class TangentialTerms(CollisionTerms):
    @property
    def normal_forces(self) -> _Floats: ...
    @property
    def coefficients(self) -> _Floats: ...
    @property
    def bases(self) -> _Floats: ...
    @property
    def mu_s(self) -> _Floats: ...
    @property
    def mu_k(self) -> _Floats: ...

class NormalCollision:
    @property
    def kind(self) -> PairKind: ...
    @property
    def elements(self) -> tuple[int, int]: ...
    @property
    def vertices(self) -> _Ints: ...
    @property
    def weight(self) -> float: ...
    @property
    def feature(self) -> Optional[EdgeEdgeFeature]: ...
    @property
    def eps_x(self) -> float: ...

class NormalCollisionGeometry:
    @property
    def squared_distance(self) -> float: ...
    @property
    def normal(self) -> _Floats: ...
    @property
    def coefficients(self) -> _Floats: ...

class NormalCollisions:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X: ArrayLike,
        dhat: float,
        dmin: float = ...,
        *,
        set_type: CollisionSetType = ...,
        use_area_weighting: bool = ...,
        use_face_edges: bool = ...,
        enable_shape_derivatives: bool = ...,
        broad_phase: Literal["bvh", "brute_force"] = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        candidates: Candidates,
        mesh: CollisionMesh,
        X: ArrayLike,
        dhat: float,
        dmin: float = ...,
        *,
        set_type: CollisionSetType = ...,
        use_area_weighting: bool = ...,
        use_face_edges: bool = ...,
        enable_shape_derivatives: bool = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        detection: Detection,
        mesh: CollisionMesh,
        X: ArrayLike,
        dhat: float,
        dmin: float = ...,
        *,
        set_type: CollisionSetType = ...,
        use_area_weighting: bool = ...,
        use_face_edges: bool = ...,
        enable_shape_derivatives: bool = ...,
    ) -> None: ...
    @property
    def vv(self) -> CollisionTerms: ...
    @property
    def ev(self) -> CollisionTerms: ...
    @property
    def ee(self) -> EdgeEdgeTerms: ...
    @property
    def fv(self) -> CollisionTerms: ...
    @property
    def pv(self) -> CollisionTerms: ...
    @property
    def stencil_offsets(self) -> NDArray[np.int64]: ...
    @property
    def stencil_vertices(self) -> _Ints: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> NormalCollision: ...
    def __iter__(self) -> Iterator[NormalCollision]: ...
    def __eq__(self, other: object) -> bool: ...
    def empty(self) -> bool: ...
    def geometry(
        self, index: int, mesh: CollisionMesh, X: ArrayLike
    ) -> NormalCollisionGeometry: ...
    def compute_minimum_distance(self, mesh: CollisionMesh, X: ArrayLike) -> float: ...
    @property
    def dhat(self) -> float: ...
    @property
    def dmin(self) -> float: ...
    @property
    def set_type(self) -> CollisionSetType: ...
    @property
    def use_area_weighting(self) -> bool: ...
    @property
    def enable_shape_derivatives(self) -> bool: ...

class Truncation(IntEnum):
    PROJECT = 0
    SCALE = 1
    PLANES = 2

class TruncatedStep:
    @property
    def dx(self) -> _Floats: ...
    @property
    def num_truncated(self) -> int: ...
    @property
    def scale(self) -> float: ...
    @property
    def slope(self) -> float: ...

class TrustRegion:
    def __init__(
        self,
        mesh: CollisionMesh,
        dhat: float,
        dmin: float = ...,
        *,
        query_radius: float = ...,
        max_query_radius: float = ...,
        relaxation: float = ...,
        max_truncated_share: float = ...,
        truncation: Truncation = ...,
        set_type: CollisionSetType = ...,
        use_area_weighting: bool = ...,
    ) -> None: ...
    @overload
    def update(self, X: ArrayLike) -> None: ...
    @overload
    def update(self, detection: Detection, X: ArrayLike) -> None: ...
    def warm_start(self, X: ArrayLike, predicted: ArrayLike) -> _Floats: ...
    def truncate(
        self, X: ArrayLike, dx: ArrayLike, gradient: Optional[ArrayLike] = ...
    ) -> TruncatedStep: ...
    def largest_scale(self, X: ArrayLike, dx: ArrayLike) -> tuple[float, int]: ...
    @property
    def collisions(self) -> NormalCollisions: ...
    @property
    def bounds(self) -> _Floats: ...
    @property
    def centers(self) -> _Floats: ...
    @property
    def vertex_distances(self) -> _Floats: ...
    @property
    def edge_distances(self) -> _Floats: ...
    @property
    def face_distances(self) -> _Floats: ...
    @property
    def plane_distances(self) -> _Floats: ...
    @property
    def query_radius(self) -> float: ...
    @property
    def needs_update(self) -> bool: ...
    @property
    def num_updates(self) -> int: ...

class SmoothContactVariant(IntEnum):
    PAPER = 0
    TOOLKIT = 1

class FeatureLength(IntEnum):
    EDGE_LENGTH = 0
    CONSTANT = 1
    PER_ELEMENT = 2

class SmoothContactParameters:
    dhat: float
    alpha_t: float
    beta_t: float
    alpha_n: float
    beta_n: float
    r: int
    variant: SmoothContactVariant
    use_exterior_test: bool
    feature_length: FeatureLength
    constant_length: float
    @property
    def vertex_lengths(self) -> _Floats: ...
    @vertex_lengths.setter
    def vertex_lengths(self, value: ArrayLike) -> None: ...
    @property
    def edge_lengths(self) -> _Floats: ...
    @edge_lengths.setter
    def edge_lengths(self, value: ArrayLike) -> None: ...
    def __init__(
        self,
        dhat: float,
        alpha_t: float = ...,
        beta_t: float = ...,
        alpha_n: float = ...,
        beta_n: float = ...,
        r: int = ...,
    ) -> None: ...
    @staticmethod
    def toolkit(dhat: float) -> SmoothContactParameters: ...
    def with_sharp_length(
        self, mesh: CollisionMesh, features: SharpFeatures, length: float
    ) -> SmoothContactParameters: ...

class SmoothExtents:
    def __init__(self, vertices: ArrayLike, edges: ArrayLike, faces: ArrayLike) -> None: ...
    @property
    def vertices(self) -> _Floats: ...
    @property
    def edges(self) -> _Floats: ...
    @property
    def faces(self) -> _Floats: ...

def adaptive_extents(
    mesh: CollisionMesh,
    X: ArrayLike,
    params: SmoothContactParameters,
    ratio: float = ...,
    *,
    broad_phase: Literal["bvh", "brute_force"] = ...,
) -> SmoothExtents: ...

class SmoothCollision:
    @property
    def kind(self) -> PairKind: ...
    @property
    def elements(self) -> tuple[int, int]: ...
    @property
    def vertices(self) -> _Ints: ...
    @property
    def stencil(self) -> _Ints: ...
    @property
    def dhat(self) -> float: ...
    @property
    def weight(self) -> float: ...

class SmoothCollisions:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X: ArrayLike,
        params: SmoothContactParameters,
        extents: SmoothExtents | None = ...,
        *,
        broad_phase: Literal["bvh", "brute_force"] = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        candidates: Candidates,
        mesh: CollisionMesh,
        X: ArrayLike,
        params: SmoothContactParameters,
        extents: SmoothExtents | None = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        detection: Detection,
        mesh: CollisionMesh,
        X: ArrayLike,
        params: SmoothContactParameters,
        extents: SmoothExtents | None = ...,
    ) -> None: ...
    @property
    def stencil_offsets(self) -> NDArray[np.int64]: ...
    @property
    def stencil_vertices(self) -> _Ints: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> SmoothCollision: ...
    def __iter__(self) -> Iterator[SmoothCollision]: ...
    def __eq__(self, other: object) -> bool: ...
    def empty(self) -> bool: ...
    def count(self, kind: PairKind) -> int: ...
    def compute_minimum_distance(self, mesh: CollisionMesh, X: ArrayLike) -> float: ...
    @property
    def variant(self) -> SmoothContactVariant: ...

class SmoothContactPotential:
    def __init__(
        self, params: SmoothContactParameters, stiffness: float = ...
    ) -> None: ...
    def __call__(
        self, collisions: SmoothCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> float: ...
    def gradient(
        self, collisions: SmoothCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def hessian(
        self,
        collisions: SmoothCollisions,
        mesh: CollisionMesh,
        X: ArrayLike,
        project_hessian_to_psd: PSDProjectionMethod = ...,
        *,
        cache: Optional[HessianCache] = ...,
    ) -> Any: ...
    def energies(
        self, collisions: SmoothCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def forces(
        self, collisions: SmoothCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def normal_forces(
        self, collisions: SmoothCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    @property
    def parameters(self) -> SmoothContactParameters: ...
    @property
    def stiffness(self) -> float: ...
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...

class BlockPattern:
    @property
    def num_rows(self) -> int: ...
    @property
    def dim(self) -> int: ...
    @property
    def num_blocks(self) -> int: ...

def candidate_pattern(candidates: Candidates, mesh: CollisionMesh) -> BlockPattern: ...

class HessianCache:
    def __init__(self, pattern: Optional[BlockPattern] = ...) -> None: ...
    @property
    def num_analyses(self) -> int: ...

class NormalPotential:
    def __call__(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> float: ...
    def gradient(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def hessian(
        self,
        collisions: NormalCollisions,
        mesh: CollisionMesh,
        X: ArrayLike,
        project_hessian_to_psd: PSDProjectionMethod = ...,
        *,
        cache: Optional[HessianCache] = ...,
    ) -> Any: ...
    def energies(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def forces(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def force_magnitudes(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> _Floats: ...
    def shape_derivative(
        self, collisions: NormalCollisions, mesh: CollisionMesh, X: ArrayLike
    ) -> Any: ...
    @property
    def dhat(self) -> float: ...
    @property
    def law_name(self) -> str: ...
    @property
    def hessian_mode(self) -> HessianMode: ...

class BarrierPotential(NormalPotential):
    def __init__(
        self,
        dhat: float,
        stiffness: float = ...,
        use_physical_barrier: bool = ...,
        *,
        law: _Law = ...,
        distance: _Distance = ...,
        law_unit: Optional[Callable[[float], float]] = ...,
        hessian_mode: HessianMode = ...,
    ) -> None: ...
    @property
    def stiffness(self) -> float: ...
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def use_physical_barrier(self) -> bool: ...

class NormalAdhesionPotential(NormalPotential):
    def __init__(
        self,
        dhat_p: float,
        dhat_a: float,
        youngs_modulus: float,
        critical_strain: float,
        *,
        distance: _Distance = ...,
        hessian_mode: HessianMode = ...,
    ) -> None: ...
    @staticmethod
    def for_barrier(
        dhat: float, youngs_modulus: float, critical_strain: float
    ) -> NormalAdhesionPotential: ...
    @property
    def dhat_p(self) -> float: ...
    @property
    def dhat_a(self) -> float: ...
    @property
    def youngs_modulus(self) -> float: ...
    @property
    def critical_strain(self) -> float: ...
    @property
    def strength(self) -> float: ...
    @property
    def collision_options(self) -> dict[str, Any]: ...

class StiffnessRange:
    @property
    def stiffness(self) -> float: ...
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...

class StiffnessSuggestion:
    @property
    def stiffness(self) -> float: ...
    @property
    def inertia(self) -> float: ...
    @property
    def elasticity(self) -> float: ...
    @property
    def barrier(self) -> float: ...
    @property
    def explanation(self) -> str: ...

def initial_barrier_stiffness(
    *,
    bbox_diagonal: float,
    dhat: float,
    average_mass: float,
    energy_gradient: ArrayLike,
    barrier_gradient: ArrayLike,
    dmin: float = ...,
    min_stiffness_scale: float = ...,
    law: _Law = ...,
    distance: _Distance = ...,
) -> StiffnessRange: ...
def update_barrier_stiffness(
    *,
    previous_distance: float,
    distance: float,
    stiffness: float,
    max_stiffness: float,
    bbox_diagonal: float,
    dmin: float = ...,
    relative_limit: float = ...,
) -> float: ...
def suggest_stiffness(
    *,
    dhat: float,
    mass: float,
    dt: float,
    dmin: float = ...,
    youngs_modulus: float = ...,
    edge_length: float = ...,
    weight: float = ...,
    use_physical_barrier: bool = ...,
    gap: float = ...,
    law: _Law = ...,
    distance: _Distance = ...,
    law_unit: Optional[Callable[[float], float]] = ...,
) -> StiffnessSuggestion: ...
def suggest_smooth_stiffness(
    *,
    params: SmoothContactParameters,
    dim: int,
    feature_length: float,
    mass: float,
    dt: float,
    youngs_modulus: float = ...,
    edge_length: float = ...,
    gap: float = ...,
) -> StiffnessSuggestion: ...

# Friction

class TangentialCollision:
    @property
    def kind(self) -> PairKind: ...
    @property
    def elements(self) -> tuple[int, int]: ...
    @property
    def vertices(self) -> _Ints: ...
    @property
    def coefficients(self) -> _Floats: ...
    @property
    def weight(self) -> float: ...
    @property
    def normal_force(self) -> float: ...
    @property
    def mu_s(self) -> float: ...
    @property
    def mu_k(self) -> float: ...
    @property
    def basis(self) -> _Floats: ...

class TangentialCollisions:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X: ArrayLike,
        collisions: NormalCollisions,
        normal_potential: NormalPotential,
        mu: Optional[ArrayLike] = ...,
        *,
        mu_s: Optional[ArrayLike] = ...,
        mu_k: Optional[ArrayLike] = ...,
        blend: BlendRule = ...,
        material_mu_s: Optional[ArrayLike] = ...,
        material_mu_k: Optional[ArrayLike] = ...,
        mu_aniso: ArrayLike = ...,
    ) -> None: ...
    @overload
    def build(
        self,
        mesh: CollisionMesh,
        X: ArrayLike,
        collisions: SmoothCollisions,
        normal_potential: SmoothContactPotential,
        mu: Optional[ArrayLike] = ...,
        *,
        mu_s: Optional[ArrayLike] = ...,
        mu_k: Optional[ArrayLike] = ...,
        blend: BlendRule = ...,
        material_mu_s: Optional[ArrayLike] = ...,
        material_mu_k: Optional[ArrayLike] = ...,
        mu_aniso: ArrayLike = ...,
    ) -> None: ...
    @property
    def vv(self) -> TangentialTerms: ...
    @property
    def ev(self) -> TangentialTerms: ...
    @property
    def ee(self) -> TangentialTerms: ...
    @property
    def fv(self) -> TangentialTerms: ...
    @property
    def pv(self) -> TangentialTerms: ...
    @property
    def stencil_offsets(self) -> NDArray[np.int64]: ...
    @property
    def stencil_vertices(self) -> _Ints: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> TangentialCollision: ...
    def __iter__(self) -> Iterator[TangentialCollision]: ...
    def __eq__(self, other: object) -> bool: ...
    def empty(self) -> bool: ...

class TangentialPotential:
    def __call__(
        self, collisions: TangentialCollisions, mesh: CollisionMesh, velocities: ArrayLike
    ) -> float: ...
    def gradient(
        self, collisions: TangentialCollisions, mesh: CollisionMesh, velocities: ArrayLike
    ) -> _Floats: ...
    def energies(
        self, collisions: TangentialCollisions, mesh: CollisionMesh, velocities: ArrayLike
    ) -> _Floats: ...
    def force(
        self, collisions: TangentialCollisions, mesh: CollisionMesh, velocities: ArrayLike
    ) -> _Floats: ...
    def hessian(
        self,
        collisions: TangentialCollisions,
        mesh: CollisionMesh,
        velocities: ArrayLike,
        project_hessian_to_psd: PSDProjectionMethod = ...,
        *,
        cache: Optional[HessianCache] = ...,
    ) -> Any: ...
    def force_jacobian(
        self,
        collisions: TangentialCollisions,
        mesh: CollisionMesh,
        lagged_positions: ArrayLike,
        velocities: ArrayLike,
        normal_potential: NormalPotential,
        wrt: DiffWRT,
    ) -> Any: ...

class FrictionPotential(TangentialPotential):
    def __init__(self, eps_v: float) -> None: ...
    @property
    def eps_v(self) -> float: ...

class TangentialAdhesionPotential(TangentialPotential):
    def __init__(self, eps_a: float) -> None: ...
    @property
    def eps_a(self) -> float: ...

# Simulation

class Scene:
    @staticmethod
    def from_file(path: _Path, settings: Sequence[str] = ...) -> Scene: ...
    @staticmethod
    def from_json(
        scene: Union[str, dict[str, Any]],
        folder: _Path = ...,
        settings: Sequence[str] = ...,
    ) -> Scene: ...
    @property
    def name(self) -> str: ...
    @property
    def num_objects(self) -> int: ...
    @property
    def object_names(self) -> list[str]: ...
    @property
    def dt(self) -> float: ...
    @property
    def steps(self) -> int: ...

class SimulationState:
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(
        self,
        positions: ArrayLike,
        velocities: ArrayLike,
        *,
        step: int,
        time: float,
        stiffness: float = 0.0,
        blocked_steps: int = 0,
        history: dict[str, Sequence[float] | _Floats] = {},
        others: Sequence[float] | _Floats = [],
    ) -> None: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def velocities(self) -> _Floats: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def blocked_steps(self) -> int: ...
    @property
    def history(self) -> dict[str, _Floats]: ...
    @property
    def others(self) -> _Floats: ...
    def __eq__(self, other: object) -> bool: ...

class StepReport:
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def outcome(
        self,
    ) -> Literal[
        "converged",
        "iteration_limit",
        "time_limit",
        "line_search_failed",
        "linear_solve_failed",
        "script_blocked",
        "not_finite",
        "interrupted",
        "not_converged",
    ]: ...
    @property
    def converged(self) -> bool: ...
    @property
    def message(self) -> str: ...
    @property
    def limiting(self) -> str: ...
    @property
    def limiting_vertices(self) -> _Ints: ...
    @property
    def iterations(self) -> list[dict[str, Any]]: ...
    @property
    def num_contacts(self) -> int: ...
    @property
    def num_detections(self) -> int: ...
    @property
    def num_substeps(self) -> int: ...
    @property
    def num_retries(self) -> int: ...
    @property
    def smallest_distance(self) -> float: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def script_lag(self) -> float: ...
    @property
    def relative_residual(self) -> float: ...
    @property
    def num_lags(self) -> int: ...
    @property
    def lag_residual(self) -> float: ...
    @property
    def balance(self) -> Balance: ...
    @property
    def times(self) -> dict[str, float]: ...
    @property
    def forces(self) -> list[BodyForce]: ...
    @property
    def arrows(self) -> list[ContactArrow]: ...
    @property
    def verification(self) -> Verification: ...
    @property
    def num_intersections(self) -> Optional[int]: ...
    @property
    def num_inverted(self) -> Optional[int]: ...

class BodyForce(NamedTuple):
    body: int
    other: int
    contact: _Floats
    friction: _Floats
    adhesion: _Floats
    bonded_area: float

class SurfaceTractions(NamedTuple):
    normal: _Floats
    tangential: _Floats
    areas: _Floats
    bonds: NDArray[np.uint8]

class ContactArrow(NamedTuple):
    body: int
    other: int
    place: _Floats
    contact: _Floats
    friction: _Floats

class Choice(NamedTuple):
    name: str
    value: float | str
    reason: str

class ContactList(NamedTuple):
    vertices: _Ints
    bodies: _Ints
    distances: _Floats

class Balance:
    @property
    def kinetic(self) -> float: ...
    @property
    def elastic(self) -> float: ...
    @property
    def contact(self) -> float: ...
    @property
    def gravity(self) -> float: ...
    @property
    def script_work(self) -> float: ...
    @property
    def friction_loss(self) -> float: ...
    @property
    def damping_loss(self) -> float: ...
    @property
    def plastic_loss(self) -> float: ...
    @property
    def gain(self) -> float: ...
    @property
    def momentum(self) -> _Floats: ...
    @property
    def momentum_defect(self) -> float: ...

class Verification:
    @property
    def is_checked(self) -> bool: ...
    @property
    def smallest_distance(self) -> float: ...
    @property
    def num_intersections(self) -> int: ...
    @property
    def num_inverted(self) -> int: ...
    @property
    def is_good(self) -> bool: ...

class Simulation:
    def __init__(self, scene: Scene) -> None: ...
    def step(self) -> StepReport: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def velocities(self) -> _Floats: ...
    @property
    def time(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def dim(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...
    @property
    def masses(self) -> _Floats: ...
    @property
    def object_starts(self) -> _Ints: ...
    @property
    def edges(self) -> _Ints: ...
    @property
    def edge_starts(self) -> _Ints: ...
    @property
    def faces(self) -> _Ints: ...
    @property
    def face_starts(self) -> _Ints: ...
    @property
    def tets(self) -> _Ints: ...
    @property
    def tet_starts(self) -> _Ints: ...
    @property
    def choices(self) -> list[Choice]: ...
    @property
    def warnings(self) -> list[str]: ...
    def contact_forces(self) -> _Floats: ...
    def contacts(self) -> ContactList: ...
    def tractions(self) -> SurfaceTractions: ...
    def hessian(self) -> Any: ...
    def verify(self) -> Verification: ...
    def rod_twist(self) -> list[float]: ...
    def state(self) -> SimulationState: ...
    def set_state(self, state: SimulationState) -> None: ...

class RunReport:
    @property
    def folder(self) -> str: ...
    @property
    def steps(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def end(self) -> Literal["finished", "interrupted", "failed"]: ...
    @property
    def verdict(
        self,
    ) -> Literal[
        "good",
        "unfinished",
        "nothing_yet",
        "not_verified",
        "inaccurate",
        "not_good",
        "failed",
    ]: ...
    @property
    def explanation(self) -> str: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def num_intersections(self) -> int: ...
    @property
    def num_inverted(self) -> int: ...
    @property
    def smallest_distance(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def report(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Result:
    def __init__(self, folder: _Path) -> None: ...
    @property
    def folder(self) -> str: ...
    @property
    def report(self) -> str: ...
    def _repr_html_(self) -> str: ...

def run(
    scene: Union[Scene, _Path],
    out: _Path,
    *,
    steps: Optional[int] = None,
    force: bool = False,
    callback: Optional[Callable[[StepReport], object]] = None,
    report: bool = True,
) -> RunReport: ...
def resume(
    out: _Path,
    *,
    settings: Sequence[str] = ...,
    steps: Optional[int] = None,
    callback: Optional[Callable[[StepReport], object]] = None,
    report: bool = True,
) -> RunReport: ...
def compare(
    scene: Union[Scene, _Path],
    vary: Union[dict[str, Sequence[object]], Sequence[dict[str, object]]],
    *,
    output: _Path,
    reference: Union[dict[str, object], bool, None] = None,
    repeat: int = 1,
    at: Sequence[float] = (),
    threads: int = 0,
    force: bool = False,
) -> dict[str, Any]: ...
def sweep(
    scene: Union[Scene, _Path],
    vary: Union[dict[str, Sequence[object]], Sequence[dict[str, object]]],
    *,
    output: _Path,
    collect: Sequence[str] = (),
    jobs: int = 0,
    threads: int = 1,
    group: int = 0,
    time_limit: float = 0,
    profile: Optional[_Path] = None,
    dry_run: bool = False,
    force: bool = False,
) -> dict[str, Any]: ...
