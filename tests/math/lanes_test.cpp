#include "abut/math/point_lanes.hpp"

#include "abut/base/random.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace abut::test::lanes_test {

/// The distance of x from the exact y, in ulps of y.
double ulps(double x, long double y)
{
    const double nearest = static_cast<double>(y);
    const double ulp = std::abs(std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest);
    return static_cast<double>(std::abs(static_cast<long double>(x) - y)) / ulp;
}

TEST(Lanes, LogarithmsAreWithinTwoUlps)
{
    const auto check = [](double x) {
        const Lanes logs = log(broadcast(x));
        for (int lane = 0; lane < num_lanes; ++lane) {
            EXPECT_LE(ulps(logs[lane], std::log(static_cast<long double>(x))), 2) << std::hexfloat << x;
            EXPECT_EQ(logs[lane], logs[0]);
        }
    };
    RandomStream random(7);
    for (int i = 0; i < 200000; ++i)
        check(std::exp2(random.uniform(-1021, 1023)));
    for (int i = 0; i < 200000; ++i) // around 1, where the logarithm vanishes, and around the ends of the polynomial
        check(1 + random.uniform(-0.5, 1) * std::exp2(random.uniform(-50, 0)));
    for (const double x :
         {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), 0.5, 2.0, 0x1p-1022, std::sqrt(0.5),
          std::sqrt(2.0), std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)})
        check(x);
    EXPECT_EQ(log(broadcast(1))[0], 0);
}

TEST(PointLanes, RowsOfThreeComeAndGoWithoutTheirNeighbours)
{
    std::vector<double> rows(3 * num_lanes);
    for (std::size_t k = 0; k < rows.size(); ++k)
        rows[k] = static_cast<double>(k + 1);
    int numbers[num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane)
        numbers[lane] = num_lanes - 1 - lane;
    const PointLanes points = load_points(rows.data(), 3, numbers);
    for (int lane = 0; lane < num_lanes; ++lane) {
        EXPECT_EQ(points.x[lane], rows[3 * numbers[lane]]);
        EXPECT_EQ(points.y[lane], rows[3 * numbers[lane] + 1]);
        EXPECT_EQ(points.z[lane], rows[3 * numbers[lane] + 2]);
    }
    for (int count = 1; count <= num_lanes; ++count) {
        std::vector<double> stored(5 * num_lanes, -1);
        store_points(points, count, stored.data(), 5);
        for (int lane = 0; lane < num_lanes; ++lane)
            for (int a = 0; a < 5; ++a)
                EXPECT_EQ(stored[5 * lane + a], lane < count && a < 3 ? rows[3 * numbers[lane] + a] : -1);
    }
}

TEST(PointLanes, AddsPointsOneAfterTheOtherWhereTheyShareARow)
{
    int numbers[num_lanes]{};
    const PointLanes points{broadcast(1), broadcast(2), broadcast(3)};
    for (int count = 1; count <= num_lanes; ++count) {
        std::vector<double> sums(8, 10);
        add_points(points, count, sums.data(), numbers);
        EXPECT_EQ(sums, (std::vector<double>{10. + count, 10. + 2 * count, 10. + 3 * count, 10, 10, 10, 10, 10}));
    }
}

} // namespace abut::test::lanes_test
