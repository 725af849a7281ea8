#pragma once
// Coefficients of friction of a pair: one number for everything, one per vertex with a rule to blend the two sides, or
// a table over pairs of materials.

#include "abut/mesh/collision_mesh.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace abut {

/// How the coefficients of the two sides of a contact become one.
enum class BlendRule : std::uint8_t { mean, minimum, maximum, product, geometric_mean };

/// The rules by name, in their order.
inline constexpr std::array<std::pair<std::string_view, BlendRule>, 5> blend_rules{
    {{"mean", BlendRule::mean},
     {"minimum", BlendRule::minimum},
     {"maximum", BlendRule::maximum},
     {"product", BlendRule::product},
     {"geometric_mean", BlendRule::geometric_mean}}};

/// The coefficient of two sides.
[[nodiscard]] double blended(BlendRule rule, double first, double second);

struct FrictionCoefficients {
    double mu_s = 0; ///< static, >= 0
    double mu_k = 0; ///< kinetic, >= 0

    /// One per vertex of the mesh, in place of the numbers above where they are not empty; interpolated at the contact
    /// point. Both or neither.
    Eigen::VectorXd vertex_mu_s{}, vertex_mu_k{};
    BlendRule blend = BlendRule::mean;

    /// One for each pair of the mesh's materials (symmetric), in place of all above where they are not empty. A vertex
    /// against a plane takes the diagonal entry of its material, unless planes have materials. Both or neither.
    Eigen::MatrixXd material_mu_s{}, material_mu_k{};
    /// Material of each plane of the mesh, for these tables; empty: planes have none.
    std::vector<int> plane_materials{};

    /// Sliding along the two directions of the tangent basis is scaled by these, > 0: friction is anisotropic where
    /// they differ. The first direction is along the edge of an edge-vertex pair, the first edge of an edge-edge pair,
    /// the first edge of the face of a face-vertex pair. In the plane only the first counts.
    Vec2 mu_aniso = Vec2::Ones();

    /// The same coefficient for rest and sliding.
    static FrictionCoefficients uniform(double mu) { return {.mu_s = mu, .mu_k = mu}; }

    /// Throws InvalidInput naming the field.
    void validate(const CollisionMesh& mesh) const;
};

/// A coefficient and its derivative by the weights of the stencil's vertices.
template <int N>
struct PairCoefficient {
    double mu;
    Vec<N> by_weight;
};

struct PairCoefficients {
    PairCoefficient<4> mu_s, mu_k;
};

/// The coefficients of a pair whose contact point has the weights `w` of a ClosestPair: the first `num_first` vertices
/// are one side, with weights that sum to 1, the others the other, with weights that sum to −1. `plane` is the number
/// of the plane where that is the other side.
[[nodiscard]] PairCoefficients pair_coefficients(
    const FrictionCoefficients& coefficients, const CollisionMesh& mesh, std::span<const int> vertices, int num_first,
    const Vec<4>& w, int plane = -1);

} // namespace abut
