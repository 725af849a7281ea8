// GCP in the toolkit's variant, against the values that the reference toolkit computed.

#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/gcp/smoothing.hpp"
#include "support/reference_set.hpp"

namespace abut::test::gcp_reference_test {

namespace {

constexpr double value_tolerance = 1e-8, hessian_tolerance = 1e-7;

/// How far a comparison went.
enum Depth { gradients, projections };

/// Of one query 14 vertices lie exactly over the ends of edges, and rounding decides whether they are listed as pairs;
/// their energies are below 1e-9 of the rest.
bool has_undecided_pairs(const std::string& name, std::size_t query)
{
    return name == "b01_icosphere1_large_dhat" && query == 7;
}

/// Of another query one pair is exactly as far apart as it reaches: g++ leaves it out as the reference does, clang
/// lists it, without energy.
bool has_pair_at_its_extent(const std::string& name, std::size_t query)
{
    return name == "k03_v_groove" && query == 13;
}

Depth compare(const ReferenceMesh& scene, const nlohmann::json& query, bool is_undecided, bool may_list_more)
{
    const nlohmann::json& result = query.at("result");
    const auto& [mesh, X, has_ties, queries] = scene; // ties or not: GCP's energies are C1 across them
    const SmoothContactParameters params = reference_smooth_parameters(query);
    SmoothCollisions collisions;
    SmoothExtents extents;
    if (query.value("adaptive_dhat", false)) {
        const bool from_rest = query.value("adaptive_from", "rest") == "rest";
        extents = adaptive_extents(
            mesh, from_rest ? mesh.rest_positions() : X, params, query.value("adaptive_dhat_ratio", 0.5));
        const char* const names[]{"vert_adaptive_dhat", "edge_adaptive_dhat", "face_adaptive_dhat"};
        const Eigen::VectorXd* const lists[]{&extents.vertices, &extents.edges, &extents.faces};
        for (int k = 0; k < 3; ++k)
            if (result.contains(names[k]) && !result[names[k]].empty() && lists[k]->size() > 0)
                expect_near_relative(*lists[k], to_vector(result[names[k]]), 1e-12);
    }
    collisions.build(mesh, X, params, extents);
    const SmoothContactPotential potential(params);
    const double expected = result.at("value");
    EXPECT_NEAR(potential(collisions, mesh, X), expected, value_tolerance * std::abs(expected));
    const Eigen::VectorXd gradient = to_vector(result.at("gradient"));
    expect_near_relative(potential.gradient(collisions, mesh, X), gradient, value_tolerance);
    if (is_undecided)
        return gradients;
    const auto& sizes = result.at("num_collisions");
    const Eigen::VectorXd energies = potential.energies(collisions, mesh, X);
    const auto expect_count = [&](PairKind kind, const char* name) {
        int all = 0, negligible = 0;
        for (std::size_t k = 0; k < collisions.size(); ++k)
            if (collisions[k].kind == kind) {
                ++all;
                negligible += energies[k] <= 1e-20 * expected;
            }
        const int listed = sizes[name];
        EXPECT_TRUE(all == listed || (may_list_more && all - negligible == listed)) << name << ": " << all;
    };
    expect_count(PairKind::vertex_vertex, "vert-vert");
    expect_count(PairKind::edge_vertex, "edge-vert");
    if (mesh.dim() == 3) {
        expect_count(PairKind::edge_edge, "edge-edge");
        expect_count(PairKind::face_vertex, "face-vert");
    }
    const Eigen::VectorXd p = probe(mesh.ndof());
    const auto H = potential.hessian(collisions, mesh, X);
    EXPECT_NEAR(H.norm(), result.at("hessian_frobenius"), hessian_tolerance * H.norm());
    expect_near_relative(H * p, to_vector(result.at("hessian_times_probe")), hessian_tolerance);
    if (collisions.empty())
        return gradients;
    const auto clamped = potential.hessian(collisions, mesh, X, PSDProjectionMethod::clamp);
    EXPECT_NEAR(clamped.norm(), result.at("hessian_psd_clamp_frobenius"), hessian_tolerance * clamped.norm());
    expect_near_relative(clamped * p, to_vector(result.at("hessian_psd_clamp_times_probe")), hessian_tolerance);
    const auto absolute = potential.hessian(collisions, mesh, X, PSDProjectionMethod::abs);
    EXPECT_NEAR(absolute.norm(), result.at("hessian_psd_abs_frobenius"), hessian_tolerance * absolute.norm());
    return projections;
}

TEST(GcpReference, MatchesValuesGradientsAndHessians)
{
    std::array<int, 2> compared{};
    for (const std::string& name : reference_scenes("gcp")) {
        const ReferenceMesh scene = read_reference_mesh(name);
        for (std::size_t i = 0; i < scene.queries.size(); ++i) {
            const nlohmann::json& query = scene.queries[i];
            if (query.value("model", "") != "gcp")
                continue;
            SCOPED_TRACE(name + " query " + std::to_string(i) + " " + std::to_string(query.at("dhat").get<double>()));
            ++compared[compare(scene, query, has_undecided_pairs(name, i), has_pair_at_its_extent(name, i))];
        }
    }
    // All 300 recorded queries; those with gradients only have no pair, but for the undecided one.
    EXPECT_EQ(compared[gradients] + compared[projections], 300);
    EXPECT_EQ(compared[projections], 178);
    RecordProperty("gradients_only", compared[gradients]);
    RecordProperty("with_projections", compared[projections]);
}

} // namespace

} // namespace abut::test::gcp_reference_test
