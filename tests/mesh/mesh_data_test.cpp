#include "abut/base/error.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/mesh_data.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace abut {
namespace {

double first_tet_volume(const MeshData& mesh)
{
    const Vec3 a = point<3>(mesh.vertices, mesh.tets(0, 0));
    return (point<3>(mesh.vertices, mesh.tets(0, 1)) - a)
               .cross(point<3>(mesh.vertices, mesh.tets(0, 2)) - a)
               .dot(point<3>(mesh.vertices, mesh.tets(0, 3)) - a) /
           6;
}

TEST(MeshData, AppendShiftsTheIndicesOfEveryKindOfElement)
{
    MeshData mesh = generate::box();
    append(mesh, generate::rod({.segments = 2}));
    append(mesh, generate::tet_box({.subdivisions = {1, 1, 1}}));
    append(mesh, generate::box());
    EXPECT_EQ(mesh.vertices.rows(), 8 + 3 + 8 + 8);
    EXPECT_EQ(mesh.edges.row(0), Eigen::RowVector2i(8, 9));
    EXPECT_EQ(mesh.tets.rows(), 5);
    EXPECT_EQ(mesh.tets.minCoeff(), 11);
    EXPECT_EQ(mesh.faces.rows(), 24);
    EXPECT_EQ(mesh.faces.bottomRows(12), (mesh.faces.topRows(12).array() + 19).matrix());
    EXPECT_EQ(mesh.vertices.bottomRows(8), mesh.vertices.topRows(8));
}

TEST(MeshData, AppendToNothingCopiesAndTakesTheDimension)
{
    MeshData mesh;
    append(mesh, generate::squircle({.segments = 5}));
    EXPECT_EQ(mesh.vertices.cols(), 2);
    EXPECT_EQ(mesh.edges, generate::squircle({.segments = 5}).edges);
    append(mesh, MeshData());
    EXPECT_EQ(mesh.vertices.rows(), 5);
    EXPECT_EQ(mesh.vertices.cols(), 2);
}

TEST(MeshData, AppendToItselfDoubles)
{
    MeshData mesh = generate::box();
    append(mesh, mesh);
    EXPECT_EQ(mesh.vertices.rows(), 16);
    EXPECT_EQ(mesh.faces.maxCoeff(), 15);
}

TEST(MeshData, AppendKeepsTheBitsOfCoordinates)
{
    MeshData mesh = generate::box(), zero;
    zero.vertices = Positions::Constant(1, 3, -0.0);
    append(mesh, zero);
    EXPECT_TRUE(std::signbit(mesh.vertices(8, 0)));
}

TEST(MeshData, AppendRejectsAnotherDimension)
{
    MeshData mesh = generate::squircle();
    EXPECT_THROW(append(mesh, generate::box()), InvalidInput);
}

TEST(MeshData, TranslatedMovesEveryVertex)
{
    const MeshData box = generate::box(), moved = translated(box, Vec3(1, 2, 4));
    for (Eigen::Index i = 0; i < 8; ++i)
        EXPECT_EQ(moved.vertices.row(i), box.vertices.row(i) + Eigen::RowVector3d(1, 2, 4));
    EXPECT_EQ(moved.faces, box.faces);
}

TEST(MeshData, TransformedRotates)
{
    const MeshData box = generate::box({.size = {1, 2, 3}});
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const MeshData turned = transformed(box, turn);
    for (Eigen::Index i = 0; i < 8; ++i)
        EXPECT_LT((turn * point<3>(box.vertices, i) - point<3>(turned.vertices, i)).norm(), 1e-15);
    EXPECT_EQ(turned.faces, box.faces);
}

TEST(MeshData, AMirrorKeepsTheOutsideOutside)
{
    const MeshData solid = transformed(generate::tet_box(), Vec3(-1, 2, 1).asDiagonal().toDenseMatrix());
    EXPECT_NEAR(first_tet_volume(solid), 2 * first_tet_volume(generate::tet_box()), 1e-15);

    const MeshData box = transformed(generate::box(), Vec3(1, 1, -1).asDiagonal().toDenseMatrix());
    double volume = 0;
    for (Eigen::Index f = 0; f < box.faces.rows(); ++f)
        volume += point<3>(box.vertices, box.faces(f, 0))
                      .dot(point<3>(box.vertices, box.faces(f, 1)).cross(point<3>(box.vertices, box.faces(f, 2)))) /
                  6;
    EXPECT_DOUBLE_EQ(volume, 1);

    const MeshData curve = transformed(generate::squircle(), Vec2(-1, 1).asDiagonal().toDenseMatrix());
    double area = 0;
    for (Eigen::Index e = 0; e < curve.edges.rows(); ++e) {
        const Vec2 a = point<2>(curve.vertices, curve.edges(e, 0)), b = point<2>(curve.vertices, curve.edges(e, 1));
        area += (a.x() * b.y() - a.y() * b.x()) / 2;
    }
    EXPECT_GT(area, 3);
}

TEST(MeshData, TransformsRejectWrongSizesAndSingularMaps)
{
    const MeshData box = generate::box();
    EXPECT_THROW((void)translated(box, Vec2(1, 2)), InvalidInput);
    EXPECT_THROW((void)translated(box, Vec3(1, 2, std::nan(""))), InvalidInput);
    EXPECT_THROW((void)transformed(box, Eigen::Matrix2d::Identity()), InvalidInput);
    EXPECT_THROW((void)transformed(box, Eigen::Matrix3d::Zero()), InvalidInput);
    EXPECT_THROW((void)transformed(box, Eigen::Matrix3d::Constant(std::nan(""))), InvalidInput);
}

} // namespace
} // namespace abut
