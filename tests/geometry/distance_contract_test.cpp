// What every distance must satisfy: derivatives in every region, mechanics, continuity, and the exact value. The tests
// of the single distances add what is particular to them.

#include "support/distances.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

namespace abut::test::distance_contract_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Rounding of a well-shaped stencil's derivatives: moving the points rounds them by 1e-15, which the Hessian, of norm
/// 10 to 100, hands on to the gradient. Observed: 2e-16 where nothing moves.
constexpr double rounding = 1e-13;

/// Error of a computed distance, relative to the reach: each of the two projections rounds a vector no longer than that
/// a few times. Observed: 2 eps.
constexpr double distance_tolerance = 8 * eps;

/// A distance of distances.hpp with its sizes forgotten, so that the tests below compile once and not once per
/// distance.
struct Distance {
    struct Term {
        double value;
        VectorXd gradient;
        MatrixXd hessian;
    };
    std::string name;
    int dim, num_points, num_features, num_borders;
    std::vector<std::vector<int>> symmetries;
    std::function<MatrixXd(int feature, RandomStream&)> with_feature;
    std::function<int(const MatrixXd&)> feature;
    std::function<bool(const MatrixXd&)> is_smooth;
    std::function<Term(const MatrixXd&, Order)> squared_distance;
    std::function<mpq_class(const MatrixXd&)> exact_squared_distance;

    [[nodiscard]] MatrixXd random_stencil(RandomStream& random) const
    {
        return MatrixXd::NullaryExpr(dim, num_points, [&] { return random.uniform(-1, 1); });
    }
};

template <typename D>
Distance::Term squared_distance(const MatrixXd& X, Order order)
{
    const auto term = D::squared_distance(X, order);
    return {
        .value = term.value,
        .gradient = order >= Order::gradient ? VectorXd(term.gradient) : VectorXd(),
        .hessian = order >= Order::hessian ? MatrixXd(term.hessian) : MatrixXd()};
}

template <typename D>
Distance forget_sizes(const std::string& name)
{
    std::vector<std::vector<int>> symmetries;
    for (const auto& permutation : D::symmetries)
        symmetries.emplace_back(permutation.begin(), permutation.end());
    return {
        .name = name,
        .dim = D::dim,
        .num_points = D::num_points,
        .num_features = static_cast<int>(D::features.size()),
        .num_borders = D::num_borders,
        .symmetries = symmetries,
        .with_feature = [](int i, RandomStream& random) { return D::with_feature(D::features.at(i), random); },
        .feature = [](const MatrixXd& X) { return static_cast<int>(D::feature(X)); },
        .is_smooth = [](const MatrixXd& X) { return D::is_smooth(X); },
        .squared_distance = squared_distance<D>,
        .exact_squared_distance = [](const MatrixXd& X) { return D::exact_squared_distance(X); }};
}

class DistanceContract : public ::testing::TestWithParam<Distance> {
protected:
    /// Calls body(X, feature, random) for `count` stencils of every feature.
    template <typename Body>
    void for_every_feature(int count, Body&& body)
    {
        RandomStream random(20);
        for (int feature = 0; feature < distance.num_features; ++feature)
            for (int i = 0; i < count; ++i) {
                SCOPED_TRACE(::testing::Message() << "feature " << feature << ", sample " << i);
                body(distance.with_feature(feature, random), feature, random);
            }
    }

    /// The squared distance is exact up to rounding, and its derivatives are finite.
    [[nodiscard]] ::testing::AssertionResult is_exact_and_finite(const MatrixXd& X) const
    {
        const auto D = distance.squared_distance(X, Order::hessian);
        const double computed = std::sqrt(D.value), expected = square_root(distance.exact_squared_distance(X));
        if (!(std::abs(computed - expected) <= distance_tolerance * reach(X)))
            return ::testing::AssertionFailure() << computed << " instead of " << expected << " for\n" << X;
        if (!D.gradient.allFinite() || !D.hessian.allFinite())
            return ::testing::AssertionFailure() << "derivatives that are not finite for\n" << X;
        return ::testing::AssertionSuccess();
    }

    const Distance& distance = GetParam();
};

std::string name_of(const ::testing::TestParamInfo<Distance>& info) { return info.param.name; }

const std::vector<Distance> distances_with_features{
    forget_sizes<PointEdge<2>>("PointEdge2D"), forget_sizes<PointEdge<3>>("PointEdge3D"),
    forget_sizes<PointTriangle>("PointTriangle"), forget_sizes<EdgeEdge>("EdgeEdge")};

INSTANTIATE_TEST_SUITE_P(
    Points, DistanceContract,
    ::testing::Values(forget_sizes<PointPoint<2>>("PointPoint2D"), forget_sizes<PointPoint<3>>("PointPoint3D")),
    name_of);
INSTANTIATE_TEST_SUITE_P(Features, DistanceContract, ::testing::ValuesIn(distances_with_features), name_of);

TEST_P(DistanceContract, DerivativesMatchFiniteDifferencesInEveryRegion)
{
    for_every_feature(20, [&](const MatrixXd& X, int, RandomStream&) {
        const auto at = [&](const VectorXd& x) -> MatrixXd { return x.reshaped(X.rows(), X.cols()); };
        const VectorFunction value = [&](const VectorXd& x) -> VectorXd {
            return VectorXd::Constant(1, distance.squared_distance(at(x), Order::value).value);
        };
        const VectorFunction gradient = [&](const VectorXd& x) -> VectorXd {
            return distance.squared_distance(at(x), Order::gradient).gradient;
        };
        const auto D = distance.squared_distance(X, Order::hessian);
        expect_matches(D.gradient.transpose(), central_differences(value, X.reshaped()), "gradient");
        expect_matches(D.hessian, central_differences(gradient, X.reshaped()), "Hessian");
    });
}

TEST_P(DistanceContract, LowerOrdersAgreeWithHigherOnes)
{
    for_every_feature(5, [&](const MatrixXd& X, int, RandomStream&) {
        const auto D = distance.squared_distance(X, Order::hessian);
        EXPECT_EQ(distance.squared_distance(X, Order::value).value, D.value);
        EXPECT_EQ(distance.squared_distance(X, Order::gradient).value, D.value);
        EXPECT_EQ(distance.squared_distance(X, Order::gradient).gradient, D.gradient);
    });
}

TEST_P(DistanceContract, ExertsNoNetForceAndNoTorque)
{
    for_every_feature(50, [&](const MatrixXd& X, int, RandomStream&) {
        const auto D = distance.squared_distance(X, Order::gradient);
        const MatrixXd forces = D.gradient.reshaped(X.rows(), X.cols());
        EXPECT_LE(forces.rowwise().sum().norm(), rounding * forces.norm());
        const MatrixXd torque = forces * X.transpose() - X * forces.transpose();
        EXPECT_LE(torque.norm(), rounding * forces.norm() * X.norm());
    });
}

TEST_P(DistanceContract, MovesWithRigidMotions)
{
    for_every_feature(50, [&](const MatrixXd& X, int, RandomStream& random) {
        MatrixXd rotation;
        if (distance.dim == 2)
            rotation = random_rotation<2>(random);
        else
            rotation = random_rotation<3>(random);
        const VectorXd translation = distance.random_stencil(random).col(0);
        const auto D = distance.squared_distance(X, Order::gradient);
        const auto moved = distance.squared_distance((rotation * X).colwise() + translation, Order::gradient);
        EXPECT_NEAR(moved.value, D.value, rounding);
        const MatrixXd rotated_gradient = rotation * D.gradient.reshaped(X.rows(), X.cols());
        EXPECT_LE((moved.gradient - rotated_gradient.reshaped()).norm(), 10 * rounding);
    });
}

TEST_P(DistanceContract, DoesNotDependOnTheOrderOfEndsEdgesOrCorners)
{
    for_every_feature(50, [&](const MatrixXd& X, int, RandomStream&) {
        const auto D = distance.squared_distance(X, Order::gradient);
        const MatrixXd gradient = D.gradient.reshaped(X.rows(), X.cols());
        for (const auto& permutation : distance.symmetries) {
            const auto permuted = distance.squared_distance(X(Eigen::all, permutation), Order::gradient);
            EXPECT_NEAR(permuted.value, D.value, rounding);
            const MatrixXd expected = gradient(Eigen::all, permutation);
            EXPECT_LE((permuted.gradient - expected.reshaped()).norm(), 10 * rounding);
        }
    });
}

TEST_P(DistanceContract, HessianIsSymmetricAndBlindToTranslations)
{
    for_every_feature(50, [&](const MatrixXd& X, int, RandomStream&) {
        const MatrixXd H = distance.squared_distance(X, Order::hessian).hessian;
        EXPECT_EQ(H, H.transpose());
        for (int axis = 0; axis < distance.dim; ++axis) {
            const VectorXd translation = VectorXd::Unit(distance.dim, axis).replicate(distance.num_points, 1);
            EXPECT_LE((H * translation).norm(), rounding * H.norm());
        }
    });
}

TEST_P(DistanceContract, AgreesWithExactArithmeticAtEveryScaleAndOffset)
{
    for (const double scale : {1e-9, 1.0, 1e9})
        for (const double offset : {0.0, 1e6, 1e9})
            for_every_feature(10, [&](const MatrixXd& X, int, RandomStream&) {
                EXPECT_TRUE(is_exact_and_finite((scale * X).array() + offset));
            });
}

TEST_P(DistanceContract, AgreesWithExactArithmeticForRandomStencils)
{
    RandomStream random(21);
    for (int i = 0; i < 1000; ++i)
        EXPECT_TRUE(is_exact_and_finite(distance.random_stencil(random)));
}

/// On a small grid points coincide, edges have length zero or are parallel, triangles collapse, distances are zero.
/// Thirds are not representable: parallel edges become so up to rounding only, coincident points stay so.
TEST_P(DistanceContract, AgreesWithExactArithmeticForDegenerateStencils)
{
    EXPECT_TRUE(rc::check([&] {
        const auto size = static_cast<std::size_t>(distance.dim * distance.num_points);
        const auto grid = *rc::gen::container<std::vector<double>>(
            size, rc::gen::map(rc::gen::inRange(-1, 2), [](int i) { return static_cast<double>(i); }));
        const MatrixXd X = Eigen::Map<const MatrixXd>(grid.data(), distance.dim, distance.num_points);
        RC_ASSERT(is_exact_and_finite(X));
        RC_ASSERT(is_exact_and_finite(X / 3));
    }));
    RandomStream random(22);
    for (int i = 0; i < 1000; ++i)
        EXPECT_TRUE(is_exact_and_finite((distance.random_stencil(random) * (1 + i % 3)).array().round() / 3));
}

TEST(DistanceFeatures, AreFoundWhereTheStencilWasBuiltForThem)
{
    RandomStream random(23);
    for (const Distance& distance : distances_with_features)
        for (int feature = 0; feature < distance.num_features; ++feature)
            for (int i = 0; i < 200; ++i) {
                const MatrixXd X = distance.with_feature(feature, random);
                EXPECT_EQ(distance.feature(X), feature) << distance.name << '\n' << X;
            }
}

TEST(DistanceFeatures, AreAllReachedByRandomStencils)
{
    RandomStream random(24);
    for (const Distance& distance : distances_with_features) {
        std::vector<int> count(distance.num_features);
        for (int i = 0; i < 2000; ++i)
            ++count.at(distance.feature(distance.random_stencil(random)));
        for (int feature = 0; feature < distance.num_features; ++feature)
            EXPECT_GE(count[feature], 20) << distance.name << ", feature " << feature;
    }
}

/// Walks along lines between stencils of different features and looks at both sides of each border on the way. Both are
/// smooth: what they differ by is what they change over the width of the step.
TEST(DistanceFeatures, MeetWithTheSameValueAndGradientAtEveryBorder)
{
    RandomStream random(25);
    for (const Distance& distance : distances_with_features) {
        std::set<std::pair<int, int>> borders;
        const auto any_stencil = [&] {
            return distance.with_feature(static_cast<int>(random.below(distance.num_features)), random);
        };
        for (int path = 0; path < 300; ++path) {
            const MatrixXd start = any_stencil(), step = any_stencil() - start;
            const auto at = [&](double s) -> MatrixXd { return start + s * step; };
            constexpr int num_samples = 32;
            for (int i = 0; i < num_samples; ++i) {
                double left = double(i) / num_samples, right = double(i + 1) / num_samples;
                const int from = distance.feature(at(left));
                if (distance.feature(at(right)) == from)
                    continue;
                while (right - left > 1e-9) {
                    const double middle = (left + right) / 2;
                    (distance.feature(at(middle)) == from ? left : right) = middle;
                }
                if (!distance.is_smooth(at(left)))
                    continue;
                const int to = distance.feature(at(right));
                borders.insert(std::minmax(from, to));
                const auto before = distance.squared_distance(at(left), Order::hessian);
                const auto after = distance.squared_distance(at(right), Order::hessian);
                const double width = (right - left) * step.norm();
                const double slope = before.gradient.norm() + after.gradient.norm();
                const double curvature = before.hessian.norm() + after.hessian.norm();
                EXPECT_NEAR(after.value, before.value, width * slope + rounding)
                    << distance.name << ", features " << from << " and " << to;
                EXPECT_LE((after.gradient - before.gradient).norm(), width * curvature + 10 * rounding)
                    << distance.name << ", features " << from << " and " << to;
            }
        }
        EXPECT_EQ(borders.size(), distance.num_borders) << distance.name;
    }
}

} // namespace
} // namespace abut::test::distance_contract_test
