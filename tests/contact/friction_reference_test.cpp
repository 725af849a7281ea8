// Friction against the values that the reference toolkit computed.

#include "abut/contact/friction/tangential_potential.hpp"
#include "support/reference_set.hpp"

namespace abut::test::friction_reference_test {

namespace {

constexpr double value_tolerance = 1e-8, hessian_tolerance = 1e-7;

/// One number, or one per vertex.
FrictionCoefficients coefficients_of(const nlohmann::json& query)
{
    FrictionCoefficients friction;
    if (query["mu_s"].is_array()) {
        friction.vertex_mu_s = to_vector(query["mu_s"]);
        friction.vertex_mu_k = to_vector(query["mu_k"]);
    } else {
        friction.mu_s = query["mu_s"];
        friction.mu_k = query["mu_k"];
    }
    if (query.contains("mu_aniso"))
        friction.mu_aniso = to_vector(query["mu_aniso"]);
    return friction;
}

void compare(const ReferenceMesh& scene, const nlohmann::json& query)
{
    const nlohmann::json& result = query.at("result");
    const CollisionMesh& mesh = scene.mesh;
    const Positions& X = scene.X;
    const NormalCollisions normal = reference_set(scene, reference_options(query));
    const BarrierPotential barrier = reference_barrier(query);
    TangentialCollisions collisions;
    collisions.build(mesh, X, normal, barrier, coefficients_of(query));
    const FrictionPotential friction(query.at("eps_v"));
    const Positions V = to_matrix(query.at("velocities"));
    const Eigen::VectorXd p = probe(mesh.ndof());

    EXPECT_EQ(collisions.ee().size(), result["num_tangential"]["ee"]);
    EXPECT_EQ(collisions.ev().size(), result["num_tangential"]["ev"]);
    const double value = result.at("value");
    EXPECT_NEAR(friction(collisions, mesh, V), value, value_tolerance * std::abs(value));
    const Eigen::VectorXd gradient = to_vector(result.at("gradient"));
    expect_near_relative(friction.gradient(collisions, mesh, V), gradient, value_tolerance);
    const auto H = friction.hessian(collisions, mesh, V);
    expect_near_relative(H * p, to_vector(result.at("hessian_times_probe")), hessian_tolerance);
    EXPECT_NEAR(H.norm(), result.at("hessian_frobenius"), hessian_tolerance * H.norm());
    const auto clamped = friction.hessian(collisions, mesh, V, PSDProjectionMethod::clamp);
    expect_near_relative(clamped * p, to_vector(result.at("hessian_psd_clamp_times_probe")), hessian_tolerance);
    const auto absolute = friction.hessian(collisions, mesh, V, PSDProjectionMethod::abs);
    EXPECT_NEAR(absolute.norm(), result.at("hessian_psd_abs_frobenius"), hessian_tolerance * absolute.norm());

    // With anisotropy the reference's force is not minus its gradient; Abut's is.
    if (query.contains("mu_aniso"))
        return;
    expect_near_relative(friction.force(collisions, mesh, V), to_vector(result.at("force")), value_tolerance);
    const auto jacobian = [&](DiffWRT wrt) { return friction.force_jacobian(collisions, mesh, X, V, barrier, wrt); };
    expect_near_relative(
        jacobian(DiffWRT::velocities) * p, to_vector(result.at("force_jacobian_wrt_velocities_times_probe")),
        hessian_tolerance);
    // The reference leaves out that interpolated coefficients move with the contact point.
    if (query["mu_s"].is_array())
        return;
    expect_near_relative(
        jacobian(DiffWRT::lagged_positions) * p,
        to_vector(result.at("force_jacobian_wrt_lagged_displacements_times_probe")), hessian_tolerance);
}

TEST(FrictionReference, MatchesValuesGradientsHessiansAndForces)
{
    int compared = 0;
    for (const std::string& name : reference_scenes("friction")) {
        const ReferenceMesh scene = read_reference_mesh(name);
        for (std::size_t i = 0; i < scene.queries.size(); ++i) {
            if (scene.queries[i].value("model", "") != "friction")
                continue;
            SCOPED_TRACE(name + ", query " + std::to_string(i));
            // Which edge of a pair comes first decides along which one anisotropy is measured. In Abut it is the one
            // listed first; the reference's broad phase happened to take the other.
            if (scene.queries[i].contains("mu_aniso"))
                compare(read_reference_mesh(name, true), scene.queries[i]);
            else
                compare(scene, scene.queries[i]);
            ++compared;
        }
    }
    EXPECT_EQ(compared, 5);
}

} // namespace

} // namespace abut::test::friction_reference_test
