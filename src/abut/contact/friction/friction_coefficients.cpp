#include "abut/contact/friction/friction_coefficients.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <algorithm>
#include <optional>

namespace abut {

void FrictionCoefficients::validate(const CollisionMesh& mesh) const
{
    const auto check = [](double mu, const std::string& name) {
        if (!(mu >= 0 && std::isfinite(mu)))
            reject("{}: {} is not a coefficient of friction; it must be a number >= 0", name, mu);
    };
    check(mu_s, "mu_s");
    check(mu_k, "mu_k");
    const auto check_vertices = [&](const Eigen::VectorXd& mu, const char* name) {
        if (mu.size() != 0 && mu.size() != mesh.num_vertices())
            reject("{}: {} numbers for {} vertices", name, mu.size(), mesh.num_vertices());
        for (Eigen::Index i = 0; i < mu.size(); ++i)
            check(mu[i], fmt::format("{}[{}]", name, i));
    };
    check_vertices(vertex_mu_s, "vertex_mu_s");
    check_vertices(vertex_mu_k, "vertex_mu_k");
    if ((vertex_mu_s.size() == 0) != (vertex_mu_k.size() == 0))
        reject("vertex_mu_s, vertex_mu_k: give both or neither");
    const auto check_table = [&](const Eigen::MatrixXd& mu, const char* name) {
        if (mu.size() == 0)
            return;
        const auto [least, most] = std::minmax_element(mesh.material_ids().begin(), mesh.material_ids().end());
        if (*least < 0)
            reject("{}: the mesh has a material {}; a table needs ids from 0 on", name, *least);
        if (mu.rows() != mu.cols() || *most >= mu.rows())
            reject(
                "{}: a table of {} x {}, but the mesh has materials 0 to {}; give a square table with a row for each",
                name, mu.rows(), mu.cols(), *most);
        for (Eigen::Index i = 0; i < mu.rows(); ++i)
            for (Eigen::Index j = 0; j < mu.cols(); ++j) {
                check(mu(i, j), fmt::format("{}({}, {})", name, i, j));
                if (mu(i, j) != mu(j, i))
                    reject(
                        "{}: entry ({}, {}) is {} and ({}, {}) is {}; the table must be symmetric", name, i, j,
                        mu(i, j), j, i, mu(j, i));
            }
    };
    check_table(material_mu_s, "material_mu_s");
    check_table(material_mu_k, "material_mu_k");
    if ((material_mu_s.size() == 0) != (material_mu_k.size() == 0))
        reject("material_mu_s, material_mu_k: give both or neither");
    if (!plane_materials.empty() && plane_materials.size() != mesh.planes().size())
        reject("plane_materials: {} numbers for {} planes", plane_materials.size(), mesh.planes().size());
    for (const int material : plane_materials)
        if (material < 0 || (material_mu_s.size() != 0 && material >= material_mu_s.rows()))
            reject("plane_materials: {} is no row of the tables, which have {}", material, material_mu_s.rows());
    for (int k = 0; k < 2; ++k)
        if (!(mu_aniso[k] > 0 && std::isfinite(mu_aniso[k])))
            reject("mu_aniso[{}]: {} is not a positive number", k, mu_aniso[k]);
}

namespace {

/// The blended coefficient and its derivatives by the two sides'.
struct Blended {
    double mu, by_first, by_second;
};

Blended blend(BlendRule rule, double first, double second)
{
    switch (rule) {
    case BlendRule::mean:
        return {(first + second) / 2, 0.5, 0.5};
    case BlendRule::minimum:
        return first <= second ? Blended{first, 1, 0} : Blended{second, 0, 1};
    case BlendRule::maximum:
        return first >= second ? Blended{first, 1, 0} : Blended{second, 0, 1};
    case BlendRule::product:
        return {first * second, second, first};
    case BlendRule::geometric_mean:
        break;
    }
    const double mean = std::sqrt(first * second);
    return mean > 0 ? Blended{mean, second / (2 * mean), first / (2 * mean)} : Blended{0, 0, 0};
}

PairCoefficient<4>
of_vertices(const Eigen::VectorXd& mu, BlendRule rule, std::span<const int> vertices, int num_first, const Vec<4>& w)
{
    const int n = static_cast<int>(vertices.size());
    double first = 0, second = 0;
    for (int i = 0; i < n; ++i)
        (i < num_first ? first : second) += std::copysign(1.0, num_first - i - 0.5) * w[i] * mu[vertices[i]];
    PairCoefficient<4> pair{first, Vec<4>::Zero()};
    const Blended blended = num_first == n ? Blended{first, 1, 0} : blend(rule, first, second);
    pair.mu = blended.mu;
    for (int i = 0; i < n; ++i)
        pair.by_weight[i] = (i < num_first ? blended.by_first : -blended.by_second) * mu[vertices[i]];
    return pair;
}

/// The table's entry where all vertices of a side have one material; else its bilinear interpolation.
PairCoefficient<4> of_materials(
    const Eigen::MatrixXd& table, const std::vector<int>& materials, std::span<const int> vertices, int num_first,
    const Vec<4>& w, std::optional<int> plane_material)
{
    const int n = static_cast<int>(vertices.size());
    PairCoefficient<4> pair{0, Vec<4>::Zero()};
    for (int i = 0; i < num_first; ++i) {
        const int mi = materials[vertices[i]];
        if (num_first == n) { // a plane
            const double mu = table(mi, plane_material.value_or(mi));
            pair.mu += w[i] * mu;
            pair.by_weight[i] += mu;
        }
        for (int j = num_first; j < n; ++j) {
            const double mu = table(mi, materials[vertices[j]]);
            pair.mu -= w[i] * w[j] * mu;
            pair.by_weight[i] -= w[j] * mu;
            pair.by_weight[j] -= w[i] * mu;
        }
    }
    return pair;
}

} // namespace

double blended(BlendRule rule, double first, double second) { return blend(rule, first, second).mu; }

PairCoefficients pair_coefficients(
    const FrictionCoefficients& coefficients, const CollisionMesh& mesh, std::span<const int> vertices, int num_first,
    const Vec<4>& w, int plane)
{
    ABUT_ASSERT(vertices.size() <= 4 && num_first > 0 && static_cast<std::size_t>(num_first) <= vertices.size());
    const std::vector<int>& planes = coefficients.plane_materials;
    const std::optional<int> plane_material =
        plane >= 0 && !planes.empty() ? std::optional(planes[static_cast<std::size_t>(plane)]) : std::nullopt;
    const auto of = [&](double number, const Eigen::VectorXd& by_vertex, const Eigen::MatrixXd& table) {
        if (table.size() != 0)
            return of_materials(table, mesh.material_ids(), vertices, num_first, w, plane_material);
        if (by_vertex.size() != 0)
            return of_vertices(by_vertex, coefficients.blend, vertices, num_first, w);
        return PairCoefficient<4>{number, Vec<4>::Zero()};
    };
    return {
        of(coefficients.mu_s, coefficients.vertex_mu_s, coefficients.material_mu_s),
        of(coefficients.mu_k, coefficients.vertex_mu_k, coefficients.material_mu_k)};
}

} // namespace abut
