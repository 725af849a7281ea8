// Squared distances between points, edges, lines, triangles and planes, and the coordinates of their closest points.

#include "features.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

namespace {

void def_squared_distances(py::module_& m)
{
    def_term(
        m, "point_point_squared_distance", {"p", "q"}, Space::either,
        [](const Points& x, Order order) {
            return by_dimension(x.dim(), [&](auto dim) {
                return result(point_point_squared_distance<dim>(x.at<dim>(0), x.at<dim>(1), order), order);
            });
        },
        R"(Squared distance of two points in 2D or 3D [m²].

order="value" returns the float; "gradient" a tuple of it and the gradient, flat by point (p, q); "hessian" a tuple of
value, gradient and Hessian.)");
    def_term(
        m, "point_line_squared_distance", {"p", "e0", "e1"}, Space::either,
        [](const Points& x, Order order) {
            return by_dimension(x.dim(), [&](auto dim) {
                return result(point_line_squared_distance<dim>(x.at<dim>(0), x.at<dim>(1), x.at<dim>(2), order), order);
            });
        },
        R"(Squared distance from p to the line through e0 and e1, in 2D or 3D [m²]; to e0 where these coincide.

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: p, e0, e1.)");
    def_term(
        m, "line_line_squared_distance", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x, Order order) {
            return result(line_line_squared_distance(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(Squared distance of the lines through a0, a1 and b0, b1 in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: a0, a1, b0, b1.)");
    def_term(
        m, "point_plane_squared_distance", {"p", "t0", "t1", "t2"}, Space::space,
        [](const Points& x, Order order) {
            return result(point_plane_squared_distance(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3), order), order);
        },
        R"(Squared distance from p to the plane through t0, t1, t2 in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: p, t0, t1, t2.)");
    def_term(
        m, "point_plane_squared_distance", {"p", "origin", "unit_normal"}, Space::space,
        [](const Points& x, Order order) {
            const double length = x.at<3>(2).norm();
            // Far above what rounding a unit vector to float32 leaves, far below what a forgotten division does.
            if (std::abs(length - 1) > 1e-6)
                reject("unit_normal: expected length 1, got {}; divide it by its length", length);
            return result(point_plane_squared_distance(x.at<3>(0), x.at<3>(1), x.at<3>(2), order), order);
        },
        R"(Squared distance from p to the fixed plane through `origin` with `unit_normal`, in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are by p only.)");

    m.def(
        "point_edge_squared_distance",
        [](const ArrayLike& p, const ArrayLike& e0, const ArrayLike& e1, const std::string& order,
           const py::object& feature) {
            const Points x({{"p", p}, {"e0", e0}, {"e1", e1}}, Space::either);
            const Order o = order_argument(order);
            const auto frozen = feature_argument<PointEdgeFeature>(feature);
            return by_dimension(x.dim(), [&](auto dim) {
                const Vec<dim> x0 = x.at<dim>(0), x1 = x.at<dim>(1), x2 = x.at<dim>(2);
                const PointEdgeFeature closest = frozen ? *frozen : point_edge_feature<dim>(x0, x1, x2);
                return result(point_edge_squared_distance<dim>(x0, x1, x2, closest, o), o);
            });
        },
        "p"_a, "e0"_a, "e1"_a, py::kw_only(), "order"_a = "value", "feature"_a = py::none(),
        R"(Squared distance from p to the edge e0 e1 in 2D or 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: p, e0, e1. `feature`, a PointEdgeFeature,
asks for the distance to that part of the edge, its interior standing for its line; by default it is the closest one.)");
    m.def(
        "point_triangle_squared_distance",
        [](const ArrayLike& p, const ArrayLike& t0, const ArrayLike& t1, const ArrayLike& t2, const std::string& order,
           const py::object& feature) {
            const Points x({{"p", p}, {"t0", t0}, {"t1", t1}, {"t2", t2}}, Space::space);
            const Order o = order_argument(order);
            const auto frozen = feature_argument<PointTriangleFeature>(feature);
            const Vec3 x0 = x.at<3>(0), x1 = x.at<3>(1), x2 = x.at<3>(2), x3 = x.at<3>(3);
            const PointTriangleFeature closest = frozen ? *frozen : point_triangle_feature(x0, x1, x2, x3);
            return result(point_triangle_squared_distance(x0, x1, x2, x3, closest, o), o);
        },
        "p"_a, "t0"_a, "t1"_a, "t2"_a, py::kw_only(), "order"_a = "value", "feature"_a = py::none(),
        R"(Squared distance from p to the triangle t0 t1 t2 in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: p, t0, t1, t2. `feature`, a
PointTriangleFeature, asks for the distance to that part of the triangle, edges standing for their lines and the
interior for its plane; by default it is the closest one.)");
    m.def(
        "edge_edge_squared_distance",
        [](const ArrayLike& a0, const ArrayLike& a1, const ArrayLike& b0, const ArrayLike& b1, const std::string& order,
           const py::object& feature) {
            const Points x({{"a0", a0}, {"a1", a1}, {"b0", b0}, {"b1", b1}}, Space::space);
            const Order o = order_argument(order);
            const auto frozen = feature_argument<EdgeEdgeFeature>(feature);
            const Vec3 x0 = x.at<3>(0), x1 = x.at<3>(1), x2 = x.at<3>(2), x3 = x.at<3>(3);
            const EdgeEdgeFeature closest = frozen ? *frozen : edge_edge_feature(x0, x1, x2, x3);
            return result(edge_edge_squared_distance(x0, x1, x2, x3, closest, o), o);
        },
        "a0"_a, "a1"_a, "b0"_a, "b1"_a, py::kw_only(), "order"_a = "value", "feature"_a = py::none(),
        R"(Squared distance of the edges a0 a1 and b0 b1 in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are flat by point: a0, a1, b0, b1. `feature`, an
EdgeEdgeFeature, asks for the distance of these parts, interiors standing for their lines; by default they are the
closest ones.)");
}

void def_features(py::module_& m)
{
    def_function<py::object>(
        m, "point_edge_feature", {"p", "e0", "e1"}, Space::either,
        [](const Points& x) {
            return to_python(by_dimension(
                x.dim(), [&](auto dim) { return point_edge_feature<dim>(x.at<dim>(0), x.at<dim>(1), x.at<dim>(2)); }));
        },
        "The PointEdgeFeature of the edge e0 e1 that is closest to p, in 2D or 3D.");
    def_function<py::object>(
        m, "point_triangle_feature", {"p", "t0", "t1", "t2"}, Space::space,
        [](const Points& x) {
            return to_python(point_triangle_feature(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3)));
        },
        "The PointTriangleFeature of the triangle t0 t1 t2 that is closest to p, in 3D.");
    def_function<py::object>(
        m, "edge_edge_feature", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x) { return to_python(edge_edge_feature(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3))); },
        "The EdgeEdgeFeature of the edges a0 a1 and b0 b1 that are closest to each other, in 3D; never `a_b` for "
        "parallel edges.");
}

void def_coordinates(py::module_& m)
{
    def_function<py::float_>(
        m, "point_edge_coordinate", {"p", "e0", "e1"}, Space::either,
        [](const Points& x) {
            return py::float_(by_dimension(x.dim(), [&](auto dim) {
                return point_edge_coordinate<dim>(x.at<dim>(0), x.at<dim>(1), x.at<dim>(2));
            }));
        },
        "Coordinate in [0, 1], from e0 to e1, of the point of the edge that is closest to p, in 2D or 3D.");
    def_function<py::array_t<double>>(
        m, "point_triangle_coordinates", {"p", "t0", "t1", "t2"}, Space::space,
        [](const Points& x) {
            const Vec3 u = point_triangle_coordinates(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3));
            return to_numpy(as_span(u));
        },
        "Barycentric coordinates (3,), of t0, t1, t2, of the point of the triangle that is closest to p, in 3D.");
    def_function<py::array_t<double>>(
        m, "edge_edge_coordinates", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x) {
            const Vec2 u = edge_edge_coordinates(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3));
            return to_numpy(as_span(u));
        },
        "Coordinates (2,) in [0, 1], from a0 to a1 and from b0 to b1, of the closest points of two edges in 3D.");
    def_term(
        m, "point_line_coordinate", {"p", "e0", "e1"}, Space::either,
        [](const Points& x, Order order) {
            if (order == Order::hessian)
                reject("order: expected \"value\" or \"gradient\", got \"hessian\"");
            return by_dimension(x.dim(), [&](auto dim) {
                const auto closest = point_line_closest<dim>(x.at<dim>(0), x.at<dim>(1), x.at<dim>(2));
                const Vec<3 * dim> gradient = closest.coordinate_gradient().transpose();
                return term_result(closest.u[0], as_span(gradient), nullptr, order);
            });
        },
        R"(Coordinate, 0 at e0 and 1 at e1, of the foot of p on the line through e0 and e1, in 2D or 3D.

order="gradient" returns a tuple of it and its gradient, flat by point: p, e0, e1.)");
    def_vector(
        m, "point_plane_coordinates", {"p", "t0", "t1", "t2"}, Space::space,
        [](const Points& x, bool jacobian) {
            const auto closest = point_plane_closest(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3));
            return vector_result(to_numpy(as_span(closest.u)), closest.coordinate_gradient(), jacobian);
        },
        R"(Barycentric coordinates (2,), of t1 and t2, of the foot of p on the plane through t0, t1, t2, in 3D.

order="jacobian" returns a tuple of them and their Jacobian (2, 12) by p, t0, t1, t2.)");
    def_vector(
        m, "line_line_coordinates", {"a0", "a1", "b0", "b1"}, Space::space,
        [](const Points& x, bool jacobian) {
            const auto closest = line_line_closest(x.at<3>(0), x.at<3>(1), x.at<3>(2), x.at<3>(3));
            return vector_result(to_numpy(as_span(closest.u)), closest.coordinate_gradient(), jacobian);
        },
        R"(Coordinates (2,), from a0 to a1 and from b0 to b1, of the closest points of two lines in 3D.

order="jacobian" returns a tuple of them and their Jacobian (2, 12) by a0, a1, b0, b1.)");
}

} // namespace

void def_distances(py::module_& m)
{
    def_enum<PointEdgeFeature>(m);
    def_enum<PointTriangleFeature>(m);
    def_enum<EdgeEdgeFeature>(m);
    def_squared_distances(m);
    def_features(m);
    def_coordinates(m);
}

} // namespace abut::python
