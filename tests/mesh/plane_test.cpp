#include "abut/mesh/plane.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/exact_distance.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace abut::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

mpq_class exact_distance(const Plane& plane, const Vec3& x)
{
    return dot(exact<3>(plane.normal), minus(exact<3>(x), exact<3>(plane.point)));
}

/// Expects InvalidInput whose message begins with the given text.
template <typename Call>
void expect_rejected(Call&& call, const std::string& beginning)
{
    try {
        call();
        ADD_FAILURE() << "no error";
    } catch (const InvalidInput& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(beginning)) << error.what();
    }
}

CollisionMesh with_planes(std::vector<Plane> planes, int dim = 3)
{
    Positions X(2, dim);
    X.setZero();
    X(1, 0) = 1;
    CollisionMeshOptions options;
    options.planes = std::move(planes);
    return CollisionMesh(X, Elements(0, 2), Elements(0, 3), options);
}

TEST(Plane, OfAMeshHasANormalOfLengthOne)
{
    EXPECT_TRUE(CollisionMesh(generate::box()).planes().empty());
    for (const double length : {1.0, 3.0, 5e-324, 1e-310, 1e-200, 1e50}) {
        const CollisionMesh mesh = with_planes({{.point = {1, 2, 3}, .normal = length * Vec3(0, 0, -1)}});
        ASSERT_EQ(mesh.planes().size(), 1u);
        EXPECT_EQ(mesh.planes()[0], (Plane{{1, 2, 3}, {0, 0, -1}})) << length;
    }
    for (const double length : {1e-200, 0.1, 7.0, 1e49}) {
        const Vec3 normal = with_planes({{.normal = length * Vec3(1, -2, 2)}}).planes()[0].normal;
        EXPECT_LT((normal - Vec3(1, -2, 2) / 3).norm(), 1e-15) << length;
    }
    EXPECT_EQ(Plane().normal, Vec3::UnitY()) << "the floor";
}

TEST(Plane, OfOneMeshIsTheSameInAnother)
{
    for (int i = 0; i < 1000; ++i) {
        RandomStream random(401, i);
        const Plane given{random_points<3>(random), std::pow(10, random.uniform(-8, 8)) * random_points<3>(random)};
        const CollisionMesh mesh = with_planes({given});
        EXPECT_EQ(with_planes(mesh.planes()).planes(), mesh.planes()) << i;
    }
}

TEST(Plane, StaysWhenAMeshIsBuiltFromPartsOfAnother)
{
    const std::vector<Plane> planes{{.point = {0, -1, 0}}, {.point = {0, 0, 4}, .normal = {0, 0, -2}}};
    const std::vector<Plane> expected{{{0, -1, 0}, {0, 1, 0}}, {{0, 0, 4}, {0, 0, -1}}};
    const CollisionMeshOptions options{.planes = planes};
    const MeshData box = generate::box(), tets = generate::tet_box();
    EXPECT_EQ(CollisionMesh(box, options).planes(), expected);
    EXPECT_EQ(CollisionMesh(tets, options).planes(), expected);
    EXPECT_EQ(CollisionMesh::build_from_full_mesh(box.vertices, box.edges, box.faces, options).planes(), expected);
    std::vector<bool> include(8, false);
    include[3] = true;
    EXPECT_EQ(
        CollisionMesh::build_from_selection(box.vertices, include, Elements(0, 2), Elements(0, 3), options).planes(),
        expected);
}

TEST(Plane, WithoutADirectionOrOutOfRangeIsRejectedByName)
{
    const Plane floor;
    for (const double bad : {nan, infinity, -infinity, 1.1e50})
        for (int axis = 0; axis < 3; ++axis) {
            Plane plane;
            plane.normal[axis] = bad;
            expect_rejected([&] { with_planes({floor, plane}); }, "planes[1].normal: ");
            plane = floor;
            plane.point[axis] = bad;
            expect_rejected([&] { with_planes({floor, floor, plane}); }, "planes[2].point: ");
        }
    expect_rejected([&] { with_planes({{.normal = Vec3::Zero()}}); }, "planes[0].normal: its length is 0");
    expect_rejected([&] { with_planes({{.normal = {-0.0, 0, 0}}}, 2); }, "planes[0].normal: its length is 0");
}

TEST(Plane, OfAMeshInThePlaneHasNoZ)
{
    EXPECT_EQ(with_planes({{.point = {1, 2, 0}, .normal = {0, 2, 0}}}, 2).planes()[0], (Plane{{1, 2, 0}, {0, 1, 0}}));
    expect_rejected([] { with_planes({{.normal = {0, 1, 1}}}, 2); }, "planes[0].normal: z = 1");
    expect_rejected([] { with_planes({{.normal = Vec3::UnitZ()}}, 2); }, "planes[0].normal: z = 1");
    expect_rejected([] { with_planes({{.point = {0, 0, 5}}}, 2); }, "planes[0].point: z = 5");
}

/// A plane and a point that lies on it, an ulp or so from it, at an offset from it, or anywhere; of any size.
struct PlaneCase {
    Plane plane;
    Vec3 x;
    double offset;
};

PlaneCase random_case(RandomStream& random)
{
    PlaneCase c;
    c.plane = normalized({random_points<3>(random), random_points<3>(random)}, 3, "plane");
    if (random.below(3) == 0)
        c.plane.normal = (random.below(2) == 0 ? 1 : -1) * Vec3::Unit(static_cast<int>(random.below(3)));
    c.x = random_points<3>(random);
    c.offset = random.below(2) == 0 ? 0 : std::pow(10, random.uniform(-18, 0));
    if (random.below(4) > 0)
        c.x -= (c.plane.normal.dot(c.x - c.plane.point) - c.offset) * c.plane.normal;
    if (random.below(4) == 0)
        c.x[0] = std::nextafter(c.x[0], random.below(2) == 0 ? 9 : -9);
    const double scale = std::ldexp(1.0, random.below(3) == 0 ? static_cast<int>(random.below(1100)) - 1000 : 0);
    c.plane.point *= scale;
    c.x *= scale;
    c.offset *= scale;
    return c;
}

RC_GTEST_PROP(Plane, SidesAndSignsOfDistancesAreExact, (std::uint64_t seed))
{
    RandomStream random(seed);
    for (int i = 0; i < 100; ++i) {
        const PlaneCase c = random_case(random);
        const mpq_class distance = exact_distance(c.plane, c.x);
        RC_ASSERT(side_of_plane(c.plane, c.x) == sgn(distance));
        RC_ASSERT(side_of_plane(c.plane, c.x, c.offset) == sgn(distance - mpq_class(c.offset)));
        const double rounded = signed_distance(c.plane, c.x);
        RC_ASSERT(abs(mpq_class(rounded) - distance) <= mpq_class(signed_distance_error(c.plane, c.x)));
        if (abs(distance) >= mpq_class(std::numeric_limits<double>::denorm_min()))
            RC_ASSERT((rounded > 0) - (rounded < 0) == sgn(distance));
        else
            RC_ASSERT(rounded == 0);
    }
}

TEST(Plane, DistancesAreSignedByTheNormal)
{
    const Plane wall{{2, 0, 0}, {-1, 0, 0}};
    EXPECT_EQ(signed_distance(wall, {0.5, 9, 9}), 1.5);
    EXPECT_EQ(signed_distance(wall, {3, 9, 9}), -1);
    EXPECT_EQ(signed_distance(wall, {2, 9, 9}), 0);
    EXPECT_EQ(side_of_plane(wall, {0.5, 0, 0}, 1.5), 0);
    EXPECT_EQ(side_of_plane(wall, {0.5, 0, 0}, std::nextafter(1.5, 2)), -1);
    EXPECT_EQ(side_of_plane(wall, {0.5, 0, 0}, std::nextafter(1.5, 1)), 1);
}

} // namespace
} // namespace abut::test
