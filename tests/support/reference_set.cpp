#include "support/reference_set.hpp"

namespace abut::test {

ReferenceMesh read_reference_mesh(const std::string& name, bool reverse_edges)
{
    const nlohmann::json scene = read_oracle(name);
    const auto elements_of = [&](const char* key, int corners) {
        return scene.at(key).empty() ? Elements(0, corners) : Elements(to_matrix(scene.at(key)).cast<int>());
    };
    Elements edges = elements_of("edges", 2);
    if (reverse_edges)
        edges = edges.colwise().reverse().eval();
    CollisionMeshOptions options;
    if (scene.contains("planes"))
        for (const auto& plane : scene["planes"])
            options.planes.push_back({to_vector(plane["point"]), to_vector(plane["normal"])});
    return {
        CollisionMesh(Positions(to_matrix(scene.at("rest"))), edges, elements_of("faces", 3), options),
        to_matrix(scene.at("vertices")), scene.at("degenerate_ties"), scene.at("queries")};
}

std::vector<std::string> reference_scenes(const std::string& model)
{
    std::vector<std::string> found;
    for (const std::string& name : oracle_names()) {
        const auto queries = read_oracle(name).at("queries");
        if (std::any_of(queries.begin(), queries.end(), [&](const auto& q) { return q.value("model", "") == model; }))
            found.push_back(name);
    }
    if (found.empty())
        throw std::runtime_error("no recorded scene has queries of the model '" + model + "'");
    return found;
}

ConvergentRules reference_rules(const CollisionMesh& mesh)
{
    return {[&mesh](int vertex) {
        if (mesh.dim() == 2)
            return mesh.vertex_edges(vertex).size() <= 1;
        for (const int e : mesh.vertex_edges(vertex))
            if (mesh.edge_opposites(e).size() >= 2)
                return false;
        return true;
    }};
}

NormalCollisionsOptions reference_options(const nlohmann::json& query)
{
    return {
        .dhat = query.at("dhat"),
        .dmin = query.value("dmin", 0.0),
        .set_type = query.value("collision_set", "IPC") == "IMPROVED_MAX_APPROX" ? CollisionSetType::convergent
                                                                                 : CollisionSetType::ipc,
        .use_area_weighting = query.value("use_area_weighting", false)};
}

NormalCollisions reference_set(const ReferenceMesh& scene, const NormalCollisionsOptions& options)
{
    Candidates candidates;
    candidates.build(scene.mesh, scene.X, (options.dmin + options.dhat) / 2);
    return NormalCollisionsBuilder(scene.mesh, scene.X, options)
        .build(
            find_near_pairs(candidates, scene.mesh, scene.X, options.dmin + options.dhat), reference_rules(scene.mesh));
}

Eigen::VectorXd probe(Eigen::Index n)
{
    Eigen::VectorXd p(n);
    for (Eigen::Index i = 0; i < n; ++i)
        p[i] = std::sin(1.0 + double(i));
    return p;
}

void expect_near_relative(const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double tolerance)
{
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_LE((actual - expected).norm(), tolerance * expected.norm()) << "norm " << expected.norm();
}

BarrierPotential reference_barrier(const nlohmann::json& query)
{
    const std::string name = query.value("barrier", "clamped_log");
    return BarrierPotential(
        {.dhat = query.at("dhat"),
         .stiffness = query.at("stiffness"),
         .use_physical_barrier = query.value("use_physical_barrier", false),
         .law = normal_law(name == "clamped_log_sq" ? "clamped_log_squared" : name)});
}

SmoothContactParameters reference_smooth_parameters(const nlohmann::json& query)
{
    return {
        .dhat = query.at("dhat"),
        .alpha_t = query.at("alpha_t"),
        .beta_t = query.at("beta_t"),
        .alpha_n = query.at("alpha_n"),
        .beta_n = query.at("beta_n"),
        .r = query.at("r"),
        .variant = SmoothContactVariant::toolkit,
        .use_exterior_test = query.value("orient", false)};
}

} // namespace abut::test
