#pragma once
// Vertices drawn to points of space, each by a spring and a constant force:
//
//   E(x) = Σ_k  f_k · (x_k − a_k) + s_k / 2 |x_k − a_k|²
//
// Inertia is one: the springs of stiffness m / dt² hold each vertex where it would go without forces (integrator.hpp).
// Scripts are another, as an augmented Lagrangian: vertices are pulled to where the script wants them and not put
// there, so that contact always wins. After a solve the multipliers f grow by s (x − a), until the vertices arrive or
// contact holds them back.

#include "abut/solver/energy.hpp"

namespace abut {

class AnchorEnergy final : public Energy {
public:
    /// `name` must outlive it.
    AnchorEnergy(std::string_view name, std::vector<int> vertices, int dim);

    /// Points a and forces f, one row an anchored vertex, and stiffnesses s [N/m] >= 0.
    void set(Positions targets, Positions forces, Eigen::VectorXd stiffness);

    [[nodiscard]] const std::vector<int>& vertices() const { return vertices_; }
    [[nodiscard]] const Positions& targets() const { return targets_; }

    /// The distance of the k-th vertex from its target [m].
    [[nodiscard]] double lag(const ConstPositions& x, std::size_t k) const;
    /// The largest of them.
    [[nodiscard]] double lag(const ConstPositions& x) const;

    /// f += s (x − a); call after a solve that ended at x.
    void raise_multipliers(const ConstPositions& x);

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;

private:
    template <int Dim>
    void evaluate_terms(const ConstPositions& x, const TermOutput& out) const;

    std::string_view name_;
    std::vector<int> vertices_;
    Stencils stencils_;
    Positions targets_, forces_;
    Eigen::VectorXd stiffness_;
    int dim_;
};

} // namespace abut
