#pragma once
// What the Geometric Contact Potential is told.

#include "abut/math/types.hpp"

#include <cstdint>
#include <string>

namespace abut {

class CollisionMesh;

/// Whose formulas. docs/gcp.md has a table of the differences.
enum class SmoothContactVariant : std::uint8_t {
    paper,   ///< Huang et al. 2025
    toolkit, ///< IPC Toolkit 1.6, for the same numbers as there
};

/// What L is: the width that stands for the missing dimensions of edges and vertices in the surface integral.
enum class FeatureLength : std::uint8_t {
    edge_length, ///< of an edge its rest length, of a vertex the mean of its edges'
    constant,    ///< the same everywhere
    per_element, ///< given for each vertex and edge
};

/// Given by name: SmoothContactParameters{.dhat = 1e-3, .alpha_t = 0.7}.
struct SmoothContactParameters {
    double dhat = 0; ///< no pair acts farther apart than this [m], > 0

    /// Local minimum test: a tangent along which the distance falls with cosine c has the factor H(-c), which is 0 from
    /// c = alpha_t on and 1 below c = -beta_t. Small alpha_t: fewer pairs, less smooth. 0 < alpha_t <= 1,
    /// -alpha_t < beta_t <= 1.
    double alpha_t = 0.5, beta_t = 0;

    /// Exterior test: the same for directions that point out of a body by cosine c: the factor H(c) is 0 below -alpha_n
    /// and 1 from beta_n on. 0 <= alpha_n <= 1, -alpha_n < beta_n <= 1.
    double alpha_n = 0.1, beta_n = 0;

    int r = 0; ///< exponent of the barrier, 1 to 16; 0: dim - 1

    SmoothContactVariant variant = SmoothContactVariant::paper;

    /// Test directions against the outside of bodies? Of the paper's variant: where a component of the mesh is closed
    /// and consistently oriented; others are two-sided. Of the toolkit's: everywhere, and there it is off by default.
    bool use_exterior_test = true;

    FeatureLength feature_length = FeatureLength::edge_length;
    double constant_length = 0;                             ///< L of FeatureLength::constant [m], > 0
    Eigen::VectorXd vertex_lengths = {}, edge_lengths = {}; ///< L of FeatureLength::per_element [m], >= 0

    /// The toolkit's formulas with its defaults: alpha_t = 1, r = 2 and no exterior test.
    [[nodiscard]] static SmoothContactParameters toolkit(double dhat);

    [[nodiscard]] int exponent(int dim) const { return r > 0 ? r : dim - 1; }

    /// Throws InvalidInput, naming the parameter, where one is out of its range.
    void validate() const;
    /// The same, also where one does not fit the mesh.
    void validate(const CollisionMesh& mesh) const;
};

/// The first parameter by which the pairs of a set or their energy in `dim` dimensions may differ, with both values:
/// "alpha_t: 0.5 and 0.7"; empty where there is none.
[[nodiscard]] std::string
difference(const SmoothContactParameters& first, const SmoothContactParameters& second, int dim);

} // namespace abut
