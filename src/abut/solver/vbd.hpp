#pragma once
// Vertex block descent: blocks of unknowns move one after the other, each to where its own Newton step leads. "Vertex
// Block Descent" (Chen et al. 2024); with contact: "Offset Geometric Contact" (Chen et al. 2025), algorithms 3 and 4.
//
//   sweep:  for each colour, all of its blocks v at once:
//             g_v, H_v   gradient and Hessian by x_v of all terms that v is part of, at what the colours before left
//             d_v        -H_v⁻¹ g_v, cut to the region of v, shortened to stay in the domains of its terms
//             x_v        x_v + d_v
//
// Blocks of one colour share no lasting term. A contact may have several of them: all read positions from before the
// colour, and H_v counts the contact once for each, which keeps the sum from overshooting: w blocks that move at once
// change a term by no more than w times what each would alone. So the bits do not depend on the number of threads.
//
// What has no local form is lagged: terms of rank one, as of enclosed gas, are found once per sweep, and H_v has their
// share for a colour that moves as a whole.
//
// With a linear solver it takes a step of Newton's method (global_step.hpp) where sweeps are slow: where those that are
// still to go, as forces shrink, are more than such a step is worth. It decides by counts and forces, never by times.
//
// A guard with regions bounds each block by itself; new regions, and with them new contacts, are found where more than
// a share of the blocks were cut. Any other guard is asked for each colour, which is right and slow.

#include "abut/solver/solver.hpp"

namespace abut {

class VertexBlockDescent final : public Solver {
public:
    /// Sweeps alone where there is no linear solver.
    explicit VertexBlockDescent(std::unique_ptr<LinearSolver> linear_solver = nullptr);
    ~VertexBlockDescent() override;

    [[nodiscard]] std::string_view name() const override { return "vbd"; }
    void begin_step() override;
    void load(const History& history) override;
    void save(History& history) const override;
    /// Ends in `not_converged` where iterations run out.
    [[nodiscard]] SolveReport minimize(
        Problem& problem, Eigen::VectorXd& x, const SolveOptions& options, const SolveObserver& observer = {}) override;

private:
    struct Memory; // what one solve leaves to the next: colours, and room
    std::unique_ptr<Memory> memory_;
};

} // namespace abut
