#pragma once
// Inertia of implicit time steps: a spring of stiffness m / dt² from each vertex to where it would go without forces.
//
//   E(x) = Σ_v  m_v / (2 dt²) |x_v − x̂_v|²
//
// With gravity in x̂ = x_t + dt v_t + dt² g, minimising E plus the potentials is one step of implicit Euler.

#include "abut/solver/energy.hpp"

namespace abut {

class InertiaEnergy final : public Energy {
public:
    /// `masses`: one a vertex [kg]; a vertex of mass 0 has no term.
    InertiaEnergy(const Eigen::VectorXd& masses, int dim);

    /// The target x̂ and the time step [s] of the next solve.
    void set_target(Positions target, double dt);

    [[nodiscard]] std::string_view name() const override { return "inertia"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;

private:
    Stencils stencils_;
    std::vector<int> vertices_;
    Eigen::VectorXd masses_;
    Positions target_;
    int dim_;
    double dt_ = 1;
};

} // namespace abut
