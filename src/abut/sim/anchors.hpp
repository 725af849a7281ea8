#pragma once
// Vertices drawn to points of space, each by a spring and a constant force:
//
//   E(x) = Σ_k  f_k · (x_k − a_k) + s_k / 2 |x_k − a_k|²
//
// Inertia is such terms (inertia_energy.hpp), and so are scripts (script_energy.hpp).

#include "abut/solver/energy.hpp"

namespace abut {

class Anchors final : public Terms {
public:
    /// Points a and forces f, one row per anchored vertex, and stiffnesses s [N/m] >= 0.
    struct Springs {
        Positions targets, forces;
        Eigen::VectorXd stiffness;
    };

    Anchors() = default;
    explicit Anchors(std::vector<int> vertices);

    void set(Springs springs);

    [[nodiscard]] const std::vector<int>& vertices() const { return vertices_; }
    [[nodiscard]] const Springs& springs() const { return springs_; }

    /// The distance of the k-th vertex from its target [m].
    [[nodiscard]] double distance(const ConstPositions& x, std::size_t k) const;
    [[nodiscard]] double largest_distance(const ConstPositions& x) const;

    /// f += s (x − a).
    void raise_multipliers(const ConstPositions& x);

    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] Anchors subset(std::span<const int> terms) const;

private:
    template <int Dim>
    void evaluate_terms(const ConstPositions& x, const TermOutput& out) const;

    std::vector<int> vertices_;
    Stencils stencils_;
    Springs springs_;
};

} // namespace abut
