#include "abut/mesh/generators.hpp"

#include "abut/base/error.hpp"
#include "arrays.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

using namespace abut::generate;

/// A count as Abut's int. What does not fit would be too many elements in any case.
int count_argument(std::int64_t value, const char* name)
{
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    if (value > limit)
        throw LimitReached(fmt::format("{}: {} is above the limit of {}", name, value, limit));
    if (value < 0)
        reject("{}: expected a count, got {}", name, value);
    return static_cast<int>(value);
}

template <std::size_t N>
std::array<int, N> counts_argument(const ArrayLike& value, const char* name)
{
    const std::vector<int> counts = integers_argument(value, name);
    if (counts.size() != N)
        reject("{}: expected {} integers, got {}", name, N, counts.size());
    std::array<int, N> result;
    std::copy(counts.begin(), counts.end(), result.begin());
    return result;
}

template <int N>
Vec<N> size_argument(const ArrayLike& value, const char* name)
{
    const Eigen::VectorXd size = vector_argument(value, name);
    if (size.size() != N)
        reject("{}: expected {} lengths, got {}", name, N, size.size());
    return size;
}

std::vector<Vec2> points_argument(const ArrayLike& value, const char* name)
{
    const Positions rows = positions_argument(value, name);
    if (rows.cols() != 2)
        reject("{}: expected points of 2 coordinates, got {}", name, rows.cols());
    std::vector<Vec2> points;
    for (Eigen::Index k = 0; k < rows.rows(); ++k)
        points.emplace_back(point<2>(rows, k));
    return points;
}

/// Defaults as Python shows them in signatures.
template <typename Sequence>
py::tuple as_tuple(const Sequence& sequence)
{
    py::tuple tuple(static_cast<std::size_t>(sequence.size()));
    for (std::size_t i = 0; i < tuple.size(); ++i)
        tuple[i] = sequence[i];
    return tuple;
}

py::tuple as_tuple(const std::vector<Vec2>& points)
{
    py::tuple tuple(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        tuple[i] = py::make_tuple(points[i].x(), points[i].y());
    return tuple;
}

template <typename Options>
MeshData run(MeshData (*generator)(const Options&), const Options& options)
{
    return without_gil([&] { return generator(options); });
}

void def_surfaces(py::module_& m)
{
    const BoxOptions box_options;
    m.def(
        "box",
        [](const ArrayLike& size, const ArrayLike& subdivisions) {
            return run(
                box, {.size = size_argument<3>(size, "size"),
                      .subdivisions = counts_argument<3>(subdivisions, "subdivisions")});
        },
        py::kw_only(), "size"_a = as_tuple(box_options.size), "subdivisions"_a = as_tuple(box_options.subdivisions),
        "The closed surface of an axis-aligned box: `size` (3,) along x, y, z [m], `subdivisions` (3,) squares along "
        "each, >= 1.");

    const GridOptions grid_options;
    for (
        const auto& [name, generator, doc] :
        {std::tuple{
             "plane_grid", &plane_grid,
             "A flat sheet in the plane y = 0 that faces +y: `size` (2,) along x and z [m], `cells` (2,) squares along "
             "each, >= 1. All diagonals run the same way."},
         std::tuple{
             "cloth", &cloth,
             "A flat sheet in the plane y = 0 that faces +y: `size` (2,) along x and z [m], `cells` (2,) squares along "
             "each, >= 1. The diagonals alternate, so that no direction is stiffer."}})
        m.def(
            name,
            [generator = generator](const ArrayLike& size, const ArrayLike& cells) {
                return run(
                    generator, {.size = size_argument<2>(size, "size"), .cells = counts_argument<2>(cells, "cells")});
            },
            py::kw_only(), "size"_a = as_tuple(grid_options.size), "cells"_a = as_tuple(grid_options.cells), doc);

    const IcosphereOptions icosphere_options;
    m.def(
        "icosphere",
        [](double radius, std::int64_t subdivisions) {
            return run(icosphere, {.radius = radius, .subdivisions = count_argument(subdivisions, "subdivisions")});
        },
        py::kw_only(), "radius"_a = icosphere_options.radius, "subdivisions"_a = icosphere_options.subdivisions,
        "A sphere of nearly equal triangles: `radius` [m], 20 * 4**subdivisions triangles.");

    const CylinderOptions cylinder_options;
    m.def(
        "cylinder",
        [](double radius, double height, std::int64_t segments, std::int64_t rings, bool closed,
           std::int64_t cap_rings) {
            return run(
                cylinder, {.radius = radius,
                           .height = height,
                           .segments = count_argument(segments, "segments"),
                           .rings = count_argument(rings, "rings"),
                           .closed = closed,
                           .cap_rings = count_argument(cap_rings, "cap_rings")});
        },
        py::kw_only(), "radius"_a = cylinder_options.radius, "height"_a = cylinder_options.height,
        "segments"_a = cylinder_options.segments, "rings"_a = cylinder_options.rings,
        "closed"_a = cylinder_options.closed, "cap_rings"_a = cylinder_options.cap_rings,
        "A cylinder around the y axis: `radius` and `height` [m], `segments` squares around, >= 3, `rings` along the "
        "height, >= 1; `closed` by caps of `cap_rings` triangles from rim to centre, >= 1, or an open tube.");

    const TorusOptions torus_options;
    m.def(
        "torus",
        [](double major_radius, double minor_radius, std::int64_t major_segments, std::int64_t minor_segments) {
            return run(
                torus, {.major_radius = major_radius,
                        .minor_radius = minor_radius,
                        .major_segments = count_argument(major_segments, "major_segments"),
                        .minor_segments = count_argument(minor_segments, "minor_segments")});
        },
        py::kw_only(), "major_radius"_a = torus_options.major_radius, "minor_radius"_a = torus_options.minor_radius,
        "major_segments"_a = torus_options.major_segments, "minor_segments"_a = torus_options.minor_segments,
        "A torus around the y axis: `major_radius` from the axis to the centre of the tube, `minor_radius` of the tube "
        "[m], smaller; squares around the axis and around the tube, >= 3.");

    const RevolvedOptions revolved_options;
    m.def(
        "revolved",
        [](const ArrayLike& profile, std::int64_t segments) {
            return run(
                revolved,
                {.profile = points_argument(profile, "profile"), .segments = count_argument(segments, "segments")});
        },
        py::kw_only(), "profile"_a = as_tuple(revolved_options.profile), "segments"_a = revolved_options.segments,
        "An open surface of revolution around the y axis: `profile` (n, 2), n >= 2, distances from the axis, > 0, and "
        "heights "
        "[m]; `segments` squares around, >= 3.");

    const PolygonOptions polygon_options;
    m.def(
        "polygon",
        [](const ArrayLike& corners, std::int64_t subdivisions) {
            return run(
                polygon, {.corners = points_argument(corners, "corners"),
                          .subdivisions = count_argument(subdivisions, "subdivisions")});
        },
        py::kw_only(), "corners"_a = as_tuple(polygon_options.corners), "subdivisions"_a = polygon_options.subdivisions,
        "A polygon in 2D, filled with triangles: `corners` (n, 2) in order [m], n >= 3, which may be concave but must "
        "not touch "
        "itself; `subdivisions`, >= 1, cuts each triangle into subdivisions**2.");
}

void def_curves(py::module_& m)
{
    const RodOptions rod_options;
    m.def(
        "rod",
        [](double length, std::int64_t segments) {
            return run(rod, {.length = length, .segments = count_argument(segments, "segments")});
        },
        py::kw_only(), "length"_a = rod_options.length, "segments"_a = rod_options.segments,
        "A straight polyline along x: `length` [m], `segments` edges, >= 1.");

    const HelixOptions helix_options;
    m.def(
        "helix",
        [](double radius, double pitch, double turns, std::int64_t segments) {
            return run(
                helix,
                {.radius = radius, .pitch = pitch, .turns = turns, .segments = count_argument(segments, "segments")});
        },
        py::kw_only(), "radius"_a = helix_options.radius, "pitch"_a = helix_options.pitch,
        "turns"_a = helix_options.turns, "segments"_a = helix_options.segments,
        "A right-handed helix around the y axis: `radius` and `pitch`, the rise per turn [m], `turns` in (0, 1e6], "
        "`segments` edges, >= 3 per turn.");

    const TorusKnotOptions knot_options;
    m.def(
        "torus_knot",
        [](std::int64_t p, std::int64_t q, double major_radius, double minor_radius, std::int64_t segments) {
            return run(
                torus_knot, {.p = count_argument(p, "p"),
                             .q = count_argument(q, "q"),
                             .major_radius = major_radius,
                             .minor_radius = minor_radius,
                             .segments = count_argument(segments, "segments")});
        },
        py::kw_only(), "p"_a = knot_options.p, "q"_a = knot_options.q, "major_radius"_a = knot_options.major_radius,
        "minor_radius"_a = knot_options.minor_radius, "segments"_a = knot_options.segments,
        "A closed polyline on a torus around the y axis: `p` turns around the axis and `q` around the tube, >= 1 and "
        "without a common divisor, radii [m] as of a torus, `segments` edges, >= 8 max(p, q).");

    const SquircleOptions squircle_options;
    m.def(
        "squircle",
        [](double radius, double exponent, std::int64_t segments) {
            return run(
                squircle, {.radius = radius, .exponent = exponent, .segments = count_argument(segments, "segments")});
        },
        py::kw_only(), "radius"_a = squircle_options.radius, "exponent"_a = squircle_options.exponent,
        "segments"_a = squircle_options.segments,
        "A closed polyline |x|^n + |y|^n = radius^n in 2D: `radius` [m], `exponent` n in [1, 1e6] (1 a diamond, 2 a "
        "circle, large a square), `segments` edges, >= 3.");
}

void def_solids(py::module_& m)
{
    const TetBoxOptions tet_box_options;
    m.def(
        "tet_box",
        [](const ArrayLike& size, const ArrayLike& subdivisions) {
            return run(
                tet_box, {.size = size_argument<3>(size, "size"),
                          .subdivisions = counts_argument<3>(subdivisions, "subdivisions")});
        },
        py::kw_only(), "size"_a = as_tuple(tet_box_options.size),
        "subdivisions"_a = as_tuple(tet_box_options.subdivisions),
        "A tetrahedralised axis-aligned box: `size` (3,) along x, y, z [m], `subdivisions` (3,) cells along each, >= "
        "1, "
        "of five tetrahedra.");

    const MatOptions mat_options;
    m.def(
        "mat",
        [](double width, double thickness, std::int64_t cells, std::int64_t layers) {
            return run(
                mat, {.width = width,
                      .thickness = thickness,
                      .cells = count_argument(cells, "cells"),
                      .layers = count_argument(layers, "layers")});
        },
        py::kw_only(), "width"_a = mat_options.width, "thickness"_a = mat_options.thickness,
        "cells"_a = mat_options.cells, "layers"_a = mat_options.layers,
        "A tetrahedralised square slab: `width` along x and z and `thickness` along y [m], `cells` along x and along z "
        "and `layers` along y, >= 1.");

    const TetBallOptions tet_ball_options;
    m.def(
        "tet_ball",
        [](double radius, std::int64_t shells) {
            return run(tet_ball, {.radius = radius, .shells = count_argument(shells, "shells")});
        },
        py::kw_only(), "radius"_a = tet_ball_options.radius, "shells"_a = tet_ball_options.shells,
        "A tetrahedralised ball: `radius` [m], `shells` tetrahedra from the centre to the surface, >= 1; 20 shells**3 "
        "tetrahedra.");

    const TetConeOptions tet_cone_options;
    m.def(
        "tet_cone",
        [](double radius, double height, std::int64_t segments, std::int64_t subdivisions) {
            return run(
                tet_cone, {.radius = radius,
                           .height = height,
                           .segments = count_argument(segments, "segments"),
                           .subdivisions = count_argument(subdivisions, "subdivisions")});
        },
        py::kw_only(), "radius"_a = tet_cone_options.radius, "height"_a = tet_cone_options.height,
        "segments"_a = tet_cone_options.segments, "subdivisions"_a = tet_cone_options.subdivisions,
        "A tetrahedralised cone that points to +y: `radius` of the base and `height` [m], `segments` sides, >= 3 (4 is "
        "a "
        "pyramid), `subdivisions` tetrahedra along the height, >= 1; segments * subdivisions**3 tetrahedra.");

    const TetTorusOptions tet_torus_options;
    m.def(
        "tet_torus",
        [](double major_radius, double minor_radius, std::int64_t major_segments, std::int64_t minor_segments,
           std::int64_t rings) {
            return run(
                tet_torus, {.major_radius = major_radius,
                            .minor_radius = minor_radius,
                            .major_segments = count_argument(major_segments, "major_segments"),
                            .minor_segments = count_argument(minor_segments, "minor_segments"),
                            .rings = count_argument(rings, "rings")});
        },
        py::kw_only(), "major_radius"_a = tet_torus_options.major_radius,
        "minor_radius"_a = tet_torus_options.minor_radius, "major_segments"_a = tet_torus_options.major_segments,
        "minor_segments"_a = tet_torus_options.minor_segments, "rings"_a = tet_torus_options.rings,
        "A tetrahedralised ring around the y axis: `major_radius` from the axis to the centre of the tube, "
        "`minor_radius` of "
        "the tube [m], smaller; segments around the axis and around the tube, >= 3; `rings` tetrahedra from the centre "
        "of "
        "the tube to its surface, >= 1.");

    const TetPrismOptions tet_prism_options;
    m.def(
        "tet_prism",
        [](const ArrayLike& corners, double depth, std::int64_t subdivisions, std::int64_t layers) {
            return run(
                tet_prism, {.corners = points_argument(corners, "corners"),
                            .depth = depth,
                            .subdivisions = count_argument(subdivisions, "subdivisions"),
                            .layers = count_argument(layers, "layers")});
        },
        py::kw_only(), "corners"_a = as_tuple(tet_prism_options.corners), "depth"_a = tet_prism_options.depth,
        "subdivisions"_a = tet_prism_options.subdivisions, "layers"_a = tet_prism_options.layers,
        "A tetrahedralised polygon pulled along z: `corners` and `subdivisions` as of polygon, in the x-y plane, "
        "`depth` "
        "along z [m], `layers` of tetrahedra along it, >= 1.");
}

} // namespace

void def_generators(py::module_& m)
{
    py::module_ generate = m.def_submodule(
        "generate",
        "Meshes made from a few numbers, for scenes, tests and benchmarks: all centred on the origin, with y up. They "
        "are MeshData; lengths are in metres.");
    def_surfaces(generate);
    def_curves(generate);
    def_solids(generate);
}

} // namespace abut::python
