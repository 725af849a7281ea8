#include "abut/mesh/collision_mesh.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/mesh/diagnostics.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace abut {
namespace {

/// Expects InvalidInput (or another error E) whose message has all the given parts.
template <typename E = InvalidInput, typename Call>
void expect_error(Call&& call, std::initializer_list<const char*> parts)
{
    try {
        call();
        FAIL() << "no error";
    } catch (const E& error) {
        for (const char* part : parts)
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
                << "'" << part << "' is not in: " << error.what();
    }
}

Positions triangle_vertices()
{
    Positions V(3, 3);
    V << 0, 0, 0, 2, 0, 0, 0, 1, 0;
    return V;
}

Elements elements_of(int corners, std::initializer_list<int> indices)
{
    Elements elements(static_cast<Eigen::Index>(indices.size()) / corners, corners);
    std::copy(indices.begin(), indices.end(), elements.data());
    return elements;
}

TEST(CollisionMesh, IsBuiltFromVerticesAlone)
{
    const CollisionMesh mesh(triangle_vertices());
    EXPECT_EQ(mesh.num_vertices(), 3);
    EXPECT_EQ(mesh.num_edges(), 0);
    EXPECT_EQ(mesh.codim_vertices(), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(mesh.vertex_areas(), Eigen::VectorXd::Ones(3));
    EXPECT_EQ(mesh.ndof(), 9);
}

TEST(CollisionMesh, MixesFacesLooseEdgesAndLoosePoints)
{
    Positions V(7, 3);
    V << triangle_vertices(), 0, 0, 5, 0, 3, 5, 0, 3, 9, 7, 7, 7;
    const CollisionMesh mesh(V, elements_of(2, {3, 4, 4, 5}), elements_of(3, {0, 1, 2}));
    EXPECT_EQ(mesh.num_edges(), 5) << "two given, three of the face";
    EXPECT_EQ(mesh.codim_edges(), (std::vector<int>{0, 1}));
    EXPECT_EQ(mesh.codim_vertices(), (std::vector<int>{6}));
    Eigen::VectorXd vertex_areas(7), edge_areas(5);
    vertex_areas << 1 / 3., 1 / 3., 1 / 3., 1.5, 3.5, 2, 1; // area 1 / 3; half lengths of 3 and 4; a loose point
    edge_areas << 3, 4, 1 / 3., 1 / 3., 1 / 3.;
    EXPECT_LT((mesh.vertex_areas() - vertex_areas).norm(), 1e-15);
    EXPECT_LT((mesh.edge_areas() - edge_areas).norm(), 1e-15);
    EXPECT_EQ(mesh.components().components.size(), 3u);
    EXPECT_EQ(mesh.body_ids(), (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
    EXPECT_TRUE(mesh.is_on_boundary(0)) << "corner of an open face";
    EXPECT_TRUE(mesh.is_on_boundary(3)) << "end of a curve";
    EXPECT_FALSE(mesh.is_on_boundary(4)) << "inside of a curve";
}

TEST(CollisionMesh, EveryBorderVertexOfASheetIsOnTheBoundaryAndNoOther)
{
    const int n = 6;
    const CollisionMesh mesh(generate::cloth({.cells = {n, n}}));
    int on_boundary = 0;
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        const double largest = mesh.rest_positions().row(v).cwiseAbs().maxCoeff();
        EXPECT_EQ(mesh.is_on_boundary(v), largest > 0.5 - 1e-9) << v;
        on_boundary += mesh.is_on_boundary(v);
    }
    EXPECT_EQ(on_boundary, 4 * n);
}

TEST(CollisionMesh, AreasOfAClosedSurfaceAddUpToIt)
{
    const CollisionMesh mesh(generate::icosphere({.radius = 2, .subdivisions = 4}));
    const double area = mesh.vertex_areas().sum();
    EXPECT_NEAR(mesh.edge_areas().sum(), area, 1e-10) << "each face gives a third to each of three edges";
    EXPECT_NEAR(area, 4 * M_PI * 4, 0.2);
    EXPECT_LT(area, 4 * M_PI * 4) << "inscribed";
}

TEST(CollisionMesh, HasTheSameBitsForAnyNumberOfThreads)
{
    const MeshData data = generate::icosphere({.subdivisions = 5});
    set_num_threads(1);
    const CollisionMesh one(data);
    for (const int threads : {2, 4}) {
        set_num_threads(threads);
        const CollisionMesh many(data);
        EXPECT_EQ(one.vertex_areas(), many.vertex_areas());
        EXPECT_EQ(one.edge_areas(), many.edge_areas());
        EXPECT_EQ(one.edges(), many.edges());
        EXPECT_EQ(one.faces_to_edges(), many.faces_to_edges());
    }
    set_num_threads(0);
}

TEST(CollisionMesh, OfTetrahedraIsTheirSurface)
{
    const MeshData box = generate::tet_box({.subdivisions = {3, 3, 3}});
    const CollisionMesh mesh(box);
    EXPECT_EQ(mesh.full_num_vertices(), 64);
    EXPECT_EQ(mesh.num_vertices(), 64 - 8);
    EXPECT_TRUE(mesh.components().components[0].is_closed_and_oriented());
    EXPECT_NEAR(mesh.vertex_areas().sum(), 6, 1e-12);
    for (int v = 0; v < mesh.num_vertices(); ++v)
        EXPECT_EQ(mesh.rest_positions().row(v), box.vertices.row(mesh.to_full_vertex_id(v)));
}

/// Random matrix with entries in [-1, 1).
Positions random_matrix(RandomStream& random, int rows, int cols)
{
    Positions M(rows, cols);
    for (Eigen::Index i = 0; i < M.size(); ++i)
        M.data()[i] = random.uniform(-1, 1);
    return M;
}

/// The map from full degrees of freedom to the mesh's, column by column from map_displacements().
Eigen::MatrixXd dense_map(const CollisionMesh& mesh)
{
    Eigen::MatrixXd J(mesh.ndof(), mesh.full_ndof());
    for (int k = 0; k < mesh.full_ndof(); ++k) {
        Positions U = Positions::Zero(mesh.full_num_vertices(), mesh.dim());
        U.data()[k] = 1;
        const Positions moved = mesh.map_displacements(U);
        J.col(k) = Eigen::Map<const Eigen::VectorXd>(moved.data(), moved.size());
    }
    return J;
}

void expect_full_dof_is_the_transpose_of_the_map(const CollisionMesh& mesh)
{
    RandomStream random(3);
    const Eigen::MatrixXd J = dense_map(mesh);
    const Eigen::VectorXd g = random_matrix(random, mesh.ndof(), 1);
    EXPECT_LT((mesh.to_full_dof(g) - J.transpose() * g).norm(), 1e-13);
    Eigen::MatrixXd H = random_matrix(random, mesh.ndof(), mesh.ndof());
    H = (H.array() > 0.5).select(H, 0);
    const Eigen::SparseMatrix<double> sparse = H.sparseView();
    EXPECT_LT((Eigen::MatrixXd(mesh.to_full_dof(sparse)) - J.transpose() * H * J).norm(), 1e-12);
}

TEST(CollisionMesh, FromFullMeshMapsPositionsGradientsAndHessians)
{
    Positions V(6, 3);
    V << 9, 9, 9, triangle_vertices(), 8, 8, 8, 1, 1, 1;
    const CollisionMesh mesh =
        CollisionMesh::build_from_full_mesh(V, elements_of(2, {1, 5}), elements_of(3, {3, 1, 2}));
    EXPECT_EQ(mesh.num_vertices(), 4);
    EXPECT_EQ(mesh.to_full_vertex_id(0), 1);
    EXPECT_EQ(mesh.to_full_vertex_id(3), 5);
    EXPECT_EQ(mesh.faces().row(0), Eigen::RowVector3i(2, 0, 1));
    EXPECT_EQ(mesh.vertices(V), mesh.rest_positions());
    EXPECT_EQ(mesh.displace_vertices(Positions::Zero(6, 3)), mesh.rest_positions());
    expect_full_dof_is_the_transpose_of_the_map(mesh);
}

TEST(CollisionMesh, SelectionKeepsLoosePointsAndOptions)
{
    Positions V(5, 2);
    V << 0, 0, 1, 0, 1, 1, 5, 5, 6, 6;
    CollisionMeshOptions options{.body_ids = {0, 1, 2, 3, 4}, .material_ids = {5, 6, 7, 8, 9}};
    std::vector<std::pair<int, int>> asked;
    options.filter = CollisionFilter::callable([&](int i, int j) {
        asked.emplace_back(i, j);
        return true;
    });
    const CollisionMesh mesh = CollisionMesh::build_from_selection(
        V, {true, true, false, true, true}, elements_of(2, {0, 1}), Elements(0, 3), options);
    EXPECT_EQ(mesh.codim_vertices(), (std::vector<int>{2, 3}));
    EXPECT_EQ(mesh.body_ids(), (std::vector<int>{0, 1, 3, 4}));
    EXPECT_EQ(mesh.material_ids(), (std::vector<int>{5, 6, 8, 9}));
    EXPECT_TRUE(mesh.can_collide(2, 3));
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0], std::pair(3, 4)) << "the filter sees the indices it was written for";
    expect_full_dof_is_the_transpose_of_the_map(mesh);
    expect_error(
        [&] {
            (void)CollisionMesh::build_from_selection(V, {true, false, false, true, true}, elements_of(2, {0, 1}));
        },
        {"edges", "row 0", "vertex 1", "not selected"});
    expect_error(
        [&] { (void)CollisionMesh::build_from_selection(V, {true}, Elements(0, 2)); }, {"include_vertex", "1 flags"});
}

TEST(CollisionMesh, DisplacementMapMovesVerticesByNodes)
{
    // Three vertices on the line between two nodes.
    Positions V(3, 2);
    V << 0, 0, 0.5, 0, 1, 0;
    CollisionMeshOptions options;
    options.displacement_map.resize(3, 2);
    options.displacement_map.insert(0, 0) = 1;
    options.displacement_map.insert(1, 0) = 0.5;
    options.displacement_map.insert(1, 1) = 0.5;
    options.displacement_map.insert(2, 1) = 1;
    const CollisionMesh mesh(V, elements_of(2, {0, 1, 1, 2}), Elements(0, 3), options);
    EXPECT_EQ(mesh.full_num_vertices(), 2);
    Positions U(2, 2);
    U << 0, 2, 0, 4;
    EXPECT_EQ(mesh.displace_vertices(U).row(1), Eigen::RowVector2d(0.5, 3));
    expect_full_dof_is_the_transpose_of_the_map(mesh);
    expect_error([&] { (void)mesh.to_full_vertex_id(0); }, {"displacement map"});
    expect_error([&] { (void)mesh.vertices(V); }, {"displace_vertices"});

    const CollisionMesh part =
        CollisionMesh::build_from_selection(V, {false, true, true}, elements_of(2, {1, 2}), Elements(0, 3), options);
    EXPECT_EQ(part.displace_vertices(U).row(0), Eigen::RowVector2d(0.5, 3));
    expect_full_dof_is_the_transpose_of_the_map(part);

    options.displacement_map.resize(2, 2);
    expect_error(
        [&] { CollisionMesh(V, Elements(0, 2), Elements(0, 3), options); },
        {"displacement_map", "(2, 2)", "3 vertices"});
    options.displacement_map.resize(3, 0);
    expect_error([&] { CollisionMesh(V, Elements(0, 2), Elements(0, 3), options); }, {"displacement_map", "(3, 0)"});
}

TEST(CollisionMesh, RejectsBadInputNamingTheRow)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const Positions good = triangle_vertices();
    const auto with = [&](int row, int axis, double value) {
        Positions V = good;
        V(row, axis) = value;
        return V;
    };
    expect_error([&] { CollisionMesh(with(1, 2, nan)); }, {"vertices", "row 1", "z", "not finite"});
    expect_error([&] { CollisionMesh(with(2, 0, -inf)); }, {"vertices", "row 2", "x", "not finite"});
    expect_error([&] { CollisionMesh(with(0, 1, 1e308)); }, {"row 0", "y", "extent overflows"});
    expect_error([&] { CollisionMesh(Positions(0, 3)); }, {"empty"});
    expect_error([&] { CollisionMesh(Positions::Zero(3, 4)); }, {"(n, 2) or (n, 3)", "(3, 4)"});
    expect_error([&] { CollisionMesh(Positions::Constant(5, 3, 2)); }, {"all 5 vertices coincide"});
    expect_error([&] { CollisionMesh(good, elements_of(2, {0, 1, 0, 3})); }, {"edges", "row 1", "index 3", "0 to 2"});
    expect_error([&] { CollisionMesh(good, elements_of(2, {0, -1})); }, {"edges", "row 0", "index -1"});
    expect_error([&] { CollisionMesh(good, elements_of(2, {1, 1})); }, {"edges", "row 0", "vertex 1 twice"});
    expect_error(
        [&] {
            CollisionMesh(good, Elements(0, 2), elements_of(3, {0, 1, 2, 0, 1, 7}));
        },
        {"faces", "row 1", "index 7"});
    expect_error(
        [&] {
            CollisionMesh(good, Elements(0, 2), elements_of(3, {0, 1, 0}));
        },
        {"faces", "row 0", "vertex 0 twice"});
    expect_error(
        [&] {
            CollisionMesh(good, Elements(0, 2), elements_of(3, {0, 1, 2, 2, 0, 1}));
        },
        {"faces", "rows 0 and 1"});
    expect_error([&] { CollisionMesh(good, elements_of(3, {0, 1, 2})); }, {"edges", "(n, 2)", "(1, 3)"});
    expect_error(
        [&] {
            CollisionMesh(good.leftCols(2), Elements(0, 2), elements_of(3, {0, 1, 2}));
        },
        {"faces", "plane", "boundary_edges"});
    expect_error(
        [&] { CollisionMesh(good, Elements(0, 2), Elements(0, 3), {.body_ids = {1}}); },
        {"body_ids", "1 entries", "3"});
    expect_error(
        [&] {
            CollisionMesh(good, Elements(0, 2), Elements(0, 3), {.filter = CollisionFilter::different_bodies({0})});
        },
        {"body_ids", "1 entries", "3 vertices"});
    const CollisionMesh mesh(good);
    expect_error([&] { (void)mesh.vertices(Positions::Zero(2, 3)); }, {"full_positions", "(3, 3)", "(2, 3)"});
    expect_error([&] { (void)mesh.to_full_dof(Eigen::VectorXd::Zero(8)); }, {"gradient", "9", "8"});
    expect_error([&] { (void)mesh.to_full_dof(Eigen::SparseMatrix<double>(9, 8)); }, {"hessian", "(9, 9)", "(9, 8)"});
    expect_error([&] { (void)mesh.to_full_vertex_id(3); }, {"3", "0 to 2"});
}

TEST(CollisionMesh, TinyAndHugeMeshesKeepTheirAreas)
{
    for (const double scale : {1e-9, 1e9}) {
        const CollisionMesh mesh(scale * triangle_vertices(), Elements(0, 2), elements_of(3, {0, 1, 2}));
        EXPECT_NEAR(mesh.vertex_areas()[0] / (scale * scale), 1 / 3., 1e-14);
    }
}

TEST(CollisionMesh, AcceptsColumnMajorArrays)
{
    const Eigen::MatrixXd V = triangle_vertices();
    const Eigen::MatrixXi F = elements_of(3, {0, 1, 2});
    const CollisionMesh mesh(V, Eigen::MatrixXi(0, 2), F);
    EXPECT_EQ(mesh.rest_positions(), triangle_vertices());
    EXPECT_EQ(mesh.num_edges(), 3);
}

TEST(Diagnose, ReportsWhatIsUnusualWithIds)
{
    Positions V(8, 3);
    V << triangle_vertices(), /* same as vertex 1 */ 2, 0, 0, 1, 0, 0, 1, 1, 1, 1, -1, -1, 4, 4, 4;
    // Face 1 has no area; faces 0, 2 and 3 meet at edge 0-2 with 0 and 2 in disagreement.
    const Elements F = elements_of(3, {0, 1, 2, 0, 1, 4, 0, 2, 5, 2, 0, 6});
    const CollisionMesh mesh(V, elements_of(2, {1, 3}), F);
    const MeshDiagnostics found = diagnose(mesh);
    EXPECT_EQ(found.coincident_vertices, (std::vector<std::pair<int, int>>{{1, 3}}));
    EXPECT_EQ(found.zero_length_edges, (std::vector<int>{0}));
    EXPECT_EQ(found.zero_area_faces, (std::vector<int>{1}));
    EXPECT_EQ(found.unreferenced_vertices, (std::vector<int>{7}));
    ASSERT_EQ(found.non_manifold_edges.size(), 1u);
    EXPECT_EQ(mesh.edges().row(found.non_manifold_edges[0]), Eigen::RowVector2i(0, 2));
    ASSERT_EQ(found.inconsistent_edges.size(), 1u) << "faces 0 and 1 run through 0-1 in the same direction";
    EXPECT_EQ(mesh.edges().row(found.inconsistent_edges[0]), Eigen::RowVector2i(0, 1));
    EXPECT_FALSE(found.is_clean());
    const std::string text = found.summary();
    for (const char* part :
         {"1 coincident vertices (3)", "zero-length edges (0)", "zero-area faces (1)", "non-manifold"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
    EXPECT_TRUE(mesh.vertex_areas().allFinite());
}

TEST(Diagnose, IsCleanForGoodMeshes)
{
    for (const MeshData& data : {generate::box(), generate::torus(), generate::cloth()}) {
        const MeshDiagnostics found = diagnose(CollisionMesh(data));
        EXPECT_TRUE(found.is_clean()) << found.summary();
        EXPECT_EQ(found.summary(), "");
    }
    EXPECT_EQ(diagnose(CollisionMesh(generate::cloth({.cells = {3, 3}}))).boundary_edges.size(), 12u);
}

TEST(ValidateTets, NamesInvertedAndFlatTetrahedra)
{
    MeshData box = generate::tet_box({.subdivisions = {1, 1, 1}});
    EXPECT_NO_THROW(validate_tets(box.vertices, box.tets));
    std::swap(box.tets(2, 0), box.tets(2, 1));
    expect_error<InvalidStart>([&] { validate_tets(box.vertices, box.tets); }, {"1 of 5", "rows 2", "positive volume"});
    expect_error<InvalidStart>([&] { CollisionMesh{box}; }, {"rows 2"});
    Positions flat = box.vertices;
    flat.col(1).setZero();
    expect_error<InvalidStart>([&] { validate_tets(flat, box.tets); }, {"5 of 5"});
}

} // namespace
} // namespace abut
