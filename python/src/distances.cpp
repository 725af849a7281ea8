// Squared distances between points, edges, lines, triangles and planes, and the coordinates of their closest points.

#include "features.hpp"
#include "module.hpp"
#include "points.hpp"

namespace abut::python {

namespace {

/// Defines the distance of two elements by their closest feature, or by one that is given. `parts` says what for.
template <typename Feature, Space where, std::size_t N, typename Closest, typename Distance>
void def_distance_of_features(
    py::module_& m, const char* name, Names<N> names, const char* doc, const char* parts, Closest closest,
    Distance distance)
{
    const std::string feature_doc = fmt::format(" `feature`, one of {}, asks for {}", enum_names<Feature>.type, parts);
    def_of_points<where>(
        m, name, names, doc + derivatives_doc(names) + feature_doc,
        [closest, distance](const Points& x, Order order, const py::object& feature) {
            const auto given = feature_argument<Feature>(feature);
            return x.apply<where, N>(
                [&](const auto&... p) { return result(distance(p..., given ? *given : closest(p...), order), order); });
        },
        py::kw_only(), "order"_a = "value", "feature"_a = py::none());
}

void def_squared_distances(py::module_& m)
{
    using enum Space;
    def_term<either>(
        m, "point_point_squared_distance", {"p", "q"},
        R"(Squared distance of two points in 2D or 3D [m²].

order="value" returns the float; "gradient" a tuple of it and the gradient; "hessian" a tuple of value, gradient and
Hessian.)",
        [](const auto&... x) { return point_point_squared_distance(x...); });
    def_term<either>(
        m, "point_line_squared_distance", {"p", "e0", "e1"},
        "Squared distance from p to the line through e0 and e1, in 2D or 3D [m²]; to e0 where these coincide.",
        [](const auto&... x) { return point_line_squared_distance(x...); });
    def_term<space>(
        m, "line_line_squared_distance", {"a0", "a1", "b0", "b1"},
        "Squared distance of the lines through a0, a1 and b0, b1 in 3D [m²].", line_line_squared_distance);
    def_term<space>(
        m, "point_plane_squared_distance", {"p", "t0", "t1", "t2"},
        "Squared distance from p to the plane through t0, t1, t2 in 3D [m²].",
        [](const auto&... x) { return point_plane_squared_distance(x...); });
    def_of_points<space>(
        m, "point_plane_squared_distance", {"p", "origin", "unit_normal"},
        R"(Squared distance from p to the fixed plane through `origin` with `unit_normal`, in 3D [m²].

Derivatives by `order` ("value", "gradient", "hessian") are by p only.)",
        [](const Points& x, Order order) {
            const double length = x.at<3>(2).norm();
            // Far above what rounding a unit vector to float32 leaves, far below what a forgotten division does.
            if (std::abs(length - 1) > 1e-6)
                reject("unit_normal: expected length 1, got {}; divide it by its length", length);
            return result(point_plane_squared_distance(x.at<3>(0), x.at<3>(1), x.at<3>(2), order), order);
        },
        py::kw_only(), "order"_a = "value");
    def_distance_of_features<PointEdgeFeature, either>(
        m, "point_edge_squared_distance", {"p", "e0", "e1"},
        "Squared distance from p to the edge e0 e1 in 2D or 3D [m²].",
        "the distance to that part of the edge, its interior standing for its line; by default it is the closest one.",
        [](const auto&... x) { return point_edge_feature(x...); },
        [](const auto&... x) { return point_edge_squared_distance(x...); });
    def_distance_of_features<PointTriangleFeature, space>(
        m, "point_triangle_squared_distance", {"p", "t0", "t1", "t2"},
        "Squared distance from p to the triangle t0 t1 t2 in 3D [m²].",
        "the distance to that part of the triangle, edges standing for their lines and the interior for its plane; by "
        "default it is the closest one.",
        point_triangle_feature, [](const auto&... x) { return point_triangle_squared_distance(x...); });
    def_distance_of_features<EdgeEdgeFeature, space>(
        m, "edge_edge_squared_distance", {"a0", "a1", "b0", "b1"},
        "Squared distance of the edges a0 a1 and b0 b1 in 3D [m²].",
        "the distance of these parts, interiors standing for their lines; by default they are the closest ones.",
        edge_edge_feature, [](const auto&... x) { return edge_edge_squared_distance(x...); });
}

void def_features(py::module_& m)
{
    using enum Space;
    def_function<either>(
        m, "point_edge_feature", {"p", "e0", "e1"},
        "The PointEdgeFeature of the edge e0 e1 that is closest to p, in 2D or 3D.",
        [](const auto&... x) { return point_edge_feature(x...); });
    def_function<space>(
        m, "point_triangle_feature", {"p", "t0", "t1", "t2"},
        "The PointTriangleFeature of the triangle t0 t1 t2 that is closest to p, in 3D.", point_triangle_feature);
    def_function<space>(
        m, "edge_edge_feature", {"a0", "a1", "b0", "b1"},
        "The EdgeEdgeFeature of the edges a0 a1 and b0 b1 that are closest to each other, in 3D; never `a_b` for "
        "parallel edges.",
        edge_edge_feature);
}

void def_coordinates(py::module_& m)
{
    using enum Space;
    def_function<either>(
        m, "point_edge_coordinate", {"p", "e0", "e1"},
        "Coordinate in [0, 1], from e0 to e1, of the point of the edge that is closest to p, in 2D or 3D.",
        [](const auto&... x) { return point_edge_coordinate(x...); });
    def_function<space>(
        m, "point_triangle_coordinates", {"p", "t0", "t1", "t2"},
        "Barycentric coordinates (3,), of t0, t1, t2, of the point of the triangle that is closest to p, in 3D.",
        point_triangle_coordinates);
    def_function<space>(
        m, "edge_edge_coordinates", {"a0", "a1", "b0", "b1"},
        "Coordinates (2,) in [0, 1], from a0 to a1 and from b0 to b1, of the closest points of two edges in 3D.",
        edge_edge_coordinates);
    def_of_points<either>(
        m, "point_line_coordinate", {"p", "e0", "e1"},
        R"(Coordinate, 0 at e0 and 1 at e1, of the foot of p on the line through e0 and e1, in 2D or 3D.

order="gradient" returns a tuple of it and its gradient, flat by point: p, e0, e1.)",
        [](const Points& x, Order order) {
            if (order == Order::hessian)
                reject("order: expected \"value\" or \"gradient\", got \"hessian\"");
            return x.apply<either, 3>([&](const auto&... p) {
                const auto closest = point_line_closest(p...);
                const Eigen::VectorXd gradient = closest.coordinate_gradient().transpose();
                return term_result(closest.u[0], as_span(gradient), nullptr, order);
            });
        },
        py::kw_only(), "order"_a = "value");
    const auto with_gradient = [](const auto& closest) { return std::pair(closest.u, closest.coordinate_gradient()); };
    def_vector<space>(
        m, "point_plane_coordinates", {"p", "t0", "t1", "t2"},
        R"(Barycentric coordinates (2,), of t1 and t2, of the foot of p on the plane through t0, t1, t2, in 3D.

order="jacobian" returns a tuple of them and their Jacobian (2, 12) by p, t0, t1, t2.)",
        [=](const auto&... x) { return with_gradient(point_plane_closest(x...)); });
    def_vector<space>(
        m, "line_line_coordinates", {"a0", "a1", "b0", "b1"},
        R"(Coordinates (2,), from a0 to a1 and from b0 to b1, of the closest points of two lines in 3D.

order="jacobian" returns a tuple of them and their Jacobian (2, 12) by a0, a1, b0, b1.)",
        [=](const auto&... x) { return with_gradient(line_line_closest(x...)); });
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
