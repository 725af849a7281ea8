#pragma once
// Bonds between surfaces as an energy, over the pairs that contact shares.

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/sim/contact_pairs.hpp"

namespace abut {

/// Factors on the pull by the materials of the two sides, as in the mesh; those of its planes beside them. Empty: 1.
struct PairPull {
    Eigen::MatrixXd factors{};
    std::vector<int> plane_materials{};
};

class AdhesionEnergy final : public Energy {
public:
    /// `pairs` must outlive it, and reach as far as bonds do. `peak`: how far bonds count as whole [m].
    AdhesionEnergy(
        ContactPairs& pairs, const NormalCollisionsOptions& set, std::shared_ptr<const NormalPotential> potential,
        double peak, PairPull pull = {});

    [[nodiscard]] std::string_view name() const override { return "adhesion"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::contact; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override;
    bool begin_iteration(const Unknowns& x) override;
    void update(const Unknowns& x) override;

    /// Of the last update.
    [[nodiscard]] const NormalCollisions& collisions() const { return collisions_; }
    /// The area of one of its terms, where there is a bond at x; else 0. In the plane a length.
    [[nodiscard]] double bonded_area(std::size_t term, const Unknowns& x) const;
    /// At x, between steps.
    [[nodiscard]] NormalCollisions collisions_at(const Unknowns& x) const;
    [[nodiscard]] const NormalPotential& potential() const { return *potential_; }
    /// How far bonds count as whole; farther off they are letting go [m].
    [[nodiscard]] double peak() const { return peak_; }

private:
    bool follow_pairs(const Unknowns& x);
    /// `areas`, where given: weights without the factors of pairs.
    void build(
        const Detection& detection, const Positions& X, NormalCollisions& collisions,
        std::vector<double>* areas = nullptr) const;

    ContactPairs& pairs_;
    NormalCollisionsOptions set_;
    std::shared_ptr<const NormalPotential> potential_;
    double peak_;
    PairPull pull_;
    NormalCollisions collisions_;
    std::vector<double> areas_; // of its terms
    Stencils stencils_;
    std::int64_t revision_ = -1; // of the pairs that the set was made for
};

} // namespace abut
