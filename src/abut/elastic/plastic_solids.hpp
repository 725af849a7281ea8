#pragma once
// Solids that flow: tetrahedra in space and triangles in the plane, of Hencky's energy with von Mises' yield stress.
//
// Notation: that of hencky.hpp and simplex_elasticity.hpp. F F_p⁻¹ = Σ x_i (F_p⁻ᵀ g_i)ᵀ: to an element that has flowed
// belongs another rest shape, of the same volume, which is all that changes from step to step. So within a step an
// element is an elastic one with another energy of its stretches, and costs as much.
//
// In the plane F_p has an entry across it, 1 / det of the others: a body that is held there is strained across as soon
// as it flows.

#include "abut/elastic/plasticity.hpp"
#include "abut/elastic/simplex_elasticity.hpp"

namespace abut {

/// One term per element, in their order. States have F_p of each element, column by column: 9 numbers with determinant
/// 1; in the plane 4.
template <int D>
class PlasticSolids {
public:
    /// `rest` has the model hencky; one material per element. Nothing has flowed yet, and nothing flows before
    /// begin_step.
    PlasticSolids(SimplexElasticity<D, D> rest, std::vector<Plasticity> materials);

    [[nodiscard]] const Stencils& stencils() const { return rest_.stencils(); }
    [[nodiscard]] ElasticModel model() const { return rest_.model(); }
    [[nodiscard]] std::size_t size() const { return stencils().size(); }

    /// F_p = 1, no strain.
    [[nodiscard]] PlasticState initial() const;
    /// From here a step of dt starts. With `can_flow` false the material is elastic about what has flowed.
    void begin_step(const PlasticState& state, double dt, bool can_flow = true);

    /// Writes what is asked for at the positions x. Energies of hardening count from where the step started.
    void evaluate(const ConstPositions& x, const TermOutput& out) const;
    /// After a step to x.
    [[nodiscard]] PlasticState flowed(const ConstPositions& x) const;

    /// Over all elements, at x.
    [[nodiscard]] FlowSums sums(const ConstPositions& x) const;

    /// Number `field` of an element in this step: g_1 .. g_D about what has flowed, V, mu, lambda, and of FlowLanes its
    /// yield, slope and third.
    static constexpr int num_step_fields = D * D + 6;
    [[nodiscard]] double step_field(std::size_t element, int field) const;

    /// As TetElasticity::largest_uninverted_step.
    [[nodiscard]] double largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const;

    /// Only these elements, in this order, as they are now. Throws InvalidInput for terms out of range.
    [[nodiscard]] PlasticSolids subset(std::span<const int> terms) const;

private:
    struct Element;
    /// One element at x.
    [[nodiscard]] Element look_at(const ConstPositions& x, std::size_t element) const;

    SimplexElasticity<D, D> rest_;
    std::vector<Plasticity> materials_;
    PlasticState start_; // of the step
    double dt_ = 0;
    bool can_flow_ = false;
    std::vector<double> fields_; // of the step, as SimplexElasticity has them
};

} // namespace abut
