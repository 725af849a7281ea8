#pragma once
// Bonds between surfaces as an energy, over the pairs that contact shares.

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/sim/bond_intensity.hpp"
#include "abut/sim/contact_pairs.hpp"

namespace abut {

/// Factors on the pull by the materials of the two sides, as in the mesh; those of its planes beside them. Empty: 1.
struct PairPull {
    Eigen::MatrixXd factors{};
    std::vector<int> plane_materials{};
};

class AdhesionEnergy final : public Energy {
public:
    /// `pairs` must outlive it, and reach as far as bonds do. `peak`: how far bonds count as whole [m]. `intensity`,
    /// where given: that of bonds that change in time.
    AdhesionEnergy(
        ContactPairs& pairs, const NormalCollisionsOptions& set, std::shared_ptr<const NormalPotential> potential,
        double peak, PairPull pull = {}, std::shared_ptr<BondIntensity> intensity = nullptr);

    [[nodiscard]] std::string_view name() const override { return "adhesion"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::contact; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override;
    bool begin_iteration(const Unknowns& x) override;
    void update(const Unknowns& x) override;
    void begin_step(const State& start, double dt) override;
    void end_step(const State& end) override;
    void save(History& history) const override;
    void load(const History& history) override;

    /// Of the last update.
    [[nodiscard]] const NormalCollisions& collisions() const { return bonds_.collisions; }
    /// The area of one of its terms, where there is a bond at x; else 0. In the plane a length.
    [[nodiscard]] double bonded_area(std::size_t term, const Unknowns& x) const;
    /// At x, between steps.
    [[nodiscard]] NormalCollisions collisions_at(const Unknowns& x) const;
    [[nodiscard]] const NormalPotential& potential() const { return *potential_; }
    /// How far bonds count as whole; farther off they are letting go [m].
    [[nodiscard]] double peak() const { return peak_; }

private:
    bool follow_pairs(const Unknowns& x);
    /// A set, with the factors of pairs and of intensities.
    struct Bonds {
        NormalCollisions collisions{};
        std::vector<double> areas{}; ///< of its terms: weights without factors
        NormalCollisions possible{}; ///< where intensities change: with the factors of pairs alone
    };
    void build(const Detection& detection, const Positions& X, Bonds& bonds) const;

    ContactPairs& pairs_;
    NormalCollisionsOptions set_;
    std::shared_ptr<const NormalPotential> potential_;
    double peak_;
    PairPull pull_;
    std::shared_ptr<BondIntensity> intensity_; // null where bonds have none
    Bonds bonds_;
    Stencils stencils_;
    std::int64_t revision_ = -1; // of the pairs that the set was made for
};

} // namespace abut
