// GCP is a barrier: on every way into contact its value grows at least as C (d/dhat)^-r with the smallest distance d,
// whichever elements meet and however pairs hand over to each other on the way.

#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/detect/detection.hpp"
#include "abut/detect/step_size.hpp"
#include "support/gcp_shapes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace abut::test::gcp_barrier_test {

namespace {

constexpr double dhat = 0.1, infinity = std::numeric_limits<double>::infinity();

/// With L = 1 everywhere, so that C is a product of measures, directional factors and mollifiers.
SmoothContactParameters parameters(double alpha_t)
{
    SmoothContactParameters params{.dhat = dhat, .alpha_t = alpha_t};
    params.feature_length = FeatureLength::constant;
    params.constant_length = 1;
    return params;
}

constexpr std::array alphas{0.1, 0.5, 1.0};

/// The smallest C of many configurations for each alpha_t, and the kinds of pairs that were the strongest.
class Barrier {
public:
    /// E (d/dhat)^r at X, with the potential's stiffness so that the barrier is (d/dhat)^-r.
    void measure(const CollisionMesh& mesh, const Positions& X)
    {
        const double d = compute_minimum_distance(mesh, X);
        ASSERT_GT(d, 0);
        if (d > 0.2 * dhat)
            return;
        for (std::size_t a = 0; a < alphas.size(); ++a) {
            const SmoothContactParameters params = parameters(alphas[a]);
            const int r = params.exponent(mesh.dim());
            SmoothCollisions set;
            set.build(mesh, X, params);
            const Eigen::VectorXd energies = SmoothContactPotential(params, std::pow(dhat, r)).energies(set, mesh, X);
            smallest_[a] = std::min(smallest_[a], energies.sum() * std::pow(d / dhat, r));
            Eigen::Index strongest = 0;
            if (energies.size() > 0 && energies.maxCoeff(&strongest) > 0)
                kinds_.insert(set[strongest].kind);
        }
        ++measured_;
    }

    /// Moves the vertices from `first` on from far away along `out` to distances of each decade, some also aside by
    /// some of that distance, if nothing is in their way.
    template <int Dim>
    void approach(const CollisionMesh& mesh, int first, const Vec<Dim>& out, const Vec<Dim>& aside)
    {
        const auto at = [&](double gap, double lateral) {
            Positions X = mesh.rest_positions();
            X.bottomRows(X.rows() - first).rowwise() += (gap * out + lateral * aside).transpose();
            return X;
        };
        for (int decade = 1; decade <= 6; ++decade) {
            const double gap = dhat * std::pow(10, -decade);
            for (const double lateral : {0.0, 0.02, 0.1, 0.5, 5.0}) {
                const Positions X = at(gap, lateral * gap);
                if (!is_step_collision_free(mesh, at(3, lateral * gap), X))
                    break;
                measure(mesh, X);
            }
        }
    }

    void expect(double C, int least_measured, const std::vector<PairKind>& kinds) const
    {
        EXPECT_GT(measured_, least_measured);
        for (std::size_t a = 0; a < alphas.size(); ++a) {
            EXPECT_GT(smallest_[a], C) << "alpha_t " << alphas[a];
            testing::Test::RecordProperty(
                "smallest_C_" + std::to_string(static_cast<int>(100 * alphas[a])), std::to_string(smallest_[a]));
        }
        for (const PairKind kind : kinds)
            EXPECT_TRUE(kinds_.contains(kind)) << static_cast<int>(kind);
        testing::Test::RecordProperty("measured", measured_);
    }

private:
    std::array<double, alphas.size()> smallest_{infinity, infinity, infinity};
    int measured_ = 0;
    std::set<PairKind> kinds_;
};

/// A body with a vertex, edge or face pointing down, at the origin.
MeshData pointing_down(int vertices_first)
{
    MeshData tet;
    tet.edges.resize(0, 2);
    tet.vertices.resize(4, 3);
    if (vertices_first == 1) // a narrow tip of three faces
        tet.vertices << 0, 0, 0, 0.02, 0.2, 0, -0.01, 0.2, 0.018, -0.01, 0.2, -0.018;
    else if (vertices_first == 2)
        tet.vertices << -0.2, 0, 0, 0.2, 0, 0, 0, 0.2, 0.05, 0, 0.2, -0.05;
    else
        tet.vertices << -0.2, 0, -0.1, 0.2, 0, -0.1, 0, 0, 0.2, 0, 0.2, 0.05;
    tet.faces.resize(4, 3);
    tet.faces << 0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2;
    const Vec3 a = tet.vertices.row(0), b = tet.vertices.row(1), c = tet.vertices.row(2), d = tet.vertices.row(3);
    if ((b - a).cross(c - a).dot(d - a) > 0) // outward
        tet.faces.col(1).swap(tet.faces.col(2));
    return tet;
}

/// A turn that takes +y to `up`, and then one about `up`.
Mat<3, 3> upright(const Vec3& up, double angle)
{
    return Eigen::AngleAxisd(angle, up) * Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), up).toRotationMatrix();
}

MeshData with_random_radii(MeshData data, RandomStream& random)
{
    for (Eigen::Index v = 0; v < data.vertices.rows(); ++v)
        data.vertices.row(v) *= random.uniform(0.4, 1);
    return data;
}

/// Closed surfaces with convex, reflex and saddle vertices and edges.
std::vector<MeshData> targets(RandomStream& random)
{
    std::vector<MeshData> bodies{generate::box()};
    for (int n = 0; n < 3; ++n)
        bodies.push_back(with_random_radii(generate::icosphere({.subdivisions = 0}), random));
    MeshData sheet = generate::cloth({.cells = {2, 2}});                                     // open
    sheet.vertices.col(1) = 0.3 * sheet.vertices.col(0).cwiseProduct(sheet.vertices.col(2)); // and a saddle
    bodies.push_back(sheet);
    return bodies;
}

TEST(GcpBarrier, HoldsTipsOffVerticesEdgesAndFaces)
{
    Barrier barrier;
    RandomStream random(1);
    for (const MeshData& body : targets(random)) {
        const CollisionMesh alone(body);
        const auto n = static_cast<int>(body.vertices.rows());
        const auto meet = [&](const Vec3& at) {
            for (int k = 0; k < 3; ++k) {
                const Vec3 out = random_direction<3>(random), aside = random_orthogonal<3>(random, out);
                MeshData both = body;
                append(both, translated(transformed(pointing_down(1), upright(out, random.uniform(0, 6))), at));
                barrier.approach<3>(CollisionMesh(both), n, out, aside);
            }
        };
        for (int v = 0; v < n; v += 2)
            meet(body.vertices.row(v));
        for (int e = 0; e < alone.num_edges(); e += 3) {
            const double s = random.uniform(0.2, 0.8);
            meet((1 - s) * body.vertices.row(alone.edges()(e, 0)) + s * body.vertices.row(alone.edges()(e, 1)));
        }
        for (int f = 0; f < alone.num_faces(); f += 4)
            meet(
                (body.vertices.row(body.faces(f, 0)) + body.vertices.row(body.faces(f, 1)) +
                 2 * body.vertices.row(body.faces(f, 2))) /
                4);
    }
    barrier.expect(0.05, 500, {PairKind::vertex_vertex, PairKind::edge_vertex, PairKind::face_vertex});
}

TEST(GcpBarrier, HoldsEdgesOffEdgesAtAnyAngle)
{
    Barrier barrier;
    RandomStream random(2);
    for (const MeshData& body : targets(random)) {
        const CollisionMesh alone(body);
        for (int e = 0; e < alone.num_edges(); e += 4)
            for (const double angle : {0.0, 1e-9, 1e-5, 1e-2, 0.3, 1.5}) {
                const Vec3 a = body.vertices.row(alone.edges()(e, 0)), b = body.vertices.row(alone.edges()(e, 1)),
                           along = (b - a).normalized(), out = random_orthogonal<3>(random, along);
                Mat<3, 3> frame; // x along the edge, y out
                frame << along, out, along.cross(out);
                const Mat<3, 3> turn = Eigen::AngleAxisd(angle, out).toRotationMatrix() * frame;
                const double s = random.uniform(0, 1);
                MeshData both = body;
                append(both, translated(transformed(pointing_down(2), turn), Vec3((1 - s) * a + s * b)));
                barrier.approach<3>(
                    CollisionMesh(both), static_cast<int>(body.vertices.rows()), out,
                    random_orthogonal<3>(random, out));
            }
    }
    barrier.expect(0.05, 500, {PairKind::edge_edge});
}

TEST(GcpBarrier, HoldsFlatThingsOffEachOther)
{
    Barrier barrier;
    for (const Vec3& offset : {Vec3(0, 1, 0), Vec3(0.3, 1, 0.2), Vec3(1, 1, 0), Vec3(1, 1, 1), Vec3(0.5, 1, 0)}) {
        MeshData cubes = generate::box();
        append(cubes, translated(generate::box(), offset));
        barrier.approach<3>(CollisionMesh(cubes), 8, Vec3::UnitY(), Vec3::UnitX());
    }
    for (const int first : {1, 2, 3}) {
        CollisionMeshOptions options;
        options.planes.push_back({Vec3::Zero(), Vec3::UnitY()});
        barrier.approach<3>(CollisionMesh(pointing_down(first), options), 0, Vec3::UnitY(), Vec3::UnitX());
    }
    barrier.expect(0.05, 100, {PairKind::plane_vertex});
}

TEST(GcpBarrier, HoldsInThePlane)
{
    Barrier barrier;
    RandomStream random(3);
    for (int n = 0; n < 4; ++n) {
        const MeshData body = with_random_radii(generate::squircle({.exponent = 2, .segments = 9}), random);
        for (int v = 0; v < 9; ++v)
            for (const double s : {0.0, 0.4})
                for (int k = 0; k < 2; ++k) {
                    const Vec2 out = random_direction<2>(random), aside(-out.y(), out.x());
                    const Vec2 at = (1 - s) * body.vertices.row(v) + s * body.vertices.row((v + 1) % 9);
                    MeshData both = body;
                    append(both, closed_curve({at, at + 0.2 * out - 0.02 * aside, at + 0.2 * out + 0.02 * aside}));
                    barrier.approach<2>(CollisionMesh(both), 9, out, aside);
                }
    }
    barrier.expect(0.05, 500, {PairKind::vertex_vertex, PairKind::edge_vertex});
}

TEST(GcpBarrier, HoldsABodyOffItself)
{
    // The arms of a V close: its sides and tips come together although they share the bottom.
    Barrier in_plane, in_space;
    for (int decade = 1; decade <= 6; ++decade) {
        const double gap = dhat * std::pow(10, -decade);
        const std::vector<Vec2> outline{{-1, -0.2},   {1, -0.2},     {1, 1},    {gap, 1},
                                        {2 * gap, 0}, {-2 * gap, 0}, {-gap, 1}, {-1, 1}};
        const MeshData curve = closed_curve(outline);
        in_plane.measure(CollisionMesh(curve), curve.vertices);
        const CollisionMesh prism(generate::tet_prism({.corners = outline, .depth = 0.5, .subdivisions = 2}));
        in_space.measure(prism, prism.rest_positions());
    }
    in_plane.expect(0.05, 4, {});
    in_space.expect(0.05, 4, {});
}

} // namespace

} // namespace abut::test::gcp_barrier_test
