// The distances against values recorded from the reference toolkit.

#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "support/reference_data.hpp"

#include <gtest/gtest.h>

#include <map>

namespace abut::test::reference_distances_test {
namespace {

/// The toolkit evaluates expanded polynomials, which lose some digits to cancellation: 1e-10 is what both keep.
void expect_close(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs, const char* quantity)
{
    ASSERT_EQ(ours.rows(), theirs.rows());
    ASSERT_EQ(ours.cols(), theirs.cols());
    EXPECT_LE((ours - theirs).norm(), 1e-10 * std::max(1.0, theirs.norm())) << quantity;
}

Eigen::MatrixXd scalar(double x) { return Eigen::MatrixXd::Constant(1, 1, x); }

template <typename Term>
void expect_term(const Term& D, const nlohmann::json& expected)
{
    expect_close(scalar(D.value), scalar(expected.at("distance_sq")), "squared distance");
    expect_close(D.gradient, to_vector(expected.at("gradient")), "gradient");
    expect_close(D.hessian, to_matrix(expected.at("hessian")), "Hessian");
}

/// Calls body(points, expected) for the items of a file, with the points as columns.
template <typename Body>
void for_each_item(const std::string& name, Body&& body)
{
    const nlohmann::json scene = read_oracle(name);
    const nlohmann::json &query = scene.at("queries").at(0), &items = query.at("items");
    ASSERT_GT(items.size(), 0u);
    for (std::size_t i = 0; i < items.size(); ++i) {
        SCOPED_TRACE(name + ", item " + std::to_string(i));
        body(to_matrix(items[i].at("points")).transpose().eval(), query.at("result").at("items").at(i));
    }
}

TEST(ReferenceDistances, PointTriangle)
{
    using F = PointTriangleFeature;
    const std::map<std::string, F> features{{"P_T0", F::t0}, {"P_T1", F::t1}, {"P_T2", F::t2}, {"P_E0", F::e0},
                                            {"P_E1", F::e1}, {"P_E2", F::e2}, {"P_T", F::face}};
    for_each_item("f04_distances_point_triangle", [&](const Eigen::MatrixXd& X, const nlohmann::json& expected) {
        const Vec3 p = X.col(0), t0 = X.col(1), t1 = X.col(2), t2 = X.col(3);
        EXPECT_EQ(point_triangle_feature(p, t0, t1, t2), features.at(expected.at("dtype")));
        expect_term(point_triangle_squared_distance(p, t0, t1, t2, Order::hessian), expected);
    });
}

TEST(ReferenceDistances, EdgeEdgeAndItsMollifier)
{
    using F = EdgeEdgeFeature;
    const std::map<std::string, F> features{{"EA0_EB0", F::a0_b0}, {"EA0_EB1", F::a0_b1}, {"EA1_EB0", F::a1_b0},
                                            {"EA1_EB1", F::a1_b1}, {"EA_EB0", F::a_b0},   {"EA_EB1", F::a_b1},
                                            {"EA0_EB", F::a0_b},   {"EA1_EB", F::a1_b},   {"EA_EB", F::a_b}};
    for_each_item("f05_distances_edge_edge", [&](const Eigen::MatrixXd& X, const nlohmann::json& expected) {
        const Vec3 a0 = X.col(0), a1 = X.col(1), b0 = X.col(2), b1 = X.col(3);
        EXPECT_EQ(edge_edge_feature(a0, a1, b0, b1), features.at(expected.at("dtype")));
        expect_term(edge_edge_squared_distance(a0, a1, b0, b1, Order::hessian), expected);

        const double c = edge_edge_cross_squared_norm(a0, a1, b0, b1, Order::value).value;
        expect_close(scalar(c), scalar(expected.at("cross_squarednorm")), "cross product");
        const double eps_x = edge_edge_mollifier_threshold(a0, a1, b0, b1, Order::value).value;
        expect_close(scalar(eps_x), scalar(expected.at("mollifier_threshold")), "threshold");
        const auto m = edge_edge_mollifier(a0, a1, b0, b1, eps_x, Order::gradient);
        expect_close(scalar(m.value), scalar(expected.at("mollifier")), "mollifier");
        expect_close(m.gradient, to_vector(expected.at("mollifier_gradient")), "gradient of the mollifier");
    });
}

template <int Dim>
void check_point_edge(const Eigen::MatrixXd& X, const nlohmann::json& expected)
{
    using F = PointEdgeFeature;
    const std::map<std::string, F> features{{"P_E0", F::e0}, {"P_E1", F::e1}, {"P_E", F::edge}};
    const Vec<Dim> p = X.col(0), e0 = X.col(1), e1 = X.col(2);
    EXPECT_EQ(point_edge_feature<Dim>(p, e0, e1), features.at(expected.at("dtype")));
    expect_term(point_edge_squared_distance<Dim>(p, e0, e1, Order::hessian), expected);
}

TEST(ReferenceDistances, PointEdgeInThePlaneAndInSpace)
{
    for_each_item("f06_distances_point_edge", [](const Eigen::MatrixXd& X, const nlohmann::json& expected) {
        X.rows() == 2 ? check_point_edge<2>(X, expected) : check_point_edge<3>(X, expected);
    });
}

} // namespace
} // namespace abut::test::reference_distances_test
