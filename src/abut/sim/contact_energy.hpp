#pragma once
// The barrier of a simulation as an energy: a set of pairs, which follows the ContactPairs, and its potential.
//
// The pairs that press are terms of a barrier, or pairs of GCP; ContactEnergy::visit shows either to whoever works with
// it. What it remembers from step to step is its stiffness.

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/sim/contact_pairs.hpp"

#include <variant>

namespace abut {

/// A barrier over a set of collisions: IPC, its convergent form, OGC, GIPC.
struct BarrierContactOptions {
    NormalCollisionsOptions set;
    BarrierPotentialOptions barrier;
};

/// The geometric contact potential.
struct SmoothContactOptions {
    SmoothContactParameters params;
    double stiffness; ///< > 0
    /// Ratio of the adaptive_extents() that make the rest positions of the mesh free of forces; none: dhat everywhere.
    std::optional<double> adaptive_ratio = 0.5;
};

struct ContactEnergyOptions {
    std::variant<BarrierContactOptions, SmoothContactOptions> model;
    bool is_adaptive = true;  ///< double the stiffness where gaps become tiny and still shrink
    double bbox_diagonal = 1; ///< of the bodies [m]
    double max_stiffness = INFINITY;
};

/// A set and its potential.
struct BarrierContact {
    NormalCollisionsOptions options;
    BarrierPotential potential;
    NormalCollisions collisions{};
};

struct SmoothContact {
    SmoothContactPotential potential;
    SmoothExtents extents;
    SmoothCollisions collisions{};
};

class ContactEnergy final : public Energy {
public:
    /// Extents of GCP are those of the mesh's rest positions. `pairs` must outlive it.
    ContactEnergy(ContactPairs& pairs, const ContactEnergyOptions& options);

    [[nodiscard]] std::string_view name() const override { return "contact"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::contact; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override;
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& x) const override;

    /// Forgets the gaps of the step before, so that a step depends on its start alone.
    void begin_step(const State& start, double dt) override;
    bool begin_iteration(const Unknowns& x) override;
    void update(const Unknowns& x) override;
    bool iterated(const Unknowns& x) override;

    void save(History& history) const override;
    void load(const History& history) override;

    /// Calls visit(contact) with the BarrierContact or SmoothContact that this is, with the set of the last update.
    template <typename Visit>
    decltype(auto) visit(Visit&& visitor) const
    {
        return std::visit(std::forward<Visit>(visitor), contact_);
    }
    /// The same with the set at x, between steps.
    template <typename Visit>
    void visit_at(const Unknowns& x, Visit&& visitor);

    /// How many pairs the last update found.
    [[nodiscard]] std::size_t num_contacts() const { return stencils_.size(); }
    /// The smallest distance of pairs within range at the last update, of GCP those in contact; else infinity [m].
    [[nodiscard]] double smallest_distance() const { return smallest_distance_; }
    /// The same at x, between steps.
    [[nodiscard]] double smallest_distance_at(const Unknowns& x);

    [[nodiscard]] double stiffness() const;

private:
    void set_stiffness(double stiffness);
    /// Makes the set for what `pairs` found, if it is another than before; true where it is.
    bool follow_pairs(const Positions& X);

    ContactPairs& pairs_;
    ContactEnergyOptions options_;
    std::variant<BarrierContact, SmoothContact> contact_;
    double initial_stiffness_;
    Stencils stencils_;
    double smallest_distance_ = INFINITY, previous_distance_ = INFINITY;
    std::int64_t revision_ = -1; // of the pairs that the set was made for
};

template <typename Visit>
void ContactEnergy::visit_at(const Unknowns& x, Visit&& visitor)
{
    const Detection& detection = pairs_.look_at(x);
    if (pairs_.is_frozen()) { // the set is that of another place
        const auto& frozen = std::get<BarrierContact>(contact_);
        BarrierContact here{frozen.options, frozen.potential};
        here.collisions.build(detection, pairs_.mesh(), pairs_.map().positions(x), here.options);
        visitor(here);
        return;
    }
    follow_pairs(pairs_.map().positions(x));
    visit(std::forward<Visit>(visitor));
}

} // namespace abut
