#pragma once
// Stitches: springs between two vertices each, of the length r = |x_i − x_j|, the rest length l and the stiffness k,
//
//   E = k / 2 (r − l)².
//
// With n the direction from one to the other, the Hessian along it is k n nᵀ, and across it k (1 − l / r) (I − n nᵀ),
// which is negative where the spring is pressed together. A spring of the rest length 0 has k I everywhere.
//
// The elements at the two ends of a stitch count as neighbours: contact, continuous collision detection and the exact
// tests leave pairs of them out, as they do with elements that share a vertex.

#include "abut/sim/model.hpp"
#include "abut/solver/energy.hpp"

namespace abut {

class StitchEnergy final : public Energy {
public:
    struct Stitch {
        int vertex, other;  ///< of the model
        double stiffness;   ///< [N/m], > 0
        double rest_length; ///< [m], >= 0
    };
    explicit StitchEnergy(std::vector<Stitch> stitches);

    [[nodiscard]] std::string_view name() const override { return "stitches"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;

private:
    template <int Dim>
    void evaluate_stitch(const ConstPositions& x, const TermOutput& out, std::size_t k) const;

    std::vector<Stitch> stitches_;
    Stencils stencils_;
};

/// One energy for all stitches; none where there are none.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_stitch_energies(const Model& model);

/// The two ends of each stitch, by the vertices of the model. Throws InvalidInput for objects, vertices and values that
/// can never be right.
[[nodiscard]] std::vector<std::pair<int, int>> stitched_vertices(const Model& model);

/// Says among the model's choices how many pairs of elements stitches take out of contact. Throws InvalidInput where a
/// stitch crosses the surface of an obstacle at the start. Needs the surface.
void explain_stitches(Model& model);

} // namespace abut
