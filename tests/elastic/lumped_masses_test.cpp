#include "abut/base/error.hpp"
#include "abut/elastic/lumped_masses.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace abut::test::lumped_masses_test {
namespace {

TEST(LumpedMasses, OfABoxAddUpToItsMass)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 2, 3)});
    const Eigen::VectorXd masses = lumped_masses(mesh.vertices, mesh.tets, 1000);
    EXPECT_NEAR(masses.sum(), 6000, 1e-9);
    EXPECT_GT(masses.minCoeff(), 0);
}

TEST(LumpedMasses, OfASheetAddUpToItsMass)
{
    const MeshData mesh = generate::cloth({.size = Vec2(2, 3)});
    EXPECT_NEAR(lumped_masses(mesh.vertices, mesh.faces, 500, 1e-3).sum(), 3, 1e-12);
}

TEST(LumpedMasses, EveryCornerHasTheSameShareAndLooseVerticesNone)
{
    Positions X(5, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 7, 7;
    Tets T(1, 4);
    T << 0, 1, 2, 3;
    Eigen::VectorXd expected(5);
    expected << 1, 1, 1, 1, 0;
    EXPECT_LE((lumped_masses(X, T, 24) - expected).norm(), 1e-15);
    Faces F(1, 3);
    F << 0, 1, 2;
    expected << 1, 1, 1, 0, 0;
    EXPECT_LE((lumped_masses(X, F, 12, 0.5) - expected).norm(), 1e-15);
    EXPECT_LE((lumped_masses(X.leftCols(2), F, 12, 0.5) - expected).norm(), 1e-15);
}

TEST(LumpedMasses, RejectsBadInput)
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    Tets T(1, 4);
    T << 0, 1, 2, 3;
    Faces F(1, 3);
    F << 0, 1, 2;
    for (const double bad : {0.0, -1.0, std::nan("")}) {
        EXPECT_THROW((void)lumped_masses(X, T, bad), InvalidInput);
        EXPECT_THROW((void)lumped_masses(X, F, bad, 1), InvalidInput);
        EXPECT_THROW((void)lumped_masses(X, F, 1, bad), InvalidInput);
    }
    EXPECT_THROW((void)lumped_masses(X.leftCols(2), T, 1), InvalidInput);
    T << 0, 2, 1, 3;
    EXPECT_THROW((void)lumped_masses(X, T, 1), InvalidInput);
    F << 0, 1, 4;
    EXPECT_THROW((void)lumped_masses(X, F, 1, 1), InvalidInput);
}

} // namespace
} // namespace abut::test::lumped_masses_test
