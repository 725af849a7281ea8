#pragma once
// Meshes made from a few numbers, for scenes, tests and benchmarks.
//
// All are centred on the origin where nothing else is said, with y up. Closed surfaces are counter-clockwise seen from
// outside, tets have positive volume, closed plane curves run counter-clockwise. Lengths are in metres and within
// [1e-50, 1e50], so that products of three of them neither overflow nor vanish. Options out of range are rejected;
// options that ask for more than 2^31 - 1 vertices or elements end in LimitReached before memory is asked for.

#include "abut/mesh/mesh_data.hpp"

#include <array>
#include <vector>

namespace abut::generate {

// --- Surfaces ---

struct BoxOptions {
    Vec3 size = Vec3::Ones();                    ///< extent along x, y and z [m]
    std::array<int, 3> subdivisions = {1, 1, 1}; ///< squares along x, y and z, >= 1
};
/// The closed surface of an axis-aligned box, two triangles per square with alternating diagonals.
[[nodiscard]] MeshData box(const BoxOptions& options = {});

struct GridOptions {
    Vec2 size = Vec2::Ones();            ///< extent along x and z [m]
    std::array<int, 2> cells = {10, 10}; ///< squares along x and z, >= 1
};
/// A flat sheet in the plane y = 0 that faces +y; all diagonals run the same way.
[[nodiscard]] MeshData plane_grid(const GridOptions& options = {});
/// A flat sheet in the plane y = 0 that faces +y; the diagonals alternate, so that no direction is stiffer.
[[nodiscard]] MeshData cloth(const GridOptions& options = {});

struct IcosphereOptions {
    double radius = 1;    ///< [m]; all vertices lie on the sphere
    int subdivisions = 3; ///< 0 is the icosahedron; each further one cuts every triangle into four: 20 * 4^subdivisions
};
/// A sphere of nearly equal triangles.
[[nodiscard]] MeshData icosphere(const IcosphereOptions& options = {});

struct CylinderOptions {
    double radius = 0.5; ///< [m]
    double height = 1;   ///< along y [m]
    int segments = 32;   ///< squares around, >= 3
    int rings = 8;       ///< squares along the height, >= 1
    bool closed = true;  ///< with caps, or an open tube
    int cap_rings = 4;   ///< triangles from a cap's rim to its centre, >= 1; unused by an open tube
};
/// A cylinder around the y axis.
[[nodiscard]] MeshData cylinder(const CylinderOptions& options = {});

struct TorusOptions {
    double major_radius = 1;   ///< from the axis to the centre of the tube [m]
    double minor_radius = 0.4; ///< of the tube [m], < major_radius
    int major_segments = 48;   ///< squares around the axis, >= 3
    int minor_segments = 24;   ///< squares around the tube, >= 3
};
/// A torus around the y axis.
[[nodiscard]] MeshData torus(const TorusOptions& options = {});

struct RevolvedOptions {
    /// Points (distance from the y axis, height) [m] from one rim to the other, two at least; the distances are
    /// lengths, the heights within [-1e50, 1e50]. The default is a funnel: a cone that opens upwards over a pipe.
    std::vector<Vec2> profile = {{0.1, -0.5}, {0.1, 0}, {0.5, 0.5}};
    int segments = 32; ///< squares around, >= 3
};
/// An open surface of revolution around the y axis: funnels, cups without a bottom, bells. It is not moved to the
/// origin. Where the profile rises, the surface faces away from the axis.
[[nodiscard]] MeshData revolved(const RevolvedOptions& options = {});

// --- Polygons in the plane ---

struct PolygonOptions {
    /// In order, around once [m], three or more with coordinates within [-1e50, 1e50]; the polygon may be concave but
    /// must not touch itself. The default is a triangle.
    std::vector<Vec2> corners = {{-0.5, -0.5}, {0.5, -0.5}, {0, 0.5}};
    int subdivisions = 1; ///< >= 1; each triangle of the polygon becomes subdivisions^2 similar ones
};
/// A polygon in two dimensions, filled with counter-clockwise triangles. It is not moved to the origin.
[[nodiscard]] MeshData polygon(const PolygonOptions& options = {});

// --- Curves ---

struct RodOptions {
    double length = 1; ///< along x [m]
    int segments = 10; ///< edges, >= 1
};
/// A straight polyline from -x to +x.
[[nodiscard]] MeshData rod(const RodOptions& options = {});

struct HelixOptions {
    double radius = 0.1; ///< [m]
    double pitch = 0.1;  ///< rise per turn [m]
    double turns = 5;    ///< in (0, 1e6]
    int segments = 200;  ///< edges, >= 1 and >= 3 per turn
};
/// A right-handed helix around the y axis, from bottom to top.
[[nodiscard]] MeshData helix(const HelixOptions& options = {});

struct TorusKnotOptions {
    int p = 2;                 ///< turns around the axis, >= 1, without a common divisor with q
    int q = 3;                 ///< turns around the tube, >= 1
    double major_radius = 1;   ///< from the axis to the centre of the tube [m]
    double minor_radius = 0.4; ///< of the tube [m], < major_radius
    int segments = 200;        ///< edges, >= 8 per turn, that is >= 8 max(p, q)
};
/// A closed polyline on a torus around the y axis.
[[nodiscard]] MeshData torus_knot(const TorusKnotOptions& options = {});

struct SquircleOptions {
    double radius = 1;   ///< half the width [m]
    double exponent = 4; ///< n in |x|^n + |y|^n = radius^n, in [1, 1e6]: 1 a diamond, 2 a circle, large a square
    int segments = 64;   ///< edges, >= 3
};
/// A closed polyline in two dimensions with its vertices at equal polar angles.
[[nodiscard]] MeshData squircle(const SquircleOptions& options = {});

// --- Solids ---

struct TetBoxOptions {
    Vec3 size = Vec3::Ones();                    ///< extent along x, y and z [m]
    std::array<int, 3> subdivisions = {4, 4, 4}; ///< cells along x, y and z, >= 1, of five tets each
};
/// A tetrahedralised axis-aligned box. Neighbouring cells are mirror images, so that no direction is stiffer.
[[nodiscard]] MeshData tet_box(const TetBoxOptions& options = {});

struct MatOptions {
    double width = 1;        ///< extent along x and z [m]
    double thickness = 0.02; ///< extent along y [m]
    int cells = 40;          ///< cells along x and along z, >= 1
    int layers = 1;          ///< cells along y, >= 1
};
/// A tetrahedralised square slab.
[[nodiscard]] MeshData mat(const MatOptions& options = {});

struct TetBallOptions {
    double radius = 1; ///< [m]; the vertices of the surface lie on the sphere
    int shells = 6;    ///< tets from the centre to the surface, >= 1; the ball has 20 shells^3 of them
};
/// A tetrahedralised ball: concentric spheres of triangles whose number falls towards the centre, so that all tets
/// have nearly the same size and shape.
[[nodiscard]] MeshData tet_ball(const TetBallOptions& options = {});

struct TetConeOptions {
    double radius = 0.5;  ///< of the base [m]
    double height = 1;    ///< from the base to the tip, along y [m]
    int segments = 8;     ///< sides, >= 3; 4 is a pyramid
    int subdivisions = 4; ///< tets along the height and along each radius, >= 1; segments * subdivisions^3 in all
};
/// A tetrahedralised cone or pyramid that points to +y, with the middle of its height at the origin.
[[nodiscard]] MeshData tet_cone(const TetConeOptions& options = {});

struct TetTorusOptions {
    double major_radius = 1;   ///< from the axis to the centre of the tube [m]
    double minor_radius = 0.4; ///< of the tube [m], < major_radius
    int major_segments = 24;   ///< slices around the axis, >= 3
    int minor_segments = 8;    ///< around the tube, >= 3
    int rings = 1;             ///< tets from the centre of the tube to its surface, >= 1
};
/// A tetrahedralised ring around the y axis.
[[nodiscard]] MeshData tet_torus(const TetTorusOptions& options = {});

struct TetPrismOptions {
    /// As of PolygonOptions, in the x-y plane.
    std::vector<Vec2> corners = {{-0.5, -0.5}, {0.5, -0.5}, {0, 0.5}};
    double depth = 1;     ///< extent along z [m]
    int subdivisions = 1; ///< as of PolygonOptions, >= 1
    int layers = 1;       ///< tets along the depth, >= 1
};
/// A tetrahedralised polygon that is pulled along z, from -depth / 2 to depth / 2: wedges, the stones of an arch,
/// blocks with notches. It is not moved to the origin.
[[nodiscard]] MeshData tet_prism(const TetPrismOptions& options = {});

} // namespace abut::generate
