// Friction over pairs of GCP: their normal forces, and the terms they become.

#include "abut/base/error.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "support/contact_scenes.hpp"
#include "support/reference_set.hpp"

#include <set>

namespace abut::test::gcp_friction_test {

namespace {

constexpr double mu = 0.3, eps_v = 0.02;

/// Two bodies; the vertices of the second begin at `second`.
struct Bodies {
    CollisionMesh mesh;
    Positions X;
    int second;
};

Bodies make_bodies(const MeshData& first, const MeshData& both, std::vector<Plane> planes)
{
    CollisionMeshOptions options;
    options.planes = std::move(planes);
    return {
        CollisionMesh(both.vertices, both.edges, both.faces, options), both.vertices,
        static_cast<int>(first.vertices.rows())};
}

/// Two cubes, corner, edge or face above face, turned so that nothing is a tie; a plane below the first.
Bodies cubes(const Vec3& axis, double angle, double gap)
{
    const MeshData first = generate::box({});
    MeshData turned = transformed(first, Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix());
    MeshData both = first;
    append(both, translated(turned, Vec3(0.13, 0.5 + gap - turned.vertices.col(1).minCoeff(), 0.07)));
    return make_bodies(first, both, {{Vec3(0, -0.53, 0), Vec3(0.01, 1, 0.02)}});
}

Bodies squircles(double gap)
{
    return make_bodies(
        generate::squircle({.segments = 40}), two_squircles(gap), {{Vec3(0, -1.02, 0), Vec3(0.01, 1, 0)}});
}

std::vector<Bodies> scenes()
{
    return {
        cubes(Vec3(1, 0.2, 0.7), 0.9, 0.02), cubes(Vec3(1, 0.1, 0), 0.75, 0.02), cubes(Vec3(0, 1, 0), 0.3, 0.02),
        cubes(Vec3(0.02, 1, 0.03), 0.5, 0.015), squircles(0.02)};
}

double distance(const SmoothCollision& pair, const Bodies& bodies, Vec3& direction)
{
    const Plane* plane = pair.kind == PairKind::plane_vertex ? &bodies.mesh.planes()[pair.elements[0]] : nullptr;
    direction.setZero();
    if (bodies.mesh.dim() == 2) {
        const auto x = [&](int i) { return Vec2(point<2>(bodies.X, pair.stencil[i])); };
        direction = lifted(gcp::closest_vector<2>(pair.kind, x, plane));
    } else {
        const auto x = [&](int i) { return Vec3(point<3>(bodies.X, pair.stencil[i])); };
        direction = gcp::closest_vector<3>(pair.kind, x, plane);
    }
    const double length = direction.norm();
    direction /= length;
    return length;
}

TEST(GcpFriction, TheNormalForceIsTheOneThatMovesOneSideAsAWhole)
{
    std::set<PairKind> kinds;
    int with_tests = 0;
    for (const Bodies& bodies : scenes()) {
        const CollisionMesh& mesh = bodies.mesh;
        const Positions& X = bodies.X;
        const int second = bodies.second;
        const SmoothContactParameters params{.dhat = 0.1};
        const SmoothContactPotential potential(params, 70);
        SmoothCollisions collisions;
        collisions.build(mesh, X, params);
        const Eigen::VectorXd forces = potential.normal_forces(collisions, mesh, X),
                              energies = potential.energies(collisions, mesh, X);
        for (std::size_t k = 0; k < collisions.size(); ++k) {
            const SmoothCollision pair = collisions[k];
            const bool of_plane = pair.kind == PairKind::plane_vertex;
            const bool from_second = pair.vertices.front() >= second, to_second = pair.vertices.back() >= second;
            if (!of_plane && from_second == to_second)
                continue;
            Vec3 d;
            const double length = distance(pair, bodies, d);
            // Five points: the error is of order h^4.
            const double h = 1e-4 * length;
            const auto moved = [&](double s) {
                Positions Y = X;
                for (int v = 0; v < X.rows(); ++v)
                    if (of_plane || (v >= second) == from_second)
                        Y.row(v) += s * h * d.head(mesh.dim()).transpose();
                return potential.energies(collisions, mesh, Y)[static_cast<Eigen::Index>(k)];
            };
            const double slope = (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * h);
            const auto row = static_cast<Eigen::Index>(k);
            EXPECT_NEAR(forces[row], -slope, 1e-7 * std::abs(slope) + 1e-9 * energies[row] / length);
            kinds.insert(pair.kind);
            with_tests += !collisions.tests(k).empty();
        }
    }
    EXPECT_EQ(kinds.size(), 5u) << "every kind of pair must have been seen";
    EXPECT_GT(with_tests, 3);
}

TEST(GcpFriction, TheNormalForceIsBelowTheNormOfTheWholeGradient)
{
    // Which is what the toolkit takes: the forces on both sides, N √2 between two vertices and N √(1 + 1/3) or more
    // between a vertex and a face, and those of the turned neighbours.
    int compared = 0;
    for (const Bodies& bodies : scenes()) {
        const CollisionMesh& mesh = bodies.mesh;
        const Positions& X = bodies.X;
        const SmoothContactParameters params{.dhat = 0.1};
        const SmoothContactPotential potential(params);
        SmoothCollisions collisions;
        collisions.build(mesh, X, params);
        const Eigen::VectorXd forces = potential.normal_forces(collisions, mesh, X);
        const Positions local = potential.forces(collisions, mesh, X);
        for (std::size_t k = 0; k < collisions.size(); ++k) {
            const auto stencil = collisions.stencils()[k];
            const double whole =
                local.middleRows(collisions.stencils().offset(k), static_cast<Eigen::Index>(stencil.size())).norm();
            // Edges may share it as (N/2) √4, and against a plane it is N on one vertex.
            EXPECT_LE(forces[static_cast<Eigen::Index>(k)], whole * (1 + 1e-12));
            if (collisions[k].kind == PairKind::face_vertex || collisions[k].kind == PairKind::vertex_vertex) {
                EXPECT_LT(forces[static_cast<Eigen::Index>(k)], 0.9 * whole);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 3);
}

TEST(GcpFriction, TermsSlideByTheirOwnVerticesAndOpposeTheMotion)
{
    for (const Bodies& bodies : scenes()) {
        const CollisionMesh& mesh = bodies.mesh;
        const Positions& X = bodies.X;
        const int second = bodies.second;
        const SmoothContactParameters params{.dhat = 0.1};
        const SmoothContactPotential potential(params);
        SmoothCollisions normal;
        normal.build(mesh, X, params);
        TangentialCollisions collisions;
        collisions.build(mesh, X, normal, potential, {.mu_s = mu, .mu_k = mu});
        ASSERT_EQ(collisions.size(), normal.size());
        EXPECT_TRUE(collisions.is_smooth());
        const Eigen::VectorXd forces = potential.normal_forces(normal, mesh, X);
        Positions V = Positions::Zero(X.rows(), X.cols());
        for (int v = second; v < V.rows(); ++v)
            V(v, 0) = 1;
        double between = 0;
        for (std::size_t k = 0; k < normal.size(); ++k) {
            const SmoothCollision pair = normal[k];
            const TangentialCollision term = collisions[k];
            EXPECT_EQ(term.kind, pair.kind);
            EXPECT_EQ(term.elements, pair.elements);
            EXPECT_EQ(term.weight, 1);
            EXPECT_EQ(term.normal_force, forces[static_cast<Eigen::Index>(k)]);
            EXPECT_EQ(
                std::set<int>(term.vertices.begin(), term.vertices.end()),
                std::set<int>(pair.vertices.begin(), pair.vertices.end()));
            // Weights are those of the closest points: they give d, up to its sign, and the basis is across it.
            Vec3 d, r = Vec3::Zero();
            const double length = distance(pair, bodies, d);
            if (pair.kind != PairKind::plane_vertex) {
                for (std::size_t i = 0; i < term.vertices.size(); ++i)
                    for (int a = 0; a < mesh.dim(); ++a)
                        r[a] += term.coefficients[i] * X(term.vertices[i], a);
                EXPECT_NEAR(std::abs(r.dot(d)), length, 1e-9);
                if ((pair.vertices.front() >= second) != (pair.vertices.back() >= second))
                    between += mu * term.normal_force * (term.basis.transpose() * Vec3::UnitX()).norm();
            } else {
                EXPECT_EQ(term.coefficients[0], 1);
                if (pair.vertices[0] >= second)
                    between += mu * term.normal_force * (term.basis.transpose() * Vec3::UnitX()).norm();
            }
            EXPECT_LT((term.basis.transpose() * d).norm(), 1e-9);
        }
        // Faster than eps_v, friction takes mu N of each pair that slides; its power is that at speed 1.
        const FrictionPotential friction(eps_v);
        const Eigen::VectorXd F = friction.force(collisions, mesh, V);
        EXPECT_NEAR(-F.dot(Eigen::Map<const Eigen::VectorXd>(V.data(), V.size())), between, 1e-9 * between);
        EXPECT_GT(between, 0);
        // On free bodies it has no net force; planes keep what they take.
        for (int a = 0; a < mesh.dim() && collisions.pv().size() == 0; ++a)
            EXPECT_NEAR(F(Eigen::seq(a, Eigen::last, mesh.dim())).sum(), 0, 1e-10 * F.norm());
    }
}

TEST(GcpFriction, HasNoDerivativeByLaggedPositions)
{
    const Bodies bodies = squircles(0.02);
    const SmoothContactParameters params{.dhat = 0.1};
    SmoothCollisions normal;
    normal.build(bodies.mesh, bodies.X, params);
    TangentialCollisions collisions;
    collisions.build(bodies.mesh, bodies.X, normal, SmoothContactPotential(params), {.mu_s = mu, .mu_k = mu});
    const FrictionPotential friction(eps_v);
    const BarrierPotential barrier(0.1, 1.0);
    const Positions V = Positions::Random(bodies.X.rows(), 2);
    EXPECT_THROW(
        (void)friction.force_jacobian(collisions, bodies.mesh, bodies.X, V, barrier, DiffWRT::lagged_positions),
        InvalidInput);
    EXPECT_NO_THROW((void)friction.force_jacobian(collisions, bodies.mesh, bodies.X, V, barrier, DiffWRT::velocities));
}

TEST(GcpFriction, EdgesAtASmallAngleRubAndTheToolkitLeavesThemOut)
{
    // Two rods that cross at 0.02 rad, a hundredth of their length apart: |sin|² = 4e-4 is below IPC's 1e-3.
    Positions X(4, 3);
    X << -0.5, 0, 0, 0.5, 0, 0, -0.5, 0.002, -0.01, 0.5, 0.002, 0.01;
    Elements E(2, 2);
    E << 0, 1, 2, 3;
    const CollisionMesh mesh(X, E, Elements(0, 3));
    const auto lagged = [&](const SmoothContactParameters& params, std::size_t& num_pairs) {
        SmoothCollisions normal;
        normal.build(mesh, X, params);
        num_pairs = normal.count(PairKind::edge_edge);
        TangentialCollisions collisions;
        collisions.build(mesh, X, normal, SmoothContactPotential(params), {.mu_s = mu, .mu_k = mu});
        return collisions.ee();
    };
    std::size_t num_pairs = 0;
    const auto own = lagged(SmoothContactParameters{.dhat = 0.01}, num_pairs);
    ASSERT_EQ(num_pairs, 1u);
    ASSERT_EQ(own.size(), 1u);
    EXPECT_GT(own.normal_forces[0], 0);
    for (const double w : own.coefficients[0])
        EXPECT_NEAR(std::abs(w), 0.5, 1e-12);
    EXPECT_EQ(lagged(SmoothContactParameters::toolkit(0.01), num_pairs).size(), 0u);
    EXPECT_EQ(num_pairs, 1u);
}

TEST(GcpFriction, MatchesTheReferenceToolkit)
{
    int compared = 0;
    for (const std::string& name : reference_scenes("friction_gcp")) {
        const ReferenceMesh scene = read_reference_mesh(name);
        const CollisionMesh& mesh = scene.mesh;
        const Positions& X = scene.X;
        for (const nlohmann::json& query : scene.queries) {
            if (query.value("model", "") != "friction_gcp")
                continue;
            const nlohmann::json& result = query.at("result");
            const SmoothContactParameters params = reference_smooth_parameters(query);
            SmoothCollisions normal;
            normal.build(mesh, X, params);
            EXPECT_EQ(normal.size(), result.at("num_smooth_collisions"));
            TangentialCollisions collisions;
            const SmoothContactPotential potential(params, query.at("stiffness"));
            collisions.build(mesh, X, normal, potential, {.mu_s = query.at("mu_s"), .mu_k = query.at("mu_k")});
            const auto& data = result.at("tangential_data");
            ASSERT_EQ(collisions.size(), data.size());
            for (std::size_t k = 0; k < data.size(); ++k) {
                const double N = data[k].at("normal_force_magnitude");
                EXPECT_NEAR(collisions[k].normal_force, N, 1e-9 * N);
                EXPECT_EQ(
                    std::vector<int>(collisions[k].vertices.begin(), collisions[k].vertices.end()),
                    data[k].at("vertices"));
            }
            const FrictionPotential friction(query.at("eps_v"));
            const Positions V = to_matrix(query.at("velocities"));
            const double value = result.at("value");
            EXPECT_NEAR(friction(collisions, mesh, V), value, 1e-9 * value);
            expect_near_relative(friction.gradient(collisions, mesh, V), to_vector(result.at("gradient")), 1e-8);
            expect_near_relative(
                friction.force(collisions, mesh, V), to_vector(result.at("smooth_contact_force")), 1e-8);
            const Eigen::VectorXd p = probe(mesh.ndof());
            const auto H = friction.hessian(collisions, mesh, V);
            expect_near_relative(H * p, to_vector(result.at("hessian_times_probe")), 1e-7);
            const auto clamped = friction.hessian(collisions, mesh, V, PSDProjectionMethod::clamp);
            expect_near_relative(clamped * p, to_vector(result.at("hessian_psd_clamp_times_probe")), 1e-7);
            ++compared;
        }
    }
    EXPECT_EQ(compared, 1);
}

} // namespace

} // namespace abut::test::gcp_friction_test
