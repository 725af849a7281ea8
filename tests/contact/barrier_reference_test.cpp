// The barrier over IPC's and the convergent set, against the values that the reference toolkit computed.

#include "support/reference_set.hpp"

namespace abut::test::barrier_reference_test {

namespace {

constexpr double value_tolerance = 1e-8, hessian_tolerance = 1e-7;

/// Queries that are no comparison, each with its reason; empty if it is one.
std::string reason_to_exclude(const ReferenceMesh& scene, const nlohmann::json& query)
{
    if (query.value("collision_set", "IPC") == "OGC")
        return "compared in ogc_reference_test.cpp";
    if (!scene.mesh.planes().empty() && query.at("dhat") < 0.06)
        return "the reference finds planes only at half the distance; the cube is 0.03 above";
    return "";
}

/// How far a comparison went.
enum Depth { gradients, hessians, projections };

Depth compare(const ReferenceMesh& scene, const nlohmann::json& query)
{
    const nlohmann::json& result = query.at("result");
    const bool has_merge_bug = query.contains("library_bug");

    const NormalCollisions collisions = reference_set(scene, reference_options(query));
    const BarrierPotential barrier = reference_barrier(query);
    const auto& [mesh, X, has_ties, queries] = scene;

    const double value = barrier(collisions, mesh, X);
    const double expected = has_merge_bug ? query.at("corrected_value") : result.at("value");
    EXPECT_NEAR(value, expected, value_tolerance * std::abs(expected));
    if (has_merge_bug) // the merged weights of the reference belong to other pairs: so do its derivatives
        return gradients;
    expect_near_relative(barrier.gradient(collisions, mesh, X), to_vector(result.at("gradient")), value_tolerance);
    if (!result.at("min_distance_sq").is_null()) {
        const double smallest = std::sqrt(result["min_distance_sq"].get<double>());
        EXPECT_NEAR(collisions.compute_minimum_distance(mesh, X), smallest, 1e-12);
    }
    if (has_ties)
        return gradients;
    const auto& sizes = result.at("num_collisions");
    EXPECT_EQ(collisions.vv().size(), sizes["vv"]);
    EXPECT_EQ(collisions.ev().size(), sizes["ev"]);
    EXPECT_EQ(collisions.ee().size(), sizes["ee"]);
    EXPECT_EQ(collisions.fv().size(), sizes["fv"]);
    EXPECT_EQ(collisions.pv().size(), sizes["pv"]);
    const Eigen::VectorXd p = probe(mesh.ndof());
    const auto H = barrier.hessian(collisions, mesh, X);
    EXPECT_NEAR(H.norm(), result.at("hessian_frobenius"), hessian_tolerance * H.norm());
    expect_near_relative(H * p, to_vector(result.at("hessian_times_probe")), hessian_tolerance);

    // The reference does not project the Hessian of exactly parallel edges.
    for (std::size_t k = 0; k < collisions.ee().size(); ++k) {
        const auto& v = collisions.ee().vertices[k];
        const Vec3 a = X.row(v[1]) - X.row(v[0]), b = X.row(v[3]) - X.row(v[2]);
        if (a.cross(b).squaredNorm() == 0)
            return hessians;
    }
    const auto clamped = barrier.hessian(collisions, mesh, X, PSDProjectionMethod::clamp);
    EXPECT_NEAR(clamped.norm(), result.at("hessian_psd_clamp_frobenius"), hessian_tolerance * clamped.norm());
    expect_near_relative(clamped * p, to_vector(result.at("hessian_psd_clamp_times_probe")), hessian_tolerance);
    const auto absolute = barrier.hessian(collisions, mesh, X, PSDProjectionMethod::abs);
    EXPECT_NEAR(absolute.norm(), result.at("hessian_psd_abs_frobenius"), hessian_tolerance * absolute.norm());
    return collisions.empty() ? gradients : projections;
}

TEST(BarrierReference, MatchesValuesGradientsAndHessians)
{
    int excluded = 0;
    std::array<int, 3> compared{};
    for (const std::string& name : reference_scenes("ipc")) {
        const ReferenceMesh scene = read_reference_mesh(name);
        for (std::size_t i = 0; i < scene.queries.size(); ++i) {
            const nlohmann::json& query = scene.queries[i];
            if (query.value("model", "") != "ipc")
                continue;
            SCOPED_TRACE(name + ", query " + std::to_string(i));
            if (!reason_to_exclude(scene, query).empty()) {
                ++excluded;
                continue;
            }
            ++compared[compare(scene, query)];
        }
    }
    // Of 305 queries. Without Hessians: scenes with ties and empty sets.
    EXPECT_EQ(excluded, 98);
    EXPECT_EQ(compared[gradients], 87);
    EXPECT_EQ(compared[projections], 120);
}

} // namespace

} // namespace abut::test::barrier_reference_test
