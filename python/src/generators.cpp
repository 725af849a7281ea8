#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/strand_generators.hpp"

#include "bind.hpp"
#include "module.hpp"

namespace abut::python {

using namespace abut::generate;

/// A count as Abut's int. What does not fit would be too many elements in any case.
struct Count {
    int count;
    operator int() const { return count; }
};

inline Count count_argument(std::int64_t value, const char* name)
{
    constexpr std::int64_t limit = std::numeric_limits<int>::max();
    if (value > limit)
        throw LimitReached(fmt::format("{}: {} is above the limit of {}", name, value, limit));
    if (value < 0)
        reject("{}: expected a count, got {}", name, value);
    return {static_cast<int>(value)};
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

inline std::vector<Vec2> points_argument(const ArrayLike& value, const char* name)
{
    const Positions rows = positions_argument(value, name);
    if (rows.cols() != 2)
        reject("{}: expected points of 2 coordinates, got {}", name, rows.cols());
    std::vector<Vec2> points;
    for (Eigen::Index k = 0; k < rows.rows(); ++k)
        points.emplace_back(point<2>(rows, k));
    return points;
}

/// Sequences, and those of points, as signatures show them.
template <typename T>
py::object as_tuple(const T& value)
{
    if constexpr (std::is_arithmetic_v<T>)
        return py::cast(value);
    else {
        py::tuple tuple(static_cast<std::size_t>(value.size()));
        for (std::size_t i = 0; i < tuple.size(); ++i)
            tuple[i] = as_tuple(value[i]);
        return tuple;
    }
}

template <typename T, auto Read>
struct SequenceReadBy : ReadBy<ArrayLike, Read> {
    static py::object shown(const T& value) { return as_tuple(value); }
};

template <>
struct Argument<Count> : ReadBy<std::int64_t, count_argument> {};
/// In this file, where every int of options is a count.
template <typename Options>
struct FieldParameter<Options, int> {
    using type = Count;
};
template <std::size_t N>
struct Argument<std::array<int, N>> : SequenceReadBy<std::array<int, N>, counts_argument<N>> {};
template <>
struct Argument<Vec2> : SequenceReadBy<Vec2, size_argument<2>> {};
template <>
struct Argument<Vec3> : SequenceReadBy<Vec3, size_argument<3>> {};
template <>
struct Argument<std::vector<Vec2>> : SequenceReadBy<std::vector<Vec2>, points_argument> {};

namespace {

/// Defines a generator whose arguments are these fields of its options.
template <auto... Field, typename Options>
void def_generator(py::module_& m, const char* name, MeshData (*generator)(const Options&), const char* doc)
{
    def(m, name, py::kw_only(), options<Field...>, unlocked, doc, generator);
}

void def_surfaces(py::module_& m)
{
    def_generator<&BoxOptions::size, &BoxOptions::subdivisions>(
        m, "box", box,
        "The closed surface of an axis-aligned box: `size` (3,) along x, y, z [m], `subdivisions` (3,) squares along "
        "each, >= 1.");
    constexpr auto grid_doc = "A flat sheet in the plane y = 0 that faces +y: `size` (2,) along x and z [m], `cells` "
                              "(2,) squares along each, "
                              ">= 1. {}";
    def_generator<&GridOptions::size, &GridOptions::cells>(
        m, "plane_grid", plane_grid, fmt::format(grid_doc, "All diagonals run the same way.").c_str());
    def_generator<&GridOptions::size, &GridOptions::cells>(
        m, "cloth", cloth, fmt::format(grid_doc, "The diagonals alternate, so that no direction is stiffer.").c_str());
    def_generator<&IcosphereOptions::radius, &IcosphereOptions::subdivisions>(
        m, "icosphere", icosphere, "A sphere of nearly equal triangles: `radius` [m], 20 * 4**subdivisions triangles.");
    using C = CylinderOptions;
    def_generator<&C::radius, &C::height, &C::segments, &C::rings, &C::closed, &C::cap_rings>(
        m, "cylinder", cylinder,
        "A cylinder around the y axis: `radius` and `height` [m], `segments` squares around, >= 3, `rings` along the "
        "height, >= 1; `closed` by caps of `cap_rings` triangles from rim to centre, >= 1, or an open tube.");
    using T = TorusOptions;
    def_generator<&T::major_radius, &T::minor_radius, &T::major_segments, &T::minor_segments>(
        m, "torus", torus,
        "A torus around the y axis: `major_radius` from the axis to the centre of the tube, `minor_radius` of the tube "
        "[m], smaller; squares around the axis and around the tube, >= 3.");
    def_generator<&RevolvedOptions::profile, &RevolvedOptions::segments>(
        m, "revolved", revolved,
        "An open surface of revolution around the y axis: `profile` (n, 2), n >= 2, distances from the axis, > 0, and "
        "heights [m]; `segments` squares around, >= 3.");
    def_generator<&PolygonOptions::corners, &PolygonOptions::subdivisions>(
        m, "polygon", polygon,
        "A polygon in 2D, filled with triangles: `corners` (n, 2) in order [m], n >= 3, which may be concave but must "
        "not touch itself; `subdivisions`, >= 1, cuts each triangle into subdivisions**2.");
}

void def_curves(py::module_& m)
{
    def_generator<&RodOptions::length, &RodOptions::segments>(
        m, "rod", rod, "A straight polyline along x: `length` [m], `segments` edges, >= 1.");
    using H = HelixOptions;
    def_generator<&H::radius, &H::pitch, &H::turns, &H::segments>(
        m, "helix", helix,
        "A right-handed helix around the y axis: `radius` and `pitch`, the rise per turn [m], `turns` in (0, 1e6], "
        "`segments` edges, >= 3 per turn.");
    using K = TorusKnotOptions;
    def_generator<&K::p, &K::q, &K::major_radius, &K::minor_radius, &K::segments>(
        m, "torus_knot", torus_knot,
        "A closed polyline on a torus around the y axis: `p` turns around the axis and `q` around the tube, >= 1 and "
        "without a common divisor, radii [m] as of a torus, `segments` edges, >= 8 max(p, q).");
    using S = SquircleOptions;
    def_generator<&S::radius, &S::exponent, &S::segments>(
        m, "squircle", squircle,
        "A closed polyline |x|^n + |y|^n = radius^n in 2D: `radius` [m], `exponent` n in [1, 1e6] (1 a diamond, 2 a "
        "circle, large a square), `segments` edges, >= 3.");
}

void def_strands(py::module_& m)
{
    def_generator<&RingOptions::radius, &RingOptions::segments>(
        m, "ring", ring, "A closed circle of edges around the y axis: `radius` [m], `segments` edges, >= 3.");
    using S = SpringOptions;
    def_generator<&S::radius, &S::pitch, &S::turns, &S::hook_radius, &S::strand_radius, &S::segments>(
        m, "spring", spring,
        "A coil around the y axis with an open ring at each end: `radius` and `pitch` of the coil and `hook_radius` "
        "[m], "
        "`turns`, >= 1, `segments` edges, >= 64 + 16 turns. Parts of the wire stay farther than 2 `strand_radius` [m] "
        "from each other.");
    using N = KnotOptions;
    def_generator<&N::half_turns, &N::loop_radius, &N::length, &N::strand_radius, &N::segments>(
        m, "knot", knot,
        "A rope along x with a loose knot: `half_turns` of its two parts around each other, odd (3 is an overhand "
        "knot), "
        "`loop_radius` and `length` from end to end [m], `segments` edges, >= 32 half_turns. Parts of it stay farther "
        "than 2 `strand_radius` [m] from each other.");
    using R = RopeOptions;
    def_generator<&R::length, &R::strands, &R::radius, &R::turns, &R::strand_radius, &R::segments>(
        m, "rope", rope,
        "Strands that wind around the x axis, one after the other: `length` and `radius` from the axis to each strand "
        "[m], `strands`, >= 2, `turns`, >= 0, `segments` edges of each, >= 3 per turn. They stay farther than 2 "
        "`strand_radius` [m] from each other.");
    using K = KnitOptions;
    def_generator<&K::rows, &K::columns, &K::stitch_width, &K::strand_radius, &K::segments>(
        m, "knit", knit,
        "A knitted patch in the x-y plane, of one yarn: `rows` of `columns` stitches, >= 1, of `stitch_width` [m] and "
        "`segments` edges each, >= 16. Parts of the yarn stay farther than 2 `strand_radius` [m] from each other.");
    def_generator<&GrainsOptions::size, &GrainsOptions::counts>(
        m, "grains", grains,
        "Loose vertices in a grid about the origin: `size` (3,) along x, y and z [m], `counts` (3,) along each, >= 1.");
    def_generator<&NetOptions::size, &NetOptions::meshes, &NetOptions::segments>(
        m, "net", net,
        "A net in the plane y = 0, joined at its crossings: `size` (2,) along x and z [m], `meshes` (2,) squares along "
        "each, >= 1, `segments` edges of a square's side, >= 1.");
    using W = WebOptions;
    def_generator<&W::radius, &W::hub_radius, &W::spokes, &W::turns, &W::segments>(
        m, "web", web,
        "A spider's web in the plane y = 0: `spokes`, >= 3, of `radius` [m] and a spiral of `turns`, >= 1, from "
        "`hub_radius` [m] on, joined to them; `segments` edges between neighbouring joints, >= 1.");
    using F = FurOptions;
    def_generator<&F::radius, &F::gap, &F::hairs, &F::length, &F::strand_radius, &F::segments>(
        m, "fur", fur,
        "Hair on end all over a ball, which is no part of it: `radius` of the ball, `gap` to the roots and `length` "
        "[m], "
        "`hairs`, >= 1, of `segments` edges, >= 1. Hairs stay farther than 2 `strand_radius` [m] from each other. "
        "Roots "
        "come first.");
    using M = ChainMailOptions;
    def_generator<&M::rows, &M::columns, &M::ring_radius, &M::strand_radius, &M::segments>(
        m, "chain_mail", chain_mail,
        "Chain mail in the plane y = 0: `rows` along z and `columns` along x, >= 1, of closed rings of `ring_radius` "
        "[m] and `segments` edges, >= 12, each through four others. Rings stay farther than 2 `strand_radius` [m] from "
        "each other.");
}

void def_solids(py::module_& m)
{
    def_generator<&TetBoxOptions::size, &TetBoxOptions::subdivisions>(
        m, "tet_box", tet_box,
        "A tetrahedralised axis-aligned box: `size` (3,) along x, y, z [m], `subdivisions` (3,) cells along each, >= "
        "1, of five tetrahedra.");
    using M = MatOptions;
    def_generator<&M::width, &M::thickness, &M::cells, &M::layers>(
        m, "mat", mat,
        "A tetrahedralised square slab: `width` along x and z and `thickness` along y [m], `cells` along x and along z "
        "and `layers` along y, >= 1.");
    def_generator<&TetBallOptions::radius, &TetBallOptions::shells>(
        m, "tet_ball", tet_ball,
        "A tetrahedralised ball: `radius` [m], `shells` tetrahedra from the centre to the surface, >= 1; 20 shells**3 "
        "tetrahedra.");
    using C = TetConeOptions;
    def_generator<&C::radius, &C::height, &C::segments, &C::subdivisions>(
        m, "tet_cone", tet_cone,
        "A tetrahedralised cone that points to +y: `radius` of the base and `height` [m], `segments` sides, >= 3 (4 is "
        "a pyramid), `subdivisions` tetrahedra along the height, >= 1; segments * subdivisions**3 tetrahedra.");
    using T = TetTorusOptions;
    def_generator<&T::major_radius, &T::minor_radius, &T::major_segments, &T::minor_segments, &T::rings>(
        m, "tet_torus", tet_torus,
        "A tetrahedralised ring around the y axis: `major_radius` from the axis to the centre of the tube, "
        "`minor_radius` of the tube [m], smaller; segments around the axis and around the tube, >= 3; `rings` "
        "tetrahedra from the centre of the tube to its surface, >= 1.");
    using P = TetPrismOptions;
    def_generator<&P::corners, &P::depth, &P::subdivisions, &P::layers>(
        m, "tet_prism", tet_prism,
        "A tetrahedralised polygon pulled along z: `corners` and `subdivisions` as of polygon, in the x-y plane, "
        "`depth` along z [m], `layers` of tetrahedra along it, >= 1.");
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
    def_strands(generate);
    def_solids(generate);
}

} // namespace abut::python
