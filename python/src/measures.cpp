// Lengths, areas, volumes, angles, normals, tangent bases, the mollifier of parallel edges, and exact predicates.

#include "abut/geometry/dihedral_angle.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/normals.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/geometry/tangent_basis.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

namespace {

void def_scalars(py::module_& m)
{
    def_term(
        m, "edge_length", {"e0", "e1"}, Space::either,
        [](const Points& x, Order order) {
            return by_dimension(
                x.dim(), [&](auto dim) { return result(edge_length<dim>(x.at<dim>(0), x.at<dim>(1), order), order); });
        },
        R"(Length of the edge e0 e1 in 2D or 3D [m].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point, and zero at length zero.)");
    def_term(
        m, "triangle_area", {"t0", "t1", "t2"}, Space::space,
        [](const Points& x, Order order) {
            return result(triangle_area(x.at<3>(0), x.at<3>(1), x.at<3>(2), order), order);
        },
        R"(Area of the triangle t0 t1 t2 in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point, and zero at area zero.)");
    def_term(
        m, "signed_triangle_area", {"t0", "t1", "t2"}, Space::plane,
        [](const Points& x, Order order) {
            return result(signed_triangle_area(x.at<2>(0), x.at<2>(1), x.at<2>(2), order), order);
        },
        R"(Signed area of a triangle in 2D [m²], positive when counter-clockwise.

Derivatives by `order` ("value", "gradient", "hessian") are flat by point.)");
    def_term(
        m, "signed_tet_volume", {"t0", "t1", "t2", "t3"}, Space::space,
        [](const Points& x, Order order) {
            return result(signed_tet_volume(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(Signed volume of a tetrahedron [m³], positive when (t1-t0) x (t2-t0) . (t3-t0) > 0.

Derivatives by `order` ("value", "gradient", "hessian") are flat by point.)");
    def_term(
        m, "dihedral_angle", {"e0", "e1", "a", "b"}, Space::space,
        [](const Points& x, Order order) {
            return result(dihedral_angle(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(Angle in (-pi, pi] by which the triangles e0 e1 a and e1 e0 b depart from lying flat [rad].

0 when flat, positive when the fold is convex towards the normals. Derivatives by `order` ("value", "gradient",
"hessian") are flat by point, and zero where one of the triangles has no area.)");
}

void def_mollifier(py::module_& m)
{
    def_term(
        m, "edge_edge_cross_squared_norm", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x, Order order) {
            return result(edge_edge_cross_squared_norm(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(c = |(a1 - a0) x (b1 - b0)|² [m⁴], which is zero for parallel edges.

Derivatives by `order` ("value", "gradient", "hessian") are flat by point.)");
    def_term(
        m, "edge_edge_mollifier_threshold", {"rest_a0", "rest_a1", "rest_b0", "rest_b1"}, Space::space,
        [](const Points& x, Order order) {
            return result(edge_edge_mollifier_threshold(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(eps_x = 1e-3 |a1 - a0|² |b1 - b0|² of the rest positions [m⁴]: the c below which the mollifier acts.

Derivatives by `order` ("value", "gradient", "hessian") are by the rest positions, flat by point.)");
    m.def(
        "edge_edge_mollifier",
        [](const ArrayLike& a0, const ArrayLike& a1, const ArrayLike& b0, const ArrayLike& b1, double eps_x,
           const std::string& order) {
            const Points x({{"a0", a0}, {"a1", a1}, {"b0", b0}, {"b1", b1}}, Space::space);
            const Order o = order_argument(order);
            if (!(eps_x >= 0 && std::isfinite(eps_x)))
                reject("eps_x: expected a finite number >= 0, got {}", eps_x);
            return result(edge_edge_mollifier(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), eps_x, o), o);
        },
        "a0"_a, "a1"_a, "b0"_a, "b1"_a, "eps_x"_a, py::kw_only(), "order"_a = "value",
        R"(Factor in [0, 1] that takes nearly parallel edges smoothly to zero, for the threshold `eps_x` [m⁴], >= 0.

m = (2 - c/eps_x) c/eps_x where c = edge_edge_cross_squared_norm is below eps_x, else 1. Derivatives by `order`
("value", "gradient", "hessian") are flat by point: a0, a1, b0, b1.)");
}

void def_vectors(py::module_& m)
{
    def_vector(
        m, "triangle_normal", {"t0", "t1", "t2"}, Space::space,
        [](const Points& x, bool jacobian) {
            const auto normal = triangle_normal(x.at<3>(0), x.at<3>(1), x.at<3>(2));
            return vector_result(to_numpy(as_span(normal.value)), normal.jacobian, jacobian);
        },
        R"(Unit normal (3,) of a triangle in 3D, on the side from which it is counter-clockwise; zero at area zero.

order="jacobian" returns a tuple of it and its Jacobian (3, 9) by t0, t1, t2.)");
    def_vector(
        m, "edge_normal", {"e0", "e1"}, Space::plane,
        [](const Points& x, bool jacobian) {
            const auto normal = edge_normal(x.at<2>(0), x.at<2>(1));
            return vector_result(to_numpy(as_span(normal.value)), normal.jacobian, jacobian);
        },
        R"(Unit normal (2,) of an edge in 2D, to its right, which is outward on a counter-clockwise boundary.

order="jacobian" returns a tuple of it and its Jacobian (2, 4) by e0, e1. Zero at length zero.)");
}

template <int N, int Dim>
VectorResult basis_result(const TangentBasis<N, Dim>& tangents, bool jacobian)
{
    return vector_result(matrix_to_numpy(tangents.basis), tangents.jacobian, jacobian);
}

void def_tangent_bases(py::module_& m)
{
    def_vector(
        m, "point_point_tangent_basis", {"p", "q"}, Space::either,
        [](const Points& x, bool jacobian) {
            return by_dimension(x.dim(), [&](auto dim) {
                return basis_result(point_point_tangent_basis<dim>(x.at<dim>(0), x.at<dim>(1)), jacobian);
            });
        },
        R"(Orthonormal columns (dim, dim - 1) orthogonal to q - p, in 2D or 3D.

order="jacobian" returns a tuple of them and their Jacobian (dim (dim - 1), 2 dim): row dim k + i is the gradient of
component i of column k.)");
    def_vector(
        m, "point_edge_tangent_basis", {"p", "e0", "e1"}, Space::either,
        [](const Points& x, bool jacobian) {
            return by_dimension(x.dim(), [&](auto dim) {
                return basis_result(point_edge_tangent_basis<dim>(x.at<dim>(0), x.at<dim>(1), x.at<dim>(2)), jacobian);
            });
        },
        R"(Orthonormal columns (dim, dim - 1), the first along the edge e0 e1, tangent to the contact with p.

order="jacobian" returns a tuple of them and their Jacobian (dim (dim - 1), 3 dim): row dim k + i is the gradient of
component i of column k.)");
    def_vector(
        m, "edge_edge_tangent_basis", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x, bool jacobian) {
            return basis_result(edge_edge_tangent_basis(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3)), jacobian);
        },
        R"(Orthonormal columns (3, 2), the first along a, orthogonal to the common normal of two edges in 3D.

order="jacobian" returns a tuple of them and their Jacobian (6, 12): row 3 k + i is the gradient of component i of
column k.)");
    def_vector(
        m, "point_triangle_tangent_basis", {"p", "t0", "t1", "t2"}, Space::space,
        [](const Points& x, bool jacobian) {
            return basis_result(point_triangle_tangent_basis(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3)), jacobian);
        },
        R"(Orthonormal columns (3, 2), the first along t0 t1, in the plane of the triangle t0 t1 t2 in 3D.

order="jacobian" returns a tuple of them and their Jacobian (6, 12): row 3 k + i is the gradient of component i of
column k.)");
}

void def_predicates(py::module_& m)
{
    def_function<py::int_>(
        m, "orientation", {"a", "b", "c"}, Space::plane,
        [](const Points& x) { return py::int_(orientation(x.at<2>(0), x.at<2>(1), x.at<2>(2))); },
        "In 2D: +1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if on one line. Exact.");
    def_function<py::int_>(
        m, "orientation", {"a", "b", "c", "d"}, Space::space,
        [](const Points& x) { return py::int_(orientation(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3))); },
        "In 3D: the sign of (b - a) x (c - a) . (d - a). Exact.");
    def_function<py::bool_>(
        m, "segments_intersect", {"a", "b", "c", "d"}, Space::plane,
        [](const Points& x) { return py::bool_(segments_intersect(x.at<2>(0), x.at<2>(1), x.at<2>(2), x.at<2>(3))); },
        "Do the closed segments ab and cd in 2D have a point in common? Exact; touching counts.");
    def_function<py::bool_>(
        m, "segment_intersects_triangle", {"p", "q", "a", "b", "c"}, Space::space,
        [](const Points& x) {
            return py::bool_(segment_intersects_triangle(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), x.at<3>(4)));
        },
        "Do the closed segment pq and the closed triangle abc in 3D have a point in common? Exact; touching counts.");
    def_function<py::bool_>(
        m, "point_in_triangle", {"p", "a", "b", "c"}, Space::plane,
        [](const Points& x) { return py::bool_(point_in_triangle(x.at<2>(0), x.at<2>(1), x.at<2>(2), x.at<2>(3))); },
        "Does p lie in the closed triangle abc in 2D, of either orientation? Exact.");
}

} // namespace

void def_measures(py::module_& m)
{
    def_scalars(m);
    def_mollifier(m);
    def_vectors(m);
    def_tangent_bases(m);
    def_predicates(m);
}

} // namespace abut::python
