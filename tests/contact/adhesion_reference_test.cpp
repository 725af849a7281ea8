// Adhesion against the values that the reference toolkit computed. Where the two differ:
//
//   normal force of tangential adhesion   there da/dD at dhat_p, Y eps_c / (2 (dhat_p + dmin)), a force per length;
//   here
//                                         da/dd, Y eps_c. Everything tangential differs by this factor.
//   Hessian on (eps_a, 2 eps_a)           there without the slope of the force, which its force Jacobian has; here with
//                                         it, so that theirs is ours with the negative eigenvalue clamped.
//   Hessian at rest                       there 0; here the limit. No recorded query is at rest.

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "support/reference_set.hpp"

namespace abut::test::adhesion_reference_test {

namespace {

constexpr double value_tolerance = 1e-8, hessian_tolerance = 1e-7;

/// The law of the squared distance, as the reference has it.
NormalAdhesionPotential adhesion_of(const nlohmann::json& query)
{
    return NormalAdhesionPotential(
        {.dhat_p = query.at("dhat_p"),
         .dhat_a = query.at("dhat_a"),
         .youngs_modulus = query.at("Y"),
         .critical_strain = query.at("eps_c"),
         .distance = DistanceKind::squared});
}

NormalCollisions set_of(const ReferenceMesh& scene, const nlohmann::json& query)
{
    nlohmann::json with_dhat = query;
    with_dhat["dhat"] = query.at("dhat_a");
    return reference_set(scene, reference_options(with_dhat));
}

/// Calls compare(scene, query, result) for all queries of a model; returns how many.
template <typename Compare>
int for_each_query(const std::string& model, Compare&& compare)
{
    int count = 0;
    for (const std::string& name : reference_scenes(model)) {
        const ReferenceMesh scene = read_reference_mesh(name);
        for (std::size_t i = 0; i < scene.queries.size(); ++i) {
            const nlohmann::json& query = scene.queries[i];
            if (query.value("model", "") != model)
                continue;
            SCOPED_TRACE(name + ", query " + std::to_string(i));
            compare(scene, query, query.at("result"));
            ++count;
        }
    }
    return count;
}

TEST(AdhesionReference, NormalMatchesValuesGradientsAndHessians)
{
    const int compared =
        for_each_query("adhesion_normal", [](const auto& scene, const auto& query, const auto& result) {
            const auto& [mesh, X, has_ties, queries] = scene;
            const NormalCollisions collisions = set_of(scene, query);
            const NormalAdhesionPotential adhesion = adhesion_of(query);
            EXPECT_EQ(collisions.ev().size(), result.at("num_collisions")["ev"]);
            EXPECT_EQ(collisions.ee().size(), result.at("num_collisions")["ee"]);
            const double value = result.at("value");
            EXPECT_NEAR(adhesion(collisions, mesh, X), value, value_tolerance * std::abs(value));
            expect_near_relative(
                adhesion.gradient(collisions, mesh, X), to_vector(result.at("gradient")), value_tolerance);
            const Eigen::VectorXd p = probe(mesh.ndof());
            const auto H = adhesion.hessian(collisions, mesh, X);
            EXPECT_NEAR(H.norm(), result.at("hessian_frobenius"), hessian_tolerance * H.norm());
            expect_near_relative(H * p, to_vector(result.at("hessian_times_probe")), hessian_tolerance);
            const auto clamped = adhesion.hessian(collisions, mesh, X, PSDProjectionMethod::clamp);
            EXPECT_NEAR(clamped.norm(), result.at("hessian_psd_clamp_frobenius"), hessian_tolerance * clamped.norm());
            expect_near_relative(clamped * p, to_vector(result.at("hessian_psd_clamp_times_probe")), hessian_tolerance);
            const auto absolute = adhesion.hessian(collisions, mesh, X, PSDProjectionMethod::abs);
            EXPECT_NEAR(absolute.norm(), result.at("hessian_psd_abs_frobenius"), hessian_tolerance * absolute.norm());
            // da/dD there, da/dd here
            const double d = adhesion.options().dhat_p + collisions.options().dmin;
            EXPECT_NEAR(*adhesion.sliding_force(), 2 * d * result.at("force_magnitude").template get<double>(), 1e-9);
        });
    EXPECT_EQ(compared, 3);
}

TEST(AdhesionReference, TangentialMatchesValuesGradientsHessiansAndForces)
{
    int letting_go = 0;
    const int compared =
        for_each_query("adhesion_tangential", [&](const auto& scene, const auto& query, const auto& result) {
            const CollisionMesh& mesh = scene.mesh;
            const NormalCollisions normal = set_of(scene, query);
            const NormalAdhesionPotential adhesion = adhesion_of(query);
            TangentialCollisions collisions;
            collisions.build(mesh, scene.X, normal, adhesion, {.mu_s = query.at("mu_s"), .mu_k = query.at("mu_k")});
            const TangentialAdhesionPotential potential(query.at("eps_a"));
            const Positions V = to_matrix(query.at("velocities"));
            const Eigen::VectorXd p = probe(mesh.ndof());
            const double per_length = 1 / (2 * (adhesion.options().dhat_p + normal.options().dmin));

            EXPECT_EQ(collisions.ee().size(), result.at("num_tangential")["ee"]);
            EXPECT_EQ(collisions.ev().size(), result.at("num_tangential")["ev"]);
            for (std::size_t k = 0; k < collisions.size(); ++k)
                EXPECT_DOUBLE_EQ(
                    per_length * collisions[k].normal_force, result.at("tangential_data")[k]["normal_force_magnitude"]);
            const double value = result.at("value");
            EXPECT_NEAR(per_length * potential(collisions, mesh, V), value, value_tolerance * value);
            expect_near_relative(
                per_length * potential.gradient(collisions, mesh, V), to_vector(result.at("gradient")),
                value_tolerance);
            expect_near_relative(
                per_length * potential.force(collisions, mesh, V), to_vector(result.at("force")), value_tolerance);

            // In one query all pairs slide slower than eps_a, in the other all between that and twice as fast.
            const auto H = potential.hessian(collisions, mesh, V);
            const auto clamped = potential.hessian(collisions, mesh, V, PSDProjectionMethod::clamp);
            const bool is_letting_go = H.norm() != clamped.norm();
            letting_go += is_letting_go ? 1 : 0;
            for (const char* name : {"hessian_times_probe", "hessian_psd_clamp_times_probe"})
                expect_near_relative(per_length * (clamped * p), to_vector(result.at(name)), hessian_tolerance);
            const auto jacobian = [&](DiffWRT wrt) -> Eigen::VectorXd {
                return per_length * (potential.force_jacobian(collisions, mesh, scene.X, V, adhesion, wrt) * p);
            };
            const auto by_velocity = to_vector(result.at("force_jacobian_wrt_velocities_times_probe"));
            const auto by_position = to_vector(result.at("force_jacobian_wrt_lagged_displacements_times_probe"));
            if (is_letting_go) {
                EXPECT_GT((H * p - clamped * p).norm(), 0.1 * (H * p).norm());
            }
            expect_near_relative(jacobian(DiffWRT::velocities), by_velocity, hessian_tolerance);
            expect_near_relative(jacobian(DiffWRT::lagged_positions), by_position, hessian_tolerance);
        });
    EXPECT_EQ(compared, 2);
    EXPECT_EQ(letting_go, 1);
}

TEST(AdhesionReference, MatchesTheTablesOfTwoCoefficients)
{
    const nlohmann::json queries = read_oracle("f03_adhesion_friction_tables").at("queries");
    ASSERT_EQ(queries.size(), 2u);
    for (const nlohmann::json& query : queries) {
        const nlohmann::json& result = query.at("result");
        const SmoothTangentialAdhesion g{query.at("mu_s"), query.at("mu_k"), query.at("eps")};
        for (std::size_t k = 0; k < query.at("y").size(); ++k) {
            const double y = query["y"][k];
            const auto expect = [&](double actual, const char* name) {
                const double expected = result.at(name)[k];
                EXPECT_NEAR(actual, expected, 1e-8 * std::abs(expected)) << name << " at " << y;
            };
            expect(g(y).value, "tangential_mu_a0");
            expect(g(y).first, "tangential_mu_a1");
            if (y > 0) // at 0 the reference returns 0, Abut the limit 2 mu_s / eps
                expect(g(y).second, "tangential_mu_a2");
        }
    }
}

} // namespace

} // namespace abut::test::adhesion_reference_test
