#pragma once
// Vertices that follow a script, by an augmented Lagrangian: they are pulled to their targets and not put there, so
// that contact always wins.
//
//   E(x) = Σ_v  λ_v · (x_v − x*_v) + k/2 |x_v − x*_v|²
//
// After each solve the multipliers grow by k (x − x*), until the vertices are where the script wants them or contact
// holds them back.

#include "abut/solver/energy.hpp"

namespace abut {

class ScriptEnergy final : public Energy {
public:
    ScriptEnergy(std::vector<int> vertices, int dim);

    /// Targets of the next solve, one row a scripted vertex, and the stiffness k [N/m]. Multipliers start anew.
    void set_targets(Positions targets, double stiffness);

    /// The largest distance of a vertex from its target [m].
    [[nodiscard]] double lag(const ConstPositions& x) const;

    /// Multipliers follow; call after a solve that ended at x.
    void raise_multipliers(const ConstPositions& x);

    [[nodiscard]] const std::vector<int>& vertices() const { return vertices_; }
    [[nodiscard]] std::string_view name() const override { return "scripts"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override;

private:
    std::vector<int> vertices_;
    Stencils stencils_;
    Positions targets_, multipliers_;
    int dim_;
    double stiffness_ = 0;
};

} // namespace abut
