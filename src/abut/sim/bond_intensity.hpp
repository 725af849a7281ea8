#pragma once
// Bonds whose intensity changes in time (contact/laws/rcc.hpp): what each contact has of it in a step, and what becomes
// of it at the end of the step.
//
// Within a step intensities are fixed; a state keeps those of the next one. A contact that comes up within a step takes
// over what contact/adhesion/bond_memory.hpp says, as of where the step started.
//
//   pressure   what the barrier pushes the first side away from the second with, over the areas of its vertices, less
//              what the bond pulls: pushes of the same two bodies count, as far as they go the way of this contact
//   gap        distance less dmin and thickness
//
// Where the paper says nothing: sliding counts from where a bond was made, not from the start of the step; a bond that
// falls below least_intensity is gone, and with it where it was made; farther off than the set reaches there is none.

#include "abut/contact/adhesion/bond_memory.hpp"
#include "abut/sim/contact_energy.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/sliding_energy.hpp"

namespace abut {

class BondIntensity final : public SlidingMemory {
public:
    /// Below this a bond that lets go is gone: it pulls with a millionth of what it did.
    static constexpr double least_intensity = 1e-3;

    /// `pairs` and `contact` must outlive it. `bodies`: of each vertex of the mesh.
    BondIntensity(const ContactPairs& pairs, const ContactEnergy& contact, RccModel model, std::vector<int> bodies);

    /// beta² of each term of a set at X.
    [[nodiscard]] std::vector<double> factors(const NormalCollisions& collisions, const ConstPositions& X) const;

    /// Everything that is within reach at X bonds as the scene says, if this is the start of all.
    void begin_step(const State& start, double dt, const NormalCollisionsOptions& set);
    /// Lets the intensities of a set change over the step that ends at X.
    void end_step(const NormalCollisions& collisions, const NormalPotential& potential, const ConstPositions& X);

    /// Of tangential adhesion.
    [[nodiscard]] const FrictionCoefficients& sliding() const { return sliding_; }
    [[nodiscard]] bool slides() const { return slides_; }
    void recall(const ConstPositions& X0, const ConstPositions& X, TangentialCollisions& terms) const override;
    void remember(
        const ConstPositions& /*X0*/, const ConstPositions& /*X*/, const ConstPositions& /*X1*/,
        const TangentialCollisions& /*terms*/) override
    {}
    void save(History& history) const override;
    void load(const History& history) override;

    [[nodiscard]] const BondMemory& memory() const { return memory_; }

private:
    /// Of a contact with this stencil.
    [[nodiscard]] const RccParameters&
    parameters(PairKind kind, const IndexPair& elements, std::span<const int> vertices) const;
    [[nodiscard]] const CollisionMesh& mesh() const { return pairs_.mesh(); }

    struct Pushes;
    const ContactPairs& pairs_;
    const ContactEnergy& contact_;
    RccModel model_;
    std::vector<int> bodies_;
    FrictionCoefficients sliding_;
    bool slides_ = false;
    BondMemory memory_;        // of the step
    std::vector<double> next_; // numbers of the step after it, once this one has ended
    bool has_ended_ = false;
    Positions start_; // the surface where the step starts; empty before the first
    double dt_ = 0;
};

} // namespace abut
