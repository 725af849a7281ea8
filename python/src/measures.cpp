// Lengths, areas, volumes, angles, normals, tangent bases, the mollifier of parallel edges, exact predicates, and
// how curves are linked.

#include "abut/geometry/dihedral_angle.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/linking.hpp"
#include "abut/geometry/normals.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/geometry/tangent_basis.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

namespace {

void def_scalars(py::module_& m)
{
    using enum Space;
    def_term<either>(
        m, "edge_length", {"e0", "e1"},
        "Length of the edge e0 e1 in 2D or 3D [m]. At length zero its derivatives are zero.",
        [](const auto&... x) { return edge_length(x...); });
    def_term<space>(
        m, "triangle_area", {"t0", "t1", "t2"},
        "Area of the triangle t0 t1 t2 in 3D [m²]. At area zero its derivatives are zero.", triangle_area);
    def_term<plane>(
        m, "signed_triangle_area", {"t0", "t1", "t2"},
        "Signed area of a triangle in 2D [m²], positive when counter-clockwise.", signed_triangle_area);
    def_term<space>(
        m, "signed_tet_volume", {"t0", "t1", "t2", "t3"},
        "Signed volume of a tetrahedron [m³], positive when (t1-t0) x (t2-t0) . (t3-t0) > 0.", signed_tet_volume);
    def_term<space>(
        m, "dihedral_angle", {"e0", "e1", "a", "b"},
        R"(Angle in (-pi, pi] by which the triangles e0 e1 a and e1 e0 b depart from lying flat [rad].

0 when flat, positive when the fold is convex towards the normals; its derivatives are zero where one of the triangles
has no area.)",
        dihedral_angle);
    def_term<space>(
        m, "edge_edge_cross_squared_norm", {"a0", "a1", "b0", "b1"},
        "c = |(a1 - a0) x (b1 - b0)|² [m⁴], which is zero for parallel edges.", edge_edge_cross_squared_norm);
    def_term<space>(
        m, "edge_edge_mollifier_threshold", {"rest_a0", "rest_a1", "rest_b0", "rest_b1"},
        "eps_x = 1e-3 |a1 - a0|² |b1 - b0|² of the rest positions [m⁴]: the c below which the mollifier acts.",
        edge_edge_mollifier_threshold);
    constexpr const char* edges[] = {"a0", "a1", "b0", "b1"};
    def_of_points<space>(
        m, "edge_edge_mollifier", edges,
        R"(Factor in [0, 1] that takes nearly parallel edges smoothly to zero, for the threshold `eps_x` [m⁴], >= 0.

m = (2 - c/eps_x) c/eps_x where c = edge_edge_cross_squared_norm is below eps_x, else 1.)" +
            derivatives_doc(edges),
        [](const Points& x, double eps_x, Order order) {
            if (!(eps_x >= 0 && std::isfinite(eps_x)))
                reject("eps_x: expected a finite number >= 0, got {}", eps_x);
            return x.apply<space, 4>(
                [&](const auto&... p) { return result(edge_edge_mollifier(p..., eps_x, order), order); });
        },
        "eps_x"_a, py::kw_only(), "order"_a = "value");
}

void def_vectors(py::module_& m)
{
    using enum Space;
    def_vector<space>(
        m, "triangle_normal", {"t0", "t1", "t2"},
        R"(Unit normal (3,) of a triangle in 3D, on the side from which it is counter-clockwise; zero at area zero.

order="jacobian" returns a tuple of it and its Jacobian (3, 9) by t0, t1, t2.)",
        triangle_normal);
    def_vector<plane>(
        m, "edge_normal", {"e0", "e1"},
        R"(Unit normal (2,) of an edge in 2D, to its right, which is outward on a counter-clockwise boundary.

order="jacobian" returns a tuple of it and its Jacobian (2, 4) by e0, e1. Zero at length zero.)",
        edge_normal);
    const auto def_basis = [&]<Space where, std::size_t N>(
                               std::integral_constant<Space, where>, const char* name, Names<N> names, const char* doc,
                               auto basis) {
        const std::string with_jacobian = fmt::format(
            "{}\n\norder=\"jacobian\" returns a tuple of them and their Jacobian (dim (dim - 1), {} dim): row dim k + "
            "i is the gradient of\ncomponent i of column k.",
            doc, N);
        def_vector<where>(m, name, names, with_jacobian.c_str(), [basis](const auto&... x) {
            const auto [columns, jacobian] = basis(x...);
            return std::pair(Positions(columns), jacobian); // a matrix also where it has one column
        });
    };
    constexpr std::integral_constant<Space, either> in_both;
    constexpr std::integral_constant<Space, space> in_space;
    def_basis(
        in_both, "point_point_tangent_basis", {"p", "q"},
        "Orthonormal columns (dim, dim - 1) orthogonal to q - p, in 2D or 3D.",
        [](const auto&... x) { return point_point_tangent_basis(x...); });
    def_basis(
        in_both, "point_edge_tangent_basis", {"p", "e0", "e1"},
        "Orthonormal columns (dim, dim - 1), the first along the edge e0 e1, tangent to the contact with p.",
        [](const auto&... x) { return point_edge_tangent_basis(x...); });
    def_basis(
        in_space, "edge_edge_tangent_basis", {"a0", "a1", "b0", "b1"},
        "Orthonormal columns (3, 2), the first along a, orthogonal to the common normal of two edges in 3D.",
        [](const auto&... x) { return edge_edge_tangent_basis(x...); });
    def_basis(
        in_space, "point_triangle_tangent_basis", {"p", "t0", "t1", "t2"},
        "Orthonormal columns (3, 2), the first along t0 t1, in the plane of the triangle t0 t1 t2 in 3D.",
        [](const auto&... x) { return point_triangle_tangent_basis(x...); });
}

void def_predicates(py::module_& m)
{
    using enum Space;
    const auto orientation_of = [](const auto&... x) { return orientation(x...); };
    def_function<plane>(
        m, "orientation", {"a", "b", "c"},
        "In 2D: +1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if on one line. Exact.", orientation_of);
    def_function<space>(
        m, "orientation", {"a", "b", "c", "d"}, "In 3D: the sign of (b - a) x (c - a) . (d - a). Exact.",
        orientation_of);
    def_function<plane>(
        m, "segments_intersect", {"a", "b", "c", "d"},
        "Do the closed segments ab and cd in 2D have a point in common? Exact; touching counts.", segments_intersect);
    def_function<space>(
        m, "segment_intersects_triangle", {"p", "q", "a", "b", "c"},
        "Do the closed segment pq and the closed triangle abc in 3D have a point in common? Exact; touching counts.",
        segment_intersects_triangle);
    def_function<plane>(
        m, "point_in_triangle", {"p", "a", "b", "c"},
        "Does p lie in the closed triangle abc in 2D, of either orientation? Exact.", point_in_triangle);
}

std::vector<Vec3> curve_points(const Positions& rows, const char* name)
{
    if (rows.cols() != 3)
        reject("{}: expected points of 3 coordinates, got {}", name, rows.cols());
    std::vector<Vec3> points;
    for (Eigen::Index k = 0; k < rows.rows(); ++k)
        points.emplace_back(point<3>(rows, k));
    return points;
}

void def_links(py::module_& m)
{
    def(m, "linking_number", "a"_a, "b"_a,
        "Gauss' linking number of two closed polylines, given by their corners (n, 3) in order: how often one passes "
        "through a surface spanned by the other, with sign. No motion without intersections changes it.",
        [](const Positions& a, const Positions& b) {
            const std::vector<Vec3> first = curve_points(a, "a"), second = curve_points(b, "b");
            return without_gil([&] { return linking_number(first, second); });
        });
    def(m, "piercings", "polyline"_a, "loop"_a,
        "How often an open polyline (n, 3) passes through the cone of a closed loop (k, 3) over the mean of its "
        "corners: "
        "a tuple of the passages to the side from which the loop is seen counter-clockwise, and of those to the other. "
        "Exact.",
        [](const Positions& polyline, const Positions& loop) {
            const std::vector<Vec3> path = curve_points(polyline, "polyline"), corners = curve_points(loop, "loop");
            const Piercings found = without_gil([&] { return piercings(path, corners); });
            return py::make_tuple(found.along, found.against);
        });
}

} // namespace

void def_measures(py::module_& m)
{
    def_scalars(m);
    def_vectors(m);
    def_predicates(m);
    def_links(m);
}

} // namespace abut::python
